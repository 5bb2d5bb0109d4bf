//! Values of builds as logarithms without lone outliers, and the noise between builds.

use crate::sample::{median, running_median, value_after};
use crate::student::binomial_tail;
use std::f64::consts::SQRT_2;

/// Noise below this (0.2 %) is not assumed, also where all builds agree to the last digit.
pub const MIN_NOISE: f64 = 0.002;
/// Shorter stretches are no level: one or two builds may be outliers.
pub const MIN_LEVEL: usize = 3;
/// Distance from its neighbours, in standard deviations, from which a build is an outlier.
const STANDS_OUT: f64 = 4.0;
/// Outliers are moved to this distance: they count, but cannot make a level alone.
const MAX_KEPT: f64 = 2.0;
/// Maximum probability, over the complete series, that isolated outliers look like a level.
const MAX_CHANCE: f64 = 0.01;
/// The median distance of a normal value from the mean, and the 80th percentile, in standard
/// deviations.
const NORMAL_MEDIAN: f64 = 0.6745;
const NORMAL_P80: f64 = 1.2816;

/// A series that is ready to be cut.
pub struct PreparedSeries {
    /// Logarithms of the values, with outliers moved towards their neighbours.
    pub values: Vec<f64>,
    /// Standard deviation between neighbouring builds at one level.
    pub noise: f64,
    /// Minimum number of builds in a level: more if isolated outliers are frequent.
    pub min_level: usize,
}

/// From the steps between neighbours, which a few changes of level hardly affect: from their
/// median, and from the 80th percentile, for figures that are 0 in most builds. Divided by what
/// these are of a normal distribution.
fn noise_between(values: &[f64]) -> f64 {
    let mut steps: Vec<f64> = values
        .windows(2)
        .map(|pair| (pair[1] - pair[0]).abs())
        .collect();
    steps.sort_unstable_by(f64::total_cmp);
    let by_median = median(&steps) / (NORMAL_MEDIAN * SQRT_2);
    let by_p80 = value_after(&steps, 0.8) / (NORMAL_P80 * SQRT_2);
    MIN_NOISE.max(by_median).max(by_p80)
}

/// Minimum length of a level: a run of this many builds, most of them outliers, is too rare to be
/// chance, given the share of outliers in the series.
fn min_level_for(outliers: usize, n: usize) -> usize {
    let share = (outliers as f64 / n as f64).min(0.5);
    let chance = |length: usize| {
        let most = (length / 2 + 1) as f64;
        n as f64 * binomial_tail(most, length as f64, share)
    };
    let mut length = MIN_LEVEL;
    while 2 * length < n && chance(length) > MAX_CHANCE {
        length += 1;
    }
    length
}

pub fn prepare(logs: &[f64]) -> PreparedSeries {
    /// With longer levels there may be more outliers.
    const MAX_ROUNDS: usize = 4;
    let noise = noise_between(logs);
    let mut min_level = MIN_LEVEL;
    for _ in 0..MAX_ROUNDS {
        let middles = running_median(logs, min_level - 1);
        let stands_out =
            |(value, middle): &(&f64, &f64)| (*value - *middle).abs() > STANDS_OUT * noise;
        let outliers = logs.iter().zip(&middles).filter(stands_out).count();
        let needed = min_level_for(outliers, logs.len());
        if needed <= min_level {
            break;
        }
        min_level = needed;
    }
    let distance = MAX_KEPT * noise;
    // Not `clamp`, whose panic brings all that prints floats into the module, 16 KB.
    let moved = |(value, middle): (&f64, f64)| value.min(middle + distance).max(middle - distance);
    let middles = running_median(logs, min_level - 1);
    PreparedSeries {
        values: logs.iter().zip(middles).map(moved).collect(),
        noise,
        min_level,
    }
}

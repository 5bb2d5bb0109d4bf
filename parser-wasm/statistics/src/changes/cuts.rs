//! Which of the proposed cuts are more than noise.

use super::ChangeOptions;
use super::prepare::MIN_NOISE;
use super::segments::StretchSums;
use crate::normal;
use crate::scan::scan_tail;
use crate::student::two_sided;

/// Weight of the noise of the complete series in that of one level, in builds.
const PRIOR: f64 = 8.0;
/// Rarer than this by the noise within all levels.
const CERTAIN: f64 = 1e-3;
/// Neighbouring builds resemble each other at most as much as this.
const MAX_CORRELATION: f64 = 0.8;

/// A change between two levels, in values of the prepared series.
#[derive(Clone, Copy, Debug)]
pub struct TestedCut {
    pub index: usize,
    pub difference: f64,
    /// Standard error of the difference, and the degrees of freedom it was found with.
    pub error: f64,
    pub freedom: f64,
    /// Probability that noise alone causes a change of this size anywhere in the series.
    pub p: f64,
}

/// Noise of a series around its levels.
#[derive(Clone, Copy, Debug)]
pub struct SeriesNoise {
    pub variance: f64,
    freedom: f64,
    /// Factor of the variance of a mean, because neighbouring builds resemble each other.
    pub inflation: f64,
}

impl SeriesNoise {
    pub fn around(values: &[f64], sums: &StretchSums, cuts: &[usize]) -> SeriesNoise {
        let (n, levels) = (values.len() as f64, cuts.len() as f64 + 1.0);
        let (mut squares, mut products) = (0.0, 0.0);
        for ends in edges_of(cuts, values.len()).windows(2) {
            let mean = sums.mean(ends[0], ends[1]);
            squares += sums.deviations(ends[0], ends[1]);
            for pair in values[ends[0]..ends[1]].windows(2) {
                products += (pair[1] - mean) * (pair[0] - mean);
            }
        }
        let freedom = (n - levels).max(1.0);
        let variance = (squares / freedom).max(MIN_NOISE.powi(2));
        // For independent values the estimate is too low by one value per level, which is corrected
        // here. It is a share of the noise that is assumed: where builds agree to the last digit,
        // only their rounding would resemble that of their neighbours.
        let alike = (products + squares * levels / n) / (variance * freedom);
        let correlation = alike.clamp(0.0, MAX_CORRELATION);
        SeriesNoise {
            variance,
            freedom,
            inflation: (1.0 + correlation) / (1.0 - correlation),
        }
    }
}

/// The begins of all stretches, and the end of the series.
fn edges_of(cuts: &[usize], n: usize) -> Vec<usize> {
    let ends = [0].into_iter().chain(cuts.iter().copied());
    ends.chain([n]).collect()
}

/// A prepared series and the minimum length of its levels.
struct CutSeries<'a> {
    values: &'a [f64],
    sums: StretchSums,
    min_level: usize,
}

impl CutSeries<'_> {
    /// The test of each cut against its neighbours. Cuts that are not certain count as noise: where
    /// builds resemble their neighbours, levels that were cut to fit hide it.
    fn tested(&self, cuts: &[usize]) -> Vec<TestedCut> {
        let mut certain = cuts.to_vec();
        loop {
            let noise = SeriesNoise::around(self.values, &self.sums, &certain);
            let tested = self.tests(cuts, noise);
            let count = certain.len();
            let is_certain = |index: usize| {
                tested
                    .iter()
                    .any(|cut| cut.index == index && cut.p < CERTAIN)
            };
            certain.retain(|index| is_certain(*index));
            if certain.len() == count {
                return tested;
            }
        }
    }

    fn tests(&self, cuts: &[usize], noise: SeriesNoise) -> Vec<TestedCut> {
        let builds = self.values.len() as f64;
        // Next to other cuts, the stretch was chosen too: of a short dip both ends are where they
        // make the most of it.
        let chosen = if cuts.len() > 1 { builds / 2.0 } else { 1.0 };
        let edges = edges_of(cuts, self.values.len());
        let test = |ends: &[usize]| self.test((ends[0], ends[1], ends[2]), noise, chosen);
        edges.windows(3).map(test).collect()
    }

    fn test(
        &self,
        (from, index, to): (usize, usize, usize),
        noise: SeriesNoise,
        chosen: f64,
    ) -> TestedCut {
        let prior = PRIOR.min(noise.freedom);
        // The variance of a side's mean, and its degrees of freedom.
        let side = |from: usize, to: usize| {
            let length = (to - from) as f64;
            let freedom = prior + length - 1.0;
            let squares = prior * noise.variance + self.sums.deviations(from, to);
            (squares / freedom / length, freedom)
        };
        let difference = self.sums.mean(index, to) - self.sums.mean(from, index);
        let ((before, freedom_before), (after, freedom_after)) =
            (side(from, index), side(index, to));
        let error = ((before + after) * noise.inflation).sqrt();
        // Welch and Satterthwaite: the shorter side decides.
        let freedom = (before + after).powi(2)
            / (before.powi(2) / freedom_before + after.powi(2) / freedom_after);
        // As rare as the normal value of which the largest over all positions is known, times the
        // stretches of this length in the series.
        let rare = normal::two_sided_quantile(two_sided(difference.abs() / error, freedom));
        let stretches = self.values.len() as f64 / (to - from) as f64;
        TestedCut {
            index,
            difference,
            error,
            freedom,
            p: (scan_tail(rare, to - from, self.min_level) * stretches * chosen).min(1.0),
        }
    }

    /// Moves each cut to the position that fits best between its neighbours.
    fn fitted(&self, cuts: &[usize]) -> Vec<usize> {
        let mut edges = edges_of(cuts, self.values.len());
        for i in 1..edges.len() - 1 {
            let (from, to) = (edges[i - 1], edges[i + 1]);
            let mut least = f64::INFINITY;
            for index in from + self.min_level..=to.saturating_sub(self.min_level) {
                let cost = self.sums.deviations(from, index) + self.sums.deviations(index, to);
                if cost < least {
                    least = cost;
                    edges[i] = index;
                }
            }
        }
        edges[1..edges.len() - 1].to_vec()
    }

    /// Whether a change is smaller than is asked for.
    fn is_small(&self, cut: &TestedCut, from: usize, to: usize, options: ChangeOptions) -> bool {
        let level = |from: usize, to: usize| self.sums.mean(from, to).exp();
        let difference = (level(cut.index, to) - level(from, cut.index)).abs();
        cut.difference.abs() < options.min_change.ln_1p() || difference < options.min_difference
    }
}

/// Cuts of which each is rarer than allowed, less and less of them until all are.
pub fn kept_cuts(
    values: &[f64],
    proposed: &[usize],
    min_level: usize,
    options: ChangeOptions,
) -> Vec<TestedCut> {
    let series = CutSeries {
        values,
        sums: StretchSums::new(values),
        min_level,
    };
    let mut cuts = series.fitted(proposed);
    loop {
        let mut tested = series.tested(&cuts);
        let indices = 0..tested.len();
        let weakest = indices.reduce(|worst, i| {
            if tested[i].p > tested[worst].p {
                i
            } else {
                worst
            }
        });
        let Some(weakest) = weakest else {
            return tested;
        };
        let drop = if tested[weakest].p > options.false_alarms {
            Some(weakest)
        } else {
            let edges = edges_of(&cuts, values.len());
            let small = |i: &usize| series.is_small(&tested[*i], edges[*i], edges[*i + 2], options);
            (0..tested.len()).find(small)
        };
        let Some(drop) = drop else {
            return tested;
        };
        tested.remove(drop);
        let rest: Vec<usize> = tested.iter().map(|cut| cut.index).collect();
        cuts = series.fitted(&rest);
    }
}

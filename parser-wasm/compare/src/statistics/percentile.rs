//! Intervals of percentiles within a run: the distribution inverted at shares that are uncertain,
//! with the error of blocks of consecutive bins. Requests of one burst are slow together; the
//! textbook's order statistics, which take them as independent, are far too narrow.
//!
//! Two steps, because the samples are too many to keep. First [`share_error`] finds how far the
//! share of samples up to the percentile is uncertain, from two counts per bin. The ends of the
//! interval are then the samples whose ranks are at those shares ([`RankBounds`]); the caller looks
//! up their values in a second pass and completes the interval with [`RankBounds::error`], in the
//! order of [`RankBounds::ranks`].

use super::estimate::{MIN_BINS, total};
use seekscope_statistics::blocks::{SeriesError, block_error};
use seekscope_statistics::student::t_975;
use serde::{Deserialize, Serialize};

/// 95 % interval of a percentile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PercentileInterval {
    pub low: u64,
    /// Absent where it is beyond the largest sample.
    pub high: Option<u64>,
}

/// What a run shows of the uncertainty of a percentile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PercentileError {
    Interval(PercentileInterval),
    /// Too few independent requests: about so many are needed.
    Needs(u64),
}

/// Where the ends of the interval of a percentile are among the samples, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RankBounds {
    /// Too few independent samples: about so many are needed.
    Needs(u64),
    /// Ranks, from 1; no upper end where it is beyond the largest sample.
    Ranks(u64, Option<u64>),
}

impl RankBounds {
    /// The bounds of the percentile `share`; `bins` has, in the order of time, the number of
    /// samples up to its value and of all samples in each bin. Absent for too few bins.
    pub fn new(share: f64, bins: &[(f64, f64)]) -> Option<RankBounds> {
        let reach = match share_error(share, bins)? {
            ShareError::Needs(n) => return Some(RankBounds::Needs(n)),
            ShareError::Reach(reach) => reach,
        };
        let n = total(bins).1;
        let rank = |before: f64| (before as u64 + 1).min(n as u64);
        let high = (share + reach < 1.0).then(|| rank(((share + reach) * n).ceil() - 1.0));
        Some(RankBounds::Ranks(
            rank(((share - reach) * n).max(0.0)),
            high,
        ))
    }

    /// The ranks whose samples the interval needs, the lower one first.
    pub fn ranks(self) -> impl Iterator<Item = u64> {
        let (low, high) = match self {
            RankBounds::Needs(_) => (None, None),
            RankBounds::Ranks(low, high) => (Some(low), high),
        };
        low.into_iter().chain(high)
    }

    /// The error, given the samples of [`RankBounds::ranks`] in their order; absent without them.
    pub fn error(self, samples: &mut impl Iterator<Item = u64>) -> Option<PercentileError> {
        Some(match self {
            RankBounds::Needs(n) => PercentileError::Needs(n),
            RankBounds::Ranks(_, high) => {
                let low = samples.next()?;
                let high = if high.is_some() {
                    Some(samples.next()?)
                } else {
                    None
                };
                PercentileError::Interval(PercentileInterval { low, high })
            }
        })
    }
}

/// How far a share of the samples of a run is from that of all samples that the same conditions
/// would give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShareError {
    /// At most this far up or down, with a probability of 95 %.
    Reach(f64),
    /// Too few independent samples: about so many are needed.
    Needs(u64),
}

/// The error of the share of samples up to a value; `bins` has, in the order of time, the number of
/// samples up to it and of all samples in each bin. Absent for too few bins.
pub fn share_error(share: f64, bins: &[(f64, f64)]) -> Option<ShareError> {
    let (below, n) = total(bins);
    if n == 0.0 || bins.len() < MIN_BINS {
        return None;
    }
    // Ties and the last rank leave a remainder, which is no part of the noise.
    let actual = below / n;
    let centred: Vec<f64> = bins.iter().map(|(below, n)| below - actual * n).collect();
    let SeriesError { error, freedom } = block_error(&centred);
    let independent = (share * (1.0 - share) / n).sqrt();
    let error = (error / n).max(independent);
    // How many requests count as a single independent one.
    let together = (error / independent).powi(2);
    let needed = (0.025f64.ln() / share.ln() * together).ceil();
    Some(if n < needed {
        ShareError::Needs(needed as u64)
    } else {
        ShareError::Reach(t_975(freedom) * error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of percentiles with these values.
    fn errors(bins: &[Vec<u64>], percentiles: &[(f64, u64)]) -> Vec<Option<PercentileError>> {
        let mut sorted = bins.concat();
        sorted.sort_unstable();
        let error = |&(share, value): &(f64, u64)| {
            let within = |bin: &Vec<u64>| {
                (
                    bin.iter().filter(|sample| **sample <= value).count() as f64,
                    bin.len() as f64,
                )
            };
            let bounds = RankBounds::new(share, &bins.iter().map(within).collect::<Vec<_>>())?;
            bounds.error(&mut bounds.ranks().map(|rank| sorted[rank as usize - 1]))
        };
        percentiles.iter().map(error).collect()
    }

    fn binned(bins: usize, per_bin: usize, sample: impl Fn(usize, usize) -> u64) -> Vec<Vec<u64>> {
        (0..bins)
            .map(|bin| (0..per_bin).map(|i| sample(bin, i)).collect())
            .collect()
    }

    /// A number that looks random, 0 to 999.
    fn mixed(i: usize) -> u64 {
        (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & 0xffff_ffff
    }

    fn interval(bins: &[Vec<u64>], share: f64, value: u64) -> PercentileInterval {
        match errors(bins, &[(share, value)])[0] {
            Some(PercentileError::Interval(found)) => found,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn independent_samples_have_the_interval_of_order_statistics() {
        let found = interval(
            &binned(60, 100, |bin, i| mixed(bin * 100 + i) % 1000),
            0.5,
            500,
        );
        // 6000 samples: 0.5 -+ 1.96 * sqrt(0.25 / 6000) = 0.4873 to 0.5127.
        assert!(
            (470..495).contains(&found.low) && (505..530).contains(&found.high.unwrap_or(0)),
            "{found:?}"
        );
    }

    #[test]
    fn samples_that_are_slow_together_have_a_wider_one() {
        let burst = |bin: usize| if bin % 20 < 5 { 5000 } else { 0 };
        let bursty = interval(
            &binned(60, 100, |bin, i| mixed(bin * 100 + i) % 1000 + burst(bin)),
            0.9,
            5600,
        );
        let even = interval(
            &binned(60, 100, |bin, i| {
                mixed(bin * 100 + i) % 1000 + burst(i % 20)
            }),
            0.9,
            5600,
        );
        let width = |found: PercentileInterval| found.high.unwrap_or(u64::MAX) - found.low;
        assert!(width(bursty) > 2 * width(even), "{bursty:?} {even:?}");
        assert!(bursty.low <= 5600 && bursty.high.is_none_or(|high| high >= 5600));
    }

    #[test]
    fn few_samples_need_more() {
        let found = errors(
            &binned(30, 10, |bin, i| mixed(bin * 10 + i) % 1000),
            &[(0.5, 500), (0.99, 990), (0.999, 999)],
        );
        assert!(matches!(found[0], Some(PercentileError::Interval(_))));
        assert!(
            matches!(found[1], Some(PercentileError::Needs(n)) if n >= 367),
            "{found:?}"
        );
        assert!(
            matches!(found[2], Some(PercentileError::Needs(n)) if n >= 3687),
            "{found:?}"
        );
        assert_eq!(
            errors(&binned(5, 100, |_, i| i as u64), &[(0.5, 50)]),
            [None]
        );
    }
}

//! Intervals of percentiles within a run: the distribution inverted at shares that are uncertain, with the error of blocks of consecutive
//! bins. Requests of one burst are slow together; the textbook's order statistics, which take them as independent, are far too narrow.

use super::blocks::{SeriesError, block_error};
use super::estimate::{LEAST_BINS, total};
use super::student::t_975;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// 95 % interval of a percentile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PercentileInterval {
    pub low: u64,
    /// Absent: beyond the largest sample.
    pub high: Option<u64>,
}

/// What a run shows of the uncertainty of a percentile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PercentileError {
    Interval(PercentileInterval),
    /// Too few independent requests: about so many are needed.
    Needs(u64),
}

/// Samples of a stage in the order of the bins.
#[derive(Clone, Debug, Default)]
pub struct BinnedSamples {
    samples: Vec<u64>,
    /// Number of samples before the end of each bin.
    ends: Vec<usize>,
}

impl BinnedSamples {
    pub fn push(&mut self, sample: u64) {
        self.samples.push(sample);
    }

    pub fn end_bin(&mut self) {
        self.ends.push(self.samples.len());
    }

    /// The errors of percentiles, each a share (ascending) and its value. Reorders the samples.
    pub fn errors(mut self, percentiles: &[(f64, u64)]) -> Vec<Option<PercentileError>> {
        let n = self.samples.len();
        let bounds: Vec<Option<RankBounds>> = percentiles.iter().map(|&(share, value)| self.bounds(share, value)).collect();
        let ranks = bounds.iter().flatten().flat_map(RankBounds::ranks).map(|rank| rank.min(n - 1)).collect();
        let values = self.select(ranks);
        let at = |rank: usize| values.get(&rank.min(n - 1)).copied().unwrap_or_default();
        let error = |bounds: RankBounds| match bounds {
            RankBounds::Needs(n) => PercentileError::Needs(n),
            RankBounds::Ranks(low, high) => PercentileError::Interval(PercentileInterval { low: at(low), high: high.map(at) }),
        };
        bounds.into_iter().map(|bounds| bounds.map(error)).collect()
    }

    /// The samples of these ranks. Each is looked for among those that are not below the one before.
    fn select(&mut self, ranks: BTreeSet<usize>) -> FxHashMap<usize, u64> {
        let mut from = 0;
        let mut value = |rank: usize| {
            let value = *self.samples[from..].select_nth_unstable(rank - from).1;
            from = rank + 1;
            (rank, value)
        };
        ranks.into_iter().map(&mut value).collect()
    }

    fn bounds(&self, share: f64, value: u64) -> Option<RankBounds> {
        let n = self.samples.len();
        let mut from = 0;
        let bins = self.ends.iter().map(|&end| {
            let bin = &self.samples[from..end];
            from = end;
            (bin.iter().filter(|sample| **sample <= value).count() as f64, bin.len() as f64)
        });
        let reach = match share_error(share, bins.collect::<Vec<_>>().as_slice())? {
            ShareError::Needs(n) => return Some(RankBounds::Needs(n)),
            ShareError::Reach(reach) => reach,
        };
        let n = n as f64;
        let high = (share + reach < 1.0).then(|| ((share + reach) * n).ceil() as usize - 1);
        Some(RankBounds::Ranks(((share - reach) * n).max(0.0) as usize, high))
    }
}

/// How far a share of the samples of a run is from that of all samples that the same conditions would give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShareError {
    /// With 95 %, up or down.
    Reach(f64),
    /// Too few independent samples: about so many are needed.
    Needs(u64),
}

/// Of the share of samples up to a value; `bins` has the samples up to it and all samples of each bin, in the order of time. Absent for
/// too few bins.
pub fn share_error(share: f64, bins: &[(f64, f64)]) -> Option<ShareError> {
    let (below, n) = total(bins);
    if n == 0.0 || bins.len() < LEAST_BINS {
        return None;
    }
    // Ties and the last rank leave a remainder, which is no part of the noise.
    let actual = below / n;
    let centred: Vec<f64> = bins.iter().map(|(below, n)| below - actual * n).collect();
    let SeriesError { error, freedom } = block_error(&centred);
    let independent = (share * (1.0 - share) / n).sqrt();
    let error = (error / n).max(independent);
    // How many requests count as one.
    let together = (error / independent).powi(2);
    let least = (0.025f64.ln() / share.ln() * together).ceil();
    Some(if n < least { ShareError::Needs(least as u64) } else { ShareError::Reach(t_975(freedom) * error) })
}

enum RankBounds {
    Needs(u64),
    Ranks(usize, Option<usize>),
}

impl RankBounds {
    fn ranks(&self) -> impl Iterator<Item = usize> + use<> {
        let (low, high) = match *self {
            RankBounds::Needs(_) => (None, None),
            RankBounds::Ranks(low, high) => (Some(low), high),
        };
        low.into_iter().chain(high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binned(bins: usize, per_bin: usize, of: impl Fn(usize, usize) -> u64) -> BinnedSamples {
        let mut samples = BinnedSamples::default();
        for bin in 0..bins {
            (0..per_bin).for_each(|i| samples.push(of(bin, i)));
            samples.end_bin();
        }
        samples
    }

    /// A number that looks random, 0 to 999.
    fn mixed(i: usize) -> u64 {
        (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & 0xffff_ffff
    }

    fn interval(samples: BinnedSamples, share: f64, value: u64) -> PercentileInterval {
        match samples.errors(&[(share, value)])[0] {
            Some(PercentileError::Interval(found)) => found,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn independent_samples_have_the_interval_of_order_statistics() {
        let found = interval(binned(60, 100, |bin, i| mixed(bin * 100 + i) % 1000), 0.5, 500);
        // 6000 samples: 0.5 -+ 1.96 * sqrt(0.25 / 6000) = 0.4873 to 0.5127.
        assert!((470..495).contains(&found.low) && (505..530).contains(&found.high.unwrap_or(0)), "{found:?}");
    }

    #[test]
    fn samples_that_are_slow_together_have_a_wider_one() {
        let burst = |bin: usize| if bin % 20 < 5 { 5000 } else { 0 };
        let bursty = interval(binned(60, 100, |bin, i| mixed(bin * 100 + i) % 1000 + burst(bin)), 0.9, 5600);
        let even = interval(binned(60, 100, |bin, i| mixed(bin * 100 + i) % 1000 + burst(i % 20)), 0.9, 5600);
        let width = |found: PercentileInterval| found.high.unwrap_or(u64::MAX) - found.low;
        assert!(width(bursty) > 2 * width(even), "{bursty:?} {even:?}");
        assert!(bursty.low <= 5600 && bursty.high.is_none_or(|high| high >= 5600));
    }

    #[test]
    fn few_samples_need_more() {
        let errors = binned(30, 10, |bin, i| mixed(bin * 10 + i) % 1000).errors(&[(0.5, 500), (0.99, 990), (0.999, 999)]);
        assert!(matches!(errors[0], Some(PercentileError::Interval(_))));
        assert!(matches!(errors[1], Some(PercentileError::Needs(n)) if n >= 367), "{errors:?}");
        assert!(matches!(errors[2], Some(PercentileError::Needs(n)) if n >= 3687), "{errors:?}");
        assert_eq!(binned(5, 100, |_, i| i as u64).errors(&[(0.5, 50)]), [None]);
    }
}

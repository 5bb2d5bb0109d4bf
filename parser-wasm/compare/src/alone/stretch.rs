//! Parts of a run, made of its bins, and what the device did in them.

use super::RunCase;
use crate::statistics::estimate::total;

/// Sizes that differ by less are the same kind of work.
const SIZE: f64 = 1.25;
/// Shares of writes that differ by less are the same kind of work.
const MIX: f64 = 0.1;
/// Shares of sequential requests that differ by less are the same kind of work.
const ORDER: f64 = 0.15;
/// Minimum number of requests in a part of a run.
const REQUESTS: f64 = 20.0;

/// Some bins of a run.
pub(super) struct Stretch<'a> {
    case: &'a RunCase<'a>,
    bins: Vec<usize>,
}

impl<'a> RunCase<'a> {
    /// The bins for which `is_in` holds.
    pub(super) fn stretch(&'a self, is_in: impl Fn(usize) -> bool) -> Stretch<'a> {
        Stretch {
            case: self,
            bins: (0..self.device.bins.count())
                .filter(|&bin| is_in(bin))
                .collect(),
        }
    }

    /// The time from the start of a bin to the end of another, ns since the first event of the run.
    pub(super) fn range(&self, first: usize, last: usize) -> (u64, u64) {
        self.device.bins.range(self.device.active, first..last + 1)
    }
}

impl Stretch<'_> {
    /// Numerator and denominator of a figure; absent where no bin has it.
    fn sums(&self, key: &str) -> Option<(f64, f64)> {
        let all = self.case.device.bins.sums.get(key)?;
        let sum = total(self.bins.iter().filter_map(|&bin| all.get(bin)));
        (sum.1 > 0.0).then_some(sum)
    }

    pub(super) fn value(&self, key: &str) -> Option<f64> {
        self.sums(key).map(|(over, under)| over / under)
    }

    /// Length, ns.
    pub(super) fn ns(&self) -> f64 {
        self.sums("iops").map_or(0.0, |(_, ns)| ns)
    }

    /// Number of completed requests.
    pub(super) fn requests(&self) -> f64 {
        self.sums("iops").map_or(0.0, |(over, _)| over / 1e9)
    }

    /// Time with requests in flight, ns.
    pub(super) fn busy(&self) -> Option<f64> {
        let (idle, ns) = self.sums("states.nobody")?;
        let (starved, _) = self.sums("starved.share")?;
        Some(ns - idle - starved).filter(|busy| *busy > 0.0)
    }

    /// Completions per second in which requests are in flight.
    pub(super) fn busy_rate(&self) -> Option<f64> {
        Some(self.requests() / self.busy()? * 1e9)
    }

    /// Mean number of requests in flight, while any are.
    pub(super) fn busy_depth(&self) -> Option<f64> {
        let (over, ns) = self.sums("depth.mean")?;
        // The depth is known from the first D on, which may be a little less than the time of the
        // states.
        let (_, all) = self.sums("states.nobody")?;
        Some(over / ns * all / self.busy()?)
    }

    /// Whether there are enough requests for a claim.
    pub(super) fn is_enough(&self) -> bool {
        self.requests() >= REQUESTS
    }

    /// Whether the work is of the same kind as in another part.
    pub(super) fn is_like(&self, other: &Stretch) -> bool {
        let both = |key: &str| Some((self.value(key)?, other.value(key)?));
        let size = ["size.issued.mean", "size.completed.mean"]
            .into_iter()
            .find_map(both);
        let writes = |stretch: &Stretch| {
            Some(stretch.value("write_bps")? / stretch.value("bps").filter(|all| *all > 0.0)?)
        };
        let order = both("seek.issued.sequential_share");
        size.is_none_or(|(a, b)| a <= SIZE * b && b <= SIZE * a)
            && writes(self)
                .zip(writes(other))
                .is_none_or(|(a, b)| (a - b).abs() <= MIX)
            && order.is_none_or(|(a, b)| (a - b).abs() <= ORDER)
    }
}

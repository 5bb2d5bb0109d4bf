//! What the rules look at: both sides, the good one first.

use super::{CHANGE, TIME};
use crate::pair::Pair;
use crate::runs::run::{ComparedRun, ComparisonSide};
use crate::sentence::Params;
use crate::settings::of_compared;
use crate::values::ValuePair;

/// The input of a rule: `pair.a` is the good side.
pub struct Case<'a> {
    pub pair: &'a Pair<'a>,
    pub runs: &'a [ComparedRun],
    /// Whether the second side is slower, or may be.
    pub slower: bool,
    /// Whether more runs would have to tell if a side is slower.
    pub unsure: bool,
    /// Whether `pair.a` is not the baseline.
    pub swapped: bool,
}

impl<'a> Case<'a> {
    /// Parameters of a sentence, with both sides.
    pub fn params(&self) -> Params {
        Params::of_sides([("good", self.pair.a), ("bad", self.pair.b)])
    }

    /// Whether the notes of both sides have a setting of the compared device, with different
    /// values.
    pub fn changed(&self, key: &str) -> bool {
        let value = |side: &ComparisonSide| {
            of_compared(self.runs.get(*side.runs.first()?)?, key).map(str::to_owned)
        };
        value(self.pair.a)
            .zip(value(self.pair.b))
            .is_some_and(|(a, b)| a != b)
    }

    /// A figure of both, good side first.
    pub fn both(&self, key: &str) -> Option<(f64, f64)> {
        self.pair.both(key)
    }

    /// Whether a run of either side was recorded without actions that its device has.
    pub fn masked(&self) -> bool {
        self.pair
            .a
            .devices()
            .iter()
            .chain(self.pair.b.devices())
            .any(|d| d.is_masked())
    }

    /// The first of these figures that both sides have.
    pub fn first_of(&self, keys: &[&'static str]) -> Option<&'static str> {
        keys.iter().copied().find(|key| self.both(key).is_some())
    }

    /// Values of the good and the bad side, as those of the baseline and the other one.
    pub fn of_both(&self, (good, bad): (f64, f64)) -> ValuePair {
        if self.swapped {
            (Some(bad), Some(good))
        } else {
            (Some(good), Some(bad))
        }
    }

    /// Share of the lost time that `ns` can account for; absent if it is none, no time is lost, or
    /// the device has no states.
    pub fn part(&self, ns: f64) -> Option<f64> {
        let lost = self.pair.lost?.total;
        (self.slower && lost > 0.0 && ns > 0.0).then(|| (ns / lost).min(1.0))
    }

    /// The class of a finding about waiting or the device; absent where there is none. A side that
    /// is certainly slower needs what `explains` the lost time. Whatever the total is, a mechanism
    /// that is `certain` by its own figures is a change.
    pub fn class(&self, explains: bool, certain: bool) -> Option<u8> {
        if self.slower && explains && (certain || !self.unsure) {
            Some(TIME)
        } else {
            (certain && (self.unsure || !self.slower)).then_some(CHANGE)
        }
    }

    /// The bin of the bad side's first run in which a figure is largest or smallest.
    pub fn bin(&self, key: &str, largest: bool) -> Option<(u64, u64)> {
        let device = self.pair.b.device();
        let sums = device.bins.sums.get(key)?;
        let value = |i: &usize| {
            if sums[*i].1 > 0.0 {
                sums[*i].0 / sums[*i].1
            } else {
                f64::NAN
            }
        };
        let bins = (0..sums.len()).filter(|i| !value(i).is_nan());
        let order = |x: &usize, y: &usize| value(x).total_cmp(&value(y));
        let bin = if largest {
            bins.max_by(order)
        } else {
            bins.min_by(order)
        }?;
        Some(self.range_of(bin))
    }

    /// The time of a bin of the bad side's first run.
    pub fn range_of(&self, bin: usize) -> (u64, u64) {
        let device = self.pair.b.device();
        device.bins.range(device.active, bin..bin + 1)
    }
}

//! When a device was starved: bios waited, and nothing was in flight.

use crate::intervals::{DepthInterval, walk};
use seekscope_trace::store::Store;

/// Time up to a moment in which a device was starved.
#[derive(Clone, Debug, Default)]
pub struct StarvedTime {
    /// Beginning, end, and what was before it.
    intervals: Vec<(u64, u64, u64)>,
}

impl StarvedTime {
    /// The starved time of a device within a time range, in a pass over the events.
    pub fn walk(store: &Store, device: usize, range: (u64, u64)) -> StarvedTime {
        let mut starved = StarvedTime::default();
        walk(store, device as u32, range, |interval| {
            if interval.is_starved() && !interval.is_empty() {
                starved.add(interval);
            }
        });
        starved
    }

    /// Adds an interval that is not empty and not before others; neighbours become one.
    #[inline]
    pub fn add(&mut self, DepthInterval { from, to, .. }: DepthInterval) {
        let last = self.intervals.last_mut();
        let sum = last.as_ref().map_or(0, |last| last.2 + last.1 - last.0);
        match last {
            Some(last) if last.1 == from => last.1 = to,
            _ => self.intervals.push((from, to, sum)),
        }
    }

    /// The starved time up to `time`. Searched for from the interval `near` on, which becomes that
    /// of this time: the next time is near.
    pub fn until(&self, time: u64, near: &mut usize) -> u64 {
        let n = self.intervals.len();
        let begins_before = |i: usize| self.intervals[i].0 < time;
        let (mut from, mut to, mut step) = (*near, *near, 1);
        while to < n && begins_before(to) {
            (from, to) = (to + 1, (to + 1 + step).min(n));
            step *= 2;
        }
        while from > 0 && !begins_before(from - 1) {
            (from, to) = ((from - 1).saturating_sub(step), from - 1);
            step *= 2;
        }
        let after = from + self.intervals[from..to].partition_point(|interval| interval.0 < time);
        *near = after;
        match after.checked_sub(1).and_then(|i| self.intervals.get(i)) {
            Some((from, to, before)) => before + time.min(*to) - from,
            None => 0,
        }
    }
}

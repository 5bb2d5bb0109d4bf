//! When a device was starved: bios waited, and nothing was in flight.

use crate::Window;
use crate::intervals::{DepthInterval, DepthSteps};
use seekscope_trace::store::{Effect, EventKind, Store};

/// Maximum number of intervals that are collected while other things are measured: 16 MiB.
const MAX_INTERVALS: usize = 1 << 20;

/// Time up to a moment in which a device was starved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StarvedTime {
    /// Begin of each interval, and the starved time before it.
    intervals: Vec<(u64, u64)>,
    /// The starved time of all intervals.
    total: u64,
}

impl StarvedTime {
    /// The starved time of each device within its time range, in one pass over the events; absent
    /// without a range.
    pub fn of_devices(store: &Store, ranges: &[Option<(u64, u64)>]) -> Vec<Option<StarvedTime>> {
        let events = &store.events;
        let begin = |(device, range): (usize, &Option<(u64, u64)>)| {
            let (from, to) = (*range)?;
            let before = store.state_before(device as u32, events.find(from));
            let steps = DepthSteps::new(from, before);
            Some((steps, (from, to), StarvedTime::default()))
        };
        let mut found: Vec<_> = ranges.iter().enumerate().map(begin).collect();
        let Some(whole) = ranges
            .iter()
            .flatten()
            .copied()
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
        else {
            return vec![None; ranges.len()];
        };
        let plan = |kind: &EventKind| (kind.device as usize, kind.effect);
        let plans: Vec<(usize, Effect)> = events.each_kind().map(plan).collect();
        let whole = Window {
            from: whole.0,
            to: whole.1,
        };
        events.pieces(whole.events(events), |piece| {
            for event in piece {
                let Some(&(device, effect)) = plans.get(event.kind_number() as usize) else {
                    continue;
                };
                if effect == Effect::default() {
                    continue;
                }
                if let Some(Some((steps, (from, to), starved))) = found.get_mut(device)
                    && (*from..*to).contains(&event.time())
                {
                    starved.note(steps.step(event.time(), effect));
                }
            }
        });
        let ended = found.into_iter().map(|found| {
            let (mut steps, (_, to), mut starved) = found?;
            starved.note(steps.step(to, Effect::default()));
            Some(starved)
        });
        ended.collect()
    }

    fn note(&mut self, interval: DepthInterval) {
        if interval.is_starved() && !interval.is_empty() {
            self.add(interval);
        }
    }

    /// Adds an interval that is not empty and not before others; neighbours become one.
    #[inline]
    pub fn add(&mut self, DepthInterval { from, to, .. }: DepthInterval) {
        let end = self
            .intervals
            .last()
            .map(|&(begin, before)| begin + (self.total - before));
        if end != Some(from) {
            self.intervals.push((from, self.total));
        }
        self.total += to - from;
    }

    /// Whether it has so many intervals that it should rather be found in a pass of its own.
    pub fn is_full(&self) -> bool {
        self.intervals.len() >= MAX_INTERVALS
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
        let Some(&(from, before)) = after.checked_sub(1).and_then(|i| self.intervals.get(i)) else {
            return 0;
        };
        let up_to_end = self.intervals.get(after).map_or(self.total, |next| next.1);
        (before + (time - from)).min(up_to_end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::walk;
    use seekscope_trace::fixture::store;

    #[test]
    fn devices_are_starved_apart_and_within_their_ranges() {
        let s = store(
            "5 Q 0+8 W
             7 Q 0+8 W dev=1
             10 D 0+8 W
             20 C 0+8 W
             25 D 0+8 W dev=1
             30 Q 8+8 W
             40 Q 8+8 W dev=1
             50 D 8+8 W
             60 C 8+8 W",
        );
        for ranges in [
            [(0, 100), (0, 100)],
            [(8, 45), (30, 42)],
            [(7, 7), (60, 90)],
        ] {
            let found = StarvedTime::of_devices(&s, &ranges.map(Some));
            for (device, (found, range)) in found.into_iter().zip(ranges).enumerate() {
                let mut alone = StarvedTime::default();
                walk(&s, device as u32, range, |interval| alone.note(interval));
                let found = found.expect("a range was given");
                assert_eq!(found, alone, "{device} in {range:?}");
            }
        }
        let [first, second] = StarvedTime::of_devices(&s, &[None, Some((0, 100))])
            .try_into()
            .expect("two devices");
        assert!(first.is_none() && second.is_some());
    }
}

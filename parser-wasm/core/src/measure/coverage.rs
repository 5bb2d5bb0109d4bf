//! Which stripes writes cover whole, and what the others cost.
//!
//! A stripe opens with a write to it and collects the union of sectors written until one of these: it is whole; 50 ms have
//! passed; 256 other stripes were written since; or a write to it has completed on a device that only answers when parity is on the disks
//! (md: what comes later cannot share that parity update). A whole stripe needs no read. A partial one costs the cheaper, in sectors, of
//!
//! - read-modify-write: read the old data of what is written and the old parity: W + m P, from k + m disks;
//! - reconstruct-write: read what is not written beside it: n P - W, from the disks that lack a part of P;
//!
//! and then m P written to m parity disks. n: data disks, m: parity disks; W: sectors written; k: units written to;
//! P: the union of places within the unit that are written. Levels without parity have no such cost.

use super::geometry::Geometry;
use crate::store::{Role, Store};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::VecDeque;

/// How long a stripe collects writes, ns.
pub const COLLECT: u64 = 50_000_000;

/// How many stripes collect at a time.
pub const OPEN: usize = 256;

/// Touches that are kept before void ones are thrown away.
const MOST_TOUCHES: usize = 8 * OPEN;

/// When a request completed, if that means that its parity is on the disks: on md, but not on a disk, whose cache may answer first,
/// nor on what only passes on a disk's answer.
pub fn settled(store: &Store, row: usize) -> Option<u64> {
    let device = store.devices.get(store.requests.device(row) as usize)?;
    if device.role == Role::Stacked { store.requests.completed(row) } else { None }
}

/// Stripes by how they were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stripes {
    /// Wholly.
    pub full: u64,
    /// In part.
    pub partial: u64,
}

/// Extra device I/O for partial stripes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rmw {
    /// Units read: old data and old parity, or the rest of the stripe.
    pub reads: u64,
    /// Parity units written.
    pub writes: u64,
    /// Bytes of both.
    pub extra_bytes: u64,
}

/// Disjoint ascending intervals.
#[derive(Clone, Debug, Default)]
struct Union(Vec<(u64, u64)>);

impl Union {
    fn insert(&mut self, mut from: u64, mut to: u64) {
        let first = self.0.partition_point(|i| i.1 < from);
        let last = self.0.partition_point(|i| i.0 <= to);
        if let Some(&(low, _)) = self.0.get(first).filter(|_| first < last) {
            from = from.min(low);
            to = to.max(self.0[last - 1].1);
        }
        self.0.splice(first..last, [(from, to)]);
    }

    fn total(&self) -> u64 {
        self.0.iter().map(|i| i.1 - i.0).sum()
    }
}

#[derive(Clone, Debug, Default)]
struct Open {
    until: u64,
    touched: u64,
    written: Union,
}

/// Follows the stripes that writes touch.
#[derive(Clone, Debug)]
pub struct Coverage {
    geometry: Geometry,
    open: FxHashMap<u64, Open>,
    /// (clock, stripe) of each write, for the longest untouched; what a later write or the stripe's end made void is passed over.
    touches: VecDeque<(u64, u64)>,
    clock: u64,
    stripes: Stripes,
    rmw: Rmw,
}

impl Coverage {
    /// For this geometry.
    pub fn new(geometry: Geometry) -> Coverage {
        Coverage {
            geometry,
            open: FxHashMap::default(),
            touches: VecDeque::new(),
            clock: 0,
            stripes: Stripes::default(),
            rmw: Rmw::default(),
        }
    }

    /// Adds a write at `time`; times must ascend. `settled` as [`settled`] gives it.
    pub fn add(&mut self, time: u64, sector: u64, sectors: u64, settled: Option<u64>) {
        let stripe = self.geometry.stripe();
        let (mut number, mut from) = self.geometry.place(sector);
        let mut left = sectors;
        while left > 0 {
            if from == 0 && left >= stripe {
                let whole = left / stripe;
                self.whole(number, whole);
                (number, left) = (number + whole, left % stripe);
            } else {
                let to = stripe.min(from.saturating_add(left));
                self.part(time, number, (from, to), settled);
                (number, left, from) = (number + 1, left - (to - from), 0);
            }
        }
    }

    /// The counts, with everything still open as it is.
    pub fn finish(mut self) -> (Stripes, Rmw) {
        let open = std::mem::take(&mut self.open);
        open.values().for_each(|o| self.account(o));
        (self.stripes, self.rmw)
    }

    fn whole(&mut self, first: u64, count: u64) {
        self.stripes.full += count;
        let covered: Vec<u64> = if count < OPEN as u64 {
            (first..first + count).filter(|n| self.open.contains_key(n)).collect()
        } else {
            self.open.keys().copied().filter(|n| (first..first + count).contains(n)).collect()
        };
        covered.iter().for_each(|number| drop(self.open.remove(number)));
    }

    fn part(&mut self, time: u64, number: u64, (from, to): (u64, u64), settled: Option<u64>) {
        if self.open.get(&number).is_some_and(|open| open.until <= time) {
            self.close(number);
        }
        self.clock += 1;
        let open = self.open.entry(number).or_insert_with(|| Open { until: time.saturating_add(COLLECT), ..Open::default() });
        self.touches.push_back((self.clock, number));
        open.touched = self.clock;
        open.until = open.until.min(settled.unwrap_or(u64::MAX));
        open.written.insert(from, to);
        if open.written.total() == self.geometry.stripe() {
            self.close(number);
        } else if self.open.len() > OPEN {
            self.close_oldest();
        }
        if self.touches.len() > MOST_TOUCHES {
            self.touches.retain(|&(clock, number)| self.open.get(&number).is_some_and(|open| open.touched == clock));
        }
    }

    fn close_oldest(&mut self) {
        while let Some((clock, number)) = self.touches.pop_front() {
            if self.open.get(&number).is_some_and(|open| open.touched == clock) {
                return self.close(number);
            }
        }
    }

    fn close(&mut self, number: u64) {
        if let Some(open) = self.open.remove(&number) {
            self.account(&open);
        }
    }

    fn account(&mut self, open: &Open) {
        let written = open.written.total();
        if written == self.geometry.stripe() {
            self.stripes.full += 1;
            return;
        }
        self.stripes.partial += 1;
        let parity = self.geometry.level().parity();
        if parity == 0 {
            return;
        }
        let (unit, disks) = (self.geometry.unit(), self.geometry.disks());
        // Units with the sectors written of each; the intervals ascend, so equal units are neighbours.
        let (mut by_unit, mut places) = (Vec::<(u64, u64)>::new(), Union::default());
        for &(from, to) in &open.written.0 {
            let mut at = from;
            while at < to {
                let (n, place) = (at / unit, at % unit);
                let len = (to - at).min(unit - place);
                match by_unit.last_mut() {
                    Some((last, sum)) if *last == n => *sum += len,
                    _ => by_unit.push((n, len)),
                }
                places.insert(place, place + len);
                at += len;
            }
        }
        let depth = places.total();
        let modify = written + parity * depth;
        let reconstruct = disks * depth - written;
        let (read_units, read) = if modify < reconstruct {
            (by_unit.len() as u64 + parity, modify)
        } else {
            (disks - by_unit.iter().filter(|unit| unit.1 == depth).count() as u64, reconstruct)
        };
        self.rmw.reads += read_units;
        self.rmw.writes += parity;
        self.rmw.extra_bytes += (read + parity * depth) * 512;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::geometry::Level;

    fn cover(level: Level, writes: &[(u64, u64, u64, Option<u64>)]) -> (Stripes, Rmw) {
        // Units of 8 sectors, stripes of 32.
        let mut coverage = Coverage::new(Geometry::new(level, 8, 4, 0).unwrap());
        writes.iter().for_each(|&(time, sector, sectors, settled)| coverage.add(time, sector, sectors, settled));
        coverage.finish()
    }

    #[test]
    fn unions_join() {
        let mut u = Union::default();
        for (from, to) in [(10, 20), (30, 40), (0, 5), (5, 10), (19, 31), (50, 60)] {
            u.insert(from, to);
        }
        assert_eq!((u.0.as_slice(), u.total()), ([(0, 40), (50, 60)].as_slice(), 50));
    }

    #[test]
    fn parts_within_the_window_make_a_whole() {
        let (full, rmw) = cover(Level::Raid5, &[(0, 0, 16, None), (COLLECT - 1, 16, 16, None), (COLLECT, 32, 96, None)]);
        assert_eq!((full, rmw), (Stripes { full: 4, partial: 0 }, Rmw::default()));
        let (late, _) = cover(Level::Raid5, &[(0, 0, 16, None), (COLLECT, 16, 16, None)]);
        assert_eq!(late, Stripes { full: 0, partial: 2 });
        let (answered, _) = cover(Level::Raid5, &[(0, 0, 16, Some(10)), (10, 16, 16, Some(20))]);
        assert_eq!(answered, Stripes { full: 0, partial: 2 });
        let (overlapping, _) = cover(Level::Raid5, &[(0, 0, 16, Some(10)), (9, 16, 16, Some(20))]);
        assert_eq!(overlapping, Stripes { full: 1, partial: 0 });
    }

    #[test]
    fn a_stripe_left_for_256_others_is_closed() {
        let mut writes = vec![(0, 0, 16, None)];
        writes.extend((1..=256).map(|i| (i, i * 32, 8, None)));
        writes.push((257, 16, 16, None));
        assert_eq!(cover(Level::None, &writes).0, Stripes { full: 0, partial: 258 });
        writes.remove(256);
        assert_eq!(cover(Level::None, &writes).0, Stripes { full: 1, partial: 255 });
    }

    #[test]
    fn costs_by_hand() {
        // One unit of four: modify reads 8 + 8 from 2 disks, reconstruct 24 from 3; parity 8.
        assert_eq!(cover(Level::Raid5, &[(0, 8, 8, None)]).1, Rmw { reads: 2, writes: 1, extra_bytes: 24 * 512 });
        // Three units: reconstruct reads 8 from 1.
        assert_eq!(cover(Level::Raid5, &[(0, 8, 24, None)]).1, Rmw { reads: 1, writes: 1, extra_bytes: 16 * 512 });
        // Half of one unit and half of the next, at different places: P = 8, W = 8, as with one unit but from three disks.
        assert_eq!(cover(Level::Raid5, &[(0, 4, 8, None)]).1, Rmw { reads: 3, writes: 1, extra_bytes: 24 * 512 });
        // Two parities: modify reads 8 + 16 from 3, reconstruct 24 from 3; equal, so reconstruct; parity 16.
        assert_eq!(cover(Level::Raid6, &[(0, 8, 8, None)]).1, Rmw { reads: 3, writes: 2, extra_bytes: 40 * 512 });
        assert_eq!(cover(Level::Raid0, &[(0, 8, 8, None)]), (Stripes { full: 0, partial: 1 }, Rmw::default()));
    }

    #[test]
    fn a_huge_write_takes_open_stripes_with_it() {
        let (stripes, _) = cover(Level::Raid5, &[(0, 64, 8, None), (1, 0, 32 * 1_000_000 + 8, None)]);
        assert_eq!(stripes, Stripes { full: 1_000_000, partial: 1 });
        let (few, _) = cover(Level::Raid5, &[(0, 64, 8, None), (1, 32, 96, None)]);
        assert_eq!(few, Stripes { full: 3, partial: 0 });
    }

    #[test]
    fn a_stripe_written_often_is_not_the_oldest() {
        let part = |number: u64| (0, number * 32, 8, None);
        let others = 1..OPEN as u64 + 1;
        let mut writes: Vec<_> = std::iter::once(0).chain(others).map(part).take(OPEN).collect();
        writes.extend(std::iter::repeat_n(part(0), 2 * MOST_TOUCHES));
        // One more closes the longest untouched: 1, not 0, whose rest then makes it whole. The rest of 1 is a stripe written in part anew.
        writes.extend([part(OPEN as u64), (0, 8, 24, None), (0, 40, 24, None)]);
        let (stripes, _) = cover(Level::Raid5, &writes);
        assert_eq!(stripes, Stripes { full: 1, partial: OPEN as u64 + 1 });
    }
}

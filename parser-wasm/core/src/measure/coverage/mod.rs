//! Which stripes writes cover whole, and what the others cost.
//!
//! A visit to a stripe opens with a write to it and collects the union of sectors written. It ends when the stripe is whole; on a device
//! that answers only when parity is on the disks (md), when a write of it has completed, else after 50 ms; when 256 other stripes were
//! written since; and for a row of pages when md says that it reads for it. What visits of parts cost is told in [`crate::measure::visit`].

use crate::event::Op;
use crate::measure::array::{Arrays, BioPart, RaidMessage, place};
use crate::measure::cost::{DiskIo, Rmw, RmwCost};
use crate::measure::geometry::Geometry;
use crate::measure::union::SectorSet;
use crate::measure::visit::{RaidReads, RaidReport, page};
use crate::store::{Role, Store};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

#[cfg(test)]
mod tests;

/// How long a stripe collects writes where their completion says nothing, ns.
pub const COLLECT: u64 = 50_000_000;

/// How many stripes collect at a time.
pub const OPEN: usize = 256;

/// How many do on md, where completions end visits: as many as its stripe cache can be made to hold.
const OPEN_SETTLED: usize = 32_768;

/// Most pieces that a visit collects.
const PIECES: usize = 512;

/// Stripes by how they were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StripeCounts {
    /// Wholly.
    pub full: u64,
    /// In part.
    pub partial: u64,
}

/// What was covered, and what it cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Covered {
    /// Stripes.
    pub stripes: StripeCounts,
    /// Extra I/O.
    pub rmw: Rmw,
    /// By disk of the array, where its layout is known.
    pub slots: Vec<DiskIo>,
    /// As [`Coverage::over`] asked for.
    pub over_time: StripesOverTime,
}

/// Stripes by the time at which their visit began, in equal bins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StripesOverTime {
    from: f64,
    per_ns: f64,
    /// Written wholly.
    pub full: Vec<f64>,
    /// Written in part.
    pub partial: Vec<f64>,
}

impl StripesOverTime {
    /// `n` bins over [from, to), ns.
    pub fn new(from: f64, to: f64, n: usize) -> StripesOverTime {
        let per_ns = if to > from { n as f64 / (to - from) } else { 0.0 };
        StripesOverTime { from, per_ns, full: vec![0.0; n], partial: vec![0.0; n] }
    }

    fn add(&mut self, time: u64, stripes: StripeCounts) {
        let bin = ((time as f64 - self.from) * self.per_ns) as usize;
        if let Some((full, partial)) = self.full.get_mut(bin).zip(self.partial.get_mut(bin)) {
            *full += stripes.full as f64;
            *partial += stripes.partial as f64;
        }
    }
}

#[derive(Clone, Debug, Default)]
struct OpenVisit {
    began: u64,
    until: u64,
    touched: u64,
    written: SectorSet,
    /// Where md speaks: what was written, in its order.
    pieces: Vec<(u64, u64)>,
    /// Whether rows of it were updated before.
    begun: bool,
}

/// Follows the stripes that writes touch.
#[derive(Clone, Debug)]
pub struct Coverage<'a> {
    geometry: Geometry,
    arrays: &'a Arrays,
    /// md's words that are not used yet; `told` if there were any in the whole trace.
    spoken: &'a [RaidMessage],
    told: bool,
    /// Parts that go in later, by time and then as they came.
    due: BinaryHeap<Reverse<(u64, u64, BioPart)>>,
    came: u64,
    open: FxHashMap<u64, OpenVisit>,
    most: usize,
    /// (end, stripe) of each visit.
    ends: BTreeSet<(u64, u64)>,
    /// Stripe by the clock of its last write.
    touches: BTreeMap<u64, u64>,
    clock: u64,
    cost: RmwCost,
    stripes: StripeCounts,
    over_time: StripesOverTime,
}

impl<'a> Coverage<'a> {
    /// For this geometry, of a device of the trace.
    pub fn new(geometry: Geometry, store: &Store, arrays: &'a Arrays, device: u32) -> Coverage<'a> {
        let begins = geometry.start().is_multiple_of(geometry.stripe());
        let spoken = if begins { arrays.spoken(device) } else { &[] };
        let settles = store.devices.get(device as usize).is_some_and(|d| d.role == Role::Stacked);
        Coverage {
            geometry,
            arrays,
            spoken,
            told: !spoken.is_empty(),
            due: BinaryHeap::new(),
            came: 0,
            open: FxHashMap::default(),
            most: if settles { OPEN_SETTLED } else { OPEN },
            ends: BTreeSet::new(),
            touches: BTreeMap::new(),
            clock: 0,
            cost: RmwCost::new(geometry),
            stripes: StripeCounts::default(),
            over_time: StripesOverTime::default(),
        }
    }

    /// Also tells stripes over time.
    pub fn over(self, over_time: StripesOverTime) -> Coverage<'a> {
        Coverage { over_time, ..self }
    }

    /// Adds a request; rows must come in their order.
    pub fn add(&mut self, store: &Store, row: usize) {
        let r = &store.requests;
        match r.op(row) {
            Op::Read => self.cost.asked(r.sector(row), r.sectors(row)),
            Op::Write => {
                self.until(r.start(row));
                self.arrays.parts(store, row, |part| {
                    self.came += 1;
                    self.due.push(Reverse((part.time, self.came, part)));
                });
            }
            Op::Discard | Op::Flush => {}
        }
    }

    /// The sums, with everything still open as it is.
    pub fn finish(mut self) -> Covered {
        self.until(u64::MAX);
        let mut open: Vec<u64> = self.open.keys().copied().collect();
        open.sort_unstable();
        open.into_iter().for_each(|number| self.close(number));
        let (rmw, slots) = self.cost.finish(self.told);
        Covered { stripes: self.stripes, rmw, slots, over_time: self.over_time }
    }

    /// Takes in what happened before `time`.
    fn until(&mut self, time: u64) {
        while let Some(&Reverse((at, _, part))) = self.due.peek().filter(|due| due.0.0 < time || time == u64::MAX) {
            self.due.pop();
            self.hear(at);
            self.end(at);
            self.put(part);
        }
        self.hear(time);
    }

    /// Ends the visits that are over at `time`.
    fn end(&mut self, time: u64) {
        while let Some(&(_, number)) = self.ends.first().filter(|end| end.0 <= time) {
            self.close(number);
        }
    }

    /// Ends the visits of rows of which md speaks before `time`.
    fn hear(&mut self, time: u64) {
        while let Some((spoken, rest)) = self.spoken.split_first().filter(|(spoken, _)| spoken.time < time) {
            self.spoken = rest;
            self.end(spoken.time);
            let (number, row) = place(&self.geometry, spoken);
            if let Some(open) = self.open.get_mut(&number) {
                let written = open.row(&self.geometry, row, spoken.said);
                open.begun = true;
                self.cost.update(number, &written, RaidReport::Of(spoken.said));
            }
        }
    }

    fn put(&mut self, part: BioPart) {
        let stripe = self.geometry.stripe();
        let (mut number, mut from) = self.geometry.place(part.sector);
        let mut left = part.sectors;
        while left > 0 {
            if from == 0 && left >= stripe {
                let whole = left / stripe;
                self.whole(part.time, number, whole);
                (number, left) = (number + whole, left % stripe);
            } else {
                let to = stripe.min(from.saturating_add(left));
                self.part(part, number, (from, to));
                (number, left, from) = (number + 1, left - (to - from), 0);
            }
        }
    }

    fn whole(&mut self, time: u64, first: u64, count: u64) {
        self.count(time, StripeCounts { full: count, partial: 0 });
        let covered: Vec<u64> = if count < self.most as u64 {
            (first..first + count).filter(|n| self.open.contains_key(n)).collect()
        } else {
            self.open.keys().copied().filter(|n| (first..first + count).contains(n)).collect()
        };
        covered.into_iter().for_each(|number| drop(self.forget(number)));
        self.cost.whole(first, count);
    }

    fn part(&mut self, part: BioPart, number: u64, (from, to): (u64, u64)) {
        self.clock += 1;
        let until = part.settled.unwrap_or(part.time.saturating_add(COLLECT));
        let open =
            self.open.entry(number).or_insert_with(|| OpenVisit { began: part.time, until: u64::MAX, ..OpenVisit::default() });
        self.touches.remove(&open.touched);
        self.touches.insert(self.clock, number);
        open.touched = self.clock;
        if until < open.until {
            self.ends.remove(&(open.until, number));
            self.ends.insert((until, number));
            open.until = until;
        }
        open.written.insert(from, to);
        if self.told {
            open.pieces.push((from, to));
        }
        // What md takes in may wait for a place in its memory; then it speaks of a row that lacks the last of what was written.
        let whole = !self.told && open.written.total() == self.geometry.stripe();
        if whole || open.written.parts().len().max(open.pieces.len()) > PIECES {
            self.close(number);
        } else if self.open.len() > self.most
            && let Some((_, &oldest)) = self.touches.first_key_value()
        {
            self.close(oldest);
        }
    }

    fn count(&mut self, time: u64, stripes: StripeCounts) {
        self.stripes.full += stripes.full;
        self.stripes.partial += stripes.partial;
        self.over_time.add(time, stripes);
    }

    fn forget(&mut self, number: u64) -> Option<OpenVisit> {
        let open = self.open.remove(&number)?;
        self.ends.remove(&(open.until, number));
        self.touches.remove(&open.touched);
        Some(open)
    }

    fn close(&mut self, number: u64) {
        let Some(open) = self.forget(number) else { return };
        if !open.begun && open.written.total() == self.geometry.stripe() {
            self.count(open.began, StripeCounts { full: 1, partial: 0 });
            self.cost.whole(number, 1);
        } else {
            self.count(open.began, StripeCounts { full: 0, partial: 1 });
            self.cost.update(number, &open.written, if self.told { RaidReport::Nothing } else { RaidReport::Silent });
        }
    }
}

impl OpenVisit {
    /// Takes out what was written of a row of pages before md spoke of it: as many pieces as make what it reads understandable, else all.
    fn row(&mut self, geometry: &Geometry, row: u64, said: RaidReads) -> SectorSet {
        let (unit, page) = (geometry.unit(), page(geometry));
        let mut taken = SectorSet::default();
        let mut disks = BTreeSet::new();
        for &(from, to) in &self.pieces {
            for disk in from / unit..to.div_ceil(unit) {
                let at = disk * unit + row;
                for (from, to) in self.written.take(at.max(from), (at + page).min(to).max(at.max(from))) {
                    taken.insert(from, to);
                    disks.insert(disk);
                }
            }
            let whole = disks.iter().filter(|&&disk| taken.covers(disk * unit + row, disk * unit + row + page)).count() as u64;
            let enough = match said {
                RaidReads::Modify(pages) => disks.len() as u64 + geometry.level().parity() >= pages,
                RaidReads::Reconstruct(pages) => geometry.disks() - whole <= pages,
            };
            if enough && !disks.is_empty() {
                break;
            }
        }
        taken
    }
}

//! Which stripes are written fully, and what partial ones cost.
//!
//! A visit to a stripe starts with a write to it and collects the union of the written sectors. It
//! ends when the stripe is complete; on a device that completes a write only when the parity is on
//! the disks (md), when one of its writes has completed, elsewhere after 50 ms; when 256 other
//! stripes were written since; and for a row of pages when md reports that it reads for the row.
//! The cost of partial visits is in [`super::arrays::visit`].

use super::arrays::array::{Arrays, BioPart, RaidMessage, place};
use super::arrays::cost::{DiskIo, Rmw, RmwCost};
use super::arrays::geometry::Geometry;
use super::arrays::visit::{RaidReads, RaidReport, page};
use crate::union::SectorSet;
use rustc_hash::FxHashMap;
use seekscope_trace::event::Op;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{Device, Role, RowMeaning, Store};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

#[cfg(test)]
mod tests;

/// Time for which a stripe collects writes on devices whose completions do not end visits, ns. An
/// assumption: these devices complete a write when it is in their cache, so nothing in the trace
/// shows when the stripe goes to the disks.
pub const COLLECT_NS: u64 = 50_000_000;

/// Maximum number of stripes that collect writes: the default size of md's stripe cache.
pub const MAX_OPEN: usize = 256;

/// The same on md, where completions end visits: the maximum size of its stripe cache.
const MAX_OPEN_MD: usize = 32_768;

/// Maximum number of written ranges per visit; bounds memory for random small writes to huge
/// stripes.
const MAX_RANGES: usize = 512;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StripeCounts {
    /// Number of stripes that were written fully.
    pub full: u64,
    /// Number of stripes that were written partially.
    pub partial: u64,
}

/// Stripes and the cost of the partial ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Covered {
    pub stripes: StripeCounts,
    pub rmw: Rmw,
    /// Per disk of the array; empty if its layout is not known.
    pub slots: Vec<DiskIo>,
    /// Empty unless [`Coverage::over`] requested it.
    pub over_time: StripesOverTime,
}

/// Stripes by the start of their visit, in equal bins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StripesOverTime {
    from: f64,
    per_ns: f64,
    /// Fully written stripes per bin.
    pub full: Vec<f64>,
    /// Partially written stripes per bin.
    pub partial: Vec<f64>,
}

impl StripesOverTime {
    /// `n` bins over [from, to), ns.
    pub fn new(from: f64, to: f64, n: usize) -> StripesOverTime {
        let per_ns = if to > from {
            n as f64 / (to - from)
        } else {
            0.0
        };
        StripesOverTime {
            from,
            per_ns,
            full: vec![0.0; n],
            partial: vec![0.0; n],
        }
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
    /// If md writes messages: the written ranges, in time order.
    ranges: Vec<(u64, u64)>,
    /// Whether rows of it were updated before.
    updated: bool,
}

/// Follows the stripes of all writes of a device.
#[derive(Clone, Debug)]
pub struct Coverage<'a> {
    geometry: Geometry,
    arrays: &'a Arrays,
    /// md's messages that are not processed yet; `reported` if the trace has any.
    messages: &'a [RaidMessage],
    reported: bool,
    /// Parts that enter the device later, by time and order of arrival.
    due: BinaryHeap<Reverse<(u64, u64, BioPart)>>,
    came: u64,
    open: FxHashMap<u64, OpenVisit>,
    max_open: usize,
    /// End and stripe of each visit.
    ends: BTreeSet<(u64, u64)>,
    /// Without completions a visit lasts as long as its writes follow each other.
    sliding: bool,
    /// Stripe by the clock of its last write.
    touches: BTreeMap<u64, u64>,
    clock: u64,
    cost: RmwCost,
    stripes: StripeCounts,
    over_time: StripesOverTime,
}

impl<'a> Coverage<'a> {
    /// For one device of the trace and its geometry.
    pub fn new(geometry: Geometry, store: &Store, arrays: &'a Arrays, device: u32) -> Coverage<'a> {
        let begins = geometry.start().is_multiple_of(geometry.stripe());
        let device_is =
            |is: fn(&Device) -> bool| store.devices.get(device as usize).is_some_and(is);
        // md's messages are between the bios and the completions: without one of them they cannot
        // be assigned to writes.
        let alone =
            device_is(|d| matches!(d.recorded.row(), RowMeaning::Completion | RowMeaning::Queue));
        let messages = if begins && !alone {
            arrays.messages(device)
        } else {
            &[]
        };
        let settles = device_is(|d| d.role == Role::Stacked);
        Coverage {
            geometry,
            arrays,
            messages,
            reported: !messages.is_empty(),
            due: BinaryHeap::new(),
            came: 0,
            open: FxHashMap::default(),
            max_open: if settles { MAX_OPEN_MD } else { MAX_OPEN },
            ends: BTreeSet::new(),
            sliding: settles && device_is(|d| d.recorded.row() == RowMeaning::Queue),
            touches: BTreeMap::new(),
            clock: 0,
            cost: RmwCost::new(geometry),
            stripes: StripeCounts::default(),
            over_time: StripesOverTime::default(),
        }
    }

    /// Counts stripes over time, too.
    pub fn over(self, over_time: StripesOverTime) -> Coverage<'a> {
        Coverage { over_time, ..self }
    }

    /// Adds a request; rows must come in order.
    pub fn add(&mut self, store: &Store, row: usize) {
        let request = store.requests.row(row);
        match request.op() {
            Op::Read => self.cost.add_read(request.sector(), request.sectors()),
            Op::Write => {
                self.until(request.start());
                self.arrays.parts(store, row, |part| {
                    self.came += 1;
                    self.due.push(Reverse((part.time, self.came, part)));
                });
            }
            Op::Discard | Op::Flush => {}
        }
    }

    /// The totals; visits that are still open end here.
    pub fn finish(mut self) -> Covered {
        self.until(u64::MAX);
        let mut open: Vec<u64> = self.open.keys().copied().collect();
        open.sort_short();
        open.into_iter().for_each(|number| self.close(number));
        let (rmw, slots) = self.cost.finish(self.reported);
        Covered {
            stripes: self.stripes,
            rmw,
            slots,
            over_time: self.over_time,
        }
    }

    /// Processes everything before `time`.
    fn until(&mut self, time: u64) {
        while let Some(&Reverse((end_time, _, part))) = self
            .due
            .peek()
            .filter(|due| due.0.0 < time || time == u64::MAX)
        {
            self.due.pop();
            self.apply_messages(end_time);
            self.end(end_time);
            self.add_part(part);
        }
        self.apply_messages(time);
    }

    /// Ends the visits that are over at `time`.
    fn end(&mut self, time: u64) {
        while let Some(&(_, number)) = self.ends.first().filter(|end| end.0 <= time) {
            self.close(number);
        }
    }

    /// Processes md's messages before `time`: each ends the visit of its row.
    fn apply_messages(&mut self, time: u64) {
        while let Some((message, rest)) = self
            .messages
            .split_first()
            .filter(|(message, _)| message.time < time)
        {
            self.messages = rest;
            self.end(message.time);
            let (number, row) = place(&self.geometry, message);
            if let Some(open) = self.open.get_mut(&number) {
                let written = open.row(&self.geometry, row, message.reads);
                open.updated = true;
                self.cost
                    .update(number, &written, RaidReport::Reads(message.reads));
            }
        }
    }

    fn add_part(&mut self, part: BioPart) {
        let stripe = self.geometry.stripe();
        let (mut number, mut from) = self.geometry.place(part.sector);
        let mut left = part.sectors;
        while left > 0 {
            if from == 0 && left >= stripe {
                let whole = left / stripe;
                self.add_full(part.time, number, whole);
                (number, left) = (number + whole, left % stripe);
            } else {
                let to = stripe.min(from.saturating_add(left));
                self.add_partial(part, number, (from, to));
                (number, left, from) = (number + 1, left - (to - from), 0);
            }
        }
    }

    fn add_full(&mut self, time: u64, first: u64, count: u64) {
        self.count(
            time,
            StripeCounts {
                full: count,
                partial: 0,
            },
        );
        let covered: Vec<u64> = if count < self.max_open as u64 {
            (first..first + count)
                .filter(|n| self.open.contains_key(n))
                .collect()
        } else {
            self.open
                .keys()
                .copied()
                .filter(|n| (first..first + count).contains(n))
                .collect()
        };
        covered
            .into_iter()
            .for_each(|number| drop(self.forget(number)));
        self.cost.add_full(first, count);
    }

    fn add_partial(&mut self, part: BioPart, number: u64, (from, to): (u64, u64)) {
        self.clock += 1;
        let until = part.settled.unwrap_or(part.time.saturating_add(COLLECT_NS));
        let open = self.open.entry(number).or_insert_with(|| OpenVisit {
            began: part.time,
            until: u64::MAX,
            ..OpenVisit::default()
        });
        self.touches.remove(&open.touched);
        self.touches.insert(self.clock, number);
        open.touched = self.clock;
        if until < open.until || self.sliding {
            self.ends.remove(&(open.until, number));
            self.ends.insert((until, number));
            open.until = until;
        }
        open.written.insert(from, to);
        if self.reported {
            open.ranges.push((from, to));
        }
        // md may hold a write back until its cache has room; its message is then about a row
        // without the latest write.
        let whole = !self.reported && open.written.total() == self.geometry.stripe();
        if whole || open.written.parts().len().max(open.ranges.len()) > MAX_RANGES {
            self.close(number);
        } else if self.open.len() > self.max_open
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
        let Some(open) = self.forget(number) else {
            return;
        };
        if !open.updated && open.written.total() == self.geometry.stripe() {
            self.count(
                open.began,
                StripeCounts {
                    full: 1,
                    partial: 0,
                },
            );
            self.cost.add_full(number, 1);
        } else {
            self.count(
                open.began,
                StripeCounts {
                    full: 0,
                    partial: 1,
                },
            );
            self.cost.update(
                number,
                &open.written,
                if self.reported {
                    RaidReport::NoReads
                } else {
                    RaidReport::Estimated
                },
            );
        }
    }
}

impl OpenVisit {
    /// Removes what was written to a row of pages before md's message about it: the fewest ranges
    /// that explain the reported reads, else all.
    fn row(&mut self, geometry: &Geometry, row: u64, reads: RaidReads) -> SectorSet {
        let (unit, page) = (geometry.unit(), page(geometry));
        let mut taken = SectorSet::default();
        let mut disks = BTreeSet::new();
        for &(from, to) in &self.ranges {
            for disk in from / unit..to.div_ceil(unit) {
                let offset = disk * unit + row;
                for (from, to) in self.written.take(
                    offset.max(from),
                    (offset + page).min(to).max(offset.max(from)),
                ) {
                    taken.insert(from, to);
                    disks.insert(disk);
                }
            }
            let whole = disks
                .iter()
                .filter(|&&disk| taken.covers(disk * unit + row, disk * unit + row + page))
                .count() as u64;
            let enough = match reads {
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

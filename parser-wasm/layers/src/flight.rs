//! The requests of a device that are in flight, by their sectors.

use seekscope_trace::event::Op;
use std::collections::BTreeMap;

/// The completion of a request that has none.
pub const OPEN: u64 = u64::MAX;
/// Entries that one search looks at.
const MAX_SCAN: usize = 4096;
/// Entries of one operation; beyond it, those without completion are dropped.
const MAX_ENTRIES: usize = 1 << 20;
/// Entries after which finished ones are dropped for the first time.
const FIRST_PURGE: usize = 1024;
/// How long a read without completion is looked for: it may have been answered by a cache.
const PATIENCE_NS: u64 = 1_000_000_000;

/// A request, or a part of one as it was passed on.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Sector behind the last one.
    pub end: u64,
    /// Row of the request.
    pub row: u32,
    /// Its completion.
    pub done: u64,
    queued: u64,
    /// Sectors of it that no request below has been found for; only if `done` is not known.
    left: u64,
    /// Last completion of the requests below.
    last: u64,
}

impl Entry {
    pub fn new(end: u64, row: u32, queued: u64, done: Option<u64>) -> Entry {
        Entry {
            end,
            row,
            done: done.unwrap_or(OPEN),
            queued,
            left: u64::MAX,
            last: 0,
        }
    }
}

/// Requests of one operation by their first sector and a number.
#[derive(Clone, Debug, Default)]
struct FlightLane {
    entries: BTreeMap<(u64, u32), Entry>,
    /// Length of the longest one.
    reach: u64,
    /// Size at which finished entries are dropped.
    purge: usize,
}

/// Requests in flight: reads, writes, discards.
#[derive(Clone, Debug, Default)]
pub struct Flight {
    lanes: [FlightLane; 3],
    number: u32,
}

fn lane(op: Op) -> Option<usize> {
    match op {
        Op::Read => Some(0),
        Op::Write => Some(1),
        Op::Discard => Some(2),
        Op::Flush => None,
    }
}

impl Flight {
    /// Adds a request from `sector` on under a number of its own, at the time `now`.
    pub fn add(&mut self, op: Op, sector: u64, entry: Entry, now: u64) {
        let Some(lane) = lane(op) else { return };
        self.number = self.number.wrapping_add(1);
        let number = self.number;
        let lane = &mut self.lanes[lane];
        let length = entry.end.saturating_sub(sector);
        let left = length;
        lane.entries
            .insert((sector, number), Entry { left, ..entry });
        lane.reach = lane.reach.max(length);
        if lane.entries.len() > lane.purge.max(FIRST_PURGE) {
            lane.purge(now);
        }
    }

    /// Drops requests of a device with late data that a new one replaces: all that it covers, of
    /// reads only old ones.
    pub fn replace(&mut self, op: Op, from: u64, to: u64, now: u64) {
        let Some(index) = lane(op) else { return };
        let lane = &mut self.lanes[index];
        loop {
            let covered = lane
                .entries
                .range((from, 0)..(to, 0))
                .take(MAX_SCAN)
                .find(|(_, entry)| {
                    entry.end <= to
                        && (op != Op::Read || entry.queued.saturating_add(PATIENCE_NS) < now)
                })
                .map(|(key, _)| *key);
            match covered {
                Some(key) => lane.entries.remove(&key),
                None => return,
            };
        }
    }

    /// Gives `sink` the first sector and the entry of each request that has sectors of a range and
    /// is not complete at `now`. False: there are too many.
    pub fn find(
        &self,
        op: Op,
        range: (u64, u64),
        now: u64,
        mut sink: impl FnMut(u64, &Entry),
    ) -> bool {
        let Some(lane) = lane(op) else { return true };
        let lane = &self.lanes[lane];
        let (from, to) = range;
        if from >= to {
            return true;
        }
        let begin = (from.saturating_sub(lane.reach), 0);
        for (scanned, (key, entry)) in lane.entries.range(begin..(to, 0)).enumerate() {
            if scanned >= MAX_SCAN {
                return false;
            }
            if entry.end > from && entry.done >= now {
                sink(key.0, entry);
            }
        }
        true
    }

    /// Whether a request without completion may be in flight at a time, as far as the requests
    /// below show.
    pub fn is_open(&self, op: Op, sector: u64, row: u32, now: u64) -> bool {
        let Some(lane) = lane(op) else { return false };
        self.lanes[lane]
            .entries
            .range((sector, 0)..=(sector, u32::MAX))
            .take(MAX_SCAN)
            .any(|(_, entry)| entry.row == row && entry.done >= now)
    }

    /// Notes that a request below has `sectors` of a request without completion, from `sector` on.
    /// When all have been found, the last of them is the completion.
    pub fn answer(&mut self, op: Op, sector: u64, row: u32, sectors: u64, completed: u64) {
        let Some(lane) = lane(op) else { return };
        let entries = &mut self.lanes[lane].entries;
        let found = entries
            .range_mut((sector, 0)..=(sector, u32::MAX))
            .take(MAX_SCAN)
            .find(|(_, entry)| entry.row == row);
        if let Some((_, entry)) = found.filter(|(_, entry)| entry.done == OPEN) {
            entry.last = entry.last.max(completed);
            entry.left = entry.left.saturating_sub(sectors);
            if entry.left == 0 {
                entry.done = entry.last;
            }
        }
    }
}

impl FlightLane {
    fn purge(&mut self, now: u64) {
        self.entries.retain(|_, entry| entry.done >= now);
        if self.entries.len() > MAX_ENTRIES {
            self.entries.retain(|_, entry| entry.done != OPEN);
        }
        self.reach = self
            .entries
            .iter()
            .map(|(key, entry)| entry.end.saturating_sub(key.0))
            .max()
            .unwrap_or(0);
        self.purge = self.entries.len() * 2;
    }
}

//! What a run would win if adjacent requests were merged that are outstanding together.
//!
//! At least nothing: the bytes are the same. At most: a merged request takes no longer than the
//! fastest requests do now, its parts no time of their own, and it is issued at once to a device
//! that is idle.

use super::GainBound;
use super::busy_time::BusyTime;
use rustc_hash::FxHashMap;
use seekscope_trace::event::Op;
use seekscope_trace::store::RequestRow;
use std::collections::VecDeque;

/// A merged request is not larger: the smallest default limit of kernels since 2.6.
pub(super) const MAX_MERGED_BYTES: u64 = 512 << 10;
/// Chains that are followed at once. With more requests in flight no bound is given.
const MAX_OPEN: usize = 1 << 16;
/// One request in so many could be merged, at least.
pub(super) const MIN_PART: u64 = 10;
/// Requests that a request is compared with, to see whether merging is possible at all.
const RECENT: usize = 8;

/// Counts requests that continue one of those before them while that is outstanding.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Adjacent {
    /// End sector and completion.
    recent: [(u64, u64); RECENT],
    next: usize,
    count: u64,
}

impl Adjacent {
    #[inline]
    pub fn add(&mut self, row: RequestRow, completed: u64) {
        let (sector, queued) = (row.sector(), row.queued().unwrap_or_else(|| row.start()));
        let continues = |&(end, until): &(u64, u64)| end == sector && queued < until;
        self.count += u64::from(self.recent.iter().any(continues));
        self.recent[self.next] = (sector + u64::from(row.kind().bytes >> 9), completed);
        self.next = (self.next + 1) % RECENT;
    }

    pub fn count(&self) -> u64 {
        self.count
    }
}

/// Requests that would be one.
#[derive(Clone, Copy, Debug)]
struct MergedRequest {
    start: u64,
    /// The last completion.
    until: u64,
    bytes: u64,
    requests: u64,
    /// Operation, and the sector at which the next request would continue it.
    end: (Op, u64),
}

pub(super) struct Merging {
    active: (u64, u64),
    /// The shortest time of a merged request, ns.
    fastest: u64,
    all: BusyTime,
    merged: BusyTime,
    /// Time in which nothing is in flight and the next request waits, ns.
    waiting: u64,
    requests: u64,
    chains: u64,
    /// By start; the first one has the number `first`.
    open: VecDeque<MergedRequest>,
    first: u64,
    /// Number of the chain that ends there.
    ends: FxHashMap<(Op, u64), u64>,
    gave_up: bool,
}

impl Merging {
    pub fn new(active: (u64, u64), fastest: u64) -> Merging {
        Merging {
            active,
            fastest,
            all: BusyTime::default(),
            merged: BusyTime::default(),
            waiting: 0,
            requests: 0,
            chains: 0,
            open: VecDeque::new(),
            first: 0,
            ends: FxHashMap::default(),
            gave_up: false,
        }
    }

    /// Adds a request; they must come in the order of their starts.
    pub fn add(&mut self, row: RequestRow, completed: u64, is_plain: bool) {
        if self.gave_up {
            return;
        }
        let (start, bytes) = (row.start(), u64::from(row.kind().bytes));
        let queued = row.queued().unwrap_or(start);
        let (from, to) = self.active;
        let (start_within, end_within) = (start.clamp(from, to), completed.clamp(from, to));
        let idle_since = queued.clamp(from, to).max(self.all.until);
        self.waiting += start_within.saturating_sub(idle_since);
        self.all.add(start_within, end_within);
        self.requests += 1;
        self.close(start);
        let end = (row.kind().op(), row.sector() + (bytes >> 9));
        let before = (end.0, row.sector());
        if is_plain
            && let Some(&number) = self.ends.get(&before)
            && let Some(index) = number.checked_sub(self.first)
            && let Some(chain) = self.open.get_mut(index as usize)
            && queued < chain.until
            && chain.bytes + bytes <= MAX_MERGED_BYTES
        {
            chain.until = chain.until.max(completed);
            chain.bytes += bytes;
            chain.requests += 1;
            chain.end = end;
            self.ends.remove(&before);
            self.ends.insert(end, number);
            return;
        }
        let number = self.first + self.open.len() as u64;
        if is_plain {
            self.ends.insert(end, number);
        }
        self.open.push_back(MergedRequest {
            start,
            until: completed,
            bytes,
            requests: 1,
            end,
        });
        self.gave_up = self.open.len() > MAX_OPEN;
    }

    /// Ends the chains that nothing can continue any more.
    fn close(&mut self, now: u64) {
        while let Some(chain) = self
            .open
            .front()
            .copied()
            .filter(|chain| chain.until <= now)
        {
            self.open.pop_front();
            if self.ends.get(&chain.end) == Some(&self.first) {
                self.ends.remove(&chain.end);
            }
            self.first += 1;
            self.chains += 1;
            let until = match chain.requests {
                1 => chain.until,
                _ => chain.until.min(chain.start.saturating_add(self.fastest)),
            };
            let (from, to) = self.active;
            self.merged
                .add(chain.start.clamp(from, to), until.clamp(from, to));
        }
    }

    pub fn finish(mut self) -> Option<GainBound> {
        self.close(u64::MAX);
        if self.gave_up || (self.requests - self.chains) * MIN_PART < self.requests {
            return None;
        }
        let run = self.active.1 - self.active.0;
        let idle = run.saturating_sub(self.all.ns).saturating_sub(self.waiting);
        let shortest = idle + self.merged.ns;
        GainBound::of_times(run, run, shortest)
    }
}

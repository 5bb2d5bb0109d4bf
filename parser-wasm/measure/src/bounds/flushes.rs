//! What a run would win if flushes took no time.
//!
//! At least: the time in which nothing but flushes is in flight. At most: what is left is the time
//! of reads and writes, each of which takes no longer than the median of them, as a device that
//! need not empty its cache serves them at once; the idle time beside flushes is gone, too, because
//! programs wait for them.

use super::GainBound;
use super::busy_time::BusyTime;

pub(super) struct FlushFree {
    active: (u64, u64),
    /// Median D2C of the requests with data, ns.
    median: u64,
    all: BusyTime,
    data: BusyTime,
    short: BusyTime,
    /// Idle time beside a busy period that has a flush.
    idle: u64,
    /// The idle time before the busy period, whether one before it had a flush, and whether this
    /// one has.
    before: (u64, bool),
    has_flush: bool,
}

impl FlushFree {
    pub fn new(active: (u64, u64), median: u64) -> FlushFree {
        FlushFree {
            active,
            median,
            all: BusyTime::default(),
            data: BusyTime::default(),
            short: BusyTime::default(),
            idle: 0,
            before: (0, false),
            has_flush: false,
        }
    }

    /// Adds a request; they must come in the order of their starts.
    pub fn add(&mut self, start: u64, completed: u64, is_flush: bool) {
        let clip = |time: u64| time.clamp(self.active.0, self.active.1);
        let (from, to) = (clip(start), clip(completed));
        if from > self.all.until && self.all.until > 0 {
            let idle = from - self.all.until;
            self.end_busy();
            self.before = (idle, self.has_flush);
            self.has_flush = false;
        }
        self.has_flush |= is_flush;
        self.all.add(from, to);
        if !is_flush {
            self.data.add(from, to);
            self.short
                .add(from, to.min(from.saturating_add(self.median)));
        }
    }

    fn end_busy(&mut self) {
        let (idle, had_flush) = self.before;
        if had_flush || self.has_flush {
            self.idle += idle;
        }
        self.before = (0, false);
    }

    pub fn finish(mut self) -> Option<GainBound> {
        self.end_busy();
        let run = self.active.1 - self.active.0;
        let only_flushes = self.all.ns - self.data.ns;
        let idle = run.saturating_sub(self.all.ns).saturating_sub(self.idle);
        GainBound::of_times(run, run.saturating_sub(only_flushes), self.short.ns + idle)
    }
}

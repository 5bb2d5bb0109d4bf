//! A recording that is still being written: what has arrived is stored after a lag, and queries are
//! about that.

use super::pipeline::Pipeline;
use super::{TraceBuilder, TraceFile};
use seekscope_trace::order::{LiveOrder, Order};

/// The progress of a recording that is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveStatus {
    pub order: LiveOrder,
    /// Time 0 of the trace, of the trace clock.
    pub origin: u64,
    /// Items that have arrived and wait for earlier ones of other files.
    pub waiting: usize,
    /// Events that are missing by the sequence numbers.
    pub lost: u64,
    /// Backward steps of clocks, and the largest, ns.
    pub steps: u64,
    pub largest_step: u64,
    /// Bytes that were skipped, because they are no records.
    pub skipped: u64,
    /// Whether there is no room for more.
    pub full: bool,
}

impl TraceBuilder {
    /// Stores what arrives when it is older than the latest by `lag` ns, without waiting for files
    /// that do not grow.
    #[must_use]
    pub fn following(mut self, lag: u64) -> TraceBuilder {
        let Pipeline { order, bounds, .. } = &mut self.pipeline;
        *order = Order::new(self.files.len());
        order.follow(lag);
        bounds.without_end();
        self
    }

    /// Adds a file that has appeared. Returns its number.
    pub fn add_file(&mut self, name: &str) -> usize {
        self.files.add(TraceFile {
            name: name.to_owned(),
            ..TraceFile::default()
        });
        self.pipeline.order.add_file();
        self.files.len() - 1
    }

    /// Stores all that has arrived: nothing more did for a while.
    pub fn settle_live(&mut self) {
        self.pipeline.settle_live(self.notes.have_zones());
    }

    /// Number of events and of messages in the store.
    pub fn stored(&self) -> (usize, usize) {
        let store = self.store();
        (store.events.len(), store.messages.rows.len())
    }

    /// The progress of a recording that is followed; `None` for one that is read as files.
    pub fn live_status(&self) -> Option<LiveStatus> {
        let Pipeline {
            order,
            assembly,
            room,
            ..
        } = &self.pipeline;
        let live = order.live()?;
        let (steps, largest_step) = self.clock_steps().fold((0, 0), |(count, largest), s| {
            (count + s.count, s.largest.max(largest))
        });
        let skipped = self
            .files
            .reports()
            .filter_map(|report| report.skipped)
            .map(|skipped| skipped.1)
            .sum();
        Some(LiveStatus {
            order: live,
            origin: assembly.store.origin,
            waiting: order.waiting(),
            lost: order.lost().0,
            steps,
            largest_step,
            skipped,
            full: room.is_full(),
        })
    }
}

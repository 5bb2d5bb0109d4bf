//! A recording that is still being written: what has arrived is stored after a lag, and queries are
//! about that.

use super::append::append;
use super::{TraceBuilder, TraceFile, cpus, decoder};
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
        self.order = Order::new(self.files.len());
        self.order.follow(lag);
        self.bounds.without_end();
        self
    }

    /// Adds a file that has appeared. Returns its number.
    pub fn add_file(&mut self, name: &str) -> usize {
        let part = TraceFile {
            name: name.to_owned(),
            ..TraceFile::default()
        };
        let decoder = decoder(&part, &mut self.bad_pattern);
        self.files.push(super::OpenFile {
            cpu: cpus::cpu_of(name),
            part,
            decoder,
            device: None,
            noted: None,
        });
        self.order.add_file();
        self.files.len() - 1
    }

    /// Stores all that has arrived: nothing more did for a while.
    pub fn settle_live(&mut self) {
        if self.order.live().is_some() && self.makes_room() {
            let (lifecycle, plugs, store, started) = (
                &mut self.lifecycle,
                &mut self.plugs,
                &mut self.store,
                &mut self.started,
            );
            self.order.settle_live(|item| {
                append(lifecycle, plugs, store, started, item);
            });
            self.recant_plugs();
        }
    }

    /// Number of events and of messages in the store.
    pub fn stored(&self) -> (usize, usize) {
        (self.store.events.len(), self.store.messages.rows.len())
    }

    /// The progress of a recording that is followed; `None` for one that is read as files.
    pub fn live_status(&self) -> Option<LiveStatus> {
        let order = self.order.live()?;
        let steps = (0..self.files.len()).flat_map(|file| self.order.steps(file));
        let (steps, largest_step) = steps.fold((0, 0), |(count, largest), s| {
            (count + s.count, s.largest.max(largest))
        });
        let skipped = self
            .files
            .iter()
            .filter_map(|f| f.decoder.report().skipped)
            .map(|skipped| skipped.1)
            .sum();
        Some(LiveStatus {
            order,
            origin: self.store.origin,
            waiting: self.order.waiting(),
            lost: self.order.lost().0,
            steps,
            largest_step,
            skipped,
            full: self.room.is_full(),
        })
    }
}

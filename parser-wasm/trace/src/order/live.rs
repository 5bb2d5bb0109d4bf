//! The order of a recording that is still being written. `blktrace -o -` writes the buffers of the
//! CPUs one after another, so items arrive out of order, but soon: one is emitted when it is older
//! than the latest by the lag. Later ones are counted, and make the lag longer.

use super::{Order, OrderedItem, OrderedRef, sort};

/// The lag grows to this at most.
const LONGEST_LAG: u64 = 30_000_000_000;
/// Nothing is emitted before the lag has passed by this part of it: sorting few items often costs
/// more.
const STEPS: u64 = 8;

/// How much of a growing recording is in its final order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveOrder {
    /// Items that are this much older than the latest are emitted, ns.
    pub lag: u64,
    /// The latest time that arrived, and the latest that was emitted; of the trace clock.
    pub latest: u64,
    pub emitted: u64,
    /// Items that arrived after later ones had been emitted: they were left out.
    pub late: u64,
    /// The largest such delay, ns.
    pub lateness: u64,
}

/// Items that wait until nothing earlier can arrive.
#[derive(Clone, Debug, Default)]
pub(super) struct LiveQueue {
    state: LiveOrder,
    items: Vec<OrderedItem>,
}

impl LiveQueue {
    pub fn push(&mut self, item: OrderedItem) {
        let time = item.as_ref().time();
        let LiveOrder {
            lag,
            latest,
            emitted,
            late,
            lateness,
        } = &mut self.state;
        *latest = (*latest).max(time);
        if time < *emitted {
            *late += 1;
            *lateness = (*lateness).max(*latest - time);
            *lag = (*lag).max((*lateness + *lateness / 2).min(LONGEST_LAG));
        } else {
            self.items.push(item);
        }
    }

    pub fn waiting(&self) -> usize {
        self.items.len()
    }

    /// Emits what is older than the lag, or everything.
    pub fn release(&mut self, all: bool, mut sink: impl FnMut(OrderedRef<'_>)) {
        let LiveOrder {
            lag,
            latest,
            emitted,
            ..
        } = self.state;
        let until = if all {
            latest
        } else {
            latest.saturating_sub(lag)
        };
        if self.items.is_empty() || !all && until < emitted.saturating_add(lag / STEPS) {
            return;
        }
        sort(&mut self.items);
        let end = self
            .items
            .partition_point(|item| item.as_ref().time() <= until);
        for item in self.items.drain(..end) {
            sink(item.as_ref());
        }
        self.state.emitted = until.max(emitted);
    }
}

impl Order {
    /// Emits items when they are older than the latest by `lag` ns, without waiting for files.
    pub fn follow(&mut self, lag: u64) {
        let state = LiveOrder {
            lag,
            ..LiveOrder::default()
        };
        self.live = Some(LiveQueue {
            state,
            items: Vec::new(),
        });
        self.keeps_all = true;
    }

    pub fn add_file(&mut self) {
        self.queues.push(super::FileQueue::default());
        self.turns = super::Turns::new(self.queues.len());
    }

    /// Emits all that waits, of a recording that is followed: nothing has arrived for a while, or
    /// it ended.
    pub fn settle_live(&mut self, sink: impl FnMut(OrderedRef<'_>)) {
        if let Some(live) = &mut self.live {
            live.release(true, sink);
        }
    }

    /// The progress of a recording that is followed; `None` for one that is read as files.
    pub fn live(&self) -> Option<LiveOrder> {
        self.live.as_ref().map(|live| live.state)
    }
}

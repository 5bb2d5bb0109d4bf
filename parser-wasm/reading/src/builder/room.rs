//! Memory for what is read: made before it is needed, so that a trace that does not fit ends in a
//! partial result.

use super::TraceBuilder;
use seekscope_trace::order::OrderedItem;
use seekscope_trace::store::memory::{CAPACITY, EVENT_BYTES, REQUEST_BYTES, bytes_of};
use seekscope_trace::store::{Message, Store};

/// Natively, memory ends where the machine's does.
const LIMIT: usize = if cfg!(target_pointer_width = "32") {
    CAPACITY as usize
} else {
    usize::MAX
};
/// Left free at each step, where memory is limited.
const LEFT_FREE: usize = 128 << 20;
/// Events for which room is made at once, at least.
const STEP: usize = 1 << 18;
/// A trace that needs less is not held up: it nearly always fits.
const SMALL: usize = 64 << 20;
/// Bytes of an item that is stored, listed and sorted.
const SORTED: usize = EVENT_BYTES + REQUEST_BYTES / 4 + 2 * size_of::<OrderedItem>();

/// Counts the rows for which memory is left.
#[derive(Clone, Debug)]
pub(super) struct Room {
    limit: usize,
    events: usize,
    requests: usize,
    full: bool,
    /// Whether items were out of order, so that what was read is not all of a time window.
    scattered: bool,
}

impl Default for Room {
    fn default() -> Room {
        Room {
            limit: LIMIT,
            events: 0,
            requests: 0,
            full: false,
            scattered: false,
        }
    }
}

impl Room {
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Whether it has to stop at a time: everything before it was read.
    pub(super) fn is_full_in_order(&self) -> bool {
        self.full && !self.scattered
    }
}

fn cost(events: usize, requests: usize) -> usize {
    usize::try_from(bytes_of(events as u64, requests as u64)).unwrap_or(usize::MAX)
}

/// Whether so many bytes can be allocated at once; they are given back.
fn can_allocate(bytes: usize) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    cfg!(target_pointer_width = "64")
        || std::hint::black_box(&mut probe)
            .try_reserve_exact(bytes)
            .is_ok()
}

impl TraceBuilder {
    /// Reads no more than fits into so many bytes; the default is what a WebAssembly memory holds.
    #[must_use]
    pub fn with_capacity(mut self, bytes: Option<usize>) -> TraceBuilder {
        self.room.limit = bytes.unwrap_or(LIMIT);
        self
    }

    /// Whether so many bytes more can be allocated. Memory grows in one step then, which takes less
    /// time than many.
    pub(super) fn has_room_for(&self, bytes: usize) -> bool {
        let Store {
            events, requests, ..
        } = &self.store;
        let all = events
            .memory()
            .saturating_add(requests.memory())
            .saturating_add(bytes);
        all <= self.room.limit && can_allocate(bytes)
    }

    /// Makes room for the items that wait; `false` if there is no memory for them. From then on
    /// nothing is taken.
    pub(super) fn makes_room(&mut self) -> bool {
        if self.room.full {
            return false;
        }
        let store = &self.store;
        let (events, requests) = (store.events.len(), store.requests.len());
        let waiting = self.order.waiting();
        let again =
            !self.order.merges() || !self.zones.is_empty() || store.quality.drivers.requests;
        if events + waiting <= self.room.events
            && requests + waiting <= self.room.requests
            && !again
        {
            return true;
        }
        let messages = store.messages.text.len() + store.messages.rows.len() * size_of::<Message>();
        // Each of their lists doubles when it is full.
        let recorded = self.order.kinds_bytes() + self.lifecycle.kinds_bytes();
        let kinds = recorded + store.events.kinds_bytes();
        let rest = messages
            + store.commands.len()
            + store.events.rare_bytes()
            + store.requests.rare_bytes()
            + recorded
            + kinds;
        let now = cost(self.room.events, self.room.requests);
        let fits = |&(events, requests): &(usize, usize)| {
            let all = if again {
                events.saturating_mul(SORTED)
            } else {
                cost(events, requests)
            };
            let grown = all
                .saturating_sub(now)
                .saturating_add(LEFT_FREE)
                .saturating_add(kinds);
            let is_small = all.saturating_add(kinds) < SMALL;
            all.saturating_add(rest) <= self.room.limit && (is_small || can_allocate(grown))
        };
        // An event is one request at most.
        let more = |rows: usize, step: usize| rows + waiting.max(rows / 4).max(step);
        let steps = [
            (more(events, STEP), more(requests, STEP / 4)),
            (events + waiting, requests + waiting),
        ];
        let Some(to) = steps.into_iter().find(fits) else {
            (self.room.full, self.room.scattered) = (true, !self.order.merges());
            return false;
        };
        (self.room.events, self.room.requests) = to;
        true
    }
}

//! Memory for what is read: made before it is needed, so that a trace that does not fit ends in a
//! partial result.

use super::assembly::Assembly;
use seekscope_trace::order::{Order, OrderedItem};
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

/// The memory of what is read and of the lists that it needs, in bytes.
struct Demand {
    /// Whether everything is stored again at the end.
    again: bool,
    /// The kinds of events: each of their lists doubles when it is full.
    kinds: usize,
    /// What is there beside rows.
    rest: usize,
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

impl Room {
    /// Reads no more than fits into so many bytes; the default is what a WebAssembly memory holds.
    pub fn set_limit(&mut self, bytes: Option<usize>) {
        self.limit = bytes.unwrap_or(LIMIT);
    }

    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Whether it has to stop at a time: everything before it was read.
    pub fn is_full_in_order(&self) -> bool {
        self.full && !self.scattered
    }

    /// Whether so many bytes more can be allocated beside the rows. Memory grows in one step then,
    /// which takes less time than many.
    pub fn has_room_for(&self, bytes: usize, store: &Store) -> bool {
        let Store {
            events, requests, ..
        } = store;
        let all = events
            .memory()
            .saturating_add(requests.memory())
            .saturating_add(bytes);
        all <= self.limit && can_allocate(bytes)
    }

    /// Makes room for the items that wait; `false` if there is no memory for them. From then on
    /// nothing is taken. `zoned`: they will be stored again for their zones.
    pub fn grow(&mut self, order: &Order, assembly: &Assembly, zoned: bool) -> bool {
        if self.full {
            return false;
        }
        let store = &assembly.store;
        let (events, requests) = (store.events.len(), store.requests.len());
        let waiting = order.waiting();
        let again = zoned || !order.merges() || store.quality.drivers.requests;
        if events + waiting <= self.events && requests + waiting <= self.requests && !again {
            return true;
        }
        let demand = Demand::new(order, assembly, again);
        // An event is one request at most.
        let more = |rows: usize, step: usize| rows + waiting.max(rows / 4).max(step);
        let steps = [
            (more(events, STEP), more(requests, STEP / 4)),
            (events + waiting, requests + waiting),
        ];
        let Some(to) = steps.into_iter().find(|&to| self.fits(to, &demand)) else {
            (self.full, self.scattered) = (true, !order.merges());
            return false;
        };
        (self.events, self.requests) = to;
        true
    }

    /// Whether there is memory for so many events and requests.
    fn fits(&self, (events, requests): (usize, usize), demand: &Demand) -> bool {
        let &Demand { again, kinds, rest } = demand;
        let all = if again {
            events.saturating_mul(SORTED)
        } else {
            cost(events, requests)
        };
        let grown = all
            .saturating_sub(cost(self.events, self.requests))
            .saturating_add(LEFT_FREE)
            .saturating_add(kinds);
        let is_small = all.saturating_add(kinds) < SMALL;
        all.saturating_add(rest) <= self.limit && (is_small || can_allocate(grown))
    }
}

impl Demand {
    fn new(order: &Order, assembly: &Assembly, again: bool) -> Demand {
        let Store {
            messages,
            commands,
            events,
            requests,
            ..
        } = &assembly.store;
        let texts = messages.text.len() + messages.rows.len() * size_of::<Message>();
        let recorded = order.kinds_bytes() + assembly.lifecycle.kinds_bytes();
        let kinds = recorded + events.kinds_bytes();
        let rest =
            texts + commands.len() + events.rare_bytes() + requests.rare_bytes() + recorded + kinds;
        Demand { again, kinds, rest }
    }
}

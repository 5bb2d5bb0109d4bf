//! Which request an event with a stack belongs to: by device, sectors and time.

use crate::clock;
use crate::event::{BlockEvent, FramedEvent, NEAR};
use crate::mappings::Mappings;
use crate::symbols::Symbols;
use crate::tree::{MAX_DEPTH, StackTree};
use seekscope_trace::store::{CallStacks, NO_FRAME, RequestRow, RequestStacks, StackEvent, Store};

/// Events with stacks that are kept: 40 bytes each.
const MAX_EVENTS: usize = 1 << 21;
/// Events that are looked at for a request, in each direction.
const MAX_LOOKED_AT: usize = 512;

/// What was read of texts with stacks.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    pub tree: StackTree,
    pub symbols: Symbols,
    pub mappings: Mappings,
    events: Vec<FramedEvent>,
    /// The first event of each file.
    files: Vec<usize>,
    left_out: u64,
}

impl Recorded {
    /// Begins a file: its events have one clock.
    pub fn open(&mut self) {
        if self.files.last() != Some(&self.events.len()) {
            self.files.push(self.events.len());
        }
    }

    /// Adds an event with its stack, the innermost function first.
    pub fn add(&mut self, event: BlockEvent, functions: &[u32]) {
        if self.events.len() >= MAX_EVENTS {
            self.left_out += 1;
            return;
        }
        let depth = functions.len().min(MAX_DEPTH);
        self.left_out += (functions.len() - depth) as u64;
        let frame = self.tree.stack(&functions[..depth]);
        if frame != NO_FRAME {
            self.events.push(FramedEvent { event, frame });
        }
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    pub fn finish(mut self, store: &Store) -> Option<CallStacks> {
        if self.events.is_empty() {
            return None;
        }
        let other_clock = self.align(store);
        self.symbols.sort();
        let frames = self.events.iter().map(|stacked| stacked.frame);
        let other_symbols = !self.tree.fits(frames, &self.symbols, &self.mappings);
        if other_symbols {
            self.symbols = Symbols::default();
        }
        let left_out = self.left_out + self.tree.left_out + self.symbols.left_out;
        let (mut stacks, frames) = self.tree.named(&self.symbols, &self.mappings);
        let events = [StackEvent::Queue, StackEvent::Insert, StackEvent::Issue]
            .map(|kind| EventsOfKind::new(&self.events, kind, store, &frames));
        let requests = &store.requests;
        stacks.rows = (0..requests.len())
            .map(|row| stacks_of(store, requests.row(row), &events))
            .collect();
        stacks.left_out = left_out;
        stacks.other_clock = other_clock;
        stacks.other_symbols = other_symbols;
        let has_some = |row: &RequestStacks| row.submitted != NO_FRAME;
        let has_any = stacks.rows.iter().any(has_some);
        (has_any || (other_clock > 0 && !requests.is_empty())).then_some(stacks)
    }

    /// Sets the times of all events to the clock of the trace; returns the number of those for
    /// which that is not possible.
    fn align(&mut self, store: &Store) -> u64 {
        let mut other_clock = 0;
        let mut end = self.events.len();
        for begin in self.files.drain(..).rev() {
            let events = &mut self.events[begin..end];
            if !events.is_empty() && !clock::align(events, store) {
                other_clock += events.len() as u64;
            }
            end = begin;
        }
        other_clock
    }
}

/// The stacks of a request. Who queued it comes first, whatever else is known: a request may be
/// inserted and issued by another task.
fn stacks_of(
    store: &Store,
    row: RequestRow,
    [queues, inserts, issues]: &[EventsOfKind; 3],
) -> RequestStacks {
    let device = store.devices.get(row.device() as usize);
    let device = device.map_or(u32::MAX, |device| device.number.0);
    let issued = row.issued().and_then(|time| issues.find(row, device, time));
    let queued = row.queued().and_then(|time| queues.find(row, device, time));
    let inserted = || {
        row.inserted()
            .and_then(|time| inserts.find(row, device, time))
    };
    let (submitted, event) = match (queued, issued) {
        (Some(frame), _) => (frame, StackEvent::Queue),
        (None, issued) => match (inserted(), issued) {
            (Some(frame), _) => (frame, StackEvent::Insert),
            (None, Some(frame)) => (frame, StackEvent::Issue),
            (None, None) => return RequestStacks::NONE,
        },
    };
    RequestStacks {
        submitted,
        event,
        issued: issued.unwrap_or(NO_FRAME),
    }
}

/// The events of a kind by time since the begin of the trace.
struct EventsOfKind {
    list: Vec<FramedEvent>,
}

impl EventsOfKind {
    fn new(
        events: &[FramedEvent],
        kind: StackEvent,
        store: &Store,
        frames: &[u32],
    ) -> EventsOfKind {
        let of_kind = events.iter().filter(|stacked| stacked.event.event == kind);
        let mut list: Vec<FramedEvent> = of_kind
            .filter_map(|stacked| {
                let frame = *frames.get(stacked.frame as usize)?;
                // Up to NEAR earlier than the first event, so that nothing is below zero.
                let time = stacked
                    .event
                    .time
                    .saturating_add(NEAR)
                    .checked_sub(store.origin)?;
                let event = BlockEvent {
                    time,
                    ..stacked.event
                };
                (frame != NO_FRAME).then_some(FramedEvent { event, frame })
            })
            .collect();
        list.sort_by_key(|stacked| stacked.event.time);
        EventsOfKind { list }
    }

    /// The innermost frame of the event of a request at a time.
    fn find(&self, row: RequestRow, device: u32, time: u64) -> Option<u32> {
        let time = time.saturating_add(NEAR);
        let middle = self
            .list
            .partition_point(|stacked| stacked.event.time < time);
        let (before, after) = self.list.split_at(middle);
        let distance = |stacked: &FramedEvent| stacked.event.time.abs_diff(time);
        let near = |stacked: &&FramedEvent| distance(stacked) <= NEAR;
        let fits = |stacked: &&FramedEvent| {
            let event = stacked.event;
            event.device == device && is_part(event, row)
        };
        let later = after.iter().take(MAX_LOOKED_AT).take_while(near).find(fits);
        let earlier = before.iter().rev().take(MAX_LOOKED_AT);
        let earlier = earlier.take_while(near).find(fits);
        earlier
            .into_iter()
            .chain(later)
            .min_by_key(|stacked| distance(stacked))
            .map(|stacked| stacked.frame)
    }
}

/// Whether an event is about sectors of a request, or both have none.
fn is_part(event: BlockEvent, row: RequestRow) -> bool {
    let (begin, sectors) = (row.sector(), row.sectors());
    match (event.sectors, sectors) {
        (0, _) | (_, 0) => u64::from(event.sectors) == sectors,
        _ => {
            let end = event.sector.saturating_add(u64::from(event.sectors));
            event.sector < begin.saturating_add(sectors) && begin < end
        }
    }
}

//! The passes over the events.

use super::super::span::Window;
use super::device::{DeviceCounters, place};
use crate::store::{Effect, EventKind, EventRow, Events, Store};

/// Of the events of a block and a device: what is measured in their order.
#[derive(Clone, Debug, Default)]
pub struct OwnEvents {
    /// Changes of the state, with their times.
    steps: Vec<(u64, Effect)>,
    /// First sectors and lengths, at Q, D and C.
    places: [Vec<(u64, u64)>; 3],
}

impl OwnEvents {
    #[inline(always)]
    pub fn add(&mut self, event: EventRow, kind: &EventKind) {
        if kind.effect != Effect::default() {
            self.steps.push((event.time(), kind.effect));
        }
        self.add_place(event, kind);
    }

    #[inline(always)]
    fn add_place(&mut self, event: EventRow, kind: &EventKind) {
        if let Some(place) = place(kind.action) {
            self.places[place].push((event.sector(), u64::from(kind.bytes >> 9)));
        }
    }

    /// Moves what was added into the counters.
    pub fn flush(&mut self, device: &mut DeviceCounters) {
        device.steps(&self.steps);
        self.steps.clear();
        for (seeks, places) in device.seeks().into_iter().zip(&mut self.places) {
            seeks.into_iter().for_each(|seeks| seeks.add_all(places.iter().copied()));
            places.clear();
        }
    }
}

/// How often each kind of event occurs.
pub struct KindCounts {
    counts: Vec<u64>,
}

impl KindCounts {
    pub fn of(events: &Events) -> KindCounts {
        KindCounts { counts: vec![0; events.kinds()] }
    }

    /// Counts an event; `seen` gets its kind if it is the first.
    #[inline]
    pub fn add(&mut self, kind: u32, seen: &mut Vec<u32>) {
        let Some(count) = self.counts.get_mut(kind as usize) else { return };
        if *count == 0 {
            seen.push(kind);
        }
        *count += 1;
    }

    /// The count of a kind, which starts anew.
    pub fn take(&mut self, kind: u32) -> u64 {
        self.counts.get_mut(kind as usize).map_or(0, std::mem::take)
    }
}

/// All events of the window, a block at once. What does not depend on their order is counted by kind.
pub fn walk_events(store: &Store, window: Window, tallies: &mut [DeviceCounters]) {
    let events = &store.events;
    let (mut counts, mut seen) = (KindCounts::of(events), Vec::new());
    let mut own = vec![OwnEvents::default(); tallies.len()];
    events.pieces(window.events(events), |piece| {
        for event in piece {
            let number = event.kind_number();
            let kind = events.kind_of(number);
            let (Some(own), Some(device)) = (own.get_mut(kind.device as usize), tallies.get_mut(kind.device as usize)) else {
                continue;
            };
            counts.add(number, &mut seen);
            own.add(event, kind);
            device.note_early(kind, event.time());
        }
        tallies.iter_mut().zip(&mut own).for_each(|(device, own)| own.flush(device));
    });
    for number in seen {
        let kind = events.kind_of(number);
        if let Some(device) = tallies.get_mut(kind.device as usize) {
            device.kind(kind, counts.take(number));
        }
    }
}

/// The medians of seeks, where the first pass does not tell them.
pub fn refine_seeks(store: &Store, window: Window, tallies: &mut [DeviceCounters]) {
    let exact = |tally: &mut DeviceCounters| tally.queued.is_exact() & tally.issued.is_exact() & tally.completed.is_exact();
    if tallies.iter_mut().all(exact) {
        return;
    }
    let events = &store.events;
    let mut own = vec![OwnEvents::default(); tallies.len()];
    events.pieces(window.events(events), |piece| {
        for event in piece {
            let kind = event.kind();
            if let Some(own) = own.get_mut(kind.device as usize) {
                own.add_place(event, kind);
            }
        }
        for (device, own) in tallies.iter_mut().zip(&mut own) {
            for (seeks, places) in device.seeks().into_iter().zip(&mut own.places) {
                seeks.into_iter().for_each(|seeks| seeks.add_all_again(places.iter().copied()));
                places.clear();
            }
        }
    });
}

//! The passes over the events.

use super::super::span::{Span, Window};
use super::cut::{CutWalk, DeviceCut, WindowEvents};
use super::device::{DeviceCounters, place};
use crate::access::seek::SeekCounter;
use seekscope_trace::event::Action;
use seekscope_trace::store::{Effect, EventKind, EventRow, Events, Store};

/// The measures of a kind of events that need their order.
#[derive(Clone, Copy, Debug)]
pub struct KindPlan {
    pub device: usize,
    pub effect: Effect,
    pub sectors: u32,
    /// Index of Q, D and C where their seeks are measured; else [`NO_PLACE`].
    pub place: u8,
    pub changes: bool,
    /// A completion, which may be before the active time.
    pub completes: bool,
}

/// Index of events whose seeks are not measured.
const NO_PLACE: u8 = 3;

impl KindPlan {
    /// The plans of all kinds, by number.
    pub fn for_kinds(events: &Events, mut seeks: impl FnMut(usize) -> [bool; 3]) -> Vec<KindPlan> {
        let plan = |&EventKind {
                        action,
                        device,
                        bytes,
                        effect,
                        ..
                    }: &EventKind| {
            let (device, seeks) = (device as usize, seeks(device as usize));
            let place = place(action)
                .filter(|&place| seeks[place])
                .map_or(NO_PLACE, |place| place as u8);
            let (changes, completes) = (effect != Effect::default(), action == Action::Complete);
            KindPlan {
                device,
                effect,
                sectors: bytes >> 9,
                place,
                changes,
                completes,
            }
        };
        events.each_kind().map(plan).collect()
    }
}

/// A list that takes some of the items that it is given. Every item is written, and overwritten by
/// the next one if it is not taken: which are is as good as random, so a branch would be
/// mispredicted.
#[derive(Clone, Debug, Default)]
struct TakenItems<T> {
    items: Vec<T>,
    len: usize,
}

impl<T> TakenItems<T> {
    #[inline(always)]
    fn put(&mut self, item: T, takes: bool) {
        match self.items.get_mut(self.len) {
            Some(place) => *place = item,
            None => self.items.push(item),
        }
        self.len += usize::from(takes);
    }

    /// The items that were taken; the list is empty afterwards.
    fn take(&mut self) -> &[T] {
        &self.items[..std::mem::take(&mut self.len)]
    }
}

/// The events of one block and device that have to be measured in order.
#[derive(Clone, Debug, Default)]
pub struct OwnEvents {
    /// Changes of the state, with their times.
    steps: TakenItems<(u64, Effect)>,
    /// First sectors and lengths, at Q, D and C; those of other events are not taken.
    places: [TakenItems<(u64, u32)>; 4],
}

impl OwnEvents {
    #[inline(always)]
    pub fn add(&mut self, event: EventRow, plan: &KindPlan) {
        self.steps.put((event.time(), plan.effect), plan.changes);
        self.add_place(event, plan);
    }

    #[inline(always)]
    fn add_place(&mut self, event: EventRow, plan: &KindPlan) {
        if let Some(places) = self.places.get_mut(usize::from(plan.place)) {
            places.put((event.sector(), plan.sectors), plan.place != NO_PLACE);
        }
    }

    /// Moves what was added into the counters.
    pub fn flush(&mut self, device: &mut DeviceCounters) {
        device.steps(self.steps.take());
        self.each_place(device, |seeks, places| seeks.add_all(places));
    }

    /// Moves the places into the counters of seeks.
    fn each_place(
        &mut self,
        device: &mut DeviceCounters,
        mut add: impl FnMut(&mut SeekCounter, &[(u64, u32)]),
    ) {
        for (seeks, places) in device.seeks().into_iter().zip(&mut self.places) {
            let places = places.take();
            seeks.into_iter().for_each(|seeks| add(seeks, places));
        }
    }
}

/// Measures all events of the window, a block at once, as far as it depends on their order, and
/// what they tell of the windows of each cut.
pub fn walk_events<'a>(
    store: &Store,
    window: Window,
    tallies: &mut [DeviceCounters],
    cuts: impl Iterator<Item = (&'a DeviceCut, &'a Span)>,
) -> Vec<Vec<WindowEvents>> {
    let events = &store.events;
    let plans = plans(events, tallies);
    let mut of_devices = vec![OwnEvents::default(); tallies.len()];
    let mut walk = CutWalk::new(store, cuts);
    events.pieces(window.events(events), |piece| {
        for event in piece {
            let (number, time) = (event.kind_number(), event.time());
            walk.advance(time, tallies, &mut of_devices);
            let Some(plan) = plans.get(number as usize) else {
                continue;
            };
            if let Some(of_device) = of_devices.get_mut(plan.device) {
                of_device.add(event, plan);
                walk.count(number, plan.device);
            }
            if plan.completes {
                tallies[plan.device].note_completion(store, number, time);
            }
        }
        tallies
            .iter_mut()
            .zip(&mut of_devices)
            .for_each(|(device, of_device)| of_device.flush(device));
    });
    walk.finish(tallies, &mut of_devices)
}

fn plans(events: &Events, tallies: &mut [DeviceCounters]) -> Vec<KindPlan> {
    KindPlan::for_kinds(events, |device| {
        tallies.get_mut(device).map_or([false; 3], |tally| {
            tally.seeks().map(|seeks| seeks.is_some())
        })
    })
}

/// The medians of seeks, where the first pass does not tell them.
pub fn refine_seeks(store: &Store, window: Window, tallies: &mut [DeviceCounters]) {
    let exact = |tally: &DeviceCounters| {
        [&tally.queued, &tally.issued, &tally.completed]
            .into_iter()
            .all(SeekCounter::is_exact)
    };
    if tallies.iter().all(exact) {
        return;
    }
    let events = &store.events;
    let plans = plans(events, tallies);
    let mut of_devices = vec![OwnEvents::default(); tallies.len()];
    events.pieces(window.events(events), |piece| {
        for event in piece {
            if let Some(plan) = plans.get(event.kind_number() as usize)
                && let Some(of_device) = of_devices.get_mut(plan.device)
            {
                of_device.add_place(event, plan);
            }
        }
        for (device, of_device) in tallies.iter_mut().zip(&mut of_devices) {
            of_device.each_place(device, |seeks, places| seeks.add_all_again(places));
        }
    });
}

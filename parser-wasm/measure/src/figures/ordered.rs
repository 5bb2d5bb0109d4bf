//! Events of a device that have to be measured in their order: changes of its state, and places.

use super::device::{DeviceCounters, MIN_TOGETHER, place};
use crate::access::seek::SeekCounter;
use seekscope_trace::event::Action;
use seekscope_trace::store::{Effect, EventKind, EventRow, Events};

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

    fn len(&self) -> usize {
        self.len
    }

    /// The items that were taken; the list is empty afterwards.
    fn take(&mut self) -> &[T] {
        &self.items[..std::mem::take(&mut self.len)]
    }
}

/// Events of one device that have to be measured in order.
#[derive(Clone, Debug, Default)]
pub struct OrderedEvents {
    /// Changes of the state, with their times.
    steps: TakenItems<(u64, Effect)>,
    /// First sectors and lengths, at Q, D and C; those of other events are not taken.
    places: [TakenItems<(u64, u32)>; 4],
}

impl OrderedEvents {
    #[inline(always)]
    pub fn add(&mut self, event: EventRow, plan: &KindPlan) {
        self.steps.put((event.time(), plan.effect), plan.changes);
        self.add_place(event, plan);
    }

    #[inline(always)]
    pub fn add_place(&mut self, event: EventRow, plan: &KindPlan) {
        if let Some(places) = self.places.get_mut(usize::from(plan.place)) {
            places.put((event.sector(), plan.sectors), plan.place != NO_PLACE);
        }
    }

    /// Whether there is enough for a `flush` to be worth its while.
    pub fn is_full(&self) -> bool {
        let places = self.places.iter().map(TakenItems::len);
        places.fold(self.steps.len(), usize::max) >= MIN_TOGETHER
    }

    /// Moves what was added into the counters.
    pub fn flush(&mut self, device: &mut DeviceCounters) {
        device.steps(self.steps.take());
        self.each_place(device, |seeks, places| seeks.add_all(places));
    }

    /// Moves the places into the counters of seeks.
    pub fn each_place(
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

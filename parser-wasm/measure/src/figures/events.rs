//! The passes over the events.

use super::super::span::{Span, Window};
use super::cut::{CutWalk, DeviceCut, WindowEvents};
use super::device::DeviceCounters;
use super::ordered::{KindPlan, OrderedEvents};
use crate::access::seek::SeekCounter;
use seekscope_trace::store::{Events, Store};

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
    let mut of_devices = vec![OrderedEvents::default(); tallies.len()];
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
        let devices = tallies.iter_mut().zip(&mut of_devices);
        devices
            .filter(|(_, events)| events.is_full())
            .for_each(|(device, events)| events.flush(device));
    });
    let of_cuts = walk.finish(tallies, &mut of_devices);
    let devices = tallies.iter_mut().zip(&mut of_devices);
    devices.for_each(|(device, events)| events.flush(device));
    of_cuts
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
    let mut of_devices = vec![OrderedEvents::default(); tallies.len()];
    let again = |(device, events): (&mut DeviceCounters, &mut OrderedEvents)| {
        events.each_place(device, |seeks, places| seeks.add_all_again(places));
    };
    events.pieces(window.events(events), |piece| {
        for event in piece {
            if let Some(plan) = plans.get(event.kind_number() as usize)
                && let Some(of_device) = of_devices.get_mut(plan.device)
            {
                of_device.add_place(event, plan);
            }
        }
        let devices = tallies.iter_mut().zip(&mut of_devices);
        devices
            .filter(|(_, events)| events.is_full())
            .for_each(again);
    });
    tallies.iter_mut().zip(&mut of_devices).for_each(again);
}

//! The clock of a file with stacks. It may be another one than that of the trace (`trace_clock`,
//! `perf record -k`): then the events of both that have the same sectors say how far they are apart.
//!
//! An event and a request with the same device, sectors and action are a pair, or one of a few
//! where sectors were used again. Of pairs that belong together the distances are the same; those
//! of all others are scattered. So the most frequent distance is that of the clocks, if enough
//! pairs have it.

use crate::event::{FramedEvent, NEAR};
use rustc_hash::FxHashMap;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{RequestRow, StackEvent, Store};

/// Different places whose events are looked at.
const MAX_PLACES: usize = 4096;
/// Events and requests of one place; a place with more says nothing.
const MAX_AT_PLACE: usize = 4;
/// Pairs that agree by chance are fewer.
const MIN_PAIRS: usize = 8;

/// Device, sector, sectors and action.
type PlaceKey = (u32, u64, u32, StackEvent);

#[derive(Default)]
struct Times {
    events: Vec<u64>,
    requests: Vec<u64>,
    events_left: bool,
}

/// Sets the times of the events of a file to the clock of the trace. `false` where they are of
/// another clock, and nothing says how far it is apart.
pub fn align(events: &mut [FramedEvent], store: &Store) -> bool {
    match distance(events, store) {
        // Two probes in one place of the kernel.
        Some(distance) if distance.unsigned_abs() < NEAR / 2 => true,
        Some(distance) => {
            for stacked in events {
                let time = &mut stacked.event.time;
                *time = time.saturating_add_signed(distance);
            }
            true
        }
        None => {
            let begin = store.origin.saturating_sub(NEAR);
            let end = store
                .origin
                .saturating_add(store.span())
                .saturating_add(NEAR);
            let is_of_trace = |stacked: &FramedEvent| (begin..=end).contains(&stacked.event.time);
            events.iter().any(is_of_trace)
        }
    }
}

/// The clock of the trace less that of the events, ns.
fn distance(events: &[FramedEvent], store: &Store) -> Option<i64> {
    let places = places(events, store);
    let mut distances = Vec::new();
    let mut pairs = 0;
    for times in places.values() {
        if times.events_left || times.requests.len() > MAX_AT_PLACE || times.requests.is_empty() {
            continue;
        }
        pairs += times.events.len().min(times.requests.len());
        for event in &times.events {
            let between = |request: &u64| request.wrapping_sub(*event) as i64;
            distances.extend(times.requests.iter().map(between));
        }
    }
    distances.sort_short();
    let (begin, count) = most_frequent(&distances);
    let enough = count >= MIN_PAIRS && count * 2 >= pairs;
    enough.then(|| distances[begin + count / 2])
}

/// First and number of the distances that lie closest together.
fn most_frequent(distances: &[i64]) -> (usize, usize) {
    let mut best = (0, 0);
    let mut begin = 0;
    for end in 0..distances.len() {
        while distances[end].abs_diff(distances[begin]) > NEAR {
            begin += 1;
        }
        if end + 1 - begin > best.1 {
            best = (begin, end + 1 - begin);
        }
    }
    best
}

/// Places of events all over the file, with the times of all events and requests there.
fn places(events: &[FramedEvent], store: &Store) -> FxHashMap<PlaceKey, Times> {
    let mut places: FxHashMap<PlaceKey, Times> = FxHashMap::default();
    let step = events.len().div_ceil(MAX_PLACES).max(1);
    for stacked in events
        .iter()
        .step_by(step)
        .filter(|stacked| stacked.event.sectors > 0)
    {
        places.entry(place(stacked)).or_default();
    }
    for stacked in events {
        if let Some(times) = places.get_mut(&place(stacked)) {
            match times.events.len() < MAX_AT_PLACE {
                true => times.events.push(stacked.event.time),
                false => times.events_left = true,
            }
        }
    }
    for row in 0..store.requests.len() {
        let row = store.requests.row(row);
        let device = store.devices.get(row.device() as usize);
        let Some((device, sectors)) = device.zip(u32::try_from(row.sectors()).ok()) else {
            continue;
        };
        for (action, time) in moments(row) {
            let place = (device.number.0, row.sector(), sectors, action);
            if let Some((times, time)) = places.get_mut(&place).zip(time)
                && times.requests.len() <= MAX_AT_PLACE
            {
                times.requests.push(store.origin.saturating_add(time));
            }
        }
    }
    places
}

fn place(stacked: &FramedEvent) -> PlaceKey {
    let event = stacked.event;
    (event.device, event.sector, event.sectors, event.event)
}

fn moments(row: RequestRow) -> [(StackEvent, Option<u64>); 3] {
    [
        (StackEvent::Queue, row.queued()),
        (StackEvent::Insert, row.inserted()),
        (StackEvent::Issue, row.issued()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_that_lie_together_are_found() {
        let near = NEAR as i64;
        assert_eq!(most_frequent(&[]), (0, 0));
        assert_eq!(most_frequent(&[5]), (0, 1));
        let scattered = [i64::MIN, -9 * near, 0, near, near + 1, 40 * near, i64::MAX];
        assert_eq!(most_frequent(&scattered), (2, 2));
        let together = [i64::MIN, 7 * near, 7 * near + 1, 8 * near, i64::MAX];
        assert_eq!(most_frequent(&together), (1, 3));
    }
}

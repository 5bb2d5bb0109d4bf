//! Figures of devices in windows that follow one another: one pass over the events and requests, however many devices and windows there are.

use super::super::latency::StageSamples;
use super::super::span::{Span, Window};
use super::device::DeviceCounters;
use super::events::{KindCounts, KindPlan, OwnEvents};
use super::{Figures, finish};
use crate::store::{EventRow, RequestRow, RowMeaning, Store, rows};
use std::collections::VecDeque;

/// Rows that are measured at once.
const PIECE: usize = 4096;

/// A device and its windows: ascending, and without overlap.
#[derive(Clone, Copy, Debug)]
pub struct DeviceWindows<'a> {
    /// Index of the store's devices; each is given once.
    pub device: usize,
    pub span: &'a Span,
    pub windows: &'a [Window],
}

/// A device in its current window.
struct WindowCounters<'a> {
    given: DeviceWindows<'a>,
    /// Number of the window.
    at: usize,
    counters: DeviceCounters<'a>,
    events: OwnEvents,
    /// Kinds of events of the window.
    kinds: Vec<u32>,
    /// Rows of the device that no window had yet, in their order.
    rows: VecDeque<u32>,
}

impl WindowCounters<'_> {
    fn window(&self) -> Option<Window> {
        self.given.windows.get(self.at).copied()
    }
}

/// All devices on their way through their windows.
struct WindowWalk<'a, F> {
    store: &'a Store,
    list: Vec<WindowCounters<'a>>,
    /// Place in `list`, by index of the device.
    places: Vec<Option<usize>>,
    plans: Vec<KindPlan>,
    /// Events of each kind in the current window of its device.
    counts: KindCounts,
    /// The next row to hand to its device.
    row: usize,
    samples: StageSamples,
    visit: F,
}

impl<F: FnMut(usize, usize, Figures)> WindowWalk<'_, F> {
    /// Hands the rows that start before `to` to their devices.
    fn hand_out(&mut self, to: u64) {
        let requests = &self.store.requests;
        rows::until(self.row..requests.len(), |row| {
            if requests.start(row) >= to {
                return true;
            }
            if let Some(place) = self.places[requests.device(row) as usize] {
                self.list[place].rows.push_back(row as u32);
            }
            self.row = row + 1;
            false
        });
    }

    #[inline(always)]
    fn event(&mut self, event: EventRow) {
        let number = event.kind_number();
        let plan = self.plans[number as usize];
        let Some(place) = self.places[plan.device] else { return };
        let time = event.time();
        while let Some(window) = self.list[place].window().filter(|window| time >= window.to) {
            self.end(place, window);
        }
        let own = &mut self.list[place];
        if own.window().is_some_and(|window| time >= window.from) {
            self.counts.add(number, &mut own.kinds);
            own.events.add(event, &plan);
            if plan.completes {
                own.counters.note_early(self.store.events.kind_of(number), time);
            }
        }
    }

    /// Ends the current window of a device; the next one begins.
    fn end(&mut self, place: usize, window: Window) {
        self.hand_out(window.to);
        let (store, own) = (self.store, &mut self.list[place]);
        own.events.flush(&mut own.counters);
        for kind in own.kinds.drain(..) {
            own.counters.kind(store.events.kind_of(kind), self.counts.take(kind));
        }
        let start = |row: u32| store.requests.start(row as usize);
        let ended = own.rows.partition_point(|&row| start(row) < window.to);
        let rows: Vec<u32> = own.rows.drain(..ended).filter(|&row| start(row) >= window.from).collect();
        for rows in rows.chunks(PIECE) {
            let rows: Vec<RequestRow> = rows.iter().map(|&row| store.requests.at(row as usize)).collect();
            own.counters.requests(store, &rows, &mut self.samples);
        }
        let messages = &store.messages.rows;
        let first = messages.partition_point(|m| m.time < window.from);
        let of_window = messages[first..].iter().take_while(|m| m.time < window.to);
        own.counters.messages = of_window.filter(|m| m.device as usize == own.given.device).count() as u64;
        let number = own.at;
        own.at += 1;
        let next = DeviceCounters::new(store, own.given.device, own.given.span, own.window().unwrap_or(window));
        let figures = finish(std::mem::replace(&mut own.counters, next));
        (self.visit)(place, number, figures);
    }
}

/// Calls `visit` with the figures of each window: number of the device in `given`, number of the window. Those of a device come in the order
/// of its windows. Without alignment; quantiles of latencies and seeks are those of buckets.
pub fn in_windows<'a>(store: &'a Store, given: &[DeviceWindows<'a>], visit: impl FnMut(usize, usize, Figures)) {
    let ends = given.iter().filter_map(|given| Some((given.windows.first()?.from, given.windows.last()?.to)));
    let Some((from, to)) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else { return };
    let mut places = vec![None; store.devices.len()];
    let begin = |(place, given): (usize, &DeviceWindows<'a>)| {
        places[given.device] = Some(place);
        let first = given.windows.first().copied().unwrap_or(Window { from, to: from });
        let counters = DeviceCounters::new(store, given.device, given.span, first);
        let (events, kinds, rows) = (OwnEvents::default(), Vec::new(), VecDeque::new());
        WindowCounters { given: *given, at: 0, counters, events, kinds, rows }
    };
    let list = given.iter().enumerate().map(begin).collect();
    let (counts, samples) = (KindCounts::of(&store.events), StageSamples::default());
    let seeks = |device: usize| {
        // As in every window of the device.
        let completed = store.devices[device].recorded.row() == RowMeaning::Completion;
        [true, true, completed]
    };
    let plans = KindPlan::of(&store.events, seeks);
    let mut walk = WindowWalk { store, list, places, plans, counts, row: store.requests.find(from), samples, visit };
    store.events.pieces(Window { from, to }.events(&store.events), |piece| {
        piece.for_each(|event| walk.event(event));
        walk.list.iter_mut().for_each(|own| own.events.flush(&mut own.counters));
    });
    for place in 0..walk.list.len() {
        while let Some(window) = walk.list[place].window() {
            walk.end(place, window);
        }
    }
}

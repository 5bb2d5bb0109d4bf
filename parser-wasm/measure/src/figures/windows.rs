//! Figures of devices in windows that follow one another: one pass over the events and requests,
//! however many devices and windows there are.

use super::super::latency::{ByStage, StageRanks, StageSamples, WindowStages};
use super::super::span::{Span, Window};
use super::super::waiting::starved::StarvedTime;
use super::device::{DeviceCounters, RowsByDevice};
use super::events::{KindCounts, KindPlan, OwnEvents};
use super::{Figures, finish};
use seekscope_trace::store::{EventRow, RequestRow, RowMeaning, Store};

/// A device and its windows.
#[derive(Clone, Copy, Debug)]
pub struct DeviceWindows<'a> {
    /// Index of the store's devices; each is given once.
    pub device: usize,
    pub span: &'a Span,
    /// Each begins where the one before ends.
    pub windows: &'a [Window],
    /// Durations of its stages, ns: how many requests do not exceed them is counted.
    pub limits: &'a ByStage<Vec<u64>>,
    /// Whether the starved time is to be kept.
    pub keeps_starved: bool,
}

impl<'a> DeviceWindows<'a> {
    /// The counters of one of the windows, with the starved time before it.
    fn counters(
        &self,
        store: &'a Store,
        window: Window,
        before: StarvedTime,
    ) -> DeviceCounters<'a> {
        let mut counters = DeviceCounters::without_medians(store, self.device, self.span, window);
        if let Some((_, usage)) = counters.usage.as_mut().filter(|_| self.keeps_starved) {
            usage.keep_starved(before);
        }
        counters
    }
}

impl DeviceWindows<'_> {
    /// The time from the begin of the first one to the end of the last one.
    fn whole(&self) -> Option<Window> {
        Some(Window {
            from: self.windows.first()?.from,
            to: self.windows.last()?.to,
        })
    }
}

/// The measures of one window.
#[derive(Clone, Debug)]
pub struct WindowFigures {
    /// Without alignment, percentiles of stages and medians of seeks.
    pub figures: Figures,
    /// Requests of the window that do not exceed each of the limits.
    pub within: ByStage<Vec<u64>>,
}

/// A device in its current window.
struct WindowCounters<'a> {
    device_windows: DeviceWindows<'a>,
    /// Number of the window, and its begin; none begins after the last one.
    index: usize,
    from: u64,
    counters: DeviceCounters<'a>,
    events: OwnEvents,
    stages: WindowStages<'a>,
    /// The kinds of events of the window.
    kinds: Vec<u32>,
}

impl<'a> WindowCounters<'a> {
    fn new(store: &'a Store, device_windows: DeviceWindows<'a>) -> WindowCounters<'a> {
        let first = device_windows.windows.first().copied();
        let window = first.unwrap_or(Window {
            from: u64::MAX,
            to: u64::MAX,
        });
        WindowCounters {
            device_windows,
            index: 0,
            from: window.from,
            counters: device_windows.counters(store, window, StarvedTime::default()),
            events: OwnEvents::default(),
            stages: WindowStages::new(device_windows.limits),
            kinds: Vec::new(),
        }
    }

    fn window(&self) -> Option<Window> {
        self.device_windows.windows.get(self.index).copied()
    }

    /// Counts rows that start before the end of the window, in their order.
    fn requests(&mut self, store: &Store, rows: &[RequestRow], samples: &mut StageSamples) {
        let rows = &rows[rows.partition_point(|row| row.start() < self.from)..];
        samples.fill(rows);
        self.stages.add(samples);
        self.counters.requests(store, rows);
    }

    /// Ends the current window; the next one begins.
    fn end(&mut self, store: &'a Store, window: Window, counts: &mut KindCounts) -> WindowFigures {
        self.events.flush(&mut self.counters);
        for kind in self.kinds.drain(..) {
            self.counters
                .kind(store.events.kind_of(kind), counts.take(kind));
        }
        let messages = &store.messages.rows;
        let first = messages.partition_point(|m| m.time < window.from);
        let of_window = messages[first..].iter().take_while(|m| m.time < window.to);
        self.counters.messages = of_window
            .filter(|m| m.device as usize == self.device_windows.device)
            .count() as u64;
        self.index += 1;
        let next = self.window();
        self.from = next.map_or(u64::MAX, |next| next.from);
        let starved = self.counters.end_starved();
        let next = (self.device_windows).counters(store, next.unwrap_or(window), starved);
        let (latency, within) = self.stages.end_window();
        WindowFigures {
            figures: Figures {
                latency,
                ..finish(std::mem::replace(&mut self.counters, next))
            },
            within,
        }
    }
}

/// All devices on their way through their windows.
struct WindowWalk<'a, F> {
    store: &'a Store,
    list: Vec<WindowCounters<'a>>,
    /// Place in `list`, by index of the device.
    places: Vec<Option<usize>>,
    /// The plan of each kind, with the place in `list` as its device.
    plans: Vec<KindPlan>,
    /// Events of each kind in the current window of its device.
    counts: KindCounts,
    /// The time at which the next window ends.
    ends: u64,
    /// The next row to count.
    row: usize,
    rows: RowsByDevice<'a>,
    samples: StageSamples,
    visit: F,
}

impl<F: FnMut(usize, usize, WindowFigures)> WindowWalk<'_, F> {
    #[inline(always)]
    fn event(&mut self, event: EventRow) {
        let (number, time) = (event.kind_number(), event.time());
        if time >= self.ends {
            self.end_until(time);
        }
        let Some(plan) = self.plans.get(number as usize) else {
            return;
        };
        if let Some(device) = self.list.get_mut(plan.device)
            && time >= device.from
        {
            self.counts.add(number, &mut device.kinds);
            device.events.add(event, plan);
            if plan.completes {
                device.counters.note_completion(self.store, number, time);
            }
        }
    }

    #[inline(never)]
    fn end_until(&mut self, time: u64) {
        while self.is_open() && self.ends <= time {
            self.end();
        }
    }

    fn is_open(&self) -> bool {
        self.list.iter().any(|device| device.window().is_some())
    }

    /// Ends the windows that end next.
    fn end(&mut self) {
        let WindowWalk {
            store,
            list,
            places,
            counts,
            rows,
            samples,
            ..
        } = self;
        let before = Window {
            from: 0,
            to: self.ends,
        }
        .rows(&store.requests)
        .end;
        rows.each(self.row..before, |device, rows| {
            if let Some(place) = places[device] {
                list[place].requests(store, rows, samples);
            }
        });
        self.row = self.row.max(before);
        for (place, device) in list.iter_mut().enumerate() {
            if let Some(window) = device.window().filter(|window| window.to == self.ends) {
                let number = device.index;
                (self.visit)(place, number, device.end(store, window, counts));
            }
        }
        self.ends = next_end(list);
    }
}

fn next_end(list: &[WindowCounters]) -> u64 {
    list.iter()
        .filter_map(|device| Some(device.window()?.to))
        .min()
        .unwrap_or(u64::MAX)
}

/// The stages of the requests in all windows of some devices.
pub struct WindowSamples<'a> {
    device_windows: Vec<DeviceWindows<'a>>,
    stages: Vec<WindowStages<'a>>,
    /// The starved time of each device, where it was to be kept.
    pub starved: Vec<Option<StarvedTime>>,
}

impl WindowSamples<'_> {
    /// The samples of these ranks, from 1, of each device. Of stages with limits only. In a pass
    /// over the requests.
    pub fn of_ranks(&self, store: &Store, ranks: &[ByStage<Vec<u64>>]) -> Vec<ByStage<Vec<u64>>> {
        let mut found: Vec<StageRanks> = self
            .stages
            .iter()
            .zip(ranks)
            .map(|(stages, ranks)| stages.ranks(ranks))
            .collect();
        let wanted = self
            .device_windows
            .iter()
            .zip(&found)
            .filter(|(_, found)| !found.is_exact());
        if let Some(whole) = wanted
            .filter_map(|(device_windows, _)| device_windows.whole())
            .reduce(joined)
        {
            let places = places(store, &self.device_windows);
            let mut samples = StageSamples::default();
            RowsByDevice::new(store).each(whole.rows(&store.requests), |device, rows| {
                let Some(place) = places[device] else { return };
                let Some(window) = self.device_windows[place].whole() else {
                    return;
                };
                let before = |time: u64| rows.partition_point(|row| row.start() < time);
                samples.fill(&rows[before(window.from)..before(window.to)]);
                found[place].add(&samples);
            });
        }
        found.into_iter().map(StageRanks::finish).collect()
    }
}

fn joined(a: Window, b: Window) -> Window {
    Window {
        from: a.from.min(b.from),
        to: a.to.max(b.to),
    }
}

/// Place in `devices`, by index of the device.
fn places(store: &Store, devices: &[DeviceWindows]) -> Vec<Option<usize>> {
    let mut places = vec![None; store.devices.len()];
    devices
        .iter()
        .enumerate()
        .for_each(|(place, windows)| places[windows.device] = Some(place));
    places
}

/// Calls `visit` with what is measured in each window: number of the device in `devices`, number of
/// the window. Those of a device come in the order of its windows.
pub fn in_windows<'a>(
    store: &'a Store,
    devices: Vec<DeviceWindows<'a>>,
    visit: impl FnMut(usize, usize, WindowFigures),
) -> WindowSamples<'a> {
    let places = places(store, &devices);
    let seeks = |device: usize| {
        // The same in every window of the device.
        let completed = store.devices[device].recorded.row() == RowMeaning::Completion;
        [true, true, completed]
    };
    let placed = |plan: KindPlan| KindPlan {
        device: places[plan.device].unwrap_or(usize::MAX),
        ..plan
    };
    let plans = KindPlan::for_kinds(&store.events, seeks)
        .into_iter()
        .map(placed)
        .collect();
    let list: Vec<WindowCounters> = devices
        .iter()
        .map(|device| WindowCounters::new(store, *device))
        .collect();
    let whole = devices
        .iter()
        .filter_map(DeviceWindows::whole)
        .reduce(joined)
        .unwrap_or(Window { from: 0, to: 0 });
    let mut walk = WindowWalk {
        store,
        ends: next_end(&list),
        list,
        places,
        plans,
        counts: KindCounts::new(&store.events),
        row: store.requests.find(whole.from),
        rows: RowsByDevice::new(store),
        samples: StageSamples::default(),
        visit,
    };
    store.events.pieces(whole.events(&store.events), |piece| {
        piece.for_each(|event| walk.event(event));
        walk.list
            .iter_mut()
            .for_each(|device| device.events.flush(&mut device.counters));
    });
    while walk.is_open() {
        walk.end();
    }
    let of_device = |mut device: WindowCounters<'a>| {
        let usage = device.counters.usage.as_mut();
        let starved = usage.and_then(|(_, usage)| usage.take_starved());
        (device.stages, starved)
    };
    let (stages, starved) = walk.list.into_iter().map(of_device).unzip();
    WindowSamples {
        device_windows: devices,
        stages,
        starved,
    }
}

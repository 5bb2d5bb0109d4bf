//! Figures of devices in windows that follow one another: what the events tell of them, and one
//! pass over the requests, however many devices and windows there are.

use super::super::latency::{ByStage, StageRanks, StageSamples, WindowStages};
use super::super::span::{Span, Window};
use super::cut::{DeviceCut, WindowEvents};
use super::device::{DeviceCounters, RowsByDevice};
use super::{Figures, finish};
use seekscope_trace::outline::outlined;
use seekscope_trace::store::{RequestRow, Store};

/// A device and its windows.
#[derive(Clone, Copy, Debug)]
pub struct DeviceWindows<'a> {
    pub cut: &'a DeviceCut,
    pub span: &'a Span,
    /// What the events tell of each window.
    pub events: &'a [WindowEvents],
    /// Durations of its stages, ns: how many requests do not exceed them is counted.
    pub limits: &'a ByStage<Vec<u64>>,
}

/// The measures of one window.
#[derive(Clone, Debug)]
pub struct WindowFigures {
    /// Without alignment, percentiles of stages, medians of seeks and shares of depths.
    pub figures: Figures,
    /// Requests of the window that do not exceed each of the limits.
    pub within: ByStage<Vec<u64>>,
}

/// A device in its current window.
struct WindowCounters<'a> {
    device_windows: DeviceWindows<'a>,
    /// Number of the window.
    index: usize,
    counters: DeviceCounters<'a>,
    stages: WindowStages<'a>,
}

impl<'a> WindowCounters<'a> {
    fn new(store: &'a Store, device_windows: DeviceWindows<'a>) -> WindowCounters<'a> {
        let DeviceWindows {
            cut, span, limits, ..
        } = device_windows;
        let none = Window { from: 0, to: 0 };
        let first = cut.windows.first().copied().unwrap_or(none);
        WindowCounters {
            device_windows,
            index: 0,
            counters: DeviceCounters::without_usage(store, cut.device, span, first),
            stages: WindowStages::new(limits),
        }
    }

    fn window(&self) -> Option<Window> {
        self.device_windows.cut.windows.get(self.index).copied()
    }

    /// Counts rows that start before the end of the window, in their order.
    fn requests(&mut self, store: &Store, rows: &[RequestRow], samples: &mut StageSamples) {
        let Some(Window { from, .. }) = self.window() else {
            return;
        };
        let rows = &rows[rows.partition_point(|row| row.start() < from)..];
        samples.fill(rows);
        self.stages.add(samples);
        self.counters.requests(store, rows);
    }

    /// Ends the current window; the next one begins.
    fn end(&mut self, store: &'a Store, window: Window) -> WindowFigures {
        let DeviceWindows {
            cut, span, events, ..
        } = self.device_windows;
        let WindowEvents {
            kinds,
            usage,
            seeks,
        } = &events[self.index];
        self.index += 1;
        let next = self.window().unwrap_or(window);
        let next = DeviceCounters::without_usage(store, cut.device, span, next);
        let mut counters = std::mem::replace(&mut self.counters, next);
        for &(kind, count) in kinds {
            counters.kind(store.events.kind_of(kind), u64::from(count));
        }
        let messages = &store.messages.rows;
        let first = messages.partition_point(|m| m.time < window.from);
        let of_window = messages[first..].iter().take_while(|m| m.time < window.to);
        counters.messages = of_window
            .filter(|m| m.device as usize == cut.device)
            .count() as u64;
        let ns = counters.active.1 - counters.active.0;
        let seeks = seeks.map(|seeks| seeks.finish(ns));
        let (latency, within) = self.stages.end_window();
        WindowFigures {
            figures: Figures {
                latency,
                ..finish(counters, usage.clone(), seeks)
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
    /// The next row to count.
    row: usize,
    rows: RowsByDevice<'a>,
    samples: StageSamples,
    visit: F,
}

impl<F: FnMut(usize, usize, WindowFigures)> WindowWalk<'_, F> {
    /// The time at which the next window ends; absent after all of them.
    fn next_end(&self) -> Option<u64> {
        let ends = self
            .list
            .iter()
            .filter_map(|device| Some(device.window()?.to));
        ends.min()
    }

    /// Ends the windows that end at this time.
    fn end(&mut self, time: u64) {
        let WindowWalk {
            store,
            list,
            places,
            rows,
            samples,
            ..
        } = self;
        let before = Window { from: 0, to: time }.rows(&store.requests).end;
        outlined(|| {
            rows.each(self.row..before, |device, rows| {
                if let Some(place) = places[device] {
                    list[place].requests(store, rows, samples);
                }
            });
        });
        self.row = self.row.max(before);
        for (place, device) in list.iter_mut().enumerate() {
            if let Some(window) = device.window().filter(|window| window.to == time) {
                let number = device.index;
                let figures = outlined(|| device.end(store, window));
                (self.visit)(place, number, figures);
            }
        }
    }
}

/// The stages of the requests in all windows of some devices.
pub struct WindowSamples<'a> {
    device_windows: Vec<DeviceWindows<'a>>,
    stages: Vec<WindowStages<'a>>,
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
            .filter_map(|(device_windows, _)| device_windows.cut.whole())
            .reduce(joined)
        {
            let places = places(store, &self.device_windows);
            let mut samples = StageSamples::default();
            outlined(|| {
                RowsByDevice::new(store).each(whole.rows(&store.requests), |device, rows| {
                    let Some(place) = places[device] else { return };
                    let Some(window) = self.device_windows[place].cut.whole() else {
                        return;
                    };
                    let before = |time: u64| rows.partition_point(|row| row.start() < time);
                    samples.fill(&rows[before(window.from)..before(window.to)]);
                    found[place].add(&samples);
                });
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
        .for_each(|(place, windows)| places[windows.cut.device] = Some(place));
    places
}

/// Calls `visit` with what is measured in each window: number of the device in `devices`, number of
/// the window. Those of a device come in the order of its windows.
pub fn in_windows<'a>(
    store: &'a Store,
    devices: Vec<DeviceWindows<'a>>,
    visit: impl FnMut(usize, usize, WindowFigures),
) -> WindowSamples<'a> {
    let begins = devices.iter().filter_map(|device| device.cut.whole());
    let first = begins.map(|whole| whole.from).min().unwrap_or(0);
    let begin = |device: &DeviceWindows<'a>| WindowCounters::new(store, *device);
    let mut walk = WindowWalk {
        store,
        list: devices.iter().map(begin).collect(),
        places: places(store, &devices),
        row: store.requests.find(first),
        rows: RowsByDevice::new(store),
        samples: StageSamples::default(),
        visit,
    };
    while let Some(time) = walk.next_end() {
        walk.end(time);
    }
    let stages = walk.list.into_iter().map(|device| device.stages);
    WindowSamples {
        stages: stages.collect(),
        device_windows: devices,
    }
}

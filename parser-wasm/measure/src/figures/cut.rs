//! What the events of a device tell in windows that follow one another. They are counted in the
//! pass that measures the events of the complete time: a pass costs as much as all that it counts.

use super::super::depth::{Depth, Usage};
use super::super::span::{Span, Window};
use super::super::waiting::starved::StarvedTime;
use super::device::DeviceCounters;
use super::ordered::OrderedEvents;
use crate::access::seek::SeekTotals;
use seekscope_trace::store::Store;

/// A device and its windows.
#[derive(Clone, Debug)]
pub struct DeviceCut {
    /// Index of the store's devices; each has at most one cut.
    pub device: usize,
    /// Length of the windows, ns; the last one may be longer or shorter.
    pub width: u64,
    /// Each begins where the one before ends.
    pub windows: Vec<Window>,
}

impl DeviceCut {
    /// The time from the begin of the first window to the end of the last one.
    pub fn whole(&self) -> Option<Window> {
        Some(Window {
            from: self.windows.first()?.from,
            to: self.windows.last()?.to,
        })
    }
}

/// What the events of a window tell. Small, since it is kept for each of up to 600 windows.
#[derive(Clone, Debug)]
pub struct WindowEvents {
    /// Number and count of each kind that occurs; a store has at most 2^32 rows.
    pub kinds: Vec<(u32, u32)>,
    /// Without the shares of depths: 32,768 requests may be in flight.
    pub usage: Option<Usage>,
    /// At Q, D and C.
    pub seeks: [SeekTotals; 3],
}

/// What the events tell of a cut.
#[derive(Clone, Debug)]
pub struct CutEvents {
    /// One per window.
    pub windows: Vec<WindowEvents>,
    /// Absent without processes, among which it would be divided, and where it has too many
    /// intervals to be kept.
    pub starved: Option<StarvedTime>,
}

/// A cut and how much of it has passed.
struct OpenCut<'a> {
    cut: &'a DeviceCut,
    span: &'a Span,
    /// Number of boundaries that have passed: the begin of the first window, and all ends.
    passed: usize,
    ended: Vec<WindowEvents>,
}

impl OpenCut<'_> {
    /// The time of the next boundary; absent after the last one.
    fn next(&self) -> Option<u64> {
        let windows = &self.cut.windows;
        match self.passed.checked_sub(1) {
            None => windows.first().map(|first| first.from),
            Some(open) => windows.get(open).map(|window| window.to),
        }
    }
}

/// The cuts of a pass over the events.
pub(super) struct CutWalk<'a> {
    cuts: Vec<OpenCut<'a>>,
    /// Events of each kind since the last boundary of its device.
    counts: Vec<u32>,
    /// By device: the kinds that occurred since its last boundary.
    kinds: Vec<Vec<u32>>,
    /// The time of the next boundary; the maximum after the last one.
    next: u64,
}

impl<'a> CutWalk<'a> {
    pub fn new(
        store: &Store,
        cuts: impl Iterator<Item = (&'a DeviceCut, &'a Span)>,
    ) -> CutWalk<'a> {
        let begin = |(cut, span): (&'a DeviceCut, &'a Span)| OpenCut {
            cut,
            span,
            passed: 0,
            ended: Vec::with_capacity(cut.windows.len()),
        };
        let cuts: Vec<OpenCut> = cuts.map(begin).collect();
        // Without cuts, nothing is counted.
        let (kinds, devices) = match cuts.as_slice() {
            [] => (0, 0),
            _ => (store.events.kinds(), store.devices.len()),
        };
        CutWalk {
            next: next_of(&cuts).unwrap_or(u64::MAX),
            cuts,
            counts: vec![0; kinds],
            kinds: vec![Vec::new(); devices],
        }
    }

    /// Counts an event.
    #[inline(always)]
    pub fn count(&mut self, kind: u32, device: usize) {
        if let Some(count) = self.counts.get_mut(kind as usize) {
            if *count == 0 {
                self.kinds[device].push(kind);
            }
            *count += 1;
        }
    }

    /// Passes the boundaries up to `time`, before an event of this time is counted.
    #[inline(always)]
    pub fn advance(
        &mut self,
        time: u64,
        counters: &mut [DeviceCounters],
        events: &mut [OrderedEvents],
    ) {
        if time >= self.next {
            self.pass(time, counters, events);
        }
    }

    #[inline(never)]
    fn pass(&mut self, time: u64, counters: &mut [DeviceCounters], events: &mut [OrderedEvents]) {
        while let Some(next) = next_of(&self.cuts).filter(|next| *next <= time) {
            for place in 0..self.cuts.len() {
                if self.cuts[place].next() == Some(next) {
                    self.pass_one(place, counters, events);
                }
            }
        }
        self.next = next_of(&self.cuts).unwrap_or(u64::MAX);
    }

    /// Passes the next boundary of a cut: a window ends, the next one begins.
    fn pass_one(
        &mut self,
        place: usize,
        counters: &mut [DeviceCounters],
        events: &mut [OrderedEvents],
    ) {
        let OpenCut {
            cut,
            span,
            passed,
            ended,
        } = &mut self.cuts[place];
        let counters = &mut counters[cut.device];
        events[cut.device].flush(counters);
        let counts = &mut self.counts;
        let counted = self.kinds[cut.device]
            .drain(..)
            .map(|kind| (kind, std::mem::take(&mut counts[kind as usize])));
        match passed.checked_sub(1) {
            // The events before the first window.
            None => counted.for_each(drop),
            Some(open) => {
                let (usage, seeks) = counters.end_window(cut.windows[open]);
                ended.push(WindowEvents {
                    kinds: counted.collect(),
                    usage: usage.map(without_shares),
                    seeks,
                });
            }
        }
        if let Some(window) = cut.windows.get(*passed) {
            counters.begin_window(span, *window);
        }
        *passed += 1;
    }

    /// Ends the windows after the last event. The windows of each cut.
    pub fn finish(
        mut self,
        counters: &mut [DeviceCounters],
        events: &mut [OrderedEvents],
    ) -> Vec<Vec<WindowEvents>> {
        self.pass(u64::MAX, counters, events);
        self.cuts.into_iter().map(|open| open.ended).collect()
    }
}

fn next_of(cuts: &[OpenCut]) -> Option<u64> {
    cuts.iter().filter_map(OpenCut::next).min()
}

fn without_shares(usage: Usage) -> Usage {
    Usage {
        depth: usage.depth.map(|depth| Depth {
            shares: Vec::new(),
            ..depth
        }),
        ..usage
    }
}

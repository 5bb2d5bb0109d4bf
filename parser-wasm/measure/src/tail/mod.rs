//! Why the slowest requests were slow: the time of each of them (Q2C, else D2C) is split into parts
//! by what the device and its queue did meanwhile. The parts do not overlap and add up to the
//! request's own time.
//!
//! Before D a request waits: for its allocation (Q to G), in the plug of its process (G to I), or
//! in the queue. There it may be in the plug of the queue until a timer releases it. Otherwise it
//! is held while the device has fewer requests in flight than it takes at other times, and
//! otherwise waits for room. After D it is behind requests that were issued earlier until the last
//! of these has completed; then it is overtaken by later ones, or alone.
//!
//! One pass over the requests in time order. State per request is kept only for requests in flight
//! and slow requests that are not completed; a slow request costs 24 bytes more.

mod clock;
pub(super) mod plugs;
mod state;
mod sweep;
#[cfg(test)]
mod tests;
mod time_queue;

use super::histogram::{Histogram, Share};
use super::latency::stage;
use super::span::{Span, Window};
use super::waiting::unplug_timer;
use super::{depth, ratio};
use plugs::{PlugEvent, PlugEvents};
use seekscope_trace::event::{Action, Op};
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{RequestKind, RequestRow, RowMeaning, Stage, Store};
use serde::{Deserialize, Serialize};
use state::KindTag;
use std::ops::ControlFlow;
use sweep::Sweep;

/// Requests slower than this percentile are the tail, in ten-thousandths.
pub const TAIL: Share = 9_900;
/// Fewer requests in flight than this share of `full` is room that the device had.
const ROOM: f64 = 0.7;
/// Nothing in flight for so long is an idle interval after which a device may have to wake up, ns.
const WAKE: u64 = 100_000_000;
/// Limit for the processes that are named.
const NAMED: usize = 3;

/// What a part of a slow request's time went to, in the order of its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum TailCause {
    /// Q to G: no tag was free, or a limit such as wbt held the bio.
    Allocation,
    /// The request was in the plug of its process.
    Plugged,
    /// The request was in the plug of its queue, which a timer released.
    UnplugTimer,
    /// Held although the device had room, or had one request where it never has more, while only
    /// other processes were served.
    OtherProcess,
    /// The request was held although the device had room.
    Held,
    /// Not issued, while about as many requests were in flight as the device takes at other times.
    Queued,
    /// A read, while most of what was in flight were writes.
    Writes,
    /// A flush was in flight.
    Flush,
    /// In flight, and so was a request that was issued earlier.
    Ahead,
    /// In flight with requests that were issued later; all earlier ones were done.
    Overtaken,
    /// Alone in the device, which had nothing to do for a while before.
    AfterIdle,
    /// The request was alone in the device.
    Device,
    /// Events were lost, so nothing is certain.
    Unknown,
}

impl TailCause {
    pub const ALL: [TailCause; 13] = [
        TailCause::Allocation,
        TailCause::Plugged,
        TailCause::UnplugTimer,
        TailCause::OtherProcess,
        TailCause::Held,
        TailCause::Queued,
        TailCause::Writes,
        TailCause::Flush,
        TailCause::Ahead,
        TailCause::Overtaken,
        TailCause::AfterIdle,
        TailCause::Device,
        TailCause::Unknown,
    ];

    /// The name in JSON documents.
    pub fn code(self) -> &'static str {
        match self {
            TailCause::Allocation => "allocation",
            TailCause::Plugged => "plugged",
            TailCause::UnplugTimer => "unplug-timer",
            TailCause::OtherProcess => "other-process",
            TailCause::Held => "held",
            TailCause::Queued => "queued",
            TailCause::Writes => "writes",
            TailCause::Flush => "flush",
            TailCause::Ahead => "ahead",
            TailCause::Overtaken => "overtaken",
            TailCause::AfterIdle => "after-idle",
            TailCause::Device => "device",
            TailCause::Unknown => "unknown",
        }
    }

    /// The cause with this name.
    pub fn from_code(code: &str) -> Option<TailCause> {
        TailCause::ALL
            .into_iter()
            .find(|cause| cause.code() == code)
    }
}

/// ns by cause, in the order of [`TailCause::ALL`].
pub type TailParts = [u64; TailCause::ALL.len()];

/// The slowest requests of a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Tail {
    /// Q2C, or D2C of a device recorded without Q.
    pub stage: Stage,
    pub share: Share,
    /// The time above which a request is slow: that percentile of the stage, ns.
    pub threshold: u64,
    /// Requests above it; those equal to it where none is.
    pub n: u64,
    /// The sum of their times per cause.
    pub parts: [u128; TailCause::ALL.len()],
    /// Requests in flight, not exceeded for 95 % of the time.
    pub full: u32,
    /// Mean number of other requests in flight when one of them was issued.
    pub in_flight: f64,
    /// Processes that were served while slow requests of others were held, and their share of that
    /// time; the largest first.
    pub served: Vec<(u32, f64)>,
    /// The slowest requests, the slowest first.
    pub slowest: Vec<SlowRequest>,
}

/// A slow request; the slower one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SlowRequest {
    /// Its Q2C, or D2C, ns.
    pub ns: u64,
    pub row: u32,
    /// Number of other requests in flight at its D.
    pub in_flight: u32,
    pub parts: TailParts,
}

/// The limit above which the requests of a device are slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowThreshold {
    pub stage: Stage,
    pub share: Share,
    /// The limit in ns.
    pub ns: u64,
    /// Requests in flight, not exceeded for 95 % of the time.
    pub full: u32,
}

impl Tail {
    /// Sum of the times of all of them, ns.
    pub fn total(&self) -> u128 {
        self.parts.iter().sum()
    }

    /// Causes with their ns and their share of the total, the largest first.
    pub fn causes(&self) -> Vec<(TailCause, u128, f64)> {
        let total = self.total();
        let all = TailCause::ALL
            .into_iter()
            .zip(self.parts)
            .filter(|(_, ns)| *ns > 0);
        let mut causes: Vec<_> = all
            .map(|(cause, ns)| (cause, ns, ratio(ns, total)))
            .collect();
        causes.sort_short_by_key(|(_, ns, _)| std::cmp::Reverse(*ns));
        causes
    }
}

/// Requests that are slow however many there are: bounds the memory of a sweep.
const LIMIT: u64 = 200_000;

/// Requests of a device in flight, not exceeded for 95 % of the time of the complete trace: the
/// causes of a request do not depend on a window.
pub fn full(store: &Store, device: usize) -> Option<u32> {
    let span = Span::of_devices(store).into_iter().nth(device)?;
    Some(
        depth::usage(store, device as u32, &span, Window::WHOLE)?
            .depth?
            .p95,
    )
}

/// The threshold for those requests of a device that `takes` accepts: a percentile, and without one
/// all of them, at most 200,000. `None` where none of them has such a time.
pub fn threshold(
    store: &Store,
    device: usize,
    window: Window,
    share: Option<Share>,
    takes: impl Fn(RequestRow) -> bool,
    full: u32,
) -> Option<SlowThreshold> {
    let stage_of = own_stage(store, device)?;
    let requests = &store.requests;
    let stage_of_row = |row: RequestRow| {
        let is_own = row.kind().device as usize == device && takes(row);
        if is_own { stage(row, stage_of) } else { None }
    };
    let mut histogram = Histogram::default();
    requests.pieces(window.rows(requests), |piece| {
        histogram.add_all(piece.filter_map(stage_of_row))
    });
    let tally = histogram.tally();
    (tally.n > 0).then_some(())?;
    let share = share.or_else(|| {
        (tally.n > LIMIT).then(|| (10_000 - LIMIT * 10_000 / tally.n).clamp(1, 9_999) as Share)
    });
    let Some(share) = share else {
        return Some(SlowThreshold {
            stage: stage_of,
            share: 0,
            ns: tally.min.saturating_sub(1),
            full,
        });
    };
    let mut refine = histogram.refine(&[share]);
    requests.pieces(window.rows(requests), |piece| {
        refine.add_all(piece.filter_map(stage_of_row))
    });
    Some(SlowThreshold {
        stage: stage_of,
        share,
        ns: refine.finish().first().copied()?,
        full,
    })
}

/// Q2C where bios were recorded, else D2C; absent for a device whose rows are no requests.
pub fn own_stage(store: &Store, device: usize) -> Option<Stage> {
    let recorded = store.devices.get(device)?.recorded;
    let stage = if recorded.has(Action::Queue) {
        Stage::Q2C
    } else {
        Stage::D2C
    };
    (recorded.row() == RowMeaning::Request).then_some(stage)
}

/// The tails of all devices with a threshold, of requests issued in `window`. Lists at most `most`
/// requests of each.
pub fn tails(
    store: &Store,
    window: Window,
    thresholds: &[Option<SlowThreshold>],
    most: usize,
) -> Vec<Option<Tail>> {
    tails_of(store, window, thresholds, |_| true, |_| 0, most)
}

/// The same of requests that `takes` takes; all others are still what the device did meanwhile.
/// `first`: the first row to look at, for what is in flight at a time and was served before it.
pub fn tails_of(
    store: &Store,
    window: Window,
    thresholds: &[Option<SlowThreshold>],
    takes: impl Fn(RequestRow) -> bool,
    first: impl Fn(u64) -> usize,
    most: usize,
) -> Vec<Option<Tail>> {
    let requests = &store.requests;
    let mut found: Vec<Vec<u32>> = vec![Vec::new(); thresholds.len()];
    let mut above = vec![false; thresholds.len()];
    requests.each(window.rows(requests), |row| {
        let device = row.kind().device as usize;
        let Some(Some(slow)) = thresholds.get(device) else {
            return;
        };
        let Some(ns) = stage(row, slow.stage).filter(|ns| *ns >= slow.ns && takes(row)) else {
            return;
        };
        if ns > slow.ns && !std::mem::replace(&mut above[device], true) {
            found[device].clear();
        }
        if ns > slow.ns || !above[device] {
            found[device].push(row.row as u32);
        }
    });
    let mut timers = unplug_timer::intervals(store);
    let begin = |(device, (slow, rows)): (usize, (&Option<SlowThreshold>, Vec<u32>))| {
        let timers = timers.get_mut(device).map(std::mem::take);
        let timers = timers.unwrap_or_default();
        Some(Sweep::new(store, device, (*slow)?, (rows, timers), most))
    };
    let mut sweeps: Vec<Option<Sweep>> = thresholds
        .iter()
        .zip(found)
        .enumerate()
        .map(begin)
        .collect();
    if let Some(earliest) = sweeps.iter().flatten().filter_map(Sweep::begins).min() {
        sweep(store, &mut sweeps, first(earliest).min(requests.len()));
    }
    sweeps
        .into_iter()
        .map(|sweep| sweep.map(Sweep::finish))
        .collect()
}

/// Steps that are given to the sweeps at once, those of each device together: of 256 devices that
/// take turns, each sweep would have left the cache before its next request. The number bounds the
/// memory, however many plugs there are between two requests.
const STEPS_AT_ONCE: usize = 4096;

/// What happens to a device.
enum SweepStep<'a> {
    Plug(PlugEvent),
    Issue(RequestRow<'a>),
}

/// The sweeps of all devices, and the steps that they have not taken yet.
struct Sweeps<'a, 's> {
    list: &'s mut [Option<Sweep<'a>>],
    /// By device, in their order.
    waiting: Vec<Vec<SweepStep<'a>>>,
    count: usize,
    /// By the number of a request's kind, and of a plug's kind and process.
    tags: Vec<Option<KindTag>>,
    plug_processes: Vec<Option<u32>>,
    /// Whether all slow requests are completed.
    are_done: bool,
}

impl<'a> Sweeps<'a, '_> {
    #[inline]
    fn add(&mut self, device: u32, step: SweepStep<'a>) {
        if let Some(steps) = self.waiting.get_mut(device as usize) {
            steps.push(step);
            self.count += 1;
        }
        if self.count == STEPS_AT_ONCE {
            self.take_steps();
        }
    }

    fn take_steps(&mut self) {
        self.count = 0;
        self.are_done = true;
        for (sweep, steps) in self.list.iter_mut().zip(&mut self.waiting) {
            for step in steps.drain(..) {
                let Some(sweep) = sweep.as_mut().filter(|sweep| !sweep.is_done()) else {
                    break;
                };
                match step {
                    SweepStep::Plug(plug) => {
                        sweep.plug(&plug, &mut self.plug_processes[plug.number as usize]);
                    }
                    SweepStep::Issue(row) => {
                        sweep.issue(row, &mut self.tags[row.kind_number() as usize]);
                    }
                }
            }
            self.are_done &= sweep.as_ref().is_none_or(Sweep::is_done);
        }
    }
}

/// Takes all devices through their requests, from row `first` on, until the slow ones are
/// completed.
fn sweep<'a>(store: &'a Store, list: &mut [Option<Sweep<'a>>], first: usize) {
    let requests = &store.requests;
    let mut plugs = PlugEvents::new(store, first);
    let mut sweeps = Sweeps {
        waiting: list.iter().map(|_| Vec::new()).collect(),
        list,
        count: 0,
        tags: vec![None; requests.kinds()],
        plug_processes: vec![None; store.events.task_kinds()],
        are_done: false,
    };
    let _ = requests.until(first..requests.len(), |row| {
        while plugs.time <= row.start()
            && let Some(plug) = plugs.take()
        {
            sweeps.add(plug.device, SweepStep::Plug(plug));
        }
        sweeps.add(row.device(), SweepStep::Issue(row));
        if sweeps.are_done {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    sweeps.take_steps();
}

/// The part of a row that matters for other requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RowKind {
    Read,
    Write,
    Flush,
}

impl RowKind {
    fn from_kind(kind: &RequestKind) -> RowKind {
        match kind.op() {
            Op::Read => RowKind::Read,
            Op::Flush => RowKind::Flush,
            Op::Write | Op::Discard => RowKind::Write,
        }
    }
}

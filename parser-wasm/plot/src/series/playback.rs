//! The state of a device at moments that follow each other: what playback draws, frame by frame.
//!
//! One query answers many frames, so that drawing does not wait for the engine each time. The
//! frames are exact: requests in flight come from the rows, the depth from the effects of events,
//! and completed and starved sums from [`Totals`]. If more requests are in flight than an answer
//! may hold, it has fewer moments (half, a quarter, ...), and the caller asks again from there;
//! only if a single moment has too many, requests are left out and `exact` is false.

use super::depth::disk;
use super::moments::each;
use super::totals::{Total, Totals};
use crate::answer::{BadQuery, answer_object};
use crate::map::class::{Layer, LayerName};
use crate::map::seekmap::{Marks, MarksKind, marks};
use crate::query::{Filter, TimeRange};
use crate::select::Selection;
use crate::view::{View, end};
use seekscope_trace::event::Action;
use seekscope_trace::protocol::{FloatNs, Ns};
use seekscope_trace::store::{RequestRow, Role};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Parameters of `playback`. The filter decides what is completed and which requests are listed;
/// what is in flight, waiting and starved is that of the device, as in `depth`.
#[derive(Clone, Debug, Deserialize)]
pub struct PlaybackQuery {
    pub filter: Filter,
    /// Time of the first moment, ns; fractions are cut off.
    pub at: FloatNs,
    /// Time between two moments, ns.
    pub step: FloatNs,
    /// Number of moments.
    pub n: f64,
    /// Time before a moment over which its rates are counted, ns.
    pub window: FloatNs,
    pub layer: LayerName,
    /// Class of each process, for the layer `process`.
    pub slots: Option<Vec<f64>>,
    /// Maximum number of requests in flight.
    pub most: f64,
}

answer_object! {
    /// The state at moments of equal distance, and the requests that are in flight at one of them
    /// at least, in time order, as on the seek map. What happens at a moment is part of it.
    /// Completed reads and writes by the filter, counted as in the throughput; in flight, waiting
    /// and starved are those of the device, and NaN where it has no queue depth.
    pub struct PlaybackMoments {
        kind: MarksKind,
        n: usize,
        row: Vec<u32>,
        queued: Vec<f64>,
        issued: Vec<f64>,
        completed: Vec<f64>,
        lba: Vec<f64>,
        sectors: Vec<f64>,
        cls: Vec<u8>,
        op: Vec<u8>,
        moments: usize,
        /// False: at the only moment more requests are in flight than `most`, and some are left
        /// out.
        exact: bool,
        /// Completed in the whole trace.
        total_ios as "totalIos": f64,
        total_bytes as "totalBytes": f64,
        /// For each moment what was completed since the begin of the trace.
        ios: Vec<f64>,
        bytes: Vec<f64>,
        /// Completed within the window that ends with the moment.
        window_ios as "windowIos": Vec<f64>,
        window_bytes as "windowBytes": Vec<f64>,
        in_flight as "inFlight": Vec<f64>,
        waiting: Vec<f64>,
        /// Starved time since the begin of the trace, ns.
        starved: Vec<f64>,
    }
}

/// Upper limits of `n` and `most`.
const MAX_MOMENTS: usize = 512;
const MAX_REQUESTS: usize = 1 << 14;

/// Moments of equal distance. They may begin before the trace: then nothing has happened yet.
#[derive(Clone, Copy)]
struct Moments {
    first: i64,
    step: i64,
    n: usize,
}

impl Moments {
    fn new(query: &PlaybackQuery) -> Moments {
        // Far beyond any trace, and small enough that no sum of times overflows.
        const FAR: f64 = (1i64 << 60) as f64;
        let n = if query.n >= 1.0 {
            (query.n as usize).min(MAX_MOMENTS)
        } else {
            0
        };
        let step = query.step.clamp(1.0, FAR / MAX_MOMENTS as f64) as i64;
        Moments {
            first: query.at.clamp(-FAR, FAR).floor() as i64,
            step,
            n,
        }
    }

    fn time(self, k: usize) -> i64 {
        self.first + self.step * k as i64
    }

    /// Index of the first moment at which a request is in flight (issued and not yet completed), if
    /// there is one.
    fn first_in_flight(self, row: RequestRow) -> Option<usize> {
        let (from, to) = (
            row.start().min(i64::MAX as u64) as i64,
            end(row).min(i64::MAX as u64) as i64,
        );
        let k = from
            .saturating_sub(self.first)
            .max(0)
            .saturating_add(self.step - 1)
            / self.step;
        let k = usize::try_from(k).ok().filter(|&k| k < self.n)?;
        (self.time(k) < to).then_some(k)
    }

    /// Requests that are in flight at one moment at least. It stops after `limit` + 1.
    fn in_flight<'a>(
        self,
        view: View<'a>,
        selection: &Selection,
        limit: usize,
    ) -> Vec<RequestRow<'a>> {
        let mut found = Vec::new();
        if self.n > 0 {
            view.until_alive(
                TimeRange {
                    t0: self.first as f64,
                    t1: self.time(self.n - 1) as f64,
                },
                |row| {
                    if self.first_in_flight(row).is_some() && selection.takes(row) {
                        found.push(row);
                    }
                    if found.len() > limit {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                },
            );
        }
        found
    }
}

/// Answers `playback`: of fewer moments than were requested where more than `most` requests are in
/// flight at one of them, but of at least one.
pub fn playback(view: View, query: &PlaybackQuery) -> Result<PlaybackMoments, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let layer = Layer::new(
        query.layer,
        query.slots.clone(),
        &selection,
        &view.store.object_groups,
    )?;
    let device = query.filter.device;
    let has_depth = disk(view.store, device).is_ok();
    let limit = if query.most >= 0.0 {
        (query.most as usize).min(MAX_REQUESTS)
    } else {
        0
    };
    let mut moments = Moments::new(query);
    let mut rows = moments.in_flight(view, &selection, limit);
    while rows.len() > limit && moments.n > 1 {
        moments.n /= 2;
        rows = moments.in_flight(view, &selection, limit);
    }
    let exact = rows.len() <= limit;
    rows.truncate(limit);

    let totals = Totals::find(view, &query.filter, &selection);
    let window = if query.window >= 1.0 {
        query.window.min((1u64 << 60) as f64) as i64
    } else {
        0
    };
    let completed = |t: i64| {
        u64::try_from(t).map_or(Total::default(), |t| totals.completed(view, &selection, t))
    };
    let mut lists: [Vec<f64>; 7] = std::array::from_fn(|_| Vec::with_capacity(moments.n));
    for t in (0..moments.n).map(|k| moments.time(k)) {
        let done = completed(t);
        let before = completed(t.saturating_sub(window));
        let state = |t: u64| {
            view.store
                .state_before(device, view.store.events.find(t.saturating_add(1)))
        };
        let (depth, waiting) = u64::try_from(t).map_or((0, 0), state);
        let starved = u64::try_from(t).map_or(0, |t| totals.starved(view, device, t));
        let of_queue = |value: f64| if has_depth { value } else { f64::NAN };
        let values = [
            done.ios as f64,
            done.bytes as f64,
            done.ios.saturating_sub(before.ios) as f64,
            done.bytes.saturating_sub(before.bytes) as f64,
            of_queue(f64::from(depth.max(0))),
            of_queue(f64::from(waiting.max(0))),
            of_queue(starved as f64),
        ];
        for (list, value) in lists.iter_mut().zip(values) {
            list.push(value);
        }
    }
    let total = completed(view.store.span().min(i64::MAX as u64) as i64);
    let [
        ios,
        bytes,
        window_ios,
        window_bytes,
        in_flight,
        waiting,
        starved,
    ] = lists;
    let Marks {
        kind,
        n,
        row,
        queued,
        issued,
        completed,
        lba,
        sectors,
        cls,
        op,
    } = marks(&selection, &layer, &rows);
    Ok(PlaybackMoments {
        kind,
        n,
        row,
        queued,
        issued,
        completed,
        lba,
        sectors,
        cls,
        op,
        moments: moments.n,
        exact,
        total_ios: total.ios as f64,
        total_bytes: total.bytes as f64,
        ios,
        bytes,
        window_ios,
        window_bytes,
        in_flight,
        waiting,
        starved,
    })
}

/// Parameters of `nextStep`.
#[derive(Clone, Debug, Deserialize)]
pub struct NextStepQuery {
    pub filter: Filter,
    /// Time from which it searches, ns; not included.
    pub t: FloatNs,
    /// Direction: negative for the nearest time before `t`, else after it.
    pub by: f64,
}

/// The answer of `nextStep`; without properties if there is no such time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NextStep {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t: Option<Ns>,
    /// Number of requests issued at `t`, or of bios queued on a stacked device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begun: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed: Option<u32>,
}

/// Width of the first search, ns.
const FIRST_SEARCH: f64 = 65_536.0;
/// Factor by which each search is wider than the previous one, so that a long idle time takes few.
const WIDER: f64 = 8.0;

/// Answers `nextStep`: the nearest time after or before `t` at which something is issued (queued,
/// on a device without issues) or completed, and how much; without properties if there is none.
pub fn next_step(view: View, query: &NextStepQuery) -> Result<NextStep, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let role = view
        .store
        .devices
        .get(query.filter.device as usize)
        .map(|device| device.role);
    let begins = if role == Some(Role::Disk) {
        Action::Issue
    } else {
        Action::Queue
    };
    let forward = query.by >= 0.0;
    let last = view.store.span() as f64;
    let from = query.t.floor().clamp(-1.0, last + 1.0);
    let (mut reached, mut width) = (if forward { from + 1.0 } else { from }, FIRST_SEARCH);
    while if forward {
        reached <= last
    } else {
        reached > 0.0
    } {
        let next = if forward {
            reached + width
        } else {
            reached - width
        };
        let (t0, t1) = (reached.min(next).max(0.0), reached.max(next));
        // Time, begun, completed.
        let mut best: Option<(u64, [u32; 2])> = None;
        for (i, action) in [begins, Action::Complete].into_iter().enumerate() {
            each(view, &selection, action, TimeRange { t0, t1 }, |m| {
                let time = m.time as f64;
                if time < t0 || time >= t1 {
                    return;
                }
                let nearer = |than: u64| {
                    if forward {
                        m.time < than
                    } else {
                        m.time > than
                    }
                };
                match &mut best {
                    Some((t, counts)) if *t == m.time => counts[i] += 1,
                    Some((t, _)) if !nearer(*t) => {}
                    _ => {
                        let mut counts = [0; 2];
                        counts[i] = 1;
                        best = Some((m.time, counts));
                    }
                }
            });
        }
        if let Some((t, [begun, completed])) = best {
            return Ok(NextStep {
                t: Some(t),
                begun: Some(begun),
                completed: Some(completed),
            });
        }
        (reached, width) = (next, width * WIDER);
    }
    Ok(NextStep::default())
}

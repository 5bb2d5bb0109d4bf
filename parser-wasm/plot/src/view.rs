//! The trace that queries are answered from, an index of it, and properties of requests that
//! several queries use.
//!
//! The [`Index`] is exact, never an approximation: it only allows to skip blocks of [`BLOCK`] rows
//! that cannot contribute, and keeps what was computed before. While a trace is being read, its
//! rows are not in their final order, so an empty index is used, which skips nothing and keeps
//! nothing (`whole` is false).

use super::kept::KeptAnswers;
use super::list::lists::EventLists;
use super::query::TimeRange;
use super::select::Selection;
use super::series::depth_blocks::DepthBlocks;
use super::series::rate_blocks::{RateBlock, rate_blocks};
use super::series::totals::KeptTotals;
use seekscope_measure::failed::{RefusedBio, refused_bios};
use seekscope_measure::stalls::{Stall, stalls};
use seekscope_measure::{Geometry, Window, tail};
use seekscope_report::measured::Measured;
use seekscope_trace::event::Op;
use seekscope_trace::store::{RequestRow, Requests, Store, UNKNOWN_SPAN};
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::rc::Rc;

/// Rows of the request table per block.
const BLOCK: usize = 4096;
/// With fewer events no blocks of rates are made: visiting all events is fast enough.
const MIN_EVENTS: usize = 1 << 11;

/// When the requests of each block of rows are in flight. Without blocks none is excluded.
#[derive(Clone, Debug, Default)]
struct BlockTimes {
    /// Earliest begin and latest end of each block.
    blocks: Vec<(u64, u64)>,
    /// Latest completion of each block; 0 without any.
    completions: Vec<u64>,
}

/// When a request begins: its first Q, else its D.
#[inline]
pub fn begin(row: RequestRow) -> u64 {
    row.queued().unwrap_or_else(|| row.start())
}

/// When a request ends: `u64::MAX` if it does not complete within the trace. One whose end was not
/// recorded ends when it starts.
#[inline]
pub fn end(row: RequestRow) -> u64 {
    let unknown = || {
        if row.kind().momentary {
            row.start()
        } else {
            u64::MAX
        }
    };
    row.completed().unwrap_or_else(unknown)
}

/// Whether a request is in flight within `span`, ends included.
#[inline]
fn is_alive(row: RequestRow, span: TimeRange) -> bool {
    begin(row) as f64 <= span.t1 && end(row) as f64 >= span.t0
}

/// The rows of a block.
fn rows_of(block: usize, requests: &Requests) -> Range<usize> {
    block * BLOCK..((block + 1) * BLOCK).min(requests.len())
}

/// Q2C, or D2C without Q.
#[inline]
pub fn total_latency(row: RequestRow) -> Option<u64> {
    row.q2c().or_else(|| row.d2c())
}

/// The same from the spans of Q, G, I and C.
#[inline(always)]
pub fn short_latency([queued, _, _, completed]: [u32; 4], has_issue: bool) -> Option<u64> {
    let completed = (completed != UNKNOWN_SPAN).then_some(u64::from(completed))?;
    if queued == UNKNOWN_SPAN {
        has_issue.then_some(completed)
    } else {
        Some(u64::from(queued) + completed)
    }
}

/// Whether a request has a sector; flushes have none.
#[inline]
pub fn placed(row: RequestRow) -> bool {
    row.op() != Op::Flush && row.sector() != u64::MAX
}

impl BlockTimes {
    fn new(requests: &Requests) -> BlockTimes {
        let n = requests.len();
        let mut times = BlockTimes::default();
        for from in (0..n).step_by(BLOCK) {
            let ((mut first, mut last), mut completion) = ((u64::MAX, 0), 0);
            requests.each(from..(from + BLOCK).min(n), |row| {
                (first, last) = (first.min(begin(row)), last.max(end(row)));
                completion = completion.max(row.completed().unwrap_or_default());
            });
            times.blocks.push((first, last));
            times.completions.push(completion);
        }
        times
    }

    /// Whether rows of a block can be in flight within `span`, and whether all of them are.
    fn touches(&self, block: usize, span: TimeRange) -> (bool, bool) {
        self.blocks
            .get(block)
            .map_or((true, false), |&(first, last)| {
                let (first, last) = (first as f64, last as f64);
                (
                    first <= span.t1 && last >= span.t0,
                    first >= span.t0 && last <= span.t1,
                )
            })
    }
}

/// The sectors that requests touch, as (lowest, one past the highest); `low >= high` if no request
/// has a place.
#[derive(Clone, Debug, Default)]
struct SectorReach {
    devices: Vec<(u64, u64)>,
    /// For each block of rows, over all devices.
    blocks: Vec<(u64, u64)>,
}

impl SectorReach {
    fn new(store: &Store) -> SectorReach {
        let (requests, none) = (&store.requests, (u64::MAX, 0u64));
        let mut reaches = SectorReach {
            devices: vec![none; store.devices.len()],
            blocks: Vec::new(),
        };
        for from in (0..requests.len()).step_by(BLOCK) {
            let mut block = none;
            requests.each(from..(from + BLOCK).min(requests.len()), |row| {
                let kind = row.kind();
                if placed(row) {
                    let first = row.sector();
                    let end = first.saturating_add(kind.sectors().max(1));
                    let device = reaches.devices.get_mut(kind.device as usize);
                    for reach in [Some(&mut block), device].into_iter().flatten() {
                        *reach = (reach.0.min(first), reach.1.max(end));
                    }
                }
            });
            reaches.blocks.push(block);
        }
        reaches
    }
}

/// Makes answers about a complete trace fast. While a trace is being read, an empty index is used.
#[derive(Debug, Default)]
pub struct Index {
    reach: BlockTimes,
    /// Whether the trace is complete; if not, nothing below is used.
    whole: bool,
    /// Built on first use.
    depth_blocks: OnceCell<DepthBlocks>,
    /// By device, built when its throughput is drawn.
    rate_blocks: RefCell<BTreeMap<u32, Rc<Vec<RateBlock>>>>,
    /// See [`View::reach`].
    sectors: OnceCell<SectorReach>,
    lists: RefCell<EventLists>,
    answers: RefCell<KeptAnswers>,
    totals: RefCell<KeptTotals>,
    /// The figures of the complete time with the latest geometry: the summary and the digest are
    /// made from the same.
    measured: RefCell<Option<(Option<Geometry>, Rc<Measured>)>>,
    /// The stalls of the complete time: `moments` and the digest need them.
    stalls: OnceCell<Vec<Stall>>,
    /// See [`View::full`], by device.
    full: RefCell<BTreeMap<u32, Option<u32>>>,
    /// Built when rows are exported.
    refused: OnceCell<Vec<RefusedBio>>,
}

impl Index {
    /// The index of a complete trace.
    pub fn new(store: &Store) -> Index {
        Index {
            reach: BlockTimes::new(&store.requests),
            whole: true,
            ..Index::default()
        }
    }

    /// Calls `work` with the kept event lists.
    pub fn lists<T>(&self, work: impl FnOnce(&mut EventLists) -> T) -> T {
        work(&mut self.lists.borrow_mut())
    }

    /// Memory of what was built and kept, bytes.
    pub fn memory(&self) -> usize {
        let depth_blocks = self.depth_blocks.get().map_or(0, DepthBlocks::memory);
        let rates = self
            .rate_blocks
            .borrow()
            .values()
            .map(|blocks| blocks.len() * size_of::<RateBlock>())
            .sum::<usize>();
        self.reach.blocks.len() * size_of::<(u64, u64, u64)>()
            + depth_blocks
            + rates
            + self.refused.get().map_or(0, Vec::len) * size_of::<RefusedBio>()
            + self.lists.borrow().memory()
            + self.answers.borrow().memory()
            + self.totals.borrow().memory()
    }
}

/// What queries are answered from.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The trace, or what has been read of it so far.
    pub store: &'a Store,
    /// Must be of the same trace.
    pub index: &'a Index,
}

impl<'a> View<'a> {
    /// Calls `work` with the kept answers and the number of lanes, if the trace is complete.
    pub fn with_answers<T>(self, work: impl FnOnce(&mut KeptAnswers, usize) -> T) -> Option<T> {
        self.index.whole.then(|| {
            work(
                &mut self.index.answers.borrow_mut(),
                self.store.lanes.rows.len(),
            )
        })
    }

    /// Calls `work` with the sums of the latest filters, if the trace is complete.
    pub fn with_totals<T>(self, work: impl FnOnce(&mut KeptTotals) -> T) -> Option<T> {
        self.index
            .whole
            .then(|| work(&mut self.index.totals.borrow_mut()))
    }

    /// Sums of the queue depth, if the trace is complete.
    pub fn depth_blocks(self) -> Option<&'a DepthBlocks> {
        self.index.whole.then(|| {
            self.index
                .depth_blocks
                .get_or_init(|| DepthBlocks::new(self.store))
        })
    }

    /// What a device completed per block of events, if the trace is complete and worth it.
    pub fn rate_blocks(self, device: u32) -> Option<Rc<Vec<RateBlock>>> {
        if !self.index.whole || self.store.events.len() < MIN_EVENTS {
            return None;
        }
        let mut devices = self.index.rate_blocks.borrow_mut();
        Some(
            devices
                .entry(device)
                .or_insert_with(|| Rc::new(rate_blocks(self.store, device)))
                .clone(),
        )
    }

    /// Bios that were refused, in the order of their Q; none while the trace is being read.
    pub fn refused_bios(self) -> &'a [RefusedBio] {
        if !self.index.whole {
            return &[];
        }
        let refused = &self.index.refused;
        refused.get_or_init(|| refused_bios(self.store))
    }

    /// Figures and tails of a window; kept for the complete time.
    pub fn measured(self, window: Window, geometry: Option<Geometry>) -> Rc<Measured> {
        if !self.index.whole || window != Window::WHOLE {
            return Rc::new(Measured::new(self.store, window, geometry));
        }
        let mut latest = self.index.measured.borrow_mut();
        match latest.as_ref() {
            Some((previous, measured)) if *previous == geometry => measured.clone(),
            _ => {
                let measured = Rc::new(Measured::new(self.store, window, geometry));
                *latest = Some((geometry, measured.clone()));
                measured
            }
        }
    }

    /// The stalls of a window; kept for the complete time.
    pub fn stalls(self, window: Window) -> Cow<'a, [Stall]> {
        let find = || stalls(self.store, window);
        if self.index.whole && window == Window::WHOLE {
            Cow::Borrowed(self.index.stalls.get_or_init(find))
        } else {
            Cow::Owned(find())
        }
    }

    /// Figures and tails of the complete time, if a query needed them before and `range` has all
    /// events.
    pub fn measured_whole(self, range: TimeRange) -> Option<Rc<Measured>> {
        let is_whole = || self.events(range) == (0..self.store.events.len());
        let measured = self.index.measured.borrow();
        let (_, measured) = measured.as_ref().filter(|_| is_whole())?;
        Some(measured.clone())
    }

    /// [`tail::full`], computed once.
    pub fn full(self, device: u32) -> Option<u32> {
        let find = || tail::full(self.store, device as usize);
        if self.index.whole {
            *self
                .index
                .full
                .borrow_mut()
                .entry(device)
                .or_insert_with(find)
        } else {
            find()
        }
    }

    /// A row before which no request completes at `time` or later. At least one block of earlier
    /// completions follows it, if there is one: the tail needs what was served just before `time`.
    pub fn first_completing(self, time: u64) -> usize {
        let block = self
            .index
            .reach
            .completions
            .iter()
            .position(|last| *last >= time)
            .unwrap_or_default();
        block.saturating_sub(1) * BLOCK
    }

    /// Whether a time is in `span`. A span that ends at the end of the trace includes its last
    /// event.
    #[inline]
    pub fn holds(&self, span: TimeRange, t: u64) -> bool {
        let t = t as f64;
        t >= span.t0 && (t < span.t1 || t == span.t1 && t == self.store.span() as f64)
    }

    /// `span` in whole ns; empty if it is reversed.
    pub fn window(&self, span: TimeRange) -> Window {
        // A span to the end of the trace includes its last event.
        let last = u64::from(span.t1 == self.store.span() as f64);
        let from = span.t0.max(0.0).ceil() as u64;
        Window {
            from,
            to: (span.t1.max(0.0).ceil() as u64)
                .saturating_add(last)
                .max(from),
        }
    }

    /// Rows that start (D of a request, Q of a bio) within `span`.
    pub fn starting(&self, span: TimeRange) -> Range<usize> {
        self.window(span).rows(&self.store.requests)
    }

    /// Events within `span`.
    pub fn events(&self, span: TimeRange) -> Range<usize> {
        self.window(span).events(&self.store.events)
    }

    /// Visits requests that are in flight within `span`, ends included: begun (Q) by its end, not
    /// completed at its start.
    pub fn each_alive(self, span: TimeRange, mut visit: impl FnMut(RequestRow<'a>)) {
        self.until_alive(span, |row| {
            visit(row);
            ControlFlow::Continue(())
        });
    }

    /// As [`View::each_alive`], until `visit` breaks.
    pub fn until_alive(
        self,
        span: TimeRange,
        mut visit: impl FnMut(RequestRow<'a>) -> ControlFlow<()>,
    ) {
        let _ = self
            .blocks()
            .try_for_each(|block| self.until_alive_in(block, span, &mut visit));
    }

    /// The blocks of rows, in time order.
    pub fn blocks(self) -> Range<usize> {
        0..self.store.requests.len().div_ceil(BLOCK)
    }

    /// As [`View::each_alive`], for the rows of one block that a filter includes.
    pub fn each_taken_in(
        self,
        block: usize,
        span: TimeRange,
        selection: &Selection,
        mut visit: impl FnMut(RequestRow<'a>),
    ) {
        let (any, all) = self.index.reach.touches(block, span);
        if any {
            let requests = &self.store.requests;
            selection.each(requests, rows_of(block, requests), |row| {
                if all || is_alive(row, span) {
                    visit(row);
                }
            });
        }
    }

    fn until_alive_in(
        self,
        block: usize,
        span: TimeRange,
        mut visit: impl FnMut(RequestRow<'a>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let requests = &self.store.requests;
        let (any, all) = self.index.reach.touches(block, span);
        if !any {
            return ControlFlow::Continue(());
        }
        requests.until(rows_of(block, requests), |row| {
            if all || is_alive(row, span) {
                visit(row)
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    fn sectors(self) -> Option<&'a SectorReach> {
        self.index.whole.then(|| {
            self.index
                .sectors
                .get_or_init(|| SectorReach::new(self.store))
        })
    }

    /// Lowest sector and end of the highest request of a device, if the trace is complete; `low >=
    /// high` if none has a place.
    pub fn reach(self, device: u32) -> Option<(u64, u64)> {
        self.sectors()?.devices.get(device as usize).copied()
    }

    /// Lowest sector and end of the highest request in a block of rows, over all devices, if the
    /// trace is complete.
    pub fn block_reach(self, block: usize) -> Option<(u64, u64)> {
        self.sectors()?.blocks.get(block).copied()
    }

    /// Name of a process: `pid 123` if the trace has no name, `unknown` if the index is out of
    /// range.
    pub fn process_name(&self, index: u32) -> String {
        self.store
            .processes
            .get(index as usize)
            .map_or_else(|| "unknown".to_owned(), |p| p.label())
    }

    /// Rows that start within each of `n` equal parts of `span`. The parts share no row and leave
    /// none out: each begins where the previous one ended.
    pub fn columns(self, span: TimeRange, n: usize) -> impl Iterator<Item = Range<usize>> + 'a {
        let requests = &self.store.requests;
        let Range { start, end } = self.starting(span);
        let mut from = start;
        (1..=n).map(move |k| {
            let edge = span.t0 + span.length() * k as f64 / n as f64;
            let to = if k == n {
                end
            } else {
                requests
                    .find(edge.max(0.0).ceil() as u64)
                    .clamp(from, end.max(from))
            };
            std::mem::replace(&mut from, to)..to
        })
    }
}

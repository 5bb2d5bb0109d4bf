//! The counters of a device, and what passes over the events and requests add to them.

use super::super::counts::EventCounts;
use super::super::coverage::Coverage;
use super::super::depth::{Usage, UsageCounter};
use super::super::failed::FailedCount;
use super::super::flush::FlushCounter;
use super::super::intervals::DepthSteps;
use super::super::latency::{StageHistograms, StageSamples};
use super::super::size::SizeCounter;
use super::super::span::{Span, Window};
use super::super::throughput::CompletionCounter;
use super::super::waiting::starved::StarvedTime;
use crate::access::interleaving::InterleavingCounter;
use crate::access::order::{OrderCounter, RequestPart};
use crate::access::seek::{SeekCounter, SeekTotals};
use crate::arrays::alignment::{AlignmentCounter, OffBlockCount};
use seekscope_trace::event::{Action, Flags, Op};
use seekscope_trace::store::{Device, Effect, EventKind, RequestRow, Role, RowMeaning, Store};
use std::hint::black_box;
use std::ops::Range;

pub(super) struct DeviceCounters<'a> {
    pub device: &'a Device,
    pub row: RowMeaning,
    pub active: (u64, u64),
    pub counts: EventCounts,
    pub failed: FailedCount,
    pub messages: u64,
    /// Completions at Q, D and C.
    pub moved: [CompletionCounter; 3],
    /// The part of those at C that completed before the active time.
    pub early: CompletionCounter,
    pub usage: Option<(DepthSteps, UsageCounter)>,
    /// The usage in the current window of its bins.
    pub part: Option<UsageCounter>,
    pub stages: StageHistograms,
    pub sizes: [SizeCounter; 3],
    pub issued: SeekCounter,
    pub queued: SeekCounter,
    pub completed: SeekCounter,
    pub turns: InterleavingCounter,
    pub flush: FlushCounter,
    pub sync: u64,
    pub with_data: u64,
    pub off_block: OffBlockCount,
    pub order: OrderCounter,
    pub migrated: RequestPart,
    pub alignment: Option<(AlignmentCounter, Coverage<'a>)>,
}

impl<'a> DeviceCounters<'a> {
    pub fn new(store: &'a Store, index: usize, span: &Span, window: Window) -> Self {
        let first = window.events(&store.events).start;
        let begin = DepthSteps::new(window.from, store.state_before(index as u32, first));
        let counters = Self::without_usage(store, index, span, window);
        let usage = counters.usage_in(span, window);
        DeviceCounters {
            usage: usage.map(|usage| (begin, usage)),
            ..counters
        }
    }

    /// Counters for a window whose usage is known.
    pub fn without_usage(store: &'a Store, index: usize, span: &Span, window: Window) -> Self {
        let device = &store.devices[index];
        DeviceCounters {
            device,
            row: device.recorded.row(),
            active: window.clip(span.active()),
            counts: EventCounts::default(),
            failed: FailedCount::default(),
            messages: 0,
            moved: Default::default(),
            early: CompletionCounter::default(),
            usage: None,
            part: None,
            stages: StageHistograms::default(),
            sizes: Default::default(),
            issued: SeekCounter::default(),
            queued: SeekCounter::default(),
            completed: SeekCounter::default(),
            turns: InterleavingCounter::default(),
            flush: FlushCounter::default(),
            sync: 0,
            with_data: 0,
            off_block: OffBlockCount::default(),
            order: OrderCounter::default(),
            migrated: RequestPart::default(),
            alignment: None,
        }
    }

    /// A counter of the usage; absent without D.
    fn usage_in(&self, span: &Span, window: Window) -> Option<UsageCounter> {
        if self.row == RowMeaning::Bio && self.device.role == Role::Disk {
            Some(UsageCounter::of_bios(span, window))
        } else {
            UsageCounter::new(span, window)
        }
    }

    /// Begins a window of the bins: what is counted until it ends is that of the window, too.
    pub fn begin_window(&mut self, span: &Span, window: Window) {
        if let Some((steps, usage)) = &mut self.usage {
            usage.add(steps.step(window.from, Effect::default()));
        }
        let starved_time = self
            .usage
            .as_mut()
            .and_then(|(_, usage)| usage.starved_time.take());
        self.part = self.usage_in(span, window);
        if let Some(part) = &mut self.part {
            part.starved_time = starved_time;
        }
        for seeks in self.seeks().into_iter().flatten() {
            seeks.begin_part();
        }
    }

    /// Ends the window: its usage, and its seeks at Q, D and C.
    pub fn end_window(&mut self, window: Window) -> (Option<Usage>, [SeekTotals; 3]) {
        let usage = self.usage.as_mut().zip(self.part.take());
        let usage = usage.map(|((steps, usage), mut part)| {
            part.add(steps.step(window.to, Effect::default()));
            usage.append(&part);
            usage.starved_time = part.starved_time.take();
            part.finish()
        });
        let seeks = self.seeks();
        (
            usage,
            seeks.map(|seeks| seeks.map_or_else(SeekTotals::default, |seeks| seeks.part())),
        )
    }

    /// Collects the starved time from now on.
    pub fn collect_starved(&mut self) {
        if let Some((_, usage)) = &mut self.usage {
            usage.starved_time = Some(StarvedTime::default());
        }
    }

    /// Ends the active time: its usage, and the starved time where it was collected.
    pub fn end_usage(&mut self) -> (Option<Usage>, Option<StarvedTime>) {
        let Some((mut steps, mut usage)) = self.usage.take() else {
            return (None, None);
        };
        usage.add(steps.step(self.active.1, Effect::default()));
        let starved = usage.starved_time.take();
        (Some(usage.finish()), starved)
    }

    /// Counts `n` events of a kind.
    pub fn kind(&mut self, kind: &EventKind, n: u64) {
        let &EventKind {
            action,
            flags,
            bytes,
            ..
        } = kind;
        self.counts.add(action, flags, bytes, n);
        self.failed.add_kind(kind, n);
        if let Some(place) = place(action) {
            self.sizes[place].add(u64::from(bytes >> 9), flags.op(bytes), n);
            self.moved[place].add(flags, bytes, n);
            self.flush.add(action, flags, bytes, n);
        }
    }

    /// Notes a C that may be before the active time.
    #[inline(always)]
    pub fn note_completion(&mut self, store: &Store, kind: u32, time: u64) {
        if time < self.active.0 {
            let kind = store.events.kind_of(kind);
            self.early.add(kind.flags, kind.bytes, 1);
        }
    }

    /// Takes changes of the state, in their order.
    pub fn steps(&mut self, changes: &[(u64, Effect)]) {
        if let Some((steps, usage)) = &mut self.usage {
            self.part.as_mut().unwrap_or(usage).add_all(steps, changes);
        }
    }

    /// The counters of seeks at Q, D and C; at C only where nothing else was recorded.
    pub fn seeks(&mut self) -> [Option<&mut SeekCounter>; 3] {
        let completed = (self.row == RowMeaning::Completion).then_some(&mut self.completed);
        [Some(&mut self.queued), Some(&mut self.issued), completed]
    }

    /// Counts rows of the device, in their order, but not their stages.
    pub fn requests(&mut self, store: &Store, rows: &[RequestRow]) {
        let queues = matches!(self.row, RowMeaning::Request | RowMeaning::Issue);
        for &row in rows {
            let kind = row.kind();
            if kind.bios > 0 && !kind.bio {
                self.turns.add(kind.process);
            }
            let sectors = u64::from(kind.bytes >> 9);
            if sectors > 0 {
                self.with_data += 1;
                self.sync += u64::from(kind.flags.has(Flags::SYNC));
                if queues && let Some(queued) = row.queued() {
                    self.order.add(queued);
                }
                if row.completed().is_some() {
                    self.migrated.add(kind.submit_cpu != row.complete_cpu());
                }
            }
            match kind.flags.op(kind.bytes) {
                Op::Write => self.off_block.add(row.sector(), sectors),
                Op::Flush => {
                    if let Some(completed) = row.completed() {
                        let (from, to) = self.active;
                        self.flush
                            .in_flight(row.start().clamp(from, to), completed.clamp(from, to));
                    }
                }
                Op::Read | Op::Discard => {}
            }
            if let Some((alignment, coverage)) = &mut self.alignment {
                alignment.add(row.sector(), sectors);
                coverage.add(store, row.row);
            }
        }
    }
}

/// Index of Q, D and C; other events have no size.
#[inline]
pub(super) fn place(action: Action) -> Option<usize> {
    match action {
        Action::Queue => Some(0),
        Action::Issue => Some(1),
        Action::Complete => Some(2),
        _ => None,
    }
}

/// Events or rows of one device that are measured together, at least: of hundreds of devices, a
/// block has a few each, and the counters of each device would be fetched for them.
pub(super) const MIN_TOGETHER: usize = 64;

/// Sorts rows of a store by device.
pub(super) struct RowsByDevice<'a> {
    store: &'a Store,
    rows: Vec<Vec<RequestRow<'a>>>,
}

impl<'a> RowsByDevice<'a> {
    pub fn new(store: &'a Store) -> RowsByDevice<'a> {
        RowsByDevice {
            store,
            rows: vec![Vec::new(); store.devices.len()],
        }
    }

    /// Gives rows to `work`, many of a device at once: index of the device, and rows in their
    /// order.
    pub fn each(&mut self, rows: Range<usize>, mut work: impl FnMut(usize, &[RequestRow<'a>])) {
        let lists = &mut self.rows;
        self.store.requests.pieces(rows, |piece| {
            for row in piece {
                // Times are read here, where memory is fetched ahead: row after row. By device,
                // each would be waited for.
                black_box(row.start());
                if let Some(list) = lists.get_mut(row.kind().device as usize) {
                    list.push(row);
                }
            }
            each_list(lists, MIN_TOGETHER, &mut work);
        });
        each_list(&mut self.rows, 1, work);
    }
}

/// Passes the lists with at least `min` rows on, and empties them.
fn each_list<'a>(
    lists: &mut [Vec<RequestRow<'a>>],
    min: usize,
    mut work: impl FnMut(usize, &[RequestRow<'a>]),
) {
    let long = lists.iter_mut().enumerate();
    for (device, rows) in long.filter(|(_, rows)| rows.len() >= min) {
        work(device, rows);
        rows.clear();
    }
}

pub(super) fn walk_requests(store: &Store, window: Window, tallies: &mut [DeviceCounters]) {
    let mut samples = StageSamples::default();
    RowsByDevice::new(store).each(window.rows(&store.requests), |device, rows| {
        samples.fill(rows);
        tallies[device].stages.add(&samples);
        tallies[device].requests(store, rows);
    });
}

/// Second pass: the exact percentiles of the stages.
pub(super) fn refine_stages(store: &Store, window: Window, tallies: &mut [DeviceCounters]) {
    let mut samples = StageSamples::default();
    RowsByDevice::new(store).each(window.rows(&store.requests), |device, rows| {
        samples.fill(rows);
        tallies[device].stages.again(&samples);
    });
}

//! The counters of a device, and what passes over the events and requests add to them.

use super::super::alignment::{AlignmentCounter, OffBlockCount};
use super::super::counts::EventCounts;
use super::super::coverage::Coverage;
use super::super::depth::UsageCounter;
use super::super::flush::FlushCounter;
use super::super::interleaving::InterleavingCounter;
use super::super::intervals::DepthSteps;
use super::super::latency::StageHistograms;
use super::super::order::{OrderCounter, RequestPart};
use super::super::seek::SeekCounter;
use super::super::size::SizeCounter;
use super::super::span::{Span, Window};
use super::super::throughput::CompletionCounter;
use crate::event::{Action, Flags, Op};
use crate::store::{Device, Effect, Events, Role, RowMeaning, Store, rows};
use std::ops::Range;

pub(super) struct DeviceCounters<'a> {
    pub device: &'a Device,
    pub row: RowMeaning,
    pub active: (u64, u64),
    pub counts: EventCounts,
    pub messages: u64,
    /// At Q, D and C.
    pub moved: [CompletionCounter; 3],
    pub usage: Option<(DepthSteps, UsageCounter)>,
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

/// The counters of one device, or of all.
pub(super) struct AllCounters<'a> {
    pub first: usize,
    pub list: Vec<DeviceCounters<'a>>,
}

impl<'a> AllCounters<'a> {
    pub fn of(&mut self, device: u32) -> Option<&mut DeviceCounters<'a>> {
        self.list.get_mut((device as usize).wrapping_sub(self.first))
    }
}

impl<'a> DeviceCounters<'a> {
    pub fn new(store: &'a Store, index: usize, span: &Span, window: Window) -> Self {
        let first = window.events(&store.events).start;
        let device = &store.devices[index];
        let row = device.recorded.row();
        let outstanding = row == RowMeaning::Bio && device.role == Role::Disk;
        let usage = if outstanding { Some(UsageCounter::of_bios(span, window)) } else { UsageCounter::new(span, window) };
        DeviceCounters {
            device,
            row,
            active: window.clip(span.active()),
            counts: EventCounts::default(),
            messages: 0,
            moved: Default::default(),
            usage: usage.map(|u| (DepthSteps::new(window.from, store.state_before(index as u32, first)), u)),
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

    /// Counts events of the device, in their order. `at` becomes those at Q, D and C.
    fn events(&mut self, events: &Events, rows: &[u32], at: &mut [Vec<u32>; 3]) {
        at.iter_mut().for_each(Vec::clear);
        for &row in rows {
            let i = row as usize;
            let action = events.action(i);
            self.counts.add(action, events.flags(i), events.bytes(i));
            let effect = events.effect(i);
            if effect != Effect::default()
                && let Some((steps, usage)) = &mut self.usage
            {
                usage.add(steps.step(events.time(i), effect));
            }
            if let Some(place) = place(action) {
                at[place].push(row);
            }
        }
        for (place, (action, rows)) in [Action::Queue, Action::Issue, Action::Complete].into_iter().zip(&*at).enumerate() {
            let (sizes, mut moved) = (&mut self.sizes[place], self.moved[place]);
            let from = if place < 2 { 0 } else { self.active.0 };
            for i in rows.iter().map(|&row| row as usize) {
                let (flags, bytes) = (events.flags(i), events.bytes(i));
                sizes.add(events.sectors(i), flags.op(bytes));
                if from == 0 || events.time(i) >= from {
                    moved.add(flags, bytes);
                }
                self.flush.add(action, flags, bytes);
            }
            self.moved[place] = moved;
        }
        for (seeks, rows) in self.seeks().into_iter().zip(&*at) {
            seeks.into_iter().for_each(|seeks| seeks.add_all(places(events, rows)));
        }
    }

    /// The same events again, for the medians of seeks.
    fn seek_again(&mut self, events: &Events, rows: &[u32], at: &mut [Vec<u32>; 3]) {
        at.iter_mut().for_each(Vec::clear);
        for &row in rows {
            if let Some(place) = place(events.action(row as usize)) {
                at[place].push(row);
            }
        }
        for (seeks, rows) in self.seeks().into_iter().zip(&*at) {
            seeks.into_iter().for_each(|seeks| seeks.add_all_again(places(events, rows)));
        }
    }

    /// At Q, D and C; at C only where nothing else was recorded.
    fn seeks(&mut self) -> [Option<&mut SeekCounter>; 3] {
        let completed = (self.row == RowMeaning::Completion).then_some(&mut self.completed);
        [Some(&mut self.queued), Some(&mut self.issued), completed]
    }

    /// Counts rows of the device, in their order.
    fn requests(&mut self, store: &Store, rows: &[u32]) {
        let requests = &store.requests;
        self.stages.add(requests, rows);
        for row in rows.iter().map(|&row| row as usize) {
            if requests.bios(row) > 0 && !requests.is_bio(row) {
                self.turns.add(requests.process(row));
            }
            let (start, sector, sectors) = (requests.start(row), requests.sector(row), requests.sectors(row));
            let (flags, op) = (requests.flags(row), requests.op(row));
            if sectors > 0 {
                self.with_data += 1;
                self.sync += u64::from(flags.has(Flags::SYNC));
                if matches!(self.row, RowMeaning::Request | RowMeaning::Issue)
                    && let Some(queued) = requests.queued(row)
                {
                    self.order.add(queued);
                }
                if requests.completed(row).is_some() {
                    self.migrated.add(requests.submit_cpu(row) != requests.complete_cpu(row));
                }
            }
            if op == Op::Write {
                self.off_block.add(sector, sectors);
            }
            if op == Op::Flush
                && let Some(completed) = requests.completed(row)
            {
                let (from, to) = self.active;
                self.flush.in_flight(start.clamp(from, to), completed.clamp(from, to));
            }
            if let Some((alignment, coverage)) = &mut self.alignment {
                alignment.add(sector, sectors);
                coverage.add(store, row);
            }
        }
    }
}

/// Index of Q, D and C; other events have no size.
#[inline]
fn place(action: Action) -> Option<usize> {
    match action {
        Action::Queue => Some(0),
        Action::Issue => Some(1),
        Action::Complete => Some(2),
        _ => None,
    }
}

/// First sectors and lengths of events.
fn places<'a>(events: &'a Events, rows: &'a [u32]) -> impl Iterator<Item = (u64, u64)> + 'a {
    rows.iter().map(|&row| (events.sector(row as usize), events.sectors(row as usize)))
}

/// All events of the window, a block at once: those of a device, then of these those at Q, D and C. What is counted of many is in
/// registers meanwhile.
pub(super) fn walk_events(store: &Store, window: Window, tallies: &mut AllCounters) {
    let events = &store.events;
    let mut own = RowsByDevice::of(tallies);
    let mut at: [Vec<u32>; 3] = Default::default();
    rows::blocks(window.events(events), |block| {
        own.fill(block, |i| events.device(i));
        own.each(|device, rows| tallies.list[device].events(events, rows, &mut at));
    });
}

/// The medians of seeks, where the first pass does not tell them.
pub(super) fn refine_seeks(store: &Store, window: Window, tallies: &mut AllCounters) {
    let exact = |tally: &mut DeviceCounters| tally.queued.is_exact() & tally.issued.is_exact() & tally.completed.is_exact();
    if tallies.list.iter_mut().all(exact) {
        return;
    }
    let events = &store.events;
    let mut own = RowsByDevice::of(tallies);
    let mut at: [Vec<u32>; 3] = Default::default();
    rows::blocks(window.events(events), |block| {
        own.fill(block, |i| events.device(i));
        own.each(|device, rows| tallies.list[device].seek_again(events, rows, &mut at));
    });
}

/// The rows of a block, by device.
struct RowsByDevice {
    first: usize,
    rows: Vec<Vec<u32>>,
}

impl RowsByDevice {
    fn of(tallies: &AllCounters) -> RowsByDevice {
        RowsByDevice { first: tallies.first, rows: vec![Vec::new(); tallies.list.len()] }
    }

    fn fill(&mut self, block: Range<usize>, device: impl Fn(usize) -> u32) {
        self.rows.iter_mut().for_each(Vec::clear);
        for row in block {
            if let Some(rows) = self.rows.get_mut((device(row) as usize).wrapping_sub(self.first)) {
                rows.push(row as u32);
            }
        }
    }

    fn each(&self, mut work: impl FnMut(usize, &[u32])) {
        self.rows.iter().enumerate().filter(|(_, rows)| !rows.is_empty()).for_each(|(device, rows)| work(device, rows));
    }
}

pub(super) fn walk_requests(store: &Store, window: Window, tallies: &mut AllCounters) {
    let requests = &store.requests;
    let mut own = RowsByDevice::of(tallies);
    rows::blocks(window.rows(requests), |block| {
        own.fill(block, |row| requests.device(row));
        own.each(|device, rows| tallies.list[device].requests(store, rows));
    });
}

/// The percentiles of the stages.
pub(super) fn refine_stages(store: &Store, window: Window, tallies: &mut AllCounters) {
    let requests = &store.requests;
    let mut own = RowsByDevice::of(tallies);
    rows::blocks(window.rows(requests), |block| {
        own.fill(block, |row| requests.device(row));
        own.each(|device, rows| tallies.list[device].stages.again(requests, rows));
    });
}

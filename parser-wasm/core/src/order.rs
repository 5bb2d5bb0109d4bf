//! Many streams to one time order.
//!
//! A stream is what one CPU recorded of one device, and is in order. A file usually has one stream, or is a dump that is in order.
//! Phase one merges such files while they arrive and buffers little. When a file turns out to be out of order (buffers of several
//! CPUs one after another), or files arrive one after another, the merge gives up: phase two keeps everything and sorts at the end.
//! Both give the same order: time, CPU, device, position in the stream. It does not depend on how the bytes arrived.

use crate::event::{DeviceNumber, Event};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Buffered items at which the merge gives up waiting for the other files: about 64 MiB.
const PATIENCE: usize = 1 << 20;

/// An event or message on its way into the store. Times are of the trace clock; where the clock of a stream steps back, the latest
/// time before.
#[derive(Clone, Copy, Debug)]
pub enum OrderedItem {
    Event(Event),
    Message(OrderedMessage),
}

/// A message on its way into the store.
#[derive(Clone, Copy, Debug)]
pub struct OrderedMessage {
    pub time: u64,
    pub cpu: u32,
    pub device: DeviceNumber,
    /// Running task.
    pub pid: u32,
    /// cgroup id when flagged.
    pub cgroup: Option<u64>,
    /// Offset and length of its text in the builder's store.
    pub text: (u32, u16),
}

impl OrderedItem {
    #[inline]
    fn key(&self) -> (u64, u32, DeviceNumber) {
        match self {
            OrderedItem::Event(e) => (e.time, e.cpu, e.device),
            OrderedItem::Message(m) => (m.time, m.cpu, m.device),
        }
    }

    /// Trace clock.
    #[inline]
    pub fn time(&self) -> u64 {
        self.key().0
    }

    fn set_time(&mut self, time: u64) {
        match self {
            OrderedItem::Event(e) => e.time = time,
            OrderedItem::Message(m) => m.time = time,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct CpuStream {
    cpu: u32,
    device: DeviceNumber,
    last: u64,
    sequence: u32,
}

/// Backward steps of one CPU's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockSteps {
    pub cpu: u32,
    pub count: u64,
    /// Largest, ns.
    pub largest: u64,
}

/// A gap in the sequence numbers of a stream. Times are of the trace clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceGap {
    pub cpu: u32,
    pub device: DeviceNumber,
    /// The last event before it.
    pub from: u64,
    /// The first event after it.
    pub to: u64,
    /// Missing events.
    pub events: u64,
}

/// Gaps per file that are kept with their times; all are counted.
const MOST_GAPS: usize = 1 << 14;

#[derive(Clone, Debug, Default)]
struct FileQueue {
    items: VecDeque<OrderedItem>,
    closed: bool,
    last: u64,
    streams: Vec<CpuStream>,
    index: FxHashMap<(u32, DeviceNumber), usize>,
    current: usize,
    steps: Vec<ClockSteps>,
    lost: u64,
    gaps: u64,
    kept: Vec<SequenceGap>,
}

/// Puts the items of several files in order.
#[derive(Clone, Debug, Default)]
pub struct Order {
    queues: Vec<FileQueue>,
    held: usize,
    /// Everything since the merge gave up.
    stash: Option<Vec<OrderedItem>>,
}

impl Order {
    pub fn new(files: usize) -> Order {
        Order { queues: vec![FileQueue::default(); files], ..Order::default() }
    }

    /// Takes the next item of a file.
    #[inline]
    pub fn push(&mut self, file: usize, mut item: OrderedItem, sequence: u32) {
        let queue = &mut self.queues[file];
        let time = queue.place(&mut item, sequence);
        if time < queue.last && self.stash.is_none() {
            self.give_up();
        }
        let queue = &mut self.queues[file];
        queue.last = queue.last.max(time);
        match &mut self.stash {
            Some(stash) => stash.push(item),
            None => {
                queue.items.push_back(item);
                self.held += 1;
            }
        }
    }

    pub fn close(&mut self, file: usize) {
        self.queues[file].closed = true;
    }

    /// The file whose data the merge needs next.
    pub fn hungry(&self) -> Option<usize> {
        let open = self.queues.iter().enumerate().filter(|(_, l)| !l.closed);
        open.min_by_key(|(_, l)| (!l.items.is_empty(), l.last)).map(|(i, _)| i)
    }

    /// Emits the items that no later input can precede.
    pub fn release(&mut self, mut sink: impl FnMut(&OrderedItem)) {
        if self.stash.is_some() {
            return;
        }
        loop {
            let mut first: Option<(usize, (u64, u32, DeviceNumber))> = None;
            let mut second = (u64::MAX, u32::MAX, DeviceNumber(u32::MAX));
            let mut waits = false;
            for (i, queue) in self.queues.iter().enumerate() {
                let Some(head) = queue.items.front() else {
                    waits |= !queue.closed;
                    continue;
                };
                let key = head.key();
                match first {
                    Some((_, least)) if key >= least => second = second.min(key),
                    _ => {
                        second = first.map_or(second, |f| second.min(f.1));
                        first = Some((i, key));
                    }
                }
            }
            let Some((i, _)) = first else { break };
            if waits {
                if self.held > PATIENCE {
                    self.give_up();
                }
                break;
            }
            let queue = &mut self.queues[i];
            while let Some(item) = queue.items.front().filter(|item| item.key() <= second) {
                sink(item);
                queue.items.pop_front();
                self.held -= 1;
            }
        }
    }

    /// After the end of all files: the items since the merge gave up. The caller sorts them together with everything emitted before.
    pub fn take_stash(&mut self) -> Option<Vec<OrderedItem>> {
        self.stash.take()
    }

    /// Missing events, and the number of gaps.
    pub fn lost(&self) -> (u64, u64) {
        self.queues.iter().fold((0, 0), |(lost, gaps), l| (lost + l.lost, gaps + l.gaps))
    }

    /// The gaps, at most `MOST_GAPS` per file.
    pub fn gaps(&self) -> impl Iterator<Item = &SequenceGap> {
        self.queues.iter().flat_map(|l| &l.kept)
    }

    pub fn steps(&self, file: usize) -> &[ClockSteps] {
        &self.queues[file].steps
    }

    #[cold]
    fn give_up(&mut self) {
        let held = self.queues.iter_mut().flat_map(|l| std::mem::take(&mut l.items)).collect();
        self.held = 0;
        self.stash = Some(held);
    }
}

impl FileQueue {
    /// Makes the times of a stream monotonic and checks its sequence numbers. Returns the item's time.
    fn place(&mut self, item: &mut OrderedItem, sequence: u32) -> u64 {
        let (mut time, cpu, device) = item.key();
        let is_it = |s: &CpuStream| s.cpu == cpu && s.device == device;
        if !self.streams.get(self.current).is_some_and(is_it) {
            self.current = *self.index.entry((cpu, device)).or_insert_with(|| {
                self.streams.push(CpuStream { cpu, device, ..CpuStream::default() });
                self.streams.len() - 1
            });
        }
        let stream = &mut self.streams[self.current];
        if time < stream.last {
            let step = stream.last - time;
            let at = self.steps.iter().position(|s| s.cpu == cpu).unwrap_or_else(|| {
                self.steps.push(ClockSteps { cpu, ..ClockSteps::default() });
                self.steps.len() - 1
            });
            let steps = &mut self.steps[at];
            steps.count += 1;
            steps.largest = steps.largest.max(step);
            time = stream.last;
            item.set_time(time);
        }
        let before = std::mem::replace(&mut stream.last, time);
        if sequence != 0 {
            let events = u64::from(sequence.saturating_sub(stream.sequence).saturating_sub(1));
            if stream.sequence != 0 && events > 0 {
                self.lost += events;
                self.gaps += 1;
                if self.kept.len() < MOST_GAPS {
                    self.kept.push(SequenceGap { cpu, device, from: before, to: time, events });
                }
            }
            stream.sequence = sequence;
        }
        time
    }
}

/// Sorts items into the one order.
pub fn sort(items: &mut [OrderedItem]) {
    items.sort_by_key(OrderedItem::key);
}

//! Many streams to one time order.
//!
//! A stream is what one CPU recorded of one device, and is in order. A file usually has one stream,
//! or is a dump that is in order. Phase one merges such files while they arrive and buffers little.
//! When a file turns out to be out of order (buffers of several CPUs one after another), or files
//! arrive one after another, the merge gives up: phase two keeps everything and sorts at the end.
//!
//! Both phases give the same order: time, CPU, device, position in the stream. It must not depend
//! on how the bytes arrived, or the same files would give different figures when they are dropped
//! in another order, followed live or read in sections. Phase one holds at most `PATIENCE` items;
//! phase two has every item in memory beside the store.

mod live;
mod queue;
mod recorded_kind;
mod seam;
mod turns;

pub use live::LiveOrder;
pub use recorded_kind::{KindNumber, RecordedKind};
pub use seam::FileStreams;

use crate::event::{DeviceNumber, Event, EventDetail};
use live::LiveQueue;
use queue::{FileQueue, LAST, OrderKey, QueuedItem};
use recorded_kind::RecordedKinds;
use serde::{Deserialize, Serialize};
use turns::Turns;

/// Buffered items at which the merge gives up waiting for the other files: about 48 MiB.
pub const PATIENCE: usize = 1 << 20;

/// An event or message on its way into the store. Times are of the trace clock; where the clock of
/// a stream steps back, the latest time before.
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
    /// The task that ran when it was recorded.
    pub pid: u32,
    /// The cgroup id, if the record has the cgroup flag.
    pub cgroup: Option<u64>,
    /// Offset and length of its text in the builder's store.
    pub text: (u32, u16),
}

/// An item that stays in its queue: a copy of every item would cost as much as the merge.
#[derive(Clone, Copy, Debug)]
pub enum OrderedRef<'a> {
    /// An event with the number of its kind, or `KindNumber::NONE`.
    Event(&'a Event, KindNumber),
    Message(&'a OrderedMessage),
}

impl OrderedItem {
    fn key(&self) -> OrderKey {
        match self {
            OrderedItem::Event(e) => queue::key(e.time, e.cpu, e.device),
            OrderedItem::Message(m) => queue::key(m.time, m.cpu, m.device),
        }
    }

    #[inline]
    pub fn as_ref(&self) -> OrderedRef<'_> {
        match self {
            OrderedItem::Event(e) => OrderedRef::Event(e, KindNumber::NONE),
            OrderedItem::Message(m) => OrderedRef::Message(m),
        }
    }
}

impl OrderedRef<'_> {
    /// Its time on the trace clock, ns.
    #[inline]
    pub fn time(self) -> u64 {
        match self {
            OrderedRef::Event(e, _) => e.time,
            OrderedRef::Message(m) => m.time,
        }
    }

    fn owned(self) -> OrderedItem {
        match self {
            OrderedRef::Event(e, _) => OrderedItem::Event(*e),
            OrderedRef::Message(m) => OrderedItem::Message(*m),
        }
    }
}

/// The steps back of one CPU's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockSteps {
    pub cpu: u32,
    pub count: u64,
    /// The largest step, ns.
    pub largest: u64,
}

/// A gap in the sequence numbers of a stream. Times are of the trace clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SequenceGap {
    pub cpu: u32,
    pub device: DeviceNumber,
    /// Time of the last event before it.
    pub from: u64,
    /// Time of the first event after it.
    pub to: u64,
    /// Number of events that the sequence numbers show to be missing.
    pub events: u64,
}

/// Puts the items of several files in order.
#[derive(Clone, Debug, Default)]
pub struct Order {
    kinds: RecordedKinds,
    queues: Vec<FileQueue>,
    turns: Turns,
    held: usize,
    /// Once the merge has given up: every item since then.
    stash: Option<Vec<OrderedItem>>,
    /// Only for a recording that is still being written.
    live: Option<LiveQueue>,
    /// Items do not wait in the queues of their files: the merge gave up, or the recording is still
    /// being written.
    keeps_all: bool,
}

impl Order {
    pub fn new(files: usize) -> Order {
        Order {
            queues: vec![FileQueue::default(); files],
            turns: Turns::new(files),
            ..Order::default()
        }
    }

    /// The number by which [`Order::push_known`] takes events like this one, which has no detail.
    pub fn number(&mut self, e: &Event) -> u32 {
        self.kinds.number(&RecordedKind::from_event(e))
    }

    /// A file has the records of blktrace itself. Only programs that print events print some of
    /// them late; in a recording an earlier time is a clock that stepped back.
    pub fn mark_recorded(&mut self, file: usize) {
        self.queues[file].is_recorded = true;
    }

    /// Memory of the recorded kinds, in bytes.
    pub fn kinds_bytes(&self) -> usize {
        self.kinds.bytes()
    }

    /// Takes the next event of a file.
    pub fn push_event(&mut self, file: usize, e: &Event) {
        let number = self.number(e);
        if e.detail == EventDetail::None {
            return self.push_known(file, number, e.pid, e.time, e.sector, e.sequence);
        }
        self.turns.note(file);
        let queue = &mut self.queues[file];
        let time = queue.place(e.time, e.cpu, e.device, e.sequence);
        if queue.is_behind(time) || self.keeps_all {
            return self.stash_item(OrderedItem::Event(Event { time, ..*e }));
        }
        queue.push_detailed(number, e, time);
        self.held += 1;
    }

    /// Takes the next event of a file, without a detail, by the number of its kind.
    #[inline(always)]
    pub fn push_known(
        &mut self,
        file: usize,
        number: u32,
        pid: u32,
        time: u64,
        sector: u64,
        sequence: u32,
    ) {
        self.turns.note(file);
        let (queue, kind) = (&mut self.queues[file], self.kinds.get(number));
        let item = QueuedItem {
            time: queue.place(time, kind.cpu, kind.device, sequence),
            sector,
            kind: number,
            pid,
            sequence,
        };
        if queue.is_behind(item.time) || self.keeps_all {
            let event = item.event(&self.kinds, EventDetail::None);
            return self.stash_item(OrderedItem::Event(event));
        }
        queue.push_known(item);
        self.held += 1;
    }

    /// Takes the next message of a file.
    pub fn push_message(&mut self, file: usize, message: OrderedMessage) {
        self.turns.note(file);
        let queue = &mut self.queues[file];
        let time = queue.place(message.time, message.cpu, message.device, 0);
        let message = OrderedMessage { time, ..message };
        if queue.is_behind(time) || self.keeps_all {
            return self.stash_item(OrderedItem::Message(message));
        }
        queue.push_message(message);
        self.held += 1;
    }

    /// Takes an item since the merge gave up, or one for which it has to.
    #[inline(never)]
    fn stash_item(&mut self, item: OrderedItem) {
        if let Some(live) = &mut self.live {
            return live.push(item);
        }
        if self.stash.is_none() {
            self.give_up();
        }
        if let Some(stash) = &mut self.stash {
            stash.push(item);
        }
    }

    pub fn close(&mut self, file: usize) {
        self.queues[file].closed = true;
        self.turns.settle(file, &self.queues[file], &self.kinds);
    }

    /// The file whose data the merge needs next.
    pub fn hungry(&self) -> Option<usize> {
        self.turns.hungry()
    }

    /// Emits the items that no later input can precede, in runs: those of one file up to the first
    /// of another.
    pub fn release(&mut self, mut sink: impl FnMut(OrderedRef<'_>)) {
        self.turns.settle_fed(&self.queues, &self.kinds);
        if let Some(live) = &mut self.live {
            return live.release(false, sink);
        }
        if self.stash.is_some() {
            return;
        }
        while !self.turns.waits()
            && let Some(mut head) = self.turns.pop()
        {
            loop {
                let end = self.turns.next().unwrap_or(LAST);
                let queue = &mut self.queues[head.1];
                self.held -= queue.run(end, &self.kinds, &mut sink);
                queue.tidy();
                let Some(first) = queue.first(&self.kinds) else {
                    self.turns.settle(head.1, queue, &self.kinds);
                    break;
                };
                head.0 = first;
                // The other file's run is next: its head makes room for this one.
                match self.turns.swap(head) {
                    Some(next) => head = next,
                    None => {
                        self.turns.settle(head.1, queue, &self.kinds);
                        break;
                    }
                }
            }
        }
        if self.turns.waits() && self.held > PATIENCE {
            self.give_up();
        }
    }

    /// Whether items are emitted while they arrive; else all are sorted at the end.
    pub fn merges(&self) -> bool {
        self.stash.is_none()
    }

    /// Number of items that were not emitted.
    pub fn waiting(&self) -> usize {
        let live = self.live.as_ref().map_or(0, LiveQueue::waiting);
        self.held + live + self.stash.as_ref().map_or(0, Vec::len)
    }

    /// Whether each file has so far only events of one device and of the CPU that it is named
    /// after, and there are several CPUs: files that blktrace wrote, in which none is earlier than
    /// those before it.
    pub fn are_of_cpus(&self, named: impl Fn(usize) -> Option<u32>) -> bool {
        let mut cpus = self.queues.iter().filter_map(FileQueue::first_cpu);
        let first = cpus.next();
        self.stash.is_none()
            && cpus.any(|cpu| Some(cpu) != first)
            && self
                .queues
                .iter()
                .enumerate()
                .all(|(file, queue)| queue.is_of_cpu(named(file)))
    }

    /// The items since the merge gave up, after the end of all files. The caller must sort them
    /// together with everything that was emitted before.
    pub fn take_stash(&mut self) -> Option<Vec<OrderedItem>> {
        self.stash.take()
    }

    /// Missing events, and the number of gaps.
    pub fn lost(&self) -> (u64, u64) {
        self.queues
            .iter()
            .fold((0, 0), |(lost, gaps), l| (lost + l.lost, gaps + l.gaps))
    }

    /// The gaps, at most `MAX_GAPS` per file.
    pub fn gaps(&self) -> impl Iterator<Item = &SequenceGap> {
        self.queues.iter().flat_map(|l| &l.kept_gaps)
    }

    pub fn steps(&self, file: usize) -> &[ClockSteps] {
        &self.queues[file].steps
    }

    #[cold]
    fn give_up(&mut self) {
        let mut held = Vec::with_capacity(self.held);
        self.queues
            .iter_mut()
            .for_each(|queue| queue.take(&self.kinds, &mut held));
        self.held = 0;
        self.turns.give_up(&self.queues, &self.kinds);
        self.stash = Some(held);
        self.keeps_all = true;
    }
}

/// Sorts items into the order of the trace.
pub fn sort(items: &mut [OrderedItem]) {
    items.sort_by_key(OrderedItem::key);
}

#[cfg(test)]
mod tests;

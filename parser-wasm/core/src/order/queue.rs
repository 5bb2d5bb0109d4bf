//! The items of one file that wait for the other files.

use super::{ClockSteps, OrderedItem, OrderedMessage, OrderedRef, SequenceGap};
use crate::event::{Action, DeviceNumber, Event, EventDetail, Flags};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Gaps per file that are kept with their times; all are counted.
pub(super) const MOST_GAPS: usize = 1 << 14;
/// Items that may have gone before the memory of a queue is used again.
const GONE: usize = 1 << 12;

/// The order of items: time, CPU and device, from the highest bits on.
pub(super) type OrderKey = u128;

/// After all items.
pub(super) const LAST: OrderKey = OrderKey::MAX;

#[inline]
pub(super) fn key(time: u64, cpu: u32, device: DeviceNumber) -> OrderKey {
    u128::from(time) << 64 | u128::from(cpu) << 32 | u128::from(device.0)
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct CpuStream {
    pub cpu: u32,
    pub device: DeviceNumber,
    /// Time and sequence number of its last item.
    pub last: u64,
    pub sequence: u32,
    /// Its first item with a number.
    pub first: Option<FirstNumber>,
    /// Of its last item before the section of the recording that is read here; absent for a new stream.
    pub began: Option<(u64, u32)>,
}

/// The first sequence number of a stream, and the times of its item and of the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FirstNumber {
    pub sequence: u32,
    pub time: u64,
    /// 0 for the first item.
    pub before: u64,
}

/// What a queued item is. What only a few have is kept apart, in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemKind {
    /// An event without more.
    Plain,
    /// An event with the next of the details.
    Detailed,
    /// The next of the messages.
    Message,
}

/// An item in 48 bytes: an event with room for its detail takes 72, and each is written here and read again.
#[derive(Clone, Copy, Debug)]
struct QueuedItem {
    time: u64,
    sector: u64,
    bytes: u32,
    pid: u32,
    device: DeviceNumber,
    cpu: u32,
    sequence: u32,
    flags: Flags,
    error: i16,
    action: Action,
    kind: ItemKind,
}

impl QueuedItem {
    #[inline]
    fn of(e: &Event, time: u64, kind: ItemKind) -> QueuedItem {
        let &Event { sector, bytes, action, flags, pid, device, cpu, sequence, error, .. } = e;
        QueuedItem { time, sector, bytes, pid, device, cpu, sequence, flags, error, action, kind }
    }

    #[inline]
    fn event(&self, detail: EventDetail) -> Event {
        let &QueuedItem { time, sector, bytes, pid, device, cpu, sequence, flags, error, action, .. } = self;
        Event { time, sector, bytes, action, flags, pid, device, cpu, sequence, error, detail }
    }

    #[inline]
    fn key(&self) -> OrderKey {
        key(self.time, self.cpu, self.device)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct FileQueue {
    items: Vec<QueuedItem>,
    /// Items at the begin of `items` that have gone.
    gone: usize,
    details: VecDeque<EventDetail>,
    messages: VecDeque<OrderedMessage>,
    pub closed: bool,
    /// No more of it comes for the time being.
    pub paused: bool,
    /// The latest time so far.
    pub last: u64,
    pub(super) streams: Vec<CpuStream>,
    pub(super) index: FxHashMap<(u32, DeviceNumber), usize>,
    current: usize,
    pub steps: Vec<ClockSteps>,
    pub lost: u64,
    pub gaps: u64,
    pub kept: Vec<SequenceGap>,
}

impl FileQueue {
    /// The CPU of its first item.
    pub fn first_cpu(&self) -> Option<u32> {
        self.streams.first().map(|stream| stream.cpu)
    }

    /// Whether all items so far are of this CPU and of one device.
    pub fn is_of_cpu(&self, cpu: Option<u32>) -> bool {
        self.streams.len() < 2 && self.streams.iter().all(|stream| Some(stream.cpu) == cpu)
    }

    /// Whether a time is before one of the file so far; notes it as one of the file.
    #[inline]
    pub fn is_behind(&mut self, time: u64) -> bool {
        let behind = time < self.last;
        self.last = self.last.max(time);
        behind
    }

    /// Order of the first item.
    #[inline]
    pub fn first(&self) -> Option<OrderKey> {
        self.items.get(self.gone).map(QueuedItem::key)
    }

    /// Appends an event with the time that [`FileQueue::place`] gave it.
    #[inline]
    pub fn push_event(&mut self, e: &Event, time: u64) {
        let kind = if e.detail == EventDetail::None { ItemKind::Plain } else { ItemKind::Detailed };
        self.items.push(QueuedItem::of(e, time, kind));
        if kind == ItemKind::Detailed {
            self.details.push_back(e.detail);
        }
    }

    /// Appends a message.
    pub fn push_message(&mut self, message: OrderedMessage) {
        let OrderedMessage { time, cpu, device, pid, .. } = message;
        self.messages.push_back(message);
        let (sector, bytes, sequence, flags, error, action) = (0, 0, 0, Flags(0), 0, Action::DriverData);
        let kind = ItemKind::Message;
        self.items.push(QueuedItem { time, sector, bytes, pid, device, cpu, sequence, flags, error, action, kind });
    }

    /// Emits the items up to `end`; returns how many.
    #[inline]
    pub fn run(&mut self, end: OrderKey, mut sink: impl FnMut(OrderedRef<'_>)) -> usize {
        let begin = self.gone;
        while let Some(item) = self.items.get(self.gone).filter(|item| item.key() <= end) {
            match item.kind {
                ItemKind::Plain => sink(OrderedRef::Event(&item.event(EventDetail::None))),
                ItemKind::Detailed => {
                    let detail = self.details.pop_front().unwrap_or_default();
                    sink(OrderedRef::Event(&item.event(detail)));
                }
                ItemKind::Message => {
                    if let Some(message) = self.messages.pop_front() {
                        sink(OrderedRef::Message(&message));
                    }
                }
            }
            self.gone += 1;
        }
        self.gone - begin
    }

    /// Uses the memory of what has gone again, when that is most of it: each item is moved once at most.
    pub fn tidy(&mut self) {
        if self.gone == self.items.len() {
            self.items.clear();
            self.gone = 0;
        } else if self.gone >= GONE && self.gone * 2 >= self.items.len() {
            self.items.drain(..self.gone);
            self.gone = 0;
        }
    }

    /// Takes all items and the memory.
    pub fn take(&mut self, into: &mut Vec<OrderedItem>) {
        self.run(LAST, |item| into.push(item.owned()));
        (self.items, self.gone) = (Vec::new(), 0);
    }

    /// Makes the times of a stream monotonic and checks its sequence numbers. Returns the item's time.
    #[inline]
    pub fn place(&mut self, given: u64, cpu: u32, device: DeviceNumber, sequence: u32) -> u64 {
        let is_it = |s: &CpuStream| s.cpu == cpu && s.device == device;
        if !self.streams.get(self.current).is_some_and(is_it) {
            self.current = self.stream(cpu, device);
        }
        let stream = &mut self.streams[self.current];
        let time = given.max(stream.last);
        let before = std::mem::replace(&mut stream.last, time);
        if sequence != 0 {
            let events = u64::from(sequence.saturating_sub(stream.sequence).saturating_sub(1));
            let known = stream.sequence != 0;
            stream.sequence = sequence;
            if !known {
                stream.first = Some(FirstNumber { sequence, time, before });
            } else if events > 0 {
                self.note_gap(SequenceGap { cpu, device, from: before, to: time, events });
            }
        }
        if given < time {
            self.note_step(cpu, time - given);
        }
        time
    }

    #[inline(never)]
    fn stream(&mut self, cpu: u32, device: DeviceNumber) -> usize {
        *self.index.entry((cpu, device)).or_insert_with(|| {
            self.streams.push(CpuStream { cpu, device, ..CpuStream::default() });
            self.streams.len() - 1
        })
    }

    #[cold]
    fn note_step(&mut self, cpu: u32, step: u64) {
        let at = self.steps.iter().position(|s| s.cpu == cpu).unwrap_or_else(|| {
            self.steps.push(ClockSteps { cpu, ..ClockSteps::default() });
            self.steps.len() - 1
        });
        let steps = &mut self.steps[at];
        steps.count += 1;
        steps.largest = steps.largest.max(step);
    }

    #[cold]
    pub(super) fn note_gap(&mut self, gap: SequenceGap) {
        self.lost += gap.events;
        self.gaps += 1;
        if self.kept.len() < MOST_GAPS {
            self.kept.push(gap);
        }
    }
}

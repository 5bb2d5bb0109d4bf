//! The items of one file that wait for the other files.

use super::KindNumber;
use super::recorded_kind::RecordedKinds;
use super::{ClockSteps, OrderedItem, OrderedMessage, OrderedRef, SequenceGap};
use crate::event::{DeviceNumber, Event, EventDetail};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::Range;

/// Gaps per file that are kept with their times; all are counted.
pub(super) const MAX_GAPS: usize = 1 << 14;
/// Late items of a file that are put into their places: a search in all gaps each.
const MAX_LATE: u32 = 4096;
/// Items that may have gone before the memory of a queue is used again.
const GONE: usize = 1 << 12;

/// The order of items: time, CPU and device, from the highest bits on.
pub(super) type OrderKey = u128;

/// The key that is after those of all items.
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
    /// Sequence number and time of its first item that has a number.
    pub first: Option<FirstNumber>,
    /// Time and sequence number of the stream's last item before the section that is read here;
    /// `None` for a new stream.
    pub began: Option<(u64, u32)>,
}

/// The first sequence number of a stream, and the times of its item and of the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FirstNumber {
    pub sequence: u32,
    pub time: u64,
    /// Time of the item before it; 0 if it is the first.
    pub before: u64,
}

/// Marks the number of a kind: the event takes the next of the details. Few events have one, so
/// details are in a list of their own, in the same order.
const DETAILED: u32 = 1 << 31;
/// Instead of the number of a kind: the next of the messages.
const MESSAGE: u32 = u32::MAX;

/// An item in 28 bytes, without padding: each is written here and read again.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
pub(super) struct QueuedItem {
    pub time: u64,
    pub sector: u64,
    /// The number of its [`RecordedKind`](super::RecordedKind).
    pub kind: u32,
    pub pid: u32,
    pub sequence: u32,
}

impl QueuedItem {
    /// The item as the event that it is.
    #[inline(always)]
    pub fn event(self, kinds: &RecordedKinds, detail: EventDetail) -> Event {
        let QueuedItem {
            time,
            sector,
            kind,
            pid,
            sequence,
        } = self;
        let kind = kinds.get(kind & !DETAILED);
        kind.event(pid, time, sector, sequence, detail)
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
    /// Whether more of the file will come only later.
    pub paused: bool,
    /// The latest time of the file so far.
    pub last: u64,
    pub(super) streams: Vec<CpuStream>,
    pub(super) index: FxHashMap<(u32, DeviceNumber), usize>,
    current: usize,
    pub steps: Vec<ClockSteps>,
    pub lost: u64,
    pub gaps: u64,
    pub kept_gaps: Vec<SequenceGap>,
    /// Sequence numbers of streams that are missing, for gaps that are kept.
    missing: Vec<(usize, Range<u32>)>,
    /// Number of items that came late.
    late: u32,
    /// Records of blktrace itself, in which none is late.
    pub is_recorded: bool,
}

impl FileQueue {
    /// The CPU of the first item that waits.
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

    /// The place of the first waiting item in the order.
    #[inline]
    pub fn first(&self, kinds: &RecordedKinds) -> Option<OrderKey> {
        self.items.get(self.gone).map(|item| self.key(item, kinds))
    }

    /// Order of the first item, which this is.
    #[inline]
    fn key(&self, item: &QueuedItem, kinds: &RecordedKinds) -> OrderKey {
        if item.kind == MESSAGE {
            let place = self
                .messages
                .front()
                .map_or((0, DeviceNumber(0)), |message| {
                    (message.cpu, message.device)
                });
            return key(item.time, place.0, place.1);
        }
        let kind = kinds.get(item.kind & !DETAILED);
        key(item.time, kind.cpu, kind.device)
    }

    /// Appends an event without a detail, with the time that [`FileQueue::place`] gave it.
    #[inline(always)]
    pub fn push_known(&mut self, item: QueuedItem) {
        self.items.push(item);
    }

    pub fn push_detailed(&mut self, kind: u32, e: &Event, time: u64) {
        self.items.push(QueuedItem {
            time,
            sector: e.sector,
            kind: kind | DETAILED,
            pid: e.pid,
            sequence: e.sequence,
        });
        self.details.push_back(e.detail);
    }

    pub fn push_message(&mut self, message: OrderedMessage) {
        self.items.push(QueuedItem {
            time: message.time,
            sector: 0,
            kind: MESSAGE,
            pid: 0,
            sequence: 0,
        });
        self.messages.push_back(message);
    }

    /// Emits the items up to `end`; returns how many.
    #[inline]
    pub fn run(
        &mut self,
        end: OrderKey,
        kinds: &RecordedKinds,
        mut sink: impl FnMut(OrderedRef<'_>),
    ) -> usize {
        let (begin, until) = (self.gone, (end >> 64) as u64);
        while let Some(&item) = self.items.get(self.gone) {
            let QueuedItem { time, kind, .. } = item;
            if time >= until && self.first(kinds) > Some(end) {
                break;
            }
            self.gone += 1;
            if kind & DETAILED == 0 {
                let event = item.event(kinds, EventDetail::None);
                sink(OrderedRef::Event(&event, KindNumber(kind)));
            } else if kind == MESSAGE {
                if let Some(message) = self.messages.pop_front() {
                    sink(OrderedRef::Message(&message));
                }
            } else {
                let detail = self.details.pop_front().unwrap_or_default();
                sink(OrderedRef::Event(
                    &item.event(kinds, detail),
                    KindNumber(kind & !DETAILED),
                ));
            }
        }
        self.gone - begin
    }

    /// Uses the memory of what has gone again, when that is most of it: each item is moved once at
    /// most.
    pub fn tidy(&mut self) {
        if self.gone == self.items.len() {
            self.items.clear();
            self.gone = 0;
        } else if self.gone >= GONE && self.gone * 2 >= self.items.len() {
            self.items.drain(..self.gone);
            self.gone = 0;
        }
    }

    /// Moves all items to `into` and frees the memory of the queue.
    pub fn take(&mut self, kinds: &RecordedKinds, into: &mut Vec<OrderedItem>) {
        self.run(LAST, kinds, |item| into.push(item.owned()));
        (self.items, self.gone) = (Vec::new(), 0);
    }

    /// Makes the times of a stream monotonic and checks its sequence numbers. Returns the item's
    /// time.
    #[inline(always)]
    pub fn place(&mut self, recorded: u64, cpu: u32, device: DeviceNumber, sequence: u32) -> u64 {
        // Nearly always the next of the same stream.
        match self.streams.get_mut(self.current) {
            Some(stream)
                if recorded >= stream.last
                    && stream.cpu == cpu
                    && stream.device == device
                    && stream.sequence != 0
                    && sequence == stream.sequence.wrapping_add(1) =>
            {
                (stream.last, stream.sequence) = (recorded, sequence);
                recorded
            }
            _ => self.place_any(recorded, cpu, device, sequence),
        }
    }

    #[inline(never)]
    fn place_any(&mut self, recorded: u64, cpu: u32, device: DeviceNumber, sequence: u32) -> u64 {
        let is_it = |s: &CpuStream| s.cpu == cpu && s.device == device;
        if !self.streams.get(self.current).is_some_and(is_it) {
            self.current = self.stream(cpu, device);
        }
        if self.is_late(recorded, sequence) {
            return recorded;
        }
        let stream = &mut self.streams[self.current];
        let time = recorded.max(stream.last);
        let before = std::mem::replace(&mut stream.last, time);
        if sequence != 0 {
            let events = u64::from(sequence.saturating_sub(stream.sequence).saturating_sub(1));
            let has_number_before = stream.sequence != 0;
            stream.sequence = sequence;
            if !has_number_before {
                stream.first = Some(FirstNumber {
                    sequence,
                    time,
                    before,
                });
            } else if events > 0 {
                let first = sequence - events as u32;
                if self.missing.len() < MAX_GAPS {
                    self.missing.push((self.current, first..sequence));
                }
                self.note_gap(SequenceGap {
                    cpu,
                    device,
                    from: before,
                    to: time,
                    events,
                });
            }
        }
        if recorded < time {
            self.note_step(cpu, time - recorded);
        }
        time
    }

    /// Whether an item of the current stream fills a gap, or precedes its first item: blkparse
    /// prints a few events of a live session long after later ones. Its clock has not stepped back
    /// then, and the event is not lost.
    #[cold]
    fn is_late(&mut self, time: u64, sequence: u32) -> bool {
        let CpuStream {
            cpu,
            device,
            last,
            sequence: newest,
            first,
            ..
        } = self.streams[self.current];
        let is_older = time < last && sequence != 0 && sequence < newest;
        if self.is_recorded || !is_older || self.late == MAX_LATE {
            return false;
        }
        if let Some(first) = first.filter(|first| sequence < first.sequence) {
            self.late += u32::from(time <= first.time);
            return time <= first.time;
        }
        let holds = |(stream, range): &(usize, Range<u32>)| {
            *stream == self.current && range.contains(&sequence)
        };
        let Some(gap) = self.missing.iter().rposition(holds) else {
            return false;
        };
        let range = &mut self.missing[gap].1;
        let behind = sequence + 1..range.end;
        range.end = sequence;
        if !behind.is_empty() && self.missing.len() < MAX_GAPS {
            self.missing.insert(gap + 1, (self.current, behind));
        }
        if self.missing[gap].1.is_empty() {
            self.missing.remove(gap);
        }
        self.late += 1;
        self.fill_gap(cpu, device, time);
        true
    }

    /// Counts one missing event less.
    fn fill_gap(&mut self, cpu: u32, device: DeviceNumber, time: u64) {
        self.lost = self.lost.saturating_sub(1);
        let is_around = |gap: &SequenceGap| {
            gap.cpu == cpu && gap.device == device && gap.from <= time && time <= gap.to
        };
        if let Some(index) = self.kept_gaps.iter().rposition(is_around) {
            self.kept_gaps[index].events -= 1;
            if self.kept_gaps[index].events == 0 {
                self.kept_gaps.remove(index);
                self.gaps -= 1;
            }
        }
    }

    #[inline(never)]
    fn stream(&mut self, cpu: u32, device: DeviceNumber) -> usize {
        *self.index.entry((cpu, device)).or_insert_with(|| {
            self.streams.push(CpuStream {
                cpu,
                device,
                ..CpuStream::default()
            });
            self.streams.len() - 1
        })
    }

    #[cold]
    fn note_step(&mut self, cpu: u32, step: u64) {
        let index = self
            .steps
            .iter()
            .position(|s| s.cpu == cpu)
            .unwrap_or_else(|| {
                self.steps.push(ClockSteps {
                    cpu,
                    ..ClockSteps::default()
                });
                self.steps.len() - 1
            });
        let steps = &mut self.steps[index];
        steps.count += 1;
        steps.largest = steps.largest.max(step);
    }

    #[cold]
    pub(super) fn note_gap(&mut self, gap: SequenceGap) {
        self.lost += gap.events;
        self.gaps += 1;
        if self.kept_gaps.len() < MAX_GAPS {
            self.kept_gaps.push(gap);
        }
    }
}

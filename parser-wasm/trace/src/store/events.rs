//! All events in time order: 12 bytes each, and the table of their kinds.
//!
//! A trace of 100 million events has to fit into the 4 GiB of a WebAssembly module beside its
//! requests, so a row has only what differs from event to event: the time within its block, the
//! sector and the number of its kind and process (`packed_event.rs`, `KindOfTask`). Everything else
//! is shared (`Kinds`), or rare and in a sorted list by row: details, late times, exceptions of
//! sequence numbers. Whoever adds a field that differs from event to event pays its bytes for every
//! event; a field with few values goes into `EventKind`.
//!
//! Rows are only appended. A row whose sector or number does not fit is marked `FAR` and stands
//! complete in `far`; every accessor has to look there.

mod append;
mod by_kind;
mod event_kind;
mod event_row;
mod event_times;
mod packed_event;

use super::blocks::Blocks;
use super::sequences::Sequences;
use crate::event::{Action, DeviceNumber, Event, EventDetail, Flags};
use crate::kinds::{KindOfTask, Kinds};
pub use by_kind::{EventsByKind, KindRows};
pub use event_kind::{Effect, EventKind};
pub use event_row::{EventPiece, EventRow};
use event_times::EventTimes;
use packed_event::{FAR, PackedEvent};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Sector and number of an event that does not fit into its row: a sector beyond 512 TiB, or one of
/// too many kinds and processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FarEvent {
    sector: u64,
    number: u32,
}

/// The events. Rows are in time order once the trace is complete.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Events {
    rows: Blocks<PackedEvent>,
    times: EventTimes,
    kinds: Kinds<EventKind>,
    /// The kinds of each process, by the number that rows have.
    task_kinds: Kinds<KindOfTask, 1>,
    far: Vec<(u32, FarEvent)>,
    /// Remaps by event, with the index of their (device, offset) pair.
    remaps: Vec<(u32, u32)>,
    /// The distinct pairs of devices and offsets of remaps.
    remap_pairs: Vec<RemapPair>,
    splits: Vec<(u32, u64)>,
    /// Unplugs that did not release one request; `NO_COUNT` for those without a number.
    unplugs: Vec<(u32, u32)>,
    /// The places of the bytes of passthrough commands, by event.
    commands: Vec<(u32, (u32, u16))>,
    sequences: Sequences,
}

/// Upper device, target, sector on the upper device minus the event's sector.
type RemapPair = (DeviceNumber, DeviceNumber, u64);

const NO_COUNT: u32 = u32::MAX;

impl Events {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.len() == 0
    }

    /// The number of the kind of an event; `device` is its index in the store's devices.
    pub fn kind_of_event(&mut self, event: &Event, device: u32, effect: Effect) -> u32 {
        let &Event {
            action,
            flags,
            bytes,
            cpu,
            error,
            ..
        } = event;
        self.kinds.number(&EventKind {
            action,
            flags,
            bytes,
            device,
            cpu,
            error,
            effect,
        })
    }

    /// The number that rows of a kind and a process have; `process` is its index in the store's
    /// processes.
    #[inline]
    pub fn number_of_task(&mut self, kind: u32, process: u32) -> u32 {
        self.task_kinds.number(&KindOfTask { kind, process })
    }

    /// The number of the stream that the sequence numbers of a CPU and a device are of.
    pub fn stream(&mut self, cpu: u32, device: u32) -> u32 {
        self.sequences.stream(cpu, device)
    }

    /// Appends an event at `time` ns since the trace's start, with the number of its kind and
    /// process ([`Events::number_of_task`]) and of its stream.
    #[inline(always)]
    pub fn push(&mut self, time: u64, event: &Event, number: u32, stream: u32) {
        let &Event {
            action,
            sector,
            sequence,
            ..
        } = event;
        let row = self.rows.len();
        let offset = self.times.push(row, time);
        if PackedEvent::fits(sector, number) {
            self.rows.push(PackedEvent::new(offset, sector, number));
        } else {
            self.far.push((row as u32, FarEvent { sector, number }));
            self.rows.push(PackedEvent::new(offset, 0, FAR));
        }
        self.sequences.push(row, stream, sequence);
        // An unplug without a number has a place among the details, too.
        if event.detail != EventDetail::None
            || matches!(action, Action::Unplug | Action::UnplugTimer)
        {
            self.push_detail(row as u32, event.detail, sector);
        }
    }

    /// Appends an event whose kind is known.
    #[cfg(any(test, feature = "fixture"))]
    pub fn push_event(
        &mut self,
        time: u64,
        event: &Event,
        device: u32,
        process: u32,
        effect: Effect,
    ) {
        let kind = self.kind_of_event(event, device, effect);
        let number = self.number_of_task(kind, process);
        let stream = self.stream(event.cpu, device);
        self.push(time, event, number, stream);
    }

    fn push_detail(&mut self, row: u32, detail: EventDetail, event_sector: u64) {
        match detail {
            EventDetail::None => self.unplugs.push((row, NO_COUNT)),
            EventDetail::Unplug(1) => {}
            EventDetail::Remap { from, to, sector } => {
                let pair = (from, to, sector.wrapping_sub(event_sector));
                let index = self.pair_index(pair);
                self.remaps.push((row, index));
            }
            EventDetail::Split(sector) => self.splits.push((row, sector)),
            EventDetail::Command { start, len } => self.commands.push((row, (start, len))),
            EventDetail::Unplug(count) => self
                .unplugs
                .push((row, count.min(u64::from(NO_COUNT - 1)) as u32)),
        }
    }

    fn pair_index(&mut self, pair: RemapPair) -> u32 {
        // Neighbouring remaps nearly always share their offset; older ones are found if they are
        // among the last few.
        let from = self.remap_pairs.len().saturating_sub(16);
        let found = self.remap_pairs[from..].iter().rposition(|p| *p == pair);
        match found {
            Some(i) => (from + i) as u32,
            None => {
                self.remap_pairs.push(pair);
                (self.remap_pairs.len() - 1) as u32
            }
        }
    }

    /// Time in ns since the trace's start.
    #[inline]
    pub fn time(&self, i: usize) -> u64 {
        self.times.get(i, self.rows.get(i).0[0])
    }

    #[inline]
    pub fn sector(&self, i: usize) -> u64 {
        let row = self.rows.get(i);
        if row.number() == FAR {
            self.far(i).map_or(0, |far| far.sector)
        } else {
            row.sector()
        }
    }

    /// The part of an event that its kind has. To read several fields, read it once.
    #[inline]
    pub fn kind(&self, i: usize) -> &EventKind {
        self.kinds.get(self.kind_number(i))
    }

    /// The kind with a number, below [`Events::kinds`].
    #[inline]
    pub fn kind_of(&self, number: u32) -> &EventKind {
        self.kinds.get(number)
    }

    /// The kinds of all events, by number.
    pub fn each_kind(&self) -> impl Iterator<Item = &EventKind> {
        self.kinds.each()
    }

    /// The kind and the process of an event.
    #[inline]
    pub fn kind_and_process(&self, i: usize) -> (&EventKind, u32) {
        self.kind_of_task(self.task_number(i))
    }

    /// Number of kinds.
    pub fn kinds(&self) -> usize {
        self.kinds.len()
    }

    #[inline]
    pub fn kind_number(&self, i: usize) -> u32 {
        self.task_kinds.get(self.task_number(i)).kind
    }

    /// The number of the kind and process of an event, below [`Events::task_kinds`].
    #[inline]
    pub fn task_number(&self, i: usize) -> u32 {
        match self.rows.get(i).number() {
            FAR => self.far(i).map_or(0, |far| far.number),
            number => number,
        }
    }

    /// The kinds of each process, by number: each with its process.
    pub fn each_task_kind(&self) -> impl Iterator<Item = (&EventKind, u32)> {
        let kind = |of_task: &KindOfTask| (self.kinds.get(of_task.kind), of_task.process);
        self.task_kinds.each().map(kind)
    }

    /// Number of kinds of all processes.
    pub fn task_kinds(&self) -> usize {
        self.task_kinds.len()
    }

    /// The kind and the process with a number, below [`Events::task_kinds`].
    #[inline]
    pub fn kind_of_task(&self, number: u32) -> (&EventKind, u32) {
        let &KindOfTask { kind, process } = self.task_kinds.get(number);
        (self.kinds.get(kind), process)
    }

    /// Numbers of the kinds and processes of events, from the first one of `rows` on as many as are
    /// in one piece of memory; not empty if `rows` is not.
    #[inline]
    pub fn task_numbers(&self, rows: Range<usize>) -> impl ExactSizeIterator<Item = u32> + '_ {
        let number = |(index, row): (usize, &PackedEvent)| match row.number() {
            FAR => self.far(index).map_or(0, |far| far.number),
            number => number,
        };
        let from = rows.start;
        self.rows
            .piece(rows)
            .iter()
            .enumerate()
            .map(move |(i, row)| number((from + i, row)))
    }

    #[cold]
    fn far(&self, i: usize) -> Option<FarEvent> {
        lookup(&self.far, i)
    }

    #[inline]
    pub fn bytes(&self, i: usize) -> u32 {
        self.kind(i).bytes
    }

    /// Length in complete sectors.
    #[inline]
    pub fn sectors(&self, i: usize) -> u64 {
        u64::from(self.kind(i).bytes >> 9)
    }

    #[inline]
    pub fn action(&self, i: usize) -> Action {
        self.kind(i).action
    }

    /// The flags of the operation.
    #[inline]
    pub fn flags(&self, i: usize) -> Flags {
        self.kind(i).flags
    }

    #[inline]
    pub fn cpu(&self, i: usize) -> u32 {
        self.kind(i).cpu
    }

    /// Index of the running task in the store's processes.
    #[inline]
    pub fn process(&self, i: usize) -> u32 {
        self.task_kinds.get(self.task_number(i)).process
    }

    /// Index of the device in the store.
    #[inline]
    pub fn device(&self, i: usize) -> u32 {
        self.kind(i).device
    }

    /// How the event changed its device's state.
    #[inline]
    pub fn effect(&self, i: usize) -> Effect {
        self.kind(i).effect
    }

    /// 0, or a negative errno.
    #[inline]
    pub fn error(&self, i: usize) -> i16 {
        self.kind(i).error
    }

    /// Adds to the change that comes with an event.
    pub fn add_effect(&mut self, i: usize, more: Effect) {
        let mut kind = *self.kind(i);
        kind.effect.depth += more.depth;
        kind.effect.waiting += more.waiting;
        let (sector, process) = (self.sector(i), self.process(i));
        let kind = self.kinds.number(&kind);
        let number = self.number_of_task(kind, process);
        let row = self.rows.get_mut(i);
        if PackedEvent::fits(sector, number) {
            *row = PackedEvent::new(row.0[0], sector, number);
            return;
        }
        *row = PackedEvent::new(row.0[0], 0, FAR);
        let far = FarEvent { sector, number };
        match self.far.binary_search_by_key(&(i as u32), |e| e.0) {
            Ok(index) => self.far[index].1 = far,
            Err(index) => self.far.insert(index, (i as u32, far)),
        }
    }

    pub fn detail(&self, i: usize) -> EventDetail {
        match self.action(i) {
            Action::Remap => lookup(&self.remaps, i)
                .and_then(|pair| self.remap_pairs.get(pair as usize))
                .map_or(EventDetail::None, |&(from, to, offset)| {
                    EventDetail::Remap {
                        from,
                        to,
                        sector: self.sector(i).wrapping_add(offset),
                    }
                }),
            Action::Split => lookup(&self.splits, i).map_or(EventDetail::None, EventDetail::Split),
            Action::Unplug | Action::UnplugTimer => match lookup(&self.unplugs, i).unwrap_or(1) {
                NO_COUNT => EventDetail::None,
                count => EventDetail::Unplug(u64::from(count)),
            },
            _ => lookup(&self.commands, i).map_or(EventDetail::None, |(start, len)| {
                EventDetail::Command { start, len }
            }),
        }
    }

    /// For each remap but the first `from`: the index of its device, and the upper device.
    pub fn remap_sources(&self, from: usize) -> impl Iterator<Item = (u32, DeviceNumber)> + '_ {
        let source = |&(row, pair): &(u32, u32)| {
            (self.device(row as usize), self.remap_pairs[pair as usize].0)
        };
        self.remaps.iter().skip(from).map(source)
    }

    /// The distinct remaps: upper device, target, and the sector on the upper device minus that on
    /// the target, wrapping.
    pub fn remap_offsets(&self) -> impl Iterator<Item = (DeviceNumber, DeviceNumber, u64)> + '_ {
        self.remap_pairs.iter().copied()
    }

    /// The remaps in time order: the event, the upper device, the target, and the sector on the
    /// upper device.
    pub fn remaps(&self) -> impl Iterator<Item = (usize, DeviceNumber, DeviceNumber, u64)> + '_ {
        self.remaps.iter().filter_map(|&(row, pair)| {
            let &(from, to, offset) = self.remap_pairs.get(pair as usize)?;
            let row = row as usize;
            Some((row, from, to, self.sector(row).wrapping_add(offset)))
        })
    }

    /// Gives each event of `rows` (within the table) its counter per CPU and device, in order; 0
    /// where the source has none.
    pub fn sequences(&self, rows: Range<usize>, sink: impl FnMut(usize, u32)) {
        let stream = |i: usize| {
            let kind = self.kind(i);
            (kind.cpu, kind.device)
        };
        self.sequences.each(rows, stream, sink);
    }

    /// First event at or after `time`; `len()` when there is none.
    pub fn find(&self, time: u64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let mid = low + (high - low) / 2;
            if self.time(mid) < time {
                low = mid + 1
            } else {
                high = mid
            }
        }
        low
    }

    /// Memory of all columns, bytes.
    pub fn memory(&self) -> usize {
        self.rows.bytes() + self.times.bytes() + self.rare_bytes()
    }

    /// The part of the memory that not every event needs: kinds, and what is in tables.
    pub fn rare_bytes(&self) -> usize {
        self.kinds_bytes()
            + self.far.len() * 24
            + self.remaps.len() * 8
            + self.remap_pairs.len() * 16
            + self.commands.len() * 12
            + self.sequences.bytes()
            + self.splits.len() * 16
            + self.unplugs.len() * 8
    }

    /// Memory of the kinds, bytes.
    pub fn kinds_bytes(&self) -> usize {
        self.kinds.bytes() + self.task_kinds.bytes()
    }
}

fn lookup<T: Copy>(table: &[(u32, T)], row: usize) -> Option<T> {
    table
        .binary_search_by_key(&(row as u32), |e| e.0)
        .ok()
        .map(|i| table[i].1)
}

#[cfg(test)]
mod tests {
    use super::packed_event::NO_SECTOR;
    use super::*;

    fn event(sector: u64, bytes: u32) -> Event {
        let (action, flags, device, detail) = (
            Action::Complete,
            Flags(0),
            DeviceNumber(0),
            EventDetail::None,
        );
        Event {
            time: 0,
            sector,
            bytes,
            action,
            flags,
            pid: 0,
            device,
            cpu: 0,
            sequence: 0,
            error: 0,
            detail,
        }
    }

    #[test]
    fn sectors_of_any_size_come_back() {
        let sectors = [
            0,
            8,
            NO_SECTOR - 1,
            NO_SECTOR,
            NO_SECTOR + 1,
            u64::MAX - 1,
            u64::MAX,
        ];
        let mut events = Events::default();
        sectors
            .iter()
            .for_each(|&sector| events.push_event(5, &event(sector, 512), 0, 3, Effect::default()));
        assert_eq!(
            (0..events.len())
                .map(|i| events.sector(i))
                .collect::<Vec<_>>(),
            sectors
        );
        assert_eq!(events.far.len(), 3);
        assert!(
            (0..events.len())
                .all(|i| (events.bytes(i), events.process(i), events.time(i)) == (512, 3, 5))
        );
    }

    #[test]
    fn effects_of_any_size_are_kept() {
        let mut events = Events::default();
        let effects = [
            Effect {
                depth: 1,
                waiting: -9000,
            },
            Effect {
                depth: -1,
                waiting: 0,
            },
            Effect {
                depth: 0,
                waiting: 1,
            },
        ];
        effects
            .iter()
            .for_each(|&effect| events.push_event(0, &event(NO_SECTOR, 0), 0, 0, effect));
        events.add_effect(
            2,
            Effect {
                depth: -500,
                waiting: -3,
            },
        );
        events.add_effect(
            0,
            Effect {
                depth: 0,
                waiting: 9000,
            },
        );
        events.add_effect(
            1,
            Effect {
                depth: -1,
                waiting: -1,
            },
        );
        let stored: Vec<(i32, i32)> = (0..3)
            .map(|i| (events.effect(i).depth, events.effect(i).waiting))
            .collect();
        assert_eq!(stored, [(1, 0), (-2, -1), (-500, -2)]);
        assert!((0..3).all(|i| events.sector(i) == NO_SECTOR));
    }
}

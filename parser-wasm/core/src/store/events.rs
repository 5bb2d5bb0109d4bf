//! All events in time order, as columns: about 23 bytes per event.

use super::column::{Column8, Column16, Column48, reserve};
use super::event_block::EventBlock;
use super::event_times::EventTimes;
use super::sequences::Sequences;
use crate::event::{Action, DeviceNumber, Event, EventDetail, Flags};

/// How an event changes its device's state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Change of requests in flight: +1 at D, -1 at R or at the last C.
    pub depth: i32,
    /// Change of bios waiting: +1 at Q; minus the bios of a request at its D.
    pub waiting: i32,
}

/// Bits of the packed effect that hold the waiting part.
const WAITING_BITS: u32 = 14;
/// A packed effect that does not fit into two bytes: it is in a table.
pub(super) const LARGE: i16 = -1;

impl Effect {
    /// In two bytes, if it fits.
    #[inline]
    pub(super) fn pack(self) -> Option<i16> {
        let limit = (1 << (WAITING_BITS - 1)) - 1;
        let fits = (-1..=1).contains(&self.depth) && (-limit..=limit).contains(&self.waiting);
        let waiting = self.waiting as u16 & ((1 << WAITING_BITS) - 1);
        fits.then(|| ((self.depth + 1) as u16).wrapping_shl(WAITING_BITS).wrapping_add(waiting) as i16)
    }

    #[inline]
    fn unpack(packed: i16) -> Effect {
        let bits = packed as u16;
        let depth = i32::from(bits >> WAITING_BITS) - 1;
        let waiting = i32::from(((bits << (16 - WAITING_BITS)) as i16) >> (16 - WAITING_BITS));
        Effect { depth, waiting }
    }
}

/// Events between two time bases.
pub const BLOCK: usize = 4096;

/// The event columns. Rows are in time order once the trace is complete.
#[derive(Clone, Debug, Default)]
pub struct Events {
    time: EventTimes,
    sector: Column48,
    bytes: Vec<u32>,
    action: Vec<u8>,
    flags: Vec<u16>,
    cpu: Column8,
    process: Column16,
    device: Column8,
    effect: Vec<i16>,
    large_effects: Vec<(u32, Effect)>,
    errors: Vec<(u32, i16)>,
    /// Remaps by event, with the index of their (device, offset) pair.
    remaps: Vec<(u32, u32)>,
    /// Distinct ways of remapping.
    remap_pairs: Vec<RemapPair>,
    splits: Vec<(u32, u64)>,
    /// Unplugs that did not release one request; `NO_COUNT` for those without a number.
    unplugs: Vec<(u32, u32)>,
    /// Places of commands.
    commands: Vec<(u32, (u32, u16))>,
    sequences: Sequences,
}

/// Upper device, target, sector on the upper device minus the event's sector.
type RemapPair = (DeviceNumber, DeviceNumber, u64);

const NO_COUNT: u32 = u32::MAX;

impl Events {
    /// Number of events.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Makes room for so many events more.
    pub fn reserve(&mut self, more: usize) {
        self.time.reserve(more);
        self.sector.reserve(more);
        reserve(&mut self.bytes, more);
        reserve(&mut self.action, more);
        reserve(&mut self.flags, more);
        self.cpu.reserve(more);
        self.process.reserve(more);
        self.device.reserve(more);
        reserve(&mut self.effect, more);
    }

    /// Takes the rows of a block.
    pub fn append(&mut self, block: &mut EventBlock) {
        let (rows, first) = (&block.rows, self.len() as u32);
        self.time.extend(rows);
        self.sector.extend(rows.iter().map(|row| row.sector));
        self.bytes.extend(rows.iter().map(|row| row.bytes));
        self.action.extend(rows.iter().map(|row| row.action));
        self.flags.extend(rows.iter().map(|row| row.flags.0));
        self.cpu.extend(rows.iter().map(|row| row.cpu));
        self.process.extend(rows.iter().map(|row| row.process));
        self.device.extend(rows.iter().map(|row| row.device));
        self.effect.extend(rows.iter().map(|row| row.effect));
        for (at, row) in (first..).zip(rows) {
            self.sequences.push(at as usize, row.cpu, row.device, row.sequence);
            if row.error != 0 {
                self.errors.push((at, row.error));
            }
        }
        self.large_effects.extend(block.large_effects.drain(..).map(|(row, effect)| (first + row, effect)));
        for &(row, detail) in &block.details {
            self.push_detail(first + row, detail, block.rows.get(row as usize).map_or(0, |row| row.sector));
        }
        block.rows.clear();
        block.details.clear();
    }

    /// Appends an event at `time` ns since the trace's start; `device` and `process` are indices of the store's tables.
    pub fn push(&mut self, time: u64, event: &Event, device: u32, process: u32, effect: Effect) {
        let mut block = EventBlock::default();
        block.push(time, event, device, process, effect);
        self.append(&mut block);
    }

    fn push_detail(&mut self, row: u32, detail: EventDetail, at: u64) {
        match detail {
            EventDetail::None => self.unplugs.push((row, NO_COUNT)),
            EventDetail::Unplug(1) => {}
            EventDetail::Remap { from, to, sector } => {
                let pair = (from, to, sector.wrapping_sub(at));
                let index = self.pair_index(pair);
                self.remaps.push((row, index));
            }
            EventDetail::Split(sector) => self.splits.push((row, sector)),
            EventDetail::Command { at, len } => self.commands.push((row, (at, len))),
            EventDetail::Unplug(count) => self.unplugs.push((row, count.min(u64::from(NO_COUNT - 1)) as u32)),
        }
    }

    fn pair_index(&mut self, pair: RemapPair) -> u32 {
        // Neighbouring remaps nearly always share their offset; older ones are found if they are among the last few.
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

    /// ns since the trace's start.
    #[inline]
    pub fn time(&self, i: usize) -> u64 {
        self.time.get(i)
    }

    /// First sector.
    #[inline]
    pub fn sector(&self, i: usize) -> u64 {
        self.sector.get(i)
    }

    /// Length in bytes.
    #[inline]
    pub fn bytes(&self, i: usize) -> u32 {
        self.bytes[i]
    }

    /// Length in whole sectors.
    #[inline]
    pub fn sectors(&self, i: usize) -> u64 {
        u64::from(self.bytes[i] >> 9)
    }

    /// What happened.
    #[inline]
    pub fn action(&self, i: usize) -> Action {
        Action::from_code(u16::from(self.action[i])).unwrap_or(Action::DriverData)
    }

    /// Kind of operation.
    #[inline]
    pub fn flags(&self, i: usize) -> Flags {
        Flags(self.flags[i])
    }

    /// CPU that recorded it.
    #[inline]
    pub fn cpu(&self, i: usize) -> u32 {
        self.cpu.get(i)
    }

    /// Index of the running task in the store's processes.
    #[inline]
    pub fn process(&self, i: usize) -> u32 {
        self.process.get(i)
    }

    /// Index of the store's devices.
    #[inline]
    pub fn device(&self, i: usize) -> u32 {
        self.device.get(i)
    }

    /// Change of the device's state.
    #[inline]
    pub fn effect(&self, i: usize) -> Effect {
        match self.effect[i] {
            LARGE => lookup(&self.large_effects, i).unwrap_or_default(),
            packed => Effect::unpack(packed),
        }
    }

    /// Adds to the change that comes with an event.
    pub fn add_effect(&mut self, i: usize, more: Effect) {
        let Effect { depth, waiting } = self.effect(i);
        let effect = Effect { depth: depth + more.depth, waiting: waiting + more.waiting };
        self.effect[i] = effect.pack().unwrap_or(LARGE);
        match (self.large_effects.binary_search_by_key(&(i as u32), |e| e.0), effect.pack()) {
            (Ok(at), None) => self.large_effects[at].1 = effect,
            (Err(at), None) => self.large_effects.insert(at, (i as u32, effect)),
            (Ok(at), Some(_)) => drop(self.large_effects.remove(at)),
            (Err(_), Some(_)) => {}
        }
    }

    /// errno, 0 or negative.
    pub fn error(&self, i: usize) -> i16 {
        lookup(&self.errors, i).unwrap_or(0)
    }

    pub fn detail(&self, i: usize) -> EventDetail {
        match self.action(i) {
            Action::Remap => lookup(&self.remaps, i).and_then(|pair| self.remap_pairs.get(pair as usize)).map_or(
                EventDetail::None,
                |&(from, to, offset)| EventDetail::Remap { from, to, sector: self.sector(i).wrapping_add(offset) },
            ),
            Action::Split => lookup(&self.splits, i).map_or(EventDetail::None, EventDetail::Split),
            Action::Unplug | Action::UnplugTimer => match lookup(&self.unplugs, i).unwrap_or(1) {
                NO_COUNT => EventDetail::None,
                count => EventDetail::Unplug(u64::from(count)),
            },
            _ => lookup(&self.commands, i).map_or(EventDetail::None, |(at, len)| EventDetail::Command { at, len }),
        }
    }

    /// Gives each event of `rows` (within the table) its counter per CPU and device, in order; 0 where the source has none.
    pub fn sequences(&self, rows: std::ops::Range<usize>, sink: impl FnMut(usize, u32)) {
        self.sequences.each(rows, |i| (self.cpu(i), self.device(i)), sink);
    }

    /// First event at or after `time`; `len()` when there is none.
    pub fn find(&self, time: u64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let mid = low + (high - low) / 2;
            if self.time(mid) < time { low = mid + 1 } else { high = mid }
        }
        low
    }

    /// Memory of all columns, in bytes.
    pub fn memory(&self) -> usize {
        self.time.bytes()
            + self.sector.bytes()
            + self.bytes.len() * 4
            + self.action.len()
            + self.flags.len() * 2
            + self.cpu.bytes()
            + self.process.bytes()
            + self.device.bytes()
            + self.effect.len() * 2
            + self.large_effects.len() * 12
            + self.errors.len() * 8
            + self.remaps.len() * 8
            + self.remap_pairs.len() * 16
            + self.commands.len() * 12
            + self.sequences.bytes()
            + self.splits.len() * 16
            + self.unplugs.len() * 8
    }
}

fn lookup<T: Copy>(table: &[(u32, T)], row: usize) -> Option<T> {
    table.binary_search_by_key(&(row as u32), |e| e.0).ok().map(|i| table[i].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_survive_packing() {
        for depth in -1..=1 {
            for waiting in [-8191, -300, -1, 0, 1, 8191] {
                let e = Effect { depth, waiting };
                assert_eq!(e.pack().map(Effect::unpack), Some(e));
                assert_ne!(e.pack(), Some(LARGE));
            }
        }
        assert_eq!((Effect { depth: 2, waiting: 0 }.pack(), Effect { depth: 0, waiting: -8192 }.pack()), (None, None));
    }

    #[test]
    fn effects_of_any_size_are_kept() {
        let mut events = Events::default();
        let e = Event {
            time: 0,
            sector: 0,
            bytes: 0,
            action: Action::Complete,
            flags: Flags(0),
            pid: 0,
            device: DeviceNumber(0),
            cpu: 0,
            sequence: 0,
            error: 0,
            detail: EventDetail::None,
        };
        let given = [Effect { depth: 1, waiting: -9000 }, Effect { depth: -1, waiting: 0 }, Effect { depth: 0, waiting: 1 }];
        given.iter().for_each(|&effect| events.push(0, &e, 0, 0, effect));
        events.add_effect(2, Effect { depth: -500, waiting: -3 });
        events.add_effect(0, Effect { depth: 0, waiting: 9000 });
        events.add_effect(1, Effect { depth: -1, waiting: -1 });
        let kept: Vec<(i32, i32)> = (0..3).map(|i| (events.effect(i).depth, events.effect(i).waiting)).collect();
        assert_eq!(kept, [(1, 0), (-2, -1), (-500, -2)]);
    }
}

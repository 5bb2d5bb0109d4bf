//! Events that another worker read, at the end of those before them.
//!
//! Rows are taken in runs: rows that are in one block here and where they come from. Nearly always
//! a run differs from its copy in the numbers of kinds and in one distance of times, and its
//! sequence numbers go on; everything else takes the way of single events, with the same result.

use super::super::BLOCK;
use super::super::row_numbers::RowNumbers;
use super::super::sequences::SequenceReader;
use super::{Effect, EventKind, Events, FAR, FarEvent, PackedEvent};
use std::ops::Range;

/// A kind of events of a process that are appended.
#[derive(Clone, Copy)]
struct AppendedKind {
    number: u32,
    device: u32,
    stream: u32,
    effect: Effect,
}

/// Counts by number, of which few are not 0.
struct SparseCounts {
    counts: Vec<u32>,
    /// The numbers with a count.
    seen: Vec<u32>,
}

impl SparseCounts {
    fn with_room_for(numbers: usize) -> SparseCounts {
        SparseCounts {
            counts: vec![0; numbers],
            seen: Vec::new(),
        }
    }

    #[inline(always)]
    fn add(&mut self, number: u32, count: u32) {
        let sum = &mut self.counts[number as usize];
        if *sum == 0 {
            self.seen.push(number);
        }
        *sum += count;
    }

    /// Moves all counts into a list of numbers and counts.
    fn take(&mut self, list: &mut Vec<(u32, u32)>) {
        list.clear();
        let counts = &mut self.counts;
        let taken = |number| (number, std::mem::take(&mut counts[number as usize]));
        list.extend(self.seen.drain(..).map(taken));
    }
}

impl Events {
    /// Appends all events of `other`, a run of rows in one block at once. `each_run` is called with
    /// the first row of each run, before anything of it is known, and the effects of its events by
    /// device; a device may occur several times.
    pub fn append(
        &mut self,
        other: &Events,
        numbers: &RowNumbers,
        mut each_run: impl FnMut(usize, &[(u32, Effect)]),
    ) {
        let kinds: Vec<AppendedKind> = other
            .each_task_kind()
            .map(|(kind, process)| self.appended_kind(*kind, process, numbers))
            .collect();
        self.append_details(other, numbers);
        let streams = kinds.iter().map(|kind| kind.stream as usize + 1).max();
        let streams = streams.unwrap_or(0);
        let mut sequences = other.sequences.reader(streams);
        let mut counts = SparseCounts::with_room_for(kinds.len());
        let mut stream_counts = SparseCounts::with_room_for(streams);
        let (mut counted, mut counted_streams) = (Vec::new(), Vec::new());
        let mut effects = Vec::new();
        let mut from = 0;
        while from < other.len() {
            let row = self.len();
            let room = (BLOCK - from % BLOCK).min(BLOCK - row % BLOCK);
            let rows = from..other.len().min(from + room);
            for number in other.task_numbers(rows.clone()) {
                counts.add(number, 1);
            }
            counts.take(&mut counted);
            effects.clear();
            for &(number, count) in &counted {
                let AppendedKind {
                    device,
                    stream,
                    effect,
                    ..
                } = kinds[number as usize];
                stream_counts.add(stream, count);
                let effect = Effect {
                    depth: effect.depth * count as i32,
                    waiting: effect.waiting * count as i32,
                };
                effects.push((device, effect));
            }
            stream_counts.take(&mut counted_streams);
            each_run(row, &effects);
            if !self.append_near(other, rows.clone(), &kinds) {
                self.append_rows(other, rows.clone(), &kinds);
            }
            if !(self.sequences).push_run(row, rows.end, &counted_streams, &mut sequences) {
                self.append_sequences(other, row, rows.clone(), &kinds, &mut sequences);
            }
            from = rows.end;
        }
    }

    fn appended_kind(
        &mut self,
        kind: EventKind,
        process: u32,
        numbers: &RowNumbers,
    ) -> AppendedKind {
        let EventKind { cpu, effect, .. } = kind;
        let device = numbers.device(kind.device);
        let kind = self.kinds.number(&EventKind { device, ..kind });
        AppendedKind {
            number: self.number_of_task(kind, numbers.process(process)),
            device,
            stream: self.stream(cpu, device),
            effect,
        }
    }

    /// Appends rows that fit into one block with other numbers of kinds and one distance of times.
    /// `false` if one does not: then nothing has changed.
    fn append_near(&mut self, other: &Events, rows: Range<usize>, kinds: &[AppendedKind]) -> bool {
        let row = self.len();
        let Some(run) = (self.times).run(row, &other.times, rows.start, other.time(rows.start))
        else {
            return false;
        };
        let mut fits = true;
        self.rows.extend_block(other.rows.piece(rows).iter().map(
            |&PackedEvent([time, low, high])| {
                let number = kinds.get((high >> 8) as usize).map_or(FAR, |k| k.number);
                let offset = run.offset(time);
                // Rows that do not fit are dropped below.
                fits &= number < FAR && offset.is_some();
                let offset = offset.unwrap_or_default();
                PackedEvent([offset, low, high & 0xff | number << 8])
            },
        ));
        if fits {
            self.times.begin_run(row, run);
        } else {
            self.rows.truncate(row);
        }
        fits
    }

    /// Appends rows one by one.
    #[cold]
    fn append_rows(&mut self, other: &Events, rows: Range<usize>, kinds: &[AppendedKind]) {
        for i in rows {
            let (row, sector) = (self.rows.len(), other.sector(i));
            let number = kinds[other.task_number(i) as usize].number;
            let offset = self.times.push(row, other.time(i));
            if PackedEvent::fits(sector, number) {
                self.rows.push(PackedEvent::new(offset, sector, number));
            } else {
                self.far.push((row as u32, FarEvent { sector, number }));
                self.rows.push(PackedEvent::new(offset, 0, FAR));
            }
        }
    }

    /// Appends the sequence numbers of rows one by one; `row` is that of the first of them here.
    #[cold]
    fn append_sequences(
        &mut self,
        other: &Events,
        mut row: usize,
        rows: Range<usize>,
        kinds: &[AppendedKind],
        sequences: &mut SequenceReader,
    ) {
        for i in rows {
            let stream = kinds[other.task_number(i) as usize].stream;
            (self.sequences).push(row, stream, sequences.next(i, stream));
            row += 1;
        }
    }

    /// Appends what is kept for few events. All of their rows move by the same number.
    fn append_details(&mut self, other: &Events, numbers: &RowNumbers) {
        let shift = self.len() as u32;
        for &(row, pair) in &other.remaps {
            let index = self.pair_index(other.remap_pairs[pair as usize]);
            self.remaps.push((row + shift, index));
        }
        let moved = other.splits.iter();
        self.splits
            .extend(moved.map(|&(row, sector)| (row + shift, sector)));
        let moved = other.unplugs.iter();
        self.unplugs
            .extend(moved.map(|&(row, count)| (row + shift, count)));
        let moved = other.commands.iter();
        let before = numbers.commands as u32;
        self.commands
            .extend(moved.map(|&(row, (start, len))| (row + shift, (start + before, len))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Action, DeviceNumber, Event, EventDetail, Flags};

    /// Events between two numbers, with gaps of more than 4.3 s and details. In some blocks,
    /// sectors do not fit into a row, and sequence numbers are missing; others are copied in runs.
    fn made(numbers: std::ops::Range<u64>) -> Events {
        let mut events = Events::default();
        for i in numbers {
            let (action, detail) = match i % 5 {
                0 => (Action::Queue, EventDetail::None),
                1 => (Action::Issue, EventDetail::None),
                2 => (Action::Split, EventDetail::Split(i)),
                3 => (Action::Unplug, EventDetail::Unplug(i % 3)),
                _ => (Action::Complete, EventDetail::None),
            };
            let effect = Effect {
                depth: (action == Action::Issue).into(),
                waiting: 0,
            };
            let is_odd = i / 8192 % 2 == 0;
            let (sector, sequence) = (
                if is_odd && i % 700 == 11 {
                    1 << 50
                } else {
                    i * 8
                },
                if is_odd && i % 900 == 5 {
                    i as u32 + 7
                } else {
                    i as u32 + 1
                },
            );
            let (device, flags, error) = (DeviceNumber(8), Flags::default(), 0);
            let time = i * 1000 + i / 7000 * 5_000_000_000;
            let event = Event {
                time,
                sector,
                bytes: 512,
                action,
                flags,
                pid: 1,
                device,
                cpu: 2,
                sequence,
                error,
                detail,
            };
            events.push_event(time, &event, 0, 0, effect);
        }
        events
    }

    #[test]
    fn what_is_appended_is_as_if_it_had_been_pushed() {
        const ALL: u64 = 20_000;
        let whole = made(0..ALL);
        let sequences = |events: &Events| {
            let mut all = Vec::new();
            events.sequences(0..events.len(), |_, n| all.push(n));
            all
        };
        for cut in [0, 1, 2500, 4095, 4096, 4097, 6999, 13_000, ALL] {
            let (mut events, rest) = (made(0..cut), made(cut..ALL));
            let numbers = RowNumbers {
                devices: vec![0],
                processes: vec![0],
                texts: 0,
                commands: 0,
            };
            let (mut before, mut depth) = (Vec::new(), 0);
            events.append(&rest, &numbers, |row, effects| {
                before.push((row, depth));
                depth += effects.iter().map(|(_, e)| e.depth).sum::<i32>();
            });
            let row = |events: &Events, i: usize| {
                (
                    events.time(i),
                    events.sector(i),
                    *events.kind(i),
                    events.detail(i),
                )
            };
            assert_eq!(events.len(), whole.len());
            for i in 0..whole.len() {
                assert_eq!(row(&events, i), row(&whole, i), "{cut}: {i}");
            }
            assert_eq!(sequences(&events), sequences(&whole), "{cut}");
            let depth_of = |rows: Range<usize>| rows.map(|i| whole.effect(i).depth).sum::<i32>();
            for (row, depth) in before {
                assert_eq!(depth, depth_of(cut as usize..row), "{cut}: before {row}");
            }
            assert_eq!(depth, depth_of(cut as usize..whole.len()), "{cut}");
        }
    }
}

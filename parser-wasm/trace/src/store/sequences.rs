//! The sequence numbers that the kernel gives the events of each (CPU, device) stream. They
//! increase by one, so only exceptions are stored.

use super::BLOCK;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A stream: its CPU and device.
type StreamKey = (u32, u32);

/// The sequence numbers of all events.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sequences {
    index: FxHashMap<StreamKey, u32>,
    /// Block of the last event and its number, by stream.
    last: Vec<(u32, u32)>,
    /// Per stream, for each block with events of it: the last number before the block.
    before: Vec<Vec<(u32, u32)>>,
    /// Events whose number is not the next of their stream.
    exceptions: Vec<(u32, u32)>,
}

/// Goes through the sequence numbers of all events in order, where the stream of each is known by
/// any number.
pub struct SequenceReader<'a> {
    exceptions: &'a [(u32, u32)],
    last: Vec<u32>,
}

impl SequenceReader<'_> {
    /// The number of event `row`, the next one.
    #[inline(always)]
    pub fn next(&mut self, row: usize, stream: u32) -> u32 {
        let Some(last) = self.last.get_mut(stream as usize) else {
            return 0;
        };
        *last = match self.exceptions.split_first() {
            Some((&(odd, sequence), rest)) if odd as usize == row => {
                self.exceptions = rest;
                sequence
            }
            _ => next(*last),
        };
        *last
    }
}

/// The number that usually follows; a stream without numbers stays at 0.
fn next(last: u32) -> u32 {
    if last == 0 { 0 } else { last.wrapping_add(1) }
}

impl Sequences {
    pub fn stream(&mut self, cpu: u32, device: u32) -> u32 {
        *self.index.entry((cpu, device)).or_insert_with(|| {
            self.last.push((u32::MAX, 0));
            self.before.push(Vec::new());
            (self.last.len() - 1) as u32
        })
    }

    /// Appends the sequence number of event `row`, of a stream.
    #[inline(always)]
    pub fn push(&mut self, row: usize, stream: u32, sequence: u32) {
        let block = (row / BLOCK) as u32;
        let last = &mut self.last[stream as usize];
        if last.0 != block {
            self.before[stream as usize].push((block, last.1));
        }
        if next(last.1) != sequence {
            self.exceptions.push((row as u32, sequence));
        }
        *last = (block, sequence);
    }

    /// Appends the sequence numbers of a run: events in one block, the first of which is event
    /// `row` here; where `reader` reads them, they end before `end`. `counts` are the streams and
    /// their events. `false`, and nothing has changed, if one number is not the next of its stream.
    pub fn push_run(
        &mut self,
        row: usize,
        end: usize,
        counts: &[(u32, u32)],
        reader: &mut SequenceReader,
    ) -> bool {
        let exception = reader.exceptions.first();
        let goes_on = |&(stream, count): &(u32, u32)| {
            let last = reader.last[stream as usize];
            self.last[stream as usize].1 == last && (last == 0 || last.checked_add(count).is_some())
        };
        if exception.is_some_and(|exception| (exception.0 as usize) < end)
            || !counts.iter().all(goes_on)
        {
            return false;
        }
        let block = (row / BLOCK) as u32;
        for &(stream, count) in counts {
            let stream = stream as usize;
            let last = &mut self.last[stream];
            if last.0 != block {
                self.before[stream].push((block, last.1));
            }
            let number = if last.1 == 0 { 0 } else { last.1 + count };
            *last = (block, number);
            reader.last[stream] = number;
        }
        true
    }

    /// Reads the numbers of all events from the first on; the numbers of streams are below
    /// `streams`.
    pub fn reader(&self, streams: usize) -> SequenceReader<'_> {
        SequenceReader {
            exceptions: &self.exceptions,
            last: vec![0; streams],
        }
    }

    /// Calls `sink` with each event of `rows` and its number; `stream` returns the CPU and device
    /// of an event.
    pub fn each(
        &self,
        rows: std::ops::Range<usize>,
        stream: impl Fn(usize) -> StreamKey,
        mut sink: impl FnMut(usize, u32),
    ) {
        let begin = rows.start / BLOCK * BLOCK;
        let block = (begin / BLOCK) as u32;
        let mut last: FxHashMap<StreamKey, u32> = FxHashMap::default();
        let mut exception = self.exceptions.partition_point(|e| (e.0 as usize) < begin);
        for row in begin..rows.end {
            let stream = stream(row);
            let last = last
                .entry(stream)
                .or_insert_with(|| self.before(stream, block));
            *last = match self.exceptions.get(exception) {
                Some(&(odd, sequence)) if odd as usize == row => {
                    exception += 1;
                    sequence
                }
                _ => next(*last),
            };
            if row >= rows.start {
                sink(row, *last);
            }
        }
    }

    /// Last number of a stream before a block.
    fn before(&self, stream: StreamKey, block: u32) -> u32 {
        let Some(&index) = self.index.get(&stream) else {
            return 0;
        };
        let blocks = &self.before[index as usize];
        match blocks.get(blocks.partition_point(|b| b.0 < block)) {
            Some(b) => b.1,
            None => self.last[index as usize].1,
        }
    }

    /// Memory in use, bytes.
    pub fn bytes(&self) -> usize {
        self.exceptions.len() * 8
            + self.before.iter().map(|b| b.len() * 8).sum::<usize>()
            + self.last.len() * 48
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_from_any_row_on() {
        let mut events = Vec::new();
        let mut counters = [0u32; 5];
        for row in 0..3 * BLOCK + 17 {
            // Stream 4 has no numbers, stream 3 is seldom, stream 2 loses some, stream 1 starts
            // again.
            let stream = if row % 3000 == 7 {
                3
            } else {
                [0, 1, 2, 4][row % 4]
            };
            let c = &mut counters[stream];
            *c += match stream {
                2 if row % 100 == 2 => 50,
                4 => 0,
                _ => 1,
            };
            if stream == 1 && row == 5001 {
                *c = 1;
            }
            events.push(((stream as u32, stream as u32 % 2), *c));
        }
        let mut sequences = Sequences::default();
        for (row, &((cpu, device), sequence)) in events.iter().enumerate() {
            let stream = sequences.stream(cpu, device);
            sequences.push(row, stream, sequence);
        }
        for from in [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 5, events.len()] {
            let mut rows = Vec::new();
            sequences.each(
                from..events.len(),
                |row| events[row].0,
                |row, n| rows.push((row, n)),
            );
            let wanted: Vec<(usize, u32)> = (from..events.len())
                .map(|row| (row, events[row].1))
                .collect();
            assert_eq!(rows, wanted);
        }
        assert!(sequences.exceptions.len() < 150);
    }
}

//! The times of events, which are stored relative to their block.

use crate::store::blocks::BLOCK;
use serde::{Deserialize, Serialize};

/// The time in the row of an event whose time is in [`LateTimes`].
const LATE: u32 = u32::MAX;

/// Complete times of a block, from the first row on whose time is more than 4.3 s after the block's
/// begin.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct LateTimes {
    /// Number of rows of the block before these.
    before: usize,
    times: Vec<u64>,
}

/// The times of rows of one block that are copied into one block.
#[derive(Clone, Copy, Debug)]
pub struct TimeRun {
    /// Base of the block into which they are copied.
    base: u64,
    /// Base of the block that they come from minus `base`, wrapping.
    distance: u64,
}

impl TimeRun {
    /// What a row keeps; `None` if its time would have to be kept complete.
    #[inline(always)]
    pub fn offset(self, offset: u32) -> Option<u32> {
        let moved = u64::from(offset).wrapping_add(self.distance);
        (offset != LATE && moved < LATE.into()).then_some(moved as u32)
    }
}

/// Ascending times: a base per block, to which a row adds 32 bits.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EventTimes {
    bases: Vec<u64>,
    late: Vec<LateTimes>,
}

impl EventTimes {
    /// Takes the time of row `row`, the next one; returns what the row has to keep.
    #[inline(always)]
    pub fn push(&mut self, row: usize, time: u64) -> u32 {
        match (self.bases.last(), self.late.last()) {
            (Some(&base), Some(late))
                if !row.is_multiple_of(BLOCK)
                    && late.times.is_empty()
                    && time.wrapping_sub(base) < LATE.into() =>
            {
                (time - base) as u32
            }
            _ => self.push_first_or_late(row, time),
        }
    }

    #[cold]
    fn push_first_or_late(&mut self, row: usize, time: u64) -> u32 {
        if row.is_multiple_of(BLOCK) {
            self.bases.push(time);
            self.late.push(LateTimes::default());
        }
        let (Some(&base), Some(late)) = (self.bases.last(), self.late.last_mut()) else {
            return LATE;
        };
        match time.checked_sub(base) {
            Some(offset) if offset < u64::from(LATE) && late.times.is_empty() => offset as u32,
            _ => {
                if late.times.is_empty() {
                    late.before = row % BLOCK;
                }
                late.times.push(time);
                LATE
            }
        }
    }

    /// How offsets of a block of `other`, of which row `first` is at `time`, become those of the
    /// rows from `row` on; `None` if either block has complete times.
    pub fn run(&self, row: usize, other: &EventTimes, first: usize, time: u64) -> Option<TimeRun> {
        let begins = row.is_multiple_of(BLOCK);
        let has_late = |late: &LateTimes| !late.times.is_empty();
        if other.late.get(first / BLOCK).is_none_or(has_late)
            || !begins && self.late.last().is_none_or(has_late)
        {
            return None;
        }
        let base = if begins { time } else { *self.bases.last()? };
        let distance = other.base(first).wrapping_sub(base);
        Some(TimeRun { base, distance })
    }

    /// Takes the times of a run that begins with row `row`.
    pub fn begin_run(&mut self, row: usize, run: TimeRun) {
        if row.is_multiple_of(BLOCK) {
            self.bases.push(run.base);
            self.late.push(LateTimes::default());
        }
    }

    /// The time of row `row`, which kept `offset`.
    #[inline]
    pub fn get(&self, row: usize, offset: u32) -> u64 {
        self.get_from(self.base(row), row, offset)
    }

    /// The same of a row in a block with this base.
    #[inline(always)]
    pub fn get_from(&self, base: u64, row: usize, offset: u32) -> u64 {
        if offset == LATE {
            self.late(row)
        } else {
            base + u64::from(offset)
        }
    }

    /// The time that is added to the times of the block of a row.
    #[inline]
    pub fn base(&self, row: usize) -> u64 {
        self.bases[row / BLOCK]
    }

    #[cold]
    fn late(&self, row: usize) -> u64 {
        let late = &self.late[row / BLOCK];
        late.times[row % BLOCK - late.before]
    }

    /// Memory in use, bytes.
    pub fn bytes(&self) -> usize {
        let late = |late: &LateTimes| size_of::<LateTimes>() + late.times.len() * 8;
        self.bases.len() * 8 + self.late.iter().map(late).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_survive_long_gaps_and_block_borders() {
        let time_of = |i: u64| {
            i * 7 + if i > 5000 { 1 << 40 } else { 0 } + if i == 9000 { 1 << 33 } else { 0 }
        };
        let times_in: Vec<u64> = (0..10_000).map(time_of).collect();
        let mut times = EventTimes::default();
        let offsets: Vec<u32> = times_in
            .iter()
            .enumerate()
            .map(|(row, &time)| times.push(row, time))
            .collect();
        for (row, &time) in times_in.iter().enumerate() {
            assert_eq!(times.get(row, offsets[row]), time, "{row}");
        }
        assert!(
            offsets[..=5000].iter().all(|&offset| offset != LATE)
                && offsets[5001..8192].iter().all(|&offset| offset == LATE)
        );
    }
}

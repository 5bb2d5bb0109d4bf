//! The times of events in blocks.

use super::column::reserve;
use super::event_block::BlockRow;
use super::events::BLOCK;

/// Ascending times: a base per block and 32-bit offsets; a block that spans more than 4.3 s keeps complete times.
#[derive(Clone, Debug, Default)]
pub struct EventTimes {
    base: Vec<u64>,
    offset: Vec<u32>,
    whole: Vec<Option<Vec<u64>>>,
}

impl EventTimes {
    pub fn reserve(&mut self, more: usize) {
        reserve(&mut self.offset, more);
    }

    /// Appends a time to a block that was begun.
    fn add(&mut self, time: u64) {
        let block = self.offset.len() / BLOCK;
        let base = self.base[block];
        match (&mut self.whole[block], u32::try_from(time.wrapping_sub(base))) {
            (None, Ok(offset)) if time >= base => self.offset.push(offset),
            (Some(times), _) => {
                times.push(time);
                self.offset.push(0);
            }
            (None, _) => {
                let mut times: Vec<u64> = self.offset[block * BLOCK..].iter().map(|&o| base + u64::from(o)).collect();
                times.push(time);
                self.whole[block] = Some(times);
                self.offset.push(0);
            }
        }
    }

    /// Appends many. Those that fit the base of their block are written without a look at each.
    pub fn extend(&mut self, mut rows: &[BlockRow]) {
        while let Some((first, _)) = rows.split_first() {
            let room = BLOCK - self.offset.len() % BLOCK;
            let now;
            (now, rows) = rows.split_at(rows.len().min(room));
            if room == BLOCK {
                self.base.push(first.time);
                self.whole.push(None);
            }
            let (base, is_short) = (self.base.last().copied().unwrap_or(0), self.whole.last().is_none_or(Option::is_none));
            let fits = |row: &BlockRow| row.time >= base && row.time - base <= u64::from(u32::MAX);
            if is_short && now.iter().all(fits) {
                self.offset.extend(now.iter().map(|row| (row.time - base) as u32));
            } else {
                now.iter().for_each(|row| self.add(row.time));
            }
        }
    }

    #[inline]
    pub fn get(&self, i: usize) -> u64 {
        let block = i / BLOCK;
        match &self.whole[block] {
            None => self.base[block] + u64::from(self.offset[i]),
            Some(times) => times[i % BLOCK],
        }
    }

    pub fn bytes(&self) -> usize {
        self.offset.len() * 4 + self.base.len() * 16 + self.whole.iter().flatten().map(|t| t.len() * 8).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Flags;

    #[test]
    fn times_survive_long_gaps_and_block_borders() {
        let given: Vec<u64> = (0..10_000u64).map(|i| i * 7 + if i > 5000 { 1 << 40 } else { 0 }).collect();
        let row = |&time: &u64| BlockRow {
            time,
            sector: 0,
            bytes: 0,
            cpu: 0,
            process: 0,
            device: 0,
            sequence: 0,
            flags: Flags(0),
            error: 0,
            action: 1,
            effect: 0,
        };
        for piece in [1, 7, 512, 10_000] {
            let mut times = EventTimes::default();
            given.chunks(piece).for_each(|piece| times.extend(&piece.iter().map(row).collect::<Vec<_>>()));
            for (i, &t) in given.iter().enumerate() {
                assert_eq!(times.get(i), t, "{i} in pieces of {piece}");
            }
        }
    }
}

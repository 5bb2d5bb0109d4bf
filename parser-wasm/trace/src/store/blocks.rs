//! Rows in blocks of equal size. A table grows without a copy of what it has, and a row is found by
//! two indices.

use std::ops::Range;

/// Number of rows in a block.
pub const BLOCK: usize = 4096;

/// Rows that are appended and never removed.
#[derive(Clone, Debug)]
pub(super) struct Blocks<T> {
    blocks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for Blocks<T> {
    fn default() -> Blocks<T> {
        Blocks {
            blocks: Vec::new(),
            len: 0,
        }
    }
}

impl<T> Blocks<T> {
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn push(&mut self, row: T) {
        if self.len.is_multiple_of(BLOCK) {
            self.begin_block();
        }
        if let Some(block) = self.blocks.last_mut() {
            block.push(row);
            self.len += 1;
        }
    }

    /// Appends rows that are all in one block.
    #[inline(always)]
    pub fn extend_block(&mut self, rows: impl ExactSizeIterator<Item = T>) {
        if self.len.is_multiple_of(BLOCK) {
            self.begin_block();
        }
        if let Some(block) = self.blocks.last_mut() {
            debug_assert!(block.len() + rows.len() <= BLOCK);
            self.len += rows.len();
            block.extend(rows);
        }
    }

    /// Appends rows: without a copy, if they are a block.
    pub fn push_block(&mut self, rows: Vec<T>) {
        if self.len.is_multiple_of(BLOCK) && (1..=BLOCK).contains(&rows.len()) {
            self.len += rows.len();
            self.blocks.push(rows);
        } else {
            rows.into_iter().for_each(|row| self.push(row));
        }
    }

    #[cold]
    fn begin_block(&mut self) {
        // Many traces are small: only what is larger than a block takes complete blocks.
        self.blocks
            .push(Vec::with_capacity(if self.len == 0 { 0 } else { BLOCK }));
    }

    #[inline]
    pub fn get(&self, row: usize) -> &T {
        &self.blocks[row / BLOCK][row % BLOCK]
    }

    #[inline]
    pub fn get_mut(&mut self, row: usize) -> &mut T {
        &mut self.blocks[row / BLOCK][row % BLOCK]
    }

    /// All rows, a block at a time.
    pub fn blocks(&self) -> impl Iterator<Item = &[T]> {
        self.blocks.iter().map(Vec::as_slice)
    }

    /// Rows from the first one of `rows` on that are in one block; not empty if `rows` is not, and
    /// within the table.
    #[inline]
    pub fn piece(&self, rows: Range<usize>) -> &[T] {
        let (block, from) = (rows.start / BLOCK, rows.start % BLOCK);
        &self.blocks[block][from..(from + rows.len()).min(BLOCK)]
    }

    /// Drops all rows but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        self.blocks.truncate(self.len.div_ceil(BLOCK));
        if let Some(block) = self.blocks.last_mut() {
            block.truncate(self.len - (self.len - 1) / BLOCK * BLOCK);
        }
    }

    /// Memory in use, bytes.
    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_across_blocks() {
        let mut rows = Blocks::default();
        (0..2 * BLOCK + 3).for_each(|row| rows.push(row));
        *rows.get_mut(BLOCK) = 7;
        let stored: Vec<usize> = (0..rows.len()).map(|row| *rows.get(row)).collect();
        let wanted: Vec<usize> = (0..2 * BLOCK + 3)
            .map(|row| if row == BLOCK { 7 } else { row })
            .collect();
        assert_eq!(stored, wanted);
        assert_eq!(rows.bytes(), (2 * BLOCK + 3) * size_of::<usize>());
        let mut joined = Blocks::default();
        rows.blocks()
            .chain([&[1, 2][..], &[], &vec![3; BLOCK + 1]])
            .for_each(|block| joined.push_block(block.to_vec()));
        let rows_of = |rows: &Blocks<usize>| {
            (0..rows.len())
                .map(|row| *rows.get(row))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            rows_of(&joined),
            [rows_of(&rows), vec![1, 2], vec![3; BLOCK + 1]].concat()
        );
        let mut extended = Blocks::default();
        rows.blocks()
            .flat_map(|block| [&block[..1], &block[1..]])
            .for_each(|part| extended.extend_block(part.iter().copied()));
        assert_eq!(rows_of(&extended), rows_of(&rows));
        for len in [2 * BLOCK + 4, 2 * BLOCK + 1, 2 * BLOCK, BLOCK - 1, 0] {
            rows.truncate(len);
            rows.push(len);
            assert_eq!(
                (rows.len(), *rows.get(rows.len() - 1)),
                (len.min(2 * BLOCK + 3) + 1, len)
            );
        }
    }
}

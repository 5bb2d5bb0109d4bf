//! The rows of all requests. Places and times are apart: a map of millions of requests reads a
//! quarter of their memory.

use super::packed_request::{PackedPlace, PackedRequest, PackedTimes};
use crate::store::blocks::Blocks;
use serde::{Deserialize, Serialize};
use std::ops::Range;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct RequestRows {
    places: Blocks<PackedPlace>,
    times: Blocks<PackedTimes>,
}

impl RequestRows {
    pub fn len(&self) -> usize {
        self.places.len()
    }

    #[inline]
    pub fn push(&mut self, row: PackedRequest) {
        self.places.push(row.place);
        self.times.push(row.times);
    }

    #[inline]
    pub fn place(&self, row: usize) -> &PackedPlace {
        self.places.get(row)
    }

    #[inline]
    pub fn times(&self, row: usize) -> &PackedTimes {
        self.times.get(row)
    }

    #[inline]
    pub fn times_mut(&mut self, row: usize) -> &mut PackedTimes {
        self.times.get_mut(row)
    }

    #[inline]
    pub fn get(&self, row: usize) -> PackedRequest {
        PackedRequest {
            place: *self.place(row),
            times: *self.times(row),
        }
    }

    #[inline]
    pub fn set(&mut self, row: usize, to: PackedRequest) {
        *self.places.get_mut(row) = to.place;
        *self.times.get_mut(row) = to.times;
    }

    /// Rows from the first one of `rows` on that are in one block; not empty if `rows` is not, and
    /// within the table.
    #[inline]
    pub fn piece(&self, rows: Range<usize>) -> (&[PackedPlace], &[PackedTimes]) {
        (self.places.piece(rows.clone()), self.times.piece(rows))
    }

    /// Drops all rows but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.places.truncate(len);
        self.times.truncate(len);
    }

    /// Puts the row `order[i]` into place `i`; `order` has each row once.
    pub fn permute(&mut self, mut order: Vec<u32>) {
        for begin in 0..order.len() {
            let first = self.get(begin);
            let mut row = begin;
            loop {
                let from = std::mem::replace(&mut order[row], row as u32) as usize;
                if from == begin {
                    break;
                }
                self.set(row, self.get(from));
                row = from;
            }
            self.set(row, first);
        }
    }

    /// Memory in use, bytes.
    pub fn bytes(&self) -> usize {
        self.places.bytes() + self.times.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{BLOCK, StoredRequest};

    #[test]
    fn rows_are_put_in_order() {
        let n = BLOCK as u32 + 77;
        let mut rows = RequestRows::default();
        let packed = |start: u32| {
            PackedRequest::pack(
                &StoredRequest {
                    start: start.into(),
                    ..StoredRequest::default()
                },
                start,
            )
        };
        (0..n).for_each(|start| rows.push(packed(start).unwrap()));
        // Cycles of all lengths, and rows that stay.
        let order: Vec<u32> = (0..n)
            .map(|i| {
                if i < 100 {
                    i
                } else {
                    100 + (i - 100) * 31 % (n - 100)
                }
            })
            .collect();
        rows.permute(order.clone());
        let found =
            (0..n as usize).map(|row| (rows.times(row).start() as u32, rows.place(row).kind()));
        assert_eq!(
            found.collect::<Vec<_>>(),
            order.iter().map(|&row| (row, row)).collect::<Vec<_>>()
        );
    }
}

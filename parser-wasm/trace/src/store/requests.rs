//! One row per request: issued by a disk, or a bio of a device without requests. 32 bytes each, and
//! the table of their kinds.
//!
//! A row has its sector and kind (8 bytes, `places`) and its times (24 bytes, `times`) in two
//! tables, because maps and filters of millions of requests read only the first. Times other than
//! the start are 32-bit distances from it. A row whose values do not fit (a span above 4.3 s, a
//! sector above 512 TiB, a kind above 16 million) is `FAR` and stands complete in a map by row;
//! accessors have to look there, and `replace` has to keep both in step.
//!
//! Rows are appended at D, completed in place at C, and sorted once at the end of the trace; until
//! then their numbers are handles of the lifecycle.

use super::rows;
use crate::kinds::Kinds;
use packed_request::{PackedPlace, PackedRequest, PackedTimes};
use request_rows::RequestRows;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use stored_request::{RequestKind, StoredRequest};

mod append;
pub mod packed_request;
pub mod request_row;
mod request_rows;
pub mod stored_request;
#[cfg(test)]
mod tests;

/// The distances of a request's times from its start in ns, see [`super::RequestRow::spans`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestSpans {
    pub queued: Option<u64>,
    pub allocated: Option<u64>,
    pub inserted: Option<u64>,
    pub completed: Option<u64>,
}

/// The requests, ascending by `start` once the trace is complete.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Requests {
    rows: RequestRows,
    kinds: Kinds<RequestKind>,
    /// Rows that do not fit: times beyond three days, spans beyond 4.29 s, sectors beyond 512 TiB.
    far: FxHashMap<u32, FarRequest>,
}

/// A row that does not fit, with the number of its kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FarRequest {
    row: StoredRequest,
    kind: u32,
}

impl Requests {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.len() == 0
    }

    /// Appends a row and returns its number.
    pub fn push(&mut self, row: &StoredRequest) -> usize {
        let i = self.rows.len();
        let packed = self.pack(i, row);
        self.rows.push(packed);
        i
    }

    /// Writes another row over row `i`: the request was handed back and issued again.
    pub fn replace(&mut self, i: usize, row: &StoredRequest) {
        if self.rows.place(i).is_far() {
            self.far.remove(&(i as u32));
        }
        let packed = self.pack(i, row);
        self.rows.set(i, packed);
    }

    #[inline]
    fn pack(&mut self, i: usize, row: &StoredRequest) -> PackedRequest {
        let kind = self.kinds.number(&RequestKind::from_row(row));
        PackedRequest::pack(row, kind).unwrap_or_else(|| {
            self.far.insert(
                i as u32,
                FarRequest {
                    row: row.normal(),
                    kind,
                },
            );
            PackedRequest::FAR
        })
    }

    /// The complete row, unpacked.
    pub fn stored(&self, i: usize) -> StoredRequest {
        let packed = self.rows.get(i);
        match if packed.place.is_far() {
            self.far_row(i)
        } else {
            None
        } {
            Some(row) => *row,
            None => packed.stored(self.row(i).kind()),
        }
    }

    /// Marks row `i` as done at `time`.
    pub fn complete(&mut self, i: usize, time: u64, cpu: u32, error: i16) {
        if error != 0 || !self.rows.times_mut(i).complete(time, cpu) {
            let row = self.stored(i);
            let error = if error == 0 { row.error } else { error };
            self.replace(
                i,
                &StoredRequest {
                    completed: Some(time.max(row.start)),
                    complete_cpu: cpu,
                    error,
                    ..row
                },
            );
        }
    }

    /// Notes the error of a part of row `i`; the first one stays.
    pub fn fail(&mut self, i: usize, error: i16) {
        if error != 0 && self.row(i).error() == 0 {
            let row = self.stored(i);
            self.replace(i, &StoredRequest { error, ..row });
        }
    }

    #[inline]
    fn packed(&self, i: usize) -> (&PackedPlace, &PackedTimes) {
        (self.rows.place(i), self.rows.times(i))
    }

    /// Rows from the first one on that are in one piece of memory.
    #[inline]
    fn piece(&self, rows: Range<usize>) -> (&[PackedPlace], &[PackedTimes]) {
        self.rows.piece(rows)
    }

    #[cold]
    pub(super) fn far_row(&self, i: usize) -> Option<&StoredRequest> {
        self.far.get(&(i as u32)).map(|far| &far.row)
    }

    #[cold]
    pub(super) fn far_kind(&self, i: usize) -> u32 {
        self.far.get(&(i as u32)).map_or(0, |far| far.kind)
    }

    /// Number of kinds.
    pub fn kinds(&self) -> usize {
        self.kinds.len()
    }

    /// The kind with a number, below [`Requests::kinds`].
    #[inline]
    pub fn kind_of(&self, number: u32) -> &RequestKind {
        self.kinds.get(number)
    }

    /// All kinds, by number.
    pub fn each_kind(&self) -> impl Iterator<Item = &RequestKind> {
        self.kinds.each()
    }

    /// Marks a row as momentary: its end is not known.
    pub fn make_momentary(&mut self, i: usize) {
        let row = self.stored(i);
        self.replace(
            i,
            &StoredRequest {
                momentary: true,
                ..row
            },
        );
    }

    /// First row whose `start` is at or after `time`.
    pub fn find(&self, time: u64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let mid = low + (high - low) / 2;
            if self.row(mid).start() < time {
                low = mid + 1
            } else {
                high = mid
            }
        }
        low
    }

    /// Drops the rows `removed`, and orders the others stably by `start`. In place: they may fill
    /// half of the memory.
    pub fn sort_without(&mut self, removed: &FxHashSet<u32>) {
        if !removed.is_empty() {
            let mut to = 0;
            let mut far = std::mem::take(&mut self.far);
            rows::each(0..self.len(), |from| {
                if !removed.contains(&(from as u32)) {
                    if let Some(row) = far.remove(&(from as u32)) {
                        self.far.insert(to as u32, row);
                    }
                    self.rows.set(to, self.rows.get(from));
                    to += 1;
                }
            });
            self.rows.truncate(to);
        }
        let (mut sorted, mut before) = (true, 0);
        rows::until(0..self.len(), |i| {
            let start = self.row(i).start();
            sorted = before <= start;
            before = start;
            !sorted
        });
        if !sorted {
            let mut order: Vec<u32> = (0..self.len() as u32).collect();
            order.sort_by_key(|&i| self.row(i as usize).start());
            let mut far = std::mem::take(&mut self.far);
            if !far.is_empty() {
                self.far = (0..)
                    .zip(&order)
                    .filter_map(|(to, from)| Some((to, far.remove(from)?)))
                    .collect();
            }
            self.rows.permute(order);
        }
    }

    /// Memory of all rows and kinds, in bytes.
    pub fn memory(&self) -> usize {
        self.rows.bytes() + self.rare_bytes()
    }

    /// The part of the memory that not every row needs: kinds, and rows that do not fit.
    pub fn rare_bytes(&self) -> usize {
        self.kinds.bytes() + self.far.len() * (size_of::<FarRequest>() + 8)
    }
}

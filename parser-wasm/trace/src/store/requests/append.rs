//! Requests that another worker read, at the end of those before them.

use super::{RequestKind, Requests, StoredRequest};
use crate::store::row_numbers::RowNumbers;
use crate::store::rows;

impl Requests {
    /// Appends the rows of `other`, whose first ones are the rows `open` as they are now. Returns
    /// the numbers of all.
    pub fn append(&mut self, other: &Requests, open: &[u32], numbers: &RowNumbers) -> Vec<u32> {
        let kind = |number: usize| {
            let kind = *other.kinds.get(number as u32);
            let (process, device) = (numbers.process(kind.process), numbers.device(kind.device));
            self.kinds.number(&RequestKind {
                process,
                device,
                ..kind
            })
        };
        let kinds: Vec<u32> = (0..other.kinds.len()).map(kind).collect();
        let mut places = Vec::with_capacity(other.len());
        rows::each(0..other.len(), |i| {
            let packed = other.rows.get(i);
            let near = if packed.place.is_far() {
                None
            } else {
                packed.with_kind(kinds[packed.place.kind() as usize])
            };
            places.push(match (open.get(i), near) {
                (None, Some(packed)) => {
                    self.rows.push(packed);
                    self.rows.len() as u32 - 1
                }
                (earlier_row, _) => {
                    let row = other.stored(i);
                    let (process, device) =
                        (numbers.process(row.process), numbers.device(row.device));
                    let row = StoredRequest {
                        process,
                        device,
                        ..row
                    };
                    if let Some(&earlier_row) = earlier_row {
                        self.replace(earlier_row as usize, &row);
                    }
                    earlier_row
                        .copied()
                        .unwrap_or_else(|| self.push(&row) as u32)
                }
            });
        });
        places
    }
}

//! Requests by what filters and colours ask of them: one small number per row stands for device, operation, flags, process and CPU, so that
//! a filter is decided once per combination and not once per row.

use super::class::sync;
use super::select::flag_bits;
use crate::event::Op;
use crate::measure::alignment::misaligned_4k;
use crate::store::{Requests, rows};
use rustc_hash::FxHashMap;

/// What rows have in common that no filter distinguishes: fewer than the kinds of the store, which differ by length too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FilterKind {
    pub device: u32,
    pub op: Op,
    /// As `FLAGS`, one bit each.
    pub flags: u8,
    /// Class of the layer `sync`.
    pub sync: u8,
    pub process: u32,
    /// Of the submission.
    pub cpu: u32,
    pub off_4k: bool,
    /// Whether it has a place on the LBA axis.
    pub placed: bool,
}

impl FilterKind {
    #[inline]
    fn of(r: &Requests, row: usize) -> FilterKind {
        let (kind, sector) = (r.kind(row), r.sector(row));
        let op = kind.flags.op(kind.bytes);
        FilterKind {
            device: kind.device,
            op,
            flags: flag_bits(kind.flags, kind.bytes),
            sync: sync(kind.flags, op),
            process: kind.process,
            cpu: kind.submit_cpu,
            off_4k: misaligned_4k(sector, u64::from(kind.bytes >> 9)),
            placed: op != Op::Flush && sector != u64::MAX,
        }
    }
}

/// Two bytes per row. A trace with more kinds than fit has none: its rows are examined one by one.
#[derive(Clone, Debug, Default)]
pub struct FilterKinds {
    of: Vec<u16>,
    list: Vec<FilterKind>,
}

impl FilterKinds {
    /// Of a complete trace, in one pass over its requests.
    pub fn of(requests: &Requests) -> Option<FilterKinds> {
        let mut found = FilterKinds { of: Vec::with_capacity(requests.len()), list: Vec::new() };
        let mut known: FxHashMap<FilterKind, u16> = FxHashMap::default();
        let mut last: Option<(FilterKind, u16)> = None;
        rows::until(0..requests.len(), |row| {
            let kind = FilterKind::of(requests, row);
            let number = match last {
                Some((same, number)) if same == kind => number,
                _ => {
                    let Ok(next) = u16::try_from(found.list.len()) else { return true };
                    *known.entry(kind).or_insert_with(|| {
                        found.list.push(kind);
                        next
                    })
                }
            };
            last = Some((kind, number));
            found.of.push(number);
            false
        });
        (found.of.len() == requests.len()).then_some(found)
    }

    /// The number of a row's kind.
    #[inline]
    pub fn number(&self, row: usize) -> usize {
        usize::from(self.of[row])
    }

    /// By number.
    pub fn list(&self) -> &[FilterKind] {
        &self.list
    }

    /// Rows of each kind among the rows of a range.
    pub fn count(&self, range: std::ops::Range<usize>) -> Vec<u64> {
        let mut counts = vec![0u64; self.list.len()];
        rows::each(range, |row| counts[self.number(row)] += 1);
        counts
    }

    pub fn memory(&self) -> usize {
        self.of.len() * 2 + self.list.len() * size_of::<FilterKind>()
    }
}

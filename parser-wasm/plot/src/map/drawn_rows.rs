//! Requests as the grid of the seek map counts them: where they begin, how long they are, and in
//! which class.
//!
//! The loops here run for every request in view, so they avoid branches and decisions: whether a
//! request is drawn, and in which class, is looked up per kind ([`DrawnKind`]) where its kind
//! decides.

use super::class::{Layer, NO_CLASS, latency_class};
use crate::select::{Selection, TakenRows};
use crate::view::{short_latency, total_latency};
use seekscope_trace::event::Op;
use seekscope_trace::store::rows::CHUNK;
use seekscope_trace::store::{RequestChunk, RequestKind, Requests, UNKNOWN_SPAN};
use std::ops::Range;

/// What all requests of a kind have in common on the map.
#[derive(Clone, Copy)]
struct DrawnKind {
    /// Where the column of their class begins, or [`HIDDEN`], [`BY_ROW`] or [`BIO_BY_ROW`].
    offset: u32,
    /// At least one.
    sectors: u32,
}

impl DrawnKind {
    const NONE: DrawnKind = DrawnKind {
        offset: HIDDEN,
        sectors: 0,
    };

    fn is_by_row(self) -> bool {
        matches!(self.offset, BY_ROW | BIO_BY_ROW)
    }
}

/// The kind has no place, or the filter leaves it out.
const HIDDEN: u32 = u32::MAX;
/// Requests of the kind have different classes.
const BY_ROW: u32 = u32::MAX - 1;
/// So have bios of the kind. They have no D.
const BIO_BY_ROW: u32 = u32::MAX - 2;

/// Stores the rows of a chunk that have a place, and returns their number; absent if a row does not
/// fit. The filter has left out its kinds already, so the rows are read once.
type ReadNear<'a> = fn(&Drawing<'a>, RequestChunk, &mut [DrawnRow; CHUNK]) -> Option<usize>;

/// How requests are drawn.
pub struct Drawing<'a> {
    selection: &'a Selection,
    layer: &'a Layer,
    /// Entries per class in a column of the grid.
    height: usize,
    /// For each kind of request; empty where there are too many kinds.
    kinds: Vec<DrawnKind>,
    /// Whether requests of a kind have different classes.
    is_by_row: bool,
    /// Reads the rows of a chunk; absent where more than their kinds decides whether they are
    /// drawn.
    near: Option<ReadNear<'a>>,
}

impl<'a> Drawing<'a> {
    /// `height`: entries per class in a column of the grid.
    pub fn new(
        requests: &Requests,
        selection: &'a Selection,
        layer: &'a Layer,
        height: usize,
    ) -> Drawing<'a> {
        let mut drawing = Drawing {
            selection,
            layer,
            height,
            kinds: Vec::new(),
            is_by_row: false,
            near: None,
        };
        if selection.has_kinds() {
            let kinds = requests.each_kind();
            drawing.kinds = kinds.map(|kind| drawing.drawn_kind(kind)).collect();
            drawing.is_by_row = drawing.kinds.iter().any(|kind| kind.is_by_row());
        }
        if let Some(taken) = selection.kinds_alone() {
            let kinds = drawing.kinds.iter_mut().zip(taken);
            let hidden = kinds.filter(|(_, is_taken)| !**is_taken);
            hidden.for_each(|(kind, _)| kind.offset = HIDDEN);
            // The times of a row are three times as long as its place, so they are not read of
            // the kinds that are left out: of 33.8 M requests on three disks, that takes 0.1 s.
            let is_any_hidden = taken.iter().any(|is_taken| !is_taken);
            drawing.near = if layer.is_latency() {
                (!is_any_hidden).then_some(Drawing::near_latencies)
            } else {
                (!drawing.is_by_row).then_some(Drawing::near_rows)
            };
        }
        drawing
    }

    /// Visits what the filter includes and has a place among some rows, many at once.
    pub fn each(
        &self,
        requests: &Requests,
        rows: Range<usize>,
        mut visit: impl FnMut(&[DrawnRow]),
    ) {
        let mut drawn = [DrawnRow::default(); CHUNK];
        requests.chunks(rows, |chunk| {
            let n = self.near.and_then(|near| near(self, chunk, &mut drawn));
            let n = n.unwrap_or_else(|| {
                let mut n = 0;
                self.selection
                    .each_chunk(chunk, |rows| n = self.rows(rows, &mut drawn));
                n
            });
            visit(&drawn[..n]);
        });
    }

    fn drawn_kind(&self, kind: &RequestKind) -> DrawnKind {
        let by_row = if kind.bio { BIO_BY_ROW } else { BY_ROW };
        let offset = || {
            self.layer
                .class_of_kind(kind)
                .map_or(by_row, |class| self.column(class))
        };
        DrawnKind {
            offset: if kind.op() == Op::Flush {
                HIDDEN
            } else {
                offset()
            },
            sectors: (kind.bytes >> 9).max(1),
        }
    }

    /// Where the column of a class begins; requests without a class count in the first.
    fn column(&self, class: u8) -> u32 {
        if class == NO_CLASS {
            0
        } else {
            (usize::from(class) * self.height) as u32
        }
    }

    /// Stores the rows that have a place, and returns their number. Each row is stored, but the
    /// index advances only for a drawn one, which saves a branch that would be mispredicted.
    #[inline(never)]
    fn rows(&self, rows: TakenRows, drawn: &mut [DrawnRow; CHUNK]) -> usize {
        let mut n = 0;
        if rows.is_near && !self.is_by_row {
            // Without a call, so that all values of the loop stay in registers.
            for &index in rows.indices {
                let (kind, sector) = rows.chunk.near_place(index);
                let kind = self.kinds[kind as usize];
                drawn[n % CHUNK] = DrawnRow::new(sector, kind);
                n += usize::from(kind.offset != HIDDEN);
            }
            return n;
        }
        if rows.is_near && self.layer.is_latency() {
            for &index in rows.indices {
                let (kind, sector) = rows.chunk.near_place(index);
                let kind = self.kinds[kind as usize];
                let row = rows.chunk.row(index);
                drawn[n % CHUNK] = match row.short_spans() {
                    Some(spans) => self.with_latency(sector, kind, spans),
                    None => self.with_class(sector, kind, latency_class(total_latency(row))),
                };
                n += usize::from(kind.offset != HIDDEN);
            }
            return n;
        }
        for row in rows {
            let kind = self.kinds.get(row.kind_number() as usize).copied();
            let mut kind = kind.unwrap_or_else(|| self.drawn_kind(row.kind()));
            if kind.is_by_row() {
                kind.offset = self.column(self.layer.class(self.selection, row));
            }
            drawn[n % CHUNK] = DrawnRow::new(row.sector(), kind);
            n += usize::from(kind.offset != HIDDEN);
        }
        n
    }

    /// A [`ReadNear`] where the kind of a row decides about its class.
    #[inline(never)]
    fn near_rows(&self, chunk: RequestChunk, drawn: &mut [DrawnRow; CHUNK]) -> Option<usize> {
        let (kinds, mut n, mut is_any_far) = (&self.kinds[..], 0, false);
        for (kind, sector) in chunk.near_places() {
            let kind = kinds.get(kind as usize).copied();
            is_any_far |= kind.is_none();
            let kind = kind.unwrap_or(DrawnKind::NONE);
            drawn[n % CHUNK] = DrawnRow::new(sector, kind);
            n += usize::from(kind.offset != HIDDEN);
        }
        (!is_any_far).then_some(n)
    }

    /// A [`ReadNear`] for the layer `latency`.
    #[inline(never)]
    fn near_latencies(&self, chunk: RequestChunk, drawn: &mut [DrawnRow; CHUNK]) -> Option<usize> {
        let (kinds, mut n, mut is_any_far) = (&self.kinds[..], 0, false);
        for ((kind, sector), spans) in chunk.near_places().zip(chunk.short_spans()) {
            let kind = kinds.get(kind as usize).copied();
            is_any_far |= kind.is_none() | spans.is_none();
            let kind = kind.unwrap_or(DrawnKind::NONE);
            let spans = spans.unwrap_or([UNKNOWN_SPAN; 4]);
            drawn[n % CHUNK] = self.with_latency(sector, kind, spans);
            n += usize::from(kind.offset != HIDDEN);
        }
        (!is_any_far).then_some(n)
    }

    /// A request in the layer `latency`.
    #[inline(always)]
    fn with_latency(&self, first: u64, kind: DrawnKind, spans: [u32; 4]) -> DrawnRow {
        let class = latency_class(short_latency(spans, kind.offset == BY_ROW));
        self.with_class(first, kind, class)
    }

    #[inline(always)]
    fn with_class(&self, first: u64, kind: DrawnKind, class: u8) -> DrawnRow {
        DrawnRow {
            first,
            sectors: kind.sectors,
            offset: u32::from(class) * self.height as u32,
        }
    }
}

/// A request on the map.
#[derive(Clone, Copy, Default)]
pub struct DrawnRow {
    /// Its first sector.
    pub first: u64,
    /// At least one.
    pub sectors: u32,
    /// Where the column of its class begins.
    pub offset: u32,
}

impl DrawnRow {
    #[inline(always)]
    fn new(first: u64, kind: DrawnKind) -> DrawnRow {
        DrawnRow {
            first,
            sectors: kind.sectors,
            offset: kind.offset,
        }
    }
}

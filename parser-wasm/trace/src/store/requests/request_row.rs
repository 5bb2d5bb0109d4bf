//! A request in its place in the store. Loops over many requests go through here: a row is found
//! once, however much of it is read. Inlined always, because the module is built with little
//! inlining.

use super::packed_request::{PackedPlace, PackedTimes, RowSpan};
use super::stored_request::{RequestKind, StoredRequest};
use super::{RequestSpans, Requests};
use crate::event::{Flags, Op};
use crate::store::blocks::BLOCK;
use crate::store::rows::{self, CHUNK};
use std::iter::Zip;
use std::ops::{ControlFlow, Range};
use std::slice::Iter;

/// A request of the store, read where it is.
#[derive(Clone, Copy, Debug)]
pub struct RequestRow<'a> {
    requests: &'a Requests,
    /// Number of its row.
    pub row: usize,
    place: &'a PackedPlace,
    times: &'a PackedTimes,
}

impl Requests {
    /// The request in row `row`.
    #[inline(always)]
    pub fn row(&self, row: usize) -> RequestRow<'_> {
        let (place, times) = self.packed(row);
        RequestRow {
            requests: self,
            row,
            place,
            times,
        }
    }

    /// Visits rows in order, in calls of bounded length (see [`crate::store::rows`]).
    pub fn each<'a>(&'a self, rows: Range<usize>, mut visit: impl FnMut(RequestRow<'a>)) {
        self.pieces(rows, |piece| piece.for_each(&mut visit));
    }

    /// The same, many rows at once: what `visit` counts can stay in registers meanwhile.
    pub fn pieces<'a>(&'a self, rows: Range<usize>, mut visit: impl FnMut(RequestPiece<'a>)) {
        let mut from = rows.start;
        while from < rows.end {
            let (places, times) = self.piece(from..rows.end);
            let rows = places.iter().zip(times);
            visit_piece(
                RequestPiece {
                    requests: self,
                    row: from,
                    rows,
                },
                &mut visit,
            );
            from += places.len();
        }
    }

    /// Visits rows up to [`CHUNK`] at once, in which a loop can go back and forth.
    #[inline]
    pub fn chunks<'a>(&'a self, rows: Range<usize>, mut visit: impl FnMut(RequestChunk<'a>)) {
        let mut from = rows.start;
        while from < rows.end {
            let (places, times) = self.piece(from..rows.end.min(from + CHUNK));
            let chunk = RequestChunk {
                requests: self,
                row: from,
                places,
                times,
            };
            visit_chunk(chunk, &mut visit);
            from += places.len();
        }
    }

    /// Visits rows as [`Requests::each`], until `visit` breaks.
    pub fn until<'a>(
        &'a self,
        rows: Range<usize>,
        mut visit: impl FnMut(RequestRow<'a>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut done = ControlFlow::Continue(());
        let mut from = rows.start;
        while from < rows.end && done.is_continue() {
            let to = rows.end.min((from / BLOCK + 1) * BLOCK);
            self.pieces(from..to, |mut piece| done = piece.try_for_each(&mut visit));
            from = to;
        }
        done
    }
}

/// Rows that are in one piece of memory.
#[derive(Clone, Debug)]
pub struct RequestPiece<'a> {
    requests: &'a Requests,
    row: usize,
    rows: Zip<Iter<'a, PackedPlace>, Iter<'a, PackedTimes>>,
}

impl<'a> Iterator for RequestPiece<'a> {
    type Item = RequestRow<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<RequestRow<'a>> {
        let (place, times) = self.rows.next()?;
        self.row += 1;
        Some(RequestRow {
            requests: self.requests,
            row: self.row - 1,
            place,
            times,
        })
    }
}

/// Up to [`CHUNK`] rows in one piece of memory, which are read by their index.
#[derive(Clone, Copy, Debug)]
pub struct RequestChunk<'a> {
    requests: &'a Requests,
    row: usize,
    places: &'a [PackedPlace],
    times: &'a [PackedTimes],
}

impl<'a> RequestChunk<'a> {
    /// The row with an index, below the number of rows.
    #[inline(always)]
    pub fn row(&self, index: u8) -> RequestRow<'a> {
        RequestRow {
            requests: self.requests,
            row: self.row + usize::from(index),
            place: &self.places[usize::from(index)],
            times: &self.times[usize::from(index)],
        }
    }

    /// The indices of the rows whose kinds are `taken`, by number, and of those of kinds beyond the
    /// end of that list; whether there are any beyond, as all that do not fit are. Who asks has to
    /// look at the rows then. A loop with a call in it would take three times as long, because no
    /// value stays in its register across a call.
    #[inline(never)]
    pub fn of_kinds<'i>(&self, taken: &[bool], indices: &'i mut [u8; CHUNK]) -> (&'i [u8], bool) {
        rows::indices(self.places.iter().map(|place| place.kind()), taken, indices)
    }

    /// The kind's number and the sector of a row that fits.
    #[inline(always)]
    pub fn near_place(&self, index: u8) -> (u32, u64) {
        let place = self.places[usize::from(index)];
        debug_assert!(!place.is_far());
        (place.kind(), place.sector())
    }

    /// The same of each row, in order. Of a row that does not fit, the number is not
    /// below [`Requests::kinds`], and the sector is not its own.
    #[inline(always)]
    pub fn near_places(&self) -> impl ExactSizeIterator<Item = (u32, u64)> + 'a {
        self.places
            .iter()
            .map(|place| (place.kind(), place.sector()))
    }

    /// The spans of each row, as [`RequestRow::short_spans`].
    #[inline(always)]
    pub fn short_spans(&self) -> impl ExactSizeIterator<Item = Option<[u32; 4]>> + 'a {
        self.times.iter().map(PackedTimes::short_spans)
    }
}

#[inline(never)]
fn visit_chunk<'a>(chunk: RequestChunk<'a>, visit: &mut impl FnMut(RequestChunk<'a>)) {
    visit(chunk);
}

#[inline(never)]
fn visit_piece<'a>(piece: RequestPiece<'a>, visit: &mut impl FnMut(RequestPiece<'a>)) {
    visit(piece);
}

impl<'a> RequestRow<'a> {
    /// The number of its kind, below [`Requests::kinds`].
    #[inline(always)]
    pub fn kind_number(self) -> u32 {
        if self.place.is_far() {
            self.requests.far_kind(self.row)
        } else {
            self.place.kind()
        }
    }

    /// The part of the row that its kind has. To read several fields, read it once.
    #[inline(always)]
    pub fn kind(self) -> &'a RequestKind {
        self.requests.kind_of(self.kind_number())
    }

    /// First sector; all ones for a flush without a sector.
    #[inline(always)]
    pub fn sector(self) -> u64 {
        let far = if self.place.is_far() {
            self.requests.far_row(self.row)
        } else {
            None
        };
        far.map_or_else(|| self.place.sector(), |row| row.sector)
    }

    /// Distances of Q, G, I and C from the start in ns, `UNKNOWN_SPAN` where it is not known,
    /// unless one is longer than 32 bits.
    #[inline(always)]
    pub fn short_spans(self) -> Option<[u32; 4]> {
        self.times.short_spans()
    }

    #[inline(always)]
    fn far(self) -> Option<&'a StoredRequest> {
        if self.times.is_far() {
            self.requests.far_row(self.row)
        } else {
            None
        }
    }

    /// D of a request, Q of a bio row: ns since the trace's start.
    #[inline(always)]
    pub fn start(self) -> u64 {
        self.far()
            .map_or_else(|| self.times.start(), |row| row.start)
    }

    /// The CPU of the last C.
    #[inline(always)]
    pub fn complete_cpu(self) -> u32 {
        self.far()
            .map_or_else(|| self.times.complete_cpu(), |row| row.complete_cpu)
    }

    #[inline(always)]
    fn span(self, span: RowSpan) -> Option<u64> {
        self.far()
            .map_or_else(|| self.times.span(span), |row| row.span(span))
    }

    /// The span as [`RequestRow::span`] has it, absent for bio rows.
    #[inline(always)]
    fn span_of_request(self, span: RowSpan) -> Option<u64> {
        self.span(span).filter(|_| !self.kind().bio)
    }

    /// The distances of its times from its start: Q, G and I before it, C after it.
    #[inline(always)]
    pub fn spans(self) -> RequestSpans {
        RequestSpans {
            queued: self.span(RowSpan::Queued),
            allocated: self.span(RowSpan::Allocated),
            inserted: self.span(RowSpan::Inserted),
            completed: self.span(RowSpan::Completed),
        }
    }

    /// Time of the first Q of its bios.
    #[inline(always)]
    pub fn queued(self) -> Option<u64> {
        self.span(RowSpan::Queued)
            .map(|ns| self.start().saturating_sub(ns))
    }

    /// Time of the first G.
    #[inline(always)]
    pub fn allocated(self) -> Option<u64> {
        self.span(RowSpan::Allocated)
            .map(|ns| self.start().saturating_sub(ns))
    }

    /// Time of the last I before D.
    #[inline(always)]
    pub fn inserted(self) -> Option<u64> {
        self.span(RowSpan::Inserted)
            .map(|ns| self.start().saturating_sub(ns))
    }

    /// Time of the D; absent for bio rows.
    #[inline(always)]
    pub fn issued(self) -> Option<u64> {
        (!self.is_bio()).then(|| self.start())
    }

    /// Time of the last C.
    #[inline(always)]
    pub fn completed(self) -> Option<u64> {
        self.span(RowSpan::Completed)
            .map(|ns| self.start().saturating_add(ns))
    }

    /// D to C, absent for bio rows and for what did not complete.
    #[inline(always)]
    pub fn d2c(self) -> Option<u64> {
        self.span_of_request(RowSpan::Completed)
    }

    /// Time from Q to D, ns.
    #[inline(always)]
    pub fn q2d(self) -> Option<u64> {
        self.span_of_request(RowSpan::Queued)
    }

    /// Time from the first G to D, ns.
    #[inline(always)]
    pub fn g2d(self) -> Option<u64> {
        self.span_of_request(RowSpan::Allocated)
    }

    /// Time from the last I to D, ns.
    #[inline(always)]
    pub fn i2d(self) -> Option<u64> {
        self.span_of_request(RowSpan::Inserted)
    }

    /// Time from Q to C, ns.
    #[inline(always)]
    pub fn q2c(self) -> Option<u64> {
        Some(
            self.span(RowSpan::Queued)?
                .saturating_add(self.span(RowSpan::Completed)?),
        )
    }

    /// The flags at D.
    #[inline(always)]
    pub fn flags(self) -> Flags {
        self.kind().flags
    }

    /// Length in complete sectors.
    #[inline(always)]
    pub fn sectors(self) -> u64 {
        self.kind().sectors()
    }

    #[inline(always)]
    pub fn op(self) -> Op {
        self.kind().op()
    }

    #[inline(always)]
    pub fn bytes(self) -> u32 {
        self.kind().bytes
    }

    /// Process of its first bio: index of the store's processes.
    #[inline(always)]
    pub fn process(self) -> u32 {
        self.kind().process
    }

    /// Index of the device in the store.
    #[inline(always)]
    pub fn device(self) -> u32 {
        self.kind().device
    }

    /// The CPU that submitted it.
    #[inline(always)]
    pub fn submit_cpu(self) -> u32 {
        self.kind().submit_cpu
    }

    /// Number of its bios.
    #[inline(always)]
    pub fn bios(self) -> u32 {
        self.kind().bios
    }

    /// 0, or a negative errno.
    #[inline(always)]
    pub fn error(self) -> i16 {
        self.kind().error
    }

    /// Whether the row is a bio of a device without requests.
    #[inline(always)]
    pub fn is_bio(self) -> bool {
        self.kind().bio
    }

    /// Whether a row is a moment, see [`StoredRequest::momentary`].
    #[inline(always)]
    pub fn is_momentary(self) -> bool {
        self.kind().momentary
    }
}

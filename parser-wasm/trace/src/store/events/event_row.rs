//! An event in its place in the store. Loops over many events go through here: a row is found once,
//! however much of it is read. Inlined always, because the module is built with little inlining.

use super::{EventKind, Events, FAR, PackedEvent};
use crate::store::rows::{self, CHUNK};
use std::ops::Range;
use std::slice::Iter;

/// An event of the store, read where it is.
#[derive(Clone, Copy, Debug)]
pub struct EventRow<'a> {
    events: &'a Events,
    /// Number of its row.
    pub row: usize,
    packed: &'a PackedEvent,
    /// The time of its block, to which the row's time is added.
    base: u64,
}

/// Events that are in one piece of memory, of one block.
#[derive(Clone, Debug)]
pub struct EventPiece<'a> {
    events: &'a Events,
    row: usize,
    rows: Iter<'a, PackedEvent>,
    base: u64,
}

impl Events {
    /// Visits events in order, many at once, in calls of bounded length (see
    /// [`crate::store::rows`]).
    pub fn pieces<'a>(&'a self, rows: Range<usize>, mut visit: impl FnMut(EventPiece<'a>)) {
        let mut from = rows.start;
        while from < rows.end {
            let in_block = self.rows.piece(from..rows.end);
            let piece = EventPiece {
                events: self,
                row: from,
                rows: in_block.iter(),
                base: self.times.base(from),
            };
            visit_piece(piece, &mut visit);
            from += in_block.len();
        }
    }

    /// Visits those events whose kind and process are `taken`, by number
    /// ([`Events::each_task_kind`]); the list has all of them. Of the others nothing is read but
    /// the number.
    #[inline]
    pub fn taken<'a>(
        &'a self,
        events: Range<usize>,
        taken: &[bool],
        mut visit: impl FnMut(EventRow<'a>),
    ) {
        let mut from = events.start;
        while from < events.end {
            let in_block = self.rows.piece(from..events.end.min(from + CHUNK));
            self.taken_in(from, in_block, taken, &mut visit);
            from += in_block.len();
        }
    }

    #[inline(never)]
    fn taken_in<'a>(
        &'a self,
        from: usize,
        in_block: &'a [PackedEvent],
        taken: &[bool],
        visit: &mut impl FnMut(EventRow<'a>),
    ) {
        let mut indices = [0; CHUNK];
        for &index in indices_of(in_block, taken, &mut indices) {
            let event = EventRow {
                events: self,
                row: from + usize::from(index),
                packed: &in_block[usize::from(index)],
                base: self.times.base(from),
            };
            if event.packed.number() != FAR || taken[event.task_number() as usize] {
                visit(event);
            }
        }
    }
}

/// The indices of events whose numbers are taken, and of those that do not fit. Without a call in
/// its loop, as that of [`RequestChunk::of_kinds`](crate::store::RequestChunk::of_kinds).
#[inline(never)]
fn indices_of<'i>(
    events: &[PackedEvent],
    taken: &[bool],
    indices: &'i mut [u8; CHUNK],
) -> &'i [u8] {
    rows::indices(events.iter().map(|packed| packed.number()), taken, indices).0
}

#[inline(never)]
fn visit_piece<'a>(piece: EventPiece<'a>, visit: &mut impl FnMut(EventPiece<'a>)) {
    visit(piece);
}

impl<'a> Iterator for EventPiece<'a> {
    type Item = EventRow<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<EventRow<'a>> {
        let packed = self.rows.next()?;
        self.row += 1;
        Some(EventRow {
            events: self.events,
            row: self.row - 1,
            packed,
            base: self.base,
        })
    }
}

impl<'a> EventRow<'a> {
    /// Time in ns since the trace's start.
    #[inline(always)]
    pub fn time(self) -> u64 {
        self.events
            .times
            .get_from(self.base, self.row, self.packed.0[0])
    }

    #[inline(always)]
    pub fn sector(self) -> u64 {
        if self.packed.number() == FAR {
            self.events.sector(self.row)
        } else {
            self.packed.sector()
        }
    }

    /// The number of its kind, below [`Events::kinds`].
    #[inline(always)]
    pub fn kind_number(self) -> u32 {
        self.events.task_kinds.get(self.task_number()).kind
    }

    /// The number of its kind and process, below [`Events::task_kinds`].
    #[inline(always)]
    pub fn task_number(self) -> u32 {
        if self.packed.number() == FAR {
            self.events.task_number(self.row)
        } else {
            self.packed.number()
        }
    }

    /// The part of the event that its kind has.
    #[inline(always)]
    pub fn kind(self) -> &'a EventKind {
        self.events.kinds.get(self.kind_number())
    }
}

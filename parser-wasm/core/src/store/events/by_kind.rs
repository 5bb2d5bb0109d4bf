//! Events counted by kind: what does not depend on their times and sectors is known from this, and there are few kinds.

use super::{EventKind, Events};
use std::ops::Range;

/// The events of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindRows {
    /// How many.
    pub n: u64,
    /// Rows of the first and the last one.
    pub first: usize,
    pub last: usize,
}

/// The events of each kind, of rows that follow one another.
#[derive(Clone, Debug, Default)]
pub struct EventsByKind {
    kinds: Vec<KindRows>,
    end: usize,
}

impl EventsByKind {
    /// Those of some rows.
    pub fn of(events: &Events, rows: Range<usize>) -> EventsByKind {
        let mut by = EventsByKind { kinds: Vec::new(), end: rows.start };
        by.advance(events, rows.end);
        by
    }

    /// Adds the rows up to `to`.
    pub fn advance(&mut self, events: &Events, to: usize) {
        self.kinds.resize(events.kinds(), KindRows::default());
        let kinds = &mut self.kinds;
        events.pieces(self.end..to, |piece| {
            for event in piece {
                if let Some(kind) = kinds.get_mut(event.kind_number() as usize) {
                    kind.first = if kind.n == 0 { event.row } else { kind.first };
                    kind.last = event.row;
                    kind.n += 1;
                }
            }
        });
        self.end = self.end.max(to);
    }

    /// The first row that was not counted.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The kinds that occur.
    pub fn each<'a>(&'a self, events: &'a Events) -> impl Iterator<Item = (&'a EventKind, KindRows)> {
        (0..).zip(&self.kinds).filter(|(_, rows)| rows.n > 0).map(|(number, rows)| (events.kind_of(number), *rows))
    }
}

//! Events counted by kind: what does not depend on their times and sectors is known from this, and
//! there are few kinds.

use super::{EventKind, Events};
use std::ops::Range;

/// The events of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KindRows {
    /// Number of events.
    pub n: u64,
    /// Rows of the first and the last one.
    pub first: usize,
    pub last: usize,
}

impl KindRows {
    /// Adds rows that are not all before these.
    #[inline(always)]
    fn add(&mut self, rows: KindRows) {
        self.first = if self.n == 0 {
            rows.first
        } else {
            self.first.min(rows.first)
        };
        self.last = self.last.max(rows.last);
        self.n += rows.n;
    }
}

/// The events of each kind and process, of rows that follow one another.
#[derive(Clone, Debug, Default)]
pub struct EventsByKind {
    /// By the number of the kind and process.
    task_kinds: Vec<KindRows>,
    /// The first row that was not counted.
    end: usize,
}

impl EventsByKind {
    /// Counts the events of some rows.
    pub fn count(events: &Events, rows: Range<usize>) -> EventsByKind {
        let mut counts = EventsByKind {
            task_kinds: Vec::new(),
            end: rows.start,
        };
        counts.advance(events, rows.end);
        counts
    }

    /// Adds the rows up to `to`.
    pub fn advance(&mut self, events: &Events, to: usize) {
        let task_kinds = &mut self.task_kinds;
        task_kinds.resize(events.task_kinds(), KindRows::default());
        events.pieces(self.end..to, |piece| {
            for event in piece {
                if let Some(rows) = task_kinds.get_mut(event.task_number() as usize) {
                    rows.add(KindRows {
                        n: 1,
                        first: event.row,
                        last: event.row,
                    });
                }
            }
        });
        self.end = self.end.max(to);
    }

    /// The kinds that occur, whatever their process.
    pub fn each<'a>(&self, events: &'a Events) -> impl Iterator<Item = (&'a EventKind, KindRows)> {
        let mut kinds = vec![KindRows::default(); events.kinds()];
        for (number, rows) in (0..).zip(&self.task_kinds).filter(|(_, rows)| rows.n > 0) {
            kinds[events.task_kinds.get(number).kind as usize].add(*rows);
        }
        let occurring = events.each_kind().zip(kinds);
        occurring.filter(|(_, rows)| rows.n > 0)
    }

    /// The kinds of each process that occur: each with its process.
    pub fn each_task_kind<'a>(
        &'a self,
        events: &'a Events,
    ) -> impl Iterator<Item = (&'a EventKind, u32, KindRows)> {
        let kinds = events.each_task_kind().zip(&self.task_kinds);
        kinds
            .filter(|(_, rows)| rows.n > 0)
            .map(|((kind, process), rows)| (kind, process, *rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Action;
    use crate::fixture::store;

    #[test]
    fn rows_that_are_added_later_count_as_if_counted_at_once() {
        let s = store(
            "0 Q 0+8 W
             1 Q 8+8 W
             2 D 0+8 W
             3 Q 16+8 W
             4 D 8+8 W",
        );
        let count_of = |counts: &EventsByKind, wanted: Action| {
            let rows = counts
                .each(&s.events)
                .filter(|(kind, _)| kind.action == wanted)
                .map(|(_, rows)| rows);
            rows.collect::<Vec<_>>()
        };
        let mut counts = EventsByKind::count(&s.events, 1..2);
        assert_eq!(
            count_of(&counts, Action::Queue),
            [KindRows {
                n: 1,
                first: 1,
                last: 1
            }]
        );
        counts.advance(&s.events, 4);
        counts.advance(&s.events, 4);
        assert_eq!(
            count_of(&counts, Action::Queue),
            [KindRows {
                n: 2,
                first: 1,
                last: 3
            }]
        );
        assert_eq!(
            count_of(&counts, Action::Issue),
            [KindRows {
                n: 1,
                first: 2,
                last: 2
            }]
        );
        counts.advance(&s.events, 5);
        assert_eq!(
            count_of(&counts, Action::Issue),
            [KindRows {
                n: 2,
                first: 2,
                last: 4
            }]
        );
        assert_eq!(count_of(&counts, Action::Complete), []);
    }
}

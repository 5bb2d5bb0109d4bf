//! Bios and requests at the time at which they were queued, issued or completed.
//!
//! Events are counted as native tools count them: a requeued request is issued twice, one that
//! completes in parts completes once per part. An event does not have the process, CPU and latency
//! of its request; with a filter on these, requests count instead.

use crate::query::TimeRange;
use crate::select::Selection;
use crate::view::View;
use seekscope_trace::event::{Action, Flags, Op};
use seekscope_trace::store::{EventKind, rows};
use std::ops::Range;

/// One Q, D or C.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub time: u64,
    pub bytes: u32,
    /// Flags of the event, or of the request.
    pub flags: Flags,
}

impl Moment {
    /// Length in complete sectors.
    pub fn sectors(&self) -> u64 {
        u64::from(self.bytes >> 9)
    }

    pub fn op(&self) -> Op {
        self.flags.op(self.bytes)
    }
}

/// Visits what was queued (Q), issued (D) or completed (C) within `range`. Bios have no latency: a
/// latency filter does not apply at Q.
pub fn each(
    view: View,
    selection: &Selection,
    action: Action,
    range: TimeRange,
    mut visit: impl FnMut(Moment),
) {
    if action == Action::Queue || selection.fits_events() {
        EventMoments::new(view, selection, action).each(view.events(range), visit);
        return;
    }
    view.each_alive(range, |row| {
        let kind = row.kind();
        let time = if action == Action::Issue {
            Some(row.start()).filter(|_| !kind.bio)
        } else {
            row.completed()
        };
        if let Some(time) = time.filter(|&t| view.holds(range, t))
            && selection.takes(row)
        {
            visit(Moment {
                time,
                bytes: kind.bytes,
                flags: kind.flags,
            });
        }
    });
}

/// How many events of each kind were queued, issued or completed within `range`, a kind once per
/// process: the same as counting the visits of [`each`], but only numbers are read. Absent where
/// the filter needs more of an event than its kind and process.
pub fn kinds(
    view: View,
    selection: &Selection,
    action: Action,
    range: TimeRange,
) -> Option<Vec<(EventKind, u64)>> {
    let events = &view.store.events;
    if !selection.fits_event_kinds() || action != Action::Queue && !selection.fits_events() {
        return None;
    }
    let is_taken = |kind: &EventKind, process| {
        kind.action == action && selection.takes_event_kind(kind, process)
    };
    if let Some(measured) = view.measured_whole(range) {
        let taken = measured.events.each_task_kind(events);
        let taken = taken.filter(|(kind, process, _)| is_taken(kind, *process));
        return Some(taken.map(|(kind, _, rows)| (*kind, rows.n)).collect());
    }
    let mut counts = vec![0u64; events.task_kinds()];
    rows::blocks(view.events(range), |mut block| {
        while !block.is_empty() {
            let numbers = events.task_numbers(block.clone());
            block.start += numbers.len();
            numbers.for_each(|number| counts[number as usize] += 1);
        }
    });
    let taken = events.each_task_kind().zip(counts);
    let taken = taken.filter(|&((kind, process), n)| n > 0 && is_taken(kind, process));
    Some(taken.map(|((kind, _), n)| (*kind, n)).collect())
}

/// The moments among events. The filter must fit events ([`Selection::fits_events`]), except at Q.
pub struct EventMoments<'a> {
    view: View<'a>,
    selection: &'a Selection,
    /// For each kind and process of an event whether it has moments that the filter can include.
    taken: Vec<bool>,
}

impl<'a> EventMoments<'a> {
    pub fn new(view: View<'a>, selection: &'a Selection, action: Action) -> EventMoments<'a> {
        let kinds = view.store.events.each_task_kind();
        let taken = |(kind, process): (&EventKind, u32)| {
            kind.action == action && selection.takes_event_kind(kind, process)
        };
        EventMoments {
            view,
            selection,
            taken: kinds.map(taken).collect(),
        }
    }

    /// Visits those among some rows of the events.
    pub fn each(&self, rows: Range<usize>, mut visit: impl FnMut(Moment)) {
        self.view.store.events.taken(rows, &self.taken, |event| {
            if self.selection.takes_event(event) {
                let kind = event.kind();
                visit(Moment {
                    time: event.time(),
                    bytes: kind.bytes,
                    flags: kind.flags,
                });
            }
        });
    }
}

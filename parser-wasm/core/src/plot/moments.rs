//! Bios and requests at the moment at which they were queued, issued or completed.
//!
//! Events are counted as native tools count them: a requeued request is issued twice, one that completes in parts completes once a
//! part. An event does not say which process, CPU and latency its request has; a filter on these goes by whole requests instead.

use super::query::TimeRange;
use super::select::Selection;
use super::view::View;
use crate::event::{Action, Flags, Op};
use crate::store::rows;

/// What happened to what.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// ns.
    pub time: u64,
    /// Length.
    pub bytes: u32,
    /// Of the event or request.
    pub flags: Flags,
}

impl Moment {
    /// Length in whole sectors.
    pub fn sectors(&self) -> u64 {
        u64::from(self.bytes >> 9)
    }

    /// Kind of operation.
    pub fn op(&self) -> Op {
        self.flags.op(self.bytes)
    }
}

/// Visits what was queued (Q), issued (D) or completed (C) within `range`. Bios have no latency: at Q a filter on it does nothing.
pub fn each(view: View, selection: &Selection, action: Action, range: TimeRange, mut visit: impl FnMut(Moment)) {
    let (events, r) = (&view.store.events, &view.store.requests);
    if action == Action::Queue || selection.fits_events() {
        rows::each(view.events(range), |i| {
            if events.action(i) == action && selection.takes_event(events, i) {
                visit(Moment { time: events.time(i), bytes: events.bytes(i), flags: events.flags(i) });
            }
        });
        return;
    }
    for row in view.alive(range) {
        let time = if action == Action::Issue { r.issued(row) } else { r.completed(row) };
        if let Some(time) = time.filter(|&t| view.holds(range, t))
            && selection.takes(row)
        {
            visit(Moment { time, bytes: r.bytes(row), flags: r.flags(row) });
        }
    }
}

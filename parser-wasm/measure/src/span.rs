//! The active time of devices, and the window of the trace to be measured.

use seekscope_trace::event::Action;
use seekscope_trace::store::{Events, Requests, Store, rows};
use std::ops::Range;

/// A time window from `from` up to, not including, `to`, in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub from: u64,
    pub to: u64,
}

impl Window {
    /// The window over the complete trace.
    pub const WHOLE: Window = Window {
        from: 0,
        to: u64::MAX,
    };

    /// The rows of its events.
    pub fn events(self, events: &Events) -> Range<usize> {
        let from = events.find(self.from);
        from..if self.to == u64::MAX {
            events.len()
        } else {
            events.find(self.to).max(from)
        }
    }

    /// Requests issued in it (bios queued, on a device without requests).
    pub fn rows(self, requests: &Requests) -> Range<usize> {
        let from = requests.find(self.from);
        from..if self.to == u64::MAX {
            requests.len()
        } else {
            requests.find(self.to).max(from)
        }
    }

    /// The part of `from..=to` inside the window; if there is none, empty at the nearer end.
    pub fn clip(self, (from, to): (u64, u64)) -> (u64, u64) {
        let end = self.to.max(self.from);
        let from = from.clamp(self.from, end);
        (from, to.clamp(from, end))
    }
}

/// First and last times of a device's events, ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First and last event of any kind.
    pub events: Option<(u64, u64)>,
    /// Time of the first Q.
    pub queued: Option<u64>,
    /// Time of the first D.
    pub issued: Option<u64>,
    /// Time of the last C.
    pub completed: Option<u64>,
}

impl Span {
    /// The spans of all devices, in the store's order.
    pub fn of_devices(store: &Store) -> Vec<Span> {
        let mut spans = vec![Span::default(); store.devices.len()];
        let events = &store.events;
        // These events are usually near the ends of the trace, so both walks stop early.
        let with = |action| {
            store
                .devices
                .iter()
                .filter(|d| d.recorded.has(action))
                .count()
        };
        let mut missing = spans.len() + with(Action::Queue) + with(Action::Issue);
        rows::until(0..events.len(), |i| {
            let Some(span) = spans.get_mut(events.device(i) as usize) else {
                return false;
            };
            let time = events.time(i);
            if span.events.is_none() {
                span.events = Some((time, time));
                missing -= 1;
            }
            let first = match events.action(i) {
                Action::Queue => &mut span.queued,
                Action::Issue => &mut span.issued,
                _ => return missing == 0,
            };
            if first.is_none() {
                *first = Some(time);
                missing -= 1;
            }
            missing == 0
        });
        let mut missing = spans.len() + with(Action::Complete);
        let mut ended = vec![false; spans.len()];
        rows::until(0..events.len(), |back| {
            let i = events.len() - 1 - back;
            let Some(span) = spans.get_mut(events.device(i) as usize) else {
                return false;
            };
            let time = events.time(i);
            let ended = &mut ended[events.device(i) as usize];
            if !std::mem::replace(ended, true) {
                span.events = span.events.map(|e| (e.0, time));
                missing -= 1;
            }
            if events.action(i) == Action::Complete && span.completed.is_none() {
                span.completed = Some(time);
                missing -= 1;
            }
            missing == 0
        });
        spans
    }

    /// First Q to last C. A missing end is replaced by the first D, or by the first or last event.
    /// Where nothing that was queued completed, first to last event: what was recorded took time.
    pub fn active(&self) -> (u64, u64) {
        let (first, last) = self.events.unwrap_or_default();
        let from = self.queued.or(self.issued).unwrap_or(first);
        let to = self.completed.unwrap_or(last);
        if from < to { (from, to) } else { (first, last) }
    }

    /// First D to last C (last event if nothing completed); absent without D.
    pub fn in_flight(&self) -> Option<(u64, u64)> {
        let from = self.issued?;
        let (_, last) = self.events.unwrap_or_default();
        Some((from, self.completed.unwrap_or(last).max(from)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    #[test]
    fn spans_run_from_first_q_to_last_c() {
        let s = store(
            "5 P -
             10 Q 0+8
             12 Q 0+8 W dev=1
             20 D 0+8
             40 C 0+8
             50 Q 8+8
             60 U -",
        );
        let spans = Span::of_devices(&s);
        assert_eq!(spans[0].active(), (10, 40));
        assert_eq!(spans[0].in_flight(), Some((20, 40)));
        assert_eq!((spans[1].active(), spans[1].in_flight()), ((12, 12), None));
        assert_eq!(Span::default().active(), (0, 0));
    }

    #[test]
    fn a_run_is_as_long_as_its_events_where_no_queued_bio_completed() {
        let s = store(
            "5 P -
             10 D 0+8
             70 C 0+8
             80 Q 8+8
             90 G 8+8",
        );
        let span = Span::of_devices(&s)[0];
        assert_eq!((span.active(), span.in_flight()), ((5, 90), Some((10, 70))));
    }

    #[test]
    fn windows_are_half_open() {
        let s = store("10 Q 0+8\n20 D 0+8\n40 C 0+8");
        let window = Window { from: 10, to: 40 };
        assert_eq!(window.events(&s.events), 0..2);
        assert_eq!(window.rows(&s.requests), 0..1);
        assert_eq!(window.clip((0, 100)), (10, 40));
        assert_eq!(window.clip((50, 60)), (40, 40));
        assert_eq!(window.clip((0, 5)), (10, 10));
        assert_eq!(Window::WHOLE.events(&s.events), 0..3);
        let backwards = Window { from: 40, to: 10 };
        assert_eq!(
            (backwards.clip((0, 100)), backwards.events(&s.events)),
            ((40, 40), 2..2)
        );
    }
}

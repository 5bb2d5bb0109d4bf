//! A part of a recording: the events of a time window. Those outside are dropped when they are in
//! order, before they cost memory.

use super::TraceBuilder;
use seekscope_error::Problem;
use seekscope_trace::order::OrderedItem;
use seekscope_trace::store::TimeWindow;

impl TraceBuilder {
    /// Reads only the events from `from` up to `to`, in ns since the first event of the recording.
    /// Times, names of tasks and the wall clock stay those of the recording. Files that blktrace
    /// wrote for one CPU each are not read beyond the window; what has buffers of several CPUs, as
    /// from `blktrace -o -`, may have earlier events anywhere.
    #[must_use]
    pub fn with_window(mut self, window: Option<TimeWindow>) -> TraceBuilder {
        self.store.window = window;
        self
    }

    /// Whether what is left of the files is not read.
    pub(super) fn stopped(&self) -> bool {
        self.room.is_full() || self.passed && self.order.are_of_cpus(|file| self.files[file].cpu)
    }

    /// Takes over the time of an item that came later and is earlier than the first one so far.
    /// What was dropped before was not in a window that begins so much earlier: it begins where it
    /// began.
    pub(super) fn move_origin(&mut self, first: Option<&OrderedItem>) {
        let Some(first) = first.map(|item| item.as_ref().time()) else {
            return;
        };
        let Some(window) = &mut self.store.window else {
            return;
        };
        if !self.started {
            (self.store.origin, self.started) = (first, true);
        } else if first < self.store.origin {
            if window.from > 0 {
                window.from = window
                    .from
                    .saturating_add(self.store.origin - first)
                    .min(window.to);
            }
            self.store.origin = first;
        }
    }

    /// Notes how far a trace was read that did not fit, and drops the texts and commands of what is
    /// outside of the window.
    pub(super) fn end_part(&mut self) {
        if self.room.is_full_in_order() {
            let from = self.store.window.map_or(0, |window| window.from);
            self.store.window = Some(TimeWindow {
                from,
                to: self.store.span().saturating_add(1).max(from),
            });
        }
        if self.store.window.is_some() {
            let messages = &mut self.store.messages;
            let mut text = Vec::new();
            for row in &mut messages.rows {
                let (from, length) = (row.text.0 as usize, usize::from(row.text.1));
                row.text.0 = text.len() as u32;
                text.extend_from_slice(messages.text.get(from..from + length).unwrap_or_default());
            }
            messages.text = text;
        }
    }

    /// Missing events and gaps, of the window.
    pub(super) fn lost(&self) -> (u64, u64) {
        let Some(window) = self.store.window else {
            return self.order.lost();
        };
        let gaps = self
            .order
            .gaps()
            .filter(|gap| window.meets(gap.from, gap.to, self.store.origin));
        gaps.fold((0, 0), |(events, gaps), gap| {
            (gap.events.saturating_add(events), gaps + 1)
        })
    }

    /// Says that only a part was read, and which.
    pub(super) fn part_problem(&self) -> Option<Problem> {
        let events = self.store.events.len() as u64;
        if !self.room.is_full() {
            return self
                .store
                .window
                .map(|window| Problem::TimeWindow { window, events });
        }
        let taken = self
            .files
            .iter()
            .map(|f| f.decoder.taken())
            .fold(0, u64::saturating_add);
        let size = self
            .files
            .iter()
            .map(|f| f.part.size)
            .fold(0, u64::saturating_add);
        let window = self.store.window.filter(|_| self.room.is_full_in_order());
        Some(Problem::MemoryFull {
            window,
            taken,
            size,
            events,
        })
    }
}

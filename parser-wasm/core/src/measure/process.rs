//! Bios and bytes that each process queued.
//!
//! A Q counts for the task that was running, over all devices: a bio of a stacked device counts again on the device
//! below. Completions count for no task: they run in whichever task was interrupted.

use crate::event::Action;
use crate::store::{Events, rows};
use std::ops::Range;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueuedBios {
    /// Number of bios.
    pub bios: u64,
    pub bytes: u64,
}

/// By index of the store's processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueuedByProcess(pub Vec<QueuedBios>);

impl QueuedByProcess {
    pub fn new(processes: usize) -> QueuedByProcess {
        QueuedByProcess(vec![QueuedBios::default(); processes])
    }

    /// Adds a Q.
    #[inline]
    pub fn add(&mut self, process: u32, bytes: u32) {
        if let Some(queued) = self.0.get_mut(process as usize) {
            queued.bios += 1;
            queued.bytes += u64::from(bytes);
        }
    }

    /// From a range of events.
    pub fn of(events: &Events, range: Range<usize>, processes: usize) -> QueuedByProcess {
        let mut all = QueuedByProcess::new(processes);
        rows::each(range, |i| {
            if events.action(i) == Action::Queue {
                all.add(events.process(i), events.bytes(i));
            }
        });
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::fixture::store;

    #[test]
    fn only_q_counts() {
        let s = store(
            "0 Q 0+8 W pid=7
             1 Q 8+8 W pid=9
             2 Q - FN pid=7
             3 D 0+8 W pid=9",
        );
        let by = QueuedByProcess::of(&s.events, 0..4, 2);
        assert_eq!(by.0, [QueuedBios { bios: 2, bytes: 4096 }, QueuedBios { bios: 1, bytes: 4096 }]);
        assert_eq!(QueuedByProcess::of(&s.events, 0..0, 0).0, []);
    }
}

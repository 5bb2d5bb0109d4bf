//! What each task asked for.
//!
//! Bios queued (Q) and their bytes by the task that was running, over all devices: a bio of a stacked device counts again where it
//! goes on. Completions are no task's: they run in whatever was interrupted.

use crate::event::Action;
use crate::store::{Events, rows};
use std::ops::Range;

/// One task's bios.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueuedBios {
    /// Bios.
    pub bios: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// By index of the store's processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueuedBiosByProcess(pub Vec<QueuedBios>);

impl QueuedBiosByProcess {
    /// For so many processes.
    pub fn new(processes: usize) -> QueuedBiosByProcess {
        QueuedBiosByProcess(vec![QueuedBios::default(); processes])
    }

    /// Adds a Q.
    #[inline]
    pub fn add(&mut self, process: u32, bytes: u32) {
        if let Some(queued) = self.0.get_mut(process as usize) {
            queued.bios += 1;
            queued.bytes += u64::from(bytes);
        }
    }

    /// Of a range of events.
    pub fn of(events: &Events, range: Range<usize>, processes: usize) -> QueuedBiosByProcess {
        let mut all = QueuedBiosByProcess::new(processes);
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
        let by = QueuedBiosByProcess::of(&s.events, 0..4, 2);
        assert_eq!(by.0, [QueuedBios { bios: 2, bytes: 4096 }, QueuedBios { bios: 1, bytes: 4096 }]);
        assert_eq!(QueuedBiosByProcess::of(&s.events, 0..0, 0).0, []);
    }
}

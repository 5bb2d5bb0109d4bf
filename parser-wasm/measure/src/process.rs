//! Bios and bytes that each process queued.
//!
//! A Q counts for the task that was running, over all devices: a bio of a stacked device counts
//! again on the device below. Completions count for no task: they run in whichever task was
//! interrupted.

use seekscope_trace::event::Action;
use seekscope_trace::store::{Events, EventsByKind};

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
    /// Counts the events that `by_kind` counted.
    pub fn count(events: &Events, by_kind: &EventsByKind, processes: usize) -> QueuedByProcess {
        let mut all = vec![QueuedBios::default(); processes];
        for (kind, process, rows) in by_kind
            .each_task_kind(events)
            .filter(|(kind, ..)| kind.action == Action::Queue)
        {
            if let Some(queued) = all.get_mut(process as usize) {
                queued.bios += rows.n;
                queued.bytes += rows.n * u64::from(kind.bytes);
            }
        }
        QueuedByProcess(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    #[test]
    fn only_q_counts() {
        let s = store(
            "0 Q 0+8 W pid=7
             1 Q 8+8 W pid=9
             2 Q - FN pid=7
             3 D 0+8 W pid=9",
        );
        let queued = QueuedByProcess::count(&s.events, &EventsByKind::count(&s.events, 0..4), 2);
        assert_eq!(
            queued.0,
            [
                QueuedBios {
                    bios: 2,
                    bytes: 4096
                },
                QueuedBios {
                    bios: 1,
                    bytes: 4096
                }
            ]
        );
        assert_eq!(
            QueuedByProcess::count(&s.events, &EventsByKind::count(&s.events, 0..0), 0).0,
            []
        );
    }
}

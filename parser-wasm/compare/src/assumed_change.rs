//! The changes whose gain is bounded, and the findings whose cause each of them would remove.

use serde::Serialize;

/// The change that a bound is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssumedChange {
    /// The device is never idle while requests wait.
    NoStarvedTime,
    /// Flushes take no time.
    FreeFlushes,
    /// Adjacent requests that are outstanding together are merged.
    Merged,
    /// The queue is deeper.
    DeeperQueue,
}

impl AssumedChange {
    /// The change that would remove the cause of a finding; absent where no bound applies.
    pub fn against(code: &str) -> Option<AssumedChange> {
        match code {
            "starved-while-waiting" | "held-back" => Some(AssumedChange::NoStarvedTime),
            "flushes-appeared" | "flushes-in-flight" => Some(AssumedChange::FreeFlushes),
            "merging-stopped" | "requests-smaller" | "small-requests" => {
                Some(AssumedChange::Merged)
            }
            "depth-fell" | "tags-exhausted" | "waiting-for-tags" | "queue-shallow" => {
                Some(AssumedChange::DeeperQueue)
            }
            _ => None,
        }
    }
}

//! The fields and actions that a format has.

use crate::event::Action;
use std::ops::{BitAnd, BitOr};

/// The fields and actions of a trace's format. Figures that need others are left out instead of
/// being 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities(pub u32);

impl Capabilities {
    /// Q: bios as they were submitted.
    pub const QUEUES: Capabilities = Capabilities(1);
    /// M, F: merges of bios.
    pub const MERGES: Capabilities = Capabilities(1 << 1);
    /// G: requests as they were allocated.
    pub const ALLOCATIONS: Capabilities = Capabilities(1 << 2);
    /// I: requests as they entered the scheduler.
    pub const INSERTS: Capabilities = Capabilities(1 << 3);
    /// D.
    pub const ISSUES: Capabilities = Capabilities(1 << 4);
    /// C.
    pub const COMPLETIONS: Capabilities = Capabilities(1 << 5);
    /// R.
    pub const REQUEUES: Capabilities = Capabilities(1 << 6);
    /// P, U, UT.
    pub const PLUGS: Capabilities = Capabilities(1 << 7);
    /// A, X.
    pub const REMAPS: Capabilities = Capabilities(1 << 8);
    /// m: messages of schedulers and md.
    pub const MESSAGES: Capabilities = Capabilities(1 << 9);
    /// Counters per CPU, from which lost events are known.
    pub const SEQUENCES: Capabilities = Capabilities(1 << 10);
    /// Pids and names of tasks.
    pub const PROCESSES: Capabilities = Capabilities(1 << 11);
    /// CPUs.
    pub const CPUS: Capabilities = Capabilities(1 << 12);
    /// Sync, metadata, readahead.
    pub const HINTS: Capabilities = Capabilities(1 << 13);
    /// Flushes and FUA.
    pub const FLUSHES: Capabilities = Capabilities(1 << 14);
    /// errno of completions.
    pub const ERRORS: Capabilities = Capabilities(1 << 15);
    /// The device of plugs and unplugs.
    pub const PLUG_DEVICES: Capabilities = Capabilities(1 << 16);
    /// Sectors.
    pub const PLACES: Capabilities = Capabilities(1 << 17);
    /// Whether an unplug is U or UT.
    pub const UNPLUG_CAUSES: Capabilities = Capabilities(1 << 18);
    /// Every field and action.
    pub const ALL: Capabilities = Capabilities((1 << 19) - 1);
    /// No field and no action.
    pub const NONE: Capabilities = Capabilities(0);

    /// What a count of this action needs.
    pub const fn needed_for(action: Action) -> Capabilities {
        match action {
            Action::Queue | Action::Bounce => Capabilities::QUEUES,
            Action::BackMerge | Action::FrontMerge => Capabilities::MERGES,
            Action::GetRequest | Action::SleepRequest => Capabilities::ALLOCATIONS,
            Action::Insert => Capabilities::INSERTS,
            Action::Issue => Capabilities::ISSUES,
            Action::Complete => Capabilities::COMPLETIONS,
            Action::Requeue => Capabilities::REQUEUES,
            Action::Plug | Action::Unplug => Capabilities::PLUGS,
            Action::UnplugTimer => {
                Capabilities(Capabilities::PLUGS.0 | Capabilities::UNPLUG_CAUSES.0)
            }
            Action::Remap | Action::Split => Capabilities::REMAPS,
            Action::Abort | Action::DriverData | Action::ZonePlug | Action::ZoneUnplug => {
                Capabilities::NONE
            }
        }
    }

    /// Whether the format has all of `other`.
    pub const fn has(self, other: Capabilities) -> bool {
        self.0 & other.0 == other.0
    }

    /// The capabilities without those of `other`.
    pub const fn without(self, other: Capabilities) -> Capabilities {
        Capabilities(self.0 & !other.0)
    }

    /// The names of what the format lacks, for people.
    pub fn absent(self) -> Vec<&'static str> {
        // Without plugs it does not matter whose they are, nor what ended them.
        let relevant = if self.has(Capabilities::PLUGS) {
            self
        } else {
            self | Capabilities::PLUG_DEVICES | Capabilities::UNPLUG_CAUSES
        };
        WORDS
            .into_iter()
            .filter(|(what, _)| !relevant.has(*what))
            .map(|(_, words)| words)
            .collect()
    }
}

const WORDS: [(Capabilities, &str); 19] = [
    (Capabilities::SEQUENCES, "sequence numbers"),
    (Capabilities::QUEUES, "queued bios (Q)"),
    (Capabilities::MERGES, "merges (M, F)"),
    (Capabilities::ALLOCATIONS, "allocations (G)"),
    (Capabilities::INSERTS, "inserts (I)"),
    (Capabilities::ISSUES, "issues (D)"),
    (Capabilities::COMPLETIONS, "completions (C)"),
    (Capabilities::REQUEUES, "requeues (R)"),
    (Capabilities::PLUGS, "plugs (P, U)"),
    (Capabilities::PLUG_DEVICES, "plug devices"),
    (Capabilities::UNPLUG_CAUSES, "timer unplugs (UT)"),
    (Capabilities::REMAPS, "remaps and splits (A, X)"),
    (Capabilities::MESSAGES, "messages"),
    (Capabilities::PROCESSES, "processes"),
    (Capabilities::CPUS, "CPUs"),
    (Capabilities::HINTS, "sync, metadata and readahead flags"),
    (Capabilities::FLUSHES, "flushes and FUA"),
    (Capabilities::ERRORS, "errors"),
    (Capabilities::PLACES, "sectors"),
];

impl Default for Capabilities {
    fn default() -> Capabilities {
        Capabilities::ALL
    }
}

impl BitOr for Capabilities {
    type Output = Capabilities;
    fn bitor(self, rhs: Capabilities) -> Capabilities {
        Capabilities(self.0 | rhs.0)
    }
}

impl BitAnd for Capabilities {
    type Output = Capabilities;
    fn bitand(self, rhs: Capabilities) -> Capabilities {
        Capabilities(self.0 & rhs.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_absent_has_words() {
        assert_eq!(Capabilities::ALL.absent(), [""; 0]);
        assert_eq!(Capabilities::NONE.absent().len(), WORDS.len() - 2);
        assert_eq!(
            WORDS.iter().fold(Capabilities::NONE, |all, w| all | w.0),
            Capabilities::ALL
        );
        let plugs = Capabilities::ALL.without(Capabilities::PLUG_DEVICES);
        assert_eq!(plugs.absent(), ["plug devices"]);
        assert_eq!(
            plugs.without(Capabilities::PLUGS).absent(),
            ["plugs (P, U)"]
        );
    }
}

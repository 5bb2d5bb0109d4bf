//! What a format can tell.

use crate::event::Action;
use std::ops::{BitAnd, BitOr};

/// What the format of a trace can tell; figures that need more than that are left out instead of being 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carries(pub u32);

impl Carries {
    /// Q: bios as they were submitted.
    pub const QUEUES: Carries = Carries(1);
    /// M, F: merges of bios.
    pub const MERGES: Carries = Carries(1 << 1);
    /// G: requests as they were allocated.
    pub const ALLOCATIONS: Carries = Carries(1 << 2);
    /// I: requests as they entered the scheduler.
    pub const INSERTS: Carries = Carries(1 << 3);
    /// D.
    pub const ISSUES: Carries = Carries(1 << 4);
    /// C.
    pub const COMPLETIONS: Carries = Carries(1 << 5);
    /// R.
    pub const REQUEUES: Carries = Carries(1 << 6);
    /// P, U, UT.
    pub const PLUGS: Carries = Carries(1 << 7);
    /// A, X.
    pub const REMAPS: Carries = Carries(1 << 8);
    /// m: messages of schedulers and md.
    pub const MESSAGES: Carries = Carries(1 << 9);
    /// Counters per CPU, from which lost events are known.
    pub const SEQUENCES: Carries = Carries(1 << 10);
    /// Pids and names of tasks.
    pub const PROCESSES: Carries = Carries(1 << 11);
    /// CPUs.
    pub const CPUS: Carries = Carries(1 << 12);
    /// Sync, metadata, readahead.
    pub const HINTS: Carries = Carries(1 << 13);
    /// Flushes and FUA.
    pub const FLUSHES: Carries = Carries(1 << 14);
    /// errno of completions.
    pub const ERRORS: Carries = Carries(1 << 15);
    /// The device of plugs and unplugs.
    pub const PLUG_DEVICES: Carries = Carries(1 << 16);
    /// Sectors.
    pub const PLACES: Carries = Carries(1 << 17);
    /// Whether an unplug is U or UT.
    pub const UNPLUG_CAUSES: Carries = Carries(1 << 18);
    /// Everything.
    pub const ALL: Carries = Carries((1 << 19) - 1);
    /// Nothing.
    pub const NONE: Carries = Carries(0);

    /// What a count of this action needs.
    pub const fn of(action: Action) -> Carries {
        match action {
            Action::Queue | Action::Bounce => Carries::QUEUES,
            Action::BackMerge | Action::FrontMerge => Carries::MERGES,
            Action::GetRequest | Action::SleepRequest => Carries::ALLOCATIONS,
            Action::Insert => Carries::INSERTS,
            Action::Issue => Carries::ISSUES,
            Action::Complete => Carries::COMPLETIONS,
            Action::Requeue => Carries::REQUEUES,
            Action::Plug | Action::Unplug => Carries::PLUGS,
            Action::UnplugTimer => Carries(Carries::PLUGS.0 | Carries::UNPLUG_CAUSES.0),
            Action::Remap | Action::Split => Carries::REMAPS,
            Action::Abort | Action::DriverData | Action::ZonePlug | Action::ZoneUnplug => Carries::NONE,
        }
    }

    /// Whether all of `other` is carried.
    pub const fn has(self, other: Carries) -> bool {
        self.0 & other.0 == other.0
    }

    /// This without `other`.
    pub const fn without(self, other: Carries) -> Carries {
        Carries(self.0 & !other.0)
    }

    /// What is not carried, in words.
    pub fn absent(self) -> Vec<&'static str> {
        // Without plugs it does not matter whose they are, nor what ended them.
        let told = if self.has(Carries::PLUGS) { self } else { self | Carries::PLUG_DEVICES | Carries::UNPLUG_CAUSES };
        WORDS.into_iter().filter(|(what, _)| !told.has(*what)).map(|(_, words)| words).collect()
    }
}

const WORDS: [(Carries, &str); 19] = [
    (Carries::SEQUENCES, "sequence numbers"),
    (Carries::QUEUES, "queued bios (Q)"),
    (Carries::MERGES, "merges (M, F)"),
    (Carries::ALLOCATIONS, "allocations (G)"),
    (Carries::INSERTS, "inserts (I)"),
    (Carries::ISSUES, "issues (D)"),
    (Carries::COMPLETIONS, "completions (C)"),
    (Carries::REQUEUES, "requeues (R)"),
    (Carries::PLUGS, "plugs (P, U)"),
    (Carries::PLUG_DEVICES, "devices of plugs"),
    (Carries::UNPLUG_CAUSES, "UT apart from U"),
    (Carries::REMAPS, "remaps and splits (A, X)"),
    (Carries::MESSAGES, "messages"),
    (Carries::PROCESSES, "processes"),
    (Carries::CPUS, "CPUs"),
    (Carries::HINTS, "sync, metadata and readahead flags"),
    (Carries::FLUSHES, "flushes and FUA"),
    (Carries::ERRORS, "errors"),
    (Carries::PLACES, "sectors"),
];

impl Default for Carries {
    fn default() -> Carries {
        Carries::ALL
    }
}

impl BitOr for Carries {
    type Output = Carries;
    fn bitor(self, rhs: Carries) -> Carries {
        Carries(self.0 | rhs.0)
    }
}

impl BitAnd for Carries {
    type Output = Carries;
    fn bitand(self, rhs: Carries) -> Carries {
        Carries(self.0 & rhs.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_absent_has_words() {
        assert_eq!(Carries::ALL.absent(), [""; 0]);
        assert_eq!(Carries::NONE.absent().len(), WORDS.len() - 2);
        assert_eq!(WORDS.iter().fold(Carries::NONE, |all, w| all | w.0), Carries::ALL);
        let plugs = Carries::ALL.without(Carries::PLUG_DEVICES);
        assert_eq!(plugs.absent(), ["devices of plugs"]);
        assert_eq!(plugs.without(Carries::PLUGS).absent(), ["plugs (P, U)"]);
    }
}

//! What is missing, damaged or invalid in a trace.

use crate::driver_counts::DriverCounts;
use crate::limits::clamped;
use crate::protocol::serialize_as_word;
use crate::sorting::SortShort;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

/// A place in the input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[doc(alias = "ErrorPlace")]
pub struct InputPlace {
    /// File, as named when it was given.
    pub file: String,
    /// Line of a text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<NonZeroU64>,
    /// The byte at which it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
    /// Size of the file in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}

/// A problem of a result that is shown anyway.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// The stable code, for scripts.
    pub code: String,
    /// One sentence that says what is wrong.
    pub message: String,
    /// The place of the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<InputPlace>,
    /// What was read despite the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// The usual cause and how to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// Numbers of events whose partner was not recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnmatchedCounts {
    /// Bios that never completed.
    pub q: u64,
    /// Issues of which no bio was seen queued, though bios were recorded, or that never completed.
    pub d: u64,
    /// Completions of requests that were not seen.
    pub c: u64,
}

impl UnmatchedCounts {
    /// Adds the counts of another part.
    pub fn add(&mut self, more: UnmatchedCounts) {
        (self.q, self.d, self.c) = (self.q + more.q, self.d + more.d, self.c + more.c);
    }
}

/// Why events are known to be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossEvidence {
    /// The sequence numbers have a gap.
    SequenceGap {
        /// Number of missing events.
        events: u64,
    },
    /// A busy CPU recorded nothing, and events around that time are unmatched.
    Silence {
        /// Number of unmatched events.
        unmatched: u64,
    },
}

serialize_as_word!(LossEvidence, name);

impl LossEvidence {
    /// The name in JSON documents.
    pub fn name(self) -> &'static str {
        match self {
            LossEvidence::SequenceGap { .. } => "sequence-gap",
            LossEvidence::Silence { .. } => "silence",
        }
    }

    /// Missing and unmatched events, of which one is known.
    pub fn counts(self) -> (Option<u64>, Option<u64>) {
        match self {
            LossEvidence::SequenceGap { events } => (Some(events), None),
            LossEvidence::Silence { unmatched } => (None, Some(unmatched)),
        }
    }

    /// The sum, if both are of one kind.
    fn and(self, other: LossEvidence) -> Option<LossEvidence> {
        match (self, other) {
            (LossEvidence::SequenceGap { events: a }, LossEvidence::SequenceGap { events: b }) => {
                Some(LossEvidence::SequenceGap {
                    events: clamped(a.saturating_add(b)),
                })
            }
            (LossEvidence::Silence { unmatched: a }, LossEvidence::Silence { unmatched: b }) => {
                Some(LossEvidence::Silence { unmatched: a + b })
            }
            _ => None,
        }
    }
}

/// A time in which events of a device were lost on a CPU: from the last event before to the first
/// one after, ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LossInterval {
    /// Index of the device in the store.
    pub device: u32,
    pub cpu: u32,
    pub from: u64,
    pub to: u64,
    pub loss: LossEvidence,
}

impl LossInterval {
    /// Merges neighbours of one device, CPU and kind, the nearest first, until at most `most` are
    /// left. Sorts by device, CPU and time.
    pub fn bound(intervals: &mut Vec<LossInterval>, most: usize) {
        intervals.sort_short_by_key(|h| (h.device, h.cpu, h.from, h.to));
        let mut near = 0u64;
        while intervals.len() > most && near < u64::MAX {
            intervals.dedup_by(|later, first| {
                let neighbours = (later.device, later.cpu) == (first.device, first.cpu)
                    && later.from.saturating_sub(first.to) <= near;
                let both = first.loss.and(later.loss).filter(|_| neighbours);
                if let Some(loss) = both {
                    (first.to, first.loss) = (first.to.max(later.to), loss);
                }
                both.is_some()
            });
            near = near.saturating_mul(2).max(1000);
        }
        intervals.truncate(most.max(1));
    }
}

/// How the size of a logical block is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockSource {
    /// From block events of the same requests.
    Events,
    /// From a note with `logical_block_size`.
    Settings,
    /// It is not known: the usual size is assumed.
    Assumed,
}

serialize_as_word!(BlockSource, name);

impl BlockSource {
    /// The name in JSON documents.
    pub fn name(self) -> &'static str {
        match self {
            BlockSource::Events => "block events",
            BlockSource::Settings => "settings",
            BlockSource::Assumed => "assumed",
        }
    }
}

/// Bytes of a logical block, in which commands of drivers count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogicalBlock {
    /// The name of the disk.
    pub device: String,
    pub bytes: u32,
    pub from: BlockSource,
}

/// Steps of a clock so large that no time that depends on it is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[doc(alias = "SummaryClock")]
pub struct ClockDoubt {
    /// The CPU with the largest step.
    pub cpu: u32,
    /// Number of steps of all CPUs.
    pub steps: u64,
    /// The largest step in ns.
    pub largest: u64,
}

impl ClockDoubt {
    /// The least step, in ns: those of clocks that differ between CPUs are smaller.
    pub const MIN_STEP_NS: u64 = 1_000_000;

    /// From the backward steps of each CPU: CPU, number, and the largest in ns. `None` without
    /// steps.
    pub fn from_steps(steps: impl Iterator<Item = (u32, u64, u64)>) -> Option<ClockDoubt> {
        let add = |all: ClockDoubt, (cpu, count, largest): (u32, u64, u64)| {
            let first = if largest > all.largest {
                ClockDoubt {
                    cpu,
                    largest,
                    ..all
                }
            } else {
                all
            };
            ClockDoubt {
                steps: all.steps + count,
                ..first
            }
        };
        Some(steps.fold(
            ClockDoubt {
                cpu: 0,
                steps: 0,
                largest: 0,
            },
            add,
        ))
        .filter(|all| all.largest >= ClockDoubt::MIN_STEP_NS)
    }
}

/// Everything that makes the figures of a trace less reliable.
#[derive(Clone, Debug, Default)]
pub struct TraceQuality {
    /// Missing in per-CPU sequences or reported as dropped by the tracer's log, whichever is more.
    pub lost_events: u64,
    /// Dropped events that the tracer's log reports; `None` without a log.
    pub tracer_dropped: Option<u64>,
    /// Bytes after the last complete record of each file.
    pub truncated_bytes: u64,
    /// Records with an action that is not known.
    pub unknown_records: u64,
    /// The unmatched events of all devices.
    pub unmatched: UnmatchedCounts,
    /// Issues that repeat an earlier one of the same request, in recordings without R.
    pub reissued: u64,
    /// Commands of the nvme and scsi drivers, in recordings of trace points.
    pub drivers: DriverCounts,
    /// The disks with commands of drivers, once the trace is complete.
    pub logical_blocks: Vec<LogicalBlock>,
    /// `Some` if times are unreliable.
    pub clock: Option<ClockDoubt>,
    /// When events were lost; by device, CPU and time, bounded in number.
    pub loss_intervals: Vec<LossInterval>,
    /// The warnings in the order in which they were found.
    pub warnings: Vec<Warning>,
}

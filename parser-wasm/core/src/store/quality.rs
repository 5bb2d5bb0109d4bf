//! What is missing, damaged or invalid in a trace.

use crate::format::driver::DriverCounts;
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
    /// Byte in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
    /// Size of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}

/// A problem of a result that is shown anyway.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Stable code.
    pub code: String,
    /// One sentence: what was found.
    pub message: String,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<InputPlace>,
    /// What was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// The usual cause and how to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// Unmatched events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnmatchedCounts {
    /// Bios never completed.
    pub q: u64,
    /// Issues of which no bio was seen queued, though bios were recorded, or that never completed.
    pub d: u64,
    /// Completions of nothing that was seen.
    pub c: u64,
}

impl UnmatchedCounts {
    /// Adds others.
    pub fn add(&mut self, more: UnmatchedCounts) {
        (self.q, self.d, self.c) = (self.q + more.q, self.d + more.d, self.c + more.c);
    }
}

/// Why events are known to be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossEvidence {
    /// The sequence numbers have a gap.
    SequenceGap {
        /// Missing events.
        events: u64,
    },
    /// A busy CPU recorded nothing, and events around that time are unmatched.
    Silence {
        /// Unmatched events.
        unmatched: u64,
    },
}

serialize_as_word!(LossEvidence, name);

impl LossEvidence {
    /// Name in the JSON documents.
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
    /// Index of the store's devices.
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

/// What the size of a logical block is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockSource {
    /// Block events of the same requests.
    Events,
    /// A note with `logical_block_size`.
    Settings,
    /// Nothing: the usual size.
    Assumed,
}

serialize_as_word!(BlockSource, name);

impl BlockSource {
    /// As in JSON.
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
    /// Name of the disk.
    pub device: String,
    pub bytes: u32,
    pub from: BlockSource,
}

/// Steps of a clock so large that no time that depends on it is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[doc(alias = "SummaryClock")]
pub struct ClockDoubt {
    /// Of the largest step.
    pub cpu: u32,
    /// Steps of all CPUs.
    pub steps: u64,
    /// ns.
    pub largest: u64,
}

impl ClockDoubt {
    /// The least step, in ns: those of clocks that differ between CPUs are smaller.
    pub const MIN_STEP_NS: u64 = 1_000_000;

    /// By the backward steps of each CPU: CPU, number, and the largest in ns.
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

/// The trace's quality record.
#[derive(Clone, Debug, Default)]
pub struct TraceQuality {
    /// Missing in per-CPU sequences or reported as dropped by the tracer's log, whichever is more.
    pub lost_events: u64,
    /// Dropped events that the tracer's log reports; `None` without a log.
    pub tracer_dropped: Option<u64>,
    /// Bytes after the last complete record of each file.
    pub truncated_bytes: u64,
    /// Records with an unknown action.
    pub unknown_records: u64,
    /// Sums over devices.
    pub unmatched: UnmatchedCounts,
    /// Issues that repeat an earlier one of the same request, in recordings without R.
    pub reissued: u64,
    /// Commands of the nvme and scsi drivers, in recordings of trace points.
    pub drivers: DriverCounts,
    /// Of the disks with commands of drivers, when the trace is complete.
    pub logical_blocks: Vec<LogicalBlock>,
    /// Times are unreliable.
    pub clock: Option<ClockDoubt>,
    /// When events were lost; by device, CPU and time, bounded in number.
    pub loss_intervals: Vec<LossInterval>,
    /// In the order found.
    pub warnings: Vec<Warning>,
}

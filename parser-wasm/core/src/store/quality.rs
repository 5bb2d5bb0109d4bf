//! What is known to be missing, damaged or odd in a trace.

use serde::Serialize;
use std::num::NonZeroU64;

/// Where in the input something was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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

/// Said beside a result that is shown all the same.
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
    /// What it usually means and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// Events that found no partner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnmatchedCounts {
    /// Bios never completed.
    pub q: u64,
    /// Issues of which no bio was seen queued, though bios were recorded, or that never completed.
    pub d: u64,
    /// Completions of nothing that was seen.
    pub c: u64,
}

/// How it is known that events are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossEvidence {
    /// The sequence numbers have a gap: so many events are missing.
    SequenceGap {
        /// How many.
        events: u64,
    },
    /// A busy CPU fell silent, and events around lack their partners.
    Silence {
        /// How many of them.
        unmatched: u64,
    },
}

impl LossEvidence {
    /// Name in the JSON documents.
    pub fn name(self) -> &'static str {
        match self {
            LossEvidence::SequenceGap { .. } => "sequence-gap",
            LossEvidence::Silence { .. } => "silence",
        }
    }

    /// That of both, when they are of one kind.
    fn and(self, other: LossEvidence) -> Option<LossEvidence> {
        match (self, other) {
            (LossEvidence::SequenceGap { events: a }, LossEvidence::SequenceGap { events: b }) => {
                Some(LossEvidence::SequenceGap { events: a.saturating_add(b) })
            }
            (LossEvidence::Silence { unmatched: a }, LossEvidence::Silence { unmatched: b }) => {
                Some(LossEvidence::Silence { unmatched: a + b })
            }
            _ => None,
        }
    }
}

/// A time in which events of a device were lost on a CPU: from its last event before to its first one after, ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LossInterval {
    /// Index of the store's devices.
    pub device: u32,
    /// The CPU.
    pub cpu: u32,
    /// Begin.
    pub from: u64,
    /// End.
    pub to: u64,
    /// How it is known.
    pub loss: LossEvidence,
}

impl LossInterval {
    /// Makes neighbours of one device, CPU and kind one until at most `most` are left, the nearest first. Sorts by device, CPU and time.
    pub fn bound(intervals: &mut Vec<LossInterval>, most: usize) {
        intervals.sort_by_key(|h| (h.device, h.cpu, h.from, h.to));
        let mut near = 0u64;
        while intervals.len() > most && near < u64::MAX {
            intervals.dedup_by(|later, first| {
                let neighbours =
                    (later.device, later.cpu) == (first.device, first.cpu) && later.from.saturating_sub(first.to) <= near;
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

/// The trace's quality record.
#[derive(Clone, Debug, Default)]
pub struct TraceQuality {
    /// Events missing in per-CPU sequences, or dropped by the word of the tracer's log, whichever is more.
    pub lost_events: u64,
    /// Events dropped by the word of the tracer's log; absent without one.
    pub tracer_dropped: Option<u64>,
    /// Bytes after the last whole record of a file.
    pub truncated_bytes: u64,
    /// Records with an action this version does not know.
    pub unknown_records: u64,
    /// Sums over devices.
    pub unmatched: UnmatchedCounts,
    /// When events were lost; by device, CPU and time, bounded in number.
    pub loss_intervals: Vec<LossInterval>,
    /// In the order found.
    pub warnings: Vec<Warning>,
}

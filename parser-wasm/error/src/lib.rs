//! What can be wrong with an input: one enum. What is said of each variant stands in `table.rs`.
//! The same problem is an [`Error`] when nothing could be read, and a [`Warning`] of a result
//! otherwise.
#![forbid(unsafe_code)]

mod lookalike;
mod table;
mod words;

pub use lookalike::Lookalike;
pub use table::Explanation;

use seekscope_formats::{FormatProblem, NumberOutliers};
use seekscope_trace::limits::CountOutliers;
use seekscope_trace::store::TimeWindow;
use seekscope_trace::store::quality::{InputPlace, Warning};
use serde::Serialize;
use std::fmt;
use std::num::NonZeroU64;

/// A line of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinePlace {
    pub file: String,
    /// Number of the line, from 1.
    pub line: u64,
    /// Byte at which it begins.
    pub byte: u64,
}

impl LinePlace {
    fn place(&self, size: Option<u64>) -> Option<InputPlace> {
        Some(InputPlace {
            file: self.file.clone(),
            line: NonZeroU64::new(self.line),
            byte: Some(self.byte),
            size,
        })
    }
}

/// Why files of other CPUs must exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingCpus {
    /// CPUs whose files are present.
    pub present: usize,
    /// CPUs that were recorded, at least.
    pub least: usize,
    /// Devices whose TIMESTAMP is in none of the files.
    pub starts: usize,
    /// Tasks with events whose name is in none of the files.
    pub unnamed: usize,
    /// Numbers below the highest that no file has.
    pub absent: usize,
    /// Requests of which only one end is present, and all; absent unless both ends were recorded.
    pub parted: Option<(u64, u64)>,
}

/// What a text without a trace and without results resembles most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// Follows "it looks like": `output of iostat`.
    pub what: String,
    /// Follows that: `but has no line of column headings`.
    pub lacks: &'static str,
    /// Absent where what all refused texts lack is the remedy.
    pub remedy: Option<&'static str>,
}

/// What a trace may have only so many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundedKind {
    Devices,
    Cpus,
    Tasks,
}

/// Something wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// All files are empty.
    Empty {
        /// The first file.
        file: String,
    },
    /// The content is something else than a trace.
    NotATrace {
        file: String,
        looks_like: Lookalike,
        size: u64,
    },
    /// blktrace records of a version other than 7 and 8.
    UnsupportedVersion {
        file: String,
        /// Offset of the record.
        byte: u64,
        /// Version byte of the magic.
        version: u8,
    },
    /// Only notify records, no event.
    NoEvents {
        name: String,
        /// Process and timestamp records found.
        records: u64,
    },
    /// The last record is truncated.
    TruncatedTail {
        file: String,
        /// Offset of the truncated record.
        byte: u64,
        /// Bytes present.
        found: u64,
        /// Bytes of the complete record.
        needed: u64,
        /// Records read before it.
        records: u64,
        size: u64,
    },
    /// Invalid bytes between records.
    BadRecord {
        file: String,
        /// Offset of the first invalid byte.
        byte: u64,
        skipped: u64,
    },
    /// Records with an unknown action.
    UnknownAction {
        file: String,
        /// Offset of the first.
        byte: u64,
        /// Its action word.
        action: u64,
        count: u64,
    },
    /// Per-CPU sequence numbers with gaps.
    LostEvents {
        /// How many events are missing.
        count: u64,
        gaps: u64,
        present: u64,
        /// The trace is text, and may have been filtered.
        text: bool,
    },
    /// The tracer reported dropped events.
    TracerDropped {
        file: String,
        count: u64,
        present: u64,
    },
    /// Times step back within one CPU's stream.
    ClockSteps {
        file: String,
        cpu: u32,
        count: u64,
        /// Largest step, ns.
        largest: u64,
    },
    /// Records with a time that cannot be, between others that are in order.
    TimeOutliers {
        file: String,
        /// Offset of the first.
        byte: u64,
        count: u64,
        /// Times of its neighbour and of itself, ns.
        off: (u64, u64),
    },
    /// Events with a number that is too large.
    NumberOutliers {
        file: String,
        outliers: NumberOutliers,
    },
    /// Counts of lost or recorded events that are too large.
    CountOutliers {
        file: String,
        outliers: CountOutliers,
    },
    /// Version 7 magic, but the 64-byte layout of version 8.
    MixedLayout { file: String },
    /// Many unmatched events although the sequence numbers have no gap.
    Unbalanced {
        /// Bios without completion.
        q: u64,
        /// Issues without completion or bio.
        d: u64,
        /// Completions without issue.
        c: u64,
        /// Events of the trace.
        events: u64,
    },
    /// Files of some CPUs were not given.
    MissingCpus(MissingCpus),
    /// Text without a readable line.
    NotUnderstood {
        /// Its first line.
        position: LinePlace,
        example: String,
        size: u64,
    },
    /// Text with neither a trace nor results.
    NoResults {
        /// The line that shows what it resembles, else its first line.
        position: LinePlace,
        example: String,
        size: u64,
        /// Bytes in which there was no table of results.
        searched: u64,
        nearest: Option<Nearest>,
    },
    /// A format of `blkparse -f` that prints too few fields, or cannot be read back.
    BadPattern {
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Only the closing summary of blkparse.
    SummaryOnly { file: String, size: u64 },
    /// Counters of another tool, without a trace.
    CountersOnly {
        file: String,
        /// `iostat -x`.
        tool: String,
        /// What is wrong with them.
        fault: Option<String>,
        size: u64,
    },
    /// Lines in a readable trace that are not events.
    OddLines {
        position: LinePlace,
        count: u64,
        example: String,
    },
    /// blkparse's closing figures count other events than the text has.
    TotalsDiffer {
        position: LinePlace,
        /// `writes queued`
        what: &'static str,
        /// As the closing figures count them, and as the text has them.
        total: u64,
        present: u64,
    },
    /// A text of ftrace, trace-cmd or perf without block events.
    NoBlockEvents {
        file: String,
        format: &'static str,
        /// Events of other kinds.
        others: u64,
        size: u64,
    },
    /// The text reports lost events.
    LostInText {
        /// The first line that reports it.
        position: LinePlace,
        /// Lost events, at least.
        count: u64,
        lines: u64,
        present: u64,
    },
    /// The kernel reported lost events.
    LostByKernel {
        file: String,
        /// Lost events, at least.
        count: u64,
        present: u64,
    },
    /// A file of a known format that cannot be read, or not completely.
    Unreadable {
        file: String,
        format: &'static str,
        problem: FormatProblem,
        size: u64,
    },
    /// The trace clock does not count ns.
    CountedTime { file: String },
    /// A text that ends within a line.
    CutLine {
        position: LinePlace,
        /// The part that is present.
        example: String,
        size: u64,
    },
    /// Events lost without a gap in the sequence numbers.
    DroppedEvents {
        intervals: u64,
        /// Device of the longest.
        device: String,
        cpu: u32,
        /// When it began and how long it was, ns.
        longest: (u64, u64),
        /// Unmatched events around all intervals.
        unmatched: u64,
    },
    /// A version 7 trace without FUA events, of a kernel that may not report them.
    FuaMissing { kernel: String },
    /// More devices, CPUs or tasks than a trace may have.
    TooMany {
        kind: BoundedKind,
        most: usize,
        /// Events and messages of the others.
        left_out: u64,
    },
    /// More events than memory holds.
    TooLarge {
        /// About so many.
        events: u64,
        fits: u64,
        /// From the first to the last event, ns.
        length: u64,
    },
    /// The time window of the recording that was requested has no events.
    EmptyWindow { name: String, window: TimeWindow },
    /// Only a time window of the recording was read.
    TimeWindow { window: TimeWindow, events: u64 },
    /// Reading stopped because memory was full.
    MemoryFull {
        /// What was read, if it is all of a time window.
        window: Option<TimeWindow>,
        /// Bytes of the files that were read, and all.
        taken: u64,
        size: u64,
        events: u64,
    },
    /// The snapshot in a link cannot be read.
    LinkDamaged,
    /// A newer version created the link.
    LinkNewer { version: u8 },
    /// The snapshot does not contain what was queried.
    NotInSnapshot,
    /// An invalid query.
    BadQuery { what: String },
}

impl From<&Problem> for Warning {
    fn from(problem: &Problem) -> Warning {
        let explanation = problem.explain();
        Warning {
            code: explanation.code.to_owned(),
            message: explanation.text,
            at: explanation.place,
            kept: explanation.kept,
            remedy: explanation.remedy.map(str::to_owned),
        }
    }
}

/// A problem that leaves no result, as it crosses to JavaScript and the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[doc(alias = "EngineError")]
pub struct Error {
    /// Stable.
    pub code: &'static str,
    /// One sentence: what was found.
    pub message: String,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<InputPlace>,
    /// The usual cause and how to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<&'static str>,
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Error {
        let explanation = problem.explain();
        Error {
            code: explanation.code,
            message: explanation.text,
            at: explanation.place,
            remedy: explanation.remedy,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Error {}

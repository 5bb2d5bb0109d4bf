//! What can be wrong with an input: one enum; each variant has a stable code, a place and a remedy.
//! The same problem is an [`Error`] when nothing could be read and a [`Warning`] beside a result otherwise.

mod text;

use crate::format::FormatProblem;
use crate::store::quality::{InputPlace, Warning};
use serde::Serialize;
use std::fmt;
use std::num::NonZeroU64;

/// A line of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinePlace {
    /// The file.
    pub file: String,
    /// Number of the line, from 1.
    pub line: u64,
    /// Byte at which it begins.
    pub byte: u64,
}

impl LinePlace {
    fn place(&self, size: Option<u64>) -> InputPlace {
        InputPlace { file: self.file.clone(), line: NonZeroU64::new(self.line), byte: Some(self.byte), size }
    }
}

/// Something wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// No file had any byte.
    Empty {
        /// The file, or the first of several.
        file: String,
    },
    /// The content is no trace.
    NotATrace {
        /// The file.
        file: String,
        /// What it looks like.
        looks_like: &'static str,
        /// Size of the file.
        size: u64,
    },
    /// blktrace records of a version that this program does not know.
    UnsupportedVersion {
        /// The file.
        file: String,
        /// Byte of the record.
        byte: u64,
        /// Version byte of the magic.
        version: u8,
    },
    /// Only notes of the tracer, no event.
    NoEvents {
        /// The trace.
        name: String,
        /// Process and timestamp records found.
        records: u64,
    },
    /// The last record is cut.
    TruncatedTail {
        /// The file.
        file: String,
        /// Byte at which the cut record begins.
        byte: u64,
        /// Bytes that are there.
        found: u64,
        /// Bytes the record needs.
        needed: u64,
        /// Records read before it.
        kept: u64,
        /// Size of the file.
        size: u64,
    },
    /// Bytes that are no record between records.
    BadRecord {
        /// The file.
        file: String,
        /// First bad byte.
        byte: u64,
        /// How many were skipped.
        skipped: u64,
    },
    /// Actions that this version does not know.
    UnknownAction {
        /// The file.
        file: String,
        /// Byte of the first.
        byte: u64,
        /// Its action word.
        action: u64,
        /// How many.
        count: u64,
    },
    /// Per-CPU sequence numbers with gaps.
    LostEvents {
        /// How many events are missing.
        count: u64,
        /// In how many gaps.
        gaps: u64,
        /// Events present.
        present: u64,
        /// The trace is text, and may have been filtered.
        text: bool,
    },
    /// The tracer itself says that it dropped events.
    TracerDropped {
        /// Its log.
        file: String,
        /// How many.
        count: u64,
        /// Events present.
        present: u64,
    },
    /// Times that step back within one CPU's stream.
    ClockSteps {
        /// The file.
        file: String,
        /// CPU.
        cpu: u32,
        /// How often.
        count: u64,
        /// Largest step, ns.
        largest: u64,
    },
    /// Version 7 magic, but the 64-byte layout of version 8.
    MixedLayout {
        /// The file.
        file: String,
    },
    /// Many events without partner although the sequences have no gap.
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
    /// Text of which no line is understood.
    NotUnderstood {
        /// Its first line.
        at: LinePlace,
        /// That line.
        example: String,
        /// Size of the file.
        size: u64,
    },
    /// A format of `blkparse -f` that tells too little, or cannot be read back.
    BadPattern {
        /// The file.
        file: String,
        /// What it lacks, in words.
        reason: String,
    },
    /// Only the closing figures of blkparse.
    SummaryOnly {
        /// The file.
        file: String,
        /// Size of the file.
        size: u64,
    },
    /// Lines within a readable trace that no event can be read from.
    OddLines {
        /// The first.
        at: LinePlace,
        /// How many.
        count: u64,
        /// The first.
        example: String,
    },
    /// A text of ftrace, trace-cmd or perf without block events.
    NoBlockEvents {
        /// The file.
        file: String,
        /// Name of the format.
        format: &'static str,
        /// Events of other kinds.
        others: u64,
        /// Size of the file.
        size: u64,
    },
    /// Events that the text itself says are missing.
    LostInText {
        /// The first line that says so.
        at: LinePlace,
        /// How many are missing at least.
        count: u64,
        /// Lines that say so.
        lines: u64,
        /// Events present.
        present: u64,
    },
    /// Events that the kernel says it lost.
    LostByKernel {
        /// The file.
        file: String,
        /// How many at least.
        count: u64,
        /// Events present.
        present: u64,
    },
    /// A file of a known binary format that gives nothing, or not all.
    Unreadable {
        /// The file.
        file: String,
        /// Name of the format.
        format: &'static str,
        /// Why.
        problem: FormatProblem,
        /// Size of the file.
        size: u64,
    },
    /// Times of a trace clock that counts something else than ns.
    CountedTime {
        /// The file.
        file: String,
    },
    /// A readable trace that ends within a line.
    CutLine {
        /// The line.
        at: LinePlace,
        /// What is there of it.
        example: String,
        /// Size of the file.
        size: u64,
    },
    /// Events lost without a gap in the sequences.
    DroppedEvents {
        /// Stretches of time.
        intervals: u64,
        /// Device of the longest.
        device: String,
        /// Its CPU.
        cpu: u32,
        /// When it began and how long it was, ns.
        longest: (u64, u64),
        /// Events around all of them that lack their partner.
        unmatched: u64,
    },
    /// A trace of version 7 without FUA, of a kernel that may have kept such events back.
    FuaMissing {
        /// Its release.
        kernel: String,
    },
    /// More devices, CPUs or tasks than can be told apart.
    TooMany {
        /// `devices`, `CPUs` or `tasks`.
        what: &'static str,
        /// So many were kept.
        most: usize,
        /// Events and messages of the others.
        left_out: u64,
    },
    /// A link's text that cannot be read: nothing of it is whole.
    LinkDamaged,
    /// A link that a newer version wrote.
    LinkNewer {
        /// Its version.
        version: u8,
    },
    /// What a snapshot does not hold.
    NotInSnapshot,
    /// A question that has no answer.
    BadQuery {
        /// What was wrong with it.
        what: String,
    },
}

impl Problem {
    /// Stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Problem::Empty { .. } => "empty-file",
            Problem::NotATrace { .. } => "not-a-trace",
            Problem::UnsupportedVersion { .. } => "unsupported-version",
            Problem::NoEvents { .. } => "no-events",
            Problem::TruncatedTail { .. } => "truncated-tail",
            Problem::BadRecord { .. } => "bad-record",
            Problem::UnknownAction { .. } => "unknown-action",
            Problem::LostEvents { .. } => "lost-events",
            Problem::TracerDropped { .. } => "tracer-dropped",
            Problem::ClockSteps { .. } => "clock-steps",
            Problem::MixedLayout { .. } => "mixed-layout",
            Problem::Unbalanced { .. } => "unbalanced",
            Problem::NotUnderstood { .. } => "text-not-understood",
            Problem::BadPattern { .. } => "bad-format-string",
            Problem::SummaryOnly { .. } => "summary-only",
            Problem::OddLines { .. } => "odd-lines",
            Problem::NoBlockEvents { .. } => "no-block-events",
            Problem::LostInText { .. } | Problem::LostByKernel { .. } => "lost-events",
            Problem::Unreadable { problem, .. } => problem.code(),
            Problem::CountedTime { .. } => "counted-time",
            Problem::CutLine { .. } => "cut-line",
            Problem::DroppedEvents { .. } => "dropped-events",
            Problem::FuaMissing { .. } => "fua-missing",
            Problem::TooMany { what: "devices", .. } => "too-many-devices",
            Problem::TooMany { what: "CPUs", .. } => "too-many-cpus",
            Problem::TooMany { .. } => "too-many-tasks",
            Problem::LinkDamaged => "link-damaged",
            Problem::LinkNewer { .. } => "link-newer",
            Problem::NotInSnapshot => "not-in-snapshot",
            Problem::BadQuery { .. } => "bad-query",
        }
    }

    /// Where.
    pub fn place(&self) -> Option<InputPlace> {
        let place =
            |file: &str, byte: Option<u64>, size: Option<u64>| Some(InputPlace { file: file.to_owned(), line: None, byte, size });
        match self {
            Problem::Empty { file } => place(file, None, Some(0)),
            Problem::NotATrace { file, size, .. } => place(file, Some(0), Some(*size)),
            Problem::UnsupportedVersion { file, byte, .. }
            | Problem::BadRecord { file, byte, .. }
            | Problem::UnknownAction { file, byte, .. } => place(file, Some(*byte), None),
            Problem::TruncatedTail { file, byte, size, .. } => place(file, Some(*byte), Some(*size)),
            Problem::BadPattern { file, .. } => place(file, None, None),
            Problem::ClockSteps { file, .. } | Problem::MixedLayout { file } | Problem::TracerDropped { file, .. } => {
                place(file, None, None)
            }
            Problem::NotUnderstood { at, size, .. } | Problem::CutLine { at, size, .. } => Some(at.place(Some(*size))),
            Problem::OddLines { at, .. } | Problem::LostInText { at, .. } => Some(at.place(None)),
            Problem::LostByKernel { file, .. } => place(file, None, None),
            Problem::NoBlockEvents { file, size, .. } | Problem::Unreadable { file, size, .. } => place(file, None, Some(*size)),
            Problem::CountedTime { file } => place(file, None, None),
            Problem::SummaryOnly { file, size } => place(file, None, Some(*size)),
            Problem::NoEvents { .. }
            | Problem::LostEvents { .. }
            | Problem::Unbalanced { .. }
            | Problem::DroppedEvents { .. }
            | Problem::FuaMissing { .. }
            | Problem::TooMany { .. }
            | Problem::LinkDamaged
            | Problem::LinkNewer { .. }
            | Problem::NotInSnapshot
            | Problem::BadQuery { .. } => None,
        }
    }

    /// What was kept in spite of it.
    pub fn kept(&self) -> Option<String> {
        match self {
            Problem::TruncatedTail { kept, .. } => Some(format!("{kept} records before it")),
            Problem::BadRecord { .. } => Some("all records before and after them".to_owned()),
            Problem::LostEvents { present, .. }
            | Problem::LostInText { present, .. }
            | Problem::LostByKernel { present, .. }
            | Problem::TracerDropped { present, .. } => Some(format!("{present} events")),
            Problem::CountedTime { .. } => Some("all events, in order".to_owned()),
            Problem::ClockSteps { .. } => Some("all events, in recorded order".to_owned()),
            Problem::UnknownAction { .. } => Some("all other records".to_owned()),
            Problem::TooMany { what: "tasks", .. } => Some("all events; the other tasks count as one".to_owned()),
            Problem::TooMany { what, most, .. } => Some(format!("the events of the first {most} {what}")),
            Problem::OddLines { .. } => Some("all other lines".to_owned()),
            Problem::CutLine { .. } => Some("all lines before".to_owned()),
            _ => None,
        }
    }
}

impl From<&Problem> for Warning {
    fn from(p: &Problem) -> Warning {
        Warning {
            code: p.code().to_owned(),
            message: p.to_string(),
            at: p.place(),
            kept: p.kept(),
            remedy: p.remedy().map(str::to_owned),
        }
    }
}

/// A problem that leaves no result, as it crosses to JavaScript and the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Error {
    /// Stable code.
    pub code: &'static str,
    /// One sentence: what was found.
    pub message: String,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<InputPlace>,
    /// What it usually means and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<&'static str>,
}

impl From<Problem> for Error {
    fn from(p: Problem) -> Error {
        Error { code: p.code(), message: p.to_string(), at: p.place(), remedy: p.remedy() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Error {}

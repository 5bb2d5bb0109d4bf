//! What can be wrong with an input: one enum; each variant has a stable code, a place and a remedy.
//! The same problem is an [`Error`] when nothing could be read and a [`Warning`] beside a result otherwise.

use crate::format::Trouble;
use crate::store::quality::{Place, Warning};
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
    fn place(&self, size: Option<u64>) -> Place {
        Place { file: self.file.clone(), line: NonZeroU64::new(self.line), byte: Some(self.byte), size }
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
        trouble: Trouble,
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
        holes: u64,
        /// Device of the longest.
        device: String,
        /// Its CPU.
        cpu: u32,
        /// When it began and how long it was, ns.
        longest: (u64, u64),
        /// Events around all of them that lack their partner.
        strays: u64,
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
            Problem::Unreadable { trouble, .. } => trouble.code(),
            Problem::CountedTime { .. } => "counted-time",
            Problem::CutLine { .. } => "cut-line",
            Problem::DroppedEvents { .. } => "dropped-events",
            Problem::FuaMissing { .. } => "fua-missing",
            Problem::TooMany { what: "devices", .. } => "too-many-devices",
            Problem::TooMany { what: "CPUs", .. } => "too-many-cpus",
            Problem::TooMany { .. } => "too-many-tasks",
            Problem::BadQuery { .. } => "bad-query",
        }
    }

    /// Where.
    pub fn place(&self) -> Option<Place> {
        let place =
            |file: &str, byte: Option<u64>, size: Option<u64>| Some(Place { file: file.to_owned(), line: None, byte, size });
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
            | Problem::BadQuery { .. } => None,
        }
    }

    /// What was kept in spite of it.
    pub fn kept(&self) -> Option<String> {
        match self {
            Problem::TruncatedTail { kept, .. } => Some(format!("{kept} records before the cut")),
            Problem::BadRecord { .. } => Some("all records before and after the gap".to_owned()),
            Problem::LostEvents { present, .. }
            | Problem::LostInText { present, .. }
            | Problem::LostByKernel { present, .. }
            | Problem::TracerDropped { present, .. } => Some(format!("{present} events")),
            Problem::CountedTime { .. } => Some("all events, in their order".to_owned()),
            Problem::ClockSteps { .. } => Some("all events, in the order in which they were recorded".to_owned()),
            Problem::UnknownAction { .. } => Some("all other records".to_owned()),
            Problem::TooMany { what: "tasks", .. } => Some("all events; those of the other tasks as of one".to_owned()),
            Problem::TooMany { what, most, .. } => Some(format!("the events of the first {most} {what}")),
            Problem::OddLines { .. } => Some("all other lines".to_owned()),
            Problem::CutLine { .. } => Some("all lines before".to_owned()),
            _ => None,
        }
    }

    /// What it usually means and what to do.
    pub fn remedy(&self) -> Option<&'static str> {
        Some(match self {
            Problem::Empty { .. } => {
                "Empty per-CPU files are normal beside others: an idle CPU has nothing to record. Alone they mean that the traced device saw no I/O, or that the copy failed; check the size of the original."
            }
            Problem::NotATrace { looks_like, .. } => instead(looks_like),
            Problem::UnsupportedVersion { .. } => {
                "The trace was recorded by a newer kernel than this program knows. Try a newer release, or convert it with the blkparse of that machine."
            }
            Problem::NoEvents { .. } => {
                "The tracer ran but the device saw no I/O that passed its mask. Check the device name and the -a option, and record while the workload runs."
            }
            Problem::TruncatedTail { .. } => {
                "Usually blktrace was killed, the disk was full, or the copy was cut short. Compare the size with the original (ls -l) and open the whole file instead; or go on, and the run stays marked as cut."
            }
            Problem::BadRecord { .. } => {
                "Usually a damaged copy (text-mode transfer, bad disk) or two files written into one. Copy the file again in binary mode."
            }
            Problem::UnknownAction { .. } => "A newer kernel or a damaged file. Figures leave these records out.",
            Problem::LostEvents { text: true, .. } => {
                "Either lines were left out when the text was made (blkparse -a or -w, grep, a cut), or blktrace's buffers overflowed. Print the whole trace again; if the lines are missing there too, record again with larger buffers (blktrace -b 4096 -n 16)."
            }
            Problem::DroppedEvents { .. } => {
                "blktrace's buffers overflowed: look for \"dropped\" in what it printed. These times are shaded in the charts, and the figures that they make wrong are marked. Record again with larger buffers (blktrace -b 4096 -n 16), onto another disk or into a tmpfs."
            }
            Problem::FuaMissing { .. } => {
                "As far as their source tells, kernels from 6.19 on give a tracer of version 7 no event that carries FUA. If the work used FUA (journals and O_DSYNC on a disk with FUA do), these writes are missing from counts, depths and latencies: do not compare flushes and FUA with an older kernel. Record with a blktrace that writes version 8."
            }
            Problem::LostEvents { .. } | Problem::TracerDropped { .. } => {
                "blktrace's buffers overflowed. Record again with larger buffers (blktrace -b 4096 -n 16), onto another disk or into a tmpfs."
            }
            Problem::ClockSteps { .. } => {
                "Old kernels traced with a clock that differs between CPUs. Latencies near the steps are not to be trusted."
            }
            Problem::MixedLayout { .. } => {
                "The dump was written by a blkparse that keeps the version 7 mark on records of version 8 layout. It was read as such."
            }
            Problem::Unbalanced { .. } => {
                "Events were probably dropped without a trace in the sequence numbers: look for \"dropped\" in what blktrace printed. Latencies and depths of such a trace are not to be trusted."
            }
            Problem::NotUnderstood { .. } => {
                "Readable traces open when they are what blkparse prints by default, ftrace, trace-cmd report, perf script or the blk tracer. If it was printed with blkparse -f, give its format string (on the command line --format-string). Else print the trace again (blkparse -i NAME), or open blktrace's own files (NAME.blktrace.0, .1, ...)."
            }
            Problem::BadPattern { .. } => {
                "Give the text between the quotes of blkparse -f, as it was typed, for example \"%D %2c %8s %5T.%9t %5p %2a %3d %S %n %C\\n\". What was not printed cannot be read back: then print the trace again without -f."
            }
            Problem::SummaryOnly { .. } => {
                "Figures cannot be turned back into events. Print the events too (blkparse -i NAME without -O, -q or a filter), or open blktrace's own files (NAME.blktrace.0, .1, ...)."
            }
            Problem::OddLines { .. } => {
                "Usually messages of other programs in the same output, or lines that were broken on the way (wrapped by a mail program, cut by a terminal). Print the trace again into a file: blkparse -i NAME > NAME.txt."
            }
            Problem::NoBlockEvents { .. } => {
                "Enable the block events before the work runs: echo 1 > /sys/kernel/tracing/events/block/enable (ftrace), trace-cmd record -e block, or perf record -a -e 'block:*'. Queued, issued and completed requests are block_bio_queue, block_rq_issue and block_rq_complete."
            }
            Problem::Unreadable { trouble, format, .. } => trouble.remedy(format),
            Problem::LostInText { .. } | Problem::LostByKernel { .. } => {
                "The tracer's ring buffer overflowed. Record again with a larger one (echo 65536 > /sys/kernel/tracing/buffer_size_kb, trace-cmd record -b 65536, perf record -m 32M) and without block_touch_buffer and block_dirty_buffer, and write it to another disk or a tmpfs."
            }
            Problem::CountedTime { .. } => {
                "Times are in steps of that clock and stand where ns would: orders and counts are true, latencies, depths and rates are not. Record again after echo mono > /sys/kernel/tracing/trace_clock."
            }
            Problem::CutLine { .. } => {
                "Usually the copy was cut short, or the disk was full. Compare with the original and open the whole file instead; or go on, and the run stays marked as cut."
            }
            Problem::TooMany { what: "tasks", .. } => {
                "Either very many short-lived processes ran, or the file is damaged. Figures by process do not tell the other tasks apart."
            }
            Problem::TooMany { .. } => {
                "The file is damaged, or no trace after all: no machine has so many. Copy it again from where it was recorded."
            }
            Problem::BadQuery { .. } => return None,
        })
    }
}

/// What to do with a file that is something else.
fn instead(looks_like: &str) -> &'static str {
    match looks_like {
        "UTF-16 text" => "Convert it and open what comes out: iconv -f UTF-16 -t UTF-8 FILE > NEW",
        "a web page" => "Usually a login or error page was saved in place of the file. Fetch the file again, logged in.",
        "nothing but zeros" => {
            "The name of the file was kept and its content lost, as when a machine goes down before it is written. Copy it again from the original."
        }
        "a RAR archive" | "a 7-zip archive" | "a file of compress (.Z)" => {
            "Unpack it with the tool that made it, and open the files or their folder."
        }
        kind if kind.contains("image") || kind.contains("btt") || kind == "a PDF document" => {
            "What was drawn or printed from a trace cannot be turned back. Open the trace: per-CPU files of blktrace (trace.blktrace.0, .1, ...), a dump of `blkparse -d`, or blkparse's text."
        }
        _ => {
            "Open the per-CPU files that blktrace writes (trace.blktrace.0, .1, ...), a dump made with `blkparse -d`, or the text that blkparse prints."
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Empty { .. } => write!(f, "The file is empty."),
            Problem::NotATrace { looks_like, .. } => write!(f, "This is not a block I/O trace: it looks like {looks_like}."),
            Problem::UnsupportedVersion { version, .. } => {
                write!(f, "Records have version {version}; versions 7 and 8 can be read.")
            }
            Problem::NoEvents { records, .. } => {
                write!(f, "The trace holds {records} notes of the tracer and no event.")
            }
            Problem::TruncatedTail { found, needed, .. } => {
                write!(f, "The file ends in the middle of a record: {found} bytes are there, the record needs {needed}.")
            }
            Problem::BadRecord { skipped, .. } => write!(f, "{skipped} bytes that are no record were skipped."),
            Problem::UnknownAction { action, count, .. } => {
                write!(f, "{count} records have an unknown action; the first has {action:#x}.")
            }
            Problem::LostEvents { count, gaps, .. } => {
                write!(f, "{count} events are missing: the per-CPU sequence numbers have {gaps} gaps.")
            }
            Problem::FuaMissing { kernel } => {
                write!(f, "A version 7 trace of kernel {kernel} without any FUA event: the kernel may have kept them back.")
            }
            Problem::TracerDropped { count, .. } => {
                write!(f, "blktrace itself reports {count} dropped events.")
            }
            Problem::ClockSteps { cpu, count, largest, .. } => {
                write!(f, "The clock of cpu {cpu} steps back {count} times, by up to {largest} ns.")
            }
            Problem::MixedLayout { .. } => write!(f, "Records are marked version 7 but laid out as version 8."),
            Problem::Unbalanced { q, d, c, events } => write!(
                f,
                "Of {events} events many have no partner: {q} bios without completion, {d} issues without completion or bio, {c} completions without issue."
            ),
            Problem::NotUnderstood { at, example, .. } => {
                write!(f, "No line of this text is an event of a trace. Line {} reads \u{201c}{example}\u{201d}.", at.line)
            }
            Problem::BadPattern { reason, .. } => write!(f, "The format string cannot be used: {reason}."),
            Problem::SummaryOnly { .. } => write!(f, "The text holds only blkparse's closing figures, and no event."),
            Problem::OddLines { at, count, example } => {
                let them = if *count == 1 { "1 line is" } else { &format!("{count} lines are") };
                write!(f, "{them} no event and left out; the first, line {}, reads \u{201c}{example}\u{201d}.", at.line)
            }
            Problem::NoBlockEvents { format, others: 0, .. } => write!(f, "This trace ({format}) holds no event."),
            Problem::NoBlockEvents { format, others, .. } => {
                write!(f, "This trace ({format}) holds {others} events, and none of block I/O that a request can be followed by.")
            }
            Problem::LostInText { at, count, lines, .. } => {
                let times = if *lines == 1 { "in 1 place" } else { &format!("in {lines} places") };
                write!(f, "The tracer lost at least {count} events: the text says so {times}, first in line {}.", at.line)
            }
            Problem::LostByKernel { count, .. } => write!(f, "The kernel lost {count} events or more while it recorded."),
            Problem::Unreadable { format, trouble, .. } => write!(f, "This {format} {trouble}"),
            Problem::CountedTime { .. } => write!(f, "The trace clock counted something else than ns: times have no seconds."),
            Problem::CutLine { at, example, .. } => {
                write!(f, "The text ends within an event: line {} reads \u{201c}{example}\u{201d}.", at.line)
            }
            Problem::DroppedEvents { holes, device, cpu, longest: (from, length), strays } => write!(
                f,
                "Events of {device} were lost in {holes} stretches of time, the longest {:.3} s on cpu {cpu} from {:.3} s on: a busy CPU fell silent, and {strays} events around lack their partner.",
                *length as f64 / 1e9,
                *from as f64 / 1e9
            ),
            Problem::TooMany { what, most, left_out } => {
                let lot = if *what == "tasks" { "stand under one" } else { "were left out" };
                write!(f, "More than {most} {what} are named; {left_out} events of the others {lot}.")
            }
            Problem::BadQuery { what } => write!(f, "The question has no answer: {what}."),
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
    pub at: Option<Place>,
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

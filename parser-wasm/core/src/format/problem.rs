//! Why a file of a known format gives nothing.

use std::fmt;

/// What is wrong with a file as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatProblem {
    /// More bytes than can be held.
    TooLarge,
    /// A version that this program does not know; absent when the head is damaged.
    Version(Option<String>),
    /// A compression that this program does not know.
    Compression(String),
    /// What tells how samples are laid out is missing.
    NoEventFormats,
    /// Only the headings of a readable table.
    NoRows,
    /// A readable table without this, of what its I/Os cannot be shown without.
    MissingColumn(&'static str),
    /// Samples were recorded without time or without the trace points' fields.
    NoEventFields,
}

impl FormatProblem {
    /// Stable code.
    pub fn code(&self) -> &'static str {
        match self {
            FormatProblem::TooLarge => "too-large",
            FormatProblem::Version(_) => "unsupported-version",
            FormatProblem::Compression(_) => "unsupported-compression",
            FormatProblem::NoEventFormats => "no-event-formats",
            FormatProblem::NoRows => "no-events",
            FormatProblem::MissingColumn(_) => "missing-columns",
            FormatProblem::NoEventFields => "no-event-fields",
        }
    }

    /// What it usually means and what to do, for a file of this format.
    pub fn remedy(&self, format: &str) -> &'static str {
        match (self, format) {
            (FormatProblem::NoEventFormats, "perf.data") => {
                "perf writes that last: it was killed before it could, or the copy was cut short. Compare the size with the original; if that is whole, turn it into text where it was recorded, and open that: perf script -i perf.data > trace.txt"
            }
            (FormatProblem::NoRows, _) => {
                "The tool ran but saw no I/O complete. Check its options, and record while the work runs."
            }
            (FormatProblem::MissingColumn("times"), _) => "iosnoop prints them with -s or -t: record again with one of these.",
            (FormatProblem::MissingColumn("sectors"), _) => {
                "bpftrace's biosnoop.bt has no such column; the biosnoop of bcc has (biosnoop-bpfcc, /usr/share/bcc/tools/biosnoop). Record again with that, or with blktrace."
            }
            (FormatProblem::MissingColumn("places"), _) => {
                "fio logs them with log_offset=1 (--log_offset=1): run the job again with it."
            }
            (FormatProblem::MissingColumn("latencies"), _) => {
                "Open the log of latencies that fio writes with write_lat_log=NAME: NAME_clat.1.log, or NAME_lat.1.log with the time in fio itself."
            }
            (FormatProblem::MissingColumn(_), _) => {
                "It holds averages. Run the job without log_avg_msec, so that each I/O has its own entry, and with log_offset=1."
            }
            (FormatProblem::NoEventFields, _) => {
                "Record as root and with what perf record asks for by default: perf record -a -e 'block:*'."
            }
            (_, "perf.data") => "Turn it into text where it was recorded, and open that: perf script -i perf.data > trace.txt",
            (FormatProblem::NoEventFormats, _) => {
                "Usually the copy was cut short. Compare the size with the original (ls -l) and open the whole file; or turn it into text where it was recorded, and open that: trace-cmd report -i trace.dat > trace.txt"
            }
            _ => "Turn it into text where it was recorded, and open that: trace-cmd report -i trace.dat > trace.txt",
        }
    }
}

impl fmt::Display for FormatProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatProblem::TooLarge => write!(f, "has more than 1 GiB, which cannot be held to be read from its end."),
            FormatProblem::Version(Some(version)) => write!(f, "has version {version:?}; versions 6 and 7 can be read."),
            FormatProblem::Version(None) => write!(f, "ends or is damaged within its head."),
            FormatProblem::Compression(method) => write!(f, "is compressed by {method:?}; zstd and zlib can be read."),
            FormatProblem::NoRows => write!(f, "holds headings and no I/O."),
            FormatProblem::MissingColumn(what) => write!(f, "tells no {what}, without which its I/Os cannot be shown."),
            FormatProblem::NoEventFormats => write!(f, "lacks the part that tells how its events are laid out."),
            FormatProblem::NoEventFields => write!(f, "holds events without their times or fields."),
        }
    }
}

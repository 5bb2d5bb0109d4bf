//! Why a file of a known format gives nothing.

use std::fmt;

/// What is wrong with a file as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// More bytes than can be held.
    TooLarge,
    /// A version that this program does not know; absent when the head is damaged.
    Version(Option<String>),
    /// A compression that this program does not know.
    Compression(String),
    /// What tells how samples are laid out is missing.
    Headless,
    /// Only the headings of a readable table.
    NoRows,
    /// A readable table without this, of what its I/Os cannot be shown without.
    Lacks(&'static str),
    /// Samples were recorded without time or without the trace points' fields.
    Bare,
}

impl Trouble {
    /// Stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Trouble::TooLarge => "too-large",
            Trouble::Version(_) => "unsupported-version",
            Trouble::Compression(_) => "unsupported-compression",
            Trouble::Headless => "no-event-formats",
            Trouble::NoRows => "no-events",
            Trouble::Lacks(_) => "missing-columns",
            Trouble::Bare => "no-event-fields",
        }
    }

    /// What it usually means and what to do, for a file of this format.
    pub fn remedy(&self, format: &str) -> &'static str {
        match (self, format) {
            (Trouble::Headless, "perf.data") => {
                "perf writes that last: it was killed before it could, or the copy was cut short. Compare the size with the original; if that is whole, turn it into text where it was recorded, and open that: perf script -i perf.data > trace.txt"
            }
            (Trouble::NoRows, _) => "The tool ran but saw no I/O complete. Check its options, and record while the work runs.",
            (Trouble::Lacks("times"), _) => "iosnoop prints them with -s or -t: record again with one of these.",
            (Trouble::Lacks("sectors"), _) => {
                "bpftrace's biosnoop.bt has no such column; the biosnoop of bcc has (biosnoop-bpfcc, /usr/share/bcc/tools/biosnoop). Record again with that, or with blktrace."
            }
            (Trouble::Lacks("places"), _) => "fio logs them with log_offset=1 (--log_offset=1): run the job again with it.",
            (Trouble::Lacks("latencies"), _) => {
                "Open the log of latencies that fio writes with write_lat_log=NAME: NAME_clat.1.log, or NAME_lat.1.log with the time in fio itself."
            }
            (Trouble::Lacks(_), _) => {
                "It holds averages. Run the job without log_avg_msec, so that each I/O has its own entry, and with log_offset=1."
            }
            (Trouble::Bare, _) => "Record as root and with what perf record asks for by default: perf record -a -e 'block:*'.",
            (_, "perf.data") => "Turn it into text where it was recorded, and open that: perf script -i perf.data > trace.txt",
            (Trouble::Headless, _) => {
                "Usually the copy was cut short. Compare the size with the original (ls -l) and open the whole file; or turn it into text where it was recorded, and open that: trace-cmd report -i trace.dat > trace.txt"
            }
            _ => "Turn it into text where it was recorded, and open that: trace-cmd report -i trace.dat > trace.txt",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::TooLarge => write!(f, "has more than 1 GiB, which cannot be held to be read from its end."),
            Trouble::Version(Some(version)) => write!(f, "has version {version:?}; versions 6 and 7 can be read."),
            Trouble::Version(None) => write!(f, "ends or is damaged within its head."),
            Trouble::Compression(method) => write!(f, "is compressed by {method:?}; zstd and zlib can be read."),
            Trouble::NoRows => write!(f, "holds headings and no I/O."),
            Trouble::Lacks(what) => write!(f, "tells no {what}, without which its I/Os cannot be shown."),
            Trouble::Headless => write!(f, "lacks the part that tells how its events are laid out."),
            Trouble::Bare => write!(f, "holds events without their times or fields."),
        }
    }
}

//! Why a file of a known format cannot be read.

use std::fmt;

/// Why a file of a known format cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatProblem {
    /// Larger than the memory for files that must be read as one.
    TooLarge,
    /// Unsupported version; `None` when the header is damaged.
    Version(Option<String>),
    /// Unsupported compression.
    Compression(String),
    /// No descriptions of the events' fields.
    NoEventFormats,
    /// A table with headings and no rows.
    NoRows,
    /// A table or log without required data: `time column`, `sector column`, `offsets`,
    /// `times`, `latencies`, `entries per I/O`.
    MissingColumn(&'static str),
    /// Samples were recorded without time or without fields of the trace point.
    NoEventFields,
    /// Records of the blk tracer's option `bin` from Linux 6.19 on.
    BrokenBin,
    /// Events of scsi of which the tool did not print the command.
    UndecodedCommands,
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
            FormatProblem::BrokenBin => "broken-bin-output",
            FormatProblem::UndecodedCommands => "undecoded-commands",
        }
    }

    /// The usual cause and how to fix it, for a file of this format.
    pub fn remedy(&self, format: &str) -> &'static str {
        match (self, format) {
            (FormatProblem::NoEventFormats, "perf.data") => {
                "perf writes them at the end: it was killed before that, or the copy is \
                    incomplete. Compare the size with the original. If that is complete, convert \
                    it to text on the machine that recorded it, and open the text: perf script -i \
                    perf.data > trace.txt"
            }
            (FormatProblem::NoRows, _) => {
                "The tool ran but saw no completed I/O. Check its options, and record while the \
                    workload runs."
            }
            (FormatProblem::MissingColumn("time column"), _) => {
                "iosnoop prints it with -s or -t: record again with one of these."
            }
            (FormatProblem::MissingColumn("sector column"), _) => {
                "bpftrace's biosnoop.bt does not print it; bcc's biosnoop does (biosnoop-bpfcc, \
                    /usr/share/bcc/tools/biosnoop). Record again with that, or with blktrace."
            }
            (FormatProblem::MissingColumn("offsets"), _) => {
                "fio logs them with log_offset=1 (--log_offset=1): run the job again with it."
            }
            (FormatProblem::MissingColumn("times"), _) => {
                "Version 2 has none. Write the log again (write_iolog) with a fio of 2022 or later, \
                    which writes version 3, or record with blktrace while fio replays it \
                    (read_iolog)."
            }
            (FormatProblem::MissingColumn("latencies"), _) => {
                "Open the latency log that fio writes with write_lat_log=NAME: NAME_clat.1.log, or \
                    NAME_lat.1.log, which includes the time spent in fio."
            }
            (FormatProblem::MissingColumn(_), _) => {
                "The log has averages. Run the job without log_avg_msec, so that each I/O has its \
                    own entry, and with log_offset=1."
            }
            (FormatProblem::BrokenBin, _) => {
                "Kernels from 6.19 on write it: a version 7 magic over a part of a version 8 \
                    record, without its error and payload. Record with blktrace, or with the blk \
                    tracer as text: echo 0 > /sys/kernel/tracing/options/bin, then cat trace."
            }
            (FormatProblem::UndecodedCommands, _) => {
                "perf and trace-cmd print them only with the plugins of libtraceevent. Open the \
                    recording itself (trace.dat, perf.data) or the trace file of tracefs, which \
                    need no plugins; or install the plugins (package libtraceevent1-plugin or \
                    trace-cmd) and print the text again."
            }
            (FormatProblem::NoEventFields, _) => {
                "Record as root and with the default options of perf record: perf record -a -e \
                    'block:*'."
            }
            (_, "perfetto") => {
                "Record a shorter time, or only the events of block: ftrace_events: \"block/*\" in \
                    the configuration of Perfetto. Or convert it to text with traceconv systrace, \
                    and open the text."
            }
            (_, "perf.data") => {
                "Convert it to text on the machine that recorded it, and open the text: perf \
                    script -i perf.data > trace.txt"
            }
            (FormatProblem::NoEventFormats, _) => {
                "Usually the copy is incomplete. Compare the size with the original (ls -l) and \
                    open the complete file; or convert it to text on the machine that recorded it, \
                    and open the text: trace-cmd report -i trace.dat > trace.txt"
            }
            _ => {
                "Convert it to text on the machine that recorded it, and open the text: trace-cmd \
                    report -i trace.dat > trace.txt"
            }
        }
    }
}

impl fmt::Display for FormatProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatProblem::TooLarge => {
                write!(f, "is larger than 1 GiB, the limit for this format.")
            }
            FormatProblem::Version(Some(version)) => {
                write!(
                    f,
                    "has version {version:?}; versions 6 and 7 are supported."
                )
            }
            FormatProblem::Version(None) => write!(f, "is truncated or damaged in its header."),
            FormatProblem::Compression(method) => {
                write!(
                    f,
                    "is compressed with {method:?}; zstd and zlib are supported."
                )
            }
            FormatProblem::NoRows => write!(f, "has column headings but no I/O."),
            FormatProblem::MissingColumn(what) => {
                write!(f, "has no {what}, which Seekscope requires.")
            }
            FormatProblem::NoEventFormats => write!(f, "has no event format descriptions."),
            FormatProblem::NoEventFields => write!(f, "has events without times or fields."),
            FormatProblem::BrokenBin => {
                write!(f, "has records that are neither version 7 nor version 8.")
            }
            FormatProblem::UndecodedCommands => {
                write!(
                    f,
                    "has scsi events without their commands: the tool printed [FAILED TO PARSE] \
                        instead."
                )
            }
        }
    }
}

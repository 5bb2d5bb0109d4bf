//! Why a file of a known format cannot be read.

/// Why a file of a known format cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatProblem {
    /// Larger than the memory for files that must be read as one.
    TooLarge,
    /// Unsupported version; `None` when the header is damaged.
    Version(Option<String>),
    /// The compression is not supported.
    Compression(String),
    /// The descriptions of the events' fields are missing.
    NoEventFormats,
    /// A table with headings and no rows.
    NoRows,
    /// A table or log without data that a trace needs.
    Lacks(RequiredData),
    /// Samples were recorded without time or without fields of the trace point.
    NoEventFields,
    /// Records of the blk tracer's option `bin` from Linux 6.19 on.
    BrokenBin,
    /// Events of scsi of which the tool did not print the command.
    UndecodedCommands,
}

/// Data that a table or a log may lack, and without which it cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredData {
    /// A column of biosnoop or iosnoop.
    TimeColumn,
    /// A column of biosnoop.
    SectorColumn,
    /// Offsets in a log of fio.
    Offsets,
    /// Times in an I/O log of fio.
    Times,
    /// Latencies: the log of fio is one of bandwidth or of IOPS.
    Latencies,
    /// One entry per I/O: the log of fio has averages.
    EntriesPerIo,
}

/// The description of a problem, for a file of one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatExplanation {
    /// The stable code, for scripts.
    pub code: &'static str,
    /// The rest of a sentence that begins with `This perf.data`.
    pub text: String,
    /// The usual cause and how to fix it.
    pub remedy: &'static str,
}

impl FormatProblem {
    /// One arm per problem says all of it.
    pub fn explain(&self, format: &str) -> FormatExplanation {
        match self {
            FormatProblem::TooLarge => FormatExplanation {
                code: "too-large",
                text: "is larger than 1 GiB, the limit for this format.".to_owned(),
                remedy: as_text(format),
            },
            FormatProblem::Version(version) => FormatExplanation {
                code: "unsupported-version",
                text: match version {
                    Some(version) => {
                        format!("has version {version:?}; versions 6 and 7 are supported.")
                    }
                    None => "is truncated or damaged in its header.".to_owned(),
                },
                remedy: as_text(format),
            },
            FormatProblem::Compression(method) => FormatExplanation {
                code: "unsupported-compression",
                text: format!("is compressed with {method:?}; zstd and zlib are supported."),
                remedy: as_text(format),
            },
            FormatProblem::NoEventFormats => FormatExplanation {
                code: "no-event-formats",
                text: "has no event format descriptions.".to_owned(),
                remedy: match format {
                    "perf.data" => {
                        "perf writes them at the end: it was killed before that, or the copy is \
                            incomplete. Compare the size with the original. If that is complete, \
                            convert it to text on the machine that recorded it, and open the \
                            text: perf script -i perf.data > trace.txt"
                    }
                    "perfetto" => as_text(format),
                    _ => {
                        "Usually the copy is incomplete. Compare the size with the original (ls \
                            -l) and open the complete file; or convert it to text on the machine \
                            that recorded it, and open the text: trace-cmd report -i trace.dat > \
                            trace.txt"
                    }
                },
            },
            FormatProblem::NoRows => FormatExplanation {
                code: "no-events",
                text: "has column headings but no I/O.".to_owned(),
                remedy: "The tool ran but saw no completed I/O. Check its options, and record \
                    while the workload runs.",
            },
            FormatProblem::Lacks(data) => {
                let (name, remedy) = data.name_and_remedy();
                FormatExplanation {
                    code: "missing-columns",
                    text: format!("has no {name}, which Seekscope requires."),
                    remedy,
                }
            }
            FormatProblem::NoEventFields => FormatExplanation {
                code: "no-event-fields",
                text: "has events without times or fields.".to_owned(),
                remedy: "Record as root and with the default options of perf record: perf record \
                    -a -e 'block:*'.",
            },
            FormatProblem::BrokenBin => FormatExplanation {
                code: "broken-bin-output",
                text: "has records that are neither version 7 nor version 8.".to_owned(),
                remedy: "Kernels from 6.19 on write it: a version 7 magic over a part of a \
                    version 8 record, without its error and payload. Record with blktrace, or \
                    with the blk tracer as text: echo 0 > /sys/kernel/tracing/options/bin, then \
                    cat trace.",
            },
            FormatProblem::UndecodedCommands => FormatExplanation {
                code: "undecoded-commands",
                text: "has scsi events without their commands: the tool printed [FAILED TO PARSE] \
                    instead."
                    .to_owned(),
                remedy: "perf and trace-cmd print them only with the plugins of libtraceevent. \
                    Open the recording itself (trace.dat, perf.data) or the trace file of \
                    tracefs, which need no plugins; or install the plugins (package \
                    libtraceevent1-plugin or trace-cmd) and print the text again.",
            },
        }
    }
}

impl RequiredData {
    fn name_and_remedy(self) -> (&'static str, &'static str) {
        match self {
            RequiredData::TimeColumn => (
                "time column",
                "iosnoop prints it with -s or -t: record again with one of these.",
            ),
            RequiredData::SectorColumn => (
                "sector column",
                "bpftrace's biosnoop.bt does not print it; bcc's biosnoop does (biosnoop-bpfcc, \
                    /usr/share/bcc/tools/biosnoop). Record again with that, or with blktrace.",
            ),
            RequiredData::Offsets => (
                "offsets",
                "fio logs them with log_offset=1 (--log_offset=1): run the job again with it.",
            ),
            RequiredData::Times => (
                "times",
                "Version 2 has none. Write the log again (write_iolog) with a fio of 2022 or \
                    later, which writes version 3, or record with blktrace while fio replays it \
                    (read_iolog).",
            ),
            RequiredData::Latencies => (
                "latencies",
                "Open the latency log that fio writes with write_lat_log=NAME: NAME_clat.1.log, \
                    or NAME_lat.1.log, which includes the time spent in fio.",
            ),
            RequiredData::EntriesPerIo => (
                "entries per I/O",
                "The log has averages. Run the job without log_avg_msec, so that each I/O has its \
                    own entry, and with log_offset=1.",
            ),
        }
    }
}

/// How to open the same events as text, which is read in any length and version.
fn as_text(format: &str) -> &'static str {
    match format {
        "perfetto" => {
            "Record a shorter time, or only the events of block: ftrace_events: \"block/*\" in \
                the configuration of Perfetto. Or convert it to text with traceconv systrace, and \
                open the text."
        }
        "perf.data" => {
            "Convert it to text on the machine that recorded it, and open the text: perf script \
                -i perf.data > trace.txt"
        }
        _ => {
            "Convert it to text on the machine that recorded it, and open the text: trace-cmd \
                report -i trace.dat > trace.txt"
        }
    }
}

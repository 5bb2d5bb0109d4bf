//! The sentences for each problem: what was found, and how to fix it.

use super::{MissingCpus, Nearest, Problem};
use crate::format::EventNumber;
use crate::limits::MAX_EXACT;
use crate::quantity::Unit;
use std::fmt;

impl Problem {
    /// The usual cause and how to fix it.
    #[expect(clippy::too_many_lines, reason = "a table: one arm per problem")]
    pub fn remedy(&self) -> Option<&'static str> {
        Some(match self {
            Problem::Empty { .. } => {
                "Empty per-CPU files next to others are normal: an idle CPU records nothing. If it \
                    is the only file, the traced device had no I/O or the copy failed: check the \
                    size of the original."
            }
            Problem::NotATrace { looks_like, .. } => instead_of(looks_like),
            Problem::UnsupportedVersion { version: 0..7, .. } => {
                "Usually the file is damaged: versions before 7 existed only in development, \
                    before Linux 2.6.17 (2006). Copy the file again in binary mode, or convert the \
                    trace with the blkparse that came with its blktrace."
            }
            Problem::UnsupportedVersion { .. } => {
                "A newer kernel recorded this trace. Try a newer release of Seekscope, or convert \
                    the trace with blkparse on the machine that recorded it."
            }
            Problem::NoEvents { .. } => {
                "The tracer ran, but the device had no I/O that matched its mask. Check the device \
                    name and the -a option, and record while the workload runs."
            }
            Problem::TruncatedTail { .. } => {
                "Usually blktrace was killed, the disk was full, or the copy was incomplete. \
                    Compare the size with the original (ls -l) and open the complete file, or \
                    continue with partial data; the run stays marked as truncated."
            }
            Problem::BadRecord { .. } => {
                "Usually a damaged copy (text-mode transfer, bad disk) or two files written into \
                    one. Copy the file again in binary mode."
            }
            Problem::UnknownAction { .. } => {
                "A newer kernel recorded them, or the file is damaged. All figures exclude these \
                    records."
            }
            Problem::LostEvents { text: true, .. } => {
                "Either lines were filtered out when the text was made (blkparse -a or -w, grep, \
                    truncation), or blktrace's buffers overflowed. Print the complete trace again; \
                    if the lines are missing there too, record again with larger buffers: double \
                    -b of blktrace, up to -b 4096 -n 4. They take b x n KiB per CPU and device; \
                    seekscope-record chooses them by the free memory."
            }
            Problem::DroppedEvents { .. } => {
                "blktrace's buffers overflowed: look for \"dropped\" in its output. Charts mark \
                    these intervals, and figures that depend on them are marked as unreliable. \
                    Record again with larger buffers, to another disk or a tmpfs: double -b of \
                    blktrace, up to -b 4096 -n 4. They take b x n KiB per CPU and device; \
                    seekscope-record chooses them by the free memory."
            }
            Problem::FuaMissing { .. } => {
                "According to their source, kernels from 6.19 on do not report events with FUA to \
                    a version 7 tracer. If the workload used FUA (journals and O_DSYNC on a disk \
                    with FUA do), these writes are missing from counts, depths and latencies: do \
                    not compare flushes and FUA with an older kernel. Record with a blktrace that \
                    writes version 8."
            }
            Problem::LostEvents { .. } | Problem::TracerDropped { .. } => {
                "blktrace's buffers overflowed. Record again with larger buffers, to another disk \
                    or a tmpfs: double -b of blktrace, up to -b 4096 -n 4. They take b x n KiB per \
                    CPU and device; seekscope-record chooses them by the free memory."
            }
            Problem::ClockSteps {
                largest: 1_000_000..,
                ..
            } => {
                "The clock cannot be trusted: all times, depths and rates are marked as \
                    unreliable. Either a copy is damaged (compare the checksum with the original), \
                    or the clocks of the CPUs differ: record again with a newer kernel."
            }
            Problem::ClockSteps { .. } => {
                "Old kernels trace with a clock that differs between CPUs. Latencies near the \
                    steps are unreliable."
            }
            Problem::TimeOutliers { .. } => {
                "Usually a flipped bit: a bad copy or bad memory. All figures exclude these \
                    records. Compare the checksum with the original, and copy the file again."
            }
            Problem::NumberOutliers { .. } => {
                "Usually a flipped bit, or a negative number. All figures exclude these events. \
                    Compare the checksum with the original, and copy the file again; print a text \
                    again from the recording."
            }
            Problem::CountOutliers { .. } => {
                "Usually a flipped bit, or a negative number: how many events are missing is \
                    unknown. Compare the checksum with the original, and copy the file again; \
                    print a text again from the recording."
            }
            Problem::MixedLayout { .. } => {
                "A blkparse that keeps the version 7 mark on version 8 records wrote this dump. It \
                    was read as version 8; no action is needed."
            }
            Problem::Unbalanced { .. } => {
                "Events were probably dropped without a gap in the sequence numbers: look for \
                    \"dropped\" in blktrace's output. Latencies and depths of this trace are \
                    unreliable."
            }
            Problem::MissingCpus(_) => {
                "Open all files of the recording together (NAME.blktrace.0, .1, ...). Until then \
                    counts, throughput and queue depth are those of these CPUs only. Files that \
                    were left out because they were empty change nothing."
            }
            Problem::NotUnderstood { .. } => {
                "Supported text: the default output of blkparse, ftrace, trace-cmd report, perf \
                    script and the blk tracer. For output of blkparse -f, enter its format string \
                    (--format-string on the command line). Otherwise print the trace again \
                    (blkparse -i NAME), or open blktrace's own files (NAME.blktrace.0, .1, ...)."
            }
            Problem::NoResults { nearest, .. } => nearest
                .as_ref()
                .and_then(|nearest| nearest.remedy)
                .unwrap_or(READABLE_TEXT),
            Problem::BadPattern { .. } => {
                "Enter the text between the quotes of blkparse -f exactly as typed, for example \
                    \"%D %2c %8s %5T.%9t %5p %2a %3d %S %n %C\\n\". If it prints too few fields, \
                    print the trace again without -f."
            }
            Problem::SummaryOnly { .. } => EVENTS_OF_SUMMARY,
            Problem::CountersOnly { fault: Some(_), .. } => {
                "Usually the tool was killed while it wrote, the copy is incomplete, or several \
                    outputs are in one file. Let it end by itself (iostat -x -t 1 60 > \
                    iostat.txt), one file per tool, and open it together with the trace that was \
                    recorded at the same time."
            }
            Problem::CountersOnly { .. } => {
                "Open it together with the trace that was recorded at the same time: its counters \
                    then are lanes below the charts of that run."
            }
            Problem::OddLines { .. } => {
                "Usually output of other programs in the same file, or lines that were wrapped by \
                    a mail program or truncated by a terminal. Print the trace into a file: \
                    blkparse -i NAME > NAME.txt."
            }
            Problem::TotalsDiffer { .. } => {
                "Usually the text is an excerpt, or a filter was applied. Counts, rates and depths \
                    are those of the lines that are there: compare with a complete text (blkparse \
                    -i NAME > NAME.txt), or open blktrace's own files (NAME.blktrace.0, .1, ...)."
            }
            Problem::NoBlockEvents { .. } => {
                "Enable the block events before the workload runs: echo 1 > \
                    /sys/kernel/tracing/events/block/enable (ftrace), trace-cmd record -e block, \
                    or perf record -a -e 'block:*'. Queued, issued and completed requests are \
                    block_bio_queue, block_rq_issue and block_rq_complete."
            }
            Problem::Unreadable {
                problem, format, ..
            } => problem.remedy(format),
            Problem::LostInText { .. } | Problem::LostByKernel { .. } => {
                "The tracer's ring buffer overflowed. Record again with a larger one (echo 65536 > \
                    /sys/kernel/tracing/buffer_size_kb, trace-cmd record -b 65536, perf record -m \
                    32M), without block_touch_buffer and block_dirty_buffer, and to another disk \
                    or a tmpfs."
            }
            Problem::CountedTime { .. } => {
                "Times are steps of that clock, shown as if they were ns: order and counts are \
                    correct; latencies, depths and rates are not. Run echo mono > \
                    /sys/kernel/tracing/trace_clock and record again."
            }
            Problem::CutLine { .. } => {
                "Usually the copy was incomplete or the disk was full. Compare with the original \
                    and open the complete file, or continue with partial data; the run stays \
                    marked as truncated."
            }
            Problem::TooMany { what: "tasks", .. } => {
                "Either very many short-lived processes ran, or the file is damaged. Figures per \
                    process combine the other tasks into one."
            }
            Problem::TooMany { .. } => {
                "No machine has so many: the file is damaged or not a trace. Copy it again from \
                    the machine that recorded it."
            }
            Problem::TooLarge { .. } => {
                "Open a time window of it, or record with a mask (blktrace -a issue -a complete). \
                    Nothing has been read."
            }
            Problem::EmptyWindow { .. } => {
                "Choose another time window. Its times are seconds since the first event of the \
                    recording, which is at 0."
            }
            Problem::TimeWindow { .. } => {
                "All figures are those of this time window. Requests that were in flight when it \
                    begins have no issue and no queueing, and count as unmatched. Open the \
                    recording without a time window to see all of it."
            }
            Problem::MemoryFull { .. } => {
                "The recording has more events than memory holds. All figures are those of what \
                    was read. Open a time window of it (--range T0:T1 on the command line), or \
                    record with a mask (blktrace -a issue -a complete)."
            }
            Problem::LinkDamaged => {
                "Mail clients and trackers wrap and truncate long lines. Copy the complete link \
                    again, up to its last character, or request the report file instead."
            }
            Problem::LinkNewer { .. } => {
                "Open the link with the Seekscope that created it, or reload this page to get the \
                    newest version."
            }
            Problem::NotInSnapshot => {
                "A link contains what was shown, at the resolution that fits. Drop the trace files \
                    on the page: they are matched with the link and restore full detail."
            }
            Problem::BadQuery { .. } => return None,
        })
    }
}

/// What can be opened.
macro_rules! readable {
    () => {
        "Open a recording (blktrace's own files NAME.blktrace.0, .1, ..., or text of blkparse, \
            ftrace, trace-cmd or perf), the complete output of a benchmark or of iostat, or a \
            table with headings and units."
    };
}
const READABLE: &str = readable!();
/// Who has only closing totals may still have the recording that they are of.
pub const EVENTS_OF_SUMMARY: &str = "A summary cannot be converted back into events. Print the \
    events too (blkparse -i NAME without -O, -q or a filter), or open blktrace's own files \
    (NAME.blktrace.0, .1, ...).";

const READABLE_TEXT: &str = concat!(
    readable!(),
    " For output of blkparse -f, enter its format string (--format-string on the command line)."
);

/// How to fix it when a file is something else than a trace.
fn instead_of(looks_like: &str) -> &'static str {
    match looks_like {
        "UTF-16 text" => "Convert it and open the result: iconv -f UTF-16 -t UTF-8 FILE > NEW",
        "a web page" => {
            "Usually a login or error page was saved instead of the file. Log in and download the \
                file again."
        }
        "zero bytes only" => {
            "The file kept its name and lost its content, as when a machine crashes before the \
                data are written. Copy it again from the original."
        }
        "a RAR archive" | "a 7-zip archive" | "a file of compress (.Z)" => {
            "Unpack it with the tool that created it, and open the files or their folder."
        }
        kind if kind.contains("image") || kind == "a PDF document" => {
            "Charts cannot be converted back into a trace or into numbers. Open the trace (per-CPU \
                files of blktrace, a dump of `blkparse -d`, blkparse's text), or the output or the \
                table that was drawn, as text."
        }
        _ => READABLE,
    }
}

/// `1 line`, `2 lines`.
fn counted(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Seconds with up to three decimals.
fn seconds(ns: u64) -> String {
    format!("{:.3}", ns as f64 / 1e9)
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// `1.5 million`; below that the number.
fn thousands(n: u64) -> String {
    if n < 1_000_000 {
        n.to_string()
    } else {
        format!("{:.1} million", n as f64 / 1e6)
    }
}

/// A time between 1 ms and 584 years.
fn long_time(ns: u64) -> String {
    let seconds = ns as f64 / 1e9;
    let units = [
        (366.0 * 86_400.0, "years"),
        (86_400.0, "days"),
        (3600.0, "h"),
        (1.0, "s"),
    ];
    let unit = units.into_iter().find(|unit| seconds >= 2.0 * unit.0);
    unit.map_or_else(
        || format!("{:.0} ms", seconds * 1e3),
        |(size, name)| format!("{:.0} {name}", seconds / size),
    )
}

impl MissingCpus {
    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "These are the files of {} of at least {} CPUs:",
            self.given, self.least
        )?;
        let reasons = [
            (self.starts > 0).then(|| "the record of the start of tracing is missing".to_owned()),
            (self.unnamed > 0).then(|| {
                format!(
                    "the names of {} are missing",
                    counted(self.unnamed as u64, "task")
                )
            }),
            (self.absent > 0).then(|| {
                format!(
                    "{} not given",
                    counted(self.absent as u64, "lower-numbered file")
                )
            }),
        ];
        write!(
            f,
            " {}.",
            reasons.into_iter().flatten().collect::<Vec<_>>().join(", ")
        )?;
        match self.parted {
            Some((0, _) | (_, 0)) => write!(f, " Each request has all its events in these files."),
            Some((parted, requests)) => {
                let percent = (parted as f64 / requests as f64 * 100.0).max(1.0).round();
                write!(
                    f,
                    " About {percent}% of the requests have their queueing, issue or completion in \
                        another file."
                )
            }
            None => write!(f, " How many events are missing cannot be estimated."),
        }
    }
}

impl fmt::Display for Problem {
    #[expect(clippy::too_many_lines, reason = "a table: one arm per problem")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Empty { .. } => write!(f, "The file is empty."),
            Problem::NotATrace { looks_like, .. } => {
                write!(
                    f,
                    "This is not a block I/O trace: it looks like {looks_like}."
                )
            }
            Problem::UnsupportedVersion { version, .. } => {
                write!(
                    f,
                    "Unsupported record version {version}; versions 7 and 8 are supported."
                )
            }
            Problem::NoEvents { records, .. } => {
                write!(
                    f,
                    "Only {}, no I/O events.",
                    counted(*records, "tracer notification")
                )
            }
            Problem::TruncatedTail { found, needed, .. } => {
                write!(
                    f,
                    "The file is truncated: its last record has {found} of {needed} bytes."
                )
            }
            Problem::BadRecord { skipped, .. } => {
                write!(f, "Skipped {}.", counted(*skipped, "invalid byte"))
            }
            Problem::UnknownAction { action, count, .. } => write!(
                f,
                "Skipped {} with an unknown action or without a device; the first action is \
                    {action:#x}.",
                counted(*count, "record")
            ),
            Problem::LostEvents { count, gaps, .. } => {
                write!(
                    f,
                    "Lost {}: the per-CPU sequence numbers have {}.",
                    counted(*count, "event"),
                    counted(*gaps, "gap")
                )
            }
            Problem::FuaMissing { kernel } => {
                write!(
                    f,
                    "A version 7 trace of kernel {kernel} without FUA events: the kernel may not \
                        have reported them."
                )
            }
            Problem::TracerDropped { count, .. } => {
                write!(f, "blktrace reported {}.", counted(*count, "dropped event"))
            }
            Problem::ClockSteps {
                cpu,
                count,
                largest,
                ..
            } => {
                write!(
                    f,
                    "The clock of CPU {cpu} steps back {}, by up to {largest} ns.",
                    counted(*count, "time")
                )
            }
            Problem::TimeOutliers {
                count,
                off: (neighbour, time),
                ..
            } => write!(
                f,
                "Left out {} with an impossible time; the first is {} {} its neighbours, which are \
                    in order.",
                counted(*count, "event"),
                long_time(neighbour.abs_diff(*time)),
                if time < neighbour { "before" } else { "after" }
            ),
            Problem::NumberOutliers { outliers, .. } => {
                let (count, value) = (counted(outliers.count, "event"), outliers.value);
                match outliers.number {
                    EventNumber::Time => write!(
                        f,
                        "Left out {count} with an impossible time; the first is {value} ns ({}).",
                        long_time(value)
                    ),
                    EventNumber::Sector => write!(
                        f,
                        "Left out {count} with an impossible sector; the first is {value}."
                    ),
                    EventNumber::Length => write!(
                        f,
                        "Left out {count} with an impossible length; the first has {value} bytes."
                    ),
                    EventNumber::Released => write!(
                        f,
                        "Left out {count} with an impossible number of requests; the first is \
                            {value}."
                    ),
                }
            }
            Problem::CountOutliers { outliers, .. } => write!(
                f,
                "Found {} of events that cannot be true; the first is {}. Read as {MAX_EXACT}.",
                counted(outliers.count, "count"),
                outliers.first
            ),
            Problem::MixedLayout { .. } => write!(
                f,
                "Records are marked version 7 but have the layout of version 8."
            ),
            Problem::Unbalanced { q, d, c, events } => write!(
                f,
                "Many of {events} events are unmatched: {q} bios without completion, {d} issues \
                    without completion or bio, {c} completions without issue."
            ),
            Problem::MissingCpus(missing) => missing.describe(f),
            Problem::NotUnderstood { at, example, .. } => {
                write!(
                    f,
                    "No line of this text is a trace event. Line {} is \u{201c}{example}\u{201d}.",
                    at.line
                )
            }
            Problem::NoResults {
                at,
                example,
                nearest,
                size,
                searched,
            } => {
                write!(f, "This text has no trace and no table of results")?;
                if searched < size {
                    write!(f, " in its first {}", Unit::Bytes.write(*searched as f64))?;
                }
                write!(f, ". ")?;
                match nearest {
                    Some(Nearest { what, lacks, .. }) => {
                        write!(f, "It looks like {what}, {lacks}.")?
                    }
                    None => write!(
                        f,
                        "No line is a trace event, output of a known benchmark, or part of a \
                            table with units."
                    )?,
                }
                write!(f, " Line {} is \u{201c}{example}\u{201d}.", at.line)
            }
            Problem::BadPattern { reason, .. } => write!(f, "Invalid format string: {reason}."),
            Problem::SummaryOnly { .. } => write!(
                f,
                "The text has only blkparse's closing summary, no events."
            ),
            Problem::CountersOnly { tool, fault, .. } => {
                write!(f, "This is output of {tool}: counters, not a trace")?;
                fault.iter().try_for_each(|fault| write!(f, "; {fault}"))?;
                write!(f, ".")
            }
            Problem::TotalsDiffer {
                what,
                total,
                present,
                ..
            } => write!(
                f,
                "blkparse's closing figures count {total} {what}; the text has {present}."
            ),
            Problem::OddLines { at, count, example } => write!(
                f,
                "Ignored {}; the first, line {}, is \u{201c}{example}\u{201d}.",
                if *count == 1 {
                    "1 line that is not an event".to_owned()
                } else {
                    format!("{count} lines that are not events")
                },
                at.line
            ),
            Problem::NoBlockEvents {
                format, others: 0, ..
            } => write!(f, "This trace ({format}) has no events."),
            Problem::NoBlockEvents { format, others, .. } => {
                write!(
                    f,
                    "This trace ({format}) has {}, but no block events that define requests.",
                    counted(*others, "event")
                )
            }
            Problem::LostInText {
                at, count, lines, ..
            } => write!(
                f,
                "The tracer lost at least {}, reported on {}; the first is line {}.",
                counted(*count, "event"),
                counted(*lines, "line"),
                at.line
            ),
            Problem::LostByKernel { count, .. } => {
                write!(
                    f,
                    "The kernel lost at least {} while recording.",
                    counted(*count, "event")
                )
            }
            Problem::Unreadable {
                format, problem, ..
            } => write!(f, "This {format} {problem}"),
            Problem::CountedTime { .. } => {
                write!(
                    f,
                    "The trace clock did not count time: timestamps have no seconds."
                )
            }
            Problem::CutLine { at, example, .. } => {
                write!(
                    f,
                    "The text is truncated within an event: line {} is \u{201c}{example}\u{201d}.",
                    at.line
                )
            }
            Problem::DroppedEvents {
                intervals,
                device,
                cpu,
                longest: (from, length),
                unmatched,
            } => write!(
                f,
                "Events of {device} were lost in {}, the longest {:.3} s on CPU {cpu} from {:.3} s \
                    on: a busy CPU recorded nothing, and {} around that time are unmatched.",
                counted(*intervals, "interval"),
                *length as f64 / 1e9,
                *from as f64 / 1e9,
                counted(*unmatched, "event")
            ),
            Problem::TooMany {
                what: "tasks",
                most,
                left_out,
            } => {
                write!(
                    f,
                    "The trace has more than {most} tasks; {left_out} events of the others are \
                        combined into one task."
                )
            }
            Problem::TooMany {
                what,
                most,
                left_out,
            } => {
                write!(
                    f,
                    "The trace has more than {most} {what}; {left_out} events of the others were \
                        skipped."
                )
            }
            Problem::TooLarge {
                events,
                fits,
                length,
            } => write!(
                f,
                "The recording does not fit into memory: it has about {} events in {} s, of which \
                    about {} fit.",
                thousands(*events),
                seconds(*length),
                thousands(*fits)
            ),
            Problem::EmptyWindow { name, window } => write!(f, "{name} has no event in {window}."),
            Problem::TimeWindow { window, .. } => write!(f, "Only {} was read.", window),
            Problem::MemoryFull {
                window: Some(window),
                ..
            } => {
                write!(f, "Memory is full: a partial result, {}.", window)
            }
            Problem::MemoryFull { taken, size, .. } => {
                let percent = *taken as f64 / (*size).max(1) as f64 * 100.0;
                write!(
                    f,
                    "Memory is full: a partial result, {percent:.0}% of the bytes of the recording."
                )
            }
            Problem::LinkDamaged => write!(f, "The snapshot in this link is corrupt."),
            Problem::LinkNewer { version } => {
                write!(
                    f,
                    "A newer Seekscope created this link (link version {version})."
                )
            }
            Problem::NotInSnapshot => write!(f, "The snapshot does not contain this detail."),
            Problem::BadQuery { what } => write!(f, "Invalid query: {what}."),
        }
    }
}

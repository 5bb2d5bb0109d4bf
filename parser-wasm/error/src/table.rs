//! The table of problems: one arm per problem says all that is known of it. A new problem is a
//! variant of [`Problem`] and an arm here; the compiler asks for both.

use super::words::{
    READABLE_TEXT, counted, file_place, long_time, missing_cpus, outlier_place, seconds, thousands,
    whole_file,
};
use super::{BoundedKind, Nearest, Problem};
use seekscope_formats::EventNumber;
use seekscope_trace::limits::MAX_EXACT;
use seekscope_trace::quantity::Unit;
use seekscope_trace::remedy::EVENTS_OF_SUMMARY;
use seekscope_trace::store::quality::{ClockDoubt, InputPlace};

/// What is known of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Stable, for scripts.
    pub code: &'static str,
    pub place: Option<InputPlace>,
    /// What was kept despite the problem.
    pub kept: Option<String>,
    /// What was found.
    pub text: String,
    /// The usual cause and how to fix it.
    pub remedy: Option<&'static str>,
}

impl Problem {
    #[expect(clippy::too_many_lines, reason = "a table: one arm per problem")]
    pub fn explain(&self) -> Explanation {
        match self {
            Problem::Empty { file } => Explanation {
                code: "empty-file",
                place: whole_file(file, 0),
                kept: None,
                text: "The file is empty.".to_owned(),
                remedy: Some(
                    "Empty per-CPU files next to others are normal: an idle CPU records nothing. \
                        If it is the only file, the traced device had no I/O or the copy failed: \
                        check the size of the original.",
                ),
            },
            Problem::NotATrace {
                file,
                looks_like,
                size,
            } => Explanation {
                code: "not-a-trace",
                place: file_place(file, Some(0), Some(*size)),
                kept: None,
                text: format!(
                    "This is not a block I/O trace: it looks like {}.",
                    looks_like.name()
                ),
                remedy: Some(looks_like.remedy()),
            },
            Problem::UnsupportedVersion {
                file,
                byte,
                version,
            } => Explanation {
                code: "unsupported-version",
                place: file_place(file, Some(*byte), None),
                kept: None,
                text: format!(
                    "Unsupported record version {version}; versions 7 and 8 are supported."
                ),
                remedy: Some(match version {
                    0..7 => {
                        "Usually the file is damaged: versions before 7 existed only in \
                            development, before Linux 2.6.17 (2006). Copy the file again in \
                            binary mode, or convert the trace with the blkparse that came with \
                            its blktrace."
                    }
                    _ => {
                        "A newer kernel recorded this trace. Try a newer release of Seekscope, or \
                            convert the trace with blkparse on the machine that recorded it."
                    }
                }),
            },
            Problem::NoEvents { name: _, records } => Explanation {
                code: "no-events",
                place: None,
                kept: None,
                text: format!(
                    "Only {}, no I/O events.",
                    counted(*records, "tracer notification")
                ),
                remedy: Some(
                    "The tracer ran, but the device had no I/O that matched its mask. Check the \
                        device name and the -a option, and record while the workload runs.",
                ),
            },
            Problem::TruncatedTail {
                file,
                byte,
                found,
                needed,
                records,
                size,
            } => Explanation {
                code: "truncated-tail",
                place: file_place(file, Some(*byte), Some(*size)),
                kept: Some(format!("{records} records before it")),
                text: format!(
                    "The file is truncated: its last record has {found} of {needed} bytes."
                ),
                remedy: Some(
                    "Usually blktrace was killed, the disk was full, or the copy was incomplete. \
                        Compare the size with the original (ls -l) and open the complete file, or \
                        continue with partial data; the run stays marked as truncated.",
                ),
            },
            Problem::BadRecord {
                file,
                byte,
                skipped,
            } => Explanation {
                code: "bad-record",
                place: file_place(file, Some(*byte), None),
                kept: Some("all records before and after them".to_owned()),
                text: format!("Skipped {}.", counted(*skipped, "invalid byte")),
                remedy: Some(
                    "Usually a damaged copy (text-mode transfer, bad disk) or two files written \
                        into one. Copy the file again in binary mode.",
                ),
            },
            Problem::UnknownAction {
                file,
                byte,
                action,
                count,
            } => Explanation {
                code: "unknown-action",
                place: file_place(file, Some(*byte), None),
                kept: Some("all other records".to_owned()),
                text: format!(
                    "Skipped {} with an unknown action or without a device; the first action is \
                        {action:#x}.",
                    counted(*count, "record")
                ),
                remedy: Some(
                    "A newer kernel recorded them, or the file is damaged. All figures exclude \
                        these records.",
                ),
            },
            Problem::LostEvents {
                count,
                gaps,
                present,
                text,
            } => Explanation {
                code: "lost-events",
                place: None,
                kept: Some(format!("{present} events")),
                text: format!(
                    "Lost {}: the per-CPU sequence numbers have {}.",
                    counted(*count, "event"),
                    counted(*gaps, "gap")
                ),
                remedy: Some(if *text {
                    "Either lines were filtered out when the text was made (blkparse -a or -w, \
                        grep, truncation), or blktrace's buffers overflowed. Print the complete \
                        trace again; if the lines are missing there too, record again with larger \
                        buffers: double -b of blktrace, up to -b 4096 -n 4. They take b x n KiB \
                        per CPU and device; seekscope-record chooses them by the free memory."
                } else {
                    BUFFERS_OVERFLOWED
                }),
            },
            Problem::TracerDropped {
                file,
                count,
                present,
            } => Explanation {
                code: "tracer-dropped",
                place: file_place(file, None, None),
                kept: Some(format!("{present} events")),
                text: format!("blktrace reported {}.", counted(*count, "dropped event")),
                remedy: Some(BUFFERS_OVERFLOWED),
            },
            Problem::ClockSteps {
                file,
                cpu,
                count,
                largest,
            } => Explanation {
                code: "clock-steps",
                place: file_place(file, None, None),
                kept: Some("all events, in recorded order".to_owned()),
                text: format!(
                    "The clock of CPU {cpu} steps back {}, by up to {largest} ns.",
                    counted(*count, "time")
                ),
                remedy: Some(if *largest >= ClockDoubt::MIN_STEP_NS {
                    "The clock cannot be trusted: all times, depths and rates are marked as \
                        unreliable. Either a copy is damaged (compare the checksum with the \
                        original), or the clocks of the CPUs differ: record again with a newer \
                        kernel."
                } else {
                    "Old kernels trace with a clock that differs between CPUs. Latencies near the \
                        steps are unreliable."
                }),
            },
            Problem::TimeOutliers {
                file,
                byte,
                count,
                off: (neighbour, time),
            } => Explanation {
                code: TIME_OUTLIERS,
                place: file_place(file, Some(*byte), None),
                kept: Some("all other records".to_owned()),
                text: format!(
                    "Left out {} with an impossible time; the first is {} {} its neighbours, \
                        which are in order.",
                    counted(*count, "event"),
                    long_time(neighbour.abs_diff(*time)),
                    if time < neighbour { "before" } else { "after" }
                ),
                remedy: Some(
                    "Usually a flipped bit: a bad copy or bad memory. All figures exclude these \
                        records. Compare the checksum with the original, and copy the file again.",
                ),
            },
            Problem::NumberOutliers { file, outliers } => Explanation {
                code: match outliers.number {
                    EventNumber::Time => TIME_OUTLIERS,
                    EventNumber::Sector | EventNumber::Length | EventNumber::Released => {
                        "number-outliers"
                    }
                },
                place: outlier_place(file, outliers.line, outliers.byte),
                kept: Some("all other records".to_owned()),
                text: format!(
                    "Left out {} with an impossible {}.",
                    counted(outliers.count, "event"),
                    number_and_first(outliers.number, outliers.value)
                ),
                remedy: Some(
                    "Usually a flipped bit, or a negative number. All figures exclude these \
                        events. Compare the checksum with the original, and copy the file again; \
                        print a text again from the recording.",
                ),
            },
            Problem::CountOutliers { file, outliers } => Explanation {
                code: "count-outliers",
                place: outlier_place(file, outliers.line, outliers.byte),
                kept: None,
                text: format!(
                    "Found {} of events that cannot be true; the first is {}. Read as \
                        {MAX_EXACT}.",
                    counted(outliers.count, "count"),
                    outliers.first
                ),
                remedy: Some(
                    "Usually a flipped bit, or a negative number: how many events are missing is \
                        unknown. Compare the checksum with the original, and copy the file again; \
                        print a text again from the recording.",
                ),
            },
            Problem::MixedLayout { file } => Explanation {
                code: "mixed-layout",
                place: file_place(file, None, None),
                kept: None,
                text: "Records are marked version 7 but have the layout of version 8.".to_owned(),
                remedy: Some(
                    "A blkparse that keeps the version 7 mark on version 8 records wrote this \
                        dump. It was read as version 8; no action is needed.",
                ),
            },
            Problem::Unbalanced { q, d, c, events } => Explanation {
                code: "unbalanced",
                place: None,
                kept: None,
                text: format!(
                    "Many of {events} events are unmatched: {q} bios without completion, {d} \
                        issues without completion or bio, {c} completions without issue."
                ),
                remedy: Some(
                    "Events were probably dropped without a gap in the sequence numbers: look for \
                        \"dropped\" in blktrace's output. Latencies and depths of this trace are \
                        unreliable.",
                ),
            },
            Problem::MissingCpus(missing) => Explanation {
                code: "missing-cpus",
                place: None,
                kept: Some("all events of these CPUs".to_owned()),
                text: missing_cpus(missing),
                remedy: Some(
                    "Open all files of the recording together (NAME.blktrace.0, .1, ...). Until \
                        then counts, throughput and queue depth are those of these CPUs only. \
                        Files that were left out because they were empty change nothing.",
                ),
            },
            Problem::NotUnderstood {
                position,
                example,
                size,
            } => Explanation {
                code: TEXT_NOT_UNDERSTOOD,
                place: position.place(Some(*size)),
                kept: None,
                text: format!(
                    "No line of this text is a trace event. Line {} is \u{201c}{example}\u{201d}.",
                    position.line
                ),
                remedy: Some(
                    "Supported text: the default output of blkparse, ftrace, trace-cmd report, \
                        perf script and the blk tracer. For output of blkparse -f, enter its \
                        format string (--format-string on the command line). Otherwise print the \
                        trace again (blkparse -i NAME), or open blktrace's own files \
                        (NAME.blktrace.0, .1, ...).",
                ),
            },
            Problem::NoResults {
                position,
                example,
                size,
                searched,
                nearest,
            } => Explanation {
                code: TEXT_NOT_UNDERSTOOD,
                place: position.place(Some(*size)),
                kept: None,
                text: format!(
                    "This text has no trace and no table of results{}. {} Line {} is \
                        \u{201c}{example}\u{201d}.",
                    if searched < size {
                        format!(" in its first {}", Unit::Bytes.write(*searched as f64))
                    } else {
                        String::new()
                    },
                    match nearest {
                        Some(Nearest { what, lacks, .. }) =>
                            format!("It looks like {what}, {lacks}."),
                        None => "No line is a trace event, output of a known benchmark, or part \
                            of a table with units."
                            .to_owned(),
                    },
                    position.line
                ),
                remedy: Some(
                    nearest
                        .as_ref()
                        .and_then(|nearest| nearest.remedy)
                        .unwrap_or(READABLE_TEXT),
                ),
            },
            Problem::BadPattern { file, reason } => Explanation {
                code: "bad-format-string",
                place: file_place(file, None, None),
                kept: None,
                text: format!("Invalid format string: {reason}."),
                remedy: Some(
                    "Enter the text between the quotes of blkparse -f exactly as typed, for \
                        example \"%D %2c %8s %5T.%9t %5p %2a %3d %S %n %C\\n\". If it prints too \
                        few fields, print the trace again without -f.",
                ),
            },
            Problem::SummaryOnly { file, size } => Explanation {
                code: "summary-only",
                place: whole_file(file, *size),
                kept: None,
                text: "The text has only blkparse's closing summary, no events.".to_owned(),
                remedy: Some(EVENTS_OF_SUMMARY),
            },
            Problem::CountersOnly {
                file,
                tool,
                fault,
                size,
            } => Explanation {
                code: "counters-only",
                place: whole_file(file, *size),
                kept: None,
                text: match fault {
                    Some(fault) => {
                        format!("This is output of {tool}: counters, not a trace; {fault}.")
                    }
                    None => format!("This is output of {tool}: counters, not a trace."),
                },
                remedy: Some(match fault {
                    Some(_) => {
                        "Usually the tool was killed while it wrote, the copy is incomplete, or \
                            several outputs are in one file. Let it end by itself (iostat -x -t 1 \
                            60 > iostat.txt), one file per tool, and open it together with the \
                            trace that was recorded at the same time."
                    }
                    None => {
                        "Open it together with the trace that was recorded at the same time: its \
                            counters then are lanes below the charts of that run."
                    }
                }),
            },
            Problem::OddLines {
                position,
                count,
                example,
            } => Explanation {
                code: "odd-lines",
                place: position.place(None),
                kept: Some("all other lines".to_owned()),
                text: format!(
                    "Ignored {}; the first, line {}, is \u{201c}{example}\u{201d}.",
                    match count {
                        1 => "1 line that is not an event".to_owned(),
                        _ => format!("{count} lines that are not events"),
                    },
                    position.line
                ),
                remedy: Some(
                    "Usually output of other programs in the same file, or lines that were \
                        wrapped by a mail program or truncated by a terminal. Print the trace \
                        into a file: blkparse -i NAME > NAME.txt.",
                ),
            },
            Problem::TotalsDiffer {
                position,
                what,
                total,
                present,
            } => Explanation {
                code: "totals-differ",
                place: position.place(None),
                kept: None,
                text: format!(
                    "blkparse's closing figures count {total} {what}; the text has {present}."
                ),
                remedy: Some(
                    "Usually the text is an excerpt, or a filter was applied. Counts, rates and \
                        depths are those of the lines that are there: compare with a complete \
                        text (blkparse -i NAME > NAME.txt), or open blktrace's own files \
                        (NAME.blktrace.0, .1, ...).",
                ),
            },
            Problem::NoBlockEvents {
                file,
                format,
                others,
                size,
            } => Explanation {
                code: "no-block-events",
                place: whole_file(file, *size),
                kept: None,
                text: match others {
                    0 => format!("This trace ({format}) has no events."),
                    _ => format!(
                        "This trace ({format}) has {}, but no block events that define requests.",
                        counted(*others, "event")
                    ),
                },
                remedy: Some(
                    "Enable the block events before the workload runs: echo 1 > \
                        /sys/kernel/tracing/events/block/enable (ftrace), trace-cmd record -e \
                        block, or perf record -a -e 'block:*'. Queued, issued and completed \
                        requests are block_bio_queue, block_rq_issue and block_rq_complete.",
                ),
            },
            Problem::LostInText {
                position,
                count,
                lines,
                present,
            } => Explanation {
                code: "lost-events",
                place: position.place(None),
                kept: Some(format!("{present} events")),
                text: format!(
                    "The tracer lost at least {}, reported on {}; the first is line {}.",
                    counted(*count, "event"),
                    counted(*lines, "line"),
                    position.line
                ),
                remedy: Some(RING_BUFFER_OVERFLOWED),
            },
            Problem::LostByKernel {
                file,
                count,
                present,
            } => Explanation {
                code: "lost-events",
                place: file_place(file, None, None),
                kept: Some(format!("{present} events")),
                text: format!(
                    "The kernel lost at least {} while recording.",
                    counted(*count, "event")
                ),
                remedy: Some(RING_BUFFER_OVERFLOWED),
            },
            Problem::Unreadable {
                file,
                format,
                problem,
                size,
            } => {
                let reason = problem.explain(format);
                Explanation {
                    code: reason.code,
                    place: whole_file(file, *size),
                    kept: None,
                    text: format!("This {format} {}", reason.text),
                    remedy: Some(reason.remedy),
                }
            }
            Problem::CountedTime { file } => Explanation {
                code: "counted-time",
                place: file_place(file, None, None),
                kept: Some("all events, in order".to_owned()),
                text: "The trace clock did not count time: timestamps have no seconds.".to_owned(),
                remedy: Some(
                    "Times are steps of that clock, shown as if they were ns: order and counts \
                        are correct; latencies, depths and rates are not. Run echo mono > \
                        /sys/kernel/tracing/trace_clock and record again.",
                ),
            },
            Problem::CutLine {
                position,
                example,
                size,
            } => Explanation {
                code: "cut-line",
                place: position.place(Some(*size)),
                kept: Some("all lines before".to_owned()),
                text: format!(
                    "The text is truncated within an event: line {} is \
                        \u{201c}{example}\u{201d}.",
                    position.line
                ),
                remedy: Some(
                    "Usually the copy was incomplete or the disk was full. Compare with the \
                        original and open the complete file, or continue with partial data; the \
                        run stays marked as truncated.",
                ),
            },
            Problem::DroppedEvents {
                intervals,
                device,
                cpu,
                longest: (from, length),
                unmatched,
            } => Explanation {
                code: "dropped-events",
                place: None,
                kept: None,
                text: format!(
                    "Events of {device} were lost in {}, the longest {:.3} s on CPU {cpu} from \
                        {:.3} s on: a busy CPU recorded nothing, and {} around that time are \
                        unmatched.",
                    counted(*intervals, "interval"),
                    *length as f64 / 1e9,
                    *from as f64 / 1e9,
                    counted(*unmatched, "event")
                ),
                remedy: Some(
                    "blktrace's buffers overflowed: look for \"dropped\" in its output. Charts \
                        mark these intervals, and figures that depend on them are marked as \
                        unreliable. Record again with larger buffers, to another disk or a tmpfs: \
                        double -b of blktrace, up to -b 4096 -n 4. They take b x n KiB per CPU \
                        and device; seekscope-record chooses them by the free memory.",
                ),
            },
            Problem::FuaMissing { kernel } => Explanation {
                code: "fua-missing",
                place: None,
                kept: None,
                text: format!(
                    "A version 7 trace of kernel {kernel} without FUA events: the kernel may not \
                        have reported them."
                ),
                remedy: Some(
                    "According to their source, kernels from 6.19 on do not report events with \
                        FUA to a version 7 tracer. If the workload used FUA (journals and O_DSYNC \
                        on a disk with FUA do), these writes are missing from counts, depths and \
                        latencies: do not compare flushes and FUA with an older kernel. Record \
                        with a blktrace that writes version 8.",
                ),
            },
            Problem::TooMany {
                kind,
                most,
                left_out,
            } => too_many(*kind, *most, *left_out),
            Problem::TooLarge {
                events,
                fits,
                length,
            } => Explanation {
                code: "too-large",
                place: None,
                kept: None,
                text: format!(
                    "The recording does not fit into memory: it has about {} events in {} s, of \
                        which about {} fit.",
                    thousands(*events),
                    seconds(*length),
                    thousands(*fits)
                ),
                remedy: Some(
                    "Open a time window of it, or record with a mask (blktrace -a issue -a \
                        complete). Nothing has been read.",
                ),
            },
            Problem::EmptyWindow { name, window } => Explanation {
                code: "empty-window",
                place: None,
                kept: None,
                text: format!("{name} has no event in {window}."),
                remedy: Some(
                    "Choose another time window. Its times are seconds since the first event of \
                        the recording, which is at 0.",
                ),
            },
            Problem::TimeWindow { window, events } => Explanation {
                code: "time-window",
                place: None,
                kept: Some(format!("{events} events")),
                text: format!("Only {window} was read."),
                remedy: Some(
                    "All figures are those of this time window. Requests that were in flight when \
                        it begins have no issue and no queueing, and count as unmatched. Open the \
                        recording without a time window to see all of it.",
                ),
            },
            Problem::MemoryFull {
                window,
                taken,
                size,
                events,
            } => Explanation {
                code: "memory-full",
                place: None,
                kept: Some(format!("{events} events")),
                text: match window {
                    Some(window) => format!("Memory is full: a partial result, {window}."),
                    None => format!(
                        "Memory is full: a partial result, {:.0}% of the bytes of the recording.",
                        *taken as f64 / (*size).max(1) as f64 * 100.0
                    ),
                },
                remedy: Some(
                    "The recording has more events than memory holds. All figures are those of \
                        what was read. Open a time window of it (--range T0:T1 on the command \
                        line), or record with a mask (blktrace -a issue -a complete).",
                ),
            },
            Problem::LinkDamaged => Explanation {
                code: "link-damaged",
                place: None,
                kept: None,
                text: "The snapshot in this link is corrupt.".to_owned(),
                remedy: Some(
                    "Mail clients and trackers wrap and truncate long lines. Copy the complete \
                        link again, up to its last character, or request the report file instead.",
                ),
            },
            Problem::LinkNewer { version } => Explanation {
                code: "link-newer",
                place: None,
                kept: None,
                text: format!("A newer Seekscope created this link (link version {version})."),
                remedy: Some(
                    "Open the link with the Seekscope that created it, or reload this page to get \
                        the newest version.",
                ),
            },
            Problem::NotInSnapshot => Explanation {
                code: "not-in-snapshot",
                place: None,
                kept: None,
                text: "The snapshot does not contain this detail.".to_owned(),
                remedy: Some(
                    "A link contains what was shown, at the resolution that fits. Drop the trace \
                        files on the page: they are matched with the link and restore full detail.",
                ),
            },
            Problem::BadQuery { what } => Explanation {
                code: "bad-query",
                place: None,
                kept: None,
                text: format!("Invalid query: {what}."),
                remedy: None,
            },
        }
    }
}

/// Of events that are left out for their time, by its neighbours or by its size.
const TIME_OUTLIERS: &str = "time-outliers";
const TEXT_NOT_UNDERSTOOD: &str = "text-not-understood";

const BUFFERS_OVERFLOWED: &str = "blktrace's buffers overflowed. Record again with larger \
    buffers, to another disk or a tmpfs: double -b of blktrace, up to -b 4096 -n 4. They take b x \
    n KiB per CPU and device; seekscope-record chooses them by the free memory.";
const RING_BUFFER_OVERFLOWED: &str = "The tracer's ring buffer overflowed. Record again with a \
    larger one (echo 65536 > /sys/kernel/tracing/buffer_size_kb, trace-cmd record -b 65536, perf \
    record -m 32M), without block_touch_buffer and block_dirty_buffer, and to another disk or a \
    tmpfs.";

/// What is impossible of an event, and its first value.
fn number_and_first(number: EventNumber, value: u64) -> String {
    match number {
        EventNumber::Time => format!("time; the first is {value} ns ({})", long_time(value)),
        EventNumber::Sector => format!("sector; the first is {value}"),
        EventNumber::Length => format!("length; the first has {value} bytes"),
        EventNumber::Released => format!("number of requests; the first is {value}"),
    }
}

/// Events of further tasks count as those of one task; those of further devices and CPUs cannot be
/// told apart and are skipped.
fn too_many(kind: BoundedKind, most: usize, left_out: u64) -> Explanation {
    let skipped = |code, plural: &str| Explanation {
        code,
        place: None,
        kept: Some(format!("the events of the first {most} {plural}")),
        text: format!(
            "The trace has more than {most} {plural}; {left_out} events of the others were \
                skipped."
        ),
        remedy: Some(
            "No machine has so many: the file is damaged or not a trace. Copy it again from the \
                machine that recorded it.",
        ),
    };
    match kind {
        BoundedKind::Devices => skipped("too-many-devices", "devices"),
        BoundedKind::Cpus => skipped("too-many-cpus", "CPUs"),
        BoundedKind::Tasks => Explanation {
            code: "too-many-tasks",
            place: None,
            kept: Some("all events; the other tasks count as one".to_owned()),
            text: format!(
                "The trace has more than {most} tasks; {left_out} events of the others are \
                    combined into one task."
            ),
            remedy: Some(
                "Either very many short-lived processes ran, or the file is damaged. Figures per \
                    process combine the other tasks into one.",
            ),
        },
    }
}

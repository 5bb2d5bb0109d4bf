//! What is said of a problem: what was found, and what to do.

use super::Problem;
use std::fmt;

impl Problem {
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
            Problem::Unreadable { problem, format, .. } => problem.remedy(format),
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
            Problem::LinkDamaged => {
                "Mail programs and trackers wrap and cut long lines. Copy the whole link again, up to its last character, or ask for the report file instead."
            }
            Problem::LinkNewer { .. } => "Open it with the Seekscope it came from, or reload this page to get the newest one.",
            Problem::NotInSnapshot => {
                "A link holds what was shown, at the resolution that fits into it. Drop the trace's files on the page: they are matched with the link, and everything is there."
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
            "Open the per-CPU files that blktrace writes (trace.blktrace.0, .1, ...), a dump made with `blkparse -d`, or what blkparse, ftrace, trace-cmd or perf recorded."
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
                write!(f, "{count} records have an unknown action or no device; the first has {action:#x}.")
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
            Problem::Unreadable { format, problem, .. } => write!(f, "This {format} {problem}"),
            Problem::CountedTime { .. } => write!(f, "The trace clock counted something else than ns: times have no seconds."),
            Problem::CutLine { at, example, .. } => {
                write!(f, "The text ends within an event: line {} reads \u{201c}{example}\u{201d}.", at.line)
            }
            Problem::DroppedEvents { intervals, device, cpu, longest: (from, length), unmatched } => write!(
                f,
                "Events of {device} were lost in {intervals} stretches of time, the longest {:.3} s on cpu {cpu} from {:.3} s on: a busy CPU fell silent, and {unmatched} events around lack their partner.",
                *length as f64 / 1e9,
                *from as f64 / 1e9
            ),
            Problem::TooMany { what, most, left_out } => {
                let lot = if *what == "tasks" { "stand under one" } else { "were left out" };
                write!(f, "More than {most} {what} are named; {left_out} events of the others {lot}.")
            }
            Problem::LinkDamaged => write!(f, "What the link carries is damaged, and nothing of it can be read."),
            Problem::LinkNewer { version } => write!(f, "The link was made by a newer Seekscope (version {version} of links)."),
            Problem::NotInSnapshot => write!(f, "The link does not hold this detail."),
            Problem::BadQuery { what } => write!(f, "The question has no answer: {what}."),
        }
    }
}

//! The texts that are neither traces nor results, and the lines that show it.

use crate::readers::system::words::decimal;
use seekscope_formats::text::blkparse;

/// How many lines must show a resemblance.
pub enum Enough {
    Lines(usize),
    /// Percent of all lines that are not blank, and at least three.
    Share(usize),
}

pub struct Sign {
    pub what: &'static str,
    pub lacks: &'static str,
    pub remedy: Option<&'static str>,
    pub enough: Enough,
    pub shows: fn(&str) -> bool,
}

const NO_MEASUREMENTS: &str = "which has no measurements";
const RECORD: &str = "Record the events in a format that is read: with blktrace, or with ftrace, \
    trace-cmd or perf (block:block_rq_issue, block:block_rq_complete).";

const fn sign(
    what: &'static str,
    lacks: &'static str,
    enough: Enough,
    shows: fn(&str) -> bool,
) -> Sign {
    Sign {
        what,
        lacks,
        remedy: None,
        enough,
        shows,
    }
}

const fn with_remedy(sign: Sign, remedy: &'static str) -> Sign {
    Sign {
        remedy: Some(remedy),
        ..sign
    }
}

/// The resemblances, the most specific first.
pub const SIGNS: &[Sign] = &[
    with_remedy(
        sign(
            "text of babeltrace (LTTng)",
            "which is not read",
            Enough::Lines(1),
            |line| line.contains("block_") && line.contains("cpu_id ="),
        ),
        RECORD,
    ),
    sign("a patch", NO_MEASUREMENTS, Enough::Lines(1), |line| {
        line.starts_with("diff --git ") || line.starts_with("@@ -")
    }),
    sign(
        "a kernel log (dmesg)",
        NO_MEASUREMENTS,
        Enough::Share(50),
        is_kernel_message,
    ),
    with_remedy(
        sign(
            "text of ftrace, trace-cmd or perf",
            "but has no event of the block layer that is read (block_rq_issue, block_rq_complete)",
            Enough::Lines(1),
            is_trace_event,
        ),
        RECORD,
    ),
    with_remedy(
        sign(
            "a job file of fio",
            "which has no results",
            Enough::Lines(2),
            is_job_option,
        ),
        "Run it, and open what fio prints (fio --output-format=json+ JOB, or its normal output).",
    ),
    sign(
        "output of fio",
        "but has no complete line of results (read: IOPS=..., BW=...)",
        Enough::Lines(1),
        |line| {
            line.contains("rw=") && line.contains("ioengine=")
                || line.trim().starts_with("clat percentiles")
                || line.contains("(groupid=")
                || line.starts_with("Run status group")
        },
    ),
    sign(
        "output of dd",
        "but has no line with bytes and seconds (... bytes copied, 1.2 s)",
        Enough::Lines(1),
        |line| line.ends_with("records in") || line.ends_with("records out"),
    ),
    sign(
        "output of mpstat",
        "which has processor times and no figures of disks",
        Enough::Lines(1),
        |line| line.contains("CPU") && line.contains("%usr"),
    ),
    sign(
        "output of iostat",
        "but has no line of a device below its column headings",
        Enough::Lines(1),
        |line| line.starts_with("Device") && line.contains("/s"),
    ),
    sign(
        "output of iostat",
        "but has no line of column headings (Device r/s w/s ...)",
        Enough::Lines(1),
        is_device_row,
    ),
    sign(
        "output of vmstat",
        "but has no line of numbers below its column headings",
        Enough::Lines(1),
        |line| line.contains("swpd") && line.contains("free") && line.contains("buff"),
    ),
    sign(
        "a histogram of biolatency (-j)",
        "but has no unit that is known (nsecs, usecs, msecs)",
        Enough::Lines(1),
        |line| line.contains("interval-start") && line.contains("val_type"),
    ),
    sign(
        "a histogram of bpftrace or bcc",
        "but has no heading with its unit (usecs)",
        Enough::Lines(2),
        is_histogram_row,
    ),
    with_remedy(
        sign(
            "events that blkparse printed in a format of its own",
            "but the default format has a CPU, a sequence number, a time and a process, too",
            Enough::Lines(1),
            |line| is_short_event(line) || blkparse::is_custom(line.as_bytes()),
        ),
        "Enter the text between the quotes of blkparse -f (--format-string on the command line), or \
            print the trace again without -f.",
    ),
    sign(
        "a profile of perf report",
        NO_MEASUREMENTS,
        Enough::Lines(1),
        |line| line.contains("Overhead") && line.contains("Symbol"),
    ),
    sign(
        "a SMART log of a disk",
        NO_MEASUREMENTS,
        Enough::Lines(1),
        |line| line.starts_with("Smart Log for NVME") || line.contains("SMART Attributes"),
    ),
    sign(
        "a list of disks (lsblk)",
        NO_MEASUREMENTS,
        Enough::Lines(1),
        |line| line.starts_with("NAME") && line.contains("MAJ:MIN"),
    ),
    sign(
        "a kernel configuration",
        NO_MEASUREMENTS,
        Enough::Share(50),
        |line| line.starts_with("CONFIG_") || line.starts_with("# CONFIG_"),
    ),
    sign(
        "a summary of changed files",
        NO_MEASUREMENTS,
        Enough::Lines(2),
        |line| {
            line.split_once(" | ").is_some_and(|(_, tail)| {
                tail.contains('+') && tail.trim_end().ends_with(['+', '-'])
            })
        },
    ),
    sign("source code", NO_MEASUREMENTS, Enough::Share(40), is_source),
    with_remedy(
        sign(
            "labels with ranges of figures",
            "but a range is not one figure that can be compared",
            Enough::Lines(2),
            is_range,
        ),
        "Write one figure per label: the mean, or each measured one.",
    ),
    sign(
        "measurements in sentences",
        "but only comparisons are read, such as \u{201c}dropped from 512 MB/s to 480 MB/s\u{201d}",
        Enough::Lines(1),
        |line| !line.contains(['|', '\t', ';']) && measurement_in_sentence(line),
    ),
    sign(
        "a list of versions",
        NO_MEASUREMENTS,
        Enough::Share(50),
        |line| line.split_whitespace().count() <= 4 && line.split_whitespace().any(is_version),
    ),
    with_remedy(
        sign(
            "a table",
            "but neither its headings nor its cells have the unit of a measurement (MB/s, IOPS, ms)",
            Enough::Lines(2),
            is_row_of_numbers,
        ),
        "Write the unit into the heading of each column of numbers or above the table, and names of \
            what was measured into the first column.",
    ),
];

/// `[    1.411000] nvme nvme0: ...`, also behind the date and host of a system log.
fn is_kernel_message(line: &str) -> bool {
    let body = line.split_once("kernel: ").map_or(line, |(_, body)| body);
    let stamp = body
        .strip_prefix('[')
        .and_then(|stamp| stamp.split_once("] "));
    line.contains(" kernel: ")
        || stamp.is_some_and(|(stamp, _)| {
            stamp.contains('.')
                && stamp
                    .trim()
                    .bytes()
                    .all(|b| b.is_ascii_digit() || b == b'.')
        })
}

/// Whether a line is an event of ftrace: `fio-812 [001] ..... 12.345678: sched_switch: ...`.
fn is_trace_event(line: &str) -> bool {
    let Some((front, behind)) = line.split_once(" [") else {
        return line.starts_with("# tracer:");
    };
    let Some((cpu, rest)) = behind.split_once(']') else {
        return false;
    };
    let time = rest
        .split_whitespace()
        .find_map(|word| word.strip_suffix(':'));
    !front.trim().is_empty()
        && cpu.len() == 3
        && cpu.bytes().all(|b| b.is_ascii_digit())
        && time.is_some_and(|time| time.contains('.') && decimal(time).is_some())
}

/// Options that nearly every job has.
const JOB_OPTIONS: [&str; 10] = [
    "ioengine",
    "rw",
    "readwrite",
    "bs",
    "iodepth",
    "filename",
    "numjobs",
    "runtime",
    "size",
    "direct",
];

fn is_job_option(line: &str) -> bool {
    line.trim()
        .split_once('=')
        .is_some_and(|(name, value)| JOB_OPTIONS.contains(&name.trim()) && !value.contains(','))
}

/// Names of disks and arrays, without their number or letter.
const DISKS: [&str; 11] = [
    "sd", "nvme", "vd", "dm-", "md", "xvd", "mmcblk", "loop", "hd", "zram", "nbd",
];

/// `sda  12.00 0.50 ...`: only numbers behind the name of a disk.
fn is_device_row(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    let is_disk = DISKS.iter().any(|disk| {
        name.strip_prefix(disk).is_some_and(|rest| {
            (1..=6).contains(&rest.len()) && rest.bytes().all(|b| b.is_ascii_alphanumeric())
        })
    });
    let mut numbers = 0;
    is_disk
        && words.all(|word| {
            numbers += 1;
            decimal(word).is_some()
        })
        && numbers >= 4
}

/// Whether a line is a row like `[64, 128)  10 |@@@   |`.
fn is_histogram_row(line: &str) -> bool {
    let Some((front, bar)) = line.trim_end().split_once('|') else {
        return false;
    };
    bar.ends_with('|')
        && bar
            .trim_end_matches('|')
            .trim_end()
            .bytes()
            .all(|b| b"@*#".contains(&b))
        && front
            .split_whitespace()
            .last()
            .is_some_and(|n| decimal(n).is_some())
}

/// A device by its numbers, and the letter of an action.
fn is_short_event(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_device = words.next().is_some_and(|word| {
        word.split_once(',').is_some_and(|(major, minor)| {
            [major, minor]
                .iter()
                .all(|n| !n.is_empty() && n.len() < 8 && n.bytes().all(|b| b.is_ascii_digit()))
        })
    });
    is_device && words.any(|word| matches!(word, "Q" | "G" | "I" | "D" | "C" | "M" | "F"))
}

fn is_source(line: &str) -> bool {
    let line = line.trim();
    line.ends_with([';', '{', '}'])
        || ["#include", "#define", "import ", "def ", "fn ", "//", "/*"]
            .iter()
            .any(|begin| line.starts_with(begin))
}

/// `5.15`, `6.1.55-rc2`: digits with points, the tail of a release.
fn is_version(word: &str) -> bool {
    let word = word.trim_start_matches(['v', '=']);
    let numbers = word.split(['-', '+', '~']).next().unwrap_or_default();
    numbers.split('.').count() >= 2
        && numbers
            .split('.')
            .all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// The units of measurements of I/O.
const UNITS: [&str; 15] = [
    "mb/s", "mib/s", "gb/s", "gib/s", "kb/s", "kib/s", "iops", "ms", "us", "\u{b5}s", "usec",
    "msec", "sec", "seconds", "kbps",
];

fn measurement_in_sentence(line: &str) -> bool {
    let words: Vec<&str> = line
        .split_whitespace()
        .map(|word| word.trim_matches(['.', ',', ';', '(', ')', ':', '?', '!']))
        .collect();
    let is_measured = |pair: &[&str]| {
        decimal(pair[0]).is_some() && UNITS.contains(&pair[1].to_lowercase().as_str())
    };
    words.len() >= 5 && words.windows(2).any(is_measured)
}

/// `xfs: 4210.2-4905.1 iops`, `ext4 163--164 kB/s`.
fn is_range(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_pair = |word: &str| {
        let pair = word.split_once("--").or_else(|| word.split_once('-'));
        pair.is_some_and(|(from, to)| decimal(from).is_some() && decimal(to).is_some())
    };
    words.windows(2).any(|pair| {
        let unit = pair[1].trim_end_matches([',', '.', ')']).to_lowercase();
        is_pair(pair[0]) && UNITS.contains(&unit.as_str())
    })
}

/// Two numbers or more and little else: cells of a frame, or columns.
fn is_row_of_numbers(line: &str) -> bool {
    let cells: Vec<&str> = line
        .split(['|', ',', ';', '\t', ' '])
        .map(str::trim)
        .filter(|cell| !cell.is_empty())
        .collect();
    let numbers = cells.iter().filter(|cell| decimal(cell).is_some()).count();
    let has_cells = line.contains('|') && numbers >= 1 && cells.len() <= 24;
    has_cells || numbers >= 2 && numbers * 2 >= cells.len()
}

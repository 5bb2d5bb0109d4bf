//! Headings and labels that distinguish figures: dimensions, operations, sides.

use seekscope_notes::{labels, setting};
use seekscope_trace::sorting::distinct_count;
use std::collections::BTreeSet;

/// Headings of columns that hold labels and parameters, also where these are numbers.
const DIMENSIONS: [&str; 66] = [
    "kernel",
    "version",
    "release",
    "build",
    "linux",
    "scheduler",
    "sched",
    "iosched",
    "elevator",
    "bs",
    "blocksize",
    "block size",
    "block",
    "i/o block size",
    "io size",
    "iosize",
    "size",
    "recordsize",
    "volblocksize",
    "jobs",
    "job",
    "numjobs",
    "nr",
    "set",
    "threads",
    "thread",
    "thr",
    "clients",
    "client",
    "procs",
    "processes",
    "qd",
    "iodepth",
    "depth",
    "i/o depth",
    "queue depth",
    "rw",
    "op",
    "operation",
    "test",
    "case",
    "workload",
    "pattern",
    "mode",
    "wmode",
    "type",
    "device",
    "disk",
    "dev",
    "fs",
    "filesystem",
    "commit",
    "patch",
    "config",
    "setup",
    "setting",
    "run",
    "raid",
    "level",
    "filesize",
    "file size",
    "number of dds",
    "dds",
    "writers",
    "readers",
    "node",
];

/// Whether a heading is that of a column of labels.
pub fn is_dimension(heading: &str) -> bool {
    let lower = heading
        .trim()
        .trim_start_matches('#')
        .trim()
        .to_ascii_lowercase();
    let bare = lower.split(['(', '[']).next().unwrap_or(&lower).trim();
    // `2 threads` is a value, and not a name.
    let counts = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    if bare.split_once(' ').is_some_and(|(first, _)| counts(first)) {
        return false;
    }
    DIMENSIONS.contains(&bare)
        || bare
            .strip_suffix('s')
            .is_some_and(|single| DIMENSIONS.contains(&single))
        || bare.rsplit(' ').next().is_some_and(|last| {
            [
                "size",
                "depth",
                "threads",
                "jobs",
                "clients",
                "dds",
                "writers",
                "kbytes",
                "rasize",
                "readahead",
            ]
            .contains(&last)
        })
        || [
            "rasize",
            "readahead",
            "ra",
            "read_ahead_kb",
            "nr_requests",
            "stripe_cache_size",
            "slice_idle",
            "date",
            "day",
            "host",
            "machine",
            "drives",
            "disks",
        ]
        .contains(&bare)
}

/// Whether a heading is that of a column of tests, parameters or steps, which are not compared with
/// each other.
pub fn is_test_heading(heading: &str) -> bool {
    const WORDS: [&str; 42] = [
        "test",
        "tests",
        "benchmark",
        "bench",
        "workload",
        "operation",
        "op",
        "metric",
        "scenario",
        "case",
        "query",
        "step",
        "phase",
        "stage",
        "file",
        "files",
        "pattern",
        "length",
        "size",
        "count",
        "depth",
        "threads",
        "clients",
        "jobs",
        "name",
        "item",
        "task",
        "command",
        "action",
        "time",
        "vorgang",
        "aufgabe",
        "prueba",
        "\u{64cd}\u{4f5c}",
        "\u{6d4b}\u{8bd5}",
        "\u{6d4b}\u{8bd5}\u{9879}",
        "\u{573a}\u{666f}",
        "\u{6307}\u{6807}",
        "\u{c791}\u{c5c5}",
        "\u{d14c}\u{c2a4}\u{d2b8}",
        "\u{442}\u{435}\u{441}\u{442}",
        "\u{43e}\u{43f}\u{435}\u{440}\u{430}\u{446}\u{438}\u{44f}",
    ];
    heading
        .to_ascii_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| WORDS.contains(&word))
}

/// Whether a heading is that of a column whose values are compared.
pub fn is_side_heading(heading: &str) -> bool {
    let lower = heading
        .trim()
        .to_ascii_lowercase()
        .replace("file system", "filesystem");
    [
        "kernel",
        "version",
        "release",
        "build",
        "linux",
        "scheduler",
        "sched",
        "iosched",
        "elevator",
        "commit",
        "patch",
        "fs",
        "filesystem",
        "config",
        "setup",
        "setting",
        "kernel version",
        "io scheduler",
        "i/o scheduler",
        "firmware",
        "driver",
        "raid",
        "host",
        "machine",
    ]
    .contains(&lower.as_str())
}

/// Whether a heading is that of a column of things that are compared where nothing else is: disks,
/// machines, their vendors.
pub fn is_thing(heading: &str) -> bool {
    const THINGS: [&str; 42] = [
        "device",
        "dev",
        "disk",
        "drive",
        "ssd",
        "hdd",
        "nvme",
        "model",
        "vendor",
        "provider",
        "product",
        "manufacturer",
        "brand",
        "server",
        "system",
        "instance",
        "storage",
        "storage class",
        "volume type",
        "backend",
        "hypervisor",
        "controller",
        "cloud",
        "platform",
        "solution",
        "pool",
        "array",
        "layout",
        "variant",
        "method",
        "engine",
        "tool",
        "compression",
        "algorithm",
        "cipher",
        "volume",
        "storage type",
        "disk type",
        "drive type",
        "cache mode",
        "protocol",
        "implementation",
    ];
    let lower = heading.trim().to_ascii_lowercase();
    THINGS.contains(&lower.as_str())
        || lower
            .strip_suffix('s')
            .is_some_and(|single| THINGS.contains(&single))
}

const OPERATIONS: [&str; 14] = [
    "read",
    "write",
    "reads",
    "writes",
    "reread",
    "rewrite",
    "randread",
    "randwrite",
    "seqread",
    "seqwrite",
    "randrw",
    "rw",
    "trim",
    "fsync",
];
/// Words that say how an operation goes.
const PATTERNS: [&str; 4] = ["seq", "rand", "random", "sequential"];

/// Whether a text names an operation: `read`, `seq write`, `randrw`, `rand read 4k`, `R`.
pub fn is_operation(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    if matches!(lower.trim(), "r" | "w") {
        return true;
    }
    lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(is_operation_word)
        && !is_setting(&lower)
}

fn is_operation_word(word: &str) -> bool {
    OPERATIONS.contains(&word)
        || PATTERNS.contains(&word)
        || (word.contains("read") || word.contains("write"))
            && !word.starts_with("thread")
            && !is_setting(word)
}

/// Whether a name with the word of an operation is that of a mode of a cache or a parameter of the
/// kernel: `writeback`, `read-ahead`, `no_read_workqueue`.
fn is_setting(name: &str) -> bool {
    const ENDS: [&str; 6] = [
        "back",
        "through",
        "around",
        "ahead",
        "workqueue",
        "workqueues",
    ];
    ENDS.iter().any(|end| name.ends_with(end))
}

/// Times in sysfs that are set and not measured.
const SETTINGS: [&str; 6] = [
    "wbt_lat_usec",
    "read_lat_nsec",
    "write_lat_nsec",
    "slice_idle_us",
    "io_poll_delay",
    "throttle_sample_time",
];

/// Whether a label names a limit or a setting and no result.
pub fn is_limit(label: &str) -> bool {
    if SETTINGS.contains(&label.trim()) {
        return true;
    }
    const LIMITS: [&str; 16] = [
        "target",
        "limit",
        "window",
        "timeout",
        "threshold",
        "interval",
        "period",
        "budget",
        "quota",
        "expire",
        "expected",
        "required",
        "requirement",
        "recommended",
        "link",
        "throttle",
    ];
    label
        .to_ascii_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .any(|word| LIMITS.contains(&word) || LIMITS.contains(&word.trim_end_matches('s')))
}

/// Whether a heading is that of a column of limits: `Target`, `Recommended`.
pub fn is_limit_heading(heading: &str) -> bool {
    !heading.trim().contains(' ') && is_limit(heading)
}

/// Whether a text is an operation with parameters and nothing else: `rand read 4k qd32`. Names of
/// counters such as `read_bytes` are none.
pub fn is_plain_operation(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut words = lower
        .split(['_', ' ', '-', ','])
        .filter(|word| !word.is_empty())
        .peekable();
    let plain = |word: &str| {
        is_operation_word(word)
            || word.contains(|c: char| c.is_ascii_digit())
            || matches!(
                word,
                "r" | "w" | "mixed" | "sync" | "direct" | "async" | "buffered"
            )
    };
    words.peek().is_some() && is_operation(&lower) && words.all(plain)
}

/// Whether a heading can be the name of a side: short, and no metric.
pub fn is_side(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= 48 && !is_operation(text)
}

/// A kernel beside a value of another dimension, that dimension, and the value: `5.4 ext4`,
/// `bfq 6.1`.
pub fn kernel_and_value(text: &str) -> Option<(&str, &'static str, &str)> {
    let (first, rest) = text.trim().split_once(' ')?;
    let (front, last) = text.trim().rsplit_once(' ')?;
    // `ext4, 5.4`
    let pairs = [
        (first.trim_end_matches(','), rest.trim()),
        (last, front.trim().trim_end_matches(',')),
    ];
    let (kernel, value) = pairs
        .into_iter()
        .find(|(kernel, _)| labels::is_kernel_form(kernel))?;
    Some((kernel, labels::dimension_of(value)?, value))
}

/// Whether some labels are kernels beside values of one other dimension, each with each. Else rows
/// may have been measured for different reasons, and any two of them are compared.
pub fn name_kernels_and_values<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> bool {
    let (mut kernels, mut values) = (BTreeSet::new(), BTreeSet::new());
    let mut found = None;
    let are_both = texts.clone().all(|text| {
        let Some((kernel, dimension, value)) = kernel_and_value(text) else {
            return false;
        };
        kernels.insert(kernel);
        values.insert(value);
        *found.get_or_insert(dimension) == dimension
    });
    let has_several = kernels.len() > 1 && values.len() > 1;
    are_both && has_several && distinct_count(texts) == kernels.len() * values.len()
}

/// Whether a text is a setting of the block layer, of a cache or of a mount with its value:
/// `read_ahead_kb=128`, `cache=none`, `compress=zstd:1`.
pub fn sets_value(text: &str) -> bool {
    const OPTIONS: [&str; 20] = [
        "cache",
        "cache_mode",
        "cachemode",
        "compress",
        "compression",
        "data",
        "commit",
        "barrier",
        "logbsize",
        "logbufs",
        "allocsize",
        "recordsize",
        "volblocksize",
        "ashift",
        "sync",
        "dedup",
        "nconnect",
        "rsize",
        "wsize",
        "discard",
    ];
    let (key, value) = text.split_once('=').unwrap_or(("", ""));
    let key = key.trim();
    !value.is_empty() && (setting::is_known(key) || OPTIONS.contains(&key))
}

/// Whether a name is a word and a number: `Test 1`.
fn is_numbered(name: &str) -> bool {
    const NOUNS: [&str; 6] = ["test", "case", "setup", "machine", "host", "server"];
    let (noun, number) = name.split_once(' ').unwrap_or((name, "0"));
    let is_noun = NOUNS.iter().any(|other| noun.eq_ignore_ascii_case(other));
    is_noun && number.bytes().all(|b| b.is_ascii_digit())
}

/// Whether all texts name sides by themselves.
pub fn name_sides<'a>(mut texts: impl Iterator<Item = &'a str>) -> bool {
    texts.all(|text| {
        let is_patch = text
            .strip_prefix('+')
            .is_some_and(|patch| patch.starts_with(char::is_alphabetic))
            || matches!(text, "patch" | "no patch" | "w/ patch" | "w/o patch");
        // `VM1 (5.15.0-1045-azure)`, but not `USB (3.0)`
        let in_brackets = text
            .strip_suffix(')')
            .and_then(|text| text.rsplit_once(" ("))
            .filter(|(front, inner)| inner.matches('.').count() > 1 || is_numbered(front));
        // `6.7-rc3 + series`, `6.1 kernel`
        let base = text.split(" + ").next().unwrap_or(text);
        let base = base.strip_suffix(" kernel").unwrap_or(base);
        labels::is_kernel_form(base)
            || in_brackets.is_some_and(|(_, inner)| labels::is_kernel_form(inner))
            || labels::is_side_word(text)
            || is_patch
            || sets_value(text)
            || text
                .split_whitespace()
                .any(|word| labels::dimension_of(word.trim_end_matches(',')).is_some())
    })
}

//! What the headings and labels of tables mean: metrics, units, operations, dimensions, changes.

use crate::observation::{Good, Metric, Unit, slug};
use crate::quantity::{Scale, scale_of};
use seekscope_core::notes::labels;

/// What a column or row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Throughput,
    Iops,
    Latency,
    Time,
    /// CPU and utilisation: a figure without a better direction.
    Share,
    /// A spread of another column.
    Spread,
    /// A comparison that the text has made itself.
    Change,
}

/// A heading, taken apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Described<'a> {
    /// Without its unit.
    pub name: &'a str,
    pub scale: Option<Scale>,
    pub kind: Option<Kind>,
}

impl Described<'_> {
    /// Whether it names a metric, and not only a unit or a side.
    pub fn is_metric(&self) -> bool {
        matches!(
            self.kind,
            Some(Kind::Throughput | Kind::Iops | Kind::Latency | Kind::Time | Kind::Share)
        )
    }

    /// The unit that its kind alone implies.
    pub fn implied(&self) -> Option<Scale> {
        self.scale.or(match self.kind {
            Some(Kind::Iops) => Some(Scale {
                unit: Unit::PerSecond,
                factor: 1.0,
            }),
            _ => None,
        })
    }
}

/// Takes a unit off a text: `ReadBW(KB/s)`, `BW MiB/s`, `latency, us`, `Rate [MB/s]`, `MB/s`.
pub fn describe(text: &str) -> Described<'_> {
    let text = text.trim().trim_end_matches([':', '*']).trim();
    let (name, scale) = unit_of(text);
    Described {
        name,
        scale,
        kind: kind_of(name, scale),
    }
}

fn unit_of(text: &str) -> (&str, Option<Scale>) {
    if let Some(scale) = scale_of(text) {
        return ("", Some(scale));
    }
    if let Some(open) = text.rfind(['(', '[']) {
        let inside = text[open + 1..].trim_end_matches([')', ']', ':']).trim();
        // `(MB/s, higher is better)`.
        let first = inside.split([',', ';']).next().unwrap_or(inside).trim();
        if let Some(scale) = scale_of(first).or_else(|| scale_of(inside)) {
            let name = text[..open].trim();
            let behind = text[open..].split([')', ']']).nth(1).unwrap_or("").trim();
            return (if name.is_empty() { behind } else { name }, Some(scale));
        }
    }
    for separator in [", ", " in ", " ", "_", "/"] {
        if let Some((name, last)) = text.rsplit_once(separator) {
            let long = last.len() > 1 || last == "%";
            // `lat_us` and `MB/s` are units; `a_s` is none.
            if let Some(scale) =
                scale_of(last).filter(|_| long || separator == ", " || separator == " in ")
            {
                // `power_on_hours` counts hours, `lat_us` is a latency.
                let counts = separator == "_"
                    && scale.unit == Unit::Nanoseconds
                    && kind_of(name, None).is_none();
                if separator != "/" && scale.unit != Unit::Bytes && !counts {
                    return (name.trim_end_matches([',', ' ']), Some(scale));
                }
            }
        }
    }
    // `KB/s old`.
    if let Some((first, rest)) = text.split_once(' ')
        && let Some(scale) = scale_of(first)
            .filter(|scale| matches!(scale.unit, Unit::BytesPerSecond | Unit::PerSecond))
    {
        return (rest.trim(), Some(scale));
    }
    (text, None)
}

fn kind_of(name: &str, scale: Option<Scale>) -> Option<Kind> {
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '%' && c != '\u{3c3}' && c != '\u{b1}')
        .filter(|word| !word.is_empty())
        .collect();
    let any = |known: &[&str]| words.iter().any(|word| known.contains(word));
    if any(&[
        "change",
        "diff",
        "delta",
        "difference",
        "gain",
        "improvement",
        "speedup",
        "ratio",
        "regression",
        "%change",
        "%diff",
        "impr",
        "loss",
        "win",
        "rel",
        "relative",
        "vs",
    ]) || lower == "%"
        || lower == "+/-"
    {
        return Some(Kind::Change);
    }
    if any(&[
        "stddev",
        "stdev",
        "std",
        "sd",
        "stderr",
        "deviation",
        "error",
        "err",
        "cv",
        "variance",
        "var",
        "\u{3c3}",
        "\u{b1}",
        "%stddev",
        "rsd",
        "jitter",
        "ci",
        "ci95",
        "conf",
    ]) {
        return Some(Kind::Spread);
    }
    if any(&["iops", "iop", "iopses", "tps", "kiops", "qps"]) || lower.contains("iops") {
        return Some(Kind::Iops);
    }
    if any(&[
        "lat",
        "latency",
        "latencies",
        "clat",
        "slat",
        "await",
        "svctm",
        "response",
        "delay",
        "maxclat",
        "avgclat",
    ]) || words.iter().any(|word| {
        is_percentile(word)
            || word.ends_with("clat")
            || word.ends_with("latency")
            || word.ends_with("lat") && word.len() > 3 && *word != "flat"
    }) {
        return Some(Kind::Latency);
    }
    if any(&[
        "bw",
        "bandwidth",
        "throughput",
        "thruput",
        "thrput",
        "tput",
        "speed",
        "rate",
        "readbw",
        "writebw",
    ]) || lower.ends_with("bw")
    {
        return Some(Kind::Throughput);
    }
    if any(&[
        "cpu",
        "usr",
        "sys",
        "util",
        "utilization",
        "utilisation",
        "iowait",
        "cpu%",
        "%cpu",
        "%util",
        "%usr",
        "%sys",
        "load",
    ]) {
        return Some(Kind::Share);
    }
    if any(&[
        "time", "runtime", "elapsed", "duration", "real", "wall", "seconds", "secs",
    ]) {
        return Some(Kind::Time);
    }
    match (lower.as_str(), scale.map(|scale| scale.unit)) {
        ("", Some(Unit::BytesPerSecond)) => Some(Kind::Throughput),
        ("", Some(Unit::PerSecond)) => Some(Kind::Iops),
        ("" | "avg" | "mean" | "median" | "min" | "max" | "average", Some(Unit::Nanoseconds)) => {
            Some(Kind::Time)
        }
        ("", Some(Unit::Share)) => Some(Kind::Change),
        _ => None,
    }
}

/// `p99`, `p99.9`, `99th`, `99.9%`.
fn is_percentile(word: &str) -> bool {
    let digits = |text: &str| {
        !text.is_empty() && text.len() <= 6 && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    };
    word.strip_prefix('p')
        .is_some_and(|rest| digits(rest) && rest.len() >= 2)
        || word.strip_suffix("th").is_some_and(digits)
        || word == "percentile"
}

/// The metric of a column or row, in the unit of its figures. `name` is what its heading says
/// besides the unit.
pub fn metric(name: &str, kind: Option<Kind>, unit: Unit, better: Option<Good>) -> Metric {
    let default = match (kind, unit) {
        (_, Unit::BytesPerSecond) => "throughput",
        (_, Unit::PerSecond) => "IOPS",
        (Some(Kind::Latency), Unit::Nanoseconds) => "latency",
        (_, Unit::Nanoseconds) => "time",
        (_, Unit::Share) => "share",
        (_, Unit::Bytes) => "amount",
        (_, Unit::None) => "value",
    };
    let label = if name.is_empty() { default } else { name };
    let metric = Metric::new(slug(label), label, unit);
    let implied = match kind {
        Some(Kind::Throughput | Kind::Iops) => Some(Good::More),
        Some(Kind::Latency | Kind::Time) => Some(Good::Less),
        _ => metric.good,
    };
    Metric {
        good: better.or(implied),
        ..metric
    }
}

/// Which direction a caption calls better.
pub fn better_of(text: &str) -> Option<Good> {
    let lower = text.to_ascii_lowercase();
    let says = |words: &[&str]| {
        words.iter().any(|word| {
            lower.contains(&format!("{word} is better"))
                || lower.contains(&format!("{word} = better"))
                || lower.contains(&format!("{word} better"))
        })
    };
    if says(&["higher", "more", "larger", "bigger"]) {
        Some(Good::More)
    } else if says(&["lower", "less", "smaller"]) {
        Some(Good::Less)
    } else {
        None
    }
}

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

/// Whether a heading is that of a column whose values are compared.
pub fn is_side_heading(heading: &str) -> bool {
    let lower = heading.trim().to_ascii_lowercase();
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

/// Whether a text names an operation: `read`, `seq write`, `randrw`, `rand read 4k`.
pub fn is_operation(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    const OPERATIONS: [&str; 16] = [
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
        "r",
        "w",
    ];
    let known = |word: &&str| {
        OPERATIONS.contains(word)
            || (word.contains("read") || word.contains("write")) && !word.starts_with("thread")
    };
    words.iter().any(known)
        || words
            .iter()
            .any(|word| matches!(*word, "seq" | "rand" | "random" | "sequential"))
}

/// Whether a heading can be the name of a side: short, and no metric.
pub fn is_side(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= 48 && !is_operation(text)
}

/// Whether all texts name sides by themselves.
pub fn name_sides<'a>(mut texts: impl Iterator<Item = &'a str>) -> bool {
    texts.all(|text| {
        labels::is_kernel_form(text)
            || labels::is_side_word(text)
            || text
                .split_whitespace()
                .any(|word| labels::dimension_of(word).is_some())
    })
}

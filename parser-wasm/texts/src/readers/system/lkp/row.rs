//! The rows of a table: a value per commit, between them changes, and a name.

use super::super::words::decimal;
use crate::observation::Good;

pub struct Row<'a> {
    pub name: &'a str,
    /// One value for each commit.
    pub values: Vec<RowValue<'a>>,
}

pub struct RowValue<'a> {
    pub word: &'a str,
    pub value: f64,
    /// The deviation in percent of the value; absent where none is printed.
    pub deviation: Option<f64>,
}

impl<'a> Row<'a> {
    /// The row of a line. Mailers break long rows before their names: then it is in `next`.
    pub fn parse(text: &'a str, next: &'a str, commits: usize) -> Option<Row<'a>> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (last, cells) = words.split_last()?;
        if is_name(last) {
            return Row::with(last, cells, commits);
        }
        let name = next.trim();
        is_name(name).then(|| Row::with(name, &words, commits))?
    }

    fn with(name: &'a str, cells: &[&'a str], commits: usize) -> Option<Row<'a>> {
        let mut values: Vec<RowValue> = Vec::with_capacity(commits);
        let mut cells = cells.iter().copied().peekable();
        while let Some(word) = cells.next() {
            if !values.is_empty() && !is_change(word) {
                return None;
            }
            let word = if values.is_empty() {
                word
            } else {
                cells.next()?
            };
            let number = value(word)?;
            // `±  2%`, `±12%`, `+-  2%` of mails in ASCII.
            let spread = cells.next_if(|word| is_spread(word)).and_then(|spread| {
                if spread.ends_with('%') {
                    Some(spread)
                } else {
                    cells.next_if(|word| word.ends_with('%'))
                }
            });
            values.push(RowValue {
                word,
                value: number,
                deviation: spread.and_then(percent),
            });
        }
        (values.len() == commits).then_some(Row { name, values })
    }

    /// Whether a line is a row of which something is missing.
    pub fn is_damaged(text: &str) -> bool {
        let mut words = text.split_whitespace();
        words.next().and_then(value).is_some() && words.next_back().is_some_and(is_name)
    }
}

/// The number in `2%` or `±12%`.
fn percent(word: &str) -> Option<f64> {
    let digits = word.trim_start_matches(|c: char| !c.is_ascii_digit());
    value(digits.strip_suffix('%')?)
}

/// Whether a word is a name like `fsmark.files_per_sec`.
fn is_name(word: &str) -> bool {
    let plain = !word.contains(char::is_whitespace) && !word.ends_with(['.', ',', ':']);
    word.contains('.') && plain && word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// A value like `7072`, `84.91`, `2.177e+09`.
pub fn value(word: &str) -> Option<f64> {
    if let Some((digits, exponent)) = word.split_once(['e', 'E']) {
        decimal(digits)?;
        exponent.parse::<i32>().ok()?;
        return word.parse().ok().filter(|value: &f64| value.is_finite());
    }
    decimal(word)
}

/// Whether a word is a change: `-21.6%`, `+1.2e+05%`, and `+0.5` between shares.
fn is_change(word: &str) -> bool {
    let digits = word.strip_suffix('%').unwrap_or(word);
    match digits.strip_prefix(['+', '-', '\u{2212}']) {
        Some(digits) => digits.starts_with(|c: char| c.is_ascii_digit()) || digits == "Inf",
        None => value(digits) == Some(0.0),
    }
}

pub fn is_spread(word: &str) -> bool {
    word.starts_with(['\u{b1}', '\u{fffd}'])
        || word.starts_with("+-")
        || word.starts_with("+/-")
        || word.starts_with("\u{c2}\u{b1}")
}

/// `     :4   25%   1:4   kmsg.unable_to_read`: how often something failed.
pub fn is_failures(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let runs = |word: &&&str| {
        word.split_once(':').is_some_and(|(failed, runs)| {
            let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
            digits(failed) && digits(runs) && !runs.is_empty()
        })
    };
    words.len() >= 3 && words.iter().filter(runs).count() >= 2
}

/// Groups of rows that watch the machine.
const WATCHED: [&str; 22] = [
    "vmstat",
    "iostat",
    "mpstat",
    "proc-vmstat",
    "meminfo",
    "slabinfo",
    "perf-stat",
    "perf-sched",
    "perf-profile",
    "sched_debug",
    "cpuidle",
    "turbostat",
    "softirqs",
    "interrupts",
    "numa-meminfo",
    "numa-numastat",
    "numa-vmstat",
    "kmsg",
    "uptime",
    "boot-time",
    "latency_stats",
    "dmesg",
];

/// The better direction of what the test itself measured, by its name.
pub fn direction(name: &str) -> Option<Good> {
    let (group, rest) = name.split_once('.')?;
    if WATCHED.contains(&group) {
        return None;
    }
    let more = [
        "per_sec",
        "per-sec",
        "per-min",
        "per_min",
        "iops",
        "_bw",
        "bw_",
        "MBps",
        "throughput",
        "ops_per",
        "score",
        "MB/sec",
    ];
    if more.iter().any(|word| rest.contains(word)) {
        return Some(Good::More);
    }
    let less = [
        "latency",
        "clat",
        "slat",
        "lat_",
        "elapsed_time",
        "overhead",
    ];
    less.iter()
        .any(|word| rest.contains(word))
        .then_some(Good::Less)
}

//! What titles name: a side, a test, or anything else.

use seekscope_notes::labels;
use seekscope_trace::sorting::set_of;
use std::collections::BTreeSet;

/// Words of a title that say what was measured, in lower case.
const TESTS: [&str; 65] = [
    "read",
    "write",
    "reads",
    "writes",
    "reading",
    "writing",
    "rand",
    "random",
    "randread",
    "randwrite",
    "randrw",
    "seq",
    "sequential",
    "seqread",
    "seqwrite",
    "rw",
    "mixed",
    "rewrite",
    "reread",
    "readwhilewriting",
    "fsync",
    "fdatasync",
    "sync",
    "metadata",
    "create",
    "creates",
    "delete",
    "unlink",
    "stat",
    "test",
    "tests",
    "testing",
    "benchmark",
    "benchmarks",
    "benchmarking",
    "bench",
    "workload",
    "workloads",
    "latency",
    "throughput",
    "bandwidth",
    "iops",
    "fio",
    "dd",
    "pgbench",
    "sysbench",
    "bonnie",
    "bonnie++",
    "iozone",
    "dbench",
    "fs_mark",
    "ioping",
    "hdparm",
    "tiobench",
    "tiotest",
    "filebench",
    "postmark",
    "iostat",
    "vmstat",
    "biolatency",
    "blktrace",
    "btt",
    "compile",
    "compilebench",
    "untar",
];

/// The words of a title in lower case.
pub fn words(title: &str) -> BTreeSet<String> {
    set_of(lowercase_words(title))
}

fn lowercase_words(title: &str) -> impl Iterator<Item = String> {
    title
        .split(|c: char| !c.is_alphanumeric() && !"+-_.".contains(c))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Whether a word in lower case names a test: a program, an operation, a size, `qd32`.
pub fn names_test(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let size = digits > 0 && matches!(&word[digits..], "k" | "kb" | "kib" | "m" | "mb" | "mib");
    let numbered = ["qd", "bs", "iodepth", "numjobs", "jobs", "threads"]
        .iter()
        .filter_map(|name| word.strip_prefix(name))
        .any(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let mut parts = word.split(['-', '_']);
    // `seq-write-2`, but not the option `big_writes`.
    let has_test = parts.clone().any(|part| TESTS.contains(&part));
    let is_composed = has_test && parts.all(|part| TESTS.contains(&part) || is_number(part));
    size || numbered || is_composed
}

/// The kind of thing that a title names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TitleKind {
    /// A side: a kernel, a scheduler, `before`.
    Side,
    /// A test: `Random read`, `pgbench`.
    Test,
    Other,
}

/// Words by which a title is a sentence, in lower case.
const SPEAKERS: [&str; 4] = ["i", "we", "it", "you"];

/// Whether a title is a sentence: it may contain the name of a side, or only introduce one.
pub fn is_sentence(title: &str) -> bool {
    let mut words = title.split_whitespace().map(str::to_lowercase);
    words.any(|word| SPEAKERS.contains(&word.as_str()))
}

/// Whether a title only points to what is below it: `this is with 6.7-rc1`, `and here is 6.6`.
pub fn points_below(title: &str) -> bool {
    const POINTERS: [&str; 4] = ["this", "that", "these", "here"];
    let words: Vec<String> = title.split_whitespace().map(str::to_lowercase).collect();
    words.windows(2).any(|pair| {
        POINTERS.contains(&pair[0].as_str()) && matches!(pair[1].as_str(), "is" | "are" | "was")
    })
}

/// Words behind `with` that stand for what was said before.
const POINTERS: [&str; 5] = ["that", "this", "these", "those", "it"];

/// `before`, `with the patch`, but not `With that we get`.
fn is_side_word(label: &str) -> bool {
    let second = label.split_whitespace().nth(1).map(str::to_lowercase);
    let points = second.is_some_and(|word| POINTERS.contains(&word.as_str()));
    labels::is_side_word(label) && !(points && is_sentence(label))
}

/// Units behind a number that is no version: `1.5 GB`.
const UNITS: [&str; 12] = [
    "b", "k", "kb", "kib", "m", "mb", "mib", "g", "gb", "gib", "tb", "tib",
];

/// Whether a title has the version of something: `0.7.13`, `v1.0 without the patch`.
fn has_version(label: &str) -> bool {
    let words: Vec<&str> = label.split_whitespace().collect();
    words.iter().enumerate().any(|(index, word)| {
        let word = word.trim_matches(['`', '"', '\'', '(', ')', '*', ',', ':']);
        let digits = word.strip_prefix('v').unwrap_or(word);
        let mut parts = digits.split('.');
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let next = words.get(index + 1).map(|next| next.to_ascii_lowercase());
        let is_size = next.is_some_and(|next| UNITS.contains(&next.as_str()));
        digits.contains('.') && parts.all(is_number) && !is_size
    })
}

pub fn kind(label: &str) -> TitleKind {
    let is_dimension = label
        .split_whitespace()
        .any(|word| labels::dimension_of(word).is_some());
    let is_release = labels::is_kernel_form(label);
    let is_test = || lowercase_words(label).any(|word| names_test(&word));
    if !is_dimension && !is_release && is_test() {
        TitleKind::Test
    } else if is_release || is_dimension || is_side_word(label) || has_version(label) {
        TitleKind::Side
    } else {
        TitleKind::Other
    }
}

/// Whether a title names a side by itself: a kernel, a scheduler, a commit, before and after.
pub fn names_side(label: &str) -> bool {
    label
        .split_whitespace()
        .any(|word| labels::dimension_of(word).is_some())
        || labels::is_side_word(label)
}

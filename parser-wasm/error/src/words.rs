//! Places, numbers and remedies that several problems share.

use super::MissingCpus;
use seekscope_trace::store::quality::InputPlace;
use std::num::NonZeroU64;

pub(super) fn file_place(file: &str, byte: Option<u64>, size: Option<u64>) -> Option<InputPlace> {
    Some(InputPlace {
        file: file.to_owned(),
        line: None,
        byte,
        size,
    })
}

pub(super) fn whole_file(file: &str, size: u64) -> Option<InputPlace> {
    file_place(file, None, Some(size))
}

/// Where the first number that is too large stands, as far as the format tells.
pub(super) fn outlier_place(
    file: &str,
    line: Option<u64>,
    byte: Option<u64>,
) -> Option<InputPlace> {
    Some(InputPlace {
        file: file.to_owned(),
        line: line.and_then(NonZeroU64::new),
        byte,
        size: None,
    })
}

/// What can be opened.
macro_rules! readable {
    () => {
        "Open a recording (blktrace's own files NAME.blktrace.0, .1, ..., or text of blkparse, \
            ftrace, trace-cmd or perf), the complete output of a benchmark or of iostat, or a \
            table with headings and units."
    };
}
pub(super) const READABLE: &str = readable!();

pub(super) const READABLE_TEXT: &str = concat!(
    readable!(),
    " For output of blkparse -f, enter its format string (--format-string on the command line)."
);

/// `1 line`, `2 lines`.
pub(super) fn counted(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Seconds with up to three decimals.
pub(super) fn seconds(ns: u64) -> String {
    format!("{:.3}", ns as f64 / 1e9)
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// `1.5 million`; below that the number.
pub(super) fn thousands(n: u64) -> String {
    if n < 1_000_000 {
        n.to_string()
    } else {
        format!("{:.1} million", n as f64 / 1e6)
    }
}

/// A time between 1 ms and 584 years.
pub(super) fn long_time(ns: u64) -> String {
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

/// How many CPUs are missing, what shows it, and what it means for the requests.
pub(super) fn missing_cpus(missing: &MissingCpus) -> String {
    let reasons = [
        (missing.starts > 0).then(|| "the record of the start of tracing is missing".to_owned()),
        (missing.unnamed > 0).then(|| {
            let tasks = counted(missing.unnamed as u64, "task");
            format!("the names of {tasks} are missing")
        }),
        (missing.absent > 0).then(|| {
            let files = counted(missing.absent as u64, "lower-numbered file");
            format!("{files} not given")
        }),
    ];
    let reasons: Vec<String> = reasons.into_iter().flatten().collect();
    let consequence = match missing.parted {
        Some((0, _) | (_, 0)) => "Each request has all its events in these files.".to_owned(),
        Some((parted, requests)) => {
            let percent = (parted as f64 / requests as f64 * 100.0).max(1.0).round();
            format!(
                "About {percent}% of the requests have their queueing, issue or completion in \
                    another file."
            )
        }
        None => "How many events are missing cannot be estimated.".to_owned(),
    };
    format!(
        "These are the files of {} of at least {} CPUs: {}. {consequence}",
        missing.present,
        missing.least,
        reasons.join(", ")
    )
}

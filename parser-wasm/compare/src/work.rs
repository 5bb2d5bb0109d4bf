//! Whether two sides did the same work: the same bytes (or run time), the same mix of operations,
//! the same number of processes. Where maps of the disk say which bytes are those of files, these
//! are the work: journal and metadata are what the file system adds, and who submits them is
//! chance. A comparison of different work is still shown, but its first
//! finding says so. The questions are asked in the order of [`work`], and the first that is
//! answered gives the sentence.

use super::pair::Pair;
use super::runs::digest::Digest;
use super::runs::requested::WorkEvidence;
use super::runs::run::{ComparedRun, ComparisonSide};
use super::runs::work_bytes::{FileWork, RequestedBytes, alike, common_evidence};
use super::sentence::{Param, Params, Sentence};
use super::wording::work as words;
use seekscope_trace::quantity::Unit;
use seekscope_trace::store::TimeWindow;
use serde::Serialize;
use std::collections::BTreeMap;

/// Shares of operations that differ by less are the same mix.
pub const MIX: f64 = 0.1;
/// A process with a smaller share of the bytes does not count: a journal, a flusher, a stray
/// reader.
const PART: f64 = 0.05;
/// Share of the bytes from which a process counts if the other side has one of its name that
/// counts.
const FAINT: f64 = 0.005;
/// Minimum share in the bytes of both sides of an operation that is the work, where the others run
/// along with it for as long as it takes.
const MAIN: f64 = 0.8;
/// Minimum share of readahead in the bytes read, for reads to count as readahead.
pub const AHEAD: f64 = 0.3;

/// Whether two sides did the same work, and why: the first question of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SameWork {
    /// Whether the sides can be compared as a whole: the same bytes, operations and processes.
    pub same: bool,
    /// What is the same, or what differs, in ASCII.
    pub why: String,
    /// `why` in parts.
    pub parts: Sentence,
}

/// The bytes that are compared, with the words for them.
struct ComparedWork {
    a: RequestedBytes,
    b: RequestedBytes,
    /// "requested" and the like.
    requested: &'static str,
    /// Where they were counted, for a sentence that has no other word for it.
    counted_at: Option<&'static str>,
    /// Numbers of processes, or of tasks whose data it is, that did a part of it.
    tasks: (usize, usize),
}

impl ComparedWork {
    /// The bytes of files where the owners of nearly all bytes are known.
    fn of_files(pair: &Pair) -> Option<ComparedWork> {
        let (a, b) = (FileWork::new(pair.a)?, FileWork::new(pair.b)?);
        Some(ComparedWork {
            tasks: (a.tasks, b.tasks),
            a: a.bytes,
            b: b.bytes,
            requested: words::OF_FILES,
            counted_at: Some(words::OF_FILES),
        })
    }

    fn new(pair: &Pair, tasks: (usize, usize)) -> ComparedWork {
        let evidence = common_evidence(pair.a, pair.b);
        let word = evidence.unwrap_or(WorkEvidence::Queued).word();
        // Without Q the submitters are unknown.
        let queued = evidence == Some(WorkEvidence::Queued);
        ComparedWork {
            a: RequestedBytes::new(pair.a, evidence),
            b: RequestedBytes::new(pair.b, evidence),
            requested: word,
            counted_at: (!queued).then_some(word),
            tasks,
        }
    }
}

/// Whether most reads of one of the sides are readahead.
pub fn reads_ahead(pair: &Pair) -> bool {
    let evidence = common_evidence(pair.a, pair.b);
    let (a, b) = (
        RequestedBytes::new(pair.a, evidence),
        RequestedBytes::new(pair.b, evidence),
    );
    [&a, &b]
        .into_iter()
        .any(|s| s.read > 0.5 * s.all() && s.ahead > AHEAD * s.read)
}

/// Compares the requested work. `tasks` are the numbers of processes on both sides that did a part
/// of it ([`tasks`]).
pub fn work(pair: &Pair, tasks: (usize, usize)) -> SameWork {
    let ComparedWork {
        a,
        b,
        requested,
        counted_at,
        tasks,
    } = ComparedWork::of_files(pair).unwrap_or_else(|| ComparedWork::new(pair, tasks));
    let params = || {
        let params = Params::of_sides([("base", pair.a), ("other", pair.b)])
            .with("requested", Param::Text(requested.to_owned()));
        match counted_at {
            Some(word) => params.with("at", Param::Text(word.to_owned())),
            None => params.with("tasks", Param::Flag),
        }
    };
    let bytes = || {
        params()
            .value("bytes", a.all(), Unit::Bytes)
            .value("bytes_other", b.all(), Unit::Bytes)
    };
    let same = |parts: Sentence| SameWork {
        same: true,
        why: parts.ascii(),
        parts,
    };
    let differs = |parts: Sentence| SameWork {
        same: false,
        why: parts.ascii(),
        parts,
    };
    if a.all() == 0.0 && b.all() == 0.0 {
        return same(params().fill(words::NOTHING));
    }
    let names = ["reads", "writes", "discards"];
    let (shares_a, shares_b) = (a.shares(), b.shares());
    // An operation that only runs along with the work, as long as it lasts: a longer run has more
    // of it.
    let is_beside = |i: usize| {
        (shares_a[i] >= FAINT) == (shares_b[i] >= FAINT) && shares_a[i].max(shares_b[i]) > 0.0
    };
    let main = (0..3).find(|&i| {
        let others = || (0..3).filter(move |other| *other != i);
        shares_a[i].min(shares_b[i]) >= MAIN
            && alike(a.by_operation()[i], b.by_operation()[i])
            && others().all(|other| is_beside(other) || shares_a[other] == shares_b[other])
    });
    if let Some(i) = main.filter(|_| tasks.0 == tasks.1 && !alike(a.all(), b.all())) {
        let main = params()
            .with("operations", Param::Text(names[i].to_owned()))
            .value("bytes", a.by_operation()[i], Unit::Bytes)
            .value("bytes_other", b.by_operation()[i], Unit::Bytes);
        return same(main.fill(words::MAIN));
    }
    if let Some(i) = (0..3)
        .find(|&i| (shares_a[i] - shares_b[i]).abs() > MIX)
        .filter(|_| main.is_none())
    {
        let operations = Param::Text(names[i].to_owned());
        let shares = params().value("share", shares_a[i], Unit::Share).value(
            "share_other",
            shares_b[i],
            Unit::Share,
        );
        return differs(shares.with("operations", operations).fill(words::MIX));
    }
    if tasks.0 != tasks.1 && tasks.0.min(tasks.1) > 0 {
        let numbers = params()
            .value("processes", tasks.0 as f64, Unit::Count)
            .value("processes_other", tasks.1 as f64, Unit::Count);
        return differs(numbers.fill(words::PROCESSES));
    }
    if alike(a.all(), b.all()) {
        let equal = Unit::Bytes.write(a.all()) == Unit::Bytes.write(b.all());
        return same(
            if equal {
                params().value("bytes", a.all(), Unit::Bytes)
            } else {
                bytes()
            }
            .fill(words::SAME),
        );
    }
    if let Some((span_a, span_b)) = pair.both("span")
        && alike(span_a, span_b)
    {
        return same(
            bytes()
                .value("time", span_b, Unit::Time)
                .fill(words::SAME_TIME),
        );
    }
    if reads_ahead(pair) {
        return same(bytes().fill(words::READAHEAD));
    }
    differs(bytes().fill(words::BYTES))
}

/// The answer where different parts of the recordings were read; absent where the same were.
pub fn other_parts(runs: &[ComparedRun], pair: &Pair) -> Option<SameWork> {
    let windows = |side: &ComparisonSide| -> Vec<Option<TimeWindow>> {
        let mut all: Vec<_> = side
            .runs
            .iter()
            .filter_map(|&index| runs.get(index))
            .map(|run| run.trace.window)
            .collect();
        all.dedup();
        all
    };
    let (a, b) = (windows(pair.a), windows(pair.b));
    if a == b || are_stretches(runs, pair, &a, &b) {
        return None;
    }
    let text = |windows: &[Option<TimeWindow>]| match windows {
        [Some(window)] => Param::Text(window.to_string()),
        [None] | [] => Param::Text("all".to_owned()),
        _ => Param::Text("different parts".to_owned()),
    };
    let params = Params::of_sides([("base", pair.a), ("other", pair.b)]);
    let parts = params
        .with("part", text(&a))
        .with("part_other", text(&b))
        .fill(words::PARTS);
    Some(SameWork {
        same: false,
        why: parts.ascii(),
        parts,
    })
}

/// Whether both sides are stretches of one recording with the same length: then they were chosen to
/// be compared.
fn are_stretches(
    runs: &[ComparedRun],
    pair: &Pair,
    a: &[Option<TimeWindow>],
    b: &[Option<TimeWindow>],
) -> bool {
    let name = |side: &ComparisonSide| {
        let run = side.runs.first().and_then(|&index| runs.get(index));
        run.map(|run| run.trace.name.as_str())
    };
    let length = |windows: &[Option<TimeWindow>]| match windows {
        [Some(window)] => window
            .to
            .checked_sub(window.from)
            .filter(|_| window.to != u64::MAX),
        _ => None,
    };
    name(pair.a) == name(pair.b) && length(a).is_some() && length(a) == length(b)
}

/// Kernel threads that write on behalf of others.
const HELPERS: [&str; 10] = [
    "jbd2/",
    "kworker/",
    "xfsaild/",
    "kswapd",
    "flush-",
    "btrfs-",
    "ext4lazyinit",
    "swapper",
    "dmcrypt",
    "loop",
];

/// Whether this is a kernel thread that writes on behalf of others.
pub fn helps(name: &str) -> bool {
    let raid = name.starts_with("md") && (name.contains("_raid") || name.contains("_resync"));
    raid || HELPERS.iter().any(|helper| name.starts_with(helper))
}

/// Number of processes by name that have more than `share` of the bytes, without kernel threads
/// that write on behalf of others.
fn named(trace: &Digest, share: f64) -> BTreeMap<&str, usize> {
    let users = || trace.processes.iter().filter(|p| !helps(&p.name));
    let all: u64 = users().map(|p| p.bytes).sum();
    let mut numbers = BTreeMap::new();
    for process in users().filter(|p| p.bytes as f64 > share * all as f64) {
        *numbers.entry(process.name.as_str()).or_default() += 1;
    }
    numbers
}

/// Numbers of processes of two traces that did a part of the work. One whose share is faint on one
/// side counts there, too, if the other side has one of this name that counts: in a run that takes
/// longer, a process without an end does more.
pub fn tasks(a: &Digest, b: &Digest) -> (usize, usize) {
    let (counted, faint) = (
        [a, b].map(|trace| named(trace, PART)),
        [a, b].map(|trace| named(trace, FAINT)),
    );
    let number = |side: usize| {
        let count = |name: &&str| {
            let certain = counted[side].get(*name).copied().unwrap_or(0);
            let other = counted[1 - side].get(*name).copied().unwrap_or(0);
            certain.max(faint[side].get(*name).copied().unwrap_or(0).min(other))
        };
        counted[0]
            .keys()
            .chain(
                counted[1]
                    .keys()
                    .filter(|name| !counted[0].contains_key(*name)),
            )
            .map(count)
            .sum()
    };
    (number(0), number(1))
}

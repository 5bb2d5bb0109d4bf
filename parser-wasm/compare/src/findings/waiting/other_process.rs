//! A process that only one side has, beside which the requests of the others wait longer.

use crate::findings::focus::{FindingShare, NamedKind, name, rounded};
use crate::findings::{Case, Draft, EvidenceChart, FIRST};
use crate::metric::Metric;
use crate::runs::digest::DeviceDigest;
use crate::runs::run::ComparisonSide;
use crate::sentence::Param;
use crate::statistics::noise::{Workload, distance};
use crate::threshold::percent;
use crate::values::ShareOf;
use crate::work::helps;
use seekscope_measure::objects::{NAMES_BETWEEN, ObjectsUsed};
use seekscope_measure::submitters::{Submitter, Submitters};
use seekscope_trace::quantity::Unit;

/// Minimum share of the requests that the process did.
const MIN_SHARE: f64 = 0.05;
/// Minimum share of the requests that are of known processes on the side without it: it is not
/// among the others.
const KNOWN: f64 = 0.95;

/// What identifies the same program doing the same in two runs: its name, and whether it mostly
/// reads.
fn signature(process: &Submitter) -> (&str, bool) {
    (
        process.name.as_str(),
        process.sums.read > process.sums.write,
    )
}

/// A process of the second side that the first one does not have.
struct OtherProcess<'a> {
    other: &'a Submitter,
    /// Its share of the requests.
    requests: f64,
    /// Its share of the time from D to C.
    device: f64,
    /// The largest process that both have, of those that wait longer.
    common: &'a Submitter,
    /// Mean Q2C of the processes that both have, without and with it.
    q2c: (f64, f64),
}

/// Whether a process is a user of the device, with enough of its requests.
fn counts(process: &Submitter, all: &Submitters) -> bool {
    !helps(&process.name) && process.sums.requests as f64 >= MIN_SHARE * all.all.requests as f64
}

/// Whether the data that a process submits may be its own: not where the map of the disk knows
/// whose data it was. `sync` writes the files of others.
fn may_own(process: &Submitter, side: &ComparisonSide) -> bool {
    let used: Option<Vec<&ObjectsUsed>> = side
        .devices()
        .iter()
        .map(|device| device.objects.as_ref().filter(|used| used.is_known()))
        .collect();
    used.is_none_or(|used| {
        let objects = used.iter().flat_map(|used| &used.top);
        let mut writers = objects.flat_map(|object| &object.writers);
        writers.any(|writer| {
            writer
                .names
                .split(NAMES_BETWEEN)
                .any(|name| name == process.name)
        })
    })
}

/// Mean Q2C of the processes with such a signature.
fn q2c(side: &Submitters, common: &[(&str, bool)]) -> Option<f64> {
    let processes = side
        .top
        .iter()
        .filter(|process| common.contains(&signature(process)));
    let (ns, n) = processes.fold((0.0, 0.0), |(ns, n), process| {
        (
            ns + process.sums.q2c_ns as f64,
            n + process.sums.ended as f64,
        )
    });
    (n > 0.0).then(|| ns / n)
}

fn submitters<'a>(side: &ComparisonSide<'a>) -> Option<Vec<&'a Submitters>> {
    let submitters = |device: &&'a DeviceDigest| device.submitters.as_ref();
    side.devices().iter().map(submitters).collect()
}

fn find<'a>(without: &ComparisonSide<'a>, with: &ComparisonSide<'a>) -> Option<OtherProcess<'a>> {
    let side = with;
    let (without, with) = (submitters(without)?, submitters(with)?);
    let first = with.first()?;
    let names_nearly_all = |side: &&Submitters| {
        side.top
            .iter()
            .map(|process| process.sums.requests as f64)
            .sum::<f64>()
            >= KNOWN * side.all.requests as f64
    };
    if !without.iter().all(names_nearly_all) {
        return None;
    }
    let has = |sides: &[&Submitters], process: &Submitter| {
        sides.iter().all(|side| {
            side.top
                .iter()
                .any(|other| signature(other) == signature(process) && counts(other, side))
        })
    };
    let lacks = |process: &Submitter| {
        let is_same = |other: &Submitter| signature(other) == signature(process);
        !without.iter().any(|side| side.top.iter().any(is_same))
    };
    let other = first.top.iter().find(|process| {
        counts(process, first) && lacks(process) && has(&with, process) && may_own(process, side)
    })?;
    let common: Vec<&Submitter> = first
        .top
        .iter()
        .filter(|process| counts(process, first) && has(&with, process) && has(&without, process))
        .collect();
    let signatures: Vec<(&str, bool)> = common.iter().map(|process| signature(process)).collect();
    let mean = |sides: &[&Submitters]| {
        let values: Vec<f64> = sides
            .iter()
            .map(|side| q2c(side, &signatures))
            .collect::<Option<_>>()?;
        Some(values.iter().sum::<f64>() / values.len() as f64)
    };
    let share = |part: u64, all: u64| part as f64 / all.max(1) as f64;
    Some(OtherProcess {
        other,
        requests: share(other.sums.requests, first.all.requests),
        device: share(other.sums.d2c_ns, first.all.d2c_ns),
        common: common.first()?,
        q2c: (mean(&without)?, mean(&with)?),
    })
}

/// Whether the second side has such a process.
pub fn present(without: &ComparisonSide, with: &ComparisonSide) -> bool {
    find(without, with).is_some()
}

/// Code of the finding.
pub const CODE: &str = "other-process";

/// The process with its shares, and the largest one that both sides have: the sentence names both.
pub fn shares(case: &Case) -> Vec<FindingShare> {
    let Some(found) = find(case.pair.a, case.pair.b) else {
        return Vec::new();
    };
    let share = |share: f64, whole: ShareOf| FindingShare {
        kind: NamedKind::Process,
        name: name(found.other.pid, &found.other.name),
        share: rounded(share),
        of: whole,
    };
    let all = case
        .pair
        .b
        .device()
        .submitters
        .as_ref()
        .map_or(0, |submitters| submitters.all.requests);
    let common = FindingShare {
        name: name(found.common.pid, &found.common.name),
        share: rounded(found.common.sums.requests as f64 / all.max(1) as f64),
        ..share(0.0, ShareOf::Requests)
    };
    vec![
        share(found.requests, ShareOf::Requests),
        share(found.device, ShareOf::Device),
        common,
    ]
}

pub fn rule() -> String {
    format!(
        "a process did at least {} of the requests in one run, not only with the data of others, \
         and none of its name that reads, or writes, as it does is in the other; and the mean Q2C \
         of the processes that both runs have is longer there by more than what repeats differ by",
        percent(MIN_SHARE),
    )
}

/// `other-process`
pub fn other(case: &Case, list: &[Metric]) -> Option<Draft> {
    let (without, with) = (case.pair.a, case.pair.b);
    let found = find(without, with)?;
    let metric = list.iter().find(|metric| metric.key == "q2c.mean")?;
    let reads = found.common.sums.read > found.common.sums.write;
    let workload = if reads {
        Workload::Reads
    } else {
        Workload::Writes
    };
    // Without an interval, groups are judged as single runs.
    let threshold = case.pair.noise.threshold(metric, workload, false);
    if found.q2c.1 <= found.q2c.0 || distance(Unit::Time, found.q2c.0, found.q2c.1)? < threshold {
        return None;
    }
    Some(Draft {
        code: CODE,
        params: case
            .params()
            .with(
                "name",
                Param::Text(name(found.other.pid, &found.other.name)),
            )
            .value("requests", found.requests, Unit::Share)
            .value("device", found.device, Unit::Share)
            .with(
                "common",
                Param::Text(name(found.common.pid, &found.common.name)),
            )
            .value("q2c", found.q2c.1, Unit::Time)
            .value("q2c_good", found.q2c.0, Unit::Time),
        keys: &[
            "interleaving.switch_share",
            "d2c.mean",
            "depth.mean",
            "iops",
        ],
        more: vec![("q2c.common", case.of_both(found.q2c))],
        chart: EvidenceChart::Latency,
        range: None,
        part: None,
        class: FIRST,
    })
}

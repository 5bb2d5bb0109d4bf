//! Who and when: whose requests a finding concerns, and the intervals in which its effect is
//! concentrated.

use super::Case;
use super::waiting::other_process;
use super::waiting::other_process::CODE as OTHER_PROCESS;
use crate::runs::digest::DeviceDigest;
use crate::sentence::{Param, Params, Sentence};
use crate::statistics::estimate::total;
use crate::values::ShareOf;
use crate::wording;
use seekscope_measure::failed::FailedByProcess;
use seekscope_measure::objects::ObjectUse;
use seekscope_measure::submitters::{Submitter, SubmitterSums};
use seekscope_trace::json::{typed, untyped};
use seekscope_trace::quantity::Unit;
use seekscope_trace::sorting::SortShort;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Maximum number of names.
const NAMED: usize = 3;
/// Minimum share of a name.
const MIN_SHARE: f64 = 0.05;
/// Maximum number of intervals.
const INTERVALS: usize = 5;
/// An effect is concentrated where it is at least this many times as strong as in the complete run.
const DENSER: f64 = 1.5;
/// Minimum share of the effect in all intervals together; otherwise it is spread over the run.
const HELD: f64 = 0.2;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NamedKind {
    /// A process: name and thread id, as `dd [101]`.
    Process,
    /// A control group: its path, or `cgroup` and its id.
    Cgroup,
    /// A partition: its name, or `major,minor`.
    Partition,
    /// A file by its path, or all structures of a kind.
    Object,
}

/// A process, control group or partition with its share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingShare {
    pub kind: NamedKind,
    pub name: String,
    pub share: f64,
    pub of: ShareOf,
}

/// Where in the run an effect is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingTime {
    /// ns since the run's first event, the strongest first; empty: the effect is spread over the
    /// run.
    pub intervals: Vec<(u64, u64)>,
    /// Share of the effect in these intervals.
    pub share: f64,
    /// Share of these intervals in the run.
    pub of_run: f64,
}

/// What a finding says about who and when.
#[derive(Clone, Debug, Default)]
pub struct Focus {
    pub who: Vec<FindingShare>,
    pub when: Option<FindingTime>,
    /// Both in words; empty where neither is known.
    pub words: Sentence,
}

/// For the code of a finding: the figure whose difference is its effect, and the whole of which
/// processes have shares.
fn concerns(code: &str) -> (Option<&'static str>, Option<ShareOf>) {
    use ShareOf::{Device, Failed, Flushes, Requests, Starved, Throttled, Waiting};
    match code {
        "starved-while-waiting" => (Some("starved.share"), Some(Starved)),
        "idle-grew" => (Some("states.nobody"), Some(Requests)),
        "throttled" => (Some("states.nobody"), Some(Throttled)),
        "tags-exhausted" | "writes-throttled" => (Some("q2g.mean"), Some(Waiting)),
        "unplug-timer" => (Some("i2d.mean"), Some(Waiting)),
        "depth-fell" => (Some("depth.mean"), Some(Requests)),
        "scheduler-slower" => (Some("q2d.mean"), Some(Waiting)),
        "device-slower" => (Some("d2c.mean"), Some(Device)),
        "layer-slower" => (None, Some(Requests)),
        "seeks-grew" => (Some("seek.issued.sequential_share"), Some(Requests)),
        "interleaving-grew" => (Some("interleaving.switch_share"), Some(Requests)),
        "requests-smaller" => (Some("size.issued.mean"), Some(Requests)),
        "merging-stopped" => (Some("merges.q_per_d"), Some(Requests)),
        "flushes-appeared" => (Some("flush.busy"), Some(Flushes)),
        "readahead-shrank"
        | "alignment-lost"
        | "reordering-fell"
        | "completions-migrated"
        | "off-physical-block"
        | "requests-split"
        | "write-through"
        | "journal-grew"
        | "metadata-grew"
        | "file-fragmented"
        | "placed-elsewhere"
        | "same-file-serialised"
        | "sync-changed" => (None, Some(Requests)),
        "fua-appeared" => (None, Some(Flushes)),
        "failures-appeared" => (None, Some(Failed)),
        _ => (None, None),
    }
}

/// Who and when, in the first run of the bad side of a finding.
pub fn focus(code: &str, case: &Case) -> Focus {
    let (figure, whole) = concerns(code);
    let who = match whole {
        Some(ShareOf::Throttled) => held_back(case),
        Some(ShareOf::Failed) => failed(case),
        Some(whole) => who(case, whole)
            .into_iter()
            .chain(partitions(case))
            .chain(objects(case))
            .chain(writers(case))
            .collect(),
        None if code == OTHER_PROCESS => other_process::shares(case),
        None => Vec::new(),
    };
    let when = figure.and_then(|key| when(case, key));
    let words = words(code, &who, when.as_ref());
    Focus { who, when, words }
}

/// What a process has of a whole.
fn weight(sums: &SubmitterSums, whole: ShareOf) -> f64 {
    (match whole {
        ShareOf::Requests => sums.requests,
        ShareOf::Waiting => sums.q2d_ns,
        ShareOf::Starved => sums.starved_ns,
        ShareOf::Device => sums.d2c_ns,
        ShareOf::Flushes => sums.flushes,
        ShareOf::Bytes
        | ShareOf::Throttled
        | ShareOf::Failed
        | ShareOf::Objects
        | ShareOf::Writers => 0,
    }) as f64
}

/// The words of a finding's `who` and `when`, as JSON; absent where it has neither.
pub fn restored(finding: &Json) -> Option<Json> {
    let who: Vec<FindingShare> = finding
        .get("who")
        .and_then(|who| typed(who).ok())
        .unwrap_or_default();
    let when: Option<FindingTime> = finding.get("when").and_then(|when| typed(when).ok());
    let words = words(
        finding
            .get("code")
            .and_then(Json::as_str)
            .unwrap_or_default(),
        &who,
        when.as_ref(),
    );
    if words.is_empty() {
        None
    } else {
        Some(untyped(&words))
    }
}

/// Rounds a share to three digits after the point.
pub fn rounded(share: f64) -> f64 {
    (share * 1e3).round() / 1e3
}

/// The name of a process with its pid: `dd [101]`, or `pid 101`.
pub fn name(pid: u32, name: &str) -> String {
    if name == format!("pid {pid}") {
        name.to_owned()
    } else {
        format!("{name} [{pid}]")
    }
}

/// Processes with the largest shares of a whole.
fn who(case: &Case, whole: ShareOf) -> Vec<FindingShare> {
    let Some(submitters) = &case.pair.b.device().submitters else {
        return Vec::new();
    };
    let all = weight(&submitters.all, whole);
    let share = |submitter: &Submitter| rounded(weight(&submitter.sums, whole) / all);
    let mut named: Vec<FindingShare> = (submitters.top.iter())
        .map(|submitter| FindingShare {
            kind: NamedKind::Process,
            name: name(submitter.pid, &submitter.name),
            share: share(submitter),
            of: whole,
        })
        .filter(|named| all > 0.0 && named.share >= MIN_SHARE)
        .collect();
    named.sort_short_by(|x, y| y.share.total_cmp(&x.share));
    named.truncate(NAMED);
    named
}

/// Partitions that passed on bios of the device, where it has several.
fn partitions(case: &Case) -> Vec<FindingShare> {
    let partitions = &case.pair.b.device().partitions;
    let all: f64 = partitions.iter().map(|(_, bytes)| *bytes as f64).sum();
    let share = |(name, bytes): &(String, u64)| FindingShare {
        kind: NamedKind::Partition,
        name: name.clone(),
        share: rounded(*bytes as f64 / all.max(1.0)),
        of: ShareOf::Bytes,
    };
    partitions
        .iter()
        .map(share)
        .filter(|named| named.share >= MIN_SHARE)
        .take(NAMED)
        .collect()
}

/// Files and structures whose requests were in the device for most of the time.
fn objects(case: &Case) -> Vec<FindingShare> {
    let Some(used) = &case.pair.b.device().objects else {
        return Vec::new();
    };
    let share = |object: &ObjectUse| FindingShare {
        kind: NamedKind::Object,
        name: object.name.clone(),
        share: rounded(object.sums.d2c_ns as f64 / used.all.d2c_ns.max(1) as f64),
        of: ShareOf::Objects,
    };
    let mut named: Vec<FindingShare> = used.top.iter().map(share).collect();
    named.retain(|named| named.share >= MIN_SHARE);
    named.sort_short_by(|x, y| y.share.total_cmp(&x.share));
    named.truncate(NAMED);
    named
}

/// The tasks whose data was written or read, with the largest shares of the bytes.
fn writers(case: &Case) -> Vec<FindingShare> {
    let Some(used) = &case.pair.b.device().objects else {
        return Vec::new();
    };
    let mut bytes: BTreeMap<&str, u64> = BTreeMap::new();
    for writer in used.top.iter().flat_map(|object| &object.writers) {
        *bytes.entry(&writer.names).or_default() += writer.bytes;
    }
    let share = |(name, bytes): (&str, u64)| FindingShare {
        kind: NamedKind::Process,
        name: name.to_owned(),
        share: rounded(bytes as f64 / used.all.bytes().max(1) as f64),
        of: ShareOf::Writers,
    };
    let mut named: Vec<FindingShare> = bytes.into_iter().map(share).collect();
    named.retain(|named| named.share >= MIN_SHARE);
    named.sort_short_by(|x, y| y.share.total_cmp(&x.share));
    named.truncate(NAMED);
    named
}

/// Control groups whose bios were held back, and their processes.
fn held_back(case: &Case) -> Vec<FindingShare> {
    let Some(throttled) = &case.pair.b.device().throttled else {
        return Vec::new();
    };
    let share = |kind: NamedKind, name: String, bios: u64| {
        let share = rounded(bios as f64 / throttled.bios.max(1) as f64);
        FindingShare {
            kind,
            name,
            share,
            of: ShareOf::Throttled,
        }
    };
    let groups = throttled
        .groups
        .iter()
        .map(|(name, bios)| share(NamedKind::Cgroup, name.clone(), *bios));
    let processes = throttled
        .processes
        .iter()
        .map(|(pid, process, bios)| share(NamedKind::Process, name(*pid, process), *bios));
    groups
        .chain(processes)
        .filter(|named| named.share >= MIN_SHARE)
        .take(NAMED)
        .collect()
}

/// Processes whose requests failed.
fn failed(case: &Case) -> Vec<FindingShare> {
    let Some(failed) = &case.pair.b.device().failed else {
        return Vec::new();
    };
    let share = |process: &FailedByProcess| FindingShare {
        kind: NamedKind::Process,
        name: name(process.pid, &process.name),
        share: rounded(process.count.requests as f64 / failed.count.requests.max(1) as f64),
        of: ShareOf::Failed,
    };
    failed
        .by_process
        .iter()
        .map(share)
        .filter(|named| named.share >= MIN_SHARE)
        .take(NAMED)
        .collect()
}

/// What each bin adds to the difference of a figure: above the other side's value where the figure
/// is larger, below it where it is smaller.
fn when(case: &Case, key: &str) -> Option<FindingTime> {
    let (good, bad) = case.both(key)?;
    let device = case.pair.b.device();
    let sums = device.bins.sums.get(key)?;
    let sign = if bad >= good { 1.0 } else { -1.0 };
    // For a mean per request, the effect of a bin is what it adds to the sum over all requests.
    let scale = scale(sums, bad);
    let effect: Vec<f64> = sums
        .iter()
        .map(|(over, under)| (sign * (over * scale - good * under)).max(0.0))
        .collect();
    spread_of(&effect, device)
}

/// Where in the run of a device an effect per bin is.
pub fn spread_of(effect: &[f64], device: &DeviceDigest) -> Option<FindingTime> {
    let ns = device.active.1.saturating_sub(device.active.0);
    concentrated(effect, |(from, to)| {
        device.bins.range(device.active, from..to)
    })
    .map(|(intervals, share)| FindingTime {
        of_run: match intervals.is_empty() {
            true => 1.0,
            false => rounded(
                intervals
                    .iter()
                    .map(|(a, b)| b.saturating_sub(*a) as f64)
                    .sum::<f64>()
                    / ns.max(1) as f64,
            )
            .min(1.0),
        },
        intervals,
        share: rounded(share),
    })
}

/// The factor from the quotient of all bins to the figure, which may have another scale.
fn scale(sums: &[(f64, f64)], value: f64) -> f64 {
    let (over, under) = total(sums);
    if over > 0.0 && under > 0.0 && value > 0.0 {
        value * under / over
    } else {
        1.0
    }
}

/// Intervals with the share of the effect in them; none if it is spread. Absent without an effect.
fn concentrated(
    effect: &[f64],
    range: impl Fn((usize, usize)) -> (u64, u64),
) -> Option<(Vec<(u64, u64)>, f64)> {
    let all: f64 = effect.iter().sum();
    if all <= 0.0 || !all.is_finite() {
        return None;
    }
    let mean = all / effect.len() as f64;
    let mut scores: Vec<f64> = effect.iter().map(|e| e - mean).collect();
    let mut found: Vec<((usize, usize), f64)> = Vec::new();
    while found.len() < INTERVALS {
        let Some((from, to)) = densest(&scores) else {
            break;
        };
        let held: f64 = effect[from..to].iter().sum();
        if held < DENSER * mean * (to - from) as f64 {
            break;
        }
        scores[from..to].fill(f64::NEG_INFINITY);
        found.push(((from, to), held / all));
    }
    let share: f64 = found.iter().map(|(_, share)| share).sum();
    if share < HELD {
        return Some((Vec::new(), 1.0));
    }
    Some((
        found.into_iter().map(|(bins, _)| range(bins)).collect(),
        share.min(1.0),
    ))
}

/// The consecutive bins with the largest sum of scores; absent if no score is above 0.
fn densest(scores: &[f64]) -> Option<(usize, usize)> {
    let (mut best, mut sum, mut from) = ((0.0, (0, 0)), 0.0, 0);
    for (i, score) in scores.iter().enumerate() {
        if sum <= 0.0 {
            (sum, from) = (0.0, i);
        }
        sum += score;
        if sum > best.0 {
            best = (sum, (from, i + 1));
        }
    }
    (best.0 > 0.0).then_some(best.1)
}

fn words(code: &str, who: &[FindingShare], when: Option<&FindingTime>) -> Sentence {
    let mut words = Sentence::default();
    // Its own sentence names the process.
    let who = if code == OTHER_PROCESS { &[][..] } else { who };
    for shares in who.chunk_by(|x, y| x.of == y.of) {
        let share = |named: &FindingShare| {
            let params = Params::default().with("name", Param::Text(named.name.clone()));
            params
                .value("share", named.share, Unit::Share)
                .fill(wording::SHARE)
        };
        let list = Params::default().with(
            "who",
            Param::Parts(Sentence::joined(shares.iter().map(share))),
        );
        words.text(if words.is_empty() { "" } else { " " });
        words.extend(list.fill(wording::who(shares[0].of)));
    }
    if let Some(time) = when {
        words.text(if words.is_empty() { "" } else { " " });
        words.extend(time_words(time));
    }
    words
}

/// Where in the run an effect is.
pub fn time_words(time: &FindingTime) -> Sentence {
    let (from, to) = time.intervals.first().copied().unwrap_or_default();
    let params = Params::default()
        .value("share", time.share, Unit::Share)
        .value("of_run", time.of_run, Unit::Share)
        .value("from", from as f64, Unit::Time)
        .value("to", to as f64, Unit::Time);
    let many = time.intervals.len();
    let params = if many > 1 {
        params.with("many", Param::Text(many.to_string()))
    } else {
        params
    };
    params.fill(if time.intervals.is_empty() {
        wording::THROUGHOUT
    } else {
        wording::WHEN
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(effect: &[f64]) -> (Vec<(u64, u64)>, f64) {
        concentrated(effect, |(from, to)| (from as u64, to as u64)).expect("an effect")
    }

    #[test]
    fn an_effect_is_concentrated_or_spread() {
        let mut bursts = vec![0.0; 40];
        bursts[5..8].fill(10.0);
        bursts[30] = 20.0;
        bursts[32] = 20.0;
        // The gap in a burst belongs to it where it is short.
        assert_eq!(found(&bursts), (vec![(30, 33), (5, 8)], 1.0));
        assert_eq!(found(&[1.0; 40]), (vec![], 1.0));
        let waves: Vec<f64> = (0..40).map(|i| 1.0 + f64::from(i % 2) / 10.0).collect();
        assert_eq!(found(&waves), (vec![], 1.0));
        assert_eq!(concentrated(&[0.0; 40], |_| (0, 0)), None);
        assert_eq!(concentrated(&[], |_| (0, 0)), None);
        let mut ends = vec![1.0; 40];
        ends[39] = 50.0;
        let (intervals, share) = found(&ends);
        assert_eq!(intervals, [(39, 40)]);
        assert!((share - 50.0 / 89.0).abs() < 1e-9);
    }

    #[test]
    fn no_more_than_five() {
        let many: Vec<f64> = (0..200)
            .map(|i| if i % 20 == 0 { 1.0 } else { 0.0 })
            .collect();
        let (intervals, share) = found(&many);
        assert_eq!(intervals.len(), 5);
        assert!((share - 0.5).abs() < 1e-9);
    }
}

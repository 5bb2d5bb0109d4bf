//! Mechanisms that differ although no rule names a cause.

use super::{CHANGE, Case, Draft, EvidenceChart};
use crate::metric::Metric;
use crate::pair::Pair;
use crate::sentence::{Param, Params, Sentence};
use crate::statistics::discovery::{CHANCE, discovery_rates};
use crate::statistics::equivalence::margin;
use crate::statistics::noise::{distance, workload};
use crate::threshold::{percent, points, times};
use crate::wording;
use seekscope_trace::quantity::Unit;
use std::collections::BTreeMap;

/// Maximum number of figures that are named.
const NAMED: usize = 4;
/// Minimum difference of at least one of them between single runs, as a multiple of what repeats
/// differ by: of so many figures one often differs by more than each alone.
const FAMILY: f64 = 1.5;

/// Minimum ratio of the odds of such a share.
const ODDS: f64 = 1.5;

/// What a change of a figure is compared with, to decide whether it matters.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// A time of requests, compared with Q2C.
    Time,
    /// A number of requests, compared with those in flight and waiting.
    Requests,
    /// A share of the run or of the requests, compared with 1.
    Share,
    /// Any other figure, compared with itself.
    Ratio,
}

/// How the block layer behaves, in the order of the sentence.
const MECHANISMS: [(&str, Scale); 14] = [
    ("starved.share", Scale::Share),
    ("waiting.mean", Scale::Requests),
    ("q2d.mean", Scale::Time),
    ("depth.mean", Scale::Requests),
    ("d2c.mean", Scale::Time),
    ("states.nobody", Scale::Share),
    ("size.issued.mean", Scale::Ratio),
    ("size.queued.mean", Scale::Ratio),
    ("merges.q_per_d", Scale::Ratio),
    ("seek.issued.sequential_share", Scale::Share),
    ("interleaving.switch_share", Scale::Share),
    ("flush.busy", Scale::Share),
    ("sync", Scale::Share),
    ("writes.off4k", Scale::Share),
];

/// What the device and the application decide as much as the block layer: at the same rate, depth
/// and D2C are longer or shorter together, and repeats on a busy machine differ in them.
const OF_OTHERS: [&str; 3] = ["depth.mean", "d2c.mean", "states.nobody"];

const KEYS: [&str; MECHANISMS.len()] = {
    let mut keys = [""; MECHANISMS.len()];
    let mut i = 0;
    while i < keys.len() {
        keys[i] = MECHANISMS[i].0;
        i += 1;
    }
    keys
};

/// Whether a difference could change the total by more than the margin.
fn matters(pair: &Pair, key: &str, scale: Scale) -> bool {
    let Some((a, b)) = pair.both(key) else {
        return false;
    };
    let margin = margin();
    let both = |key: &str| pair.both(key).unwrap_or_default();
    let whole = match scale {
        Scale::Time => both("q2c.mean").0.max(both("q2c.mean").1),
        Scale::Requests => {
            let (depth, waiting) = (both("depth.mean"), both("waiting.mean"));
            (depth.0 + waiting.0).max(depth.1 + waiting.1)
        }
        Scale::Share => 1.0,
        Scale::Ratio => a.min(b),
    };
    (b - a).abs() >= margin * whole
}

/// Mechanisms that differ significantly, not by chance, and by more than the margin.
pub fn mechanisms<'a>(pair: &Pair, list: &'a [Metric]) -> Vec<&'a Metric> {
    let rates: BTreeMap<String, f64> = discovery_rates(&pair.figures);
    let differs = |(key, scale): (&str, Scale)| {
        pair.real(key)
            && rates.get(key).is_none_or(|rate| *rate <= CHANCE)
            && matters(pair, key, scale)
    };
    MECHANISMS
        .into_iter()
        .filter(|mechanism| differs(*mechanism))
        .filter_map(|(key, _)| list.iter().find(|metric| metric.key == key))
        .collect()
}

/// A figure of both sides, and by how much it changed.
pub fn change(pair: &Pair, metric: &Metric) -> Option<Sentence> {
    let (before, after) = pair.both(&metric.key)?;
    let ratio = pair
        .ratio(&metric.key)
        .map_or_else(|| Param::Text("new".to_owned()), Param::Factor);
    let params = Params::default()
        .with("label", Param::Text(metric.label.clone()))
        .value("before", before, metric.unit)
        .value("after", after, metric.unit)
        .with("by", ratio);
    Some(params.fill(wording::CHANGE))
}

/// Whether the difference is more than what one of so many figures of repeats differs by.
fn stands_out(pair: &Pair, metric: &Metric) -> bool {
    if pair.a.runs.len() > 1 || pair.b.runs.len() > 1 {
        return true;
    }
    if OF_OTHERS.contains(&metric.key.as_str()) {
        return false;
    }
    let noise = pair.noise.figure(metric, workload(pair.a, pair.b));
    let Some((a, b)) = pair.both(&metric.key) else {
        return false;
    };
    // A figure that was 0 and is not has no ratio: it counts as a large difference.
    let far = distance(metric.unit, a, b).is_none_or(|far| far >= FAMILY * noise.p95);
    // Noise of a share grows with it.
    let odds = |share: f64| (share / (1.0 - share)).ln();
    far && (metric.unit != Unit::Share || (odds(b) - odds(a)).abs() >= ODDS.ln())
}

pub fn rule() -> String {
    format!(
        "no other finding holds, but figures of how the block layer behaves differ significantly \
         (at a false discovery rate of at most {}), and by at least {} of the whole: times of \
         Q2C, requests of those in flight and waiting, shares by {}; between single runs one of \
         them, other than depth, D2C and idle time, by {} what repeats differ by",
        percent(CHANCE),
        percent(margin()),
        points(margin()),
        times(FAMILY),
    )
}

/// `behaves-differently`
pub fn differently(case: &Case, list: &[Metric]) -> Option<Draft> {
    let found = mechanisms(case.pair, list);
    if !found.iter().any(|metric| stands_out(case.pair, metric)) {
        return None;
    }
    let changes = found
        .iter()
        .take(NAMED)
        .filter_map(|metric| change(case.pair, metric));
    let mut params = case
        .params()
        .with("changes", Param::Parts(Sentence::joined(changes)));
    let more = found.len().saturating_sub(NAMED);
    if more > 0 {
        params = params.value("more", more as f64, Unit::Count);
    }
    Some(Draft {
        code: "behaves-differently",
        params,
        keys: &KEYS,
        more: Vec::new(),
        chart: EvidenceChart::Differences,
        range: None,
        part: None,
        class: CHANGE,
    })
}

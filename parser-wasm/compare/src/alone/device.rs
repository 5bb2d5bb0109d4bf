//! What the device does, next to what it does elsewhere in the run.

use super::{RunCase, RunDraft};
use crate::findings::EvidenceChart;
use crate::sentence::Params;
use crate::threshold::{fraction, percent, times};
use seekscope_trace::quantity::Unit;
use seekscope_trace::sorting::SortShort;

/// Minimum share of the run with a flush in flight.
const FLUSH: f64 = 0.1;
/// The best part of the run is this share of its bins: those with the most completions per busy
/// time.
const BEST: f64 = 0.25;
/// Minimum number of bins of the best part.
const MIN_BINS: usize = 4;
/// Minimum growth of the queue depth from the rest to the best part.
const DEEPER: f64 = 1.5;
/// Minimum growth of the completions per busy time.
const MORE: f64 = 1.3;
/// Minimum growth of D2C over the median bin, of a slower part of the run.
const SLOWER: f64 = 2.0;
/// Minimum number of bins in a row of a slower part.
const IN_A_ROW: usize = 3;
/// Minimum share of the run of a slower part.
const PART: f64 = 0.05;
/// Maximum growth of the queue depth in it: a deeper queue makes D2C longer by itself.
const DEPTH: f64 = 1.25;

pub(super) fn flushes_rule() -> String {
    format!(
        "a flush is in flight for at least {} of the run",
        percent(FLUSH),
    )
}

/// `flushes-in-flight`
pub(super) fn flushes(case: &RunCase) -> Option<RunDraft> {
    let busy = case.value("flush.busy").filter(|share| *share >= FLUSH)?;
    let params = Params::default()
        .value("busy", busy, Unit::Share)
        .value("flushes", case.value("flush.flush")?, Unit::Count)
        .value(
            "writes",
            case.value("bytes.write").filter(|bytes| *bytes > 0.0)?,
            Unit::Bytes,
        );
    Some(RunDraft {
        code: "flushes-in-flight",
        params,
        keys: &[
            "flush.flush",
            "flush.preflush",
            "flush.fua",
            "flush.busy",
            "bytes.write",
        ],
        chart: EvidenceChart::Flushes,
        range: None,
        effect: Some("flush.busy"),
        share: Some(busy),
    })
}

pub(super) fn shallow_rule() -> String {
    format!(
        "in the {} of the bins in which the most requests complete per busy time, {} as many do \
         as in the others, at {} their queue depth, with the same kind of work",
        fraction(BEST).trim_start_matches("a "),
        times(MORE),
        times(DEEPER),
    )
}

/// `queue-shallow`
pub(super) fn shallow(case: &RunCase) -> Option<RunDraft> {
    let rate = |bin: usize| case.stretch(|other| other == bin).busy_rate();
    let mut rated: Vec<(usize, f64)> = (0..case.device.bins.count())
        .filter_map(|bin| Some((bin, rate(bin)?)))
        .collect();
    rated.sort_short_by(|x, y| y.1.total_cmp(&x.1));
    let count = (rated.len() as f64 * BEST) as usize;
    if count < MIN_BINS {
        return None;
    }
    let chosen: Vec<usize> = rated[..count].iter().map(|(bin, _)| *bin).collect();
    let (best, rest) = (
        case.stretch(|bin| chosen.contains(&bin)),
        case.stretch(|bin| !chosen.contains(&bin)),
    );
    let (depth, depth_rest) = (best.busy_depth()?, rest.busy_depth()?);
    let (rate, rate_rest) = (best.busy_rate()?, rest.busy_rate()?);
    if depth < DEEPER * depth_rest
        || rate < MORE * rate_rest
        || !best.is_enough()
        || !rest.is_enough()
        || !best.is_like(&rest)
    {
        return None;
    }
    let params = Params::default()
        .value("depth", depth_rest, Unit::Requests)
        .value("depth_best", depth, Unit::Requests)
        .value("rate", rate_rest, Unit::PerSecond)
        .value("rate_best", rate, Unit::PerSecond)
        .value("best", best.ns() / (best.ns() + rest.ns()), Unit::Share);
    let first = rated.first().map(|(bin, _)| case.range(*bin, *bin));
    Some(RunDraft {
        code: "queue-shallow",
        params,
        keys: &["depth.mean", "depth.p95", "depth.max", "d2c.mean", "iops"],
        chart: EvidenceChart::QueueDepth,
        range: first,
        effect: None,
        share: None,
    })
}

pub(super) fn at_times_rule() -> String {
    format!(
        "in at least {IN_A_ROW} bins in a row, and {} of the run, D2C is at least {} that of the \
         median bin, with the same kind of work and a queue at most {} as deep as elsewhere",
        percent(PART),
        times(SLOWER),
        times(DEPTH),
    )
}

/// `device-slower-at-times`
pub(super) fn at_times(case: &RunCase) -> Option<RunDraft> {
    let sums = case.device.bins.sums.get("d2c.mean")?;
    let mean = |bin: usize| {
        sums.get(bin)
            .filter(|(_, n)| *n > 0.0)
            .map(|(over, n)| over / n)
    };
    let mut means: Vec<f64> = (0..sums.len()).filter_map(mean).collect();
    means.sort_short_by(f64::total_cmp);
    let median = *means.get(means.len() / 2)?;
    let is_slow = |bin: usize| mean(bin).is_some_and(|d2c| d2c >= SLOWER * median);
    let mut longest: Option<(usize, usize)> = None;
    let mut from = None;
    for bin in 0..=sums.len() {
        if bin < sums.len() && is_slow(bin) {
            from = from.or(Some(bin));
        } else if let Some(first) = from.take()
            && longest.is_none_or(|(a, b)| bin - first > b - a)
        {
            longest = Some((first, bin));
        }
    }
    let (first, end) = longest?;
    let slow = case.stretch(|bin| (first..end).contains(&bin));
    let rest = case.stretch(|bin| !is_slow(bin));
    let all = case.stretch(|_| true).ns();
    let deeper = slow.busy_depth()? > DEPTH * rest.busy_depth()?;
    let enough =
        slow.is_enough() && rest.is_enough() && end - first >= IN_A_ROW && slow.ns() >= PART * all;
    if deeper || !enough || !slow.is_like(&rest) {
        return None;
    }
    let range = case.range(first, end - 1);
    let params = Params::default()
        .value("from", range.0 as f64, Unit::Time)
        .value("to", range.1 as f64, Unit::Time)
        .value("d2c", slow.value("d2c.mean")?, Unit::Time)
        .value("d2c_rest", rest.value("d2c.mean")?, Unit::Time)
        .value("depth", slow.busy_depth()?, Unit::Requests)
        .value("depth_rest", rest.busy_depth()?, Unit::Requests);
    Some(RunDraft {
        code: "device-slower-at-times",
        params,
        keys: &["d2c.mean", "d2c.p50", "d2c.p99", "depth.mean", "iops"],
        chart: EvidenceChart::Latency,
        range: Some(range),
        effect: None,
        share: Some(slow.ns() / all),
    })
}

//! A queue that is full: bios wait for a free request (a tag) while as many are in flight as it
//! allows.

use crate::findings::{Case, Draft, EvidenceChart};
use crate::threshold::{fraction, most, times};
use seekscope_trace::quantity::Unit;

/// Minimum growth of Q2G.
const GROWTH: f64 = 1.5;
/// Minimum share of that growth in the growth of Q2D.
const PART: f64 = 0.5;
/// Minimum share of the median depth in its p95: it is a ceiling. Some requests are issued before
/// the completion of those whose place they take is recorded.
const CEILING: f64 = 0.75;
/// Minimum share of the run in which bios wait while requests are in flight.
const WAITING: f64 = 0.5;
/// Minimum share of reads in the bytes, or of sync requests: writeback throttling holds other
/// writes back at the same place.
const NOT_BACKGROUND: f64 = 0.5;

pub fn rule() -> String {
    format!(
        "the median queue depth is at least {CEILING} of its p95, which the median of the other \
         run exceeds; bios wait while requests are in flight for at least {} of the run, \
         significantly longer than in the other; the mean Q2G is significantly longer, at least \
         {} the other's, and that growth is at least {} of Q2D's; and {} are read, or {} are sync",
        fraction(WAITING),
        times(GROWTH),
        fraction(PART),
        most(NOT_BACKGROUND, "bytes"),
        most(NOT_BACKGROUND, "requests"),
    )
}

/// `tags-exhausted`
pub fn exhausted(case: &Case) -> Option<Draft> {
    let (q2g, q2d) = (case.both("q2g.mean")?, case.both("q2d.mean")?);
    let (median, p95) = (case.both("depth.p50")?, case.both("depth.p95")?);
    let waiting = case.both("states.busy_waiting")?;
    let lost = case.pair.lost?;
    let ceiling = p95.1 > 0.0 && median.1 >= CEILING * p95.1 && median.0 > p95.1;
    let waits = case.pair.real("q2g.mean")
        && q2g.1 >= GROWTH * q2g.0
        && q2g.1 - q2g.0 >= PART * (q2d.1 - q2d.0);
    let full =
        waiting.1 >= WAITING && waiting.1 > waiting.0 && case.pair.real("states.busy_waiting");
    let bytes = |key: &str| case.pair.b(key).unwrap_or(0.0);
    let reads = bytes("bytes.read") / (bytes("bytes.read") + bytes("bytes.write")).max(1.0);
    let background = reads < NOT_BACKGROUND && bytes("sync") < NOT_BACKGROUND;
    let class = case
        .class(true, true)
        .filter(|_| ceiling && waits && full && !background)?;
    Some(Draft {
        code: "tags-exhausted",
        params: case
            .params()
            .value("depth", median.1, Unit::Requests)
            .value("waiting", waiting.1, Unit::Share)
            .value("waiting_good", waiting.0, Unit::Share)
            .value("q2g", q2g.1, Unit::Time)
            .value("q2g_good", q2g.0, Unit::Time),
        keys: &[
            "q2g.mean",
            "depth.p50",
            "depth.p95",
            "depth.mean",
            "states.busy_waiting",
            "iops",
        ],
        more: Vec::new(),
        chart: EvidenceChart::QueueDepth,
        range: case.bin("q2g.mean", true),
        part: case.part(lost.busy + lost.busy_waiting),
        class,
    })
}

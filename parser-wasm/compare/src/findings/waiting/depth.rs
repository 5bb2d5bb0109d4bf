//! A queue that is not filled.

use crate::findings::{Case, Draft, EvidenceChart};
use crate::threshold::fraction;
use seekscope_trace::quantity::Unit;

/// Maximum share of the other depth.
const FELL: f64 = 0.7;
/// Minimum depth of the good side: a shallower queue has nothing to lose.
const DEEP: f64 = 1.5;
/// Maximum growth of D2C: if the device is slower, the shallow queue is not the cause.
const D2C: f64 = 1.25;
/// Minimum share of the other number of requests in flight or waiting: a side that is not slower
/// was asked for as much, and had less of it in flight.
const ASKED: f64 = 0.8;

pub fn rule() -> String {
    format!(
        "the mean queue depth is significantly lower, at most {FELL} of the other's, which is at \
         least {DEEP}; D2C is at most {} longer; and the run is slower, or at least {ASKED} as \
         many requests are in flight or wait",
        fraction(D2C - 1.0),
    )
}

/// `depth-fell`
pub fn fell(case: &Case) -> Option<Draft> {
    let depth = case.both("depth.mean")?;
    let (lost, d2c) = (case.pair.lost?, case.both("d2c.mean")?);
    if depth.0 < DEEP
        || depth.1 > FELL * depth.0
        || !case.pair.real("depth.mean")
        || d2c.1 > D2C * d2c.0
    {
        return None;
    }
    // A device that answers faster has fewer requests in flight, too.
    let held = case
        .both("waiting.mean")
        .is_some_and(|waiting| depth.1 + waiting.1 >= ASKED * (depth.0 + waiting.0));
    let class = case.class(true, case.slower || held)?;
    Some(Draft {
        code: "depth-fell",
        params: case.params().value("depth", depth.1, Unit::Requests).value(
            "depth_good",
            depth.0,
            Unit::Requests,
        ),
        keys: &["depth.mean", "depth.p95", "depth.max", "d2c.mean", "iops"],
        more: Vec::new(),
        chart: EvidenceChart::QueueDepth,
        range: case.bin("depth.mean", false),
        part: case.part(lost.busy + lost.busy_waiting),
        class,
    })
}

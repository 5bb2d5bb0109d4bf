//! A queue that is not filled.

use super::{Case, Draft, TIME};
use crate::compare::quantity::Unit;

/// Maximum share of the other depth.
const FELL: f64 = 0.7;
/// Minimum depth of the good side: a shallower queue has nothing to lose.
const DEEP: f64 = 1.5;
/// Maximum growth of D2C: if the device is slower, the shallow queue is not the cause.
const D2C: f64 = 1.25;

/// `depth-fell`
pub fn fell(case: &Case) -> Option<Draft> {
    let depth = case.both("depth.mean")?;
    let (lost, d2c) = (case.pair.lost?, case.both("d2c.mean")?);
    if !case.slower
        || depth.0 < DEEP
        || depth.1 > FELL * depth.0
        || !case.pair.real("depth.mean")
        || d2c.1 > D2C * d2c.0
    {
        return None;
    }
    Some(Draft {
        code: "depth-fell",
        params: case.params().value("depth", depth.1, Unit::Requests).value(
            "depth_good",
            depth.0,
            Unit::Requests,
        ),
        keys: &["depth.mean", "depth.p95", "depth.max", "d2c.mean", "iops"],
        more: Vec::new(),
        chart: "queue-depth",
        range: case.bin("depth.mean", false),
        rule: "the mean queue depth of the slower run is significantly lower, at most 0.7 of the \
            other's, which is at least 1.5; and D2C is at most a quarter longer",
        part: case.part(lost.busy + lost.busy_waiting),
        class: TIME,
    })
}

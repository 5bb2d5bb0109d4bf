//! A queue that is not filled.

use super::{Case, Found, TIME};
use crate::compare::quantity::Kind;

/// Most of the former depth.
const FELL: f64 = 0.7;
/// A queue that never was deeper has nothing to lose.
const DEEP: f64 = 1.5;
/// The device answers at least about as fast as before, or the shallow queue is not the cause.
const D2C: f64 = 1.25;

/// `depth-fell`
pub fn fell(case: &Case) -> Option<Found> {
    let depth = case.both("depth.mean")?;
    let (lost, d2c) = (case.pair.lost?, case.both("d2c.mean")?);
    if !case.slower || depth.0 < DEEP || depth.1 > FELL * depth.0 || !case.pair.real("depth.mean") || d2c.1 > D2C * d2c.0 {
        return None;
    }
    Some(Found {
        code: "depth-fell",
        sentence: format!(
            "The device had {} requests in flight on average in {}, {} in {}, though it answered no slower.",
            Kind::Requests.write(depth.1),
            case.bad(),
            Kind::Requests.write(depth.0),
            case.good(),
        ),
        keys: &["depth.mean", "depth.p95", "depth.max", "d2c.mean", "iops"],
        more: Vec::new(),
        chart: "queue-depth",
        range: case.bin("depth.mean", false),
        rule: "mean queue depth of the slower run is at most 0.7 of the other's, which is at least 1.5, by more than noise, and D2C is not more than a quarter longer",
        part: case.part(lost.busy + lost.busy_waiting),
        class: TIME,
    })
}

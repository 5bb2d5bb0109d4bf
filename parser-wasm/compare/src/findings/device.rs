//! A device that answers more slowly.

use super::{Case, Draft, EvidenceChart};
use crate::threshold::{fraction, times};
use seekscope_trace::quantity::Unit;

/// Minimum growth of D2C.
const GROWTH: f64 = 1.05;
/// Maximum share of the other throughput while requests are in flight.
const FELL: f64 = 0.95;
/// Maximum growth of the queue depth in a run that is not certainly slower.
const DEEPER: f64 = 1.05;
/// Minimum share of D2C's growth in that of Q2C.
const PART: f64 = 0.5;

pub fn rule() -> String {
    format!(
        "the mean D2C is significantly longer, at least {} the other's; its growth is at least {} \
         of Q2C's; while requests are in flight at most {FELL} of the work is completed per \
         second; and the run is slower, or its queue at most {} as deep",
        times(GROWTH),
        fraction(PART),
        times(DEEPER),
    )
}

/// `device-slower`
pub fn slower(case: &Case) -> Option<Draft> {
    let (d2c, q2c) = (case.both("d2c.mean")?, case.both("q2c.mean")?);
    let grown = d2c.1 - d2c.0;
    if !case.pair.real("d2c.mean") || d2c.1 < GROWTH * d2c.0 || grown < PART * (q2c.1 - q2c.0) {
        return None;
    }
    // Where it is unsure how much was completed, the depth tells the device from a deeper queue.
    let deeper = case
        .both("depth.mean")
        .is_none_or(|depth| depth.1 > DEEPER * depth.0);
    let class = case.class(true, !deeper)?;
    // A deeper queue makes D2C longer on the same device. What it completes while busy is not
    // affected by that.
    let (busy, waiting) = (case.both("states.busy")?, case.both("states.busy_waiting")?);
    let rate = case
        .both("bps")
        .filter(|r| r.0 > 0.0)
        .or_else(|| case.both("iops"))?;
    let while_busy = (rate.0 / (busy.0 + waiting.0), rate.1 / (busy.1 + waiting.1));
    if while_busy.1 > FELL * while_busy.0 {
        return None;
    }
    let lost = case.pair.lost?;
    Some(Draft {
        code: "device-slower",
        params: case
            .params()
            .value("d2c", d2c.1, Unit::Time)
            .value("d2c_good", d2c.0, Unit::Time)
            .value("rate", while_busy.1 / while_busy.0, Unit::Share),
        keys: &[
            "d2c.mean",
            "d2c.p50",
            "d2c.p99",
            "q2d.mean",
            "depth.mean",
            "iops",
        ],
        more: Vec::new(),
        chart: EvidenceChart::Latency,
        range: case.bin("d2c.mean", true),
        part: case.part(lost.busy + lost.busy_waiting),
        class,
    })
}

//! A device that is idle with no requests: the time is lost above the block layer, or where
//! requests are held back before it.

use crate::findings::{Case, Draft, EvidenceChart, TIME};
use crate::threshold::{fraction, points};
use seekscope_trace::quantity::Unit;

/// Minimum growth of the idle time, as a share of the run.
const GROWTH: f64 = 0.05;
/// Minimum share of the lost time.
const PART: f64 = 0.5;

pub fn rule() -> String {
    format!(
        "the device of the slower run is idle, with no request waiting, for a significantly \
         larger share of the run, at least {} more, and that is at least {} of the lost time",
        points(GROWTH),
        fraction(PART),
    )
}

/// `idle-grew`
pub fn grew(case: &Case) -> Option<Draft> {
    let idle = case.both("states.nobody")?;
    let lost = case.pair.lost?;
    let grew = case.pair.real("states.nobody") && idle.1 - idle.0 >= GROWTH;
    // A device that answers faster is idle for longer, too: only lost time tells them apart.
    if !case.slower || !grew || case.part(lost.nobody)? < PART {
        return None;
    }
    Some(Draft {
        code: "idle-grew",
        params: case.params().value("share", idle.1, Unit::Share).value(
            "share_good",
            idle.0,
            Unit::Share,
        ),
        keys: &["states.nobody", "depth.mean", "q2c.mean", "iops"],
        more: Vec::new(),
        chart: EvidenceChart::QueueDepth,
        range: case.bin("states.nobody", true),
        part: case.part(lost.nobody),
        class: TIME,
    })
}

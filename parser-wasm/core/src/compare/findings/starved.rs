//! A scheduler that idles: nothing is in flight although requests wait.

use super::{Case, Draft, TIME};
use crate::compare::quantity::Unit;

/// Minimum share of the run.
const LEAST: f64 = 0.05;
/// Minimum growth.
const GROWTH: f64 = 1.5;
/// Minimum share of the lost time.
const PART: f64 = 0.1;

/// `starved-while-waiting`
pub fn starved(case: &Case) -> Option<Draft> {
    let share = case.both("starved.share")?;
    let lost = case.pair.lost?;
    let grew = share.1 >= LEAST && share.1 >= GROWTH * share.0;
    let certain = !case.unsure || case.pair.real("starved.share");
    if !case.slower || !grew || !certain || case.part(lost.starved)? < PART {
        return None;
    }
    // Holding requests back also keeps the queue shallow while something is in flight.
    let depth_fell = case.both("depth.mean").is_some_and(|(a, b)| b < a);
    let held = lost.starved
        + if depth_fell {
            lost.busy_waiting.max(0.0)
        } else {
            0.0
        };
    Some(Draft {
        code: "starved-while-waiting",
        params: case.params().value("share", share.1, Unit::Share).value(
            "share_good",
            share.0,
            Unit::Share,
        ),
        keys: &[
            "starved.share",
            "starved.longest",
            "starved.intervals",
            "depth.mean",
            "waiting.mean",
            "i2d.mean",
            "d2c.mean",
            "iops",
        ],
        more: Vec::new(),
        chart: "queue-depth",
        range: case
            .pair
            .b
            .device()
            .starved_bin
            .map(|bin| case.range_of(bin)),
        rule: "the slower run is starved (nothing in flight, bios waiting) for at least 5% of its \
            time, 1.5 times the share of the faster run, and for at least a tenth of the lost time",
        part: case.part(held),
        class: TIME,
    })
}

//! A scheduler that idles: nothing is in flight while requests wait.

use super::{Case, Found, TIME};
use crate::compare::quantity::Kind;

/// Least share of the run that counts.
const LEAST: f64 = 0.05;
/// Least growth.
const GROWTH: f64 = 1.5;
/// Least part of the lost time.
const PART: f64 = 0.1;

/// `starved-while-waiting`
pub fn starved(case: &Case) -> Option<Found> {
    let share = case.both("starved.share")?;
    let lost = case.pair.lost?;
    let grew = share.1 >= LEAST && share.1 >= GROWTH * share.0;
    if !case.slower || !grew || case.part(lost.starved)? < PART {
        return None;
    }
    // Holding requests back also keeps the queue shallow while something is in flight.
    let depth_fell = case.both("depth.mean").is_some_and(|(a, b)| b < a);
    let held = lost.starved + if depth_fell { lost.busy_waiting.max(0.0) } else { 0.0 };
    Some(Found {
        code: "starved-while-waiting",
        sentence: format!(
            "In {} the device sat idle for {} of the run while requests waited; in {}, {}.",
            case.bad(),
            Kind::Share.write(share.1),
            case.good(),
            Kind::Share.write(share.0),
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
        range: case.pair.b.device().starved_bin.map(|bin| case.range_of(bin)),
        rule: "the slower run starves (nothing in flight, bios waiting) for at least 5 % of its time, 1.5 times the share of the faster run, and for at least a tenth of the lost time",
        part: case.part(held),
        class: TIME,
    })
}

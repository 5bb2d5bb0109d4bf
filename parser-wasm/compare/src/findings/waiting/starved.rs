//! A scheduler that idles: nothing is in flight although requests wait.

use crate::findings::{Case, Draft, EvidenceChart};
use crate::threshold::{fraction, percent, times};
use seekscope_trace::quantity::Unit;

/// Minimum share of the run.
const MIN_SHARE: f64 = 0.05;
/// Minimum growth of that share.
const GROWTH: f64 = 1.5;
/// Minimum share of the lost time.
const PART: f64 = 0.1;

/// Code of the finding.
pub const CODE: &str = "starved-while-waiting";

/// What ranks the finding: its own part of the lost time, and that of its effect, because holding
/// requests back also keeps the queue shallow while something is in flight.
pub fn weight(case: &Case) -> Option<f64> {
    let lost = case.pair.lost?;
    let depth_fell = case.both("depth.mean").is_some_and(|(a, b)| b < a);
    let shallow = if depth_fell {
        lost.busy_waiting.max(0.0)
    } else {
        0.0
    };
    case.part(lost.starved + shallow)
}

pub fn rule() -> String {
    format!(
        "the run is starved (nothing in flight, bios waiting) for at least {} of its time, {} the \
         share of the other run; in a slower run for at least {} of the lost time, otherwise \
         significantly longer than in the other",
        percent(MIN_SHARE),
        times(GROWTH),
        fraction(PART),
    )
}

/// `starved-while-waiting`
pub fn starved(case: &Case) -> Option<Draft> {
    let share = case.both("starved.share")?;
    let lost = case.pair.lost?;
    let grew = share.1 >= MIN_SHARE && share.1 >= GROWTH * share.0;
    let explains = case.part(lost.starved).is_some_and(|part| part >= PART);
    let class = case
        .class(explains, case.pair.real("starved.share"))
        .filter(|_| grew)?;
    Some(Draft {
        code: CODE,
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
        chart: EvidenceChart::QueueDepth,
        range: case
            .pair
            .b
            .device()
            .starved_bin
            .map(|bin| case.range_of(bin)),
        part: case.part(lost.starved),
        class,
    })
}

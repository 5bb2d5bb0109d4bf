//! Plugs that nobody releases: requests wait until a timer does, in kernels before 2.6.39.

use crate::findings::{Case, Draft, EvidenceChart};
use crate::runs::digest::DeviceDigest;
use crate::runs::run::ComparisonSide;
use crate::threshold::{fraction, percent, points, timer_plugs};
use seekscope_trace::quantity::Unit;

/// Minimum growth of that time, as a share of the run.
const GROWTH: f64 = 0.05;
/// Minimum share of the lost time.
const PART: f64 = 0.5;

fn waited_ns(device: &DeviceDigest) -> f64 {
    device.unplug_timer.map_or(0.0, |timer| timer.ns as f64)
}

/// Share of the run in which requests wait for the timer.
fn share(side: &ComparisonSide) -> f64 {
    side.mean(|device| {
        waited_ns(device) / (device.active.1.saturating_sub(device.active.0)).max(1) as f64
    })
}

pub fn rule() -> String {
    format!(
        "{} held requests for a share of the run that is larger by at least {}; in a slower run \
         that growth is at least {} of the lost time, otherwise the other run has less than {}",
        timer_plugs(),
        points(GROWTH),
        fraction(PART),
        percent(GROWTH),
    )
}

/// `unplug-timer`
pub fn waited(case: &Case) -> Option<Draft> {
    let timer = case.pair.b.device().unplug_timer?;
    let shares = (share(case.pair.a), share(case.pair.b));
    let grown = case.pair.b.mean(waited_ns) - case.pair.a.mean(waited_ns) * case.pair.work_ratio();
    let explains = case.part(grown).is_some_and(|part| part >= PART);
    let class = case
        .class(explains, shares.0 < GROWTH)
        .filter(|_| shares.1 - shares.0 >= GROWTH)?;
    Some(Draft {
        code: "unplug-timer",
        params: case
            .params()
            .value("share", shares.1, Unit::Share)
            .value("share_good", shares.0, Unit::Share)
            .value("count", timer.count as f64, Unit::Count)
            .value("mean", timer.mean(), Unit::Time),
        keys: &["events.UT", "starved.share", "i2d.mean", "q2d.mean", "iops"],
        more: vec![("unplug_timer.share", case.of_both(shares))],
        chart: EvidenceChart::Stages,
        range: case.bin("i2d.mean", true),
        part: case.part(grown),
        class,
    })
}

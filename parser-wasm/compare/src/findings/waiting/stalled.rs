//! The device, or what is above it, stopped: requests wait and none is completed promptly.

use crate::findings::{CHANGE, Case, Draft, EvidenceChart};
use crate::runs::digest::DeviceDigest;
use crate::runs::run::ComparisonSide;
use crate::sentence::Param;
use crate::threshold::{fraction, stall};
use seekscope_measure::stalls::LongestStall;
use seekscope_trace::quantity::Unit;

/// Minimum growth of the stalled time, where both sides stall.
const GROWTH: f64 = 2.0;
/// Minimum share of the lost time, for a cause of it.
const PART: f64 = 0.5;

fn stalled_ns(device: &DeviceDigest) -> f64 {
    device.stalls.map_or(0.0, |stalls| stalls.ns as f64)
}

fn longest(side: &ComparisonSide) -> Option<LongestStall> {
    let stalls = side.devices().iter().filter_map(|device| device.stalls);
    stalls
        .map(|stalls| stalls.longest)
        .max_by_key(|stall| stall.to_ns - stall.from_ns)
}

/// `3 requests`
pub fn counted(requests: u64) -> String {
    let plural = if requests == 1 { "" } else { "s" };
    format!("{requests} request{plural}")
}

pub fn rule() -> String {
    format!(
        "{}; the other side does not, or for at most {} of that time; it is a cause of lost time \
         where it accounts for at least {} of it",
        stall("one side stalls"),
        fraction(1.0 / GROWTH),
        fraction(PART),
    )
}

/// `stalled`
pub fn stalled(case: &Case) -> Option<Draft> {
    let bad = longest(case.pair.b)?;
    let good = longest(case.pair.a);
    let ns = (case.pair.a.mean(stalled_ns), case.pair.b.mean(stalled_ns));
    if ns.1 < GROWTH * ns.0 {
        return None;
    }
    let part = case.part(ns.1 - ns.0);
    let class = case
        .class(part.is_some_and(|part| part >= PART), true)
        .unwrap_or(CHANGE);
    let totals = case
        .pair
        .b
        .devices()
        .iter()
        .filter_map(|device| device.stalls);
    let (count, all) = totals.fold((0, 0), |(count, ns), stalls| {
        (count + stalls.count, ns + stalls.ns)
    });
    let mut params = case
        .params()
        .with("did", Param::Text(bad.kind.verb().to_owned()))
        .value("longest", (bad.to_ns - bad.from_ns) as f64, Unit::Time)
        .with("requests", Param::Text(counted(bad.requests)))
        .with(
            "good_did",
            Param::Text(
                if good.is_some() {
                    "stalled"
                } else {
                    "did not stall"
                }
                .to_owned(),
            ),
        );
    if let Some(good) = good {
        params = params.value(
            "longest_good",
            (good.to_ns - good.from_ns) as f64,
            Unit::Time,
        );
    }
    if count > 1 {
        params =
            params
                .value("count", count as f64, Unit::Count)
                .value("all", all as f64, Unit::Time);
    }
    Some(Draft {
        code: "stalled",
        params,
        keys: &["q2c.max", "d2c.max", "q2c.p99", "iops"],
        more: vec![("stalls.ns", case.of_both(ns))],
        chart: EvidenceChart::Latency,
        range: Some((bad.from_ns, bad.to_ns)),
        part,
        class,
    })
}

//! A limit of a control group that holds bios back before they are queued.

use crate::findings::{Case, Draft, EvidenceChart};
use crate::runs::digest::DeviceDigest;
use crate::runs::run::ComparisonSide;
use crate::sentence::{Param, Sentence};
use crate::threshold::{fraction, points, times};
use crate::wording;
use seekscope_measure::waiting::throttled::ThrottleLimit;
use seekscope_trace::quantity::Unit;

/// Minimum growth of the time in which bios are held back, as a share of the run.
const GROWTH: f64 = 0.05;
/// Minimum growth as a factor, in a run that is not certainly slower: repeats under one limit
/// differ.
const FACTOR: f64 = 1.5;
/// Minimum share of the lost time.
const PART: f64 = 0.5;

fn held_ns(device: &DeviceDigest) -> f64 {
    device
        .throttled
        .as_ref()
        .map_or(0.0, |throttled| throttled.ns as f64)
}

/// Share of the run in which bios are held back.
fn share(side: &ComparisonSide) -> f64 {
    side.mean(|device| {
        held_ns(device) / (device.active.1.saturating_sub(device.active.0)).max(1) as f64
    })
}

pub fn rule() -> String {
    format!(
        "messages of blk-throttle show that bios were held back before Q, for a share of the run \
         that is larger by at least {}; in a slower run that growth is at least {} of the lost \
         time, otherwise it is {} the share of the other run",
        points(GROWTH),
        fraction(PART),
        times(FACTOR),
    )
}

/// `throttled`
pub fn throttled(case: &Case) -> Option<Draft> {
    let found = case.pair.b.device().throttled.as_ref()?;
    let shares = (share(case.pair.a), share(case.pair.b));
    let grown = case.pair.b.mean(held_ns) - case.pair.a.mean(held_ns) * case.pair.work_ratio();
    let explains = case.part(grown).is_some_and(|part| part >= PART);
    let certain = shares.1 >= FACTOR * shares.0;
    let class = case
        .class(explains, certain)
        .filter(|_| shares.1 - shares.0 >= GROWTH)?;
    let mut params = case.params().value("share", shares.1, Unit::Share).value(
        "share_good",
        shares.0,
        Unit::Share,
    );
    let limits = [("reads", found.read), ("writes", found.write)]
        .into_iter()
        .flat_map(|(what, limit)| words(case, what, limit));
    let limits: Vec<Sentence> = limits.collect();
    if !limits.is_empty() {
        params = params.with("limits", Param::Parts(Sentence::joined(limits)));
    }
    Some(Draft {
        code: "throttled",
        params,
        keys: &["states.nobody", "depth.mean", "q2c.mean", "iops"],
        more: vec![("throttled.share", case.of_both(shares))],
        chart: EvidenceChart::QueueDepth,
        range: case.bin("states.nobody", true),
        part: case.part(grown),
        class,
    })
}

/// The limits of reads or writes, as far as the messages name them.
fn words(case: &Case, what: &str, limit: ThrottleLimit) -> Vec<Sentence> {
    let limits = [(limit.iops, Unit::PerSecond), (limit.bps, Unit::Rate)];
    let words = |(value, unit): (Option<u64>, Unit)| {
        let params = case
            .params()
            .value("limit", value? as f64, unit)
            .with("what", Param::Text(what.to_owned()));
        Some(params.fill(wording::THROTTLE_LIMIT))
    };
    limits.into_iter().filter_map(words).collect()
}

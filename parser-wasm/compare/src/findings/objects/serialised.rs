//! Processes that wait for each other at one file: few requests are in flight, none waits in the
//! block layer, and the device is no slower.

use super::{noun, of_both, pairs, ratio};
use crate::findings::{Case, Draft, EvidenceChart};
use crate::sentence::Param;
use crate::threshold::{fraction, percent};
use crate::work::helps;
use seekscope_measure::objects::MIN_KNOWN;
use seekscope_trace::quantity::Unit;
use seekscope_trace::store::ObjectKind;

/// Minimum share of the bytes that the file has.
const MIN_SHARE: f64 = 0.9;
/// Minimum number of processes that use it.
const PROCESSES: usize = 2;
/// Minimum share of the requests of each of them.
const PROCESS_SHARE: f64 = 0.05;
/// Maximum depth, as a share of that of the other run.
const DEPTH: f64 = 0.6;
/// Maximum time in the device, as a share of that of the other run.
const D2C: f64 = 1.1;
/// Maximum share of the run in which requests wait while nothing is in flight.
const STARVED: f64 = 0.05;

pub fn rule() -> String {
    format!(
        "one file has at least {} of the bytes of both runs and is used by at least {PROCESSES} \
         processes; the mean depth is at most {} of the other run's, although D2C is at most {} of \
         it and the device is starved for less than {}; the map knows the owner of at least {} of \
         the bytes",
        percent(MIN_SHARE),
        fraction(DEPTH),
        percent(D2C),
        percent(STARVED),
        percent(MIN_KNOWN),
    )
}

/// `same-file-serialised`
pub fn serialised(case: &Case) -> Option<Draft> {
    let (good, bad) = of_both(case)?;
    let (_, file) = pairs(good, bad).find(|(before, now)| {
        now.kind == ObjectKind::File
            && ratio(now.sums.bytes(), bad.all.bytes()) >= MIN_SHARE
            && ratio(before.sums.bytes(), good.all.bytes()) >= MIN_SHARE
    })?;
    let submitters = case.pair.b.device().submitters.as_ref()?;
    let processes = submitters
        .top
        .iter()
        .filter(|process| {
            !helps(&process.name)
                && ratio(process.sums.requests, submitters.all.requests) >= PROCESS_SHARE
        })
        .count();
    let (depth, d2c) = (case.both("depth.mean")?, case.both("d2c.mean")?);
    let starved = case.both("starved.share")?;
    if processes < PROCESSES
        || depth.1 > DEPTH * depth.0
        || d2c.1 > D2C * d2c.0
        || starved.1 >= STARVED
    {
        return None;
    }
    let lost = case.pair.lost.as_ref();
    let part = lost.and_then(|lost| case.part(lost.nobody + lost.busy));
    Some(Draft {
        code: "same-file-serialised",
        params: case
            .params()
            .with("file", Param::Text(noun(file)))
            .value("processes", processes as f64, Unit::Count)
            .value("depth", depth.1, Unit::Number)
            .value("depth_good", depth.0, Unit::Number),
        keys: &["depth.mean", "d2c.mean", "starved.share", "iops"],
        more: Vec::new(),
        chart: EvidenceChart::QueueDepth,
        range: case.bin("depth.mean", false),
        part,
        class: case.class(true, false)?,
    })
}

//! Requests that are no longer sorted before the device, and completions on other CPUs.

use crate::findings::{CHANGE, Case, Draft, EvidenceChart, TIME};
use crate::threshold::{fraction, percent, points, times};
use seekscope_trace::quantity::Unit;

/// Minimum share of requests that the good side issues out of the order of Q.
const SORTED: f64 = 0.1;
/// Minimum growth of the seek distance as issued, also in relation to that as queued, and from as
/// issued to as queued on the good side; maximum growth of that as queued.
const FARTHER: f64 = 1.3;
/// Minimum growth of D2C: on a device that does not pay for seeks they are no cause.
const D2C: f64 = 1.1;
/// Minimum number of requests that are in flight or wait: of fewer there is nothing to sort.
const CHOICE: f64 = 2.0;
/// Minimum growth of the share of requests that complete on another CPU.
const MIGRATED: f64 = 0.2;

pub fn fell_rule() -> String {
    format!(
        "in the slower run, the seek distance as issued is significantly longer, at least \
         {farther} the other's, also in relation to that as queued, which is at most {farther} \
         the other's; the other run issues at least {} of its requests out of the order of Q, and \
         its seek distance as queued is at least {farther} that as issued; D2C is longer by at \
         least {}; and at least {CHOICE} requests are in flight or wait",
        percent(SORTED),
        fraction(D2C - 1.0),
        farther = times(FARTHER),
    )
}

/// `reordering-fell`
pub fn fell(case: &Case) -> Option<Draft> {
    let reordered = case.both("reordered.share")?;
    let (issued, queued) = (
        case.both("seek.issued.mean_abs")?,
        case.both("seek.queued.mean_abs")?,
    );
    let (depth, waiting, d2c) = (
        case.both("depth.mean")?,
        case.both("waiting.mean")?,
        case.both("d2c.mean")?,
    );
    // Fair schedulers, and queues whose requests overtake each other, change the order without
    // making seeks shorter.
    let sorted = reordered.0 >= SORTED && queued.0 >= FARTHER * issued.0;
    let less = issued.1 * queued.0 >= FARTHER * issued.0 * queued.1;
    // Bios are queued in the same order; only what is issued is farther apart.
    let apart = issued.1 >= FARTHER * issued.0
        && case.pair.real("seek.issued.mean_abs")
        && queued.1 <= FARTHER * queued.0;
    let slower = case.slower && d2c.1 >= D2C * d2c.0 && depth.1 + waiting.1 >= CHOICE;
    if !sorted || !less || !apart || !slower {
        return None;
    }
    let lost = case.pair.lost?;
    Some(Draft {
        code: "reordering-fell",
        params: case
            .params()
            .value("distance", issued.1 * 512.0, Unit::Bytes)
            .value("distance_good", issued.0 * 512.0, Unit::Bytes)
            .value("queued", queued.1 * 512.0, Unit::Bytes)
            .value("queued_good", queued.0 * 512.0, Unit::Bytes),
        keys: &[
            "reordered.share",
            "seek.issued.mean_abs",
            "seek.queued.mean_abs",
            "waiting.mean",
            "d2c.mean",
            "iops",
        ],
        more: Vec::new(),
        chart: EvidenceChart::SeekMap,
        range: case.bin("seek.issued.mean_abs", true),
        part: case.part(lost.busy + lost.busy_waiting),
        class: TIME,
    })
}

pub fn migrated_rule() -> String {
    format!(
        "the share of requests whose last C is of another CPU than their first Q grew by at least \
         {}; between groups significantly, between single runs with another rq_affinity in the \
         notes",
        points(MIGRATED),
    )
}

/// `completions-migrated`
pub fn migrated(case: &Case) -> Option<Draft> {
    let share = case.both("migrated.share")?;
    let groups = case.pair.a.runs.len() > 1 && case.pair.b.runs.len() > 1;
    // Processes run on other CPUs in each repeat.
    let certain = if groups {
        case.pair.real("migrated.share")
    } else {
        case.changed("rq_affinity")
    };
    if share.1 - share.0 < MIGRATED || !certain {
        return None;
    }
    let longer = case.slower
        && (case.pair.real("d2c.mean") && case.both("d2c.mean").is_some_and(|d2c| d2c.1 > d2c.0));
    Some(Draft {
        code: "completions-migrated",
        params: case.params().value("migrated", share.1, Unit::Share).value(
            "migrated_good",
            share.0,
            Unit::Share,
        ),
        keys: &["migrated.share", "d2c.mean", "q2c.mean", "iops"],
        more: Vec::new(),
        chart: EvidenceChart::Latency,
        range: case.bin("migrated.share", true),
        part: None,
        class: if longer { TIME } else { CHANGE },
    })
}

//! Requests that are further apart, and processes that alternate.

use crate::findings::{Case, Draft, EvidenceChart, TIME};
use crate::threshold::{fraction, points};
use seekscope_trace::quantity::Unit;

/// Minimum growth of the share of requests that are not sequential.
const SEEKS: f64 = 0.15;
/// Minimum growth of the share of requests that switch process.
const TURNS: f64 = 0.15;
/// Minimum growth of either, as a factor.
const GROWTH: f64 = 1.3;
/// Minimum growth of D2C: on a device that does not pay for seeks they are no cause.
const D2C: f64 = 1.1;

fn slower_answers(case: &Case) -> bool {
    case.slower
        && case
            .both("d2c.mean")
            .map_or(case.masked(), |(a, b)| b > D2C * a)
}

/// Key of the share of sequential requests in the order of D, or, in recordings without D, of C or
/// Q.
fn sequential(case: &Case) -> Option<&'static str> {
    let issued = "seek.issued.sequential_share";
    let others = [
        "seek.completed.sequential_share",
        "seek.queued.sequential_share",
    ];
    case.first_of(&[issued])
        .or_else(|| case.first_of(&others).filter(|_| case.masked()))
}

pub fn grew_rule() -> String {
    format!(
        "the share of requests that are not sequential grew by at least {} and a factor of \
         {GROWTH}, and D2C (where recorded) by {}, in the slower run",
        points(SEEKS),
        fraction(D2C - 1.0),
    )
}

/// `seeks-grew`
pub fn grew(case: &Case) -> Option<Draft> {
    let key = sequential(case)?;
    let sequential = case.both(key)?;
    let seeks = (1.0 - sequential.0, 1.0 - sequential.1);
    if !slower_answers(case) || seeks.1 - seeks.0 < SEEKS || seeks.1 < GROWTH * seeks.0 {
        return None;
    }
    Some(Draft {
        code: "seeks-grew",
        params: case.params().value("seeks", seeks.1, Unit::Share).value(
            "seeks_good",
            seeks.0,
            Unit::Share,
        ),
        keys: &[
            "seek.issued.sequential_share",
            "seek.issued.per_second_64k",
            "seek.issued.mean_abs",
            "seek.completed.sequential_share",
            "d2c.mean",
        ],
        more: Vec::new(),
        chart: EvidenceChart::SeekMap,
        range: case.bin(key, false),
        part: None,
        class: TIME,
    })
}

pub fn interleaving_rule() -> String {
    format!(
        "the share of requests that switch process grew by at least {} and a factor of {GROWTH}, \
         and D2C by {}, in the slower run",
        points(TURNS),
        fraction(D2C - 1.0),
    )
}

/// `interleaving-grew`
pub fn interleaving(case: &Case) -> Option<Draft> {
    let turns = case.both("interleaving.switch_share")?;
    if !slower_answers(case) || turns.1 - turns.0 < TURNS || turns.1 < GROWTH * turns.0 {
        return None;
    }
    Some(Draft {
        code: "interleaving-grew",
        params: case.params().value("switches", turns.1, Unit::Share).value(
            "switches_good",
            turns.0,
            Unit::Share,
        ),
        keys: &[
            "interleaving.switch_share",
            "interleaving.mean_run",
            "seek.issued.per_second_64k",
        ],
        more: Vec::new(),
        chart: EvidenceChart::SeekMap,
        range: case.bin("interleaving.switch_share", true),
        part: None,
        class: TIME,
    })
}

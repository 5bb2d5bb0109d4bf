//! Requests that are further apart, and processes that alternate.

use super::{Case, Found, TIME};
use crate::compare::quantity::Kind;

/// Least growth of the share of requests that are not sequential.
const SEEKS: f64 = 0.15;
/// Least growth of the share of requests that follow another process.
const TURNS: f64 = 0.15;
/// Least growth of either, as a factor.
const GROWTH: f64 = 1.3;
/// Longer requests hide a shallower queue's seeks: D2C must have grown.
const D2C: f64 = 1.1;

fn slower_answers(case: &Case) -> bool {
    case.slower && case.both("d2c.mean").is_some_and(|(a, b)| b > D2C * a)
}

/// `seeks-grew`
pub fn grew(case: &Case) -> Option<Found> {
    let sequential = case.both("seek.issued.sequential_share")?;
    let seeks = (1.0 - sequential.0, 1.0 - sequential.1);
    if !slower_answers(case) || seeks.1 - seeks.0 < SEEKS || seeks.1 < GROWTH * seeks.0 {
        return None;
    }
    Some(Found {
        code: "seeks-grew",
        sentence: format!(
            "{} of the requests needed a seek in {}, {} in {}.",
            Kind::Share.write(seeks.1),
            case.bad(),
            Kind::Share.write(seeks.0),
            case.good(),
        ),
        keys: &["seek.issued.sequential_share", "seek.issued.per_second_64k", "seek.issued.mean_abs", "d2c.mean"],
        more: Vec::new(),
        chart: "seek-map",
        range: case.bin("seek.issued.sequential_share", false),
        rule: "requests that are not sequential grew by at least 15 points and a factor of 1.3, and D2C by a tenth, in the slower run",
        part: None,
        class: TIME,
    })
}

/// `interleaving-grew`
pub fn interleaving(case: &Case) -> Option<Found> {
    let turns = case.both("interleaving.switch_share")?;
    if !slower_answers(case) || turns.1 - turns.0 < TURNS || turns.1 < GROWTH * turns.0 {
        return None;
    }
    Some(Found {
        code: "interleaving-grew",
        sentence: format!(
            "{} of the requests followed one of another process in {}, {} in {}.",
            Kind::Share.write(turns.1),
            case.bad(),
            Kind::Share.write(turns.0),
            case.good(),
        ),
        keys: &["interleaving.switch_share", "interleaving.mean_run", "seek.issued.per_second_64k"],
        more: Vec::new(),
        chart: "seek-map",
        range: case.bin("interleaving.switch_share", true),
        rule: "requests that follow another process grew by at least 15 points and a factor of 1.3, and D2C by a tenth, in the slower run",
        part: None,
        class: TIME,
    })
}

//! Flushes and forced writes that the other side lacks.

use super::{CHANGE, Case, Draft, TIME};
use crate::compare::quantity::Unit;
use crate::compare::run::ComparisonSide;
use crate::compare::sentence::Params;

/// Minimum per write.
const LEAST: f64 = 0.02;
/// Minimum growth of the number per write.
const GROWTH: f64 = 1.5;

/// Writes that carry data, at Q, D or C.
fn writes(side: &ComparisonSide, at: usize) -> f64 {
    side.mean(|d| d.sizes[at].iter().map(|row| row.writes).sum::<u64>() as f64)
}

/// Per 100 writes, both sides.
fn per_hundred(case: &Case, key: &str) -> Option<(f64, f64)> {
    let (a, b) = case.both(key)?;
    // As completed; as issued or queued, where a run was recorded without completions.
    let known = |at: &usize| !case.masked() || writes(case.pair.a, *at) > 0.0 && writes(case.pair.b, *at) > 0.0;
    let at = [2, 1, 0].into_iter().find(known).unwrap_or(2);
    let (wa, wb) = (writes(case.pair.a, at), writes(case.pair.b, at));
    let grew = wb > 0.0 && b / wb >= LEAST && (wa == 0.0 || b / wb >= GROWTH * a / wa);
    grew.then(|| (if wa > 0.0 { a / wa * 100.0 } else { 0.0 }, b / wb * 100.0))
}

fn draft(case: &Case, code: &'static str, params: Params, part: Option<f64>) -> Draft {
    Draft {
        code,
        params,
        keys: &["flush.flush", "flush.preflush", "flush.fua", "flush.busy", "d2c.mean", "iops"],
        more: Vec::new(),
        chart: "flushes",
        range: if code == "flushes-appeared" { case.bin("flush.busy", true) } else { None },
        rule: "at least 2 per 100 writes, and 1.5 times as many as in the other run",
        part,
        class: if case.slower { TIME } else { CHANGE },
    }
}

/// `flushes-appeared`
pub fn flushes(case: &Case) -> Option<Draft> {
    let rate = per_hundred(case, "flush.flush")?;
    let time = case.both("flush.busy").zip(case.both("span")).map(|(busy, span)| busy.1 * span.1 - busy.0 * span.0);
    let mut params = case.params().value("flushes", rate.1, Unit::Number).value("flushes_good", rate.0, Unit::Number);
    if let Some((_, busy)) = case.both("flush.busy") {
        params = params.value("busy", busy, Unit::Share);
    }
    Some(draft(case, "flushes-appeared", params, time.and_then(|ns| case.part(ns))))
}

/// `fua-appeared`
pub fn fua(case: &Case) -> Option<Draft> {
    let rate = per_hundred(case, "flush.fua")?;
    let lost = case.pair.lost.map(|l| l.busy + l.busy_waiting);
    let params = case.params().value("fua", rate.1, Unit::Number).value("fua_good", rate.0, Unit::Number);
    Some(draft(case, "fua-appeared", params, lost.and_then(|ns| case.part(ns))))
}

//! Flushes and forced writes that the other side lacks.

use super::{CHANGE, Case, Draft, EvidenceChart, TIME};
use crate::runs::run::ComparisonSide;
use crate::sentence::{Param, Params};
use crate::threshold::times;
use seekscope_trace::quantity::{Unit, figure};

/// Minimum number of flushes, or of forced writes, per write.
pub const MIN_FLUSHES_PER_WRITE: f64 = 0.02;
/// Minimum growth of the number per write.
const GROWTH: f64 = 1.5;

/// Flushes and forced writes per write from which on about each write is made durable.
const EACH: f64 = 0.5;
/// Minimum growth of the share of sync requests that is worth a word.
const SYNC: f64 = 0.05;

/// Writes that carry data, as queued (`action` 0), issued (1) or completed (2).
fn writes(side: &ComparisonSide, action: usize) -> f64 {
    side.mean(|d| d.sizes[action].iter().map(|row| row.writes).sum::<u64>() as f64)
}

/// Writes of both sides, at the same action.
pub fn writes_of(case: &Case) -> (f64, f64) {
    // As completed; as issued or queued, where a run was recorded without completions.
    let is_known = |action: &usize| {
        !case.masked() || writes(case.pair.a, *action) > 0.0 && writes(case.pair.b, *action) > 0.0
    };
    let action = [2, 1, 0].into_iter().find(is_known).unwrap_or(2);
    (writes(case.pair.a, action), writes(case.pair.b, action))
}

/// A count per 100 writes of both sides, if it grew.
fn per_hundred(case: &Case, key: &str) -> Option<(f64, f64)> {
    let (a, b) = case.both(key)?;
    let (wa, wb) = writes_of(case);
    let grew =
        wb > 0.0 && b / wb >= MIN_FLUSHES_PER_WRITE && (wa == 0.0 || b / wb >= GROWTH * a / wa);
    grew.then(|| (if wa > 0.0 { a / wa * 100.0 } else { 0.0 }, b / wb * 100.0))
}

/// How many writes there are for each of `rate` per 100 writes, and whether the writes became
/// synchronous.
fn waited_for(case: &Case, params: Params, rate: f64) -> Params {
    let mut params = params;
    if rate < 100.0 {
        params = params.value("per", 100.0 / rate, Unit::Number);
    }
    if let Some((sync_good, sync)) = case.both("sync").filter(|(a, b)| b - a >= SYNC) {
        params = params
            .value("sync", sync, Unit::Share)
            .value("sync_good", sync_good, Unit::Share);
    }
    // A disk without FUA flushes instead.
    let writes = writes_of(case);
    let made_durable = case
        .both("flush.flush")
        .zip(case.both("flush.fua"))
        .map(|(flush, fua)| {
            (
                (flush.0 + fua.0) / writes.0.max(1.0),
                (flush.1 + fua.1) / writes.1.max(1.0),
            )
        });
    let each = made_durable.is_some_and(|(good, bad)| bad >= EACH && good <= EACH / 2.0);
    if each {
        params.with("each", Param::Flag)
    } else {
        params
    }
}

const FLUSH_FIGURES: [&str; 8] = [
    "flush.flush",
    "flush.preflush",
    "flush.fua",
    "flush.busy",
    "sync",
    "depth.mean",
    "d2c.mean",
    "iops",
];
const FUA_FIGURES: [&str; 8] = [
    "flush.fua",
    "flush.flush",
    "flush.preflush",
    "flush.busy",
    "sync",
    "depth.mean",
    "d2c.mean",
    "iops",
];

fn draft(case: &Case, code: &'static str, params: Params, part: Option<f64>) -> Draft {
    Draft {
        code,
        params,
        keys: if code == "fua-appeared" {
            &FUA_FIGURES
        } else {
            &FLUSH_FIGURES
        },
        more: Vec::new(),
        chart: EvidenceChart::Flushes,
        range: if code == "flushes-appeared" {
            case.bin("flush.busy", true)
        } else {
            None
        },
        part,
        class: if case.slower { TIME } else { CHANGE },
    }
}

pub fn rule() -> String {
    format!(
        "at least {} per 100 writes, and {} as many as in the other run",
        figure(MIN_FLUSHES_PER_WRITE * 100.0),
        times(GROWTH),
    )
}

/// `flushes-appeared`
pub fn flushes(case: &Case) -> Option<Draft> {
    let rate = per_hundred(case, "flush.flush")?;
    let time = case
        .both("flush.busy")
        .zip(case.both("span"))
        .map(|(busy, span)| busy.1 * span.1 - busy.0 * span.0);
    let mut params = case.params().value("flushes", rate.1, Unit::Number).value(
        "flushes_good",
        rate.0,
        Unit::Number,
    );
    if let Some((_, busy)) = case.both("flush.busy") {
        params = params.value("busy", busy, Unit::Share);
    }
    let params = waited_for(case, params, rate.1);
    Some(draft(
        case,
        "flushes-appeared",
        params,
        time.and_then(|ns| case.part(ns)),
    ))
}

/// `fua-appeared`
pub fn fua(case: &Case) -> Option<Draft> {
    let rate = per_hundred(case, "flush.fua")?;
    let lost = case.pair.lost.map(|l| l.busy + l.busy_waiting);
    let params =
        case.params()
            .value("fua", rate.1, Unit::Number)
            .value("fua_good", rate.0, Unit::Number);
    let params = waited_for(case, params, rate.1);
    Some(draft(
        case,
        "fua-appeared",
        params,
        lost.and_then(|ns| case.part(ns)),
    ))
}

//! Flushes and forced writes that were not there.

use super::{CHANGE, Case, Found, TIME};
use crate::compare::quantity::{Kind, digits};
use crate::compare::run::Side;

/// Least a write.
const LEAST: f64 = 0.02;
/// Least growth of the number a write.
const GROWTH: f64 = 1.5;

/// Writes that carry data, as completed.
fn writes(side: &Side) -> f64 {
    side.mean(|d| d.sizes[2].iter().map(|row| row.writes).sum::<u64>() as f64)
}

/// A hundred writes of both sides.
fn per_hundred(case: &Case, key: &str) -> Option<(f64, f64)> {
    let (a, b) = case.both(key)?;
    let (wa, wb) = (writes(case.pair.a), writes(case.pair.b));
    let grew = wb > 0.0 && b / wb >= LEAST && (wa == 0.0 || b / wb >= GROWTH * a / wa);
    grew.then(|| (if wa > 0.0 { a / wa * 100.0 } else { 0.0 }, b / wb * 100.0))
}

fn found(case: &Case, code: &'static str, what: &str, rate: (f64, f64), part: Option<f64>) -> Found {
    Found {
        code,
        sentence: format!(
            "{what}: {} a hundred writes in {}, {} in {}.",
            digits(rate.1),
            case.bad(),
            if rate.0 == 0.0 { "none".to_owned() } else { digits(rate.0) },
            case.good(),
        ),
        keys: &["flush.flush", "flush.preflush", "flush.fua", "flush.busy", "d2c.mean", "iops"],
        more: Vec::new(),
        chart: "flushes",
        range: if code == "flushes-appeared" { case.bin("flush.busy", true) } else { None },
        rule: "at least 2 a hundred writes, and 1.5 times as many as in the other run",
        part,
        class: if case.slower { TIME } else { CHANGE },
    }
}

/// `flushes-appeared`
pub fn flushes(case: &Case) -> Option<Found> {
    let rate = per_hundred(case, "flush.flush")?;
    let time = case.both("flush.busy").zip(case.both("span")).map(|(busy, span)| busy.1 * span.1 - busy.0 * span.0);
    let busy = case.both("flush.busy").map_or(0.0, |b| b.1);
    let what = format!("The device was flushed, {} of the run", Kind::Share.write(busy));
    Some(found(case, "flushes-appeared", &what, rate, time.and_then(|ns| case.part(ns))))
}

/// `fua-appeared`
pub fn fua(case: &Case) -> Option<Found> {
    let rate = per_hundred(case, "flush.fua")?;
    let lost = case.pair.lost.map(|l| l.busy + l.busy_waiting);
    Some(found(case, "fua-appeared", "Writes were forced to the medium (FUA)", rate, lost.and_then(|ns| case.part(ns))))
}

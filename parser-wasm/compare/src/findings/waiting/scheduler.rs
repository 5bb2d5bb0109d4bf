//! Requests that wait longer before they are issued.

use crate::findings::{Case, Draft, EvidenceChart};
use crate::threshold::{fraction, times};
use seekscope_trace::quantity::Unit;

/// Minimum growth of Q2D.
const GROWTH: f64 = 1.5;
/// Minimum share of that growth in Q2C.
const PART: f64 = 0.2;

pub fn rule() -> String {
    format!(
        "the mean Q2D is significantly longer, at least {} the other's, and the growth is at \
         least {} of its Q2C",
        times(GROWTH),
        fraction(PART),
    )
}

/// `scheduler-slower`
pub fn slower(case: &Case) -> Option<Draft> {
    let (q2d, q2c) = (case.both("q2d.mean")?, case.both("q2c.mean")?);
    let grown = q2d.1 - q2d.0;
    let certain = case.pair.real("q2d.mean");
    let class = case
        .class(certain, certain)
        .filter(|_| q2d.1 >= GROWTH * q2d.0 && grown >= PART * q2c.1)?;
    Some(Draft {
        code: "scheduler-slower",
        params: case
            .params()
            .value("q2d", q2d.1, Unit::Time)
            .value("q2d_good", q2d.0, Unit::Time)
            .value("part", q2d.1 / q2c.1, Unit::Share),
        keys: &[
            "q2d.mean", "q2d.p99", "q2g.mean", "g2i.mean", "i2d.mean", "q2c.mean",
        ],
        more: Vec::new(),
        chart: EvidenceChart::Stages,
        range: case.bin("q2d.mean", true),
        part: None,
        class,
    })
}

//! Requests that wait longer before they are issued.

use super::{Case, Found, TIME};
use crate::compare::quantity::Kind;

/// Least growth of Q2D.
const GROWTH: f64 = 1.5;
/// Least part of Q2C that the growth is.
const PART: f64 = 0.2;

/// `scheduler-slower`
pub fn slower(case: &Case) -> Option<Found> {
    let (q2d, q2c) = (case.both("q2d.mean")?, case.both("q2c.mean")?);
    let grown = q2d.1 - q2d.0;
    if !case.slower || !case.pair.real("q2d.mean") || q2d.1 < GROWTH * q2d.0 || grown < PART * q2c.1 {
        return None;
    }
    Some(Found {
        code: "scheduler-slower",
        sentence: format!(
            "Requests waited {} from Q to D in {}, {} in {}: {} of their whole time.",
            Kind::Time.write(q2d.1),
            case.bad(),
            Kind::Time.write(q2d.0),
            case.good(),
            Kind::Share.write(q2d.1 / q2c.1),
        ),
        keys: &["q2d.mean", "q2d.p99", "q2g.mean", "g2i.mean", "i2d.mean", "q2c.mean"],
        more: Vec::new(),
        chart: "stages",
        range: case.bin("q2d.mean", true),
        rule: "mean Q2D of the slower run is at least 1.5 times the other's, by more than noise, and the growth is at least a fifth of its Q2C",
        part: None,
        class: TIME,
    })
}

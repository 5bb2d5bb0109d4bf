//! Whether a total is shown to be equal: two one-sided tests at 5 %, which hold where the whole
//! 90 % interval of the ratio lies within a margin that would not matter. A difference that is not
//! significant is not equal by that.

use super::estimate::{Estimate, FigureError, Uncertain};
use super::noise::{FigureNoise, OF_GROUPS, distance, moderated};
use crate::metric::Metric;
use crate::runs::run::ComparisonSide;
use seekscope_statistics::student::{t_95, t_975};
use std::sync::OnceLock;

/// Largest change of a total that does not matter, as a logarithm. It is the minimum significant
/// change of groups, because a difference must not be both significant and too small to matter.
/// `docs/findings.md` has the reason for its size.
pub const MARGIN: f64 = OF_GROUPS;

/// The margin as a share of the other total: what sentences and rules name.
pub fn margin() -> f64 {
    MARGIN.exp() - 1.0
}
/// More runs than this are not proposed by their number.
pub const MAX_RUNS: usize = 100;

/// How far the total of two sides is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equivalence {
    /// 90 % interval of the ratio, with what repeats differ by.
    pub interval: (f64, f64),
    /// Whether it lies within the margin.
    pub equal: bool,
    /// How many more runs of each side would settle it, if they differ as these do; absent for
    /// more than 100.
    pub more_runs: Option<usize>,
}

/// The error of a side's mean on the scale of logarithms: what its runs differ by, or what repeats
/// are known to differ by, and at least what a single run varies by within itself.
fn relative_error(side: &ComparisonSide, metric: &Metric, noise: FigureNoise) -> Option<Uncertain> {
    let values = side.values(&metric.key);
    let relative = |estimate: &Estimate| match estimate.error {
        Some(FigureError::Standard(error)) if estimate.value > 0.0 => Some(Uncertain {
            standard_error: error.standard_error / estimate.value,
            ..error
        }),
        _ => None,
    };
    let expected = relative(&moderated(&values, metric, noise))?;
    if values.len() > 1 {
        // The runs themselves, if three of them are steady, are better evidence than other
        // recordings.
        let observed = relative(&Estimate::from_runs(&values)).filter(|_| values.len() == 3);
        let reach = |error: Uncertain| error.standard_error * t_95(error.freedom);
        return Some(
            observed
                .filter(|observed| reach(*observed) < reach(expected))
                .unwrap_or(expected),
        );
    }
    let within = side.estimate(0, &metric.key).as_ref().and_then(relative);
    Some(
        within
            .filter(|within| within.standard_error > expected.standard_error)
            .unwrap_or(expected),
    )
}

/// Tests whether the total of two sides is equal. Absent unless both have it, above 0.
pub fn equivalence(
    a: &ComparisonSide,
    b: &ComparisonSide,
    metric: &Metric,
    noise: FigureNoise,
) -> Option<Equivalence> {
    let (x, y) = (a.value(&metric.key)?, b.value(&metric.key)?);
    if x <= 0.0 || y <= 0.0 {
        return None;
    }
    let errors = (
        relative_error(a, metric, noise)?,
        relative_error(b, metric, noise)?,
    );
    let error = errors.0.combined(errors.1);
    let (ratio, reach) = (y / x, error.standard_error * t_95(error.freedom));
    let interval = (ratio * (-reach).exp(), ratio * reach.exp());
    // A recording compared with itself is equal, however uncertain it is.
    let equal = x == y || ratio.ln().abs() + reach <= MARGIN;
    Some(Equivalence {
        interval: if x == y { (1.0, 1.0) } else { interval },
        equal,
        more_runs: more_runs((a, b), errors, distance(metric.unit, x, y)?),
    })
}

/// Numbers of runs of each of two sides, and the quantiles of Student's t that belong to them. They
/// are found once: each comparison looks through all numbers.
fn quantiles_by_runs() -> &'static [(usize, f64, f64)] {
    static TABLE: OnceLock<Vec<(usize, f64, f64)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let row = |n: usize| {
            let freedom = 2.0 * n as f64 - 2.0;
            (n, t_975(freedom), t_95(freedom))
        };
        (2..=MAX_RUNS).map(row).collect()
    })
}

/// How many more runs of each side would make a difference of this size significant, or show that
/// it is within the margin. Runs are assumed to vary as those that exist.
fn more_runs(
    (a, b): (&ComparisonSide, &ComparisonSide),
    (error_a, error_b): (Uncertain, Uncertain),
    distance: f64,
) -> Option<usize> {
    // The deviation of a single run, from the error of the mean.
    let deviation = |side: &ComparisonSide, error: Uncertain| {
        error.standard_error * (side.runs.len() as f64).sqrt()
    };
    let deviation = (deviation(a, error_a).powi(2) + deviation(b, error_b).powi(2)).sqrt();
    let present = a.runs.len().min(b.runs.len());
    let settles = |row: &&(usize, f64, f64)| {
        let (n, t_975, t_95) = **row;
        let error = deviation / (n as f64).sqrt();
        let differs = distance >= MARGIN && t_975 * error <= distance;
        differs || distance + t_95 * error <= MARGIN
    };
    let (needed, ..) = quantiles_by_runs().iter().find(settles)?;
    Some(needed.saturating_sub(present).max(1))
}

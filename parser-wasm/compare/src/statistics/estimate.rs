//! Errors of figures, and whether two figures differ: Welch's t for groups, blocks of consecutive
//! bins within a single run.
//!
//! A figure of one run is a quotient: its bins have parts of a numerator and of a denominator, and
//! the sums over all bins make the figure ([`total`]). Its error is that of the numerator when the
//! denominator is given ([`within`]). Ratios of two figures are judged on logarithms, so that an
//! interval never goes below 0 and "a against b" and "b against a" agree. Percentiles have bounds
//! instead of a standard error; a difference in which one is involved combines intervals.

use seekscope_statistics::blocks::{SeriesError, block_error};
use seekscope_statistics::sample::deviation;
use seekscope_statistics::student::{NORMAL, t_975, two_sided};

/// A figure and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure, or the mean of a group.
    pub value: f64,
    /// Absent where a single value is all there is.
    pub error: Option<FigureError>,
}

/// How uncertain a figure is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FigureError {
    /// Standard error of a mean.
    Standard(Uncertain),
    /// 95 % interval of a percentile; the upper end is absent beyond the largest sample.
    Bounds(f64, Option<f64>),
}

/// A standard error and the degrees of freedom it was found with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uncertain {
    /// In the unit of the figure.
    pub standard_error: f64,
    /// At least 1.
    pub freedom: f64,
}

impl Uncertain {
    /// The error of the difference of two figures.
    pub fn combined(self, other: Uncertain) -> Uncertain {
        let variances = (self.standard_error.powi(2), other.standard_error.powi(2));
        Uncertain {
            standard_error: (variances.0 + variances.1).sqrt(),
            freedom: freedom((variances.0, self.freedom), (variances.1, other.freedom)),
        }
    }
}

/// The difference of two estimates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// Second to first; absent when the first is 0.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio.
    pub interval: Option<(f64, f64)>,
    /// Whether the 95 % interval excludes equality (of the ratio, where there is one); absent
    /// without errors.
    pub sure: Option<bool>,
    /// Probability of a difference as large if there were none; absent without errors.
    pub p: Option<f64>,
}

impl Estimate {
    /// The mean of several runs; without an error for a single one.
    pub fn from_runs(values: &[f64]) -> Estimate {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let error = deviation(values).map(|sd| Uncertain {
            standard_error: sd / n.sqrt(),
            freedom: n - 1.0,
        });
        Estimate {
            value: mean,
            error: error.map(FigureError::Standard),
        }
    }

    /// 95 % interval; the upper end is absent where it is open.
    pub fn interval(self) -> Option<(f64, Option<f64>)> {
        match self.error? {
            FigureError::Bounds(low, high) => Some((low, high)),
            FigureError::Standard(Uncertain {
                standard_error,
                freedom,
            }) if self.value > 0.0 => {
                let width = (t_975(freedom) * standard_error / self.value).exp();
                Some((self.value / width, Some(self.value * width)))
            }
            FigureError::Standard(Uncertain {
                standard_error,
                freedom,
            }) => {
                let reach = t_975(freedom) * standard_error;
                Some((self.value - reach, Some(self.value + reach)))
            }
        }
    }

    /// The figure of one run, with the numerators and denominators of its bins.
    pub fn from_bins(value: f64, bins: &[(f64, f64)]) -> Estimate {
        Estimate {
            value,
            error: within(value, bins).map(FigureError::Standard),
        }
    }
}

/// Minimum number of bins of an estimate.
pub const MIN_BINS: usize = 8;

/// Sums of the numerators and denominators of some bins.
pub fn total<'a>(bins: impl IntoIterator<Item = &'a (f64, f64)>) -> (f64, f64) {
    bins.into_iter()
        .fold((0.0, 0.0), |sum, bin| (sum.0 + bin.0, sum.1 + bin.1))
}

/// How uncertain a figure of one run is, from the numerators and denominators of its bins; absent
/// for too few bins, and for a figure of 0.
pub fn within(value: f64, bins: &[(f64, f64)]) -> Option<Uncertain> {
    let (over, under) = total(bins);
    if bins.len() < MIN_BINS || under <= 0.0 || over == 0.0 {
        return None;
    }
    let quotient = over / under;
    let parts: Vec<f64> = bins
        .iter()
        .map(|(over, under)| over - quotient * under)
        .collect();
    let SeriesError { error, freedom } = block_error(&parts);
    // Relative to the numerator, because the figure may have another scale than the quotient.
    Some(Uncertain {
        standard_error: (error / over).abs() * value.abs(),
        freedom,
    })
}

/// How the second differs from the first.
pub fn difference(a: Estimate, b: Estimate) -> Difference {
    let ratio = (a.value != 0.0).then(|| b.value / a.value);
    let (ea, eb) = match (a.error, b.error) {
        (Some(FigureError::Standard(ea)), Some(FigureError::Standard(eb))) => (ea, eb),
        (Some(_), Some(_)) => return by_intervals(a, b, ratio),
        _ => {
            return Difference {
                ratio,
                ..Difference::default()
            };
        }
    };
    let (va, vb) = (ea.standard_error.powi(2), eb.standard_error.powi(2));
    let joint = freedom((va, ea.freedom), (vb, eb.freedom));
    let distance = (b.value - a.value).abs();
    let sure = distance > t_975(joint) * (va + vb).sqrt();
    let p = if distance == 0.0 {
        1.0
    } else {
        two_sided(distance / (va + vb).sqrt(), joint)
    };
    // The ratio's interval by the errors of the logarithms: it never goes below 0.
    let by_ratio = ratio.filter(|r| *r > 0.0).map(|ratio| {
        let (ra, rb) = (va / a.value.powi(2), vb / b.value.powi(2));
        let joint = freedom((ra, ea.freedom), (rb, eb.freedom));
        let width = (t_975(joint) * (ra + rb).sqrt()).exp();
        let p = if ratio == 1.0 {
            1.0
        } else {
            two_sided(ratio.ln() / (ra + rb).sqrt(), joint)
        };
        ((ratio / width, ratio * width), p)
    });
    let interval = by_ratio.map(|(interval, _)| interval);
    let sure = interval.map_or(sure, |(low, high)| low > 1.0 || high < 1.0);
    Difference {
        ratio,
        interval,
        sure: Some(sure),
        p: Some(by_ratio.map_or(p, |(_, p)| p)),
    }
}

/// The interval of a ratio from those of both figures (MOVER, on logarithms): each end combines the
/// distances to the opposite ends of the two intervals.
fn by_intervals(a: Estimate, b: Estimate, ratio: Option<f64>) -> Difference {
    let intervals = ratio
        .filter(|ratio| *ratio > 0.0)
        .zip(a.interval())
        .zip(b.interval());
    let Some(((ratio, (a_low, a_high)), (b_low, b_high))) = intervals else {
        return Difference {
            ratio,
            ..Difference::default()
        };
    };
    let down = |from: f64, to: f64| {
        if to > 0.0 {
            (from / to).ln().powi(2)
        } else {
            f64::INFINITY
        }
    };
    let up = |from: f64, to: Option<f64>| to.map_or(f64::INFINITY, |to| (to / from).ln().powi(2));
    let low = ratio * (-(down(b.value, b_low) + up(a.value, a_high)).sqrt()).exp();
    let high = ratio * (up(b.value, b_high) + down(a.value, a_low)).sqrt().exp();
    // The end towards equality is as many standard errors away as in a normal distribution.
    let reach = if ratio > 1.0 {
        (ratio / low).ln()
    } else {
        (high / ratio).ln()
    };
    let p = if ratio == 1.0 {
        1.0
    } else {
        two_sided(t_975(NORMAL) * ratio.ln() / reach, NORMAL)
    };
    Difference {
        ratio: Some(ratio),
        interval: Some((low, high)),
        sure: Some(low > 1.0 || high < 1.0),
        p: Some(p),
    }
}

/// Degrees of freedom of a difference (Welch and Satterthwaite), from the variances of both means
/// and their degrees of freedom.
fn freedom((va, fa): (f64, f64), (vb, fb): (f64, f64)) -> f64 {
    let all = va + vb;
    if all == 0.0 {
        fa + fb
    } else {
        all.powi(2) / (va.powi(2) / fa + vb.powi(2) / fb)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_groups_by_welch() {
        // Textbook case: means 20.8 and 23.0.
        let (a, b) = (
            [27.5, 21.0, 19.0, 23.6, 17.0, 17.9],
            [27.1, 22.0, 20.8, 23.4, 23.4, 23.5],
        );
        let (a, b) = (Estimate::from_runs(&a), Estimate::from_runs(&b));
        let d = difference(a, b);
        assert_eq!(d.sure, Some(false));
        assert!((d.ratio.unwrap() - 23.366_666 / 21.0).abs() < 1e-5);
        let far = Estimate::from_runs(&[45.0, 46.0, 45.5]);
        assert_eq!(difference(a, far).sure, Some(true));
        assert_eq!(
            difference(
                Estimate {
                    value: 1.0,
                    error: None
                },
                far
            )
            .sure,
            None
        );
    }

    #[test]
    fn a_steady_run_is_surer_than_an_uneven_one() {
        let error = |bins: &[(f64, f64)]| match Estimate::from_bins(10.0, bins).error {
            Some(FigureError::Standard(error)) => error,
            other => panic!("{other:?}"),
        };
        let steady: Vec<(f64, f64)> = (0..30).map(|i| (10.0 + f64::from(i % 2), 1.0)).collect();
        let drifting: Vec<(f64, f64)> = (0..30).map(|i| (f64::from(i), 1.0)).collect();
        assert!(error(&steady).standard_error < 0.2);
        assert!(error(&drifting).standard_error > 1.0);
        assert_eq!(error(&steady).freedom, 4.0);
        assert_eq!(Estimate::from_bins(10.0, &steady[..7]).error, None);
        assert_eq!(Estimate::from_bins(0.0, &[(0.0, 0.0); 30]).error, None);
    }
}

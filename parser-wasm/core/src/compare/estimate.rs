//! Errors of figures, and whether two figures differ: Welch's t for groups, a moving-block bootstrap over the bins of a single run.
//!
//! Blocks are as long as the square root of the number of bins, so that slow drifts of a run count as uncertainty.

/// Number of resamples of a run.
const RESAMPLES: usize = 300;

/// A figure and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure: of a group, the mean.
    pub value: f64,
    /// Absent where a single value is all there is.
    pub error: Option<Uncertain>,
}

/// A standard error and the degrees of freedom it was found with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uncertain {
    /// In the figure's unit.
    pub standard_error: f64,
    /// At least 1.
    pub freedom: f64,
}

/// The difference of two estimates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// Second to first; absent when the first is 0.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio.
    pub interval: Option<(f64, f64)>,
    /// Whether the 95 % interval excludes equality (of the ratio, where there is one); absent without errors.
    pub sure: Option<bool>,
}

impl Estimate {
    /// Mean of several runs.
    pub fn of_runs(values: &[f64]) -> Estimate {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let error = deviation(values).map(|sd| Uncertain { standard_error: sd / n.sqrt(), freedom: n - 1.0 });
        Estimate { value: mean, error }
    }

    /// Of one run, with the parts of its bins in numerator and denominator.
    pub fn of_bins(value: f64, bins: &[(f64, f64)]) -> Estimate {
        Estimate { value, error: bootstrap(value, bins) }
    }
}

/// Standard deviation of a sample; absent for fewer than two values.
pub fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    Some((values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt())
}

fn bootstrap(value: f64, bins: &[(f64, f64)]) -> Option<Uncertain> {
    let n = bins.len();
    let total = quotient(bins.iter())?;
    if n < 8 || total == 0.0 {
        return None;
    }
    let block = (n as f64).sqrt().ceil() as usize;
    let blocks = n.div_ceil(block);
    let mut random = XorShift(0x9e37_79b9_7f4a_7c15);
    let drawn = (0..RESAMPLES).filter_map(|_| {
        let starts: Vec<usize> = (0..blocks).map(|_| random.below(n)).collect();
        quotient(starts.iter().flat_map(|start| (0..block).map(move |i| (start + i) % n)).take(n).map(|i| &bins[i]))
    });
    let drawn: Vec<f64> = drawn.collect();
    let relative = deviation(&drawn)? / total.abs();
    Some(Uncertain { standard_error: relative * value.abs(), freedom: (blocks as f64 - 1.0).max(1.0) })
}

fn quotient<'a>(bins: impl Iterator<Item = &'a (f64, f64)>) -> Option<f64> {
    let (over, under) = bins.fold((0.0, 0.0), |sum, bin| (sum.0 + bin.0, sum.1 + bin.1));
    (under > 0.0).then(|| over / under)
}

/// The same numbers each time, so that a comparison is reproducible.
struct XorShift(u64);

impl XorShift {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * n as u128) >> 64) as usize
    }
}

/// How the second differs from the first.
pub fn difference(a: Estimate, b: Estimate) -> Difference {
    let ratio = (a.value != 0.0).then(|| b.value / a.value);
    let (Some(ea), Some(eb)) = (a.error, b.error) else { return Difference { ratio, ..Difference::default() } };
    let (va, vb) = (ea.standard_error.powi(2), eb.standard_error.powi(2));
    let t = t_975(freedom((va, ea.freedom), (vb, eb.freedom)));
    let sure = (b.value - a.value).abs() > t * (va + vb).sqrt();
    // The ratio's interval by the errors of the logarithms: it never goes below 0.
    let interval = ratio.filter(|r| *r > 0.0).map(|ratio| {
        let (ra, rb) = (va / a.value.powi(2), vb / b.value.powi(2));
        let width = (t_975(freedom((ra, ea.freedom), (rb, eb.freedom))) * (ra + rb).sqrt()).exp();
        (ratio / width, ratio * width)
    });
    let sure = interval.map_or(sure, |(least, most)| least > 1.0 || most < 1.0);
    Difference { ratio, interval, sure: Some(sure) }
}

/// Welch and Satterthwaite: of two variances of means with their degrees of freedom.
fn freedom((va, fa): (f64, f64), (vb, fb): (f64, f64)) -> f64 {
    let all = va + vb;
    if all == 0.0 { fa + fb } else { all.powi(2) / (va.powi(2) / fa + vb.powi(2) / fb) }
}

/// 97.5 % quantile of Student's t: interpolated in 1 / freedom, right to 0.3 %.
fn t_975(freedom: f64) -> f64 {
    const TABLE: [(f64, f64); 16] = [
        (1.0, 12.706),
        (1.5, 6.5),
        (2.0, 4.303),
        (3.0, 3.182),
        (4.0, 2.776),
        (5.0, 2.571),
        (6.0, 2.447),
        (7.0, 2.365),
        (8.0, 2.306),
        (10.0, 2.228),
        (12.0, 2.179),
        (15.0, 2.131),
        (20.0, 2.086),
        (30.0, 2.042),
        (60.0, 2.0),
        (1e9, 1.96),
    ];
    let x = 1.0 / freedom.max(1.0);
    let at = TABLE.iter().position(|(f, _)| 1.0 / f <= x).unwrap_or(TABLE.len() - 1).max(1);
    let ((f0, t0), (f1, t1)) = (TABLE[at - 1], TABLE[at]);
    t1 + (t0 - t1) * (x - 1.0 / f1) / (1.0 / f0 - 1.0 / f1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles() {
        for (freedom, t) in [(1.0, 12.706), (4.0, 2.776), (9.0, 2.262), (24.0, 2.064), (1e12, 1.96)] {
            assert!((t_975(freedom) / t - 1.0).abs() < 0.003, "{freedom}: {}", t_975(freedom));
        }
    }

    #[test]
    fn two_groups_by_welch() {
        // Textbook case: means 20.8 and 23.0.
        let (a, b) = ([27.5, 21.0, 19.0, 23.6, 17.0, 17.9], [27.1, 22.0, 20.8, 23.4, 23.4, 23.5]);
        let (a, b) = (Estimate::of_runs(&a), Estimate::of_runs(&b));
        let d = difference(a, b);
        assert_eq!(d.sure, Some(false));
        assert!((d.ratio.unwrap() - 23.366_666 / 21.0).abs() < 1e-5);
        let far = Estimate::of_runs(&[45.0, 46.0, 45.5]);
        assert_eq!(difference(a, far).sure, Some(true));
        assert_eq!(difference(Estimate { value: 1.0, error: None }, far).sure, None);
    }

    #[test]
    fn a_steady_run_is_surer_than_an_uneven_one() {
        let error = |bins: &[(f64, f64)]| Estimate::of_bins(10.0, bins).error.unwrap();
        let steady: Vec<(f64, f64)> = (0..30).map(|i| (10.0 + f64::from(i % 2), 1.0)).collect();
        let drifting: Vec<(f64, f64)> = (0..30).map(|i| (f64::from(i), 1.0)).collect();
        assert!(error(&steady).standard_error < 0.2);
        assert!(error(&drifting).standard_error > 1.0);
        assert_eq!(error(&steady).freedom, 4.0);
        assert_eq!(Estimate::of_bins(10.0, &steady[..7]).error, None);
        assert_eq!(Estimate::of_bins(0.0, &[(0.0, 0.0); 30]).error, None);
    }
}

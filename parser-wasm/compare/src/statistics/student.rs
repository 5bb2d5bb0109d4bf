//! Student's t: its quantile, and the probability of a value.

/// Degrees of freedom of what is as good as a normal distribution.
pub const NORMAL: f64 = 1e9;

/// 97.5 % quantile of Student's t.
pub fn t_975(freedom: f64) -> f64 {
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
    interpolated(&TABLE, freedom)
}

/// 95 % quantile of Student's t.
pub fn t_95(freedom: f64) -> f64 {
    const TABLE: [(f64, f64); 16] = [
        (1.0, 6.314),
        (1.5, 3.705),
        (2.0, 2.92),
        (3.0, 2.353),
        (4.0, 2.132),
        (5.0, 2.015),
        (6.0, 1.943),
        (7.0, 1.895),
        (8.0, 1.86),
        (10.0, 1.812),
        (12.0, 1.782),
        (15.0, 1.753),
        (20.0, 1.725),
        (30.0, 1.697),
        (60.0, 1.671),
        (1e9, 1.645),
    ];
    interpolated(&TABLE, freedom)
}

/// In 1 / freedom, right to 0.3 %.
fn interpolated(table: &[(f64, f64)], freedom: f64) -> f64 {
    let x = 1.0 / freedom.max(1.0);
    let at = table
        .iter()
        .position(|(f, _)| 1.0 / f <= x)
        .unwrap_or(table.len() - 1)
        .max(1);
    let ((f0, t0), (f1, t1)) = (table[at - 1], table[at]);
    t1 + (t0 - t1) * (x - 1.0 / f1) / (1.0 / f0 - 1.0 / f1)
}

/// Probability that Student's t is at least as far from 0, on either side.
pub fn two_sided(t: f64, freedom: f64) -> f64 {
    if !t.is_finite() {
        return 0.0;
    }
    let freedom = freedom.max(1.0);
    incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5).clamp(0.0, 1.0)
}

/// Probability of at least `k` successes among `n`, each with the probability `p`.
pub fn binomial_tail(k: f64, n: f64, p: f64) -> f64 {
    if k <= 0.0 {
        return 1.0;
    }
    if k > n {
        return 0.0;
    }
    incomplete_beta(p, k, n - k + 1.0).clamp(0.0, 1.0)
}

/// The regularized incomplete beta function, by its continued fraction (Lentz), right to about
/// 1e-10.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges fast below the mean only.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let front =
        (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let safe = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut fraction, mut c, mut d) = (1.0, 1.0, 0.0);
    for i in 0..=200_u32 {
        let m = f64::from(i / 2);
        let numerator = if i == 0 {
            1.0
        } else if i % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        d = 1.0 / safe(1.0 + numerator * d);
        c = safe(1.0 + numerator / c);
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-12 {
            break;
        }
    }
    front * (fraction - 1.0)
}

/// Logarithm of the gamma function of a positive number: Stirling's series, above 10.
fn ln_gamma(x: f64) -> f64 {
    if x < 10.0 {
        return ln_gamma(x + 1.0) - x.ln();
    }
    let inverse = 1.0 / (x * x);
    let series =
        (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * (1.0 / 1260.0 - inverse / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles() {
        for (freedom, t) in [
            (1.0, 12.706),
            (4.0, 2.776),
            (9.0, 2.262),
            (24.0, 2.064),
            (1e12, 1.96),
        ] {
            assert!(
                (t_975(freedom) / t - 1.0).abs() < 0.003,
                "{freedom}: {}",
                t_975(freedom)
            );
        }
    }

    /// `web/fleet/changes/distributions.ts` passes the same cases, those of printed tables.
    #[test]
    fn probabilities() {
        let cases: Vec<serde_json::Value> =
            serde_json::from_str(include_str!("../student.cases.json")).unwrap();
        assert!(cases.len() >= 8);
        for case in cases {
            let number = |name: &str| case[name].as_f64().unwrap();
            let probability = two_sided(number("t"), number("freedom"));
            assert!(
                (probability - number("probability")).abs() < 1e-5,
                "{case}: {probability}"
            );
        }
        assert_eq!(two_sided(f64::INFINITY, 3.0), 0.0);
    }
}

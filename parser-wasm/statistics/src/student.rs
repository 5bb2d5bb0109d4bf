//! Student's t: its quantiles, and the probability of a value; and the tail of the binomial
//! distribution.

use super::beta::{incomplete_beta, ln_beta};
use super::normal;

/// Degrees of freedom of what is as good as a normal distribution.
pub const NORMAL: f64 = 1e9;

/// 97.5 % quantile of Student's t.
pub fn t_975(freedom: f64) -> f64 {
    two_sided_quantile(0.05, freedom)
}

/// 95 % quantile of Student's t.
pub fn t_95(freedom: f64) -> f64 {
    two_sided_quantile(0.1, freedom)
}

/// The value that Student's t is at least as far from 0 as in this share of cases, for shares of
/// 1e-12 and above.
pub fn two_sided_quantile(share: f64, freedom: f64) -> f64 {
    let (share, freedom) = (share.clamp(1e-12, 1.0), freedom.clamp(1.0, 1e15));
    let density = (-ln_beta(freedom / 2.0, 0.5)).exp() / freedom.sqrt();
    // The tail is convex, and larger than that of the normal distribution: from there, Newton's
    // method goes up and never beyond the quantile.
    let mut t = normal::two_sided_quantile(share);
    for _ in 0..200 {
        let slope = 2.0 * density * (-(freedom + 1.0) / 2.0 * (t * t / freedom).ln_1p()).exp();
        let step = (two_sided(t, freedom) - share) / slope;
        t += step;
        // The next step would be its square.
        if step.abs() <= 1e-8 * t {
            break;
        }
    }
    t
}

/// Degrees of freedom from which on t is turned into the normal value that is as rare: right to
/// 1e-12, while the incomplete beta function loses a digit for each further digit of freedom.
const MANY: f64 = 1e4;

/// Probability that Student's t is at least as far from 0, on either side.
pub fn two_sided(t: f64, freedom: f64) -> f64 {
    let square = t * t;
    if !square.is_finite() {
        return 0.0;
    }
    let freedom = freedom.max(1.0);
    if freedom >= MANY {
        return (2.0 * normal::upper_tail(as_normal(square, freedom))).min(1.0);
    }
    let sum = freedom + square;
    incomplete_beta(freedom / sum, square / sum, freedom / 2.0, 0.5).clamp(0.0, 1.0)
}

/// The normal value that is as rare as a t with this square (Hill 1970, algorithm 395).
fn as_normal(square: f64, freedom: f64) -> f64 {
    let a = freedom - 0.5;
    let b = 48.0 * a * a;
    let w = a * (square / freedom).ln_1p();
    let correction = (((-0.4 * w - 3.3) * w - 24.0) * w - 85.5) / (0.8 * w * w + 100.0 + b);
    ((correction + w + 3.0) / b + 1.0) * w.sqrt()
}

/// Probability of at least `k` successes among `n`, each with the probability `p`.
pub fn binomial_tail(k: f64, n: f64, p: f64) -> f64 {
    if k <= 0.0 {
        return 1.0;
    }
    if k > n {
        return 0.0;
    }
    incomplete_beta(p, 1.0 - p, k, n - k + 1.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// t, degrees of freedom and the two-sided tail: of one and two degrees by their formulas, the
    /// others of tables with twelve digits.
    const KNOWN: [(f64, f64, f64); 15] = [
        (12.706_204_736_174_7, 1.0, 0.05),
        (4.302_652_729_749_46, 2.0, 0.05),
        (2.776_445_105_197_79, 4.0, 0.05),
        (2.570_581_835_636_31, 5.0, 0.05),
        (2.228_138_851_986_27, 10.0, 0.05),
        (2.085_963_447_265_86, 20.0, 0.05),
        (1.959_963_984_540_05, 1e12, 0.05),
        (6.313_751_514_675_04, 1.0, 0.1),
        (1.812_461_122_811_68, 10.0, 0.1),
        (1.644_853_626_951_47, 1e12, 0.1),
        (1.0, 1.0, 0.5),
        (6.0, 1000.0, 2.755_369_173_377_47e-9),
        (6.0, 1e5, 1.979_929_455_601_76e-9),
        (15.0, 1e4, 2.583_315_039_939_17e-50),
        (3.0, 10.0, 0.013_343_655_022_569_6),
    ];

    #[test]
    fn probabilities_are_those_of_tables() {
        for (t, freedom, probability) in KNOWN {
            for t in [t, -t] {
                let found = two_sided(t, freedom);
                let error = (found / probability - 1.0).abs();
                assert!(error < 1e-11, "t {t}, {freedom}: {found}");
            }
        }
        assert_eq!(two_sided(0.0, 7.0), 1.0);
        assert_eq!(two_sided(f64::INFINITY, 3.0), 0.0);
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        for (t, freedom, probability) in KNOWN.into_iter().filter(|row| row.2 > 1e-12) {
            let found = two_sided_quantile(probability, freedom);
            assert!(
                (found / t - 1.0).abs() < 1e-11,
                "{probability}, {freedom}: {found}"
            );
        }
        assert_eq!(
            (t_975(10.0), t_95(10.0)),
            (
                two_sided_quantile(0.05, 10.0),
                two_sided_quantile(0.1, 10.0)
            )
        );
    }

    #[test]
    fn quantiles_are_the_inverse_of_probabilities() {
        for freedom in [1.0, 1.5, 2.7, 9.0, 33.3, 250.0, 1e4, NORMAL] {
            for share in [1e-9, 1e-4, 0.05, 0.3, 0.9, 1.0] {
                let found = two_sided(two_sided_quantile(share, freedom), freedom);
                assert!(
                    (found / share - 1.0).abs() < 1e-9,
                    "{share}, {freedom}: {found}"
                );
            }
        }
    }

    #[test]
    fn successes_are_counted() {
        // Of three coins.
        assert!((binomial_tail(2.0, 3.0, 0.5) - 0.5).abs() < 1e-14);
        assert!((binomial_tail(3.0, 3.0, 0.5) - 0.125).abs() < 1e-14);
        assert_eq!(binomial_tail(0.0, 3.0, 0.5), 1.0);
        assert_eq!(binomial_tail(4.0, 3.0, 0.5), 0.0);
        assert_eq!(binomial_tail(2.0, 3.0, 0.0), 0.0);
    }
}

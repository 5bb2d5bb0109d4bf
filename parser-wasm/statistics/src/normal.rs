//! The normal distribution, down to tails of 1e-290.

/// ln of the square root of 2 pi.
const LN_SQRT_2PI: f64 = 0.918_938_533_204_672_7;

pub fn density(x: f64) -> f64 {
    (-x * x * 0.5 - LN_SQRT_2PI).exp()
}

/// Probability of a value above `x`, which is 0 or more.
pub fn upper_tail(x: f64) -> f64 {
    if x > 3.0 {
        let fraction = (1..=60)
            .rev()
            .fold(0.0, |fraction, k| f64::from(k) / (x + fraction));
        return density(x) / (x + fraction);
    }
    let (mut term, mut sum) = (x, x);
    for k in 1..100 {
        term *= x * x / f64::from(2 * k + 1);
        sum += term;
        if term < 1e-17 * sum {
            break;
        }
    }
    0.5 - density(x) * sum
}

/// The value that is exceeded in this share of cases, on both sides taken together. Shares below
/// 1e-290 are that: their tails have no digits left.
pub fn two_sided_quantile(share: f64) -> f64 {
    let share = share.clamp(1e-290, 1.0);
    // Both tails are at most exp(-x^2 / 2), so that this is not below the quantile. The logarithm
    // of the tail is concave: Newton's method comes down from there and never goes below it.
    let mut x = (-2.0 * share.ln()).sqrt();
    for _ in 0..100 {
        let tail = upper_tail(x);
        let step = (2.0 * tail / share).ln() * tail / density(x);
        x += step;
        // The next step would be its square.
        if step.abs() <= 1e-8 * x {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_tables() {
        for (x, tail) in [
            (0.0, 0.5),
            (1.0, 0.158_655_253_931_457),
            (1.959_963_984_540_054, 0.025),
            (3.0, 0.001_349_898_031_630_09),
            (4.0, 3.167_124_183_311_99e-5),
            (6.0, 9.865_876_450_377e-10),
            (20.0, 2.753_624_118_606_23e-89),
        ] {
            let found = upper_tail(x);
            assert!((found / tail - 1.0).abs() < 1e-12, "{x}: {found:e}");
        }
    }

    #[test]
    fn quantiles_are_the_inverse_of_tails() {
        for x in [0.001, 0.5, 1.959_963_984_540_054, 2.9, 3.1, 6.0, 20.0, 36.0] {
            let found = two_sided_quantile(2.0 * upper_tail(x));
            assert!((found / x - 1.0).abs() < 1e-12, "{x}: {found}");
        }
        assert_eq!(two_sided_quantile(1.0), 0.0);
        assert!(two_sided_quantile(0.0) > 36.0);
    }
}

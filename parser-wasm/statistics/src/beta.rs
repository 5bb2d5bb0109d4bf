//! The incomplete beta function, which the tails of Student's t and of the binomial distribution
//! are made of.

use std::f64::consts::PI;

/// Below this, Stirling's series is reached by the recurrence of the gamma function.
const STIRLING: f64 = 10.0;

/// The regularized incomplete beta function at `x`, by its continued fraction (Lentz), right to
/// about 1e-13 of its value. `y` is 1 - `x`: near 1, its digits would be lost in the subtraction.
pub fn incomplete_beta(x: f64, y: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    // The fraction converges fast below the mean only.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - below_mean(y, x, b, a);
    }
    below_mean(x, y, a, b)
}

fn below_mean(x: f64, y: f64, a: f64, b: f64) -> f64 {
    /// Stands for 0 in a denominator.
    const TINY: f64 = 1e-300;
    let safe = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / safe(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in 1..=500_u32 {
        let m = f64::from(m);
        let mut change = 1.0;
        for term in [
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        ] {
            d = 1.0 / safe(1.0 + term * d);
            c = safe(1.0 + term / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    // The logarithm of the nearer of both to 1 is taken from the other one.
    let ln = |value: f64, rest: f64| {
        if rest < 0.5 {
            (-rest).ln_1p()
        } else {
            value.ln()
        }
    };
    (a * ln(x, y) + b * ln(y, x) - ln_beta(a, b)).exp() * fraction / a
}

/// Logarithm of the beta function. Of large parameters, the terms of Stirling's series that cancel
/// are left out instead of subtracted: of 1e9 degrees of freedom, four digits would remain.
pub fn ln_beta(a: f64, b: f64) -> f64 {
    let (small, large) = (a.min(b), a.max(b));
    let both = small + large;
    if large < STIRLING {
        return ln_gamma(small) + ln_gamma(large) - ln_gamma(both);
    }
    let rest = (large - 0.5) * (-small / both).ln_1p();
    if small < STIRLING {
        let correction = stirling(large) - stirling(both);
        return ln_gamma(small) + correction + small - small * both.ln() + rest;
    }
    let correction = stirling(small) + stirling(large) - stirling(both);
    0.5 * (2.0 * PI / large).ln()
        + correction
        + (small - 0.5) * (small / both).ln()
        + large * (-small / both).ln_1p()
}

/// Logarithm of the gamma function of a positive number.
pub(crate) fn ln_gamma(x: f64) -> f64 {
    let (mut shifted, mut product) = (x, 1.0);
    while shifted < STIRLING {
        product *= shifted;
        shifted += 1.0;
    }
    (shifted - 0.5) * shifted.ln() - shifted + 0.5 * (2.0 * PI).ln() + stirling(shifted)
        - product.ln()
}

/// What Stirling's formula lacks, for 10 and above.
fn stirling(x: f64) -> f64 {
    let inverse = 1.0 / (x * x);
    [
        -691.0 / 360_360.0,
        1.0 / 1188.0,
        -1.0 / 1680.0,
        1.0 / 1260.0,
        -1.0 / 360.0,
        1.0 / 12.0,
    ]
    .into_iter()
    .fold(0.0, |sum, term| sum * inverse + term)
        / x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(found: f64, expected: f64, tolerance: f64) {
        assert!(
            (found - expected).abs() <= tolerance * expected.abs(),
            "{found:e} instead of {expected:e}"
        );
    }

    #[test]
    fn gamma_of_whole_and_half_numbers() {
        is_near(ln_gamma(0.5), 0.5 * PI.ln(), 1e-14);
        is_near(ln_gamma(5.0), 24.0_f64.ln(), 1e-14);
        // ln of 100!.
        is_near(ln_gamma(101.0), 363.739_375_555_563_5, 1e-14);
    }

    #[test]
    fn beta_of_small_and_large_parameters() {
        // 1 / B(a, b) of whole numbers: (a + b - 1)! / (a - 1)! / (b - 1)!.
        is_near(ln_beta(3.0, 4.0), -(60.0_f64.ln()), 1e-14);
        is_near(ln_beta(2.0, 30.0), -(930.0_f64.ln()), 1e-14);
        is_near(
            ln_beta(20.0, 30.0),
            -(50.0 * 49.0_f64).ln() - ln_choose(48, 19) + (50.0_f64).ln(),
            1e-13,
        );
        // B(a, 1/2) goes to sqrt(pi / a).
        is_near(ln_beta(5e8, 0.5), 0.5 * (PI / 5e8).ln(), 1e-9);
    }

    fn ln_choose(n: u32, k: u32) -> f64 {
        (1..=k)
            .map(|i| (f64::from(n - k + i) / f64::from(i)).ln())
            .sum()
    }

    #[test]
    fn incomplete_beta_of_whole_parameters_is_a_polynomial() {
        // I_x(2, 3) = x^2 (6 - 8 x + 3 x^2).
        for x in [1e-9, 0.01, 0.3, 0.5, 0.9, 0.999] {
            let expected = x * x * (6.0 - 8.0 * x + 3.0 * x * x);
            is_near(incomplete_beta(x, 1.0 - x, 2.0, 3.0), expected, 1e-13);
        }
        assert_eq!(incomplete_beta(0.0, 1.0, 2.0, 3.0), 0.0);
        assert_eq!(incomplete_beta(1.0, 0.0, 2.0, 3.0), 1.0);
    }
}

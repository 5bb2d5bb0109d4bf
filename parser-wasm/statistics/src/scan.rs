//! The largest of many correlated normal values: the differences of means at all positions of a
//! series.

use super::normal::{density, upper_tail};

/// Positions of a long series at which the sum is taken.
const PLACES: usize = 400;

/// Siegmund's correction for looking at discrete positions.
fn discrete(x: f64) -> f64 {
    if x < 1e-6 {
        return 1.0;
    }
    let tail = 0.5 - upper_tail(x / 2.0);
    (2.0 / x * tail) / (x / 2.0 * (tail + 0.5) + density(x / 2.0))
}

/// Probability that the largest |difference of means| (in standard errors), over all positions of a
/// series of `n` normal values without a change, is at least `b`. Both sides have `min_length`
/// values or more. Approximation of James, James and Siegmund (1987). Without it, testing the best
/// of all positions as if it were the only one would report far too many changes.
pub fn scan_tail(b: f64, n: usize, min_length: usize) -> f64 {
    if n < 2 * min_length || b < 1.0 {
        return 1.0;
    }
    let step = (n / PLACES).max(1);
    let (length, end) = (n as f64, n - min_length);
    let mut sum = 0.0;
    for k in (min_length..end).step_by(step) {
        let t = (k as f64 + step as f64 / 2.0).min(end as f64) / length;
        let width = step.min(end - k) as f64 / length;
        sum += width / (t * (1.0 - t)) * discrete(b / (length * t * (1.0 - t)).sqrt());
    }
    (b * density(b) * sum + 2.0 * upper_tail(b)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changes::series::Seeded;

    #[test]
    fn it_is_how_often_the_largest_difference_of_a_series_is_larger() {
        const SERIES: usize = 4000;
        let mut random = Seeded::new(13);
        let (n, least, b) = (60, 3, 2.9);
        let above = (0..SERIES).filter(|_| {
            let mut sums = vec![0.0];
            for k in 0..n {
                sums.push(sums[k] + random.normal());
            }
            let difference = |k: usize| {
                let (share, length) = (k as f64 / n as f64, n as f64);
                (sums[k] - share * sums[n]).abs() / (length * share * (1.0 - share)).sqrt()
            };
            (least..=n - least).any(|k| difference(k) >= b)
        });
        let counted = above.count() as f64 / SERIES as f64;
        let found = scan_tail(b, n, least);
        assert!(
            (0.85..1.25).contains(&(found / counted)),
            "{found}, {counted}"
        );
    }

    #[test]
    fn short_series_and_small_differences_are_no_evidence() {
        assert_eq!(scan_tail(9.0, 5, 3), 1.0);
        assert_eq!(scan_tail(0.5, 60, 3), 1.0);
        assert!(scan_tail(8.0, 60, 3) < 1e-9);
    }
}

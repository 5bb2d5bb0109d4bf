//! The error of a sum over time whose parts are not independent: sums of consecutive parts, in
//! blocks as long as the parts' own correlation asks for (Politis and White 2004, with the
//! correction of 2009, for a circular block bootstrap).
//!
//! Nothing is drawn at random: the variance of the circular block bootstrap follows from the
//! squares of the sums of all blocks, so the same run always has the same error. The cost is one
//! pass over the parts and one per lag of the correlation, of which there are about the root of the
//! number of parts.

/// How uncertain the sum of a series is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesError {
    /// Standard error, in the unit of the parts.
    pub error: f64,
    /// Degrees of freedom that the error was estimated with, at least 1: one less than the number
    /// of independent blocks.
    pub freedom: f64,
}

/// The error of a series from its parts, which must add up to 0: each is the difference to what it
/// would be if all parts were alike.
pub fn block_error(parts: &[f64]) -> SeriesError {
    let n = parts.len();
    if n < 2 {
        return SeriesError {
            error: 0.0,
            freedom: 1.0,
        };
    }
    let length = block_length(parts);
    // Sums of all blocks of this length; those at the end go on at the begin.
    let mut sum: f64 = parts[..length].iter().sum();
    let mut squares = 0.0;
    for i in 0..n {
        squares += sum * sum;
        sum += parts[(i + length) % n] - parts[i];
    }
    SeriesError {
        error: (squares / length as f64).sqrt(),
        freedom: (n as f64 / length as f64 - 1.0).max(1.0),
    }
}

/// Number of parts in a block, from the correlation of parts at increasing lags.
fn block_length(parts: &[f64]) -> usize {
    let n = parts.len() as f64;
    let max_length = (3.0 * n.sqrt()).min(n / 3.0).floor().max(1.0);
    let runs = n.log10().sqrt().max(5.0) as usize;
    let max_lag = (n.sqrt().ceil() as usize + runs).min(parts.len() - 1);
    let mean = parts.iter().sum::<f64>() / n;
    let covariance = |lag: usize| {
        parts[lag..]
            .iter()
            .zip(parts)
            .map(|(x, y)| (x - mean) * (y - mean))
            .sum::<f64>()
            / n
    };
    let all: Vec<f64> = (0..=max_lag).map(covariance).collect();
    if all[0] <= 0.0 {
        return 1;
    }
    let limit = 2.0 * (n.log10() / n).sqrt();
    let is_small = |lag: usize| all.get(lag).is_none_or(|c| (c / all[0]).abs() < limit);
    // The last correlation that matters: `runs` in a row after it do not.
    let last = (0..=max_lag)
        .find(|&m| (1..=runs).all(|k| is_small(m + k)))
        .unwrap_or(max_lag);
    if last == 0 {
        return 1;
    }
    let reach = (2 * last).min(max_lag);
    let weight = |lag: usize| (2.0 * (1.0 - lag as f64 / reach as f64)).clamp(0.0, 1.0);
    let sum = |factor: fn(usize) -> f64| {
        (1..=reach)
            .map(|lag| 2.0 * weight(lag) * factor(lag) * all[lag])
            .sum::<f64>()
    };
    let (slope, spectrum) = (sum(|lag| lag as f64), all[0] + sum(|_| 1.0));
    let variance = 4.0 / 3.0 * spectrum * spectrum;
    if variance <= 0.0 {
        return max_length as usize;
    }
    (2.0 * slope * slope / variance * n)
        .cbrt()
        .round()
        .clamp(1.0, max_length) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reproducible noise between -0.5 and 0.5.
    fn noise(n: usize) -> Vec<f64> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        (0..n).map(|_| next()).collect()
    }

    fn centred(parts: &[f64]) -> Vec<f64> {
        let mean = parts.iter().sum::<f64>() / parts.len() as f64;
        parts.iter().map(|p| p - mean).collect()
    }

    #[test]
    fn independent_parts_have_the_textbook_error() {
        let parts = centred(&noise(400));
        let SeriesError { error, freedom } = block_error(&parts);
        // Uniform between -0.5 and 0.5: sd 0.2887, of a sum of 400: 5.77.
        assert!((error / 5.77 - 1.0).abs() < 0.15, "{error}");
        assert!(freedom > 100.0, "{freedom}");
    }

    #[test]
    fn a_slow_change_has_longer_blocks_and_a_larger_error() {
        let drifting: Vec<f64> = (0..100).map(|i| (f64::from(i) / 12.0).sin()).collect();
        let shuffled: Vec<f64> = (0..100)
            .map(|i| (f64::from(i * 37 % 100) / 12.0).sin())
            .collect();
        let (slow, mixed) = (
            block_error(&centred(&drifting)),
            block_error(&centred(&shuffled)),
        );
        assert!(slow.error > 2.0 * mixed.error, "{slow:?} {mixed:?}");
        assert!(slow.freedom < mixed.freedom);
    }

    #[test]
    fn short_and_flat_series() {
        assert_eq!(
            block_error(&[0.0; 30]),
            SeriesError {
                error: 0.0,
                freedom: 29.0
            }
        );
        assert_eq!(
            block_error(&[1.0]),
            SeriesError {
                error: 0.0,
                freedom: 1.0
            }
        );
        assert_eq!(
            block_error(&[]),
            SeriesError {
                error: 0.0,
                freedom: 1.0
            }
        );
    }
}

//! What a sample of values says: its middle, its quantiles, its spread.

/// The middle of values; the mean of the two middle ones; 0 of none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    middle(&sorted)
}

fn middle(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[half],
        _ => f64::midpoint(sorted[half - 1], sorted[half]),
    }
}

/// The value that this share of the values is below, interpolated linearly between neighbours; NaN
/// of none. A share of 0.5 gives the median.
pub fn quantile(ascending: &[f64], share: f64) -> f64 {
    let position = ascending.len().saturating_sub(1) as f64 * share;
    let value = |index: f64| ascending.get(index as usize).copied().unwrap_or(f64::NAN);
    let (low, high) = (value(position.floor()), value(position.ceil()));
    low + (high - low) * (position - position.floor())
}

/// The value after the first ones that make up this share: no mean of two, so that 0 in most values
/// stays 0. 0 of none.
pub fn value_after(ascending: &[f64], share: f64) -> f64 {
    let index = (share * ascending.len() as f64) as usize;
    let index = index.min(ascending.len().saturating_sub(1));
    ascending.get(index).copied().unwrap_or(0.0)
}

/// The mean; NaN of no values.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Standard deviation of a sample; absent for fewer than two values.
pub fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let n = values.len() as f64;
    let mean = mean(values);
    Some((values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt())
}

/// The medians of windows of `2 * reach + 1` values, which are moved inwards at the ends: a level
/// shorter than `reach + 1` values leaves no trace.
pub fn running_median(values: &[f64], reach: usize) -> Vec<f64> {
    let width = (2 * reach + 1).min(values.len());
    let mut window = values[..width].to_vec();
    window.sort_unstable_by(f64::total_cmp);
    let place = |window: &[f64], value: f64| window.partition_point(|other| *other < value);
    (0..values.len())
        .map(|i| {
            if i > reach && i + reach < values.len() {
                let leaving = place(&window, values[i - reach - 1]);
                window.remove(leaving);
                let next = values[i + reach];
                window.insert(place(&window, next), next);
            }
            middle(&window)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middles_and_quantiles() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&[]), 0.0);
        let ascending = [1.0, 2.0, 3.0, 10.0];
        assert_eq!(
            [0.25, 0.5, 0.75].map(|share| quantile(&ascending, share)),
            [1.75, 2.5, 4.75]
        );
        assert_eq!(
            (quantile(&[7.0], 0.5), quantile(&ascending, 1.0)),
            (7.0, 10.0)
        );
        assert!(quantile(&[], 0.5).is_nan());
        assert_eq!(
            [0.0, 0.5, 0.8, 1.0].map(|share| value_after(&ascending, share)),
            [1.0, 3.0, 10.0, 10.0]
        );
        assert_eq!(value_after(&[], 0.8), 0.0);
    }

    #[test]
    fn deviations() {
        assert_eq!(deviation(&[1.0, 3.0]), Some(2.0_f64.sqrt()));
        assert_eq!(deviation(&[1.0]), None);
    }

    #[test]
    fn a_running_median_is_the_median_of_each_window() {
        let values = [1.0, 9.0, 2.0, 3.0, 8.0, 4.0, 4.0];
        assert_eq!(
            running_median(&values, 1),
            [2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 4.0]
        );
        assert_eq!(running_median(&[5.0, 1.0], 3), [3.0, 3.0]);
        assert_eq!(running_median(&[], 3), []);
        for (i, found) in running_median(&values, 2).into_iter().enumerate() {
            let from = i.saturating_sub(2).min(values.len() - 5);
            assert_eq!(found, median(&values[from..from + 5]), "{i}");
        }
    }
}

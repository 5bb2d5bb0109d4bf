//! Of many tests, some have a result by chance: the false discovery rate.

/// False discovery rates (Benjamini and Hochberg) of p values: if all that are as certain or more
/// were called results, this share of them would be so by chance. `tests` is the number of all
/// tests, including those without a result, which have no value in `p`.
pub fn false_discovery_rates(p: &[f64], tests: usize) -> Vec<f64> {
    let tests = tests.max(p.len()) as f64;
    let mut order: Vec<u32> = (0..p.len() as u32).collect();
    order.sort_unstable_by(|a, b| p[*a as usize].total_cmp(&p[*b as usize]));
    let mut rates = vec![1.0; p.len()];
    let mut least = 1.0_f64;
    for (rank, index) in order.into_iter().enumerate().rev() {
        // Never larger than that of a larger p.
        least = least.min(p[index as usize] * tests / (rank as f64 + 1.0));
        rates[index as usize] = least;
    }
    rates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_count_the_tests_that_found_nothing() {
        let rounded = |p: &[f64], tests: usize| -> Vec<f64> {
            let rates = false_discovery_rates(p, tests).into_iter();
            rates.map(|rate| (rate * 1e4).round() / 1e4).collect()
        };
        assert_eq!(rounded(&[0.001, 0.04, 0.01], 10), [0.01, 0.1333, 0.05]);
        assert_eq!(rounded(&[0.03, 0.031], 2), [0.031, 0.031]);
        assert_eq!(rounded(&[0.9, 0.8], 5), [1.0, 1.0]);
        assert!(rounded(&[], 5).is_empty());
    }
}

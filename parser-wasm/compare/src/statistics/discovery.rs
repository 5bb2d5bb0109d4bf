//! Many figures are tested at once, so that some would differ by chance: the false discovery rate
//! of each (Benjamini and Hochberg).
//!
//! With the figures in ascending order of p, the rate of the i-th of n is p * n / i, or that of a
//! later one if it is smaller, so that rates never fall with p. A figure that is added to the
//! tested ones makes all others less certain; what decides a comparison ([`TOTALS`]) is therefore
//! no part of them.

use crate::pair::MetricDifference;
use seekscope_statistics::discovery::false_discovery_rates;
use seekscope_trace::sorting::map_of;
use std::collections::BTreeMap;

/// Rates above this are marked in the table of differences.
pub const CHANCE: f64 = 0.05;

/// Figures that are the question itself, not one of many: they are judged alone.
const TOTALS: [&str; 6] = [
    "bps",
    "read_bps",
    "write_bps",
    "queued_bps",
    "issued_bps",
    "span",
];

/// The false discovery rates by key, for figures that have an interval: if all figures that are at
/// least as certain were called different, this share of them would be so by chance.
pub fn discovery_rates(all: &BTreeMap<String, MetricDifference>) -> BTreeMap<String, f64> {
    let is_tested = |key: &str, d: &MetricDifference| {
        !TOTALS.contains(&key) && (d.a != Some(0.0) || d.b != Some(0.0))
    };
    let (keys, p): (Vec<&String>, Vec<f64>) = all
        .iter()
        .filter(|(key, d)| is_tested(key, d))
        .filter_map(|(key, d)| Some((key, d.p?)))
        .unzip();
    let rates = false_discovery_rates(&p, p.len());
    map_of(keys.into_iter().cloned().zip(rates))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below(ps: &[(&str, f64)]) -> Vec<String> {
        let difference = |&(key, p): &(&str, f64)| {
            (
                key.to_owned(),
                MetricDifference {
                    a: Some(1.0),
                    b: Some(2.0),
                    p: Some(p),
                    ..MetricDifference::default()
                },
            )
        };
        let rates = discovery_rates(&ps.iter().map(difference).collect());
        rates
            .into_iter()
            .filter(|(_, rate)| *rate <= CHANCE)
            .map(|(key, _)| key)
            .collect()
    }

    #[test]
    fn one_of_many_is_chance() {
        assert!(below(&[("a", 0.04), ("b", 0.3), ("c", 0.5), ("d", 0.7), ("e", 0.9)]).is_empty());
        assert_eq!(
            below(&[("a", 0.009), ("b", 0.3), ("c", 0.5), ("d", 0.7), ("e", 0.9)]),
            ["a"]
        );
    }

    #[test]
    fn among_many_that_differ_a_weak_one_stays() {
        assert_eq!(
            below(&[
                ("a", 1e-9),
                ("b", 1e-7),
                ("c", 0.001),
                ("d", 0.039),
                ("e", 0.9)
            ]),
            ["a", "b", "c", "d"]
        );
    }

    #[test]
    fn the_total_is_not_one_of_many() {
        assert_eq!(
            below(&[("bps", 1e-9), ("a", 0.04), ("b", 0.8)]),
            Vec::<String>::new()
        );
    }
}

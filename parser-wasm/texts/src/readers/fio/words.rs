//! Reads numbers and names within fio's lines.

use crate::quantity::{number, number_length};

/// A value and the word that it is from.
pub type Shown<'a> = (&'a str, f64);

/// The text behind `key=`.
pub fn field<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.match_indices(key).find_map(|(index, _)| {
        let begins = text
            .get(..index)
            .is_some_and(|front| !front.ends_with(|c: char| c.is_alphanumeric()));
        let rest = text.get(index + key.len()..)?.strip_prefix('=')?;
        begins.then(|| rest.trim_start())
    })
}

pub fn leading(text: &str) -> &str {
    let text = text.trim_start();
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.get(..end).unwrap_or("")
}

/// A number with its letter: `43.6k`, `2374.3k`, `1,412.51`.
pub fn scaled(text: &str) -> Option<Shown<'_>> {
    let length = number_length(text);
    let value = number(text.get(..length)?)?;
    let (letter, factor) = match text.as_bytes().get(length) {
        Some(b'k' | b'K') => (1, 1e3),
        Some(b'm' | b'M') => (1, 1e6),
        Some(b'g' | b'G') => (1, 1e9),
        _ => (0, 1.0),
    };
    Some((text.get(..length + letter)?, rounded(value * factor)))
}

/// Removes what floating point adds to `16.1 * 1000`.
pub fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// Bytes per second. `KB` of an old fio is 1024 bytes. fio's sum over clients has no unit behind
/// the letters (`3937Ki`).
pub fn rate(text: &str, old: bool) -> Option<Shown<'_>> {
    let length = number_length(text);
    let value = number(text.get(..length)?)?;
    // fio 1 and 2 put a blank in front of bytes: `618740 B/s`.
    let rest = text.get(length..)?.trim_start();
    let begin = text.len() - rest.len();
    let end = rest
        .find(|c: char| !c.is_ascii_alphabetic() && c != '/')
        .unwrap_or(rest.len());
    let unit = rest.get(..end)?;
    let (amount, per_second) = match unit.split_once('/') {
        Some((amount, time)) => (amount, matches!(time, "s" | "sec")),
        None => (unit, unit.ends_with('i')),
    };
    let (prefix, bits) = match amount.strip_suffix("bit") {
        Some(prefix) => (prefix, 8.0),
        None => (amount.trim_end_matches('B'), 1.0),
    };
    let power = match prefix.trim_end_matches('i') {
        "" => 0,
        "K" | "k" => 1,
        "M" | "m" => 2,
        "G" | "g" => 3,
        "T" | "t" => 4,
        _ => return None,
    };
    let base: f64 = if old || prefix.ends_with('i') {
        1024.0
    } else {
        1000.0
    };
    per_second.then_some((text.get(..begin + end)?, value * base.powi(power) / bits))
}

/// Nanoseconds per unit: `nsec`, `usec`, `msec`, `sec`.
pub fn unit_factor(unit: &str) -> Option<f64> {
    match unit.trim() {
        "nsec" => Some(1.0),
        "usec" => Some(1e3),
        "msec" => Some(1e6),
        "sec" => Some(1e9),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_all_versions_are_bytes_per_second() {
        let cases = [
            ("1649KiB/s (1688kB/s)", false, 1649.0 * 1024.0),
            ("1688kB/s", false, 1688e3),
            ("170MiB/s", false, 170.0 * 1_048_576.0),
            ("42,124KB/s, iops=1", true, 42_124.0 * 1024.0),
            ("47.5MB/s", true, 47.5 * 1_048_576.0),
            ("800Mbit/s", false, 1e8),
            ("3937Ki (4031k)", false, 3937.0 * 1024.0),
            ("1.5GiB/s", false, 1.5 * 1_073_741_824.0),
            ("512B/s", false, 512.0),
            ("618740 B/s, iops=151", true, 618_740.0),
        ];
        for (text, old, expected) in cases {
            assert_eq!(rate(text, old).map(|rate| rate.1), Some(expected), "{text}");
        }
        for text in ["0 (0)", "fast", "12 apples/s", "12MiB"] {
            assert_eq!(rate(text, false), None, "{text}");
        }
    }

    #[test]
    fn letters_of_numbers_are_factors() {
        assert_eq!(scaled("16.1k, BW"), Some(("16.1k", 16_100.0)));
        assert_eq!(scaled("1,412.51, stdev"), Some(("1,412.51", 1412.51)));
        assert_eq!(scaled("20451k"), Some(("20451k", 20_451_000.0)));
        assert_eq!(field("bw (KB/s) : min= 5, max=7", "max"), Some("7"));
        assert_eq!(field("aggrb=5", "b"), None);
    }
}

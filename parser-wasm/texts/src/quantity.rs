//! Numbers with units, as people and programs write them.

mod counted;
mod scale;
mod units;

use crate::observation::Unit;

pub use scale::Scale;
pub use units::{bytes_of, scale_of};

/// Small numbers as words, from one on.
pub const NUMBER_WORDS: [&str; 10] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// The number that a word is: `three`.
pub fn spelled(word: &str) -> Option<usize> {
    let mut words = NUMBER_WORDS.iter();
    let index = words.position(|number| word.eq_ignore_ascii_case(number))?;
    Some(index + 1)
}

/// A number: `12.5`, `135366`, `1,234`, `1 234 567`, `12,5`, `-3`, `1.2e6`. Digits in groups of
/// three are one number; a single comma with another number of digits is a decimal comma.
pub fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix(['-', '\u{2212}', '+']) {
        Some(rest) => (!text.starts_with('+'), rest),
        None => (false, text),
    };
    if digits.is_empty()
        || digits.len() > 40
        || !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
    {
        return None;
    }
    let value = plain(digits).or_else(|| grouped(digits))?;
    Some(if negative { -value } else { value })
}

fn plain(text: &str) -> Option<f64> {
    let valid = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
    let exponent = text.find(['e', 'E']).map_or(text, |end| &text[..end]);
    let signed = exponent.contains(['+', '-']);
    (valid && !signed && text.bytes().any(|b| b.is_ascii_digit()))
        .then(|| text.parse::<f64>().ok())
        .flatten()
        .filter(|value| value.is_finite())
}

fn grouped(text: &str) -> Option<f64> {
    let point = text.rfind('.');
    let comma = text.rfind(',');
    let one_comma = text.matches(',').count() == 1;
    // `1.234,5`: points between thousands, and a decimal comma.
    if one_comma && point.is_some() && point < comma {
        let (whole, fraction) = text.split_once(',')?;
        let groups: Vec<&str> = whole.split('.').collect();
        return are_thousands(&groups)
            .then(|| plain(&format!("{}.{fraction}", groups.concat())))?;
    }
    // `1.234.567`. Four groups may be an address.
    if comma.is_none() && text.matches('.').count() == 2 {
        let groups: Vec<&str> = text.split('.').collect();
        return are_thousands(&groups).then(|| plain(&groups.concat()))?;
    }
    let (whole, fraction) = match text.rsplit_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let separator = if comma.is_some() { ',' } else { ' ' };
    let groups: Vec<&str> = whole.split([separator, '\u{2019}', '\'']).collect();
    if are_thousands(&groups) {
        return match fraction {
            Some(fraction) => plain(&format!("{}.{fraction}", groups.concat())),
            None => plain(&groups.concat()),
        };
    }
    match text.split_once(',') {
        Some((whole, fraction)) if one_comma && point.is_none() => {
            plain(&format!("{whole}.{fraction}"))
        }
        _ => None,
    }
}

/// Groups of digits that are one number: `124 707`.
fn are_thousands(groups: &[&str]) -> bool {
    let digits = |group: &&str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    groups.len() > 1
        && groups.iter().all(digits)
        && groups[0].len() <= 3
        && !groups[0].starts_with('0')
        && groups[1..].iter().all(|group| group.len() == 3)
}

/// Bytes of the number at the begin of a text: `512.3` of `512.3MB/s`.
pub fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = usize::from(bytes.first().is_some_and(|b| matches!(b, b'-' | b'+')));
    let begin = end;
    while end < bytes.len() {
        let digit = bytes[end].is_ascii_digit();
        let inner =
            matches!(bytes[end], b'.' | b',') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if !digit && !inner {
            break;
        }
        end += 1;
    }
    // `1.5e+06` of awk and benchmarks in C.
    if end > begin && bytes.get(end).is_some_and(|b| matches!(b, b'e' | b'E')) {
        let sign = usize::from(bytes.get(end + 1).is_some_and(|b| matches!(b, b'-' | b'+')));
        let digits = bytes[(end + 1 + sign).min(bytes.len())..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        if digits > 0 {
            end += 1 + sign + digits;
        }
    }
    if end == begin { 0 } else { end }
}

/// A quantity: `512.3 MB/s`, `398k`, `41.2s`, `1.5M IOPS`. Of a letter without a unit (`98.2k`)
/// the letter is a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// The number as written, with the factor of a lone letter.
    pub value: f64,
    /// The unit behind it, if there is one.
    pub scale: Option<Scale>,
}

/// A text without what says that its number is not exact: `~512`, `ca. 512 MB/s`.
fn without_caution(text: &str) -> &str {
    const WORDS: [&str; 4] = ["ca. ", "c. ", "approx. ", "about "];
    let text = text.trim_start_matches(['~', '\u{2248}', ' ']);
    let mut words = WORDS.iter();
    words
        .find_map(|word| text.strip_prefix(word))
        .unwrap_or(text)
}

/// Whether a quantity can begin like this text: most words are none, and all cells are asked.
pub fn may_be_quantity(text: &str) -> bool {
    without_caution(text).starts_with(|c: char| {
        c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '\u{2212}') || c.is_whitespace()
    })
}

/// The quantity that is the complete text.
pub fn quantity(text: &str) -> Option<Quantity> {
    if !may_be_quantity(text) {
        return None;
    }
    let text = without_caution(text.trim()).trim_end_matches('*').trim();
    if let Some(value) = number(text) {
        return Some(Quantity { value, scale: None });
    }
    if let Some(seconds) = minutes_and_seconds(text) {
        return Some(Quantity {
            value: seconds,
            scale: scale_of("s"),
        });
    }
    let length = number_length(text);
    let value = number(&text[..length])?;
    // Thousands of anything per second, and bytes only where a heading says so.
    if &text[length..] == "k/s" {
        let value = value * 1e3;
        return Some(Quantity { value, scale: None });
    }
    // A number may end with a point, as in `572. MB/s`.
    let rest = text[length..]
        .strip_prefix(". ")
        .unwrap_or(&text[length..])
        .trim();
    if let Some(scale) = scale_of(rest) {
        return Some(Quantity {
            value,
            scale: Some(scale),
        });
    }
    let factor = match rest.chars().next()? {
        'k' | 'K' => 1e3,
        'm' | 'M' => 1e6,
        'g' | 'G' => 1e9,
        _ => return None,
    };
    let unit = rest[1..].trim();
    if unit.is_empty() {
        return Some(Quantity {
            value: value * factor,
            scale: None,
        });
    }
    // `98.2K IOPS`: the letter belongs to the number.
    let scale = scale_of(unit).filter(|scale| scale.unit == Unit::PerSecond)?;
    Some(Quantity {
        value: value * factor,
        scale: Some(scale),
    })
}

/// The seconds of a time in several units: `1m24s`, `2h 3m`.
fn minutes_and_seconds(text: &str) -> Option<f64> {
    const UNITS: [(char, f64); 3] = [('h', 3600.0), ('m', 60.0), ('s', 1.0)];
    let mut rest = text;
    let (mut seconds, mut parts) = (0.0, 0);
    for (letter, factor) in UNITS {
        let Some((front, behind)) = rest.split_once(letter) else {
            continue;
        };
        seconds += plain(front.trim())? * factor;
        parts += 1;
        rest = behind.trim_start();
    }
    (parts > 1 && rest.is_empty()).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
        let cases = [
            ("12.5", 12.5),
            ("135366", 135_366.0),
            ("1,234", 1234.0),
            ("1,234.5", 1234.5),
            ("124 707", 124_707.0),
            ("211,4", 211.4),
            ("1.234,5", 1234.5),
            ("-3", -3.0),
            ("1.5e+06", 1.5e6),
            (".5", 0.5),
            ("0,812", 0.812),
            ("1.234.567", 1_234_567.0),
        ];
        for (text, expected) in cases {
            assert_eq!(number(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "-",
            "6.1.55",
            "4k",
            "1,2,3",
            "12:30",
            "0x12",
            "5.10-rc1",
            "e5",
            "5.15.148",
            "10.100.200.123",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn quantities_have_the_unit_that_is_written() {
        let read = |text| {
            quantity(text).map(|q| {
                (
                    q.value * q.scale.map_or(1.0, |s| s.factor),
                    q.scale.map(|s| s.unit),
                )
            })
        };
        assert_eq!(
            read("512.5 MB/s"),
            Some((512.5e6, Some(Unit::BytesPerSecond)))
        );
        assert_eq!(read("398k"), Some((398e3, None)));
        assert_eq!(read("10.5K IOPS"), Some((10_500.0, Some(Unit::PerSecond))));
        assert_eq!(read("41.5s"), Some((41.5e9, Some(Unit::Nanoseconds))));
        assert_eq!(
            read("96.5MiB"),
            Some((96.5 * 1_048_576.0, Some(Unit::Bytes)))
        );
        assert_eq!(read("1m24.5s"), Some((84.5e9, Some(Unit::Nanoseconds))));
        assert_eq!(read("2h 3m"), Some((7380e9, Some(Unit::Nanoseconds))));
        assert_eq!(read("4 disks"), None);
        assert_eq!(read("12ms"), Some((12e6, Some(Unit::Nanoseconds))));
    }
}

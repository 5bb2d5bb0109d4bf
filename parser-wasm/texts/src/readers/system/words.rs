//! Words and numbers of counters: each value is a slice of its line, so that its place is known.

use crate::quantity::number;

/// A number as counters print it: with a point or a comma before decimals, never with marks between
/// thousands.
pub fn decimal(word: &str) -> Option<f64> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let plain = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b',');
    if !digits.starts_with(|c: char| c.is_ascii_digit()) || !digits.bytes().all(plain) {
        return None;
    }
    match word.matches(['.', ',']).count() {
        0 => word.parse().ok().filter(|value: &f64| value.is_finite()),
        1 => word.replace(',', ".").parse().ok(),
        _ => number(word),
    }
}

/// A count, perhaps with marks between thousands: `20,008`.
pub fn count(word: &str) -> Option<f64> {
    let plain = |b: u8| b.is_ascii_digit() || matches!(b, b',' | b'.' | b'\'');
    if !word.bytes().all(plain) || !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits: String = word.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|value: &f64| value.is_finite())
}

/// A number with the unit that `--human` of sysstat puts behind it, as the number that it stands
/// for in the unit of its column: KiB, sectors or percent.
pub fn human(word: &str) -> Option<Human> {
    if let Some(value) = decimal(word) {
        return Some(Human::InColumnUnit(value));
    }
    let letter = word.chars().next_back().filter(char::is_ascii)?;
    let value = decimal(&word[..word.len() - 1])?;
    let power = match letter {
        '%' => return Some(Human::InColumnUnit(value)),
        's' => return Some(Human::Bytes(value * SECTOR)),
        'B' => 0,
        'k' | 'K' => 1,
        'M' => 2,
        'G' => 3,
        'T' => 4,
        'P' => 5,
        _ => return None,
    };
    Some(Human::Bytes(value * KIB.powi(power)))
}

/// A number that `--human` prints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Human {
    InColumnUnit(f64),
    Bytes(f64),
}

pub const KIB: f64 = 1024.0;
/// Bytes of a sector, in which the kernel counts.
pub const SECTOR: f64 = 512.0;

/// Whether a word is a time of day: `10:11:12`, perhaps with fractions.
pub fn is_clock(word: &str) -> bool {
    let bytes = word.as_bytes();
    let digits = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_digit);
    bytes.len() >= 8
        && (0..8).all(|index| {
            if index % 3 == 2 {
                bytes.get(index) == Some(&b':')
            } else {
                digits(index)
            }
        })
        && bytes
            .iter()
            .skip(8)
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
}

/// `AM`, `PM`, as clocks of twelve hours have them.
pub fn is_half_day(word: &str) -> bool {
    matches!(word, "AM" | "PM" | "am" | "pm" | "a.m." | "p.m.")
}

/// Whether a word is a date: `03/04/24`, `2024-03-04`, `04.03.2024`.
fn is_date(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let marks = word.bytes().filter(|b| b"/.-".contains(b)).count();
    (4..=8).contains(&digits) && marks == 2 && digits + marks == word.len()
}

/// A line that is only a time: `03/04/24 10:11:12 AM`, `2024-03-04T10:11:12+0100`, and
/// `Time: 10:11:12` of old versions.
pub fn is_timestamp(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else {
        return false;
    };
    if let Some((_, clock)) = first.split_once('T').filter(|(date, _)| is_date(date)) {
        let clock = clock.get(..8).unwrap_or("");
        return is_clock(clock) && words.next().is_none();
    }
    if !is_date(first) && first != "Time:" {
        return is_clock(first) && words.next().is_none();
    }
    words.next().is_some_and(is_clock) && words.next().is_none_or(is_half_day)
}

/// The kernel in the line with which programs of sysstat begin:
/// `Linux 6.1.0 (box) 03/04/24 _x86_64_ (8 CPU)`.
pub fn banner(text: &str) -> Option<&str> {
    let mut words = text.split_whitespace();
    if words.next() != Some("Linux") {
        return None;
    }
    let release = words.next()?;
    let host = words.next()?;
    let framed = host.starts_with('(') && host.ends_with(')');
    let dated = words.next().is_some_and(is_date);
    (framed && dated && release.starts_with(|c: char| c.is_ascii_digit())).then_some(release)
}

/// `...`, `[...]`, `<snip>`: lines that stand for others.
pub fn is_omission(text: &str) -> bool {
    let text = text
        .trim()
        .trim_start_matches(['[', '<', '(', '-'])
        .trim_end_matches([']', '>', ')', '-'])
        .trim();
    matches!(text, "..." | "\u{2026}" | ".." | "snip" | "cut" | "....")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_point_or_a_comma() {
        let cases = [
            ("6,12", Some(6.12)),
            ("12952,10", Some(12_952.1)),
            ("611.66", Some(611.66)),
            ("-1.00", Some(-1.0)),
            ("1.234,50", Some(1234.5)),
            ("12,345", Some(12.345)),
            ("sdb", None),
            ("8,16x", None),
            ("-", None),
            ("", None),
        ];
        for (word, expected) in cases {
            assert_eq!(decimal(word), expected, "{word}");
        }
        assert_eq!(count("20,008"), Some(20_008.0));
        assert_eq!(count("11,472,"), Some(11_472.0));
        assert_eq!(count("x1"), None);
    }

    #[test]
    fn human_sizes_are_bytes() {
        assert_eq!(human("5.5M"), Some(Human::Bytes(5.5 * KIB * KIB)));
        assert_eq!(human("20,6k"), Some(Human::Bytes(20.6 * KIB)));
        assert_eq!(human("68.2%"), Some(Human::InColumnUnit(68.2)));
        assert_eq!(human("12.00"), Some(Human::InColumnUnit(12.0)));
        assert_eq!(human("\u{20ac}"), None);
    }

    #[test]
    fn times_and_banners() {
        for text in [
            "03/04/24 10:11:12",
            "03/04/2024 10:11:12 AM",
            "2024-03-04T10:11:12+0100",
            "04.03.2024 10:11:12",
            "Time: 10:11:12 PM",
            "10:11:12",
        ] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in ["", "10:11", "sda 1 2", "03/04/24 faster", "10:11:12 tps"] {
            assert!(!is_timestamp(text), "{text}");
        }
        let line = "Linux 5.15.0-40 (box) \t03/04/24 \t_x86_64_\t(8 CPU)";
        assert_eq!(banner(line), Some("5.15.0-40"));
        assert_eq!(banner("Linux box 6.1.0 #1 SMP x86_64 GNU/Linux"), None);
        assert!(is_omission("[...]") && is_omission("<snip>") && !is_omission("sda"));
    }
}

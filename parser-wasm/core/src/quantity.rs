//! Units of figures, and how values are written in ASCII.

use serde::Serialize;

/// Decides how a figure is scaled and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// ns.
    Time,
    /// 0..1.
    Share,
    /// Bytes.
    Bytes,
    /// Bytes per second.
    Rate,
    /// An integer.
    Count,
    /// Any number.
    Number,
    /// Per second.
    PerSecond,
    /// Sectors of 512 bytes.
    Sectors,
    /// Requests, in the mean.
    Requests,
    /// Bios, in the mean.
    Bios,
}

impl Unit {
    /// In documents.
    pub fn code(self) -> &'static str {
        match self {
            Unit::Time => "ns",
            Unit::Share => "share",
            Unit::Bytes => "bytes",
            Unit::Rate => "bytes/s",
            Unit::Count => "count",
            Unit::Number => "number",
            Unit::PerSecond => "1/s",
            Unit::Sectors => "sectors",
            Unit::Requests => "requests",
            Unit::Bios => "bios",
        }
    }

    /// By its code; `Number` for those of no figure.
    pub fn of(code: &str) -> Unit {
        use Unit::{Bios, Bytes, Count, Number, PerSecond, Rate, Requests, Sectors, Share, Time};
        let all = [
            Time, Share, Bytes, Rate, Count, PerSecond, Sectors, Requests, Bios,
        ];
        all.into_iter()
            .find(|unit| unit.code() == code)
            .unwrap_or(Number)
    }

    /// Three significant digits with a unit: `5.2 ms`, `19.5%`, `4 KiB`.
    pub fn write(self, value: f64) -> String {
        match self {
            Unit::Time if value == 0.0 => "0 s".to_owned(),
            Unit::Time => scaled(value, &[(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")]),
            Unit::Share => format!("{}%", digits(value * 100.0)),
            Unit::Bytes => scaled(
                value,
                &[
                    (1073741824.0, "GiB"),
                    (1048576.0, "MiB"),
                    (1024.0, "KiB"),
                    (1.0, "B"),
                ],
            ),
            Unit::Rate => format!("{} MB/s", digits(value / 1e6)),
            Unit::Count | Unit::Number | Unit::Requests | Unit::Bios => digits(value),
            Unit::PerSecond => format!("{}/s", digits(value)),
            Unit::Sectors => format!("{} sectors", digits(value)),
        }
    }
}

fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let &(per, unit) = units
        .iter()
        .find(|(per, _)| value.abs() >= *per)
        .unwrap_or(&units[units.len() - 1]);
    format!("{} {unit}", digits(value / per))
}

/// Three significant digits, commas between thousands.
pub fn digits(value: f64) -> String {
    let magnitude = value.abs();
    if value == value.round() || magnitude >= 99.95 {
        return grouped(value.round());
    }
    let places = if magnitude >= 9.995 {
        1
    } else if magnitude >= 0.9995 {
        2
    } else {
        3
    };
    let text = format!("{value:.places$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn grouped(whole: f64) -> String {
    let out = thousands(&format!("{:.0}", whole.abs()));
    if whole < 0.0 { format!("-{out}") } else { out }
}

/// Commas between the thousands of a whole number.
fn thousands(digits: &str) -> String {
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// So many decimals, commas between thousands. Halves are rounded up, as `toFixed` of JavaScript
/// does: the page and the command line print the same digits.
pub fn fixed(value: f64, decimals: usize) -> String {
    let size = value.abs();
    // A half ends behind the first digit that is left out; more digits than a double can need show
    // it.
    let exact = format!("{size:.*}", decimals + 64);
    let tail = &exact[exact.len() - 64..];
    let is_half = tail.starts_with('5') && tail[1..].bytes().all(|digit| digit == b'0');
    let text = format!(
        "{:.*}",
        decimals,
        if is_half { size.next_up() } else { size }
    );
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let is_zero = text.bytes().all(|digit| matches!(digit, b'0' | b'.'));
    let sign = if value < 0.0 && !is_zero { "-" } else { "" };
    format!("{sign}{}{rest}", thousands(whole))
}

/// `x4.2` from a factor of two upwards, else `+25%`, `-48%`.
pub fn factor(ratio: f64) -> String {
    if ratio >= 2.0 {
        format!("x{}", digits(ratio))
    } else {
        let percent = digits(((ratio - 1.0) * 100.0).round());
        if ratio >= 1.0 {
            format!("+{percent}%")
        } else {
            format!("{percent}%")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_those_of_javascript() {
        let cases = [
            (43600.0, 0, "43,600"),
            (1234567.891, 2, "1,234,567.89"),
            (0.125, 2, "0.13"),
            (2.5, 0, "3"),
            (1.005, 2, "1.00"),
            (999.995, 2, "1,000.00"),
            (-0.04, 1, "0.0"),
            (-1242.5, 0, "-1,243"),
            (0.0, 2, "0.00"),
        ];
        for (value, decimals, expected) in cases {
            assert_eq!(fixed(value, decimals), expected);
        }
    }

    #[test]
    fn three_digits_and_a_unit() {
        let written =
            |unit: Unit, values: &[f64]| values.iter().map(|&v| unit.write(v)).collect::<Vec<_>>();
        assert_eq!(
            written(Unit::Time, &[0.0, 999.0, 5_234_000.0, 15.1e9]),
            ["0 s", "999 ns", "5.23 ms", "15.1 s"]
        );
        assert_eq!(
            written(Unit::Share, &[0.195, 0.0293, 1.0]),
            ["19.5%", "2.93%", "100%"]
        );
        assert_eq!(
            written(Unit::Bytes, &[4096.0, 786_432.0, 100.0]),
            ["4 KiB", "768 KiB", "100 B"]
        );
        assert_eq!(written(Unit::Rate, &[56.34e6]), ["56.3 MB/s"]);
        assert_eq!(
            written(Unit::Count, &[1280.0, 6_128_003.0, -1234.0]),
            ["1,280", "6,128,003", "-1,234"]
        );
        assert_eq!(written(Unit::Requests, &[0.839, 2.37]), ["0.839", "2.37"]);
    }

    #[test]
    fn factors() {
        assert_eq!(
            [0.52, 1.0, 1.25, 1.999, 2.0, 19.3].map(factor),
            ["-48%", "+0%", "+25%", "+100%", "x2", "x19.3"]
        );
    }
}

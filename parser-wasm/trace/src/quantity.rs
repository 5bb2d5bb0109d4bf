//! Units of figures, and how values are written in ASCII.

use crate::protocol::serialize_as_word;

/// Decides how a figure is scaled and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

serialize_as_word!(Unit, code);

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

    /// The unit with a code; `Number` for an unknown one.
    pub fn from_code(code: &str) -> Unit {
        use Unit::{Bios, Bytes, Count, Number, PerSecond, Rate, Requests, Sectors, Share, Time};
        let all = [
            Time, Share, Bytes, Rate, Count, PerSecond, Sectors, Requests, Bios,
        ];
        all.into_iter()
            .find(|unit| unit.code() == code)
            .unwrap_or(Number)
    }

    /// A value with its unit, in ASCII: `5.20 ms`, `19.5%`, `4 KiB`. `web/lib/format.ts` writes the
    /// same digits on the page; `quantity.cases.json` holds the cases that both must pass.
    pub fn write(self, value: f64) -> String {
        match self {
            Unit::Time => duration(value),
            Unit::Share => format!("{}%", figure(value * 100.0)),
            Unit::Bytes => size(value),
            Unit::Rate => format!("{} MB/s", figure(value / 1e6)),
            Unit::Count | Unit::Number | Unit::Requests | Unit::Bios => figure(value),
            Unit::PerSecond => format!("{}/s", figure(value)),
            Unit::Sectors if value == 1.0 => "1 sector".to_owned(),
            Unit::Sectors => format!("{} sectors", figure(value)),
        }
    }
}

/// From this many ns on, a unit of time is used: what rounds to 1,000 of a unit is one of the next.
const TIME_UNITS: [(f64, f64, &str); 3] = [
    (0.9995e9, 1e9, "s"),
    (0.9995e6, 1e6, "ms"),
    (0.9995e3, 1e3, "us"),
];

fn duration(ns: f64) -> String {
    let unit = TIME_UNITS.iter().find(|(least, ..)| ns.abs() >= *least);
    match unit {
        Some((_, per, name)) => format!("{} {name}", figure(ns / per)),
        None if ns == 0.0 => "0 s".to_owned(),
        None => format!("{} ns", figure(ns)),
    }
}

fn size(bytes: f64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut step) = (bytes, 0);
    // What rounds to 1,024 of a unit is one of the next.
    while value.abs() >= 1023.5 && step < UNITS.len() - 1 {
        value /= 1024.0;
        step += 1;
    }
    format!("{} {}", figure(value), UNITS[step])
}

/// A whole number with all of its digits, any other with three significant ones: `8`, `5.20`,
/// `0.0123`, `1,235`. Never an exponent.
pub fn figure(value: f64) -> String {
    // A share of 0.07 is 7.000000000000001 percent.
    const ROUNDING: f64 = 1e-9;

    if !value.is_finite() {
        return "none".to_owned();
    }
    let size = value.abs();
    if (size - size.round()).abs() <= ROUNDING * size {
        return fixed(value, 0);
    }
    let (mut places, mut power) = (0, 1.0);
    // 99.95 is written as 100.
    while size * power < 99.95 && places < 8 {
        places += 1;
        power *= 10.0;
    }
    fixed(value, places)
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

/// `x4.21` from a factor of two upwards, else `+25%`, `-48%`, `+0.3%`.
pub fn factor(ratio: f64) -> String {
    if ratio >= 2.0 {
        return format!("x{}", figure(ratio));
    }
    let percent = (ratio - 1.0) * 100.0;
    if percent.abs() < 0.05 {
        return "+0%".to_owned();
    }
    let mut decimals = usize::from(percent.abs() < 0.95);
    // -100% says that nothing is left.
    while ratio > 0.0 && decimals < 4 && fixed(percent, decimals).starts_with("-100") {
        decimals += 1;
    }
    let sign = if percent > 0.0 { "+" } else { "" };
    format!("{sign}{}%", fixed(percent, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    /// A number as both languages write it. `unit` is the code of a unit, `factor`, `figure` or
    /// `fixed N`.
    #[derive(Deserialize)]
    struct Case {
        unit: String,
        value: f64,
        text: String,
    }

    #[test]
    fn every_case_is_written_as_on_the_page() {
        let cases: Vec<Case> = serde_json::from_str(include_str!("quantity.cases.json")).unwrap();
        assert!(cases.len() > 80);
        for Case { unit, value, text } in cases {
            let written = match unit.as_str() {
                "factor" => factor(value),
                "figure" => figure(value),
                code => match code.strip_prefix("fixed ") {
                    Some(decimals) => fixed(value, decimals.parse().unwrap()),
                    None => Unit::from_code(code).write(value),
                },
            };
            assert_eq!(written, text, "{value} {unit}");
        }
    }

    #[test]
    fn each_unit_is_found_by_its_code() {
        for unit in [
            Unit::Time,
            Unit::Share,
            Unit::Bytes,
            Unit::Rate,
            Unit::Count,
        ] {
            assert_eq!(Unit::from_code(unit.code()), unit);
        }
        assert_eq!(Unit::from_code("parsecs"), Unit::Number);
    }
}

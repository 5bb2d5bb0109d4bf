//! Kinds of figures, their units, and how they are written in a sentence.

use serde::Serialize;

/// How a figure is scaled and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// ns.
    Time,
    /// 0..1.
    Share,
    /// Bytes.
    Bytes,
    /// Bytes per second.
    Rate,
    /// A whole number.
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

impl Kind {
    /// As it stands in the document.
    pub fn unit(self) -> &'static str {
        match self {
            Kind::Time => "ns",
            Kind::Share => "share",
            Kind::Bytes => "bytes",
            Kind::Rate => "bytes/s",
            Kind::Count => "count",
            Kind::Number => "number",
            Kind::PerSecond => "1/s",
            Kind::Sectors => "sectors",
            Kind::Requests => "requests",
            Kind::Bios => "bios",
        }
    }

    /// Three significant digits with a unit: `5.2 ms`, `19.5%`, `4 KiB`.
    pub fn write(self, value: f64) -> String {
        match self {
            Kind::Time => scaled(value, &[(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")]),
            Kind::Share => format!("{}%", digits(value * 100.0)),
            Kind::Bytes => scaled(value, &[(1073741824.0, "GiB"), (1048576.0, "MiB"), (1024.0, "KiB"), (1.0, "B")]),
            Kind::Rate => format!("{} MB/s", digits(value / 1e6)),
            Kind::Count | Kind::Number | Kind::Requests | Kind::Bios => digits(value),
            Kind::PerSecond => format!("{}/s", digits(value)),
            Kind::Sectors => format!("{} sectors", digits(value)),
        }
    }
}

fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let &(per, unit) = units.iter().find(|(per, _)| value.abs() >= *per).unwrap_or(&units[units.len() - 1]);
    format!("{} {unit}", digits(value / per))
}

/// Three significant digits; thousands are parted by commas.
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
    let text = format!("{:.0}", whole.abs());
    let mut out = String::new();
    for (i, digit) in text.chars().enumerate() {
        if i > 0 && (text.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if whole < 0.0 { format!("-{out}") } else { out }
}

/// `x4.2` from a factor of two upwards, else `+25%`, `-48%`.
pub fn factor(ratio: f64) -> String {
    if ratio >= 2.0 {
        format!("x{}", digits(ratio))
    } else {
        let percent = digits(((ratio - 1.0) * 100.0).round());
        if ratio >= 1.0 { format!("+{percent}%") } else { format!("{percent}%") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_a_unit() {
        let written = |kind: Kind, values: &[f64]| values.iter().map(|&v| kind.write(v)).collect::<Vec<_>>();
        assert_eq!(written(Kind::Time, &[0.0, 999.0, 5_234_000.0, 15.1e9]), ["0 ns", "999 ns", "5.23 ms", "15.1 s"]);
        assert_eq!(written(Kind::Share, &[0.195, 0.0293, 1.0]), ["19.5%", "2.93%", "100%"]);
        assert_eq!(written(Kind::Bytes, &[4096.0, 786_432.0, 100.0]), ["4 KiB", "768 KiB", "100 B"]);
        assert_eq!(written(Kind::Rate, &[56.34e6]), ["56.3 MB/s"]);
        assert_eq!(written(Kind::Count, &[1280.0, 6_128_003.0, -1234.0]), ["1,280", "6,128,003", "-1,234"]);
        assert_eq!(written(Kind::Requests, &[0.839, 2.37]), ["0.839", "2.37"]);
    }

    #[test]
    fn factors() {
        assert_eq!([0.52, 1.0, 1.25, 1.999, 2.0, 19.3].map(factor), ["-48%", "+0%", "+25%", "+100%", "x2", "x19.3"]);
    }
}

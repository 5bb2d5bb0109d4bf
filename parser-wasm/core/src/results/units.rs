//! Numbers with units, as cells and headings of tables have them.

use crate::notes::Good;
use crate::notes::bench::rate_unit;

/// A unit of measured values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableUnit {
    /// `bytes/s`, `1/s`, `ns`, `share`; empty for one with two meanings (`Mb/s`).
    pub unit: &'static str,
    /// Of a number in the text, to the unit.
    pub scale: f64,
    /// `None`: neither direction is better.
    pub good: Option<Good>,
}

/// A unit that shows that something was measured.
pub fn unit(word: &str) -> Option<TableUnit> {
    let known = |unit, scale, good| Some(TableUnit { unit, scale, good });
    match word {
        "IOPS" | "iops" | "ops/s" | "ops/sec" | "req/s" | "io/s" | "IO/s" | "IOs/sec" => {
            known("1/s", 1.0, Some(Good::More))
        }
        "ns" | "nsec" => known("ns", 1.0, Some(Good::Less)),
        "us" | "usec" | "\u{b5}s" => known("ns", 1e3, Some(Good::Less)),
        "ms" | "msec" => known("ns", 1e6, Some(Good::Less)),
        "s" | "sec" | "secs" | "seconds" => known("ns", 1e9, Some(Good::Less)),
        "%" => known("share", 0.01, None),
        // Bits or bytes: the text does not show which.
        "Mb/s" | "Mb/sec" | "mb/s" | "mb/sec" | "kb/s" | "kb/sec" | "Gb/s" => {
            known("", 1.0, Some(Good::More))
        }
        _ => {
            let lower = word
                .replace("/Sec", "/s")
                .replace("/sec", "/s")
                .replace("/S", "/s");
            rate_unit(&lower).and_then(|scale| known("bytes/s", scale, Some(Good::More)))
        }
    }
}

/// Whether the unit alone shows a result of a benchmark: a rate, or operations.
pub fn is_rate(unit: TableUnit) -> bool {
    unit.good == Some(Good::More)
}

/// `12.5`, `135366`, `1,234`.
pub fn number(text: &str) -> Option<f64> {
    let plain = |t: &str| {
        let fits = t.len() <= 20
            && t.starts_with(|c: char| c.is_ascii_digit())
            && t.chars().all(|c| c.is_ascii_digit() || c == '.');
        if fits {
            t.parse::<f64>().ok().filter(|n| n.is_finite())
        } else {
            None
        }
    };
    if !text.contains(',') {
        return plain(text);
    }
    let mut groups = text.split(',');
    let first = groups.next().filter(|g| (1..=3).contains(&g.len()))?;
    let rest: Vec<&str> = groups.collect();
    let whole = |g: &&str| g.split('.').next().is_some_and(|digits| digits.len() == 3);
    if rest.iter().all(whole) {
        plain(&format!("{first}{}", rest.concat()))
    } else {
        None
    }
}

/// A number with its unit if it has one: `23.4 MB/s`, `0.8s`, `12.062`.
pub fn quantity(text: &str) -> Option<(f64, Option<TableUnit>)> {
    let text = text.trim().trim_end_matches('*');
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
        .unwrap_or(text.len());
    let value = number(&text[..end])?;
    match text[end..].trim() {
        "" => Some((value, None)),
        rest => unit(rest).map(|u| (value, Some(u))),
    }
}

/// A heading and the unit in it: `ReadBW(KB/s)`, `write speed (MB/s)`, `MB/Sec`, `Rate [MB/s]`,
/// `latency us`.
pub fn heading(text: &str) -> (String, Option<TableUnit>) {
    let text = text.trim();
    if let Some(open) = text.rfind(['(', '[']) {
        let inside = text[open + 1..].trim_end_matches([')', ']', ':']).trim();
        if let Some(found) = unit(inside) {
            let name = text[..open].trim();
            return (
                if name.is_empty() {
                    bare(inside, found)
                } else {
                    name.to_owned()
                },
                Some(found),
            );
        }
    }
    // `us` alone is a column of vmstat.
    if let Some(found) = unit(text).filter(|u| is_rate(*u)) {
        return (bare(text, found), Some(found));
    }
    match text.rsplit_once([' ', ',']) {
        Some((name, last)) => match unit(last) {
            Some(found) => (name.trim_end_matches([',', ' ']).to_owned(), Some(found)),
            None => (text.to_owned(), None),
        },
        None => (text.to_owned(), None),
    }
}

/// A name for values of which only the unit is known.
pub fn bare(word: &str, unit: TableUnit) -> String {
    match unit.unit {
        "bytes/s" => "rate".to_owned(),
        "1/s" => "IOPS".to_owned(),
        "ns" => "time".to_owned(),
        "share" => "share".to_owned(),
        _ => word.to_owned(),
    }
}

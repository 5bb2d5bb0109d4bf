//! The buckets of a histogram, in the forms that tracers print.

use super::super::words::{KIB, decimal};
use crate::line::{Line, Place};
use crate::observation::{Metric, NamedValue, Observation, Unit};

const MAX_BUCKETS: usize = 4096;
const PERCENTILES: [(f64, &str); 5] = [
    (50.0, "p50"),
    (90.0, "p90"),
    (95.0, "p95"),
    (99.0, "p99"),
    (99.9, "p99.9"),
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// `128 -> 255 : 12`: both bounds belong to the bucket.
    Log,
    /// `0 -> 1 : 12` below `>=(ms) .. <(ms)`.
    Range,
    /// Rows of bpftrace: `[64, 128) 10`.
    Map,
}

/// The form of the buckets below a heading, and what they count.
#[derive(Clone, Copy, Debug)]
pub struct Heading {
    pub form: Form,
    unit: Unit,
    /// The factor from a printed unit to the unit.
    factor: f64,
}

impl Heading {
    /// The heading of buckets with this unit.
    pub fn of_unit(form: Form, name: &str) -> Option<Heading> {
        let (unit, factor) = unit_of(name)?;
        Some(Heading { form, unit, factor })
    }

    pub fn is_of_times(&self) -> bool {
        self.unit == Unit::Nanoseconds
    }
}

/// The line above buckets, if it is one.
pub fn heading(text: &str) -> Option<Heading> {
    let text = text.trim();
    if text.starts_with('@') {
        return map(text);
    }
    let (name, rest) = text.split_once(':')?;
    let name = name.trim();
    let mut words = rest.split_whitespace();
    if let Some(range) = name.strip_prefix(">=(") {
        let (unit, rest) = range.split_once(')')?;
        let (unit, factor) = unit_of(unit)?;
        let shown =
            rest.trim_start().starts_with("..") && matches!(words.next(), Some("I/O" | "count"));
        return shown.then_some(Heading {
            form: Form::Range,
            unit,
            factor,
        });
    }
    if !words.eq(["count", "distribution"]) {
        return None;
    }
    let (unit, factor) = unit_of(name).or((name == "value").then_some((Unit::None, 1.0)))?;
    Some(Heading {
        form: Form::Log,
        unit,
        factor,
    })
}

/// The heading of a bpftrace map: `@usecs:`, `@usecs[259, 0]:`, `@read_us[fio]:`, `@:`.
fn map(text: &str) -> Option<Heading> {
    let inner = text.strip_prefix('@')?.strip_suffix(':')?;
    let (name, _) = split_key(inner);
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let (unit, factor) = name
        .split('_')
        .find_map(unit_of)
        .unwrap_or((Unit::None, 1.0));
    plain.then_some(Heading {
        form: Form::Map,
        unit,
        factor,
    })
}

fn split_key(inner: &str) -> (&str, &str) {
    inner
        .split_once('[')
        .map_or((inner, ""), |(name, key)| (name, key.trim_end_matches(']')))
}

/// The name and the key of a map.
pub fn map_names(text: &str) -> Vec<NamedValue> {
    let inner = text
        .trim()
        .strip_prefix('@')
        .and_then(|t| t.strip_suffix(':'));
    let Some((name, key)) = inner.map(split_key) else {
        return Vec::new();
    };
    let mut found = vec![NamedValue::new("map", &format!("@{name}"))];
    if !key.trim().is_empty() {
        found.push(NamedValue::new("key", key));
    }
    found
}

fn unit_of(word: &str) -> Option<(Unit, f64)> {
    Some(match word {
        "nsecs" | "nsec" | "ns" => (Unit::Nanoseconds, 1.0),
        "usecs" | "usec" | "us" => (Unit::Nanoseconds, 1e3),
        "msecs" | "msec" | "ms" => (Unit::Nanoseconds, 1e6),
        "secs" | "sec" => (Unit::Nanoseconds, 1e9),
        "bytes" => (Unit::Bytes, 1.0),
        "Kbytes" | "kbytes" | "KB" => (Unit::Bytes, KIB),
        _ => return None,
    })
}

/// The counts by upper bound.
pub struct Buckets {
    place: Place,
    /// Upper bound, exclusive, as printed; count; where the count is.
    rows: Vec<(f64, u64, Place)>,
    /// Number of values above all bounds.
    above: u64,
    mean: Option<(f64, Place)>,
}

impl Buckets {
    pub fn new(place: Place) -> Buckets {
        Buckets {
            place,
            rows: Vec::new(),
            above: 0,
            mean: None,
        }
    }

    /// Adds the bucket of a line, if it is one.
    pub fn add(&mut self, text: &str, heading: Heading, line: &Line) -> bool {
        let found = match heading.form {
            Form::Log => arrow(text, 1.0),
            Form::Range => arrow(text, 0.0),
            Form::Map => brackets(text),
        };
        let Some((upper, word)) = found else {
            return false;
        };
        let Ok(count) = word.parse::<u64>() else {
            return false;
        };
        self.push(upper, count, line.place_of(word))
    }

    /// Adds a bucket by its upper bound, exclusive; without one it is above all bounds.
    pub fn push(&mut self, upper: Option<f64>, count: u64, place: Place) -> bool {
        let Some(upper) = upper else {
            self.above = self.above.saturating_add(count);
            return true;
        };
        // Bounds that fall are those of another histogram whose heading is cut off.
        if self.rows.last().is_some_and(|last| upper <= last.0) || self.rows.len() >= MAX_BUCKETS {
            return false;
        }
        self.rows.push((upper, count, place));
        true
    }

    /// `avg = 1234 usecs, total: 14808 usecs, count: 12`, of the values and not of buckets.
    pub fn add_average(&mut self, text: &str, heading: Heading, line: &Line) -> bool {
        let Some(rest) = text.trim().strip_prefix("avg = ") else {
            return false;
        };
        let word = rest.split_whitespace().next().unwrap_or("");
        if let Some(value) = decimal(word) {
            self.mean = Some((value * heading.factor, line.place_of(word)));
        }
        true
    }

    pub fn total(&self) -> u64 {
        self.rows
            .iter()
            .fold(self.above, |sum, row| sum.saturating_add(row.1))
    }

    /// The number of values, the mean where it is printed, and the bounds of percentiles; none for
    /// those above all bounds.
    pub fn observe(&self, heading: Heading, found: &mut Vec<Observation>) {
        let total = self.total();
        let (counted, what) = match heading.unit {
            Unit::Nanoseconds => ("I/Os", "latency"),
            Unit::Bytes => ("values", "size"),
            _ => ("values", "value"),
        };
        let mut add = |metric: Metric, value: f64, place: Place| {
            found.push(Observation {
                metric,
                value,
                place,
                dimensions: Vec::new(),
                repeat: None,
            });
        };
        let metric =
            |key: &str, label: String| Metric::new(format!("{what}.{key}"), label, heading.unit);
        add(
            Metric::new("count", counted, Unit::None),
            total as f64,
            self.place,
        );
        if let Some((mean, place)) = self.mean {
            add(metric("mean", format!("{what} mean")), mean, place);
        }
        for (percent, name) in PERCENTILES {
            let rank = total as f64 * percent / 100.0;
            let mut below = 0u64;
            let bucket = self.rows.iter().find(|row| {
                below = below.saturating_add(row.1);
                below as f64 >= rank
            });
            if let Some((upper, _, place)) = bucket {
                let label = format!("{what} {name} at most");
                add(metric(name, label), upper * heading.factor, *place);
            }
        }
    }

    /// Each I/O at the upper bound of its bucket; none where the values are no times.
    pub fn bins(&self, heading: Heading) -> Vec<(u64, u64)> {
        let times = heading.unit == Unit::Nanoseconds;
        self.rows
            .iter()
            .filter(|(_, count, _)| times && *count > 0)
            .map(|(upper, count, _)| ((upper * heading.factor).max(0.0) as u64, *count))
            .collect()
    }
}

/// `128 -> 255 : 12 |****|`, `0 .. 1 : 12 45.5% |***|`: the upper bound, exclusive, and the count.
fn arrow(text: &str, more: f64) -> Option<(Option<f64>, &str)> {
    let (bounds, rest) = text.split_once(':')?;
    let (lower, upper) = bounds
        .split_once("->")
        .or_else(|| bounds.split_once(".."))?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let upper = upper.trim();
    if !digits(lower.trim()) {
        return None;
    }
    // A share may be behind the count.
    let mut figures = rest.split('|').next()?.split_whitespace();
    let count = figures.next()?;
    if figures.next().is_some_and(|share| !share.ends_with('%')) || figures.next().is_some() {
        return None;
    }
    if matches!(upper, "" | "...") {
        return digits(count).then_some((None, count));
    }
    let upper = upper.parse::<u64>().ok()? as f64 + more;
    digits(count).then_some((Some(upper), count))
}

/// `[64, 128) 10 |@@@|`, `[1] 3 |@|`, `(..., 0) 2 |@|`; of `[100, ...)` nothing above is known.
fn brackets(text: &str) -> Option<(Option<f64>, &str)> {
    let text = text.trim();
    let end = text
        .find([']', ')'])
        .filter(|_| text.starts_with(['[', '(']))?;
    let count = text[end + 1..].split('|').next()?.trim();
    let inner = &text[1..end];
    let upper = match inner.split_once(',') {
        Some((lower, upper)) if upper.trim() == "..." => scaled(lower).map(|_| None)?,
        Some((_, upper)) => Some(scaled(upper)?),
        None => Some(scaled(inner)? + 1.0),
    };
    count
        .bytes()
        .all(|b| b.is_ascii_digit())
        .then_some((upper, count))
}

/// A bound with a unit: `4K`.
fn scaled(word: &str) -> Option<f64> {
    let word = word.trim();
    let (digits, power) = match word.strip_suffix(['K', 'M', 'G', 'T']) {
        Some(digits) => {
            let letter = word.chars().next_back()?;
            (digits, "KMGT".find(letter)? as i32 + 1)
        }
        None => (word, 0),
    };
    let value = digits.parse::<i64>().ok()?;
    Some(value as f64 * KIB.powi(power))
}

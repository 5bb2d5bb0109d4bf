//! Histograms of latencies that tracers print without a trace: biolatency of bcc and libbpf-tools,
//! maps of bpftrace.
//!
//! ```text
//! disk = 'vda'  flags = Sync-Write                      biolatency -D, -F: of what
//!      usecs               : count     distribution     or msecs
//!        128 -> 255        : 12       |****      |
//!
//! @usecs[259, 0]:                                       a map whose name contains its unit, perhaps with a key
//! [64, 128)             10 |@@@      |                   K, M and G are powers of 1024
//! [1]                    3 |@        |
//! ```
//!
//! A histogram has only counts per bucket: percentiles are the upper bounds of the buckets in which
//! they are. Of a map whose name has no unit, the values have none.

use super::fio::LatencyDistribution;
use super::table::{FoundRow, NamedValue, plain};
use crate::notes::Good;

/// Histograms of a text, and buckets of one.
pub const MOST: usize = 400;
pub const MOST_BUCKETS: usize = 4096;
const PERCENTILES: [(f64, &str); 5] = [
    (50.0, "p50"),
    (90.0, "p90"),
    (95.0, "p95"),
    (99.0, "p99"),
    (99.9, "p99.9"),
];

/// What a histogram counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum HistogramUnit {
    /// Latencies: ns of its unit.
    Time(f64),
    Bytes,
    /// Not in the recording.
    #[default]
    Unknown,
}

impl HistogramUnit {
    /// Of a word such as `usecs`; `None` for others.
    pub fn of(word: &str) -> Option<HistogramUnit> {
        Some(HistogramUnit::Time(match word {
            "nsecs" | "nsec" | "ns" => 1.0,
            "usecs" | "usec" | "us" => 1e3,
            "msecs" | "msec" | "ms" => 1e6,
            "secs" => 1e9,
            "bytes" => return Some(HistogramUnit::Bytes),
            _ => return None,
        }))
    }

    /// Of a map, by the words of its name: `@read_us`.
    pub fn of_map(name: &str) -> HistogramUnit {
        name.trim_start_matches('@')
            .split('_')
            .find_map(HistogramUnit::of)
            .unwrap_or_default()
    }

    fn scale(self) -> f64 {
        if let HistogramUnit::Time(ns) = self {
            ns
        } else {
            1.0
        }
    }
}

/// A histogram, of latencies if it has their unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LatencyHistogram {
    /// `biolatency`, `bpftrace`.
    pub tool: &'static str,
    /// Line of its heading, from 1.
    pub line: usize,
    /// Disk, flags, time, key of a map.
    pub dimensions: Vec<NamedValue>,
    /// Upper bound, exclusive, of latencies in ns, and number of values; ascending.
    pub buckets: Vec<(f64, u64)>,
    /// Number of values above all bounds.
    pub above: u64,
    pub unit: HistogramUnit,
}

/// All histograms of a text that have an I/O, and the text without them: their lines are empty.
pub fn read(text: &str) -> (Vec<LatencyHistogram>, String) {
    let mut found: Vec<LatencyHistogram> = Vec::new();
    let mut rest = String::with_capacity(text.len());
    let mut open: Option<LatencyHistogram> = None;
    let mut named: Vec<NamedValue> = Vec::new();
    for (number, raw) in (1..).zip(text.lines()) {
        let line = raw.trim_start_matches(['>', ' ', '\t']).trim_end();
        if let Some(histogram) = &mut open {
            let bucket = if histogram.tool == "biolatency" {
                arrow(line)
            } else {
                brackets(line)
            };
            if let Some((upper, count)) = bucket {
                histogram.add(upper, count);
                rest.push('\n');
                continue;
            }
            found.extend(open.take().filter(|h| h.total() > 0 && found.len() < MOST));
        }
        let heading = heading(line)
            .map(|unit| ("biolatency", Vec::new(), unit))
            .or_else(|| map(line));
        if let Some((tool, own, unit)) = heading {
            let dimensions = if own.is_empty() {
                std::mem::take(&mut named)
            } else {
                own
            };
            open = Some(LatencyHistogram {
                tool,
                line: number,
                dimensions,
                unit,
                ..LatencyHistogram::default()
            });
            rest.push('\n');
            continue;
        }
        match subject(line) {
            Some(subject) => {
                named.retain(|known| known.name != subject.name);
                named.push(subject);
            }
            None if !line.is_empty() => named.clear(),
            None => {}
        }
        rest.push_str(raw);
        rest.push('\n');
    }
    found.extend(open.filter(|h| h.total() > 0 && found.len() < MOST));
    (found, rest)
}

/// `usecs : count distribution`.
fn heading(line: &str) -> Option<HistogramUnit> {
    let (name, rest) = line.split_once(':')?;
    let unit = rest
        .split_whitespace()
        .eq(["count", "distribution"])
        .then(|| HistogramUnit::of(name.trim()))??;
    matches!(unit, HistogramUnit::Time(_)).then_some(unit)
}

/// `disk = 'vda'`, `flags = Sync-Write`, a time of day: what the next histogram is of.
fn subject(line: &str) -> Option<NamedValue> {
    if let Some((name, value)) = line.split_once(" = ") {
        let value = value.trim().trim_matches('\'');
        return (matches!(name, "disk" | "flags") && !value.is_empty())
            .then(|| NamedValue::new(name, value));
    }
    let clock = line.len() == 8
        && line.bytes().enumerate().all(|(i, b)| {
            if i % 3 == 2 {
                b == b':'
            } else {
                b.is_ascii_digit()
            }
        });
    clock.then(|| NamedValue::new("time", line))
}

/// `128 -> 255 : 12 |****|`: both bounds belong to the bucket.
fn arrow(line: &str) -> Option<(Option<f64>, u64)> {
    let (_, rest) = line.split_once("->")?;
    let (upper, rest) = rest.split_once(':')?;
    let count = rest.split('|').next()?.trim().parse().ok()?;
    Some((Some(upper.trim().parse::<u64>().ok()? as f64 + 1.0), count))
}

/// `@usecs:`, `@usecs[259, 0]:`, `@read_us[fio]:`, `@:`.
fn map(line: &str) -> Option<(&'static str, Vec<NamedValue>, HistogramUnit)> {
    let name = line.strip_prefix('@')?.strip_suffix(':')?;
    let (name, key) = name
        .split_once('[')
        .map_or((name, ""), |(name, key)| (name, key.trim_end_matches(']')));
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let mut dimensions = vec![NamedValue::new("map", &format!("@{name}"))];
    dimensions.extend(
        Some(key)
            .filter(|key| !key.is_empty())
            .map(|key| NamedValue::new("key", key)),
    );
    plain.then(|| ("bpftrace", dimensions, HistogramUnit::of_map(name)))
}

/// `[64, 128) 10 |@@@|`, `[1] 3 |@|`, `(..., 0) 2 |@|`; of `[100, ...)` nothing above is known.
fn brackets(line: &str) -> Option<(Option<f64>, u64)> {
    let end = line
        .find([']', ')'])
        .filter(|_| line.starts_with(['[', '(']))?;
    let count = line[end + 1..].split('|').next()?.trim().parse().ok()?;
    let upper = match line[1..end].split_once(',') {
        Some((lower, upper)) if upper.trim() == "..." => scaled(lower).map(|_| None)?,
        Some((_, upper)) => Some(scaled(upper)?),
        None => Some(scaled(&line[1..end])? + 1.0),
    };
    Some((upper, count))
}

/// `4K`.
fn scaled(word: &str) -> Option<f64> {
    let word = word.trim();
    let (digits, power) = match word.strip_suffix(['K', 'M', 'G', 'T']) {
        Some(digits) => (digits, "KMGT".find(word.chars().next_back()?)? as i32 + 1),
        None => (word, 0),
    };
    let n = digits.parse::<i64>().ok()?;
    Some(n as f64 * 1024f64.powi(power))
}

impl LatencyHistogram {
    /// Adds a bucket by its upper bound, or one without; ignores bounds that fall.
    pub fn add(&mut self, upper: Option<f64>, count: u64) {
        match upper.map(|upper| upper * self.unit.scale()) {
            None => self.above = self.above.saturating_add(count),
            Some(upper) => {
                let after = self.buckets.last().is_none_or(|last| upper > last.0);
                if after && self.buckets.len() < MOST_BUCKETS {
                    self.buckets.push((upper, count));
                }
            }
        }
    }

    /// Number of values.
    pub fn total(&self) -> u64 {
        self.buckets
            .iter()
            .fold(self.above, |sum, bucket| sum.saturating_add(bucket.1))
    }

    /// Its number of values, and the bounds of its percentiles; none for those above all bounds.
    pub fn row(&self) -> FoundRow {
        let total = self.total();
        let (counted, what, unit, good) = match self.unit {
            HistogramUnit::Time(_) => ("I/Os", "latency", "ns", Some(Good::Less)),
            HistogramUnit::Bytes => ("values", "size", "bytes", None),
            HistogramUnit::Unknown => ("values", "value", "", None),
        };
        let mut figures = vec![plain(self.tool, counted, "", None, total as f64)];
        for (percent, name) in PERCENTILES {
            let rank = total as f64 * percent / 100.0;
            let mut below = 0u64;
            let bucket = self.buckets.iter().find(|bucket| {
                below = below.saturating_add(bucket.1);
                below as f64 >= rank
            });
            if let Some((upper, _)) = bucket {
                figures.push(plain(
                    self.tool,
                    &format!("{what} {name} at most"),
                    unit,
                    good,
                    *upper,
                ));
            }
        }
        let mut dimensions = self.dimensions.clone();
        for map in dimensions
            .iter_mut()
            .filter(|named| self.unit == HistogramUnit::Unknown && named.name == "map")
        {
            map.value.push_str(" (unit not in the recording)");
        }
        FoundRow {
            dimensions,
            figures,
        }
    }

    /// Latencies as a distribution: each I/O at the upper bound of its bucket.
    pub fn distribution(&self) -> Option<LatencyDistribution> {
        if !matches!(self.unit, HistogramUnit::Time(_)) {
            return None;
        }
        let flags = self
            .dimensions
            .iter()
            .find(|named| named.name == "flags")
            .map(|named| named.value.as_str());
        let operation = format!("{} (upper bounds of buckets)", flags.unwrap_or("I/O"));
        Some(LatencyDistribution {
            operation,
            bins: self
                .buckets
                .iter()
                .copied()
                .filter(|bucket| bucket.1 > 0)
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the tools' manuals print them.
    const BIOLATENCY: &str = "Tracing block device I/O... Hit Ctrl-C to end.\n^C\ndisk = \
        'vda'\nflags = Sync-Write\n     usecs               : count     distribution\n         0 \
        -> 1          : 0        |                    |\n        64 -> 127        : 10       \
        |*********           |\n       128 -> 255        : 89       |********************|\n       \
        256 -> 511        : 1        |                    |\n\ndisk = 'vda'\nflags = Read\n     \
        usecs               : count     distribution\n         0 -> 1          : 4        \
        |********************|\n";
    const BPFTRACE: &str = "Attaching 3 probes...\n\n@usecs[259, 0]: \n[1]                    2 \
        |@@                  |\n[64, 128)             10 |@@@@@@@@@@          |\n[1K, \
        2K)               8 |@@@@@@@@            |\n\n@start: 5\n@names: \n[1] 5 |@|\n";

    #[test]
    fn biolatency_per_disk_and_flags() {
        let (found, rest) = read(BIOLATENCY);
        assert_eq!(found.len(), 2);
        assert_eq!(
            found[0].dimensions,
            [
                NamedValue::new("disk", "vda"),
                NamedValue::new("flags", "Sync-Write")
            ]
        );
        assert_eq!(
            found[0].buckets,
            [(2e3, 0), (128e3, 10), (256e3, 89), (512e3, 1)]
        );
        let figures: Vec<(String, f64)> = found[0]
            .row()
            .figures
            .into_iter()
            .map(|f| (f.label, f.value))
            .collect();
        assert_eq!(figures[0], ("I/Os".to_owned(), 100.0));
        assert_eq!(figures[1], ("latency p50 at most".to_owned(), 256e3));
        assert_eq!(
            (figures[4].1, figures[5].1),
            (256e3, 512e3),
            "p99 and p99.9"
        );
        assert_eq!(found[1].dimensions[1], NamedValue::new("flags", "Read"));
        assert!(!rest.contains("->") && rest.lines().count() == BIOLATENCY.lines().count());
    }

    #[test]
    fn maps_of_bpftrace_with_a_unit() {
        let (found, _) = read(BPFTRACE);
        assert_eq!(found.len(), 2);
        // A map without a unit is no latency, and says so; one of sizes has bytes.
        let (row, figures) = (found[1].row(), |row: &FoundRow| {
            row.figures
                .iter()
                .map(|f| format!("{} {}", f.label, f.unit))
                .take(2)
                .collect::<Vec<_>>()
        });
        assert_eq!(
            row.dimensions,
            [NamedValue::new("map", "@names (unit not in the recording)")]
        );
        assert_eq!(figures(&row), ["values ", "value p50 at most "]);
        assert_eq!((row.figures[1].value, found[1].distribution()), (2.0, None));
        let sizes = read("@:\n@read_bytes:\n[4K, 8K) 3 |@|\n").0;
        assert_eq!(
            (sizes.len(), figures(&sizes[0].row())[1].as_str()),
            (1, "size p50 at most bytes")
        );
        assert_eq!(
            found[0].dimensions,
            [
                NamedValue::new("map", "@usecs"),
                NamedValue::new("key", "259, 0")
            ]
        );
        assert_eq!(found[0].buckets, [(2e3, 2), (128e3, 10), (2048e3, 8)]);
        let distribution = found[0].distribution().expect("latencies");
        assert_eq!(
            (distribution.bins.len(), distribution.operation.as_str()),
            (3, "I/O (upper bounds of buckets)")
        );
    }

    #[test]
    fn damaged_histograms() {
        for text in [
            "",
            "     usecs : count distribution\n",
            "@usecs:\n",
            "@usecs:\n[64, 128)\n",
            "@usecs:\n[64, 128) -3 |@|\n",
            "     usecs : count distribution\n 0 -> 99999999999999999999999 : 4 |*|\n",
            "     frobs : count distribution\n 0 -> 1 : 4 |*|\n",
        ] {
            assert_eq!(read(text).0, [], "{text}");
        }
        // Nothing is known above the last bound: its values count, and percentiles among them are
        // absent.
        let open = &read("@ms:\n[0, 10) 98 |@|\n[10, ...) 2 |@|\n").0[0];
        assert_eq!(
            (
                open.buckets.as_slice(),
                open.above,
                open.row().figures[0].value
            ),
            ([(10e6, 98)].as_slice(), 2, 100.0)
        );
        let labels: Vec<String> = open.row().figures.into_iter().map(|f| f.label).collect();
        assert!(
            labels.iter().any(|label| label.contains("p95"))
                && !labels.iter().any(|label| label.contains("p99")),
            "{labels:?}"
        );
        // Cut: what is there counts. Bounds that fall are another histogram's.
        assert_eq!(
            read("@ms:\n[1] 5 |@|\n[2, 4) 7 |@").0[0].buckets,
            [(2e6, 5), (4e6, 7)]
        );
        assert_eq!(
            read("@ms:\n[8] 5 |@|\n[2, 4) 7 |@|\n").0[0].buckets,
            [(9e6, 5)]
        );
    }
}

//! Histograms of latencies that tracers print without a trace: biolatency of bcc and libbpf-tools, maps of bpftrace.
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
//! A histogram has only counts per bucket: percentiles are the upper bounds of the buckets in which they are.

use super::fio::LatencyDistribution;
use super::table::{FoundRow, NamedValue, plain};
use crate::notes::Good;

/// Histograms of a text, and buckets of one.
const MOST: usize = 400;
const MOST_BUCKETS: usize = 4096;
const PERCENTILES: [(f64, &str); 5] = [(50.0, "p50"), (90.0, "p90"), (95.0, "p95"), (99.0, "p99"), (99.9, "p99.9")];

/// A histogram of latencies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LatencyHistogram {
    /// `biolatency`, `bpftrace`.
    pub tool: &'static str,
    /// Line of its heading, from 1.
    pub line: usize,
    /// Disk, flags, time, key of a map.
    pub dimensions: Vec<NamedValue>,
    /// Upper bound in ns, exclusive, and number of I/Os; ascending.
    pub buckets: Vec<(f64, u64)>,
}

/// All histograms of a text that have an I/O, and the text without them: their lines are empty.
pub fn read(text: &str) -> (Vec<LatencyHistogram>, String) {
    let mut found: Vec<LatencyHistogram> = Vec::new();
    let mut rest = String::with_capacity(text.len());
    let mut open: Option<(LatencyHistogram, f64)> = None;
    let mut named: Vec<NamedValue> = Vec::new();
    for (number, raw) in (1..).zip(text.lines()) {
        let line = raw.trim_start_matches(['>', ' ', '\t']).trim_end();
        if let Some((histogram, unit)) = &mut open {
            let bucket = if histogram.tool == "biolatency" { arrow(line) } else { brackets(line) };
            if let Some((upper, count)) = bucket {
                let after = histogram.buckets.last().is_none_or(|last| upper * *unit > last.0);
                if after && histogram.buckets.len() < MOST_BUCKETS {
                    histogram.buckets.push((upper * *unit, count));
                }
                rest.push('\n');
                continue;
            }
            found.extend(open.take().map(|o| o.0).filter(|h| h.buckets.iter().any(|b| b.1 > 0) && found.len() < MOST));
        }
        let heading = heading(line).map(|unit| ("biolatency", Vec::new(), unit)).or_else(|| map(line));
        if let Some((tool, own, unit)) = heading {
            let dimensions = if own.is_empty() { std::mem::take(&mut named) } else { own };
            open = Some((LatencyHistogram { tool, line: number, dimensions, buckets: Vec::new() }, unit));
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
    found.extend(open.map(|o| o.0).filter(|h| h.buckets.iter().any(|b| b.1 > 0) && found.len() < MOST));
    (found, rest)
}

/// ns of a unit.
fn unit(word: &str) -> Option<f64> {
    Some(match word {
        "nsecs" | "nsec" | "ns" => 1.0,
        "usecs" | "usec" | "us" => 1e3,
        "msecs" | "msec" | "ms" => 1e6,
        "secs" => 1e9,
        _ => return None,
    })
}

/// `usecs : count distribution`.
fn heading(line: &str) -> Option<f64> {
    let (name, rest) = line.split_once(':')?;
    rest.split_whitespace().eq(["count", "distribution"]).then(|| unit(name.trim()))?
}

/// `disk = 'vda'`, `flags = Sync-Write`, a time of day: what the next histogram is of.
fn subject(line: &str) -> Option<NamedValue> {
    if let Some((name, value)) = line.split_once(" = ") {
        let value = value.trim().trim_matches('\'');
        return (matches!(name, "disk" | "flags") && !value.is_empty()).then(|| NamedValue::new(name, value));
    }
    let clock = line.len() == 8 && line.bytes().enumerate().all(|(i, b)| if i % 3 == 2 { b == b':' } else { b.is_ascii_digit() });
    clock.then(|| NamedValue::new("time", line))
}

/// `128 -> 255 : 12 |****|`: both bounds belong to the bucket.
fn arrow(line: &str) -> Option<(f64, u64)> {
    let (_, rest) = line.split_once("->")?;
    let (upper, rest) = rest.split_once(':')?;
    let count = rest.split('|').next()?.trim().parse().ok()?;
    Some((upper.trim().parse::<u64>().ok()? as f64 + 1.0, count))
}

/// `@usecs:`, `@usecs[259, 0]:`, `@read_us[fio]:`.
fn map(line: &str) -> Option<(&'static str, Vec<NamedValue>, f64)> {
    let name = line.strip_prefix('@')?.strip_suffix(':')?;
    let (name, key) = name.split_once('[').map_or((name, ""), |(name, key)| (name, key.trim_end_matches(']')));
    let unit = name.split('_').find_map(unit)?;
    let mut dimensions = vec![NamedValue::new("map", &format!("@{name}"))];
    dimensions.extend(Some(key).filter(|key| !key.is_empty()).map(|key| NamedValue::new("key", key)));
    Some(("bpftrace", dimensions, unit))
}

/// `[64, 128) 10 |@@@|`, `[1] 3 |@|`, `(..., 0) 2 |@|`; of `[100, ...)` nothing above is known.
fn brackets(line: &str) -> Option<(f64, u64)> {
    let end = line.find([']', ')']).filter(|_| line.starts_with(['[', '(']))?;
    let count = line[end + 1..].split('|').next()?.trim().parse().ok()?;
    let upper = match line[1..end].split_once(',') {
        Some((lower, upper)) if upper.trim() == "..." => scaled(lower)?,
        Some((_, upper)) => scaled(upper)?,
        None => scaled(&line[1..end])? + 1.0,
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
    /// Its number of I/Os, and the bounds of its percentiles.
    pub fn row(&self) -> FoundRow {
        let total = self.buckets.iter().fold(0u64, |sum, bucket| sum.saturating_add(bucket.1));
        let mut figures = vec![plain(self.tool, "I/Os", "", None, total as f64)];
        for (percent, name) in PERCENTILES {
            let rank = total as f64 * percent / 100.0;
            let mut below = 0u64;
            let bucket = self.buckets.iter().find(|bucket| {
                below = below.saturating_add(bucket.1);
                below as f64 >= rank
            });
            if let Some((upper, _)) = bucket {
                figures.push(plain(self.tool, &format!("latency {name} at most"), "ns", Some(Good::Less), *upper));
            }
        }
        FoundRow { dimensions: self.dimensions.clone(), figures }
    }

    /// As a distribution: each I/O at the upper bound of its bucket.
    pub fn distribution(&self) -> LatencyDistribution {
        let flags = self.dimensions.iter().find(|named| named.name == "flags").map(|named| named.value.as_str());
        let operation = format!("{} (upper bounds of buckets)", flags.unwrap_or("I/O"));
        LatencyDistribution { operation, bins: self.buckets.iter().copied().filter(|bucket| bucket.1 > 0).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the tools' manuals print them.
    const BIOLATENCY: &str = "Tracing block device I/O... Hit Ctrl-C to end.\n^C\ndisk = 'vda'\nflags = Sync-Write\n     usecs               : count     distribution\n         0 -> 1          : 0        |                    |\n        64 -> 127        : 10       |*********           |\n       128 -> 255        : 89       |********************|\n       256 -> 511        : 1        |                    |\n\ndisk = 'vda'\nflags = Read\n     usecs               : count     distribution\n         0 -> 1          : 4        |********************|\n";
    const BPFTRACE: &str = "Attaching 3 probes...\n\n@usecs[259, 0]: \n[1]                    2 |@@                  |\n[64, 128)             10 |@@@@@@@@@@          |\n[1K, 2K)               8 |@@@@@@@@            |\n\n@start: 5\n@names: \n[1] 5 |@|\n";

    #[test]
    fn biolatency_per_disk_and_flags() {
        let (found, rest) = read(BIOLATENCY);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].dimensions, [NamedValue::new("disk", "vda"), NamedValue::new("flags", "Sync-Write")]);
        assert_eq!(found[0].buckets, [(2e3, 0), (128e3, 10), (256e3, 89), (512e3, 1)]);
        let figures: Vec<(String, f64)> = found[0].row().figures.into_iter().map(|f| (f.label, f.value)).collect();
        assert_eq!(figures[0], ("I/Os".to_owned(), 100.0));
        assert_eq!(figures[1], ("latency p50 at most".to_owned(), 256e3));
        assert_eq!((figures[4].1, figures[5].1), (256e3, 512e3), "p99 and p99.9");
        assert_eq!(found[1].dimensions[1], NamedValue::new("flags", "Read"));
        assert!(!rest.contains("->") && rest.lines().count() == BIOLATENCY.lines().count());
    }

    #[test]
    fn maps_of_bpftrace_with_a_unit() {
        let (found, _) = read(BPFTRACE);
        assert_eq!(found.len(), 1, "a map without a unit is no latency");
        assert_eq!(found[0].dimensions, [NamedValue::new("map", "@usecs"), NamedValue::new("key", "259, 0")]);
        assert_eq!(found[0].buckets, [(2e3, 2), (128e3, 10), (2048e3, 8)]);
        let distribution = found[0].distribution();
        assert_eq!((distribution.bins.len(), distribution.operation.as_str()), (3, "I/O (upper bounds of buckets)"));
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
        // Cut: what is there counts. Bounds that fall are another histogram's.
        assert_eq!(read("@ms:\n[1] 5 |@|\n[2, 4) 7 |@").0[0].buckets, [(2e6, 5), (4e6, 7)]);
        assert_eq!(read("@ms:\n[8] 5 |@|\n[2, 4) 7 |@|\n").0[0].buckets, [(9e6, 5)]);
    }
}

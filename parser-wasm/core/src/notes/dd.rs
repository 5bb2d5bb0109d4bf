//! What dd prints on standard error.

use super::bench::BenchValue;
use super::fact::decimal;
use super::{Fact, Note};

pub fn read(text: &str, note: &mut Note) {
    let runs = text.lines().filter(|line| copied(line).is_some()).count();
    let mut heading = None;
    let mut n = 0;
    for line in text.lines().map(str::trim) {
        if let Some((bytes, seconds)) = copied(line) {
            n += 1;
            let numbered = format!("dd {n}");
            let of = heading.take().or((runs > 1).then_some(numbered.as_str()));
            note.add(Fact::number("bytes", "Copied", bytes as f64, "bytes").of(of));
            note.add(Fact::number("time_ns", "Duration", (seconds * 1e9).round(), "ns").of(of));
            if seconds > 0.0 {
                let rate = bytes as f64 / seconds;
                note.add(Fact::number("bps", "Rate", rate, "bytes/s").of(of));
                note.add_value(BenchValue {
                    tool: "dd",
                    of: of.map(|name| name.strip_prefix("dd ").unwrap_or(name).to_owned()),
                    whole: false,
                    set: Some(0),
                    what: "rate".to_owned(),
                    words: "rate".to_owned(),
                    unit: "bytes/s",
                    value: rate,
                });
            }
        } else if line.starts_with("==") || line.starts_with("dd ") {
            heading = Some(line.trim_matches(['=', ' '])).filter(|h| !h.is_empty());
        }
    }
}

/// `614400 bytes (614 kB, 600 KiB) copied, 0.43 s, 1.4 MB/s`: bytes and seconds.
fn copied(line: &str) -> Option<(u64, f64)> {
    let (left, right) = line.trim().split_once(" copied, ")?;
    let bytes = left.split_once(" byte")?.0.parse().ok()?;
    let (seconds, unit) = right.split_once(' ')?;
    unit.starts_with('s').then_some(())?;
    Some((bytes, decimal(seconds)?))
}

//! What dd prints on standard error.

use super::bench::BenchValue;
use super::fact::decimal;
use super::{Fact, Note};

pub fn read(text: &str, note: &mut Note) {
    let runs = text.lines().filter(|line| copied(line).is_some()).count();
    // Commands that wait for each other did not run together: their rates are no sum.
    let together = !text.lines().any(waits);
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
                    set: together.then_some(0),
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

/// A command line of dd without `&`: what stands below it has ended before the next one begins.
fn waits(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some(command) = words.iter().position(|word| *word == "dd") else {
        return false;
    };
    let operands = &words[command + 1..];
    let has_file = operands
        .iter()
        .any(|word| word.starts_with("if=") || word.starts_with("of="));
    has_file && !operands.iter().any(|word| word.ends_with('&'))
}

/// `614400 bytes (614 kB, 600 KiB) copied, 0.43 s, 1.4 MB/s`: bytes and seconds.
fn copied(line: &str) -> Option<(u64, f64)> {
    let (left, right) = line.trim().split_once(" copied, ")?;
    let bytes = left.split_once(" byte")?.0.parse().ok()?;
    let (seconds, unit) = right.split_once(' ')?;
    unit.starts_with('s').then_some(())?;
    Some((bytes, decimal(seconds)?))
}

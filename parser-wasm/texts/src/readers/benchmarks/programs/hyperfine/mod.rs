//! hyperfine: what it prints, and its exports as JSON, CSV and Markdown.
//!
//! ```text
//! Benchmark 1: cp -r a b
//!   Time (mean ± σ):     172.5 ms ±  33.0 ms    [User: 2.0 ms, System: 53.6 ms]
//!   Range (min … max):   140.1 ms … 206.1 ms    3 runs
//! ```

mod export;
mod json;

use crate::observation::Metric;
use crate::readers::benchmarks::collect::{Collector, MAX_PARTS, leading, nanoseconds, time};
use crate::recognise::{Cursor, Output};

/// Lines between two that are known: warnings and blank lines.
const MAX_GAP: usize = 6;

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "hyperfine");
    found.set_side("command");
    let end = if benchmark(cursor).is_some() {
        read_text(&mut found, cursor)
    } else {
        export::read(&mut found, cursor).or_else(|| json::read(&mut found, cursor))?
    };
    found.finish(end)
}

/// A figure: `mean`, `stdev`, `median`, `user`, `system`, `min`, `max`.
fn metric(name: &str) -> Option<Metric> {
    let (key, label) = match name {
        "mean" => ("time.mean", "mean time"),
        "stddev" | "stdev" => ("time.stdev", "time stdev"),
        "median" => ("time.median", "median time"),
        "user" => ("time.user", "user time"),
        "system" => ("time.system", "system time"),
        "min" => ("time.min", "min time"),
        "max" => ("time.max", "max time"),
        _ => return None,
    };
    Some(time(key, label))
}

/// The command of `Benchmark 1: cp -r a b` above a line of times.
fn benchmark<'a>(cursor: Cursor<'a>) -> Option<&'a str> {
    let rest = cursor.text(0).trim().strip_prefix("Benchmark ")?;
    let (number, command) = rest.split_once(": ")?;
    let number = number.trim_start_matches('#');
    let counted = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    counted.then_some(command.trim())
}

fn read_text(found: &mut Collector, cursor: Cursor) -> usize {
    let mut end = 0;
    let mut offset = 0;
    let mut seen: Vec<&str> = Vec::new();
    while offset <= end + MAX_GAP {
        let Some(line) = cursor.line(offset) else {
            break;
        };
        let text = line.text().trim();
        let here = Cursor {
            start: cursor.start + offset,
            ..cursor
        };
        if let Some(command) = benchmark(here) {
            if seen.contains(&command) || seen.len() >= MAX_PARTS {
                break;
            }
            seen.push(command);
            found.set("command", command);
            end = offset + 1;
        } else if let Some(values) = text.strip_prefix("Time (").and_then(behind_title) {
            let (figures, inner) = values.split_once('[').unwrap_or((values, ""));
            add_times(found, offset, figures, &["mean", "stdev"]);
            for part in inner.trim_end_matches(']').split(", ") {
                if let Some((name, value)) = part.split_once(": ") {
                    add_times(found, offset, value, &[name.to_ascii_lowercase().as_str()]);
                }
            }
            end = offset + 1;
        } else if let Some(values) = text.strip_prefix("Range (").and_then(behind_title) {
            add_times(found, offset, values, &["min", "max"]);
            end = offset + 1;
        } else if text == "Summary" {
            end = offset + 1;
            break;
        }
        offset += 1;
        if found.is_fruitless(offset) {
            break;
        }
    }
    end
}

/// The text behind `mean ± σ):`.
fn behind_title(text: &str) -> Option<&str> {
    text.split_once("):").map(|(_, values)| values)
}

/// Adds numbers with units of time, in the order of the names.
fn add_times(found: &mut Collector, offset: usize, text: &str, names: &[&str]) {
    let mut names = names.iter();
    let mut rest = text;
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let Some((word, value, behind)) = rest.get(begin..).and_then(leading) else {
            return;
        };
        let unit = behind.split_whitespace().next().unwrap_or("");
        if let Some(factor) = nanoseconds(unit.trim_matches([',', ']'])) {
            let Some(metric) = names.next().and_then(|name| metric(name)) else {
                return;
            };
            found.add(offset, word, metric, value * factor);
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests;

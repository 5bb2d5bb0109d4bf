//! iozone's throughput mode:
//!
//! ```text
//! Children see throughput for  8 initial writers =  212331.22 kB/sec
//! ```

use crate::readers::benchmarks::collect::{Collector, binary, leading, rate, with_unit, words};
use crate::recognise::Cursor;

/// Limit for the lines between two that are recognised.
const MAX_GAP: usize = 4;

pub fn begins(text: &str) -> bool {
    text.starts_with("Throughput test with ") && words(text).len() == 5
        || text.starts_with("Children see throughput for ")
        || text.starts_with("Each process writes a ") && text.contains(" kByte")
}

/// Reads lines from an offset; the line behind them.
pub fn read_lines(found: &mut Collector, cursor: Cursor, begin: usize) -> usize {
    let mut end = begin;
    let mut offset = begin;
    let mut seen: Vec<&str> = Vec::new();
    while offset < end + MAX_GAP {
        let text = cursor.text(offset).trim();
        if text.starts_with("Throughput test with ") && offset > begin {
            break;
        }
        if let Some(rest) = text.strip_prefix("Children see throughput for ") {
            let Some((_, _, workers)) = leading(rest.trim_start()) else {
                break;
            };
            let name = workers.split('=').next().unwrap_or("").trim();
            if seen.contains(&name) {
                break;
            }
            seen.push(name);
            set_test(found, rest.trim_start(), name);
            add(found, offset, text, "rate", "throughput");
            end = offset + 1;
        } else if text.starts_with("Parent sees throughput for ") {
            add(
                found,
                offset,
                text,
                "rate.parent",
                "throughput seen by the parent",
            );
            end = offset + 1;
        } else if let Some(kind) = text.split_once(" throughput per ").map(|(kind, _)| kind) {
            let (key, label) = match kind {
                "Min" => ("rate.min", "min throughput of a process"),
                "Max" => ("rate.max", "max throughput of a process"),
                "Avg" => ("rate.mean", "mean throughput of a process"),
                _ => break,
            };
            add(found, offset, text, key, label);
            end = offset + 1;
        } else if text.starts_with("Min xfer ") || begins(text) {
            end = offset + 1;
        }
        offset += 1;
        if found.is_fruitless(offset) {
            break;
        }
    }
    for name in ["op", "threads"] {
        found.unset(name);
    }
    end
}

fn set_test(found: &mut Collector, rest: &str, name: &str) {
    let threads = words(rest).first().copied().unwrap_or("");
    let operation = match name {
        "initial writers" => "write",
        "rewriters" => "rewrite",
        "readers" => "read",
        "re-readers" => "reread",
        "reverse readers" => "backward read",
        "stride readers" => "stride read",
        "random readers" => "random read",
        "random writers" => "random write",
        "pwrite writers" => "pwrite",
        "pread readers" => "pread",
        "fwriters" => "fwrite",
        "freaders" => "fread",
        other => other,
    };
    found.set("op", operation);
    found.set("threads", threads);
}

fn add(found: &mut Collector, offset: usize, text: &str, key: &str, label: &str) {
    let Some((_, shown)) = text.rsplit_once('=') else {
        return;
    };
    if let Some((word, value, unit)) = with_unit(shown)
        && let Some(factor) = binary(unit).filter(|_| unit.ends_with("/sec"))
    {
        found.add(offset, word, rate(key, label), value * factor);
    }
}

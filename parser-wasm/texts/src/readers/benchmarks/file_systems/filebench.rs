//! filebench 1.4 and 1.5: the line of totals, and the operations above it:
//!
//! ```text
//! statfile1   32984ops   550ops/s   0.0mb/s    0.010ms/op [0.001ms - 1.900ms]                1.5
//! statfile1   32984ops   550ops/s   0.0mb/s    0.0ms/op   15us/op-cpu [0ms - 1ms]            1.4
//! 61.418: IO Summary: 198704 ops 3311.599 ops/s 828/828 rd/wr  11.9mb/s   4.812ms/op         1.5
//! 61.418: IO Summary: 198704 ops, 3311.599 ops/s, (828/828 r/w),  11.9mb/s,  350us cpu/op,   4.8ms latency
//! ```
//!
//! Megabytes are 2^20 bytes.

use crate::readers::benchmarks::collect::{
    Collector, MIB, count, is_border, leading, nanoseconds, per_second, rate, time, words,
};
use crate::recognise::{Cursor, Output};

/// The title of the operations, behind a time.
const BREAKDOWN: &str = "per-operation breakdown";
/// Lines between the operations and their total.
const MAX_GAP: usize = 3;

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "filebench");
    let first = cursor.text(0);
    let title = first.trim();
    let breakdown = title
        .len()
        .checked_sub(BREAKDOWN.len())
        .and_then(|begin| title.get(begin..))
        .is_some_and(|end| end.eq_ignore_ascii_case(BREAKDOWN));
    if !breakdown && !first.contains('/') {
        return None;
    }
    if !breakdown && summary_of(first).is_none() && !is_operation(first) {
        return None;
    }
    let mut offset = usize::from(breakdown);
    while read_operation(&mut found, offset, cursor.text(offset)) {
        offset += 1;
    }
    let mut end = offset;
    while offset < end + MAX_GAP {
        let text = cursor.text(offset);
        if let Some(summary) = summary_of(text) {
            read_summary(&mut found, offset, summary);
            let shuts = cursor
                .text(offset + 1)
                .ends_with(": Shutting down processes");
            end = offset + 1 + usize::from(shuts);
            break;
        }
        if !text.trim().is_empty() || is_border(text) {
            break;
        }
        offset += 1;
    }
    found.finish(end)
}

fn summary_of(text: &str) -> Option<&str> {
    let (clock, summary) = text.split_once("IO Summary:")?;
    // A label may be before the time.
    let is_clock = |c: char| c.is_ascii_digit() || ".: ".contains(c);
    if !clock.chars().all(is_clock) {
        return None;
    }
    summary.contains("ops/s").then_some(summary)
}

/// Whether a line is a row like `statfile1   32984ops   550ops/s   0.0mb/s   ...`.
fn is_operation(text: &str) -> bool {
    let parts = words(text);
    let ends = |index: usize, end: &str| parts.get(index).is_some_and(|word| word.ends_with(end));
    let counted = parts.get(1).is_some_and(|word| leading(word).is_some());
    counted && ends(1, "ops") && ends(2, "ops/s") && ends(3, "mb/s")
}

fn read_operation(found: &mut Collector, offset: usize, text: &str) -> bool {
    if !is_operation(text) {
        return false;
    }
    let (figures, bounds) = text.split_once('[').unwrap_or((text, ""));
    let parts = words(figures);
    found.set("op", parts[0]);
    add_figures(found, offset, &parts[1..]);
    if let Some((_, most)) = bounds.split_once(" - ") {
        let longest = leading(most.trim().trim_end_matches(']').trim());
        if let Some((word, value, unit)) = longest
            && let Some(factor) = nanoseconds(unit)
        {
            found.add(
                offset,
                word,
                time("latency.max", "max latency"),
                value * factor,
            );
        }
    }
    found.unset("op");
    true
}

fn read_summary(found: &mut Collector, offset: usize, summary: &str) {
    found.set("op", "summary");
    let parts: Vec<&str> = words(summary)
        .into_iter()
        .map(|word| word.trim_matches([',', '(', ')']))
        .collect();
    add_figures(found, offset, &parts);
    found.unset("op");
}

/// Figures with their units in the same word, or in the next one.
fn add_figures(found: &mut Collector, offset: usize, parts: &[&str]) {
    for (index, part) in parts.iter().enumerate() {
        let Some((word, value, unit)) = leading(part) else {
            continue;
        };
        let next = parts.get(index + 1).copied().unwrap_or("");
        match (unit, next) {
            ("ops", _) | ("", "ops") => {
                found.add(offset, word, count("count", "operations"), value);
            }
            ("ops/s", _) | ("", "ops/s") => {
                found.add(offset, word, per_second("ops", "operations/s"), value);
            }
            ("mb/s", _) => found.add(offset, word, rate("rate", "throughput"), value * MIB),
            (unit, next) => {
                let per_operation = unit.strip_suffix("/op");
                let latency = per_operation.or(Some(unit).filter(|_| next == "latency"));
                if let Some(factor) = latency.and_then(nanoseconds) {
                    let metric = time("latency.mean", "mean latency");
                    found.add(offset, word, metric, value * factor);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn both_versions_are_read() {
        let new = "61.418: Per-Operation Breakdown\n\
            fsyncfile3           33183ops      553ops/s   0.5mb/s   19.750ms/op [0.001ms - 1776.500ms]\n\
            61.418: IO Summary: 198704 ops 3311.5 ops/s 828/828 rd/wr  11.5mb/s   4.750ms/op\n";
        assert_eq!(
            figures(read, new),
            [
                "op=fsyncfile3 count 33183",
                "op=fsyncfile3 ops 553",
                "op=fsyncfile3 rate 524288",
                "op=fsyncfile3 latency.mean 19750000",
                "op=fsyncfile3 latency.max 1776500000",
                "op=summary count 198704",
                "op=summary ops 3311.5",
                "op=summary rate 12058620",
                "op=summary latency.mean 4750000",
            ]
        );
        let old = "IO Summary: 198704 ops, 3311.5 ops/s, (828/828 r/w),  11.5mb/s,    350us cpu/op,   \
            4.5ms latency\n";
        assert_eq!(
            figures(read, old),
            [
                "op=summary count 198704",
                "op=summary ops 3311.5",
                "op=summary rate 12058620",
                "op=summary latency.mean 4500000",
            ]
        );
        assert_eq!(outputs(read, &format!("{new}{old}\n{new}")).len(), 3);
        assert!(figures(read, "IO Summary: it was slow\n").is_empty());
    }
}

//! iozone: the table of the automatic mode, the throughput mode and the report for spreadsheets.

mod auto;
mod excel;
mod throughput;

use crate::observation::Metric;
use crate::readers::benchmarks::collect::{Collector, KIB, MIB, US, per_second, rate, time};
use crate::recognise::{Cursor, Output};
use crate::structure::{heading, prompt};

/// Lines of the head, between the table and what follows it.
const MAX_HEAD: usize = 40;
const MAX_GAP: usize = 6;

/// The unit of an output's figures; kilobytes per second if it names none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Kilobytes,
    Megabytes,
    Operations,
    Microseconds,
}

impl Unit {
    /// The unit that a line of the head names.
    fn named(text: &str) -> Option<Unit> {
        let text = text.trim().trim_matches('"');
        let (_, unit) = text.split_once("Output is in ")?;
        Some(match unit.split_whitespace().next()? {
            "kBytes/sec" | "Kbytes/sec" | "KBytes/sec" => Unit::Kilobytes,
            "MBytes/sec" => Unit::Megabytes,
            "operations" | "ops/sec" => Unit::Operations,
            "microseconds" | "usec" => Unit::Microseconds,
            _ => return None,
        })
    }

    fn metric(self) -> (Metric, f64) {
        match self {
            Unit::Kilobytes => (rate("rate", "throughput"), KIB),
            Unit::Megabytes => (rate("rate", "throughput"), MIB),
            Unit::Operations => (per_second("ops", "operations/s"), 1.0),
            Unit::Microseconds => (time("time", "time per operation"), US),
        }
    }
}

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0).trim();
    let titled = first.starts_with("Iozone: Performance Test of File I/O");
    let begins = titled
        || auto::is_first_heading(first)
        || auto::is_heading(first)
        || throughput::begins(first)
        || excel::is_title(first);
    if !begins {
        return None;
    }
    let mut found = Collector::new(cursor, "iozone");
    let mut unit = Unit::Kilobytes;
    let mut end = 0;
    let mut offset = 0;
    let mut has_table = false;
    let mut reports: Vec<&str> = Vec::new();
    // A heading below which nothing is read is passed over, too: else it would be read for ever.
    while let Some(line) = cursor.line(offset) {
        let text = line.text().trim();
        let other = offset > 0 && text.starts_with("Iozone: Performance Test");
        if other || found.is_fruitless(offset) || prompt::command(line.text()).is_some() {
            break;
        }
        if let Some(named) = Unit::named(text) {
            // Behind a table it is in the head of the next one.
            if has_table {
                break;
            }
            unit = named;
            end = offset + 1;
        } else if auto::is_heading(text) {
            // A second table is another output.
            if has_table {
                break;
            }
            has_table = true;
            offset = auto::read_rows(&mut found, cursor, offset, unit).max(offset + 1);
            end = offset;
            continue;
        } else if throughput::begins(text) && !found.has("rate") {
            offset = throughput::read_lines(&mut found, cursor, offset).max(offset + 1);
            end = offset;
            continue;
        } else if excel::is_title(text) {
            // A second report of an operation begins another output, too.
            if reports.contains(&text) {
                break;
            }
            reports.push(text);
            offset = excel::read_report(&mut found, cursor, offset, unit).max(offset + 1);
            end = offset;
            continue;
        } else if matches!(text, "iozone test complete." | "Excel output is below:") {
            end = offset + 1;
        } else if !found.is_empty() && heading::titled(line.text(), "").is_some() {
            break;
        }
        let gap = if found.is_empty() { MAX_HEAD } else { MAX_GAP };
        offset += 1;
        if offset > end + gap {
            break;
        }
    }
    found.finish(end)
}

#[cfg(test)]
mod tests;

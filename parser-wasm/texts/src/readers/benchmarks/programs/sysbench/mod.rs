//! sysbench 0.4, 0.5, 1.0 and 1.1: `fileio` in all modes, `cpu`, `memory`, `oltp` and others.
//!
//! ```text
//! Operations performed:  60012 Read, 40008 Write, 12800 Other = 112820 Total        0.4, 0.5
//! Read 937.69Mb  Written 625.12Mb  Total transferred 1.526Gb  (26.038Mb/sec)
//!  1666.41 Requests/sec executed
//! File operations:                                                                  1.0
//!     reads/s:                      18187.14
//! Throughput:
//!     read, MiB/s:                  284.17
//!          read:  IOPS=4242.40 66.29 MiB/s (69.51 MB/s)                             1.1
//! ```
//!
//! Megabytes are 2^20 bytes in all versions, whatever their letters.

use crate::readers::benchmarks::collect::{
    Collector, MIB, MS, SECOND, binary, count, is_border, leading, nanoseconds, per_second, rate,
    time, value_of, with_unit, words,
};
use crate::recognise::{Cursor, Output};

/// Lines between two that are known, before and behind the first figure.
const MAX_HEAD_GAP: usize = 24;
const MAX_GAP: usize = 5;

/// The order of sections; the second of a kind belongs to another output.
const SECTIONS: [(&str, u8); 10] = [
    ("Operations performed:", 1),
    ("Total operations:", 1),
    ("File operations:", 1),
    ("CPU speed:", 1),
    ("SQL statistics:", 1),
    ("OLTP test statistics:", 1),
    ("Throughput:", 2),
    ("General statistics:", 3),
    ("Test execution summary:", 3),
    ("Latency (ms):", 4),
];

struct Reading<'a> {
    found: Collector<'a>,
    rank: u8,
    in_latency: bool,
    /// The run ended at its time, so that its length says nothing.
    is_timed: bool,
}

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0).trim();
    let titled = first
        .strip_prefix("sysbench ")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if !titled && !begins_within(cursor, first) {
        return None;
    }
    let mut reading = Reading {
        found: Collector::new(cursor, "sysbench"),
        rank: 0,
        in_latency: false,
        is_timed: false,
    };
    let mut end = 0;
    for offset in 0.. {
        let Some(line) = cursor.line(offset) else {
            break;
        };
        let text = line.text().trim();
        let repeated = offset > 0 && text.starts_with("sysbench ") || reading.begins_another(text);
        if repeated {
            break;
        }
        if reading.read_line(offset, text) {
            end = offset + 1;
            continue;
        }
        let gap = if reading.found.is_empty() {
            MAX_HEAD_GAP
        } else {
            MAX_GAP
        };
        if offset >= end + gap || !reading.found.is_empty() && is_border(line.text()) {
            break;
        }
    }
    reading.found.finish(end)
}

/// Whether an output without its first lines begins here.
fn begins_within(cursor: Cursor, text: &str) -> bool {
    let next = cursor.text(1).trim();
    match text {
        "File operations:" => next.starts_with("reads/s:"),
        "CPU speed:" => next.starts_with("events per second:"),
        "SQL statistics:" | "OLTP test statistics:" => next.starts_with("queries performed:"),
        "Throughput:" => {
            next.starts_with("read, Mi")
                || next.starts_with("events/s (eps):")
                || next.starts_with("read:") && next.contains("IOPS=")
        }
        "General statistics:" | "Test execution summary:" => next.starts_with("total time:"),
        "Latency (ms):" => next.starts_with("min:"),
        _ => {
            text.starts_with("Operations performed:")
                && (text.contains(" Other = ") || text.contains(" ops/sec)"))
                || text.starts_with("Total operations:") && text.contains(" per second)")
        }
    }
}

impl Reading<'_> {
    fn begins_another(&self, text: &str) -> bool {
        let rank = SECTIONS
            .iter()
            .find(|(begin, _)| text.starts_with(begin))
            .map_or(0, |(_, rank)| *rank);
        // The latencies of version 0.4 and 0.5 are within the summary.
        rank > 0 && rank <= self.rank
    }

    /// Reads a line; whether it is one of sysbench.
    fn read_line(&mut self, offset: usize, text: &str) -> bool {
        if let Some((_, rank)) = SECTIONS.iter().find(|(begin, _)| text.starts_with(begin)) {
            self.rank = *rank;
            self.in_latency = *rank == 4;
        }
        self.read_head(text)
            || self.read_operations(offset, text)
            || self.read_rates(offset, text)
            || self.read_summary(offset, text)
            || self.read_latency(offset, text)
            || SECTIONS.iter().any(|(begin, _)| text.starts_with(begin))
    }

    /// Reads a line of the settings of the test.
    fn read_head(&mut self, text: &str) -> bool {
        if let Some(threads) = value_of(text, "Number of threads") {
            self.found.add_fact("threads", threads);
        } else if let Some(rest) = text.strip_prefix("Block size ") {
            self.found.add_fact("block size", rest);
        } else if let Some(test) = text
            .strip_prefix("Doing ")
            .and_then(|rest| rest.strip_suffix(" test"))
        {
            self.found.add_fact("test", test);
        } else if text.starts_with("Time limit exceeded") {
            self.is_timed = true;
        } else {
            // `[ 10s ] thds: 4 tps: 999.1 ...`
            let is_interval = text.starts_with('[') && text.contains("s ]")
                || text.starts_with('[') && text.contains("s] ");
            return is_interval
                || text.starts_with("sysbench ")
                || text == "Threads started!"
                || text == "Done.";
        }
        true
    }

    fn read_operations(&mut self, offset: usize, text: &str) -> bool {
        if let Some(rest) = text.strip_prefix("Operations performed:") {
            let rest = rest.trim_start();
            if let Some((word, value)) = in_parentheses(rest, "ops/sec") {
                self.found
                    .add(offset, word, per_second("ops", "operations/s"), value);
                return true;
            }
            for part in rest.split([',', '=']) {
                let Some((word, value, name)) = with_unit(part) else {
                    continue;
                };
                let (key, label) = match name.to_ascii_lowercase().trim_end_matches('s') {
                    "read" => ("read.count", "reads"),
                    "write" => ("write.count", "writes"),
                    _ => continue,
                };
                self.found.add(offset, word, count(key, label), value);
            }
        } else if let Some(rest) = text.strip_prefix("Total operations:") {
            if let Some((word, value)) = in_parentheses(rest, "per second") {
                self.found
                    .add(offset, word, per_second("ops", "operations/s"), value);
            }
        } else if let Some(number) = text
            .strip_suffix(" Requests/sec executed")
            .or_else(|| value_of(text, "events per second"))
            .or_else(|| value_of(text, "events/s (eps)"))
        {
            let (key, label) = if text.ends_with("executed") {
                ("requests", "requests/s")
            } else {
                ("events", "events/s")
            };
            if let Some((word, value, _)) = leading(number) {
                self.found.add(offset, word, per_second(key, label), value);
            }
        } else {
            return self.read_queries(offset, text);
        }
        true
    }

    /// Reads `transactions:      10000  (999.12 per sec.)`.
    fn read_queries(&mut self, offset: usize, text: &str) -> bool {
        let names = [
            ("transactions", "transactions", "transactions/s"),
            ("queries", "queries", "queries/s"),
            ("read/write requests", "requests", "requests/s"),
            ("other operations", "other", "other operations/s"),
        ];
        for (name, key, label) in names {
            let found = value_of(text, name).and_then(|rest| in_parentheses(rest, "per sec."));
            if let Some((word, value)) = found {
                self.found.add(offset, word, per_second(key, label), value);
                return true;
            }
        }
        [
            "queries performed",
            "ignored errors",
            "deadlocks",
            "reconnects",
            "read",
            "write",
            "other",
        ]
        .iter()
        .any(|name| value_of(text, name).is_some() && !text.contains("IOPS="))
            && self.rank == 1
    }

    fn read_rates(&mut self, offset: usize, text: &str) -> bool {
        let single = [
            ("reads/s", "read.iops", "read IOPS", 0.0),
            ("writes/s", "write.iops", "write IOPS", 0.0),
            ("fsyncs/s", "fsync.rate", "fsyncs/s", 0.0),
            ("read, MiB/s", "read.rate", "read throughput", MIB),
            ("written, MiB/s", "write.rate", "write throughput", MIB),
            ("read, MB/s", "read.rate", "read throughput", 1e6),
            ("written, MB/s", "write.rate", "write throughput", 1e6),
        ];
        for (name, key, label, factor) in single {
            let Some((word, value, _)) = value_of(text, name).and_then(leading) else {
                continue;
            };
            if factor == 0.0 {
                self.found.add(offset, word, per_second(key, label), value);
            } else {
                self.found
                    .add(offset, word, rate(key, label), value * factor);
            }
            return true;
        }
        // Version 1.1 has both in one line.
        for operation in ["read", "write", "fsync"] {
            let rest = value_of(text, operation).and_then(|rest| rest.strip_prefix("IOPS="));
            let Some((word, value, rest)) = rest.and_then(leading) else {
                continue;
            };
            let metric = if operation == "fsync" {
                per_second("fsync.rate", "fsyncs/s")
            } else {
                per_second(&format!("{operation}.iops"), &format!("{operation} IOPS"))
            };
            self.found.add(offset, word, metric, value);
            if let Some((word, value, unit)) = with_unit(rest) {
                let label = format!("{operation} throughput");
                if let Some(factor) = binary(unit) {
                    let metric = rate(&format!("{operation}.rate"), &label);
                    self.found.add(offset, word, metric, value * factor);
                }
            }
            return true;
        }
        // `Read 937.69Mb  Written 625.12Mb  Total transferred 1.526Gb  (26.038Mb/sec)`, and
        // `51200.00 MiB transferred (5120.00 MiB/sec)` of the memory test.
        if text.contains("transferred ") && text.ends_with("/sec)") {
            let inner = text.rsplit('(').next().unwrap_or("");
            if let Some((word, value, unit)) = with_unit(inner)
                && let Some(factor) = binary(unit)
            {
                let metric = rate("rate", "throughput");
                self.found.add(offset, word, metric, value * factor);
                return true;
            }
        }
        false
    }

    fn read_summary(&mut self, offset: usize, text: &str) -> bool {
        let total = value_of(text, "total time").or_else(|| value_of(text, "time elapsed"));
        if let Some((word, value, _)) = total.and_then(leading) {
            // Versions before 1.0 end with a number of events unless they say otherwise.
            let metric = time("time", "total time");
            let ends = self.rank == 3 && !self.is_timed && self.is_old();
            let metric = if ends { metric } else { metric.neutral() };
            self.found.add(offset, word, metric, value * SECOND);
        } else if let Some((word, value, _)) =
            value_of(text, "total number of events").and_then(leading)
        {
            self.found
                .add(offset, word, count("events.count", "events"), value);
        } else {
            let others = ["total time taken by event execution", "Threads fairness"];
            return others.iter().any(|begin| text.starts_with(begin))
                || text.contains("(avg/stddev):");
        }
        true
    }

    /// Whether the output is of a version before 1.0.
    fn is_old(&self) -> bool {
        !self.found.has("read.iops") && !self.found.has("events") && !self.found.has("queries")
    }

    fn read_latency(&mut self, offset: usize, text: &str) -> bool {
        if matches!(text, "per-request statistics:" | "response time:") {
            self.in_latency = true;
            return true;
        }
        if !self.in_latency {
            return false;
        }
        let Some((name, value)) = text.rsplit_once(':') else {
            return false;
        };
        let parts = words(name);
        let (key, label) = match parts.as_slice() {
            ["min"] => ("latency.min".to_owned(), "min latency".to_owned()),
            ["avg"] => ("latency.mean".to_owned(), "mean latency".to_owned()),
            ["max"] => ("latency.max".to_owned(), "max latency".to_owned()),
            ["sum"] => return true,
            [.., percentile, "percentile"] => {
                let number = percentile.trim_end_matches("th");
                let is_decimal = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
                if !is_decimal || number.is_empty() {
                    return false;
                }
                (format!("latency.p{number}"), format!("p{number} latency"))
            }
            _ => return false,
        };
        let Some((word, value, unit)) = with_unit(value) else {
            return false;
        };
        let factor = if unit.is_empty() {
            Some(MS)
        } else {
            nanoseconds(unit)
        };
        if let Some(factor) = factor {
            self.found
                .add(offset, word, time(&key, &label), value * factor);
        }
        true
    }
}

/// The number within parentheses before a unit: `10000  (999.12 per sec.)`.
fn in_parentheses<'a>(text: &'a str, unit: &str) -> Option<(&'a str, f64)> {
    let (_, inner) = text.split_once('(')?;
    let (word, value, rest) = leading(inner)?;
    rest.trim_start().starts_with(unit).then_some((word, value))
}

#[cfg(test)]
mod tests;

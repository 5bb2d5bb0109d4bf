//! Lines of `go test -bench`:
//!
//! ```text
//! BenchmarkSeqWrite-8      486     4113849 ns/op     253.66 MB/s
//! ```
//!
//! Lines with the same name are repeats, of `-count`.

use crate::observation::{Good, Metric, Unit, slug};
use crate::readers::benchmarks::collect::{
    Collector, count, leading, per_second, rate, time, words,
};
use crate::recognise::{Cursor, Output};
use std::collections::BTreeMap;

pub fn read(cursor: Cursor) -> Option<Output> {
    let begin = (0..HEAD).find(|i| !is_head(cursor.text(*i)))?;
    parse(cursor.text(begin))?;
    let mut found = Collector::new(cursor, "go bench");
    for offset in 0..begin {
        if let Some(package) = cursor.text(offset).trim().strip_prefix("pkg:") {
            found.add_fact("pkg", package.trim());
        }
    }
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    let mut end = begin;
    while let Some((name, _)) = parse(cursor.text(end)) {
        *totals.entry(name).or_default() += 1;
        end += 1;
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for offset in begin..end {
        let Some((name, figures)) = parse(cursor.text(offset)) else {
            continue;
        };
        let number = seen.entry(name).or_default();
        *number += 1;
        let is_repeat = totals.get(name).is_some_and(|total| *total > 1);
        found.set_repeat(is_repeat.then(|| number.to_string()));
        found.set("op", name);
        for (word, value, unit) in figures {
            let (metric, factor) = metric_of(unit);
            found.add(offset, word, metric, value * factor);
        }
    }
    found.finish(end)
}

/// Limit for the lines above the rows.
const HEAD: usize = 5;

fn is_head(text: &str) -> bool {
    ["goos: ", "goarch: ", "pkg: ", "cpu: "]
        .iter()
        .any(|begin| text.trim_start().starts_with(begin))
}

/// A number as written and as read, and its unit.
type GoFigure<'a> = (&'a str, f64, &'a str);

/// The name and the figures of a line.
fn parse(text: &str) -> Option<(&str, Vec<GoFigure<'_>>)> {
    if !text.trim_start().starts_with("Benchmark") {
        return None;
    }
    let parts = words(text);
    let name = parts.first()?.strip_prefix("Benchmark")?;
    parts.get(1)?.parse::<u64>().ok()?;
    let mut figures = Vec::new();
    for pair in parts.get(2..)?.chunks(2) {
        let [shown, unit] = pair else { return None };
        let (word, value, rest) = leading(shown)?;
        if !rest.is_empty() || leading(unit).is_some() {
            return None;
        }
        figures.push((word, value, *unit));
    }
    (!figures.is_empty()).then_some((name, figures))
}

/// The metric of a unit of Go, and the factor to it.
pub fn metric_of(unit: &str) -> (Metric, f64) {
    match unit {
        "ns/op" => return (time("time", "time per operation"), 1.0),
        "sec/op" | "s/op" => return (time("time", "time per operation"), 1e9),
        "B/op" => {
            let metric = Metric::new("memory", "memory per operation", Unit::Bytes);
            return (metric.better(Good::Less), 1.0);
        }
        "allocs/op" => {
            let metric = count("allocs", "allocations per operation");
            return (metric.better(Good::Less), 1.0);
        }
        "MB/s" => return (rate("rate", "throughput"), 1e6),
        "B/s" => return (rate("rate", "throughput"), 1.0),
        _ => {}
    }
    let key = slug(unit);
    if unit.ends_with("-ns") || unit.starts_with("ns/") || unit.ends_with("-ns/op") {
        return (time(&key, unit), 1.0);
    }
    let scale = crate::quantity::scale_of(unit);
    match scale {
        Some(scale) => (Metric::new(key, unit, scale.unit), scale.factor),
        None if unit.ends_with("/s") || unit.ends_with("/sec") => (per_second(&key, unit), 1.0),
        None => (count(&key, unit), 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn repeats_have_numbers() {
        let text = "goos: linux\ngoarch: amd64\npkg: example.org/store\n\
            BenchmarkSeqWrite-8\t486\t4113849 ns/op\t253.50 MB/s\n\
            BenchmarkFsync-8   \t1713\t1167483 ns/op\t  12 B/op\t 3 allocs/op\t 1500 iops\n\
            BenchmarkSeqWrite-8\t485\t4123688 ns/op\t256.50 MB/s\nPASS\n";
        assert_eq!(
            figures(read, text),
            [
                "op=SeqWrite-8 repeat=1 time 4113849",
                "op=SeqWrite-8 repeat=1 rate 253500000",
                "op=Fsync-8 time 1167483",
                "op=Fsync-8 memory 12",
                "op=Fsync-8 allocs 3",
                "op=Fsync-8 iops 1500",
                "op=SeqWrite-8 repeat=2 time 4123688",
                "op=SeqWrite-8 repeat=2 rate 256500000",
            ]
        );
        assert_eq!(outputs(read, text).len(), 1);
        assert!(figures(read, "Benchmark 1: sleep\nBenchmarks 12 of 13 passed\n").is_empty());
    }
}

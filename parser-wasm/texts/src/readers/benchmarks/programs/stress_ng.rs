//! stress-ng with `--metrics` and `--metrics-brief`, with and without its prefix:
//!
//! ```text
//! stress-ng: metrc: [8149] stressor       bogo ops real time  usr time  sys time   bogo ops/s     bogo ops/s
//! stress-ng: metrc: [8149]                           (secs)    (secs)    (secs)   (real time) (usr+sys time)
//! stress-ng: metrc: [8149] hdd               12878      3.02      0.18      0.39      4261.48       22517.29
//! stress-ng: metrc: [8149] hdd                  388.25 MB/sec read rate (geometic mean of 1 instances)
//! ```
//!
//! Its megabytes are 2^20 bytes.

use crate::observation::{Good, Metric, slug};
use crate::readers::benchmarks::collect::{
    Collector, MS, SECOND, US, binary, count, leading, per_second, rate, time, words,
};
use crate::recognise::{Cursor, Output};
use crate::structure::prompt;

/// Limit for the lines between two that are recognised.
const MAX_GAP: usize = 4;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = bare(cursor.text(0));
    let prefixed = cursor.text(0).trim_start().starts_with("stress-ng: ");
    if !prefixed && !is_heading(first) {
        return None;
    }
    let mut found = Collector::new(cursor, "stress-ng");
    let mut end = 0;
    let mut offset = 0;
    let mut in_table = false;
    while let Some(line) = cursor.line(offset) {
        let prefixed = line.text().trim_start().starts_with("stress-ng: ");
        let text = bare(line.text());
        if prompt::command(line.text()).is_some()
            || is_heading(text) && in_table
            || begins_run(text) && !found.is_empty()
        {
            break;
        }
        if is_heading(text) {
            in_table = true;
            end = offset + 1;
        } else if in_table && read_row(&mut found, offset, text)
            || read_metric(&mut found, offset, text)
            || prefixed
            || text.starts_with("(secs)")
        {
            end = offset + 1;
        }
        offset += 1;
        if prefixed && text.contains("run completed in ") {
            break;
        }
        if offset > end + MAX_GAP || found.is_fruitless(offset) {
            break;
        }
    }
    found.finish(end)
}

/// A line without `stress-ng: metrc: [8149] `.
fn bare(text: &str) -> &str {
    let text = text.trim();
    match text
        .strip_prefix("stress-ng: ")
        .and_then(|rest| rest.split_once(']'))
    {
        Some((_, rest)) => rest.trim(),
        None => text,
    }
}

/// Lines that stress-ng prints before it has results.
fn begins_run(text: &str) -> bool {
    ["dispatching hogs", "setting to a ", "defaulting to a "]
        .iter()
        .any(|begin| text.starts_with(begin))
}

fn is_heading(text: &str) -> bool {
    text.starts_with("stressor ") && text.contains("bogo ops ") && text.contains("bogo ops/s")
}

fn read_row(found: &mut Collector, offset: usize, text: &str) -> bool {
    let parts = words(text);
    let numbers: Vec<f64> = parts
        .iter()
        .skip(1)
        .filter_map(|word| word.parse().ok())
        .collect();
    let named = parts
        .first()
        .is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic()));
    if !named || numbers.len() + 1 != parts.len() || numbers.len() < 6 {
        return false;
    }
    found.set("stressor", parts[0]);
    let metrics = [
        (count("count", "bogo operations"), 1.0),
        (time("real", "real time").neutral(), SECOND),
        (time("usr", "user time").neutral(), SECOND),
        (time("sys", "sys time").neutral(), SECOND),
        (per_second("bogo", "bogo operations/s"), 1.0),
        (per_second("bogo.cpu", "bogo operations/s of CPU time"), 1.0),
    ];
    for ((metric, factor), (word, value)) in metrics.into_iter().zip(parts[1..].iter().zip(numbers))
    {
        found.add(offset, word, metric, value * factor);
    }
    true
}

/// `hdd   388.25 MB/sec read rate (geometic mean of 1 instances)`.
fn read_metric(found: &mut Collector, offset: usize, text: &str) -> bool {
    let Some((name, rest)) = text.split_once(char::is_whitespace) else {
        return false;
    };
    let Some((word, value, rest)) = leading(rest.trim_start()) else {
        return false;
    };
    let Some((description, kind)) = rest.rsplit_once('(') else {
        return false;
    };
    let averaged = kind.contains("instance") || kind.contains("average");
    let description = description.trim();
    if !averaged || description.is_empty() || name.contains([':', '[']) {
        return false;
    }
    found.set("stressor", name);
    let (metric, factor) = metric_of(description);
    found.add(offset, word, metric, value * factor);
    true
}

/// The metric of a description that begins with its unit.
fn metric_of(description: &str) -> (Metric, f64) {
    let parts = words(description);
    let unit = parts.first().copied().unwrap_or("");
    let rest = parts.get(1..).unwrap_or(&[]).join(" ");
    if let Some(bytes) = unit
        .strip_suffix("/sec")
        .or_else(|| unit.strip_suffix("/s"))
        .and_then(binary)
    {
        let label = if rest.is_empty() { "rate" } else { &rest };
        return (rate(&slug(label), label), bytes);
    }
    let factor = match unit {
        "nanosecs" | "nanoseconds" | "nsecs" | "ns" => Some(1.0),
        "microsecs" | "microseconds" | "usecs" | "us" => Some(US),
        "millisecs" | "milliseconds" | "msecs" | "ms" => Some(MS),
        "secs" | "seconds" | "sec" => Some(SECOND),
        _ => None,
    };
    let key = slug(description);
    if let Some(factor) = factor {
        return (time(&key, description).better(Good::Less), factor);
    }
    if description.contains("per second")
        || description.contains("per sec")
        || unit.ends_with("/sec")
    {
        return (per_second(&key, description), 1.0);
    }
    (count(&key, description), 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    const HEAD: &str =
        "stressor       bogo ops real time  usr time  sys time   bogo ops/s     bogo ops/s\n";

    #[test]
    fn rows_and_metrics_are_read() {
        let text = format!(
            "stress-ng: info:  [8149] dispatching hogs: 1 hdd\n\
             stress-ng: metrc: [8149] {HEAD}\
             stress-ng: metrc: [8149]                           (secs)    (secs)    (secs)   (real time) (usr+sys time)\n\
             stress-ng: metrc: [8149] hdd               12878      3.25      0.50      0.75      4261.5       22517.5\n\
             stress-ng: metrc: [8149] miscellaneous metrics:\n\
             stress-ng: metrc: [8149] hdd                  388.25 MB/sec read rate (geometic mean of 1 instances)\n\
             stress-ng: metrc: [8149] switch             5824.50 nanosecs per context switch (pipe method) (harmonic mean of 1 instances)\n\
             stress-ng: info:  [8149] successful run completed in 3.15s\n"
        );
        assert_eq!(
            figures(read, &text),
            [
                "stressor=hdd count 12878",
                "stressor=hdd real 3250000000",
                "stressor=hdd usr 500000000",
                "stressor=hdd sys 750000000",
                "stressor=hdd bogo 4261.5",
                "stressor=hdd bogo.cpu 22517.5",
                "stressor=hdd read-rate 407109600",
                "stressor=switch nanosecs-per-context-switch-pipe-method 5824.5",
            ]
        );
        assert_eq!(outputs(read, &format!("{text}{text}")).len(), 2);
    }

    #[test]
    fn the_prefix_may_be_cut() {
        let text = format!(
            "{HEAD}                          (secs)    (secs)    (secs)   (real time) (usr+sys time)\n\
             hdd               12878      3.25      0.50      0.75      4261.5       22517.5  30.5 2584\n"
        );
        assert_eq!(figures(read, &text).len(), 6);
        assert!(figures(read, "stress-ng: info:  [8149] successful run completed\n").is_empty());
    }
}

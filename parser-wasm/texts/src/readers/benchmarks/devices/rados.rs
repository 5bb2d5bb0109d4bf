//! `rados bench` and `rbd bench` of Ceph:
//!
//! ```text
//!   sec Cur ops   started  finished  avg MB/s  cur MB/s last lat(s)  avg lat(s)
//!     1      16        71        55    219.98       220     0.21101     0.26012
//! Total time run:         60.0321
//! Total writes made:      4211
//! Bandwidth (MB/sec):     280.58
//! Average IOPS:           70
//! Average Latency(s):     0.22781                       older ones without `(s)`
//! elapsed:    12  ops:   262144  ops/sec: 20834.11  bytes/sec: 81.4 MiB/s          rbd
//! ```
//!
//! Its megabytes are 2^20 bytes. What is printed each second is summed up by the totals.

use crate::observation::Metric;
use crate::readers::benchmarks::collect::{
    Collector, MIB, SECOND, binary, leading, per_second, rate, time, value_of, words,
};
use crate::recognise::{Cursor, Output};

/// Limit for the lines between two that are recognised.
const MAX_GAP: usize = 3;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0).trim();
    if first.starts_with("elapsed:") && first.contains(" ops/sec:") {
        return read_rbd(cursor, first);
    }
    let mut offset = 0;
    while is_progress(cursor.text(offset)) {
        offset += 1;
    }
    let begin = cursor.text(offset).trim();
    // Lines of progress are asked once, not each of them.
    let is_inside = |line: &crate::line::Line| is_progress(line.text());
    let behind = cursor.start.checked_sub(1).map(|i| &cursor.lines[i]);
    if !begin.starts_with("Total time run") || behind.is_some_and(is_inside) && offset > 0 {
        return None;
    }
    let mut found = Collector::new(cursor, "rados bench");
    let mut end = offset + 1;
    offset += 1;
    while offset < end + MAX_GAP {
        let text = cursor.text(offset).trim();
        if text.starts_with("Total time run") {
            break;
        }
        if read_line(&mut found, offset, text) {
            end = offset + 1;
        }
        offset += 1;
    }
    found.finish(end)
}

/// A line that is printed each second, or its heading.
fn is_progress(text: &str) -> bool {
    let text = text.trim();
    let is_heading = text.starts_with("sec Cur ops") || text.contains(" min lat: ");
    // Most lines begin with another character, so they need not be split.
    if is_heading || !text.starts_with(|c: char| c.is_ascii_digit()) {
        return is_heading;
    }
    let parts = words(text);
    let is_cell =
        |word: &&str| *word == "-" || word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    parts.len() == 8 && parts.iter().all(is_cell)
}

/// Reads a line of the totals; whether it is one.
fn read_line(found: &mut Collector, offset: usize, text: &str) -> bool {
    let Some((name, value)) = text.split_once(':') else {
        return false;
    };
    let name = name.trim().to_ascii_lowercase();
    match name.as_str() {
        "total writes made" => found.set("op", "write"),
        "total reads made" => found.set("op", "read"),
        _ => {}
    }
    let Some((metric, factor)) = metric_of(&name) else {
        // Sizes, counts and deviations belong to the totals.
        return ["total", "stddev", "write size", "read size", "object size"]
            .iter()
            .any(|prefix| name.starts_with(prefix));
    };
    if let Some((word, value, _)) = leading(value.trim()) {
        found.add(offset, word, metric, value * factor);
    }
    true
}

fn metric_of(name: &str) -> Option<(Metric, f64)> {
    Some(match name {
        "bandwidth (mb/sec)" => (rate("rate", "throughput"), MIB),
        "max bandwidth (mb/sec)" => (rate("rate.max", "max throughput"), MIB),
        "min bandwidth (mb/sec)" => (rate("rate.min", "min throughput"), MIB),
        "average iops" => (per_second("iops", "IOPS"), 1.0),
        "max iops" => (per_second("iops.max", "max IOPS"), 1.0),
        "min iops" => (per_second("iops.min", "min IOPS"), 1.0),
        "average latency(s)" | "average latency" => (time("latency.mean", "mean latency"), SECOND),
        "max latency(s)" | "max latency" => (time("latency.max", "max latency"), SECOND),
        "min latency(s)" | "min latency" => (time("latency.min", "min latency"), SECOND),
        _ => return None,
    })
}

fn read_rbd(cursor: Cursor, text: &str) -> Option<Output> {
    let mut found = Collector::new(cursor, "rbd bench");
    let behind = |name: &str| {
        text.find(name)
            .and_then(|index| value_of(&text[index..], name))
    };
    if let Some((word, value, _)) = behind("ops/sec").and_then(leading) {
        found.add(0, word, per_second("iops", "IOPS"), value);
    }
    if let Some((word, value, unit)) = behind("bytes/sec").and_then(leading) {
        let factor = match unit.trim() {
            "" => 1.0,
            unit => binary(unit)?,
        };
        found.add(0, word, rate("rate", "throughput"), value * factor);
    }
    found.finish(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn totals_are_read_and_progress_is_not() {
        let text = "\
  sec Cur ops   started  finished  avg MB/s  cur MB/s last lat(s)  avg lat(s)
    0       0         0         0         0         0           -           0
    1      16        71        55    219.98       220     0.21101     0.26012
Total time run:         60.0321
Total writes made:      4211
Write size:             4194304
Object size:            4194304
Bandwidth (MB/sec):     280.5
Stddev Bandwidth:       21.12
Max bandwidth (MB/sec): 320
Min bandwidth (MB/sec): 212
Average IOPS:           70
Stddev IOPS:            5
Average Latency(s):     0.25
Max latency(s):         1.5
";
        assert_eq!(
            figures(read, text),
            [
                "op=write rate 294125600",
                "op=write rate.max 335544300",
                "op=write rate.min 222298100",
                "op=write iops 70",
                "op=write latency.mean 250000000",
                "op=write latency.max 1500000000",
            ]
        );
        assert_eq!(outputs(read, &format!("{text}{text}")).len(), 2);
        let rbd = "elapsed:    12  ops:   262144  ops/sec: 20834.5  bytes/sec: 81.5 MiB/s\n";
        assert_eq!(figures(read, rbd), ["iops 20834.5", "rate 85458940"]);
        assert!(figures(read, "1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 9\n").is_empty());
    }
}

//! The texts of CrystalDiskMark and KDiskMark:
//!
//! ```text
//! [Read]
//! Sequential   1 MiB (Q=  8, T= 1):   3401.321 MB/s [   3321.6 IOPS] <  2404.12 us>
//!   RND    4KiB (Q= 32, T=16):   612.532 MB/s [ 153133.1 IOPS] <   208.12 us>
//!   Random Write 4KiB (Q=  8,T= 8) :   612.532 MB/s [ 153133.1 IOPS]       before 7
//! ```
//!
//! MB are 10^6 bytes.

use crate::readers::benchmarks::collect::{Collector, US, leading, per_second, rate, time};
use crate::recognise::{Cursor, Output};

const MEGABYTE: f64 = 1e6;
/// Limit for the lines between two that are recognised.
const MAX_GAP: usize = 3;

pub fn read(cursor: Cursor) -> Option<Output> {
    let titled = operation(cursor.text(0)).is_some();
    row(cursor.text(usize::from(titled)))?;
    let mut found = Collector::new(cursor, "CrystalDiskMark");
    let (mut offset, mut end) = (0, 0);
    let mut read: Vec<&str> = Vec::new();
    while offset <= end + MAX_GAP {
        let text = cursor.text(offset);
        if let Some(operation) = operation(text) {
            // A second `[Read]` is that of another output.
            if read.contains(&operation) {
                break;
            }
            read.push(operation);
            found.set("op", operation);
            end = offset + 1;
        } else if let Some(row) = row(text) {
            add_row(&mut found, offset, &row);
            end = offset + 1;
        } else if !text.trim().is_empty() {
            break;
        }
        offset += 1;
    }
    found.finish(end)
}

fn operation(text: &str) -> Option<&'static str> {
    match text.trim() {
        "[Read]" => Some("read"),
        "[Write]" => Some("write"),
        text if text.starts_with("[Mix]") => Some("mix"),
        _ => None,
    }
}

/// A row: its test, queues and threads, and the figures.
struct Row<'a> {
    test: &'a str,
    queues: &'a str,
    threads: &'a str,
    rest: &'a str,
}

fn row(text: &str) -> Option<Row<'_>> {
    let (test, rest) = text.split_once('(')?;
    let rest = rest.strip_prefix("Q=")?;
    let (settings, rest) = rest.split_once(')')?;
    let (queues, threads) = settings.split_once(',')?;
    let rest = rest.trim_start().strip_prefix(':')?;
    Some(Row {
        test: test.trim(),
        queues: queues.trim(),
        threads: threads.trim().strip_prefix("T=")?.trim(),
        rest,
    })
}

fn add_row(found: &mut Collector, offset: usize, row: &Row) {
    let test: Vec<&str> = row.test.split_whitespace().collect();
    found.set("test", &test.join(" "));
    found.set("iodepth", row.queues);
    found.set("threads", row.threads);
    for part in row.rest.split(['[', ']', '<', '>']) {
        let Some((word, value, unit)) = leading(part.trim()) else {
            continue;
        };
        match unit.trim() {
            "MB/s" => found.add(offset, word, rate("rate", "throughput"), value * MEGABYTE),
            "IOPS" => found.add(offset, word, per_second("iops", "IOPS"), value),
            "us" => found.add(offset, word, time("latency", "latency"), value * US),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn all_versions_are_read() {
        let text = "[Read]\n\
            Sequential   1 MiB (Q=  8, T= 1):   3401.5 MB/s [   3321.5 IOPS] <  2404.5 us>\n\n\
            [Write]\n  RND    4KiB (Q= 32, T=16):   612.5 MB/s [ 153133.5 IOPS] <   208.5 us>\n";
        assert_eq!(
            figures(read, text),
            [
                "op=read test=Sequential 1 MiB iodepth=8 threads=1 rate 3401500000",
                "op=read test=Sequential 1 MiB iodepth=8 threads=1 iops 3321.5",
                "op=read test=Sequential 1 MiB iodepth=8 threads=1 latency 2404500",
                "op=write test=RND 4KiB iodepth=32 threads=16 rate 612500000",
                "op=write test=RND 4KiB iodepth=32 threads=16 iops 153133.5",
                "op=write test=RND 4KiB iodepth=32 threads=16 latency 208500",
            ]
        );
        assert_eq!(outputs(read, &format!("{text}\n{text}")).len(), 2);
        let old = "  Random Write 4KiB (Q=  8,T= 8) :   612.5 MB/s [ 153133.5 IOPS]\n";
        assert_eq!(figures(read, old).len(), 2);
        assert!(figures(read, "[Read]\n12 MB/s\n").is_empty());
    }
}

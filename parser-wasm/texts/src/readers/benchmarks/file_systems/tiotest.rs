//! tiotest's two frames. Its megabytes are 2^20 bytes.
//!
//! ```text
//! Tiotest results for 4 concurrent io threads:
//! | Write          40 MBs |    2.8 s |  14.509 MB/s |   0.4 %  |   6.2 % |
//! Tiotest latency results:
//! | Write        |        2.144 ms |     1929.600 ms |  0.02930 |   0.00000 |
//! | Total        |        3.357 ms |     4073.600 ms |  0.06465 |   0.00000 |
//! ```

use crate::observation::Good;
use crate::readers::benchmarks::collect::{
    Collector, MIB, MS, PERCENT, decimal, is_border, rate, share, time, with_unit,
};
use crate::recognise::{Cursor, Output};

/// Limit for the lines between two that are recognised.
const MAX_GAP: usize = 3;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0).trim();
    let threads = first
        .strip_prefix("Tiotest results for ")
        .and_then(|rest| rest.split_once(" concurrent"))
        .map(|(threads, _)| threads.trim());
    if threads.is_none() && !first.starts_with("Tiotest latency results") {
        return None;
    }
    let mut found = Collector::new(cursor, "tiotest");
    if let Some(threads) = threads.filter(|threads| threads.parse::<u32>().is_ok()) {
        found.set("threads", threads);
    }
    let mut end = 1;
    let mut offset = 1;
    while offset < end + MAX_GAP {
        let text = cursor.text(offset).trim();
        if text.starts_with("Tiotest results for ") {
            break;
        }
        let is_frame = text.starts_with(['|', '+', ',', '`', '\'']) && text.len() > 20;
        if is_frame || text.starts_with("Tiotest latency results") {
            read_row(&mut found, offset, text);
            end = offset + 1;
        } else if is_border(text) {
            break;
        }
        offset += 1;
    }
    found.finish(end)
}

fn read_row(found: &mut Collector, offset: usize, text: &str) {
    let cells: Vec<&str> = text.trim_matches('|').split('|').map(str::trim).collect();
    let [name, first, second, third, fourth, ..] = cells.as_slice() else {
        return;
    };
    let operation = name
        .trim_end_matches(" MBs")
        .trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ')
        .to_ascii_lowercase();
    if !["write", "random write", "read", "random read", "total"].contains(&operation.as_str()) {
        return;
    }
    found.set("op", &operation);
    match (with_unit(first), with_unit(second)) {
        (Some((_, _, "s")), Some((word, value, "MB/s"))) => {
            found.add(offset, word, rate("rate", "throughput"), value * MIB);
            for (cell, key, label) in [
                (third, "cpu.usr", "CPU, user"),
                (fourth, "cpu.sys", "CPU, system"),
            ] {
                if let Some((word, value, "%")) = with_unit(cell) {
                    found.add(offset, word, share(key, label), value * PERCENT);
                }
            }
        }
        (Some((mean, mean_value, "ms")), Some((most, most_value, "ms"))) => {
            found.add(
                offset,
                mean,
                time("latency.mean", "mean latency"),
                mean_value * MS,
            );
            found.add(
                offset,
                most,
                time("latency.max", "max latency"),
                most_value * MS,
            );
            for (cell, key, label) in [
                (third, "latency.over_2s", "share over 2 s"),
                (fourth, "latency.over_10s", "share over 10 s"),
            ] {
                if let Some(value) = decimal(cell) {
                    let metric = share(key, label).better(Good::Less);
                    found.add(offset, cell, metric, value * PERCENT);
                }
            }
        }
        _ => {}
    }
    found.unset("op");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn both_frames_belong_together() {
        let text = "Tiotest results for 4 concurrent io threads:\n\
            ,----------------------------------------------------------------------.\n\
            | Item                  | Time     | Rate         | Usr CPU  | Sys CPU |\n\
            +-----------------------+----------+--------------+----------+---------+\n\
            | Write          40 MBs |    2.8 s |  14.500 MB/s |   0.4 %  |   6.2 % |\n\
            | Random Read    16 MBs |    6.6 s |   2.500 MB/s |   0.1 %  |   1.2 % |\n\
            `----------------------------------------------------------------------'\n\
            Tiotest latency results:\n\
            ,-------------------------------------------------------------------------.\n\
            | Item         | Average latency | Maximum latency | % >2 sec | % >10 sec |\n\
            +--------------+-----------------+-----------------+----------+-----------+\n\
            | Write        |        2.150 ms |     1929.500 ms |  0.02930 |   0.00000 |\n\
            | Total        |        3.357 ms |     4073.600 ms |  0.06465 |   0.00000 |\n\
            `--------------+-----------------+-----------------+----------+-----------'\n";
        assert_eq!(
            figures(read, text),
            [
                "threads=4 op=write rate 15204350",
                "threads=4 op=write cpu.usr 0.004",
                "threads=4 op=write cpu.sys 0.062",
                "threads=4 op=random read rate 2621440",
                "threads=4 op=random read cpu.usr 0.001",
                "threads=4 op=random read cpu.sys 0.012",
                "threads=4 op=write latency.mean 2150000",
                "threads=4 op=write latency.max 1929500000",
                "threads=4 op=write latency.over_2s 0.000293",
                "threads=4 op=write latency.over_10s 0",
                "threads=4 op=total latency.mean 3357000",
                "threads=4 op=total latency.max 4073600000",
                "threads=4 op=total latency.over_2s 0.0006465",
                "threads=4 op=total latency.over_10s 0",
            ]
        );
        assert_eq!(outputs(read, &format!("{text}\n{text}")).len(), 2);
    }
}

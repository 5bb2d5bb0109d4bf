//! `t/io_uring` of fio, a line per second:
//!
//! ```text
//! IOPS=7.12M, BW=3.48GiB/s, IOS/call=32/31
//! IOPS=812288, IOS/call=32/31, inflight=128 (128)             before 2022
//! Maximum IOPS=7.15M
//! ```
//!
//! Each line is a second of one measurement.

use crate::readers::benchmarks::collect::{Collector, binary, leading, per_second, rate};
use crate::recognise::{Cursor, Output};

/// Lines that are read of one output.
const MAX_LINES: usize = 1000;

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "t/io_uring");
    let mut offset = 0;
    while offset < MAX_LINES && is_line(cursor.text(offset)) {
        found.set_repeat(Some(format!("interval {}", offset + 1)));
        for part in cursor.text(offset).trim().split(", ") {
            add_figure(&mut found, offset, part);
        }
        offset += 1;
    }
    if offset > 0 && cursor.text(offset).trim().starts_with("Maximum IOPS=") {
        offset += 1;
    }
    found.finish(offset)
}

fn is_line(text: &str) -> bool {
    text.trim_start().starts_with("IOPS=") && text.contains("IOS/call=")
}

fn add_figure(found: &mut Collector, offset: usize, part: &str) {
    if let Some((word, value, unit)) = part.strip_prefix("IOPS=").and_then(leading) {
        let factor = match unit.trim() {
            "" => 1.0,
            "K" | "k" => 1e3,
            "M" => 1e6,
            _ => return,
        };
        found.add(offset, word, per_second("iops", "IOPS"), value * factor);
    }
    if let Some((word, value, unit)) = part.strip_prefix("BW=").and_then(leading)
        && let Some(factor) = binary(unit)
    {
        found.add(offset, word, rate("rate", "throughput"), value * factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn lines_are_intervals() {
        let text = "IOPS=7.25M, BW=3.5GiB/s, IOS/call=32/31\n\
            IOPS=7.5M, BW=3.75GiB/s, IOS/call=32/32\nMaximum IOPS=7.5M\n";
        assert_eq!(
            figures(read, text),
            [
                "repeat=interval 1 iops 7250000",
                "repeat=interval 1 rate 3758096000",
                "repeat=interval 2 iops 7500000",
                "repeat=interval 2 rate 4026532000",
            ]
        );
        assert_eq!(outputs(read, text)[0].end, 3);
        assert!(figures(read, "with patch: IOPS=12k, BW=48MiB/s\n").is_empty());
    }
}

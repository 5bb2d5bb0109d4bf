//! Programs that copy files and say how fast: `rsync` and `pv`.
//!
//! ```text
//! sent 12,005,169 bytes  received 779 bytes  24,011,896.00 bytes/sec
//! sent 3.15M bytes  received 35 bytes  6.29M bytes/sec                  -h
//! 3.00GiB 0:00:09 [ 341MiB/s] [================================>] 100%
//! ```

use crate::quantity::number;
use crate::readers::benchmarks::collect::{
    Collector, KIB, MIB, SECOND, clock, leading, rate, time,
};
use crate::recognise::{Cursor, Output};

pub fn read(cursor: Cursor) -> Option<Output> {
    read_rsync(cursor).or_else(|| read_pv(cursor))
}

/// Lines of `--stats` before the one with the rate.
const MAX_STATISTICS: usize = 24;

fn read_rsync(cursor: Cursor) -> Option<Output> {
    let summary = if cursor.text(0).trim_start().starts_with("Number of files: ") {
        (1..MAX_STATISTICS).find(|offset| cursor.text(*offset).trim_start().starts_with("sent "))?
    } else {
        0
    };
    let text = cursor.text(summary).trim();
    let (_, rest) = text
        .strip_prefix("sent ")?
        .split_once(" bytes  received ")
        .or_else(|| text.split_once(" bytes received "))?;
    let (_, shown) = rest.split_once(" bytes ")?;
    let shown = shown.trim().strip_suffix("bytes/sec")?.trim();
    let letters = shown.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &shown[letters.len()..] {
        "" => 1.0,
        "K" | "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        _ => return None,
    };
    // Digits are in groups, unless there is a letter.
    let value = if factor == 1.0 {
        number(letters)?
    } else {
        crate::readers::benchmarks::collect::decimal(letters)?
    };
    let mut found = Collector::new(cursor, "rsync");
    found.add(summary, letters, rate("rate", "throughput"), value * factor);
    let next = cursor.text(summary + 1).trim();
    let has_total = next.starts_with("total size is ");
    found.finish(summary + if has_total { 2 } else { 1 })
}

/// The last line of `pv`, which has the rate of the complete transfer.
fn read_pv(cursor: Cursor) -> Option<Output> {
    let text = cursor.text(0).trim();
    let (front, rest) = text.split_once('[')?;
    let (shown, rest) = rest.split_once(']')?;
    let parts: Vec<&str> = front.split_whitespace().collect();
    let [amount, elapsed] = parts.as_slice() else {
        return None;
    };
    amount_of(amount)?;
    let seconds = clock(elapsed).filter(|_| elapsed.matches(':').count() == 2)?;
    let is_complete = rest.trim().is_empty() || rest.contains("100%") || rest.contains("<=>");
    if !is_complete {
        return None;
    }
    let shown = shown.trim();
    let (word, value, unit) = leading(shown)?;
    let factor = unit_factor(unit.strip_suffix("/s")?)?;
    let mut found = Collector::new(cursor, "pv");
    found.add(0, word, rate("rate", "throughput"), value * factor);
    found.add(0, elapsed, time("time", "time"), seconds * SECOND);
    found.finish(1)
}

fn amount_of(text: &str) -> Option<f64> {
    let (_, value, unit) = leading(text)?;
    unit_factor(unit).map(|factor| value * factor)
}

/// Bytes of the units of `pv`, which are of 1024.
fn unit_factor(unit: &str) -> Option<f64> {
    Some(match unit.trim() {
        "B" => 1.0,
        "KiB" | "kB" | "KB" => KIB,
        "MiB" | "MB" => MIB,
        "GiB" | "GB" => MIB * KIB,
        "TiB" | "TB" => MIB * MIB,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::figures;

    #[test]
    fn rates_of_transfers_are_read() {
        let cases = [
            (
                "sent 12,005,169 bytes  received 779 bytes  24,011,896.50 bytes/sec",
                "rate 24011900",
            ),
            (
                "sent 12.005.169 bytes  received 779 bytes  24.011.896,50 bytes/sec",
                "rate 24011900",
            ),
            (
                "sent 12005169 bytes  received 779 bytes  2401189.50 bytes/sec",
                "rate 2401190",
            ),
            (
                "sent 3.15M bytes  received 35 bytes  6.25M bytes/sec",
                "rate 6250000",
            ),
            (
                "4.7MiB 0:00:02 [ 2.5MiB/s] [ <=>           ]",
                "rate 2621440",
            ),
            (
                "3.00GiB 0:00:09 [ 341MiB/s] [=============>] 100%",
                "rate 357564400",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(
                figures(read, text).first().map(String::as_str),
                Some(expected),
                "{text}"
            );
        }
        for text in [
            "1.00GiB 0:00:03 [ 341MiB/s] [====>         ] 33% ETA 0:00:06",
            "sent 12 mails, received 3",
            "[ 12.5] sd 0:0:0:0: [sda] 100%",
        ] {
            assert!(figures(read, text).is_empty(), "{text}");
        }
    }
}

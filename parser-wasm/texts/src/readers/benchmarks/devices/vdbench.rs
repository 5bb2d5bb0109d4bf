//! The average of a run of vdbench:
//!
//! ```text
//!               interval        i/o   MB/sec   bytes   read     resp     read    write     read ...
//!                              rate  1024**2     i/o    pct     time     resp     resp      max ...
//! 10:12:12.051  avg_2-60    1234.00     4.82    4096 100.00    0.812    0.812    0.000     5.12 ...
//! ```

use crate::readers::benchmarks::collect::{
    Collector, MIB, MS, decimal, per_second, rate, time, words,
};
use crate::recognise::{Cursor, Output};

/// Figures behind the name of the interval that are read.
const FIGURES: usize = 5;

pub fn read(cursor: Cursor) -> Option<Output> {
    let second = cursor.text(0).split_whitespace().nth(1)?;
    if !second.starts_with("avg_") {
        return None;
    }
    let parts = words(cursor.text(0));
    let interval = parts.get(1).filter(|word| word.starts_with("avg_"))?;
    let clocked = parts.first()?.matches(':').count() == 2;
    let values: Vec<f64> = parts
        .iter()
        .skip(2)
        .filter_map(|word| decimal(word))
        .collect();
    let range = interval.strip_prefix("avg_")?;
    let ranged = range.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    if !clocked || !ranged || values.len() < FIGURES + 4 || values.len() + 2 != parts.len() {
        return None;
    }
    let mut found = Collector::new(cursor, "vdbench");
    found.add(0, parts[2], per_second("iops", "IOPS"), values[0]);
    found.add(0, parts[3], rate("rate", "throughput"), values[1] * MIB);
    found.add(
        0,
        parts[6],
        time("latency.mean", "mean latency"),
        values[4] * MS,
    );
    found.finish(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::figures;

    #[test]
    fn the_average_is_read() {
        let text = "10:11:12.051         1    1233.00     4.75    4096 100.00    0.750    0.812    \
            0.000     5.12     0.00    0.411    1.0   2.1   1.2\n\
            10:12:12.051  avg_2-60    1234.00     4.50    4096 100.00    0.500    0.812    \
            0.000     5.12     0.00    0.411    1.0   2.1   1.2\n";
        assert_eq!(
            figures(read, text),
            ["iops 1234", "rate 4718592", "latency.mean 500000"]
        );
        assert!(figures(read, "10:12 avg_load 12\n").is_empty());
    }
}

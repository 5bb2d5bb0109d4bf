//! `db_bench` of LevelDB and RocksDB:
//!
//! ```text
//! fillseq      :       3.123 micros/op 320123 ops/sec;   35.4 MB/s
//! readrandom   :       8.411 micros/op 118891 ops/sec 8.411 seconds 1000000 operations; (...)
//! fillsync     :     812.311 micros/op;    0.1 MB/s (1000 ops)                 LevelDB
//! ```
//!
//! Its megabytes are 2^20 bytes.

use crate::readers::benchmarks::collect::{Collector, MIB, US, leading, per_second, rate, time};
use crate::recognise::{Cursor, Output};

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "db_bench");
    let mut tests: Vec<&str> = Vec::new();
    let mut offset = 0;
    while let Some((test, rest)) = row(cursor.text(offset)) {
        // A test that comes again is that of another output.
        if tests.contains(&test) {
            break;
        }
        tests.push(test);
        found.set("test", test);
        add_row(&mut found, offset, rest);
        offset += 1;
    }
    found.finish(offset)
}

fn row(text: &str) -> Option<(&str, &str)> {
    let (test, rest) = text.split_once(':')?;
    let test = test.trim();
    let is_name = !test.is_empty() && !test.contains(char::is_whitespace);
    (is_name && rest.contains(" micros/op")).then_some((test, rest.trim_start()))
}

fn add_row(found: &mut Collector, offset: usize, rest: &str) {
    let Some((word, value, rest)) = leading(rest) else {
        return;
    };
    found.add(
        offset,
        word,
        time("latency.mean", "mean latency"),
        value * US,
    );
    let rest = rest.trim_start().trim_start_matches("micros/op");
    for part in rest.split(';') {
        let Some((word, value, unit)) = leading(part.trim_start()) else {
            continue;
        };
        match unit.split_whitespace().next() {
            Some("ops/sec") => found.add(offset, word, per_second("ops", "operations/s"), value),
            Some("MB/s") => found.add(offset, word, rate("rate", "throughput"), value * MIB),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn rows_are_tests() {
        let text = "fillseq      :       3.125 micros/op 320000 ops/sec;   35.5 MB/s\n\
            readrandom   :       8.5 micros/op 118000 ops/sec 8.5 seconds 9 operations; (9 of 9)\n\
            fillsync     :     812.5 micros/op;    0.5 MB/s (1000 ops)\n";
        assert_eq!(
            figures(read, text),
            [
                "test=fillseq latency.mean 3125",
                "test=fillseq ops 320000",
                "test=fillseq rate 37224450",
                "test=readrandom latency.mean 8500",
                "test=readrandom ops 118000",
                "test=fillsync latency.mean 812500",
                "test=fillsync rate 524288",
            ]
        );
        assert_eq!(outputs(read, &format!("{text}{text}")).len(), 2);
    }
}

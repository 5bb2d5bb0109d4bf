//! bonnie++ 1.0x and 2.x, its table and its line of CSV:
//!
//! ```text
//! Version 1.03e       ------Sequential Output------ --Sequential Input- --Random-
//!                     -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
//! Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP
//! 2.6.24          16G 61022  97 98233  12 44012   8 58221  94 92311   9 312.4   1
//! Latency             15083us     203ms    1193ms   32215us     110ms     365ms
//! ```
//!
//! K is 1024 bytes. `+++++` is a time too short to be measured; empty columns were not tested.

mod csv;
mod text;

use crate::readers::benchmarks::collect::{
    Collector, KIB, MIB, PERCENT, decimal, leading, nanoseconds, per_second, rate, share, time,
};
use crate::recognise::{Cursor, Output};

/// The tests of a line of the first table, in its order.
const BLOCKS: [&str; 6] = [
    "write per chr",
    "write block",
    "rewrite",
    "read per chr",
    "read block",
    "seeks",
];

/// The tests of a line of the second table.
const FILES: [&str; 6] = [
    "sequential create",
    "sequential stat",
    "sequential delete",
    "random create",
    "random stat",
    "random delete",
];

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "bonnie++");
    found.set_side("machine");
    let end = if text::begins(cursor.text(0)) {
        text::read_tables(&mut found, cursor)
    } else {
        csv::read_lines(&mut found, cursor, 0)
    };
    found.finish(end)
}

/// Adds the result and the CPU time of a test: `98233`, `786k`, `+++++`.
fn add_test(found: &mut Collector, offset: usize, test: &str, shown: [&str; 2]) {
    let [result, cpu] = shown;
    found.set("op", test);
    if let Some((word, value, unit)) = leading(result) {
        let bytes = match unit {
            "" | "k" | "K" => KIB,
            "m" | "M" => MIB,
            "g" | "G" => MIB * KIB,
            _ => f64::NAN,
        };
        let counts = test == "seeks" || FILES.contains(&test);
        match (counts, unit) {
            (true, "") => found.add(offset, word, per_second("ops", "operations/s"), value),
            (true, _) => {}
            _ => found.add(offset, word, rate("rate", "throughput"), value * bytes),
        }
    }
    if let Some(value) = decimal(cpu) {
        found.add(offset, cpu, share("cpu", "CPU"), value * PERCENT);
    }
    found.unset("op");
}

/// Adds the latency of a test: `15083us`.
fn add_latency(found: &mut Collector, offset: usize, test: &str, shown: &str) {
    let Some((word, value, unit)) = leading(shown) else {
        return;
    };
    if let Some(factor) = nanoseconds(unit) {
        found.set("op", test);
        found.add(
            offset,
            word,
            time("latency.max", "max latency"),
            value * factor,
        );
        found.unset("op");
    }
}

/// Whether a word is a result: a number, or the sign of one too large.
fn is_result(word: &str) -> bool {
    word.starts_with("+++") && word.bytes().all(|b| b == b'+')
        || leading(word)
            .is_some_and(|(_, _, unit)| matches!(unit, "" | "k" | "m" | "g" | "K" | "M" | "G"))
}

#[cfg(test)]
mod tests;

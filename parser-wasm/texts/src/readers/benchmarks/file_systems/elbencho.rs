//! elbencho's table of phases:
//!
//! ```text
//! OPERATION   RESULT TYPE         FIRST DONE   LAST DONE
//! =========== ================    ==========   =========
//! WRITE       Elapsed time      :     1.234s      1.345s
//!             IOPS              :      12345       12000
//!             Throughput MiB/s  :       1234        1200
//! ---
//! ```
//!
//! The column `FIRST DONE` is up to the end of the first thread; `LAST DONE` is of all.

use crate::readers::benchmarks::collect::{
    Collector, MIB, MS, SECOND, US, clock, decimal, leading, per_second, rate, time, words,
};
use crate::recognise::{Cursor, Output};

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0);
    if !first.trim_start().starts_with("OPERATION") {
        return None;
    }
    if words(first)
        != [
            "OPERATION",
            "RESULT",
            "TYPE",
            "FIRST",
            "DONE",
            "LAST",
            "DONE",
        ]
    {
        return None;
    }
    let mut found = Collector::new(cursor, "elbencho");
    let mut offset = 1;
    loop {
        let text = cursor.text(offset).trim();
        let is_rule = text.starts_with("===") || text.starts_with("---");
        if !is_rule && !read_line(&mut found, offset, cursor.text(offset)) {
            break;
        }
        offset += 1;
    }
    found.finish(offset)
}

fn read_line(found: &mut Collector, offset: usize, text: &str) -> bool {
    let Some((name, values)) = text.split_once(':') else {
        return false;
    };
    let named = name.starts_with(|c: char| !c.is_whitespace());
    let name = match name.split_once(char::is_whitespace).filter(|_| named) {
        Some((operation, rest)) => {
            found.set("op", &operation.to_ascii_lowercase());
            rest
        }
        None => name,
    };
    let parts = words(values);
    let Some(last) = parts.get(1) else {
        // Latencies have their own form: `[ min=12us avg=100us max=1.20ms ]`.
        return name.trim().ends_with("latency") || parts.len() == 1;
    };
    if values.contains('=') {
        read_latencies(found, offset, values);
        return true;
    }
    let (metric, value) = match name.trim() {
        "Elapsed time" => (time("time", "time"), clock(last).map(|v| v * SECOND)),
        "Elapsed ms" => (time("time", "time"), decimal(last).map(|v| v * MS)),
        "IOPS" => (per_second("iops", "IOPS"), decimal(last)),
        "Files/s" => (per_second("files", "files/s"), decimal(last)),
        "Dirs/s" => (per_second("dirs", "directories/s"), decimal(last)),
        "Throughput MiB/s" => (rate("rate", "throughput"), decimal(last).map(|v| v * MIB)),
        "Throughput MB/s" => (rate("rate", "throughput"), decimal(last).map(|v| v * 1e6)),
        _ => return true,
    };
    if let Some(value) = value {
        found.add(offset, last, metric, value);
    }
    true
}

fn read_latencies(found: &mut Collector, offset: usize, text: &str) {
    for word in words(text) {
        let Some((name, shown)) = word.split_once('=') else {
            continue;
        };
        let (key, label) = match name {
            "min" => ("latency.min", "min latency"),
            "avg" => ("latency.mean", "mean latency"),
            "max" => ("latency.max", "max latency"),
            _ => continue,
        };
        let Some((word, value, unit)) = leading(shown) else {
            continue;
        };
        let factor = match unit {
            "us" => US,
            "ms" => MS,
            "s" => SECOND,
            _ => continue,
        };
        found.add(offset, word, time(key, label), value * factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn phases_have_the_figures_of_all_threads() {
        let text = "OPERATION   RESULT TYPE         FIRST DONE   LAST DONE\n\
            =========== ================    ==========   =========\n\
            WRITE       Elapsed time      :     1.250s      1.500s\n            \
            IOPS              :      12345       12000\n            \
            Throughput MiB/s  :       1234        1024\n            \
            Total MiB         :       1000        2000\n---\n\
            READ        Elapsed time      :      500ms      1m2.5s\n            \
            Files/s           :      12345       11000\n            \
            IO latency        : [ min=12.5us avg=100us max=1.25ms ]\n";
        assert_eq!(
            figures(read, text),
            [
                "op=write time 1500000000",
                "op=write iops 12000",
                "op=write rate 1073742000",
                "op=read time 62500000000",
                "op=read files 11000",
                "op=read latency.min 12500",
                "op=read latency.mean 100000",
                "op=read latency.max 1250000",
            ]
        );
        assert_eq!(outputs(read, &format!("{text}\n{text}")).len(), 2);
    }
}

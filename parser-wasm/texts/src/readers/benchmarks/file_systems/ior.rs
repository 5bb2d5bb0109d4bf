//! IOR's lines of iterations and its maxima:
//!
//! ```text
//! access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
//! ------    ---------  ----       ----------  ---------- ---------  --------   --------   --------   --------   ----
//! write     1234.56    1235.11    0.003       1048576    1024.00    0.0012     0.829      0.0001     0.830      0
//! Max Write: 1234.56 MiB/sec (1294.53 MB/sec)
//! ```

use crate::readers::benchmarks::collect::{
    Collector, MIB, SECOND, decimal, leading, per_second, rate, time, words,
};
use crate::recognise::{Cursor, Output};

/// Empty lines, and those of other kinds, between two that are known.
const MAX_GAP: usize = 3;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0).trim_start();
    if !first.starts_with("access") && !first.starts_with("Max ") {
        return None;
    }
    let heading = words(first);
    let titled = heading.first() == Some(&"access") && heading.get(1) == Some(&"bw(MiB/s)");
    if !titled && maximum(cursor.text(0)).is_none() {
        return None;
    }
    let mut found = Collector::new(cursor, "IOR");
    let mut seen: Vec<&str> = Vec::new();
    let mut end = usize::from(titled);
    let mut offset = end;
    while offset < end + MAX_GAP {
        let text = cursor.text(offset);
        if let Some((operation, shown)) = maximum(text) {
            if seen.contains(&operation) {
                break;
            }
            seen.push(operation);
            if let Some((word, value, _)) = leading(shown) {
                let label = format!("{operation} throughput, max");
                found.add(
                    offset,
                    word,
                    rate(&format!("{operation}.rate.max"), &label),
                    value * MIB,
                );
            }
            end = offset + 1;
        } else if titled && seen.is_empty() && read_iteration(&mut found, offset, text, &heading)
            || text.trim().starts_with("---")
        {
            end = offset + 1;
        } else if !text.trim().is_empty() {
            break;
        }
        offset += 1;
    }
    found.finish(end)
}

/// The operation and the figure of `Max Write: 1234.56 MiB/sec (1294.53 MB/sec)`.
fn maximum(text: &str) -> Option<(&'static str, &str)> {
    let rest = text.trim().strip_prefix("Max ")?;
    let (name, shown) = rest.split_once(':')?;
    let operation = match name {
        "Write" => "write",
        "Read" => "read",
        _ => return None,
    };
    shown
        .contains("MiB/sec")
        .then_some((operation, shown.trim()))
}

fn read_iteration(found: &mut Collector, offset: usize, text: &str, heading: &[&str]) -> bool {
    let parts = words(text);
    let operation = match parts.first() {
        Some(&"write") => "write",
        Some(&"read") => "read",
        // Removing files has no rate.
        Some(&"remove") => return parts.len() > 1,
        _ => return false,
    };
    if parts.len() != heading.len() {
        return false;
    }
    if heading.last() == Some(&"iter") {
        found.set_repeat(parts.last().map(|word| (*word).to_owned()));
    }
    for (name, word) in heading.iter().zip(&parts) {
        let Some(value) = decimal(word) else { continue };
        let (key, label) = match *name {
            "bw(MiB/s)" => ("rate", "throughput"),
            "IOPS" => ("iops", "IOPS"),
            "Latency(s)" => ("latency.mean", "mean latency"),
            "total(s)" => ("time", "time"),
            _ => continue,
        };
        let (key, label) = (format!("{operation}.{key}"), format!("{operation} {label}"));
        match *name {
            "bw(MiB/s)" => found.add(offset, word, rate(&key, &label), value * MIB),
            "IOPS" => found.add(offset, word, per_second(&key, &label), value),
            _ => found.add(offset, word, time(&key, &label), value * SECOND),
        }
    }
    found.set_repeat(None);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn iterations_are_repeats() {
        let text = "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) total(s)   iter\n\
            ------    ---------  ----       ----------  ---------- --------   ----\n\
            write     1024.00    1024.50    0.004       1048576    0.500      0\n\
            write     512.00     512.50     0.008       1048576    0.750      1\n\
            remove    -          -          -           -          -          1\n\n\
            Max Write: 1024.00 MiB/sec (1073.74 MB/sec)\nMax Read:  2.00 MiB/sec (2.10 MB/sec)\n";
        assert_eq!(
            figures(read, text),
            [
                "repeat=0 write.rate 1073742000",
                "repeat=0 write.iops 1024.5",
                "repeat=0 write.latency.mean 4000000",
                "repeat=0 write.time 500000000",
                "repeat=1 write.rate 536870900",
                "repeat=1 write.iops 512.5",
                "repeat=1 write.latency.mean 8000000",
                "repeat=1 write.time 750000000",
                "write.rate.max 1073742000",
                "read.rate.max 2097152",
            ]
        );
        assert_eq!(outputs(read, &format!("{text}\n{text}")).len(), 2);
        assert!(figures(read, "access denied\nMax Write: unlimited\n").is_empty());
    }
}

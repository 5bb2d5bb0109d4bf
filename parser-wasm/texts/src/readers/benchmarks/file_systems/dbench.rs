//! dbench and tbench 2 to 4:
//!
//! ```text
//!  Operation      Count    AvgLat    MaxLat
//!  ----------------------------------------
//!  NTCreateX      64666     0.023    12.320
//!
//! Throughput 558.106 MB/sec (sync open)  2 clients  2 procs  max_latency=17.628 ms
//! Throughput 133.5 MB/sec (NB=166.9 MB/sec  1335 MBit/sec)  4 procs                       before 3
//! ```

use crate::readers::benchmarks::collect::{
    Collector, MS, count, is_border, leading, rate, time, with_unit, words,
};
use crate::recognise::{Cursor, Output};

/// Lines between the table and the line with the throughput.
const MAX_GAP: usize = 3;
/// Bytes of a megabyte, as dbench computes.
const MEGABYTE: f64 = 1e6;

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "dbench");
    let first = cursor.text(0).trim();
    if is_throughput(first) {
        read_throughput(&mut found, 0, first);
        let end = read_latency_below(&mut found, cursor, 1);
        return found.finish(end);
    }
    if !first.starts_with("Operation") || words(first) != ["Operation", "Count", "AvgLat", "MaxLat"]
    {
        return None;
    }
    let mut offset = 1;
    loop {
        let text = cursor.text(offset);
        let is_rule = text.trim().starts_with("---") && text.trim().bytes().all(|b| b == b'-');
        if !is_rule && !read_operation(&mut found, offset, text) {
            break;
        }
        offset += 1;
    }
    for next in offset..offset + MAX_GAP {
        let text = cursor.text(next).trim();
        if is_throughput(text) {
            read_throughput(&mut found, next, text);
            offset = read_latency_below(&mut found, cursor, next + 1);
            break;
        }
        if is_border(text) {
            break;
        }
    }
    found.finish(offset)
}

fn is_throughput(text: &str) -> bool {
    text.strip_prefix("Throughput ")
        .and_then(leading)
        .is_some_and(|(_, _, rest)| {
            rest.trim_start().starts_with("MB/sec")
                && (rest.contains(" procs") || rest.contains(" clients"))
        })
}

fn read_throughput(found: &mut Collector, offset: usize, text: &str) {
    let Some((word, value, rest)) = text.strip_prefix("Throughput ").and_then(leading) else {
        return;
    };
    let parts = words(rest);
    let number_of = |name: &str| {
        let index = parts.iter().position(|part| *part == name)?;
        parts.get(index.checked_sub(1)?).copied()
    };
    // Programs of one client count as clients where a client has several.
    if let Some(clients) = number_of("clients").or_else(|| number_of("procs"))
        && clients.bytes().all(|b| b.is_ascii_digit())
    {
        found.set_of_all("clients", clients);
        found.set("clients", clients);
    }
    if rest.contains("(sync") {
        found.add_fact("sync", "yes");
    }
    found.add(offset, word, rate("rate", "throughput"), value * MEGABYTE);
    read_latency(found, offset, rest);
}

const MAX_LATENCY: &str = "max_latency=";

fn read_latency(found: &mut Collector, offset: usize, text: &str) {
    if let Some((_, latency)) = text.split_once(MAX_LATENCY)
        && let Some((word, value, "ms")) = with_unit(latency)
    {
        found.add(offset, word, time("latency.max", "max latency"), value * MS);
    }
}

/// Reads the latency where a mailer has put it into a line of its own; the line behind it.
fn read_latency_below(found: &mut Collector, cursor: Cursor, offset: usize) -> usize {
    let text = cursor.text(offset).trim();
    let is_below = text.starts_with(MAX_LATENCY);
    if is_below {
        read_latency(found, offset, text);
    }
    offset + usize::from(is_below)
}

/// `NTCreateX      64666     0.023    12.320`, perhaps with marks of a reader before.
fn read_operation(found: &mut Collector, offset: usize, text: &str) -> bool {
    let parts = words(text.trim_start_matches(['*', ' ', '\t', '>']));
    let [name, calls, mean, most] = parts.as_slice() else {
        return false;
    };
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let numbers = (
        calls.parse::<u64>(),
        mean.parse::<f64>(),
        most.parse::<f64>(),
    );
    let (true, (Ok(calls_value), Ok(mean_value), Ok(most_value))) = (named, numbers) else {
        return false;
    };
    found.set("op", name);
    found.add(offset, calls, count("count", "calls"), calls_value as f64);
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
    found.unset("op");
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn operations_belong_to_the_line_below() {
        let text = " Operation      Count    AvgLat    MaxLat\n ---------------------------------\n \
            NTCreateX      64666     0.023    12.320\n** WriteX        429696     3.960  2239.973\n\n\
            Throughput 558.5 MB/sec (sync open)  32 clients  32 procs  max_latency=1963.250 ms\n";
        assert_eq!(
            figures(read, text),
            [
                "clients=32 op=NTCreateX count 64666",
                "clients=32 op=NTCreateX latency.mean 23000",
                "clients=32 op=NTCreateX latency.max 12320000",
                "clients=32 op=WriteX count 429696",
                "clients=32 op=WriteX latency.mean 3960000",
                "clients=32 op=WriteX latency.max 2239973000",
                "clients=32 rate 558500000",
                "clients=32 latency.max 1963250000",
            ]
        );
        assert_eq!(outputs(read, &format!("{text}\nafter:\n{text}")).len(), 2);
    }

    #[test]
    fn lines_of_all_versions_are_read() {
        let text = "Throughput 133.5 MB/sec (NB=166.9 MB/sec  1335 MBit/sec)  4 procs\n\
            Throughput 210.5 MB/sec 1 procs\n\
            Throughput was 12 MB/sec with both kernels, 4 procs\n";
        assert_eq!(
            figures(read, text),
            ["clients=4 rate 133500000", "clients=1 rate 210500000"]
        );
    }
}

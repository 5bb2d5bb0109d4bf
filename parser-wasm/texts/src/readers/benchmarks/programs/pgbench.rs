//! pgbench, old and new layouts:
//!
//! ```text
//! number of clients: 32
//! latency average: 14.342 ms                                  before 9.6; later with `=`
//! tps = 2231.221000 (including connections establishing)      before 14
//! tps = 2232.113488 (excluding connections establishing)
//! tps = 3340.201410 (without initial connection time)         since 14
//! statement latencies in milliseconds:
//!         0.002118        BEGIN;
//! ```

use crate::readers::benchmarks::collect::{
    Collector, MS, count, is_border, leading, nanoseconds, per_second, share, time, value_of,
    with_unit, words,
};
use crate::recognise::{Cursor, Output};

/// Limit for the lines between two that are recognised.
const MAX_GAP: usize = 6;

/// The settings that distinguish outputs.
const SETTINGS: [(&str, &str); 6] = [
    ("transaction type", "script"),
    ("scaling factor", "scale"),
    ("query mode", "query mode"),
    ("number of clients", "clients"),
    ("number of threads", "threads"),
    ("partitions", "partitions"),
];

/// How the other lines of the output begin.
const OTHERS: [&str; 12] = [
    "starting vacuum",
    "pgbench (",
    "progress: ",
    "duration: ",
    "maximum number of tries:",
    "number of transactions per client:",
    "number of failed transactions:",
    "number of transactions retried:",
    "number of transactions above",
    "number of transactions skipped",
    "total number of retries:",
    "partition method:",
];

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0).trim();
    let begins = first.starts_with("pgbench (")
        || first.starts_with("starting vacuum...")
        || first.starts_with("transaction type: ")
        || first.starts_with("scaling factor: ")
        || first.starts_with("number of transactions actually processed: ")
        || first.starts_with("number of clients: ")
        || value_of(first, "latency average").is_some() && has_rate_soon(cursor)
        || is_progress(first) && !follows_progress(cursor)
        || is_rate(first);
    if !begins {
        return None;
    }
    let mut found = Collector::new(cursor, "pgbench");
    let mut end = 0;
    let mut statements = false;
    for offset in 0.. {
        let Some(line) = cursor.line(offset) else {
            break;
        };
        let text = line.text().trim();
        let fruitless = found.is_fruitless(offset) && !is_progress(text);
        if fruitless || offset > 0 && begins_another(text, &found) {
            break;
        }
        if statements && read_statement(&mut found, offset, text)
            || read_line(&mut found, offset, text)
        {
            statements |= text.starts_with("statement latencies");
            end = offset + 1;
        } else if offset >= end + MAX_GAP
            || found.is_fruitless(offset)
            || !found.is_empty() && is_border(line.text())
        {
            break;
        }
    }
    found.finish(end)
}

/// Lines from the mean latency to the rate.
const MAX_TO_RATE: usize = 5;

fn has_rate_soon(cursor: Cursor) -> bool {
    (1..=MAX_TO_RATE).any(|offset| is_rate(cursor.text(offset).trim()))
}

/// `progress: 1.0 s, 340.2 tps, lat 1.2 ms stddev 0.3, 0 failed`.
fn is_progress(text: &str) -> bool {
    text.starts_with("progress: ") && text.contains(" tps, lat ")
}

/// Whether the line above is one of progress, so that an output was sought from there.
fn follows_progress(cursor: Cursor) -> bool {
    let above = cursor
        .start
        .checked_sub(1)
        .and_then(|above| cursor.lines.get(above));
    above.is_some_and(|line| is_progress(line.text().trim()))
}

fn is_rate(text: &str) -> bool {
    text.starts_with("tps = ") && text.contains("onnection")
}

/// Whether a line belongs to the next output: one that this output has already.
fn begins_another(text: &str, found: &Collector) -> bool {
    let has_rate = found.has("tps") || found.has("tps.connecting");
    if text.starts_with("pgbench (") || text.starts_with("starting vacuum") {
        return !found.is_empty() || found.has_fact("version") && text.starts_with("pgbench (");
    }
    let again =
        |(name, fact): &(&str, &str)| value_of(text, name).is_some() && found.has_fact(fact);
    if SETTINGS.iter().any(again) {
        return true;
    }
    if is_rate(text) {
        return found.has(if text.contains("including") {
            "tps.connecting"
        } else {
            "tps"
        });
    }
    const COUNT: &str = "number of transactions actually processed";
    let repeated = value_of(text, "latency average").is_some() && found.has("latency.mean")
        || value_of(text, COUNT).is_some() && found.has("count");
    repeated
        || has_rate
            && SETTINGS
                .iter()
                .any(|(name, _)| value_of(text, name).is_some())
}

fn read_line(found: &mut Collector, offset: usize, text: &str) -> bool {
    if let Some(version) = text.strip_prefix("pgbench (") {
        found.add_fact("version", version.split([' ', ')']).next().unwrap_or(""));
        return true;
    }
    for (name, fact) in SETTINGS {
        if let Some(value) = value_of(text, name) {
            found.add_fact(fact, value);
            return true;
        }
    }
    if is_rate(text) {
        let Some((word, value, _)) = value_of(text, "tps").and_then(leading) else {
            return false;
        };
        let metric = if text.contains("including") {
            per_second("tps.connecting", "transactions/s with connecting")
        } else {
            per_second("tps", "transactions/s")
        };
        found.add(offset, word, metric, value);
        return true;
    }
    let times = [
        ("latency average", "latency.mean", "mean latency"),
        ("latency stddev", "latency.stdev", "latency stdev"),
        (
            "initial connection time",
            "connection.time",
            "initial connection time",
        ),
        (
            "average connection time",
            "connection.mean",
            "mean connection time",
        ),
    ];
    for (name, key, label) in times {
        let Some((word, value, unit)) = value_of(text, name).and_then(with_unit) else {
            continue;
        };
        if let Some(factor) = nanoseconds(unit) {
            found.add(offset, word, time(key, label), value * factor);
        }
        return true;
    }
    if let Some(rest) = value_of(text, "number of transactions actually processed") {
        if let Some((word, value, _)) = leading(rest) {
            found.add(offset, word, count("count", "transactions"), value);
        }
        return true;
    }
    if let Some(rest) = value_of(text, "number of failed transactions") {
        let percent = rest.split_once('(').and_then(|(_, inner)| leading(inner));
        if let Some((word, value, _)) = percent {
            found.add(
                offset,
                word,
                share("failed", "failed transactions"),
                value / 100.0,
            );
        }
        return true;
    }
    text.starts_with("statement latencies in milliseconds")
        || OTHERS.iter().any(|begin| text.starts_with(begin))
}

/// `0.057           0  BEGIN;`, or without the number of failures.
fn read_statement(found: &mut Collector, offset: usize, text: &str) -> bool {
    let Some((word, value, rest)) = leading(text) else {
        return false;
    };
    let rest = rest.trim_start();
    let statement = match leading(rest) {
        Some((_, _, behind)) if behind.starts_with(' ') => behind.trim(),
        _ => rest,
    };
    let written = statement.starts_with(|c: char| c == '\\' || c.is_ascii_alphabetic());
    if !written || words(statement).is_empty() {
        return false;
    }
    found.set("statement", statement);
    found.add(
        offset,
        word,
        time("statement.mean", "mean latency"),
        value * MS,
    );
    found.unset("statement");
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{assert_has, figures, outputs};

    const NEW: &str = "pgbench (15.20 (Debian 15.20-0+deb12u1))\nstarting vacuum...end.\n\
        transaction type: <builtin: TPC-B (sort of)>\nscaling factor: 1\nquery mode: simple\n\
        number of clients: 4\nnumber of threads: 1\nmaximum number of tries: 1\nduration: 3 s\n\
        number of transactions actually processed: 6399\n\
        number of failed transactions: 0 (0.000%)\nlatency average = 1.867 ms\n\
        initial connection time = 23.214 ms\n\
        tps = 2142.437437 (without initial connection time)\n";

    #[test]
    fn both_layouts_are_read() {
        assert_has(
            &figures(read, NEW),
            &[
                "count 6399",
                "latency.mean 1867000",
                "tps 2142.437",
                "connection.time 23214000",
            ],
        );
        let old = "number of clients: 32\nnumber of transactions actually processed: 100/100\n\
            latency average: 14.342 ms\nlatency stddev: 10.039 ms\n\
            tps = 2231.221000 (including connections establishing)\n\
            tps = 2232.113488 (excluding connections establishing)\n";
        assert_has(
            &figures(read, old),
            &[
                "latency.stdev 10039000",
                "tps.connecting 2231.221",
                "tps 2232.113",
            ],
        );
        assert_eq!(outputs(read, &format!("{old}{old}")).len(), 2);
        assert_eq!(outputs(read, &format!("{NEW}{NEW}")).len(), 2);
    }

    #[test]
    fn an_output_may_begin_with_progress_or_latencies() {
        let text = "progress: 1.0 s, 340.5 tps, lat 1.2 ms stddev 0.3, 0 failed\n\
            progress: 2.0 s, 341.5 tps, lat 1.2 ms stddev 0.3, 0 failed\n\
            latency average = 28.50 ms\ntps = 348.5 (without initial connection time)\n\
            latency average = 21.50 ms\ntps = 448.5 (without initial connection time)\n";
        let found = outputs(read, text);
        assert_eq!(
            found.iter().map(|output| output.end).collect::<Vec<_>>(),
            [4, 6]
        );
        assert_eq!(
            figures(read, text),
            [
                "latency.mean 28500000",
                "tps 348.5",
                "latency.mean 21500000",
                "tps 448.5"
            ]
        );
        assert!(figures(read, "latency average = 28.50 ms\n").is_empty());
    }

    #[test]
    fn statements_have_latencies() {
        let text = format!(
            "{NEW}statement latencies in milliseconds and failures:\n         \
             0.001           0  \\set aid random(1, 100000 * :scale)\n         \
             0.057           0  BEGIN;\n"
        );
        let found = figures(read, &text);
        assert_has(&found, &["statement=BEGIN; statement.mean 57000"]);
        let old = "tps = 10.500000 (excluding connections establishing)\n\
            statement latencies in milliseconds:\n\t0.002118\t\\set nbranches 1 * :scale\n\
            \t3.250000\tEND;\n";
        assert_has(
            &figures(read, old),
            &["statement=END; statement.mean 3250000"],
        );
    }

    #[test]
    fn rates_of_one_kind_are_outputs_of_their_own() {
        let line = "tps = 10.500000 (excluding connections establishing)\n";
        assert_eq!(outputs(read, &line.repeat(3)).len(), 3);
        assert!(figures(read, "tps = 12 on the old box\n").is_empty());
    }
}

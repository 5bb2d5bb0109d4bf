//! fio's logs of rates and latencies (`write_iops_log`, `log_avg_msec`), in files like
//! `name_iops.1.log`: the name says what was measured, and the number of the job.
//!
//! ```text
//! 500, 16116, 0, 0              ms, value, direction, block size; one line per interval
//! 1000, 16200, 0, 0, 0, 0       offset and priority since 3.0
//! ```
//!
//! Rates are in KiB/s and 1/s. Latencies are in us before fio 3.0 and in ns since then, which a
//! log of four columns does not tell.

use super::figures::{Operation, Quantity, Stage, Statistic, metric};
use crate::line::{Line, Place};
use crate::observation::{Metric, NamedValue, Observation, Unit};
use crate::recognise::{Cursor, Output};
use seekscope_trace::sorting::SortShort;

/// Intervals that are shown one by one; of more only the mean is.
const MAX_SHOWN: usize = 400;
/// Columns from which a log is one of fio 3.
const NEW_COLUMNS: usize = 5;

/// The parts of a log's name.
struct LogName<'a> {
    kind: Kind,
    job: Option<&'a str>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Rate,
    Iops,
    Latency(Stage),
}

struct Entry {
    time: u64,
    value: f64,
    operation: Operation,
    columns: usize,
    place: Place,
}

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = entry(cursor.line(0)?)?;
    let name = log_name(cursor.file)?;
    let mut entries = vec![first];
    while let Some(next) = cursor.line(entries.len()).and_then(entry) {
        entries.push(next);
    }
    let mut output = Output {
        tool: "fio-log",
        end: cursor.start + entries.len(),
        ..Output::default()
    };
    for operation in [Operation::Read, Operation::Write, Operation::Trim] {
        let entries_of_operation: Vec<&Entry> = entries
            .iter()
            .filter(|entry| entry.operation == operation)
            .collect();
        add(
            &name,
            operation,
            &entries_of_operation,
            &mut output.observations,
        );
    }
    Some(output)
}

fn add(name: &LogName, operation: Operation, entries: &[&Entry], found: &mut Vec<Observation>) {
    let Some(first) = entries.first() else {
        return;
    };
    // Without averages each I/O is a line, so its rate says nothing.
    if !matches!(name.kind, Kind::Latency(_)) && !is_regular(entries) {
        return;
    }
    let (metric, factor) = metric_of(name.kind, operation, first.columns);
    let dimensions: Vec<NamedValue> = name
        .job
        .map(|job| NamedValue::new("job", job))
        .into_iter()
        .collect();
    let mut push = |value: f64, place: Place, repeat: Option<String>| {
        found.push(Observation {
            metric: metric.clone(),
            value: value * factor,
            place,
            dimensions: dimensions.clone(),
            repeat,
        });
    };
    if entries.len() <= MAX_SHOWN {
        for entry in entries {
            push(entry.value, entry.place, Some(format!("{} ms", entry.time)));
        }
    } else {
        let sum: f64 = entries.iter().map(|entry| entry.value).sum();
        push(sum / entries.len() as f64, first.place, None);
    }
}

fn metric_of(kind: Kind, operation: Operation, columns: usize) -> (Metric, f64) {
    let quantity = match kind {
        Kind::Rate => return (metric(Some(operation), Quantity::Rate), 1024.0),
        Kind::Iops => return (metric(Some(operation), Quantity::Iops), 1.0),
        Kind::Latency(stage) => Quantity::Latency(stage, Statistic::Mean),
    };
    let metric = metric(Some(operation), quantity);
    if columns >= NEW_COLUMNS {
        (metric, 1.0)
    } else {
        let unit = Unit::None;
        (Metric { unit, ..metric }, 1.0)
    }
}

/// Whether all entries are the same interval apart.
fn is_regular(entries: &[&Entry]) -> bool {
    let mut steps: Vec<u64> = entries
        .windows(2)
        .map(|pair| pair[1].time.saturating_sub(pair[0].time))
        .collect();
    if steps.is_empty() {
        return true;
    }
    let count = steps.len();
    steps.sort_short();
    let middle = steps[count / 2];
    let near = |step: &&u64| **step >= middle / 2 && **step <= middle.saturating_mul(2);
    middle > 0 && steps[0] > 0 && steps.iter().filter(near).count() * 5 >= count * 4
}

fn entry(line: &Line) -> Option<Entry> {
    let text = line.text().trim();
    let mut words = text.split(',').map(str::trim);
    let time = words.next()?.parse().ok()?;
    let word = words.next()?;
    let value: u64 = word.parse().ok()?;
    let operation = match words.next()? {
        "0" => Operation::Read,
        "1" => Operation::Write,
        "2" => Operation::Trim,
        _ => return None,
    };
    let mut columns = 3;
    for word in words {
        let digits = word.strip_prefix("0x").unwrap_or(word);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        columns += 1;
    }
    (columns <= 8).then(|| Entry {
        time,
        value: value as f64,
        operation,
        columns,
        place: line.place_of(word),
    })
}

/// The parts of names like `rr_iops.1.log`, `rr_clat.log`, `rr_bw.2.log.host`.
fn log_name(path: &str) -> Option<LogName<'_>> {
    let file = path.rsplit('/').next()?;
    let mut parts = file.split('.');
    let stem = parts.next()?;
    let rest: Vec<&str> = parts.collect();
    if !rest.contains(&"log") {
        return None;
    }
    let kind = match stem.rsplit(['_', '-']).next()? {
        "bw" => Kind::Rate,
        "iops" => Kind::Iops,
        "slat" => Kind::Latency(Stage::Submission),
        "clat" => Kind::Latency(Stage::Completion),
        "lat" => Kind::Latency(Stage::Total),
        _ => return None,
    };
    let number = |word: &&&str| word.bytes().all(|b| b.is_ascii_digit()) && !word.is_empty();
    Some(LogName {
        kind,
        job: rest.iter().find(number).copied(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::samples::with_file;

    fn figures(file: &str, text: &str) -> Option<Vec<(String, f64, &'static str)>> {
        let output = with_file(file, text, read)?;
        let figure = |o: &Observation| (o.metric.key.clone(), o.value, o.metric.unit.name());
        Some(output.observations.iter().map(figure).collect())
    }

    #[test]
    fn the_name_says_what_was_measured() {
        let text = "500, 16116, 0, 0\n1000, 16200, 0, 0\n1500, 15900, 0, 0\n";
        let found = figures("a/rr_iops.1.log", text).expect("a log");
        assert_eq!(found.len(), 3);
        assert_eq!(found[1], ("read.iops".to_owned(), 16_200.0, "1/s"));
        let found = figures("rr_bw.log", "500, 4, 1, 4096, 0, 0x0000\n").expect("a log");
        assert_eq!(found, [("write.bw".to_owned(), 4096.0, "bytes/s")]);
        let found = figures("rr_clat.2.log.host", "5, 4000, 0, 4096, 0\n").expect("a log");
        assert_eq!(found, [("read.clat_mean".to_owned(), 4000.0, "ns")]);
        let found = figures("rr_lat.2.log", "5, 40, 0, 4096\n").expect("a log");
        assert_eq!(found, [("read.lat_mean".to_owned(), 40.0, "")]);
        for file in ["", "results.log", "rr_iops.csv", "iops"] {
            assert!(figures(file, text).is_none(), "{file}");
        }
        assert!(figures("rr_iops.1.log", "500, 16116, 7, 0\n").is_none());
    }

    #[test]
    fn rates_of_single_requests_are_no_figures_and_long_logs_are_means() {
        let single = "1, 1, 0, 4096\n1, 1, 0, 4096\n1, 1, 0, 4096\n2, 1, 0, 4096\n";
        assert_eq!(figures("rr_iops.1.log", single), Some(Vec::new()));
        let long: String = (1..=1000)
            .map(|i| format!("{}, {}, 0, 0\n", i * 100, i))
            .collect();
        let found = figures("rr_iops.1.log", &long).expect("a log");
        assert_eq!(found, [("read.iops".to_owned(), 500.5, "1/s")]);
    }
}

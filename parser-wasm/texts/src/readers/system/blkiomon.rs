//! `blkiomon`: sizes, latencies and throughput of requests, one report per interval.
//!
//! ```text
//! time: Mon Mar  4 10:11:12 2024
//! device: 8,16
//! sizes read (bytes): num 81221, min 4096, max 4096, ..., avg 4096.0, var 0.0
//! d2c read (usec): num 81221, min 41, max 8211, ..., avg 143.2, var 14354.4
//! throughput read (bytes/msec): num 81221, min 8, max 257430, ..., avg 28603.4, var 3272.2
//! sizes histogram (bytes):
//!             0:     0         1024:     0         2048:     0         4096: 81221
//! ```

use super::reports::Reports;
use super::words::{decimal, is_omission};
use crate::line::Line;
use crate::observation::{Metric, NamedValue, Unit};
use crate::recognise::{Cursor, Output};

/// Limit for the devices of one output.
const MAX_DEVICES: usize = 256;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0);
    let second = cursor.text(1).trim_start();
    let begins = first.trim_start().starts_with("time: ") && second.starts_with("device: ")
        || statistics(first).is_some();
    if !begins {
        return None;
    }
    let mut devices: Vec<&str> = Vec::new();
    let mut current = 0;
    let mut rows: Vec<(usize, &Line)> = Vec::new();
    let mut reports = Reports::default();
    let (mut offset, mut end) = (0, 0);
    while let Some(line) = cursor.line(offset) {
        let text = line.text().trim();
        offset += 1;
        if text.is_empty() || is_omission(text) {
            continue;
        }
        if let Some(device) = text.strip_prefix("device: ") {
            if devices.len() >= MAX_DEVICES {
                break;
            }
            current = devices
                .iter()
                .position(|earlier| *earlier == device)
                .unwrap_or_else(|| {
                    devices.push(device);
                    devices.len() - 1
                });
        } else if statistics(text).is_some() {
            rows.push((current, line));
        } else if !belongs(text) {
            break;
        }
        end = offset;
    }
    let named = devices.len() > 1;
    let mut seen: Vec<(usize, &str)> = Vec::new();
    for (device, line) in rows {
        let Some(found) = statistics(line.text()) else {
            continue;
        };
        // A figure that comes again begins the next report.
        if reports.count() == 0 || seen.contains(&(device, found.name)) {
            reports.begin();
            seen.clear();
        }
        seen.push((device, found.name));
        let name = devices.get(device).copied().unwrap_or("");
        let dimensions = || {
            let all = named.then(|| NamedValue::new("device", name));
            all.into_iter().collect::<Vec<_>>()
        };
        found.add(name, dimensions, line, &mut reports);
    }
    Some(Output {
        tool: "blkiomon",
        end: cursor.start + end,
        observations: reports.observations(),
        ..Output::default()
    })
}

/// Whether a line without figures belongs to a report.
fn belongs(text: &str) -> bool {
    let bucket = |text: &str| {
        text.split_whitespace().all(|word| {
            let digits = word.trim_start_matches('>').trim_end_matches(':');
            digits.is_empty() || digits.bytes().all(|b| b.is_ascii_digit())
        })
    };
    text.starts_with("time: ")
        || text.starts_with("sizes histogram")
        || text.starts_with("d2c histogram")
        || text.starts_with("bidirectional requests:")
        || text.contains(':') && bucket(text)
}

/// `d2c read (usec): num 81221, min 41, max 8211, ...`.
struct Statistics<'a> {
    /// What the row is of, such as `d2c read`.
    name: &'a str,
    values: &'a str,
}

fn statistics(text: &str) -> Option<Statistics<'_>> {
    let text = text.trim();
    let (name, values) = text.split_once(':')?;
    let (name, _) = name.split_once(" (")?;
    let (what, operation) = name.split_once(' ')?;
    let is_statistic = matches!(what, "sizes" | "d2c" | "throughput")
        && matches!(operation, "read" | "write" | "bidir");
    (is_statistic && values.trim_start().starts_with("num ")).then_some(Statistics { name, values })
}

impl Statistics<'_> {
    fn add(
        &self,
        subject: &str,
        dimensions: impl Fn() -> Vec<NamedValue>,
        line: &Line,
        reports: &mut Reports,
    ) {
        let Some((what, operation)) = self.name.split_once(' ') else {
            return;
        };
        let (key, label, unit, factor) = match what {
            "sizes" => ("size", "request size", Unit::Bytes, 1.0),
            "d2c" => ("d2c", "D2C latency", Unit::Nanoseconds, 1e3),
            _ => ("bw", "throughput of requests", Unit::BytesPerSecond, 1e3),
        };
        // The last number of a line that is cut has no comma behind it.
        let complete = self.values.rsplit_once(',').map_or("", |(front, _)| front);
        let word_of = |name: &str| {
            complete.split(',').find_map(|pair| {
                let (found, word) = pair.trim().split_once(' ')?;
                (found == name).then_some(word)
            })
        };
        let requests = word_of("num").and_then(decimal).unwrap_or(0.0);
        if requests == 0.0 {
            return;
        }
        if what == "d2c" {
            let label = format!("{operation} requests");
            let metric = Metric::new(format!("{operation}.count"), label, Unit::None);
            let place = line.place_of(word_of("num").unwrap_or(""));
            reports.add(subject, &dimensions, &metric, requests, place);
        }
        for (name, printed) in [("mean", "avg"), ("min", "min"), ("max", "max")] {
            let Some((word, value)) = word_of(printed).and_then(|w| Some((w, decimal(w)?))) else {
                continue;
            };
            let metric = Metric::new(
                format!("{operation}.{key}_{name}"),
                format!("{operation} {label}, {name}"),
                unit,
            );
            reports.add(
                subject,
                &dimensions,
                &metric,
                value * factor,
                line.place_of(word),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::system::samples::{read_with, values};

    const REPORT: &str = "\
time: Mon Mar  4 10:11:12 2024
device: 8,16
sizes read (bytes): num 4, min 4096, max 8192, sum 20480, squ 1, avg 5120.0, var 0.0
sizes write (bytes): num 0, min -1, max 0, sum 0, squ 0, avg 0.0, var 0.0
d2c read (usec): num 4, min 41, max 8211, sum 11630847, squ 2831413393, avg 143.2, var 14354.4
d2c write (usec): num 0, min -1, max 0, sum 0, squ 0, avg 0.0, var 0.0
throughput read (bytes/msec): num 4, min 8, max 257430, sum 2, squ 9, avg 28603.4, var 3.2
sizes histogram (bytes):
            0:     0         1024:     0         2048:     0         4096: 4
d2c histogram (usec):
            0:     0            8:     0        >8192:     4
bidirectional requests: 0
";

    #[test]
    fn a_report_of_one_device() {
        let output = read_with(read, &format!("{REPORT}\nSee?"), None).expect("blkiomon");
        assert_eq!(output.end, 12);
        assert_eq!(values(&output, "read.d2c_mean"), [("", "", 143_200.0)]);
        assert_eq!(values(&output, "read.d2c_max"), [("", "", 8_211_000.0)]);
        assert_eq!(values(&output, "read.bw_mean"), [("", "", 28_603_400.0)]);
        assert_eq!(values(&output, "read.count"), [("", "", 4.0)]);
        assert_eq!(values(&output, "read.size_mean"), [("", "", 5120.0)]);
        assert!(
            output
                .observations
                .iter()
                .all(|o| !o.metric.key.contains("write"))
        );
    }

    #[test]
    fn intervals_and_devices() {
        let other = REPORT.replace("8,16", "8,0").replace("143.2", "10.0");
        let text = format!("{REPORT}\n{other}\n{REPORT}\n{other}");
        let output = read_with(read, &text, None).expect("blkiomon");
        assert_eq!(
            values(&output, "read.d2c_mean"),
            [
                ("8,16", "1", 143_200.0),
                ("8,16", "2", 143_200.0),
                ("8,0", "1", 10_000.0),
                ("8,0", "2", 10_000.0)
            ]
        );
        for text in [
            "time: now\nhello",
            "sizes read (bytes): many",
            "d2c: num 4",
            "",
        ] {
            assert!(read_with(read, text, None).is_none(), "{text}");
        }
    }
}

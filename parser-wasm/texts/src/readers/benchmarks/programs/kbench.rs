//! kbench, which runs fio in Kubernetes, and its comparisons of two volumes:
//!
//! ```text
//! FIO Benchmark Summary
//! IOPS (Read/Write)
//!         Random:           28,832 / 5,730
//! Bandwidth in KiB/sec (Read/Write)
//!     Sequential:      1,047,018 / 221,776
//!
//! FIO Benchmark Comparsion Summary
//!                      Local-Path   vs          Longhorn    :              Change
//!         Random: 98,368 / 89,200   vs   27,128 / 15,123    :   -72.42% / -83.05%
//! ```

use crate::observation::Metric;
use crate::quantity::{number, number_length};
use crate::readers::benchmarks::collect::{Collector, KIB, is_border, per_second, rate, time};
use crate::recognise::{Cursor, Output};

/// Limit for the lines between two that are recognised.
const MAX_GAP: usize = 6;
/// How lines without figures begin.
const SETTINGS: [&str; 7] = ["For:", "SIZE:", "Size:", "QUICK", "Quick", "CPU", "==="];
const OPERATIONS: [&str; 2] = ["read", "write"];

pub fn read(cursor: Cursor) -> Option<Output> {
    let is_title =
        |text: &str| text.starts_with("FIO Benchmark ") && text.trim_end().ends_with("Summary");
    let title = (0..2).find(|&offset| is_title(cursor.text(offset)))?;
    if title > 0 && !cursor.text(0).starts_with("===") {
        return None;
    }
    let mut found = Collector::new(cursor, "kbench");
    let mut section = None;
    let mut volumes: Vec<&str> = Vec::new();
    let (mut offset, mut end) = (title + 1, title + 1);
    while offset < end + MAX_GAP {
        let Some(line) = cursor.line(offset) else {
            break;
        };
        let text = line.text().trim();
        if is_title(text) || is_border(text) && !found.is_empty() {
            break;
        }
        if let Some(metric) = metric_of(text) {
            section = Some(metric);
            end = offset + 1;
        } else if text.ends_with("Change") && text.contains(" vs ") {
            let names = text.split(':').next().unwrap_or("");
            volumes = names.split(" vs ").map(str::trim).collect();
            found.set_side("volume");
            end = offset + 1;
        } else {
            let is_row = section
                .as_ref()
                .is_some_and(|metric| read_row(&mut found, offset, text, metric, &volumes));
            if is_row || SETTINGS.iter().any(|setting| text.starts_with(setting)) {
                end = offset + 1;
            }
        }
        offset += 1;
    }
    found.finish(end)
}

fn metric_of(text: &str) -> Option<(Metric, f64)> {
    let name = text.strip_suffix("(Read/Write)")?.trim();
    Some(match name {
        "IOPS" => (per_second("iops", "IOPS"), 1.0),
        "Bandwidth in KiB/sec" => (rate("rate", "throughput"), KIB),
        "Latency in ns" => (time("latency", "latency"), 1.0),
        _ => return None,
    })
}

/// Reads `Random: 98,368 / 89,200`, perhaps of two volumes; whether it is such a row.
fn read_row(
    found: &mut Collector,
    offset: usize,
    text: &str,
    (metric, factor): &(Metric, f64),
    volumes: &[&str],
) -> bool {
    let Some((pattern, rest)) = text.split_once(':') else {
        return false;
    };
    if !matches!(pattern, "Random" | "Sequential") {
        return false;
    }
    let figures = rest.split(':').next().unwrap_or(rest);
    found.set("pattern", &pattern.to_ascii_lowercase());
    for (index, pair) in figures.split(" vs ").enumerate() {
        match volumes.get(index) {
            Some(volume) => found.set("volume", volume),
            None => found.unset("volume"),
        }
        for (shown, operation) in pair.split('/').map(str::trim).zip(OPERATIONS) {
            let word = &shown[..number_length(shown)];
            let grouped: String = word.chars().filter(|c| *c != ',').collect();
            if let Some(value) = number(&grouped) {
                found.set("op", operation);
                found.add(offset, word, metric.clone(), value * factor);
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{assert_has, figures, outputs};

    #[test]
    fn summaries_and_comparisons_are_read() {
        let text = "=====================\nFIO Benchmark Summary\nFor: test_device\nSIZE: 30G\n\
            QUICK MODE: DISABLED\n=====================\nIOPS (Read/Write)\n\
            \x20       Random:           28,832 / 5,730\n    Sequential:          51,415 / 11,329\n\
            \x20 CPU Idleness:                      86%\n\n\
            Bandwidth in KiB/sec (Read/Write)\n        Random:      1,034,002 / 278,604\n";
        assert_has(
            &figures(read, text),
            &[
                "pattern=random op=read iops 28832",
                "pattern=random op=write iops 5730",
                "pattern=sequential op=write iops 11329",
                "pattern=random op=read rate 1058818000",
            ],
        );
        assert_eq!(outputs(read, &format!("{text}{text}")).len(), 2);
        let both = "FIO Benchmark Comparsion Summary\nFor: a vs b\n\
            \x20         a   vs      b    :   Change\nIOPS (Read/Write)\n\
            \x20  Random: 98,368 / 89,200  vs  27,128 / 15,123  :  -72.42% / -83.05%\n";
        assert_eq!(
            figures(read, both),
            [
                "pattern=random volume=a op=read iops 98368",
                "pattern=random volume=a op=write iops 89200",
                "pattern=random volume=b op=read iops 27128",
                "pattern=random volume=b op=write iops 15123",
            ]
        );
        assert_eq!(outputs(read, both)[0].side, Some("volume"));
    }
}

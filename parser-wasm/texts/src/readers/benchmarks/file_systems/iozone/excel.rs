//! iozone's report for spreadsheets (`-R`):
//!
//! ```text
//! "Writer report"
//!         "4"  "8"  "16"
//! "64"   122098  201122  250111
//!
//! "  Initial write "  212331.22            in the throughput mode
//! ```

use super::Unit;
use crate::readers::benchmarks::collect::{Collector, KIB, decimal, rate, words};
use crate::recognise::Cursor;

/// Titles of the reports, in lower case, with the names of the automatic mode.
const REPORTS: [(&str, &str); 14] = [
    ("writer report", "write"),
    ("re-writer report", "rewrite"),
    ("reader report", "read"),
    ("re-reader report", "reread"),
    ("random read report", "random read"),
    ("random write report", "random write"),
    ("backward read report", "backward read"),
    ("record rewrite report", "record rewrite"),
    ("stride read report", "stride read"),
    ("fwrite report", "fwrite"),
    ("re-fwrite report", "frewrite"),
    ("fread report", "fread"),
    ("re-fread report", "freread"),
    (
        "throughput report y-axis is type of test x-axis is number of processes",
        "",
    ),
];

/// Names of tests in the throughput mode.
const TESTS: [(&str, &str); 10] = [
    ("initial write", "write"),
    ("rewrite", "rewrite"),
    ("read", "read"),
    ("re-read", "reread"),
    ("reverse read", "backward read"),
    ("stride read", "stride read"),
    ("random read", "random read"),
    ("random write", "random write"),
    ("fwrite", "fwrite"),
    ("fread", "fread"),
];

/// Limit for the lines of the throughput report.
const MAX_TESTS: usize = 40;

fn report_of(text: &str) -> Option<&'static str> {
    let title = text.trim().strip_prefix('"')?.strip_suffix('"')?;
    let title = title.trim().to_ascii_lowercase();
    REPORTS
        .iter()
        .find(|(name, _)| *name == title)
        .map(|(_, operation)| *operation)
}

pub fn is_title(text: &str) -> bool {
    report_of(text).is_some()
}

/// Reads the report at an offset; the line behind it.
pub fn read_report(found: &mut Collector, cursor: Cursor, begin: usize, unit: Unit) -> usize {
    let Some(operation) = report_of(cursor.text(begin)) else {
        return begin + 1;
    };
    if operation.is_empty() {
        return read_tests(found, cursor, begin + 1);
    }
    let records: Vec<&str> = words(cursor.text(begin + 1))
        .into_iter()
        .filter_map(quoted)
        .collect();
    let mut offset = begin + 2;
    loop {
        let parts = words(cursor.text(offset));
        let Some(size) = parts.first().and_then(|word| quoted(word)) else {
            return offset;
        };
        let (metric, factor) = unit.metric();
        found.set("size", size);
        for (word, record) in parts[1..].iter().zip(&records) {
            // A combination that was not run is 0.
            if let Some(value) = decimal(word).filter(|value| *value > 0.0) {
                found.set("reclen", record);
                found.set("op", operation);
                found.add(offset, word, metric.clone(), value * factor);
                found.unset("reclen");
                found.unset("op");
            }
        }
        found.unset("size");
        offset += 1;
    }
}

fn quoted(word: &str) -> Option<&str> {
    let inner = word.strip_prefix('"')?.strip_suffix('"')?;
    inner.bytes().all(|b| b.is_ascii_digit()).then_some(inner)
}

fn read_tests(found: &mut Collector, cursor: Cursor, begin: usize) -> usize {
    let mut end = begin;
    for offset in begin..begin + MAX_TESTS {
        let text = cursor.text(offset).trim();
        if text.is_empty() {
            continue;
        }
        let Some((name, rest)) = text.strip_prefix('"').and_then(|rest| rest.split_once('"'))
        else {
            break;
        };
        let name = name.trim().to_ascii_lowercase();
        let operation = TESTS
            .iter()
            .find(|(test, _)| *test == name)
            .map(|(_, op)| *op);
        if let (Some(operation), [word]) = (operation, words(rest).as_slice())
            && let Some(value) = decimal(word)
        {
            found.set("op", operation);
            found.add(offset, word, rate("rate", "throughput"), value * KIB);
            found.unset("op");
        }
        end = offset + 1;
    }
    end
}

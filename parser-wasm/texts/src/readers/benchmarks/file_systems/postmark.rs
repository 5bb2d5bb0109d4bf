//! PostMark:
//!
//! ```text
//! Time:
//!         61 seconds total
//!         41 seconds of transactions (487 per second)
//! Files:
//!         60087 created (985 per second)
//!                 Creation alone: 50000 files (2941 per second)
//! Data:
//!         256.81 megabytes read (4.21 megabytes per second)
//! ```
//!
//! Kilobytes and megabytes are of 1024.

use crate::readers::benchmarks::collect::{
    Collector, KIB, MIB, SECOND, leading, per_second, rate, time, words,
};
use crate::recognise::{Cursor, Output};

/// Limit for the lines between two that are recognised.
const MAX_GAP: usize = 4;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0).trim();
    let next = cursor.text(1).trim();
    let begins = first == "Time:" && is_total(next)
        || is_total(first) && next.contains(" seconds of transactions")
        || first == "Files:" && next.contains(" created (")
        || first.starts_with("PostMark v");
    if !begins {
        return None;
    }
    let mut found = Collector::new(cursor, "postmark");
    let mut end = 0;
    let mut offset = 0;
    let titled = first.starts_with("PostMark v");
    while let Some(line) = cursor.line(offset) {
        let text = line.text().trim();
        if offset > 0 && text == "Time:" && !found.is_empty() {
            break;
        }
        if read_line(&mut found, offset, text) || matches!(text, "Time:" | "Files:" | "Data:") {
            end = offset + 1;
        }
        // Settings and progress are between the title and the report.
        let gap = if titled && found.is_empty() {
            8 * MAX_GAP
        } else {
            MAX_GAP
        };
        offset += 1;
        if offset > end + gap {
            break;
        }
    }
    found.finish(end)
}

fn is_total(text: &str) -> bool {
    text.ends_with(" seconds total") && words(text).len() == 3
}

/// Reads a line of the report; whether it is one.
fn read_line(found: &mut Collector, offset: usize, text: &str) -> bool {
    if text.contains("bytes read (") || text.contains("bytes written (") {
        return read_data(found, offset, text);
    }
    let Some((word, value, rest)) = leading(text) else {
        return read_part(found, offset, text);
    };
    let rest = rest.trim_start();
    if rest == "seconds total" {
        found.add(
            offset,
            word,
            time("total.time", "total time"),
            value * SECOND,
        );
        return true;
    }
    let (key, label) = if rest.starts_with("seconds of transactions") {
        let metric = time("transactions.time", "time of transactions");
        found.add(offset, word, metric, value * SECOND);
        ("transactions", "transactions/s")
    } else if rest.starts_with("created (") {
        ("created", "files created/s")
    } else if rest.starts_with("read (") {
        ("read", "files read/s")
    } else if rest.starts_with("appended (") {
        ("appended", "files appended/s")
    } else if rest.starts_with("deleted (") {
        ("deleted", "files deleted/s")
    } else {
        return false;
    };
    add_per_second(found, offset, rest, key, label);
    true
}

/// `Creation alone: 50000 files (2941 per second)`, and the line of mixed ones below.
fn read_part(found: &mut Collector, offset: usize, text: &str) -> bool {
    let Some((name, rest)) = text
        .split_once(':')
        .filter(|_| text.contains(" per second)"))
    else {
        return false;
    };
    let (key, label) = match name {
        "Creation alone" => ("created.alone", "files created/s, alone"),
        "Deletion alone" => ("deleted.alone", "files deleted/s, alone"),
        // Creations are listed before deletions.
        "Mixed with transactions" if found.has("deleted") => {
            ("deleted.mixed", "files deleted/s, with transactions")
        }
        "Mixed with transactions" => ("created.mixed", "files created/s, with transactions"),
        _ => return false,
    };
    add_per_second(found, offset, rest, key, label);
    true
}

fn add_per_second(found: &mut Collector, offset: usize, text: &str, key: &str, label: &str) {
    let inner = text.split_once('(').map(|(_, inner)| inner);
    if let Some((word, value, rest)) = inner.and_then(leading)
        && rest.trim() == "per second)"
    {
        found.add(offset, word, per_second(key, label), value);
    }
}

/// `256.81 megabytes read (4.21 megabytes per second)`: each amount has its own unit.
fn read_data(found: &mut Collector, offset: usize, text: &str) -> bool {
    let Some((amount, inner)) = text.split_once('(') else {
        return false;
    };
    let (key, label) = if amount.contains(" read ") {
        ("read.rate", "read throughput")
    } else if amount.contains(" written ") {
        ("write.rate", "write throughput")
    } else {
        return false;
    };
    let Some((word, value, rest)) = leading(inner) else {
        return false;
    };
    let bytes = match words(rest).as_slice() {
        ["megabytes", "per", "second)"] => MIB,
        ["kilobytes", "per", "second)"] => KIB,
        ["bytes", "per", "second)"] => 1.0,
        ["gigabytes", "per", "second)"] => MIB * KIB,
        _ => return false,
    };
    found.add(offset, word, rate(key, label), value * bytes);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    const REPORT: &str = "Time:\n\t61 seconds total\n\t41 seconds of transactions (487 per second)\n\n\
        Files:\n\t60087 created (985 per second)\n\t\tCreation alone: 50000 files (2941 per second)\n\
        \t\tMixed with transactions: 10087 files (246 per second)\n\t10012 read (244 per second)\n\
        \t9941 appended (242 per second)\n\t60087 deleted (985 per second)\n\
        \t\tDeletion alone: 50174 files (16724 per second)\n\
        \t\tMixed with transactions: 9913 files (241 per second)\n\nData:\n\
        \t256.81 megabytes read (4.50 megabytes per second)\n\
        \t470.71 megabytes written (512.50 kilobytes per second)\n";

    #[test]
    fn a_report_is_read() {
        let expected = [
            "total.time 61000000000",
            "transactions.time 41000000000",
            "transactions 487",
            "created 985",
            "created.alone 2941",
            "created.mixed 246",
            "read 244",
            "appended 242",
            "deleted 985",
            "deleted.alone 16724",
            "deleted.mixed 241",
            "read.rate 4718592",
            "write.rate 524800",
        ];
        assert_eq!(figures(read, REPORT), expected);
        let titled = format!(
            "PostMark v1.51 : 8/14/01\npm>set number 50000\npm>run\nCreating files...Done\n\
             Performing transactions..........Done\nDeleting files...Done\n{REPORT}pm>\n"
        );
        assert_eq!(figures(read, &titled), expected);
        assert_eq!(outputs(read, &format!("{REPORT}\n{REPORT}")).len(), 2);
        assert!(figures(read, "Time:\n 61 seconds in total\n").is_empty());
    }
}

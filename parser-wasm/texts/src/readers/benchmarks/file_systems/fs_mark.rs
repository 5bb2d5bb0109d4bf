//! fs_mark, also with the times of system calls (`-v`):
//!
//! ```text
//! #       Version 3.3, 8 thread(s) starting at Tue Oct 11 09:12:11 2011
//! FSUse%        Count         Size    Files/sec     App Overhead        CREAT (Min/Avg/Max)
//!      0       800000            0      35331.2          5421300       68      148      277
//! ```
//!
//! Each row is one iteration: the file system has more files from row to row, so that rows with
//! other counts are no repeats.

use crate::readers::benchmarks::collect::{Collector, US, per_second, time, words};
use crate::recognise::{Cursor, Output};

/// Limit for the lines between two that are recognised.
const MAX_GAP: usize = 4;
/// Numbers of a row without times of system calls.
const COLUMNS: usize = 5;

const BOUNDS: [&str; 3] = ["min", "mean", "max"];

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0).trim();
    if !is_comment(first) && !is_heading(first) {
        return None;
    }
    let mut found = Collector::new(cursor, "fs_mark");
    let mut calls: Option<Vec<&str>> = None;
    let mut end = 0;
    let mut offset = 0;
    while offset <= end + MAX_GAP {
        let Some(line) = cursor.line(offset) else {
            break;
        };
        let text = line.text().trim();
        if is_heading(text) {
            if calls.is_some() {
                break;
            }
            calls = Some(calls_of(text));
            end = offset + 1;
        } else if let Some(calls) = &calls {
            if !read_row(&mut found, offset, text, calls) {
                break;
            }
            end = offset + 1;
        } else if text.starts_with('#') {
            read_comment(&mut found, text);
            end = offset + 1;
        } else if !text.is_empty() {
            break;
        }
        offset += 1;
        if found.is_fruitless(offset) {
            break;
        }
    }
    found.finish(end)
}

/// The lines above the table: `#  ./fs_mark  -d  /mnt`, `# Version 3.3, 1 thread(s)`.
fn is_comment(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|rest| {
        let rest = rest.trim_start();
        let program = rest.split_whitespace().next().unwrap_or("");
        program.rsplit('/').next() == Some("fs_mark")
            || rest.starts_with("Version ") && rest.contains(" thread(s) starting at ")
    })
}

fn is_heading(text: &str) -> bool {
    text.starts_with("FSUse%") && text.contains("Files/sec")
}

/// Names of system calls of the heading: `CREAT (Min/Avg/Max)`.
fn calls_of(text: &str) -> Vec<&str> {
    let parts = words(text);
    parts
        .windows(2)
        .filter(|pair| pair[1].starts_with("(Min/"))
        .map(|pair| pair[0])
        .collect()
}

fn read_comment(found: &mut Collector, text: &str) {
    let parts = words(text);
    if let Some(index) = parts.iter().position(|word| word.starts_with("thread(s)"))
        && let Some(threads) = index.checked_sub(1).and_then(|before| parts.get(before))
    {
        found.add_fact("threads", threads);
    }
    if let Some((_, method)) = text.split_once("Sync method: ") {
        found.add_fact("sync method", method.split(':').next().unwrap_or(""));
    }
}

fn read_row(found: &mut Collector, offset: usize, text: &str, calls: &[&str]) -> bool {
    let parts = words(text);
    let numbers: Vec<f64> = parts.iter().filter_map(|word| word.parse().ok()).collect();
    let expected = [COLUMNS, COLUMNS + calls.len() * BOUNDS.len()];
    if numbers.len() != parts.len() || !expected.contains(&parts.len()) {
        return false;
    }
    found.add_fact("file size", parts[2]);
    found.set("count", parts[1]);
    found.add(offset, parts[3], per_second("files", "files/s"), numbers[3]);
    let overhead = time("overhead", "application overhead").neutral();
    found.add(offset, parts[4], overhead, numbers[4] * US);
    for (index, (word, value)) in parts.iter().zip(&numbers).enumerate().skip(COLUMNS) {
        let call = (index - COLUMNS) / BOUNDS.len();
        let bound = BOUNDS[(index - COLUMNS) % BOUNDS.len()];
        let name = calls[call].to_ascii_lowercase();
        let metric = time(&format!("{name}.{bound}"), &format!("{bound} {name} time"));
        found.add(offset, word, metric, value * US);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{assert_has, figures, outputs};

    #[test]
    fn rows_are_told_apart_by_their_count() {
        let text = "\n#  ./fs_mark  -d  /mnt  -n  400  -t  2\n\
            #\tVersion 3.3, 2 thread(s) starting at Thu Nov 26 05:15:13 2026\n\
            #\tSync method: NO SYNC: Test does not issue sync() or fsync() calls.\n\n\
            FSUse%        Count         Size    Files/sec     App Overhead\n    \
            70          400         8192       1939.5             1757\n    \
            70          800         8192       3562.5             1316\n\n\
            FSUse%        Count         Size    Files/sec     App Overhead\n    \
            70          400         8192       10.5             1757\n";
        assert_eq!(
            figures(read, text),
            [
                "count=400 files 1939.5",
                "count=400 overhead 1757000",
                "count=800 files 3562.5",
                "count=800 overhead 1316000",
                "count=400 files 10.5",
                "count=400 overhead 1757000",
            ]
        );
        let facts = &outputs(read, text)[0].facts;
        assert!(facts.iter().any(|f| f.name == "threads" && f.value == "2"));
    }

    #[test]
    fn times_of_system_calls_are_read() {
        let text = "FSUse%        Count         Size    Files/sec     App Overhead        \
            CREAT (Min/Avg/Max)        FSYNC (Min/Avg/Max)\n    \
            73           40          100        137.5              744       68      148      277       \
            85    14391   123675\n";
        let expected = ["count=40 creat.mean 148000", "count=40 fsync.max 123675000"];
        assert_has(&figures(read, text), &expected);
        assert!(figures(read, "FSUse% and Files/sec\n 1 2 3\n").is_empty());
    }
}

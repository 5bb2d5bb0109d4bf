//! Seconds of each test that `check` of xfstests prints, and the run times of blktests:
//!
//! ```text
//! generic/013 12s ...  14s            the last run, and this one
//! generic/013         32s
//! nvme/003 (test if we're sending keep-alives)   [passed]
//!     runtime  10.208s  ...  10.215s
//! ```

use crate::readers::benchmarks::collect::{Collector, SECOND, leading, time, words};
use crate::recognise::{Cursor, Output};

/// Lines without a test within one output.
const MAX_GAP: usize = 4;
/// Limit for the lines before the first test.
const MAX_PREAMBLE: usize = 12;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = if cursor.text(0).starts_with("FSTYP ") {
        (1..MAX_PREAMBLE).find(|offset| !is_preamble(cursor.text(*offset)))?
    } else {
        0
    };
    test_of(cursor.text(first).split_whitespace().next()?)?;
    let mut found = Collector::new(cursor, "xfstests");
    let mut end = first;
    let mut offset = first;
    let mut current: Option<&str> = None;
    while offset < end + MAX_GAP {
        let text = cursor.text(offset);
        let parts = words(text);
        let test = parts.first().copied().and_then(test_of);
        if let Some(test) = test {
            found.set("test", test);
            current = Some(test);
            end = offset + 1;
            if let Some((word, seconds)) = seconds_of(&parts[1..]) {
                found.add(offset, word, time("time", "time"), seconds * SECOND);
            }
        } else if parts.first() == Some(&"runtime") && current.is_some() {
            if let Some((word, seconds)) = seconds_of(&parts[1..]) {
                found.add(offset, word, time("time", "time"), seconds * SECOND);
            }
            end = offset + 1;
        } else if current.is_some() && is_setting(text) {
            end = offset + 1;
        } else if !text.trim().is_empty() {
            break;
        }
        offset += 1;
        if found.is_fruitless(offset) {
            break;
        }
    }
    found.finish(end)
}

/// `MKFS_OPTIONS  -- -f /dev/sdc1`, and the blank line behind such lines.
fn is_preamble(text: &str) -> bool {
    let name = text.split_whitespace().next().unwrap_or("");
    text.trim().is_empty()
        || text.contains(" -- ") && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
}

/// The test in `generic/013` or `block/001`.
fn test_of(word: &str) -> Option<&str> {
    let (group, number) = word.split_once('/')?;
    let letters = (2..=12).contains(&group.len())
        && group
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let digits = (3..=4).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    (letters && group.starts_with(|c: char| c.is_ascii_lowercase()) && digits).then_some(word)
}

/// The last time of a line, which is this run's; a test that failed or did not run has none.
fn seconds_of<'a>(parts: &[&'a str]) -> Option<(&'a str, f64)> {
    let last = parts.last()?;
    let seconds = last.strip_suffix('s')?;
    let (word, value, rest) = leading(seconds)?;
    let times = |word: &str| {
        word == "..."
            || word
                .strip_suffix('s')
                .is_some_and(|n| n.parse::<f64>().is_ok())
    };
    (rest.is_empty() && parts.iter().all(|part| times(part))).then_some((word, value))
}

/// Other lines of a test of blktests: `    read iops  1234  ...  1300`.
fn is_setting(text: &str) -> bool {
    text.starts_with("    ") && text.contains("  ...  ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn each_test_has_the_time_of_this_run() {
        let text = "generic/013 12s ...  14s\ngeneric/074\t 181s\n\
            generic/075 12s ... [not run] needs more space\n\
            xfs/1234 5s ... 7s\nblock/001 (stress device hotplugging) [passed]\n    \
            runtime  10.208s  ...  10.250s\nRan: generic/013 generic/074\n";
        assert_eq!(
            figures(read, text),
            [
                "test=generic/013 time 14000000000",
                "test=generic/074 time 181000000000",
                "test=xfs/1234 time 7000000000",
                "test=block/001 time 10250000000",
            ]
        );
        assert_eq!(outputs(read, text).len(), 1);
    }

    #[test]
    fn paths_are_no_tests() {
        for text in [
            "drivers/001 is new",
            "generic/013",
            "see fs/0123 12s later",
            "a/013 3s",
        ] {
            assert!(figures(read, text).is_empty(), "{text}");
        }
    }
}

//! `vmstat`, with -a, -n, -t, -w, -y; `-d` is among the counters of disks.
//!
//! ```text
//! procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
//!  r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
//!  3  0      0 228510   5488 128492    0    0 10234 10157  134  251 43 23 34  0  0
//! ```
//!
//! Scripts put a column of times before the others.
//!
//! The first row is that since boot. Blocks of `bi` and `bo` are KiB.

use super::columns::MAX_COLUMNS;
use super::iostat::omits_first;
use super::reports::Reports;
use super::words::{KIB, is_omission};
use crate::observation::{Metric, Unit};
use crate::recognise::{Cursor, Output};

/// vmstat prints its heading again after so many rows at least, which are those of a terminal.
const MIN_ROWS: usize = 10;
/// Up to the blocks that were read and written.
const MIN_COLUMNS: usize = 9;

pub fn read(cursor: Cursor) -> Option<Output> {
    let start = usize::from(is_groups(cursor.text(0)));
    let columns = columns(cursor.text(start))?;
    let since_boot = !cursor.command_of("vmstat").is_some_and(omits_first);
    let mut reports = Reports::new(since_boot);
    let (mut offset, mut end) = (start + 1, start + 1);
    let mut rows = 0;
    while let Some(line) = cursor.line(offset) {
        let text = line.text();
        offset += 1;
        if line.is_blank() || is_omission(text) {
            continue;
        }
        if is_groups(text) || self::columns(text).is_some() {
            // A heading soon after another one begins the next output.
            if rows < MIN_ROWS && !(rows == 0 && is_groups(cursor.text(offset - 2))) {
                break;
            }
            if !is_groups(text) {
                rows = 0;
                end = offset;
            }
            continue;
        }
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let numeric = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
        if words.len() > columns.len() && words[0].contains(':') {
            words.remove(0);
        }
        // If a row is cut, its last number may be cut, too.
        if words.len() < columns.len() && words.pop().is_some() && words.len() < MIN_COLUMNS {
            break;
        }
        if !words.iter().take(columns.len()).all(numeric) {
            break;
        }
        rows += 1;
        reports.begin();
        for (column, word) in columns.iter().zip(&words) {
            if let (Some((metric, factor)), Ok(value)) = (column, word.parse::<f64>()) {
                reports.add("", Vec::new, metric, value * factor, line.place_of(word));
            }
        }
        end = offset;
    }
    Some(Output {
        tool: "vmstat",
        end: cursor.start + end,
        observations: reports.observations(),
        ..Output::default()
    })
}

/// The line of groups above the names.
fn is_groups(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches('-');
    let text = text.strip_prefix("time").unwrap_or(text);
    text.trim_start_matches(['-', ' ']).starts_with("procs")
        && text.contains("memory")
        && text.contains("cpu")
}

/// The columns of a heading, without the name of a time zone at its end.
fn columns(text: &str) -> Option<Vec<Option<(Metric, f64)>>> {
    if !text.trim_start().starts_with("r ") {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let has = |name: &str| words.contains(&name);
    if !["b", "bi", "bo", "si", "so"].iter().all(|name| has(name)) {
        return None;
    }
    let named = words
        .iter()
        .take(MAX_COLUMNS)
        .take_while(|word| word.bytes().all(|b| b.is_ascii_lowercase()));
    let mut found: Vec<_> = named.map(|name| column(name)).collect();
    // If the heading is cut, so are the numbers below its last name.
    if !has("id")
        && let Some(last) = found.last_mut()
    {
        *last = None;
    }
    Some(found)
}

/// Neither direction of the counters is better. What memory holds is no measurement.
fn column(name: &str) -> Option<(Metric, f64)> {
    let metric = |key: &str, label: &str, unit: Unit| Metric::new(key, label, unit).neutral();
    Some(match name {
        "r" => (metric("runnable", "runnable processes", Unit::None), 1.0),
        "b" => (metric("blocked", "blocked processes", Unit::None), 1.0),
        "si" => (metric("swap_in", "swapped in", Unit::BytesPerSecond), KIB),
        "so" => (metric("swap_out", "swapped out", Unit::BytesPerSecond), KIB),
        "bi" => (
            metric("read.bw", "read throughput (bi)", Unit::BytesPerSecond),
            KIB,
        ),
        "bo" => (
            metric("write.bw", "write throughput (bo)", Unit::BytesPerSecond),
            KIB,
        ),
        "in" => (metric("interrupts", "interrupts", Unit::PerSecond), 1.0),
        "cs" => (metric("switches", "context switches", Unit::PerSecond), 1.0),
        "us" => (metric("cpu.user", "CPU, user", Unit::Share), 0.01),
        "sy" => (metric("cpu.system", "CPU, system", Unit::Share), 0.01),
        "id" => (metric("cpu.idle", "CPU, idle", Unit::Share), 0.01),
        "wa" => (
            metric("cpu.iowait", "CPU, waiting for I/O", Unit::Share),
            0.01,
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::system::samples::{read_with, values};

    const TEXT: &str = "\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
13  0      0 22851072   5488 1284928    0    0  4031  6125  896 3509 70 14 15  1  0
 3  0      0 22851072   5488 1284928    0    0 102348 101576 13400 25125 43 23 34  0  0
 2  1      0 22851072   5488 1284928    0    0 102376 102880 13448 25325 44 22 34  0  0
";

    #[test]
    fn the_first_row_is_that_since_boot() {
        let output = read_with(read, TEXT, None).expect("vmstat");
        assert_eq!(output.end, 5);
        assert_eq!(
            values(&output, "read.bw"),
            [("", "1", 102_348.0 * KIB), ("", "2", 102_376.0 * KIB)]
        );
        assert_eq!(values(&output, "cpu.system")[1].2, 0.22);
        let output = read_with(read, TEXT, Some("vmstat -y 1")).expect("vmstat");
        assert_eq!(values(&output, "read.bw").len(), 3);
    }

    #[test]
    fn a_heading_after_many_rows_is_the_same_output() {
        let row = TEXT.lines().last().expect("a row");
        let rows = format!("{row}\n").repeat(20);
        let output = read_with(read, &format!("{TEXT}{rows}{TEXT}"), None).expect("vmstat");
        assert_eq!(output.end, 30);
        assert_eq!(values(&output, "read.bw").len(), 25);
        let output = read_with(read, &format!("{TEXT}{TEXT}"), None).expect("vmstat");
        assert_eq!(output.end, 5);
    }

    #[test]
    fn times_wide_columns_and_a_first_line_that_is_cut() {
        let text = "\
   r  b      swpd      free     inact    active  si  so  bi  bo  in  cs  us  sy  id  wa  st  gu
  17  0         0   6956244  12482352   3592388  0  0  283  2819  415 1510  78  6  15  0  0  0
";
        let output = read_with(read, text, None).expect("vmstat -a");
        assert_eq!(values(&output, "write.bw"), [("", "", 2819.0 * KIB)]);
        let text = "\
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC
15  0   0 7428360 356104 13846428  0  0  283  2820  415 1511 78  6 15  0  0 2026-11-26 08:03:26
";
        let output = read_with(read, text, None).expect("vmstat -t");
        assert_eq!(values(&output, "write.bw"), [("", "", 2820.0 * KIB)]);
        let text = "\
--time-- procs -----------memory---------- ---swap-- -----io---- --system-- -----cpu-----
          r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
08:03:26 15  0   0 7428360 356104 13846428  0  0  283  2820  415 1511 78  6 15  0  0
";
        let output = read_with(read, text, None).expect("a column of times");
        assert_eq!(values(&output, "write.bw"), [("", "", 2820.0 * KIB)]);
        for text in ["r b", "procs memory", "r b bi bo", ""] {
            assert!(read_with(read, text, None).is_none(), "{text}");
        }
    }
}

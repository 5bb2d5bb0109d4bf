//! `zpool iostat`, once or at intervals, also with `-v`:
//!
//! ```text
//!               capacity     operations    bandwidth
//! pool        alloc   free   read  write   read  write
//! ----------  -----  -----  -----  -----  -----  -----
//! tank        9.67G  1.35T    617  1.21K  76.6M   132M
//!   mirror-0  9.67G  1.35T    617  1.21K  76.6M   132M
//!     sdb         -      -    308    605  38.3M    66M
//! ----------  -----  -----  -----  -----  -----  -----
//! ```
//!
//! With -l and -q more columns follow, of times and queues: these are not read.
//!
//! All letters are powers of 1024, those of operations, too. Of several reports the first one is
//! that since boot.

use super::iostat::omits_first;
use super::reports::Reports;
use super::words::decimal;
use crate::observation::{Metric, NamedValue, Unit};
use crate::recognise::{Cursor, Output};

const COLUMNS: [&str; 7] = ["pool", "alloc", "free", "read", "write", "read", "write"];
const POWERS: &str = "KMGTPE";

pub fn read(cursor: Cursor) -> Option<Output> {
    let above = usize::from(is_upper(cursor.text(0)));
    is_heading(cursor.text(above)).then_some(())?;
    let is_omitted = cursor.command_of("zpool").is_some_and(omits_first);
    let mut reports = Reports::new(!is_omitted);
    let metrics = metrics();
    let mut first_row: Option<&str> = None;
    let mut is_below_heading = true;
    let (mut offset, mut end) = (above + 1, above + 1);
    while let Some(line) = cursor.line(offset) {
        offset += 1;
        let text = line.text();
        // Pages that take the rule for one of their own put blank lines around it.
        if first_row.is_none() && line.is_blank() {
            end = offset;
            continue;
        }
        if is_heading(text) || is_upper(text) || is_rule(text) {
            // Behind a blank line stands the output of another command.
            if offset > end + 1 {
                break;
            }
            is_below_heading |= !is_rule(text);
            end = offset;
            continue;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let figures = words.iter().skip(3).take(metrics.len());
        let values: Option<Vec<f64>> = figures.map(|word| scaled(word)).collect();
        let Some(values) = values.filter(|_| words.len() >= COLUMNS.len()) else {
            break;
        };
        let name = words[0];
        if is_below_heading && first_row.is_none() || first_row == Some(name) {
            reports.begin();
        }
        first_row = first_row.or(Some(name));
        is_below_heading = false;
        for ((metric, value), word) in metrics.iter().zip(values).zip(&words[3..]) {
            let dimensions = || vec![NamedValue::new("device", name)];
            reports.add(name, dimensions, metric, value, line.place_of(word));
        }
        end = offset;
    }
    let observations = reports.observations();
    (!observations.is_empty()).then(|| Output {
        tool: "zpool iostat",
        end: cursor.start + end,
        observations,
        ..Output::default()
    })
}

fn metrics() -> [Metric; 4] {
    [
        Metric::new("read.iops", "read IOPS", Unit::PerSecond).neutral(),
        Metric::new("write.iops", "write IOPS", Unit::PerSecond).neutral(),
        Metric::new("read.bw", "read throughput", Unit::BytesPerSecond).neutral(),
        Metric::new("write.bw", "write throughput", Unit::BytesPerSecond).neutral(),
    ]
}

fn is_upper(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next() == Some("capacity")
        && words.next() == Some("operations")
        && words.next() == Some("bandwidth")
}

fn is_heading(text: &str) -> bool {
    if !text.trim_start().starts_with("pool ") {
        return false;
    }
    // Versions before 0.7 say `used` and `avail`.
    let words: Vec<&str> = text.split_whitespace().take(COLUMNS.len()).collect();
    let is_known = |(word, name): (&&str, &str)| {
        *word == name || matches!((*word, name), ("used", "alloc") | ("avail", "free"))
    };
    words.len() == COLUMNS.len() && words.iter().zip(COLUMNS).all(is_known)
}

fn is_rule(text: &str) -> bool {
    text.starts_with("---") && text.bytes().all(|b| matches!(b, b'-' | b' '))
}

/// `617`, `1.21K`, `132M`, `-`; with -p plain numbers.
fn scaled(word: &str) -> Option<f64> {
    let letter = word.chars().next_back()?;
    match POWERS.find(letter) {
        Some(power) => {
            let number = decimal(&word[..word.len() - 1])?;
            Some(number * 1024f64.powi(power as i32 + 1))
        }
        None => decimal(word),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{read_at, read_with, values};
    use super::*;

    const HEAD: &str = "              capacity     operations    bandwidth\n\
        pool        alloc   free   read  write   read  write\n\
        ----------  -----  -----  -----  -----  -----  -----\n";

    #[test]
    fn a_report_is_read() {
        let text = format!(
            "{HEAD}tank        9.67G  1.35T    617  1.25K  76.5M   132M\n\
             \x20 mirror-0  9.67G  1.35T    617  1.25K  76.5M   132M\n\
             ----------  -----  -----  -----  -----  -----  -----\n"
        );
        let output = read_with(read, &text, None).expect("a report");
        assert_eq!(output.observations.len(), 8);
        assert_eq!(values(&output, "write.iops")[0], ("tank", "", 1280.0));
        assert_eq!(values(&output, "read.bw")[0].2, 76.5 * 1_048_576.0);
        let both = format!("{text}\nnew:\n{text}");
        let first = read_with(read, &both, None).expect("a report");
        assert_eq!(first.end, 6);
        assert!(read_at(read, &both, 8, None).is_some());
    }

    #[test]
    fn more_columns_and_blank_lines_below_the_heading_are_passed_over() {
        let text = "   capacity     operations     bandwidth    total_wait     disk_wait\n\
            pool   alloc   free   read  write   read  write   read  write   read  write\n\
            -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----\n\
            tank   9,67G  1,35T    617      5  2,96M  50,9K     1s  110ms    7ms      -\n";
        let output = read_with(read, text, None).expect("a report");
        assert_eq!(values(&output, "write.bw")[0].2, 50.9 * 1024.0);
        assert_eq!(output.observations.len(), 4);
        let text = HEAD.replace(
            "----------  -----  -----  -----  -----  -----  -----",
            "\n---\n",
        );
        let text = format!("{text}tank        9.67G  1.35T    617  1.25K  76.5M   132M\n");
        assert!(read_with(read, &text, None).is_some());
    }

    #[test]
    fn the_report_since_boot_is_left_out() {
        let rows = "tank        9.67G  1.35T    600  100  1M   2M\n\
            tank        9.67G  1.35T    700  200  3M   4M\n\
            tank        9.67G  1.35T    800  300  5M   6M\n";
        let output = read_with(read, &format!("{HEAD}{rows}"), None).expect("reports");
        let shown: Vec<f64> = values(&output, "read.iops").iter().map(|v| v.2).collect();
        assert_eq!(shown, [700.0, 800.0]);
    }
}

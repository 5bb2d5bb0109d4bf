//! The short tables in which people at the kernel test robot compare commits:
//!
//! ```text
//! 7ef482fa65513b18  2aa38470853a65dc9b1b4bd098  testcase/testparams/testbox
//! ----------------  --------------------------  ---------------------------
//!          %stddev      change         %stddev
//!              \          |                \
//!     449960             -32%     306036 ±  3%  fsmark/1SSD-ext4-fsync/lkp-ivb-d04
//!     449959             -32%     306035        GEO-MEAN fsmark.files_per_sec
//! ```
//!
//! The last row of a group says what the rows above it measured. Mailers break a row before its
//! name.

use super::SIDE;
use super::head::{columns, is_dashes, is_rule_of_columns};
use super::row;
use crate::line::Place;
use crate::observation::{Metric, NamedValue, Observation, Unit};
use crate::recognise::{Cursor, Output};

/// The words that follow the columns of commits.
const TESTS: &str = "testcase/testparams/testbox";
const MEAN: &str = "GEO-MEAN";
/// Limit for the rows of one table.
const MAX_ROWS: usize = 4096;

pub fn read(cursor: Cursor) -> Option<Output> {
    let commits = columns(cursor.text(0).trim_end().strip_suffix(TESTS)?)?;
    if !is_dashes(cursor.text(1)) {
        return None;
    }
    let mut output = Output {
        tool: "lkp",
        side: Some(SIDE),
        ..Output::default()
    };
    // Rows whose metric is still to come.
    let mut group: Vec<Row> = Vec::new();
    let (mut offset, mut rows) = (2, 0);
    while let Some(line) = cursor.line(offset) {
        let text = line.text();
        if line.is_blank() || is_rule_of_columns(text) {
            offset += 1;
            continue;
        }
        let Some((values, name)) = cells(text, commits.len()) else {
            break;
        };
        let next = cursor.text(offset + 1).trim();
        let (name, lines) = if name.is_empty() {
            (next, 2)
        } else {
            (name, 1)
        };
        let metric = name.strip_prefix(MEAN).map(str::trim);
        if !is_test(name) && metric.is_none_or(|metric| !is_test(metric)) || rows >= MAX_ROWS {
            break;
        }
        rows += 1;
        let values = values
            .into_iter()
            .map(|(word, value)| (value, line.place_of(word)))
            .collect();
        let test = metric.map_or(name, |_| MEAN);
        group.push(Row { test, values });
        if let Some(metric) = metric {
            let rows = group.drain(..);
            rows.for_each(|row| row.add(metric, &commits, &mut output.observations));
        }
        offset += lines;
    }
    output.end = cursor.start + offset;
    (!output.observations.is_empty()).then_some(output)
}

struct Row<'a> {
    test: &'a str,
    /// One value for each commit.
    values: Vec<(f64, Place)>,
}

impl Row<'_> {
    fn add(&self, name: &str, commits: &[String], found: &mut Vec<Observation>) {
        let metric = Metric::new(name, name, Unit::None);
        let metric = match row::direction(name) {
            Some(good) => metric.better(good),
            None => metric,
        };
        for (commit, (value, place)) in commits.iter().zip(&self.values) {
            found.push(Observation {
                metric: metric.clone(),
                value: *value,
                place: *place,
                dimensions: vec![
                    NamedValue::new(SIDE, commit),
                    NamedValue::new("test", self.test),
                ],
                repeat: None,
            });
        }
    }
}

/// The words and values of a row, without changes and spreads, and the name behind them.
fn cells(text: &str, commits: usize) -> Option<(Vec<(&str, f64)>, &str)> {
    let mut found = Vec::with_capacity(commits);
    let mut words = text.split_whitespace().peekable();
    let mut name = "";
    while let Some(word) = words.next() {
        if row::is_spread(word) {
            if !word.ends_with('%') {
                words.next_if(|word| word.ends_with('%'));
            }
        } else if let Some(value) = row::value(word) {
            found.push((word, value));
        } else if !word.ends_with('%') {
            name = &text[word.as_ptr() as usize - text.as_ptr() as usize..];
            break;
        }
    }
    (found.len() == commits).then_some((found, name.trim()))
}

/// Whether a word names a test: `fsmark/1SSD-ext4-fsync/lkp-ivb-d04`, `fsmark.files_per_sec`.
fn is_test(name: &str) -> bool {
    name.contains(['/', '.']) && !name.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::Good;
    use crate::readers::system::samples::{read_with, values};

    const TABLE: &str = "\
7ef482fa65513b18  2aa38470853a65dc9b1b4bd098  d98d78cd6ac9eb5ed0506140cc  testcase/testparams/testbox
----------------  --------------------------  --------------------------  ---------------------------
         %stddev      change         %stddev      change         %stddev
             \\          |                \\          |                \\  
    449960             -32%     306036 \u{b1}  3%                  450924        fsmark/ext4-fsync/lkp-ivb-d04
    229960              13%     256036              12%     250924 \u{b1} 3%
fsmark/xfs-fsync/lkp-ivb-d04
    321677             -14%     279918                      336378        GEO-MEAN fsmark.files_per_sec
";

    #[test]
    fn rows_have_the_metric_below_them() {
        let output = read_with(read, &format!("{TABLE}\nThat is all.\n"), None).expect("lkp");
        assert_eq!(output.end, 9);
        let found = values(&output, "fsmark.files_per_sec");
        let figures: Vec<f64> = found.iter().map(|(.., value)| *value).collect();
        assert_eq!(
            figures,
            [
                449_960.0, 306_036.0, 450_924.0, 229_960.0, 256_036.0, 250_924.0, 321_677.0,
                279_918.0, 336_378.0
            ]
        );
        let last = output.observations.last().expect("figures");
        assert_eq!(last.metric.good, Some(Good::More));
        assert_eq!(last.dimensions[0].value, "d98d78cd6ac9eb5ed0506140cc");
        assert_eq!(last.dimensions[1].value, "GEO-MEAN");
    }

    #[test]
    fn a_row_of_other_columns_ends_the_table() {
        let cut = TABLE.replace("    321677             -14%     279918  ", "    321677   ");
        assert!(read_with(read, &cut, None).is_none());
        assert!(read_with(read, "testcase/testparams/testbox\n---- ----\n", None).is_none());
    }
}

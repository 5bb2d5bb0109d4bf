//! Tables of the kernel test robot, with two and more commits.
//!
//! ```text
//! =========================================================================================
//! compiler/disk/fs/testcase:
//!   gcc-9/1SSD/btrfs/fsmark
//!
//! commit:
//!   4eb559dd15 ("Merge tag block-6.1")
//!   ada76f94c5 ("block: split bios earlier")
//!
//! 4eb559dd15671cca ada76f94c5b32c1828955d70f69
//! ---------------- ---------------------------
//!        fail:runs  %reproduction    fail:runs
//!            |             |             |
//!          %stddev     %change         %stddev
//!              \          |                \
//!     812.40 ±  1%      -19.4%     655.20 ±  2%  fsmark.files_per_sec
//!       0.52 ±  3%        +1.2       1.71        perf-profile.calltrace.cycles-pp.submit_bio
//! ```
//!
//! The commits are the sides. The figures are means of several runs, with their standard deviation
//! in percent where it is not 0; of how many runs is not said. Changes are no figures.

mod comparison;
mod head;
mod row;

use crate::line::Line;
use crate::observation::{Metric, NamedValue, Observation, Unit};
use crate::recognise::{Cursor, Output};
use head::Head;
use row::Row;

/// Name of the dimension whose values are compared.
const SIDE: &str = "commit";
/// Limit for the rows of one table.
const MAX_ROWS: usize = 20_000;

pub fn read(cursor: Cursor) -> Option<Output> {
    comparison::read(cursor).or_else(|| read_table(cursor))
}

fn read_table(cursor: Cursor) -> Option<Output> {
    let head = Head::read(cursor)?;
    let mut output = Output {
        tool: "lkp",
        end: cursor.start + head.end,
        side: Some(SIDE),
        facts: head.subjects.clone(),
        ..Output::default()
    };
    let (mut offset, mut rows) = (head.end, 0);
    while let Some(line) = cursor.line(offset) {
        offset += 1;
        if line.is_blank() {
            continue;
        }
        let text = line.text();
        if row::is_failures(text) || head::is_rule_of_columns(text) {
            output.end = cursor.start + offset;
            continue;
        }
        let next = cursor.text(offset);
        let Some(row) = Row::parse(text, next, head.commits.len()) else {
            if !Row::is_damaged(text) {
                break;
            }
            output.end = cursor.start + offset;
            continue;
        };
        offset += usize::from(next.trim() == row.name);
        rows += 1;
        output.end = cursor.start + offset;
        if rows <= MAX_ROWS {
            add(&head, &row, line, &mut output);
        }
    }
    Some(output)
}

fn add(head: &Head, row: &Row, line: &Line, output: &mut Output) {
    let metric = Metric::new(row.name, row.name, Unit::None);
    let metric = match row::direction(row.name) {
        Some(good) => metric.better(good),
        None => metric,
    };
    for (commit, figure) in head.commits.iter().zip(&row.values) {
        let place = line.place_of(figure.word);
        if let Some(percent) = figure.deviation {
            let deviation = figure.value.abs() * percent / 100.0;
            output.deviations.push((place, deviation));
        }
        let mut dimensions = vec![NamedValue::new(SIDE, commit)];
        dimensions.extend(head.parameters.iter().cloned());
        // Shares of a profile are no results of the test.
        if row.name.starts_with("perf-profile") {
            dimensions.push(NamedValue::new("rows", "profile"));
        }
        output.observations.push(Observation {
            metric: metric.clone(),
            value: figure.value,
            place,
            dimensions,
            repeat: None,
        });
    }
}

#[cfg(test)]
mod tests;

//! The comparisons of MMTests, in which kernel developers lay benchmarks side by side:
//!
//! ```text
//!                                  4.20.0                 4.20.0
//!                                 vanilla         writeback-v1r4
//! Hmean     SeqOut Block     101.52 (   0.00%)      120.18 *  18.38%*
//! Amean     sync-4             5.26 (   0.00%)        5.14 (   2.28%)
//!
//!                 4.20.0      4.20.0
//!                vanilla writeback-v1r4
//! Duration User       7000.21     6901.88       also without the word `Duration`
//! Ops Minor Faults     123400     122011
//! ```
//!
//! The text has no unit. More is better of a harmonic mean, less of an arithmetic one: the
//! benchmarks report rates by the first and times by the second. The changes are computed again.

use crate::line::Line;
use crate::observation::{Good, Metric, slug};
use crate::quantity::number;
use crate::readers::benchmarks::collect::{Collector, MAX_PARTS, SECOND, count, time};
use crate::recognise::{Cursor, Output};
use seekscope_notes::labels;

/// Statistics with which rows begin, and which direction of them is better.
const STATISTICS: [(&str, Option<Good>); 14] = [
    ("Hmean", Some(Good::More)),
    ("BHmean", Some(Good::More)),
    ("Amean", Some(Good::Less)),
    ("BAmean", Some(Good::Less)),
    ("Gmean", None),
    ("Mean", None),
    ("Min", None),
    ("Max", None),
    ("1st-qrtle", None),
    ("2nd-qrtle", None),
    ("3rd-qrtle", None),
    ("Stddev", None),
    ("CoeffVar", None),
    ("Ops", None),
];
/// Times of the complete test, in seconds.
const DURATIONS: [&str; 3] = ["User", "System", "Elapsed"];
/// Limit for the lines of headings.
const MAX_HEADINGS: usize = 3;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0);
    if first.split_whitespace().nth(1).is_none() || row(first).is_some() {
        return None;
    }
    let rows = (1..=MAX_HEADINGS).find(|&offset| row(cursor.text(offset)).is_some())?;
    let width = row(cursor.text(rows))?.values.len();
    let sides = sides(cursor.lines.get(cursor.start..cursor.start + rows)?, width)?;
    let mut found = Collector::new(cursor, "mmtests");
    found.set_side("run");
    let mut offset = rows;
    while let Some(row) = row(cursor.text(offset)).filter(|row| row.values.len() == width) {
        if offset - rows >= MAX_PARTS {
            break;
        }
        found.set("test", row.test);
        let (metric, factor) = row.metric();
        for (side, word) in sides.iter().zip(&row.values) {
            if let Some(value) = number(word) {
                found.set("run", side);
                found.add(offset, word, metric.clone(), value * factor);
            }
        }
        offset += 1;
    }
    found.finish(offset)
}

/// `Hmean   SeqOut Block   101.52 (   0.00%)   120.18 *  18.38%*`.
struct Row<'a> {
    statistic: &'a str,
    test: &'a str,
    /// One value for each side.
    values: Vec<&'a str>,
}

impl Row<'_> {
    /// The metric of the figures, and the factor to its unit.
    fn metric(&self) -> (Metric, f64) {
        if self.statistic.is_empty() {
            return (time("duration", "time"), SECOND);
        }
        let metric = count(&slug(self.statistic), self.statistic);
        let better = STATISTICS
            .iter()
            .find(|(name, _)| *name == self.statistic)
            .and_then(|(_, better)| *better);
        let directed = better.map(|good| metric.clone().better(good));
        (directed.unwrap_or(metric), 1.0)
    }
}

fn row(text: &str) -> Option<Row<'_>> {
    let text = text.trim();
    // This is asked of all lines, and most of them begin otherwise.
    if !text.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()) {
        return None;
    }
    let (statistic, rest) = text.split_once(char::is_whitespace)?;
    let (statistic, rest) = match statistic {
        "Duration" => rest.trim_start().split_once(char::is_whitespace)?,
        _ => (statistic, rest),
    };
    if DURATIONS.contains(&statistic) {
        let values: Vec<&str> = rest.split_whitespace().collect();
        let all = values.len() > 1 && values.iter().all(|word| number(word).is_some());
        return all.then_some(Row {
            statistic: "",
            test: statistic,
            values,
        });
    }
    if !STATISTICS.iter().any(|(name, _)| *name == statistic) {
        return None;
    }
    let changed = values_with_changes(rest);
    // Tables of operations have no changes.
    let (test, values) = match changed {
        Some(found) => found,
        None if statistic == "Ops" => plain_values(rest)?,
        None => return None,
    };
    (values.len() > 1).then_some(Row {
        statistic,
        test: test.trim(),
        values,
    })
}

/// The name of a test, and the numbers before its changes in brackets or stars.
fn values_with_changes(text: &str) -> Option<(&str, Vec<&str>)> {
    let mut values: Vec<&str> = Vec::new();
    let mut rest = text.trim_end();
    loop {
        let (front, close) = match rest.chars().next_back() {
            Some(')') => (rest.strip_suffix(')')?, '('),
            Some('*') => (rest.strip_suffix('*')?, '*'),
            _ => break,
        };
        let (front, change) = front.rsplit_once(close)?;
        number(change.trim().strip_suffix('%')?)?;
        let (name, value) = front.trim_end().rsplit_once(char::is_whitespace)?;
        number(value)?;
        values.push(value);
        rest = name.trim_end();
        if values.len() > MAX_PARTS {
            return None;
        }
    }
    values.reverse();
    (!values.is_empty()).then_some((rest, values))
}

/// The name of a test, and the numbers behind it.
fn plain_values(text: &str) -> Option<(&str, Vec<&str>)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let names = words.iter().rposition(|word| number(word).is_none())? + 1;
    let last = words[..names].last()?;
    let end = last.as_ptr() as usize - text.as_ptr() as usize + last.len();
    Some((&text[..end], words[names..].to_vec()))
}

/// The names of the sides: the words of all lines of headings, from the upper one to the lower.
fn sides(headings: &[Line], width: usize) -> Option<Vec<String>> {
    let mut names = vec![String::new(); width];
    for (index, line) in headings.iter().enumerate() {
        let words: Vec<&str> = line.text().split_whitespace().collect();
        // A title of as many words is at the margin.
        let is_indented = line.text().starts_with([' ', '\t']);
        let is_title = !is_indented && !words.iter().all(|word| labels::is_kernel_form(word));
        if words.len() != width || is_title && index + 1 < headings.len() {
            return None;
        }
        for (name, word) in names.iter_mut().zip(words) {
            *name = format!("{name} {word}").trim().to_owned();
        }
    }
    // A word that all headings share distinguishes no side.
    let first = headings.first()?.text().split_whitespace().next()?;
    let same = headings[0]
        .text()
        .split_whitespace()
        .all(|word| word == first);
    if same && headings.len() > 1 {
        for name in &mut names {
            *name = name[first.len()..].trim().to_owned();
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    const BONNIE: &str = "\
                                 4.20.0                 4.20.0
                                vanilla         writeback-v1r4
Hmean     SeqOut Char       82.11 (   0.00%)       83.02 (   1.11%)
Hmean     SeqOut Block     101.52 (   0.00%)      120.18 *  18.38%*
Amean     sync-4             5.26 (   0.00%)        5.14 (  -2.28%)

                4.20.0      4.20.0
               vanilla writeback-v1r4
User            102.33       99.01
Duration Elapsed        1833.40     1700.21
Ops Minor Faults        123400      122011
";

    #[test]
    fn sides_and_tests_are_told_apart() {
        assert_eq!(
            figures(read, BONNIE),
            [
                "test=SeqOut Char run=vanilla hmean 82.11",
                "test=SeqOut Char run=writeback-v1r4 hmean 83.02",
                "test=SeqOut Block run=vanilla hmean 101.52",
                "test=SeqOut Block run=writeback-v1r4 hmean 120.18",
                "test=sync-4 run=vanilla amean 5.26",
                "test=sync-4 run=writeback-v1r4 amean 5.14",
                "test=User run=vanilla duration 102330000000",
                "test=User run=writeback-v1r4 duration 99010000000",
                "test=Elapsed run=vanilla duration 1833400000000",
                "test=Elapsed run=writeback-v1r4 duration 1700210000000",
                "test=Minor Faults run=vanilla ops 123400",
                "test=Minor Faults run=writeback-v1r4 ops 122011",
            ]
        );
        let first = &outputs(read, BONNIE)[0];
        assert_eq!(first.observations[0].metric.good, Some(Good::More));
        assert_eq!(first.observations[4].metric.good, Some(Good::Less));
    }

    #[test]
    fn kernels_that_differ_are_part_of_the_names() {
        let text = BONNIE.replacen("4.20.0                 4.20.0", "4.20.0     5.0.0", 1);
        assert_eq!(
            figures(read, &text)[..2],
            [
                "test=SeqOut Char run=4.20.0 vanilla hmean 82.11",
                "test=SeqOut Char run=5.0.0 writeback-v1r4 hmean 83.02",
            ]
        );
    }

    #[test]
    fn other_lines_are_left() {
        for text in [
            "    vanilla patched\nHmean of all tests is 12 now\n",
            "    vanilla\nHmean  1   231.41 (   0.00%)\n",
            "    a b\nOps 1\n",
            "    a b\nMax \u{20ac} (1%) 3 (2%)\n",
        ] {
            assert_eq!(figures(read, text), Vec::<String>::new(), "{text}");
        }
    }
}

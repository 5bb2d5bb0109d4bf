//! How many requests had which size, as people count the lines of blkparse:
//!
//! ```text
//! nr wrt size
//! 25256 8
//! 1701 16
//! ...
//! 232657 256
//! ```

use super::words::count;
use crate::observation::{Metric, NamedValue, Observation, Unit};
use crate::recognise::{Cursor, Output};

/// Limit for the rows of a table.
const MAX_ROWS: usize = 400;

/// The meaning of the headings: which column has the sizes, and what was counted.
struct Headings {
    is_size_first: bool,
    counted: &'static str,
}

pub fn read(cursor: Cursor) -> Option<Output> {
    let headings = headings(cursor.text(0))?;
    let mut output = Output {
        tool: "table",
        ..Output::default()
    };
    let mut end = 1;
    while let Some(line) = cursor.line(end).filter(|_| end <= MAX_ROWS) {
        let text = line.text();
        // A mark for rows that were left out.
        if !matches!(text.trim(), "..." | "\u{2026}") {
            let Some((number, size)) = row(text, &headings) else {
                break;
            };
            output.observations.push(Observation {
                metric: Metric::new(headings.counted, headings.counted, Unit::None),
                value: count(number)?,
                place: line.place_of(number),
                dimensions: vec![NamedValue::new("size", size)],
                repeat: None,
            });
        }
        end += 1;
    }
    output.end = cursor.start + end;
    (output.observations.len() >= 2).then_some(output)
}

fn headings(text: &str) -> Option<Headings> {
    let words: Vec<String> = text
        .split_whitespace()
        .take(5)
        .map(str::to_ascii_lowercase)
        .collect();
    let is_size = |word: &String| matches!(word.as_str(), "size" | "sectors" | "blocks");
    let is_size_first = is_size(words.first()?);
    let names = match (is_size_first, is_size(words.last()?)) {
        (true, false) => &words[1..],
        (false, true) => &words[..words.len() - 1],
        _ => return None,
    };
    let (mut is_counted, mut counted) = (false, "requests");
    for name in names {
        match name.as_str() {
            "nr" | "n" | "#" | "count" | "num" | "number" => is_counted = true,
            "wrt" | "wr" | "write" | "writes" => counted = "writes",
            "rd" | "read" | "reads" => counted = "reads",
            "req" | "reqs" | "request" | "requests" | "of" => {}
            _ => return None,
        }
    }
    (is_counted && names.len() <= 3).then_some(Headings {
        is_size_first,
        counted,
    })
}

/// The count and the size of a row.
fn row<'a>(text: &'a str, headings: &Headings) -> Option<(&'a str, &'a str)> {
    let mut words = text.split_whitespace();
    let (first, second) = (words.next()?, words.next()?);
    let numbers = count(first).is_some() && count(second).is_some();
    if !numbers || words.next().is_some() {
        return None;
    }
    Some(if headings.is_size_first {
        (second, first)
    } else {
        (first, second)
    })
}

#[cfg(test)]
mod tests {
    use crate::{TextInput, read};

    /// The values of all runs of the only table with sizes.
    fn sizes(path: &str, bytes: &[u8]) -> Vec<(Vec<String>, f64)> {
        let set = read(&[TextInput {
            path,
            argument: None,
            bytes,
        }]);
        let table = set.tables.iter().find(|table| table.tool == "table");
        let runs = &table.expect("a table").runs;
        let run =
            |run: &seekscope_notes::results::ResultRun| (run.values.clone(), run.figures[0].value);
        runs.iter().map(run).collect()
    }

    #[test]
    fn counts_of_two_kernels_are_compared_by_size() {
        for (path, bytes) in [
            (
                "sizes-quoted.txt",
                include_bytes!("../../../../../tests/tables/sizes-quoted.txt").as_slice(),
            ),
            (
                "sizes.txt",
                include_bytes!("../../../../../tests/tables/sizes.txt").as_slice(),
            ),
        ] {
            let found = sizes(path, bytes);
            assert_eq!(found.len(), 10, "{path}: {found:?}");
            let value = |kernel: &str, size: &str| {
                let fits = |values: &[String]| values == [kernel.to_owned(), size.to_owned()];
                found.iter().find(|run| fits(&run.0)).map(|run| run.1)
            };
            assert_eq!(value("2.6.35", "256"), Some(232_657.0), "{path}: {found:?}");
            assert_eq!(value("2.6.35+", "256"), Some(237_907.0), "{path}");
        }
    }
}

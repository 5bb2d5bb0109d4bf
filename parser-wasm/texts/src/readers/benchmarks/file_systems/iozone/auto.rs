//! The table of iozone's automatic mode. A test that did not run leaves its column empty: columns
//! are told by where their numbers end.

use super::Unit;
use crate::readers::benchmarks::collect::{Collector, words};
use crate::recognise::Cursor;

const OPERATIONS: [&str; 13] = [
    "write",
    "rewrite",
    "read",
    "reread",
    "random read",
    "random write",
    "backward read",
    "record rewrite",
    "stride read",
    "fwrite",
    "frewrite",
    "fread",
    "freread",
];

/// Numbers of columns of the options that people use, where blanks are lost.
const PREFIXES: [usize; 4] = [2, 4, 6, 13];
/// Limit for the distance between the end of a number and that of its heading.
const MAX_SHIFT: usize = 4;

/// Whether a line is the first of the headings: `random    random     bkwd    record    stride`.
pub fn is_first_heading(text: &str) -> bool {
    if !text.starts_with("random") {
        return false;
    }
    let parts = words(text);
    parts.len() >= 4 && parts[0] == "random" && parts.contains(&"bkwd")
}

/// `kB  reclen    write  rewrite    read    reread ...`.
pub fn is_heading(text: &str) -> bool {
    if !text.starts_with(['k', 'K']) {
        return false;
    }
    let parts = words(text);
    parts.len() >= 4
        && matches!(parts[0], "kB" | "KB")
        && parts[1] == "reclen"
        && parts[2] == "write"
}

/// Reads the rows below the heading at an offset; the line behind them.
pub fn read_rows(found: &mut Collector, cursor: Cursor, heading: usize, unit: Unit) -> usize {
    // Headings that have lost their blanks stand above nothing.
    let headings = cursor.text(heading);
    let columns = match headings.trim().contains("  ") {
        true => ends_of(headings),
        false => Vec::new(),
    };
    let mut offset = heading + 1;
    loop {
        let text = cursor.text(offset);
        let parts = words(text);
        let numbers = parts
            .iter()
            .all(|word| word.bytes().all(|b| b.is_ascii_digit()));
        if parts.len() < 3 || !numbers {
            // One empty line may be between heading and rows.
            if text.trim().is_empty() && offset == heading + 1 && !text.is_empty() {
                offset += 1;
                continue;
            }
            return offset;
        }
        if let Some(places) = places_of(text, &parts, &columns) {
            found.set("size", parts[0]);
            found.set("reclen", parts[1]);
            for (word, place) in parts[2..].iter().zip(places) {
                let (metric, factor) = unit.metric();
                if let Ok(value) = word.parse::<f64>() {
                    found.set("op", OPERATIONS[place]);
                    found.add(offset, word, metric, value * factor);
                }
            }
            for name in ["size", "reclen", "op"] {
                found.unset(name);
            }
        }
        offset += 1;
    }
}

/// Bytes behind each word of a line.
fn ends_of(text: &str) -> Vec<usize> {
    let begin = text.as_ptr() as usize;
    words(text)
        .iter()
        .map(|word| word.as_ptr() as usize + word.len() - begin)
        .collect()
}

/// The operation of each number of a row behind its size and record.
fn places_of(text: &str, parts: &[&str], columns: &[usize]) -> Option<Vec<usize>> {
    let count = parts.len() - 2;
    let in_order = || PREFIXES.contains(&count).then(|| (0..count).collect());
    let ends = ends_of(text);
    // The heading and the row may be indented differently.
    let (Some(heading), Some(row)) = (columns.get(1), ends.get(1)) else {
        return in_order();
    };
    let shift = *row as isize - *heading as isize;
    let mut places: Vec<usize> = Vec::new();
    for end in &ends[2..] {
        let nearest = columns
            .iter()
            .enumerate()
            .skip(2)
            .min_by_key(|(_, column)| (**column as isize + shift).abs_diff(*end as isize))?;
        let (index, column) = nearest;
        if (*column as isize + shift).abs_diff(*end as isize) > MAX_SHIFT {
            return in_order();
        }
        places.push(index - 2);
    }
    let rising = places.windows(2).all(|pair| pair[0] < pair[1]);
    let valid = places.iter().all(|place| *place < OPERATIONS.len());
    if rising && valid {
        Some(places)
    } else {
        in_order()
    }
}

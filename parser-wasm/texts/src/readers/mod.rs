//! One reader per program. A reader gets a cursor at a line, and returns what the program printed
//! from there on, or nothing if that line is not where its output begins.
//!
//! A reader looks at the first line before it does anything else: it is asked at each line of a
//! text that no other reader has taken.

mod benchmarks;
pub(crate) mod fio;
mod json;
#[cfg(test)]
mod samples;
pub(crate) mod system;

use crate::line::Line;
use crate::recognise::{Cursor, Output};
use std::collections::HashSet;

pub use json::UNKNOWN_TOOL;

pub type Reader = fn(Cursor) -> Option<Output>;

/// All readers in the order in which they are tried: one with a narrow signature comes before one
/// with a wide one. The flag of a group is whether it reads counters and totals.
const READERS: [(&[Reader], bool); 5] = [
    (fio::READERS, false),
    (json::READERS, true),
    (system::READERS, true),
    (benchmarks::READERS, false),
    (json::UNKNOWN, false),
];

/// The output that begins at the cursor.
pub fn read(cursor: Cursor) -> Option<Output> {
    let found = READERS.iter().find_map(|(readers, is_counter)| {
        let output = readers.iter().find_map(|read| read(cursor))?;
        Some(Output {
            is_counter: *is_counter,
            ..output
        })
    });
    found
        .filter(|output| output.end > cursor.start)
        .map(|output| until_repetition(output, cursor))
}

/// The output up to the first figure that it has already: that belongs to another output, whose
/// title the reader has passed over. Two figures of one line stay.
fn until_repetition(mut output: Output, cursor: Cursor) -> Output {
    let mut seen = HashSet::with_capacity(output.observations.len());
    let first = output.observations.iter().position(|figure| {
        let dimensions = figure.dimensions.as_slice();
        !seen.insert((
            figure.metric.key.as_str(),
            dimensions,
            figure.repeat.as_deref(),
        ))
    });
    let Some(first) = first else {
        return output;
    };
    let line = output.observations[first].place.line;
    let last = output.observations[..first]
        .iter()
        .map(|o| o.place.line)
        .max();
    let Some(last) = last.filter(|last| *last < line) else {
        return output;
    };
    let shown = |line: &Line| line.place(0..0).line;
    let behind = cursor.lines[cursor.start..output.end.min(cursor.lines.len())]
        .partition_point(|line| shown(line) <= last);
    output.observations.truncate(first);
    output.end = cursor.start + behind.max(1);
    output
}

//! Texts for the tests of readers.

use crate::line::Line;
use crate::recognise::{Cursor, Output};
use crate::structure::context::Context;

/// A cursor at the begin of a text.
pub fn with_cursor<R>(text: &str, check: impl FnOnce(Cursor) -> R) -> R {
    with_file("", text, check)
}

/// A cursor at the begin of a file with a name.
pub fn with_file<R>(file: &str, text: &str, check: impl FnOnce(Cursor) -> R) -> R {
    let lines: Vec<Line> = text
        .lines()
        .enumerate()
        .map(|(index, text)| Line::new(text, index as u32))
        .collect();
    check(Cursor {
        file,
        lines: &lines,
        start: 0,
        context: &Context::default(),
    })
}

/// Every output of a text that one reader finds.
pub fn outputs(text: &str, reader: super::Reader) -> Vec<Output> {
    with_cursor(text, |cursor| {
        let mut found = Vec::new();
        let mut start = 0;
        while start < cursor.lines.len() {
            match reader(Cursor { start, ..cursor }) {
                Some(output) => {
                    start = output.end.max(start + 1);
                    found.push(output);
                }
                None => start += 1,
            }
        }
        found
    })
}

/// The value of the first figure with this key and these values of dimensions.
pub fn value(output: &Output, key: &str, dimensions: &[&str]) -> Option<f64> {
    let fits = |o: &&crate::observation::Observation| {
        let has = |value: &&str| o.dimensions.iter().any(|d| d.value == **value);
        o.metric.key == key && dimensions.iter().all(has)
    };
    output.observations.iter().find(fits).map(|o| o.value)
}

//! Reads the samples in tests.

use crate::line::Line;
use crate::readers::Reader;
use crate::recognise::{Cursor, Output};
use crate::structure::context::Context;

/// The output that a reader finds in a text, below a command.
pub fn read_with(reader: Reader, text: &str, command: Option<&str>) -> Option<Output> {
    read_at(reader, text, 0, command)
}

/// The output that begins at a line.
pub fn read_at(reader: Reader, text: &str, start: usize, command: Option<&str>) -> Option<Output> {
    let lines: Vec<Line> = text
        .lines()
        .enumerate()
        .map(|(index, line)| Line::new(line, index as u32))
        .collect();
    let context = Context {
        command: command.map(str::to_owned),
        ..Context::default()
    };
    reader(Cursor {
        file: "",
        lines: &lines,
        start,
        context: &context,
    })
}

/// Values of a metric: those of the dimensions, the number of the interval, the value.
pub fn values<'a>(output: &'a Output, key: &str) -> Vec<(&'a str, &'a str, f64)> {
    output
        .observations
        .iter()
        .filter(|o| o.metric.key == key)
        .map(|o| {
            let dimension = o.dimensions.first().map_or("", |d| d.value.as_str());
            (
                dimension,
                o.repeat
                    .as_deref()
                    .map_or("", |repeat| repeat.trim_start_matches("interval ")),
                o.value,
            )
        })
        .collect()
}

//! The line of CSV of bonnie++: its layout has the number of a version since 1.96.

use super::{BLOCKS, FILES, add_latency, add_test, is_result};
use crate::readers::benchmarks::collect::Collector;
use crate::recognise::Cursor;

/// The positions of the figures in a format of the CSV.
struct Layout {
    machine: usize,
    size: usize,
    /// The first result of the tests of blocks, and of files.
    blocks: usize,
    files: usize,
    latencies: Option<usize>,
}

/// The layout of a line; `None` for lines of other programs.
fn layout_of(fields: &[&str]) -> Option<Layout> {
    let first = fields.first()?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let version = first
        .split_once('.')
        .is_some_and(|(whole, part)| digits(whole) && digits(part) && part.len() == 2);
    if version {
        // Version 2 has the size of its reads and writes, and the number of programs that seek.
        let shift = match fields.len() {
            48 => 0,
            50 => 2,
            _ => return None,
        };
        return Some(Layout {
            machine: 2,
            size: 5,
            blocks: 7 + shift,
            files: 24 + shift,
            latencies: Some(36 + shift),
        });
    }
    // Old versions begin with the host: `box,16G,61022,97,...`, with 27 fields, or 14 without tests
    // of files.
    let size = fields.get(1)?;
    let sized = size.ends_with(['K', 'M', 'G', 'T']) || size.contains(':');
    let counted = matches!(fields.len(), 14 | 15 | 27);
    (counted && sized && !first.is_empty() && !first.contains(' ')).then_some(Layout {
        machine: 0,
        size: 1,
        blocks: 2,
        files: 15,
        latencies: None,
    })
}

pub fn is_line(text: &str) -> bool {
    // Most lines have fewer commas, so they need not be split.
    if text.bytes().filter(|b| *b == b',').count() < 13 {
        return false;
    }
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let Some(layout) = layout_of(&fields) else {
        return false;
    };
    let results = fields.iter().skip(layout.blocks).take(12);
    let mut count = 0;
    for field in results {
        if !field.is_empty() && !is_result(field) {
            return false;
        }
        count += usize::from(!field.is_empty());
    }
    count >= 2
}

/// Reads lines of CSV from an offset; the line behind them.
pub fn read_lines(found: &mut Collector, cursor: Cursor, begin: usize) -> usize {
    let mut offset = begin;
    while is_line(cursor.text(offset).trim()) {
        let fields: Vec<&str> = cursor
            .text(offset)
            .trim()
            .split(',')
            .map(str::trim)
            .collect();
        if let Some(layout) = layout_of(&fields) {
            read_fields(found, offset, &fields, &layout);
        }
        offset += 1;
    }
    offset
}

fn read_fields(found: &mut Collector, offset: usize, fields: &[&str], layout: &Layout) {
    let field = |index: usize| fields.get(index).copied().unwrap_or("");
    found.set("machine", field(layout.machine));
    found.set("size", field(layout.size));
    for (tests, begin) in [(&BLOCKS, layout.blocks), (&FILES, layout.files)] {
        for (index, test) in tests.iter().enumerate() {
            let place = begin + index * 2;
            add_test(found, offset, test, [field(place), field(place + 1)]);
        }
    }
    if let Some(begin) = layout.latencies {
        for (index, test) in BLOCKS.iter().chain(&FILES).enumerate() {
            add_latency(found, offset, test, field(begin + index));
        }
    }
}

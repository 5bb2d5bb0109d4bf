//! The unit of all figures of a table: in its corner, in a remark, or in the lines above it.

use super::grid::Grid;
use super::roles::{Column, is_repeat_column};
use super::words::describe;
use crate::observation::Unit;
use crate::quantity::{Scale, scale_of};

/// Words of a title above a table; longer lines are prose unless they end with a colon.
const MAX_TITLE_WORDS: usize = 9;

/// The unit of all figures, where none of the columns has one: in the corner of the table, in a
/// remark, or in the lines above it.
pub fn shared_unit(grid: &Grid, columns: &[Column], caption: &[String]) -> Option<Scale> {
    let corner = columns
        .first()
        .filter(|column| column.words > 0 || is_corner(columns) || is_repeat_column(grid, 0))
        .and_then(|column| column.described.implied());
    let upper = grid
        .heads
        .first()
        .filter(|_| grid.heads.len() > 1)
        .and_then(|head| {
            head.iter()
                .flatten()
                .find_map(|cell| describe(cell.text).scale)
        });
    let remark = grid.remark.and_then(|remark| describe(remark).implied());
    corner
        .or(remark)
        .or(upper)
        .or_else(|| caption.iter().find_map(|line| unit_in(line)))
}

/// Whether the heading of the first column is a unit alone, while no other column has one: it is that
/// of the other columns, also where the labels below it are numbers.
pub fn is_corner(columns: &[Column]) -> bool {
    let Some((first, others)) = columns.split_first() else {
        return false;
    };
    let measured =
        |column: &Column| column.described.scale.is_some() || column.described.is_metric();
    scale_of(first.heading).is_some_and(|scale| scale.unit != Unit::Share)
        && others.iter().any(|column| column.figures > 0)
        && !others.iter().any(measured)
}

/// The unit that a line above a table names: `Throughput in MB/s, higher is better:`, `IOPS:`,
/// `Random I/O, MiB/s:`, `Throughput [MB/s]`.
fn unit_in(line: &str) -> Option<Scale> {
    let title = line.trim().ends_with(':') || line.split_whitespace().count() <= MAX_TITLE_WORDS;
    // `All numbers are in MB/s.`
    let stated = line
        .trim()
        .strip_suffix('.')
        .and_then(|line| line.rsplit_once(" in "))
        .and_then(|(_, unit)| scale_of(unit));
    if stated.is_some() && line.len() <= 120 {
        return stated;
    }
    if line.len() > 120 || !title || line.trim().ends_with(['.', '?', '!']) {
        return None;
    }
    let line = line.trim().trim_end_matches(':');
    // Rows of other tables, and figures with their units, name no unit of this one.
    let row = line
        .split("  ")
        .filter(|piece| !piece.trim().is_empty())
        .count()
        > 2;
    let behind_figure = |text: &str| {
        let mut words = text.split_whitespace().rev();
        words.next().is_some_and(|unit| scale_of(unit).is_some())
            && words
                .next()
                .is_some_and(|word| crate::quantity::number(word).is_some())
    };
    if row || behind_figure(line) {
        return None;
    }
    let rates = |scale: &Scale| scale.unit != Unit::Bytes && scale.unit != Unit::Share;
    if let Some(scale) = describe(line).implied().filter(rates) {
        return Some(scale);
    }
    let words = line
        .split(|c: char| c.is_whitespace() || "()[],;".contains(c))
        .filter(|word| !word.is_empty());
    // A lone `s` or `h` in a sentence is no unit, and `30 seconds` is a figure.
    let mut previous = "";
    let units = words.filter(|word| {
        let behind = std::mem::replace(&mut previous, word);
        word.len() > 1 && crate::quantity::number(behind).is_none()
    });
    let mut found = units.filter_map(|word| {
        describe(word)
            .scale
            .filter(rates)
            .or_else(|| crate::quantity::scale_of(word).filter(rates))
    });
    found.next()
}

//! The shapes of tables as rows of cells: Markdown, frames, boxes, CSV, and columns aligned with
//! blanks.

pub mod assigned;
pub mod below;
mod delimited;
mod markup;
pub mod outline;
mod piped;
pub mod records;
pub mod sections;

use super::cell::{figure, is_clock};
use super::words::{self, Kind, describe, is_statistic};
use crate::line::{Line, Place};
use crate::observation::Unit;
use crate::quantity::quantity;
use below::statement_below;
use seekscope_notes::labels;

/// Limit for the rows of a table.
const MAX_ROWS: usize = 2000;
/// Limit for the columns of a row.
const MAX_COLUMNS: usize = 64;

/// A cell of a table: its text, and where it is.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    pub text: &'a str,
    line: &'a Line,
}

impl<'a> Cell<'a> {
    pub fn new(line: &'a Line, text: &'a str) -> Cell<'a> {
        let text = text.trim();
        // Dots lead from a label to its figures.
        let text = match text.strip_suffix("...") {
            Some(label) => label.trim_end_matches(['.', ' ']),
            None => text,
        };
        Cell { text, line }
    }

    /// A part of the text as a cell of its own.
    pub fn part(&self, text: &'a str) -> Cell<'a> {
        Cell::new(self.line, text)
    }

    /// Place of a part of the text.
    pub fn place_of(&self, word: &str) -> Place {
        self.line.place_of(word)
    }
}

/// The cells of a table. Each row has as many cells as there are columns.
#[derive(Clone, Debug, Default)]
pub struct Grid<'a> {
    /// Lines of headings, the upper one first.
    pub heads: Vec<Vec<Option<Cell<'a>>>>,
    pub rows: Vec<Vec<Option<Cell<'a>>>>,
    /// A remark behind the headings or below the table: `(MB/s)`.
    pub remark: Option<&'a str>,
    /// The unit that a sentence below the table names.
    pub statement: Option<&'a str>,
    /// The line behind the table.
    pub end: usize,
}

/// The table that begins at a line, if there is one. `reach` becomes the line behind the last one
/// that was looked at.
pub fn read<'a>(lines: &'a [Line], start: usize, reach: &mut usize) -> Option<Grid<'a>> {
    let grid = markup::read(lines, start, reach)
        .or_else(|| piped::read(lines, start, reach))
        .or_else(|| delimited::read(lines, start, reach))
        .or_else(|| super::aligned::read(lines, start, reach))?;
    Some(Grid {
        statement: statement_below(lines, grid.end),
        ..grid
    })
}

/// A line of a frame: `+---+---+`, `|---|:-:|`, `===  ===`, a box.
pub fn is_rule(text: &str) -> bool {
    let mut marks = 0;
    for c in text.trim().chars() {
        match c {
            '-' | '=' | '_' | '~' | '^' | '\u{2500}'..='\u{257f}' => marks += 1,
            '+' | '|' | ':' | ' ' | '\t' => {}
            _ => return false,
        }
    }
    marks >= 3
}

/// Whether cells can be headings: words, releases of kernels, and several numbers that rise, such
/// as those of threads. Other numbers are figures.
pub fn are_headings(cells: &[&str]) -> bool {
    if are_percentiles(cells) {
        return true;
    }
    if cells.iter().any(|cell| is_clock(cell)) {
        return false;
    }
    let mut counts: Vec<f64> = Vec::new();
    for cell in cells {
        let Some(figure) = figure(cell) else {
            continue;
        };
        let first = cell.split_whitespace().next().unwrap_or("");
        // `6.1 IOPS` is the metric of a kernel, `512 MB/s` is none.
        let unit = figure.quantity.scale.map(|scale| scale.unit);
        if labels::is_kernel_form(cell) || labels::is_kernel_form(first) && unit.is_some() {
            continue;
        }
        let whole = quantity(cell).is_some_and(|quantity| is_count(quantity.value));
        if !whole || !matches!(unit, None | Some(Unit::Bytes)) {
            return false;
        }
        // `64MB  256MB  1GB` rise, too.
        let factor = figure.quantity.scale.map_or(1.0, |scale| scale.factor);
        counts.push(figure.quantity.value * factor);
    }
    counts.len() != 1 && counts.windows(2).all(|pair| pair[0] < pair[1])
}

/// Whether headings name sides, perhaps with units: `vanilla (MB/s)`. Parameters and changes, which
/// the text has computed itself, may be among them.
fn name_sides<'a>(headings: impl Iterator<Item = &'a str>) -> bool {
    let others = headings
        .map(describe)
        .filter(|heading| heading.kind != Some(Kind::Change) && !words::is_dimension(heading.name));
    let names: Vec<&str> = others.map(|heading| heading.name).collect();
    words::name_sides(names.into_iter())
}

/// Whether a number may be one of threads, of bytes in a block, of files: large ones are even.
fn is_count(value: f64) -> bool {
    const MAX_UNEVEN: f64 = 4096.0;
    let is_even = |step: f64| value % step == 0.0;
    value.fract() == 0.0 && (value <= MAX_UNEVEN || is_even(100.0) || is_even(256.0))
}

/// Percentiles over columns of a distribution: `50%  90%  99%  99.9%`, `avg  95%  99%  max`.
fn are_percentiles(cells: &[&str]) -> bool {
    const MIN_LAST: f64 = 90.0;
    let percent = |cell: &&str| crate::quantity::number(cell.strip_suffix('%')?);
    let others = cells.iter().filter(|cell| !is_statistic(cell));
    let Some(values) = others.map(percent).collect::<Option<Vec<f64>>>() else {
        return false;
    };
    let is_rising = values.windows(2).all(|pair| pair[0] < pair[1]);
    values.len() > 1
        && is_rising
        && values[0] > 0.0
        && values
            .last()
            .is_some_and(|last| (MIN_LAST..=100.0).contains(last))
}

/// Bars of a frame, as `|` and as lines of a box.
fn is_bar(c: char) -> bool {
    matches!(c, '|' | '\u{2502}' | '\u{2503}' | '\u{2551}')
}

pub fn bars(text: &str) -> usize {
    text.chars().filter(|c| is_bar(*c)).count()
}

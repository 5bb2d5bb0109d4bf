//! Tables that people write. [`grid`] finds rows and cells of all shapes, [`words`] what headings
//! mean; here the columns get their roles: labels, figures of metrics, figures of sides, changes
//! that the text has computed itself.

mod aligned;
mod benchmark;
mod cell;
mod column;
mod compared;
mod figures;
mod grid;
mod heads;
mod inner;
mod labels;
mod list;
mod pairs;
mod pieces;
mod rates;
mod roles;
mod sentence;
mod spread;
mod units;
pub mod words;

pub use grid::is_rule;

use crate::observation::Observation;
use crate::recognise::Cursor;
use benchmark::is_data_sheet;
use grid::Grid;
use seekscope_notes::labels::{is_kernel_form, is_side_word};

/// Lines that may be looked at from each line of a text without a bound on the tries.
const MIN_REACH: usize = 8;

/// The figures of a table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub observations: Vec<Observation>,
    /// Name of the dimension whose values are compared.
    pub side: Option<String>,
    /// Name of the only column of labels, if these can be things that are compared where nothing
    /// else is.
    pub things: Option<String>,
}

/// The result of looking at a line.
pub enum Found {
    Table {
        table: Table,
        end: usize,
    },
    /// Rows and cells, but no results: the lines up to `end` have the shape of a table.
    Refused {
        end: usize,
        /// Its rows were found, so none of them is the heading of another table.
        is_grid: bool,
    },
    Nothing,
}

/// The table that begins at the cursor.
pub fn read(cursor: Cursor) -> Found {
    match read_any(cursor) {
        Found::Table { ref table, end }
            if !names_sides(table) && is_data_sheet(cursor.lines, cursor.start, end) =>
        {
            Found::Refused { end, is_grid: true }
        }
        found => found,
    }
}

/// Whether figures are of sides by their names: `before`, `6.1`.
fn names_sides(table: &Table) -> bool {
    let mut dimensions = table.observations.iter().flat_map(|o| &o.dimensions);
    dimensions.any(|named| is_kernel_form(&named.value) || is_side_word(&named.value))
}

fn read_any(cursor: Cursor) -> Found {
    let mut reach = cursor.start;
    let (lines, start) = (cursor.lines, cursor.start);
    let mut grid = grid::assigned::read_labelled(lines, start, &mut reach);
    // The first line of a list would be taken for the heading of its other lines.
    if grid.is_none()
        && let Some((end, table)) = list::read(cursor, &|| caption(cursor))
    {
        return Found::Table { table, end };
    }
    grid = grid.or_else(|| grid::assigned::read(lines, start, &mut reach));
    let grid = grid.or_else(|| grid::outline::read(lines, start, &mut reach));
    let Some(mut grid) = grid.or_else(|| grid::read(lines, start, &mut reach)) else {
        return if reach > cursor.start + MIN_REACH {
            Found::Refused {
                end: reach,
                is_grid: false,
            }
        } else {
            Found::Nothing
        };
    };
    match table(&mut grid, cursor) {
        Some(table) => Found::Table {
            table,
            end: grid.end,
        },
        None => Found::Refused {
            end: grid.end,
            is_grid: true,
        },
    }
}

/// The table in the JSON document that begins at the cursor, and the line behind it.
pub fn read_document(cursor: Cursor) -> Option<(Table, usize)> {
    let mut grid = grid::records::read(cursor)?;
    let table = table(&mut grid, cursor)?;
    Some((table, grid.end))
}

/// The figures of a grid whose cells are as they are written.
fn table(grid: &mut Grid, cursor: Cursor) -> Option<Table> {
    grid::sections::lift_titles(grid);
    heads::lift_parameters(grid);
    inner::split_cells(grid);
    inner::split_labels(grid);
    pairs::split_columns(grid);
    heads::lower_metrics(grid);
    roles::table(grid, &caption(cursor))
}

/// Figures behind the label of a row.
pub fn figure_count(text: &str) -> usize {
    let words = text.split_whitespace().skip(1);
    // AsciiDoc has no blank behind a bar.
    let words = words.map(|word| word.trim_start_matches('|'));
    words.filter(|word| cell::figure(word).is_some()).count()
}

/// The lines above a table, the nearest first: units and directions are there.
fn caption(cursor: Cursor) -> Vec<String> {
    let mut found = Vec::new();
    for line in cursor.lines[..cursor.start].iter().rev().take(4) {
        let text = line.text().trim();
        // `[cols="1,1"]` of AsciiDoc
        let is_attributes = text.starts_with('[') && text.ends_with("\"]");
        if text.starts_with("```") || grid::is_rule(text) || is_attributes {
            continue;
        }
        if text.is_empty() {
            if found.is_empty() {
                continue;
            }
            break;
        }
        if is_separated(text) {
            break;
        }
        found.push(text.to_owned());
    }
    found
}

/// Whether a line is a row of cells without spaces between them, so that the lines above belong to
/// another table: `bs,rw,bw_mbs,iops`.
fn is_separated(line: &str) -> bool {
    let is_row = |separator: char| {
        let mut cells = line.split(separator);
        cells.clone().nth(2).is_some() && cells.all(|cell| !cell.starts_with(' '))
    };
    [',', ';', '\t'].into_iter().any(is_row) && cell::figure(line).is_none()
}

#[cfg(test)]
mod tests;

//! The units of columns in a line of their own below the headings: `(MB/s)  (us)`.

use super::super::cell;
use super::super::grid::{Cell, Grid};
use super::super::pieces::{Piece, split};
use super::super::words::describe;
use crate::line::Line;

/// Whether the first line below the headings has nothing but units, each below one of them, and the
/// next one has figures.
pub fn is_line(heading: &Line, below: &[Line]) -> bool {
    let [units, row, ..] = below else {
        return false;
    };
    let (head, units) = (split(heading.text(), 2), split(units.text(), 2));
    let is_unit = |piece: &Piece| {
        let described = describe(piece.text);
        described.scale.is_some() && described.name.is_empty()
    };
    let has_figure = split(row.text(), 2)
        .iter()
        .any(|piece| cell::figure(piece.text).is_some());
    !units.is_empty()
        && units.len() <= head.len()
        && units
            .iter()
            .all(|unit| is_unit(unit) && above(unit, &head).is_some())
        && has_figure
}

/// The line of units with a cell for each column of the grid, whose headings are in `heading`.
pub fn cells<'a>(heading: &Line, units: &'a Line, grid: &Grid) -> Option<Vec<Option<Cell<'a>>>> {
    let head = split(heading.text(), 2);
    let width = grid.heads.first()?.len();
    let labels = width.checked_sub(head.len())?;
    let mut row = vec![None; width];
    for unit in split(units.text(), 2) {
        row[labels + above(&unit, &head)?] = Some(Cell::new(units, unit.text));
    }
    Some(row)
}

/// The number of the heading that is above a unit.
fn above(unit: &Piece, head: &[Piece]) -> Option<usize> {
    head.iter()
        .position(|heading| heading.start < unit.end && unit.start < heading.end)
}

//! Rows that are titles of the rows below them: `| **IOPS** | | |` above `| read | 101k | 120k |`.

use super::super::cell;
use super::{Cell, Grid};

/// Makes a column of labels of the titles between rows, if the first row is one.
pub fn lift_titles(grid: &mut Grid) {
    // An empty cell in front of a row holds the label above it: there, no row is a title.
    let is_labelled = |row: &Vec<Option<Cell>>| row.first().is_some_and(Option::is_some);
    let is_first = grid.rows.first().is_some_and(|row| title_of(row).is_some());
    if !is_first || !grid.rows.iter().all(is_labelled) {
        return;
    }
    let mut title = None;
    let mut rows = Vec::with_capacity(grid.rows.len());
    for mut row in std::mem::take(&mut grid.rows) {
        match title_of(&row) {
            Some(text) => title = Some(text),
            None => {
                row.insert(0, title);
                rows.push(row);
            }
        }
    }
    grid.rows = rows;
    for head in &mut grid.heads {
        head.insert(0, None);
    }
}

/// The only cell of a row, if it is the first one and no figure.
fn title_of<'a>(row: &[Option<Cell<'a>>]) -> Option<Cell<'a>> {
    let (first, others) = row.split_first()?;
    let is_alone = !others.is_empty() && others.iter().all(Option::is_none);
    let is_words = |cell: &Cell| cell::figure(cell.text).is_none() && !cell::is_absent(cell.text);
    first.filter(|cell| is_alone && is_words(cell))
}

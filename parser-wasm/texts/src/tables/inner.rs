//! Tables whose bars divide groups of columns: `| hdd   ssd | hdd   ssd |` above
//! `| 8192   82 | 8100   80 |`.

use super::cell;
use super::grid::{Cell, Grid};
use super::pieces::split;

/// Splits each column whose lowest heading and cells all have as many pieces, far apart.
pub fn split_cells(grid: &mut Grid) {
    let Some(lowest) = grid.heads.last() else {
        return;
    };
    let count = |cell: Option<Cell>| cell.map_or(0, |cell| split(cell.text, 2).len());
    let has_figures = |cell: Cell| {
        let pieces = split(cell.text, 2);
        pieces
            .iter()
            .all(|piece| cell::figure(piece.text).is_some())
    };
    let counts: Vec<usize> = (0..lowest.len())
        .map(|index| {
            let wanted = count(lowest[index]);
            let fits = |row: &Vec<Option<Cell>>| {
                count(row[index]) == wanted && row[index].is_some_and(has_figures)
            };
            if grid.rows.iter().all(fits) {
                wanted.max(1)
            } else {
                1
            }
        })
        .collect();
    if counts.iter().all(|count| *count == 1) {
        return;
    }
    for row in grid.heads.iter_mut().chain(&mut grid.rows) {
        let cells = std::mem::take(row);
        for (cell, &wanted) in cells.into_iter().zip(&counts) {
            match cell.filter(|_| wanted > 1 && count(cell) == wanted) {
                Some(cell) => {
                    let pieces = split(cell.text, 2).into_iter();
                    row.extend(pieces.map(|piece| Some(cell.part(piece.text))));
                }
                None => row.extend(std::iter::repeat_n(cell, wanted)),
            }
        }
    }
}

//! Tables whose bars divide groups of columns: `| hdd   ssd | hdd   ssd |` above
//! `| 8192   82 | 8100   80 |`.

use super::cell;
use super::grid::{Cell, Grid};
use super::pieces::split;
use super::words;
use seekscope_notes::labels;

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
    let labelled = labelled_cells(grid);
    let counts: Vec<usize> = (0..lowest.len())
        .map(|index| {
            if let Some(wanted) = labelled.filter(|_| index == 0) {
                return wanted;
            }
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
        // The corner above labels is empty: `      rbps | wbps` above `6.1   512M | 402M`.
        if labelled.is_some()
            && is_doubled(row)
            && let Some(corner) = row.first_mut()
        {
            *corner = None;
        }
    }
}

/// The text of the first cell of a row.
fn first_text<'a>(row: &[Option<Cell<'a>>]) -> Option<&'a str> {
    row.first().copied().flatten().map(|cell| cell.text)
}

/// Splits the first column, which has no heading, if its cells are kernels beside values of another
/// dimension: `5.4 ext4`.
pub fn split_labels(grid: &mut Grid) {
    let mut headings = grid.heads.iter().filter_map(|row| first_text(row));
    let has_heading = headings.any(|text| !text.is_empty());
    let labels: Option<Vec<&str>> = grid.rows.iter().map(|row| first_text(row)).collect();
    let fits = |labels: &Vec<&str>| words::name_kernels_and_values(labels.iter().copied());
    if has_heading || !labels.as_ref().is_some_and(fits) {
        return;
    }
    for head in &mut grid.heads {
        head.insert(0, None);
    }
    for row in &mut grid.rows {
        let Some(cell) = row[0] else { continue };
        if let Some((kernel, _, value)) = words::kernel_and_value(cell.text) {
            row[0] = Some(cell.part(value));
            row.insert(0, Some(cell.part(kernel)));
        }
    }
}

/// Whether the first two cells are the same part of a line.
fn is_doubled(row: &[Option<Cell>]) -> bool {
    let [Some(first), Some(second), ..] = row else {
        return false;
    };
    std::ptr::eq(first.text, second.text)
}

/// The pieces of each first cell, if these are a label and figures, and the first heading has as
/// many pieces or none above the label.
fn labelled_cells(grid: &Grid) -> Option<usize> {
    let count = |cell: &Cell| split(cell.text, 2).len();
    let heading = grid.heads.last()?.first()?.as_ref()?;
    let wanted = grid.rows.first()?.first()?.as_ref().map(count)?;
    let fits = |row: &Vec<Option<Cell>>| {
        let Some(Some(cell)) = row.first() else {
            return false;
        };
        let pieces = split(cell.text, 2);
        let is_figure = |index: usize| cell::figure(pieces[index].text).is_some();
        let is_label = !is_figure(0) || labels::is_kernel_form(pieces[0].text);
        pieces.len() == wanted && is_label && (1..wanted).all(is_figure)
    };
    // A line above with figures and their units is another row.
    let is_row =
        |text: &str| cell::figure(text).is_some_and(|figure| figure.quantity.scale.is_some());
    let headings = split(heading.text, 2);
    if headings.iter().any(|piece| is_row(piece.text)) {
        return None;
    }
    let is_apart = (wanted == 2 && headings.len() == 1) || headings.len() == wanted;
    (wanted > 1 && is_apart && grid.rows.iter().all(fits)).then_some(wanted)
}

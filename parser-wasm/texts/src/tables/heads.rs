//! Tables with two lines of headings: whether the second one is a heading, and which of both has
//! the metrics.

use super::cell::figure;
use super::grid::{Cell, Grid, are_headings};
use super::words::{self, Described, Kind, describe};
use crate::observation::Unit;
use seekscope_notes::labels;
use seekscope_trace::sorting::distinct_count;

/// Limit for the lines of headings of a table.
pub const MAX_HEADS: usize = 3;

/// The row with which another table begins below the first one: it has other headings behind that
/// of the labels.
pub fn second_head(rows: &[Vec<Option<Cell>>], heads: usize) -> Option<usize> {
    let first = corner(rows.get(heads.checked_sub(1)?)?)?;
    let is_head = |row: &[Option<Cell>]| {
        let texts: Vec<&str> = row.iter().flatten().map(|cell| cell.text).collect();
        corner(row) == Some(first) && texts.len() > 1 && are_headings(&texts)
    };
    (heads + 1..rows.len()).find(|&index| is_head(&rows[index]))
}

fn corner<'a>(row: &[Option<Cell<'a>>]) -> Option<&'a str> {
    row.first().copied().flatten().map(|cell| cell.text)
}

/// Whether the units of the headings are in the line below them: `| fs | read | write |` above
/// `| | MB/s | MB/s |`.
pub fn has_units_below(rows: &[Vec<Option<Cell>>]) -> bool {
    let [_, units, _, ..] = rows else {
        return false;
    };
    let is_unit = |cell: &Cell| {
        let text = cell.text.trim_matches(['(', ')', '[', ']']);
        crate::quantity::scale_of(text).is_some()
    };
    corner(units).is_none()
        && units.iter().flatten().all(is_unit)
        && units.iter().any(Option::is_some)
}

/// Whether the headings go on below the rule, as Markdown has no cells over several columns:
/// `| | read | | write | |` above `| | 6.1 | 6.2 | 6.1 | 6.2 |`. Then each upper heading is
/// repeated over the empty ones behind it.
pub fn has_second_heading(rows: &mut [Vec<Option<Cell>>]) -> bool {
    let [upper, lower, _, ..] = rows else {
        return false;
    };
    let empty = |row: &[Option<Cell>]| row.iter().skip(1).filter(|cell| cell.is_none()).count();
    let lower_cells = || lower.iter().skip(1).flatten();
    let words =
        lower_cells().all(|cell| figure(cell.text).is_none() || labels::is_kernel_form(cell.text));
    let is_spread = empty(upper) > 0 && upper.iter().skip(1).any(Option::is_some);
    // The names of the columns of labels may be in the lower line, beside those of metrics.
    let is_metric = |cell: &Cell| {
        let described = describe(cell.text);
        described.is_metric() || described.scale.is_some()
    };
    let has_corner = corner(upper).is_none() && lower_cells().any(is_metric);
    let fits = (corner(lower).is_none() || has_corner) && empty(lower) == 0;
    if !(is_spread && fits && words && lower_cells().next().is_some()) {
        return false;
    }
    for index in 2..upper.len() {
        if upper[index].is_none() {
            upper[index] = upper[index - 1];
        }
    }
    true
}

/// Makes headings of the first rows if they have the values of parameters, and equal headings above
/// them need these: `| bs | 4k | 64k | 4k | 64k |` below `| kernel | 5.4 | 5.4 | 5.10 | 5.10 |`.
pub fn lift_parameters(grid: &mut Grid) {
    while grid.heads.len() < MAX_HEADS && grid.rows.len() > 1 {
        let is_parameter = |row: &[Option<Cell>]| {
            let label = corner(row).unwrap_or_default();
            let is_named = words::is_dimension(label) && !describe(label).is_metric();
            is_named && row.iter().all(Option::is_some)
        };
        let has_equal_columns = || {
            let width = grid.rows[0].len();
            let column = |index: usize| -> Vec<&str> {
                let cells = grid.heads.iter().filter_map(|head| *head.get(index)?);
                cells.map(|cell| cell.text).collect()
            };
            let count = distinct_count((1..width).map(column));
            count > 1 && count + 1 < width
        };
        if !is_parameter(&grid.rows[0]) || !has_equal_columns() {
            break;
        }
        grid.heads.push(grid.rows.remove(0));
    }
}

/// Exchanges the lines of headings of a table that has metrics of several units over its sides,
/// `MB/s | | usec |` above `old | new | old | new`: the unit of a column is that of its lowest
/// heading, and not one that all columns share.
pub fn lower_metrics(grid: &mut Grid) {
    let [upper, lower] = grid.heads.as_slice() else {
        return;
    };
    let has_figures = |index: usize| {
        let rows = grid.rows.iter();
        let mut cells = rows.filter_map(|row| row.get(index).copied().flatten());
        cells.any(|cell| figure(cell.text).is_some())
    };
    let columns: Vec<usize> = (0..upper.len().min(lower.len()))
        .filter(|&index| upper[index].is_some() && lower[index].is_some() && has_figures(index))
        .collect();
    let is_measured = |text: &str| {
        let described = describe(text);
        described.is_metric() || described.scale.is_some()
    };
    let uppers: Vec<&str> = columns
        .iter()
        .filter_map(|&index| Some(upper[index]?.text))
        .collect();
    let is_lower_measured = columns
        .iter()
        .filter_map(|&index| Some(lower[index]?.text))
        .any(is_measured);
    let measure = |text: &str| measure_of(describe(text));
    let are_several = uppers
        .iter()
        .any(|text| measure(text) != measure(uppers[0]));
    if is_lower_measured || !are_several || !uppers.iter().any(|text| is_measured(text)) {
        return;
    }
    for index in columns {
        let cell = grid.heads[0][index];
        grid.heads[0][index] = grid.heads[1][index];
        grid.heads[1][index] = cell;
    }
}

/// The unit, and the kind of a metric whose figures have their units themselves.
fn measure_of(described: Described) -> (Option<Unit>, Option<Kind>) {
    let unit = described.implied().map(|scale| scale.unit);
    (unit, described.kind.filter(|_| unit.is_none()))
}

//! The roles of the columns of a grid, and the figures that follow from them.

use super::Table;
use super::benchmark::is_benchmark;
use super::cell;
use super::column::{
    Column, columns, counts_runs, has_units, is_count, is_dimension, is_measured, is_named_metric,
    is_parameter_of_sides, is_rank, is_relation, is_size, names_result, remarks_on_sides,
    sides_of_metrics,
};
use super::compared::{side, things};
use super::figures::observations;
use super::grid::Grid;
use super::labels::is_transposed;
use super::spread::spread;
use super::units::{is_corner, shared_unit};
use super::words::{self, Described, Kind};
use crate::observation::{NamedValue, Unit};
use seekscope_notes::labels;
use seekscope_trace::sorting::SortShort;
use std::collections::BTreeSet;

/// The role of a column in its table.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// Values of a dimension with this name.
    Label(String),
    /// The column has figures of a metric.
    Metric,
    /// Figures of a value of a dimension, which the heading names: `5.15`, `before`.
    Spread(Vec<NamedValue>),
    /// The column has the units of the figures of each row.
    Unit,
    Ignored,
}

/// The figures of a grid; `None` for a table of something else.
pub fn table(grid: &Grid, caption: &[String]) -> Option<Table> {
    let mut columns = columns(grid);
    let shared = shared_unit(grid, &columns, caption);
    let better = caption.iter().find_map(|line| words::better_of(line));
    assign(grid, &mut columns, shared)?;
    let observations = observations(grid, &columns, shared, better);
    if observations.is_empty() || !is_benchmark(&observations, grid, &columns, caption) {
        return None;
    }
    let side = side(grid, &columns);
    let things = things(grid, &columns);
    Some(Table {
        observations,
        side,
        things,
    })
}

/// Gives each column its role; `None` where nothing is a figure.
fn assign(grid: &Grid, columns: &mut [Column], shared: Option<Described>) -> Option<()> {
    let corner = is_corner(columns);
    let first_is_label = columns.first().is_some_and(|column| {
        column.words > 0
            || corner
            || column.heading.is_empty()
            || words::is_dimension(column.heading)
            || column.described.implied().is_none() && column.described.kind.is_none()
    });
    let several = columns.iter().filter(|column| column.figures > 0).count() > 1;
    let metrics = columns
        .iter()
        .skip(usize::from(corner))
        .any(|column| column.described.is_metric());
    let rated = columns.iter().any(|column| {
        let scale = column.described.scale;
        scale.is_some_and(|scale| !matches!(scale.unit, Unit::Bytes | Unit::Share))
    });
    let measured = (0..columns.len())
        .filter(|&index| is_measured(grid, index))
        .count()
        > 1;
    let is_planned = columns
        .iter()
        .any(|column| column.heading.eq_ignore_ascii_case("recommended"));
    let sides = sides_of_metrics(columns);
    let is_parameter = is_parameter_of_sides(grid, columns);
    let remarks = remarks_on_sides(columns);
    let operations = columns
        .iter()
        .filter(|column| words::is_operation(column.heading))
        .count();
    for (index, column) in columns.iter_mut().enumerate() {
        let names_side = words::name_sides(std::iter::once(column.heading));
        let numeric = column.figures + usize::from(names_side) > column.words;
        let changes = numeric
            && grid
                .rows
                .iter()
                .filter_map(|row| row.get(index).copied().flatten())
                .all(|cell| cell::is_change(cell.text) || cell::is_absent(cell.text));
        // Limits, relations, ranks, and changes that the text has computed itself.
        let ignored = several && words::is_limit_heading(column.heading) && numeric
            || is_relation(grid, column, index)
            || several && column.heading.eq_ignore_ascii_case("capacity")
            || is_planned && column.heading.eq_ignore_ascii_case("minimum")
            || several && (is_rank(grid, index) || numeric && counts_runs(grid, column, index))
            || several && !metrics && remarks[index];
        let is_comment = matches!(column.described.kind, Some(Kind::Change | Kind::Spread))
            && several
            || changes
            || !numeric && names_result(column);
        column.role = if has_units(grid, column, index) {
            Role::Unit
        } else if ignored || index > 0 && is_comment {
            Role::Ignored
        } else if is_dimension(column, index, metrics) && !is_measured(grid, index)
            || rated && is_size(column)
            || !numeric && column.words > 0
            || index == 0 && (first_is_label && several || is_parameter)
        {
            Role::Label(String::new())
        } else if column.figures == 0 {
            Role::Ignored
        } else if column.described.is_metric()
            || is_count(grid, column, operations)
                && (metrics || measured && !is_measured(grid, index))
            || metrics && is_named_metric(column, &sides)
        {
            Role::Metric
        } else {
            Role::Spread(Vec::new())
        };
    }
    ignore_remarks(grid, columns);
    label_parameters(grid, columns);
    name_labels(grid, columns);
    spread(grid, columns, shared);
    columns
        .iter()
        .any(|column| matches!(column.role, Role::Metric | Role::Spread(_)))
        .then_some(())
}

/// Counts without a unit in front of the figures are parameters if they tell rows with the same
/// labels apart: the `load` in `operation | load | tps`.
fn label_parameters(grid: &Grid, columns: &mut [Column]) {
    let is_label = |column: &Column| matches!(column.role, Role::Label(_));
    let is_figure = |column: &Column| matches!(column.role, Role::Metric | Role::Spread(_));
    let mut labels: Vec<usize> = (0..columns.len())
        .filter(|&index| is_label(&columns[index]))
        .collect();
    let first = (0..columns.len()).find(|&index| {
        let is_measure = columns[index].described.implied().is_some();
        is_figure(&columns[index]) && (is_measure || is_measured(grid, index))
    });
    let Some(first) = first.filter(|_| !labels.is_empty()) else {
        return;
    };
    let mut found = Vec::new();
    for index in (0..first).filter(|&index| is_figure(&columns[index])) {
        if are_distinct(grid, &labels) {
            break;
        }
        labels.push(index);
        found.push(index);
    }
    if are_distinct(grid, &labels) {
        for index in found {
            columns[index].role = Role::Label(String::new());
        }
    }
}

/// Whether no two rows have the same cells in some columns. An empty cell holds what is above it.
fn are_distinct(grid: &Grid, columns: &[usize]) -> bool {
    let mut seen = BTreeSet::new();
    let mut cells = vec![""; columns.len()];
    grid.rows.iter().all(|row| {
        for (cell, &index) in cells.iter_mut().zip(columns) {
            *cell = row
                .get(index)
                .copied()
                .flatten()
                .map_or(*cell, |cell| cell.text);
        }
        seen.insert(cells.clone())
    })
}

/// Words behind all figures that are not needed to tell rows apart are remarks: `OK?`, `notes`.
fn ignore_remarks(grid: &Grid, columns: &mut [Column]) {
    let is_figure = |column: &Column| matches!(column.role, Role::Metric | Role::Spread(_));
    let Some(last) = columns.iter().rposition(is_figure) else {
        return;
    };
    let is_label = |column: &Column| matches!(column.role, Role::Label(_));
    let labels: Vec<usize> = (0..last)
        .filter(|&index| is_label(&columns[index]))
        .collect();
    if labels.is_empty() || !are_distinct(grid, &labels) {
        return;
    }
    for column in &mut columns[last + 1..] {
        if is_label(column) && !words::is_dimension(column.heading) {
            column.role = Role::Ignored;
        }
    }
}

/// Names of the columns of labels: their headings, else what their values are.
fn name_labels(grid: &Grid, columns: &mut [Column]) {
    let corner = is_corner(columns);
    let mut taken: Vec<String> = Vec::new();
    let is_label = |index: &usize| matches!(columns[*index].role, Role::Label(_));
    let mut labels: Vec<usize> = (0..columns.len()).filter(is_label).collect();
    // Labels that are metrics have little use for a name: the others take theirs first.
    let metrics = is_transposed(grid, columns);
    labels.sort_short_by_key(|index| metrics == Some(*index));
    for index in labels {
        let column = &mut columns[index];
        let values = || {
            grid.rows
                .iter()
                .filter_map(move |row| row.get(index).copied().flatten())
                .map(|cell| cell.text)
        };
        let unit = column.described.implied().is_some()
            && (column.words > 0 || corner && index == 0)
            && !words::is_dimension(column.heading);
        let mut name = column
            .heading
            .trim_start_matches(['#', ' '])
            .trim()
            .to_owned();
        if name.is_empty() || unit {
            name = value_kind(values()).unwrap_or("test").to_owned();
        }
        if words::is_side_heading(&name) && value_kind(values()) == Some("kernel") {
            name = "kernel".to_owned();
        }
        while taken.contains(&name) {
            name.push_str(" 2");
        }
        taken.push(name.clone());
        column.role = Role::Label(name);
    }
}

/// `kernel`, `scheduler`, ... where all values are of that kind.
pub fn value_kind<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Option<&'static str> {
    values.clone().next()?;
    if values.clone().all(labels::is_kernel_form) {
        return Some("kernel");
    }
    let mut kinds = values.map(|value| value.split_whitespace().find_map(labels::dimension_of));
    let first = kinds.next()??;
    kinds.all(|kind| kind == Some(first)).then_some(first)
}

//! The roles of the columns of a grid, and the figures that follow from them.

use super::Table;
use super::benchmark::is_benchmark;
use super::cell;
use super::column::{
    Column, columns, has_units, is_count, is_dimension, is_measured, is_named_metric, is_rank,
    is_relation, is_size, names_result, sides_of_metrics,
};
use super::figures::observations;
use super::grid::{Cell, Grid};
use super::spread::{REPEAT, STATISTIC, is_size as is_block_size, spread};
use super::units::{is_corner, shared_unit};
use super::words::{self, Described, Kind, describe};
use crate::observation::{NamedValue, Unit};
use seekscope_notes::labels;
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
    Some(Table { observations, side })
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
        column.role = if has_units(grid, column, index) {
            Role::Unit
        } else if several && words::is_limit_heading(column.heading) && numeric
            || is_relation(grid, column, index)
            || index > 0 && !numeric && names_result(column)
            || is_planned && column.heading.eq_ignore_ascii_case("minimum")
        {
            Role::Ignored
        } else if matches!(column.described.kind, Some(Kind::Change | Kind::Spread))
            && several
            && index > 0
            || changes && index > 0
            || several && is_rank(grid, index)
        {
            Role::Ignored
        } else if is_dimension(column, index, metrics) && !is_measured(grid, index)
            || rated && is_size(column)
            || !numeric && column.words > 0
            || index == 0 && first_is_label && several
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
    for (index, column) in columns.iter_mut().enumerate() {
        if !matches!(column.role, Role::Label(_)) {
            continue;
        }
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

/// The name of the column of labels that names sides by itself.
pub fn naming_label(grid: &Grid, columns: &[Column]) -> Option<String> {
    columns.iter().enumerate().find_map(|(index, column)| {
        let Role::Label(name) = &column.role else {
            return None;
        };
        let cells = grid
            .rows
            .iter()
            .filter_map(|row| row.get(index).copied().flatten());
        let mut values = cells.map(|cell| cell.text).peekable();
        let sides = words::is_side_heading(name)
            || name == "kernel"
            || has_changes(grid, columns, index)
            || has_side_word(grid, columns, index)
            || values.peek().is_some() && words::name_sides(values);
        sides.then(|| name.clone())
    })
}

/// Whether a row of the only column of labels is a side by its word, so that the others are, too:
/// `v4`, `v5`, `patched`.
fn has_side_word(grid: &Grid, columns: &[Column], index: usize) -> bool {
    const WORDS: [&str; 8] = [
        "patched",
        "unpatched",
        "vanilla",
        "baseline",
        "before",
        "after",
        "with patch",
        "without patch",
    ];
    let labels = columns
        .iter()
        .filter(|column| matches!(column.role, Role::Label(_)));
    let rows = grid.rows.iter();
    let mut cells = rows.filter_map(|row| row.get(index).copied().flatten());
    labels.count() == 1
        && grid.rows.len() > 1
        && cells.any(|cell| WORDS.contains(&cell.text.to_ascii_lowercase().as_str()))
}

/// The only column of labels beside that of the tests, if each of its values has several tests:
/// `environment | workload`.
fn side_of_tests<'a>(grid: &Grid, labels: &[(usize, &'a str)]) -> Option<&'a str> {
    let cells = |index: usize| {
        let rows = grid.rows.iter();
        rows.filter_map(move |row| row.get(index).copied().flatten())
    };
    let is_test = |index: usize| cells(index).all(|cell| words::is_operation(cell.text));
    let is_parameter = |index: usize, name: &str| {
        words::is_dimension(name) || cells(index).all(|cell| cell::figure(cell.text).is_some())
    };
    let mut others = labels
        .iter()
        .filter(|(index, name)| !is_test(*index) && !is_parameter(*index, name));
    let (index, name) = others.next().filter(|_| others.next().is_none())?;
    let values: BTreeSet<&str> = cells(*index).map(|cell| cell.text).collect();
    let has_test = labels.iter().any(|(index, _)| is_test(*index));
    let is_repeated = values.len() > 1 && values.len() * 2 <= grid.rows.len();
    (has_test && is_repeated).then_some(*name)
}

/// Whether the last row compares the ones above it, so that the labels of a column are sides:
/// `old`, `new`, `change`.
fn has_changes(grid: &Grid, columns: &[Column], index: usize) -> bool {
    let labels = columns
        .iter()
        .filter(|column| matches!(column.role, Role::Label(_)));
    let Some((last, [_, _, ..])) = grid.rows.split_last() else {
        return false;
    };
    let label = last.get(index).copied().flatten();
    let is_change = label.is_some_and(|cell| describe(cell.text).kind == Some(Kind::Change));
    labels.count() == 1 && (is_change || is_change_row(columns, last))
}

/// Whether all figures of a row are changes that the text has computed itself.
pub fn is_change_row(columns: &[Column], row: &[Option<Cell>]) -> bool {
    let figures = columns.iter().zip(row);
    let mut cells = figures
        .filter(|(column, _)| matches!(column.role, Role::Metric | Role::Spread(_)))
        .filter_map(|(_, cell)| *cell)
        .filter(|cell| !cell::is_absent(cell.text))
        .peekable();
    cells.peek().is_some() && cells.all(|cell| cell::is_change(cell.text))
}

/// The dimension that is compared: columns of sides, else a column of labels that names sides.
fn side(grid: &Grid, columns: &[Column]) -> Option<String> {
    let spread: Vec<&NamedValue> = columns
        .iter()
        .filter_map(|column| match &column.role {
            Role::Spread(values) => values
                .iter()
                .find(|value| !["op", REPEAT, STATISTIC].contains(&value.name.as_str())),
            _ => None,
        })
        .collect();
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()) || is_block_size(text);
    let distinct = spread.iter().any(|value| value.value != spread[0].value);
    let numbers = spread.iter().all(|value| number(&value.value));
    let labels: Vec<(usize, &str)> = columns
        .iter()
        .enumerate()
        .filter_map(|(index, column)| match &column.role {
            Role::Label(name) => Some((index, name.as_str())),
            _ => None,
        })
        .collect();
    let naming = naming_label(grid, columns);
    let names = words::name_sides(spread.iter().map(|value| value.value.as_str()));
    if distinct && !numbers && (names || naming.is_none()) {
        return spread.first().map(|value| value.name.clone());
    }
    if naming.is_some() {
        return naming;
    }
    if let Some(name) = side_of_tests(grid, &labels).filter(|_| !distinct) {
        return Some(name.to_owned());
    }
    // Numbers of threads over columns: the rows are compared.
    let is_test = |index: usize| {
        let rows = grid.rows.iter();
        let mut cells = rows.filter_map(|row| row.get(index).copied().flatten());
        cells.any(|cell| words::is_plain_operation(cell.text))
    };
    let rows = labels
        .first()
        .filter(|(index, _)| distinct && !is_test(*index));
    let things = || labels.iter().find(|(_, name)| words::is_thing(name));
    rows.or_else(things).map(|(_, name)| (*name).to_owned())
}

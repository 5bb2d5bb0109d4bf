//! What is compared in a table: sides in columns or rows, and things where nothing else is.

use super::cell;
use super::column::Column;
use super::grid::{Cell, Grid};
use super::roles::Role;
use super::spread::{REPEAT, STATISTIC, is_size as is_block_size, split_operation};
use super::words::{self, Kind, describe};
use crate::observation::NamedValue;
use seekscope_notes::labels;
use seekscope_trace::sorting::set_of;
use std::collections::BTreeSet;

/// Columns of what all rows have in common, unless they differ.
const SURROUNDINGS: [&str; 7] = ["host", "machine", "server", "box", "date", "day", "user"];

/// The name of the column of labels that names sides by itself; one that has several, if there is
/// any: the host in all rows is no side.
pub fn naming_label(grid: &Grid, columns: &[Column]) -> Option<String> {
    let mut found: Option<&String> = None;
    for (index, column) in columns.iter().enumerate() {
        let Role::Label(name) = &column.role else {
            continue;
        };
        let rows = grid.rows.iter();
        let cells = rows.filter_map(|row| row.get(index).copied().flatten());
        let mut values = cells.map(|cell| cell.text).peekable();
        let first = values.peek().copied();
        let is_same = values.clone().all(|value| Some(value) == first);
        let names_sides = words::is_side_heading(name)
            || name == "kernel"
            || has_changes(grid, columns, index)
            || has_side_word(grid, columns, index)
            || first.is_some() && words::name_sides(values);
        if names_sides && !is_same {
            return Some(name.clone());
        }
        let is_around = SURROUNDINGS.contains(&name.to_ascii_lowercase().as_str());
        found = found.or((names_sides && !is_around).then_some(name));
    }
    found.cloned()
}

/// The only column of labels, if it has a heading and none of tests or parameters.
pub fn things(grid: &Grid, columns: &[Column]) -> Option<String> {
    let mut labels = columns
        .iter()
        .enumerate()
        .filter_map(|(index, column)| match &column.role {
            Role::Label(name) if !column.heading.is_empty() => Some((index, name)),
            _ => None,
        });
    let (index, name) = labels.next().filter(|_| labels.next().is_none())?;
    let mut rows = grid
        .rows
        .iter()
        .filter_map(|row| row.get(index).copied().flatten());
    let is_thing = |text: &str| {
        cell::figure(text).is_none() && !words::is_operation(text) && !is_block_size(text)
    };
    let is_named = !words::is_dimension(name) && !words::is_test_heading(name);
    (is_named && rows.all(|cell| is_thing(cell.text))).then(|| name.clone())
}

/// The sides and operations of the labels of a table whose rows are both: `read-base`,
/// `read-patched`, `write-base`, `write-patched`. Its columns are no sides then.
pub fn sides_of_operations(grid: &Grid, columns: &[Column]) -> Option<Vec<(String, String)>> {
    let mut values = columns.iter().flat_map(|column| match &column.role {
        Role::Spread(values) => values.as_slice(),
        _ => &[],
    });
    if values.any(|value| words::name_sides(std::iter::once(value.value.as_str()))) {
        return None;
    }
    let mut labels =
        (0..columns.len()).filter(|&index| matches!(columns[index].role, Role::Label(_)));
    let index = labels.next().filter(|_| labels.next().is_none())?;
    let rows = grid.rows.iter();
    let split: Vec<(String, String)> = rows
        .map(|row| {
            let cell = row.get(index).copied().flatten()?;
            // The unit behind a label is that of its figures: `before read (MB/s)`.
            let described = describe(cell.text);
            let label = described.scale.map_or(cell.text, |_| described.name);
            Some(split_operation(&label.replace(['-', '_', '/'], " ")))
        })
        .collect::<Option<_>>()?;
    let sides: BTreeSet<&str> = set_of(split.iter().map(|(side, _)| side.as_str()));
    let operations: BTreeSet<&str> = set_of(split.iter().map(|(_, name)| name.as_str()));
    let distinct: BTreeSet<_> = set_of(split.iter());
    let is_complete = distinct.len() == split.len()
        && split.len() == sides.len() * operations.len()
        && sides.len() > 1
        && operations.len() > 1;
    let is_named = !operations.contains("") && words::name_sides(sides.into_iter());
    (is_complete && is_named).then_some(split)
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
    let values: BTreeSet<&str> = set_of(cells(*index).map(|cell| cell.text));
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

/// Whether the label of a row says that it relates the rows above to each other, and its figures
/// have no unit: `ratio`, `difference`.
pub fn is_relation_row(columns: &[Column], row: &[Option<Cell>]) -> bool {
    let relates = |text: &str| {
        let is_change = |text: &str| describe(text).kind == Some(Kind::Change);
        // `git diff` is a test.
        let first = text.split_whitespace().next().unwrap_or("");
        text.split_whitespace().count() <= 2 && is_change(text) && is_change(first)
    };
    let cells = columns.iter().zip(row);
    let mut labels = cells
        .filter(|(column, _)| matches!(column.role, Role::Label(_)))
        .filter_map(|(_, cell)| *cell);
    let mut figures = row
        .iter()
        .flatten()
        .filter_map(|cell| cell::figure(cell.text));
    labels.any(|cell| relates(cell.text)) && figures.all(|figure| figure.quantity.scale.is_none())
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
pub fn side(grid: &Grid, columns: &[Column]) -> Option<String> {
    let spread: Vec<&NamedValue> = columns
        .iter()
        .filter_map(|column| match &column.role {
            Role::Spread(values) => values
                .iter()
                .find(|value| !["op", REPEAT, STATISTIC].contains(&value.name.as_str())),
            _ => None,
        })
        .collect();
    if sides_of_operations(grid, columns).is_some() {
        return Some("run".to_owned());
    }
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()) || is_block_size(text);
    let distinct = spread.iter().any(|value| value.value != spread[0].value);
    let numbers = spread
        .iter()
        .all(|value| value.name != "raid" && number(&value.value));
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
    // Kernels on file systems, schedulers or disks: the kernels are compared on each of them.
    let is_of_kernels = naming.as_deref() == Some("kernel")
        && spread.iter().all(|value| {
            labels::dimension_of(&value.value).is_some_and(|dimension| dimension != "kernel")
        });
    if distinct && !numbers && (names && !is_of_kernels || naming.is_none()) {
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
    // Parameters in both directions: the sides are tables.
    let is_parameter = |index: usize| {
        let rows = grid.rows.iter();
        let mut cells = rows.filter_map(|row| row.get(index).copied().flatten());
        cells.all(|cell| number(cell.text))
    };
    let rows = labels
        .first()
        .filter(|(index, _)| distinct && !is_test(*index) && !is_parameter(*index));
    let things = || labels.iter().find(|(_, name)| words::is_thing(name));
    rows.or_else(things).map(|(_, name)| (*name).to_owned())
}

//! The roles of the columns of a grid, and the figures that follow from them.

use super::Table;
use super::benchmark::is_benchmark;
use super::cell;
use super::figures::observations;
use super::grid::{Cell, Grid};
use super::spread::{REPEAT, spread};
use super::units::{is_corner, shared_unit};
use super::words::{self, Described, Kind, describe};
use crate::observation::{NamedValue, Unit};
use seekscope_notes::labels;

/// The role of a column in its table.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// Values of a dimension with this name.
    Label(String),
    /// The column has figures of a metric.
    Metric,
    /// Figures of a value of a dimension, which the heading names: `5.15`, `before`.
    Spread(Vec<NamedValue>),
    Ignored,
}

pub struct Column<'a> {
    /// The lowest line of its headings.
    pub heading: &'a str,
    pub described: Described<'a>,
    pub role: Role,
    /// Rows with a figure, and with words.
    pub figures: usize,
    pub words: usize,
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

fn columns<'a>(grid: &Grid<'a>) -> Vec<Column<'a>> {
    let width = grid.rows.first().map_or(0, Vec::len);
    (0..width)
        .map(|index| {
            let heading = grid
                .heads
                .last()
                .and_then(|head| head.get(index).copied().flatten())
                .map_or("", |cell| cell.text);
            let cells = || {
                grid.rows
                    .iter()
                    .filter_map(move |row| row.get(index).copied().flatten())
            };
            let figures = cells()
                .filter(|cell| cell::figure(cell.text).is_some())
                .count();
            let words = cells()
                .filter(|cell| cell::figure(cell.text).is_none() && !cell::is_absent(cell.text))
                .count();
            Column {
                heading,
                described: describe(heading),
                role: Role::Ignored,
                figures,
                words,
            }
        })
        .collect()
}

/// Whether a column numbers repeats, perhaps with rows that sum them up.
pub fn is_repeat_column(grid: &Grid, index: usize) -> bool {
    const HEADINGS: [&str; 7] = ["run", "#", "iteration", "iter", "repeat", "attempt", "try"];
    let heading = grid
        .heads
        .last()
        .and_then(|head| head.get(index).copied().flatten());
    let counted =
        heading.is_some_and(|cell| HEADINGS.contains(&cell.text.to_ascii_lowercase().as_str()));
    let number = |text: &str| counted && text.bytes().all(|b| b.is_ascii_digit());
    let is_repeat = |text: &str| number(text) || labels::repeat_of(text).is_some();
    let cells = || {
        let rows = grid.rows.iter();
        rows.filter_map(|row| row.get(index).copied().flatten())
    };
    cells().any(|cell| is_repeat(cell.text))
        && cells().all(|cell| is_repeat(cell.text) || is_summary(cell.text))
}

/// Whether a column numbers the rows in their order: `Rank`, `No.`.
fn is_rank(grid: &Grid, index: usize) -> bool {
    const HEADINGS: [&str; 7] = ["rank", "no", "no.", "pos", "pos.", "place", "ranking"];
    let text = |row: &Vec<Option<Cell>>| match row.get(index) {
        Some(Some(cell)) => cell.text.to_ascii_lowercase(),
        _ => String::new(),
    };
    let heading = grid.heads.last().map_or(String::new(), text);
    let is_next = |(row, number): (&Vec<Option<Cell>>, usize)| {
        text(row).trim_end_matches(['.', ')']) == number.to_string()
    };
    HEADINGS.contains(&heading.as_str()) && grid.rows.iter().zip(1..).all(is_next)
}

/// `average`, `mean`: a row or column that sums others up.
pub fn is_summary(text: &str) -> bool {
    matches!(
        text.trim()
            .trim_end_matches(':')
            .to_ascii_lowercase()
            .as_str(),
        "average"
            | "avg"
            | "mean"
            | "median"
            | "min"
            | "max"
            | "stddev"
            | "stdev"
            | "std"
            | "std dev"
            | "var"
            | "sum"
            | "total"
            | "geomean"
            | "gmean"
    )
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
    for (index, column) in columns.iter_mut().enumerate() {
        let numeric = column.figures > column.words;
        let changes = numeric
            && grid
                .rows
                .iter()
                .filter_map(|row| row.get(index).copied().flatten())
                .all(|cell| cell::is_change(cell.text) || cell::is_absent(cell.text));
        column.role = if matches!(column.described.kind, Some(Kind::Change | Kind::Spread))
            && several
            && index > 0
            || changes && index > 0
            || several && is_rank(grid, index)
        {
            Role::Ignored
        } else if is_dimension(column, index, metrics)
            || rated && is_size(column)
            || !numeric && column.words > 0
            || index == 0 && first_is_label && several
        {
            Role::Label(String::new())
        } else if column.figures == 0 {
            Role::Ignored
        } else if column.described.is_metric() || metrics && is_count(grid, column) {
            Role::Metric
        } else {
            Role::Spread(Vec::new())
        };
    }
    name_labels(grid, columns);
    spread(grid, columns, shared);
    columns
        .iter()
        .any(|column| matches!(column.role, Role::Metric | Role::Spread(_)))
        .then_some(())
}

/// Whether the heading is a unit of sizes alone: beside rates, `KB` is the size of the blocks.
fn is_size(column: &Column) -> bool {
    let scale = column.described.scale;
    scale.is_some_and(|scale| scale.unit == Unit::Bytes) && column.described.name.trim().is_empty()
}

/// Whether a column beside metrics is another one without a unit, such as errors, and no side.
fn is_count(grid: &Grid, column: &Column) -> bool {
    let heading = column.heading;
    grid.heads.len() == 1
        && column.described.scale.is_none()
        && column.described.kind.is_none()
        && heading.contains(|c: char| c.is_alphabetic())
        && !words::is_operation(heading)
        && !words::name_sides(std::iter::once(heading))
}

/// Whether the heading makes labels of all cells. With a unit of rates it is a metric, and words
/// such as `test` are sides where figures are below them.
fn is_dimension(column: &Column, index: usize, metrics: bool) -> bool {
    const SIDES: [&str; 13] = [
        "test", "run", "patch", "build", "release", "set", "config", "setup", "host", "machine",
        "node", "device", "disk",
    ];
    let measured = column
        .described
        .scale
        .is_some_and(|scale| scale.unit != Unit::Bytes);
    let side = SIDES.contains(&column.heading.to_ascii_lowercase().as_str())
        && index > 0
        && column.words == 0
        && !metrics;
    // The number of runs that a mean is of.
    let counts = index > 0 && matches!(column.heading.to_ascii_lowercase().as_str(), "runs" | "n");
    words::is_dimension(column.heading) && !measured && !side && !counts
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
            || values.peek().is_some() && words::name_sides(values);
        sides.then(|| name.clone())
    })
}

/// The dimension that is compared: columns of sides, else a column of labels that names sides.
fn side(grid: &Grid, columns: &[Column]) -> Option<String> {
    let spread: Vec<&NamedValue> = columns
        .iter()
        .filter_map(|column| match &column.role {
            Role::Spread(values) => values
                .iter()
                .find(|value| value.name != "op" && value.name != REPEAT),
            _ => None,
        })
        .collect();
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
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
    // Numbers of threads over columns: the rows are compared.
    let rows = labels.first().filter(|_| distinct);
    let things = || labels.iter().find(|(_, name)| words::is_thing(name));
    rows.or_else(things).map(|(_, name)| (*name).to_owned())
}

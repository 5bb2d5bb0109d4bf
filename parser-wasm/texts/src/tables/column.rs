//! The columns of a grid, and what their headings and cells alone say of them.

use super::cell;
use super::grid::{Cell, Grid};
use super::roles::Role;
use super::spread::split_metric;
use super::words::{self, Described, Kind, describe};
use crate::observation::Unit;
use crate::quantity::{Scale, scale_of};
use seekscope_notes::labels;
use seekscope_trace::sorting::set_of;
use std::collections::BTreeSet;

pub struct Column<'a> {
    /// The lowest line of its headings.
    pub heading: &'a str,
    pub described: Described<'a>,
    pub role: Role,
    /// Rows with a figure, and with words.
    pub figures: usize,
    pub words: usize,
}

pub fn columns<'a>(grid: &Grid<'a>) -> Vec<Column<'a>> {
    let width = grid.rows.first().map_or(0, Vec::len);
    (0..width)
        .map(|index| {
            let headings = grid.heads.iter().rev();
            let mut headings = headings.filter_map(|head| head.get(index).copied().flatten());
            let lowest = headings.next().map_or("", |cell| cell.text);
            let (heading, described) = with_unit_below(headings.next(), lowest);
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
                .filter(|cell| index == 0 || !cell::is_several(cell.text))
                .filter(|cell| index == 0 || figures == 0 || !cell::is_inexact(cell.text))
                .count();
            Column {
                heading,
                described,
                role: Role::Ignored,
                figures,
                words,
            }
        })
        .collect()
}

/// The heading of a column whose unit is in a line of its own below the metric, else the lowest one:
/// `lat` above `(ms)`.
fn with_unit_below<'a>(upper: Option<Cell<'a>>, lowest: &'a str) -> (&'a str, Described<'a>) {
    let described = describe(lowest);
    let metric = upper.map(|cell| (cell.text, describe(cell.text)));
    match metric.filter(|(_, metric)| metric.is_metric() && metric.scale.is_none()) {
        Some((heading, metric)) if described.scale.is_some() && described.name.is_empty() => {
            let scale = described.scale;
            (heading, Described { scale, ..metric })
        }
        _ => (lowest, described),
    }
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

/// Whether a column numbers the rows in their order: `Rank`, `No.`, or without a heading in front
/// of columns of labels, as data frames are printed.
pub fn is_rank(grid: &Grid, index: usize) -> bool {
    const HEADINGS: [&str; 7] = ["rank", "no", "no.", "pos", "pos.", "place", "ranking"];
    let text = |row: &Vec<Option<Cell>>| match row.get(index) {
        Some(Some(cell)) => cell.text.to_ascii_lowercase(),
        _ => String::new(),
    };
    let heading = grid.heads.last().map_or(String::new(), text);
    let counts_from = |first: usize| {
        let mut rows = grid.rows.iter().zip(first..);
        rows.all(|(row, number)| text(row).trim_end_matches(['.', ')']) == number.to_string())
    };
    let labels = || {
        let names = grid.heads.last().into_iter().flatten().flatten();
        let mut names = names.map(|cell| cell.text);
        names.any(|name| words::is_dimension(name) || words::is_side_heading(name))
    };
    let is_index = index == 0 && heading.is_empty() && grid.rows.len() > 1 && labels();
    HEADINGS.contains(&heading.as_str()) && counts_from(1)
        || is_index && (counts_from(0) || counts_from(1))
}

/// Whether a column says of how many runs the figures beside it are. A number that differs may be a
/// parameter.
pub fn counts_runs(grid: &Grid, column: &Column, index: usize) -> bool {
    const RUNS: [&str; 6] = [
        "runs",
        "repeats",
        "repetitions",
        "trials",
        "samples",
        "reps",
    ];
    const COUNTS: [&str; 4] = ["n", "iterations", "iters", "count"];
    let heading = column.heading.to_ascii_lowercase();
    let rows = grid.rows.iter();
    let mut cells = rows.filter_map(|row| row.get(index).copied().flatten());
    let first = cells.next().map(|cell| cell.text);
    let is_same = cells.all(|cell| Some(cell.text) == first);
    RUNS.contains(&heading.as_str()) || is_same && COUNTS.contains(&heading.as_str())
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

/// Whether a column is that of the units of all rows: `Unit`.
pub fn has_units(grid: &Grid, column: &Column, index: usize) -> bool {
    let heading = column.heading.to_ascii_lowercase();
    let rows = grid.rows.iter();
    let mut cells = rows
        .filter_map(|row| row.get(index).copied().flatten())
        .peekable();
    let is_heading = matches!(heading.as_str(), "unit" | "units");
    is_heading && cells.peek().is_some() && cells.any(|cell| scale_of(cell.text).is_some())
}

/// The names that several columns have beside a unit alone, and others beside a metric:
/// `none MB/s | bfq MB/s | none latency | bfq latency`.
pub fn sides_of_metrics(columns: &[Column]) -> BTreeSet<String> {
    let name = |column: &Column| column.described.name.to_ascii_lowercase();
    let metrics: Vec<String> = columns
        .iter()
        .filter(|column| column.described.is_metric())
        .map(name)
        .collect();
    let has_metric = |side: &String| {
        let mut others = metrics.iter().filter(|metric| *metric != side);
        !side.is_empty() && others.any(|metric| metric.starts_with(side) || metric.ends_with(side))
    };
    let found: BTreeSet<String> = set_of(
        columns
            .iter()
            .filter(|column| !column.described.is_metric() && column.described.scale.is_some())
            .map(name)
            .filter(has_metric),
    );
    if found.len() > 1 {
        found
    } else {
        BTreeSet::new()
    }
}

/// Whether a column beside metrics is another one, with a name and a unit, and no side that others
/// have metrics of: `load [s] | tps | query 1 [s]`.
pub fn is_named_metric(column: &Column, sides: &BTreeSet<String>) -> bool {
    let name = column.described.name.to_ascii_lowercase();
    let scale = column.described.scale;
    let measures = scale.is_some_and(|scale| scale.unit != Unit::Share);
    let is_side =
        || words::name_sides(std::iter::once(column.described.name)) || sides.contains(&name);
    measures && !name.is_empty() && !words::is_operation(&name) && !is_side()
}

/// Whether a heading is that of results. Words below it, `1500+`, are no labels of the rows.
pub fn names_result(column: &Column) -> bool {
    let rate = |scale: Scale| scale.unit.is_rate();
    let is_kind = |kind| matches!(kind, Kind::Throughput | Kind::Iops | Kind::Latency);
    column.described.kind.is_some_and(is_kind) || column.described.scale.is_some_and(rate)
}

/// Whether a column has the shares of a rate that its heading names: `of 500 MiB/s`.
pub fn is_relation(grid: &Grid, column: &Column, index: usize) -> bool {
    let is_rate = |scale: Scale| scale.unit.is_rate();
    let rows = grid.rows.iter();
    let mut figures = rows
        .filter_map(|row| cell::figure(row.get(index).copied().flatten()?.text))
        .peekable();
    let is_share = |scale: Scale| scale.unit == Unit::Share;
    column.described.scale.is_some_and(is_rate)
        && figures.peek().is_some()
        && figures.all(|figure| figure.quantity.scale.is_some_and(is_share))
}

/// The columns that say something of others between sides: `5.10/5.4`, the number of runs,
/// `winner`.
pub fn remarks_on_sides(columns: &[Column]) -> Vec<bool> {
    const REMARKS: [&str; 4] = ["n", "runs", "samples", "winner"];
    let is_other = |text: &str| columns.iter().any(|column| column.heading == text.trim());
    let is_ratio = |heading: &str| {
        let parts = heading.split_once('/');
        parts.is_some_and(|(first, second)| is_other(first) && is_other(second))
    };
    let is_remark = |heading: &str| {
        REMARKS
            .iter()
            .any(|word| heading.eq_ignore_ascii_case(word))
    };
    let headings = columns.iter().map(|column| column.heading);
    headings
        .map(|heading| is_remark(heading) || is_ratio(heading))
        .collect()
}

/// Whether the figures of a column have units of rates or times in their cells: it holds results,
/// whatever its heading is.
pub fn is_measured(grid: &Grid, index: usize) -> bool {
    let rows = grid.rows.iter();
    let mut figures = rows
        .filter_map(|row| cell::figure(row.get(index).copied().flatten()?.text))
        .peekable();
    let is_result = |scale: Scale| !matches!(scale.unit, Unit::Bytes | Unit::Share);
    figures.peek().is_some() && figures.all(|figure| figure.quantity.scale.is_some_and(is_result))
}

/// Whether the heading is a unit of sizes alone: beside rates, `KB` is the size of the blocks.
pub fn is_size(column: &Column) -> bool {
    let scale = column.described.scale;
    scale.is_some_and(|scale| scale.unit == Unit::Bytes) && column.described.name.trim().is_empty()
}

/// Whether the first column has the parameter of its rows, although it has a unit: its numbers
/// rise, and all others are of sides. `time | base (MB/s) | patched (MB/s)` above
/// `10 s | 512 | 520`.
pub fn is_parameter_of_sides(grid: &Grid, columns: &[Column]) -> bool {
    let Some((first, others)) = columns.split_first() else {
        return false;
    };
    let cells = grid.rows.iter().map(|row| {
        let quantity = cell::figure(row.first().copied().flatten()?.text)?.quantity;
        Some(quantity.value * quantity.scale.map_or(1.0, |scale| scale.factor))
    });
    let Some(values) = cells.collect::<Option<Vec<f64>>>() else {
        return false;
    };
    let is_time = first
        .described
        .scale
        .is_some_and(|scale| scale.unit == Unit::Nanoseconds)
        || is_measured(grid, 0);
    let mut sides = others
        .iter()
        .filter(|column| column.figures > 0 && column.described.kind != Some(Kind::Change))
        .map(|column| {
            let name = column.described.name;
            split_metric(name).map_or(name, |(side, _)| side)
        })
        .peekable();
    is_time
        && values.len() > 1
        && values.windows(2).all(|pair| pair[0] < pair[1])
        && others.iter().filter(|column| column.figures > 0).count() > 1
        && sides.all(|side| !side.is_empty() && words::name_sides(std::iter::once(side)))
}

/// Whether a column beside metrics is another one without a unit, such as errors, and no side. The
/// only heading that is an operation has no counterpart: `fsync` beside `MB/s | IOPS` is a count.
pub fn is_count(grid: &Grid, column: &Column, operations: usize) -> bool {
    let heading = column.heading;
    grid.heads.len() == 1
        && column.described.scale.is_none()
        && column.described.kind.is_none()
        && heading.contains(|c: char| c.is_alphabetic())
        && (operations == 1 || !words::is_operation(heading))
        && !words::name_sides(std::iter::once(heading))
}

/// Whether the heading makes labels of all cells. With a unit of rates it is a metric, and words
/// such as `test` are sides where figures are below them.
pub fn is_dimension(column: &Column, index: usize, metrics: bool) -> bool {
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

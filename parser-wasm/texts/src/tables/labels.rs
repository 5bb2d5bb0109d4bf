//! The labels of the rows of a table: what distinguishes them, and the metrics that they name.

use super::cell;
use super::column::{Column, is_repeat_column, is_summary};
use super::grid::{Cell, Grid};
use super::roles::Role;
use super::words::{self, Described, Kind, describe};
use crate::observation::{Good, NamedValue, Unit};

/// The columns of labels with a meaning of their own.
pub struct LabelKinds {
    repeats: Option<usize>,
    metrics: Option<usize>,
    /// The metrics are statistics of one.
    are_statistics: bool,
}

impl LabelKinds {
    pub fn new(grid: &Grid, columns: &[Column]) -> LabelKinds {
        let first = columns
            .iter()
            .position(|column| matches!(column.role, Role::Label(_)));
        let statistics = statistic_rows(grid, columns);
        LabelKinds {
            repeats: first.filter(|&index| is_repeat_column(grid, index)),
            metrics: is_transposed(grid, columns).or(statistics),
            are_statistics: statistics.is_some(),
        }
    }
}

/// The labels of a row.
pub struct Labels<'a> {
    pub dimensions: Vec<NamedValue>,
    pub repeat: Option<String>,
    pub metric: Option<Described<'a>>,
    pub better: Option<Good>,
    /// The row sums up repeats.
    is_summary: bool,
}

impl<'a> Labels<'a> {
    /// `previous`: the labels of the row above.
    pub fn new(
        columns: &[Column],
        row: &[Option<Cell<'a>>],
        kinds: &LabelKinds,
        previous: &mut [&'a str],
        better: Option<Good>,
    ) -> Labels<'a> {
        let mut labels = Labels {
            dimensions: Vec::new(),
            repeat: None,
            metric: None,
            better,
            is_summary: false,
        };
        for (index, column) in columns.iter().enumerate() {
            let Role::Label(name) = &column.role else {
                continue;
            };
            let cell = row.get(index).copied().flatten();
            // A label that is named once holds for the rows below it.
            let text = cell.map_or(previous[index], |cell| cell.text);
            previous[index] = text;
            if kinds.repeats == Some(index) {
                labels.is_summary = is_summary(text);
                labels.repeat = Some(text.to_owned());
                continue;
            }
            if kinds.metrics == Some(index) {
                let mut described = describe(text);
                let is_statistic = kinds.are_statistics || words::is_statistic(described.name);
                if is_statistic && described.kind.is_none() {
                    described.kind = Some(Kind::Statistic);
                }
                if !described.is_metric() && !described.name.is_empty() {
                    labels
                        .dimensions
                        .push(NamedValue::new(name, described.name));
                }
                labels.metric = Some(described);
                labels.better = words::better_of(text).or(labels.better);
                continue;
            }
            if !text.is_empty() {
                labels
                    .dimensions
                    .push(NamedValue::new(name, &without_marks(text)));
            }
        }
        labels
    }

    /// Whether the figures of the row only tell something of those of others.
    pub fn are_skipped(&self) -> bool {
        let kind = self.metric.and_then(|metric| metric.kind);
        self.is_summary || matches!(kind, Some(Kind::Spread | Kind::Change))
    }
}

/// The column of labels whose rows name metrics: `IOPS`, `avg lat (us)`, `seq read MB/s`.
pub fn is_transposed(grid: &Grid, columns: &[Column]) -> Option<usize> {
    if columns.iter().any(|column| column.role == Role::Metric) {
        return None;
    }
    let mut labels =
        (0..columns.len()).filter(|&index| matches!(columns[index].role, Role::Label(_)));
    labels.find(|&index| names_metrics(grid, index))
}

/// Whether most rows of a column name metrics. Operations whose figures have their own units name
/// none, and do not count.
fn names_metrics(grid: &Grid, index: usize) -> bool {
    let cells: Vec<Described> = grid
        .rows
        .iter()
        .filter_map(|row| row.get(index).copied().flatten())
        // `import time:   142` is no name.
        .filter(|cell| !cell.text.contains(": "))
        .filter(|cell| !words::is_plain_operation(cell.text) && !cell::ends_with_figure(cell.text))
        .map(|cell| describe(cell.text))
        .collect();
    let named = cells
        .iter()
        .filter(|label| {
            label.is_metric() || label.scale.is_some_and(|scale| scale.unit != Unit::Bytes)
        })
        .count();
    named * 2 > cells.len()
}

/// The column of labels whose rows are statistics of one metric, a mean and a spread among them:
/// `avg: 12.06 12.14` above `std: 0.57 0.94`.
pub fn statistic_rows(grid: &Grid, columns: &[Column]) -> Option<usize> {
    if columns.iter().any(|column| column.role == Role::Metric) {
        return None;
    }
    let index = columns
        .iter()
        .position(|column| matches!(column.role, Role::Label(_)))?;
    let rows = grid.rows.iter();
    let labels: Vec<&str> = rows
        .map(|row| {
            row.get(index)
                .copied()
                .flatten()
                .map_or("", |cell| cell.text)
        })
        .collect();
    let is_spread = |label: &&str| describe(label).kind == Some(Kind::Spread);
    let is_mean = |label: &&str| is_summary(label) && !is_spread(label);
    let all = labels
        .iter()
        .all(|label| is_mean(label) || is_spread(label));
    (all && labels.iter().any(is_mean) && labels.iter().any(is_spread)).then_some(index)
}

/// A label without the marks of Markdown within it: `**Random read** (4k)`.
fn without_marks(text: &str) -> String {
    text.replace("**", "").replace('`', "").replace("<br>", " ")
}

//! The figures of a table, with what distinguishes them.

mod decimals;

use super::cell::{self, CellFigure};
use super::column::Column;
use super::compared::{is_change_row, is_relation_row, sides_of_operations};
use super::grid::{Cell, Grid};
use super::labels::{LabelKinds, Labels};
use super::roles::Role;
use super::spread::{REPEAT, STATISTIC};
use super::words::{self, Described, Kind};
use crate::observation::{Good, Metric, NamedValue, Observation, Unit, slug};
use crate::quantity::{Scale, scale_of};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

pub fn observations(
    grid: &Grid,
    columns: &[Column],
    shared: Option<Described>,
    better: Option<Good>,
) -> Vec<Observation> {
    let mut found: Vec<Observation> = Vec::new();
    let mut previous: Vec<&str> = vec![""; columns.len()];
    let kinds = LabelKinds::new(grid, columns);
    let mut labelled: HashMap<(String, Vec<NamedValue>), usize> = HashMap::new();
    // The figures of each row, and its number among the rows with the same labels.
    let mut numbered: Vec<(Range<usize>, usize)> = Vec::new();
    let same = SameColumns::new(grid, columns, shared);
    let has_commas = decimals::are_commas(texts_of_figures(grid, columns));
    let sides = sides_of_operations(grid, columns);
    for (index, row) in grid.rows.iter().enumerate() {
        let unit = unit_of_row(columns, row)
            .or_else(|| unit_of_statistics(columns, row))
            .or_else(|| unit_of_last(columns, row));
        let mut labels = Labels::new(columns, row, &kinds, &mut previous, better);
        if let Some((side, operation)) = sides.as_ref().and_then(|sides| sides.get(index)) {
            labels.dimensions = vec![
                NamedValue::new("run", side),
                NamedValue::new("op", operation),
            ];
        }
        if labels.are_skipped() || is_change_row(columns, row) || is_relation_row(columns, row) {
            continue;
        }
        let (mut same_row, mut number_in_labels) = (0, 1);
        if labels.repeat.is_none() {
            let metric = labels
                .metric
                .filter(|label| label.is_metric())
                .map_or(String::new(), |label| slug(label.name));
            let count = labelled
                .entry((metric, labels.dimensions.clone()))
                .or_default();
            *count += 1;
            if labels.metric.is_some() {
                same_row = *count - 1;
            } else {
                number_in_labels = *count;
            }
        }
        let first = found.len();
        for (index, column) in columns.iter().enumerate() {
            let values: &[NamedValue] = match &column.role {
                Role::Metric => &[],
                Role::Spread(values) => values,
                _ => continue,
            };
            let Some(cell) = row.get(index).copied().flatten() else {
                continue;
            };
            let Some(mut figure) = cell::figure(cell.text) else {
                continue;
            };
            if has_commas {
                figure.quantity.value *= decimals::factor(figure.shown);
            }
            let number = match same.number(row, index) {
                Some(number) => number + same_row,
                None => continue,
            };
            let mut named = values.to_vec();
            let column_repeat = take_value(&mut named, REPEAT);
            let statistic = take_value(&mut named, STATISTIC);
            named.extend(labels.dimensions.iter().cloned());
            let written = figure.quantity.scale.or(unit);
            let measured = Measured::new(written, column, labels.metric, shared, labels.better);
            let aside = beside(cell.text, column, written);
            if let Some((inner, scale)) = aside {
                found.push(Observation {
                    value: inner.quantity.value * scale.factor,
                    metric: words::metric("", None, scale, labels.better),
                    place: cell.place_of(inner.shown),
                    dimensions: named.clone(),
                    repeat: column_repeat.clone().or_else(|| labels.repeat.clone()),
                });
            }
            let value = figure.quantity.value * measured.factor;
            let metric = measured.numbered(number, column.heading);
            found.push(Observation {
                value,
                metric: match statistic {
                    Some(statistic) => with_statistic(metric, &statistic),
                    None => metric,
                },
                place: cell.place_of(figure.shown),
                dimensions: named,
                repeat: column_repeat.or_else(|| labels.repeat.clone()),
            });
        }
        numbered.push((first..found.len(), number_in_labels));
    }
    number_rows(&mut found, &numbered);
    found
}

/// The cells of the columns of figures.
fn texts_of_figures<'a>(
    grid: &'a Grid,
    columns: &'a [Column],
) -> impl Iterator<Item = &'a str> + Clone {
    let is_figure = |column: &Column| matches!(column.role, Role::Metric | Role::Spread(_));
    let cells = grid.rows.iter().flat_map(|row| columns.iter().zip(row));
    cells.filter_map(move |(column, cell)| Some(cell.filter(|_| is_figure(column))?.text))
}

/// Tells rows with the same labels apart: the table does not say that they are repeats. All rows
/// get their number, or one table would become two.
fn number_rows(found: &mut [Observation], numbered: &[(Range<usize>, usize)]) {
    if numbered.iter().all(|(_, number)| *number == 1) {
        return;
    }
    for (figures, number) in numbered {
        for observation in &mut found[figures.clone()] {
            let row = NamedValue::new("row", &number.to_string());
            observation.dimensions.push(row);
        }
    }
}

/// The unit of the only figure of a row that has one, if all of them are statistics of the same:
/// `10.8 GiB/s | 10.2 | 11.1`.
fn unit_of_statistics(columns: &[Column], row: &[Option<Cell>]) -> Option<Scale> {
    let is_statistic = |column: &Column| match &column.role {
        Role::Spread(values) => values.iter().any(|value| value.name == STATISTIC),
        _ => false,
    };
    let mut units = columns
        .iter()
        .zip(row)
        .filter(|(column, _)| is_statistic(column))
        .filter_map(|(_, cell)| cell::figure((*cell)?.text)?.quantity.scale);
    units.next().filter(|_| units.next().is_none())
}

/// The unit behind the last figure of a row of sides or operations, if none of the others has one:
/// `read 512 530 MB/s`.
fn unit_of_last(columns: &[Column], row: &[Option<Cell>]) -> Option<Scale> {
    let is_spread = |column: &Column| matches!(column.role, Role::Spread(_));
    let figures = columns
        .iter()
        .zip(row)
        .filter(|(column, _)| is_spread(column));
    let units: Vec<Option<Scale>> = figures
        .filter_map(|(column, cell)| {
            let written = cell::figure((*cell)?.text)?.quantity.scale;
            Some(written.or(column.described.implied()))
        })
        .collect();
    let (last, others) = units.split_last()?;
    last.filter(|_| !others.is_empty() && others.iter().all(Option::is_none))
}

/// The figure in brackets behind that of a cell, if the heading has its unit in brackets and the
/// cell another one: `59.8 MB/s (14.9k)` below `4k (IOPS)`.
fn beside<'a>(
    text: &'a str,
    column: &Column,
    written: Option<Scale>,
) -> Option<(CellFigure<'a>, Scale)> {
    let scale = column.described.scale?;
    let is_other = written?.unit != scale.unit && column.heading.ends_with(')');
    let inner = cell::bracketed(text).filter(|inner| inner.quantity.scale.is_none())?;
    is_other.then_some((inner, scale))
}

/// The unit in the column of units of a row.
fn unit_of_row(columns: &[Column], row: &[Option<Cell>]) -> Option<Scale> {
    let index = columns
        .iter()
        .position(|column| column.role == Role::Unit)?;
    scale_of(row[index]?.text)
}

fn take_value(named: &mut Vec<NamedValue>, name: &str) -> Option<String> {
    let index = named.iter().position(|value| value.name == name)?;
    Some(named.remove(index).value)
}

/// The statistic of a metric: `Read IOPS max`.
fn with_statistic(metric: Metric, statistic: &str) -> Metric {
    Metric {
        key: format!("{}-{}", metric.key, slug(statistic)),
        label: format!("{} {statistic}", metric.label),
        ..metric
    }
}

/// The metric of a cell and the factor to its unit.
struct Measured {
    metric: Metric,
    factor: f64,
}

impl Measured {
    fn new(
        written: Option<Scale>,
        column: &Column,
        row_label: Option<Described>,
        shared: Option<Described>,
        better: Option<Good>,
    ) -> Measured {
        let scale = written
            .or(row_label.and_then(|label| label.implied()))
            .or(column.described.implied());
        let inherited = shared.filter(|_| scale.is_none());
        let scale = scale.or(inherited.and_then(|shared| shared.scale));
        let kind = row_label
            .and_then(|label| label.kind)
            .or(column.described.kind)
            .or(inherited.and_then(|shared| shared.kind));
        let mut scale = scale.unwrap_or(Scale::new(Unit::None, 1.0));
        // `25.4MB` below `BW` means per second.
        if scale.unit == Unit::Bytes && kind == Some(Kind::Throughput) {
            scale.unit = Unit::BytesPerSecond;
        }
        let name = match row_label {
            Some(label) if label.is_metric() => label.name,
            _ if column.described.is_metric() || column.role == Role::Metric => {
                column.described.name
            }
            _ => inherited.map_or("", |shared| shared.name),
        };
        Measured {
            metric: words::metric(name, kind, scale, better),
            factor: scale.factor,
        }
    }

    /// The same of another column or row with this metric: neither may be lost.
    fn numbered(self, same: usize, heading: &str) -> Metric {
        if same == 0 {
            return self.metric;
        }
        // `Throughput (MB/s)` beside `Throughput` says itself which one it is.
        let is_told = heading.ends_with(')') && heading.starts_with(&self.metric.label);
        let label = match is_told {
            true => heading.to_owned(),
            false => format!("{} {}", self.metric.label, same + 1),
        };
        Metric {
            key: format!("{}-{}", self.metric.key, same + 1),
            label,
            ..self.metric
        }
    }
}

/// Columns of figures that have the same metric of the same thing.
struct SameColumns {
    /// For each column, the first one of the same, and how many of them are before it.
    columns: Vec<(usize, usize)>,
    /// No row has figures but 0 in two columns of the same: `bw | iops | bw | iops` of which the
    /// first pair is of reads and the second of writes. Then they are one metric.
    is_alternative: bool,
}

impl SameColumns {
    fn new(grid: &Grid, columns: &[Column], shared: Option<Described>) -> SameColumns {
        let mut seen: BTreeMap<(String, &[NamedValue]), (usize, usize)> = BTreeMap::new();
        let same = columns.iter().enumerate().map(|(index, column)| {
            let values: &[NamedValue] = match &column.role {
                Role::Metric => &[],
                Role::Spread(values) => values,
                _ => return (index, 0),
            };
            let key = Measured::new(None, column, None, shared, None).metric.key;
            let (first, count) = seen.entry((key, values)).or_insert((index, 0));
            *count += 1;
            (*first, *count - 1)
        });
        let mut found = SameColumns {
            columns: same.collect(),
            is_alternative: false,
        };
        let is_twofold = found.columns.iter().any(|(_, number)| *number > 0);
        found.is_alternative = is_twofold
            && grid.rows.iter().all(|row| {
                let mut filled = BTreeSet::new();
                let mut used = (0..columns.len()).filter(|&index| found.is_filled(row, index));
                used.all(|index| filled.insert(found.columns[index].0))
            });
        found
    }

    fn is_filled(&self, row: &[Option<Cell>], index: usize) -> bool {
        let figure = row[index].and_then(|cell| cell::figure(cell.text));
        figure.is_some_and(|figure| figure.quantity.value != 0.0)
    }

    /// The number of columns before this one that have the same metric; `None` for a 0 that
    /// another one replaces.
    fn number(&self, row: &[Option<Cell>], index: usize) -> Option<usize> {
        let (first, number) = self.columns[index];
        if !self.is_alternative {
            return Some(number);
        }
        let mut others = (0..row.len()).filter(|&other| self.columns[other].0 == first);
        let is_used = match others.clone().any(|other| self.is_filled(row, other)) {
            true => self.is_filled(row, index),
            false => others.next() == Some(index),
        };
        is_used.then_some(0)
    }
}

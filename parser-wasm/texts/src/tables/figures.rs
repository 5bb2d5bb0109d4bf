//! The figures of a table, with what distinguishes them.

use super::cell;
use super::grid::Grid;
use super::roles::{Column, Role, is_repeat_column, is_summary};
use super::spread::REPEAT;
use super::words::{self, Described, Kind, describe};
use crate::observation::{Good, Metric, NamedValue, Observation, Unit, slug};
use crate::quantity::Scale;
use std::collections::{BTreeMap, HashMap};

pub fn observations(
    grid: &Grid,
    columns: &[Column],
    shared: Option<Described>,
    better: Option<Good>,
) -> Vec<Observation> {
    let mut found: Vec<Observation> = Vec::new();
    let mut previous: Vec<&str> = vec![""; columns.len()];
    let repeats = columns
        .iter()
        .position(|column| matches!(column.role, Role::Label(_)))
        .filter(|&index| is_repeat_column(grid, index));
    let statistics = statistic_rows(grid, columns);
    let metric_rows = is_transposed(grid, columns).or(statistics);
    let mut labelled: HashMap<(String, Vec<NamedValue>), usize> = HashMap::new();
    let same = same_columns(columns, shared);
    for row in &grid.rows {
        let mut dimensions: Vec<NamedValue> = Vec::new();
        let mut repeat = None;
        let mut row_label: Option<Described> = None;
        let mut better = better;
        let mut summary = false;
        for (index, column) in columns.iter().enumerate() {
            let Role::Label(name) = &column.role else {
                continue;
            };
            let cell = row.get(index).copied().flatten();
            // A label that is named once holds for the rows below it.
            let text = cell.map_or(previous[index], |cell| cell.text);
            previous[index] = text;
            if repeats == Some(index) {
                summary = is_summary(text);
                repeat = Some(text.to_owned());
                continue;
            }
            if metric_rows == Some(index) {
                let mut described = describe(text);
                if statistics.is_some() && described.kind.is_none() {
                    described.kind = Some(Kind::Statistic);
                }
                if !described.is_metric() && !described.name.is_empty() {
                    dimensions.push(NamedValue::new(name, described.name));
                }
                row_label = Some(described);
                better = words::better_of(text).or(better);
                continue;
            }
            if !text.is_empty() {
                dimensions.push(NamedValue::new(name, text));
            }
        }
        let skipped =
            row_label.is_some_and(|label| matches!(label.kind, Some(Kind::Spread | Kind::Change)));
        if summary || skipped {
            continue;
        }
        let mut same_row = 0;
        if repeat.is_none() {
            let metric = row_label
                .filter(|label| label.is_metric())
                .map_or(String::new(), |label| slug(label.name));
            let count = labelled.entry((metric, dimensions.clone())).or_default();
            *count += 1;
            // Rows with the same labels are rows of their own: the table does not say that they
            // are repeats.
            if row_label.is_some() {
                same_row = *count - 1;
            } else if *count > 1 {
                dimensions.push(NamedValue::new("row", &count.to_string()));
            }
        }
        for (index, column) in columns.iter().enumerate() {
            let values: &[NamedValue] = match &column.role {
                Role::Metric => &[],
                Role::Spread(values) => values,
                _ => continue,
            };
            let Some(cell) = row.get(index).copied().flatten() else {
                continue;
            };
            let Some(figure) = cell::figure(cell.text) else {
                continue;
            };
            let mut named = values.to_vec();
            let is_repeat = |value: &NamedValue| value.name == REPEAT;
            let column_repeat = named
                .iter()
                .position(is_repeat)
                .map(|i| named.remove(i).value);
            named.extend(dimensions.iter().cloned());
            let written = figure.quantity.scale;
            let measured = Measured::new(written, column, row_label, shared, better);
            found.push(Observation {
                value: figure.quantity.value * measured.factor,
                metric: measured.numbered(same[index] + same_row),
                place: cell.place_of(figure.shown),
                dimensions: named,
                repeat: column_repeat.or_else(|| repeat.clone()),
            });
        }
    }
    found
}

/// The column of labels whose rows name metrics: `IOPS`, `avg lat (us)`, `seq read MB/s`.
pub fn is_transposed(grid: &Grid, columns: &[Column]) -> Option<usize> {
    if columns.iter().any(|column| column.role == Role::Metric) {
        return None;
    }
    let index = columns
        .iter()
        .position(|column| matches!(column.role, Role::Label(_)))?;
    let cells: Vec<Described> = grid
        .rows
        .iter()
        .filter_map(|row| row.get(index).copied().flatten())
        // `import time:   142` is no name.
        .filter(|cell| !cell.text.contains(": "))
        .map(|cell| describe(cell.text))
        .collect();
    let named = cells
        .iter()
        .filter(|label| {
            label.is_metric() || label.scale.is_some_and(|scale| scale.unit != Unit::Bytes)
        })
        .count();
    (named * 2 > cells.len()).then_some(index)
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
            .or(column.described.kind);
        let mut scale = scale.unwrap_or(Scale {
            unit: Unit::None,
            factor: 1.0,
        });
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
            metric: words::metric(name, kind, scale.unit, better),
            factor: scale.factor,
        }
    }

    /// The same of another column or row with this metric: neither may be lost.
    fn numbered(self, same: usize) -> Metric {
        if same == 0 {
            return self.metric;
        }
        Metric {
            key: format!("{}-{}", self.metric.key, same + 1),
            label: format!("{} {}", self.metric.label, same + 1),
            ..self.metric
        }
    }
}

/// For each column of figures, the number of columns before it that have the same metric of the
/// same thing.
fn same_columns(columns: &[Column], shared: Option<Described>) -> Vec<usize> {
    let mut seen: BTreeMap<(String, &[NamedValue]), usize> = BTreeMap::new();
    columns
        .iter()
        .map(|column| {
            let values: &[NamedValue] = match &column.role {
                Role::Metric => &[],
                Role::Spread(values) => values,
                _ => return 0,
            };
            let key = Measured::new(None, column, None, shared, None).metric.key;
            let count = seen.entry((key, values)).or_default();
            *count += 1;
            *count - 1
        })
        .collect()
}

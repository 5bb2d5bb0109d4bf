//! The roles of the columns of a grid, and the figures that follow from them.

use super::Table;
use super::cell::{self, CellFigure};
use super::grid::{Cell, Grid};
use super::words::{self, Described, Kind, describe};
use crate::observation::{Good, NamedValue, Observation, Unit};
use crate::quantity::Scale;
use seekscope_core::notes::labels;

/// Words of a title above a table; longer lines are prose unless they end with a colon.
const MAX_TITLE_WORDS: usize = 9;

/// What a column is.
#[derive(Clone, Debug, PartialEq)]
enum Role {
    /// Values of a dimension with this name.
    Label(String),
    /// Figures of a metric.
    Metric,
    /// Figures of a value of a dimension, which the heading names: `5.15`, `before`.
    Spread(Vec<NamedValue>),
    Ignored,
}

struct Column<'a> {
    /// Of the lowest line of headings.
    heading: &'a str,
    described: Described<'a>,
    role: Role,
    /// Rows with a figure, and with words.
    figures: usize,
    words: usize,
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

/// The unit of all figures, where none of the columns has one: in the corner of the table, in a
/// remark, or in the lines above it.
fn shared_unit(grid: &Grid, columns: &[Column], caption: &[String]) -> Option<Scale> {
    let corner = columns
        .first()
        .filter(|column| column.words > 0 || column.described.kind.is_some())
        .and_then(|column| {
            column
                .described
                .implied()
                .filter(|_| column.words > 0 || is_repeat_column(grid, 0))
        });
    let upper = grid
        .heads
        .first()
        .filter(|_| grid.heads.len() > 1)
        .and_then(|head| {
            head.iter()
                .flatten()
                .find_map(|cell| describe(cell.text).scale)
        });
    let remark = grid.remark.and_then(|remark| describe(remark).implied());
    corner
        .or(remark)
        .or(upper)
        .or_else(|| caption.iter().find_map(|line| unit_in(line)))
}

/// The unit that a line above a table names: `Throughput in MB/s, higher is better:`, `IOPS:`,
/// `Random I/O, MiB/s:`, `Throughput [MB/s]`.
fn unit_in(line: &str) -> Option<Scale> {
    let title = line.trim().ends_with(':') || line.split_whitespace().count() <= MAX_TITLE_WORDS;
    if line.len() > 120 || !title || line.trim().ends_with(['.', '?', '!']) {
        return None;
    }
    let line = line.trim().trim_end_matches(':');
    let rates = |scale: &Scale| scale.unit != Unit::Bytes && scale.unit != Unit::Share;
    if let Some(scale) = describe(line).implied().filter(rates) {
        return Some(scale);
    }
    let words = line
        .split(|c: char| c.is_whitespace() || "()[],;".contains(c))
        .filter(|word| !word.is_empty());
    // A lone `s` or `h` in a sentence is no unit.
    let mut found = words.filter(|word| word.len() > 1).filter_map(|word| {
        describe(word)
            .scale
            .filter(rates)
            .or_else(|| crate::quantity::scale_of(word).filter(rates))
    });
    found.next()
}

fn is_repeat_column(grid: &Grid, index: usize) -> bool {
    let mut cells = grid
        .rows
        .iter()
        .filter_map(|row| row.get(index).copied().flatten())
        .peekable();
    cells.peek().is_some()
        && cells.all(|cell| labels::repeat_of(cell.text).is_some() || is_summary(cell.text))
}

/// `average`, `mean`: a row or column that sums others up.
fn is_summary(text: &str) -> bool {
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
fn assign(grid: &Grid, columns: &mut [Column], shared: Option<Scale>) -> Option<()> {
    let first_is_label = columns.first().is_some_and(|column| {
        column.words > 0
            || column.heading.is_empty()
            || words::is_dimension(column.heading)
            || column.described.implied().is_none() && column.described.kind.is_none()
    });
    let several = columns.iter().filter(|column| column.figures > 0).count() > 1;
    let metrics = columns.iter().any(|column| column.described.is_metric());
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
        {
            Role::Ignored
        } else if is_dimension(column, index, metrics)
            || !numeric && column.words > 0
            || index == 0 && first_is_label && several
        {
            Role::Label(String::new())
        } else if column.figures == 0 {
            Role::Ignored
        } else if column.described.is_metric() {
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

/// Whether the heading makes labels of all cells. With a unit of rates it is a metric, and words such
/// as `test` are sides where figures stand below them.
fn is_dimension(column: &Column, index: usize, metrics: bool) -> bool {
    const SIDES: [&str; 8] = [
        "test", "run", "patch", "build", "release", "set", "config", "setup",
    ];
    let measured = column
        .described
        .scale
        .is_some_and(|scale| scale.unit != Unit::Bytes);
    let side = SIDES.contains(&column.heading.to_ascii_lowercase().as_str())
        && index > 0
        && column.words == 0
        && !metrics;
    words::is_dimension(column.heading) && !measured && !side
}

/// Names of the columns of labels: their headings, else what their values are.
fn name_labels(grid: &Grid, columns: &mut [Column]) {
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
            && column.words > 0
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
fn value_kind<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Option<&'static str> {
    values.clone().next()?;
    if values.clone().all(labels::is_kernel_form) {
        return Some("kernel");
    }
    let mut kinds = values.map(|value| value.split_whitespace().find_map(labels::dimension_of));
    let first = kinds.next()??;
    kinds.all(|kind| kind == Some(first)).then_some(first)
}

/// Names what the headings of columns of figures spread: sides, operations, or both.
fn spread(grid: &Grid, columns: &mut [Column], shared: Option<Scale>) {
    let names: Vec<String> = columns
        .iter()
        .enumerate()
        .map(|(index, column)| spread_name(grid, index, column))
        .collect();
    let spreads: Vec<usize> = (0..columns.len())
        .filter(|&index| matches!(columns[index].role, Role::Spread(_)))
        .collect();
    // A metric whose heading names a side beside it: `before IOPS`.
    let upper_sides = grid.heads.len() > 1;
    let members: Vec<usize> = (0..columns.len())
        .filter(|&index| {
            spreads.contains(&index)
                || upper_sides
                    && columns[index].role == Role::Metric
                    && upper_of(grid, index).is_some()
        })
        .collect();
    if members.is_empty() {
        return;
    }
    let mut split: Vec<(String, String)> = members
        .iter()
        .map(|&index| split_operation(&names[index]))
        .collect();
    // Where rows are what is compared, `sync write` is an operation as a whole.
    let named = words::name_sides(
        split
            .iter()
            .map(|(side, _)| side.as_str())
            .filter(|s| !s.is_empty()),
    );
    if !named && naming_label(grid, columns).is_some() {
        let operations = members
            .iter()
            .any(|&index| words::is_operation(&names[index]));
        if operations {
            split = members
                .iter()
                .map(|&index| (String::new(), names[index].clone()))
                .collect();
        }
    }
    let sides: Vec<&str> = split
        .iter()
        .map(|(side, _)| side.as_str())
        .filter(|side| !side.is_empty())
        .collect();
    let numbers = sides
        .iter()
        .all(|side| side.bytes().all(|b| b.is_ascii_digit()));
    let titled = title_over_columns(grid).filter(|_| numbers);
    let kind = value_kind(sides.iter().copied())
        .or(titled)
        .unwrap_or("run");
    let mut seen: Vec<String> = Vec::new();
    let lone =
        members.len() == 1 && shared.is_none() && columns[members[0]].described.scale.is_none();
    for (&index, (side, operation)) in members.iter().zip(&split) {
        let mut values = Vec::new();
        if !side.is_empty() && !lone {
            values.push(NamedValue::new(kind, side));
        }
        if !operation.is_empty() {
            values.push(NamedValue::new("op", operation));
        }
        if columns[index].role == Role::Metric {
            // The heading of the metric stays its name.
            values.retain(|value| value.name != "op");
        }
        // Two columns with one heading: neither may be lost.
        let print = format!("{} {values:?}", columns[index].described.name);
        seen.push(print.clone());
        let count = seen.iter().filter(|other| **other == print).count();
        if let Some(last) = values.last_mut().filter(|_| count > 1) {
            last.value = format!("{} {count}", last.value);
        }
        columns[index].role = Role::Spread(values);
    }
}

/// The only heading above several numbered columns: `number of dds` above `1 | 2 | 4`.
fn title_over_columns<'a>(grid: &Grid<'a>) -> Option<&'a str> {
    let (_, upper) = grid.heads.split_last()?;
    let mut titles = upper.iter().flatten().flatten().map(|cell| cell.text);
    let first = titles.next()?;
    titles.all(|title| title == first).then_some(first)
}

/// The headings of a column without its unit, the upper one first.
fn spread_name(grid: &Grid, index: usize, column: &Column) -> String {
    let own = if column.described.is_metric() {
        ""
    } else {
        column.described.name
    };
    match upper_of(grid, index) {
        Some(upper) => format!("{upper} {own}").trim().to_owned(),
        None => own.to_owned(),
    }
}

fn upper_of<'a>(grid: &Grid<'a>, index: usize) -> Option<&'a str> {
    let (_, upper) = grid.heads.split_last()?;
    // A title over all columns tells none of them apart.
    let row = upper.iter().rev().find(|row| {
        let texts: Vec<&str> = row.iter().flatten().map(|cell| cell.text).collect();
        texts.iter().any(|text| Some(text) != texts.first())
    })?;
    row.get(index)
        .copied()
        .flatten()
        .map(|cell| describe(cell.text).name)
        .filter(|name| !name.is_empty())
}

/// `before read` as side and operation.
fn split_operation(name: &str) -> (String, String) {
    if !words::is_operation(name) {
        return (name.to_owned(), String::new());
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    let first_operation = words
        .iter()
        .position(|word| words::is_operation(word))
        .unwrap_or(0);
    let last_operation = words
        .iter()
        .rposition(|word| words::is_operation(word))
        .unwrap_or(0);
    if first_operation > 0 && last_operation + 1 == words.len() {
        return (
            words[..first_operation].join(" "),
            words[first_operation..].join(" "),
        );
    }
    if first_operation == 0 && last_operation + 1 < words.len() {
        return (
            words[last_operation + 1..].join(" "),
            words[..=last_operation].join(" "),
        );
    }
    (String::new(), name.to_owned())
}

fn observations(
    grid: &Grid,
    columns: &[Column],
    shared: Option<Scale>,
    better: Option<Good>,
) -> Vec<Observation> {
    let mut found: Vec<Observation> = Vec::new();
    let mut previous: Vec<&str> = vec![""; columns.len()];
    let repeats = columns
        .iter()
        .position(|column| matches!(column.role, Role::Label(_)))
        .filter(|&index| is_repeat_column(grid, index));
    let metric_rows = is_transposed(grid, columns);
    let mut labelled: Vec<Vec<NamedValue>> = Vec::new();
    for row in &grid.rows {
        let mut dimensions: Vec<NamedValue> = Vec::new();
        let mut repeat = None;
        let mut row_label: Option<Described> = None;
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
                let described = describe(text);
                if !described.is_metric() && !described.name.is_empty() {
                    dimensions.push(NamedValue::new(name, described.name));
                }
                row_label = Some(described);
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
        if repeat.is_none() && row_label.is_none() {
            // Rows with the same labels are rows of their own: the table does not say that they
            // are repeats.
            let count = labelled
                .iter()
                .filter(|other| **other == dimensions)
                .count();
            labelled.push(dimensions.clone());
            if count > 0 {
                dimensions.push(NamedValue::new("row", &(count + 1).to_string()));
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
            named.extend(dimensions.iter().cloned());
            let same = columns[..index]
                .iter()
                .filter(|other| {
                    matches!(other.role, Role::Metric) && other.heading == column.heading
                })
                .count();
            found.push(observation(
                cell,
                figure,
                column,
                row_label,
                shared,
                better,
                same,
                named,
                repeat.clone(),
            ));
        }
    }
    found
}

/// The column of labels whose rows name metrics: `IOPS`, `avg lat (us)`, `seq read MB/s`.
fn is_transposed(grid: &Grid, columns: &[Column]) -> Option<usize> {
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

#[allow(clippy::too_many_arguments)]
fn observation(
    cell: Cell,
    figure: CellFigure,
    column: &Column,
    row_label: Option<Described>,
    shared: Option<Scale>,
    better: Option<Good>,
    same: usize,
    dimensions: Vec<NamedValue>,
    repeat: Option<String>,
) -> Observation {
    let written = figure.quantity.scale;
    let row_scale = row_label.and_then(|label| label.implied());
    let scale = written
        .or(row_scale)
        .or(column.described.implied())
        .or(shared);
    let is_metric = column.described.is_metric();
    // `25.4MB` below `BW`: per second.
    let kind = row_label
        .and_then(|label| label.kind)
        .or(column.described.kind);
    let mut scale = scale.unwrap_or(Scale {
        unit: Unit::None,
        factor: 1.0,
    });
    if scale.unit == Unit::Bytes && kind == Some(Kind::Throughput) {
        scale.unit = Unit::BytesPerSecond;
    }
    let name = match row_label {
        Some(label) if label.is_metric() => label.name,
        _ if is_metric => column.described.name,
        _ => "",
    };
    let mut metric = words::metric(name, kind, scale.unit, better);
    if same > 0 {
        metric.key = format!("{}-{}", metric.key, same + 1);
        metric.label = format!("{} {}", metric.label, same + 1);
    }
    Observation {
        metric,
        value: figure.quantity.value * scale.factor,
        place: cell.place_of(figure.shown),
        dimensions,
        repeat,
    }
}

/// Whether the figures are results of a benchmark: a rate, a time that is called one, or columns of
/// sides above rows of operations.
fn is_benchmark(
    observations: &[Observation],
    grid: &Grid,
    columns: &[Column],
    caption: &[String],
) -> bool {
    let measured = observations.iter().any(|o| {
        matches!(
            o.metric.unit,
            Unit::BytesPerSecond | Unit::PerSecond | Unit::Nanoseconds
        )
    });
    let named = columns.iter().any(|column| {
        matches!(
            column.described.kind,
            Some(Kind::Throughput | Kind::Iops | Kind::Latency)
        ) && column.role == Role::Metric
    }) || caption.iter().any(|line| {
        let lower = line.to_ascii_lowercase();
        ["throughput", "bandwidth", "iops", "latency"]
            .iter()
            .any(|word| lower.contains(word))
            && line.split_whitespace().count() <= 8
    });
    let rows_are_operations = grid
        .rows
        .iter()
        .filter_map(|row| row.first().copied().flatten())
        .all(|cell| words::is_operation(cell.text));
    let spread = columns
        .iter()
        .any(|column| matches!(column.role, Role::Spread(_)));
    measured || named || spread && rows_are_operations && !grid.rows.is_empty()
}

/// The name of the column of labels that names sides by itself.
fn naming_label(grid: &Grid, columns: &[Column]) -> Option<String> {
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
            Role::Spread(values) => values.iter().find(|value| value.name != "op"),
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
    if distinct && !numbers {
        return spread.first().map(|value| value.name.clone());
    }
    if naming.is_some() {
        return naming;
    }
    // Numbers of threads over columns: the rows are compared.
    labels
        .first()
        .filter(|_| distinct)
        .map(|(_, name)| (*name).to_owned())
}

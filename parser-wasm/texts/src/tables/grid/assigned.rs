//! Rows that name each of their cells: `kernel=5.10 bw=1200MiB/s iops=307k`,
//! `kernel: 5.10, bandwidth: 1200 MiB/s, latency: 103 us`, `4k: IOPS 24707, lat avg (ms) 1.29`.

use super::super::cell;
use super::super::words::{self, Kind, describe};
use super::{Cell, Grid, MAX_COLUMNS, MAX_ROWS, name_sides};
use crate::line::Line;
use crate::observation::Unit;
use seekscope_notes::labels::is_kernel_form;

/// Words of a name; longer ones are prose.
const MAX_NAME_WORDS: usize = 3;

/// A name, and the cell that it is of.
type Assigned<'a> = (&'a str, Cell<'a>);

/// Reads lines that give values to the same names, a metric among them.
pub fn read<'a>(lines: &'a [Line], start: usize, reach: &mut usize) -> Option<Grid<'a>> {
    let first = cells(lines.get(start)?)?;
    let has_label = first
        .iter()
        .any(|(name, _)| name.is_empty() || is_parameter(name));
    // `rate=100MB/s burst=10MB latency=10ms` are limits.
    let has_limit = first.iter().any(|(name, _)| name.starts_with("rate"));
    let sides = first.iter().skip(1).map(|(name, _)| *name);
    let is_of_sides = || {
        is_label(&first[0])
            && (name_sides(sides) || words::name_sides(std::iter::once(first[0].1.text)))
    };
    if !has_label || has_limit || !first.iter().any(is_measured) && !is_of_sides() {
        return None;
    }
    let mut rows = vec![first];
    for line in lines[start + 1..].iter().take(MAX_ROWS - 1) {
        let row = cells(line).filter(|row| are_alike(row, &rows[0]));
        let Some(row) = row else { break };
        rows.push(row);
    }
    let end = start + rows.len();
    *reach = end.max(*reach);
    let names = rows[0].iter().map(|(name, _)| *name);
    let head = names.map(|name| Some(Cell::new(&lines[start], name)));
    Some(Grid {
        heads: vec![head.collect()],
        rows: rows
            .iter()
            .map(|row| row.iter().map(|(_, cell)| Some(*cell)).collect())
            .collect(),
        remark: None,
        statement: super::below::statement_below(lines, end),
        end,
    })
    .filter(|grid| grid.rows.len() > 1 || is_row_alone(&rows[0]))
}

/// Reads such lines if the first name is that of a label and the others are sides:
/// `op: read, 5.4: 512 MB/s, 5.10: 431 MB/s`. A list would read them without their label.
pub fn read_labelled<'a>(lines: &'a [Line], start: usize, reach: &mut usize) -> Option<Grid<'a>> {
    let first = cells(lines.get(start)?)?;
    let sides = first.iter().skip(1).map(|(name, _)| *name);
    let has_name = !first[0].0.is_empty() && is_label(&first[0]);
    (has_name && name_sides(sides)).then(|| read(lines, start, reach))?
}

/// Whether a cell is the label of its row: `4k` without a name, or the `read` of `op`.
fn is_label((name, cell): &Assigned) -> bool {
    let is_named = words::is_dimension(name) || words::is_test_heading(name);
    let is_plain = !cell.text.contains([':', '=']) && cell::figure(cell.text).is_none();
    name.is_empty() || is_named && is_plain
}

/// Whether a single row is a result: it has two metrics, one of them with its unit.
fn is_row_alone(row: &[Assigned]) -> bool {
    let mut measured = row.iter().filter(|pair| is_measured(pair));
    let has_unit = |(_, cell): &Assigned| {
        cell::figure(cell.text).is_some_and(|figure| figure.quantity.scale.is_some())
    };
    measured.clone().count() > 1 && measured.any(has_unit)
}

/// The cells of a line with nothing else in it but the label of the row: `before: qd=1 lat=81us`.
fn cells(line: &Line) -> Option<Vec<Assigned<'_>>> {
    let text = line.text().trim().trim_start_matches(['-', '*', ' ']);
    // Most lines of prose have no pair.
    if !text.contains('=') && !text.contains(": ") {
        return None;
    }
    let labelled = text.split_once(": ").and_then(|(label, rest)| {
        let is_label = !label.contains('=') && label.split_whitespace().count() <= MAX_NAME_WORDS;
        let is_pair = |part: &&str| part.contains('=') || before_figure(part).is_some();
        let parts = parts(rest).filter(|parts| parts.iter().all(is_pair))?;
        is_label.then_some((Some(("", label)), parts))
    });
    let (label, parts) = labelled.or_else(|| Some((None, parts(text)?)))?;
    let pairs = parts.into_iter().map(|part| {
        let (name, value) = part
            .split_once('=')
            .or_else(|| part.split_once(": "))
            .or_else(|| before_figure(part))?;
        let (name, value) = (name.trim(), value.trim().trim_matches('"'));
        let is_word = name.contains(|c: char| c.is_alphabetic()) || is_kernel_form(name);
        let is_name = is_word && name.split_whitespace().count() <= MAX_NAME_WORDS;
        (is_name && !value.is_empty()).then_some((name, value))
    });
    let label = label.into_iter().map(Some);
    let cells = label
        .chain(pairs)
        .map(|pair| pair.map(|(name, text)| (name, Cell::new(line, text))));
    let cells: Vec<Assigned> = cells.collect::<Option<_>>()?;
    let is_new = |index: usize| cells[..index].iter().all(|other| other.0 != cells[index].0);
    (1..cells.len()).all(is_new).then_some(cells)
}

/// A name one blank in front of a number without a unit: `old KB/s 524595`, `seqread 1211`,
/// `change -15.9%`.
fn before_figure(part: &str) -> Option<(&str, &str)> {
    let (name, value) = part.rsplit_once(' ')?;
    let described = describe(name);
    let is_change = described.kind == Some(Kind::Change);
    let is_named = described.implied().is_some()
        || is_change
        || words::is_operation(name)
        || words::is_dimension(name)
        || words::name_sides(std::iter::once(name));
    let figure = cell::figure(value)?;
    let unit = figure.quantity.scale.map(|scale| scale.unit);
    let is_plain = matches!(unit, None | Some(Unit::Bytes));
    (is_named && (is_change || is_plain)).then_some((name, value))
}

/// The pairs of a line: between blanks, or between commas.
fn parts(text: &str) -> Option<Vec<&str>> {
    let mut is_quoted = false;
    let words = text.split(|c: char| {
        is_quoted ^= c == '"';
        c.is_whitespace() && !is_quoted
    });
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let parts = if words.iter().all(|word| word.contains('=')) {
        let words = words.into_iter();
        words
            .map(|word| word.trim_end_matches([',', ';']))
            .collect()
    } else {
        let commas = text.split(", ").flat_map(|part| part.split("; "));
        commas.map(str::trim).collect::<Vec<_>>()
    };
    (2..=MAX_COLUMNS).contains(&parts.len()).then_some(parts)
}

/// Whether a cell is a figure of the metric that its name is.
fn is_measured((name, cell): &Assigned) -> bool {
    !is_parameter(name) && cell::figure(cell.text).is_some()
}

fn is_parameter(name: &str) -> bool {
    !describe(name).is_metric() || words::is_limit(name)
}

fn are_alike(row: &[Assigned], other: &[Assigned]) -> bool {
    row.len() == other.len() && row.iter().zip(other).all(|(cell, other)| cell.0 == other.0)
}

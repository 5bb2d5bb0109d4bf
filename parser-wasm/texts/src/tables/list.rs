//! Lists of labels and figures: `seq read: 512.3 MB/s`, `- seq read: 512.3 MB/s -> 431.1 MB/s`,
//! `with patch: IOPS=12.3k, BW=48.1MiB/s`, and lines that begin with a rate.

mod above;
pub mod label;
pub mod observed;
mod repeats;
mod several;
mod value;

use self::above::{Above, sides_in};
use self::label::{behind_count, behind_side, label_within};
use self::observed::{TEST, observation};
use self::repeats::{number_runs, numbered_runs};
use self::several::{
    pairs, row_without_headings, several, sides_in_sentences, sides_of_test, tests_of_side,
};
use self::value::{count_for, without_command, without_part, without_verdict};
use super::Table;
use super::cell::{self, CellFigure};
use super::grid::below::statement_below;
use super::rates::operations::{
    figure_behind_name, labelled_rates, rate_behind_operation, rates_of_named_operations,
    rates_of_operations,
};
use super::rates::{comparison, named_sides, repeats_of_side, sides_in_row, with_aside};
use super::roles::value_kind;
use super::sentence::{rate_of_side, sentence, wrapped};
use super::spread::{split_metric, split_operation};
use super::units::unit_in;
use super::words::{self, describe};
use crate::line::Line;
use crate::observation::{NamedValue, Observation, Unit};
use crate::recognise::Cursor;
use crate::structure::heading;

const MAX_LINES: usize = 2000;
/// Lines of a list whose unit may be below it.
const MAX_STATED: usize = 32;
/// Words of a label; longer ones are prose.
const MAX_LABEL_WORDS: usize = 6;
const MAX_LABEL: usize = 60;

/// `lines_above`: they may name the unit, and the sides.
pub fn read(cursor: Cursor, lines_above: &dyn Fn() -> Vec<String>) -> Option<(usize, Table)> {
    let mut table = Table::default();
    let mut end = cursor.start;
    let mut count = 0;
    let mut names: Vec<&str> = Vec::new();
    // What is above a list holds for figures of sides alone: lists of anything have titles.
    let caption = label_and_value(item(cursor.text(0)))
        .filter(|(label, _)| words::name_sides(std::iter::once(*label)))
        .map(|_| with_statement(cursor, lines_above()))
        .filter(|caption| !caption.iter().any(|line| words::is_limit(line)))
        .unwrap_or_default();
    let above = Above::new(&caption);
    while end < cursor.lines.len() && count < MAX_LINES {
        let line = &cursor.lines[end];
        let single = entry(line, above);
        // The end of a sentence in the next line may have more figures.
        let longer = wrapped(&cursor.lines[end..])
            .filter(|(found, _)| single.as_ref().is_none_or(|one| found.len() > one.len()));
        let (mut found, lines) = match (longer, single) {
            (Some(longer), _) => longer,
            (None, Some(found)) => {
                names.extend(label_and_value(item(line.text())).map(|(label, _)| label));
                (found, 1)
            }
            (None, None) => break,
        };
        // Each line that begins with a rate is a run of its own.
        if let [observation] = found.as_mut_slice()
            && observation.repeat.is_some()
        {
            observation.repeat = Some((count + 1).to_string());
        }
        table.side = table.side.or_else(|| {
            found
                .iter()
                .find_map(|o| o.dimensions.iter().find(|d| d.name == "run"))
                .map(|d| d.name.clone())
        });
        table.observations.append(&mut found);
        count += 1;
        end += lines;
    }
    if is_configuration(cursor, end) {
        return None;
    }
    name_by_title(&mut table, lines_above);
    number_runs(&mut table.observations, &names);
    let is_named = names.len() > 1 && words::name_sides(names.iter().copied());
    if table.side.is_none() && words::name_kernels_and_values(names.iter().copied()) {
        name_kernels(&mut table);
    } else if is_named && table.side.is_none() {
        let kind = value_kind(names.iter().copied()).unwrap_or("run");
        let dimensions = table
            .observations
            .iter_mut()
            .flat_map(|o| &mut o.dimensions);
        for dimension in dimensions.filter(|dimension| dimension.name == TEST) {
            kind.clone_into(&mut dimension.name);
        }
        table.side = Some(kind.to_owned());
    } else if table.side.is_none() && name_sides_of_operations(&mut table, &names) {
        table.side = Some("run".to_owned());
    } else if above.unit.is_some() && table.side.is_none() {
        return None;
    }
    // A single line with a colon may be anything, but for the rate of an operation.
    let operation = |o: &Observation| o.dimensions.iter().any(|d| words::is_operation(&d.value));
    let compared = table.side.is_some()
        || table
            .observations
            .iter()
            .any(|o| o.repeat.is_some() || operation(o));
    let are_pairs = || pairs(&cursor.lines[cursor.start], item(cursor.text(0))).is_some();
    (count > 1 || compared || are_pairs()).then_some((end, table))
}

/// The lines above a list; and where these name no unit, that of a sentence below it:
/// `All in MB/s.`
fn with_statement(cursor: Cursor, mut caption: Vec<String>) -> Vec<String> {
    if !caption.iter().any(|line| unit_in(line).is_some()) {
        let mut lines = cursor.lines[cursor.start..].iter().take(MAX_STATED);
        let length = lines.position(Line::is_blank);
        let unit = length.and_then(|length| statement_below(cursor.lines, cursor.start + length));
        caption.extend(unit.map(str::to_owned));
    }
    caption
}

/// Gives the figures before and after an arrow the names of sides that the lines above have.
fn name_by_title(table: &mut Table, lines_above: &dyn Fn() -> Vec<String>) {
    const NAMES: [&str; 2] = ["before", "after"];
    let mut dimensions = table
        .observations
        .iter_mut()
        .flat_map(|o| &mut o.dimensions)
        .filter(|dimension| dimension.name == "run" && NAMES.contains(&dimension.value.as_str()))
        .peekable();
    if dimensions.peek().is_none() {
        return;
    }
    let titles = lines_above();
    if let Some(sides) = titles.iter().find_map(|line| sides_in(line)) {
        for dimension in dimensions {
            let side = sides[usize::from(dimension.value == NAMES[1])];
            side.clone_into(&mut dimension.value);
        }
    }
}

/// Takes labels apart that are all a kernel and a value of another dimension: `5.4 ext4`.
fn name_kernels(table: &mut Table) {
    for dimensions in table.observations.iter_mut().map(|o| &mut o.dimensions) {
        let split = dimensions
            .iter()
            .enumerate()
            .find_map(|(index, dimension)| {
                let (kernel, name, value) = words::kernel_and_value(&dimension.value)?;
                let both = [
                    NamedValue::new("kernel", kernel),
                    NamedValue::new(name, value),
                ];
                (dimension.name == TEST).then_some((index, both))
            });
        if let Some((index, both)) = split {
            dimensions.splice(index..=index, both);
        }
    }
    table.side = Some("kernel".to_owned());
}

/// Takes labels apart that are all a side and an operation: `5.4 read`. Whether they are.
fn name_sides_of_operations(table: &mut Table, names: &[&str]) -> bool {
    let split_name = |name: &str| {
        let (side, operation) = split_operation(name);
        // `[6.1] read`
        let side = side.trim_start_matches('[').trim_end_matches([']', ':']);
        (side.to_owned(), operation)
    };
    let split: Vec<(String, String)> = names.iter().map(|name| split_name(name)).collect();
    let both = split
        .iter()
        .all(|(side, operation)| !side.is_empty() && !operation.is_empty());
    if names.len() < 2 || !both || !words::name_sides(split.iter().map(|(side, _)| side.as_str())) {
        return false;
    }
    for dimensions in table.observations.iter_mut().map(|o| &mut o.dimensions) {
        let Some(index) = dimensions
            .iter()
            .position(|dimension| dimension.name == TEST)
        else {
            continue;
        };
        let (side, operation) = split_name(&dimensions[index].value);
        dimensions[index] = NamedValue::new("run", &side);
        dimensions.push(NamedValue::new("op", &operation));
    }
    true
}

/// Whether the lines are settings: lines of `key=value` without figures are next to them.
fn is_configuration(cursor: Cursor, end: usize) -> bool {
    let setting = |line: Option<&Line>| {
        line.and_then(|line| line.text().trim().split_once('='))
            .is_some_and(|(key, value)| {
                !key.is_empty() && !key.contains(' ') && !value.starts_with(' ')
            })
    };
    let neighbours = [cursor.start.checked_sub(1), Some(end)];
    setting(cursor.lines.get(cursor.start))
        && neighbours
            .into_iter()
            .flatten()
            .any(|index| setting(cursor.lines.get(index)))
}

/// The figures of a line; `None` for a line that is no entry.
fn entry(line: &Line, above: Above) -> Option<Vec<Observation>> {
    let text = item(line.text());
    let labelled = label_and_value(text);
    if let Some(found) = labelled.and_then(|(label, value)| above.figures(line, label, value)) {
        return Some(found);
    }
    if let Some((label, value)) = labelled.filter(|(_, value)| without_command(value) != *value) {
        return behind_label(line, (label, value), above);
    }
    if let Some(found) = rate_of_side(line, text) {
        return Some(vec![found]);
    }
    if let Some(found) = numbered_runs(line, text) {
        return Some(found);
    }
    let rate = leading_rate(text);
    if rate.is_some()
        && let Some(found) = sentence(line, text)
    {
        return Some(found);
    }
    if let Some(first) = rate {
        return Some(vec![observation(
            line,
            first,
            "",
            None,
            Some("1".to_owned()),
        )?]);
    }
    let rates = rates_of_operations(line, text)
        .or_else(|| labelled_rates(line, text))
        .or_else(|| rate_behind_operation(line, text))
        .or_else(|| rates_of_named_operations(line, text));
    let sides = || {
        named_sides(line, text)
            .or_else(|| sides_of_test(line, text))
            .or_else(|| sides_in_row(line, text))
            .or_else(|| repeats_of_side(line, text))
    };
    if let Some(found) = rates.or_else(sides) {
        return Some(found);
    }
    match comparison(line, text) {
        Some(Some(found)) => return Some(found),
        // Two figures with words between them may be a sentence, and nothing else.
        Some(None) => return sentence(line, text),
        None => {}
    }
    if let Some(found) = sentence(line, text) {
        return Some(found);
    }
    let several_figures = sides_in_sentences(line, text)
        .or_else(|| pairs(line, text))
        .or_else(|| row_without_headings(line, text));
    if let Some(found) = several_figures {
        return Some(found);
    }
    let labelled = label_and_value(text).and_then(|parts| behind_label(line, parts, above));
    labelled.or_else(|| figure_behind_name(line, text))
}

/// The figures of a line with one label in front of its value.
fn behind_label(
    line: &Line,
    (label, value): (&str, &str),
    above: Above,
) -> Option<Vec<Observation>> {
    // Two of the times of `time`, whose lines are out of order.
    if matches!(label, "user" | "sys") {
        return None;
    }
    let value = without_verdict(value.split(" [").next().unwrap_or(value).trim());
    let (value, part) = without_part(without_command(value));
    // Figures in columns are a row of a table.
    let columns = value.split("  ").map(str::trim);
    if columns.filter(|cell| cell::figure(cell).is_some()).count() > 1 {
        return None;
    }
    let Some(mut figure) = cell::figure(value) else {
        let several = several(line, label, value, above.time);
        return several.or_else(|| tests_of_side(line, label, value));
    };
    if words::is_link_speed(value) {
        return None;
    }
    let written = figure.quantity.scale;
    figure.quantity.scale = written.or(above.unit.and_then(|unit| unit.scale));
    if let (None, Some(shared), Some(scale)) = (written, above.unit, figure.quantity.scale) {
        let kind = describe(label).kind.or(shared.kind);
        let name = NamedValue::new(TEST, label);
        return Some(vec![Observation {
            metric: words::metric("", kind, scale, None),
            value: figure.quantity.value * scale.factor,
            place: line.place_of(figure.shown),
            dimensions: vec![name],
            repeat: None,
        }]);
    }
    if let (Some(title), Some(scale)) = (above.time, figure.quantity.scale)
        && scale.unit == Unit::Nanoseconds
        && !describe(label).is_metric()
    {
        return Some(vec![Observation {
            metric: words::metric(title.name, title.kind, scale, None),
            value: figure.quantity.value * scale.factor,
            place: line.place_of(figure.shown),
            dimensions: vec![NamedValue::new(TEST, label)],
            repeat: None,
        }]);
    }
    let (side, label) = side_of(label);
    let mut found = with_aside(line, value, figure, label, side)?;
    if let Some(part) = part {
        found.iter_mut().for_each(|figure| count_for(figure, part));
    }
    Some(found)
}

/// The side that a label names beside a metric: `Without patch, bw`, `IOPS before`.
fn side_of(label: &str) -> (Option<&str>, &str) {
    let split = split_metric(label).map(|(side, metric)| {
        let side = side.trim_matches([',', ' ', '(', ')']);
        (side, metric)
    });
    // `Test duration` names no test kernel.
    let is_side = |side: &str| heading::names_side(side) && !side.eq_ignore_ascii_case("test");
    match split.filter(|(side, _)| is_side(side)) {
        Some((side, metric)) => (Some(side), metric),
        None => (None, label),
    }
}

/// A line without the mark of an item.
fn item(text: &str) -> &str {
    let text = text.trim();
    // `|--   read (MB/s):   512.3   --|` of reports within a frame.
    let framed = text
        .strip_prefix("|--")
        .and_then(|rest| rest.strip_suffix("--|"));
    let text = framed.map_or(text, str::trim);
    let text = text.trim_start_matches(['-', '*', '\u{2022}']).trim();
    text.strip_prefix("+ ").unwrap_or(text)
}

fn label_and_value(text: &str) -> Option<(&str, &str)> {
    label_within(text, MAX_LABEL_WORDS, MAX_LABEL)
        .or_else(|| behind_side(text))
        .or_else(|| behind_count(text))
}

/// The rate at the begin of a line: `248 MB/s  real = 86.74`.
fn leading_rate(text: &str) -> Option<CellFigure<'_>> {
    let number_end = text.find(' ')?;
    crate::quantity::number(&text[..number_end])?;
    let rest = &text[number_end..];
    let unit_start = number_end + rest.len() - rest.trim_start().len();
    let unit_length = text[unit_start..]
        .find(char::is_whitespace)
        .unwrap_or(text.len() - unit_start);
    let shown = &text[..unit_start + unit_length];
    let figure = cell::figure(shown)?;
    let rest = text[shown.len()..].trim();
    let pairs = rest.is_empty() || rest.contains('=') || rest.starts_with(['(', '[', ',']);
    (figure.quantity.scale?.unit == Unit::BytesPerSecond && pairs).then_some(figure)
}

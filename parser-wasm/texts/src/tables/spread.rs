//! Columns of figures whose headings name sides or operations: what they spread over the table.

use super::column::{Column, is_summary};
use super::compared::naming_label;
use super::grid::Grid;
use super::roles::{Role, value_kind};
use super::words::{self, Described, describe};
use crate::observation::NamedValue;
use seekscope_notes::labels;
use seekscope_trace::sorting::set_of;
use std::collections::{BTreeMap, BTreeSet};

/// The dimension of columns that are repeats.
pub const REPEAT: &str = "repeat";
/// The dimension of columns of block sizes.
const BLOCK_SIZE: &str = "bs";
const BLOCK_SIZES: [&str; 3] = ["bs", "block size", "blocksize"];
/// The dimension of columns that are statistics of the metric of their row.
pub const STATISTIC: &str = "statistic";

/// Names what the headings of columns of figures spread: sides, operations, or both.
pub fn spread(grid: &Grid, columns: &mut [Column], shared: Option<Described>) {
    spread_metrics(columns);
    if spread_repeats(columns) || spread_statistics(grid, columns) {
        return;
    }
    let names: Vec<String> = columns
        .iter()
        .enumerate()
        .map(|(index, column)| spread_name(grid, index, column))
        .collect();
    let members = members(grid, columns);
    if members.is_empty() {
        return;
    }
    if spread_levels(grid, columns, &members) {
        return;
    }
    let mut split: Vec<(String, String)> = members
        .iter()
        .map(|&index| split_operation(&names[index]))
        .collect();
    // If rows are what is compared, `sync write` is one operation.
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
    let noun = take_noun(&mut split);
    let sides: Vec<&str> = split
        .iter()
        .map(|(side, _)| side.as_str())
        .filter(|side| !side.is_empty())
        .collect();
    let numbers = sides
        .iter()
        .all(|side| side.bytes().all(|b| b.is_ascii_digit()));
    let titled = title_over_columns(grid).filter(|_| numbers);
    let taken = columns
        .iter()
        .any(|column| column.role == Role::Label("run".to_owned()));
    let sizes = sides.len() > 1 && sides.iter().all(|side| is_size(side));
    let kind = value_kind(sides.iter().copied())
        .or(noun.as_deref())
        .or(sizes.then_some(BLOCK_SIZE))
        .or(titled)
        .or_else(|| numbers.then(|| corner_over_sides(grid, columns))?)
        .unwrap_or(if taken { "side" } else { "run" });
    let kind = kind.to_owned();
    if !taken {
        rename_corner(grid, columns, &kind);
    }
    let names: Vec<String> = members
        .iter()
        .map(|&index| columns[index].described.name.to_owned())
        .collect();
    // Two metrics of one name are told apart by what is above them.
    let is_unnamed = |column: &Column| {
        let name = column.described.name;
        name.is_empty() || names.iter().filter(|other| *other == name).count() > 1
    };
    let mut seen: Vec<String> = Vec::new();
    let lone =
        members.len() == 1 && shared.is_none() && columns[members[0]].described.scale.is_none();
    for (&index, (side, operation)) in members.iter().zip(&split) {
        let mut values = Vec::new();
        if !side.is_empty() && !lone {
            values.push(NamedValue::new(&kind, side));
        }
        if !operation.is_empty() {
            values.push(NamedValue::new("op", operation));
        }
        if columns[index].role == Role::Metric && !is_unnamed(&columns[index]) {
            // The heading of the metric stays its name.
            values.retain(|value| value.name != "op");
        }
        // Two columns with one heading: neither may be lost.
        let described = &columns[index].described;
        let unit = described.scale.map(|scale| scale.unit);
        let print = format!("{} {unit:?} {values:?}", described.name);
        seen.push(print.clone());
        let count = seen.iter().filter(|other| **other == print).count();
        if let Some(last) = values.last_mut().filter(|_| count > 1) {
            last.value = format!("{} {count}", last.value);
        }
        columns[index].role = Role::Spread(values);
    }
}

/// The columns of figures whose headings name something besides a metric.
fn members(grid: &Grid, columns: &[Column]) -> Vec<usize> {
    // A metric whose heading names a side beside it: `before IOPS`.
    let has_side = |index: usize| grid.heads.len() > 1 && upper_of(grid, index).is_some();
    (0..columns.len())
        .filter(|&index| match &columns[index].role {
            Role::Spread(values) => values.is_empty(),
            Role::Metric => has_side(index),
            _ => false,
        })
        .collect()
}

/// `kernel | 5.10 | 6.1` over rows of tests, `jobs | 1 | 8` over those of kernels: the corner names
/// the columns.
fn rename_corner(grid: &Grid, columns: &mut [Column], kind: &str) {
    let is_corner = |name: &str| {
        name == kind || kind == BLOCK_SIZE && BLOCK_SIZES.contains(&&*name.to_lowercase())
    };
    for (index, column) in columns.iter_mut().enumerate() {
        if matches!(&column.role, Role::Label(name) if is_corner(name)) {
            let rows = grid.rows.iter();
            let cells = rows.filter_map(move |row| row.get(index).copied().flatten());
            let row_kind = value_kind(cells.map(|cell| cell.text)).filter(|rows| *rows != kind);
            column.role = Role::Label(row_kind.unwrap_or("test").to_owned());
        }
    }
}

/// The heading of the labels, if these are sides and it names the numbers over the columns:
/// `jobs | 1 | 8` above `6.1 | 101k | 190k`.
fn corner_over_sides<'a>(grid: &Grid, columns: &[Column<'a>]) -> Option<&'a str> {
    let first = columns.first()?;
    let cells = grid.rows.iter().filter_map(|row| row[0]);
    let is_parameter = words::is_dimension(first.heading) && !words::is_side_heading(first.heading);
    (is_parameter && words::name_sides(cells.map(|cell| cell.text))).then_some(first.heading)
}

/// `4k`, `512k`, `1m`: headings of block sizes.
pub fn is_size(text: &str) -> bool {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let unit = text[end..].trim().to_ascii_lowercase();
    let is_unit = matches!(unit.as_str(), "b" | "k" | "kb" | "kib" | "m" | "mb" | "mib");
    end > 0 && is_unit
}

/// Columns of repeats, perhaps with their mean beside them: `run1 | run2 | run3 | avg`. Returns
/// whether there are such.
fn spread_repeats(columns: &mut [Column]) -> bool {
    let unnamed = Role::Spread(Vec::new());
    let members = || columns.iter().filter(|column| column.role == unnamed);
    let is_repeat = |column: &Column| labels::repeat_of(column.heading).is_some();
    let all = members().all(|column| is_repeat(column) || is_summary(column.heading));
    if !all || members().filter(|column| is_repeat(column)).count() < 2 {
        return false;
    }
    for column in columns.iter_mut().filter(|column| column.role == unnamed) {
        column.role = if is_repeat(column) {
            Role::Spread(vec![NamedValue::new(REPEAT, column.heading)])
        } else {
            Role::Ignored
        };
    }
    true
}

/// Columns that sum up the same measurements: `avg | max | min`, perhaps below the names of sides.
/// Returns whether there are such.
fn spread_statistics(grid: &Grid, columns: &mut [Column]) -> bool {
    let unnamed = Role::Spread(Vec::new());
    let members = || columns.iter().filter(|column| column.role == unnamed);
    let named = |text: &str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        words.any(words::is_statistic)
    };
    let is_statistic = |column: &Column| is_summary(column.heading) || named(column.heading);
    if members().count() < 2 || !members().all(is_statistic) {
        return false;
    }
    let above: Vec<Option<&str>> = (0..columns.len())
        .map(|index| upper_of(grid, index))
        .collect();
    let unnamed_columns = (0..columns.len()).filter(|&index| columns[index].role == unnamed);
    let sides: Option<Vec<&str>> = unnamed_columns.map(|index| above[index]).collect();
    let kind = sides.map(|sides| value_kind(sides.into_iter()).unwrap_or("run"));
    for (column, above) in columns.iter_mut().zip(above) {
        let side = kind
            .zip(above)
            .map(|(kind, side)| NamedValue::new(kind, side));
        if column.role == unnamed {
            let statistic = NamedValue::new(STATISTIC, column.heading);
            column.role = Role::Spread(std::iter::once(statistic).chain(side).collect());
        } else if column.role == Role::Metric && side.is_some() {
            column.role = Role::Spread(side.into_iter().collect());
        }
    }
    true
}

/// Two lines of headings of which one names sides, and each side has the same of the other line:
/// `ext4 | xfs` above `vanilla | patched | vanilla | patched`. Returns whether there are such.
fn spread_levels(grid: &Grid, columns: &mut [Column], members: &[usize]) -> bool {
    let level = |index: usize| Some((upper_of(grid, index)?, columns[index].described.name));
    let Some(pairs) = members
        .iter()
        .map(|&index| level(index))
        .collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    let metric = |index: &usize| columns[*index].described.is_metric();
    let operation = |text: &str| text.is_empty() || words::is_operation(text);
    if members.iter().any(metric) || pairs.iter().any(|(u, l)| operation(u) || operation(l)) {
        return false;
    }
    let upper: BTreeSet<&str> = set_of(pairs.iter().map(|(upper, _)| *upper));
    let lower: BTreeSet<&str> = set_of(pairs.iter().map(|(_, lower)| *lower));
    let distinct: BTreeSet<_> = set_of(pairs.iter());
    let complete = distinct.len() == pairs.len() && pairs.len() == upper.len() * lower.len();
    let Some(sides_are_upper) = is_first_side(&upper, &lower) else {
        return false;
    };
    if !complete || upper.len() < 2 || lower.len() < 2 {
        return false;
    }
    // A corner names its line of headings if each line has one: a single one names the rows.
    let corner = |line: usize| grid.heads.get(line).and_then(|head| *head.first()?);
    let are_named = (0..grid.heads.len()).all(|line| corner(line).is_some());
    let kind = |texts: &BTreeSet<&str>, line: usize, other| {
        let named = corner(line).filter(|cell| are_named && words::is_dimension(cell.text));
        let by_values = value_kind(texts.iter().copied());
        named.map_or(by_values.unwrap_or(other), |cell| cell.text)
    };
    let upper_kind = kind(&upper, 0, if sides_are_upper { "run" } else { "group" });
    let lower_kind = kind(&lower, 1, if sides_are_upper { "column" } else { "run" });
    let values: Vec<Vec<NamedValue>> = pairs
        .iter()
        .map(|(upper, lower)| {
            let upper = NamedValue::new(upper_kind, upper);
            let lower = NamedValue::new(lower_kind, lower);
            if sides_are_upper {
                vec![upper, lower]
            } else {
                vec![lower, upper]
            }
        })
        .collect();
    for (&index, values) in members.iter().zip(values) {
        columns[index].role = Role::Spread(values);
    }
    true
}

/// Whether the first texts are what is compared, and not the second ones; `None` if both or neither
/// name sides. Words such as `patched` say more than names of kernels or file systems.
fn is_first_side(first: &BTreeSet<&str>, second: &BTreeSet<&str>) -> Option<bool> {
    let words = |texts: &BTreeSet<&str>| texts.iter().all(|text| labels::is_side_word(text));
    let names = |texts: &BTreeSet<&str>| words::name_sides(texts.iter().copied());
    match (words(first), words(second), names(first), names(second)) {
        (true, false, ..) | (false, false, true, false) => Some(true),
        (false, true, ..) | (false, false, false, true) => Some(false),
        _ => None,
    }
}

/// Takes the noun off headings that count the same parameter: `1 thread`, `2 threads`. It is the
/// name of their dimension.
fn take_noun(split: &mut [(String, String)]) -> Option<String> {
    let counted = |side: &str| -> Option<(String, String)> {
        // `QD32`, `iodepth=32`
        let end = side.trim_end_matches(|c: char| c.is_ascii_digit());
        let front = end.trim_end_matches(['=', ' ', '-']);
        if end.len() < side.len() && words::is_dimension(front) {
            return Some((side[end.len()..].to_owned(), front.to_owned()));
        }
        let (count, noun) = side.split_once(' ')?;
        let plural = format!("{}s", noun.trim_end_matches('s'));
        let is_count = count.bytes().all(|b| b.is_ascii_digit());
        (is_count && words::is_dimension(noun)).then(|| (count.to_owned(), plural))
    };
    let found: Vec<(String, String)> = split
        .iter()
        .map(|(side, _)| counted(side))
        .collect::<Option<_>>()?;
    let (_, noun) = found.first()?.clone();
    if found.len() < 2 || found.iter().any(|(_, other)| *other != noun) {
        return None;
    }
    for ((side, _), (count, _)) in split.iter_mut().zip(found) {
        *side = count;
    }
    Some(noun)
}

/// Metrics that each of several sides has: `none IOPS | kyber IOPS | none lat | kyber lat`.
fn spread_metrics(columns: &mut [Column]) {
    let split: Vec<Option<(&str, &str)>> = columns
        .iter()
        .map(|column| split_metric(column.described.name).filter(|_| column.role == Role::Metric))
        .collect();
    let mut sides: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (side, metric) in split.iter().flatten() {
        sides.entry(metric).or_default().insert(side);
    }
    if sides.is_empty() || sides.values().any(|sides| sides.len() < 2) {
        return;
    }
    let kind = value_kind(split.iter().flatten().map(|(side, _)| *side)).unwrap_or("run");
    for (column, split) in columns.iter_mut().zip(split) {
        if let Some((side, metric)) = split {
            let metric = describe(metric);
            column.described = words::Described {
                scale: column.described.scale.or(metric.scale),
                kind: column.described.kind.or(metric.kind),
                ..metric
            };
            column.role = Role::Spread(vec![NamedValue::new(kind, side)]);
        }
    }
}

/// A side without the brackets around it.
fn bare_side(text: &str) -> &str {
    text.trim_matches(['(', ')', '[', ']', ',', ' '])
}

/// `none avg lat` as side and metric.
pub fn split_metric(name: &str) -> Option<(&str, &str)> {
    let is_blank = |c: char| c.is_whitespace() || c == '_';
    let cuts = name.match_indices(is_blank).map(|(cut, _)| cut);
    let parts = cuts.map(|cut| (&name[..cut], name[cut..].trim_start_matches(is_blank)));
    let of_metric = |text: &str| {
        let mut words = text
            .split(is_blank)
            .filter(|word| !word.is_empty())
            .peekable();
        words.peek().is_some() && words.all(words::is_metric_word)
    };
    let of_side = |text: &str| !text.split(is_blank).any(words::is_metric_word);
    parts
        .filter_map(|(front, back)| match (of_metric(front), of_metric(back)) {
            (false, true) if of_side(front) => Some((bare_side(front), back)),
            (true, false) if of_side(back) => Some((bare_side(back), front)),
            _ => None,
        })
        .next()
}

/// The only heading above several numbered columns: `number of dds` above `1 | 2 | 4`.
fn title_over_columns<'a>(grid: &Grid<'a>) -> Option<&'a str> {
    let (_, upper) = grid.heads.split_last()?;
    let mut titles = upper.iter().flatten().flatten().map(|cell| cell.text);
    let first = titles
        .next()
        .filter(|title| describe(title).scale.is_none())?;
    titles.all(|title| title == first).then_some(first)
}

/// The headings of a column without its unit, the upper one first.
fn spread_name(grid: &Grid, index: usize, column: &Column) -> String {
    let name = if column.described.is_metric() {
        ""
    } else {
        column.described.name
    };
    match upper_of(grid, index) {
        Some(upper) => format!("{upper} {name}").trim().to_owned(),
        None => name.to_owned(),
    }
}

fn upper_of<'a>(grid: &Grid<'a>, index: usize) -> Option<&'a str> {
    let (_, upper) = grid.heads.split_last()?;
    // A title over all columns distinguishes none of them.
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

/// Splits `before read` into side and operation.
pub fn split_operation(name: &str) -> (String, String) {
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

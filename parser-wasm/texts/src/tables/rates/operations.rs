//! Rates beside their operations: `38 MB/s read, 40 MB/s write`, `seqwrite 1805 MB/s`.

use super::super::cell::{self, CellFigure, figure_at};
use super::super::list::label::behind_dash;
use super::super::list::observed::{TEST, observation};
use super::super::pieces::{Piece, split};
use super::super::spread::is_size;
use super::super::words::{self, Kind, describe};
use super::{MAX_COMPARED_WORDS, MAX_RATES};
use crate::line::Line;
use crate::observation::{NamedValue, Observation};
use crate::quantity::{may_be_quantity, quantity};

/// A rate and its operation: `38.9 MiB/s read`, `120k read IOPS`.
fn with_operation(text: &str) -> Option<(CellFigure<'_>, &str)> {
    // `randread 412k IOPS`
    if let Some((operation, figure)) = split_operation_and_figure(text)
        && figure.quantity.scale.is_some()
    {
        return Some((figure, operation));
    }
    let (front, last) = text.rsplit_once(' ')?;
    if words::is_plain_operation(last) {
        return Some((cell::figure(front)?, last));
    }
    // `4k QD1: read 11.2 kIOPS` begins with a label.
    let (shown, operation) = front
        .split_once(' ')
        .filter(|(_, operation)| !operation.contains([':', '=']))?;
    let quantity = quantity(&format!("{shown} {last}"))?;
    let is_rate = words::is_plain_operation(operation) && quantity.scale.is_some();
    is_rate.then_some((CellFigure { quantity, shown }, operation))
}

fn begins_with_operation(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or("");
    first.starts_with(char::is_alphabetic) && words::is_plain_operation(first)
}

/// Rates in a row, each with its operation, behind a label: `4.14: 120k read IOPS, 40k write IOPS`,
/// `4.14: read 120k IOPS, write 40k IOPS`.
pub fn labelled_rates(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let labelled = text.split_once(": ").or_else(|| behind_dash(text));
    let (label, rates) = labelled?;
    let label = label.trim();
    if label.split_whitespace().count() > MAX_COMPARED_WORDS {
        return None;
    }
    let rates = rates.trim();
    let mut found = match begins_with_operation(rates) {
        true if text.len() <= MAX_RATES && !words::is_limit(label) => rates_in_row(line, rates)?,
        true => return None,
        false => rates_of_operations(line, rates)?,
    };
    for figure in &mut found {
        figure.dimensions.push(NamedValue::new(TEST, label));
    }
    Some(found)
}

/// Rates in a row, each with its operation: `38.9 MiB/s read (9.9k IOPS), 40.8 MiB/s write`.
pub fn rates_of_operations(line: &Line, text: &str) -> Option<Vec<Observation>> {
    // A sentence has a word first.
    if !may_be_quantity(text) || text.len() > MAX_RATES {
        return None;
    }
    rates_in_row(line, text)
}

/// Rates in a row, each behind its operation and a mark: `WRITE: 512 MB/s, READ: 1210 MB/s`.
pub fn rates_of_named_operations(line: &Line, text: &str) -> Option<Vec<Observation>> {
    if text.len() > MAX_RATES || !text.contains(", ") {
        return None;
    }
    let mut found: Vec<Observation> = Vec::new();
    for part in text.split(", ") {
        let (operation, rate) = part.split_once([':', '='])?;
        let figure = cell::figure(rate.trim()).filter(CellFigure::is_rate)?;
        let op = NamedValue::new("op", operation.trim());
        let is_repeated = found.iter().any(|other| other.dimensions.contains(&op));
        if !words::is_plain_operation(operation) || is_repeated {
            return None;
        }
        let mut observed = observation(line, figure, "", None, None)?;
        observed.dimensions.push(op);
        found.push(observed);
    }
    Some(found)
}

/// The rate of a line behind its operation: `seqwrite 1805 MB/s`, `4k rand read 311k IOPS`.
pub fn rate_behind_operation(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let (operation, figure) = split_operation_and_figure(text)?;
    // `read 100MB` is an amount.
    if !figure.is_rate() {
        return None;
    }
    let mut found = observation(line, figure, "", None, None)?;
    found.dimensions.push(NamedValue::new("op", operation));
    Some(vec![found])
}

/// The figure of a line behind a short name that is no operation: the rate of a test,
/// `untar 812 MB/s`, a statistic, `min 812 MB/s`, or a metric, `lat 1.2 ms`.
pub fn figure_behind_name(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let (name, figure) = split_name_and_figure(text)?;
    // What a maker says of disks is in columns.
    let has_columns = text.contains("  ") || text.contains('\t');
    if has_columns || words::is_limit(name) || words::is_link_speed(text) {
        return None;
    }
    let described = describe(name);
    let is_metric = matches!(
        described.kind,
        Some(Kind::Throughput | Kind::Iops | Kind::Latency)
    );
    if is_metric {
        return Some(vec![observation(line, figure, name, None, None)?]);
    }
    let scale = figure.quantity.scale.filter(|scale| scale.unit.is_rate())?;
    let mut found = observation(line, figure, "", None, None)?;
    match words::is_statistic(name) {
        true => found.metric = words::metric(name, None, scale, None),
        false => found.dimensions.push(NamedValue::new(TEST, name)),
    }
    Some(vec![found])
}

/// A short name at the begin of a text, and the figure that is the rest of it.
fn split_name_and_figure(text: &str) -> Option<(&str, CellFigure<'_>)> {
    const MAX_WORDS: usize = 3;
    // Words of sentences: `about 812 MB/s`, `it was 812 MB/s`.
    const NO_NAMES: [&str; 24] = [
        "a", "about", "and", "around", "at", "by", "from", "get", "got", "has", "i", "is", "it",
        "of", "only", "or", "over", "than", "the", "to", "up", "was", "we", "with",
    ];
    let pieces = split(text, 1);
    let is_name = |piece: &Piece| {
        let is_word = piece.text.starts_with(char::is_alphabetic) || is_size(piece.text);
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '=');
        let lower = piece.text.to_ascii_lowercase();
        // `bs=4k`, but not `iops=4000`
        let key = lower.split_once('=').map(|(key, _)| key);
        let has_figure = key.is_some_and(|key| describe(key).is_metric());
        let is_plain = lower.chars().all(is_plain) && !has_figure;
        is_word && is_plain && !NO_NAMES.contains(&lower.as_str())
    };
    let (name, [first, behind @ ..]) = (1..pieces.len().min(MAX_WORDS + 1))
        .map(|count| pieces.split_at(count))
        .find(|(name, figure)| {
            let number = figure.first().map_or("", |piece| piece.text);
            name.iter().all(is_name) && number.starts_with(|c: char| c.is_ascii_digit())
        })?
    else {
        return None;
    };
    let (figure, is_pair) = figure_at(text, *first, behind.first().copied())?;
    let is_end = behind.len() == usize::from(is_pair);
    let name = &text[name[0].start..name[name.len() - 1].end];
    is_end.then_some((name, figure))
}

/// The operation that a text begins with, and the figure that is the rest of it. A label that ends
/// with a mark is no operation.
fn split_operation_and_figure(text: &str) -> Option<(&str, CellFigure<'_>)> {
    let size = text.split_once(' ').filter(|(first, _)| is_size(first));
    if !begins_with_operation(size.map_or(text, |(_, rest)| rest)) {
        return None;
    }
    let pieces = split(text, 1);
    let mut cuts = (1..pieces.len()).rev();
    cuts.find_map(|cut| {
        let operation = text[..pieces[cut - 1].end].trim_start();
        let rate = text[pieces[cut].start..].trim_end();
        let is_label = operation.contains([':', '=', ',']);
        let figure = cell::figure(rate).filter(|_| !is_label)?;
        // `read 512 MB/s max` has more to say.
        let is_complete = figure.shown.len() == rate.len() || cell::ends_with_figure(rate);
        let is_operation = is_complete && words::is_plain_operation(operation);
        is_operation.then_some((operation, figure))
    })
}

fn rates_in_row(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let mut found = Vec::new();
    for part in text.split(", ") {
        let (rate, aside) = match part.split_once(" (") {
            Some((rate, aside)) => (rate, aside.strip_suffix(')')),
            None => (part, None),
        };
        let (figure, operation) = with_operation(rate.trim())?;
        // `4k random read IOPS` alone in a line is a title.
        if rate.ends_with("IOPS") && part.len() == text.len() && is_size(figure.shown) {
            return None;
        }
        let rate = observation(line, figure, "", None, None)?;
        let aside = aside.and_then(|aside| observation(line, cell::figure(aside)?, "", None, None));
        let aside = aside.filter(|aside| aside.metric.unit != rate.metric.unit);
        for mut figure in std::iter::once(rate).chain(aside) {
            figure.dimensions.push(NamedValue::new("op", operation));
            found.push(figure);
        }
    }
    (!found.is_empty()).then_some(found)
}

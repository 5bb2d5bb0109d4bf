//! Sentences that compare rates: `throughput dropped from 1450 MB/s to 910`,
//! `The old kernel reaches 1203 MB/s, the new one 1010 MB/s`.

use super::cell::{self, CellFigure};
use super::list::observation;
use super::pieces::{Piece, split};
use super::rates::{SIDE_WORDS, with_unit_of};
use super::words::{self, Kind, describe};
use crate::line::Line;
use crate::observation::{Observation, Unit};
use seekscope_notes::labels;

/// Bytes of a line with a sentence.
const MAX_SENTENCE: usize = 160;
/// Words that belong to the name of a metric, `random write throughput`.
const MAX_NAME_WORDS: usize = 3;
/// What a metric does between two figures.
const VERBS: [&str; 20] = [
    "dropped",
    "drops",
    "drop",
    "fell",
    "falls",
    "decreased",
    "decreases",
    "went",
    "goes",
    "increased",
    "increases",
    "rose",
    "rises",
    "improved",
    "improves",
    "regressed",
    "regresses",
    "jumped",
    "grew",
    "changed",
];

/// Words of a sentence about what nobody has measured.
const PROMISES: [&str; 9] = [
    "rated",
    "specified",
    "spec",
    "advertised",
    "claims",
    "promises",
    "allows",
    "supports",
    "should",
];
/// Words with which the next part of a sentence begins behind a figure.
const LINKS: [&str; 12] = [
    "and", "while", "but", "whereas", "with", "without", "vs", "versus", "on", "in", "at", "for",
];
/// Bytes of a line that a mailer may have wrapped behind a number, in front of its unit.
const MIN_WRAPPED: usize = 60;

/// The figures of the first sentence of a line.
pub fn sentence(line: &Line, text: &str) -> Option<Vec<Observation>> {
    // Most lines have no figure of this kind.
    let has_rate = text.contains("/s") || text.contains("IOPS") || text.contains(" from ");
    if text.len() > MAX_SENTENCE || !has_rate || words::is_limit(text) {
        return None;
    }
    let text = text.split(". ").next()?.trim_end_matches(['.', '!']);
    let mut words = text.split_whitespace();
    if text.contains(" up to ") || words.any(|word| PROMISES.contains(&word)) {
        return None;
    }
    let mut changes: Vec<Observation> = Vec::new();
    for clause in text.split(", ").flat_map(|clause| clause.split("; ")) {
        changes.extend(change(line, clause).into_iter().flatten());
    }
    if !changes.is_empty() {
        return Some(changes);
    }
    sides(line, text)
}

/// The figures of `the random write throughput dropped from 1450 MB/s to 910`.
fn change(line: &Line, clause: &str) -> Option<[Observation; 2]> {
    let (front, figures) = clause.split_once(" from ")?;
    let (subject, verb) = front.rsplit_once(' ')?;
    if !VERBS.contains(&verb) {
        return None;
    }
    let name = name_of(subject)?;
    let (shown, rest) = figures.split_once(" to ")?;
    let before = cell::figure(shown)?;
    let mut words = split(rest, 1).into_iter();
    let after = figure_at(rest, words.next()?, words.next())?.0;
    let is_cut = after.quantity.scale.is_none() && rest.trim() == after.shown;
    // A full stop shows that nothing is in the next line.
    if is_cut && line.text().len() >= MIN_WRAPPED && !line.text().trim_end().ends_with('.') {
        return None;
    }
    // `went from 6.1 to 6.6` may be of kernels.
    let has_unit = before.quantity.scale.is_some() || after.quantity.scale.is_some();
    if !has_unit
        && [shown, after.shown]
            .iter()
            .all(|shown| labels::is_kernel_form(shown))
    {
        return None;
    }
    // `to 910` has the unit of the figure in front of it, and `from 1450` that of the one behind.
    let after = with_unit_of(after.shown, before)?;
    let before = with_unit_of(shown, after)?;
    let unit = |figure: &CellFigure| figure.quantity.scale.map(|scale| scale.unit);
    if unit(&before) != unit(&after) {
        return None;
    }
    let before = observation(line, before, name, Some("before"), None)?;
    Some([before, observation(line, after, name, Some("after"), None)?])
}

/// The metric that ends a subject, with the operations in front of it.
fn name_of(subject: &str) -> Option<&str> {
    let words = split(subject, 1);
    let last = words.last()?;
    let is_rate = |kind| matches!(kind, Kind::Throughput | Kind::Iops | Kind::Latency);
    describe(last.text).kind.filter(|kind| is_rate(*kind))?;
    let operations = words.iter().rev().skip(1).take(MAX_NAME_WORDS - 1);
    let first = operations
        .take_while(|word| words::is_plain_operation(word.text))
        .last();
    Some(&subject[first.unwrap_or(last).start..])
}

/// The figure that begins with a word and ends there or with the next one, and whether it has both.
fn figure_at<'a>(
    text: &'a str,
    word: Piece,
    next: Option<Piece>,
) -> Option<(CellFigure<'a>, bool)> {
    let shown = |end: usize| text[word.start..end].trim_end_matches([',', ';', '.', ')']);
    let both = next.and_then(|next| cell::figure(shown(next.end)));
    let both = both.filter(|figure| figure.quantity.scale.is_some());
    both.map(|figure| (figure, true))
        .or_else(|| Some((cell::figure(shown(word.end))?, false)))
}

/// The figures of `With 6.1 we get 1203 MB/s, with 6.6 1010 MB/s`: each is behind its side, and
/// nothing else is a number.
fn sides(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let mut found: Vec<(&str, CellFigure)> = Vec::new();
    let mut side: Option<&str> = None;
    let pieces = split(text, 1);
    let mut index = 0;
    while let Some(&piece) = pieces.get(index) {
        index += 1;
        let word = piece.text.trim_matches([',', ';', ':', '(', ')']);
        let figure = figure_at(text, piece, pieces.get(index).copied());
        let is_rate = |figure: &CellFigure| {
            let unit = figure.quantity.scale.map(|scale| scale.unit);
            matches!(unit, Some(Unit::BytesPerSecond | Unit::PerSecond))
        };
        if let Some((figure, is_pair)) = figure.filter(|(figure, _)| is_rate(figure)) {
            found.push((side.take()?, figure));
            index += usize::from(is_pair);
            // `the old 500 MB/s disk` is what something is called.
            let is_end = text[..pieces[index - 1].end].ends_with([',', ';', ')']);
            let next = pieces
                .get(index)
                .map(|next| next.text.trim_end_matches(','));
            let is_linked = next.is_none_or(|next| LINKS.contains(&next));
            if !is_end && !is_linked {
                return None;
            }
        } else if labels::is_kernel_form(word)
            || SIDE_WORDS
                .iter()
                .any(|side| word.eq_ignore_ascii_case(side))
        {
            // Of two names in front of a figure, nobody knows which one is its side.
            if side.replace(word).is_some() {
                return None;
            }
        } else if word.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
    }
    let is_distinct = |(index, (side, _)): (usize, &(&str, CellFigure))| {
        let mut before = found[..index].iter();
        before.all(|(other, _)| !other.eq_ignore_ascii_case(side))
    };
    let unit = |figure: &CellFigure| figure.quantity.scale.map(|scale| scale.unit);
    let (_, first) = found.first()?;
    let is_one = found.iter().all(|(_, figure)| unit(figure) == unit(first));
    if found.len() < 2 || side.is_some() || !is_one || !found.iter().enumerate().all(is_distinct) {
        return None;
    }
    let found = found.into_iter();
    found
        .map(|(side, figure)| observation(line, figure, "", Some(side), None))
        .collect()
}

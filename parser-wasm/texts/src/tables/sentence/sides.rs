//! Figures beside the names of their sides: `With 6.1 we get 1203 MB/s, with 6.6 1010 MB/s`,
//! `512 MB/s on 5.10 and 480 MB/s on 6.1`, `seq read: 512 MB/s (5.10), 480 MB/s (6.1)`.

use super::super::cell::{self, CellFigure, figure_at};
use super::super::list::label::SIDE_WORDS;
use super::super::list::observed::{TEST, observation};
use super::super::pieces::{Piece, split};
use super::super::spread::is_size;
use super::super::words::{self, Kind, describe};
use super::{operation, unit};
use crate::line::Line;
use crate::observation::{NamedValue, Observation, Unit};
use crate::structure::kind;
use seekscope_notes::labels;
use std::borrow::Cow;

/// Words with which the next part of a sentence begins behind a figure.
const LINKS: [&str; 13] = [
    "and", "while", "but", "whereas", "with", "without", "vs", "versus", "on", "in", "at", "for",
    "or",
];
/// Words in front of the side behind a figure.
const PLACES: [&str; 6] = ["with", "on", "in", "under", "using", "for"];
/// Words behind `with` and `without` that name a side together with it.
const PATCHES: [&str; 7] = [
    "patch", "patches", "patchset", "series", "change", "commit", "fix",
];
/// Words between a figure and the side behind it.
const MAX_BETWEEN: usize = 4;
/// Words of a label in front of figures.
const MAX_LABEL_WORDS: usize = 6;
/// Words between `after` and the release that it is about.
const MAX_CLAUSE_WORDS: usize = 4;
/// Words of what introduces a sentence.
const MAX_FRONT_WORDS: usize = 12;

/// Words in front of what a side took.
const DURATION_VERBS: [&str; 6] = ["took", "takes", "take", "needs", "needed", "lasted"];
/// Words in front of a latency that was measured together with a rate.
const COMPANIONS: [&str; 4] = ["at", "@", "and", "with"];
/// Words between one of these and the latency, and behind it: `with a mean latency of 3.2 ms`.
const MAX_LATENCY_WORDS: usize = 4;

/// What a sentence says, in its order.
enum Word<'a> {
    Side(&'a str),
    Figure {
        figures: Figures<'a>,
        /// Index of the piece behind it.
        next: usize,
    },
}

/// A figure, and what was measured together with it.
#[derive(Clone, Copy)]
struct Figures<'a> {
    first: CellFigure<'a>,
    /// The rate of another kind in brackets behind it.
    aside: Option<CellFigure<'a>>,
    latency: Option<Latency<'a>>,
}

/// A latency behind a rate: `at 3.2 ms average latency`.
#[derive(Clone, Copy)]
struct Latency<'a> {
    figure: CellFigure<'a>,
    /// Empty where nothing names it.
    name: &'a str,
}

/// The figures of a sentence in which each has the name of its side in front of it, or each behind
/// it, and nothing else is a number.
pub fn figures(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let (front, label, text) = labelled(text);
    let pieces = split(text, 1);
    let kind = kind_of_sides(text, &pieces);
    let words = words_of(text, &pieces, kind)?;
    let pairs = paired(text, &pieces, &words)?;
    let (Figures { first, .. }, _) = pairs.first()?;
    let is_distinct = |(index, (figures, side)): (usize, &(Figures, &str))| {
        let mut before = pairs[..index].iter();
        unit(&figures.first) == unit(first)
            && before.all(|(_, other)| !other.eq_ignore_ascii_case(side))
    };
    let latency = name_of_latencies(pairs.iter().map(|(figures, _)| figures.latency))?;
    let (named, has_others) = operation(text, &pieces);
    let operation = named.or_else(|| operation(front, &split(front, 1)).0);
    if pairs.len() < 2 || has_others || !pairs.iter().enumerate().all(is_distinct) {
        return None;
    }
    let sides: Vec<&str> = pairs.iter().map(|(_, side)| *side).collect();
    let mut found = Vec::new();
    for (figures, side) in pairs {
        let side = named_in_full(side, &sides)?;
        let rates = std::iter::once(figures.first).chain(figures.aside);
        let latencies = figures.latency.map(|found| (found.figure, latency));
        for (figure, name) in rates.map(|rate| (rate, "")).chain(latencies) {
            let mut observed = observation(line, figure, name, Some(&side), None)?;
            let label = label.map(|label| NamedValue::new(TEST, label));
            let operation = operation.map(|operation| NamedValue::new("op", operation));
            observed.dimensions.extend(label.or(operation));
            found.push(observed);
        }
    }
    Some(found)
}

/// What the latencies of all sides are called; `None` if these differ, or if sides have none.
fn name_of_latencies<'a>(
    latencies: impl Iterator<Item = Option<Latency<'a>>> + Clone,
) -> Option<&'a str> {
    let count = latencies.clone().flatten().count();
    let is_even = count == 0 || count == latencies.clone().count();
    let named = latencies.flatten().map(|latency| latency.name);
    let mut names = named.filter(|name| !name.is_empty());
    let name = names.next().unwrap_or("latency");
    (is_even && names.all(|other| other == name)).then_some(name)
}

/// The name of a side: `with it` beside `without the patch` is `with the patch`.
fn named_in_full<'a>(side: &'a str, sides: &[&str]) -> Option<Cow<'a, str>> {
    let Some((word, "it" | "them")) = side.split_once(' ') else {
        return Some(Cow::Borrowed(side));
    };
    let mut others = sides.iter().filter_map(|other| other.split_once(' '));
    let is_other = |other: &str| !other.eq_ignore_ascii_case(word);
    let (_, patch) = others.find(|(other, patch)| is_other(other) && *patch != "it")?;
    Some(Cow::Owned(format!("{word} {patch}")))
}

/// Whether a sentence names one side and has one figure, so that the next one may have the other.
pub fn is_half(text: &str) -> bool {
    let (_, _, text) = labelled(text);
    let pieces = split(text, 1);
    let words = words_of(text, &pieces, kind_of_sides(text, &pieces));
    matches!(
        words.as_deref(),
        Some([Word::Side(_), Word::Figure { .. }] | [Word::Figure { .. }, Word::Side(_)])
    )
}

/// The rate that a line begins with, if the rest of it is its side: `512 MB/s (6.1)`,
/// `512 MB/s with 6.1`.
pub fn rate_of_side(line: &Line, text: &str) -> Option<Observation> {
    const MAX_WORDS: usize = 6;
    if !text.starts_with(|c: char| c.is_ascii_digit()) || !super::may_compare(text) {
        return None;
    }
    let pieces = split(text, 1);
    let first = *pieces.first().filter(|_| pieces.len() <= MAX_WORDS)?;
    let (figure, is_pair) = figure_at(text, first, pieces.get(1).copied())?;
    let behind = &pieces[1 + usize::from(is_pair)..];
    let side = side_behind(text, behind).filter(|_| figure.is_rate())?;
    let is_end = behind.last().is_some_and(|last| last.text.contains(side));
    (is_end || side.contains(' ')).then(|| observation(line, figure, "", Some(side), None))?
}

/// What is in front of a sentence, if it names no side: its label or only an introduction.
fn labelled(text: &str) -> (&str, Option<&str>, &str) {
    let Some((front, rest)) = text.split_once(": ") else {
        return ("", None, text);
    };
    let pieces = split(front, 1);
    let is_side = |index: usize| side_at(front, &pieces, index, None).is_some();
    let is_front = pieces.len() <= MAX_FRONT_WORDS && !(0..pieces.len()).any(is_side);
    if !is_front || front.contains(',') || cell::figure(front).is_some() {
        return ("", None, text);
    }
    let is_label = pieces.len() <= MAX_LABEL_WORDS && !kind::is_sentence(front);
    (front, is_label.then_some(front.trim()), rest)
}

/// What names the sides where no release and no word such as `old` does: schedulers, file systems.
fn kind_of_sides(text: &str, pieces: &[Piece]) -> Option<&'static str> {
    if (0..pieces.len()).any(|index| side_at(text, pieces, index, None).is_some()) {
        return None;
    }
    let kinds = pieces
        .iter()
        .filter_map(|piece| labels::dimension_of(trimmed(piece)));
    let mut kinds = kinds.collect::<Vec<_>>();
    kinds.dedup();
    match kinds[..] {
        [kind] => Some(kind),
        _ => None,
    }
}

fn trimmed<'a>(piece: &Piece<'a>) -> &'a str {
    trimmed_text(piece.text)
}

fn trimmed_text(text: &str) -> &str {
    text.trim_matches([',', ';', ':', '(', ')'])
}

/// The name of a side that begins with a word, and the number of its words.
fn side_at<'a>(
    text: &'a str,
    pieces: &[Piece<'a>],
    index: usize,
    kind: Option<&str>,
) -> Option<(&'a str, usize)> {
    let word = trimmed(pieces.get(index)?);
    let is_word = SIDE_WORDS
        .iter()
        .any(|side| word.eq_ignore_ascii_case(side));
    // `after upgrading to 6.1` is about 6.1.
    let behind = pieces.iter().skip(index + 1).take(MAX_CLAUSE_WORDS);
    let begins_clause = ["before", "after"].contains(&word.to_ascii_lowercase().as_str())
        && behind.map(trimmed).any(labels::is_kernel_form);
    let is_word = is_word && !begins_clause || words::sets_value(word);
    let next = pieces.get(index + 1).map(trimmed);
    // `none of the disks` is no scheduler.
    let is_named = kind.is_some() && labels::dimension_of(word) == kind && next != Some("of");
    if is_word || is_named || labels::is_kernel_form(word) {
        return Some((word, 1));
    }
    let three = [0, 1, 2].map(|offset| pieces.get(index + offset).map_or("", trimmed));
    if let Some(count) = labels::distribution_words(&three) {
        // `RHEL 8 (4.18.0-372)`
        let kernel = pieces.get(index + count);
        let is_kernel =
            |piece: &&Piece| piece.text.starts_with('(') && labels::is_kernel_form(trimmed(piece));
        let count = count + usize::from(kernel.filter(is_kernel).is_some());
        let shown = &text[pieces[index].start..pieces[index + count - 1].end];
        return Some((shown.trim_end_matches([',', ';', ':', '.']), count));
    }
    if !word.eq_ignore_ascii_case("with") && !word.eq_ignore_ascii_case("without") {
        return None;
    }
    if let Some("it" | "them") = next {
        let shown = &text[pieces[index].start..pieces[index + 1].end];
        return Some((shown.trim_end_matches([',', ')']), 2));
    }
    let count = match next {
        Some("the" | "this" | "that" | "these" | "my" | "your") => 3,
        _ => 2,
    };
    let last = pieces.get(index + count - 1)?;
    let start = pieces[index].start + usize::from(pieces[index].text.starts_with('('));
    let shown = text[start..last.end].trim_end_matches([',', ';', ':', ')']);
    PATCHES.contains(&trimmed(last)).then_some((shown, count))
}

/// The sides and figures of a sentence; `None` if it has other numbers.
fn words_of<'a>(text: &'a str, pieces: &[Piece<'a>], kind: Option<&str>) -> Option<Vec<Word<'a>>> {
    let mut found: Vec<Word> = Vec::new();
    let mut index = 0;
    let mut takes_time = false;
    while let Some(&piece) = pieces.get(index) {
        let figure = figure_at(text, piece, pieces.get(index + 1).copied());
        takes_time |= DURATION_VERBS.contains(&piece.text);
        let is_result = |figure: &CellFigure| figure.is_rate() || takes_time && is_time(figure);
        if let Some((first, is_pair)) = figure.filter(|(figure, _)| is_result(figure)) {
            index += 1 + usize::from(is_pair);
            let (aside, count) = cell::aside(text[pieces[index - 1].end..].trim_start(), first);
            index += count;
            let behind = first.is_rate().then(|| latency_behind(text, pieces, index));
            let (latency, next) = behind
                .flatten()
                .map_or((None, index), |(latency, next)| (Some(latency), next));
            index = next;
            let figures = Figures {
                first,
                aside,
                latency,
            };
            found.push(Word::Figure { figures, next });
            continue;
        }
        if let Some(count) = parameters(&pieces[index..]) {
            index += count;
            continue;
        }
        // `3.2 seconds` is no release.
        let has_unit = figure.is_some_and(|(figure, _)| figure.quantity.scale.is_some());
        let side = side_at(text, pieces, index, kind).filter(|_| !has_unit);
        if let Some((side, count)) = side {
            found.push(Word::Side(side));
            index += count;
        } else if trimmed(&piece).contains(|c: char| c.is_ascii_digit())
            && !is_size(trimmed(&piece))
        {
            return None;
        } else {
            index += 1;
        }
    }
    Some(found)
}

/// The number of pieces of a bracket with parameters that some pieces begin with:
/// `(bs=1M, iodepth=16, 60 seconds)`.
fn parameters(pieces: &[Piece]) -> Option<usize> {
    const MAX_PIECES: usize = 10;
    let first = pieces.first()?.text;
    let mut inner = pieces.iter().take(MAX_PIECES);
    let last = inner.position(|piece| piece.text.trim_end_matches([',', '.']).ends_with(')'))?;
    (first.starts_with('(') && first.contains('=')).then_some(last + 1)
}

fn is_time(figure: &CellFigure) -> bool {
    unit(figure) == Some(Unit::Nanoseconds)
}

/// The latency that was measured together with the rate in front of a piece, and the index of the
/// piece behind it: `at 3.2 ms`, `with a mean latency of 3.2 ms`.
fn latency_behind<'a>(
    text: &'a str,
    pieces: &[Piece<'a>],
    index: usize,
) -> Option<(Latency<'a>, usize)> {
    let is_name = |word: &str| {
        describe(word).kind == Some(Kind::Latency)
            || words::is_statistic(word)
            || words::is_percentile(word)
    };
    let is_companion = COMPANIONS.contains(&trimmed(pieces.get(index)?));
    let begin = index + 1;
    let mut places = begin..pieces.len().min(begin + MAX_LATENCY_WORDS + 1);
    let place = places.find(|place| {
        let figure = figure_at(text, pieces[*place], pieces.get(place + 1).copied());
        figure.is_some_and(|(figure, _)| is_time(&figure))
    })?;
    let (figure, is_pair) = figure_at(text, pieces[place], pieces.get(place + 1).copied())?;
    let front = &pieces[begin..place];
    let is_between = |word: &str| is_name(word) || ["a", "an", "of", "the"].contains(&word);
    let behind = place + 1 + usize::from(is_pair);
    let is_end = pieces[behind - 1].text.ends_with([',', ';', '.', ')']);
    let count = pieces[behind..]
        .iter()
        .take(if is_end { 0 } else { MAX_LATENCY_WORDS })
        .take_while(|word| is_name(trimmed(word)))
        .count();
    let named = match count {
        0 => front.iter().filter(|word| is_name(word.text)).collect(),
        _ => pieces[behind..behind + count].iter().collect::<Vec<_>>(),
    };
    let name = match named[..] {
        [] => "",
        [first, ..] => trimmed_text(&text[first.start..named[named.len() - 1].end]),
    };
    let is_latency = is_companion && front.iter().all(|word| is_between(word.text));
    is_latency.then_some((Latency { figure, name }, behind + count))
}

type Pair<'a> = (Figures<'a>, &'a str);

/// The figures with their sides, if these are in front of all or behind all of them, or one each:
/// of two names beside a figure, nobody knows which one is its side.
fn paired<'a>(text: &str, pieces: &[Piece], words: &[Word<'a>]) -> Option<Vec<Pair<'a>>> {
    if !words.len().is_multiple_of(2) {
        return None;
    }
    if pieces.iter().any(|piece| trimmed(piece) == "respectively") {
        return respective(words);
    }
    let is_side = |index: usize| matches!(words.get(index), Some(Word::Side(_)));
    // `512 MB/s on 5.15, but since 6.1 it is only 388 MB/s`: each name can only be of one figure.
    let place = |shown: &str| shown.as_ptr() as usize - text.as_ptr() as usize;
    let begin = |word: &Word| match word {
        Word::Side(side) => place(side),
        Word::Figure { figures, .. } => place(figures.first.shown),
    };
    let has_comma = || text[begin(&words[1])..begin(&words[2])].contains([',', ';']);
    let is_turned = words.len() == 4 && is_side(1) == is_side(2) && has_comma();
    words
        .chunks(2)
        .map(|pair| match *pair {
            [Word::Side(side), Word::Figure { figures, next }] if is_side(0) || is_turned => {
                // `the old 500 MB/s disk` is what something is called.
                let is_end = text[..pieces[next - 1].end].ends_with([',', ';', ')', '.']);
                let next = pieces.get(next).map(|next| next.text.trim_end_matches(','));
                let is_linked = next.is_none_or(|next| LINKS.contains(&next));
                (is_end || is_linked).then_some((figures, side))
            }
            [Word::Figure { figures, next }, Word::Side(side)] if !is_side(0) || is_turned => {
                let behind = side_behind(text, pieces.get(next..)?)?;
                (behind == side).then_some((figures, side))
            }
            _ => None,
        })
        .collect()
}

/// The figures with their sides, if all sides are in front of all figures or behind them:
/// `5.10 and 5.15 reach 512 MB/s and 480 MB/s, respectively`.
fn respective<'a>(words: &[Word<'a>]) -> Option<Vec<Pair<'a>>> {
    let (first, second) = words.split_at(words.len() / 2);
    let (sides, figures) = match first.first()? {
        Word::Side(_) => (first, second),
        Word::Figure { .. } => (second, first),
    };
    let pairs = sides.iter().zip(figures).map(|pair| match pair {
        (Word::Side(side), Word::Figure { figures, .. }) => Some((*figures, *side)),
        _ => None,
    });
    pairs.collect()
}

/// Whether `before` or `after` tells when something happened: `512 MB/s before it crashed`.
fn begins_clause(words: &[Piece]) -> bool {
    const SUBJECTS: [&str; 6] = ["it", "that", "i", "we", "they", "which"];
    let [first, second, rest @ ..] = words else {
        return false;
    };
    let is_time = ["before", "after"].contains(&first.text.to_ascii_lowercase().as_str());
    let subject = second.text.to_ascii_lowercase();
    is_time && SUBJECTS.contains(&subject.as_str()) && !rest.is_empty()
}

/// The side that words behind a figure name: `on the old kernel`, `(6.1)`, `before`.
pub fn side_behind<'a>(text: &'a str, words: &[Piece<'a>]) -> Option<&'a str> {
    let first = words.first()?;
    let kind = words.iter().find_map(|w| labels::dimension_of(trimmed(w)));
    if let Some((side, _)) = side_at(text, words, 0, kind) {
        // `512 MB/s 6.1` may be a row of a table.
        let is_word = side.starts_with(char::is_alphabetic) || first.text.starts_with('(');
        return (is_word && !begins_clause(words)).then_some(side);
    }
    let is_place = PLACES.contains(&trimmed(first));
    let mut indices = 1..words.len().min(MAX_BETWEEN);
    indices
        .find_map(|index| side_at(text, words, index, kind))
        .filter(|_| is_place)
        .map(|(side, _)| side)
}

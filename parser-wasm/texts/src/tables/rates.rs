//! Lines with several figures: those of sides, `read: 512 -> 431 MB/s` and `read: base 512 MB/s,
//! patched 530`, and of repeats of a side.

pub mod operations;

use super::cell::{self, CellFigure};
use super::list::label::{SIDE_WORDS, label_within};
use super::list::observed::observation;
use super::pieces::split;
use super::words::{self, describe};
use crate::line::Line;
use crate::observation::Observation;
use crate::quantity::{Quantity, number, scale_of};

/// Limits for the words and bytes of the label of two figures.
const MAX_COMPARED_WORDS: usize = 12;
const MAX_COMPARED: usize = 90;
/// What is between the figures of two sides.
const ARROWS: [&str; 5] = ["->", "=>", "\u{2192}", " vs. ", " vs "];
/// What is in front of the figure before a change.
const WAS: &str = " (was ";
/// Letters behind a number that multiply it.
const PREFIXES: [char; 4] = ['k', 'K', 'm', 'M'];
/// Bytes of a line of rates.
const MAX_RATES: usize = 160;

/// The two figures of `label: 512 -> 431 MB/s`, `label: 145 MB/s (before) vs 114 MB/s (after)`,
/// `label: from 512 to 431 MB/s`; `None` for other lines.
pub fn comparison(line: &Line, text: &str) -> Option<Option<Vec<Observation>>> {
    // Most lines have none of them, and need no label.
    let is_marked = text.contains(['>', '\u{2192}']) || text.contains(" vs");
    if !is_marked && !text.contains(" from ") && !text.contains(WAS) {
        return None;
    }

    // Two figures make a result of a long label, too.
    // `Random read now 214 MB/s (was 163 MB/s)`
    let now = || text.split_once(" now ").filter(|_| text.contains(WAS));
    let (label, value) = label_within(text, MAX_COMPARED_WORDS, MAX_COMPARED).or_else(now)?;
    // `from 320k IOPS to 250k IOPS`
    let from = value.strip_prefix("from ").filter(|_| text.contains(": "));
    // `512 MB/s (was 640)`; of a side it may be the figure of another one.
    let was = value
        .strip_suffix(')')
        .and_then(|value| value.split_once(WAS));
    let was = was.filter(|_| !words::name_sides(std::iter::once(label)));
    let (before, after) = match (from, was) {
        (Some(figures), _) => figures.split_once(" to ")?,
        (None, Some((after, before))) => (before, after),
        (None, None) => ARROWS.iter().find_map(|arrow| value.split_once(arrow))?,
    };
    let (after, both) = with_sides(after);
    let (before, first) = named(before);
    let (after, second) = named(after);
    let figures = cell::figure(after).and_then(|after| Some((with_unit_of(before, after)?, after)));
    let both = figures.and_then(|(before_figure, after_figure)| {
        let names = both.or(first.zip(second)).unwrap_or(("before", "after"));
        let sides = [
            (names.0, before, before_figure),
            (names.1, after, after_figure),
        ];
        let found =
            sides.map(|(side, value, figure)| with_aside(line, value, figure, label, Some(side)));
        Some(found.into_iter().collect::<Option<Vec<_>>>()?.concat())
    });
    Some(both)
}

/// A figure with the rate of another kind in brackets behind it: `101k IOPS (395 MiB/s)`. Of a
/// label that names a metric, the other figure may be of anything.
pub fn with_aside(
    line: &Line,
    value: &str,
    figure: CellFigure,
    label: &str,
    side: Option<&str>,
) -> Option<Vec<Observation>> {
    let mut found = vec![observation(line, figure, label, side, None)?];
    let open = value.find('(').filter(|_| !describe(label).is_metric());
    let aside = open.and_then(|open| cell::aside(&value[open..], figure).0);
    found.extend(aside.and_then(|aside| observation(line, aside, label, side, None)));
    Some(found)
}

/// The figures of sides that are named in front of them: `read: base 512 MB/s, patched 530 MB/s`.
/// A figure without a unit has that of the first one.
pub fn named_sides(line: &Line, text: &str) -> Option<Vec<Observation>> {
    if text.len() > MAX_RATES {
        return None;
    }
    let (label, value) = text.split_once(": ")?;
    let parts: Vec<(&str, &str)> = value
        .split([',', ';'])
        .map(|part| {
            let part = part.trim();
            let (name, _) = part.split_once([' ', '=', ':'])?;
            Some((name, part[name.len()..].trim_start_matches([' ', '=', ':'])))
        })
        .collect::<Option<_>>()?;
    if parts.len() < 2 || !words::name_sides(parts.iter().map(|(name, _)| *name)) {
        return None;
    }
    let figures: Vec<CellFigure> = parts
        .iter()
        .map(|(_, value)| cell::figure(value))
        .collect::<Option<_>>()?;
    let shared = figures
        .iter()
        .find(|figure| figure.quantity.scale.is_some());
    let found = parts.iter().zip(&figures).map(|((side, value), &figure)| {
        let figure = match shared {
            Some(&shared) => with_unit_of(value, shared)?,
            None => figure,
        };
        with_aside(line, value, figure, label, Some(side))
    });
    Some(found.collect::<Option<Vec<_>>>()?.concat())
}

/// Figures of sides that are named in front of them, without commas between:
/// `4k old: 120 MB/s new: 130 MB/s`. Each has its unit, or the label implies it.
pub fn sides_in_row(line: &Line, text: &str) -> Option<Vec<Observation>> {
    if text.len() > MAX_RATES || !text.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let is_mark = |c: char| ":=,;|".contains(c);
    let mut sides: Vec<(&str, usize, usize)> = Vec::new();
    for word in split(text, 1) {
        let name = word.text.trim_end_matches(is_mark);
        if SIDE_WORDS
            .iter()
            .any(|side| name.eq_ignore_ascii_case(side))
        {
            sides.push((name, word.start, word.end));
        }
    }
    let is_distinct = |(index, side): (usize, &(&str, usize, usize))| {
        let mut before = sides[..index].iter();
        before.all(|other| !other.0.eq_ignore_ascii_case(side.0))
    };
    let [first, _, ..] = sides.as_slice() else {
        return None;
    };
    let label = text[..first.1].trim().trim_end_matches(is_mark).trim_end();
    if label.split_whitespace().count() > MAX_COMPARED_WORDS
        || !sides.iter().enumerate().all(is_distinct)
    {
        return None;
    }
    let ends = sides[1..].iter().map(|side| side.1).chain([text.len()]);
    let found = sides.iter().zip(ends).map(|(&(side, _, begin), end)| {
        let shown = text[begin..end].trim().trim_end_matches(is_mark);
        let shown = shown.trim_start_matches(is_mark).trim();
        // `Before: IOPS=101k, After: IOPS=120k`
        let is_metric = |(name, _): &(&str, &str)| label.is_empty() && describe(name).is_metric();
        let named = shown.split_once(['=', ':']).filter(is_metric);
        let (label, shown) = named.unwrap_or((label, shown));
        let figure = cell::figure(shown.trim())?;
        // `iops: before 30100 after 32500`
        figure.quantity.scale.or(describe(label).implied())?;
        observation(line, figure, label.trim(), Some(side), None)
    });
    found.collect()
}

/// Figures of one side with a unit behind the last, `base: 1,203 1,199 1,210 MB/s`,
/// `base: 312k/311k/309k IOPS (3 runs)`: what was measured again.
pub fn repeats_of_side(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let (label, value) = text.split_once(": ").filter(|_| text.len() <= MAX_RATES)?;
    let remark = value
        .split_once(" (")
        .filter(|(_, remark)| remark.ends_with("runs)"));
    let value = remark.map_or(value, |(front, _)| front);
    let (figures, unit) = value.trim().rsplit_once(' ')?;
    let at_slashes: Vec<&str> = figures.split('/').map(str::trim).collect();
    // Two figures with a slash between them may be those of reads and writes.
    let figures = match at_slashes.len() > 2 || at_slashes.len() == 2 && remark.is_some() {
        true => at_slashes,
        false => figures.split_whitespace().collect(),
    };
    if figures.len() < 2 || scale_of(unit).is_none() || !words::name_sides(std::iter::once(label)) {
        return None;
    }
    let found = figures.iter().enumerate().map(|(index, shown)| {
        let shown = shown.trim_end_matches([',', ';']);
        number(shown.trim_end_matches(PREFIXES))?;
        let quantity = crate::quantity::quantity(&format!("{shown} {unit}"))?;
        let figure = CellFigure { quantity, shown };
        observation(line, figure, "", Some(label), Some((index + 1).to_string()))
    });
    found.collect()
}

/// A figure, and the names of both sides in brackets behind it: `12.0k IOPS (6.1 vs 6.6)`.
fn with_sides(text: &str) -> (&str, Option<(&str, &str)>) {
    let inner = text
        .trim()
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once(" ("));
    let sides = inner.and_then(|(figure, inner)| {
        let (first, second) = ARROWS.iter().find_map(|arrow| inner.split_once(arrow))?;
        let names = (first.trim(), second.trim());
        words::name_sides([names.0, names.1].into_iter()).then_some((figure, names))
    });
    match sides {
        Some((figure, names)) => (figure, Some(names)),
        None => (text, None),
    }
}

/// A figure, and the words in brackets behind it.
fn named(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    match text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once(" ("))
    {
        Some((figure, name)) if !name.contains(|c: char| c.is_ascii_digit()) => {
            (figure.trim(), Some(name))
        }
        _ => (text, None),
    }
}

/// The first figure of `512 -> 431 MB/s`, `25.6k -> 20.5k IOPS`.
pub fn with_unit_of<'a>(before: &'a str, after: CellFigure) -> Option<CellFigure<'a>> {
    let figure = cell::figure(before)?;
    if figure.quantity.scale.is_some() && !before.trim().ends_with(PREFIXES) {
        return Some(figure);
    }
    let behind = after.shown[crate::quantity::number_length(after.shown)..].trim();
    // The prefix of `20.5k IOPS` belongs to the number, that of `431MB/s` to the unit.
    let plain = behind.trim_start_matches(PREFIXES);
    let is_unit = !before.trim().ends_with(PREFIXES) && !plain.starts_with(' ');
    let unit = match is_unit && scale_of(behind).is_some() {
        true => behind,
        false => plain.trim(),
    };
    let whole = format!("{} {unit}", before.trim());
    let quantity = crate::quantity::quantity(&whole).filter(|q| q.scale.is_some());
    let scale = figure.quantity.scale.or(after.quantity.scale);
    Some(CellFigure {
        quantity: quantity.unwrap_or(Quantity {
            scale,
            ..figure.quantity
        }),
        ..figure
    })
}

//! A row cut into its label and figures.

use super::super::cell;
use super::super::grid::Cell;
use super::super::pieces::{Piece, split};
use super::super::words::{Kind, describe};
use super::behind::take_remarks;
use crate::line::Line;
use crate::quantity::scale_of;

/// Words of the label of a row; longer ones are prose.
pub const MAX_LABEL_WORDS: usize = 6;

/// A row, and the unit behind its figures.
pub type UnitRow<'a> = (Vec<Option<Cell<'a>>>, Option<&'a str>);

pub fn row<'a>(line: &'a Line, headings: usize, head: &[Piece]) -> Option<UnitRow<'a>> {
    let fits = |count: usize| (headings..=headings + 1).contains(&count);
    let mut wide = split(line.text(), 2);
    let unit = take_remarks(&mut wide, headings, head);
    split_label(&mut wide, headings, head);
    let is_apart = !begins_with_label(&wide, headings, head) && !wide.iter().any(is_crammed);
    let pieces = if fits(wide.len()) && wide.len() > 1 && is_apart {
        wide
    } else {
        tight(line.text(), headings)?
    };
    // A label in front of all headings is no figure of theirs: `4k random IOPS` is no row.
    let mut figures = pieces.iter().skip(usize::from(pieces.len() > headings));
    let has_figure = figures.any(|piece| {
        let text = piece.text;
        let is_figure = cell::figure(text).is_some() || cell::is_several(text);
        // `none  bfq  none  bfq` is a line of headings.
        let is_absent = cell::is_absent(text) && text != "none";
        is_figure || is_absent || cell::is_inexact(text)
    });
    let label_words = pieces
        .first()
        .map_or(0, |piece| piece.text.split_whitespace().count());
    (has_figure && label_words <= MAX_LABEL_WORDS).then(|| {
        let lacks_change = lacks_change(&pieces, head);
        let cells = pieces.iter().map(|piece| Some(Cell::new(line, piece.text)));
        let cells = cells.chain(lacks_change.then_some(None));
        (cells.collect(), unit.map(|unit| unit.text))
    })
}

/// Whether a piece holds two figures with their units, one blank apart: `312.1 MB/s 311.2 MB/s`.
fn is_crammed(piece: &Piece) -> bool {
    let words: Vec<&str> = piece.text.split(' ').collect();
    let is_figure =
        |pair: &[&str]| crate::quantity::number(pair[0]).is_some() && scale_of(pair[1]).is_some();
    words.len() >= 4 && words.len().is_multiple_of(2) && words.chunks_exact(2).all(is_figure)
}

/// Whether the first figure of a row has one blank between itself and its label:
/// `avg: 12.062    12.138` below two headings, or a figure below the first heading alone.
fn begins_with_label(pieces: &[Piece], headings: usize, head: &[Piece]) -> bool {
    let Some((first, (label, last))) = pieces
        .first()
        .and_then(|first| Some((first, first.text.rsplit_once(' ')?)))
    else {
        return false;
    };
    let is_row = cell::figure(first.text).is_none() && cell::figure(last).is_some();
    let is_below = |heading: &Piece| {
        first.start + label.len() <= heading.start
            && first.end > heading.start
            && first.end - last.len() < heading.end
    };
    let is_apart = label.ends_with(':') || head.first().is_some_and(is_below);
    pieces.len() == headings && is_row && is_apart
}

/// Whether a row has a label without a heading, and no cell below the last heading, which is one of
/// changes: `read   512   520` below `base   patched   diff vs base`.
fn lacks_change(pieces: &[Piece], head: &[Piece]) -> bool {
    let ([label, figures @ ..], [sides @ .., change]) = (pieces, head) else {
        return false;
    };
    let is_below =
        |(heading, piece): (&Piece, &Piece)| heading.start < piece.end && piece.start < heading.end;
    !sides.is_empty()
        && figures.len() == sides.len()
        && describe(change.text).kind == Some(Kind::Change)
        && label.end <= sides[0].start
        && sides.iter().zip(figures).all(is_below)
}

/// Takes the label off a first figure that has a spread, one blank behind the label, and is below
/// the first heading: `read 12.4k ( +- 1.2%)   13.1k ( +- 0.9%)`.
fn split_label(pieces: &mut Vec<Piece>, headings: usize, head: &[Piece]) {
    let [first, ..] = pieces.as_slice() else {
        return;
    };
    let Some(heading) = head.first().filter(|_| pieces.len() == headings) else {
        return;
    };
    let cut = first.text.match_indices(' ').find_map(|(blank, _)| {
        let (label, figure) = (&first.text[..blank], &first.text[blank + 1..]);
        let has_spread = |text: &str| cell::figure(text).is_some_and(|cell| cell.shown != text);
        (cell::figure(label).is_none() && has_spread(figure)).then_some(blank)
    });
    let Some(blank) = cut else { return };
    let (label_end, figure_start) = (first.start + blank, first.start + blank + 1);
    if label_end > heading.start || first.end <= heading.start {
        return;
    }
    let label = Piece {
        text: &first.text[..blank],
        start: first.start,
        end: label_end,
    };
    let figure = Piece {
        text: &first.text[blank + 1..],
        start: figure_start,
        end: first.end,
    };
    pieces.splice(..1, [label, figure]);
}

/// Whether what is left for a label holds a figure of another column: `4k   11   88`,
/// `64k read 2900.5 MiB/s`.
fn holds_figure(label: &str) -> bool {
    let columns = split(label, 2);
    cell::ends_with_figure(label)
        || columns
            .iter()
            .skip(1)
            .any(|column| cell::figure(column.text).is_some())
}

/// The words of a row, each spread in brackets with the figure in front of it.
pub fn with_spreads<'a>(words: &[Piece<'a>], text: &'a str) -> Vec<Piece<'a>> {
    let mut joined: Vec<Piece> = Vec::with_capacity(words.len());
    for word in words {
        let is_spread = word.text.starts_with(['(', '[']);
        match joined.last_mut() {
            Some(figure) if is_spread && cell::figure(figure.text).is_some() => {
                figure.end = word.end;
                figure.text = &text[figure.start..word.end];
            }
            _ => joined.push(*word),
        }
    }
    joined
}

/// A row with single blanks: its last words are figures with their units, the rest is the label.
fn tight(text: &str, headings: usize) -> Option<Vec<Piece<'_>>> {
    let mut words = split(text, 1);
    // `read 512 530 (+3.5%)` has three cells.
    let joined = with_spreads(&words, text);
    if joined.len() == headings && words.len() > headings {
        words = joined;
    }
    // `0   12.45 MB/sec   0.669` has three cells, not four.
    let is_unit = |pair: &[Piece]| {
        scale_of(pair[1].text).is_some() && crate::quantity::number(pair[0].text).is_some()
    };
    let fits = words.len() == headings || words.len() == headings + 1;
    if fits && !words.windows(2).any(is_unit) {
        return Some(words);
    }
    let mut values: Vec<Piece> = Vec::new();
    let mut end = words.len();
    while end > 0 && values.len() < headings {
        let last = words[end - 1];
        let two = (end >= 2).then(|| &text[words[end - 2].start..last.end]);
        if let Some(two) =
            two.filter(|two| cell::figure(two).is_some() && cell::figure(last.text).is_none())
        {
            values.push(Piece {
                text: two,
                start: words[end - 2].start,
                end: last.end,
            });
            end -= 2;
        } else if cell::figure(last.text).is_some() || cell::is_absent(last.text) {
            values.push(last);
            end -= 1;
        } else {
            break;
        }
    }
    values.reverse();
    if end == 0 {
        return (values.len() == headings).then_some(values);
    }
    let label = Piece {
        text: &text[words[0].start..words[end - 1].end],
        start: words[0].start,
        end: words[end - 1].end,
    };
    // Where blanks are lost, the number in front of the first figure is that of another column.
    let is_near = values
        .first()
        .is_some_and(|first| first.start == label.end + 1);
    let ends_with_number = cell::figure(words[end - 1].text).is_some();
    if values.len() != headings && values.len() + 1 != headings
        || holds_figure(label.text)
        || is_near && ends_with_number
    {
        return None;
    }
    let mut all = vec![label];
    all.append(&mut values);
    Some(all)
}

//! The rows below headings: those that fit, and the lines between them.

use super::super::cell;
use super::super::grid::{Cell, is_rule};
use super::super::pieces::{Piece, split};
use super::super::words::{self, is_dimension, is_plain_operation};
use super::row::{MAX_LABEL_WORDS, row, with_spreads};
use crate::line::Line;
use seekscope_notes::labels;

const MAX_ROWS: usize = 2000;

/// A table ends at a blank line.
pub fn ends_block(line: &Line) -> bool {
    line.is_blank() || line.text().trim_start().starts_with("```")
}

/// Rows of a body, and how many of its lines they take with the rules between them.
#[derive(Default)]
pub struct Rows<'a> {
    pub rows: Vec<Vec<Option<Cell<'a>>>>,
    /// The caption above each row: `before:`.
    pub captions: Vec<Option<Cell<'a>>>,
    /// The unit behind all rows, which has no heading: `read   512.3   531.1   MB/s`.
    pub unit: Option<&'a str>,
    pub lines: usize,
}

/// The rows from the first line on whose cells fit; a row has a cell for each heading, and perhaps
/// a label before them.
pub fn rows<'a>(body: &'a [Line], headings: usize, head: &[Piece]) -> Rows<'a> {
    let mut found = Rows::default();
    let mut caption = None;
    for (index, line) in body.iter().take(MAX_ROWS).enumerate() {
        if is_rule(line.text()) && !line.is_blank() {
            continue;
        }
        if !found.rows.is_empty() && cell::are_spreads(line.text()) {
            found.lines = index + 1;
            continue;
        }
        let next = body.get(index + 1);
        // Long tables repeat their headings.
        if !found.rows.is_empty() && are_headings_again(line, head) {
            continue;
        }
        let side = || side_of(line, head);
        let text = caption_of(line)
            .or_else(|| outdented(line, next?))
            .or_else(side);
        if let Some(text) = text
            && next.is_some_and(|next| row(next, headings, head).is_some())
        {
            caption = Some(Cell::new(line, text));
            continue;
        }
        // A label in front of all headings, and fewer figures than these; other rows have all.
        let width = match found.rows.first() {
            Some(first) => Some(first.len()),
            None => next.map(|next| split(next.text(), 2).len()),
        };
        let is_labelled = !head.is_empty() && width == Some(head.len() + 1);
        let Some((row, unit)) = Some(line)
            .filter(|line| !ends_block(line))
            .and_then(|line| {
                let lacking = below(line, head).filter(|row| is_labelled && row.len() > head.len());
                let lacking = lacking.map(|row| (row, None));
                lacking.or_else(|| row(line, headings, head)).or_else(|| {
                    let lower = below(line, head)?;
                    (lower[0].is_some() || !found.rows.is_empty()).then_some((lower, None))
                })
            })
        else {
            break;
        };
        if found.rows.is_empty() {
            found.unit = unit;
        } else if found.unit != unit && (unit.is_some() || !is_of_operation(&row)) {
            break;
        }
        let width = found.rows.first().map_or(row.len(), Vec::len);
        // `read MB/s   512   431` has the columns of `write MB/s 412   331`.
        let Some(row) = Some(row)
            .filter(|row| row.len() == width)
            .or_else(|| behind_label(line, width))
        else {
            break;
        };
        found.rows.push(row);
        found.captions.push(caption);
        found.lines = index + 1;
    }
    found
}

/// The rows below words one blank apart of which the first stands above labels,
/// `MB/s before after` or `test before after`: these have as many words as are left before the
/// figures.
pub fn rows_below_corner<'a>(body: &'a [Line], headings: usize) -> Rows<'a> {
    let lines = body.iter().take(MAX_ROWS);
    let rows = lines.map_while(|line| behind_label(line, headings));
    let rows: Vec<_> = rows.collect();
    Rows {
        captions: vec![None; rows.len()],
        lines: rows.len(),
        rows,
        unit: None,
    }
}

/// Whether the label of a row is an operation and nothing else: the unit behind a row above is its
/// unit, too, which is not so for `latency` or `write errors`.
fn is_of_operation(row: &[Option<Cell>]) -> bool {
    let label = row.first().copied().flatten();
    label.is_some_and(|label| is_plain_operation(label.text))
}

/// A row that has no cells below some headings: each of its cells is below another one.
fn below<'a>(line: &'a Line, head: &[Piece]) -> Option<Vec<Option<Cell<'a>>>> {
    let pieces = split(line.text(), 2);
    // A label in front of all headings has none.
    let label = pieces
        .first()
        .zip(head.first())
        .filter(|(label, first)| label.end <= first.start)
        .map(|(label, _)| label);
    let cells = &pieces[usize::from(label.is_some())..];
    let is_figure = |piece: &Piece| cell::figure(piece.text).is_some();
    if pieces.len() < 2
        || cells.len() >= head.len()
        || label.is_some() && !cells.iter().all(is_figure)
    {
        return None;
    }
    let mut row: Vec<Option<Cell>> = vec![None; head.len()];
    let mut next = 0;
    for piece in cells {
        let is_above = |heading: &Piece| heading.start < piece.end && piece.start < heading.end;
        let index = next + head[next..].iter().position(is_above)?;
        row[index] = Some(Cell::new(line, piece.text));
        next = index + 1;
    }
    if let Some(label) = label {
        row.insert(0, Some(Cell::new(line, label.text)));
        return Some(row);
    }
    let has_figure = pieces[1..]
        .iter()
        .any(|piece| cell::figure(piece.text).is_some());
    // A label that is named once holds for the rows below it, which have all other cells, and
    // another label first. Numbers alone may be the spreads of the row above.
    let has_label = |(heading, cell): (&Piece, Cell)| {
        is_dimension(heading.text) || cell::figure(cell.text).is_none()
    };
    let second = head.get(1).zip(row.get(1).copied().flatten());
    let lacks_label = row[0].is_none()
        && row.len() > 2
        && row[1..].iter().all(Option::is_some)
        && second.is_some_and(has_label);
    ((row[0].is_some() || lacks_label) && has_figure).then_some(row)
}

/// A row whose label has as many words as are left before its figures.
pub fn behind_label(line: &Line, width: usize) -> Option<Vec<Option<Cell<'_>>>> {
    let text = line.text();
    let words = with_spreads(&split(text, 1), text);
    let front = words.len().checked_sub(width.checked_sub(1)?)?;
    let (label, figures) = words.split_at_checked(front)?;
    let (first, last) = label.first().zip(label.last())?;
    let is_figure = |piece: &Piece| cell::figure(piece.text).is_some();
    let name = &text[first.start..last.end];
    let is_label = !label.iter().any(is_figure) || labels::repeat_of(name).is_some();
    let fits = is_label && figures.iter().all(is_figure);
    (fits && label.len() <= MAX_LABEL_WORDS).then(|| {
        let label = Cell::new(line, name);
        let figures = figures.iter().map(|piece| Cell::new(line, piece.text));
        std::iter::once(label).chain(figures).map(Some).collect()
    })
}

/// `before:` alone in a line between rows.
fn caption_of(line: &Line) -> Option<&str> {
    let text = line.text().trim().strip_suffix(':')?;
    (split(text, 2).len() == 1 && text.split_whitespace().count() <= MAX_LABEL_WORDS)
        .then_some(text)
}

/// Whether a line has the texts of the headings, and several of them.
fn are_headings_again(line: &Line, head: &[Piece]) -> bool {
    let pieces = split(line.text(), 2);
    let is_same = |(piece, heading): (&Piece, &Piece)| piece.text == heading.text;
    head.len() > 1 && pieces.len() == head.len() && pieces.iter().zip(head).all(is_same)
}

/// The side that is alone in a line between rows, at its begin. `5.15 6.1` is a line of headings.
fn side_of<'a>(line: &'a Line, head: &[Piece]) -> Option<&'a str> {
    let [first, _, ..] = head else {
        return None;
    };
    let text = line.text().trim();
    let indent = line.text().len() - line.text().trim_start().len();
    let is_side = |text| words::name_sides(std::iter::once(text));
    let sides = text.split_whitespace().filter(|word| is_side(word));
    let is_alone = split(text, 2).len() == 1 && indent <= first.start;
    (is_alone && is_side(text) && sides.count() == 1).then_some(text)
}

/// The words of a line in front of indented rows: `IOPS` above `  randread   101k   120k`.
fn outdented<'a>(line: &'a Line, next: &Line) -> Option<&'a str> {
    let indent = |line: &Line| line.text().len() - line.text().trim_start().len();
    let text = line.text().trim();
    let words = text.split_whitespace();
    let is_title = split(text, 2).len() == 1
        && text.starts_with(char::is_alphabetic)
        && !text.ends_with(['.', ',', ';', '?', '!'])
        && words.clone().count() <= MAX_LABEL_WORDS
        && words.clone().all(|word| cell::figure(word).is_none());
    (is_title && indent(line) < indent(next)).then_some(text)
}

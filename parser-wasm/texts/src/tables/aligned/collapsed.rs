//! Headings and rows of which an archive, a form or a page has left one of several blanks: which
//! words are one heading.

use super::super::cell;
use super::super::pieces::{Piece, split};
use super::super::words::{describe, is_plain_operation, is_statistic};
use super::body::behind_label;
use super::is_measured;
use super::row::with_spreads;
use crate::line::Line;
use crate::observation::Unit;
use crate::quantity::scale_of;

/// Lines below the headings among which the first row is: a caption may be between them.
const MAX_CAPTIONS: usize = 2;

/// The headings of some words one blank apart: as many as the first row has cells, if joining words
/// that belong together gives so many. `kernel MB/s avg lat (us)` has three.
pub fn headings<'a>(words: &[Piece<'a>], text: &'a str, body: &[Line]) -> Vec<Piece<'a>> {
    let with_units = with_units(words, text);
    let Some(count) = cells(body).filter(|count| *count < with_units.len()) else {
        return with_units;
    };
    // `Avg time`, `seq read`.
    let qualified = joined(&with_units, text, |front, word| {
        is_qualifier(front.text) && !is_qualifier(word.text)
    });
    if qualified.len() == count {
        return qualified;
    }
    // `Read MB/s`, as if it were `Read (MB/s)`.
    let measured = joined(&qualified, text, |front, word| {
        // `min` may be minutes.
        let is_unit = |word: &Piece| scale_of(word.text).is_some() && !is_qualifier(word.text);
        is_unit(word) && !is_unit(front)
    });
    if measured.len() == count {
        measured
    } else {
        with_units
    }
}

/// Whether the first row has a cell for each heading, and two figures or more.
pub fn fit(headings: &[Piece], body: &[Line]) -> bool {
    headings.len() > 2 && cells(body) == Some(headings.len())
}

/// The number of cells of the first row with two figures or more.
fn cells(body: &[Line]) -> Option<usize> {
    let rows = body.iter().take(MAX_CAPTIONS + 1);
    let cells = rows.map(|row| with_spreads(&split(row.text(), 1), row.text()));
    let is_figure = |piece: &&Piece| cell::figure(piece.text).is_some();
    cells
        .map(|cells| (cells.iter().filter(is_figure).count(), cells.len()))
        .find_map(|(figures, count)| (figures > 1).then_some(count))
}

fn is_qualifier(word: &str) -> bool {
    let lower = word.to_lowercase();
    let is_known = [
        "best",
        "peak",
        "total",
        "seq",
        "rand",
        "random",
        "sequential",
    ];
    is_statistic(&lower) || is_known.contains(&lower.as_str())
}

/// The words, each one joined with the word in front of it where both are one heading.
fn joined<'a>(
    words: &[Piece<'a>],
    text: &'a str,
    are_one: impl Fn(&Piece, &Piece) -> bool,
) -> Vec<Piece<'a>> {
    let mut joined: Vec<Piece> = Vec::with_capacity(words.len());
    let mut is_end = false;
    for word in words {
        match joined.last_mut() {
            Some(heading) if !is_end && are_one(heading, word) => {
                heading.end = word.end;
                heading.text = &text[heading.start..word.end];
                is_end = true;
            }
            _ => {
                joined.push(*word);
                is_end = false;
            }
        }
    }
    joined
}

/// The words, each unit in brackets with the word in front of it: `test before (MB/s) after (MB/s)`
/// has three.
fn with_units<'a>(words: &[Piece<'a>], text: &'a str) -> Vec<Piece<'a>> {
    joined(words, text, |_, word| {
        word.text.starts_with('(') && describe(word.text).scale.is_some()
    })
}

/// Whether the first of some words one blank apart stands above labels: it is a unit and no other
/// word is one, or the first row has a label of several words.
pub fn is_corner(first: &Piece, words: &[Piece], body: &[Line]) -> bool {
    let is_unit = scale_of(first.text).is_some_and(|scale| scale.unit != Unit::Share);
    if is_unit && !words[1..].iter().any(|word| is_measured(word.text)) {
        return true;
    }
    !is_measured(first.text)
        && body.first().is_some_and(|row| {
            split(row.text(), 1).len() > words.len() && behind_label(row, words.len()).is_some()
        })
}

/// Whether a word of the headings that is no metric and no release is there twice.
pub fn repeats_noun(words: &[Piece]) -> bool {
    let is_noun = |word: &Piece| {
        let is_name = word.text.starts_with(|c: char| c.is_alphabetic());
        is_name && !is_measured(word.text) && !is_plain_operation(word.text)
    };
    let is_repeated = |(index, word): (usize, &Piece)| {
        is_noun(word) && words[..index].iter().any(|other| other.text == word.text)
    };
    words.iter().enumerate().any(is_repeated)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(heads: &str, row: &str) -> Vec<String> {
        let body = [Line::new(row, 1)];
        let found = headings(&split(heads, 1), heads, &body);
        found.iter().map(|piece| piece.text.to_owned()).collect()
    }

    #[test]
    fn words_of_one_heading_are_joined_if_the_row_has_so_many_cells() {
        let cases: [(&str, &str, &[&str]); 6] = [
            (
                "kernel bs MB/s avg lat (us)",
                "6.1 4k 101.2 1288",
                &["kernel", "bs", "MB/s", "avg lat (us)"],
            ),
            (
                "Device Read MB/s Write MB/s",
                "sda 512.3 480.1",
                &["Device", "Read MB/s", "Write MB/s"],
            ),
            (
                "Function Best Rate MB/s Avg time Min time",
                "Copy: 12311.1 0.013211 0.012996",
                &["Function", "Best Rate MB/s", "Avg time", "Min time"],
            ),
            (
                "test old (MB/s) new (MB/s)",
                "seq read 512 431",
                &["test", "old (MB/s)", "new (MB/s)"],
            ),
            ("test old new", "read 512 431", &["test", "old", "new"]),
            (
                "test min avg max",
                "read 5 12",
                &["test", "min", "avg", "max"],
            ),
        ];
        for (heads, row, expected) in cases {
            assert_eq!(texts(heads, row), expected, "{heads}");
        }
    }
}

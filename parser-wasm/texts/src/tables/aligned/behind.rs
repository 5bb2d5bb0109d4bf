//! What rows of aligned tables have behind their figures: the unit of all of them, and changes that
//! the text has computed itself. Counted as cells, they would move the figures below the headings
//! of others.

use crate::quantity::scale_of;
use crate::tables::cell;
use crate::tables::pieces::Piece;
use crate::tables::words::{Kind, describe};

/// Takes a unit and a change without headings off a row, `read   512   531   MB/s   (+3.7%)`: the
/// unit.
pub fn take_remarks<'a>(
    row: &mut Vec<Piece<'a>>,
    headings: usize,
    head: &[Piece],
) -> Option<Piece<'a>> {
    let is_unit = |piece: &Piece| scale_of(piece.text).is_some();
    if let [.., unit, last] = row.as_slice()
        && row.len() > headings + 1
        && is_unit(unit)
        && cell::is_change(last.text)
    {
        row.pop();
    }
    let is_more = match row.len().checked_sub(headings) {
        Some(1) => is_behind(row, head),
        Some(2) => true,
        _ => false,
    };
    let unit = if is_more && row.last().is_some_and(is_unit) {
        row.pop()
    } else {
        None
    };
    if headings > 1 && ends_with_change(row, headings, head) {
        row.pop();
    }
    unit
}

/// Whether a row ends with a change behind the last heading, or with the second piece more than
/// there are headings.
fn ends_with_change(row: &[Piece], headings: usize, head: &[Piece]) -> bool {
    let Some(last) = row.last() else {
        return false;
    };
    let is_change = cell::is_change(last.text);
    match row.len().checked_sub(headings) {
        Some(1) => is_change && is_behind(row, head),
        Some(2) => {
            is_change && last.text.starts_with('(')
                || last.text.ends_with('%') && ends_behind(row, head)
        }
        _ => false,
    }
}

/// Whether the labels of a row have a heading, and its last piece has none.
fn is_behind(row: &[Piece], head: &[Piece]) -> bool {
    let starts_below = head
        .first()
        .zip(row.first())
        .is_some_and(|(heading, label)| heading.start < label.end);
    starts_below && ends_behind(row, head)
}

/// Whether the last piece is behind the last heading, and that heading is not one of changes.
fn ends_behind(row: &[Piece], head: &[Piece]) -> bool {
    let last = head.last().zip(row.last());
    last.is_some_and(|(heading, last)| {
        heading.end <= last.start && describe(heading.text).kind != Some(Kind::Change)
    })
}

//! Lines above rows that look like headings and are none.

use super::cell;
use super::pieces::{counted, split};
use super::words;
use crate::line::Line;

/// Whether the upper of two lines is the title of a side above the first heading, `before`, and no
/// heading over several columns.
pub fn is_side_above(headings: &[Line]) -> bool {
    let [upper, lower] = headings else {
        return false;
    };
    let (upper, lower) = (split(upper.text(), 2), split(lower.text(), 2));
    match (upper.as_slice(), lower.as_slice()) {
        ([title], [_, second, ..]) => {
            title.end <= second.start && words::name_sides(std::iter::once(title.text))
        }
        _ => false,
    }
}

/// Whether a line is of the same kind as the row below it, and so no heading: both are pairs of key
/// and value, or both begin with a figure.
pub fn alike(heading: &Line, row: &Line) -> bool {
    let (head, below) = (split(heading.text(), 1), split(row.text(), 1));
    let value = |text: &str| {
        text.rsplit([':', '='])
            .next()
            .is_some_and(|value| cell::figure(value).is_some())
    };
    let title = split(heading.text(), 2).len() == 1 && counted(heading.text()).is_none();
    if is_pair(row.text()) && title || is_pair(heading.text()) && value(heading.text()) {
        return true;
    }
    let (Some(first), Some(label)) = (head.first(), below.first()) else {
        return false;
    };
    // Numbers over the columns behind the labels are headings.
    let above = first.start <= label.end;
    let figures = cell::figure(first.text).is_some() && cell::figure(label.text).is_some();
    is_pair(heading.text()) && is_pair(row.text()) || above && figures
}

/// `Check interval:   0`, `kernel.shmall = 8192`, `bogomips : 4800`.
pub fn is_pair(text: &str) -> bool {
    text.find([':', '=']).is_some_and(|mark| {
        let key = text[..mark].trim();
        let ends = text[mark + 1..].starts_with(char::is_whitespace) || mark + 1 == text.len();
        ends && key.len() <= 60 && key.contains(|c: char| c.is_alphabetic())
    })
}

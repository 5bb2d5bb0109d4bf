//! Dates in names: `20261101`, `2026-11-01`, `20261101T120000Z`.

use super::token::{Token, TokenKind};

/// The key of the dimension.
pub const KEY: &str = "date";

/// The date at the beginning of the pieces, and how many of them it has.
pub fn date(pieces: &[&str]) -> Option<(Token, usize)> {
    let first = pieces.first()?;
    let (day, time) = first.split_once(['T', 't']).unwrap_or((first, ""));
    if is_day(day) && (time.is_empty() || is_time(time)) {
        return Some((token((*first).to_owned()), 1));
    }
    let [year, month, rest, ..] = pieces else {
        return None;
    };
    let (day, time) = rest.split_once(['T', 't']).unwrap_or((rest, ""));
    let parts = year.len() == 4 && month.len() == 2 && day.len() == 2;
    (parts && is_day(&format!("{year}{month}{day}")) && (time.is_empty() || is_time(time)))
        .then(|| (token(pieces[..3].join("-")), 3))
}

fn token(value: String) -> Token {
    Token {
        kind: TokenKind::Of(KEY.to_owned()),
        value,
    }
}

/// Whether a text is a date like `20261101`.
fn is_day(text: &str) -> bool {
    let part = |range: std::ops::Range<usize>| text.get(range).and_then(|n| n.parse::<u32>().ok());
    text.len() == 8
        && text.bytes().all(|b| b.is_ascii_digit())
        && part(0..4).is_some_and(|year| (1990..2100).contains(&year))
        && part(4..6).is_some_and(|month| (1..=12).contains(&month))
        && part(6..8).is_some_and(|day| (1..=31).contains(&day))
}

/// `120000`, `1200`, or a part of `12:00:00`, after a date.
pub fn is_time(text: &str) -> bool {
    let text = text.strip_suffix(['Z', 'z']).unwrap_or(text);
    matches!(text.len(), 2 | 4 | 6) && text.bytes().all(|b| b.is_ascii_digit())
}

//! The figure in a cell, with the spread or interval that is beside it.

use super::pieces::Piece;
use crate::observation::Unit;
use crate::quantity::{Quantity, may_be_quantity, number, number_length, quantity, scale_of};

/// A cell that has a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellFigure<'a> {
    pub quantity: Quantity,
    /// The part of the cell that is the figure.
    pub shown: &'a str,
}

impl CellFigure<'_> {
    pub fn is_rate(&self) -> bool {
        self.quantity
            .scale
            .is_some_and(|scale| scale.unit.is_rate())
    }
}

/// `398`, `512.3 MB/s`, `398 ± 5`, `398 [391, 405]`, `95.4 (93.2-97.7)`, `244.12 * 5.49%*`,
/// `118.2 (-4.1%)`.
pub fn figure(text: &str) -> Option<CellFigure<'_>> {
    let text = text.trim();
    // What is in front of a spread is a quantity, too.
    if !may_be_quantity(text) {
        return None;
    }
    if let Some(quantity) = quantity(text) {
        return Some(CellFigure {
            quantity,
            shown: text,
        });
    }
    let cut = spread_begin(text)?;
    let (head, tail) = (text[..cut].trim_end(), text[cut..].trim());
    let mut quantity = quantity(head)?;
    // `123.4 ± 2.1 MB/s`: the unit is behind the spread.
    if quantity.scale.is_none() {
        let unit = tail
            .trim_end_matches([')', ']'])
            .rsplit([' ', ')'])
            .next()
            .unwrap_or("");
        quantity.scale =
            scale_of(unit).filter(|_| !tail.starts_with(['(', '[']) || !tail.contains('%'));
    }
    // `7395 (1.05), 260 MB/s` is two figures, and no figure with a spread.
    let behind = tail
        .strip_prefix(['(', '['])
        .and_then(|rest| rest.split_once([')', ']']));
    let begins_next = |rest: &str| {
        let next = rest.trim_start();
        next.starts_with(|c: char| c == ',' || c == ';' || c.is_ascii_digit())
    };
    if behind.is_some_and(|(_, rest)| begins_next(rest)) {
        return None;
    }
    let spread =
        tail.chars().any(|c| c.is_ascii_digit()) || tail.trim_matches(['*', ' ']).is_empty();
    spread.then_some(CellFigure {
        quantity,
        shown: head,
    })
}

/// The figure in brackets behind another one: that of the IOPS in `59.8 MB/s (14.9k)`.
pub fn bracketed(text: &str) -> Option<CellFigure<'_>> {
    let (_, inner) = text.trim().strip_suffix(')')?.split_once('(')?;
    quantity(inner).map(|quantity| CellFigure {
        quantity,
        shown: inner.trim(),
    })
}

/// The rate of another kind in brackets at the begin of a text, and the number of its words:
/// `(395 MiB/s)` behind `101k IOPS`.
pub fn aside<'a>(text: &'a str, figure: CellFigure) -> (Option<CellFigure<'a>>, usize) {
    let inner = text
        .strip_prefix('(')
        .and_then(|rest| Some(rest.split_once(')')?.0));
    let other = inner.and_then(|inner| {
        let quantity = quantity(inner)?;
        let units = [figure.quantity, quantity].map(|q| q.scale.map(|scale| scale.unit));
        let is_rate = |unit: Option<Unit>| unit.is_some_and(Unit::is_rate);
        let shown = inner.trim();
        (units[0] != units[1] && units.into_iter().all(is_rate))
            .then_some(CellFigure { quantity, shown })
    });
    let count = inner.map_or(0, |inner| inner.split_whitespace().count());
    (other, other.map_or(0, |_| count))
}

/// The figure that begins with a word and ends there or with the next one, and whether it has both.
pub fn figure_at<'a>(
    text: &'a str,
    word: Piece,
    next: Option<Piece>,
) -> Option<(CellFigure<'a>, bool)> {
    let shown = |end: usize| text[word.start..end].trim_end_matches([',', ';', '.', ')']);
    let both = next.and_then(|next| figure(shown(next.end)));
    let both = both.filter(|figure| figure.quantity.scale.is_some());
    both.map(|figure| (figure, true))
        .or_else(|| Some((figure(shown(word.end))?, false)))
}

/// Whether a line has nothing but numbers in brackets, the spreads of the figures above them:
/// `(3.1)   (2.9)`.
pub fn are_spreads(line: &str) -> bool {
    let mut words = line.split_whitespace().peekable();
    let is_spread = |word: &str| {
        let inner = word
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        inner.is_some_and(|inner| {
            quantity(inner.trim_start_matches(['+', '-', '/', '\u{b1}'])).is_some()
        })
    };
    words.peek().is_some() && words.all(is_spread)
}

/// Whether a cell has several figures: `0.04 / 1.82`, `412k IOPS @ 310 us`.
pub fn is_several(text: &str) -> bool {
    let is_split =
        |mark: &str| text.contains(mark) && text.split(mark).all(|part| figure(part).is_some());
    is_split(" / ") || is_split(" @ ")
}

/// Whether the last words are a figure with its unit: `up to 500 MB/s`.
pub fn ends_with_figure(text: &str) -> bool {
    let mut words = text.split_whitespace().rev();
    words.next().is_some_and(|unit| scale_of(unit).is_some())
        && words.next().is_some_and(|word| number(word).is_some())
}

/// Position of the first mark of a spread. All cells are asked, so it is searched for once, not
/// once per mark.
fn spread_begin(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (0..bytes.len()).find(|&index| {
        let behind = &bytes[index + 1..];
        match bytes[index] {
            b'(' | b'[' | b'*' => true,
            b'+' => behind.starts_with(b"-") || behind.starts_with(b"/-"),
            b' ' => behind.starts_with(b"~"),
            _ => bytes[index..].starts_with("\u{b1}".as_bytes()),
        }
    })
}

/// The words of cells without a figure.
const ABSENT: [&str; 19] = [
    "", "-", "--", "n/a", "na", "nan", "none", "?", "x", "\u{2013}", "\u{2014}", "+++++", "fail",
    "failed", "...", "tbd", "unknown", "error", "timeout",
];

/// Whether a cell holds no figure because there is none: `-`, `n/a`.
pub fn is_absent(text: &str) -> bool {
    let text = text.trim();
    // `n/a (not measured)` has a reason.
    let reason = text
        .get(..4)
        .filter(|begin| begin.eq_ignore_ascii_case("n/a "));
    reason.is_some() || ABSENT.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether a cell has a figure that is not read, because it is no single number: a bound
/// `>1.1 GB/s`, a range `40-45 MB/s`, a time on a clock `2:11:05`.
pub fn is_inexact(text: &str) -> bool {
    let text = text.trim();
    if let Some(bound) = text.strip_prefix(['<', '>', '\u{2264}', '\u{2265}']) {
        return quantity(bound.trim_start_matches('=')).is_some();
    }
    if is_clock(text) {
        return true;
    }
    let rest = &text[number_length(text)..];
    let upper = ["-", "\u{2013}", ".."]
        .iter()
        .find_map(|mark| rest.trim_start().strip_prefix(mark));
    rest.len() < text.len() && upper.is_some_and(|upper| quantity(upper).is_some())
}

/// `2:11:05`, `0:01.21`: groups of digits with colons between them.
pub fn is_clock(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let groups: Vec<&str> = whole.split(':').collect();
    (2..=3).contains(&groups.len())
        && groups[0].len() <= 2
        && groups[1..].iter().all(|group| group.len() == 2)
        && groups.iter().all(|group| is_number(group))
        && is_number(fraction)
}

/// A change in percent that a text has computed itself: `+2.96%`, `-15.9 %`.
pub fn is_change(text: &str) -> bool {
    let text = text.trim().trim_matches(['(', ')', '*']).trim();
    text.ends_with('%') && text.starts_with(['+', '-', '\u{2212}'])
        || text
            .strip_suffix(['x', 'X', '\u{d7}'])
            .is_some_and(|ratio| quantity(ratio).is_some())
        || text.starts_with(['x', '\u{d7}'])
            && quantity(&text[text.chars().next().map_or(0, char::len_utf8)..]).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_are_no_part_of_the_figure() {
        let cases = [
            ("398 \u{b1} 5", 398.0),
            ("398 [391, 405]", 398.0),
            ("95.4 (93.2-97.7)", 95.4),
            ("244.12 *   5.49%*", 244.12),
            ("118.2 (-4.1%)", 118.2),
            ("9.8k", 9800.0),
            ("12*", 12.0),
        ];
        for (text, expected) in cases {
            assert_eq!(
                figure(text).map(|figure| figure.quantity.value),
                Some(expected),
                "{text}"
            );
        }
        for text in ["seq read", "v6.6", "4 disks (new)", "(5)"] {
            assert_eq!(figure(text), None, "{text}");
        }
    }

    #[test]
    fn bounds_ranges_and_clocks_are_no_single_numbers() {
        for text in [
            ">1.1 GB/s",
            "<= 5",
            "40-45 MB/s",
            "40 \u{2013} 45 MB/s",
            "2:11:05",
            "0:01.21",
        ] {
            assert!(is_inexact(text), "{text}");
            assert_eq!(figure(text), None, "{text}");
        }
        for text in [
            "40 MB/s", "-5", "5.10-rc1", "a:b", ":12", "seq 4-8", "1:2", "4k-q8",
        ] {
            assert!(!is_inexact(text), "{text}");
        }
    }
}

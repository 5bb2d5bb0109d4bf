//! Sentences that compare rates: `throughput dropped from 1450 MB/s to 910`,
//! `The old kernel reaches 1203 MB/s, the new one 1010 MB/s`.

mod changes;
mod sides;

pub use sides::rate_of_side;

use super::cell::CellFigure;
use super::pieces::Piece;
use super::words;
use crate::line::Line;
use crate::observation::{Observation, Unit};
use crate::structure::kind;
use seekscope_trace::sorting::set_of;

/// Bytes of a line with a sentence, and of a sentence in several lines.
const MAX_SENTENCE: usize = 160;
const MAX_WRAPPED: usize = 320;
/// Bytes of a line with several sentences.
const MAX_PARAGRAPH: usize = 1000;
/// Lines of a sentence.
const MAX_LINES: usize = 4;
/// Bytes of a line that a mailer may have wrapped.
const MIN_WRAPPED: usize = 45;
/// Words of a sentence about what nobody has measured.
const PROMISES: [&str; 20] = [
    "rated",
    "specified",
    "spec",
    "advertised",
    "claims",
    "promises",
    "allows",
    "supports",
    "should",
    "could",
    "would",
    "might",
    "will",
    "expect",
    "expects",
    "hope",
    "hopefully",
    "theoretical",
    "theoretically",
    "ideally",
];
/// Words in front of figures that are none of a measurement.
const DENIALS: [&str; 8] = [
    "than",
    "not",
    "never",
    "didn't",
    "doesn't",
    "config",
    "configuration",
    "configured",
];

/// Marks around the words of a sentence.
const MARKS: [char; 6] = [',', ';', ':', '(', ')', '.'];

/// The figures of the first sentence of a line that compares any.
pub fn sentence(line: &Line, text: &str) -> Option<Vec<Observation>> {
    if text.len() > MAX_PARAGRAPH || !may_compare(text) || is_cut(text) {
        return None;
    }
    let mut sentences = text.split(". ").filter(|text| text.len() <= MAX_SENTENCE);
    let found = sentences.find_map(|text| figures(line, text));
    found.or_else(|| of_two(line, text).filter(|_| text.len() <= MAX_SENTENCE))
}

/// The figures of two sentences that are about one side each: `With the old kernel I get 512 MB/s.
/// The new one only gives 310 MB/s.`
fn of_two(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let (first, rest) = text.split_once(". ")?;
    let second = rest.split(". ").next()?;
    // Of two programs, nobody knows what is compared.
    let [before, after] = [first, second].map(|text| {
        let words = kind::words(text).into_iter();
        let is_test =
            |word: &String| word.starts_with(char::is_alphabetic) && kind::names_test(word);
        set_of(words.filter(is_test))
    });
    let is_same = before.is_subset(&after) || after.is_subset(&before);
    let both = &text[..first.len() + 2 + second.len()];
    let both = both.trim().trim_end_matches(['.', '!']);
    let are_halves = is_same && sides::is_half(first) && sides::is_half(second);
    (are_halves && is_stated(both)).then(|| sides::figures(line, both))?
}

/// The figures of the last sentence of a line that ends in one of the next lines, and the number of
/// these lines. A sentence behind it that is complete in them is read, too.
pub fn wrapped(lines: &[Line]) -> Option<(Vec<Observation>, usize)> {
    let first = lines.first().filter(|line| !ends_sentence(line.text()))?;
    // Most lines are no prose.
    let near = lines.iter().take(MAX_LINES).map(Line::text);
    let is_wrapped = first.text().len() >= MIN_WRAPPED || is_cut(first.text());
    if !is_wrapped || !near.into_iter().any(may_compare) {
        return None;
    }
    let begins = first.text().rmatch_indices(". ").map(|(end, _)| end + 2);
    let mut begins = begins.chain([0]);
    let begin = begins.next().unwrap_or(0);
    let mut line = first.without_front(begin);
    let mut found: Vec<Observation> = Vec::new();
    let mut used = 1;
    loop {
        let (whole, end, count) = complete(&line, &lines[used..], 1)?;
        let Some(mut figures) = figures(&whole, &whole.text()[..end]) else {
            break;
        };
        found.append(&mut figures);
        used += count;
        line = whole.without_front(end);
        if count == 0 || line.is_blank() {
            break;
        }
    }
    if found.is_empty() {
        return begins.next().into_iter().chain([begin]).find_map(|begin| {
            let (whole, _, count) = complete(&first.without_front(begin), &lines[1..], 2)?;
            Some((of_two(&whole, whole.text())?, 1 + count))
        });
    }
    Some((found, used))
}

/// A line with those behind it up to the end of so many sentences, that end, and how many lines
/// they are.
fn complete(line: &Line, next: &[Line], sentences: usize) -> Option<(Line, usize, usize)> {
    let mut whole = line.clone();
    let mut count = 0;
    loop {
        if let Some((end, _)) = whole.text().match_indices(". ").nth(sentences - 1) {
            return Some((whole, end + 2, count));
        }
        let behind = next.get(count);
        let is_item = |text: &str| {
            text.trim_start()
                .starts_with(['-', '*', '\u{2022}', '#', '|'])
        };
        let behind = behind
            .filter(|next| !next.is_blank() && !is_item(next.text()) && next.quotes == line.quotes);
        let Some(behind) = behind.filter(|_| !ends_sentence(whole.text())) else {
            let end = whole.text().len();
            return Some((whole, end, count));
        };
        if count + 1 >= MAX_LINES || whole.text().len() + behind.text().len() > MAX_WRAPPED {
            return None;
        }
        whole = whole.joined(behind);
        count += 1;
    }
}

/// Whether a text ends with a word with which no sentence ends.
fn is_cut(text: &str) -> bool {
    const OPEN: [&str; 14] = [
        "on", "with", "without", "for", "in", "at", "by", "of", "to", "from", "and", "the", "a",
        "while",
    ];
    text.split_whitespace()
        .next_back()
        .is_some_and(|last| OPEN.contains(&last))
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '?', ':'])
}

/// Whether a text has a figure as these sentences have: most have none.
fn may_compare(text: &str) -> bool {
    const SIGNS: [&str; 5] = ["/s", "IOPS", " from ", " took ", " takes "];
    SIGNS.iter().any(|sign| text.contains(sign))
}

/// The figures of a sentence.
fn figures(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let text = text.trim().trim_end_matches(['.', '!']);
    if !is_stated(text) {
        return None;
    }
    changes::figures(line, text).or_else(|| sides::figures(line, text))
}

/// Whether a text with a number says what was measured, and not what is expected or denied.
fn is_stated(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_promise = text.contains(" up to ") || words.any(|word| PROMISES.contains(&word));
    let Some(digit) = text.find(|c: char| c.is_ascii_digit()) else {
        return false;
    };
    let mut front = text[..digit].split_whitespace();
    let is_denied = front.any(|word| DENIALS.contains(&word));
    !is_promise && !is_denied && !words::is_limit(text)
}

fn unit(figure: &CellFigure) -> Option<Unit> {
    figure.quantity.scale.map(|scale| scale.unit)
}

/// The first words of a text that name an operation, `sequential reads`, and whether others do
/// apart from them.
fn operation<'a>(text: &'a str, words: &[Piece]) -> (Option<&'a str>, bool) {
    let is_operation = |word: &Piece| {
        let word = word.text.trim_matches(MARKS);
        word.starts_with(char::is_alphabetic) && words::is_plain_operation(word)
    };
    let Some(first) = words.iter().position(is_operation) else {
        return (None, false);
    };
    let behind = &words[first..];
    let count = behind.iter().take_while(|word| is_operation(word)).count();
    let shown = &text[words[first].start..behind[count - 1].end];
    let has_others = behind[count..].iter().any(is_operation);
    (Some(shown.trim_matches(MARKS)), has_others)
}

//! The label of a line, and the value behind it.

use super::super::cell;
use super::super::words::{self, describe};
use seekscope_notes::labels;

/// Words that name sides within a line or a sentence: fewer than those of titles, of which `with`
/// and `good` stand in any sentence.
pub const SIDE_WORDS: [&str; 10] = [
    "old",
    "new",
    "before",
    "after",
    "base",
    "baseline",
    "patched",
    "unpatched",
    "vanilla",
    "mainline",
];

/// The label of at most so many words and bytes, and the value behind it.
pub fn label_within(text: &str, words: usize, bytes: usize) -> Option<(&str, &str)> {
    let (label, value) = behind_bold(text)
        .or_else(|| behind_arrow(text))
        .or_else(|| before_names(text))
        .or_else(|| behind_parameters(text))
        .or_else(|| behind_setting(text))
        .or_else(|| text.split_once([':', '=']))
        .or_else(|| text.split_once(" \u{2014} "))
        .or_else(|| text.split_once(" \u{2013} "))
        .or_else(|| text.split_once("  "))
        .or_else(|| text.split_once('\t'))
        .or_else(|| behind_dash(text))?;
    let (label, value) = (
        label.trim().trim_matches(['*', '`']),
        value.trim().trim_matches(['*', '`']).trim(),
    );
    // Columns of a table are no label: `rw     wbt=0 IOPS     wbt=1 IOPS`.
    let named = label.contains(|c: char| c.is_alphabetic()) || labels::is_kernel_form(label);
    // `ext4,  5.4` is one label for all that.
    let wordy = named
        && !label.replace(",  ", ", ").contains("  ")
        && label.split_whitespace().count() <= words
        && label.len() <= bytes;
    wordy.then_some((label, value))
}

/// `*compress=no:* 1.31 GB/s`, `**6.1:** 512 MB/s`: a label whose colon is bold, too.
fn behind_bold(text: &str) -> Option<(&str, &str)> {
    [("**", ":** "), ("*", ":* ")]
        .iter()
        .find_map(|(open, close)| {
            let (label, value) = text.trim_start().strip_prefix(open)?.split_once(close)?;
            (!label.contains('*')).then_some((label, value))
        })
}

/// `6.1 --> 270 MB/s`: a name and its only figure.
fn behind_arrow(text: &str) -> Option<(&str, &str)> {
    let arrows = ["-->", "==>", "->", "=>", "\u{2192}"];
    let (label, value) = arrows.iter().find_map(|arrow| text.split_once(arrow))?;
    let label = label.trim();
    let is_name = cell::figure(label).is_none() || labels::is_kernel_form(label);
    (is_name && !label.contains([':', '=']) && cell::figure(value).is_some())
        .then_some((label, value))
}

/// `4k   IOPS=25.5k, BW=99.8MiB/s`, `base iops=25.5k bw=99.8MiB/s`: a label in front of figures
/// with names.
fn before_names(text: &str) -> Option<(&str, &str)> {
    // The value begins behind as many bytes as the label has.
    let text = text.trim_start();
    let (front, _) = text.split_once('=')?;
    let is_pairs = |label: &str| {
        let words = text[label.len()..].split_whitespace();
        !label.ends_with(':') && words.clone().count() > 1 && words.clone().all(|w| w.contains('='))
    };
    let wide = front.rsplit_once("  ");
    let narrow = || front.rsplit_once(' ').filter(|(label, _)| is_pairs(label));
    let (label, name) = wide.or_else(narrow)?;
    let label = label.trim();
    let value = text[label.len()..].trim();
    let is_named = !label.is_empty() && describe(name).is_metric();
    is_named.then(|| (label.trim_end_matches(':'), value))
}

/// `6.6 with nobarrier - 12.5 sec`: the name of a side in front of its figures.
pub fn behind_dash(text: &str) -> Option<(&str, &str)> {
    let (label, value) = text.split_once(" - ")?;
    let is_side = words::name_sides(std::iter::once(label.trim()));
    (is_side && value.contains(|c: char| c.is_ascii_digit())).then_some((label, value))
}

/// `fio randread, bs=4k: 101k IOPS`: a label with parameters in front of a figure.
fn behind_parameters(text: &str) -> Option<(&str, &str)> {
    let (label, value) = text.split_once(": ")?;
    let is_value = value.trim_start().starts_with(|c: char| c.is_ascii_digit());
    (label.contains('=') && is_value).then_some((label, value))
}

/// `nr_requests=64   312 MB/s`: a setting in front of its figures.
fn behind_setting(text: &str) -> Option<(&str, &str)> {
    let (label, value) = text.trim_start().split_once(char::is_whitespace)?;
    words::sets_value(label).then_some((label, value))
}

/// What ran at once, one blank in front of a rate: `4 threads 412 MB/s`.
pub fn behind_count(text: &str) -> Option<(&str, &str)> {
    const COUNTED: [&str; 8] = [
        "thread", "job", "process", "client", "stream", "worker", "writer", "reader",
    ];
    let (number, rest) = text.split_once(' ')?;
    let (noun, value) = rest.split_once(' ')?;
    let plural = |end| noun.strip_suffix(end).unwrap_or(noun);
    let mut nouns = [noun, plural("s"), plural("es")].into_iter();
    let is_noun = nouns.any(|noun| COUNTED.contains(&noun));
    let is_count = is_noun && number.bytes().all(|b| b.is_ascii_digit());
    let scale = cell::figure(value)?.quantity.scale?;
    let label = &text[..number.len() + 1 + noun.len()];
    (is_count && scale.unit.is_rate()).then_some((label, value))
}

/// The name of a side one blank in front of a rate, and the rate: `unpatched 1.012 GiB/sec`.
pub fn behind_side(text: &str) -> Option<(&str, &str)> {
    let (side, value) = text.split_once(' ')?;
    let is_side = SIDE_WORDS
        .iter()
        .any(|word| side.eq_ignore_ascii_case(word));
    let scale = cell::figure(value)?.quantity.scale?;
    let is_rate = scale.unit.is_rate();
    (is_rate && (is_side || labels::is_kernel_form(side))).then_some((side, value))
}

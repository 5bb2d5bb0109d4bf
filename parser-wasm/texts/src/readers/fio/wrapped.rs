//! fio's lines that a mail program has wrapped.

use super::lines;
use crate::line::Line;
use crate::recognise::Cursor;
use std::borrow::Cow;

/// Length of lines that a mail program may have wrapped.
const MIN_WRAPPED: usize = 40;
/// Lines that one line of fio was broken into, besides the first.
const MAX_JOINED: usize = 4;

/// A line joined with the rest of it that a mail program put into the next line, and the offset
/// behind it.
pub fn unwrapped<'a>(cursor: Cursor<'a>, offset: usize) -> Option<(Cow<'a, Line>, usize)> {
    let mut line = Cow::Borrowed(cursor.line(offset)?);
    let mut next = offset + 1;
    while let Some(rest) = cursor.line(next).filter(|_| next <= offset + MAX_JOINED) {
        let wrapped = line.text().len() >= MIN_WRAPPED
            && (is_fragment(rest.text()) || are_options(line.text(), rest.text()))
            && lines::read(rest.text()).is_none();
        if !wrapped {
            break;
        }
        line = Cow::Owned(line.joined(rest));
        next += 1;
    }
    Some((line, next))
}

/// Whether a word is the key of one of fio's figures: `min`, `1.00th`, `>=64` of a distribution.
/// Other lines of `key=value` are titles of what is below them.
fn is_key(key: &str) -> bool {
    const KEYS: [&str; 42] = [
        "min",
        "max",
        "avg",
        "stdev",
        "samples",
        "per",
        "io",
        "bw",
        "BW",
        "iops",
        "IOPS",
        "aggrb",
        "minb",
        "maxb",
        "mint",
        "maxt",
        "run",
        "runt",
        "ios",
        "merge",
        "ticks",
        "in_queue",
        "util",
        "sectors",
        "aggrios",
        "aggrmerge",
        "aggrticks",
        "aggrin_queue",
        "aggrutil",
        "aggrsectors",
        "usr",
        "sys",
        "ctx",
        "majf",
        "minf",
        "total",
        "short",
        "dropped",
        "target",
        "window",
        "percentile",
        "pid",
    ];
    let bare = key.trim_start_matches([',', '>', '|']);
    bare.is_empty()
        || bare.starts_with(|c: char| c.is_ascii_digit())
        || bare == "depth"
        || KEYS.contains(&bare)
}

/// Whether a word is a title in brackets, `[after]`, and no value: `[24512]`.
fn is_title(word: &str) -> bool {
    let inner = word
        .strip_prefix('[')
        .and_then(|word| word.strip_suffix(']'));
    inner.is_some_and(|inner| !inner.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a line ends the options with which fio announces a job.
fn are_options(line: &str, rest: &str) -> bool {
    const OPTIONS: [&str; 3] = ["bs", "ioengine", "iodepth"];
    let is_option = |word: &str| {
        let key = word.split_once('=').map(|(key, _)| key);
        key.is_some_and(|key| OPTIONS.contains(&key))
    };
    line.contains(": (g=") && line.trim_end().ends_with(',') && rest.split(' ').all(is_option)
}

/// Whether a word is part of the date that ends the first line of a job: `Tue Mar  4 10:11:12`.
fn is_date_word(word: &str) -> bool {
    const NAMES: &str =
        "Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
    let is_clock = || {
        let mut groups = word.split(':');
        word.len() == 8 && groups.all(|group| group.len() == 2 && group.parse::<u8>().is_ok())
    };
    word.len() == 3 && NAMES.split(' ').any(|name| name == word) || is_clock()
}

/// Whether a line can only be the rest of one of fio's lines.
fn is_fragment(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let piece = |word: &str| {
        let digit = word.starts_with(|c: char| c.is_ascii_digit());
        word.split_once('=').is_some_and(|(key, _)| is_key(key))
            || word.starts_with(['(', '|'])
            || word.ends_with(['%', ']']) && !is_title(word)
            || word.ends_with("],")
            || word.ends_with("%,")
            || matches!(word, "zone" | "resets" | "resets;")
            || is_date_word(word)
            || digit && (word.contains("B-") || word.contains("msec") || word.contains("B/s"))
            || digit && word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit())
            || digit && word.ends_with("],")
            || digit
                && word
                    .trim_end_matches(',')
                    .bytes()
                    .all(|b| b.is_ascii_digit())
    };
    words.clone().next().is_some() && words.all(piece)
}

//! Reads lines that are no titles and say something of the block below: properties of the machine,
//! and sentences.

use super::heading::{self, MAX_LENGTH, TitleKind};
use seekscope_notes::labels;
use seekscope_trace::sorting::set_of;
use std::collections::BTreeSet;

/// `4-controller, 28 drives, raid0, 2.6.6, 2 threads`: a list of properties with a number or a
/// setting among them, as a title directly above a table.
pub fn listed(text: &str) -> Option<&str> {
    let text = text.trim();
    let mut bullets = ["* ", "- ", "+ ", "\u{2022} "].iter();
    let text = bullets
        .find_map(|mark| text.strip_prefix(mark))
        .unwrap_or(text);
    let items: Vec<&str> = text.split(',').map(str::trim).collect();
    let short = items.len() > 1
        && items
            .iter()
            .all(|item| (1..=4).contains(&item.split_whitespace().count()));
    let sentence = text.ends_with(['.', '?', '!', ',', ';']);
    let is_property = |c: char| c.is_ascii_digit() || c == '=';
    (short && !sentence && text.contains(is_property) && text.len() <= MAX_LENGTH).then_some(text)
}

/// The pairs of a line that has nothing else: `Workload=bsr iosched=cfq bs=4K`.
pub fn assignments(text: &str) -> Vec<(&str, &str)> {
    let words = || {
        text.split([' ', ',', ';', '\t'])
            .filter(|word| !word.is_empty())
    };
    let name = |name: &str| {
        (1..=24).contains(&name.len())
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
    };
    let pairs: Vec<(&str, &str)> = words()
        .filter_map(|word| word.split_once('='))
        .filter(|(key, value)| name(key) && !value.is_empty() && !value.contains('='))
        .collect();
    if pairs.len() == words().count() {
        pairs
    } else {
        Vec::new()
    }
}

/// Names of what a line of a report says of a machine or of a measurement.
const PROPERTIES: [&str; 25] = [
    "kernel",
    "kernel version",
    "linux",
    "version",
    "scheduler",
    "i/o scheduler",
    "io scheduler",
    "elevator",
    "commit",
    "patch",
    "filesystem",
    "file system",
    "fs",
    "mount options",
    "firmware",
    "driver",
    "controller",
    "raid",
    "host",
    "machine",
    "setup",
    "config",
    "configuration",
    "disk",
    "drive",
];
/// Words of the value of a property.
const MAX_VALUE_WORDS: usize = 8;

/// The name and the value of `Kernel: 5.4.0`, `- **Scheduler**: none`.
pub fn property(text: &str) -> Option<(&str, &str)> {
    let is_mark = |c: char| "*_`- \t".contains(c);
    let (name, value) = text.split_once(':')?;
    let (name, value) = (name.trim_matches(is_mark), value.trim_matches(is_mark));
    let count = value.split_whitespace().count();
    let is_property = PROPERTIES.contains(&name.to_ascii_lowercase().as_str());
    (is_property && (1..=MAX_VALUE_WORDS).contains(&count) && !value.ends_with(':'))
        .then_some((name, value))
}

/// Words of a title in front of a remark.
const MAX_TITLE_WORDS: usize = 6;

/// The title of a line that ends with a semicolon, or with a remark in brackets and a mark:
/// `On the host;`, `In a guest (with the image on the same disk as before, and no cache);`.
pub fn introduced(text: &str) -> Option<&str> {
    let text = text.trim();
    let inner = text.strip_suffix([';', ':', '\u{ff1a}'])?.trim_end();
    let front = match inner.strip_suffix(')') {
        Some(inner) => inner.split_once(" (")?.0.trim_end(),
        None => inner,
    };
    let is_plain = !front.contains(['(', ')', '{', '}', '=', '<', '>', '|', '$', ';']);
    let is_short = (1..=MAX_TITLE_WORDS).contains(&front.split_whitespace().count());
    let begins = front.starts_with(char::is_alphabetic);
    (is_plain && is_short && begins && !front.contains(". ")).then_some(front)
}

/// The title in front of a figure of the block below, which is said once more: `xfs: 25.2k IOPS`.
pub fn summarized(text: &str) -> Option<&str> {
    let (title, rest) = text.trim().split_once(": ")?;
    let is_figure = rest
        .trim_start()
        .starts_with(|c: char| c.is_ascii_digit() || c == '~')
        || rest.contains("IOPS=")
        || rest.contains("bw=");
    let is_short = (1..=MAX_TITLE_WORDS).contains(&title.split_whitespace().count());
    let is_plain = !title.contains(['(', ')', '{', '}', '=', '<', '>', '|', '$', ';', '.']);
    (is_figure && is_short && is_plain && rest.len() <= MAX_LENGTH).then_some(title)
}

/// Words of a sentence that announces a block.
const MAX_SPOKEN_WORDS: usize = 40;
/// The same of one without a colon.
const MAX_POINTING_WORDS: usize = 14;
/// Words of the name at its end.
const MAX_NAME_WORDS: usize = 4;

/// The name that a sentence with a colon gives the block below it, if it is too long for a caption:
/// `This is the result on the old kernel (5.4.0-150-generic):`.
pub fn spoken(text: &str) -> Option<&str> {
    let text = text.trim();
    let end = text.strip_suffix([':', '\u{ff1a}']);
    let sentence = end.or_else(|| pointing(text))?;
    let words: Vec<&str> = sentence
        .split(|c: char| c.is_whitespace() || "(),;\"'`".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    if words.len() > MAX_SPOKEN_WORDS {
        return None;
    }
    let kernels: BTreeSet<&str> = set_of(
        words
            .iter()
            .copied()
            .filter(|word| labels::is_kernel_form(word)),
    );
    let others: BTreeSet<&str> = set_of(
        words
            .iter()
            .copied()
            .filter(|word| labels::dimension_of(word).is_some() && !kernels.contains(word)),
    );
    // Two kernels are compared in words; one of them may be meant.
    match (kernels.len(), others.len()) {
        (1, _) => kernels.first().copied(),
        (0, 1) => others.first().copied(),
        _ => None,
    }
}

/// A sentence without a colon that says what is below it: `Here is what I get with 6.1.`
fn pointing(text: &str) -> Option<&str> {
    const POINTERS: [&str; 5] = ["here", "below", "this", "these", "following"];
    let sentence = text.trim().strip_suffix('.')?;
    let words: Vec<String> = sentence.split_whitespace().map(str::to_lowercase).collect();
    let is_short = words.len() <= MAX_POINTING_WORDS && !sentence.contains(". ");
    let points = words.iter().any(|word| POINTERS.contains(&word.as_str()));
    (is_short && points).then_some(sentence)
}

/// What such a sentence ends with, where it has no word that is known to name a side:
/// `Here is what I get with the new firmware.`
pub fn pointed_at(text: &str) -> Option<&str> {
    let sentence = pointing(text)?;
    let begins = [" with ", " on ", " for ", " using "];
    let (start, mark) = begins
        .iter()
        .filter_map(|mark| Some((sentence.rfind(mark)?, mark)))
        .max()?;
    let name = sentence[start + mark.len()..].trim_start_matches("the ");
    let is_short = (1..=MAX_NAME_WORDS).contains(&name.split_whitespace().count());
    (is_short && heading::kind(name) != TitleKind::Test).then_some(name)
}

/// The value of a property in the last sentence of a line: `I dropped the page cache first. The
/// kernel is 6.1.`
pub fn stated(text: &str) -> Option<&str> {
    let sentence = text.trim().strip_suffix('.')?;
    let last = sentence
        .rsplit_once(". ")
        .map_or(sentence, |(_, last)| last);
    let (subject, name) = last
        .split_once(" is ")
        .or_else(|| last.split_once(" was "))?;
    let subject = subject.trim().to_ascii_lowercase();
    let property = subject.strip_prefix("the ").unwrap_or(&subject);
    let is_short = (1..=MAX_NAME_WORDS).contains(&name.split_whitespace().count());
    let names_side = labels::is_kernel_form(name) || labels::dimension_of(name).is_some();
    (PROPERTIES.contains(&property) && is_short && names_side).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_may_state_a_property() {
        let cases = [
            ("The kernel is 6.1.", Some("6.1")),
            (
                "I dropped the caches. The scheduler was mq-deadline.",
                Some("mq-deadline"),
            ),
            ("The setup is simple.", None),
            ("The kernel is slow.", None),
            ("The result is 6.1.", None),
            ("The kernel is 6.1", None),
        ];
        for (text, expected) in cases {
            assert_eq!(stated(text), expected, "{text}");
        }
    }

    #[test]
    fn a_sentence_may_point_to_what_is_below() {
        let cases = [
            ("Here is what I get with 6.1.", Some("6.1"), Some("6.1")),
            (
                "Below are the numbers for the new firmware.",
                None,
                Some("new firmware"),
            ),
            ("These are the numbers of my random read tests.", None, None),
            ("It got slower with 6.1.", None, None),
            ("Here is what I get with fio.", None, None),
        ];
        for (text, named, pointed) in cases {
            assert_eq!((spoken(text), pointed_at(text)), (named, pointed), "{text}");
        }
    }
}

//! Titles of all kinds: Markdown, underlined, framed, bold, captions.

mod marks;
mod plain;
#[cfg(test)]
mod tests;

use self::marks::{element, file_named, jira, markdown, marked, underlined};
use self::plain::{plain, without_number};
use super::context::level;
use seekscope_notes::labels;

pub use self::marks::{code_title, framed_side};
pub use super::kind::{TitleKind, kind, names_side, names_test, words};

/// Words of a caption; longer lines are prose.
const MAX_WORDS: usize = 9;
pub const MAX_LENGTH: usize = 80;
/// Words of a title behind a number.
const MAX_NUMBERED_WORDS: usize = 14;

/// The title of a line: its level and text. `next` is the line below it.
pub fn titled<'a>(text: &'a str, next: &str) -> Option<(u8, &'a str)> {
    let mut trimmed = text.trim();
    if trimmed.len() > MAX_LENGTH && trimmed.ends_with(':') {
        trimmed = last_sentence(trimmed)?;
    }
    if trimmed.is_empty() || trimmed.len() > MAX_LENGTH {
        return None;
    }
    let trimmed = trimmed.strip_prefix("<details>").unwrap_or(trimmed).trim();
    let found = markdown(trimmed)
        .or_else(|| jira(trimmed))
        .or_else(|| Some((level::MARKED, code_title(trimmed)?)))
        .or_else(|| Some((level::MARKED, framed_side(trimmed)?)))
        .or_else(|| Some((level::MARKED, element(trimmed)?)))
        .or_else(|| underlined(trimmed, next.trim()))
        .or_else(|| marked(trimmed))
        .or_else(|| Some((level::MARKED, file_named(trimmed)?)))
        .or_else(|| caption(trimmed));
    found
        .map(|(level, label)| (level, plain(label)))
        .filter(|(_, label)| !label.is_empty() && !ends_block(label))
}

/// Whether a title only says where a block ends: `----- end of bfq -----`, `END bfq`.
fn ends_block(label: &str) -> bool {
    let mut words = label.split_whitespace();
    let first = words.next().unwrap_or("");
    // `End to end latency` and `End results` are titles.
    let is_named = |word: &str| word != "to" && !word.to_lowercase().starts_with("result");
    first.eq_ignore_ascii_case("end") && words.next().is_some_and(is_named)
}

/// The title of a line between two rules, which are of any length.
pub fn between_rules<'a>(above: &str, text: &'a str, below: &str) -> Option<&'a str> {
    let (above, below, text) = (above.trim(), below.trim(), text.trim());
    let mark = above
        .chars()
        .next()
        .filter(|mark| "-=~#*_+".contains(*mark))?;
    let is_rule = |line: &str| line.len() >= 4 && line.chars().all(|c| c == mark);
    let is_title =
        text.contains(char::is_alphanumeric) && !text.contains("  ") && !text.contains('|');
    let label = plain(text.trim_matches(mark));
    (is_rule(above) && is_rule(below) && is_title && text.len() <= MAX_LENGTH && !ends_block(label))
        .then_some(label)
}

/// Marks of an item of a list, of an outline also those of inner items.
const BULLETS: [&str; 7] = ["* ", "- ", "o ", "+ ", "\u{2022} ", "** ", "*** "];

fn without_bullet(text: &str) -> Option<&str> {
    BULLETS
        .iter()
        .find_map(|mark| text.trim_start().strip_prefix(mark))
}

/// What an item of a list says of those below it: `* 32 processes read at random` above
/// `** the bandwidth rises from 461KB/s to 472KB/s`.
pub fn outer_item<'a>(text: &'a str, next: &str) -> Option<&'a str> {
    let label = without_bullet(text)?.trim().trim_end_matches([':', '.']);
    let depth = |line: &str| {
        let mark = line.trim_start().split(' ').next().map_or(0, str::len);
        (line.len() - line.trim_start().len(), mark)
    };
    let is_inner = without_bullet(next).is_some() && depth(next) > depth(text);
    let is_short = label.split_whitespace().count() <= MAX_NUMBERED_WORDS;
    (is_inner && is_short && label.contains(char::is_alphabetic)).then_some(label)
}

/// A line without any mark that can only be a title: a kernel, a scheduler, a few words without the
/// end of a sentence.
pub fn bare(text: &str) -> Option<&str> {
    let text = text.trim();
    let bullet = without_bullet(text);
    // Scripts print comments as titles: `#6.1` and `// 6.1`.
    let comment = text.strip_prefix("//").or_else(|| text.strip_prefix('#'));
    let comment = comment
        .map(str::trim)
        .filter(|label| kind(label) == TitleKind::Side);
    let text = without_number(bullet.or(comment).unwrap_or(text).trim());
    let words: Vec<&str> = text.split_whitespace().collect();
    let short = (1..=5).contains(&words.len()) && text.len() <= 60;
    let sentence = text.ends_with(['.', ',', ';', '?', '!'])
        || [", ", ": ", ". ", " -- "]
            .iter()
            .any(|mark| text.contains(mark));
    let wordy = text.contains(|c: char| c.is_alphanumeric());
    let code = text.contains(['{', '}', '<', '>', '|', '$'])
        || text.starts_with(['#', '-', '*', '^'])
        || text.starts_with('/') && !text.starts_with("/dev/");
    let is_title = short && !sentence && wordy && !code && !ends_block(text);
    (is_title && !introduces_quotation(text)).then(|| plain(text))
}

/// A longer line without any mark that names a side: `before the log moved to two fast disks`.
pub fn bare_side(text: &str) -> Option<&str> {
    let text = text.trim();
    let words = text.split_whitespace().count();
    let is_sentence = text.ends_with(['.', ',', ';', ':', '?', '!'])
        || [", ", ": ", ". "].iter().any(|mark| text.contains(mark));
    let is_code = text.contains(['{', '}', '<', '>', '|', '$', '=', '/']);
    let begins = text.starts_with(char::is_alphanumeric);
    let is_short = words <= MAX_WORDS && text.len() <= MAX_LENGTH;
    let is_title = begins && is_short && !is_sentence && !is_code && !ends_block(text);
    (is_title && names_side(text)).then_some(text)
}

/// A line with both the name of a side and what it is: `BEFORE: raid5`, `Setup 1: raid5`.
pub fn explained(text: &str) -> Option<&str> {
    const SETUPS: [&str; 8] = [
        "setup",
        "config",
        "configuration",
        "system",
        "machine",
        "host",
        "case",
        "variant",
    ];
    let text = text.trim();
    let (key, value) = text.split_once(": ")?;
    let lower = key.to_lowercase();
    let mut words = lower.split(' ');
    let (word, number) = (words.next()?, words.next());
    let is_setup = SETUPS.contains(&word) && number.is_some_and(|number| number.len() <= 2);
    let is_side =
        number.is_none() && (labels::is_side_word(word) || matches!(word, "good" | "bad"));
    let is_short = value.split_whitespace().count() <= MAX_WORDS && text.len() <= MAX_LENGTH;
    let is_plain = is_short && words.next().is_none() && !value.ends_with(['.', ',', ':']);
    match is_plain && (is_setup || is_side) {
        true if is_setup => Some(value.trim()),
        true => Some(text),
        false => None,
    }
}

/// A few words in front of an arrow or dots that lead to what is below: `bfq =>`, `With bfq ...`.
pub fn leading(text: &str) -> Option<&str> {
    let text = text.trim();
    let marks = ["=>", "->", "...", "\u{2026}", "\u{2192}"];
    let front = marks.iter().find_map(|mark| text.strip_suffix(mark))?;
    bare(front)
}

/// The title behind a number of a list, whatever marks it has: `2. With patch "Fix "a: b""`.
pub fn numbered(text: &str) -> Option<&str> {
    let text = text.trim();
    let title = without_number(text);
    let bold = title
        .strip_prefix("**")
        .and_then(|bold| bold.strip_suffix("**"));
    let title = bold.unwrap_or(title);
    let is_short = title.split_whitespace().count() <= MAX_NUMBERED_WORDS;
    (title.len() < text.len() && is_short && !title.ends_with(['.', '?', '!'])).then_some(title)
}

/// Whether a line is what a mailer puts above a quotation: `On Monday, a tester wrote:`.
pub fn introduces_quotation(text: &str) -> bool {
    const SAID: [&str; 6] = [
        " wrote",
        " writes",
        " said",
        " schrieb",
        " a \u{e9}crit",
        " escribi\u{f3}",
    ];
    let text = text.trim().trim_end_matches(':');
    SAID.iter().any(|verb| text.ends_with(verb))
}

/// The last sentence of a paragraph, which names the block below it: `I ran it twice. Results with
/// bfq:`. `None` where a sentence before it names a side, too.
fn last_sentence(text: &str) -> Option<&str> {
    let Some((front, last)) = text.rsplit_once(". ") else {
        return Some(text);
    };
    (!names_side(front)).then(|| last.trim())
}

/// The level and text of a caption: `Kernel 5.15:`, `With the patch:`.
fn caption(text: &str) -> Option<(u8, &str)> {
    let title = text
        .trim()
        .trim_start_matches(['-', '*', '\u{2022}'])
        .trim();
    let title = title.strip_suffix([':', '\u{ff1a}'])?;
    if introduces_quotation(title) {
        return None;
    }
    let title = last_sentence(title)?;
    // A remark in brackets may be longer than the title.
    let remark = title
        .strip_suffix(')')
        .and_then(|front| front.rsplit_once(" ("));
    let words = remark
        .map_or(title, |(front, _)| front)
        .split_whitespace()
        .count();
    let level = match without_number(title) == title {
        true => level::CAPTION,
        false => level::ITEM,
    };
    (words <= MAX_WORDS).then_some((level, title))
}

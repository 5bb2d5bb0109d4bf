//! Titles of all kinds: Markdown, underlined, framed, bold, captions.

use super::context::level;
use seekscope_notes::labels;

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

fn markdown(text: &str) -> Option<(u8, &str)> {
    let level = text.bytes().take_while(|b| *b == b'#').count();
    let rest = &text[level..];
    let title = rest
        .strip_prefix(' ')
        .filter(|title| !title.ends_with('#'))?
        .trim();
    (1..=6).contains(&level).then_some((level as u8, title))
}

/// The level and text of a title of Jira or Redmine: `h3. Before`.
fn jira(text: &str) -> Option<(u8, &str)> {
    let (level, title) = text.strip_prefix('h')?.split_once(". ")?;
    let level: u8 = level.parse().ok()?;
    (1..=6).contains(&level).then_some((level, title.trim()))
}

/// `{code:title=before}` of Jira, and `text title="before"` behind the fence of Markdown, which
/// begin a block, too.
pub fn code_title(text: &str) -> Option<&str> {
    if text.trim().starts_with("```") {
        let (_, title) = text.split_once(" title=")?;
        let title = title
            .strip_prefix('"')
            .map_or(title, |rest| rest.split('"').next().unwrap_or(""));
        return Some(title.trim()).filter(|title| !title.is_empty());
    }
    let inner = text.trim().strip_prefix("{code:")?.strip_suffix('}')?;
    let title = inner
        .split('|')
        .find_map(|part| part.strip_prefix("title="))?;
    (!title.is_empty()).then_some(title)
}

/// The name of a side that is alone in a frame, `| 6.1 |`, `||*6.1*||`: other cells are parts of
/// tables.
pub fn framed_side(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.len() < 3 || !text.starts_with('|') || !text.ends_with('|') {
        return None;
    }
    let label = plain(text.trim_matches('|'));
    (!label.contains('|') && kind(label) == TitleKind::Side).then_some(label)
}

/// The name of a side that is the element of a block: `<6.1>` above its output and `</6.1>`.
fn element(text: &str) -> Option<&str> {
    let label = text.strip_prefix('<')?.strip_suffix('>')?.trim();
    (!label.starts_with('/') && kind(label) == TitleKind::Side).then_some(label)
}

/// The name of a file that is announced: `File: old.txt`, `Attachment: old.log`.
fn file_named(text: &str) -> Option<&str> {
    const ANNOUNCED: [&str; 6] = [
        "file",
        "filename",
        "file name",
        "attachment",
        "attached",
        "log file",
    ];
    let (key, name) = text.split_once(": ")?;
    let is_file = ANNOUNCED.contains(&key.to_ascii_lowercase().as_str());
    let name = name.trim();
    (is_file && !name.contains(' ')).then(|| crate::file_name::stem(name))
}

fn underlined<'a>(text: &'a str, next: &str) -> Option<(u8, &'a str)> {
    let long = next.len() >= 3 || next.len() == 2 && text.len() == 2;
    let rule = |mark: char| long && next.chars().all(|c| c == mark);
    let comparable = next.len() + 3 >= text.len() && next.len() <= text.len() + 20;
    // A row of a table above its rule has several columns.
    // `more` prints the name of each file between such lines.
    if next.len() >= 10 && rule(':') {
        return Some((level::MARKED, crate::file_name::stem(text)));
    }
    // `* bfq` between lines of stars, in which some scripts put their titles.
    let boxed = text.chars().next().filter(|mark| "*#=+-".contains(*mark));
    if let Some(mark) = boxed.filter(|mark| next.len() >= 3 && rule(*mark))
        && let Some(title) = text.trim_matches(mark).strip_prefix(' ')
    {
        return Some((level::MARKED, title.trim()));
    }
    if !comparable || text.contains("  ") || text.contains('|') {
        return None;
    }
    if rule('=') {
        Some((1, text))
    } else if rule('-') || rule('~') || rule('^') {
        Some((2, text))
    } else {
        None
    }
}

/// Titles within marks: `=== bfq ===`, `#### bfq ####`, `*** bfq ***`, `[host]`, `**bold**`.
fn marked(text: &str) -> Option<(u8, &str)> {
    if let Some(inner) = text.strip_prefix("@ ") {
        return Some((level::MARKED, inner.trim()));
    }
    // `==> old.txt <==` of `head` and `tail`.
    if let Some(inner) = text
        .strip_prefix("==>")
        .and_then(|rest| rest.strip_suffix("<=="))
    {
        return Some((level::MARKED, inner.trim()));
    }
    // `8<---- bfq ----`, where a person cuts a mail.
    let text = ["8<", ">8"]
        .iter()
        .find_map(|mark| {
            let rest = text
                .trim_start_matches('-')
                .trim_start()
                .strip_prefix(mark)?;
            rest.starts_with(['-', ' ']).then_some(rest)
        })
        .unwrap_or(text);
    for mark in ['=', '#', '*', '-', '~', '+', '_'] {
        let inner = text.trim_matches(mark);
        let front = text.len() - text.trim_start_matches(mark).len();
        let back = text.len() - text.trim_end_matches(mark).len();
        let framed = front >= 2 && back >= 2 && !inner.trim().is_empty();
        if framed && inner.contains(|c: char| c.is_alphanumeric()) {
            return Some((level::MARKED, inner.trim()));
        }
        // `=== bfq` and `---> bfq`, as scripts print it, and `@ linux 2.6.38`.
        let arrow = text[front..]
            .strip_prefix('>')
            .filter(|_| "=-".contains(mark));
        let min = if arrow.is_some() { 2 } else { 3 };
        let behind = arrow.unwrap_or(&text[front..]);
        if front >= min && behind.starts_with(' ') && back == 0 {
            return Some((level::MARKED, behind.trim()));
        }
    }
    // `*FIO on XFS:*`, as mailers write bold letters.
    for mark in ['*', '_'] {
        let inner = text
            .strip_prefix(mark)
            .and_then(|rest| rest.strip_suffix(mark));
        let title = inner.filter(|inner| {
            let words = inner.split_whitespace().count();
            let tight = inner.starts_with(char::is_alphanumeric) && !inner.ends_with(' ');
            tight && !inner.contains(mark) && words <= MAX_WORDS
        });
        if let Some(title) = title {
            return Some((level::MARKED, title));
        }
    }
    for (open, close) in [
        ("[", "]"),
        ("<summary>", "</summary>"),
        ("<b>", "</b>"),
        ("<strong>", "</strong>"),
    ] {
        if let Some(inner) = text
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
            && !inner.contains(open)
        {
            return Some((level::MARKED, inner.trim()));
        }
    }
    None
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

/// A title without its number in a list: `1) `, `2. `, `(b) `, `[1] `, `Test 1: `.
fn without_number(title: &str) -> &str {
    if let Some((front, rest)) = title.split_once(": ") {
        let words: Vec<&str> = front.split_whitespace().collect();
        let is_number = |word: &str| word.trim_start_matches('#').parse::<u8>().is_ok();
        if let [word, number] = words[..]
            && is_number(number)
            && NUMBERED.contains(&word.to_ascii_lowercase().as_str())
        {
            return rest.trim();
        }
    }
    let text = title.strip_prefix(['(', '[']).unwrap_or(title);
    let end = text.find([')', '.', ':', ']']).unwrap_or(0);
    let number = &text[..end];
    let counts =
        !number.is_empty() && number.len() <= 2 && number.bytes().all(|b| b.is_ascii_digit());
    let letter = number.len() == 1 && number.bytes().all(|b| b.is_ascii_alphabetic());
    match text.get(end + 1..).and_then(|rest| rest.strip_prefix(' ')) {
        Some(rest) if counts || letter => rest.trim(),
        _ => title,
    }
}

/// A title without the marks around it: not without one mark of a pair, `With "bfq"`.
fn unmarked(title: &str) -> &str {
    const MARKS: [char; 10] = [
        '*', '`', '"', '\'', '_', '\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '\u{201e}',
    ];
    let trimmed = title.trim().trim_matches(MARKS).trim();
    let count = |text: &str, mark: char| text.matches(mark).count();
    let is_whole = |text: &str| {
        count(text, '"').is_multiple_of(2) && count(text, '\u{201c}') == count(text, '\u{201d}')
    };
    match is_whole(title) && !is_whole(trimmed) {
        true => title.trim(),
        false => trimmed,
    }
}

/// A title without the word that joins it to the one before: `and on 6.6`, `then 3.0`. `First run`
/// keeps its word.
fn without_conjunction(title: &str) -> &str {
    const JOINING: [&str; 6] = ["and", "but", "then", "now", "while", "first"];
    const BEGINS: [&str; 5] = ["on", "with", "for", "using", "without"];
    let Some((first, rest)) = title.split_once(' ') else {
        return title;
    };
    let next = rest.split(' ').next().unwrap_or(rest);
    let names_side = BEGINS.contains(&next) || labels::is_kernel_form(next);
    let joins = JOINING.iter().any(|word| first.eq_ignore_ascii_case(word));
    if joins && names_side { rest } else { title }
}

/// A title without marks of its form and words that say nothing: `On 6.12`, `Results for RAID5`.
fn plain(title: &str) -> &str {
    let title = unmarked(title);
    let title = crate::line::linked(title).trim_end_matches([':', '.']);
    let mut title = without_conjunction(without_number(title.trim()));
    for begin in [
        "start of ",
        "Start of ",
        "begin of ",
        "Begin of ",
        "BEGIN ",
        "Begin ",
        "begin ",
        "Results for ",
        "Results with ",
        "Results on ",
        "Results of ",
        "Result for ",
        "Output of ",
        "Output for ",
        "Output on ",
        "results for ",
        "Numbers for ",
        "On ",
        "on ",
        "For ",
        "Using ",
        "commit ",
        "Commit ",
    ] {
        if let Some(rest) = title.strip_prefix(begin) {
            title = rest.trim();
            break;
        }
    }
    for end in [
        " I see", " I get", " I got", " we see", " we get", " gives", " shows",
    ] {
        title = title.strip_suffix(end).unwrap_or(title);
    }
    unmarked(title)
}

/// Words whose number says nothing where a title is behind it.
const NUMBERED: [&str; 6] = [
    "test",
    "case",
    "scenario",
    "benchmark",
    "experiment",
    "step",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_all_kinds_are_found() {
        let cases = [
            ("## Kernel 5.15", "", Some((2, "Kernel 5.15"))),
            ("data=ordered", "------------", Some((2, "data=ordered"))),
            ("#### bfq ####", "", Some((7, "bfq"))),
            ("=== none ===", "", Some((7, "none"))),
            ("[host]", "", Some((7, "host"))),
            ("**old firmware**", "", Some((7, "old firmware"))),
            ("*FIO on XFS:*", "", Some((7, "FIO on XFS"))),
            ("* a * b *", "", None),
            ("<summary>5.15</summary>", "", Some((7, "5.15"))),
            ("On 6.12:", "", Some((8, "6.12"))),
            ("With \"bfq\":", "", Some((8, "With \"bfq\""))),
            ("\"bfq\":", "", Some((8, "bfq"))),
            ("| *Kernel 6.1* |", "|---|", Some((7, "Kernel 6.1"))),
            ("||6.1||", "", Some((7, "6.1"))),
            ("8<------ bfq ------", "", Some((7, "bfq"))),
            ("---> bfq", "", Some((7, "bfq"))),
            ("* bfq", "*****", Some((7, "bfq"))),
            ("old.txt", "::::::::::::::", Some((7, "old"))),
            ("File: old.log", "", Some((7, "old"))),
            ("<6.1>", "", Some((7, "6.1"))),
            ("</6.1>", "", None),
            ("<div>", "", None),
            ("----- start of bfq -----", "", Some((7, "bfq"))),
            ("----- end of bfq -----", "", None),
            ("== End results ==", "", Some((7, "End results"))),
            ("[1] bfq:", "", Some((9, "bfq"))),
            ("For bfq I see:", "", Some((8, "bfq"))),
            ("| read |", "", None),
            ("| 6.1 | 512 |", "", None),
            ("Results for RAID5:", "", Some((8, "RAID5"))),
            ("2) seeks:", "", Some((9, "seeks"))),
            ("commit 1a2b3c4d5e6f:", "", Some((8, "1a2b3c4d5e6f"))),
            (
                "The numbers were measured on the same machine, and then compared:",
                "",
                None,
            ),
            ("I ran it twice.", "", None),
        ];
        for (text, next, expected) in cases {
            assert_eq!(titled(text, next), expected, "{text}");
        }
        assert_eq!(bare("4.4.0-31-generic"), Some("4.4.0-31-generic"));
        assert_eq!(bare("Hi,"), None);
        assert_eq!(bare("END varmail-ext4"), None);
        let side = "after the log moved to two fast disks";
        assert_eq!(bare_side(side), Some(side));
        assert_eq!(bare_side("the log moved to two disks"), None);
        let title = "With \"Undo \"queue: fix the lock\"\"";
        assert_eq!(numbered(&format!("2. {title}")), Some(title));
        assert_eq!(numbered(title), None);
        assert_eq!(bare("The disk is the same."), None);
    }
}

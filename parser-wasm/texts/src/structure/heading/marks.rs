//! Titles that marks make: of Markdown, Jira, HTML, underlines and frames.

use super::super::context::level;
use super::super::kind::{TitleKind, kind};
use super::MAX_WORDS;
use super::plain::plain;

/// Marks below a title that is longer than they are; `---` ends the message of a commit.
const MIN_SHORT_RULE: usize = 4;
/// Characters of a title with a shorter line below it; a longer text is the end of a paragraph.
const MAX_SHORTLY_RULED: usize = 40;

pub fn markdown(text: &str) -> Option<(u8, &str)> {
    let level = text.bytes().take_while(|b| *b == b'#').count();
    let rest = &text[level..];
    let title = rest
        .strip_prefix(' ')
        .filter(|title| !title.ends_with('#'))?
        .trim();
    (1..=6).contains(&level).then_some((level as u8, title))
}

/// The level and text of a title of Jira or Redmine: `h3. Before`.
pub fn jira(text: &str) -> Option<(u8, &str)> {
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
pub fn element(text: &str) -> Option<&str> {
    let label = text.strip_prefix('<')?.strip_suffix('>')?.trim();
    (!label.starts_with('/') && kind(label) == TitleKind::Side).then_some(label)
}

/// The name of a file that is announced: `File: old.txt`, `Attachment: old.log`.
pub fn file_named(text: &str) -> Option<&str> {
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

pub fn underlined<'a>(text: &'a str, next: &str) -> Option<(u8, &'a str)> {
    let long = next.len() >= 3 || next.len() == 2 && text.len() == 2;
    let rule = |mark: char| long && next.chars().all(|c| c == mark);
    // Markdown lets the line below a title be shorter.
    let is_short = next.len() >= MIN_SHORT_RULE && text.len() <= MAX_SHORTLY_RULED;
    let comparable = (next.len() + 3 >= text.len() || is_short) && next.len() <= text.len() + 20;
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
pub fn marked(text: &str) -> Option<(u8, &str)> {
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

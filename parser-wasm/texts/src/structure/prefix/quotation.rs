//! Marks of quotations: `> `, `>> `, `JD> `, and code between backticks.

use super::super::prompt;
use crate::line::Line;
use std::ops::Range;

/// Removes the marks; each line keeps how often it was quoted.
pub fn remove_quotations(lines: &mut [Line]) {
    let indents: Vec<Option<usize>> = lines
        .iter()
        .map(|line| indent_of_quotation(line.text()))
        .collect();
    for index in 0..lines.len() {
        // A list or a forum indents complete quotations.
        let above = index.checked_sub(1).and_then(|above| indents[above]);
        let below = indents.get(index + 1).copied().flatten();
        let indent = indents[index].filter(|_| [above, below].contains(&indents[index]));
        let (length, level) = quotation(lines[index].text(), indent);
        if level > 0 && !is_prompt(lines, index, length) {
            let quotes = lines[index].quotes;
            lines[index] = lines[index].without_front(length);
            lines[index].quotes = quotes + level;
        }
    }
    for line in lines.iter_mut() {
        if let Some(range) = code_span(line.text()) {
            *line = line.cut(range);
        }
    }
}

/// The blanks before the first quotation mark of a line.
fn indent_of_quotation(text: &str) -> Option<usize> {
    let rest = text.trim_start();
    let compares = rest.starts_with(">=") && !rest.starts_with(">==");
    (rest.starts_with('>') && !compares).then_some(text.len() - rest.len())
}

/// Bytes and levels of the quotation marks of a line: `> > `, `>>`, `JD> `. Before the
/// first mark, there is at most one blank, or the `indent` of all lines of a quotation.
fn quotation(text: &str, indent: Option<usize>) -> (usize, u32) {
    let mut end = 0;
    let mut level = 0;
    loop {
        let rest = &text[end..];
        let blanks = rest.len() - rest.trim_start().len();
        let word = &rest[blanks..];
        let initials = word.bytes().take_while(u8::is_ascii_uppercase).count();
        // A prompt of a shell is no initial, and blanks before the first mark belong to the text.
        let is_near = blanks <= 1 || level == 0 && indent == Some(blanks);
        let marked = word[initials..].starts_with('>') && initials <= 3 && is_near;
        // `>=64=0.0%` of fio is no quotation.
        let compares = word[initials..].starts_with(">=") && !word[initials..].starts_with(">==");
        if !marked || compares {
            break;
        }
        end += blanks + initials + 1;
        level += 1;
    }
    if level == 0 {
        return (0, 0);
    }
    let blank = usize::from(text[end..].starts_with(' '));
    (end + blank, level)
}

/// Whether the mark of a line is the prompt of a shell: a command follows it, and the lines around
/// it have no mark.
fn is_prompt(lines: &[Line], index: usize, length: usize) -> bool {
    let is_quoted = |line: &Line| line.quotes > 0 || line.text().starts_with('>');
    let before = index
        .checked_sub(1)
        .and_then(|previous| lines.get(previous));
    let is_alone = |line: Option<&Line>| line.is_none_or(|line| !is_quoted(line));
    let is_command = prompt::bare_command(&lines[index].text()[length..]).is_some();
    is_command && is_alone(before) && is_alone(lines.get(index + 1))
}

/// The code in a line that is nothing else: `READ: bw=9924KiB/s` between backticks, one or two.
fn code_span(text: &str) -> Option<Range<usize>> {
    let trimmed = text.trim();
    let ticks = trimmed.bytes().take_while(|b| *b == b'`').count();
    let inner = trimmed.get(ticks..trimmed.len().checked_sub(ticks)?)?;
    let span = (1..=2).contains(&ticks) && trimmed.ends_with(&trimmed[..ticks]);
    let start = text.len() - text.trim_start().len() + ticks;
    (span && !inner.is_empty() && !inner.contains('`')).then(|| start..start + inner.len())
}

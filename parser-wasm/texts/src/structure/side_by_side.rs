//! Two outputs that stand side by side, as `pr -m`, `paste` and `diff -y` print them, one below the
//! other.
//!
//! ```text
//! 6.1                          6.6
//! read: IOPS=101k              read: IOPS=88.2k
//!   lat (usec): avg=12.1     |   lat (usec): avg=13.9
//! ```
//!
//! Read as it stands, such a line gives one figure of two, and its side is a guess.

use super::diff::compared;
use super::fence::is_fence;
use crate::file_name::stem;
use crate::line::Line;
use std::collections::BTreeMap;
use std::ops::Range;

/// Lines whose halves must be alike.
const MIN_ALIKE: usize = 3;
/// Characters of the halves that are compared.
const COMPARED: usize = 24;
/// Letters in which alike halves agree: rows of numbers have columns, and no halves.
const MIN_LETTERS: usize = 3;
/// Columns between the halves that `diff -y` needs for its marks.
const GUTTER: usize = 3;
/// Longer lines are no output that fits twice into a line.
const MAX_LINE: usize = 400;
/// Words of the name of an output above it.
const MAX_NAME_WORDS: usize = 6;
/// Lines between the command that printed both and their first line.
const MAX_COMMAND_GAP: usize = 2;

/// The lines; where two outputs stand side by side in a block, the left one is above the right one.
pub fn split(lines: Vec<Line>) -> Vec<Line> {
    let columns: Vec<Option<usize>> = lines
        .split_inclusive(|line| is_fence(line.text()))
        .map(column)
        .collect();
    if columns.iter().all(Option::is_none) {
        return lines;
    }
    let mut found = Vec::with_capacity(lines.len());
    let blocks = lines.split_inclusive(|line| is_fence(line.text()));
    for (block, column) in blocks.zip(columns) {
        match column {
            Some(column) => add_halves(block, column, &mut found),
            None => found.extend_from_slice(block),
        }
    }
    found
}

/// The column at which the right output begins: the one of most lines with alike halves, if these
/// are at least a third of the lines that reach over it.
fn column(block: &[Line]) -> Option<usize> {
    let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
    for column in block.iter().filter_map(|line| column_of(line.text())) {
        *votes.entry(column).or_default() += 1;
    }
    let (column, count) = votes.into_iter().max_by_key(|(_, count)| *count)?;
    let all = block
        .iter()
        .filter(|line| both(line.text(), column).is_some());
    // A command that prints two files needs no other evidence.
    let is_certain = || block.iter().any(|line| prints_both(line.text()));
    let is_likely = count >= MIN_ALIKE && count * 3 >= all.count();
    (is_likely || is_certain()).then_some(column)
}

/// The column at which the right one of two alike halves of a line begins, less its indentation.
fn column_of(text: &str) -> Option<usize> {
    if text.len() > MAX_LINE {
        return None;
    }
    let begin = text.len() - text.trim_start().len();
    let first = kind(*text.as_bytes().get(begin)?);
    let is_blank = |byte: u8| byte == b' ' || byte == b'\t';
    let bytes = text.as_bytes();
    let candidates = (begin + MIN_LETTERS..text.len()).filter(|&index| {
        let is_apart = bytes[index - 1] == b'\t'
            || is_blank(bytes[index - 1]) && is_blank(bytes[index - 2])
            || bytes[..index].ends_with(b" | ");
        is_apart && kind(bytes[index]) == first
    });
    let left = |index: usize| without_mark(&text[..index]);
    let index = candidates
        .filter(|&index| text.is_char_boundary(index))
        .find(|&index| are_alike(left(index), &text[index..]))?;
    let (column, indent) = (width(&text[..index]), width(&text[..begin]));
    column.checked_sub(indent)
}

/// Numbers are of one kind.
fn kind(byte: u8) -> u8 {
    if byte.is_ascii_digit() { b'0' } else { byte }
}

/// The column behind a character, with tab stops every eight columns.
fn next_column(column: usize, c: char) -> usize {
    match c {
        '\t' => (column / 8 + 1) * 8,
        _ => column + 1,
    }
}

/// Columns that a text takes on a screen.
fn width(text: &str) -> usize {
    text.chars().fold(0, next_column)
}

/// What is left of the mark of `diff -y`.
fn without_mark(left: &str) -> &str {
    let left = left.trim_end();
    let marked = left.strip_suffix(['|', '<', '>', '(', ')', '/', '\\']);
    marked
        .filter(|rest| rest.ends_with([' ', '\t']))
        .map_or(left, str::trim_end)
}

/// Whether two halves differ in nothing but their numbers, as far as they are compared.
fn are_alike(left: &str, right: &str) -> bool {
    let (mut left, mut right) = (shape(left), shape(right));
    let mut letters = 0;
    for _ in 0..COMPARED {
        match (left.next(), right.next()) {
            (Some(a), Some(b)) if a == b => letters += usize::from(a.is_alphabetic()),
            (None, None) => break,
            _ => return false,
        }
    }
    letters >= MIN_LETTERS
}

/// The characters of a text, with one `0` for each number and one of several blanks or equal marks.
fn shape(text: &str) -> impl Iterator<Item = char> {
    let mut last = ' ';
    text.trim().chars().filter_map(move |c| {
        let c = match c {
            '.' | ',' if last == '0' => '0',
            '0'..='9' => '0',
            c if c.is_whitespace() => ' ',
            c => c,
        };
        let is_same = c == last && !c.is_alphabetic();
        last = c;
        (!is_same).then_some(c)
    })
}

/// What is left and right of a column; `None` where a word goes over it.
fn halves(text: &str, column: usize) -> Option<(Range<usize>, Range<usize>)> {
    let mut reached = 0;
    for (index, c) in text.char_indices() {
        if reached >= column {
            let is_apart = text[..index].ends_with([' ', '\t']);
            return is_apart.then(|| (0..without_mark(&text[..index]).len(), index..text.len()));
        }
        reached = next_column(reached, c);
    }
    Some((0..without_mark(text).len(), text.len()..text.len()))
}

/// Adds a block with its left output above its right one. Lines before and behind the outputs keep
/// their places.
fn add_halves(block: &[Line], column: usize, found: &mut Vec<Line>) {
    let is_alike = |line: &Line| column_of(line.text()) == Some(column);
    let first = block.iter().position(is_alike).unwrap_or(0);
    let last = block.iter().rposition(is_alike).unwrap_or(first);
    // Lines that differ in more than their numbers belong to the outputs, too.
    let is_part = |line: &&Line| line.is_blank() || both(line.text(), column).is_some();
    let start = first - block[..first].iter().rev().take_while(is_part).count();
    let behind = block[last + 1..].iter().take_while(is_part).count();
    let (before, outputs) = block[..last + 1 + behind].split_at(start);
    let (blank, outputs) = outputs.split_at(outputs.iter().take_while(|l| l.is_blank()).count());
    let place = outputs.first().map_or(0, |line| line.place(0..0).line);
    let command = before.iter().rev().take(MAX_COMMAND_GAP);
    let named = command
        .filter_map(|line| compared(line.text()))
        .next()
        .map(|(_, names)| (names, 0))
        .or_else(|| Some((names(outputs.first()?.text(), column)?, 1)));
    let ([left_name, right_name], named_lines) = named.unwrap_or((["left", "right"], 0));
    // The right title must not have the place of the first right half: two parts of one line are
    // the name of a file and a match, as `grep` prints them.
    let last_place = outputs.last().map_or(0, |line| line.place(0..0).line);
    let title = |name: &str, place| Line::new(format!("=== {}", stem(name)), place);
    found.extend_from_slice(before);
    found.extend_from_slice(blank);
    found.push(title(left_name, place));
    let mut right = vec![Line::new("", last_place), title(right_name, last_place)];
    for line in &outputs[named_lines..] {
        let length = line.text().len();
        let halves = halves(line.text(), column).unwrap_or((0..length, length..length));
        found.push(whole(line, halves.0, column));
        right.push(whole(line, halves.1, column));
    }
    found.append(&mut right);
    found.extend_from_slice(&block[last + 1 + behind..]);
}

/// Whether a line is a command that prints two files side by side.
fn prints_both(line: &str) -> bool {
    compared(line).is_some_and(|(command, _)| {
        let is_diff = command.starts_with("diff");
        !is_diff || command.contains(" -y") || command.contains(" --side-by-side")
    })
}

/// Both halves of a line that has them.
fn both(text: &str, column: usize) -> Option<(&str, &str)> {
    let (left, right) = halves(text, column)?;
    let (left, right) = (text[left].trim(), text[right].trim());
    (!left.is_empty() && !right.is_empty()).then_some((left, right))
}

/// The two names in a line above the outputs.
fn names(text: &str, column: usize) -> Option<[&str; 2]> {
    let (left, right) = both(text, column)?;
    let is_name = |name: &str| name.split_whitespace().count() <= MAX_NAME_WORDS;
    let is_line = are_alike(left, right) && left.contains(' ');
    (left != right && is_name(left) && is_name(right) && !is_line).then_some([left, right])
}

/// A half of a line, without its last word where it fills the half: it was cut there, perhaps
/// within a number.
fn whole(line: &Line, range: Range<usize>, column: usize) -> Line {
    let text = &line.text()[range.clone()];
    let is_cut = width(text) + GUTTER >= column && text.ends_with(char::is_alphanumeric);
    match text.rfind(' ').filter(|_| is_cut) {
        Some(blank) => line.cut(range.start..range.start + blank),
        None => line.cut(range),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below(text: &str) -> Vec<String> {
        let lines = text.lines().enumerate();
        let lines = lines.map(|(index, line)| Line::new(line, index as u32));
        let lines = split(lines.collect());
        lines.iter().map(|line| line.text().to_owned()).collect()
    }

    const EXPECTED: [&str; 13] = [
        "See:",
        "=== 6.1",
        "read: IOPS=101k",
        "  lat: avg=12.1",
        "",
        "  slat: avg=1",
        "write: IOPS=1k",
        "",
        "=== 6.6",
        "read: IOPS=88.2k",
        "  lat: avg=13.9",
        "",
        "  slat: avg=2",
    ];

    #[test]
    fn two_outputs_side_by_side_are_put_below_each_other() {
        let blanks = [
            "See:",
            "6.1                 6.6",
            "read: IOPS=101k     read: IOPS=88.2k",
            "  lat: avg=12.1       lat: avg=13.9",
            "",
            "  slat: avg=1         slat: avg=2",
            "write: IOPS=1k      write: IOPS=2k",
            "end",
        ];
        let tabs = [
            "See:",
            "$ diff -y 6.1.txt 6.6.txt",
            "read: IOPS=101k\t\t      |\tread: IOPS=88.2k",
            "  lat: avg=12.1\t\t      |\t  lat: avg=13.9",
            "",
            "  slat: avg=1\t\t      |\t  slat: avg=2",
            "write: IOPS=1k\t\t      |\twrite: IOPS=2k",
            "end",
        ];
        for text in [blanks, tabs] {
            let mut lines = below(&text.join("\n"));
            lines.retain(|line| !line.starts_with('$'));
            assert_eq!(lines[..13], EXPECTED);
            assert_eq!(lines[13..], ["write: IOPS=2k", "end"]);
        }
    }

    #[test]
    fn what_a_column_may_have_cut_is_no_number() {
        let text = "read: IOPS=101 | read: IOPS=882\nread: bytes=9  | read: bytes=97\n\
            write: bw=12.1 | write: bw=13.9\nwrite: lat=1   | write: lat=2";
        let lines = below(text);
        assert_eq!(lines[..3], ["=== left", "read:", "read: bytes=9"]);
        assert!(!lines.iter().any(|line| line.contains('|')), "{lines:?}");
    }

    #[test]
    fn tables_stay() {
        for text in [
            "test    6.1    6.6\nread    512    431\nwrite   401    398\nsync    10     12",
            "none   bfq   none   bfq\n512    431   513    430\n\
                401    398   402    397\n1      2     3      4",
            "| read | 512 | read | 431 |\n| write | 512 | write | 431 |\n\
                | sync | 512 | sync | 431 |",
            " Reads Queued:  2,  8KiB\t Writes Queued:  0,  0KiB\n\
                \u{20}Reads Completed:  2,  8KiB\t Writes Completed:  0,  0KiB\n\
                \u{20}Read Merges:  0,  0KiB\t Write Merges:  0,  0KiB",
        ] {
            assert_eq!(below(text), text.lines().collect::<Vec<_>>(), "{text}");
        }
    }
}

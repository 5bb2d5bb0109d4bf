//! Two outputs that were printed by `diff`, as two outputs below the names of their files.
//!
//! ```text
//! --- old.txt     2026-03-03 10:11:12        $ diff old.txt new.txt
//! +++ new.txt     2026-03-03 10:21:12        3c3
//! @@ -1,2 +1,2 @@                            < read: IOPS=101k
//!  unchanged                                 ---
//! -read: IOPS=101k                           > read: IOPS=88.2k
//! +read: IOPS=88.2k
//! ```

use super::{patch, prompt};
use crate::file_name::stem;
use crate::line::Line;

/// The lines, with the two sides of each `diff` of results one below the other. Patches of source
/// code stay as they are.
pub fn split(lines: Vec<Line>) -> Vec<Line> {
    let is_begin = |line: &Line| line.text().starts_with("@@ -") || change(line.text());
    if !lines.iter().any(is_begin) {
        return lines;
    }
    let mut found: Vec<Line> = Vec::with_capacity(lines.len());
    let mut index = 0;
    while index < lines.len() {
        if let Some(end) = patch::end(&lines, index) {
            found.extend_from_slice(&lines[index..end]);
            index = end;
        } else if let Some(diff) = unified(&lines, index).or_else(|| plain(&lines, index)) {
            index = diff.end;
            diff.add_to(&mut found);
        } else {
            found.push(lines[index].clone());
            index += 1;
        }
    }
    found
}

/// The sides of a `diff`, each with its title, and the line behind it.
struct Diff {
    old: Vec<Line>,
    new: Vec<Line>,
    end: usize,
}

impl Diff {
    fn add_to(self, lines: &mut Vec<Line>) {
        let place = self.new.first().map_or(0, |line| line.place(0..0).line);
        lines.extend(self.old);
        // Some outputs end at an empty line only.
        lines.push(Line::new("", place));
        lines.extend(self.new);
    }
}

fn unified(lines: &[Line], start: usize) -> Option<Diff> {
    let text = |index: usize| lines.get(index).map_or("", Line::text);
    text(start).strip_prefix("--- ")?;
    text(start + 1).strip_prefix("+++ ")?;
    let mut counts = patch::hunk(text(start + 2))?;
    let title = |index: usize| {
        let line = &lines[index];
        // The time of the file is behind a tab.
        line.cut(0..line.text().find('\t').unwrap_or(line.text().len()))
    };
    let (mut old, mut new) = (vec![title(start)], vec![title(start + 1)]);
    let mut end = start + 3;
    while let Some(line) = lines.get(end) {
        if let Some(next) = patch::hunk(line.text()) {
            counts = next;
            end += 1;
            continue;
        }
        if counts == [0, 0] {
            break;
        }
        let (is_old, is_new) = match line.text().chars().next() {
            Some('-') => (true, false),
            Some('+') => (false, true),
            // Mailers remove the blank of an empty line.
            Some(' ') | None => (true, true),
            Some(_) => break,
        };
        let inner = line.without_front(line.text().len().min(1));
        for (side, count, is_there) in [(&mut old, 0, is_old), (&mut new, 1, is_new)] {
            if is_there {
                side.push(inner.clone());
                counts[count] = usize::saturating_sub(counts[count], 1);
            }
        }
        end += 1;
    }
    Some(Diff { old, new, end })
}

/// Whether a line says which lines are changed: `3c3`, `5,7d4`.
fn change(text: &str) -> bool {
    let is_range = |range: &str| {
        let mut numbers = range.split(',');
        let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
        numbers.clone().count() <= 2 && numbers.all(is_number)
    };
    let text = text.trim_end();
    text.len() < 40
        && text
            .split_once(['a', 'c', 'd'])
            .is_some_and(|(old, new)| is_range(old) && is_range(new))
}

fn plain(lines: &[Line], start: usize) -> Option<Diff> {
    if !change(lines[start].text()) {
        return None;
    }
    let is_changed = |line: &Line| line.text().starts_with(['<', '>']);
    lines.get(start + 1).filter(|line| is_changed(line))?;
    let names = start
        .checked_sub(1)
        .and_then(|above| compared(lines[above].text()));
    let [first, second] = names.map_or(["first file", "second file"], |(_, names)| names);
    let place = lines[start].place(0..0).line;
    let title = |name: &str| Line::new(format!("=== {}", stem(name)), place);
    let (mut old, mut new) = (vec![title(first)], vec![title(second)]);
    let mut end = start;
    while let Some(line) = lines.get(end) {
        let text = line.text();
        let inner = || {
            let blank = usize::from(text[1..].starts_with(' '));
            line.without_front(1 + blank)
        };
        match text.chars().next() {
            Some('<') => old.push(inner()),
            Some('>') => new.push(inner()),
            _ if change(text) || text.trim_end() == "---" => {}
            _ => break,
        }
        end += 1;
    }
    Some(Diff { old, new, end })
}

/// The command of a line without its prompt, and its two files, where it prints both:
/// `$ diff old.txt new.txt`. A sentence with these words is no command.
pub fn compared(line: &str) -> Option<(&str, [&str; 2])> {
    const PROGRAMS: [&str; 4] = ["diff", "sdiff", "pr", "paste"];
    let command = prompt::prompt(line).map_or(line, |prompt| prompt.command);
    let program = command.split_whitespace().next()?;
    let mut words = command.split_whitespace().rev();
    let (second, first) = (words.next()?, words.next()?);
    let is_command = PROGRAMS.contains(&program) && first != program && !first.starts_with('-');
    is_command.then_some((command, [first, second]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(text: &str) -> Vec<String> {
        let lines = text.lines().enumerate();
        let lines = lines.map(|(index, line)| Line::new(line, index as u32));
        let lines = split(lines.collect());
        lines.iter().map(|line| line.text().to_owned()).collect()
    }

    #[test]
    fn a_diff_of_results_has_two_sides() {
        let unified = "--- old.txt\t2026-03-03\n+++ new.txt\t2026-03-03\n\
            @@ -1,2 +1,2 @@\n a\n-b 1\n+b 2\nend";
        assert_eq!(
            sides(unified),
            [
                "--- old.txt",
                "a",
                "b 1",
                "",
                "+++ new.txt",
                "a",
                "b 2",
                "end"
            ]
        );
        let plain = "$ diff old.txt new.txt\n2c2\n< b 1\n---\n> b 2\n5a6\n> c\nend";
        assert_eq!(
            sides(plain),
            [
                "$ diff old.txt new.txt",
                "=== old",
                "b 1",
                "",
                "=== new",
                "b 2",
                "c",
                "end"
            ]
        );
    }

    #[test]
    fn a_mark_may_have_no_blank_behind_it() {
        let lines = sides("3c3\n<\u{e9} 1\n---\n>\u{e9} 2\n>");
        let expected = [
            "=== first file",
            "\u{e9} 1",
            "",
            "=== second file",
            "\u{e9} 2",
            "",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn other_lines_stay() {
        for text in [
            "--- a/block/blk-mq.c\n+++ b/block/blk-mq.c\n@@ -1,2 +1,2 @@\n a\n-b 1\n+b 2",
            "3c3\ntext",
            "I paste the output below:\n3c3\ntext",
            "> a\n> b",
            "--- a ---\n+++ b +++",
            "4k",
        ] {
            assert_eq!(sides(text), text.lines().collect::<Vec<_>>(), "{text}");
        }
    }
}

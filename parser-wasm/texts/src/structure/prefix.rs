//! Removes what mailers, pagers and loggers put before lines: quotation marks, numbers of lines,
//! times. It is removed only where a block has it throughout.

use super::fence::is_fence;
use super::{prompt, spacing};
use crate::line::Line;
use std::ops::Range;

/// Lines of which a prefix must be part before it counts as one.
const MIN_LINES: usize = 3;
/// How often prefixes are looked for behind those that were removed.
const MAX_NESTED: usize = 3;

/// The lines without prefixes. Quotations keep their level.
pub fn remove(mut lines: Vec<Line>) -> Vec<Line> {
    // What is quoted with numbers or times may have had them, or quotation marks, before.
    for _ in 0..MAX_NESTED {
        remove_quotations(&mut lines);
        remove_indents(&mut lines);
        if !remove_common(&mut lines) {
            break;
        }
    }
    spacing::halve(lines)
}

/// Removes what all lines of a paragraph, or of several, are indented by: reStructuredText, lists
/// and messages of commits indent outputs below an empty line. Lines directly below another one
/// are indented because they belong to it.
fn remove_indents(lines: &mut [Line]) {
    let is_end = |line: &Line| line.is_blank() || is_fence(line.text());
    let indent =
        |line: &Line| line.text().len() - line.text().trim_start_matches([' ', '\t']).len();
    let mut start = 0;
    while start < lines.len() {
        let is_first = start == 0 || is_end(&lines[start - 1]);
        if is_end(&lines[start]) || !is_first || indent(&lines[start]) == 0 {
            start += 1;
            continue;
        }
        let block = lines[start..].iter();
        let length = block
            .take_while(|line| line.is_blank() || indent(line) > 0)
            .count();
        let block = &mut lines[start..start + length];
        let filled = || block.iter().filter(|line| !line.is_blank());
        let common = filled().map(indent).min().unwrap_or(0);
        if filled().count() >= MIN_LINES {
            for line in block.iter_mut().filter(|line| !line.is_blank()) {
                *line = line.without_front(common);
            }
        }
        start += length;
    }
}

fn remove_quotations(lines: &mut [Line]) {
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

/// Removes what all lines of a block have in front of them. What a person writes around a block
/// between fences has no prefix.
fn remove_common(lines: &mut [Line]) -> bool {
    let mut is_changed = false;
    for block in lines.split_mut(|line| is_fence(line.text())) {
        // A line of syslog begins with a time, too.
        for prefix in [
            numbers as Prefix,
            syslog,
            loggers,
            timestamps,
            bars,
            comments,
        ] {
            if let Some(lengths) = prefix(block) {
                for (line, length) in block.iter_mut().zip(lengths) {
                    *line = line.without_front(length);
                }
                is_changed = true;
            }
        }
    }
    is_changed
}

/// Bytes of the prefix of each line; `None` where the lines have no such prefix.
type Prefix = fn(&[Line]) -> Option<Vec<usize>>;

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

/// `     1\t` of `cat -n`, `12:` of `grep -n`: numbers that rise from line to line.
fn numbers(lines: &[Line]) -> Option<Vec<usize>> {
    let mut previous: Option<u64> = None;
    let lengths: Vec<usize> = lines
        .iter()
        .map(|line| {
            let text = line.text();
            let blanks = text.len() - text.trim_start_matches(' ').len();
            let digits = text[blanks..]
                .bytes()
                .take_while(u8::is_ascii_digit)
                .count();
            let number: u64 = text[blanks..blanks + digits].parse().ok()?;
            let mark = text[blanks + digits..].chars().next();
            let is_separator = matches!(mark, Some('\t' | ':' | '-'))
                || (mark.is_none() && text.trim_end().len() == blanks + digits);
            let rises =
                previous.is_none_or(|previous| number > previous && number - previous < 1000);
            previous = Some(number);
            (is_separator && rises).then(|| (blanks + digits + 1).min(text.len()))
        })
        .map(|length| length.map_or(usize::MAX, |length| length))
        .collect();
    throughout(lines, lengths, 100, MIN_LINES)
}

/// `2024-03-04T10:11:12 `, `[10:11:12] `, `Mar 04 10:11:12 ` of `ts` and consoles.
fn timestamps(lines: &[Line]) -> Option<Vec<usize>> {
    let length = |line: &Line| timestamp(line.text()).unwrap_or(usize::MAX);
    let lengths = lines.iter().map(length).collect();
    // A date and a time in brackets, or joined by `T`, are no columns of a table.
    let is_plain = |line: &Line| {
        line.is_blank() || line.text().starts_with("[2") || line.text().get(10..11) == Some("T")
    };
    let min = if lines.iter().all(is_plain) {
        1
    } else {
        MIN_LINES
    };
    throughout(lines, lengths, 95, min)
}

fn timestamp(text: &str) -> Option<usize> {
    let (bracket, rest) = match text.strip_prefix('[') {
        Some(rest) => (1, rest),
        None => (0, text),
    };
    let mut words = rest.split([' ', 'T']);
    let first = words.next()?;
    let is_date = |word: &str| {
        word.len() == 10
            && word.matches('-').count() == 2
            && word.starts_with(|c: char| c.is_ascii_digit())
    };
    let length = if is_date(first) {
        11 + clock(&rest[11.min(rest.len())..])?
    } else if MONTHS.contains(&first) {
        let day = words.next()?;
        let skipped = first.len() + 1 + day.len() + 1;
        day.parse::<u8>().ok()?;
        skipped + clock(rest.get(skipped..)?)?
    } else if bracket == 1 {
        clock(rest)?
    } else {
        return None;
    };
    let mut end = bracket + length;
    if bracket == 1 {
        text[end..].starts_with(']').then_some(())?;
        end += 1;
    }
    let blank = usize::from(text[end..].starts_with(' '));
    (blank == 1 || end == text.len()).then_some(end + blank)
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Bytes of a time: `10:11:12`, `10:11:12.123+00:00`.
fn clock(text: &str) -> Option<usize> {
    let digits = |range: std::ops::Range<usize>| {
        text.get(range)
            .is_some_and(|t| t.bytes().all(|b| b.is_ascii_digit()))
    };
    let colon = |index: usize| text.as_bytes().get(index) == Some(&b':');
    if !(digits(0..2) && colon(2) && digits(3..5) && colon(5) && digits(6..8)) {
        return None;
    }
    let rest = &text[8..];
    let more = rest.find([' ', ']']).unwrap_or(rest.len());
    rest[..more]
        .bytes()
        .all(|b| b.is_ascii_digit() || b".,+:Z-".contains(&b))
        .then_some(8 + more)
}

/// The lengths of prefixes like `Mar  4 10:11:12 host program[12]: `.
fn syslog(lines: &[Line]) -> Option<Vec<usize>> {
    let length = |line: &Line| -> Option<usize> {
        let text = line.text();
        let month = text.get(..3).filter(|month| MONTHS.contains(month))?;
        let day = text[month.len()..].trim_start();
        let clock_start = text.len() - day.len() + day.find(' ')? + 1;
        let after = clock_start + clock(text.get(clock_start..)?)?;
        let program = text[after..].find(": ")?;
        (text[after..after + program].split_whitespace().count() <= 2)
            .then_some(after + program + 2)
    };
    let lengths = lines.iter().map(|line| length(line).unwrap_or(usize::MAX));
    // A date, a host and a program: nothing else begins like that.
    throughout(lines, lengths.collect(), 95, 1)
}

/// Words by which a logger says how important a line is.
const LOG_LEVELS: [&str; 8] = [
    "TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL",
];
/// Words of a logger before the level.
const MAX_LOGGER_WORDS: usize = 6;

/// The lengths of prefixes like `10:11:12 DEBUG| [stdout] `, `10:11:12 - main - INFO - `.
fn loggers(lines: &[Line]) -> Option<Vec<usize>> {
    let length = |line: &Line| -> Option<usize> {
        let text = line.text();
        let begin = text.starts_with(|c: char| c.is_ascii_digit()) || text.starts_with('[');
        let words = || text.split_inclusive(' ').take(MAX_LOGGER_WORDS);
        let is_level = |word: &str| {
            LOG_LEVELS.contains(&word.trim_matches(|c: char| !c.is_ascii_alphabetic()))
        };
        let index = words()
            .position(is_level)
            .filter(|index| begin && *index > 0)?;
        let timed = words().take(index).any(|word| {
            clock(
                word.trim_start_matches('[')
                    .trim_end_matches([' ', ']', ',']),
            )
            .is_some()
        });
        let mut end: usize = words().take(index + 1).map(str::len).sum();
        // `- `, and the name of what printed the line.
        while let Some(word) = text[end..].split_inclusive(' ').next() {
            let mark = word.trim_end();
            let tag = mark
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix([']', ':']));
            if !matches!(mark, "-" | "|" | ":") && tag.is_none() {
                break;
            }
            end += word.len();
        }
        timed.then_some(end)
    };
    let lengths = lines.iter().map(|line| length(line).unwrap_or(usize::MAX));
    throughout(lines, lengths.collect(), 95, MIN_LINES)
}

/// `| ` before each line, as some mailers quote; lines of a table end with `|`, too.
fn bars(lines: &[Line]) -> Option<Vec<usize>> {
    let filled = lines.iter().filter(|line| !line.is_blank());
    let is_row = |line: &&Line| {
        let text = line.text().trim_end();
        text.len() > 1 && text.ends_with('|')
    };
    let rows = filled.clone().filter(is_row).count();
    // A table in such a quotation has other lines around it; each row begins with two bars.
    let is_table = rows * 2 > filled.clone().count()
        && filled
            .filter(is_row)
            .any(|line| !line.text().starts_with("| |"));
    if is_table {
        return None;
    }
    throughout(lines, lengths_behind(lines, '|'), 100, MIN_LINES)
}

/// `# ` before each line, as comments and messages of commits have it, or `+` of an added file.
fn comments(lines: &[Line]) -> Option<Vec<usize>> {
    ['#', '+']
        .into_iter()
        .find_map(|mark| throughout(lines, lengths_behind(lines, mark), 100, MIN_LINES))
}

/// The lengths of a mark with the blank behind it. In a patch, a text follows without one.
fn lengths_behind(lines: &[Line], mark: char) -> Vec<usize> {
    let length = |line: &Line| match line.text().strip_prefix(mark) {
        Some("") => 1,
        Some(rest) if rest.starts_with(' ') && mark != '+' => 2,
        Some(_) if mark == '+' => 1,
        _ => usize::MAX,
    };
    lines.iter().map(length).collect()
}

/// The lengths if at least `min` lines with text, and this share of them, have the prefix; others
/// keep all their bytes.
fn throughout(
    lines: &[Line],
    lengths: Vec<usize>,
    percent: usize,
    min: usize,
) -> Option<Vec<usize>> {
    let filled = lines
        .iter()
        .zip(&lengths)
        .filter(|(line, _)| !line.is_blank());
    let (mut count, mut marked) = (0, 0);
    for (_, length) in filled {
        count += 1;
        marked += usize::from(*length != usize::MAX);
    }
    (count >= min && marked * 100 >= count * percent).then(|| {
        lengths
            .into_iter()
            .map(|length| if length == usize::MAX { 0 } else { length })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn removed(text: &str) -> Vec<String> {
        let lines = text
            .lines()
            .enumerate()
            .map(|(index, line)| Line::new(line, index as u32))
            .collect();
        remove(lines)
            .iter()
            .map(|line| line.text().to_owned())
            .collect()
    }

    #[test]
    fn prefixes_are_removed_where_all_lines_have_them() {
        let cases = [
            "> > a\n> >\n> >   b 1",
            ">> a\n>>\n>>   b 1",
            "JD> a\nJD>\nJD>   b 1",
            "     1\ta\n     2\n     3\t  b 1",
            "7:a\n8:\n9:  b 1",
            "2024-03-04T10:11:12 a\n2024-03-04T10:11:13 \n2024-03-04T10:11:14   b 1",
            "[10:11:12] a\n[10:11:12] \n[10:11:12]   b 1",
            "| a\n|\n|   b 1",
            "| a\n| \n|   b 1",
            "# a\n#\n#   b 1",
            "+a\n+\n+  b 1",
            "\t> a\n\t>\n\t>   b 1",
            "1:> a\n2:>\n3:>   b 1",
            "[2026-03-04 10:11:12] 7:a\n[2026-03-04 10:11:12] 8:\n[2026-03-04 10:11:13] 9:  b 1",
            "Mar 04 10:11:12 box run.sh[1]: a\nMar 04 10:11:12 box run.sh[1]: \nMar 04 10:11:13 box run.sh[1]:   b 1",
            "10:11:12 DEBUG| [out] a\n10:11:12 DEBUG| [out] \n10:11:13 DEBUG| [out]   b 1",
            "10:11:12 - main - INFO - a\n10:11:12 - main - INFO - \n10:11:13 - main - INFO -   b 1",
            "Mar  4 10:11:12 box t[1]: a\nMar  4 10:11:12 box t[1]: \nMar  4 10:11:12 box t[1]:   b 1",
        ];
        for text in cases {
            assert_eq!(removed(text), ["a", "", "  b 1"], "{text}");
        }
    }

    #[test]
    fn a_date_needs_no_other_lines() {
        for text in [
            "[2026-03-04 10:11:12] a",
            "2026-03-04T10:11:12.123Z a",
            "Mar  4 10:11:12 box t[1]: a",
        ] {
            assert_eq!(removed(text), ["a"], "{text}");
        }
    }

    #[test]
    fn a_block_between_fences_has_prefixes_of_its_own() {
        assert_eq!(
            removed("It is slow:\n```\n[10:11:12] a\n[10:11:12] b\n[10:11:13]   c\n```\nend"),
            ["It is slow:", "```", "a", "b", "  c", "```", "end"]
        );
    }

    #[test]
    fn what_looks_like_a_prefix_stays() {
        for text in [
            "| a | 1 |\n| b | 2 |\n| c | 3 |",
            "2026-03-04 10:11:12 512",
            "# a\n# b\nc",
            "+----+\n| 1 |\n+----+",
            "1 2\n2 3\n3 4",
            "64 -> 127\n128 -> 255",
            "   >=64=0.0%",
            "> dd if=a of=b\n4+0 records in\n> dd if=b of=c\n4+0 records in",
        ] {
            assert_eq!(removed(text), text.lines().collect::<Vec<_>>(), "{text}");
        }
    }
}

//! Times that loggers, consoles and `ts` put before lines.

use super::{MIN_LINES, in_runs, throughout};
use crate::line::Line;

/// `2024-03-04T10:11:12 `, `[10:11:12] `, `Mar 04 10:11:12 ` of `ts` and consoles.
pub fn timestamps(lines: &[Line]) -> Option<Vec<usize>> {
    let length = |line: &Line| timestamp(line.text()).unwrap_or(usize::MAX);
    let lengths: Vec<usize> = lines.iter().map(length).collect();
    // A date and a time in brackets, or joined by `T`, are no columns of a table.
    let is_plain = |line: &Line| {
        line.is_blank() || line.text().starts_with("[2") || line.text().get(10..11) == Some("T")
    };
    let min = if lines.iter().all(is_plain) {
        1
    } else {
        MIN_LINES
    };
    throughout(lines, lengths.clone(), 95, min).or_else(|| {
        in_runs(lines, &lengths, &|run, _| {
            run.iter()
                .all(|line| is_plain(line) || line.text().starts_with('['))
        })
    })
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
pub fn syslog(lines: &[Line]) -> Option<Vec<usize>> {
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
    let lengths: Vec<usize> = lengths.collect();
    // A date, a host and a program: nothing else begins like that.
    throughout(lines, lengths.clone(), 95, 1).or_else(|| in_runs(lines, &lengths, &|_, _| true))
}

/// Words by which a logger says how important a line is.
const LOG_LEVELS: [&str; 8] = [
    "TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL",
];
/// Words of a logger before the level.
const MAX_LOGGER_WORDS: usize = 6;

/// The lengths of prefixes like `10:11:12 DEBUG| [stdout] `, `10:11:12 - main - INFO - `.
pub fn loggers(lines: &[Line]) -> Option<Vec<usize>> {
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
    let lengths: Vec<usize> = lengths.collect();
    throughout(lines, lengths.clone(), 95, MIN_LINES)
        .or_else(|| in_runs(lines, &lengths, &|_, _| true))
}

//! Archives and chats keep a mail as one line with blanks for its line ends. The lines are found by
//! how lines begin: quotation marks, shell prompts, and lines of dd.

use super::ShownLine;
use seekscope_trace::sorting::SortShort;

/// Characters above which a line may be a complete mail.
const MIN_LENGTH: usize = 200;
/// Quotation marks that make a quotation of a line.
const MIN_MARKS: usize = 3;

/// Splits lines that were joined; all others stay as they are.
pub fn split(lines: Vec<ShownLine>) -> Vec<ShownLine> {
    if lines.iter().all(|line| line.text.len() < MIN_LENGTH) {
        return lines;
    }
    let mut found = Vec::with_capacity(lines.len());
    for line in lines {
        let starts = if line.text.len() < MIN_LENGTH {
            Vec::new()
        } else {
            starts(&line.text)
        };
        if starts.is_empty() {
            found.push(line);
            continue;
        }
        let (mut begin, mut column) = (0, 0);
        for end in starts.into_iter().chain([line.text.len()]) {
            found.push(ShownLine {
                text: line.text[begin..end].trim_end().into(),
                file_line: line.file_line,
                file_column: line.file_column + column,
            });
            column += line.text[begin..end].chars().count() as u32;
            begin = end;
        }
    }
    found
}

/// Bytes at which lines begin, but the first one.
fn starts(text: &str) -> Vec<usize> {
    let marks: Vec<usize> = text
        .match_indices(" > ")
        .map(|(start, _)| start + 1)
        .collect();
    if marks.len() >= MIN_MARKS {
        // Each mark of `> >` is a line: the first one is blank.
        let mut starts = marks.clone();
        starts.extend(text.match_indices(" > >").map(|(start, _)| start + 3));
        starts.sort_short();
        starts.dedup();
        return starts;
    }
    let mut starts = Vec::new();
    let words = Words { text, next: 0 };
    let mut previous: Option<(usize, &str)> = None;
    for (start, word) in words {
        let before_previous = previous;
        previous = Some((start, word));
        if start == 0 {
            continue;
        }
        if is_prompt(word) {
            starts.push(start);
        }
        // `1024+0 records in`, `1073741824 bytes (1.1 GB`.
        if let Some((number, text)) = before_previous {
            let counted = |plus| text.bytes().all(|b| b.is_ascii_digit() || b == plus);
            let records = word == "records" && text.contains('+') && counted(b'+');
            let bytes = word == "bytes" && counted(b'0') && text.len() > 3;
            if (records || bytes) && number > 0 {
                starts.push(number);
            }
        }
    }
    starts.dedup();
    if starts.len() < 2 { Vec::new() } else { starts }
}

/// Whether a word is a prompt: `root@box:~#`, `[root@box`, `user@host:/tmp$`.
fn is_prompt(word: &str) -> bool {
    let Some((user, rest)) = word.trim_start_matches('[').split_once('@') else {
        return false;
    };
    let name = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    };
    let host = rest.split([':', ']']).next().unwrap_or("");
    name(user) && name(host) && (rest.ends_with(['#', '$']) || word.starts_with('['))
}

struct Words<'a> {
    text: &'a str,
    next: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = &self.text[self.next..];
        let skipped = rest.len() - rest.trim_start().len();
        let start = self.next + skipped;
        let word = self.text[start..]
            .split(char::is_whitespace)
            .next()
            .filter(|w| !w.is_empty())?;
        self.next = start + word.len();
        Some((start, word))
    }
}

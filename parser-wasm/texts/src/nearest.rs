//! What a text resembles most in which nothing was found, and what it lacks: the reason for
//! refusing it. Each resemblance is one row of [`signs::SIGNS`]; the first that enough lines show
//! is the nearest.
//!
//! Cost: each line of the beginning of the text is compared with each row once.

use crate::{recognise, transport};
use seekscope_error::{Error, LinePlace, Nearest, Problem};
use seekscope_formats::LineGroup;
use seekscope_trace::json::{is_json, read};
use signs::{Enough, SIGNS, Sign};

mod signs;

/// Bytes of the text that are searched: what it is shows early.
const MAX_BYTES: usize = 256 << 10;

/// The nearest, and the index of the shown line that shows it.
fn resemblance(lines: &[(u32, &str)]) -> Option<(&'static Sign, usize)> {
    SIGNS.iter().find_map(|sign| {
        let mut matches = lines
            .iter()
            .enumerate()
            .filter(|(_, (_, text))| (sign.shows)(text))
            .map(|(index, _)| index);
        let first = matches.next()?;
        let count = 1 + matches.count();
        let is_enough = match sign.enough {
            Enough::Lines(least) => count >= least,
            Enough::Share(percent) => count >= 3 && count * 100 >= lines.len() * percent,
        };
        is_enough.then_some((sign, first))
    })
}

/// Keys of a document that are named.
const MAX_KEYS: usize = 4;
const MAX_KEY: usize = 32;

/// The kind of a JSON document by its first keys: `JSON with "disks", "time"`.
fn json(text: &str) -> Option<Nearest> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if !is_json(text) {
        return None;
    }
    let keys: Vec<String> = match read(text) {
        Ok(serde_json::Value::Object(map)) => map
            .keys()
            .filter(|key| key.len() <= MAX_KEY && !key.chars().any(char::is_control))
            .take(MAX_KEYS)
            .map(|key| format!("`{key}`"))
            .collect(),
        _ => Vec::new(),
    };
    let named = if keys.is_empty() {
        String::new()
    } else {
        format!(" with {}", keys.join(", "))
    };
    Some(Nearest {
        what: format!("JSON{named}"),
        lacks: "but is no complete report of fio, iostat, bpftrace, biolatency, hyperfine or perfetto",
        remedy: None,
    })
}

/// Why a text is refused; `None` for bytes that are no text, and, unless the reason is `needed`,
/// for a text that resembles nothing.
pub fn refusal(path: &str, bytes: &[u8], size: u64, needed: bool) -> Option<Error> {
    refusal_of_part(path, bytes, size, size, needed)
}

/// The same for a text of which so many bytes were `searched` for results.
pub fn refusal_of_part(
    path: &str,
    bytes: &[u8],
    size: u64,
    searched: u64,
    needed: bool,
) -> Option<Error> {
    let head = &bytes[..bytes.len().min(MAX_BYTES)];
    // In UTF-16 it may be a trace, which is read after a conversion.
    if !needed && (head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff")) {
        return None;
    }
    let shown = transport::read(head)?;
    let all: Vec<_> = shown
        .parts
        .iter()
        .flat_map(|part| recognise::lines_of(&shown, part))
        .filter(|line| !line.is_blank())
        .collect();
    let lines: Vec<(u32, &str)> = all
        .iter()
        .map(|line| (line.place(0..0).line, line.text().trim()))
        .collect();
    let complete: Vec<&str> = shown.lines.iter().map(|line| &*line.text).collect();
    let (nearest, index) = match json(&complete.join("\n")) {
        Some(nearest) => (Some(nearest), 0),
        None => match resemblance(&lines) {
            Some((sign, index)) => {
                let nearest = Nearest {
                    what: sign.what.to_owned(),
                    lacks: sign.lacks,
                    remedy: sign.remedy,
                };
                (Some(nearest), index)
            }
            None if needed => (None, 0),
            None => return None,
        },
    };
    let (line, text) = lines.get(index).copied().unwrap_or((0, ""));
    let number = shown
        .lines
        .get(line as usize)
        .map_or(0, |line| u64::from(line.file_line))
        + 1;
    let mut quoted = None;
    let byte = start_of_line(head, number);
    LineGroup::note(&mut quoted, number, byte, text.as_bytes());
    let position = LinePlace {
        file: path.to_owned(),
        line: number,
        byte,
    };
    let example = quoted.map_or(String::new(), |lines| lines.example);
    let problem = Problem::NoResults {
        position,
        example,
        size,
        searched,
        nearest,
    };
    Some(problem.into())
}

/// Byte at which a line begins, from 1.
fn start_of_line(bytes: &[u8], number: u64) -> u64 {
    let before = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
    let ends = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n');
    match before
        .checked_sub(1)
        .map(|last| ends.map(|(index, _)| index + 1).nth(last))
    {
        Some(Some(start)) => start as u64,
        _ => 0,
    }
}

#[cfg(test)]
mod tests;

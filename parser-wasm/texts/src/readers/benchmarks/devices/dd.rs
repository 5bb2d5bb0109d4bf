//! `dd` of coreutils, busybox and BSD, in all languages:
//!
//! ```text
//! 1024+0 records in
//! 1024+0 records out
//! 1073741824 bytes (1.1 GB, 1.0 GiB) copied, 9.31021 s, 115 MB/s
//! 104857600 bytes (100.0MB) copied, 5.301204 seconds, 18.9MB/s              busybox
//! 104857600 bytes transferred in 2.391 secs (43855000 bytes/sec)            BSD, macOS
//! 1048576000 bytes (1049 MB, 1000 MiB) transferred 3.012s, 348 MB/s         FreeBSD
//! 104857600 bytes (100M) copied, 2.391 s, 42 M/s                            toybox
//! скопійовано 3145728 байтів (3,1 MB, 3,0 MiB), 0,0013 s, 2,4 GB/s
//! 3145728 字节 (3.1 MB, 3.0 MiB) 已复制，0.0013 s，2.4 GB/s
//! ```
//!
//! The rate is bytes by time: the printed one is rounded, and its MB differ between versions. Words
//! of other languages are not known here; that bytes, time and rate fit together tells a summary.

#[cfg(test)]
mod tests;

use crate::observation::{Fact, Metric, NamedValue, Observation, Unit};
use crate::quantity::number_length;
use crate::readers::benchmarks::collect::{decimal, leading, nanoseconds};
use crate::recognise::{Cursor, Output};

/// Lines between the summaries of programs that ran in parallel.
const MAX_GAP: usize = 4;

/// Lines of records of one summary: in, out, truncated, discarded.
const MAX_RECORDS: usize = 5;

/// What one `dd` copied, and how long it took.
struct Copied<'a> {
    bytes: f64,
    seconds: f64,
    /// The words that the figures are from: time and rate.
    shown: [&'a str; 2],
}

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut offset = skip_records(cursor, 0);
    let mut first = copied(cursor.text(offset))?;
    // Behind lines of records stands a last summary.
    let is_last = offset > 0;
    while let Some((next, copied)) = progressed(cursor, offset + 1, &first).filter(|_| !is_last) {
        first = copied;
        offset = next;
    }
    let mut places = vec![offset];
    let mut all = vec![first];
    offset += 1;
    // Programs that were started with `&` end one after the other, under one command.
    if is_parallel(cursor) {
        while let Some((next, copied)) = next_summary(cursor, offset) {
            places.push(next);
            all.push(copied);
            offset = next + 1;
        }
    }
    let operation = operation_of(cursor);
    let mut output = Output {
        tool: "dd",
        end: cursor.start + offset,
        processes: all.len() as u32,
        facts: all.iter().take(1).map(size).collect(),
        remarks: all.iter().flat_map(remarks).collect(),
        ..Output::default()
    };
    let line = cursor.line(places[0])?;
    if all.iter().all(|copied| copied.seconds > 0.0) {
        let words = if all.len() > 1 {
            format!("{operation} rate, sum")
        } else {
            format!("{operation} rate")
        };
        output.observations.push(Observation {
            metric: Metric::new(format!("{operation}.rate"), words, Unit::BytesPerSecond),
            value: all.iter().map(Copied::rate).sum(),
            place: line.place_of(all[0].shown[1]),
            dimensions: Vec::new(),
            repeat: None,
        });
    }
    if let [only] = all.as_slice() {
        output.observations.push(Observation {
            metric: Metric::new(
                format!("{operation}.time"),
                format!("{operation} time"),
                Unit::Nanoseconds,
            ),
            value: only.seconds * 1e9,
            place: line.place_of(only.shown[0]),
            dimensions: Vec::new(),
            repeat: None,
        });
    }
    Some(output)
}

/// How much was copied: two sizes are two tests.
fn size(copied: &Copied) -> NamedValue {
    let units = [
        (1u64 << 30, "GiB"),
        (1 << 20, "MiB"),
        (1 << 10, "KiB"),
        (1, "bytes"),
    ];
    let bytes = copied.bytes as u64;
    let whole = units.iter().find(|(unit, _)| bytes.is_multiple_of(*unit));
    let (unit, name) = whole.copied().unwrap_or((1, "bytes"));
    NamedValue::new("size", &format!("{} {name}", bytes / unit))
}

fn remarks(copied: &Copied) -> [Fact; 2] {
    [
        Fact::number("bytes", "Copied", copied.bytes, "bytes"),
        Fact::number("time_ns", "Duration", (copied.seconds * 1e9).round(), "ns"),
    ]
}

/// Behind the lines `1024+0 records in`, `1024+0 enregistrements lus`, `输入了 3+0 块记录`.
fn skip_records(cursor: Cursor, begin: usize) -> usize {
    let mut offset = begin;
    while offset < begin + MAX_RECORDS && is_records(cursor.text(offset)) {
        offset += 1;
    }
    offset
}

fn is_records(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let counts = |word: &str| {
        word.split_once('+')
            .is_some_and(|(whole, partial)| digits(whole) && digits(partial))
    };
    let count = text.split_whitespace().take(6).count();
    (2..=5).contains(&count) && text.split_whitespace().take(2).any(counts)
}

/// The summary that replaces one of `status=progress`: the next one, without records between them
/// or at the end, which has copied more in more time. Progress is in whole seconds, so that the
/// time of the last summary may be a little shorter.
fn progressed<'a>(
    cursor: Cursor<'a>,
    offset: usize,
    before: &Copied,
) -> Option<(usize, Copied<'a>)> {
    let behind_records = skip_records(cursor, offset);
    let next = copied(cursor.text(behind_records))?;
    // Progress is printed about each second; the last summary may repeat its bytes.
    let whole = before.seconds >= 0.99 && before.seconds.fract() < 0.02;
    let is_rounded = !before.shown[0].contains(['.', ',']);
    let is_last = behind_records > offset;
    let grown = next.bytes > before.bytes || is_last && is_rounded && next.bytes == before.bytes;
    let rounding = if is_last && is_rounded { 0.5 } else { 0.0 };
    let later = next.seconds > before.seconds - rounding;
    (whole && grown && later).then_some((behind_records, next))
}

fn next_summary(cursor: Cursor<'_>, offset: usize) -> Option<(usize, Copied<'_>)> {
    let next = (offset..offset + MAX_GAP)
        .find(|&i| !is_records(cursor.text(i)) && !is_job_line(cursor.text(i)))?;
    // What another level quotes is the same output once more.
    let quotes = |offset| cursor.line(offset).map(|line| line.quotes);
    if quotes(next) != quotes(0) {
        return None;
    }
    copied(cursor.text(next)).map(|copied| (next, copied))
}

/// `[1]+  Done   dd if=...`, which a shell prints when a program ends.
fn is_job_line(text: &str) -> bool {
    text.trim().is_empty() || text.starts_with('[') && text.contains("dd ")
}

/// Whether the command runs programs in the background: `dd ... & done; wait`.
fn is_parallel(cursor: Cursor) -> bool {
    command_of(cursor).is_some_and(|command| {
        let alone = ["&&", ">&", "&>"]
            .iter()
            .fold(command.to_owned(), |text, mark| text.replace(mark, " "));
        alone.contains('&')
    })
}

/// Lines above the output in which its command stands where there is no prompt.
const MAX_ABOVE: usize = 3;
/// Lines above the output in which the text may say with which command all of its outputs were
/// made.
const MAX_FAR_ABOVE: usize = 64;

fn command_of(cursor: Cursor<'_>) -> Option<&str> {
    let above = cursor.lines.get(..cursor.start).unwrap_or(&[]);
    let command = |count: usize| {
        let mut texts = above.iter().rev().take(count).map(|line| line.text());
        texts.find(|text| text.contains("dd if=") || text.contains("dd of="))
    };
    command(MAX_ABOVE)
        .or_else(|| cursor.command_of("dd"))
        .or_else(|| command(MAX_FAR_ABOVE))
}

/// Files that keep nothing of what is written to them.
const SINKS: [&str; 2] = ["/dev/null", "/dev/zero"];
/// A file that has nothing to read.
const ZEROS: &str = "/dev/zero";

/// `read` for a command that writes to `/dev/null`, or reads a device; else `write`.
fn operation_of(cursor: Cursor) -> &'static str {
    let Some(command) = command_of(cursor) else {
        return "copy";
    };
    let argument = |name: &str| {
        command
            .split_whitespace()
            .find_map(|word| word.strip_prefix(name))
    };
    match (argument("if="), argument("of=")) {
        (Some(ZEROS), Some(ZEROS)) => "write",
        (_, Some(target)) if SINKS.contains(&target) => "read",
        (Some(_), None) => "read",
        // The rest of a wrapped command.
        (None, None) => "copy",
        _ => "write",
    }
}

impl Copied<'_> {
    fn rate(&self) -> f64 {
        self.bytes / self.seconds
    }
}

/// The summary in a line, whatever its language: bytes, a time in seconds and a rate.
fn copied(text: &str) -> Option<Copied<'_>> {
    let text = text.trim();
    let bytes = bytes_at_begin(text)?;
    let (time, rate) = match text.split_once(" bytes transferred in ") {
        // BSD prints `2.391 secs (43855000 bytes/sec)`.
        Some((_, rest)) => {
            let (time, rate) = rest.split_once('(')?;
            (time, rate.strip_suffix(')')?)
        }
        None => {
            let (rest, rate) = rsplit_list(text)?;
            (last_quantity(rest)?, rate)
        }
    };
    let (time_word, seconds, time_unit) = leading(time.trim())?;
    let (rate_word, rate_value, rate_unit) = leading(rate.trim())?;
    let factors = rate_factors(rate_unit.trim())?;
    let unit = time_unit.trim().trim_end_matches('.');
    let is_seconds = nanoseconds(unit) == Some(1e9);
    let written = unit.chars().count() <= MAX_UNIT && unit.chars().all(char::is_alphabetic);
    let fits = |factor: &f64| {
        let printed = rate_value * factor;
        seconds > 0.0 && (bytes / seconds - printed).abs() <= printed * MAX_DIFFERENCE
    };
    // Texts in other languages lack these words: then the three figures must fit together.
    let english = text.contains(" copied, ") || text.contains(" transferred ");
    let is_consistent = is_seconds && english || factors.iter().any(fits);
    if !written || unit.is_empty() || !is_consistent {
        return None;
    }
    Some(Copied {
        bytes,
        seconds,
        shown: [time_word, rate_word],
    })
}

/// Limit for the characters of a word for seconds.
const MAX_UNIT: usize = 10;
/// The printed rate has at least two digits, so it may differ from the true one by this share.
const MAX_DIFFERENCE: f64 = 0.06;
/// Words of other languages before the number of bytes.
const MAX_FRONT: usize = 2;

/// Bytes of `1073741824 bytes ...`, `3145728字节...`, `скопійовано 3145728 байтів ...`.
fn bytes_at_begin(text: &str) -> Option<f64> {
    for (index, word) in text.split_whitespace().take(MAX_FRONT + 1).enumerate() {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = word.split_at(digits);
        if digits == 0 {
            let foreign = word.chars().all(char::is_alphabetic) && index < MAX_FRONT;
            if !foreign {
                return None;
            }
            continue;
        }
        // Behind the number stands a word, not a sign or a fraction.
        let next = match rest.chars().next() {
            Some(_) => rest,
            None => text.split_whitespace().nth(index + 1)?,
        };
        let named = next.starts_with(|c: char| c.is_alphabetic() || c == '(');
        // `100 MiB) copied` is the end of a summary.
        return decimal(number).filter(|_| named && !next.ends_with(')'));
    }
    None
}

/// A list without its last part, and that part: commas of all languages, but not decimal ones.
fn rsplit_list(text: &str) -> Option<(&str, &str)> {
    [", ", "\u{ff0c}", "\u{3001}"]
        .iter()
        .filter_map(|mark| text.rfind(mark).map(|found| (found, mark.len())))
        .max()
        .map(|(found, length)| (&text[..found], &text[found + length..]))
}

/// The number at the end of a text, with its unit: `7,2377 s`, `3.012s`.
fn last_quantity(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let last = rsplit_list(text)
        .map_or(text, |(_, last)| last)
        .trim_start();
    if number_length(last) > 0 && last.split_whitespace().count() <= 2 {
        return Some(last);
    }
    last.match_indices(' ')
        .map(|(index, _)| &last[index + 1..])
        .rfind(|rest| number_length(rest) > 0 && rest.split_whitespace().count() <= 2)
}

/// Bytes per second of `MB/s`, `Mo/s`, `M/s`, `МБ/с`: of programs that count in 1000 and in 1024.
fn rate_factors(unit: &str) -> Option<[f64; 2]> {
    let (amount, per) = unit.split_once('/')?;
    let power = match amount.chars().next()? {
        'k' | 'K' | 'к' | 'К' => 1,
        'M' | 'М' => 2,
        'G' | 'Г' => 3,
        'T' | 'Т' => 4,
        'B' | 'b' | 'Б' | 'o' => 0,
        _ => return None,
    };
    let short = amount.chars().count() <= 5 && per.chars().count() <= 4 && !per.is_empty();
    short.then(|| [1000f64.powi(power), 1024f64.powi(power)])
}

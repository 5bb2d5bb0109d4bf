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

use crate::observation::{Fact, Metric, Observation, Unit};
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
/// or at the end, which has copied more in more time.
fn progressed<'a>(
    cursor: Cursor<'a>,
    offset: usize,
    before: &Copied,
) -> Option<(usize, Copied<'a>)> {
    let behind_records = skip_records(cursor, offset);
    let next = copied(cursor.text(behind_records))?;
    // Progress is printed about each second; the last summary may repeat its bytes.
    let whole = before.seconds >= 0.99 && before.seconds.fract() < 0.02;
    let repeated = next.bytes == before.bytes && !before.shown[0].contains(['.', ',']);
    let grown = next.bytes > before.bytes || behind_records > offset && repeated;
    (whole && grown && next.seconds > before.seconds).then_some((behind_records, next))
}

fn next_summary(cursor: Cursor<'_>, offset: usize) -> Option<(usize, Copied<'_>)> {
    let next = (offset..offset + MAX_GAP)
        .find(|&i| !is_records(cursor.text(i)) && !is_job_line(cursor.text(i)))?;
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
        (_, Some("/dev/null")) => "read",
        (Some(_), None) => "read",
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
        return decimal(number).filter(|_| named);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn summaries_of_all_programs_are_read() {
        let cases = [
            "1048576000 bytes (1.0 GB, 1000 MiB) copied, 8 s, 131 MB/s",
            "1048576000 bytes (1.0 GB) copied, 8.0 seconds, 131 MB/s",
            "1048576000 bytes copied, 8 s, 131 MB/s",
            "1048576000 bytes (1000.0MB) copied, 8.000000 seconds, 125.0MB/s",
            "1048576000 bytes transferred in 8.000 secs (131072000 bytes/sec)",
            "1048576000 bytes (1049 MB, 1000 MiB) transferred 8.000s, 131 MB/s",
            "1048576000 bytes (1000M) copied, 8.000 s, 125 M/s",
            "1048576000 Bytes (1,0 GB, 1000 MiB) kopiert, 8,0 s, 131 MB/s",
            "1048576000 octets (1,0 GB) copiés, 8,000 s, 131 MB/s",
            "1048576000 Bytes (1,0 GB) kopiert, 8,0 Sekunden, 131 MB/Sek",
            "1048576000字节(1.0 GB)已复制，8.0 秒，131 MB/秒",
            "1048576000 字节 (1.0 GB, 1000 MiB) 已复制，8.0 s，131 MB/s",
            "1048576000 バイト (1.0 GB) コピーされました、 8.0 秒、 131 MB/秒",
            "1048576000 바이트 (1.0 GB, 1000 MiB) 복사함, 8.0 초, 131 MB/s",
            "1048576000 байт (1,0 GB) скопирован, 8,0 c, 131 MB/c",
            "скопійовано 1048576000 байтів (1,0 GB, 1000 MiB), 8,0 с, 131 МБ/с",
        ];
        for text in cases {
            let found = figures(read, text);
            assert_eq!(
                found,
                ["copy.rate 131072000", "copy.time 8000000000"],
                "{text}"
            );
        }
    }

    #[test]
    fn progress_is_replaced_by_what_follows() {
        let text = "524288000 bytes (524 MB, 500 MiB) copied, 4 s, 131 MB/s\n\
            786432000 bytes (786 MB, 750 MiB) copied, 6 s, 131 MB/s\n\
            1000+0 records in\n1000+0 records out\n\
            1048576000 bytes (1.0 GB, 1000 MiB) copied, 8.00 s, 131 MB/s\n";
        assert_eq!(
            figures(read, text),
            ["copy.rate 131072000", "copy.time 8000000000"]
        );
        let repeats = "1048576000 bytes (1.0 GB) copied, 8.5 s, 123 MB/s\n\
            1048576000 bytes (1.0 GB) copied, 8.75 s, 120 MB/s\n";
        assert_eq!(outputs(read, repeats).len(), 2);
    }

    #[test]
    fn the_command_tells_the_direction() {
        let text = "dd if=/dev/zero of=/mnt/f bs=1M && sync\n4+0 records in\n4+0 records out\n\
            4000000 bytes (4.0 MB) copied, 2 s, 2.0 MB/s\n\
            time dd if=/mnt/f of=/dev/null bs=1M\n\
            4000000 bytes (4.0 MB) copied, 1 s, 4.0 MB/s\n";
        let found = figures(read, text);
        assert_eq!(found[0], "write.rate 2000000");
        assert_eq!(found[2], "read.rate 4000000");
    }

    #[test]
    fn a_command_in_prose_is_that_of_all_outputs() {
        let text = "The command was dd if=/dev/zero of=/mnt/a bs=1M.\n\nBFQ:\n\
            4000000 bytes (4.0 MB) copied, 2 s, 2.0 MB/s\n\nnone:\n\n\
            4000000 bytes (4.0 MB) copied, 1 s, 4.0 MB/s\n";
        let found = figures(read, text);
        assert_eq!(
            (found[0].as_str(), found[2].as_str()),
            ("write.rate 2000000", "write.rate 4000000")
        );
    }

    #[test]
    fn prose_is_no_summary() {
        for text in [
            "1073741824 bytes were written in about 8 s, 131 MB/s less than before",
            "4096 bytes, 12 files, 3 MB/s",
            "12 disks, 8 s, 131 MB/s",
            "2 GB copied, 8 s",
        ] {
            assert!(figures(read, text).is_empty(), "{text}");
        }
    }
}

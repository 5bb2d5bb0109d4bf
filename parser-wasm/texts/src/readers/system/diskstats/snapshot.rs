//! The lines of snapshots, and the snapshots around one.

use crate::line::{Line, Place};
use crate::recognise::Cursor;
use crate::structure::context::level;
use crate::structure::revealed::{self, Revealed};
use crate::structure::{heading, prompt};

/// Numbers of a line: of old kernels, since 4.18 with discards, since 5.5 with flushes; of
/// `vmstat -d`.
const FIELDS: [usize; 3] = [11, 15, 17];
const VMSTAT_FIELDS: usize = 10;
/// Limit for the devices of a snapshot.
const MAX_DEVICES: usize = 1024;
/// Lines of snapshots that follow each other.
const MAX_ROWS: usize = 20_000;

/// The counters of a device.
#[derive(Clone, Debug)]
pub struct DiskCounters {
    pub device: String,
    pub fields: Vec<u64>,
    /// The place of each number.
    pub places: Vec<Place>,
}

pub type Snapshot = Vec<DiskCounters>;

/// The words of a row: the device, and its numbers.
fn row(text: &str) -> Option<(&str, Vec<&str>)> {
    let words: Vec<&str> = text.split_whitespace().take(24).collect();
    let number = |word: &&str| word.len() <= 20 && word.bytes().all(|b| b.is_ascii_digit());
    match words.as_slice() {
        [major, minor, name, values @ ..]
            if FIELDS.contains(&values.len())
                && number(major)
                && number(minor)
                && !number(name)
                && values.iter().all(number) =>
        {
            Some((name, values.to_vec()))
        }
        _ => None,
    }
}

pub fn is_row(text: &str) -> bool {
    text.trim_start().starts_with(|c: char| c.is_ascii_digit()) && row(text).is_some()
}

/// The lines above the rows of `vmstat -d`.
pub fn is_heading(text: &str) -> bool {
    text.starts_with("disk-") && text.contains("reads") && text.contains("writes")
}

fn is_names(text: &str) -> bool {
    text.split_whitespace().eq([
        "total", "merged", "sectors", "ms", "total", "merged", "sectors", "ms", "cur", "sec",
    ])
}

fn vmstat_row(text: &str) -> Option<(&str, Vec<&str>)> {
    let words: Vec<&str> = text.split_whitespace().take(24).collect();
    let (name, values) = words.split_first()?;
    let number = |word: &&str| word.len() <= 20 && word.bytes().all(|b| b.is_ascii_digit());
    let values = values.get(..VMSTAT_FIELDS)?;
    (!number(name) && values.iter().all(number)).then(|| (*name, values.to_vec()))
}

fn counters(line: &Line, is_vmstat: bool) -> Option<DiskCounters> {
    let (device, words) = if is_vmstat {
        let (device, words) = vmstat_row(line.text())?;
        // The number in flight and seconds are no counters of requests.
        (device, words.get(..8)?.to_vec())
    } else {
        row(line.text())?
    };
    Some(DiskCounters {
        device: device.to_owned(),
        fields: words
            .iter()
            .map(|word| word.parse().ok())
            .collect::<Option<_>>()?,
        places: words.iter().map(|word| line.place_of(word)).collect(),
    })
}

/// The snapshots from the cursor on, and the offset behind them. A device that comes again begins
/// the next one.
pub fn contiguous(cursor: Cursor) -> Option<(Vec<Snapshot>, usize)> {
    let is_vmstat = is_heading(cursor.text(0));
    let mut found: Vec<Snapshot> = vec![Vec::new()];
    let (mut offset, mut end, mut rows) = (0, 0, 0);
    while let Some(line) = cursor.line(offset) {
        offset += 1;
        let text = line.text();
        if line.is_blank() || super::super::words::is_timestamp(text) {
            continue;
        }
        if is_heading(text) || is_names(text) {
            end = offset;
            continue;
        }
        let Some(counters) = counters(line, is_vmstat) else {
            break;
        };
        rows += 1;
        if rows > MAX_ROWS {
            break;
        }
        end = offset;
        let last = found.last_mut()?;
        if last
            .first()
            .is_some_and(|first| first.device == counters.device)
        {
            found.push(vec![counters]);
        } else if last.len() < MAX_DEVICES {
            last.push(counters);
        }
    }
    (!found[0].is_empty()).then_some((found, end))
}

/// The snapshots of the section of one.
pub struct Neighbours {
    /// The snapshots before, the last one first.
    pub before: Vec<Snapshot>,
    pub is_followed: bool,
}

/// The snapshots around one in its section. Each gap is walked once in each direction, so that a
/// text of many snapshots takes linear time.
pub fn neighbours(cursor: Cursor, end: usize, most: usize) -> Neighbours {
    let is_vmstat = is_heading(cursor.text(0));
    let mut before: Vec<Snapshot> = Vec::new();
    let mut open: Snapshot = Vec::new();
    for line in cursor.lines[..cursor.start.min(cursor.lines.len())]
        .iter()
        .rev()
    {
        if let Some(counters) = counters(line, is_vmstat) {
            if open.len() < MAX_DEVICES {
                open.push(counters);
            }
            continue;
        }
        if !open.is_empty() {
            open.reverse();
            before.push(std::mem::take(&mut open));
        }
        if before.len() >= most || is_boundary(line.text()) {
            break;
        }
    }
    if !open.is_empty() {
        open.reverse();
        before.push(open);
    }
    let is_followed = cursor.lines[(cursor.start + end).min(cursor.lines.len())..]
        .iter()
        .map_while(|line| {
            let found = counters(line, is_vmstat).is_some();
            (found || !is_boundary(line.text())).then_some(found)
        })
        .any(|found| found);
    Neighbours {
        before,
        is_followed,
    }
}

/// Whether another section begins at a line: a heading, or a command that says what the machine is.
fn is_boundary(text: &str) -> bool {
    if text.trim().is_empty() || is_heading(text) || is_names(text) {
        return false;
    }
    if let Some(command) = prompt::command(text) {
        return revealed::revealed(command)
            .iter()
            .any(|revealed| !matches!(revealed, Revealed::File(_)));
    }
    let Some((level, label)) = heading::titled(text, "") else {
        return false;
    };
    // Lines of the program that ran in between: `Run status group 0 (all jobs):`.
    if level == level::CAPTION && (text.starts_with([' ', '\t']) || label.contains('(')) {
        return false;
    }
    // `before:` and `after:` are the snapshots of one run.
    let label = label.to_lowercase();
    let words = ["before", "after", "start", "end", "begin", "then", "now"];
    !words.iter().any(|word| *word == label)
}

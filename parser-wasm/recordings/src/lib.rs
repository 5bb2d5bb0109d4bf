//! Finds the recordings in a text that has several.
//!
//! The text is read once, line by line, with the decoder that reads runs; a recording costs no
//! second look. Of a large text a few places are looked at first: its times usually rise throughout,
//! and then it is one recording.

mod name;
mod section;
mod sides;

pub use sides::names;

use section::{LineKind, Sections};
use seekscope_formats::text::blkparse::pattern::Pattern;
use seekscope_formats::text::lines::Splitter;
use seekscope_formats::text::{self, TextLines};
use seekscope_texts::transport::is_document;
use seekscope_trace::sorting::SortShort;
use std::ops::Range;

/// Recordings in one text, at most. A text with more is not in the order of its events.
pub const MAX_RECORDINGS: usize = 64;
/// Bytes at the start of a text that show whether it is a trace.
pub const HEAD_BYTES: usize = 64 << 10;
/// Texts up to this size are read completely.
const MAX_READ: u64 = 4 << 20;
/// Bytes read at a time.
const PIECE: usize = 1 << 20;
/// Places of a larger text, and bytes at each.
const SAMPLES: u64 = 256;
const SAMPLE_BYTES: usize = 4 << 10;
/// Events of a recording that are compared with those of the others, at most.
const MAX_COMPARED: usize = 1 << 16;

/// A recording in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// From what stands above it; absent if that names nothing.
    pub name: Option<String>,
    /// Its bytes, with what stands above it.
    pub bytes: Range<u64>,
}

impl Recording {
    /// Its path: that of the text, as if that were a folder, and its name. `index`: among the
    /// recordings of the text.
    pub fn path(&self, text: &str, index: usize) -> String {
        let file = text.rsplit('/').next().unwrap_or(text);
        let is_ending = |end: &str| end.len() <= 5 && end.chars().all(char::is_alphabetic);
        let stem = match file.rsplit_once('.') {
            Some((stem, end)) if !stem.is_empty() && is_ending(end) => stem,
            _ => file,
        };
        match &self.name {
            Some(name) => format!("{text}/{name}"),
            None => format!("{text}/{stem} #{}", index + 1),
        }
    }
}

/// Whether a text that begins so has to be decoded before its lines are those that a person sees: a
/// mail in an encoding or of several parts, UTF-16, a page of the web.
pub fn is_encoded(head: &[u8]) -> bool {
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return true;
    }
    if head.trim_ascii_start().starts_with(b"<") && is_page(head) {
        return true;
    }
    let header = |line: &[u8]| {
        let lower = line.to_ascii_lowercase();
        let value = lower
            .strip_prefix(b"content-transfer-encoding:")
            .or_else(|| lower.strip_prefix(b"content-type:"));
        value.map(|value| value.trim_ascii().to_vec())
    };
    let encoded: [&[u8]; 4] = [b"quoted-printable", b"base64", b"multipart/", b"text/html"];
    head.split(|b| *b == b'\n')
        .filter_map(header)
        .any(|value| encoded.iter().any(|name| value.starts_with(name)))
}

/// Whether a text that begins so is a page of the web. Not inlined: few texts begin with `<`, and
/// all of a drop wait for the part of the engine with the caller.
#[inline(never)]
fn is_page(head: &[u8]) -> bool {
    is_document(&String::from_utf8_lossy(head))
}

/// A recording, and what tells it from others.
#[derive(Clone, Debug)]
struct Found {
    recording: Recording,
    /// A number per event; of more events than are compared none.
    events: Option<Vec<u64>>,
}

/// The recordings in a text of `size` bytes, if it has several. `read` returns bytes from an offset
/// on, fewer than asked only at the end.
///
/// # Errors
/// Those of `read`.
pub fn find<E>(
    size: u64,
    pattern: Option<&Pattern>,
    mut read: impl FnMut(u64, usize) -> Result<Vec<u8>, E>,
) -> Result<Vec<Recording>, E> {
    let head = read(0, HEAD_BYTES)?;
    let lines = || TextLines::new(pattern.cloned());
    if !text::may_have_recordings(&head, head.len() as u64 >= size, pattern.cloned()) {
        return Ok(Vec::new());
    }
    if size > MAX_READ && rises(size, lines, &mut read)? {
        return Ok(Vec::new());
    }
    let mut sections = Sections::new(lines());
    let mut splitter = Splitter::default();
    let mut offset = 0;
    while offset < size && !sections.is_full() {
        let bytes = read(offset, PIECE)?;
        if bytes.is_empty() {
            break;
        }
        offset += bytes.len() as u64;
        splitter.feed(&bytes, |line, position| sections.line(line, position));
    }
    splitter.finish(|line, position| sections.line(line, position));
    Ok(distinct(sections.finish(size)))
}

/// Whether the times of a large text rise from place to place, and no closing figures are inside.
fn rises<E>(
    size: u64,
    lines: impl Fn() -> TextLines,
    read: &mut impl FnMut(u64, usize) -> Result<Vec<u8>, E>,
) -> Result<bool, E> {
    let mut latest = 0;
    let mut is_closed = false;
    for i in 0..SAMPLES {
        let bytes = read(size * i / SAMPLES, SAMPLE_BYTES)?;
        let mut decoder = lines();
        let mut splitter = Splitter::default();
        let mut steps_back = false;
        splitter.feed(&bytes, |line, position| {
            match decoder.line(line, position) {
                // The first line is cut.
                _ if position.byte == 0 && i > 0 => {}
                LineKind::Event(Some(event)) => {
                    steps_back |= is_closed || event.time + section::JITTER < latest;
                    latest = latest.max(event.time);
                }
                LineKind::Closing => is_closed = true,
                _ => {}
            }
        });
        if steps_back {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether all events of a recording are in another one; both are sorted.
fn are_in(part: &[u64], all: &[u64]) -> bool {
    let mut others = all.iter().peekable();
    part.iter().all(|event| {
        while others.next_if(|other| *other < event).is_some() {}
        others.peek() == Some(&event)
    })
}

/// The recordings without excerpts of others: all of their events are in another one. Each is held
/// against each other one, so events are sorted once and not looked up.
fn distinct(mut found: Vec<Found>) -> Vec<Recording> {
    for events in found.iter_mut().filter_map(|found| found.events.as_mut()) {
        events.sort_short();
    }
    let mut index = 0;
    while index < found.len() {
        let is_part = |(i, other): (usize, &Found)| match (&found[index].events, &other.events) {
            (Some(part), Some(all)) if i != index && part.len() <= all.len() => {
                // Of two that are equal the first stays.
                (part.len() < all.len() || i < index) && are_in(part, all)
            }
            _ => false,
        };
        match found.iter().enumerate().any(is_part) {
            true => {
                found.remove(index);
            }
            false => index += 1,
        }
    }
    if found.len() < 2 {
        return Vec::new();
    }
    found.into_iter().map(|found| found.recording).collect()
}

//! Mails and mailboxes. `mail-parser` reads headers, parts, encodings and charsets; here lines of
//! the decoded parts get their lines of the file.

use super::{ShownLine, ShownText, charset, html, plain_lines};
use mail_parser::{Encoding, Message, MessageParser, MimeHeaders, PartType};
use seekscope_trace::mail::{header_name, is_known_header, is_mailbox_line};
use seekscope_trace::sorting::SortShort;
use std::ops::Range;

/// Messages within a message; a text with more is read as it is.
const MAX_NESTED: usize = 100;

/// Whether a text begins with the headers of a mail: without `From ` two that are known.
pub fn is_mail(text: &str) -> bool {
    let mut count = 0;
    for (index, line) in text.lines().take(60).enumerate() {
        if index == 0 && is_mailbox_line(line) {
            return text
                .lines()
                .nth(1)
                .is_some_and(|next| header_name(next).is_some());
        }
        if line.starts_with([' ', '\t']) && index > 0 {
            continue;
        }
        match header_name(line) {
            Some(name) => count += u32::from(is_known_header(name)),
            None => return count >= 2 && line.trim().is_empty(),
        }
    }
    count >= 2
}

/// Adds all messages of a file.
pub fn read(bytes: &[u8], text: &str, shown: &mut ShownText) {
    // Offsets of `mail-parser` count bytes of what it read; a file in UTF-16 is read as decoded.
    let bytes = if std::str::from_utf8(bytes).is_ok() && !bytes.starts_with(b"\xef\xbb\xbf") {
        bytes
    } else {
        text.as_bytes()
    };
    let mut first = 0;
    let mut counted = 0;
    for (number, range) in messages(bytes).into_iter().enumerate() {
        first += count_lines(&bytes[counted..range.start]);
        counted = range.start;
        let raw = &bytes[range];
        let parsed = MessageParser::default();
        match Some(raw)
            .filter(|raw| !nests_deeply(raw))
            .and_then(|raw| parsed.parse(raw))
        {
            Some(message) => {
                let raw = RawMessage::new(raw, first);
                add_message(&message, &raw, first, number as u32, shown);
            }
            None => {
                let text = charset::decode(raw).unwrap_or_default();
                shown.add_part(None, number as u32, plain_lines(&text, first));
            }
        }
    }
}

/// Whether a message holds so many others that they may lie within each other: the parser, and what
/// releases its result, call themselves for each level, and the stack is small.
fn nests_deeply(raw: &[u8]) -> bool {
    let mut count = 0;
    let mut names = raw.split(|byte| *byte == b'/').peekable();
    while let (Some(name), Some(kind)) = (names.next(), names.peek()) {
        let ends = name.len() >= 7 && name[name.len() - 7..].eq_ignore_ascii_case(b"message");
        let begins = kind.len() >= 6 && kind[..6].eq_ignore_ascii_case(b"rfc822");
        count += usize::from(ends && begins);
    }
    count > MAX_NESTED
}

/// Bytes of the messages of a mailbox; of a single mail all of it.
fn messages(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut starts = Vec::new();
    let mut start = 0;
    let mut blank = true;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let mailbox =
            blank && line.starts_with(b"From ") && is_mailbox_line(&String::from_utf8_lossy(line));
        if mailbox {
            starts.push((start, start + line.len()));
        }
        blank = line.iter().all(u8::is_ascii_whitespace);
        start += line.len();
    }
    if starts.is_empty() {
        return std::iter::once(0..bytes.len()).collect();
    }
    let ends: Vec<usize> = starts
        .iter()
        .skip(1)
        .map(|(start, _)| *start)
        .chain([bytes.len()])
        .collect();
    starts
        .iter()
        .zip(ends)
        .map(|((_, begin), end)| *begin..end)
        .collect()
}

fn count_lines(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u32
}

/// Bytes of which lines are counted at once.
const COUNTED_BYTES: usize = 1 << 10;

/// A message as it is in the file. A message may have as many parts as lines, so the lines above
/// each are not counted again.
struct RawMessage<'a> {
    bytes: &'a [u8],
    /// Line of the file at each [`COUNTED_BYTES`] of them.
    lines: Vec<u32>,
}

impl<'a> RawMessage<'a> {
    fn new(bytes: &'a [u8], first: u32) -> RawMessage<'a> {
        let mut line = first;
        let lines = bytes.chunks(COUNTED_BYTES).map(|chunk| {
            let begin = line;
            line += count_lines(chunk);
            begin
        });
        RawMessage {
            lines: lines.chain([first]).collect(),
            bytes,
        }
    }

    /// Line of the file that has a byte.
    fn line(&self, byte: usize) -> u32 {
        let chunk = byte.min(self.bytes.len().saturating_sub(1)) / COUNTED_BYTES;
        self.lines[chunk] + count_lines(&self.bytes[chunk * COUNTED_BYTES..byte])
    }
}

fn add_message(
    message: &Message,
    raw: &RawMessage,
    first: u32,
    number: u32,
    shown: &mut ShownText,
) {
    if let Some(subject) = message.subject() {
        shown.lines.push(ShownLine {
            text: format!("Subject: {subject}").into(),
            file_line: first,
            file_column: 0,
        });
    }
    let mut parts: Vec<u32> = message.text_body.clone();
    parts.extend(&message.attachments);
    parts.sort_short();
    parts.dedup();
    for id in parts {
        let Some(part) = message.parts.get(id as usize) else {
            continue;
        };
        // A message that is encoded within another one has places of its own.
        let bound = |offset: u32| (offset as usize).min(raw.bytes.len());
        let start = bound(part.offset_body);
        let line = raw.line(start);
        let raw_body = &raw.bytes[start..bound(part.offset_end).max(start)];
        let name = part.attachment_name().map(str::to_owned);
        match &part.body {
            PartType::Text(text) => {
                let flowed = part
                    .content_type()
                    .and_then(|kind| kind.attribute("format"))
                    == Some("flowed");
                let mut lines = decoded_lines(text, raw_body, part.encoding, line);
                if flowed {
                    lines = join_flowed(lines);
                }
                shown.add_part(name, number, lines);
            }
            PartType::Html(text) => {
                let mut lines = html::lines(text, 0);
                let places = decoded_lines(text, raw_body, part.encoding, line);
                for shown in &mut lines {
                    shown.file_line = places
                        .get(shown.file_line as usize)
                        .map_or(line, |place| place.file_line);
                }
                shown.add_part(name, number, lines);
            }
            // Attachments of logs often have a type that says nothing.
            PartType::Binary(bytes) | PartType::InlineBinary(bytes) => {
                if let Some(text) = charset::decode(bytes) {
                    shown.add_part(
                        name,
                        number,
                        decoded_lines(&text, raw_body, part.encoding, line),
                    );
                }
            }
            PartType::Message(inner) => add_message(inner, raw, line, number, shown),
            PartType::Multipart(_) => {}
        }
    }
}

/// Lines of a decoded text with the lines of the file that hold them.
fn decoded_lines(text: &str, raw: &[u8], encoding: Encoding, first: u32) -> Vec<ShownLine> {
    let mut lines = plain_lines(text, first);
    match encoding {
        Encoding::None => {}
        Encoding::QuotedPrintable => {
            // A raw line that ends with `=` continues in the next one.
            let mut starts = vec![0u32];
            for (index, line) in raw.split(|byte| *byte == b'\n').enumerate() {
                let end = line.trim_ascii_end();
                if end.last() != Some(&b'=') {
                    starts.push(index as u32 + 1);
                }
            }
            for (line, start) in lines.iter_mut().zip(starts) {
                line.file_line = first + start;
            }
        }
        Encoding::Base64 => {
            // Three bytes are four letters; all raw lines but the last have the same length.
            let width = raw
                .split(|byte| *byte == b'\n')
                .next()
                .map_or(76, |line| line.trim_ascii().len())
                .max(4);
            let mut bytes = 0;
            for (line, text) in lines.iter_mut().zip(text.split('\n')) {
                line.file_line = first + (bytes * 4 / 3 / width) as u32;
                bytes += text.len() + 1;
            }
        }
    }
    lines
}

/// RFC 3676: a line that ends with a blank continues in the next one of the same quotation.
fn join_flowed(lines: Vec<ShownLine>) -> Vec<ShownLine> {
    let marks = |text: &str| text.bytes().take_while(|b| *b == b'>').count();
    let finished = |(line, text): (ShownLine, String)| ShownLine {
        text: text.into(),
        ..line
    };
    let mut joined: Vec<ShownLine> = Vec::with_capacity(lines.len());
    let mut last: Option<(ShownLine, String)> = None;
    let mut open = false;
    for line in lines {
        // A blank was put before lines that begin with one, with `>` or with `From`.
        let text = line.text.strip_prefix(' ').unwrap_or(&line.text);
        let soft = text.ends_with(' ') && text != "-- ";
        let count = marks(text);
        match last
            .as_mut()
            .filter(|(_, last)| open && marks(last) == count)
        {
            Some((_, last)) => {
                let text = &text[count..];
                last.push_str(text.strip_prefix(' ').unwrap_or(text));
            }
            None => {
                let text = text.to_owned();
                joined.extend(last.replace((line, text)).map(finished));
            }
        }
        open = soft;
    }
    joined.extend(last.map(finished));
    joined
}

//! Attachments of mails and mailboxes.
//!
//! A part of a mail is headers up to an empty line, then a body up to a line that begins with `--`.
//! Read are bodies with `Content-Transfer-Encoding: base64`, and what stands between `begin 644
//! NAME` and `end` (uuencode), as mails had it before MIME. Which boundary a part belongs to does
//! not matter: a line of base64 cannot begin with `--`.
//!
//! A mail is text that others read, with its attachments that are texts; only those that are none
//! are found here, without pictures, signatures and other things that mailers add.

use crate::kind::{ContainerKind, PROBE_BYTES, sniff};
use seekscope_formats::is_text;
use seekscope_trace::mail::{header_name, is_mailbox_line};
use std::collections::BTreeMap;

/// Bytes of a line that are kept; what is longer is neither a header nor a line of an attachment.
const MAX_LINE_BYTES: usize = 16 << 10;
/// Bytes kept of a header that is continued.
const MAX_HEADER_BYTES: usize = 4 << 10;
/// Bytes of all attachments of a file: they are in memory until the mail has been passed on. Mail
/// servers refuse mails that are much smaller.
pub(crate) const MAX_ATTACHED_BYTES: usize = 256 << 20;

/// Begins of content types that are never recordings or archives.
const OTHER_TYPES: [&str; 9] = [
    "text/",
    "image/",
    "audio/",
    "video/",
    "font/",
    "application/pdf",
    "application/pgp",
    "application/pkcs7",
    "application/ms-tnef",
];

/// A file in a mail.
pub(crate) struct Attachment {
    /// Its name in the mail; of several with the same name with a number as folder.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Headers of a part, as far as they concern attachments.
#[derive(Default)]
struct PartHeaders {
    /// `Name: value` that may be continued.
    last: String,
    is_base64: bool,
    is_message: bool,
    is_other: bool,
    name: Option<String>,
}

impl PartHeaders {
    fn add(&mut self, line: &str) {
        if line.starts_with([' ', '\t']) {
            if self.last.len() + line.len() <= MAX_HEADER_BYTES {
                self.last.push_str(line);
            }
            return;
        }
        self.end_header();
        line.clone_into(&mut self.last);
    }

    /// Reads the header whose last line was added.
    fn end_header(&mut self) {
        let header = std::mem::take(&mut self.last);
        let Some((name, value)) = header.split_once(':') else {
            return;
        };
        let lower = value.trim().to_ascii_lowercase();
        if name.eq_ignore_ascii_case("content-transfer-encoding") {
            self.is_base64 = lower.starts_with("base64");
        } else if name.eq_ignore_ascii_case("content-type") {
            self.is_message = lower.starts_with("message/rfc822");
            self.is_other = OTHER_TYPES.iter().any(|begin| lower.starts_with(begin));
            self.name = self.name.take().or_else(|| parameter(value, "name"));
        } else if name.eq_ignore_ascii_case("content-disposition") {
            self.name = parameter(value, "filename").or(self.name.take());
        }
    }
}

/// The value of `name=value`, `name="value"` or, as of RFC 2231, `name*0="va"; name*1=lue` and
/// `name*=UTF-8''val%75e`; `None` if it is in an encoding of headers (RFC 2047).
fn parameter(header: &str, name: &str) -> Option<String> {
    let mut found = String::new();
    let mut rest = header;
    while let Some((_, after)) = rest.split_once(';') {
        let Some((key, value)) = after.split_once('=') else {
            break;
        };
        let value = value.trim_start();
        let (text, end) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => value.split_at(value.find(';').unwrap_or(value.len())),
        };
        rest = end;
        let Some(mark) = key
            .trim()
            .get(..name.len())
            .filter(|begin| begin.eq_ignore_ascii_case(name))
            .map(|_| &key.trim()[name.len()..])
        else {
            continue;
        };
        match mark.strip_suffix('*') {
            None if mark.is_empty() || mark.starts_with('*') => found.push_str(text.trim()),
            Some(number) if number.is_empty() || number.starts_with('*') => {
                let has_charset = number.is_empty() || number == "*0";
                let text = text
                    .rsplit('\'')
                    .next()
                    .filter(|_| has_charset)
                    .unwrap_or(text);
                found.push_str(&percent_decoded(text.trim()));
            }
            _ => {}
        }
    }
    (!found.is_empty() && !found.starts_with("=?")).then_some(found)
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = (*first == b'%')
            .then(|| std::str::from_utf8(after.get(..2)?).ok())
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = &after[if code.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Where in a mail the next line stands.
enum MailSection {
    Headers(PartHeaders),
    Body,
    Base64,
    Uuencoded,
}

/// Finds the attachments of a mail or a mailbox that is given piece by piece.
pub(crate) struct Attachments {
    section: MailSection,
    /// A line whose end is not yet known.
    line: Vec<u8>,
    is_after_empty: bool,
    current: Option<Attachment>,
    /// Bits of letters that do not yet make up a byte, and their number.
    bits: (u32, u32),
    /// Bytes of all attachments that are kept.
    kept: usize,
    found: Vec<Attachment>,
    /// Number of attachments that were found, by name.
    names: BTreeMap<String, u32>,
    /// Names of attachments that are larger than what is kept.
    too_large: Vec<String>,
}

impl Attachments {
    pub(crate) fn new() -> Attachments {
        Attachments {
            section: MailSection::Headers(PartHeaders::default()),
            line: Vec::new(),
            is_after_empty: true,
            current: None,
            bits: (0, 0),
            kept: 0,
            found: Vec::new(),
            names: BTreeMap::new(),
            too_large: Vec::new(),
        }
    }

    /// Takes the next bytes of the file.
    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, rest) = bytes.split_at(end);
            bytes = &rest[1..];
            if self.line.is_empty() {
                self.add_line(line);
            } else {
                self.keep(line);
                let line = std::mem::take(&mut self.line);
                self.add_line(&line);
                self.line = line;
                self.line.clear();
            }
        }
        self.keep(bytes);
    }

    /// Keeps a line up to its end. An attachment may be a single line: it is decoded in pieces.
    fn keep(&mut self, mut bytes: &[u8]) {
        loop {
            let (kept, rest) = bytes.split_at(bytes.len().min(MAX_LINE_BYTES - self.line.len()));
            self.line.extend_from_slice(kept);
            if rest.is_empty() || !matches!(self.section, MailSection::Base64) {
                return;
            }
            let piece = std::mem::take(&mut self.line);
            self.add_line(&piece);
            bytes = rest;
        }
    }

    /// The attachments in their order, and the names of those that are too large.
    pub(crate) fn finish(mut self) -> (Vec<Attachment>, Vec<String>) {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.add_line(&line);
        }
        self.end_attachment();
        (self.found, self.too_large)
    }

    fn add_line(&mut self, line: &[u8]) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let is_after_empty = std::mem::replace(&mut self.is_after_empty, line.is_empty());
        let begins_message = is_after_empty
            && line.starts_with(b"From ")
            && is_mailbox_line(&String::from_utf8_lossy(line));
        let begins_part = line.starts_with(b"--") && line.len() > 2;
        // A line of uuencode may begin with any letters.
        if (begins_message || begins_part) && !matches!(self.section, MailSection::Uuencoded) {
            self.end_attachment();
            self.section = MailSection::Headers(PartHeaders::default());
            return;
        }
        match &mut self.section {
            MailSection::Headers(headers) if line.is_empty() => {
                headers.end_header();
                let headers = std::mem::take(headers);
                self.section = if headers.is_message {
                    MailSection::Headers(PartHeaders::default())
                } else if headers.is_base64 && !headers.is_other {
                    self.begin_attachment(headers.name);
                    MailSection::Base64
                } else {
                    MailSection::Body
                };
            }
            MailSection::Headers(headers) => {
                let line = String::from_utf8_lossy(line);
                if line.starts_with([' ', '\t']) || header_name(&line).is_some() {
                    headers.add(&line);
                } else {
                    self.section = MailSection::Body;
                }
            }
            MailSection::Body => {
                if let Some(name) = uuencoded_name(line) {
                    self.begin_attachment(Some(name));
                    self.section = MailSection::Uuencoded;
                }
            }
            MailSection::Base64 => {
                let letters = line.trim_ascii();
                if letters.iter().all(|letter| base64_value(*letter).is_some()) {
                    let values = letters.iter().map(|letter| base64_value(*letter));
                    self.decode(values.map_while(|value| value.flatten()));
                } else {
                    self.end_attachment();
                    self.section = MailSection::Body;
                }
            }
            MailSection::Uuencoded => match line {
                [length @ b'!'..=b'M', letters @ ..]
                    if letters.iter().all(|letter| uu_value(*letter).is_some()) =>
                {
                    // Mailers cut blanks, which are zeros, at the end of a line.
                    let zeros = std::iter::repeat(0);
                    let values = letters
                        .iter()
                        .filter_map(|letter| uu_value(*letter))
                        .chain(zeros);
                    let bytes = usize::from(length - b' ');
                    self.bits = (0, 0);
                    self.decode(values.take((bytes * 8).div_ceil(6)));
                }
                _ => {
                    self.end_attachment();
                    self.section = MailSection::Body;
                }
            },
        }
    }

    fn begin_attachment(&mut self, name: Option<String>) {
        self.bits = (0, 0);
        self.current = Some(Attachment {
            name: name.unwrap_or_default(),
            bytes: Vec::new(),
        });
    }

    /// Adds the bytes of letters of six bits.
    fn decode(&mut self, values: impl Iterator<Item = u8>) {
        let Some(current) = &mut self.current else {
            return;
        };
        let before = current.bytes.len();
        let (mut bits, mut count) = self.bits;
        for value in values {
            bits = bits << 6 | u32::from(value);
            count += 6;
            if count >= 8 {
                count -= 8;
                current.bytes.push((bits >> count) as u8);
            }
        }
        self.bits = (bits & ((1 << count) - 1), count);
        let is_unwanted = before < PROBE_BYTES
            && current.bytes.len() >= PROBE_BYTES
            && !is_wanted(&current.bytes);
        let is_too_large = self.kept + current.bytes.len() > MAX_ATTACHED_BYTES;
        if (is_unwanted || is_too_large)
            && let Some(attachment) = self.current.take()
            && is_too_large
        {
            self.too_large.push(attachment.name);
        }
    }

    fn end_attachment(&mut self) {
        let wanted = self.current.take().filter(|found| is_wanted(&found.bytes));
        let Some(Attachment { mut name, bytes }) = wanted else {
            return;
        };
        if name.is_empty() {
            name = "attachment".to_owned();
        }
        let count = self.names.entry(name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            name = format!("{count}/{name}");
        }
        self.kept += bytes.len();
        self.found.push(Attachment { name, bytes });
    }
}

/// Whether an attachment that begins so is read as a file of its own: texts are read with the mail.
fn is_wanted(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(PROBE_BYTES)];
    !head.is_empty()
        && (sniff(head).is_some_and(|kind| kind != ContainerKind::Mail) || !is_text(head))
}

/// Six bits of a letter, `None` within for padding; `None` for what is no letter of base64.
fn base64_value(letter: u8) -> Option<Option<u8>> {
    match letter {
        b'A'..=b'Z' => Some(Some(letter - b'A')),
        b'a'..=b'z' => Some(Some(letter - b'a' + 26)),
        b'0'..=b'9' => Some(Some(letter - b'0' + 52)),
        b'+' => Some(Some(62)),
        b'/' => Some(Some(63)),
        b'=' => Some(None),
        _ => None,
    }
}

/// The name in `begin 644 NAME`.
fn uuencoded_name(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line.strip_prefix(b"begin ")?).ok()?;
    let (mode, name) = line.split_once(' ')?;
    let is_mode = matches!(mode.len(), 3 | 4) && mode.bytes().all(|digit| digit.is_ascii_digit());
    (is_mode && !name.trim().is_empty()).then(|| name.trim().to_owned())
}

fn uu_value(letter: u8) -> Option<u8> {
    matches!(letter, b' '..=b'`').then(|| (letter - b' ') & 63)
}

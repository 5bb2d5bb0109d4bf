//! Bytes to the lines that a person sees: charset, line ends, terminal codes, mails, HTML and
//! one-line copies of archives. Each line knows its line of the file.
//!
//! Cost: linear in the bytes. A mail is decoded by `mail-parser`; its parts nest at most as deep as
//! that crate reads them.

mod charset;
mod html;
mod mail;
mod one_line;
mod terminal;

pub use html::is_document;

use std::ops::Range;
use std::rc::Rc;

/// Bytes read of a file; the rest is ignored.
pub const MAX_BYTES: usize = 64 << 20;

/// A line as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownLine {
    pub text: Rc<str>,
    /// Index of its line in the file; of an encoded mail that in which the encoded text begins.
    pub file_line: u32,
    /// Number of characters before it in that line.
    pub file_column: u32,
}

/// A message, an attachment, or the complete file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Name of the attachment.
    pub name: Option<String>,
    /// Number of the message in a mailbox.
    pub message: u32,
    /// Indices of its lines.
    pub lines: Range<usize>,
}

/// The lines of a file and the parts that they form; lines of headers belong to no part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownText {
    pub lines: Vec<ShownLine>,
    pub parts: Vec<Part>,
}

/// The text of a file; `None` for bytes that are no text.
pub fn read(bytes: &[u8]) -> Option<ShownText> {
    let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
    let mut text = charset::decode(bytes)?;
    // Old terminals and editors end lines with a carriage return alone.
    if !text.contains('\n') && text.contains('\r') {
        text = text.replace('\r', "\n");
    }
    let mut shown = ShownText::default();
    if mail::is_mail(&text) {
        mail::read(bytes, &text, &mut shown);
    } else if html::is_document(&text) {
        shown.add_part(None, 0, html::lines(&text, 0));
    } else {
        shown.add_part(None, 0, lines_with_tables(&text));
    }
    Some(shown)
}

/// Lines of plain text or Markdown, in which a table may be HTML.
fn lines_with_tables(text: &str) -> Vec<ShownLine> {
    let mut lines = Vec::new();
    let mut rest = text;
    let mut first = 0;
    while let Some(begin) = rest.find("<table") {
        const END: &str = "</table>";
        let Some(length) = rest[begin..].find(END) else {
            break;
        };
        let (before, table) = rest.split_at(begin);
        let (table, behind) = table.split_at(length + END.len());
        for (part, read) in [
            (before, plain_lines as fn(&str, u32) -> Vec<ShownLine>),
            (table, html::lines),
        ] {
            lines.extend(read(part, first));
            first += part.matches('\n').count() as u32;
        }
        rest = behind;
    }
    lines.extend(plain_lines(rest, first));
    lines
}

/// Line ends in a row of Markdown by which its cells are complete outputs.
const MIN_BREAKS: usize = 2;

/// Lines of plain text, which begins in line `first` of the file.
fn plain_lines(text: &str, first: u32) -> Vec<ShownLine> {
    let count = text.bytes().filter(|byte| *byte == b'\n').count();
    let mut lines = Vec::with_capacity(count + 1);
    let mut heads: &str = "";
    for (index, line) in text.split('\n').enumerate() {
        let file_line = first + index as u32;
        if line.trim_start().starts_with('|') {
            if line.matches("<br").count() >= MIN_BREAKS {
                lines.extend(html::lines(&html::row(heads, line), file_line));
                continue;
            }
            if line.contains(char::is_alphanumeric) {
                heads = line;
            }
        }
        lines.push(ShownLine {
            text: terminal::clean(line).into(),
            file_line,
            file_column: 0,
        });
    }
    if text.ends_with('\n') {
        lines.pop();
    }
    lines
}

impl ShownText {
    /// All lines as one text.
    pub fn plain(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| &*line.text).collect();
        lines.join("\n")
    }

    fn add_part(&mut self, name: Option<String>, message: u32, lines: Vec<ShownLine>) {
        let start = self.lines.len();
        let mut lines = one_line::split(lines);
        // Most files are one part, whose lines need no copy.
        if self.lines.is_empty() {
            self.lines = lines;
        } else {
            self.lines.append(&mut lines);
        }
        self.parts.push(Part {
            name,
            message,
            lines: start..self.lines.len(),
        });
    }
}

#[cfg(test)]
mod tests;

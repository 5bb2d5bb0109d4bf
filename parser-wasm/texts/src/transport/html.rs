//! The text of an HTML or XML page, with the lines that a browser would show. Rows of tables become
//! lines with `|` between their cells, headings and bold lines those of Markdown.
//!
//! A tokenizer and no tree: pages of trackers and archives are text within a few elements, and each
//! line must lead back to its line of the file.

use super::{ShownLine, terminal};

/// Whether a file is a page, and not a text that has some tags.
pub fn is_document(text: &str) -> bool {
    let begin: String = text
        .trim_start()
        .chars()
        .take(200)
        .collect::<String>()
        .to_ascii_lowercase();
    begin.starts_with("<!doctype html")
        || begin.starts_with("<html") && !is_pasted(text)
        || begin.starts_with("<?xml")
        || begin.starts_with("<bugzilla")
}

/// Whether a text within the tags of a page has none of its own: spreadsheets are pasted into
/// trackers as such.
fn is_pasted(text: &str) -> bool {
    let mut tags = text.split('<').skip(1);
    let is_outer = |tag: &str| {
        let name = tag.trim_start_matches('/').to_ascii_lowercase();
        name.starts_with("html>") || name.starts_with("body>")
    };
    tags.all(is_outer)
}

/// Bytes of the name of a character between `&` and `;`.
const MAX_ENTITY: usize = 8;

/// Elements that have no text for a reader.
const HIDDEN: [&str; 7] = [
    "script", "style", "head", "template", "svg", "noscript", "textarea",
];
/// Elements that keep their line ends and blanks. `thetext` is a comment in an export of Bugzilla.
const KEPT: [&str; 3] = ["pre", "thetext", "plaintext"];
/// Blanks of which a browser shows one. It keeps those that do not break a line: with them, pages
/// align columns outside of `pre`.
const COLLAPSED: [char; 3] = [' ', '\t', '\r'];
/// Elements that begin or end no line.
const INLINE: [&str; 22] = [
    "a", "abbr", "b", "bdi", "big", "cite", "code", "em", "font", "i", "ins", "kbd", "label",
    "mark", "q", "s", "samp", "small", "span", "strong", "tt", "u",
];

/// A row of Markdown whose cells have several lines each, below the row of its headings, as a page.
pub fn row(heads: &str, row: &str) -> String {
    let cells = |row: &str| -> String {
        let mut cells = String::from("<td>");
        let row = row
            .trim()
            .trim_matches('|')
            .replace("<code", "<pre")
            .replace("</code", "</pre");
        let mut open = 0;
        for (index, piece) in row.split(" | ").enumerate() {
            if index > 0 {
                // Outputs have bars, too.
                cells.push_str(if open > 0 { " | " } else { "</td><td>" });
            }
            cells.push_str(piece);
            open += piece.matches("<pre").count();
            open = open.saturating_sub(piece.matches("</pre").count());
        }
        cells
    };
    format!("<tr>{}</tr><tr>{}</tr>", cells(heads), cells(row))
}

/// The lines of a page, which begins in line `first` of the file.
pub fn lines(text: &str, first: u32) -> Vec<ShownLine> {
    let mut page = Page {
        file_line: first,
        line_begin: first,
        ..Page::default()
    };
    // Behind the last `>` nothing is a tag: each `<` there would look through the rest.
    let tags = text.rfind('>').map_or(0, |end| end + 1);
    let (mut rest, behind) = text.split_at(tags);
    while let Some(open) = rest.find('<') {
        page.add_text(&rest[..open]);
        rest = &rest[open..];
        let Some(length) = tag_length(rest) else {
            page.add_text("<");
            rest = &rest[1..];
            continue;
        };
        let tag = &rest[..length];
        page.add_tag(tag);
        page.file_line += tag.matches('\n').count() as u32;
        rest = &rest[length..];
    }
    page.add_text(rest);
    page.add_text(behind);
    page.end_row();
    page.lines
}

/// Bytes of the tag or comment at the begin of a text; `None` for a mere `<`.
fn tag_length(text: &str) -> Option<usize> {
    if text.starts_with("<!--") {
        return Some(text.find("-->").map_or(text.len(), |end| end + 3));
    }
    if text.starts_with("<![CDATA[") {
        return Some("<![CDATA[".len());
    }
    let name = text[1..].strip_prefix('/').unwrap_or(&text[1..]);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!' || c == '?') {
        return None;
    }
    let mut quote = None;
    for (index, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            (None, '>') => return Some(index + 1),
            _ => {}
        }
    }
    // A quotation mark without its end is an error in the page.
    text.find('>').map(|end| end + 1)
}

#[derive(Default)]
struct Page {
    lines: Vec<ShownLine>,
    text: String,
    /// The tokenizer's line, and the line in which the text began.
    file_line: u32,
    line_begin: u32,
    hidden: u32,
    preformatted: u32,
    /// The row that is being read; `None` outside a row.
    row: Option<Row>,
    /// Texts of the last row whose cells have one line each: they name what is below them.
    names: Vec<String>,
    /// Whether a fence of Markdown has begun in a cell, as in tables of issues.
    fenced: bool,
}

/// The cells of a row so far, each with its lines.
#[derive(Default)]
struct Row {
    cells: Vec<Vec<ShownLine>>,
    /// The line of the page at which the last cell begins; `None` before the first cell.
    begin: Option<usize>,
}

impl Page {
    fn add_text(&mut self, text: &str) {
        for (index, piece) in text.split('\n').enumerate() {
            if index > 0 {
                if self.hidden == 0 && self.preformatted > 0 {
                    self.end_line();
                }
                self.file_line += 1;
                if self.preformatted > 0 || self.text.trim().is_empty() {
                    self.line_begin = self.file_line;
                }
            }
            if self.hidden > 0 {
                continue;
            }
            let piece = decode_entities(piece);
            if self.row.is_some() && piece.trim().starts_with("```") {
                self.end_line();
                self.fenced = !self.fenced;
                self.preformatted =
                    self.preformatted
                        .saturating_add_signed(if self.fenced { 1 } else { -1 });
                continue;
            }
            if self.preformatted > 0 {
                self.text.push_str(&piece);
                continue;
            }
            let begins_blank = piece.starts_with(COLLAPSED) || index > 0;
            let words: Vec<&str> = piece
                .split(COLLAPSED)
                .filter(|word| !word.is_empty())
                .collect();
            if begins_blank && !self.text.is_empty() && !self.text.ends_with(' ') {
                self.text.push(' ');
            }
            self.text.push_str(&words.join(" "));
            if piece.ends_with(COLLAPSED) && !words.is_empty() {
                self.text.push(' ');
            }
        }
    }

    fn add_tag(&mut self, tag: &str) {
        let closes = tag.starts_with("</");
        let name = tag.trim_start_matches(['<', '/']);
        let end = name
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(name.len());
        let name = name[..end].to_ascii_lowercase();
        let name = name.as_str();
        let alone = tag.ends_with("/>");
        if HIDDEN.contains(&name) {
            self.hidden = match (closes, alone) {
                (true, _) => self.hidden.saturating_sub(1),
                (false, true) => self.hidden,
                (false, false) => self.hidden + 1,
            };
            return;
        }
        if self.hidden > 0 || tag.starts_with("<!") || tag.starts_with("<?") {
            return;
        }
        match name {
            "br" => self.end_line(),
            "strong" | "b" => self.text.push_str("**"),
            "tr" => {
                self.end_row();
                if !closes {
                    self.row = Some(Row::default());
                }
            }
            "td" | "th" if !closes => {
                self.end_cell();
                let begin = self.lines.len();
                if let Some(row) = &mut self.row {
                    row.begin = Some(begin);
                }
            }
            "td" | "th" => {}
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_line();
                if !closes {
                    let level = usize::from(name.as_bytes()[1] - b'0');
                    self.text.push_str(&"#".repeat(level));
                    self.text.push(' ');
                }
            }
            "summary" => {
                self.end_line();
                if !closes {
                    self.text.push_str("###### ");
                }
            }
            "li" if !closes => {
                self.end_line();
                self.text.push_str("- ");
            }
            name if KEPT.contains(&name) => {
                self.end_line();
                self.preformatted = if closes {
                    self.preformatted.saturating_sub(1)
                } else {
                    self.preformatted + 1
                };
            }
            // Cells keep what they hold in their line.
            name if INLINE.contains(&name) || self.row.is_some() => {}
            "p" | "details" | "table" if self.preformatted == 0 => {
                self.end_line();
                self.add_line("", self.file_line);
            }
            _ => self.end_line(),
        }
    }

    /// Moves the lines of the last cell from the page to its row.
    fn end_cell(&mut self) {
        self.end_line();
        if let Some(row) = &mut self.row
            && let Some(begin) = row.begin.take()
        {
            row.cells.push(self.lines.split_off(begin));
        }
    }

    /// Adds a row as one line with bars. Where a cell has several lines, each cell is a block below
    /// the name of its column: people show two outputs in a table with one row.
    fn end_row(&mut self) {
        self.end_cell();
        let Some(row) = self.row.take().filter(|row| !row.cells.is_empty()) else {
            return;
        };
        if row.cells.iter().any(|cell| cell.len() > 1) {
            for (index, cell) in row.cells.into_iter().enumerate() {
                let file_line = cell.first().map_or(self.file_line, |line| line.file_line);
                self.add_line("", file_line);
                if let Some(name) = self.names.get(index).filter(|name| !name.is_empty()) {
                    let title = format!("=== {name}");
                    self.add_line(&title, file_line);
                }
                self.lines.extend(cell);
            }
            return;
        }
        let file_line = row
            .cells
            .iter()
            .flatten()
            .next()
            .map_or(self.file_line, |line| line.file_line);
        self.names = row
            .cells
            .iter()
            .map(|cell| {
                cell.first()
                    .map_or(String::new(), |line| line.text.trim().to_owned())
            })
            .collect();
        let line = format!("| {} |", self.names.join(" | "));
        self.add_line(&line, file_line);
    }

    fn add_line(&mut self, text: &str, file_line: u32) {
        self.lines.push(ShownLine {
            text: text.into(),
            file_line,
            file_column: 0,
        });
    }

    /// Ends a line that has text; within `pre`, an empty one, too.
    fn end_line(&mut self) {
        let text = std::mem::take(&mut self.text);
        let shown = if self.preformatted > 0 {
            text.as_str()
        } else {
            text.trim_matches(COLLAPSED)
        };
        let empty = shown.trim_matches(['*', ' ', '\u{a0}']).is_empty() && !shown.contains("***");
        if self.preformatted > 0 || !empty {
            let shown = if empty { "" } else { shown };
            let shown = terminal::clean(shown);
            self.add_line(&shown, self.line_begin);
        }
        self.line_begin = self.file_line;
    }
}

/// Replaces references to characters; unknown ones stay.
fn decode_entities(text: &str) -> String {
    const NAMED: [(&str, char); 18] = [
        ("amp", '&'),
        ("lt", '<'),
        ("gt", '>'),
        ("quot", '"'),
        ("apos", '\''),
        ("nbsp", '\u{a0}'),
        ("ndash", '–'),
        ("mdash", '—'),
        ("minus", '−'),
        ("plusmn", '±'),
        ("micro", 'µ'),
        ("times", '×'),
        ("sigma", 'σ'),
        ("hellip", '…'),
        ("rarr", '→'),
        ("larr", '←'),
        ("deg", '°'),
        ("percnt", '%'),
    ];
    if !text.contains('&') {
        return text.to_owned();
    }
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        decoded.push_str(&rest[..start]);
        rest = &rest[start..];
        // The name is short: without a bound each `&` would look through the rest.
        let name = rest
            .bytes()
            .take(MAX_ENTITY + 2)
            .position(|byte| byte == b';')
            .and_then(|end| rest.get(1..end));
        let character = name.and_then(|name| match name.strip_prefix('#') {
            Some(number) => {
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16).ok(),
                    None => number.parse().ok(),
                };
                code.and_then(char::from_u32)
            }
            None => NAMED
                .iter()
                .find(|(entity, _)| *entity == name)
                .map(|(_, character)| *character),
        });
        match (name, character) {
            (Some(name), Some(character)) => {
                decoded.push(character);
                rest = &rest[name.len() + 2..];
            }
            _ => {
                decoded.push('&');
                rest = &rest[1..];
            }
        }
    }
    decoded.push_str(rest);
    decoded
}

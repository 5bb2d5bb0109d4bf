//! Tables in the languages of wikis, documents and forums, between marks of their own:
//!
//! | language | begin | row | cell |
//! |---|---|---|---|
//! | MediaWiki | `{|` | `|-` | `| a || b`, `! a !! b` |
//! | DokuWiki | `^ a ^` | a line | `| a | b |` |
//! | AsciiDoc | `|===` | as many cells as in the first line | `|a |b` |
//! | LaTeX | `\begin{tabular}` | `\\` | `a & b` |
//! | BBCode | `[table]` | `[tr]` | `[td]a[/td]` |
//! | reStructuredText | `.. list-table::` | `* - a` | `- a` |

use super::piped::plain;
use super::{Cell, Grid, MAX_COLUMNS, MAX_ROWS};
use crate::line::Line;

type Row<'a> = Vec<Cell<'a>>;

/// The rows of a table, its title, and the line behind it.
#[derive(Default)]
struct Body<'a> {
    rows: Vec<Row<'a>>,
    title: Option<&'a str>,
    end: usize,
}

/// Finds the rows of a table that begins at a line.
type Reader = for<'a> fn(&'a [Line], usize) -> Option<Body<'a>>;

/// What reads the table that begins with a line.
fn reader(first: &str) -> Option<Reader> {
    let latex_name = first.strip_prefix("\\begin{").unwrap_or("");
    Some(match first {
        "|===" => ascii_doc,
        _ if first.starts_with("{|") => media_wiki,
        _ if first.starts_with("^ ") => doku_wiki,
        _ if latex_name.starts_with("tabular") || latex_name.starts_with("longtable") => latex,
        _ if first
            .get(..6)
            .is_some_and(|tag| tag.eq_ignore_ascii_case("[table")) =>
        {
            bb_code
        }
        _ if first.starts_with(".. list-table::") => list_table,
        _ => return None,
    })
}

/// Reads a table in one of these languages; the first row has the headings.
pub fn read<'a>(lines: &'a [Line], start: usize, reach: &mut usize) -> Option<Grid<'a>> {
    let mut body = reader(lines.get(start)?.text().trim())?(lines, start)?;
    *reach = body.end.max(*reach);
    body.rows.retain(|row| !row.is_empty());
    let mut rows = body.rows.into_iter();
    let head = rows.next()?;
    let count = head.len();
    let is_table = (2..=MAX_COLUMNS).contains(&count) && rows.clone().all(|row| row.len() == count);
    let cells = |row: Row<'a>| -> Vec<Option<Cell>> {
        // Marks of Markdown are used in all of them: `512`, **512**.
        let plain = |cell: Cell<'a>| cell.part(plain(cell.text));
        let filled = |cell: Cell<'a>| Some(plain(cell)).filter(|cell| !cell.text.is_empty());
        row.into_iter().map(filled).collect()
    };
    is_table.then(|| Grid {
        heads: vec![cells(head)],
        rows: rows.map(cells).collect(),
        remark: body.title,
        statement: None,
        end: body.end,
    })
}

/// The lines between the first one and the one that closes the table, and the line behind that.
fn inner(lines: &[Line], start: usize, closes: impl Fn(&str) -> bool) -> Option<(&[Line], usize)> {
    let below = lines[start + 1..].iter().map(|line| line.text().trim());
    // Where tables begin and never end, each line is looked at once.
    let ends = |text: &str| closes(text) || reader(text).is_some();
    let length = below.take(MAX_ROWS).position(ends)?;
    let (inner, behind) = lines[start + 1..].split_at(length);
    closes(behind.first()?.text().trim()).then_some((inner, start + 2 + length))
}

fn media_wiki(lines: &[Line], start: usize) -> Option<Body<'_>> {
    let (inner, end) = inner(lines, start, |text| text.starts_with("|}"))?;
    let mut body = Body {
        rows: vec![Row::new()],
        end,
        ..Body::default()
    };
    for line in inner {
        let text = line.text().trim();
        if let Some(title) = text.strip_prefix("|+") {
            body.title = Some(title.trim());
        } else if text.starts_with("|-") {
            body.rows.push(Row::new());
        } else if let Some(cells) = text.strip_prefix(['|', '!']) {
            let row = body.rows.last_mut()?;
            let cells = cells.split("||").flat_map(|cell| cell.split("!!"));
            row.extend(cells.map(|cell| Cell::new(line, without_attributes(cell))));
        }
    }
    Some(body)
}

/// The text of a cell of MediaWiki: `style="color:red" | 512`.
fn without_attributes(cell: &str) -> &str {
    let (front, text) = cell.split_once('|').unwrap_or(("", cell));
    let text = if front.contains('=') { text } else { cell };
    text.trim().trim_matches('\'')
}

fn doku_wiki(lines: &[Line], start: usize) -> Option<Body<'_>> {
    let is_row = |line: &&Line| {
        let text = line.text().trim();
        text.starts_with(['^', '|']) && text.ends_with(['^', '|'])
    };
    let rows = lines[start..].iter().take(MAX_ROWS).take_while(is_row);
    let row = |line| {
        let text = Line::text(line).trim();
        let text = text.get(1..text.len() - 1).unwrap_or("");
        let cells = text.split(['^', '|']);
        cells.map(|cell| Cell::new(line, cell)).collect()
    };
    let rows: Vec<Row> = rows.map(row).collect();
    Some(Body {
        end: start + rows.len(),
        rows,
        title: None,
    })
}

fn ascii_doc(lines: &[Line], start: usize) -> Option<Body<'_>> {
    let (inner, end) = inner(lines, start, |text| text == "|===")?;
    let cells = |line| {
        let (_, cells) = Line::text(line).split_once('|')?;
        let cells = cells.split('|').map(move |cell| Cell::new(line, cell));
        Some(cells.collect::<Row>())
    };
    let by_line: Vec<Row> = inner.iter().filter_map(cells).collect();
    // `[cols="1,1,1"]` above it, `.Throughput in MB/s` above that.
    let above = |distance: usize| Some(lines.get(start.checked_sub(distance)?)?.text().trim());
    let attributes = above(1).filter(|text| text.starts_with('['));
    let columns = attributes.and_then(|text| text.split_once("cols=\"")?.1.split('"').next());
    let count = columns.map_or(by_line.first()?.len(), |columns| columns.split(',').count());
    let title = above(if attributes.is_some() { 2 } else { 1 });
    let cells: Row = by_line.into_iter().flatten().collect();
    Some(Body {
        rows: cells.chunks(count.max(1)).map(<[Cell]>::to_vec).collect(),
        title: title.and_then(|title| title.strip_prefix('.')),
        end,
    })
}

fn latex(lines: &[Line], start: usize) -> Option<Body<'_>> {
    let (inner, end) = inner(lines, start, |text| text.starts_with("\\end{"))?;
    let row = |line| {
        let (cells, _) = Line::text(line).rsplit_once("\\\\")?;
        let cells = cells.split('&').map(without_commands);
        Some(cells.map(|cell| Cell::new(line, cell)).collect::<Row>())
    };
    Some(Body {
        rows: inner.iter().filter_map(row).collect(),
        title: None,
        end,
    })
}

/// The text of a cell of LaTeX: `\textbf{512}`, `$512$`, `\hline 512`.
fn without_commands(cell: &str) -> &str {
    let mut text = cell.trim();
    while let Some(command) = text.strip_prefix('\\') {
        let name = command.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        text = match name.strip_prefix('{') {
            Some(argument) => argument.strip_suffix('}').unwrap_or(argument).trim(),
            None if name.len() < command.len() => name.trim(),
            None => break,
        };
    }
    text.trim_matches('$')
}

fn bb_code(lines: &[Line], start: usize) -> Option<Body<'_>> {
    let (inner, end) = inner(lines, start, |text| {
        text.to_ascii_lowercase().ends_with("[/table]")
    })?;
    let mut body = Body {
        end,
        ..Body::default()
    };
    for line in inner {
        for element in line.text().split('[') {
            let (tag, text) = element.split_once(']').unwrap_or(("", ""));
            let tag = tag.to_ascii_lowercase();
            match tag.split(['=', ' ']).next().unwrap_or("") {
                "tr" => body.rows.push(Row::new()),
                "td" | "th" => body.rows.last_mut()?.push(Cell::new(line, text)),
                // The text of a cell may be within other marks: `[td][b]512[/b][/td]`.
                "b" | "i" | "u" | "color" | "center" | "right" => {
                    let cell = body.rows.last_mut().and_then(|row| row.last_mut());
                    if let Some(cell) = cell.filter(|cell| cell.text.is_empty()) {
                        *cell = Cell::new(line, text);
                    }
                }
                _ => {}
            }
        }
    }
    Some(body)
}

fn list_table<'a>(lines: &'a [Line], start: usize) -> Option<Body<'a>> {
    let is_cell = |cell: &&str| cell.is_empty() || cell.starts_with(' ');
    let (_, title) = lines[start].text().split_once("::")?;
    let mut body = Body {
        title: Some(title.trim()).filter(|title| !title.is_empty()),
        end: start + 1,
        ..Body::default()
    };
    for line in lines[start + 1..].iter().take(MAX_ROWS * MAX_COLUMNS) {
        let text = line.text().trim();
        let cell = |text: &'a str| text.strip_prefix('-').filter(|cell| is_cell(cell));
        let first = text.strip_prefix("* ").and_then(cell);
        if first.is_some() {
            body.rows.push(Row::new());
        }
        match first.or_else(|| cell(text)) {
            Some(cell) => body.rows.last_mut()?.push(Cell::new(line, cell)),
            // `:header-rows: 1` and a blank line.
            None if text.is_empty() || text.starts_with(':') => {}
            None => break,
        }
        body.end += 1;
    }
    Some(body)
}

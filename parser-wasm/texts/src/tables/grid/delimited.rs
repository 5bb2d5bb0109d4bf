//! CSV with tabs, semicolons or commas.

use super::super::cell::figure;
use super::{Cell, Grid, MAX_COLUMNS, MAX_ROWS, are_headings};
use crate::line::Line;
use seekscope_notes::labels;

/// Limit for the words of a heading between delimiters.
const MAX_HEADING_WORDS: usize = 5;

/// Reads CSV with tabs, semicolons or commas.
pub fn read<'a>(lines: &'a [Line], start: usize, reach: &mut usize) -> Option<Grid<'a>> {
    let head = lines.get(start)?.text();
    // `On Friday, the tester wrote:` is above anything.
    if head.trim_end().ends_with(':') && !head.contains(['\t', ';']) {
        return None;
    }
    let delimiters = ['\t', ';', ','].into_iter();
    let mut used = delimiters.filter(|delimiter| head.contains(*delimiter));
    used.find_map(|delimiter| {
        let names = split(head.trim_matches(['<', '>', ' ', '#']), delimiter);
        let count = names.len();
        // Headings are words. Sentences have commas, too: columns of words hold few of them.
        let short = |cell: &&str| cell.split_whitespace().count() <= MAX_HEADING_WORDS;
        if !(2..=MAX_COLUMNS).contains(&count) || !names.iter().all(short) || !are_headings(&names)
        {
            return None;
        }
        // Rows begin with a number, headings do not.
        let first = names.first().copied().unwrap_or("");
        if figure(first).is_some() && !labels::is_kernel_form(first) {
            return None;
        }
        // People align columns with as many tabs as the headings need, too.
        if delimiter == '\t' && names[1..].contains(&"") {
            return None;
        }
        // A row of a table has a number.
        let numeric = |line: &&Line| {
            split(line.text(), delimiter)
                .iter()
                .any(|cell| figure(cell).is_some())
        };
        lines.get(start + 1).filter(numeric)?;
        let rows: Vec<&Line> = lines[start + 1..]
            .iter()
            .take(MAX_ROWS)
            .take_while(|line| split(line.text(), delimiter).len() == count)
            .collect();
        let end = start + 1 + rows.len();
        *reach = end.max(*reach);
        if rows.is_empty() || !rows.iter().all(numeric) {
            return None;
        }
        // People align columns with as many tabs as the labels need.
        let is_aligned = delimiter == '\t'
            && lines
                .get(end)
                .filter(numeric)
                .is_some_and(|line| line.text().contains('\t'));
        if is_aligned {
            return None;
        }
        Some(Grid {
            heads: vec![cells_of(&lines[start], delimiter)],
            rows: rows.iter().map(|line| cells_of(line, delimiter)).collect(),
            remark: None,
            statement: None,
            end,
        })
    })
}

fn cells_of(line: &Line, delimiter: char) -> Vec<Option<Cell<'_>>> {
    let text = line.text().trim_matches(['<', '>', '#']);
    split(text, delimiter)
        .into_iter()
        .map(|cell| Some(Cell::new(line, cell)).filter(|cell| !cell.text.is_empty()))
        .collect()
}

/// The cells of a line, without their quotation marks.
fn split(text: &str, delimiter: char) -> Vec<&str> {
    let text = text.trim_end();
    if !text.contains('"') {
        return text.split(delimiter).map(str::trim).collect();
    }
    let mut cells = Vec::new();
    let (mut begin, mut quoted) = (0, false);
    for (index, c) in text.char_indices() {
        if c == '"' {
            quoted = !quoted;
        } else if c == delimiter && !quoted {
            cells.push(text[begin..index].trim().trim_matches('"'));
            begin = index + delimiter.len_utf8();
        }
    }
    cells.push(text[begin..].trim().trim_matches('"'));
    cells
}

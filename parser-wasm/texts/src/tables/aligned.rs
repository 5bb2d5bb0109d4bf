//! Tables whose columns are aligned with blanks: a line of headings, perhaps two, and rows below it
//! that end with as many figures.

mod above;
mod behind;
mod body;
mod collapsed;
mod row;
mod units;

use super::cell;
use super::grid::below::remark_below;
use super::grid::{Cell, Grid, are_headings, is_rule};
use super::pieces::{Piece, counted, split, with_options};
use super::words::describe;
use crate::line::Line;
use crate::structure::{heading, kind};
use above::{
    alike, grouped, is_row_of_side, is_side_above, last_columns, lists_releases, repeats_releases,
    stand_above,
};
use body::{Rows, ends_block, rows, rows_below_corner};

/// Limit for the words of a heading.
const MAX_HEADING_WORDS: usize = 5;

pub fn read<'a>(lines: &'a [Line], start: usize, reach: &mut usize) -> Option<Grid<'a>> {
    // One or two lines of headings, then perhaps a rule.
    (1..=2).find_map(|heads| {
        let headings = lines.get(start..start + heads)?;
        let words =
            |line: &Line| !ends_block(line) && !is_rule(line.text()) && !lists_figures(line.text());
        // `=== old ===` above a list and `old:` above the real headings are titles.
        let bullet = |text: &str| text.starts_with("- ") || text.starts_with("* ");
        let title = |line: &Line| {
            bullet(line.text().trim_start())
                || split(line.text(), 2).len() == 1
                    && heading::titled(line.text(), "").is_some_and(|(_, label)| !label.is_empty())
        };
        let is_comment = heads == 1 && is_comment(&headings[0], &lines[start + 1..]);
        if !headings.iter().all(words)
            || !is_comment && headings.iter().any(title)
            || is_side_above(headings)
        {
            return None;
        }
        let ruled = lines
            .get(start + heads)
            .is_some_and(|line| is_rule(line.text()));
        let below = lines.get(start + heads..)?;
        let units = heads == 1 && units::is_line(&headings[0], below);
        let gap = !ruled && !units && is_gap(&headings[heads - 1], below);
        let body = start + heads + usize::from(ruled || units || gap);
        if lines
            .get(body)
            .is_some_and(|row| alike(&headings[heads - 1], row))
            || headings.iter().any(is_row_of_side)
        {
            return None;
        }
        let is_lower = |row: &Line| repeats_releases(row) || lists_releases(&headings[0], row);
        let is_barred = |line: &Line| line.text().matches('|').count() > 1;
        let has_lower = heads == 1 && lines.get(body).is_some_and(is_lower);
        if has_lower || heads == 2 && is_barred(&headings[1]) && !is_barred(&headings[0]) {
            return None;
        }
        let mut looked = 0;
        let grid = table(headings, lines.get(body..)?, &mut looked);
        *reach = (body + looked).max(*reach);
        let mut grid = grid?;
        grid.end += body;
        if units {
            grid.heads
                .push(units::cells(&headings[0], &below[0], &grid)?);
        }
        // Figures of sides may have their unit below the table.
        let below = remark_below(lines, grid.end);
        if let (None, (Some(remark), end)) = (grid.remark, below)
            && (remark.starts_with(|c: char| c != '-' && !c.is_ascii_digit()) || is_of_size(remark))
        {
            grid.remark = Some(remark);
            grid.end = end;
        }
        Some(grid)
    })
}

/// Whether a line says for which block size the figures are, and has no figure: `4k random IOPS`.
fn is_of_size(remark: &str) -> bool {
    let size = remark.split(' ').next().unwrap_or("");
    let is_size = size.starts_with(|c: char| c.is_ascii_digit()) && kind::names_test(size);
    is_size && super::figure_count(remark) == 0 && cell::figure(remark).is_none()
}

/// Whether a blank line is between headings and a row with a cell below each of them.
fn is_gap(heading: &Line, below: &[Line]) -> bool {
    let [blank, row, ..] = below else {
        return false;
    };
    let (head, cells) = (split(heading.text(), 2), split(row.text(), 2));
    let figures = cells
        .iter()
        .filter(|cell| cell::figure(cell.text).is_some());
    let labels = cells.len().checked_sub(head.len());
    let is_above = |(heading, cell): (&Piece, &Piece)| {
        heading.start < cell.end + 2 && cell.start < heading.end + 2
    };
    blank.is_blank()
        && head.len() > 1
        && figures.count() > 0
        && labels
            .is_some_and(|labels| labels <= 1 && head.iter().zip(&cells[labels..]).all(is_above))
}

/// The table of some headings; `end` of the grid counts lines of the body.
fn table<'a>(heads: &'a [Line], body: &'a [Line], looked: &mut usize) -> Option<Grid<'a>> {
    let lowest = heads.last()?;
    let text = lowest.text();
    let mut head = without_comment(counted(text).unwrap_or_else(|| split(text, 2)));
    let mut remark = None;
    // `(MB/s)` behind the headings is the unit of all of them.
    let is_unit =
        |piece: &Piece| piece.text.starts_with('(') && describe(piece.text).scale.is_some();
    if head.len() > 2 && head.last().is_some_and(is_unit) {
        remark = head.pop().map(|piece| piece.text);
    }
    // A sentence is no line of headings.
    let words = without_comment(with_options(split(text, 1), text));
    let sentence = head.len() < 3 && text.trim_end().ends_with(['.', ',', ';', '?', '!'])
        || head.len() == 1 && text.trim_end().ends_with(':');
    if sentence || head.is_empty() || words.len() > MAX_HEADING_WORDS * head.len().max(4) {
        return None;
    }
    // `read:   ops/s   kB/s` of nfsiostat is a title before the headings.
    if let [first, _, _, ..] = head.as_slice()
        && first.text.ends_with(':')
        && body.first().is_some_and(|row| {
            let cells = split(row.text(), 2);
            cells.len() + 1 == head.len()
                && cells
                    .first()
                    .is_some_and(|cell| cell::figure(cell.text).is_some())
        })
    {
        return None;
    }
    // Any line above words with a number would be the heading of a table of one column.
    if words.len() == 1 && !is_measured(text) {
        return None;
    }
    // Archives keep one of several blanks: then each word is a heading. In `cold cache warm cache`,
    // nobody knows which words are one.
    let is_collapsed = head.len() == 1 && words.len() > 2;
    if is_collapsed && heads.len() == 1 && collapsed::repeats_noun(&words) {
        return None;
    }
    let mut found = if is_collapsed {
        Rows::default()
    } else {
        rows(body, head.len(), &head)
    };
    let first = found.rows.first().zip(body.first());
    let squeezed = first.is_some_and(|(_, row)| stand_above(&words, &head, row));
    if (found.rows.is_empty() || squeezed) && remark.is_none() && words.len() != head.len() {
        // Words one blank apart do not stand above their columns. `[ ID]` is one of them.
        // `6.1 (MB/s)` alone in a line is a title with its unit.
        let units = words.iter().filter(|word| is_unit(word)).count();
        let ends_with_unit = units == 1 && words.last().is_some_and(is_unit);
        let joined = collapsed::headings(&words, text, body);
        let is_title = head.len() == 1 && ends_with_unit && !collapsed::fit(&joined, body);
        if is_title || words.iter().any(|word| is_open(word.text)) {
            return None;
        }
        let first = joined.first();
        found = match first.is_some_and(|first| collapsed::is_corner(first, &joined, body)) {
            true => rows_below_corner(body, joined.len()),
            false => rows(body, joined.len(), &[]),
        };
        head = joined;
    }
    *looked = found.lines;
    let long = |piece: &Piece| piece.text.split_whitespace().count() > MAX_HEADING_WORDS;
    let width = found.rows.iter().map(Vec::len).max()?;
    let fits = width >= 2 && (head.len()..=head.len() + 3).contains(&width);
    let texts: Vec<&str> = head.iter().map(|piece| piece.text).collect();
    // `seqwrite 1805 MB/s` is the first row, with a blank less than the others.
    let is_heading = |text| is_measured(text) && !cell::ends_with_figure(text);
    let alone = texts.len() == 1 && !is_heading(texts[0]);
    if alone || !fits || head.iter().any(long) || !are_headings(&texts) {
        return None;
    }
    let labels = width - head.len();
    let mut all = Vec::new();
    if let [upper, _] = heads {
        all.push(if is_collapsed {
            last_columns(upper, &head, width)?
        } else {
            grouped(upper, &head, labels)?
        });
    }
    let mut heading: Vec<Option<Cell>> = vec![None; labels];
    heading.extend(head.iter().map(|piece| Some(Cell::new(lowest, piece.text))));
    all.push(heading);
    for row in &mut found.rows {
        while row.len() < width {
            row.insert(0, None);
        }
    }
    if found.captions.iter().any(Option::is_some) {
        for heading in &mut all {
            heading.insert(0, None);
        }
        for (row, caption) in found.rows.iter_mut().zip(&found.captions) {
            row.insert(0, *caption);
        }
    }
    Some(Grid {
        heads: all,
        rows: found.rows,
        remark: remark.or(found.unit),
        statement: None,
        end: found.lines,
    })
}

/// Whether a line is a comment with a word for each column of the row below it, a metric among them:
/// `# kernel bs iops`, which is no title then.
fn is_comment(line: &Line, below: &[Line]) -> bool {
    let names = line.text().strip_prefix("# ").unwrap_or_default();
    let names = split(names, 1);
    let cells = below.first().map(|row| split(row.text(), 1));
    let fits = cells.is_some_and(|cells| {
        let is_figure = |piece: &Piece| cell::figure(piece.text).is_some();
        cells.len() == names.len() && cells.iter().any(is_figure)
    });
    fits && names.len() > 1 && names.iter().any(|name| is_measured(name.text))
}

/// Headings without the mark of a comment in front of them: `# kernel bs iops` of gnuplot.
fn without_comment(mut headings: Vec<Piece>) -> Vec<Piece> {
    match headings.first_mut() {
        Some(first) if first.text == "#" => {
            headings.remove(0);
        }
        Some(first) => {
            if let Some(text) = first.text.strip_prefix("# ") {
                first.start = first.end - text.len();
                first.text = text;
            }
        }
        None => {}
    }
    headings
}

/// Whether a word has one bracket of a pair.
fn is_open(word: &str) -> bool {
    let count = |marks: [char; 2]| word.matches(marks).count();
    count(['(', '[']) != count([')', ']'])
}

/// Whether a line has several figures in brackets, which name nothing: `IOPS: [101.5, 102.1]`.
fn lists_figures(text: &str) -> bool {
    let inner = text
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    inner.is_some_and(|(list, _)| {
        let mut items = list.split(',').map(str::trim);
        list.contains(',') && items.all(|item| item.parse::<f64>().is_ok())
    })
}

/// Whether a heading names a metric or a unit.
fn is_measured(heading: &str) -> bool {
    let described = describe(heading);
    described.is_metric() || described.scale.is_some()
}

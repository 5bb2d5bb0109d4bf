//! Tables whose columns are aligned with blanks: a line of headings, perhaps two, and rows below it
//! that end with as many figures.

mod above;
mod behind;
mod collapsed;
mod units;

use super::cell;
use super::grid::{Cell, Grid, are_headings, is_rule, remark_below};
use super::pieces::{Piece, counted, split, with_options};
use super::words::{self, Kind, describe, is_dimension, is_plain_operation};
use crate::line::Line;
use crate::quantity::scale_of;
use crate::structure::{heading, kind};
use above::{
    alike, grouped, is_row_of_side, is_side_above, last_columns, lists_releases, repeats_releases,
    stand_above,
};
use behind::take_remarks;
use seekscope_notes::labels;

const MAX_ROWS: usize = 2000;
/// Words of the label of a row; longer ones are prose.
const MAX_LABEL_WORDS: usize = 6;
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

/// A table ends at a blank line.
fn ends_block(line: &Line) -> bool {
    line.is_blank() || line.text().trim_start().starts_with("```")
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

/// Rows of a body, and how many of its lines they take with the rules between them.
#[derive(Default)]
struct Rows<'a> {
    rows: Vec<Vec<Option<Cell<'a>>>>,
    /// The caption above each row: `before:`.
    captions: Vec<Option<Cell<'a>>>,
    /// The unit behind all rows, which has no heading: `read   512.3   531.1   MB/s`.
    unit: Option<&'a str>,
    lines: usize,
}

/// The rows from the first line on whose cells fit; a row has a cell for each heading, and perhaps
/// a label before them.
fn rows<'a>(body: &'a [Line], headings: usize, head: &[Piece]) -> Rows<'a> {
    let mut found = Rows::default();
    let mut caption = None;
    for (index, line) in body.iter().take(MAX_ROWS).enumerate() {
        if is_rule(line.text()) && !line.is_blank() {
            continue;
        }
        if !found.rows.is_empty() && cell::are_spreads(line.text()) {
            found.lines = index + 1;
            continue;
        }
        let next = body.get(index + 1);
        // Long tables repeat their headings.
        if !found.rows.is_empty() && are_headings_again(line, head) {
            continue;
        }
        let side = || side_of(line, head);
        let text = caption_of(line)
            .or_else(|| outdented(line, next?))
            .or_else(side);
        if let Some(text) = text
            && next.is_some_and(|next| row(next, headings, head).is_some())
        {
            caption = Some(Cell::new(line, text));
            continue;
        }
        // A label in front of all headings, and fewer figures than these; other rows have all.
        let width = match found.rows.first() {
            Some(first) => Some(first.len()),
            None => next.map(|next| split(next.text(), 2).len()),
        };
        let is_labelled = !head.is_empty() && width == Some(head.len() + 1);
        let Some((row, unit)) = Some(line)
            .filter(|line| !ends_block(line))
            .and_then(|line| {
                let lacking = below(line, head).filter(|row| is_labelled && row.len() > head.len());
                let lacking = lacking.map(|row| (row, None));
                lacking.or_else(|| row(line, headings, head)).or_else(|| {
                    let lower = below(line, head)?;
                    (lower[0].is_some() || !found.rows.is_empty()).then_some((lower, None))
                })
            })
        else {
            break;
        };
        if found.rows.is_empty() {
            found.unit = unit;
        } else if found.unit != unit && (unit.is_some() || !is_of_operation(&row)) {
            break;
        }
        let width = found.rows.first().map_or(row.len(), Vec::len);
        // `read MB/s   512   431` has the columns of `write MB/s 412   331`.
        let Some(row) = Some(row)
            .filter(|row| row.len() == width)
            .or_else(|| behind_label(line, width))
        else {
            break;
        };
        found.rows.push(row);
        found.captions.push(caption);
        found.lines = index + 1;
    }
    found
}

/// The rows below words one blank apart of which the first stands above labels,
/// `MB/s before after` or `test before after`: these have as many words as are left before the
/// figures.
fn rows_below_corner<'a>(body: &'a [Line], headings: usize) -> Rows<'a> {
    let lines = body.iter().take(MAX_ROWS);
    let rows = lines.map_while(|line| behind_label(line, headings));
    let rows: Vec<_> = rows.collect();
    Rows {
        captions: vec![None; rows.len()],
        lines: rows.len(),
        rows,
        unit: None,
    }
}

/// Whether the label of a row is an operation and nothing else: the unit behind a row above is its
/// unit, too, which is not so for `latency` or `write errors`.
fn is_of_operation(row: &[Option<Cell>]) -> bool {
    let label = row.first().copied().flatten();
    label.is_some_and(|label| is_plain_operation(label.text))
}

/// A row that has no cells below some headings: each of its cells is below another one.
fn below<'a>(line: &'a Line, head: &[Piece]) -> Option<Vec<Option<Cell<'a>>>> {
    let pieces = split(line.text(), 2);
    // A label in front of all headings has none.
    let label = pieces
        .first()
        .zip(head.first())
        .filter(|(label, first)| label.end <= first.start)
        .map(|(label, _)| label);
    let cells = &pieces[usize::from(label.is_some())..];
    let is_figure = |piece: &Piece| cell::figure(piece.text).is_some();
    if pieces.len() < 2
        || cells.len() >= head.len()
        || label.is_some() && !cells.iter().all(is_figure)
    {
        return None;
    }
    let mut row: Vec<Option<Cell>> = vec![None; head.len()];
    let mut next = 0;
    for piece in cells {
        let is_above = |heading: &Piece| heading.start < piece.end && piece.start < heading.end;
        let index = next + head[next..].iter().position(is_above)?;
        row[index] = Some(Cell::new(line, piece.text));
        next = index + 1;
    }
    if let Some(label) = label {
        row.insert(0, Some(Cell::new(line, label.text)));
        return Some(row);
    }
    let has_figure = pieces[1..]
        .iter()
        .any(|piece| cell::figure(piece.text).is_some());
    // A label that is named once holds for the rows below it, which have all other cells, and
    // another label first. Numbers alone may be the spreads of the row above.
    let has_label = |(heading, cell): (&Piece, Cell)| {
        is_dimension(heading.text) || cell::figure(cell.text).is_none()
    };
    let second = head.get(1).zip(row.get(1).copied().flatten());
    let lacks_label = row[0].is_none()
        && row.len() > 2
        && row[1..].iter().all(Option::is_some)
        && second.is_some_and(has_label);
    ((row[0].is_some() || lacks_label) && has_figure).then_some(row)
}

/// A row whose label has as many words as are left before its figures.
fn behind_label(line: &Line, width: usize) -> Option<Vec<Option<Cell<'_>>>> {
    let text = line.text();
    let words = with_spreads(&split(text, 1), text);
    let front = words.len().checked_sub(width.checked_sub(1)?)?;
    let (label, figures) = words.split_at_checked(front)?;
    let (first, last) = label.first().zip(label.last())?;
    let is_figure = |piece: &Piece| cell::figure(piece.text).is_some();
    let name = &text[first.start..last.end];
    let is_label = !label.iter().any(is_figure) || labels::repeat_of(name).is_some();
    let fits = is_label && figures.iter().all(is_figure);
    (fits && label.len() <= MAX_LABEL_WORDS).then(|| {
        let label = Cell::new(line, name);
        let figures = figures.iter().map(|piece| Cell::new(line, piece.text));
        std::iter::once(label).chain(figures).map(Some).collect()
    })
}

/// `before:` alone in a line between rows.
fn caption_of(line: &Line) -> Option<&str> {
    let text = line.text().trim().strip_suffix(':')?;
    (split(text, 2).len() == 1 && text.split_whitespace().count() <= MAX_LABEL_WORDS)
        .then_some(text)
}

/// Whether a line has the texts of the headings, and several of them.
fn are_headings_again(line: &Line, head: &[Piece]) -> bool {
    let pieces = split(line.text(), 2);
    let is_same = |(piece, heading): (&Piece, &Piece)| piece.text == heading.text;
    head.len() > 1 && pieces.len() == head.len() && pieces.iter().zip(head).all(is_same)
}

/// The side that is alone in a line between rows, at its begin. `5.15 6.1` is a line of headings.
fn side_of<'a>(line: &'a Line, head: &[Piece]) -> Option<&'a str> {
    let [first, _, ..] = head else {
        return None;
    };
    let text = line.text().trim();
    let indent = line.text().len() - line.text().trim_start().len();
    let is_side = |text| words::name_sides(std::iter::once(text));
    let sides = text.split_whitespace().filter(|word| is_side(word));
    let is_alone = split(text, 2).len() == 1 && indent <= first.start;
    (is_alone && is_side(text) && sides.count() == 1).then_some(text)
}

/// The words of a line in front of indented rows: `IOPS` above `  randread   101k   120k`.
fn outdented<'a>(line: &'a Line, next: &Line) -> Option<&'a str> {
    let indent = |line: &Line| line.text().len() - line.text().trim_start().len();
    let text = line.text().trim();
    let words = text.split_whitespace();
    let is_title = split(text, 2).len() == 1
        && text.starts_with(char::is_alphabetic)
        && !text.ends_with(['.', ',', ';', '?', '!'])
        && words.clone().count() <= MAX_LABEL_WORDS
        && words.clone().all(|word| cell::figure(word).is_none());
    (is_title && indent(line) < indent(next)).then_some(text)
}

type UnitRow<'a> = (Vec<Option<Cell<'a>>>, Option<&'a str>);

fn row<'a>(line: &'a Line, headings: usize, head: &[Piece]) -> Option<UnitRow<'a>> {
    let fits = |count: usize| (headings..=headings + 1).contains(&count);
    let mut wide = split(line.text(), 2);
    let unit = take_remarks(&mut wide, headings, head);
    split_label(&mut wide, headings, head);
    let is_apart = !begins_with_label(&wide, headings, head) && !wide.iter().any(is_crammed);
    let pieces = if fits(wide.len()) && wide.len() > 1 && is_apart {
        wide
    } else {
        tight(line.text(), headings)?
    };
    // A label in front of all headings is no figure of theirs: `4k random IOPS` is no row.
    let mut figures = pieces.iter().skip(usize::from(pieces.len() > headings));
    let has_figure = figures.any(|piece| {
        let text = piece.text;
        let is_figure = cell::figure(text).is_some() || cell::is_several(text);
        // `none  bfq  none  bfq` is a line of headings.
        let is_absent = cell::is_absent(text) && text != "none";
        is_figure || is_absent || cell::is_inexact(text)
    });
    let label_words = pieces
        .first()
        .map_or(0, |piece| piece.text.split_whitespace().count());
    (has_figure && label_words <= MAX_LABEL_WORDS).then(|| {
        let lacks_change = lacks_change(&pieces, head);
        let cells = pieces.iter().map(|piece| Some(Cell::new(line, piece.text)));
        let cells = cells.chain(lacks_change.then_some(None));
        (cells.collect(), unit.map(|unit| unit.text))
    })
}

/// Whether a piece holds two figures with their units, one blank apart: `312.1 MB/s 311.2 MB/s`.
fn is_crammed(piece: &Piece) -> bool {
    let words: Vec<&str> = piece.text.split(' ').collect();
    let is_figure =
        |pair: &[&str]| crate::quantity::number(pair[0]).is_some() && scale_of(pair[1]).is_some();
    words.len() >= 4 && words.len().is_multiple_of(2) && words.chunks_exact(2).all(is_figure)
}

/// Whether the first figure of a row has one blank between itself and its label:
/// `avg: 12.062    12.138` below two headings, or a figure below the first heading alone.
fn begins_with_label(pieces: &[Piece], headings: usize, head: &[Piece]) -> bool {
    let Some((first, (label, last))) = pieces
        .first()
        .and_then(|first| Some((first, first.text.rsplit_once(' ')?)))
    else {
        return false;
    };
    let is_row = cell::figure(first.text).is_none() && cell::figure(last).is_some();
    let is_below = |heading: &Piece| {
        first.start + label.len() <= heading.start
            && first.end > heading.start
            && first.end - last.len() < heading.end
    };
    let is_apart = label.ends_with(':') || head.first().is_some_and(is_below);
    pieces.len() == headings && is_row && is_apart
}

/// Whether a row has a label without a heading, and no cell below the last heading, which is one of
/// changes: `read   512   520` below `base   patched   diff vs base`.
fn lacks_change(pieces: &[Piece], head: &[Piece]) -> bool {
    let ([label, figures @ ..], [sides @ .., change]) = (pieces, head) else {
        return false;
    };
    let is_below =
        |(heading, piece): (&Piece, &Piece)| heading.start < piece.end && piece.start < heading.end;
    !sides.is_empty()
        && figures.len() == sides.len()
        && describe(change.text).kind == Some(Kind::Change)
        && label.end <= sides[0].start
        && sides.iter().zip(figures).all(is_below)
}

/// Takes the label off a first figure that has a spread, one blank behind the label, and is below
/// the first heading: `read 12.4k ( +- 1.2%)   13.1k ( +- 0.9%)`.
fn split_label(pieces: &mut Vec<Piece>, headings: usize, head: &[Piece]) {
    let [first, ..] = pieces.as_slice() else {
        return;
    };
    let Some(heading) = head.first().filter(|_| pieces.len() == headings) else {
        return;
    };
    let cut = first.text.match_indices(' ').find_map(|(blank, _)| {
        let (label, figure) = (&first.text[..blank], &first.text[blank + 1..]);
        let has_spread = |text: &str| cell::figure(text).is_some_and(|cell| cell.shown != text);
        (cell::figure(label).is_none() && has_spread(figure)).then_some(blank)
    });
    let Some(blank) = cut else { return };
    let (label_end, figure_start) = (first.start + blank, first.start + blank + 1);
    if label_end > heading.start || first.end <= heading.start {
        return;
    }
    let label = Piece {
        text: &first.text[..blank],
        start: first.start,
        end: label_end,
    };
    let figure = Piece {
        text: &first.text[blank + 1..],
        start: figure_start,
        end: first.end,
    };
    pieces.splice(..1, [label, figure]);
}

/// Whether what is left for a label holds a figure of another column: `4k   11   88`,
/// `64k read 2900.5 MiB/s`.
fn holds_figure(label: &str) -> bool {
    let columns = split(label, 2);
    cell::ends_with_figure(label)
        || columns
            .iter()
            .skip(1)
            .any(|column| cell::figure(column.text).is_some())
}

/// The words of a row, each spread in brackets with the figure in front of it.
fn with_spreads<'a>(words: &[Piece<'a>], text: &'a str) -> Vec<Piece<'a>> {
    let mut joined: Vec<Piece> = Vec::with_capacity(words.len());
    for word in words {
        let is_spread = word.text.starts_with(['(', '[']);
        match joined.last_mut() {
            Some(figure) if is_spread && cell::figure(figure.text).is_some() => {
                figure.end = word.end;
                figure.text = &text[figure.start..word.end];
            }
            _ => joined.push(*word),
        }
    }
    joined
}

/// A row with single blanks: its last words are figures with their units, the rest is the label.
fn tight(text: &str, headings: usize) -> Option<Vec<Piece<'_>>> {
    let mut words = split(text, 1);
    // `read 512 530 (+3.5%)` has three cells.
    let joined = with_spreads(&words, text);
    if joined.len() == headings && words.len() > headings {
        words = joined;
    }
    // `0   12.45 MB/sec   0.669` has three cells, not four.
    let is_unit = |pair: &[Piece]| {
        scale_of(pair[1].text).is_some() && crate::quantity::number(pair[0].text).is_some()
    };
    let fits = words.len() == headings || words.len() == headings + 1;
    if fits && !words.windows(2).any(is_unit) {
        return Some(words);
    }
    let mut values: Vec<Piece> = Vec::new();
    let mut end = words.len();
    while end > 0 && values.len() < headings {
        let last = words[end - 1];
        let two = (end >= 2).then(|| &text[words[end - 2].start..last.end]);
        if let Some(two) =
            two.filter(|two| cell::figure(two).is_some() && cell::figure(last.text).is_none())
        {
            values.push(Piece {
                text: two,
                start: words[end - 2].start,
                end: last.end,
            });
            end -= 2;
        } else if cell::figure(last.text).is_some() || cell::is_absent(last.text) {
            values.push(last);
            end -= 1;
        } else {
            break;
        }
    }
    values.reverse();
    if end == 0 {
        return (values.len() == headings).then_some(values);
    }
    let label = Piece {
        text: &text[words[0].start..words[end - 1].end],
        start: words[0].start,
        end: words[end - 1].end,
    };
    // Where blanks are lost, the number in front of the first figure is that of another column.
    let is_near = values
        .first()
        .is_some_and(|first| first.start == label.end + 1);
    let ends_with_number = cell::figure(words[end - 1].text).is_some();
    if values.len() != headings && values.len() + 1 != headings
        || holds_figure(label.text)
        || is_near && ends_with_number
    {
        return None;
    }
    let mut all = vec![label];
    all.append(&mut values);
    Some(all)
}

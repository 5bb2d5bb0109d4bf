//! Rows with bars between their cells: Markdown, frames, boxes, Jira.

use super::super::heads::{MAX_HEADS, has_second_heading, has_units_below, second_head};
use super::below::remark_below;
use super::{Cell, Grid, MAX_COLUMNS, MAX_ROWS, are_headings, bars, is_bar, is_rule};
use crate::line::{Line, linked};
use crate::structure::heading;

/// Reads rows with bars between their cells.
pub fn read<'a>(lines: &'a [Line], start: usize, reach: &mut usize) -> Option<Grid<'a>> {
    let first = lines.get(start)?.text();
    if bars(first) == 0 && !(is_rule(first) && first.contains(['+', '\u{2500}', '\u{2550}'])) {
        return None;
    }
    // Headings are above a rule, or are words: else all rows would be read for nothing.
    let begin = &lines[start..lines.len().min(start + MAX_HEADS + 2)];
    // A side that is alone in its frame is the title of the table below it.
    let mut filled = begin.iter().filter(|line| !is_rule(line.text()));
    if filled
        .next()
        .is_some_and(|line| heading::framed_side(line.text()).is_some())
    {
        return None;
    }
    let ruled = begin.iter().any(|line| is_rule(line.text()));
    let cells = cells_between_bars(&lines[start], without_patch(first).starts_with(is_bar));
    let texts: Vec<&str> = cells.iter().flatten().map(|cell| cell.text).collect();
    if !ruled && !are_headings(&texts) {
        return None;
    }
    let mut rows: Vec<Vec<Option<Cell>>> = Vec::new();
    let mut barred: Vec<(usize, &Line)> = Vec::new();
    let mut rule_after: Option<usize> = None;
    let mut end = start;
    while end < lines.len() && rows.len() < MAX_ROWS {
        let text = lines[end].text();
        if is_rule(text) {
            // The first rule below rows ends the headings.
            if !rows.is_empty() && rule_after.is_none() {
                rule_after = Some(rows.len());
            }
        } else if bars(text) > 0 && !text.trim().is_empty() {
            barred.push((end, &lines[end]));
            rows.push(Vec::new());
        } else {
            break;
        }
        end += 1;
    }
    *reach = end.max(*reach);
    for (row, (_, line)) in rows.iter_mut().zip(&barred) {
        *row = cells_between_bars(line, true);
    }
    // If some rows begin with their label, a bar at the begin of others ends an empty label, or it
    // is a frame that the others do not have.
    let width = rows.iter().map(Vec::len).max()?;
    let is_framed = |line: &Line| without_patch(line.text()).starts_with(is_bar);
    if !barred.iter().all(|(_, line)| is_framed(line)) {
        let short = rows
            .iter_mut()
            .zip(&barred)
            .filter(|(row, _)| row.len() < width);
        for (row, (_, line)) in short {
            *row = cells_between_bars(line, false);
        }
    }
    if !(2..=MAX_COLUMNS).contains(&width) || rows.len() < 2 {
        return None;
    }
    let heads = rule_after
        .filter(|count| *count < rows.len())
        .unwrap_or(1)
        .min(MAX_HEADS);
    let spanned = rows.len() > 2 && spread_over(&mut rows, &barred, width);
    for row in &mut rows {
        row.resize(width, None);
    }
    // Bars without anything between them divide rows.
    let is_row =
        |index: usize, row: &[Option<Cell>]| index < heads || row.iter().any(Option::is_some);
    let filled = rows.into_iter().zip(barred).enumerate();
    let (mut rows, barred): (Vec<_>, Vec<_>) = filled
        .filter(|(index, (row, _))| is_row(*index, row))
        .map(|(_, row)| row)
        .unzip();
    if let Some(next) = second_head(&rows, heads) {
        end = barred[next].0;
        rows.truncate(next);
    }
    let goes_on =
        heads == 1 && (spanned || has_units_below(&rows) || has_second_heading(&mut rows));
    let heads = heads + usize::from(goes_on);
    let texts: Vec<&str> = rows[heads - 1]
        .iter()
        .flatten()
        .map(|cell| cell.text)
        .collect();
    // A title between rows is alone in its line.
    let is_title = texts.len() == 1 && width > 2;
    if rule_after.is_none() && (is_title || !are_headings(&texts)) {
        return None;
    }
    let (remark, end) = remark_below(lines, end);
    let body = rows.split_off(heads);
    Some(Grid {
        heads: rows,
        rows: body,
        remark,
        statement: None,
        end,
    })
}

/// Repeats the cells of the first row over those of the second one that are below them, if the
/// bars of the first row are all above bars of the second one, which has more of them. Whether
/// they are.
fn spread_over(rows: &mut [Vec<Option<Cell>>], barred: &[(usize, &Line)], width: usize) -> bool {
    let ([upper, lower, ..], [(_, first), (_, second), ..]) = (rows, barred) else {
        return false;
    };
    let texts: Vec<&str> = lower.iter().flatten().map(|cell| cell.text).collect();
    if lower.len() != width || !(2..width).contains(&upper.len()) || !are_headings(&texts) {
        return false;
    }
    let columns = |line: &Line| -> Vec<usize> {
        let bars = line.text().chars().enumerate().filter(|(_, c)| is_bar(*c));
        bars.map(|(column, _)| column).collect()
    };
    let (above, below) = (columns(first), columns(second));
    // Both lines have a frame, or neither has one.
    let is_framed = below.len() > width;
    if above.iter().any(|bar| !below.contains(bar))
        || above.len() != upper.len() + below.len() - width
    {
        return false;
    }
    let over = below
        .iter()
        .chain(&[usize::MAX])
        .skip(usize::from(is_framed))
        .take(width);
    *upper = over
        .map(|bar| {
            let bars = above.iter().skip(usize::from(is_framed));
            upper
                .get(bars.filter(|above| *above < bar).count())
                .copied()
                .flatten()
        })
        .collect();
    true
}

/// A row without the mark of an added line of a patch.
fn without_patch(text: &str) -> &str {
    let text = text.trim();
    let added = text.strip_prefix('+').map(str::trim_start);
    added.filter(|row| row.starts_with(is_bar)).unwrap_or(text)
}

fn cells_between_bars(line: &Line, outer: bool) -> Vec<Option<Cell<'_>>> {
    let text = without_patch(line.text());
    // `||test||before||after||` of Jira is a line of headings.
    let doubled = text.len() > 4 && text.starts_with("||") && text.ends_with("||");
    if let Some(inner) = text
        .get(2..text.len().saturating_sub(2))
        .filter(|_| doubled)
    {
        return inner
            .split("||")
            .map(|cell| Some(Cell::new(line, plain(cell.trim().trim_matches('|')))))
            .map(|cell| cell.filter(|cell| !cell.text.is_empty()))
            .collect();
    }
    let inner = if outer {
        text.strip_prefix(is_bar).unwrap_or(text)
    } else {
        text
    };
    let inner = inner.strip_suffix(is_bar).unwrap_or(inner);
    inner
        .split(is_bar)
        .map(|cell| Some(Cell::new(line, plain(cell))).filter(|cell| !cell.text.is_empty()))
        .collect()
}

/// A cell without marks of Markdown: bold, code, links.
pub fn plain(cell: &str) -> &str {
    linked(cell.trim().trim_matches(['*', '`', '_']).trim())
}

//! Tables in ASCII frames: `| 2.6.18 | 23.4 MB/s | 8.0 MB/s |` below headings, which may span columns (`number of dds` above `1 | 2 | 4`).

use super::columns::caption;
use super::context;
use super::lines::MailLine;
use super::table::{FoundRow, FoundTable, NamedValue, figure};
use super::units::{TableUnit, bare, heading, quantity};
use crate::notes::bench::{TABLE, slug};
use crate::notes::labels::dimension_of;

/// Columns of a table, and lines over which one row may be wrapped.
const MOST_COLUMNS: usize = 24;
const MOST_WRAPPED: usize = 3;
/// Rows of a table.
const MOST_ROWS: usize = 400;

/// The frame that begins in the line `at`, with the line behind it.
pub fn read(lines: &[MailLine], floor: usize, at: usize) -> Option<(Option<FoundTable>, usize)> {
    if lines[at].pipes() < 2 || lines[at].is_rule() {
        return None;
    }
    let (groups, end) = groups(lines, at);
    Some((table(lines, floor, at, &groups, end), end))
}

/// Rows of cells, in groups that rules separate, and the line behind the frame.
fn groups(lines: &[MailLine], at: usize) -> (Vec<Vec<Vec<String>>>, usize) {
    let mut groups: Vec<Vec<String>> = vec![Vec::new()];
    let mut expected = 0;
    let mut i = at;
    let mut rows = 0;
    while let Some(line) = lines
        .get(i)
        .filter(|line| !line.is_blank() && (line.is_rule() || line.pipes() >= 2))
    {
        if line.is_rule() {
            groups.push(Vec::new());
            i += 1;
            continue;
        }
        let mut text = line.text.trim().to_owned();
        i += 1;
        // A row that a mail program wrapped: the rest has as many bars as are missing.
        for _ in 0..MOST_WRAPPED {
            let bars = text.matches('|').count();
            let Some(next) = lines
                .get(i)
                .filter(|next| !next.is_rule() && next.pipes() > 0)
            else {
                break;
            };
            let open = !text.ends_with('|');
            if !(open || bars < expected)
                || bars + next.pipes() > expected.max(bars + usize::from(open))
            {
                break;
            }
            text = format!("{text} {}", next.text.trim());
            i += 1;
        }
        expected = expected.max(text.matches('|').count());
        rows += 1;
        if rows <= MOST_ROWS
            && let Some(group) = groups.last_mut()
        {
            group.push(text);
        }
    }
    groups.retain(|group| !group.is_empty());
    // Without a bar at the left of labels, headings that begin with one have none for the labels.
    let open = groups.iter().flatten().any(|row| !row.starts_with('|'));
    (
        groups
            .iter()
            .map(|group| group.iter().map(|row| cells(row, open)).collect())
            .collect(),
        i,
    )
}

fn cells(text: &str, open: bool) -> Vec<String> {
    let inside = if open {
        text
    } else {
        text.strip_prefix('|').unwrap_or(text)
    };
    let inside = inside.strip_suffix('|').unwrap_or(inside);
    inside
        .split('|')
        .map(|cell| cell.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

fn table(
    lines: &[MailLine],
    floor: usize,
    at: usize,
    groups: &[Vec<Vec<String>>],
    end: usize,
) -> Option<FoundTable> {
    let (head, body): (Vec<&Vec<String>>, Vec<&Vec<String>>) = match groups {
        [] => return None,
        [only] => (
            only.first().into_iter().collect(),
            only.iter().skip(1).collect(),
        ),
        [head, rest @ ..] => (head.iter().collect(), rest.iter().flatten().collect()),
    };
    let names = head.last()?;
    let n = names.len();
    let body: Vec<&Vec<String>> = body
        .into_iter()
        .filter(|row| row.len() == n && !row[0].is_empty())
        .collect();
    if !(2..=MOST_COLUMNS).contains(&n) || body.is_empty() {
        return None;
    }
    let spanning = head
        .iter()
        .rev()
        .nth(1)
        .and_then(|row| row.iter().rev().find(|cell| !cell.is_empty()));
    let first = [names.first(), head.first().and_then(|row| row.first())];
    let first = first
        .into_iter()
        .flatten()
        .find(|name| !name.is_empty() && spanning != Some(*name));
    let row_name = first
        .cloned()
        .unwrap_or_else(|| named_by(body.iter().map(|row| row[0].as_str())).to_owned());
    let footer = lines
        .get(end)
        .filter(|line| line.words().len() <= 5)
        .map(|line| heading(line.text));
    let around = footer
        .filter(|(_, unit)| unit.is_some())
        .or_else(|| caption(lines, floor, at));
    let counts = names[1..].iter().all(|name| {
        quantity(name).is_some_and(|(_, unit)| unit.is_none()) || counted(name).is_some()
    });
    let column_name = match (spanning, names.get(1).and_then(|name| counted(name))) {
        (Some(title), _) => Some(title.clone()),
        (None, Some((_, word))) => Some(word.to_owned()),
        (None, None) => counts.then(|| "column".to_owned()),
    };
    let across = column_name.filter(|_| counts || head.len() > 1);
    let mut own = vec![slug(&row_name)];
    own.extend(across.as_deref().map(slug));
    let context = context::above(lines, floor, at, &own);
    let mut rows = Vec::new();
    let mut measured = false;
    for row in body {
        let mut of_row = FoundRow {
            dimensions: context.clone(),
            figures: Vec::new(),
        };
        of_row.dimensions.push(NamedValue::new(&row_name, &row[0]));
        for (name, cell) in names.iter().zip(row).skip(1) {
            let Some((value, own_unit)) = quantity(cell) else {
                continue;
            };
            let (title, unit) = match &across {
                Some(_) => metric(own_unit, around.as_ref()),
                None => {
                    let (title, unit) = heading(name);
                    (title, own_unit.or(unit))
                }
            };
            measured |= unit.is_some_and(|u| u.unit != "share");
            let of = figure(TABLE, &title, unit, value);
            match &across {
                Some(across) => {
                    let value = counted(name).map_or(name.as_str(), |(n, _)| n);
                    let mut one = FoundRow {
                        figures: vec![of],
                        ..of_row.clone()
                    };
                    one.dimensions.push(NamedValue::new(across, value));
                    rows.push(one);
                }
                None if !title.is_empty() => of_row.figures.push(of),
                None => {}
            }
        }
        if across.is_none() && !of_row.figures.is_empty() {
            rows.push(of_row);
        }
    }
    (measured && !rows.is_empty()).then(|| FoundTable {
        tool: TABLE,
        line: lines[at].number,
        rows,
    })
}

/// By the cell, else by what stands above or below the table.
fn metric(
    own: Option<TableUnit>,
    around: Option<&(String, Option<TableUnit>)>,
) -> (String, Option<TableUnit>) {
    match (own, around) {
        (Some(unit), _) => (bare("rate", unit), Some(unit)),
        (None, Some((name, unit))) => (name.clone(), *unit),
        (None, None) => ("value".to_owned(), None),
    }
}

/// `2 threads`: a number and what it counts.
pub fn counted(text: &str) -> Option<(&str, &str)> {
    let (n, word) = text.trim().trim_end_matches('*').split_once(' ')?;
    let counts = n.bytes().all(|b| b.is_ascii_digit())
        && !n.is_empty()
        && word.chars().all(char::is_alphabetic);
    (counts && super::units::unit(word).is_none()).then_some((n, word))
}

/// What the labels of rows are, if one of them has a known form.
pub fn named_by<'a>(mut labels: impl Iterator<Item = &'a str>) -> &'static str {
    let known = labels.find_map(|label| label.split_whitespace().find_map(dimension_of));
    known.unwrap_or("label")
}

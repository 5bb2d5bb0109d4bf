//! Outlines, whose items have the same names below each title:
//!
//! ```text
//! vanilla (MB/s):            * seq read
//!   seq read: 512.3            - vanilla: 512.3
//!   seq write: 401.2           - patched: 431.1
//!
//! patched (MB/s):            * seq write
//!   seq read: 431.1            - vanilla: 401.2
//!   seq write: 398.7           - patched: 398.7
//! ```
//!
//! Each title is a column of a table, or a row where the items name its columns. The first pair of
//! a record, `- kernel: 6.1` above `  iops: 24707`, is its title, too.

use super::super::cell;
use super::super::words::{self, describe};
use super::{Cell, Grid, MAX_COLUMNS, name_sides};
use crate::line::Line;
use seekscope_trace::sorting::distinct_count;
use std::collections::BTreeSet;

/// Words of a title or of a name; longer ones are prose.
const MAX_NAME_WORDS: usize = 6;
/// Items of the first title; a single one below each title is no table.
const MIN_ITEMS: usize = 2;

/// Limit for the titles of an outline, and for the names of all items.
const MAX_SECTIONS: usize = 256;

/// A title with its items: their names, and the cells behind these.
struct Section<'a> {
    title: Cell<'a>,
    /// What the title is, in a record.
    key: Option<&'a str>,
    items: Vec<(&'a str, Cell<'a>)>,
}

impl<'a> Section<'a> {
    fn cell(&self, name: &str) -> Option<Cell<'a>> {
        let item = self.items.iter().find(|(other, _)| *other == name);
        item.map(|(_, cell)| *cell)
    }
}

/// Reads the titles that follow each other, if most of their items have the same names. Where all
/// figures are rates, each title is a list of its own.
pub fn read<'a>(lines: &'a [Line], start: usize, reach: &mut usize) -> Option<Grid<'a>> {
    let mut sections: Vec<Section> = Vec::new();
    let mut end = start;
    while sections.len() < MAX_SECTIONS {
        let Some((section, behind)) = section(lines, end, sections.first()) else {
            break;
        };
        sections.push(section);
        end = behind;
        *reach = end.max(*reach);
    }
    let items = || sections.iter().flat_map(|section| &section.items);
    let is_rate = |cell: &Cell| cell::figure(cell.text).is_none_or(|figure| figure.is_rate());
    if sections.len() < 2 || items().all(|(_, cell)| is_rate(cell)) {
        return None;
    }
    let mut seen = BTreeSet::new();
    let names = items().map(|(name, _)| *name);
    let names: Vec<&str> = names.filter(|name| seen.insert(*name)).collect();
    if names.len() > MAX_SECTIONS {
        return None;
    }
    let titles: Vec<Cell> = sections.iter().map(|section| section.title).collect();
    let key = sections[0].key;
    let is_record = key.is_some_and(|key| words::is_dimension(key) || words::is_test_heading(key));
    let has_measure = names.iter().any(|name| is_measure(name));
    if !(is_of_sides(&titles, &names) || is_record && has_measure) {
        return None;
    }
    let (heads, rows) = if are_titles_columns(&titles, &names) {
        let rows = names.iter().map(|name| {
            let label = items().find(|(other, _)| other == name)?.1.part(name);
            let cells = sections.iter().map(|section| section.cell(name));
            Some([Some(label)].into_iter().chain(cells).collect::<Vec<_>>())
        });
        (titles, rows.collect::<Option<Vec<_>>>()?)
    } else {
        let rows = sections.iter().map(|section| {
            let cells = names.iter().map(|name| section.cell(name));
            [Some(section.title)].into_iter().chain(cells).collect()
        });
        let heads = names.iter().map(|name| titles[0].part(name));
        (heads.collect(), rows.collect())
    };
    let corner = key.map(|key| sections[0].title.part(key));
    let heads: Vec<Option<Cell>> = [corner]
        .into_iter()
        .chain(heads.into_iter().map(Some))
        .collect();
    (heads.len() <= MAX_COLUMNS).then(|| Grid {
        heads: vec![heads],
        rows,
        remark: None,
        statement: super::below::statement_below(lines, end),
        end,
    })
}

/// Whether titles or names are those of sides, or titles are metrics: settings are outlines, too.
fn is_of_sides(titles: &[Cell], names: &[&str]) -> bool {
    let titles = || titles.iter().map(|title| title.text);
    let mut measures = titles().map(describe);
    measures.any(|title| title.is_metric() && title.implied().is_some())
        || name_sides(titles())
        || name_sides(names.iter().copied())
}

fn is_measure(name: &str) -> bool {
    let described = describe(name);
    described.is_metric() || described.scale.is_some()
}

/// Whether titles are the columns: they have the metrics or, where neither titles nor names have
/// them, the sides.
fn are_titles_columns(titles: &[Cell], names: &[&str]) -> bool {
    let are_distinct = distinct_count(titles.iter().map(|title| title.text)) == titles.len();
    let by_titles = titles.iter().any(|title| is_measure(title.text));
    let by_names = names.iter().any(|name| is_measure(name));
    if !are_distinct || by_names != by_titles {
        return are_distinct && by_titles;
    }
    name_sides(titles.iter().map(|title| title.text))
}

/// The section that begins at a line, perhaps behind blank ones, and the line behind it. Most of
/// its items have names of the first section.
fn section<'a>(
    lines: &'a [Line],
    start: usize,
    first: Option<&Section>,
) -> Option<(Section<'a>, usize)> {
    let start = start + usize::from(first.is_some() && lines.get(start)?.is_blank());
    let line = lines.get(start)?;
    let title = title(line).or_else(|| record(line))?;
    let mut items: Vec<(&str, Cell)> = Vec::new();
    let mut end = start + 1;
    // One blank line, or two, as around the titles of Markdown.
    while end <= start + 2 && lines.get(end).is_some_and(Line::is_blank) {
        end += 1;
    }
    let depth = indent(lines.get(end)?);
    let is_below = title.is_marked || depth > indent(line);
    while let Some((name, cell)) = lines.get(end).and_then(item) {
        let is_new = items.iter().all(|(other, _)| *other != name);
        if !is_below || indent(&lines[end]) != depth || !is_new || items.len() == MAX_COLUMNS {
            break;
        }
        items.push((name, cell));
        end += 1;
    }
    let shared = |first: &Section| {
        let count = items.iter().filter(|item| first.cell(item.0).is_some());
        count.count() * 2 > items.len()
    };
    let section = Section {
        title: title.cell,
        key: title.key,
        items: items.clone(),
    };
    let has_figure = items
        .iter()
        .any(|(_, cell)| cell::figure(cell.text).is_some());
    (has_figure && first.map_or(items.len() >= MIN_ITEMS, shared)).then_some((section, end))
}

struct Title<'a> {
    cell: Cell<'a>,
    key: Option<&'a str>,
    /// By a mark of its own, so that its items need not be indented.
    is_marked: bool,
}

/// The title in a line: `5.4:`, `* seq read`, `## 5.4`, `seq read` above indented items.
fn title(line: &Line) -> Option<Title<'_>> {
    let text = line.text().trim();
    let is_marked = text.ends_with(':') || text.starts_with('#');
    let text = text.trim_start_matches('#').trim_start();
    let name = without_bullet(text)
        .trim_end_matches(':')
        .trim_matches(['*', '`', ' ']);
    let is_name = is_name(name) && !name.contains([':', '=']);
    is_name.then(|| Title {
        cell: Cell::new(line, name),
        key: None,
        is_marked,
    })
}

/// The first pair of a record: `- kernel: 6.1`.
fn record(line: &Line) -> Option<Title<'_>> {
    let has_bullet = line.text().trim_start().starts_with("- ");
    let (key, cell) = item(line).filter(|_| has_bullet)?;
    Some(Title {
        cell,
        key: Some(key),
        is_marked: false,
    })
}

/// The name and the value in a line: `- seq read: 512.3`. Lines of `name = value` are settings.
fn item(line: &Line) -> Option<(&str, Cell<'_>)> {
    let text = without_bullet(line.text().trim());
    let (name, value) = text.split_once(": ").or_else(|| text.split_once(":\t"))?;
    let (name, value) = (
        name.trim().trim_matches(['*', '`']),
        value.trim().trim_matches(['*', '`']),
    );
    let is_short = value.split_whitespace().count() <= MAX_NAME_WORDS;
    (is_name(name) && !value.is_empty() && is_short).then(|| (name, Cell::new(line, value)))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.split_whitespace().count() <= MAX_NAME_WORDS
}

fn without_bullet(text: &str) -> &str {
    let bullets = ["- ", "* ", "+ ", "\u{2022} ", "o "];
    let found = bullets.iter().find_map(|bullet| text.strip_prefix(bullet));
    found.unwrap_or(text).trim_start()
}

fn indent(line: &Line) -> usize {
    let text = line.text();
    text.len() - text.trim_start().len()
}

//! Tables without frames: headings above rows of as many fields, separated by commas, tabs or
//! spaces.

use super::context;
use super::frames::{counted, named_by};
use super::lines::{MailLine, past_rules};
use super::table::{FoundRow, FoundTable, NamedValue, figure};
use super::units::{TableUnit, bare, heading, is_rate, quantity, unit};
use crate::notes::bench::{TABLE, slug};
use crate::notes::labels::dimension_of;

/// Columns of a table, rows of it, and words of a label.
const MOST_COLUMNS: usize = 24;
const MOST_ROWS: usize = 400;
const LABEL_WORDS: usize = 6;
/// Lines above headings in which the unit of all values may stand.
const CAPTION: usize = 4;

/// What separates fields.
#[derive(Clone, Copy, PartialEq)]
enum Split {
    Comma,
    Tab,
    Wide,
    Words,
}

impl Split {
    fn fields(self, text: &str) -> Vec<String> {
        let text = text.trim();
        let clean = |fields: &mut dyn Iterator<Item = &str>| {
            fields
                .map(|f| f.trim().to_owned())
                .filter(|f| !f.is_empty())
                .collect()
        };
        match self {
            Split::Comma => clean(
                &mut text
                    .trim_start_matches('<')
                    .trim_end_matches('>')
                    .split(','),
            ),
            Split::Tab => clean(&mut text.split('\t')),
            Split::Wide => clean(&mut text.split("  ")),
            Split::Words => clean(&mut text.split_whitespace()),
        }
    }
}

/// A table whose headings are in the line `at`, with the line behind it.
pub fn read(lines: &[MailLine], floor: usize, at: usize) -> Option<(FoundTable, usize)> {
    let line = lines[at];
    if line.is_blank() || line.is_rule() || line.pipes() > 1 || line.text.contains('=') {
        return None;
    }
    let splits = [Split::Comma, Split::Tab, Split::Wide, Split::Words];
    let with_units = splits
        .into_iter()
        .find_map(|split| headed(lines, floor, at, split));
    with_units
        .or_else(|| captioned(lines, floor, at))
        .or_else(|| averages(lines, floor, at))
        .or_else(|| listed(lines, floor, at))
}

/// A column: a dimension of the rows, or a metric.
enum Column {
    Dimension(String),
    Metric(String, Option<TableUnit>),
}

/// Headings of which at least one has a unit.
fn headed(
    lines: &[MailLine],
    floor: usize,
    at: usize,
    split: Split,
) -> Option<(FoundTable, usize)> {
    let mut names = split.fields(lines[at].text);
    let mut body = at + 1;
    if split == Split::Words {
        // Headings that a mail program wrapped: the rule below has a stroke for each.
        let strokes = |i: usize| {
            lines
                .get(i)
                .filter(|l| l.is_rule())
                .map_or(0, |l| l.words().len())
        };
        if let Some(next) = lines
            .get(at + 1)
            .filter(|next| !next.is_rule() && !next.is_blank())
        {
            let more = split.fields(next.text);
            if strokes(at + 2) > 1
                && (strokes(at + 2) + strokes(at + 3)) >= names.len() + more.len()
            {
                names.extend(more);
                body = at + 2;
            }
        }
    }
    let n = names.len();
    let word =
        |name: &String| name.starts_with(|c: char| c.is_alphabetic() || c == '#' || c == '%');
    if !(2..=MOST_COLUMNS).contains(&n) || !names.iter().all(word) {
        return None;
    }
    let headings: Vec<(String, Option<TableUnit>)> =
        names.iter().map(|name| heading(name)).collect();
    headings
        .iter()
        .find(|(_, unit)| unit.is_some_and(|u| u.unit != "share"))?;
    let (rows, end) = rows(lines, past_rules(lines, body), n, split);
    let first = rows.first()?;
    let mut columns = Vec::new();
    let mut last_metric: Option<String> = None;
    for (i, (name, unit)) in headings.iter().enumerate() {
        let values: Vec<_> = rows.iter().map(|row| quantity(&row[i])).collect();
        let numeric = values.iter().all(Option::is_some);
        let own = first
            .get(i)
            .and_then(|cell| quantity(cell))
            .and_then(|(_, unit)| unit);
        let fraction = rows.iter().any(|row| row[i].contains('.'));
        let metric = numeric && (unit.is_some() || own.is_some() || fraction);
        if metric {
            // `MaxClat` behind `ReadBW` and again behind `WriteBW`.
            let twice = headings.iter().filter(|(other, _)| other == name).count() > 1;
            let title = match (&last_metric, twice) {
                (Some(before), true) => format!("{before} {name}"),
                _ => name.clone(),
            };
            if !twice {
                last_metric = Some(name.clone());
            }
            columns.push(Column::Metric(title, own.or(*unit)));
        } else if unit.is_some() {
            return None;
        } else {
            columns.push(Column::Dimension(name.clone()));
        }
    }
    let own: Vec<String> = columns
        .iter()
        .filter_map(|c| {
            if let Column::Dimension(name) = c {
                Some(slug(name))
            } else {
                None
            }
        })
        .collect();
    let context = context::above(lines, floor, at, &own);
    let read = |row: &Vec<String>| {
        let mut found = FoundRow {
            dimensions: context.clone(),
            figures: Vec::new(),
        };
        for (cell, column) in row.iter().zip(&columns) {
            match column {
                Column::Dimension(name) => found.dimensions.push(NamedValue::new(name, cell)),
                Column::Metric(name, unit) => {
                    found.figures.extend(
                        quantity(cell)
                            .map(|(value, own)| figure(TABLE, name, own.or(*unit), value)),
                    );
                }
            }
        }
        found
    };
    Some((
        FoundTable {
            tool: TABLE,
            line: lines[at].number,
            rows: rows.iter().map(read).collect(),
        },
        end,
    ))
}

/// Rows of `n` fields, some wrapped, and the line behind them.
fn rows(lines: &[MailLine], mut at: usize, n: usize, split: Split) -> (Vec<Vec<String>>, usize) {
    let mut rows: Vec<Vec<String>> = Vec::new();
    while let Some(line) = lines
        .get(at)
        .filter(|line| !line.is_blank() && rows.len() < MOST_ROWS)
    {
        if line.is_rule() {
            at += 1;
            continue;
        }
        let split = if split == Split::Wide && split.fields(line.text).len() != n {
            Split::Words
        } else {
            split
        };
        let mut fields = split.fields(line.text);
        let mut taken = 1;
        if fields.len() < n
            && let Some(next) = lines.get(at + 1).filter(|next| !next.is_blank())
        {
            let rest = split.fields(next.text);
            if fields.len() + rest.len() == n && rest.iter().all(|f| quantity(f).is_some()) {
                fields.extend(rest);
                taken = 2;
            }
        }
        // The first column may have several words.
        if fields.len() > n && split == Split::Words && fields.len() < n + LABEL_WORDS {
            let label = fields
                .drain(..=fields.len() - n)
                .collect::<Vec<_>>()
                .join(" ");
            fields.insert(0, label);
        }
        let alike = |first: &Vec<String>| {
            first
                .iter()
                .zip(&fields)
                .skip(1)
                .all(|(a, b)| quantity(a).is_some() == quantity(b).is_some())
        };
        if fields.len() != n
            || !fields.iter().any(|f| quantity(f).is_some())
            || !rows.first().is_none_or(alike)
        {
            break;
        }
        rows.push(fields);
        at += taken;
    }
    (rows, at)
}

/// A unit in a line above a table: `4k blocks, Mb/sec:`, `write speed (MB/s)`.
pub fn caption(lines: &[MailLine], floor: usize, at: usize) -> Option<(String, Option<TableUnit>)> {
    for line in lines[floor..at]
        .iter()
        .rev()
        .filter(|line| !line.is_blank() && !line.is_rule())
        .take(CAPTION)
    {
        let text = line.text.trim().trim_end_matches([':', ')', ']']);
        let last = text.rsplit([' ', ',', '(', '[']).next().unwrap_or("");
        if let Some(found) = unit(last).filter(|u| is_rate(*u)) {
            return Some((bare(last, found), Some(found)));
        }
    }
    None
}

/// Headings without units below a line with the unit of all values: `read write write` with `sync
/// direct` above it.
fn captioned(lines: &[MailLine], floor: usize, at: usize) -> Option<(FoundTable, usize)> {
    let names = lines[at].words();
    let k = names.len();
    let plain = |word: &&str| {
        word.starts_with(char::is_alphabetic)
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || "-_/".contains(c))
    };
    if !(1..=MOST_COLUMNS).contains(&k) || !names.iter().all(plain) {
        return None;
    }
    let (name, unit) = caption(lines, floor, at)?;
    let mut rows: Vec<(Vec<&str>, Vec<f64>)> = Vec::new();
    let mut end = past_rules(lines, at + 1);
    while let Some(line) = lines
        .get(end)
        .filter(|line| !line.is_blank() && rows.len() < MOST_ROWS)
    {
        let words = line.words();
        let label = words.len().saturating_sub(k);
        let values: Option<Vec<f64>> = words[label..]
            .iter()
            .map(|w| quantity(w).filter(|q| q.1.is_none()).map(|q| q.0))
            .collect();
        let Some(values) = values.filter(|_| (1..=LABEL_WORDS).contains(&label)) else {
            break;
        };
        rows.push((words[..label].to_vec(), values));
        end = past_rules(lines, end + 1);
    }
    if rows.len() < 2
        || rows
            .iter()
            .all(|(label, _)| label.iter().all(|word| quantity(word).is_some()))
    {
        return None;
    }
    let upper = at
        .checked_sub(1)
        .filter(|above| *above >= floor)
        .map_or(Vec::new(), |above| over(&lines[above], &lines[at], &names));
    let title = |i: usize| match upper.get(i) {
        Some(word) if !word.is_empty() => format!("{word} {}", names[i]),
        _ => names[i].to_owned(),
    };
    let label_size = rows.iter().map(|(label, _)| label.len()).max().unwrap_or(1);
    let split_labels = rows.iter().all(|(label, _)| label.len() == label_size) && label_size > 1;
    let mut found = Vec::new();
    for (label, values) in &rows {
        let mut dimensions = Vec::new();
        if split_labels {
            for (i, word) in label.iter().enumerate() {
                let own = rows
                    .iter()
                    .find_map(|(label, _)| dimension_of(label[i]))
                    .unwrap_or("label");
                dimensions.push(NamedValue::new(own, word));
            }
        } else {
            dimensions.push(NamedValue::new(
                named_by(rows.iter().flat_map(|(label, _)| label.iter().copied())),
                &label.join(" "),
            ));
        }
        for (i, value) in values.iter().enumerate() {
            let mut row = FoundRow {
                dimensions: dimensions.clone(),
                figures: vec![figure(TABLE, &name, unit, *value)],
            };
            row.dimensions.push(NamedValue::new("operation", &title(i)));
            found.push(row);
        }
    }
    Some((
        FoundTable {
            tool: TABLE,
            line: lines[at].number,
            rows: found,
        },
        end,
    ))
}

/// The words of a line above the headings, one per column: by their place, or where the archive
/// took the spaces, on the columns with equal headings.
fn over<'a>(above: &MailLine<'a>, heads: &MailLine, names: &[&str]) -> Vec<&'a str> {
    let words = above.words();
    if words.is_empty()
        || words.len() > names.len()
        || words.iter().any(|w| !w.chars().all(char::is_alphanumeric))
    {
        return Vec::new();
    }
    let place = |text: &str, from: usize, word: &str| text[from..].find(word).map(|i| from + i);
    let mut heads_at = Vec::new();
    let mut from = 0;
    for name in names {
        let Some(found) = place(heads.text, from, name) else {
            return Vec::new();
        };
        heads_at.push((found, found + name.len()));
        from = found + name.len();
    }
    let spaced = above.text.len() != above.text.trim().len() || above.text.contains("  ");
    let mut found = vec![""; names.len()];
    if spaced {
        let mut from = 0;
        for word in words {
            let Some(begin) = place(above.text, from, word) else {
                return Vec::new();
            };
            from = begin + word.len();
            let middle = |&(a, b): &(usize, usize)| (a + b).abs_diff(begin + from);
            let nearest = heads_at
                .iter()
                .enumerate()
                .min_by_key(|(_, place)| middle(place));
            if let Some((i, _)) = nearest {
                found[i] = word;
            }
        }
        return found;
    }
    let twice: Vec<usize> = (0..names.len())
        .filter(|&i| names.iter().filter(|n| **n == names[i]).count() > 1)
        .collect();
    if twice.len() != words.len() {
        return Vec::new();
    }
    for (i, word) in twice.into_iter().zip(words) {
        found[i] = word;
    }
    found
}

/// `1 thread  2 threads` above `avg: 12.062 12.138`.
fn averages(lines: &[MailLine], floor: usize, at: usize) -> Option<(FoundTable, usize)> {
    let words = lines[at].words();
    let heads: Option<Vec<(&str, &str)>> = words
        .chunks(2)
        .map(|pair| {
            if let [n, word] = pair {
                Some((*n, word.trim_end_matches('*')))
            } else {
                None
            }
        })
        .map(|pair| pair.filter(|(n, word)| counted(&format!("{n} {word}")).is_some()))
        .collect();
    let heads = heads.filter(|heads| heads.len() >= 2)?;
    let name = heads.last()?.1;
    if heads
        .iter()
        .any(|(_, word)| word.trim_end_matches('s') != name.trim_end_matches('s'))
    {
        return None;
    }
    let mut rows: Vec<FoundRow> = heads.iter().map(|_| FoundRow::default()).collect();
    let context = context::above(lines, floor, at, &[slug(name)]);
    let mut end = at + 1;
    while let Some(line) = lines.get(end).filter(|line| !line.is_blank()) {
        let words = line.words();
        let Some((label, values)) = words
            .split_first()
            .filter(|(l, v)| l.ends_with(':') && v.len() == heads.len())
        else {
            break;
        };
        let values: Option<Vec<_>> = values.iter().map(|word| quantity(word)).collect();
        let Some(values) = values else { break };
        for (row, (value, unit)) in rows.iter_mut().zip(values) {
            row.figures
                .push(figure(TABLE, label.trim_end_matches(':'), unit, value));
        }
        end += 1;
    }
    if rows.first()?.figures.is_empty() {
        return None;
    }
    for (row, (n, _)) in rows.iter_mut().zip(&heads) {
        row.dimensions = context.clone();
        row.dimensions.push(NamedValue::new(name, n));
    }
    Some((
        FoundTable {
            tool: TABLE,
            line: lines[at].number,
            rows,
        },
        end,
    ))
}

/// Two lines or more of a label, a colon and a rate in one unit: `Sequential write: 53.2 MB/s`.
fn listed(lines: &[MailLine], floor: usize, at: usize) -> Option<(FoundTable, usize)> {
    let entry = |line: &MailLine| {
        let (label, value) = line.text.trim().split_once(':')?;
        let (value, unit) = quantity(value)?;
        let fits = label.split_whitespace().count() <= LABEL_WORDS
            && label.starts_with(char::is_alphanumeric);
        unit.filter(|u| fits && is_rate(*u))
            .map(|unit| (label.trim().to_owned(), value, unit))
    };
    let entries: Vec<_> = lines[at..]
        .iter()
        .map_while(entry)
        .take(MOST_ROWS)
        .collect();
    if entries.len() < 2 {
        return None;
    }
    let name = named_by(entries.iter().map(|(label, ..)| label.as_str()));
    let context = context::above(lines, floor, at, &[name.to_owned()]);
    let rows = entries.iter().map(|(label, value, unit)| {
        let mut row = FoundRow {
            dimensions: context.clone(),
            figures: vec![figure(TABLE, &bare("rate", *unit), Some(*unit), *value)],
        };
        row.dimensions.push(NamedValue::new(name, label));
        row
    });
    Some((
        FoundTable {
            tool: TABLE,
            line: lines[at].number,
            rows: rows.collect(),
        },
        at + entries.len(),
    ))
}

//! The shapes of tables as rows of cells: Markdown, frames, boxes, CSV, and columns aligned with
//! blanks.

pub mod assigned;
pub mod outline;
pub mod sections;

use super::cell::{figure, is_clock};
use super::heads::{MAX_HEADS, has_second_heading, has_units_below, second_head};
use super::words::{self, Kind, describe, is_statistic};
use crate::line::{Line, Place, linked};
use crate::observation::Unit;
use crate::quantity::quantity;
use crate::structure::heading;
use seekscope_notes::labels;

/// Limit for the rows of a table.
const MAX_ROWS: usize = 2000;
/// Limit for the columns of a row.
const MAX_COLUMNS: usize = 64;
/// Limit for the words of a heading between delimiters.
const MAX_HEADING_WORDS: usize = 5;

/// A cell of a table: its text, and where it is.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    pub text: &'a str,
    line: &'a Line,
}

impl<'a> Cell<'a> {
    pub fn new(line: &'a Line, text: &'a str) -> Cell<'a> {
        let text = text.trim();
        // Dots lead from a label to its figures.
        let text = match text.strip_suffix("...") {
            Some(label) => label.trim_end_matches(['.', ' ']),
            None => text,
        };
        Cell { text, line }
    }

    /// A part of the text as a cell of its own.
    pub fn part(&self, text: &'a str) -> Cell<'a> {
        Cell::new(self.line, text)
    }

    /// Place of a part of the text.
    pub fn place_of(&self, word: &str) -> Place {
        self.line.place_of(word)
    }
}

/// The cells of a table. Each row has as many cells as there are columns.
#[derive(Clone, Debug, Default)]
pub struct Grid<'a> {
    /// Lines of headings, the upper one first.
    pub heads: Vec<Vec<Option<Cell<'a>>>>,
    pub rows: Vec<Vec<Option<Cell<'a>>>>,
    /// A remark behind the headings or below the table: `(MB/s)`.
    pub remark: Option<&'a str>,
    /// The unit that a sentence below the table names.
    pub statement: Option<&'a str>,
    /// The line behind the table.
    pub end: usize,
}

/// The table that begins at a line, if there is one. `reach` becomes the line behind the last one
/// that was looked at.
pub fn read<'a>(lines: &'a [Line], start: usize, reach: &mut usize) -> Option<Grid<'a>> {
    let grid = piped(lines, start, reach)
        .or_else(|| delimited(lines, start, reach))
        .or_else(|| super::aligned::read(lines, start, reach))?;
    Some(Grid {
        statement: statement_below(lines, grid.end),
        ..grid
    })
}

/// A line of a frame: `+---+---+`, `|---|:-:|`, `===  ===`, a box.
pub fn is_rule(text: &str) -> bool {
    let mut marks = 0;
    for c in text.trim().chars() {
        match c {
            '-' | '=' | '_' | '~' | '^' | '\u{2500}'..='\u{257f}' => marks += 1,
            '+' | '|' | ':' | ' ' | '\t' => {}
            _ => return false,
        }
    }
    marks >= 3
}

/// Whether cells can be headings: words, releases of kernels, and several numbers that rise, such
/// as those of threads. Other numbers are figures.
pub fn are_headings(cells: &[&str]) -> bool {
    if are_percentiles(cells) {
        return true;
    }
    if cells.iter().any(|cell| is_clock(cell)) {
        return false;
    }
    let mut counts: Vec<f64> = Vec::new();
    for cell in cells {
        let Some(figure) = figure(cell) else {
            continue;
        };
        let first = cell.split_whitespace().next().unwrap_or("");
        // `6.1 IOPS` is the metric of a kernel, `512 MB/s` is none.
        let unit = figure.quantity.scale.map(|scale| scale.unit);
        if labels::is_kernel_form(cell) || labels::is_kernel_form(first) && unit.is_some() {
            continue;
        }
        let whole = quantity(cell).is_some_and(|quantity| is_count(quantity.value));
        if !whole || !matches!(unit, None | Some(Unit::Bytes)) {
            return false;
        }
        // `64MB  256MB  1GB` rise, too.
        let factor = figure.quantity.scale.map_or(1.0, |scale| scale.factor);
        counts.push(figure.quantity.value * factor);
    }
    counts.len() != 1 && counts.windows(2).all(|pair| pair[0] < pair[1])
}

/// Whether headings name sides, perhaps with units: `vanilla (MB/s)`. Parameters and changes, which
/// the text has computed itself, may be among them.
fn name_sides<'a>(headings: impl Iterator<Item = &'a str>) -> bool {
    let others = headings
        .map(describe)
        .filter(|heading| heading.kind != Some(Kind::Change) && !words::is_dimension(heading.name));
    let names: Vec<&str> = others.map(|heading| heading.name).collect();
    words::name_sides(names.into_iter())
}

/// Whether a number may be one of threads, of bytes in a block, of files: large ones are even.
fn is_count(value: f64) -> bool {
    const MAX_UNEVEN: f64 = 4096.0;
    let is_even = |step: f64| value % step == 0.0;
    value.fract() == 0.0 && (value <= MAX_UNEVEN || is_even(100.0) || is_even(256.0))
}

/// Percentiles over columns of a distribution: `50%  90%  99%  99.9%`, `avg  95%  99%  max`.
fn are_percentiles(cells: &[&str]) -> bool {
    const MIN_LAST: f64 = 90.0;
    let percent = |cell: &&str| crate::quantity::number(cell.strip_suffix('%')?);
    let others = cells.iter().filter(|cell| !is_statistic(cell));
    let Some(values) = others.map(percent).collect::<Option<Vec<f64>>>() else {
        return false;
    };
    let is_rising = values.windows(2).all(|pair| pair[0] < pair[1]);
    values.len() > 1
        && is_rising
        && values[0] > 0.0
        && values
            .last()
            .is_some_and(|last| (MIN_LAST..=100.0).contains(last))
}

/// Bars of a frame, as `|` and as lines of a box.
fn is_bar(c: char) -> bool {
    matches!(c, '|' | '\u{2502}' | '\u{2503}' | '\u{2551}')
}

fn bars(text: &str) -> usize {
    text.chars().filter(|c| is_bar(*c)).count()
}

/// Reads rows with bars between their cells.
fn piped<'a>(lines: &'a [Line], start: usize, reach: &mut usize) -> Option<Grid<'a>> {
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

/// The unit of all figures below a table, `write speed (MB/s)`, perhaps behind a blank line,
/// `(all in MB/s)`, and the line behind it.
pub fn remark_below(lines: &[Line], end: usize) -> (Option<&str>, usize) {
    let text = |index: usize| lines.get(index).map_or("", |line| line.text().trim());
    let is_unit =
        |text: &str| text.len() <= 60 && bars(text) == 0 && describe(text).scale.is_some();
    // Above other lines it is the title of these.
    if is_unit(text(end)) && text(end + 1).is_empty() {
        return (Some(text(end)), end + 1);
    }
    let inner = |text| str::strip_suffix(str::strip_prefix(text, '(')?, ')');
    match inner(text(end + 1)).filter(|inner| text(end).is_empty() && is_unit(inner)) {
        Some(inner) => (Some(inner), end + 2),
        None => (None, end),
    }
}

/// The unit that a sentence next to the end of a table says all figures have: `Values are IOPS.`,
/// `(numbers in MB/s, 16 threads)`, `(ops/s, mean of five runs)`.
pub fn statement_below(lines: &[Line], end: usize) -> Option<&str> {
    const MAX_BYTES: usize = 80;
    const OF_ALL: [&str; 5] = ["mean", "average", "median", "runs", "better"];
    let text = |index: usize| lines.get(index).map_or("", |line| line.text().trim());
    // A rule may close the table.
    let end = end + usize::from(!text(end).is_empty() && is_rule(text(end)));
    let line = [text(end), text(end + 1)]
        .into_iter()
        .find(|line| !line.is_empty())?;
    let inner = line
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let sentence = line.strip_suffix('.').filter(|_| line.len() <= MAX_BYTES);
    // `IOPS, mean of five runs`: a title of another table says less, if there is anything below.
    let last = if text(end).is_empty() { end + 1 } else { end };
    let remark = Some(line).filter(|line| {
        let mut words = line.split_whitespace();
        let is_of_all = text(last + 1).is_empty() || words.any(|word| OF_ALL.contains(&word));
        line.contains(", ") && !line.ends_with(':') && is_of_all
    });
    let statement = inner.or(sentence).or(remark);
    let statement = statement.filter(|text| text.len() <= MAX_BYTES)?;
    let first = statement.split(". ").next()?;
    let first = first.split([',', ';']).next()?.trim();
    if (inner.is_some() || remark.is_some()) && crate::quantity::scale_of(first).is_some() {
        return Some(first);
    }
    let (subject, unit) = [" are in ", " are ", " in "]
        .iter()
        .find_map(|verb| first.split_once(verb))?;
    let is_all = |word: &str| {
        const SUBJECTS: [&str; 7] = [
            "values",
            "numbers",
            "figures",
            "results",
            "rates",
            "units",
            "everything",
        ];
        SUBJECTS.contains(&word.to_ascii_lowercase().as_str())
    };
    let is_unit = crate::quantity::scale_of(unit).is_some();
    (is_unit && subject.split_whitespace().any(is_all)).then_some(unit)
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
fn plain(cell: &str) -> &str {
    linked(cell.trim().trim_matches(['*', '`', '_']).trim())
}

/// Reads CSV with tabs, semicolons or commas.
fn delimited<'a>(lines: &'a [Line], start: usize, reach: &mut usize) -> Option<Grid<'a>> {
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

//! `iostat` of all versions and options; -o JSON is read elsewhere.
//!
//! ```text
//! Linux 6.1.0 (box)   03/04/24   _x86_64_   (8 CPU)       the banner
//! 03/04/24 10:11:12                                       -t
//! avg-cpu:  %user   %nice %system %iowait  %steal   %idle
//!             2.11    0.00    1.37   21.20    0.00   74.30
//! Device:         rrqm/s   wrqm/s     r/s     w/s ...     -x; `tps kB_read/s ...` without it
//! sdb               0.12     0.99   12.10    3.30 ...
//!      r/s     rkB/s ... Device                           -h, --pretty: several groups of columns
//! ```
//!
//! Behind the banner the first report is that since boot, but with -y, which leaves one blank line
//! more there than between its tables.

use super::columns::{Column, MAX_COLUMNS, column, is_cut};
use super::reports::Reports;
use super::words::{banner, decimal, human, is_omission, is_timestamp};
use crate::line::{Line, Place};
use crate::observation::NamedValue;
use crate::recognise::{Cursor, Output};
use seekscope_trace::sorting::set_of;
use std::collections::BTreeSet;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0);
    let release = banner(first);
    let begins = release.is_some() || is_timestamp(first) || is_cpu(first) || is_heading(first);
    if !begins {
        return rows_of(heading_above(cursor)?, cursor);
    }
    let offset = usize::from(release.is_some());
    let blank = (0..4)
        .take_while(|i| cursor.line(offset + i).is_some_and(Line::is_blank))
        .count();
    let report = offset + blank;
    let head = report + usize::from(is_timestamp(cursor.text(report)));
    if !is_cpu(cursor.text(head)) && !is_heading(cursor.text(head)) {
        return None;
    }
    let since_boot = match cursor.command_of("iostat") {
        Some(command) => !omits_first(command),
        None => release.is_some() && blank <= blank_lines_below(cursor, report),
    };
    let mut parse = Parse::new(cursor, since_boot);
    let end = parse.run(report);
    let mut output = Output {
        tool: "iostat",
        end: cursor.start + end,
        observations: parse.reports.observations(),
        ..Output::default()
    };
    if let Some(release) = release {
        output.facts.push(NamedValue::new("kernel", release));
    }
    Some(output)
}

/// The blank lines of the first gap at or below line `from`; 1 if there is none.
fn blank_lines_below(cursor: Cursor, from: usize) -> usize {
    let lines = (from..from + MAX_TO_HEADING).map_while(|index| cursor.line(index));
    let gap = lines.skip_while(|line| !line.is_blank());
    gap.take_while(|line| line.is_blank()).count().max(1)
}

/// Lines above a row among which its heading may be.
const MAX_TO_HEADING: usize = 24;
/// Numbers of the shortest row whose heading is looked for above other lines.
const MIN_NUMBERS: usize = 4;

/// The heading of a row below a title, where people show a heading once: the heading, `good:`, a
/// row, `bad:`, a row.
fn heading_above(cursor: Cursor) -> Option<Heading> {
    let mut words = cursor.text(0).split_whitespace();
    let device = words.next()?;
    let numbers = words.clone().count();
    let is_row = device.contains(char::is_alphabetic)
        && numbers >= MIN_NUMBERS
        && words.all(|word| decimal(word).is_some());
    if !is_row {
        return None;
    }
    for line in cursor.lines[..cursor.start]
        .iter()
        .rev()
        .take(MAX_TO_HEADING)
    {
        let text = line.text().trim();
        if let Some(heading) = Heading::parse(line.text()) {
            return Some(heading).filter(|heading| heading.columns.len() == numbers);
        }
        let is_row = || text.split_whitespace().count() == numbers + 1;
        if !(text.is_empty() || text.ends_with(':') || is_row()) {
            return None;
        }
    }
    None
}

/// The rows at the cursor, below a heading that is above other lines.
fn rows_of(heading: Heading, cursor: Cursor) -> Option<Output> {
    let mut parse = Parse::new(cursor, false);
    parse.layout.push((heading, true));
    parse.reports.begin();
    let mut end = 0;
    while let Some(lines) = parse.row(end) {
        end += lines;
    }
    (end > 0).then(|| Output {
        tool: "iostat",
        end: cursor.start + end,
        observations: parse.reports.observations(),
        ..Output::default()
    })
}

/// `-y`, also among other letters: `iostat -xyz 1 3`.
pub fn omits_first(command: &str) -> bool {
    command.split_whitespace().any(|word| {
        word == "--no-first"
            || word.starts_with('-') && !word.starts_with("--") && word.contains('y')
    })
}

fn is_cpu(text: &str) -> bool {
    text.trim_start().starts_with("avg-cpu:")
}

fn is_heading(text: &str) -> bool {
    Heading::parse(text).is_some()
}

/// The columns of the rows below a heading.
struct Heading {
    columns: Vec<Option<Column>>,
    names: Vec<String>,
    /// Byte behind each name: numbers are aligned to it.
    ends: Vec<usize>,
    device_last: bool,
}

impl Heading {
    fn parse(text: &str) -> Option<Heading> {
        let is_device = |word: &str| matches!(word, "Device" | "Device:" | "device" | "device:");
        let trimmed = text.trim();
        let device_first = trimmed.starts_with("Device") || trimmed.starts_with("device");
        if !device_first && !trimmed.ends_with("Device") {
            return None;
        }
        let words: Vec<&str> = trimmed.split_whitespace().collect();
        let device_last = !is_device(words.first()?);
        let named = if device_last {
            is_device(words.last()?).then(|| &words[..words.len() - 1])?
        } else {
            &words[1..]
        };
        if named.len() > MAX_COLUMNS {
            return None;
        }
        let mut columns: Vec<Option<Column>> = named.iter().map(|name| column(name)).collect();
        if let (Some(last), Some(name)) = (columns.last_mut(), named.last())
            && is_cut(name)
        {
            *last = None;
        }
        let counters: Vec<&Column> = columns.iter().flatten().filter(|c| c.is_known).collect();
        let keys: BTreeSet<&str> = set_of(counters.iter().map(|c| c.metric.key.as_str()));
        // `Read MB/s Write MB/s` are the headings of a person: iostat has no column twice.
        let is_other = keys.len() < counters.len() || counters.len() * 2 < named.len();
        if counters.len() < 2 || is_other || named.iter().any(|name| decimal(name).is_some()) {
            return None;
        }
        let base = text.as_ptr() as usize;
        Some(Heading {
            ends: named
                .iter()
                .map(|name| name.as_ptr() as usize - base + name.len())
                .collect(),
            names: named.iter().map(|name| (*name).to_owned()).collect(),
            columns,
            device_last,
        })
    }

    /// Adds the columns of the next line, if it has nothing else: mailers break long lines.
    fn continue_with(&mut self, text: &str) -> bool {
        let names: Vec<&str> = text.split_whitespace().collect();
        let all = |name: &&str| column(name).is_some_and(|column| column.is_known);
        let all_fit = names.len() + self.names.len() <= MAX_COLUMNS;
        if self.device_last || names.is_empty() || !all_fit || !names.iter().all(all) {
            return false;
        }
        for name in names {
            self.columns.push(column(name));
            self.names.push(name.to_owned());
            self.ends.push(usize::MAX);
        }
        true
    }

    /// The numbers of a row that end where a column does, with those columns.
    fn aligned<'a>(
        &self,
        line: &Line,
        numbers: &[&'a str],
    ) -> (Vec<Option<Column>>, Vec<(&'a str, Place)>) {
        let base = line.text().as_ptr() as usize;
        let mut columns = Vec::new();
        let mut found = Vec::new();
        for word in numbers {
            let end = word.as_ptr() as usize - base + word.len();
            if let Some(index) = self.ends.iter().position(|column_end| *column_end == end) {
                columns.push(self.columns[index].clone());
                found.push((*word, line.place_of(word)));
            }
        }
        (columns, found)
    }
}

struct Parse<'a> {
    cursor: Cursor<'a>,
    reports: Reports,
    /// The groups of columns of a report, and which of them the report has had.
    layout: Vec<(Heading, bool)>,
    /// The group of the rows that follow.
    current: usize,
    /// A report has begun, and no heading was read since.
    fresh: bool,
    /// The first row below the last heading. Where the device comes again, the next report begins:
    /// `grep` leaves no headings between them.
    first_device: Option<String>,
}

impl<'a> Parse<'a> {
    fn new(cursor: Cursor<'a>, since_boot: bool) -> Parse<'a> {
        Parse {
            cursor,
            reports: Reports::new(since_boot),
            layout: Vec::new(),
            current: 0,
            fresh: false,
            first_device: None,
        }
    }

    /// Reads all reports; the offset behind them.
    fn run(&mut self, first: usize) -> usize {
        let (mut offset, mut end) = (first, first);
        while let Some(line) = self.cursor.line(offset) {
            if line.is_blank() || is_omission(line.text()) {
                offset += 1;
                continue;
            }
            let Some(lines) = self.step(offset) else {
                break;
            };
            offset += lines;
            end = offset;
        }
        end
    }

    /// Reads what is at an offset; its number of lines, or nothing where it is another text.
    fn step(&mut self, offset: usize) -> Option<usize> {
        let text = self.cursor.text(offset);
        if is_timestamp(text) {
            let next = (offset + 1..offset + 3)
                .map(|next| self.cursor.text(next))
                .find(|next| !next.trim().is_empty())?;
            if !is_cpu(next) && !is_heading(next) {
                return None;
            }
            self.begin();
            return Some(1);
        }
        if is_cpu(text) {
            self.begin();
            let mut numbers = self.cursor.text(offset + 1).split_whitespace();
            let row = numbers.all(|word| decimal(word.trim_end_matches('%')).is_some());
            return Some(if row { 2 } else { 1 });
        }
        self.heading(offset).or_else(|| self.row(offset))
    }

    fn begin(&mut self) {
        if !self.fresh {
            self.reports.begin();
            for (_, seen) in &mut self.layout {
                *seen = false;
            }
            self.fresh = true;
        }
    }

    /// Other columns than those of the reports before begin another output.
    fn heading(&mut self, offset: usize) -> Option<usize> {
        let mut heading = Heading::parse(self.cursor.text(offset))?;
        let lines = 1 + usize::from(heading.continue_with(self.cursor.text(offset + 1)));
        let found = self
            .layout
            .iter()
            .position(|(other, _)| other.names == heading.names);
        let grouped = heading.device_last && self.reports.count() <= 1;
        let index = match found {
            Some(index) => index,
            None if self.layout.is_empty() || grouped => {
                self.layout.push((heading, false));
                self.layout.len() - 1
            }
            None => return None,
        };
        if self.layout[index].1 || self.reports.count() == 0 {
            self.begin();
        }
        self.layout[index].1 = true;
        self.current = index;
        self.fresh = false;
        self.first_device = None;
        Some(lines)
    }

    fn row(&mut self, offset: usize) -> Option<usize> {
        let device = self.device(offset)?;
        let is_again = self.first_device.as_ref() == Some(&device);
        if is_again && !self.fresh {
            self.reports.begin();
        }
        let lines = self.add(offset)?;
        self.first_device.get_or_insert(device);
        Some(lines)
    }

    /// The device that a row names.
    fn device(&self, offset: usize) -> Option<String> {
        let heading = &self.layout.get(self.current)?.0;
        let mut words = self.cursor.text(offset).split_whitespace();
        let index = if heading.device_last {
            heading.columns.len()
        } else {
            0
        };
        words.nth(index).map(str::to_owned)
    }

    fn add(&mut self, offset: usize) -> Option<usize> {
        let heading = &self.layout.get(self.current)?.0;
        let line = self.cursor.line(offset)?;
        let words: Vec<&str> = line.text().split_whitespace().collect();
        let is_name = |word: &str| word.contains(char::is_alphabetic);
        let count = heading.columns.len();
        let (device, numbers) = if heading.device_last {
            let device = *words.get(count)?;
            (device, words.get(..count)?)
        } else {
            (*words.first()?, &words[1..])
        };
        if !is_name(device) || self.fresh {
            return None;
        }
        let numeric = |words: &[&str]| words.iter().all(|word| human(word).is_some());
        if numbers.len() < count && numeric(numbers) {
            // A long name, or a mailer, breaks the row.
            let next = self.cursor.line(offset + 1)?;
            let rest: Vec<&str> = next.text().split_whitespace().collect();
            if !rest.is_empty() && numbers.len() + rest.len() == count && numeric(&rest) {
                let all: Vec<(&str, Place)> = numbers
                    .iter()
                    .map(|word| (*word, line.place_of(word)))
                    .chain(rest.iter().map(|word| (*word, next.place_of(word))))
                    .collect();
                add_row(&mut self.reports, "device", device, &heading.columns, &all);
                return Some(2);
            }
            if numbers.is_empty() {
                return None;
            }
            // If a row has a gap, only numbers below their headings count.
            let aligned = heading.aligned(line, numbers);
            // `Debian 12` is the title of the next output.
            if aligned.1.is_empty() {
                return None;
            }
            add_row(&mut self.reports, "device", device, &aligned.0, &aligned.1);
            return Some(1);
        }
        let numbers = numbers.get(..count).filter(|numbers| numeric(numbers))?;
        // More numbers than columns belong to unknown ones.
        if !heading.device_last && words[count + 1..].iter().any(|w| decimal(w).is_some()) {
            return Some(1);
        }
        let all: Vec<(&str, Place)> = numbers
            .iter()
            .map(|word| (*word, line.place_of(word)))
            .collect();
        add_row(&mut self.reports, "device", device, &heading.columns, &all);
        Some(1)
    }
}

/// Adds the numbers of a device to a report. A mean per request is no figure where there was none.
pub fn add_row(
    reports: &mut Reports,
    dimension: &str,
    subject: &str,
    columns: &[Option<Column>],
    words: &[(&str, Place)],
) {
    let values: Vec<(&Column, f64, Place)> = columns
        .iter()
        .zip(words)
        .filter_map(|(column, (word, place))| {
            let column = column.as_ref()?;
            Some((column, column.value(word)?, *place))
        })
        .collect();
    let no_request = |per: &str| {
        let mut rates = values.iter().filter(|(column, ..)| {
            let key = column.metric.key.as_str();
            match key.strip_suffix("iops") {
                Some("") => per.is_empty(),
                Some(operation) => per.is_empty() || operation.trim_end_matches('.') == per,
                None => false,
            }
        });
        let mut some = false;
        rates.all(|(_, value, _)| {
            some = true;
            *value == 0.0
        }) && some
    };
    for (column, value, place) in &values {
        if *value == 0.0 && column.per.is_some_and(no_request) {
            continue;
        }
        let dimensions = || vec![NamedValue::new(dimension, subject.trim_end_matches(':'))];
        reports.add(subject, dimensions, &column.metric, *value, *place);
    }
}

#[cfg(test)]
mod tests;

//! JSON documents of programs that no reader knows: lists of records, a record per line, and
//! objects whose members are sides, tests or metrics:
//!
//! ```text
//! [{"kernel": "6.1", "iops": 24707},     {"6.1": {"read": {"iops": 24707}},
//!  {"kernel": "6.6", "iops": 19011}]      "6.6": {"read": {"iops": 19011}}}
//! ```
//!
//! Each record is a row; the keys that lead to it are its first cells.

use super::super::caption;
use super::super::cell::figure;
use super::super::units::unit_in;
use super::super::words::{describe, is_dimension, is_plain_operation};
use super::{Cell, Grid, MAX_COLUMNS, MAX_ROWS};
use crate::json::{Object, Value, behind_records, parse};
use crate::line::{Line, Place};
use crate::recognise::Cursor;
use seekscope_notes::labels::is_kernel_form;
use std::borrow::Cow;

/// Limit for the keys that lead to a record.
const MAX_KEYS: usize = 6;

/// Keys of the entries of a log, whose numbers are of single events.
const LOGGED: [&str; 4] = ["msg", "message", "severity", "logger"];

/// The key of a field, behind that of the object in the record that it is in, or behind nothing.
type Name<'a> = [&'a str; 2];

#[derive(Clone, Default)]
struct Record<'a> {
    keys: Vec<&'a str>,
    fields: Vec<(Name<'a>, Cell<'a>)>,
}

impl<'a> Record<'a> {
    fn cell(&self, name: &Name) -> Option<Cell<'a>> {
        let field = self.fields.iter().find(|(other, _)| other == name);
        field.map(|(_, cell)| *cell)
    }

    /// Adds a number or a text; nothing else is a cell.
    fn add(&mut self, name: Name<'a>, value: &Value<'a>, lines: &'a [Line]) {
        if let Value::Number(_, place) | Value::Text(_, place) = value
            && let Some(cell) = cell_at(lines, *place)
            && !cell.text.is_empty()
        {
            self.fields.push((name, cell));
        }
    }

    fn below(&self, key: &'a str) -> Record<'a> {
        let mut below = self.clone();
        below.keys.push(key);
        below
    }
}

/// The rows of the document that begins at the cursor, if any of its names is a metric or an
/// operation, or anything has a unit.
pub fn read(cursor: Cursor<'_>) -> Option<Grid<'_>> {
    let mut document = Document {
        lines: cursor.lines,
        records: Vec::new(),
    };
    let first = parse(cursor, 0).filter(|parsed| parsed.complete)?;
    let end = behind_records(cursor, first.end, &first.value);
    document.add(&first.value, Record::default())?;
    let mut length = first.end;
    while length < end {
        let parsed = parse(cursor, length)?;
        document.add(&parsed.value, Record::default())?;
        length = parsed.end;
    }
    document.into_grid(cursor, cursor.start + end)
}

struct Document<'a> {
    lines: &'a [Line],
    records: Vec<Record<'a>>,
}

impl<'a> Document<'a> {
    /// Adds the records in a value. `above` has the keys that lead to it, and the fields of the
    /// objects around it. `None` where the value has none of these layouts.
    fn add(&mut self, value: &Value<'a>, above: Record<'a>) -> Option<()> {
        match value {
            Value::Object(object) => self.add_object(object, above),
            Value::Array(values) => {
                let mut values = values.iter();
                values.try_for_each(|value| self.add(value, above.clone()))
            }
            _ => None,
        }
    }

    fn add_object(&mut self, object: &Object<'a>, mut record: Record<'a>) -> Option<()> {
        if self.records.len() >= MAX_ROWS || record.keys.len() > MAX_KEYS {
            return None;
        }
        let mut nested: Vec<(&'a str, &Value<'a>)> = Vec::new();
        let mut runs: Vec<(Name<'a>, &[Value<'a>])> = Vec::new();
        let before = record.fields.len();
        for (key, value) in &object.members {
            let key = borrowed(key)?;
            match value {
                Value::Array(values) if values.iter().all(is_number) => {
                    runs.push((["", key], values));
                }
                Value::Array(_) | Value::Object(_) => nested.push((key, value)),
                _ => record.add(["", key], value, self.lines),
            }
        }
        if record.fields.len() > MAX_COLUMNS {
            return None;
        }
        let has_fields = record.fields.len() > before || !runs.is_empty();
        let lists = nested.iter().filter(|(_, value)| !is_object(value)).count();
        if nested.is_empty() {
            return self.add_runs(&record, &runs);
        }
        let inner = nested.iter().map(|(outer, value)| {
            let inner = value.as_object().filter(|object| object.is_flat());
            inner.map(|inner| (*outer, inner))
        });
        if has_fields && let Some(inner) = inner.collect::<Option<Vec<_>>>() {
            for (outer, inner) in inner {
                for (key, value) in &inner.members {
                    record.add([outer, borrowed(key)?], value, self.lines);
                }
            }
            return self.add_runs(&record, &runs);
        }
        if !runs.is_empty() {
            return None;
        }
        record.fields.retain(|(name, cell)| is_label(name, cell));
        // The only list of an object says nothing by its name, `results`, and the objects beside it
        // are about all of its records.
        if lists == 1 {
            let list = nested.iter().find(|(_, value)| !is_object(value));
            return self.add(list?.1, record);
        }
        let mut nested = nested.into_iter();
        nested.try_for_each(|(key, value)| self.add(value, record.below(key)))
    }

    /// Adds a record: once, or once for each of the runs whose figures are in lists.
    fn add_runs(&mut self, record: &Record<'a>, runs: &[(Name<'a>, &[Value<'a>])]) -> Option<()> {
        let Some((_, first)) = runs.first() else {
            self.records.push(record.clone());
            return Some(());
        };
        if runs.iter().any(|(_, values)| values.len() != first.len()) {
            return None;
        }
        for index in 0..first.len() {
            let mut record = record.clone();
            for (name, values) in runs {
                record.add(*name, &values[index], self.lines);
            }
            self.records.push(record);
        }
        (self.records.len() <= MAX_ROWS).then_some(())
    }

    fn into_grid(self, cursor: Cursor<'a>, end: usize) -> Option<Grid<'a>> {
        let records = &self.records;
        let depth = records.first()?.keys.len();
        let mut names: Vec<Name> = Vec::new();
        for (name, _) in records.iter().flat_map(|record| &record.fields) {
            if !names.contains(name) {
                names.push(*name);
            }
            if depth + names.len() > MAX_COLUMNS {
                return None;
            }
        }
        let is_log = |[_, key]: &Name| LOGGED.contains(key);
        if names.iter().any(is_log) {
            return None;
        }
        let keys = records.iter().flat_map(|record| &record.keys);
        let mut words = names.iter().flatten().chain(keys);
        let is_named = words.any(|word| is_measure(word) || is_plain_operation(word));
        let mut cells = records[0].fields.iter().map(|(_, cell)| cell.text);
        let has_unit =
            |text: &str| figure(text).is_some_and(|found| found.quantity.scale.is_some());
        let has_measure = is_named || cells.any(|text| is_measure(text) || has_unit(text));
        let is_titled = || caption(cursor).iter().any(|line| unit_in(line).is_some());
        if !(has_measure || is_titled()) || records.iter().any(|record| record.keys.len() != depth)
        {
            return None;
        }
        let line = cursor.line(0)?;
        let cell = |text: &'a str| Some(Cell::new(line, text)).filter(|cell| !cell.text.is_empty());
        let head = |level: usize| {
            let cells = names.iter().map(|name| cell(name[level]));
            std::iter::repeat_n(None, depth).chain(cells).collect()
        };
        let is_nested = names.iter().any(|[outer, _]| !outer.is_empty());
        let levels = if is_nested { 0..2 } else { 1..2 };
        let row = |record: &Record<'a>| {
            let keys = record.keys.iter().map(|key| cell(key));
            let fields = names.iter().map(|name| record.cell(name));
            keys.chain(fields).collect()
        };
        Some(Grid {
            heads: levels.map(head).collect(),
            rows: records.iter().map(row).collect(),
            remark: None,
            statement: super::statement_below(cursor.lines, end),
            end,
        })
    }
}

/// Whether a field around records distinguishes them from others: `kernel`, `bs`, any word. The
/// time that all of them took is the figure of none.
fn is_label([_, key]: &Name, cell: &Cell) -> bool {
    figure(cell.text).is_none() || is_kernel_form(cell.text) || is_dimension(key)
}

fn is_measure(text: &str) -> bool {
    let described = describe(text);
    described.is_metric() || described.scale.is_some()
}

/// The cell at a place.
fn cell_at(lines: &[Line], place: Place) -> Option<Cell<'_>> {
    let behind = lines.partition_point(|line| line.place(0..0).line <= place.line);
    let line = &lines[behind.checked_sub(1)?];
    line.text_at(place).map(|text| Cell::new(line, text))
}

/// A key without escapes, in the text.
fn borrowed<'a>(key: &Cow<'a, str>) -> Option<&'a str> {
    match key {
        Cow::Borrowed(text) => Some(text),
        Cow::Owned(_) => None,
    }
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Number(..))
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::Object(_))
}

//! The tables of `btt`, from `All Devices` on; with -A those of processes and devices before.
//!
//! ```text
//! ==================== All Devices ====================
//!
//!             ALL           MIN           AVG           MAX           N
//! --------------- ------------- ------------- ------------- -----------
//! Q2Q               0.000017070   0.003789980   0.035408298        2635
//!
//! ==================== Device Overhead ====================
//!
//!        DEV |       Q2G       G2I       Q2M       I2D       D2C
//! ---------- | --------- --------- --------- --------- ---------
//!  (  8,  0) |   0.9110%  35.0314%   0.1410%   0.4800%  61.2360%
//! ---------- | --------- --------- --------- --------- ---------
//!    Overall |   0.9110%  35.0314%   0.1410%   0.4800%  61.2360%
//! ```
//!
//! Of several devices the line of all of them is taken without a device, and each with its own.

mod columns;

use super::words::decimal;
use crate::line::{Line, Place};
use crate::observation::{Metric, NamedValue, Observation, Unit};
use crate::recognise::{Cursor, Output};
use columns::Column;
use std::collections::BTreeSet;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0);
    let mut parse = Parse::default();
    match title(first) {
        Some(title) => parse.open(title),
        None => {
            stage_columns(first).or_else(|| lone_row(cursor))?;
            parse.open("All Devices");
        }
    }
    let start = usize::from(title(first).is_some());
    let (mut offset, mut end) = (start, start);
    while let Some(line) = cursor.line(offset) {
        offset += 1;
        if line.is_blank() {
            continue;
        }
        if let Some(title) = title(line.text()) {
            if parse.titles.contains(&title) {
                break;
            }
            parse.open(title);
        } else if parse.step(line).is_none() {
            break;
        }
        end = offset;
    }
    Some(Output {
        tool: "btt",
        end: cursor.start + end,
        observations: parse.observations(),
        ..Output::default()
    })
}

/// Titles of btt's sections; other frames of `=` are headings of people.
const TITLES: [&str; 11] = [
    "All Devices",
    "Per Process",
    "Per Device",
    "Device Overhead",
    "Device Merge Information",
    "Device Q2Q Seek Information",
    "Device D2D Seek Information",
    "Plug Information",
    "Active Requests At Q Information",
    "I/O Active Period Information",
    "Q2D Histogram",
];

fn title(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let inner = text.trim_matches('=').trim();
    let framed = text.starts_with("==") && text.ends_with("==");
    TITLES.into_iter().find(|title| framed && *title == inner)
}

/// `ALL  MIN  AVG  MAX  N`, above the table whose title is cut off.
fn stage_columns(text: &str) -> Option<()> {
    let words: Vec<&str> = text.split_whitespace().collect();
    matches!(words.as_slice(), ["ALL", "MIN", "AVG", "MAX", "N"]).then_some(())
}

/// A row of stages without the headings above it: seconds with nine decimals tell it from others.
fn lone_row(cursor: Cursor) -> Option<()> {
    let text = cursor.text(0);
    // Below a rule, headings were cut, and so may be the row.
    let above = cursor.start.checked_sub(1).map(|i| cursor.lines[i].text());
    // Most lines end with another character, so they need not be split.
    let ends = text.ends_with(|c: char| c.is_ascii_digit());
    (ends && !above.is_some_and(is_rule)).then_some(())?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let [stage, times @ .., count] = words.as_slice() else {
        return None;
    };
    let is_time = |word: &&str| {
        let decimals = word.split_once('.').map_or("", |(_, decimals)| decimals);
        decimals.len() == 9 && decimal(word).is_some()
    };
    let is_count = count.bytes().all(|b| b.is_ascii_digit());
    (is_stage(stage) && times.len() == 3 && times.iter().all(is_time) && is_count).then_some(())
}

/// Whether a line is a rule: `---------- | --------- ---------`.
fn is_rule(text: &str) -> bool {
    text.contains("---")
        && text
            .bytes()
            .all(|b| matches!(b, b'-' | b' ' | b'|' | b'\t' | b'+'))
}

/// A row of a table with a device.
struct Row {
    device: String,
    figures: Vec<(Metric, f64, Place)>,
}

#[derive(Default)]
struct Parse {
    titles: Vec<&'static str>,
    title: &'static str,
    /// The subject of a table of stages, if it is not of all devices.
    stage: Option<String>,
    stages: Vec<Observation>,
    /// Section, stage and subject of the rows of stages.
    seen: BTreeSet<(&'static str, String, Option<String>)>,
    /// The columns of a table with devices.
    columns: Vec<Column>,
    tables: Vec<Vec<Row>>,
}

impl Parse {
    fn open(&mut self, title: &'static str) {
        self.titles.push(title);
        self.title = title;
        self.stage = None;
        self.columns.clear();
    }

    fn step(&mut self, line: &Line) -> Option<()> {
        let text = line.text();
        // If there are many modes, the last ones are `...(12 more)`.
        if is_rule(text) || text.trim_start().starts_with("...") {
            return Some(());
        }
        // Programs that align tables of Markdown put bars around a row.
        let row = text.trim().trim_matches('|');
        if let Some((device, rest)) = row.split_once('|') {
            return self.row(line, device.trim(), rest);
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        if let [stage, "MIN", "AVG", "MAX", "N"] = words.as_slice() {
            // The title of another output is cut off.
            if *stage == "ALL" && self.seen.iter().any(|(title, ..)| *title == "All Devices") {
                return None;
            }
            self.stage = (*stage != "ALL").then(|| (*stage).to_owned());
            return Some(());
        }
        if self.title == "I/O Active Period Information" || self.title == "Q2D Histogram" {
            return self.other(line, &words);
        }
        if self.is_activity(text, &words) {
            return Some(());
        }
        self.stage_row(line, &words)
    }

    /// Rows without a bar: `AVG  0.1 ...` of histograms, and the data behind all tables.
    fn other(&mut self, line: &Line, words: &[&str]) -> Option<()> {
        let numeric = words.iter().skip(1).all(|word| decimal(word).is_some());
        let histogram = self.title == "Q2D Histogram" && numeric && words.len() > 2;
        (histogram || self.is_activity(line.text(), words)).then_some(())
    }

    /// `# Total System`, `#     Total System : q activity`, `  0.000000495   0.4`.
    fn is_activity(&self, text: &str, words: &[&str]) -> bool {
        let device = |word: &&str| word.contains(',') || word.starts_with('(');
        let subject = text.contains("Total System") || words.get(1).is_some_and(device);
        let heading = text.starts_with("# ") && (subject || text.contains(" activity"));
        let data = words.len() == 2 && words.iter().all(|word| decimal(word).is_some());
        !self.titles.is_empty() && (heading || data)
    }

    /// Reads a row like `Q2C  0.000522070   0.002462036   0.017522259   2636`.
    fn stage_row(&mut self, line: &Line, words: &[&str]) -> Option<()> {
        // Process names may have blanks.
        let split = words.len().checked_sub(4).filter(|split| *split > 0)?;
        let (name, numbers) = words.split_at(split);
        let values: Option<Vec<f64>> = numbers.iter().map(|word| decimal(word)).collect();
        let values = values?;
        // `(  8, 16)` of a device has blanks that only align it.
        let name = match name {
            [first, ..] if first.starts_with('(') => name.concat(),
            _ => name.join(" "),
        };
        let (stage, subject) = match &self.stage {
            None if is_stage(&name) => (name, None),
            None => return None,
            Some(stage) => (stage.clone(), Some(name)),
        };
        // If a stage comes again, nothing shows which of the two is meant.
        let key = (self.title, stage.clone(), subject.clone());
        if !self.seen.insert(key) {
            return Some(());
        }
        let kind = if self.title == "Per Process" {
            "process"
        } else {
            "device"
        };
        let dimensions: Vec<NamedValue> = subject
            .map(|subject| NamedValue::new(kind, &subject))
            .into_iter()
            .collect();
        let key = stage.to_ascii_lowercase();
        for ((what, word), value) in ["min", "mean", "max", "count"]
            .into_iter()
            .zip(numbers)
            .zip(values)
        {
            let (unit, factor) = match what {
                "count" => (Unit::None, 1.0),
                _ => (Unit::Nanoseconds, 1e9),
            };
            let metric = Metric::new(format!("{key}.{what}"), format!("{stage} {what}"), unit);
            // Time between requests is neither good nor bad.
            let metric = if key.starts_with("q2q") {
                metric.neutral()
            } else {
                metric
            };
            self.stages.push(Observation {
                metric,
                value: value * factor,
                place: line.place_of(word),
                dimensions: dimensions.clone(),
                repeat: None,
            });
        }
        Some(())
    }

    fn row(&mut self, line: &Line, device: &str, rest: &str) -> Option<()> {
        if matches!(device, "DEV" | "Overall") && columns::are_names(rest) {
            if device == "DEV" {
                self.columns = columns::parse(self.title, rest);
                self.tables.push(Vec::new());
            }
            return Some(());
        }
        if !columns::are_numbers(rest) {
            return None;
        }
        let table = self.tables.last_mut()?;
        let figures = columns::figures(&self.columns, rest)
            .into_iter()
            .map(|(metric, value, word)| (metric, value, line.place_of(word)))
            .collect();
        table.push(Row {
            device: device.split_whitespace().collect::<Vec<_>>().concat(),
            figures,
        });
        Some(())
    }

    fn observations(self) -> Vec<Observation> {
        let mut found = self.stages;
        for table in self.tables {
            let is_sum = |row: &Row| {
                matches!(
                    row.device.as_str(),
                    "Overall" | "Average" | "TOTAL" | "TotalSys"
                )
            };
            let devices = table.iter().filter(|row| !is_sum(row)).count();
            let sum = table.iter().any(is_sum);
            for row in table {
                // With one device, the line of all devices has the same figures.
                let alone = is_sum(&row) || devices == 1;
                if devices == 1 && sum && !is_sum(&row) {
                    continue;
                }
                let dimensions = || {
                    if alone {
                        Vec::new()
                    } else {
                        vec![NamedValue::new("device", &row.device)]
                    }
                };
                found.extend(
                    row.figures
                        .iter()
                        .map(|(metric, value, place)| Observation {
                            metric: metric.clone(),
                            value: *value,
                            place: *place,
                            dimensions: dimensions(),
                            repeat: None,
                        }),
                );
            }
        }
        found
    }
}

/// `Q2Q`, `Q2Cdm`, `S2G`: from one action to another.
fn is_stage(name: &str) -> bool {
    let action = |b: &u8| b"QAGISMDC".contains(b);
    let bytes = name.as_bytes();
    bytes.len() >= 3
        && action(&bytes[0])
        && bytes[1] == b'2'
        && action(&bytes[2])
        && matches!(&bytes[3..], b"" | b"dm")
}

#[cfg(test)]
mod tests;

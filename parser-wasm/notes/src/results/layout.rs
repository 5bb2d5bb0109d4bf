//! Which dimensions of a table are its rows and columns, and the line that the others are compared
//! with: guessed, or chosen.

use super::table::{ResultAxis, ResultBase, ResultDimension, ResultRun, ResultSet, ResultTable};
use crate::labels;
use seekscope_trace::sorting::{SortShort, set_of};
use serde::Deserialize;
use std::collections::BTreeSet;

/// Columns of a matrix before it is turned.
const MAX_COLUMNS: usize = 8;
/// Tables, and runs of each, that are taken from elsewhere than a text.
const MAX_TABLES: usize = 64;
const MAX_RUNS: usize = 2000;
/// Between the values of a line.
pub const JOINT: &str = "\u{1}";

/// How one table is laid out; what is absent is guessed. Dimensions in neither list are averaged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ResultLayout {
    /// Place of the table.
    pub table: usize,
    /// Keys of dimensions.
    pub rows: Option<Vec<String>>,
    pub columns: Option<Vec<String>>,
    pub base: Option<ResultBase>,
    /// Nothing is compared.
    pub no_base: bool,
    /// Values of the first dimension whose runs are left out.
    pub left_out: Vec<String>,
}

impl ResultSet {
    /// Within bounds, with a value for each dimension: tables of a snapshot may be anything.
    pub fn bounded(mut self) -> ResultSet {
        self.tables.truncate(MAX_TABLES);
        for table in &mut self.tables {
            table.runs.truncate(MAX_RUNS);
            for run in &mut table.runs {
                run.values.resize(table.dimensions.len(), String::new());
                run.figures.retain(|figure| figure.value.is_finite());
            }
        }
        self
    }

    /// With one table laid out as chosen.
    pub fn laid_out(mut self, layout: &ResultLayout) -> ResultSet {
        if let Some(table) = self.tables.get_mut(layout.table) {
            *table = table.laid_out(layout);
        }
        self
    }
}

impl ResultTable {
    /// Names of dimensions by their keys.
    pub fn named(&self, keys: &[String]) -> Vec<&str> {
        keys.iter()
            .filter_map(|key| self.dimensions.iter().find(|d| d.key == *key))
            .map(|d| d.name.as_str())
            .collect()
    }

    /// Places of dimensions by their keys.
    pub fn places(&self, keys: &[String]) -> Vec<usize> {
        keys.iter()
            .filter_map(|key| self.dimensions.iter().position(|d| d.key == *key))
            .collect()
    }

    /// The runs that are in cells, with their places.
    pub fn compared_runs(&self) -> impl Iterator<Item = (usize, &ResultRun)> {
        self.runs.iter().enumerate().filter(|(_, run)| {
            let first = run.values.first();
            !first.is_some_and(|value| self.left_out.contains(value))
        })
    }

    fn laid_out(&self, choice: &ResultLayout) -> ResultTable {
        let mut table = self.clone();
        let existing = |keys: &Option<Vec<String>>| -> Vec<String> {
            let keys = keys
                .iter()
                .flatten()
                .filter(|key| self.dimensions.iter().any(|d| d.key == **key));
            keys.cloned().collect()
        };
        let (rows, columns) = (existing(&choice.rows), existing(&choice.columns));
        let named = |keys: &Option<Vec<String>>| keys.as_ref().is_some_and(|keys| !keys.is_empty());
        let foreign = rows.is_empty()
            && columns.is_empty()
            && (named(&choice.rows) || named(&choice.columns));
        // Dimensions that the table does not have were chosen for another one.
        if (choice.rows.is_some() || choice.columns.is_some()) && !foreign {
            table.columns = columns
                .into_iter()
                .filter(|key| !rows.contains(key))
                .collect();
            table.rows = rows;
        }
        table.left_out.clone_from(&choice.left_out);
        let lines = |axis: ResultAxis| {
            let places = table.places(if axis == ResultAxis::Row {
                &table.rows
            } else {
                &table.columns
            });
            let line = |run: &ResultRun| {
                places
                    .iter()
                    .map(|&i| run.values[i].as_str())
                    .collect::<Vec<_>>()
                    .join(JOINT)
            };
            let mut all: Vec<String> = Vec::new();
            for line in table.compared_runs().map(|(_, run)| line(run)) {
                if !all.contains(&line) {
                    all.push(line);
                }
            }
            all
        };
        let has = |base: &&ResultBase| lines(base.axis).contains(&base.key);
        let guess = |axis: ResultAxis| {
            let names = lines(axis);
            let keys = if axis == ResultAxis::Row {
                &table.rows
            } else {
                &table.columns
            };
            let oldest = || {
                names
                    .iter()
                    .filter(|line| !line.is_empty())
                    .min_by_key(|line| version(line))
                    .cloned()
            };
            let first = if keys.as_slice() == ["kernel"] {
                oldest()
            } else {
                None
            }
            .or_else(|| names.first().cloned());
            first
                .filter(|_| names.len() > 1)
                .map(|key| ResultBase { axis, key })
        };
        let previous = || {
            self.base
                .as_ref()
                .filter(|_| (&table.rows, &table.columns) == (&self.rows, &self.columns))
                .filter(has)
                .cloned()
        };
        table.base = if choice.no_base {
            None
        } else {
            let chosen = choice.base.as_ref().filter(has).cloned();
            chosen
                .or_else(previous)
                .or_else(|| guess(ResultAxis::Row))
                .or_else(|| guess(ResultAxis::Column))
        };
        table
    }
}

/// The dimension that is compared is alone on one axis: as rows, as bug reports print it, or where
/// the others have many values as columns. `compared`: whether the first dimension is one of sides.
pub fn layout(
    dimensions: &[ResultDimension],
    runs: &[ResultRun],
    compared: bool,
) -> (Vec<String>, Vec<String>, Option<ResultBase>) {
    let keys: Vec<String> = dimensions
        .iter()
        .map(|dimension| dimension.key.clone())
        .collect();
    let Some((first, rest)) = keys.split_first() else {
        return (Vec::new(), Vec::new(), None);
    };
    if !compared {
        return (keys, Vec::new(), None);
    }
    let others: BTreeSet<&[String]> = set_of(runs.iter().map(|run| &run.values[1..]));
    let mut values: Vec<&str> = Vec::new();
    for run in runs {
        if !values.contains(&run.values[0].as_str()) {
            values.push(&run.values[0]);
        }
    }
    // Kernels are compared with the oldest one, what was changed with what was not, and all others
    // with the first one.
    let mut named = values.iter().copied().filter(|value| !value.is_empty());
    let base = if first == "kernel" {
        named.min_by_key(|value| (version(value), labels::is_changed(value), *value))
    } else {
        let begin = named
            .clone()
            .next()
            .filter(|value| labels::is_changed(value));
        let is_original = |begin: &str, value: &str| {
            labels::is_original(value) || begin.len() > value.len() && begin.contains(value)
        };
        let original = begin.and_then(|begin| named.find(|value| is_original(begin, value)));
        original.or_else(|| values.iter().copied().find(|value| !value.is_empty()))
    };
    let key = base.unwrap_or("").to_owned();
    let mut rest = rest.to_vec();
    // The longest text last: names of rows are cut where there is no room.
    rest.sort_short_by_key(|key| key == "setup");
    if others.len() > MAX_COLUMNS && values.len() <= MAX_COLUMNS {
        (
            rest,
            vec![first.clone()],
            Some(ResultBase {
                axis: ResultAxis::Column,
                key,
            }),
        )
    } else {
        (
            vec![first.clone()],
            rest,
            Some(ResultBase {
                axis: ResultAxis::Row,
                key,
            }),
        )
    }
}

/// Numbers of the release in a label, to sort by: `v5.10`, `Kernel 6.1`, `2.6.38-rc2`. A release
/// candidate comes before its release.
fn version(label: &str) -> (Vec<u64>, u8, u64) {
    let word = label
        .split_whitespace()
        .find(|word| word.contains('.') && word.contains(|c: char| c.is_ascii_digit()))
        .unwrap_or(label);
    let release = word.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = release
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(release.len());
    let numbers = release[..end]
        .split('.')
        .map(|number| number.parse().unwrap_or(0))
        .collect();
    let candidate = release[end..].trim_start_matches('-').strip_prefix("rc");
    let digits = candidate.map_or(0, |rest| {
        rest.bytes().take_while(u8::is_ascii_digit).count()
    });
    let number = candidate
        .and_then(|rest| rest[..digits].parse().ok())
        .unwrap_or(0);
    (numbers, u8::from(candidate.is_none()), number)
}

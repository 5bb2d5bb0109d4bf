//! The cells of a table as it is laid out, and which of them are compared.

use super::layout::JOINT;
use super::table::{ResultAxis, ResultRun, ResultTable};
use crate::labels::is_kernel_form;
use seekscope_trace::sorting::{SortShort, map_of};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Cells of a matrix; larger ones are listed as runs only.
const MAX_CELLS: usize = 20_000;

/// Rows, columns and cells of a table.
#[derive(Clone, Debug, Default, Serialize)]
#[doc(alias = "ResultArrangement")]
pub struct Arrangement {
    /// Values of the rows' dimensions, row by row.
    pub row_values: Vec<Vec<String>>,
    pub column_values: Vec<Vec<String>>,
    /// Runs of each cell, row by row.
    pub cells: Vec<Vec<usize>>,
    /// Cells that are compared: base, other.
    pub pairs: Vec<(usize, usize)>,
    /// The lines that are compared with the base, in the order of `sweeps`.
    pub lines: Vec<Vec<String>>,
    /// Of each line, indices of its pairs.
    #[serde(skip)]
    pub sweeps: Vec<Vec<usize>>,
}

impl Arrangement {
    /// The arrangement of a table by its own rows, columns and base.
    pub fn new(table: &ResultTable) -> Arrangement {
        let (down, over) = (table.places(&table.rows), table.places(&table.columns));
        let axis = |axis: ResultAxis, places: &[usize]| {
            let is_compared = table.base.as_ref().is_some_and(|base| base.axis == axis);
            let runs = table.compared_runs();
            lines(runs.map(|(_, run)| values(run, places)), is_compared)
        };
        let row_values = axis(ResultAxis::Row, &down);
        let column_values = axis(ResultAxis::Column, &over);
        let owned = |lines: &[Vec<&str>]| -> Vec<Vec<String>> {
            let words = |line: &Vec<&str>| line.iter().map(|word| (*word).to_owned()).collect();
            lines.iter().map(words).collect()
        };
        let width = column_values.len();
        if row_values.len().saturating_mul(width) > MAX_CELLS {
            return Arrangement {
                row_values: owned(&row_values),
                column_values: owned(&column_values),
                ..Arrangement::default()
            };
        }
        let (rows, columns) = (indices(&row_values), indices(&column_values));
        let mut cells = vec![Vec::new(); row_values.len() * width];
        for (index, run) in table.compared_runs() {
            let (row, column) = (rows[&values(run, &down)], columns[&values(run, &over)]);
            cells[row * width + column].push(index);
        }
        let mut arranged = Arrangement {
            row_values: owned(&row_values),
            column_values: owned(&column_values),
            cells,
            ..Arrangement::default()
        };
        arranged.compare(table);
        arranged
    }

    fn compare(&mut self, table: &ResultTable) {
        let Some(base) = &table.base else { return };
        let width = self.column_values.len();
        let by_row = base.axis == ResultAxis::Row;
        let (lines, across) = if by_row {
            (&self.row_values, width)
        } else {
            (&self.column_values, self.row_values.len())
        };
        let cell = |line: usize, other: usize| {
            if by_row {
                line * width + other
            } else {
                other * width + line
            }
        };
        let Some(base_line) = lines.iter().position(|line| line.join(JOINT) == base.key) else {
            return;
        };
        for line in (0..lines.len()).filter(|line| *line != base_line) {
            self.sweeps
                .push((self.pairs.len()..self.pairs.len() + across).collect());
            self.lines.push(lines[line].clone());
            self.pairs
                .extend((0..across).map(|other| (cell(base_line, other), cell(line, other))));
        }
    }
}

/// Values of a run in the dimensions of an axis.
fn values<'a>(run: &'a ResultRun, axis: &[usize]) -> Vec<&'a str> {
    axis.iter()
        .map(|&index| run.values[index].as_str())
        .collect()
}

fn indices<'a>(lines: &[Vec<&'a str>]) -> BTreeMap<Vec<&'a str>, usize> {
    let pairs = lines.iter().enumerate();
    map_of(pairs.map(|(index, line)| (line.clone(), index)))
}

/// Each line once: numbers by size, words in their order. What is compared may be releases, and
/// 5.4 is before 5.15.
fn lines<'a>(all: impl Iterator<Item = Vec<&'a str>>, are_compared: bool) -> Vec<Vec<&'a str>> {
    let mut seen: BTreeSet<Vec<&str>> = BTreeSet::new();
    let mut found: Vec<Vec<&str>> = all.filter(|line| seen.insert(line.clone())).collect();
    let number = |line: &[&str]| match line {
        [value] if are_compared && is_kernel_form(value) => None,
        [value] => value.parse::<f64>().ok(),
        _ => None,
    };
    if found.iter().all(|line| number(line).is_some()) {
        found.sort_short_by(|a, b| {
            number(a)
                .unwrap_or(0.0)
                .total_cmp(&number(b).unwrap_or(0.0))
        });
    }
    found
}

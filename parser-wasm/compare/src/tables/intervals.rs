//! Averages of intervals in a matrix of results: fio's averaged logs, reports of iostat, vmstat and
//! sar. A cell shows all of them, and is judged as the measurements that they are of.

use super::matrix::{MatrixAnswer, MatrixQuery, matrix};
use crate::runs::run::ComparedRun;
use seekscope_notes::BenchFigure;
use seekscope_notes::results::{Arrangement, ResultRun, ResultTable};
use std::collections::BTreeMap;

/// Replaces the verdicts between cells of intervals by those between their measurements. Intervals
/// of one measurement follow each other: how far they are apart does not say what two measurements
/// differ by, and with hundreds of them every difference would be significant.
pub fn judge_measurements(
    table: &ResultTable,
    arrangement: &Arrangement,
    answer: &mut MatrixAnswer,
) {
    let mut query = MatrixQuery {
        pairs: arrangement.pairs.clone(),
        sweeps: arrangement.sweeps.clone(),
        ..MatrixQuery::default()
    };
    for cell in &arrangement.cells {
        let mut places = Vec::new();
        for runs in measurements(table, cell) {
            places.push(query.runs.len());
            query.runs.push(ComparedRun {
                bench: means(&runs),
                ..ComparedRun::default()
            });
        }
        query.cells.push(places);
    }
    let mut judged = matrix(&query).figures;
    for figure in &mut answer.figures {
        if let Some(other) = judged.iter_mut().find(|other| other.key == figure.key) {
            figure.changes = std::mem::take(&mut other.changes);
            figure.thresholds = std::mem::take(&mut other.thresholds);
            figure.sweeps = std::mem::take(&mut other.sweeps);
        }
    }
}

/// The runs of each measurement of a cell: another one begins where a file has an interval again.
fn measurements<'a>(table: &'a ResultTable, cell: &[usize]) -> Vec<Vec<&'a ResultRun>> {
    let mut found: Vec<Vec<&ResultRun>> = Vec::new();
    let mut count: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
    let mut places: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    for run in cell.iter().map(|&index| &table.runs[index]) {
        let number = count
            .entry((run.file.as_str(), run.repeat.as_deref()))
            .or_default();
        let place = *places
            .entry((run.file.as_str(), *number))
            .or_insert_with(|| {
                found.push(Vec::new());
                found.len() - 1
            });
        *number += 1;
        found[place].push(run);
    }
    found
}

/// Each figure, with its mean over the runs that have it.
fn means(runs: &[&ResultRun]) -> Vec<BenchFigure> {
    let mut found: Vec<(BenchFigure, usize)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for figure in runs.iter().flat_map(|run| &run.figures) {
        let place = *places.entry(&figure.key).or_insert_with(|| {
            let value = 0.0;
            found.push((
                BenchFigure {
                    value,
                    deviation: None,
                    ..figure.clone()
                },
                0,
            ));
            found.len() - 1
        });
        found[place].0.value += figure.value;
        found[place].1 += 1;
    }
    found
        .into_iter()
        .map(|(figure, count)| BenchFigure {
            value: figure.value / count as f64,
            ..figure
        })
        .collect()
}

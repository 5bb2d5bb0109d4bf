//! What benchmarks measured, in the form of the figures that are measured on a trace.

use crate::pair::{Judging, MetricDifference, judged};
use crate::runs::run::ComparedRun;
use rustc_hash::FxHashMap;
use seekscope_notes::{BenchFigure, BenchUnit, Good};

/// A figure that the benchmark of at least one run has.
pub struct BenchColumn {
    pub(crate) key: String,
    pub(crate) label: String,
    pub(crate) unit: BenchUnit,
    pub(crate) good: Option<Good>,
    /// Values, one per run.
    pub(crate) values: Vec<Option<f64>>,
    /// Standard deviations that texts print beside the values, one per run.
    pub(super) deviations: Vec<Option<f64>>,
}

/// The figures of all benchmarks, in the order in which runs have them. Where runs name one figure
/// differently, the longest label is used: it is the most specific.
pub fn columns(runs: &[ComparedRun]) -> Vec<BenchColumn> {
    let mut first: Vec<&BenchFigure> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for figure in runs.iter().flat_map(|run| &run.bench) {
        let place = *places.entry(&figure.key).or_insert(first.len());
        match first.get_mut(place) {
            Some(other) if other.label.len() < figure.label.len() => *other = figure,
            Some(_) => {}
            None => first.push(figure),
        }
    }
    let mut columns: Vec<BenchColumn> = first
        .into_iter()
        .map(|figure| BenchColumn {
            key: figure.key.clone(),
            label: figure.label.clone(),
            unit: figure.unit,
            good: figure.good,
            values: vec![None; runs.len()],
            deviations: vec![None; runs.len()],
        })
        .collect();
    for (index, run) in runs.iter().enumerate() {
        for figure in &run.bench {
            let column = &mut columns[places[figure.key.as_str()]];
            // The first one counts, and only in the unit of the column.
            if column.unit == figure.unit && column.values[index].is_none() {
                column.values[index] = Some(figure.value);
                column.deviations[index] = figure.deviation;
            }
        }
    }
    columns
}

impl BenchColumn {
    /// The values of those of `runs` that have one.
    pub fn values_in(&self, runs: &[usize]) -> Vec<f64> {
        runs.iter()
            .filter_map(|&run| self.values.get(run).copied().flatten())
            .collect()
    }

    /// The printed deviation of a single run; absent for several, which have a deviation between
    /// them.
    pub fn deviation(&self, runs: &[usize]) -> Option<f64> {
        match runs {
            [run] => self.deviations.get(*run).copied().flatten(),
            _ => None,
        }
    }

    /// Compares two groups of runs by the rules of all figures; single runs have no interval.
    pub fn compared(&self, a: &[usize], b: &[usize]) -> MetricDifference {
        judged(
            &self.values_in(a),
            &self.values_in(b),
            Judging {
                good: self.good,
                unreliable: false,
            },
        )
    }
}

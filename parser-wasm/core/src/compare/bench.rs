//! What benchmarks measured, in the form of the figures that are measured on a trace.

use super::pair::{Judging, MetricDifference, judged};
use super::run::ComparedRun;
use crate::notes::{BenchFigure, Good};

/// A figure that the benchmark of at least one run has.
pub struct BenchColumn {
    pub(super) key: String,
    pub(super) label: String,
    pub(super) unit: String,
    pub(super) good: Option<Good>,
    /// One per run.
    pub(super) values: Vec<Option<f64>>,
    /// Standard deviations that texts print beside the values, one per run.
    pub(super) deviations: Vec<Option<f64>>,
}

/// In the order in which runs have them. Where runs call one figure differently, the longest label
/// is the most specific.
pub fn columns(runs: &[ComparedRun]) -> Vec<BenchColumn> {
    let mut first: Vec<&BenchFigure> = Vec::new();
    for figure in runs.iter().flat_map(|run| &run.bench) {
        match first.iter_mut().find(|known| known.key == figure.key) {
            Some(known) if known.label.len() < figure.label.len() => *known = figure,
            Some(_) => {}
            None => first.push(figure),
        }
    }
    fn own<'a>(run: &'a ComparedRun, of: &BenchFigure) -> Option<&'a BenchFigure> {
        run.bench
            .iter()
            .find(|f| f.key == of.key && f.unit == of.unit)
    }
    let column = |of: &BenchFigure| BenchColumn {
        key: of.key.clone(),
        label: of.label.clone(),
        unit: of.unit.clone(),
        good: of.good,
        values: runs
            .iter()
            .map(|run| own(run, of).map(|f| f.value))
            .collect(),
        deviations: runs.iter().map(|run| own(run, of)?.deviation).collect(),
    };
    first.into_iter().map(column).collect()
}

impl BenchColumn {
    /// Values of the runs that have it.
    pub fn of(&self, runs: &[usize]) -> Vec<f64> {
        runs.iter()
            .filter_map(|&at| self.values.get(at).copied().flatten())
            .collect()
    }

    /// Of the only run of a cell: several runs have a deviation of their own.
    pub fn deviation(&self, runs: &[usize]) -> Option<f64> {
        match runs {
            [run] => self.deviations.get(*run).copied().flatten(),
            _ => None,
        }
    }

    /// By the rules of all figures: single runs of a benchmark have no interval.
    pub fn compared(&self, a: &[usize], b: &[usize]) -> MetricDifference {
        judged(
            &self.of(a),
            &self.of(b),
            Judging {
                good: self.good,
                unreliable: false,
            },
        )
    }
}

//! All figures of runs in the cells of a matrix: means and spread of each cell, and verdicts
//! between cells by the rules of the table of differences. Digests come with the errors of their
//! figures, so nothing is resampled here and 20 runs are compared in milliseconds.

use super::bench;
use super::headline::{Beside, FigureSection, Placed, placed};
use super::sweep::{SweepTest, sweep};
use super::written::Notation;
use crate::document::{FigureUnit, RatioInterval, absent, is_spare, values};
use crate::links::stored::{StoredInterval, closed};
use crate::metric;
use crate::metric::Metric;
use crate::pair;
use crate::pair::{Judging, MetricDifference, Verdict};
use crate::runs::run::{ComparedRun, ComparisonSide};
use crate::statistics::noise::{NoiseTable, least_change_of_numbers};
use seekscope_notes::Good;
use seekscope_statistics::sample::deviation;
use seekscope_trace::sorting::SortShort;
use serde::{Deserialize, Serialize};

/// The query for a matrix.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct MatrixQuery {
    /// Groups of runs are ignored: cells take their place.
    pub runs: Vec<ComparedRun>,
    /// Indices of the runs of each cell; a cell may be empty.
    pub cells: Vec<Vec<usize>>,
    /// Pairs of cells to compare: base and other.
    pub pairs: Vec<(usize, usize)>,
    /// Cells of each column, whose extremes are marked.
    pub columns: Vec<Vec<usize>>,
    /// Pairs that belong together: the matched cells of two lines.
    #[serde(default)]
    pub sweeps: Vec<Vec<usize>>,
    /// Comparisons that a snapshot holds. Its digests may lack the errors of figures.
    #[serde(default)]
    pub known: Vec<KnownComparison>,
    /// What repeats differ by on the machine of the runs. Absent: the table that comes with the
    /// engine.
    #[serde(default)]
    pub noise: Option<NoiseTable>,
}

/// A comparison made when the snapshot was taken.
#[derive(Clone, Debug, Deserialize)]
pub struct KnownComparison {
    /// Runs of the baseline, as places among the runs of the query.
    pub base: Vec<usize>,
    /// Runs of the other side.
    pub other: Vec<usize>,
    pub figures: Vec<KnownFigure>,
}

/// What a stored comparison has of a figure.
#[derive(Clone, Debug, Deserialize)]
pub struct KnownFigure {
    key: String,
    #[serde(default)]
    ratio: Option<f64>,
    #[serde(default)]
    ci95: Option<StoredInterval>,
    real: bool,
    #[serde(default)]
    verdict: Option<Verdict>,
}

/// All figures that at least one run has.
#[derive(Clone, Debug, Serialize)]
pub struct MatrixAnswer {
    /// Figures of benchmarks in the order of `headline`, then metrics in the order of their table.
    pub figures: Vec<MatrixFigure>,
}

/// A figure of all runs and cells.
#[derive(Clone, Debug, Serialize)]
pub struct MatrixFigure {
    pub(crate) key: String,
    pub(crate) label: String,
    pub(crate) unit: FigureUnit,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) good: Option<Good>,
    /// Whether a benchmark measured it, and not the trace.
    pub(crate) application: bool,
    /// For a figure of a benchmark: the section of a table in which it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) section: Option<FigureSection>,
    /// For a mean: the figures with its spread within a run.
    #[serde(skip_serializing_if = "Beside::is_empty")]
    pub(crate) beside: Beside,
    /// Unit and decimals in which its cells are written.
    pub(super) notation: Notation,
    /// Values, one per run; `None` where the figure does not apply.
    pub(crate) values: Vec<Option<f64>>,
    /// Indices of runs in which lost events make it unreliable.
    pub(crate) unreliable: Vec<usize>,
    /// Why each run lacks it; absent where no run lacks it because of what was recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) absent: Vec<Option<String>>,
    /// Means and spread, one per cell.
    pub cells: Vec<CellFigure>,
    /// Changes, one per pair; `None` where one of the cells lacks the figure.
    pub(crate) changes: Vec<Option<CellChange>>,
    /// Minimum significant change of each pair: a share of the value, but a difference for shares.
    pub(crate) thresholds: Vec<f64>,
    /// Tests, one per sweep; `None` where fewer than two of its pairs have the figure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) sweeps: Vec<Option<SweepTest>>,
}

/// A figure of a cell, in the unit of the figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CellFigure {
    /// Number of runs that have the figure.
    pub n: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Spread between the runs; absent for fewer than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spread: Option<CellSpread>,
    /// For a single run: the standard deviation that its text prints beside the value. It is that
    /// of an unknown number of values, so it decides no verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) printed_sd: Option<f64>,
    pub(crate) unreliable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mark: Option<Extreme>,
}

/// Minimum, maximum and standard deviation between the runs of a cell, in the unit of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CellSpread {
    least: f64,
    most: f64,
    sd: f64,
}

/// The end of a column at which a cell is. Columns whose ends do not differ significantly have
/// none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Extreme {
    Best,
    Worst,
    /// The largest value, where neither direction is better.
    Most,
    /// The smallest value, where neither direction is better.
    Least,
}

/// The change of a cell against its base.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellChange {
    pub(crate) verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ci95: Option<RatioInterval>,
}

/// Answers [`MatrixQuery`].
pub fn matrix(query: &MatrixQuery) -> MatrixAnswer {
    let sides: Vec<Option<ComparisonSide>> = query
        .cells
        .iter()
        .map(|cell| ComparisonSide::from_runs(String::new(), cell, &query.runs))
        .collect();
    let results = placed(bench::columns(&query.runs)).into_iter();
    let results = results.map(|placed| result_figure(query, placed));
    let measured = metric::all();
    let measured = measured
        .iter()
        .filter_map(|metric| measured_figure(query, &sides, metric));
    MatrixAnswer {
        figures: results.chain(measured).collect(),
    }
}

/// The row of a result of the application.
fn result_figure(query: &MatrixQuery, placed: Placed) -> MatrixFigure {
    let Placed {
        column,
        section,
        beside,
    } = placed;
    let size = |cell: usize| query.cells.get(cell).map_or(0, Vec::len);
    let cell = |runs: &Vec<usize>| CellFigure {
        printed_sd: column.deviation(runs),
        ..CellFigure::new(&column.values_in(runs), false)
    };
    let empty = Vec::new();
    let compared = |a: usize, b: usize| {
        let runs = |cell: usize| query.cells.get(cell).unwrap_or(&empty);
        column.compared(runs(a), runs(b))
    };
    let mut cells: Vec<CellFigure> = query.cells.iter().map(cell).collect();
    mark(&mut cells, &query.columns, column.good, compared);
    let changes = query
        .pairs
        .iter()
        .map(|&(a, b)| CellChange::new(compared(a, b)))
        .collect();
    MatrixFigure {
        key: column.key.clone(),
        label: column.label.clone(),
        unit: FigureUnit::Benchmark(column.unit),
        good: column.good,
        application: true,
        section: Some(section),
        beside,
        notation: notation(column.unit.name(), &cells),
        values: column.values.clone(),
        unreliable: Vec::new(),
        absent: Vec::new(),
        sweeps: sweeps(query, &cells, column.good),
        cells,
        changes,
        thresholds: query
            .pairs
            .iter()
            .map(|&(a, b)| least_change_of_numbers(size(a) > 1 && size(b) > 1))
            .collect(),
    }
}

/// The row of a measured figure, unless no run has it.
fn measured_figure(
    query: &MatrixQuery,
    sides: &[Option<ComparisonSide>],
    metric: &Metric,
) -> Option<MatrixFigure> {
    let runs = &query.runs;
    let values = values(runs, &metric.key);
    if values.iter().all(Option::is_none) || is_spare(runs, metric) {
        return None;
    }
    let side = |cell: usize| sides.get(cell).and_then(Option::as_ref);
    let noise = query.noise.as_ref().unwrap_or(NoiseTable::measured());
    let cell = |side: &Option<ComparisonSide>| {
        side.as_ref().map_or_else(CellFigure::default, |side| {
            CellFigure::new(&side.values(&metric.key), side.unreliable(&metric.key))
        })
    };
    let compared = |a: usize, b: usize| match (side(a), side(b)) {
        (Some(a), Some(b)) => {
            stored(query, a, b, metric).unwrap_or_else(|| pair::compared(a, b, metric, noise))
        }
        _ => MetricDifference::default(),
    };
    let mut cells: Vec<CellFigure> = sides.iter().map(cell).collect();
    mark(&mut cells, &query.columns, metric.good, compared);
    let unreliable = |&run: &usize| {
        runs[run]
            .main()
            .is_some_and(|device| device.unreliable(&metric.key))
    };
    Some(MatrixFigure {
        key: metric.key.clone(),
        label: metric.label.clone(),
        unit: FigureUnit::Trace(metric.unit),
        good: metric.good,
        application: false,
        section: None,
        beside: Beside::default(),
        notation: notation(metric.unit.code(), &cells),
        values,
        unreliable: (0..runs.len()).filter(unreliable).collect(),
        absent: absent(runs, &metric.key),
        sweeps: sweeps(query, &cells, metric.good),
        cells,
        changes: query
            .pairs
            .iter()
            .map(|&(a, b)| CellChange::new(compared(a, b)))
            .collect(),
        thresholds: query
            .pairs
            .iter()
            .map(|&(a, b)| Some(noise.least_change(metric, side(a)?, side(b)?)))
            .map(Option::unwrap_or_default)
            .collect(),
    })
}

/// The notation of the means of all cells.
fn notation(unit: &str, cells: &[CellFigure]) -> Notation {
    let means: Vec<f64> = cells.iter().filter_map(|cell| cell.mean).collect();
    Notation::new(unit, &means)
}

/// The test of each sweep, without cells that lost events make unreliable.
fn sweeps(query: &MatrixQuery, cells: &[CellFigure], good: Option<Good>) -> Vec<Option<SweepTest>> {
    let mean = |index: usize| {
        cells
            .get(index)
            .filter(|cell| !cell.unreliable)
            .and_then(|cell| cell.mean)
    };
    let pair = |index: &usize| {
        let (a, b) = query.pairs.get(*index)?;
        Some((mean(*a)?, mean(*b)?))
    };
    query
        .sweeps
        .iter()
        .map(|pairs| sweep(&pairs.iter().filter_map(pair).collect::<Vec<_>>(), good))
        .collect()
}

/// The difference of a metric from a comparison in the snapshot, in either direction: the digests
/// may have no errors to compare by. Absent where the snapshot compares other runs.
fn stored(
    query: &MatrixQuery,
    a: &ComparisonSide,
    b: &ComparisonSide,
    metric: &Metric,
) -> Option<MetricDifference> {
    let forward = query
        .known
        .iter()
        .find(|k| k.base == a.runs && k.other == b.runs)
        .map(|k| (k, false));
    let (held, inverse) = forward.or_else(|| {
        query
            .known
            .iter()
            .find(|k| k.base == b.runs && k.other == a.runs)
            .map(|k| (k, true))
    })?;
    let figure = held
        .figures
        .iter()
        .find(|figure| figure.key == metric.key)?;
    let ratio = if inverse {
        figure.ratio.filter(|r| *r != 0.0).map(|r| 1.0 / r)
    } else {
        figure.ratio
    };
    let interval = figure.ci95.map(closed);
    let interval = if inverse {
        interval.map(|(low, high)| (1.0 / high, 1.0 / low))
    } else {
        interval
    };
    let (a_value, b_value) = (a.value(&metric.key), b.value(&metric.key));
    let difference = MetricDifference {
        a: a_value,
        b: b_value,
        ratio,
        interval,
        real: figure.real,
        p: None,
        verdict: None,
        leans: false,
    };
    let unreliable = a.unreliable(&metric.key) || b.unreliable(&metric.key);
    let judging = Judging {
        good: metric.good,
        unreliable,
    };
    let unsure = figure.verdict == Some(Verdict::Unsure);
    Some(MetricDifference {
        // That a total is shown to be equal does not follow from its values.
        verdict: figure
            .verdict
            .filter(|verdict| *verdict == Verdict::Equal)
            .or_else(|| pair::verdict(&difference, unsure, judging)),
        ..difference
    })
}

impl CellFigure {
    /// Standard deviation between its runs.
    pub fn deviation(&self) -> Option<f64> {
        self.spread.map(|spread| spread.sd)
    }

    fn new(values: &[f64], unreliable: bool) -> CellFigure {
        let n = values.len();
        if n == 0 {
            return CellFigure::default();
        }
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let spread = deviation(values).map(|sd| CellSpread {
            least: lowest,
            most: highest,
            sd,
        });
        CellFigure {
            n,
            mean: Some(values.iter().sum::<f64>() / n as f64),
            spread,
            printed_sd: None,
            unreliable,
            mark: None,
        }
    }
}

impl CellChange {
    fn new(difference: MetricDifference) -> Option<CellChange> {
        let MetricDifference {
            ratio,
            interval,
            verdict,
            ..
        } = difference;
        Some(CellChange {
            verdict: verdict?,
            ratio,
            ci95: interval,
        })
    }
}

/// Marks the cells with the largest and the smallest value of each column, if these two differ
/// significantly.
fn mark(
    cells: &mut [CellFigure],
    columns: &[Vec<usize>],
    good: Option<Good>,
    compared: impl Fn(usize, usize) -> MetricDifference,
) {
    let (low, high) = match good {
        None => (Extreme::Least, Extreme::Most),
        Some(Good::More) => (Extreme::Worst, Extreme::Best),
        Some(Good::Less) => (Extreme::Best, Extreme::Worst),
    };
    for column in columns {
        let value = |cell: usize| {
            cells
                .get(cell)
                .filter(|cell| !cell.unreliable)
                .and_then(|cell| cell.mean)
        };
        let mut ordered: Vec<(usize, f64)> = column
            .iter()
            .filter_map(|&cell| Some((cell, value(cell)?)))
            .collect();
        ordered.sort_short_by(|x, y| x.1.total_cmp(&y.1));
        let (Some(&(lowest, from)), Some(&(highest, to))) = (ordered.first(), ordered.last())
        else {
            continue;
        };
        if from == to || !compared(lowest, highest).real {
            continue;
        }
        for (cell, value) in ordered {
            cells[cell].mark = if value == from {
                Some(low)
            } else if value == to {
                Some(high)
            } else {
                None
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::digest::{DeviceDigest, Digest, EventLoss};
    use crate::{CompareQuery, compare};
    use serde_json::json;

    fn run(iops: f64, loss: Option<EventLoss>) -> ComparedRun {
        let figures = [
            ("iops", iops),
            ("span", 1e9 / iops),
            ("flush.flush", iops.floor()),
        ];
        // Steady: one bin differs from the next by a hundredth.
        let sums = ["iops", "span"].map(|key| {
            (
                key.to_owned(),
                (0..30)
                    .map(|i| (iops + f64::from(i % 2) * iops / 100.0, 1.0))
                    .collect(),
            )
        });
        let mut device = DeviceDigest {
            dev: "8,0".to_owned(),
            role: seekscope_trace::store::Role::Disk,
            figures: figures.map(|(key, value)| (key.to_owned(), value)).into(),
            loss,
            ..DeviceDigest::default()
        };
        device.bins.sums = sums.into();
        ComparedRun {
            label: iops.to_string(),
            trace: Digest {
                devices: vec![device],
                ..Digest::default()
            },
            ..ComparedRun::default()
        }
    }

    fn iops(answer: &MatrixAnswer) -> &MatrixFigure {
        answer
            .figures
            .iter()
            .find(|figure| figure.key == "iops")
            .unwrap()
    }

    #[test]
    fn cells_have_means_spread_verdicts_and_marks() {
        let runs = vec![
            run(100.0, None),
            run(110.0, None),
            run(200.0, None),
            run(150.0, Some(EventLoss::Within)),
        ];
        let query = MatrixQuery {
            noise: None,
            runs,
            cells: vec![vec![0, 1], vec![2], vec![3], vec![]],
            pairs: vec![(0, 1), (1, 0), (0, 2), (0, 3)],
            columns: vec![vec![0, 1, 2, 3]],
            known: vec![],
            sweeps: vec![],
        };
        let answer = matrix(&query);
        let figure = iops(&answer);
        assert_eq!((figure.cells[0].n, figure.cells[0].mean), (2, Some(105.0)));
        assert_eq!(figure.cells[3], CellFigure::default());
        let verdicts: Vec<_> = figure
            .changes
            .iter()
            .map(|c| c.as_ref().map(|c| c.verdict))
            .collect();
        assert_eq!(
            verdicts,
            [
                Some(Verdict::Better),
                Some(Verdict::Worse),
                Some(Verdict::Unreliable),
                None
            ]
        );
        let marks: Vec<_> = figure.cells.iter().map(|cell| cell.mark).collect();
        assert_eq!(
            marks,
            [Some(Extreme::Worst), Some(Extreme::Best), None, None]
        );
        assert_eq!(
            (figure.unreliable.as_slice(), figure.thresholds[0]),
            (&[3][..], least_change_of_numbers(true))
        );
        let span = answer.figures.iter().find(|f| f.key == "span").unwrap();
        assert!(span.unreliable.is_empty(), "run time holds");
    }

    #[test]
    fn cells_of_noise_have_no_mark() {
        let query = MatrixQuery {
            noise: None,
            runs: vec![run(100.0, None), run(110.0, None)],
            cells: vec![vec![0], vec![1]],
            columns: vec![vec![0, 1]],
            pairs: vec![(0, 1)],
            known: vec![],
            sweeps: vec![],
        };
        let answer = matrix(&query);
        assert!(iops(&answer).cells.iter().all(|cell| cell.mark.is_none()));
        assert_eq!(
            iops(&answer).changes[0].as_ref().unwrap().verdict,
            Verdict::Noise
        );
    }

    #[test]
    fn a_snapshot_without_errors_keeps_the_verdicts_of_its_comparison() {
        let mut runs = vec![run(100.0, None), run(200.0, None)];
        let document = serde_json::to_value(compare(&CompareQuery {
            runs: runs.clone(),
            ..CompareQuery::default()
        }))
        .unwrap();
        runs.iter_mut()
            .for_each(|run| run.trace.devices[0].bins = Default::default());
        let mut query = MatrixQuery {
            runs,
            cells: vec![vec![0], vec![1]],
            pairs: vec![(0, 1), (1, 0)],
            ..MatrixQuery::default()
        };
        let verdicts = |query: &MatrixQuery| -> Vec<Verdict> {
            iops(&matrix(query))
                .changes
                .iter()
                .flatten()
                .map(|change| change.verdict)
                .collect()
        };
        assert_eq!(verdicts(&query), [Verdict::Unsure, Verdict::Unsure]);
        let figures = serde_json::from_value(document["figures"].clone()).unwrap();
        query.known = vec![KnownComparison {
            base: vec![0],
            other: vec![1],
            figures,
        }];
        assert_eq!(verdicts(&query), [Verdict::Better, Verdict::Worse]);
        // JSON has no infinity: the upper end of an open interval is null.
        let open = json!([{ "key": "iops", "ratio": 2.0, "ci95": [1.5, null], "real": true, "verdict": "better" }]);
        query.known[0].figures = serde_json::from_value(open).unwrap();
        let intervals: Vec<_> = iops(&matrix(&query))
            .changes
            .iter()
            .flatten()
            .map(|change| change.ci95)
            .collect();
        assert_eq!(
            intervals,
            [Some((1.5, f64::INFINITY)), Some((0.0, 1.0 / 1.5))]
        );
    }
}

//! The document of `compare --json`: names and units are fixed, what does not apply is absent
//! (`null` in a list of values).
//!
//! This file puts together what the others decide and judges nothing itself. Its fields are a
//! public format: scripts read them, snapshots store them, and `links` leaves out those that follow
//! from others.

use super::alone::{self, RunExplanation};
use super::findings::{self, Finding};
use super::metric::{self, Metric};
use super::pair::{LostTime, MetricDifference, Outcome, Pair, Verdict};
use super::runs::bins::FigureInterval;
use super::runs::context;
use super::runs::context::ContextRow;
use super::runs::digest::DeviceDigest;
use super::runs::run::{ComparedRun, ComparisonSide, Spread, sides};
use super::sentence::{Param, Params, Sentence};
use super::statistics::discovery::discovery_rates;
use super::statistics::equivalence::{self, Equivalence, MARGIN, MAX_RUNS, equivalence};
use super::statistics::noise::{NoiseTable, workload};
use super::tables::bench;
use super::tables::bench::BenchColumn;
use super::tables::headline::placed;
use super::wording;
use super::work::{self, SameWork};
use seekscope_notes::{BenchUnit, Good};
use seekscope_trace::protocol::OpenEnd;
use seekscope_trace::quantity::Unit;
use seekscope_trace::store::TimeWindow;
use serde::{Deserialize, Serialize};

/// The query for a comparison.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct CompareQuery {
    /// The runs, in the order of the user.
    pub runs: Vec<ComparedRun>,
    /// Index of the run with which the others are compared.
    #[serde(default)]
    pub baseline: usize,
    /// What repeats differ by on the machine of the runs. Absent: the table that comes with the
    /// engine.
    #[serde(default)]
    pub noise: Option<NoiseTable>,
}

/// The document of `compare --json`. The fields of a comparison are absent when there is only one
/// side.
#[derive(Clone, Debug, Serialize)]
pub struct CompareDocument {
    /// Version of the document.
    pub schema: u32,
    /// The runs of the query, in its order.
    pub runs: Vec<RunEntry>,
    /// The groups of runs, and the runs without a group.
    pub sides: Vec<SideEntry>,
    /// Index of the side with which the others are compared.
    pub baseline: usize,
    /// The comparison of the baseline with the first other side.
    #[serde(flatten)]
    pub first: Option<Comparison>,
    /// The comparisons of the baseline with all further sides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Comparison>,
    /// What each run shows by itself, where there is nothing to compare it with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alone: Vec<RunExplanation>,
    /// Figures that `figures` leaves out because they are 0 in all runs that have them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zero: Vec<ZeroFigure>,
    /// Means of counters of other tools, without ratio and verdict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<ContextRow>,
    /// Numbers of figures and findings that a snapshot of size XS leaves out, set in `brief`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<(usize, usize)>,
}

/// A run of the document.
#[derive(Clone, Debug, Serialize)]
pub struct RunEntry {
    pub(super) label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<String>,
    /// Name of the trace.
    pub(super) trace: String,
    /// The device that is compared; absent for a run without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) device: Option<String>,
    pub(super) events: u64,
    /// The part of the recording that was read, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) window: Option<TimeWindow>,
}

/// A group of runs, or a single run.
#[derive(Clone, Debug, Serialize)]
pub struct SideEntry {
    pub(super) label: String,
    /// Indices of its runs.
    pub(super) runs: Vec<usize>,
}

/// The baseline and one other side.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Index of the other side.
    pub side: usize,
    /// Whether both sides did the same work.
    pub work: SameWork,
    /// Which side was faster. If that is unsure, the findings say what behaves differently.
    pub outcome: Outcome,
    /// The outcome in words, with both figures, in ASCII.
    pub verdict: String,
    /// `verdict` in parts.
    pub verdict_parts: Sentence,
    /// Minimum significant change of throughput, as a share.
    pub threshold: f64,
    /// Largest change of throughput that does not matter, as a share.
    pub margin: f64,
    /// 90 % interval of the ratio of throughput, with the noise of repeats: the sides are equal if
    /// it is within the margin. Absent without throughput and run time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ci90: Option<(f64, f64)>,
    /// About how many more runs of each side would settle an unsure outcome; absent for more than
    /// 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_runs: Option<usize>,
    /// Where the time went; absent for devices without states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_ns: Option<LostTime>,
    /// Figures in the order of the table of metrics, then those of benchmarks.
    pub figures: Vec<FigureEntry>,
    /// Findings, the most important first.
    pub findings: Vec<Finding>,
}

/// 95 % interval of a ratio; its upper end is `null` where it is beyond all that was measured.
pub type RatioInterval = (f64, OpenEnd);

/// The unit of a figure.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum FigureUnit {
    /// Of what was measured in a trace.
    Trace(Unit),
    /// Of what a benchmark printed.
    Benchmark(BenchUnit),
}

impl FigureUnit {
    /// In documents.
    pub fn code(self) -> &'static str {
        match self {
            FigureUnit::Trace(unit) => unit.code(),
            FigureUnit::Benchmark(unit) => unit.name(),
        }
    }
}

/// A figure of a comparison.
#[derive(Clone, Debug, Serialize)]
#[doc(alias = "ComparedFigure")]
pub struct FigureEntry {
    pub(super) key: String,
    pub(super) label: String,
    pub(super) unit: FigureUnit,
    /// Which direction is better; absent if neither is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) good: Option<Good>,
    /// Values, one per run; `null` where the figure does not apply.
    pub(super) values: Vec<Option<f64>>,
    /// Mean and deviation of each side, where runs are grouped; `null` for a side of one run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) groups: Option<Vec<Option<Spread>>>,
    /// Value of the side divided by that of the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ci95: Option<RatioInterval>,
    /// Whether the difference is more than noise and more than the threshold.
    pub(super) real: bool,
    /// False discovery rate: if all figures that are at least as certain were called different,
    /// this share of them would be so by chance. Absent for totals and for what has no interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fdr: Option<f64>,
    /// Verdict on the side against the baseline; absent where one of them lacks the figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) verdict: Option<Verdict>,
    /// Minimum significant change: a share of the value, but a difference for shares. Present only
    /// where the difference is not significant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) least_change: Option<f64>,
    /// Indices of runs in which lost events make the figure unreliable.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unreliable: Vec<usize>,
    /// 95 % interval within each run, in the unit of the figure; without an upper end where it is
    /// open. Absent where no run has an interval.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) intervals: Vec<Option<FigureInterval>>,
    /// About how many requests the interval of each run needs; absent where no run has too few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) needs: Vec<Option<u64>>,
    /// Why each run lacks the figure; absent where no run lacks it because of what was recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) absent: Vec<Option<String>>,
    /// Whether a benchmark measured it, and not the trace.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) application: bool,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

/// A figure that is 0 in all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ZeroFigure {
    pub(super) key: String,
    pub(super) label: String,
}

/// Compares the baseline of a query with each other side; runs of a single side are explained one
/// by one.
pub fn compare(query: &CompareQuery) -> CompareDocument {
    let list = metric::all();
    let sides = sides(&query.runs);
    let baseline = sides
        .iter()
        .position(|side| side.runs.contains(&query.baseline))
        .unwrap_or(0);
    let listed = listed(&query.runs, &sides, &list);
    let mut comparisons = (0..sides.len())
        .filter(|&i| i != baseline)
        .map(|i| comparison(query, &sides, (baseline, i), &list, &listed));
    let first = comparisons.next();
    CompareDocument {
        schema: 1,
        runs: query.runs.iter().map(run_entry).collect(),
        baseline,
        first,
        more: comparisons.collect(),
        alone: if sides.len() > 1 {
            Vec::new()
        } else {
            explained(&query.runs)
        },
        zero: zero(&query.runs, &list),
        context: context::rows(&query.runs),
        left_out: None,
        sides: sides
            .iter()
            .map(|side| SideEntry {
                label: side.label.clone(),
                runs: side.runs.clone(),
            })
            .collect(),
    }
}

fn explained(runs: &[ComparedRun]) -> Vec<RunExplanation> {
    runs.iter()
        .enumerate()
        .filter_map(|(index, run)| alone::explain(run, index))
        .collect()
}

fn run_entry(run: &ComparedRun) -> RunEntry {
    RunEntry {
        label: run.label.clone(),
        group: run.group.clone(),
        trace: run.trace.name.clone(),
        device: run.main().map(|d| d.label().to_owned()),
        events: run.trace.events,
        window: run.trace.window,
    }
}

fn comparison(
    query: &CompareQuery,
    sides: &[ComparisonSide],
    (baseline, side): (usize, usize),
    list: &[Metric],
    listed: &[(&Metric, FigureEntry)],
) -> Comparison {
    let noise = query.noise.as_ref().unwrap_or(NoiseTable::measured());
    let pair = Pair::new(&sides[baseline], &sides[side], list, noise);
    let trace = |side: &ComparisonSide| &query.runs[side.runs[0]].trace;
    let work = work::other_parts(&query.runs, &pair)
        .unwrap_or_else(|| work::work(&pair, work::tasks(trace(pair.a), trace(pair.b))));
    let outcome = pair.outcome();
    let equivalence = total_equivalence(&pair, list);
    let sentence = verdict(&pair, outcome, equivalence);
    let rates = discovery_rates(&pair.figures);
    Comparison {
        side,
        outcome,
        margin: equivalence::margin(),
        ci90: equivalence.map(|found| found.interval),
        more_runs: equivalence.and_then(|found| found.more_runs.filter(|_| outcome.is_unsure())),
        verdict: sentence.ascii(),
        verdict_parts: sentence,
        threshold: threshold(&pair, list),
        lost_ns: pair.lost,
        findings: findings::findings(&query.runs, &pair, &work, list),
        work,
        figures: listed
            .iter()
            .filter_map(|(metric, entry)| {
                let compared = pair.figures.get(&metric.key)?;
                let unsettled = matches!(compared.verdict, Some(Verdict::Noise | Verdict::Unsure));
                let entry = FigureEntry {
                    fdr: rates.get(&metric.key).copied(),
                    least_change: unsettled
                        .then(|| pair.noise.least_change(metric, pair.a, pair.b)),
                    ..entry.clone()
                };
                Some(entry.with(compared))
            })
            .chain(
                placed(bench::columns(&query.runs))
                    .into_iter()
                    .map(|placed| bench_entry(placed.column, sides, &pair)),
            )
            .collect(),
    }
}

/// Minimum significant change of the figure that decides the outcome.
fn threshold(pair: &Pair, list: &[Metric]) -> f64 {
    list.iter()
        .find(|metric| metric.key == pair.total())
        .map_or(0.0, |metric| {
            pair.noise.least_change(metric, pair.a, pair.b)
        })
}

/// The sentence about the outcome.
fn verdict(pair: &Pair, outcome: Outcome, equivalence: Option<Equivalence>) -> Sentence {
    let rate = pair.throughput();
    let (unit, values) = rate.map_or(
        (Unit::Time, pair.both("span").unwrap_or_default()),
        |(_, rate)| (Unit::Rate, rate),
    );
    let key = rate.map_or("span", |(key, _)| key);
    let ratio = pair.ratio(key).unwrap_or(1.0);
    let params = Params::of_sides([("base", pair.a), ("other", pair.b)])
        .value("value", values.1, unit)
        .value("value_base", values.0, unit)
        .with("by", Param::Factor(ratio));
    let params = match key {
        "queued_bps" => params.with("at", Param::Text("queued".to_owned())),
        "issued_bps" => params.with("at", Param::Text("issued".to_owned())),
        _ if pair.same_files.is_some() => {
            params.with("at", Param::Text(wording::work::SAME_FILES.to_owned()))
        }
        _ => params,
    };
    let params = params.value("margin", equivalence::margin(), Unit::Share);
    let params = match equivalence {
        Some(Equivalence { interval, .. }) if ratio != 1.0 => params
            .with("low", Param::Factor(interval.0))
            .with("high", Param::Factor(interval.1)),
        _ => params,
    };
    let reliable = !pair.a.unreliable(key) && !pair.b.unreliable(key);
    let runs = match equivalence
        .filter(|_| reliable)
        .map(|found| found.more_runs)
    {
        Some(Some(1)) => Some("1 more run".to_owned()),
        Some(Some(runs)) => Some(format!("{runs} more runs")),
        Some(None) => Some(format!("More than {MAX_RUNS} runs")),
        None => None,
    };
    let params = match runs {
        Some(runs) => params.with("runs", Param::Text(runs)),
        None => params,
    };
    params.fill(match outcome {
        Outcome::Equal => wording::EQUAL,
        Outcome::MaybeEqual if ratio.ln().abs() > MARGIN => wording::UNKNOWN,
        Outcome::MaybeEqual => wording::MAYBE_EQUAL,
        Outcome::MaybeSlower => wording::MAYBE_SLOWER,
        Outcome::MaybeFaster => wording::MAYBE_FASTER,
        Outcome::Slower => wording::SLOWER,
        Outcome::Faster => wording::FASTER,
    })
}

/// Whether the figure that decides the outcome is shown to be equal.
fn total_equivalence(pair: &Pair, list: &[Metric]) -> Option<Equivalence> {
    let metric = list.iter().find(|metric| metric.key == pair.total())?;
    let noise = pair.noise.figure(metric, workload(pair.a, pair.b));
    equivalence(pair.a, pair.b, metric, noise)
}

/// The metrics of the tables with what all comparisons say of them alike: read from the runs once,
/// not once per comparison. A metric that no run has, or that is 0 in all, is left out.
fn listed<'a>(
    runs: &[ComparedRun],
    sides: &[ComparisonSide],
    list: &'a [Metric],
) -> Vec<(&'a Metric, FigureEntry)> {
    let devices: Vec<Option<&DeviceDigest>> = runs.iter().map(ComparedRun::main).collect();
    let is_listed = |metric: &&Metric| {
        let value = |device: &DeviceDigest| device.figures.get(&metric.key).copied();
        let mut values = devices.iter().copied().flatten().filter_map(value);
        values.any(|value| value != 0.0) && !is_spare(runs, metric)
    };
    list.iter()
        .filter(is_listed)
        .map(|metric| (metric, undecided(&devices, sides, metric)))
        .collect()
}

/// The entry of a metric before it is compared.
fn undecided(
    devices: &[Option<&DeviceDigest>],
    sides: &[ComparisonSide],
    metric: &Metric,
) -> FigureEntry {
    let key = &metric.key;
    let unreliable = |&run: &usize| devices[run].is_some_and(|device| device.unreliable(key));
    FigureEntry {
        key: key.clone(),
        label: metric.label.clone(),
        unit: FigureUnit::Trace(metric.unit),
        good: metric.good,
        values: of_each(devices, |device| device.figures.get(key).copied()),
        groups: grouped(sides).then(|| sides.iter().map(|side| side.spread(key)).collect()),
        ratio: None,
        ci95: None,
        real: false,
        fdr: None,
        verdict: None,
        least_change: None,
        unreliable: (0..devices.len()).filter(unreliable).collect(),
        intervals: unless_none(of_each(devices, |device| {
            device.bins.intervals.get(key).copied()
        })),
        needs: unless_none(of_each(devices, |device| {
            device.bins.needs.get(key).copied()
        })),
        absent: unless_none(of_each(devices, |device| device.absent(key))),
        application: false,
    }
}

/// A property of the main device of each run.
fn of_each<T>(
    devices: &[Option<&DeviceDigest>],
    property: impl Fn(&DeviceDigest) -> Option<T>,
) -> Vec<Option<T>> {
    devices.iter().map(|device| property((*device)?)).collect()
}

/// The same; empty where no run has one.
fn unless_none<T>(of_runs: Vec<Option<T>>) -> Vec<Option<T>> {
    if of_runs.iter().any(Option::is_some) {
        of_runs
    } else {
        Vec::new()
    }
}

/// The values of a figure, one per run; `None` where it does not apply.
pub(super) fn values(runs: &[ComparedRun], key: &str) -> Vec<Option<f64>> {
    runs.iter()
        .map(|run| run.main()?.figures.get(key).copied())
        .collect()
}

/// Whether a metric stands in for throughput that all runs have.
pub(super) fn is_spare(runs: &[ComparedRun], metric: &Metric) -> bool {
    metric.substitute && values(runs, "bps").iter().all(Option::is_some)
}

/// Why each run lacks a figure; empty where no run has a reason.
pub(super) fn absent(runs: &[ComparedRun], key: &str) -> Vec<Option<String>> {
    unless_none(runs.iter().map(|run| run.main()?.absent(key)).collect())
}

/// Figures that are 0 in all runs that have them.
fn zero(runs: &[ComparedRun], list: &[Metric]) -> Vec<ZeroFigure> {
    let is_zero = |metric: &&Metric| {
        let present: Vec<f64> = values(runs, &metric.key).into_iter().flatten().collect();
        !metric.substitute && !present.is_empty() && present.iter().all(|value| *value == 0.0)
    };
    list.iter()
        .filter(is_zero)
        .map(|m| ZeroFigure {
            key: m.key.clone(),
            label: m.label.clone(),
        })
        .collect()
}

fn grouped(sides: &[ComparisonSide]) -> bool {
    sides.iter().any(|side| side.runs.len() > 1)
}

fn bench_entry(column: BenchColumn, sides: &[ComparisonSide], pair: &Pair) -> FigureEntry {
    let compared = column.compared(&pair.a.runs, &pair.b.runs);
    let groups = grouped(sides).then(|| {
        sides
            .iter()
            .map(|side| Spread::new(&column.values_in(&side.runs)))
            .collect()
    });
    let BenchColumn {
        key,
        label,
        unit,
        good,
        values,
        ..
    } = column;
    let entry = FigureEntry {
        key,
        label,
        unit: FigureUnit::Benchmark(unit),
        good,
        values,
        groups,
        ratio: None,
        ci95: None,
        real: false,
        fdr: None,
        verdict: None,
        least_change: None,
        unreliable: Vec::new(),
        intervals: Vec::new(),
        needs: Vec::new(),
        absent: Vec::new(),
        application: true,
    };
    entry.with(&compared)
}

impl FigureEntry {
    fn with(self, compared: &MetricDifference) -> FigureEntry {
        FigureEntry {
            ratio: compared.ratio,
            ci95: compared.interval,
            real: compared.real,
            verdict: compared.verdict,
            ..self
        }
    }
}

//! The document of `compare --json`: names and units are fixed, what does not apply is absent (`null` within a list of values).

use super::estimate::{Difference, Estimate, difference};
use super::figure::{self, Figure};
use super::findings::{self, Finding};
use super::pair::{Lost, Outcome, Pair};
use super::quantity::{Kind, factor};
use super::run::{Run, Side, Spread, sides};
use super::work::{self, Work};
use crate::notes::{BenchFigure, Good};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is to be compared.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Asked {
    /// In the order of the reader.
    pub runs: Vec<Run>,
    /// The run with which the others are compared.
    #[serde(default)]
    pub baseline: usize,
}

/// A comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    /// Version of the document.
    pub schema: u32,
    /// As given.
    pub runs: Vec<RunEntry>,
    /// Runs in groups, or one by one.
    pub sides: Vec<SideEntry>,
    /// The side with which the others are compared.
    pub baseline: usize,
    /// The first comparison, of the baseline and the first other side.
    #[serde(flatten)]
    pub first: Option<Comparison>,
    /// The comparisons of the baseline with the sides after that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Comparison>,
}

/// A run.
#[derive(Clone, Debug, Serialize)]
pub struct RunEntry {
    pub(super) label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<String>,
    /// Name of its trace.
    pub(super) trace: String,
    /// The device that is compared; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) device: Option<String>,
    pub(super) events: u64,
}

/// A side.
#[derive(Clone, Debug, Serialize)]
pub struct SideEntry {
    pub(super) label: String,
    pub(super) runs: Vec<usize>,
}

/// The baseline and one other side.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The other side.
    pub side: usize,
    /// Whether it was the same work.
    pub work: Work,
    /// Which way the whole went: `slower`, `faster`, `equal`.
    pub outcome: &'static str,
    /// The same in words, with both figures.
    pub verdict: String,
    /// Least change of a figure that is called real.
    pub threshold: f64,
    /// Where the time went, where the device tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_ns: Option<LostEntry>,
    /// In the order of the table.
    pub figures: Vec<FigureEntry>,
    /// The most important first.
    pub findings: Vec<Finding>,
}

/// Time that the side needs more than the baseline for the same work, ns.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LostEntry {
    pub(super) total: f64,
    pub(super) starved: f64,
    pub(super) busy_waiting: f64,
    pub(super) busy: f64,
    pub(super) nobody: f64,
}

/// A figure.
#[derive(Clone, Debug, Serialize)]
pub struct FigureEntry {
    pub(super) key: String,
    pub(super) label: String,
    pub(super) unit: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) good: Option<Good>,
    /// One a run.
    pub(super) values: Vec<Option<f64>>,
    /// Of groups, one a side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) groups: Option<Vec<Option<Spread>>>,
    /// Side to baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ratio: Option<f64>,
    /// Of the ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ci95: Option<(f64, f64)>,
    /// More than noise, and than the threshold.
    pub(super) real: bool,
}

/// Compares runs.
pub fn compare(asked: &Asked) -> Document {
    let list = figure::all();
    let sides = sides(&asked.runs);
    let baseline = sides.iter().position(|side| side.runs.contains(&asked.baseline)).unwrap_or(0);
    let mut comparisons = (0..sides.len()).filter(|&i| i != baseline).map(|i| comparison(asked, &sides, baseline, i, &list));
    let first = comparisons.next();
    Document {
        schema: 1,
        runs: asked.runs.iter().map(run_entry).collect(),
        baseline,
        first,
        more: comparisons.collect(),
        sides: sides.iter().map(|side| SideEntry { label: side.label.clone(), runs: side.runs.clone() }).collect(),
    }
}

fn run_entry(run: &Run) -> RunEntry {
    RunEntry {
        label: run.label.clone(),
        group: run.group.clone(),
        trace: run.trace.name.clone(),
        device: run.main().map(|d| d.label().to_owned()),
        events: run.trace.events,
    }
}

fn comparison(asked: &Asked, sides: &[Side], baseline: usize, side: usize, list: &[Figure]) -> Comparison {
    let pair = Pair::new(&sides[baseline], &sides[side], list);
    let tasks = |side: &Side| work::tasks(&asked.runs[side.runs[0]].trace);
    let work = work::work(&pair, (tasks(pair.a), tasks(pair.b)));
    let outcome = pair.outcome();
    Comparison {
        side,
        outcome: match outcome {
            Outcome::Slower => "slower",
            Outcome::Faster => "faster",
            Outcome::Equal => "equal",
        },
        verdict: verdict(&pair, outcome),
        threshold: pair.threshold,
        lost_ns: pair.lost.map(|Lost { total, starved, busy_waiting, busy, nobody }| LostEntry {
            total,
            starved,
            busy_waiting,
            busy,
            nobody,
        }),
        findings: findings::findings(&asked.runs, &pair, &work, list),
        work,
        figures: list
            .iter()
            .filter_map(|figure| entry(&asked.runs, sides, &pair, figure))
            .chain(bench(&asked.runs, sides, baseline, side, pair.threshold))
            .collect(),
    }
}

fn verdict(pair: &Pair, outcome: Outcome) -> String {
    let (a, b) = (&pair.a.label, &pair.b.label);
    let rate = pair.both("bps").filter(|r| r.0 > 0.0 && r.1 > 0.0);
    let (kind, values) = rate.map_or((Kind::Time, pair.both("span").unwrap_or_default()), |rate| (Kind::Rate, rate));
    let figures = format!("{} against {}", kind.write(values.1), kind.write(values.0));
    let by = pair.ratio(if rate.is_some() { "bps" } else { "span" }).map(factor).unwrap_or_default();
    match outcome {
        Outcome::Equal => format!("{b} and {a} do not differ by more than the noise: {figures} ({by})."),
        Outcome::Slower => format!("{b} is slower than {a}: {figures} ({by})."),
        Outcome::Faster => format!("{b} is faster than {a}: {figures} ({by})."),
    }
}

/// Absent where no run has the figure, or it is 0 in all.
fn entry(runs: &[Run], sides: &[Side], pair: &Pair, figure: &Figure) -> Option<FigureEntry> {
    let values: Vec<Option<f64>> = runs.iter().map(|run| run.main()?.figures.get(&figure.key).copied()).collect();
    if values.iter().all(|v| v.unwrap_or(0.0) == 0.0) {
        return None;
    }
    let compared = pair.figures.get(&figure.key)?;
    let grouped = sides.iter().any(|side| side.runs.len() > 1);
    Some(FigureEntry {
        key: figure.key.clone(),
        label: figure.label.clone(),
        unit: figure.kind.unit().to_owned(),
        good: figure.good,
        values,
        groups: grouped.then(|| sides.iter().map(|side| side.spread(&figure.key)).collect()),
        ratio: compared.ratio,
        ci95: compared.interval,
        real: compared.real,
    })
}

/// What the applications saw. A benchmark's figure of a single run has no interval, and is not called real.
fn bench(runs: &[Run], sides: &[Side], baseline: usize, side: usize, threshold: f64) -> Vec<FigureEntry> {
    let mut known: Vec<&BenchFigure> = Vec::new();
    for figure in runs.iter().flat_map(|run| &run.bench) {
        if known.iter().all(|k| k.key != figure.key) {
            known.push(figure);
        }
    }
    let value = |run: &Run, key: &str| run.bench.iter().find(|f| f.key == key).map(|f| f.value);
    let of_side = |i: usize, key: &str| -> Vec<f64> { sides[i].runs.iter().filter_map(|&at| value(&runs[at], key)).collect() };
    let grouped = sides.iter().any(|side| side.runs.len() > 1);
    let entry = |figure: &&BenchFigure| {
        let (a, b) = (of_side(baseline, &figure.key), of_side(side, &figure.key));
        let d = match (a.as_slice(), b.as_slice()) {
            ([], _) | (_, []) => Difference::default(),
            (a, b) => difference(Estimate::of_runs(a), Estimate::of_runs(b)),
        };
        FigureEntry {
            key: figure.key.clone(),
            label: figure.label.clone(),
            unit: figure.unit.clone(),
            good: figure.good,
            values: runs.iter().map(|run| value(run, &figure.key)).collect(),
            groups: grouped.then(|| (0..sides.len()).map(|i| Spread::of(&of_side(i, &figure.key))).collect()),
            ratio: d.ratio,
            ci95: d.interval,
            real: d.sure == Some(true) && d.ratio.is_some_and(|r| r >= 1.0 + threshold || r <= 1.0 / (1.0 + threshold)),
        }
    };
    known.iter().map(entry).collect()
}

/// Of the baseline and of the other side.
pub type Values = (Option<f64>, Option<f64>);
/// By key, in a finding.
pub type Both = BTreeMap<String, Values>;

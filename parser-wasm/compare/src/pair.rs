//! Two sides: the difference of each figure, its verdict, and where time went.
//!
//! # How a verdict is made
//!
//! [`compared`] measures the difference of one figure with its 95 % interval: from the errors
//! within the runs if each side is a single run, else from the deviation between runs, with the
//! noise of repeats for small groups ([`moderated`]). [`level_of`] then asks two questions: does
//! the interval exclude equality (`sure`), and is the difference at least the threshold, which is
//! what repeats differ by? Only both together are [`Certainty::Real`]; one of them makes a
//! difference unsure or noise. [`verdict`] adds the direction that is better and whether events
//! were lost.
//!
//! The figures that decide the outcome ([`DECIDES`]) are equal only where that is shown; otherwise
//! a difference that is not significant is unsure.

use super::metric::Metric;
use super::runs::run::ComparisonSide;
use super::runs::work_bytes::same_files;
use super::statistics::equivalence::{Equivalence, equivalence};
use super::statistics::estimate::{Difference, Estimate, difference};
use super::statistics::noise::{
    NoiseTable, UNKNOWN, distance, least_change_of_numbers, moderated, workload,
};
use seekscope_notes::Good;
use seekscope_statistics::student::binomial_tail;
use seekscope_trace::protocol::serialize_as_word;
use seekscope_trace::quantity::Unit;
use seekscope_trace::sorting::map_of;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A figure of both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricDifference {
    /// Value of the first side.
    pub a: Option<f64>,
    /// Value of the second side.
    pub b: Option<f64>,
    /// Second value divided by the first.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio.
    pub interval: Option<(f64, f64)>,
    /// Whether the difference is more than noise, and more than the threshold.
    pub real: bool,
    /// Probability of a difference as large if there were none; absent for what has no interval.
    pub p: Option<f64>,
    /// Absent where one of the sides lacks the figure.
    pub verdict: Option<Verdict>,
    /// Whether it is not significant, but too large to be called noise.
    pub leans: bool,
}

/// What the difference of a figure amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A significant difference in the good direction.
    Better,
    /// A significant difference in the other direction.
    Worse,
    /// A significant difference of a figure without a good direction.
    Changed,
    /// The same value, or a total that is shown to be equal.
    Equal,
    /// A difference within noise, or below the threshold.
    Noise,
    /// More runs would tell: a large difference that noise can explain, a certain one that repeats
    /// differ by, or a total that is not shown to be equal.
    Unsure,
    /// Events of one of the sides were lost.
    Unreliable,
}

/// Which side was faster. The three `Maybe` are unsure: more runs would tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "ComparisonOutcome")]
pub enum Outcome {
    /// The second side does less in the same time.
    Slower,
    /// The second side does more in the same time.
    Faster,
    /// The difference is shown to be too small to matter.
    Equal,
    /// The second side may be slower.
    MaybeSlower,
    /// The second side may be faster.
    MaybeFaster,
    /// The difference is small, and not shown to be too small to matter.
    MaybeEqual,
}

serialize_as_word!(Outcome, word);

impl Outcome {
    /// The word in documents.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Slower => "slower",
            Outcome::Faster => "faster",
            Outcome::Equal => "equal",
            Outcome::MaybeSlower | Outcome::MaybeFaster | Outcome::MaybeEqual => "unsure",
        }
    }

    /// Whether more runs would have to tell.
    pub fn is_unsure(self) -> bool {
        matches!(
            self,
            Outcome::MaybeSlower | Outcome::MaybeFaster | Outcome::MaybeEqual
        )
    }
}

/// Two sides and the differences between them.
pub struct Pair<'a> {
    /// The side that is compared with: the baseline, or the good side of a finding.
    pub a: &'a ComparisonSide<'a>,
    /// The side that is compared.
    pub b: &'a ComparisonSide<'a>,
    /// The difference of each metric, by key.
    pub figures: BTreeMap<String, MetricDifference>,
    /// What repeats differ by.
    pub noise: &'a NoiseTable,
    /// Time that the second side took longer, by state of the device.
    pub lost: Option<LostTime>,
    /// Bytes of files of both sides, where they are the work ([`same_files`]).
    pub same_files: Option<(f64, f64)>,
}

/// Time that the second side needs more than the first for the same work, ns, by what the device
/// did; less when negative.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LostTime {
    /// Sum of the four parts.
    pub total: f64,
    /// Nothing was in flight, and bios waited.
    pub starved: f64,
    /// Requests were in flight, and bios waited.
    pub busy_waiting: f64,
    /// Requests were in flight, and nothing waited.
    pub busy: f64,
    /// Nothing was in flight, and nothing waited.
    pub nobody: f64,
}

impl<'a> Pair<'a> {
    /// Compares the second side with the first.
    pub fn new(
        a: &'a ComparisonSide<'a>,
        b: &'a ComparisonSide<'a>,
        list: &[Metric],
        noise: &'a NoiseTable,
    ) -> Pair<'a> {
        let figures = map_of(
            list.iter()
                .map(|figure| (figure.key.clone(), compared(a, b, figure, noise))),
        );
        let mut pair = Pair {
            a,
            b,
            figures,
            noise,
            lost: None,
            same_files: None,
        };
        pair.same_files = same_files(pair.a, pair.b);
        pair.lost = pair.lost();
        pair
    }

    /// A figure of the first side.
    pub fn a(&self, key: &str) -> Option<f64> {
        self.figures.get(key)?.a
    }

    /// A figure of the second side.
    pub fn b(&self, key: &str) -> Option<f64> {
        self.figures.get(key)?.b
    }

    /// A figure of both sides; absent unless both have it.
    pub fn both(&self, key: &str) -> Option<(f64, f64)> {
        Some((self.a(key)?, self.b(key)?))
    }

    /// The second value of a figure divided by the first.
    pub fn ratio(&self, key: &str) -> Option<f64> {
        self.figures.get(key)?.ratio
    }

    /// Whether a figure differs by more than noise.
    pub fn real(&self, key: &str) -> bool {
        self.figures.get(key).is_some_and(|f| f.real)
    }

    /// Throughput of both sides with its key: as completed, else as queued or issued, by what both
    /// recorded. Absent where nothing is read or written, and where the same bytes of files were,
    /// while the file system added other amounts: who writes more journal is not faster.
    pub fn throughput(&self) -> Option<(&'static str, (f64, f64))> {
        if self.same_files.is_some() {
            return None;
        }
        let moved =
            |key: &'static str| Some((key, self.both(key).filter(|(a, b)| *a > 0.0 && *b > 0.0)?));
        ["bps", "queued_bps", "issued_bps"]
            .into_iter()
            .find_map(moved)
    }

    /// Key of the figure that decides the outcome: throughput, or run time where there is none to
    /// compare.
    pub fn total(&self) -> &'static str {
        self.throughput().map_or("span", |(key, _)| key)
    }

    /// Which side was faster.
    pub fn outcome(&self) -> Outcome {
        let key = self.total();
        let Some((figure, ratio)) = self
            .figures
            .get(key)
            .and_then(|figure| Some((figure, figure.ratio?)))
        else {
            return Outcome::Equal;
        };
        // A recording compared with itself is equal, whatever it lacks.
        if ratio == 1.0 {
            return Outcome::Equal;
        }
        let slower = (ratio > 1.0) == (key == "span");
        match figure.verdict {
            Some(Verdict::Better | Verdict::Worse | Verdict::Changed) if slower => Outcome::Slower,
            Some(Verdict::Better | Verdict::Worse | Verdict::Changed) => Outcome::Faster,
            Some(Verdict::Equal) => Outcome::Equal,
            // A significant difference where events were lost is unsure as well.
            _ if !figure.leans && !figure.real => Outcome::MaybeEqual,
            _ if slower => Outcome::MaybeSlower,
            _ => Outcome::MaybeFaster,
        }
    }

    /// Work of the second side per unit of work of the first.
    pub fn work_ratio(&self) -> f64 {
        if let Some((a, b)) = self.same_files {
            return b / a;
        }
        let moved = |side: &ComparisonSide| {
            side.mean(|d| {
                d.figures.get("bytes.read").unwrap_or(&0.0)
                    + d.figures.get("bytes.write").unwrap_or(&0.0)
            })
        };
        let (a, b) = (moved(self.a), moved(self.b));
        if a > 0.0 && b > 0.0 { b / a } else { 1.0 }
    }

    fn lost(&self) -> Option<LostTime> {
        let scale = self.work_ratio();
        let (span_a, span_b) = self.both("span")?;
        let grown = |key| self.both(key).map(|(a, b)| b * span_b - a * span_a * scale);
        Some(LostTime {
            total: span_b - span_a * scale,
            starved: grown("starved.share")?,
            busy_waiting: grown("states.busy_waiting")?,
            busy: grown("states.busy")?,
            nobody: grown("states.nobody")?,
        })
    }
}

/// Compares a figure of two sides. The table of differences, the matrix, findings and mail take
/// their verdicts from here.
pub fn compared(
    a: &ComparisonSide,
    b: &ComparisonSide,
    metric: &Metric,
    table: &NoiseTable,
) -> MetricDifference {
    let (va, vb) = (a.value(&metric.key), b.value(&metric.key));
    let (Some(va), Some(vb)) = (va, vb) else {
        return MetricDifference {
            a: va,
            b: vb,
            ..MetricDifference::default()
        };
    };
    let single = single_runs(a, b, metric, table);
    let (d, level) = match (a.runs.len(), b.runs.len()) {
        (1, 1) => single(0, 0),
        _ => groups(a, b, metric, table, &single),
    };
    let judging = Judging {
        good: metric.good,
        unreliable: a.unreliable(&metric.key) || b.unreliable(&metric.key),
    };
    let difference = finished((va, vb), &d, level, judging);
    if !DECIDES.contains(&metric.key.as_str()) || difference.real || judging.unreliable {
        return difference;
    }
    let equal = equivalence(a, b, metric, table.figure(metric, workload(a, b)));
    MetricDifference {
        verdict: Some(match equal {
            Some(Equivalence { equal: false, .. }) => Verdict::Unsure,
            Some(Equivalence { equal: true, .. }) => Verdict::Equal,
            None => return difference,
        }),
        ..difference
    }
}

/// Figures that decide whether a side is slower: those that are not significant are equal only if
/// that is shown.
const DECIDES: [&str; 4] = ["bps", "queued_bps", "issued_bps", "span"];

type CompareRuns<'a> = &'a dyn Fn(usize, usize) -> (Difference, Certainty);

/// Compares two groups, or a group and a run; `single` compares one run of each.
fn groups(
    a: &ComparisonSide,
    b: &ComparisonSide,
    metric: &Metric,
    table: &NoiseTable,
    single: CompareRuns,
) -> (Difference, Certainty) {
    let (x, y) = (a.values(&metric.key), b.values(&metric.key));
    let noise = table.figure(metric, workload(a, b));
    let threshold = table.threshold(metric, workload(a, b), true);
    let judge = |x: Estimate, y: Estimate| {
        let d = difference(x, y);
        (
            d,
            level_of(&d, (x.value, y.value), metric.unit, threshold, noise.p95),
        )
    };
    let (d, level) = judge(moderated(&x, metric, noise), moderated(&y, metric, noise));
    if level == Certainty::Real {
        return (d, level);
    }
    // Three runs of each side, if they are steady, are better evidence than other recordings.
    if x.len().min(y.len()) == 3 {
        let welch = judge(Estimate::from_runs(&x), Estimate::from_runs(&y));
        if welch.1 == Certainty::Real {
            return welch;
        }
    }
    by_pairs(a.pairs(b).map(|(i, j)| single(i, j)), &d).map_or((d, level), |d| (d, Certainty::Real))
}

/// What every pair of single runs shows must not get lost by adding runs: the difference with the
/// interval that covers all of theirs; absent unless all pairs are significant in its direction.
fn by_pairs(
    pairs: impl Iterator<Item = (Difference, Certainty)>,
    d: &Difference,
) -> Option<Difference> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let up = |ratio: Option<f64>| ratio.map(|ratio| ratio > 1.0);
    for (pair, level) in pairs {
        if level != Certainty::Real || up(pair.ratio) != up(d.ratio) {
            return None;
        }
        if let Some(interval) = pair.interval {
            (low, high) = (low.min(interval.0), high.max(interval.1));
        }
    }
    Some(Difference {
        interval: (low <= high).then_some((low, high)),
        sure: Some(true),
        p: None,
        ..*d
    })
}

fn finished(
    (a, b): (f64, f64),
    d: &Difference,
    level: Certainty,
    judging: Judging,
) -> MetricDifference {
    let real = level == Certainty::Real;
    let difference = MetricDifference {
        a: Some(a),
        b: Some(b),
        ratio: d.ratio,
        interval: d.interval,
        real,
        p: d.p,
        verdict: None,
        leans: level == Certainty::Unsure,
    };
    MetricDifference {
        verdict: verdict(&difference, level == Certainty::Unsure, judging),
        ..difference
    }
}

/// How certain a difference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    Real,
    Unsure,
    Noise,
}

/// Returns a function that compares one run of each side, by their indices within the sides.
fn single_runs<'a>(
    a: &'a ComparisonSide,
    b: &'a ComparisonSide,
    metric: &'a Metric,
    table: &'a NoiseTable,
) -> impl Fn(usize, usize) -> (Difference, Certainty) + 'a {
    let threshold = table.threshold(metric, workload(a, b), false);
    move |i, j| {
        let (Some(x), Some(y)) = (a.estimate(i, &metric.key), b.estimate(j, &metric.key)) else {
            return (Difference::default(), Certainty::Noise);
        };
        let mut d = difference(x, y);
        // Totals are counted, not sampled: between single runs they have no interval.
        if metric.is_total() {
            let sure = !metric.rare || !may_be_chance(x.value, y.value);
            (d.sure, d.p) = (Some(sure), None);
        }
        (
            d,
            level_of(&d, (x.value, y.value), metric.unit, threshold, threshold),
        )
    }
}

/// Maximum probability of two counts of rare events as different as these, if both have one cause.
const RARE: f64 = 0.01;

/// Whether two counts of rare events can be as different by chance. Failures against none at all
/// are always a difference.
fn may_be_chance(a: f64, b: f64) -> bool {
    a > 0.0 && b > 0.0 && binomial_tail(a.max(b), a + b, 0.5) >= RARE
}

/// How certain a difference is. `threshold` is the minimum of a significant one, `p95` what repeats
/// of single runs differ by. A difference that is large but not sure, or sure but only half as
/// large as the threshold, is unsure.
fn level_of(d: &Difference, (a, b): (f64, f64), unit: Unit, threshold: f64, p95: f64) -> Certainty {
    // A figure that was 0 and is not has no ratio: it counts as a large difference.
    let distance = distance(unit, a, b).unwrap_or(if a == b { 0.0 } else { f64::INFINITY });
    let sure = d.sure == Some(true);
    if sure && distance >= threshold {
        Certainty::Real
    } else if distance >= threshold.max(p95) || sure && distance >= 0.5 * threshold {
        Certainty::Unsure
    } else {
        Certainty::Noise
    }
}

/// What a verdict depends on besides the two values.
#[derive(Clone, Copy, Debug)]
pub struct Judging {
    /// Which direction is better; absent if neither is.
    pub good: Option<Good>,
    /// Events of one of the sides were lost.
    pub unreliable: bool,
}

/// Compares two groups of numbers that come from no trace, so that a single number has no interval.
pub fn judged(a: &[f64], b: &[f64], judging: Judging) -> MetricDifference {
    if a.is_empty() || b.is_empty() {
        let mean = |values: &[f64]| (!values.is_empty()).then(|| Estimate::from_runs(values).value);
        return MetricDifference {
            a: mean(a),
            b: mean(b),
            ..MetricDifference::default()
        };
    }
    let (x, y) = (Estimate::from_runs(a), Estimate::from_runs(b));
    let d = difference(x, y);
    let threshold = (1.0 + least_change_of_numbers(d.sure.is_some())).ln();
    finished(
        (x.value, y.value),
        &d,
        level_of(&d, (x.value, y.value), Unit::Number, threshold, UNKNOWN.p95),
        judging,
    )
}

/// The verdict on a difference; absent where one of the sides lacks the figure.
pub fn verdict(d: &MetricDifference, unsure: bool, judging: Judging) -> Option<Verdict> {
    let (a, b) = (d.a?, d.b?);
    Some(if judging.unreliable {
        Verdict::Unreliable
    } else if a == b {
        Verdict::Equal
    } else if !d.real {
        if unsure {
            Verdict::Unsure
        } else {
            Verdict::Noise
        }
    } else {
        match judging.good {
            None => Verdict::Changed,
            Some(good) if (b < a) == (good == Good::Less) => Verdict::Better,
            Some(_) => Verdict::Worse,
        }
    })
}

//! Two sides: the difference of each figure, its verdict, and where time went.

use super::estimate::{Estimate, difference};
use super::metric::Metric;
use super::quantity::Unit;
use super::run::ComparisonSide;
use crate::notes::Good;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Minimum significant change between groups of runs.
pub const OF_GROUPS: f64 = 0.05;
/// Minimum significant change between single runs: repeats of one kernel on one machine differ by almost as much.
pub const OF_RUNS: f64 = 0.25;

/// A figure of both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricDifference {
    /// Of the first side.
    pub a: Option<f64>,
    /// Of the second side.
    pub b: Option<f64>,
    /// Second to first.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio.
    pub interval: Option<(f64, f64)>,
    /// Whether the difference is more than noise, and more than the threshold.
    pub real: bool,
    /// Absent where one of the sides lacks the figure.
    pub verdict: Option<Verdict>,
}

/// What a pair of figures amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Significant, in the good direction.
    Better,
    /// Significant, in the other direction.
    Worse,
    /// Significant, of a figure of which neither direction is better.
    Changed,
    /// The same value.
    Equal,
    /// Within noise, or below the threshold.
    Noise,
    /// Large, but of single runs whose noise is unknown.
    Unsure,
    /// Events of one of the sides were lost.
    Unreliable,
}

/// Which side was faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The second side does less in the same time.
    Slower,
    /// It does more.
    Faster,
    /// The difference is noise, or too small to matter.
    Equal,
}

/// Two sides.
pub struct Pair<'a> {
    /// What is compared with.
    pub a: &'a ComparisonSide<'a>,
    /// What is compared.
    pub b: &'a ComparisonSide<'a>,
    /// By key.
    pub figures: BTreeMap<String, MetricDifference>,
    /// The minimum significant change.
    pub threshold: f64,
    /// Time that the second side took longer, by state of the device.
    pub lost: Option<LostTime>,
}

/// Time that the second side needs more than the first for the same work, ns, by what the device did; less when negative.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LostTime {
    /// Sum of the others.
    pub total: f64,
    /// Nothing in flight, bios wait.
    pub starved: f64,
    /// In flight, and bios wait.
    pub busy_waiting: f64,
    /// In flight, none wait.
    pub busy: f64,
    /// Nothing in flight, none wait.
    pub nobody: f64,
}

impl<'a> Pair<'a> {
    /// Compares the second with the first.
    pub fn new(a: &'a ComparisonSide<'a>, b: &'a ComparisonSide<'a>, list: &[Metric]) -> Pair<'a> {
        let threshold = threshold(a, b);
        let figures = list.iter().map(|figure| (figure.key.clone(), compared(a, b, figure, threshold))).collect();
        let mut pair = Pair { a, b, figures, threshold, lost: None };
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

    /// Both, where both have it.
    pub fn both(&self, key: &str) -> Option<(f64, f64)> {
        Some((self.a(key)?, self.b(key)?))
    }

    /// Second to first.
    pub fn ratio(&self, key: &str) -> Option<f64> {
        self.figures.get(key)?.ratio
    }

    /// Whether a figure differs by more than noise.
    pub fn real(&self, key: &str) -> bool {
        self.figures.get(key).is_some_and(|f| f.real)
    }

    /// Throughput of both sides with its key: as completed, else as queued or issued, by what both recorded. Absent where nothing is
    /// read or written.
    pub fn throughput(&self) -> Option<(&'static str, (f64, f64))> {
        let moved = |key: &'static str| Some((key, self.both(key).filter(|(a, b)| *a > 0.0 && *b > 0.0)?));
        ["bps", "queued_bps", "issued_bps"].into_iter().find_map(moved)
    }

    /// By throughput, or by run time where nothing is read or written.
    pub fn outcome(&self) -> Outcome {
        let (key, more_is) = match self.throughput() {
            Some((key, _)) => (key, Outcome::Faster),
            None => ("span", Outcome::Slower),
        };
        match (self.real(key), self.ratio(key)) {
            (true, Some(ratio)) if ratio > 1.0 => more_is,
            (true, Some(_)) if more_is == Outcome::Faster => Outcome::Slower,
            (true, Some(_)) => Outcome::Faster,
            _ => Outcome::Equal,
        }
    }

    /// Work of the second side per unit of work of the first.
    pub fn work_ratio(&self) -> f64 {
        let moved = |side: &ComparisonSide| {
            side.mean(|d| d.figures.get("bytes.read").unwrap_or(&0.0) + d.figures.get("bytes.write").unwrap_or(&0.0))
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

/// Threshold between two sides: lower where both are groups, whose noise is known.
pub fn threshold(a: &ComparisonSide, b: &ComparisonSide) -> f64 {
    if a.runs.len() > 1 && b.runs.len() > 1 { OF_GROUPS } else { OF_RUNS }
}

/// A figure of two sides. Table of differences, matrix, findings and mail take their verdicts from here.
pub fn compared(a: &ComparisonSide, b: &ComparisonSide, metric: &Metric, threshold: f64) -> MetricDifference {
    // Totals are counted, not sampled: between single runs they have no noise.
    let counted = matches!(metric.unit, Unit::Count | Unit::Bytes) && metric.sums.is_none();
    let unreliable = a.unreliable(&metric.key) || b.unreliable(&metric.key);
    let judging = Judging { good: metric.good, threshold, counted, unreliable };
    judged(a.estimate(&metric.key), b.estimate(&metric.key), judging)
}

/// What a verdict depends on besides the two values.
#[derive(Clone, Copy, Debug)]
pub struct Judging {
    /// Absent: neither direction is better.
    pub good: Option<Good>,
    /// Least change that is significant.
    pub threshold: f64,
    /// A count without noise: the threshold alone decides.
    pub counted: bool,
    /// Events of one of the sides were lost.
    pub unreliable: bool,
}

/// Two estimates of one figure.
pub fn judged(a: Option<Estimate>, b: Option<Estimate>, judging: Judging) -> MetricDifference {
    let values = (a.map(|e| e.value), b.map(|e| e.value));
    let (Some(a), Some(b)) = (a, b) else {
        return MetricDifference { a: values.0, b: values.1, ..MetricDifference::default() };
    };
    let d = difference(a, b);
    let large = is_large(d.ratio, b.value, judging.threshold);
    let real = large && d.sure.unwrap_or(judging.counted);
    let known = MetricDifference { a: values.0, b: values.1, ratio: d.ratio, interval: d.interval, real, verdict: None };
    MetricDifference { verdict: verdict(&known, judging), ..known }
}

fn is_large(ratio: Option<f64>, b: f64, threshold: f64) -> bool {
    match ratio {
        Some(ratio) if ratio > 0.0 => ratio >= 1.0 + threshold || ratio <= 1.0 / (1.0 + threshold),
        Some(_) => true,
        None => b != 0.0,
    }
}

/// Absent where one of the sides lacks the figure.
pub fn verdict(d: &MetricDifference, judging: Judging) -> Option<Verdict> {
    let (a, b) = (d.a?, d.b?);
    Some(if judging.unreliable {
        Verdict::Unreliable
    } else if a == b {
        Verdict::Equal
    } else if !d.real {
        let unsure = d.interval.is_none() && is_large(d.ratio, b, judging.threshold);
        if unsure { Verdict::Unsure } else { Verdict::Noise }
    } else {
        match judging.good {
            None => Verdict::Changed,
            Some(good) if (b < a) == (good == Good::Less) => Verdict::Better,
            Some(_) => Verdict::Worse,
        }
    })
}

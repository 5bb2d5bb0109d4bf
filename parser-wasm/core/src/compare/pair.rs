//! Two sides beside each other: every figure, what the runs were asked for, and where time went.

use super::estimate::difference;
use super::figure::Figure;
use super::quantity::Kind;
use super::run::Side;
use std::collections::BTreeMap;

/// Least change that is called real between groups of runs.
pub const OF_GROUPS: f64 = 0.05;
/// Least change that is called real between single runs. Repeats of one kernel on one machine differ by as much.
pub const OF_RUNS: f64 = 0.25;

/// A figure of both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
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
}

/// Which way the whole went.
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
    pub a: &'a Side<'a>,
    /// What is compared.
    pub b: &'a Side<'a>,
    /// By key.
    pub figures: BTreeMap<String, Compared>,
    /// The least change that is called real.
    pub threshold: f64,
    /// Where the time of the second side went that the first did not need.
    pub lost: Option<Lost>,
}

/// Time that the second side needs more than the first for the same work, ns, by what the device did; less when negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lost {
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
    /// Sets the second beside the first.
    pub fn new(a: &'a Side<'a>, b: &'a Side<'a>, list: &[Figure]) -> Pair<'a> {
        let threshold = if a.runs.len() > 1 && b.runs.len() > 1 { OF_GROUPS } else { OF_RUNS };
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

    /// By throughput, or by run time where nothing is read or written.
    pub fn outcome(&self) -> Outcome {
        let (key, more_is) = match self.both("bps") {
            Some((a, b)) if a > 0.0 && b > 0.0 => ("bps", Outcome::Faster),
            _ => ("span", Outcome::Slower),
        };
        match (self.real(key), self.ratio(key)) {
            (true, Some(ratio)) if ratio > 1.0 => more_is,
            (true, Some(_)) if more_is == Outcome::Faster => Outcome::Slower,
            (true, Some(_)) => Outcome::Faster,
            _ => Outcome::Equal,
        }
    }

    /// Work of the second side for a unit of work of the first.
    pub fn work_ratio(&self) -> f64 {
        let moved = |side: &Side| {
            side.mean(|d| d.figures.get("bytes.read").unwrap_or(&0.0) + d.figures.get("bytes.write").unwrap_or(&0.0))
        };
        let (a, b) = (moved(self.a), moved(self.b));
        if a > 0.0 && b > 0.0 { b / a } else { 1.0 }
    }

    fn lost(&self) -> Option<Lost> {
        let scale = self.work_ratio();
        let (span_a, span_b) = self.both("span")?;
        let grown = |key| self.both(key).map(|(a, b)| b * span_b - a * span_a * scale);
        Some(Lost {
            total: span_b - span_a * scale,
            starved: grown("starved.share")?,
            busy_waiting: grown("states.busy_waiting")?,
            busy: grown("states.busy")?,
            nobody: grown("states.nobody")?,
        })
    }
}

fn compared(a: &Side, b: &Side, figure: &Figure, threshold: f64) -> Compared {
    let (ea, eb) = (a.estimate(&figure.key), b.estimate(&figure.key));
    let values = (ea.map(|e| e.value), eb.map(|e| e.value));
    let (Some(ea), Some(eb)) = (ea, eb) else {
        return Compared { a: values.0, b: values.1, ratio: None, interval: None, real: false };
    };
    let d = difference(ea, eb);
    let large = match d.ratio {
        Some(ratio) if ratio > 0.0 => ratio >= 1.0 + threshold || ratio <= 1.0 / (1.0 + threshold),
        Some(_) => true,
        None => eb.value != 0.0,
    };
    // Totals are counted, not sampled: between single runs they have no noise of their own.
    let counted = matches!(figure.kind, Kind::Count | Kind::Bytes) && figure.sums.is_none();
    let sure = d.sure.unwrap_or(counted);
    Compared { a: values.0, b: values.1, ratio: d.ratio, interval: d.interval, real: large && sure }
}

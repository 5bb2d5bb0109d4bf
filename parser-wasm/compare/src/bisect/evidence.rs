//! One figure of good, bad and a commit.

use super::Likeness;
use crate::metric::Metric;
use crate::runs::run::ComparedRun;
use crate::statistics::noise::{FigureNoise, PRIOR};
use seekscope_statistics::repeats::{
    Prior, Repeats, deciding_weight, error_of, values_to_decide, weight,
};
use seekscope_trace::protocol::serialize_as_word;
use seekscope_trace::quantity::Unit;
use serde::Serialize;

/// Probability of a wrong verdict at which a step stops: over ten steps, a thousand commits, 5 %.
pub const ERROR: f64 = 0.005;
/// Minimum of what repeats differ by, as a logarithm: a figure that never varied on the machines
/// that were measured varies a little on others.
const MIN_DEVIATION: f64 = 0.01;
/// The same of shares, as a difference.
const MIN_SHARE_DEVIATION: f64 = 0.003;
/// Part of the larger level that is added before the logarithm, so that 0 has a place.
const OFFSET: f64 = 0.05;

/// On which repeats of a figure are about normal: logarithms, but shares as they are.
#[derive(Clone, Copy, Debug)]
enum FigureScale {
    Plain,
    Logarithm { offset: f64 },
}

impl FigureScale {
    fn to(self, value: f64) -> f64 {
        match self {
            FigureScale::Plain => value,
            FigureScale::Logarithm { offset } => (value.max(0.0) + offset).ln(),
        }
    }

    /// Back into the unit of the figure, which is never below 0.
    fn from(self, value: f64) -> f64 {
        match self {
            FigureScale::Plain => value.max(0.0),
            FigureScale::Logarithm { offset } => (value.exp() - offset).max(0.0),
        }
    }
}

/// A figure by which commits are judged.
pub struct JudgedFigure {
    key: String,
    label: String,
    unit: Unit,
    scale: FigureScale,
    prior: Prior,
    good: Repeats,
    bad: Repeats,
    /// Runs that decide, if they are like good or like bad; absent if the limit is too low.
    pub expected_runs: Option<usize>,
    /// Weight of one run that is like good or like bad, whichever is less.
    pub first_weight: f64,
    /// Whether it is the figure of the finding.
    of_finding: bool,
    /// Whether it may decide what the first figure cannot.
    pub is_substitute: bool,
}

/// The values of a figure in the runs that have it and did not lose the events it counts.
fn values(runs: &[ComparedRun], key: &str) -> Vec<f64> {
    runs.iter()
        .filter_map(|run| run.main())
        .filter(|device| !device.unreliable(key))
        .filter_map(|device| device.figures.get(key).copied())
        .collect()
}

impl JudgedFigure {
    /// A figure of good and bad; absent if the newest session of a side lacks it, or if both have
    /// none of it.
    pub fn new(
        metric: &Metric,
        noise: FigureNoise,
        (good, bad): (&[Vec<ComparedRun>], &[Vec<ComparedRun>]),
        max_runs: usize,
    ) -> Option<JudgedFigure> {
        let sessions = |side: &[Vec<ComparedRun>]| -> Vec<Vec<f64>> {
            side.iter().map(|runs| values(runs, &metric.key)).collect()
        };
        let (good, bad) = (sessions(good), sessions(bad));
        let all = good.iter().chain(&bad).flatten();
        let largest = all.copied().fold(0.0, f64::max);
        if largest <= 0.0 {
            return None;
        }
        let (scale, least) = if metric.unit == Unit::Share {
            (FigureScale::Plain, MIN_SHARE_DEVIATION)
        } else {
            let offset = OFFSET * largest;
            (FigureScale::Logarithm { offset }, MIN_DEVIATION)
        };
        let prior = Prior {
            deviation: noise.sd.max(least),
            weight: PRIOR,
        };
        let repeats = |sessions: &[Vec<f64>]| {
            let scaled: Vec<Vec<f64>> = sessions
                .iter()
                .map(|values| values.iter().map(|value| scale.to(*value)).collect())
                .collect();
            Repeats::new(&scaled, prior)
        };
        let (good, bad) = (repeats(&good)?, repeats(&bad)?);
        let expected = |like| values_to_decide((&good, &bad), &[], like, ERROR, max_runs);
        let first = |like: &Repeats| weight(&good, &bad, &[like.mean]).abs();
        Some(JudgedFigure {
            key: metric.key.clone(),
            label: metric.label.clone(),
            unit: metric.unit,
            scale,
            prior,
            expected_runs: expected(&good)
                .zip(expected(&bad))
                .map(|(good, bad)| good.max(bad)),
            first_weight: first(&good).min(first(&bad)),
            good,
            bad,
            of_finding: false,
            is_substitute: false,
        })
    }

    /// Marks it as the figure of the finding.
    pub fn of_finding(self) -> JudgedFigure {
        JudgedFigure {
            of_finding: true,
            ..self
        }
    }

    /// Lets it decide what the first figure cannot.
    pub fn into_substitute(self) -> JudgedFigure {
        JudgedFigure {
            is_substitute: true,
            ..self
        }
    }

    /// Key of the figure.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What the runs of a commit say.
    pub fn evidence(&self, runs: &[ComparedRun], max_runs: usize) -> BisectEvidence {
        let scaled: Vec<f64> = values(runs, &self.key)
            .into_iter()
            .map(|value| self.scale.to(value))
            .collect();
        let commit = Repeats::new(std::slice::from_ref(&scaled), self.prior);
        let weight = weight(&self.good, &self.bad, &scaled);
        let is_decided = weight.abs() >= deciding_weight(ERROR);
        let rest = max_runs.saturating_sub(scaled.len());
        let sides = (&self.good, &self.bad);
        BisectEvidence {
            key: self.key.clone(),
            label: self.label.clone(),
            unit: self.unit,
            of_finding: self.of_finding,
            good: self.level(&self.good),
            bad: self.level(&self.bad),
            expected_runs: self.expected_runs,
            commit: commit.as_ref().map(|commit| self.level(commit)),
            verdict: is_decided.then(|| Likeness::of_weight(weight)),
            error: commit.map(|_| error_of(weight)),
            more_runs: commit
                .filter(|_| !is_decided)
                .and_then(|commit| values_to_decide(sides, &scaled, &commit, ERROR, rest)),
            place: commit.map(|commit| self.place(&commit)),
        }
    }

    fn level(&self, repeats: &Repeats) -> BisectLevel {
        let unscaled = |value| self.scale.from(value);
        BisectLevel {
            runs: repeats.count as usize,
            value: unscaled(repeats.mean),
            ci95: (
                unscaled(repeats.mean - repeats.reach()),
                unscaled(repeats.mean + repeats.reach()),
            ),
        }
    }

    fn place(&self, commit: &Repeats) -> BisectPlace {
        let is_near =
            |side: &Repeats| (commit.mean - side.mean).abs() <= commit.reach_of_difference(side);
        // From good, in the direction of bad: 0 is good, 1 is bad.
        let way = (commit.mean - self.good.mean) / (self.bad.mean - self.good.mean);
        if is_near(&self.good) || is_near(&self.bad) {
            BisectPlace::Near
        } else if way < 0.0 {
            BisectPlace::BeyondGood
        } else if way > 1.0 {
            BisectPlace::BeyondBad
        } else {
            BisectPlace::Between
        }
    }
}

/// Where a commit lies, as far as it is certain by 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BisectPlace {
    /// It may be the same as good or bad.
    Near,
    /// It is neither, and lies between both.
    Between,
    /// It is on the far side of good: good may be stale.
    BeyondGood,
    /// It is on the far side of bad: bad may be stale.
    BeyondBad,
}

serialize_as_word!(BisectPlace, word);

impl BisectPlace {
    /// The word in documents.
    pub fn word(self) -> &'static str {
        match self {
            BisectPlace::Near => "near",
            BisectPlace::Between => "between",
            BisectPlace::BeyondGood => "beyond-good",
            BisectPlace::BeyondBad => "beyond-bad",
        }
    }
}

/// A figure of some runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BisectLevel {
    /// Number of runs that have the figure.
    pub runs: usize,
    /// Mean of the runs; of figures that are no shares, that of their logarithms.
    pub value: f64,
    /// 95 % interval of the mean, with what repeats differ by.
    pub ci95: (f64, f64),
}

/// What one figure says of a commit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BisectEvidence {
    pub key: String,
    pub label: String,
    pub unit: Unit,
    /// Whether it is a figure of the finding that is followed.
    pub of_finding: bool,
    pub good: BisectLevel,
    pub bad: BisectLevel,
    /// About how many runs decide about a commit that is like good or bad; absent if the limit is
    /// too low.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_runs: Option<usize>,
    /// The commit; absent if no run of it has the figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<BisectLevel>,
    /// Absent while it is not decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Likeness>,
    /// Probability that what it is more like is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// About how many more runs decide, if they are like those of the commit; absent if it is
    /// decided, or if the limit is too low.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_runs: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<BisectPlace>,
}

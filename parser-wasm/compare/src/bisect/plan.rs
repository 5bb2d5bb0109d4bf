//! Which figures decide, chosen from good and bad alone: a choice after the first runs of a commit
//! would be a choice of the most convenient answer.

use super::BisectQuery;
use super::evidence::JudgedFigure;
use crate::document::Comparison;
use crate::findings::Finding;
use crate::metric::{self, Metric};
use crate::runs::run::ComparedRun;
use crate::statistics::noise::{NoiseTable, Workload};
use seekscope_trace::protocol::{FindingCode, serialize_as_word};

/// Figures of speed, of which the one that separates good and bad most surely is taken.
const SPEED: [&str; 7] = [
    "bps",
    "queued_bps",
    "issued_bps",
    "iops",
    "span",
    "q2c.mean",
    "d2c.mean",
];
/// Findings that are about no mechanism of the kernel.
const NEUTRAL: [&str; 5] = [
    "no-real-difference",
    "setting-changed",
    "not-the-same-work",
    "trace-incomplete",
    "drift-within-run",
];

/// What decides.
pub struct Plan {
    /// The finding that is followed.
    pub finding: Option<FindingCode>,
    /// The deciding figure first; at least one.
    pub figures: Vec<JudgedFigure>,
}

/// Why no commit can be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BisectProblem {
    /// Good or bad has no run with a device to compare.
    Incomparable,
    /// Good or bad lacks the figure that was asked for.
    FigureAbsent,
    /// The bad side does not have the finding that was asked for.
    FindingAbsent,
    /// Good and bad do not differ by more than repeats do.
    NoDifference,
    /// They differ, but the limit of runs is too low to tell which one a commit is like.
    TooManyRuns,
}

serialize_as_word!(BisectProblem, word);

impl BisectProblem {
    /// The word in documents.
    pub fn word(self) -> &'static str {
        match self {
            BisectProblem::Incomparable => "incomparable",
            BisectProblem::FigureAbsent => "figure-absent",
            BisectProblem::FindingAbsent => "finding-absent",
            BisectProblem::NoDifference => "no-difference",
            BisectProblem::TooManyRuns => "too-many-runs",
        }
    }
}

/// Findings of a comparison with good about the other side.
pub fn bad_findings<'a>(
    query: &BisectQuery,
    found: &'a Comparison,
) -> impl Iterator<Item = &'a Finding> {
    let first = query.good.last().map_or(0, Vec::len);
    found
        .findings
        .iter()
        .filter(move |finding| finding.evidence.run >= first)
}

/// Chooses the figures. `between` is the comparison of good with bad.
pub fn plan(query: &BisectQuery, between: Option<&Comparison>) -> Result<Plan, BisectProblem> {
    let between = between.ok_or(BisectProblem::Incomparable)?;
    let list = metric::all();
    let candidates = Candidates {
        query,
        between,
        list: &list,
    };
    if let Some(key) = &query.figure {
        let figure = candidates.figure(key).ok_or(BisectProblem::FigureAbsent)?;
        let figure = candidates.separating(figure)?;
        let finding = candidates.finding().map(|(finding, _)| finding.code);
        return Ok(Plan {
            finding,
            figures: vec![figure],
        });
    }
    if let Some(code) = &query.finding {
        let finding = bad_findings(query, between)
            .find(|finding| finding.code == code)
            .ok_or(BisectProblem::FindingAbsent)?;
        let figure = candidates.figure_of_finding(finding)?;
        return Ok(Plan {
            finding: Some(finding.code),
            figures: [Some(figure), candidates.total()]
                .into_iter()
                .flatten()
                .collect(),
        });
    }
    let speed = candidates.best(&SPEED, None);
    let Some((finding, figure)) = candidates.finding() else {
        return Ok(Plan {
            finding: None,
            figures: vec![speed?],
        });
    };
    let second = match speed {
        Ok(speed) => Some(speed.into_substitute()),
        Err(_) => candidates.total(),
    };
    Ok(Plan {
        finding: Some(finding.code),
        figures: [Some(figure), second].into_iter().flatten().collect(),
    })
}

struct Candidates<'a> {
    query: &'a BisectQuery,
    between: &'a Comparison,
    list: &'a [Metric],
}

impl Candidates<'_> {
    fn figure(&self, key: &str) -> Option<JudgedFigure> {
        let metric = self.list.iter().find(|metric| metric.key == key)?;
        let noise = self.query.noise.as_ref().unwrap_or(NoiseTable::measured());
        let newest = [&self.query.good, &self.query.bad].map(|side| side.last());
        let runs = newest.into_iter().flatten().flatten();
        let workload = runs
            .filter_map(ComparedRun::main)
            .map(Workload::from_device)
            .max()?;
        JudgedFigure::new(
            metric,
            noise.figure(metric, workload),
            (&self.query.good, &self.query.bad),
            self.query.max_runs(),
        )
    }

    /// Whether good and bad differ in a figure by more than noise.
    fn differs(&self, key: &str) -> bool {
        let mut figures = self.between.figures.iter();
        figures.any(|figure| figure.key == key && figure.real)
    }

    fn separating(&self, figure: JudgedFigure) -> Result<JudgedFigure, BisectProblem> {
        if !self.differs(figure.key()) {
            return Err(BisectProblem::NoDifference);
        }
        if figure.expected_runs.is_none() {
            return Err(BisectProblem::TooManyRuns);
        }
        Ok(figure)
    }

    /// The figure that tells good from bad with the fewest runs; among equals `main`, or that with
    /// the most weight. Counts that grow with the work say nothing of a mechanism.
    fn best(&self, keys: &[&str], main: Option<&str>) -> Result<JudgedFigure, BisectProblem> {
        let mut problem = BisectProblem::NoDifference;
        let mut found: Vec<JudgedFigure> = Vec::new();
        for key in keys {
            let is_total = |metric: &Metric| metric.key == *key && metric.is_total();
            if self.list.iter().any(is_total) {
                continue;
            }
            match self.figure(key).map(|figure| self.separating(figure)) {
                Some(Ok(figure)) => found.push(figure),
                Some(Err(BisectProblem::TooManyRuns)) => problem = BisectProblem::TooManyRuns,
                _ => {}
            }
        }
        let better = |a: &JudgedFigure, b: &JudgedFigure| {
            let runs = b.expected_runs.cmp(&a.expected_runs);
            let is_main = |figure: &JudgedFigure| Some(figure.key()) == main;
            runs.then(is_main(a).cmp(&is_main(b)))
                .then(a.first_weight.total_cmp(&b.first_weight))
        };
        found.into_iter().max_by(better).ok_or(problem)
    }

    fn figure_of_finding(&self, finding: &Finding) -> Result<JudgedFigure, BisectProblem> {
        let keys: Vec<&str> = finding.figures.keys().map(String::as_str).collect();
        Ok(self.best(&keys, finding.figure)?.of_finding())
    }

    /// The first finding of the bad side whose figure tells good from bad.
    fn finding(&self) -> Option<(&Finding, JudgedFigure)> {
        bad_findings(self.query, self.between)
            .filter(|finding| !NEUTRAL.contains(&finding.code))
            .find_map(|finding| Some((finding, self.figure_of_finding(finding).ok()?)))
    }

    /// Throughput, which is told although it may not tell good from bad.
    fn total(&self) -> Option<JudgedFigure> {
        SPEED.iter().find_map(|key| self.figure(key))
    }
}

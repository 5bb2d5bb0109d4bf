//! The judge of a bisection: is a commit like the good kernel or like the bad one?
//!
//! 1. `plan` compares good with bad, and chooses before any commit is measured which figure
//!    decides: that of the finding, because a bisection follows a mechanism, or else that of speed.
//! 2. `evidence` asks for one figure whether the runs of a commit are repeats of good or of bad
//!    (`seekscope_statistics::repeats`), with what repeats differ by as the prior.
//! 3. [`CommitJudge`] answers after each run: good, bad, or not yet decided.
//!
//! Good and bad can be measured again during a bisection. The newest session of a side is its
//! level; older ones only say what repeats differ by.

mod evidence;
mod plan;
#[cfg(test)]
mod tests;

use super::document::{CompareQuery, Comparison, compare};
use super::runs::run::ComparedRun;
use super::statistics::noise::NoiseTable;
use plan::{BisectProblem, Plan};
use seekscope_trace::protocol::{FindingCode, serialize_as_word};
use serde::{Deserialize, Serialize};

pub use evidence::{BisectEvidence, BisectPlace, ERROR};

/// Limit of the runs of a commit, unless the query has one.
const MAX_RUNS: usize = 8;

/// The query of a step of a bisection.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct BisectQuery {
    /// Runs of the good kernel by session, the newest last.
    pub good: Vec<Vec<ComparedRun>>,
    /// Runs of the bad kernel by session, the newest last.
    pub bad: Vec<Vec<ComparedRun>>,
    /// Runs of the commit; none: only whether good and bad can be told apart.
    pub runs: Vec<ComparedRun>,
    /// Key of the figure that decides. Absent: it is chosen.
    #[serde(default)]
    pub figure: Option<String>,
    /// Code of the finding that decides. Absent: the first one of the comparison.
    #[serde(default)]
    pub finding: Option<String>,
    /// What repeats differ by on the machine of the runs. Absent: the table of the engine.
    #[serde(default)]
    pub noise: Option<NoiseTable>,
    /// Limit of the runs of a commit. Absent: 8.
    #[serde(default)]
    pub max_runs: Option<usize>,
    /// Whether no further run is possible: then the figure of speed decides what that of the
    /// finding could not.
    #[serde(default)]
    pub last: bool,
}

impl BisectQuery {
    fn max_runs(&self) -> usize {
        self.max_runs.unwrap_or(MAX_RUNS)
    }

    /// Compares the newest session of good with other runs.
    fn compared_with_good(&self, runs: &[ComparedRun]) -> Option<Comparison> {
        let side = |runs: &[ComparedRun], group: &str| -> Vec<ComparedRun> {
            let named = |run: &ComparedRun| ComparedRun {
                group: Some(group.to_owned()),
                ..run.clone()
            };
            runs.iter().map(named).collect()
        };
        let good = self.good.last()?;
        compare(&CompareQuery {
            runs: [side(good, "good"), side(runs, "bad")].concat(),
            baseline: 0,
            noise: self.noise.clone(),
        })
        .first
    }
}

/// What a commit is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "BisectVerdict")]
pub enum Likeness {
    Good,
    Bad,
}

serialize_as_word!(Likeness, word);

impl Likeness {
    /// The word in documents, which is that of git.
    pub fn word(self) -> &'static str {
        match self {
            Likeness::Good => "good",
            Likeness::Bad => "bad",
        }
    }

    /// The verdict on positive (bad) or negative weights of evidence.
    fn of_weight(weight: f64) -> Likeness {
        if weight > 0.0 {
            Likeness::Bad
        } else {
            Likeness::Good
        }
    }
}

/// The answer to a step of a bisection.
#[derive(Clone, Debug, Serialize)]
pub struct BisectAnswer {
    /// Version of the document.
    pub schema: u32,
    /// Good compared with bad, in words; absent where nothing can be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// Why no commit can be judged; absent where good and bad can be told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<BisectProblem>,
    /// The finding of the bad side that is followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<BisectFinding>,
    /// The figures, the deciding one first.
    pub evidence: Vec<BisectEvidence>,
    /// Absent while it is not decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Likeness>,
    /// Index of the evidence that decided; absent without a verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<usize>,
    /// Whether another figure is as certain of the opposite.
    pub contradicted: bool,
}

/// The finding that a bisection follows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BisectFinding {
    pub code: FindingCode,
    /// Whether the commit has it against good; absent without runs of the commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub present: Option<bool>,
}

/// Good and bad, compared once for all runs of a commit.
pub struct CommitJudge {
    difference: Option<String>,
    max_runs: usize,
    plan: Result<Plan, BisectProblem>,
}

impl CommitJudge {
    /// Compares good with bad, and chooses what decides; the runs of the query are not looked at.
    pub fn new(query: &BisectQuery) -> CommitJudge {
        let between = query
            .bad
            .last()
            .and_then(|bad| query.compared_with_good(bad));
        CommitJudge {
            difference: between.as_ref().map(|found| found.verdict.clone()),
            max_runs: query.max_runs(),
            plan: plan::plan(query, between.as_ref()),
        }
    }

    /// Judges the runs of a commit; `last` as in [`BisectQuery`]. Whether they have the finding is
    /// left open.
    pub fn answer(&self, runs: &[ComparedRun], last: bool) -> BisectAnswer {
        let empty = BisectAnswer {
            schema: 1,
            difference: self.difference.clone(),
            problem: None,
            finding: None,
            evidence: Vec::new(),
            verdict: None,
            decided_by: None,
            contradicted: false,
        };
        let Plan { finding, figures } = match &self.plan {
            Ok(plan) => plan,
            Err(problem) => {
                return BisectAnswer {
                    problem: Some(*problem),
                    ..empty
                };
            }
        };
        let evidence: Vec<BisectEvidence> = figures
            .iter()
            .map(|figure| figure.evidence(runs, self.max_runs))
            .collect();
        let decided_by = (0..evidence.len())
            .filter(|&i| i == 0 || last && figures[i].is_substitute)
            .find(|&i| evidence[i].verdict.is_some());
        let verdict = decided_by.and_then(|i| evidence[i].verdict);
        BisectAnswer {
            finding: finding.map(|code| BisectFinding {
                code,
                present: None,
            }),
            contradicted: verdict.is_some()
                && evidence
                    .iter()
                    .any(|other| other.verdict.is_some() && other.verdict != verdict),
            evidence,
            verdict,
            decided_by,
            ..empty
        }
    }
}

/// Judges the runs of a commit.
pub fn judge(query: &BisectQuery) -> BisectAnswer {
    let answer = CommitJudge::new(query).answer(&query.runs, query.last);
    let present = |code| (!query.runs.is_empty()).then(|| has_finding(query, code));
    BisectAnswer {
        finding: answer.finding.map(|finding| BisectFinding {
            present: present(finding.code),
            ..finding
        }),
        ..answer
    }
}

/// Whether the commit has a finding against good.
fn has_finding(query: &BisectQuery, code: FindingCode) -> bool {
    query
        .compared_with_good(&query.runs)
        .is_some_and(|found| plan::bad_findings(query, &found).any(|f| f.code == code))
}

//! The document of `bisect --report --json`, which is made of the log of a bisection.

use seekscope_core::compare::bisect::{BisectEvidence, BisectFinding, Likeness};
use serde::Serialize;

/// The document of `bisect --report --json`.
#[derive(Serialize)]
pub struct PrintedBisection {
    /// Version of the document: 1.
    pub schema: u32,
    /// `bisection`.
    pub kind: String,
    /// Time of `git bisect start`; absent outside of a bisection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// Time of all steps and new measurements, s.
    pub seconds: f64,
    /// Number of steps.
    pub steps: usize,
    /// Runs of the steps.
    pub runs: usize,
    /// Number of commits that could not be tested.
    pub skipped: usize,
    /// Number of commits that could be the first bad one at the start; absent where git does not
    /// tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<usize>,
    /// Good and bad as `git bisect start` was told.
    pub endpoints: Vec<PrintedEndpoint>,
    /// New measurements of good and bad.
    pub anchors: Vec<PrintedAnchor>,
    /// In the order of the history, the oldest first.
    pub commits: Vec<PrintedCommit>,
    /// Absent until it is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_bad: Option<String>,
    /// Commits that may be the first bad one; absent where git does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining: Option<Vec<String>>,
    /// The last good and the first bad commit, or what is nearest to the first bad one so far.
    pub sides: Vec<PrintedSide>,
    /// Number of commits between these two; absent where git does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<usize>,
    /// Commands to continue, or to check what was found.
    pub next: Vec<String>,
    /// Lines for the mail; none until it is found.
    pub mail: Vec<String>,
}

/// A side of a bisection as it was given.
#[derive(Serialize)]
pub struct PrintedEndpoint {
    pub side: Likeness,
    /// Good may be several commits.
    pub commits: Vec<String>,
}

/// One of two commits to compare.
#[derive(Serialize)]
pub struct PrintedSide {
    pub side: Likeness,
    /// Absent outside of a repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Number of the step that tested it, from 1; absent where it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// Digests of its runs, as in the column `digest` of `seekscope digest`; none where the log
    /// lacks them.
    pub digests: Vec<String>,
}

/// A new measurement of good or bad.
#[derive(Serialize)]
pub struct PrintedAnchor {
    /// Version of the row: 1.
    pub schema: u32,
    /// `anchor`.
    pub kind: String,
    pub side: Likeness,
    /// When it ended.
    pub time: String,
    /// How long it took, s.
    pub seconds: f64,
    /// Number of steps before it.
    pub steps: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Number of runs.
    pub runs: usize,
    /// File with the digests of the runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digests: Option<String>,
}

/// The last step of a commit.
#[derive(Serialize)]
pub struct PrintedCommit {
    /// Number of the step, from 1.
    pub step: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Number of runs.
    pub runs: usize,
    /// `good`, `bad`, or `skip` where it could not be tested.
    pub verdict: String,
    /// The figures, the one that is to decide first; none without a run.
    pub evidence: Vec<BisectEvidence>,
    /// Index of the evidence that decided; absent without a verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<BisectFinding>,
    /// Whether another figure is as certain of the opposite.
    pub contradicted: bool,
    /// Present where it is good and comes after the first bad commit, such as a revert of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mends: Option<bool>,
    /// The line of the step.
    pub reason: String,
}

//! The document of `bisect --report --json`, which is made of the log of a bisection.

use seekscope_core::compare::bisect::{BisectEvidence, BisectFinding, Likeness};
use serde::Serialize;

/// The document of `bisect --report --json`.
#[derive(Serialize)]
pub struct PrintedBisection {
    /// Version of the document: 1.
    pub schema: u32,
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
    /// Commands to continue, or to check what was found.
    pub next: Vec<String>,
    /// Lines for the mail; none until it is found.
    pub mail: Vec<String>,
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
    /// The figure that decided, or would have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figure: Option<BisectEvidence>,
    /// The figure of the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mechanism: Option<BisectEvidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<BisectFinding>,
    /// What to do, where it is like neither good nor bad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale: Option<String>,
    /// The line of the step.
    pub reason: String,
}

//! What `replay --check` prints.

use serde::Serialize;

/// The document of `replay --check --json`.
#[derive(Serialize)]
pub struct PrintedReplay {
    /// Version of the document: 1.
    pub schema: u32,
    #[serde(flatten)]
    pub fidelity: ReplayFidelity,
}

/// How a replay differs from its original. Requests of both are matched by operation, sector and
/// length.
#[derive(Serialize)]
pub struct ReplayFidelity {
    pub verdict: ReplayVerdict,
    /// Why it is distorted.
    pub reasons: Vec<String>,
    pub requests: MatchedCounts,
    /// From the first to the last matched request, ns.
    pub length_ns: ReplayPair,
    /// Distance between the arrival of a request in both, ns without sign, after a shift that makes
    /// the median difference 0.
    pub arrival_ns: ArrivalDistance,
    /// Mean number of matched requests between issue and completion; absent without completions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<ReplayPair>,
    /// Share of matched requests, 0 to 1, that are issued before the one that they followed.
    pub swapped_share: f64,
    /// Number of processes that issued the matched requests.
    pub processes: ReplayPair,
}

/// Whether a replay repeats its original.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplayVerdict {
    Faithful,
    Distorted,
}

/// Numbers of requests.
#[derive(Serialize)]
pub struct MatchedCounts {
    /// Requests of the original.
    pub original: u64,
    /// Requests of the replay.
    pub replayed: u64,
    /// Requests that both have.
    pub matched: u64,
}

/// A figure of both sides.
#[derive(Serialize)]
pub struct ReplayPair {
    /// Value of the original, in the unit of the figure.
    pub original: f64,
    /// Value of the replay, in the unit of the figure.
    pub replayed: f64,
}

/// Distances between arrivals, ns.
#[derive(Serialize)]
pub struct ArrivalDistance {
    pub p50: f64,
    pub p95: f64,
    pub max: f64,
}

//! The slowest requests of a device in a comparison.

use seekscope_measure::tail::TailCause;
use seekscope_report::tail::{TailSummary, label};
use seekscope_trace::sorting::{SortShort, map_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The slowest requests of a device, those above the 99th percentile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TailDigest {
    /// `q2c`, or `d2c` where no Q was recorded.
    pub stage: String,
    /// 99th percentile of the stage, ns.
    pub threshold: u64,
    pub requests: u64,
    /// Sum of the times of these requests, ns.
    pub ns: f64,
    /// Share of each cause in `ns`, by its code.
    pub shares: BTreeMap<String, f64>,
}

impl TailDigest {
    pub fn new(tail: &TailSummary) -> TailDigest {
        TailDigest {
            stage: tail.stage.name().to_owned(),
            threshold: tail.threshold_ns,
            requests: tail.requests,
            ns: tail.total_ns as f64,
            shares: map_of(
                tail.causes
                    .iter()
                    .map(|cause| (cause.cause.code().to_owned(), cause.share)),
            ),
        }
    }

    /// Mean time per request that is due to a cause, ns.
    pub fn mean(&self, cause: TailCause) -> f64 {
        self.share(cause) * self.ns / (self.requests.max(1) as f64)
    }

    pub fn share(&self, cause: TailCause) -> f64 {
        self.shares.get(cause.code()).copied().unwrap_or(0.0)
    }

    /// The cause with the largest share.
    pub fn largest(&self) -> Option<(TailCause, f64)> {
        let all = TailCause::ALL
            .into_iter()
            .map(|cause| (cause, self.share(cause)));
        all.max_by(|x, y| x.1.total_cmp(&y.1))
            .filter(|(_, share)| *share > 0.0)
    }
}

/// What the time of the slowest requests of a run went to, in documents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TailOutline {
    /// `q2c`, or `d2c` where no Q was recorded.
    pub stage: String,
    /// 99th percentile of the stage.
    pub threshold_ns: u64,
    /// Number of requests above the threshold.
    pub requests: u64,
    /// Causes of their time, the largest first.
    pub causes: Vec<CauseShare>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CauseShare {
    pub cause: TailCause,
    pub label: &'static str,
    /// Share in the time of these requests.
    pub share: f64,
}

/// Smaller shares are left out.
const MIN_SHARE: f64 = 0.005;

impl TailOutline {
    pub fn new(tail: &TailDigest) -> TailOutline {
        let share = |cause: TailCause| CauseShare {
            cause,
            label: label(cause),
            share: tail.share(cause),
        };
        let mut causes: Vec<CauseShare> = TailCause::ALL
            .into_iter()
            .map(share)
            .filter(|cause| cause.share >= MIN_SHARE)
            .collect();
        causes.sort_short_by(|x, y| y.share.total_cmp(&x.share));
        TailOutline {
            stage: tail.stage.clone(),
            threshold_ns: tail.threshold,
            requests: tail.requests,
            causes,
        }
    }
}

//! Types that findings, their words and the document of a comparison share.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a share of a finding is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShareOf {
    /// Of the requests.
    Requests,
    /// Of the bytes.
    Bytes,
    /// Of the time from Q to D.
    Waiting,
    /// Of the time from Q to D in which nothing was in flight.
    Starved,
    /// Of the time from D to C.
    Device,
    /// Of the requests that flush, or have FUA.
    Flushes,
    /// Of the bios that a limit of a control group held back.
    Throttled,
    /// Of the requests that failed.
    Failed,
}

/// Of the baseline and of the other side.
pub type ValuePair = (Option<f64>, Option<f64>);
/// By key, in a finding.
pub type ValuePairs = BTreeMap<String, ValuePair>;

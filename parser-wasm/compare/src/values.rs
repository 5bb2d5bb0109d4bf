//! Types that findings, their words and the document of a comparison share.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The whole that a share in a finding is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShareOf {
    Requests,
    Bytes,
    /// The time from Q to D.
    Waiting,
    /// The time from Q to D in which nothing was in flight.
    Starved,
    /// The time from D to C.
    Device,
    /// The requests that flush or have FUA.
    Flushes,
    /// The bios that a limit of a control group held back.
    Throttled,
    /// The requests that failed.
    Failed,
    /// The time from D to C, by file and structure.
    Objects,
    /// The bytes, by the task whose data it is: also where a kernel thread wrote it back.
    Writers,
}

/// Values of the baseline and of the other side.
pub type ValuePair = (Option<f64>, Option<f64>);
/// The values of a finding, by key.
pub type ValuePairs = BTreeMap<String, ValuePair>;

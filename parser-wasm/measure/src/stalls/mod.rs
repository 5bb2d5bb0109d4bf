//! Stalls: stretches in which requests wait and the device completes none of them promptly.
//!
//! A completion is *prompt* if the request took less than [`MIN_SLOW_NS`], or less than
//! [`SLOW_FACTOR`] times the 90th percentile of its device where that is more: D2C, or Q2C of a
//! bio.
//! A stall is a stretch between two prompt completions during which a read, write or flush was
//! outstanding (from its Q, else its D, to its C), without idle times of more than [`MAX_IDLE_NS`].
//! It ends with the last late completion. Without its idle times it lasts at least
//! [`MIN_STALL_NS`], and at least [`GAP_FACTOR`] times the mean time between two completions of the
//! busy device: a slow device is not a stalled one.
//!
//! At most three passes over the requests, no sorting: the first finds the percentile and the mean,
//! and marks bins of time with a prompt completion; a second one marks them again where the
//! percentile of a device is so high that more completions are prompt; the last one visits the
//! requests around runs of empty bins, if there are any. Time and memory are bounded whatever the
//! times are: bins have at most `pace::MAX_BINS` bits for all devices together, so that in
//! recordings of many hours with many devices stalls of fewer than three bins are not found; and
//! where requests outlast more than `gaps::MAX_GAPS` runs of empty bins on average, no stall is
//! found.

mod gaps;
mod pace;
mod stalled_time;
#[cfg(test)]
mod tests;

use super::Window;
use gaps::Gaps;
use pace::DevicePace;
use seekscope_trace::protocol::labels;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::Store;
use serde::{Deserialize, Serialize};
use stalled_time::StallTimes;
use std::cmp::Reverse;

/// Shortest stall, ns.
pub const MIN_STALL_NS: u64 = 300_000_000;
/// A request that takes less is prompt, ns.
pub const MIN_SLOW_NS: u64 = 100_000_000;
/// A request is prompt below this multiple of the 90th percentile, too.
pub const SLOW_FACTOR: u64 = 4;
/// A stall lasts at least this multiple of the mean time between completions.
pub const GAP_FACTOR: u64 = 10;
/// Idle time that does not end a stall, ns: a program that waits for each request sends the next
/// one only when it was woken up.
pub const MAX_IDLE_NS: u64 = 20_000_000;
/// Stalls of a trace that are listed: the longest ones.
pub const MAX_STALLS: usize = 256;

/// What a device did while it stalled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StallKind {
    /// It completed nothing until the end.
    Frozen,
    /// It completed requests, each of them late.
    Slow,
    /// Requests waited above it: it, or the devices below it, had nothing to do.
    Held,
}

labels! {
    /// What a device did while it stalled, as the verb of a sentence; by kind, in their order.
    STALL_VERBS {
        "frozen" => "completed nothing",
        "slow" => "completed all requests late",
        "held" => "had nothing to do",
    }
}

impl StallKind {
    /// What the device did, as the verb of a sentence.
    pub fn verb(self) -> &'static str {
        STALL_VERBS[self as usize].1
    }
}

/// The longest stall of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LongestStall {
    pub kind: StallKind,
    pub from_ns: u64,
    pub to_ns: u64,
    /// Requests that were outstanding within it.
    pub requests: u64,
}

/// All stalls of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StallTotals {
    pub count: u64,
    /// Their time in all.
    pub ns: u64,
    pub longest: LongestStall,
}

impl StallTotals {
    /// Those of the device `dev` (`major,minor`) among stalls; absent without any.
    pub fn of_device(stalls: &[Stall], dev: &str) -> Option<StallTotals> {
        let of_device = || stalls.iter().filter(|stall| stall.device == dev);
        let longest = of_device().max_by_key(|stall| stall.to_ns - stall.from_ns)?;
        Some(StallTotals {
            count: of_device().count() as u64,
            ns: of_device().map(|stall| stall.to_ns - stall.from_ns).sum(),
            longest: LongestStall {
                kind: longest.kind,
                from_ns: longest.from_ns,
                to_ns: longest.to_ns,
                requests: longest.requests,
            },
        })
    }
}

/// The requests of one process that a stall delayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StalledProcess {
    pub pid: u32,
    pub name: String,
    pub requests: u64,
}

/// A stretch in which a device stalled. Times are ns since the first event of the trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stall {
    /// `major,minor`.
    pub device: String,
    pub kind: StallKind,
    /// The last prompt completion before it, or the begin of the first request that it delayed.
    pub from_ns: u64,
    /// The last late completion in it; the end of the trace if it never ended.
    pub to_ns: u64,
    /// Whether the trace ended before any request that it delayed was completed.
    pub unfinished: bool,
    /// Requests (bios of a stacked device) that were outstanding within it.
    pub requests: u64,
    /// Those of them that were completed before its last moment.
    pub completed: u64,
    /// Those of them that were in the device at some time; absent for bios of a stacked device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issued: Option<u64>,
    /// The longest time of one of these requests, ns: Q2C, else D2C; absent if none completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_ns: Option<u64>,
    /// Whose requests they were, most requests first.
    pub processes: Vec<StalledProcess>,
    /// The stall with some time before and after it, to be compared with `quiet_ns`.
    pub around_ns: (u64, u64),
    /// The nearest stretch of the same length, before the stall if there is one, in which the
    /// device completed requests and did not stall; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet_ns: Option<(u64, u64)>,
}

/// The stalls of a complete trace within a window, by their time. Empty where the times are in
/// doubt.
pub fn stalls(store: &Store, window: Window) -> Vec<Stall> {
    if !store.complete || store.quality.clock.is_some() {
        return Vec::new();
    }
    let devices = DevicePace::of_devices(store);
    let mut gaps = Gaps::find(&devices);
    if gaps.gaps.is_empty() {
        return Vec::new();
    }
    if !gaps.collect(store, &devices) {
        return Vec::new();
    }
    let mut found = gaps.stretches(store, &devices);
    // A quiet stretch has no stall, neither one outside of the window nor one that is not listed.
    let all = StallTimes::collect(&found, devices.len());
    found.retain(|stretch| stretch.from < window.to && stretch.to >= window.from);
    found.sort_short_by_key(|stretch| Reverse(stretch.to - stretch.from));
    found.truncate(MAX_STALLS);
    found.sort_short_by_key(|stretch| (stretch.from, stretch.device));
    found
        .iter()
        .map(|stretch| stretch.describe(store, &devices[stretch.device], &all))
        .collect()
}

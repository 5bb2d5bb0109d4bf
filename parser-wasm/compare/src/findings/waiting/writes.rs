//! A limit that holds back writes between Q and G, while reads pass: writeback throttling.

use crate::findings::{Case, Draft, EvidenceChart};
use crate::runs::digest::DeviceDigest;
use crate::threshold::{fraction, most, times};
use seekscope_measure::waiting::allocation::{AllocationWait, AllocationWaits};
use seekscope_trace::quantity::Unit;

/// Code of the finding.
pub const CODE: &str = "writes-throttled";
/// Minimum share of writes in the bytes.
const WRITTEN: f64 = 0.5;
/// Minimum number of writes that wait for their allocation, on average.
const WAITING: f64 = 0.3;
/// Maximum time that a read waits for its allocation, as a share of that of a write: where no tag
/// is free, both wait.
const READS: f64 = 0.1;
/// Minimum number of reads that tell.
const MIN_READS: f64 = 20.0;
/// Minimum share of sync requests of writes that are no writeback in the background.
const SYNC: f64 = 0.5;
/// Maximum share of the other depth.
const FELL: f64 = 0.7;
/// Minimum depth of the good side.
const DEEP: f64 = 1.5;
/// Maximum growth of D2C.
const D2C: f64 = 1.25;

/// How many requests waited for their allocation, and how long in all, ns: means over the runs of
/// the bad side.
fn waits(case: &Case, part: fn(AllocationWaits) -> AllocationWait) -> (f64, f64) {
    let mean = |pick: fn(AllocationWait) -> u64| {
        case.pair
            .b
            .mean(|device| device.allocation.map_or(0, |waits| pick(part(waits))) as f64)
    };
    (mean(|wait| wait.requests), mean(|wait| wait.ns))
}

pub fn rule() -> String {
    format!(
        "{} are written; at least {WAITING} writes wait between Q and G on average, {} as long as \
         reads do (without reads: and {} are not sync); and the queue depth is significantly \
         lower, at most {FELL} of the other's, which is at least {DEEP}, while D2C is at most {} \
         longer",
        most(WRITTEN, "bytes"),
        times(1.0 / READS),
        most(1.0 - SYNC, "requests"),
        fraction(D2C - 1.0),
    )
}

/// `writes-throttled`
pub fn throttled(case: &Case) -> Option<Draft> {
    let (depth, d2c) = (case.both("depth.mean")?, case.both("d2c.mean")?);
    let (reads, writes) = (waits(case, |all| all.reads), waits(case, |all| all.writes));
    let bad = case.pair.b;
    let written = bad.mean(|device| device.work.write as f64)
        >= WRITTEN * bad.mean(|device| device.requested() as f64);
    let shallow = depth.0 >= DEEP
        && depth.1 <= FELL * depth.0
        && case.pair.real("depth.mean")
        && d2c.1 <= D2C * d2c.0;
    let span = |device: &DeviceDigest| device.active.1.saturating_sub(device.active.0) as f64;
    let waiting = writes.1 / bad.mean(span).max(1.0);
    let mean = |(requests, ns): (f64, f64)| ns / requests.max(1.0);
    let passes = if reads.0 >= MIN_READS {
        mean(reads) <= READS * mean(writes)
    } else {
        // Tags hold back all requests; without reads only the background tells them apart.
        case.pair.b("sync").is_some_and(|sync| sync < SYNC)
    };
    if !written || !shallow || waiting < WAITING || !passes {
        return None;
    }
    let class = case.class(true, true)?;
    let lost = case.pair.lost?;
    let mut params = case
        .params()
        .value("q2g", mean(writes), Unit::Time)
        .value("depth", depth.1, Unit::Requests)
        .value("depth_good", depth.0, Unit::Requests);
    if reads.0 >= MIN_READS {
        params = params.value("reads", mean(reads), Unit::Time);
    }
    Some(Draft {
        code: CODE,
        params,
        keys: &[
            "q2g.mean",
            "depth.mean",
            "states.busy_waiting",
            "starved.share",
            "write_bps",
            "iops",
        ],
        more: Vec::new(),
        chart: EvidenceChart::QueueDepth,
        range: case.bin("q2g.mean", true),
        part: case.part(lost.starved + lost.busy_waiting),
        class,
    })
}

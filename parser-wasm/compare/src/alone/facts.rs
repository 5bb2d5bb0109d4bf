//! What requests look like, and what is missing from the recording.

use super::{RunCase, RunDraft, with_text};
use crate::findings::BLOCK;
use crate::findings::EvidenceChart;
use crate::runs::failures::{Failures, described, processes, range};
use crate::sentence::Params;
use crate::settings::of_compared;
use crate::threshold::{bytes, fraction, percent, times};
use seekscope_measure::tail::TailCause;
use seekscope_report::tail::label;
use seekscope_trace::quantity::Unit;

/// Minimum factor from the median of Q2C to its 99th percentile.
const TAIL: f64 = 3.0;
/// Minimum number of requests in the tail.
const REQUESTS: u64 = 5;
/// Minimum share of the tail's largest cause.
const CAUSE: f64 = 0.3;
/// Minimum share of writes that are not aligned to 4 KiB.
const OFF: f64 = 0.1;
/// Minimum share of stripes that are written partially, or of bytes in requests that straddle a
/// boundary.
const STRIPES: f64 = 0.1;
/// Largest mean size of small requests, bytes.
const SMALL: f64 = 16384.0;
/// Minimum share of sequential requests: others could not be merged.
const SEQUENTIAL: f64 = 0.5;

pub(super) fn slow_tail_rule() -> String {
    format!(
        "the 99th percentile of Q2C (D2C without Q) is more than {} the median, at least \
         {REQUESTS} requests are slower, and one cause makes up at least {} of their time",
        times(TAIL),
        percent(CAUSE),
    )
}

/// `slow-tail`
pub(super) fn slow_tail(case: &RunCase) -> Option<RunDraft> {
    let tail = case.tail().filter(|tail| tail.requests >= REQUESTS)?;
    let median = case
        .value(&format!("{}.p50", tail.stage))
        .filter(|median| *median > 0.0)?;
    let (cause, share) = tail.largest()?;
    if tail.threshold as f64 <= TAIL * median || share < CAUSE || cause == TailCause::Unknown {
        return None;
    }
    let params = Params::default()
        .value("p99", tail.threshold as f64, Unit::Time)
        .value("median", median, Unit::Time)
        .value("share", share, Unit::Share);
    let params = with_text(params, "stage", Some(tail.stage.to_uppercase()));
    Some(RunDraft {
        code: "slow-tail",
        params: with_text(params, "cause", Some(label(cause).to_owned())),
        keys: &["q2c.p50", "q2c.p99", "q2c.max", "q2d.p99", "d2c.p99"],
        chart: EvidenceChart::Tail,
        range: None,
        effect: None,
        share: None,
    })
}

pub(super) fn off_block_rule() -> String {
    format!(
        "at least {} of the writes are not aligned to {}, and the device's physical blocks are \
         not known to be smaller",
        percent(OFF),
        bytes(BLOCK),
    )
}

/// `writes-off-block`
pub(super) fn off_block(case: &RunCase) -> Option<RunDraft> {
    let off = case.value("writes.off4k").filter(|share| *share >= OFF)?;
    let block: Option<f64> =
        of_compared(case.run, "physical_block_size").and_then(|bytes| bytes.parse().ok());
    if block.is_some_and(|bytes| bytes < BLOCK) {
        return None;
    }
    let params = Params::default().value("off", off, Unit::Share);
    let params = match block {
        Some(bytes) => params.value("block", bytes, Unit::Bytes),
        None => params,
    };
    Some(RunDraft {
        code: "writes-off-block",
        params,
        keys: &["writes.off4k", "alignment.off4k", "size.issued.mean"],
        chart: EvidenceChart::Alignment,
        range: None,
        effect: None,
        share: None,
    })
}

pub(super) fn stripes_rule() -> String {
    format!(
        "a geometry is given, and at least {stripes} of the stripes are written partially, or \
         {stripes} of the bytes are in requests that straddle a unit boundary",
        stripes = percent(STRIPES),
    )
}

/// `partial-stripes`
pub(super) fn stripes(case: &RunCase) -> Option<RunDraft> {
    let straddles = case.value("alignment.straddles.share")?;
    let counted = case
        .value("alignment.stripes.full")
        .zip(case.value("alignment.stripes.partial"));
    let partial = counted
        .map(|(full, partial)| (partial, full + partial))
        .filter(|(_, all)| *all > 0.0);
    let is_partial = partial.is_some_and(|(partial, all)| partial >= STRIPES * all);
    if straddles < STRIPES && !is_partial {
        return None;
    }
    let mut params = Params::default().value("straddles", straddles, Unit::Share);
    if let Some((partial, all)) = partial {
        params = params
            .value("partial", partial, Unit::Count)
            .value("stripes", all, Unit::Count);
    }
    if let Some(extra) = case
        .value("alignment.rmw.bytes")
        .filter(|bytes| *bytes > 0.0)
    {
        params = params.value("extra", extra, Unit::Bytes);
    }
    Some(RunDraft {
        code: "partial-stripes",
        params,
        keys: &[
            "alignment.stripes.full",
            "alignment.stripes.partial",
            "alignment.straddles.share",
            "alignment.rmw.bytes",
        ],
        chart: EvidenceChart::Alignment,
        range: None,
        effect: None,
        share: None,
    })
}

pub(super) fn small_rule() -> String {
    format!(
        "requests are issued with {} or less in the mean, and at least {} of them are sequential",
        bytes(SMALL),
        fraction(SEQUENTIAL),
    )
}

/// `small-requests`
pub(super) fn small(case: &RunCase) -> Option<RunDraft> {
    let size = case
        .value("size.issued.mean")
        .filter(|size| *size <= SMALL)?;
    let sequential = case
        .value("seek.issued.sequential_share")
        .filter(|share| *share >= SEQUENTIAL)?;
    Some(RunDraft {
        code: "small-requests",
        params: Params::default().value("size", size, Unit::Bytes).value(
            "sequential",
            sequential,
            Unit::Share,
        ),
        keys: &[
            "size.issued.mean",
            "size.queued.mean",
            "seek.issued.sequential_share",
            "merges.q_per_d",
        ],
        chart: EvidenceChart::RequestSizes,
        range: None,
        effect: None,
        share: None,
    })
}

pub(super) fn incomplete_rule() -> String {
    "events were lost (gaps in sequence numbers, drops reported by blktrace, or intervals with \
     unmatched events), or a file is truncated"
        .to_owned()
}

/// `events-missing`
pub(super) fn incomplete(case: &RunCase) -> Option<RunDraft> {
    let quality = &case.run.trace.quality;
    if quality.lost_events == 0 && quality.holes == 0 && quality.truncated_bytes == 0 {
        return None;
    }
    let params = match quality.lost_events {
        0 => Params::default(),
        lost => Params::default().value("lost", lost as f64, Unit::Count),
    };
    Some(RunDraft {
        code: "events-missing",
        params,
        keys: &[],
        chart: EvidenceChart::Quality,
        range: None,
        effect: None,
        share: None,
    })
}

pub(super) fn failed_rule() -> String {
    "at least one request completed with an error; listed first unless all errors are EAGAIN or \
     EOPNOTSUPP"
        .to_owned()
}

/// `requests-failed`
pub(super) fn failed(case: &RunCase) -> Option<(RunDraft, bool)> {
    let failures = Failures::of_devices(&[case.device])?;
    if failures.failed == 0.0 {
        return None;
    }
    let params = described(Params::default(), &failures);
    let draft = RunDraft {
        code: "requests-failed",
        params: with_text(params, "who", processes(&failures.details)),
        keys: &["failed.requests", "failed.bytes", "events.C"],
        chart: EvidenceChart::SeekMap,
        range: range(case.device),
        effect: None,
        share: None,
    };
    // Errors that callers expect come last.
    Some((draft, failures.expected))
}

pub(super) fn nothing_rule() -> String {
    "no other finding holds".to_owned()
}

/// `nothing-held-back`
pub(super) fn nothing(case: &RunCase) -> RunDraft {
    let missing = case
        .device
        .absent("starved.share")
        .or_else(|| case.device.absent("depth.mean"));
    let waits = case
        .value("q2d.mean")
        .zip(case.value("starved.share"))
        .zip(case.value("states.nobody"));
    // The sentence has three parts, of which one is printed: what cannot be seen, what was seen, or
    // that too little was recorded.
    let params = match (missing, waits) {
        (Some(missing), _) => with_text(Params::default(), "missing", Some(missing)),
        (None, Some(((q2d, starved), idle))) => {
            let params = Params::default()
                .value("q2d", q2d, Unit::Time)
                .value("starved", starved, Unit::Share)
                .value("idle", idle, Unit::Share);
            [
                ("depth", "depth.mean", Unit::Requests),
                ("d2c", "d2c.mean", Unit::Time),
            ]
            .into_iter()
            .fold(params, |params, (name, key, unit)| match case.value(key) {
                Some(value) => params.value(name, value, unit),
                None => params,
            })
        }
        (None, None) => {
            let completed = case.value("events.C").unwrap_or(0.0);
            Params::default().value("completed", completed, Unit::Count)
        }
    };
    RunDraft {
        code: "nothing-held-back",
        params,
        keys: &[
            "starved.share",
            "states.nobody",
            "depth.mean",
            "q2d.mean",
            "d2c.mean",
            "q2c.mean",
        ],
        chart: EvidenceChart::QueueDepth,
        range: None,
        effect: None,
        share: None,
    }
}

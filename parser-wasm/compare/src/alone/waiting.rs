//! Time in which requests were held back, or none was there.

use super::{RunCase, RunDraft, with_text};
use crate::findings::{EvidenceChart, stalled_requests};
use crate::sentence::{Param, Params};
use crate::threshold::{fraction, percent, stall, timer_plugs};
use seekscope_measure::stalls::LongestStall;
use seekscope_measure::waiting::unplug_timer::TimerUnplugs;
use seekscope_trace::quantity::Unit;

/// Minimum share of the run in which the device is starved.
const STARVED: f64 = 0.05;
/// Minimum share of the starved time that a process is held back in, to be counted.
const WAITS: f64 = 0.05;
/// Nobody is held back where the device is starved for at most this share of what it is in the
/// complete run.
const FREE: f64 = 0.25;
/// Minimum share of the run in which nobody is held back, to be named.
const FREE_TIME: f64 = 0.1;
/// Minimum share of the run in which the device is idle.
const IDLE: f64 = 0.2;
/// Minimum share of Q2C in which a request waits for its allocation.
const ALLOCATION: f64 = 0.1;
/// Minimum share of Q2D in which a request waits for its allocation, or of the starved time in
/// which it waits for a timer, to be the reason of its waiting.
const MIN_SHARE: f64 = 0.5;
/// Minimum share of the run in which requests wait for an unplug timer.
const TIMER: f64 = 0.05;
/// Minimum share of the run in which a request waits while others are in flight.
const BUSY: f64 = 0.3;
/// Minimum share of Q2C in which a request waits for its issue.
const WAITING: f64 = 0.3;

/// Time in which requests waited for an unplug timer, as a share of the run.
fn unplug_timer(case: &RunCase) -> Option<(f64, TimerUnplugs)> {
    let timer = case.device.unplug_timer?;
    let (from, to) = case.device.active;
    let share = timer.ns as f64 / to.saturating_sub(from).max(1) as f64;
    (share >= TIMER).then_some((share, timer))
}

pub(super) fn for_unplug_timer_rule() -> String {
    format!(
        "{} held requests for at least {} of the run",
        timer_plugs(),
        percent(TIMER),
    )
}

/// `waiting-for-unplug-timer`
pub(super) fn for_unplug_timer(case: &RunCase) -> Option<RunDraft> {
    let (share, timer) = unplug_timer(case)?;
    let params = Params::default()
        .value("share", share, Unit::Share)
        .value("count", timer.count as f64, Unit::Count)
        .value("mean", timer.mean(), Unit::Time);
    Some(RunDraft {
        code: "waiting-for-unplug-timer",
        params,
        keys: &[
            "events.UT",
            "i2d.mean",
            "q2d.mean",
            "q2c.mean",
            "starved.share",
        ],
        chart: EvidenceChart::Stages,
        range: None,
        effect: Some("i2d.mean"),
        share: Some(share),
    })
}

pub(super) fn held_back_rule() -> String {
    format!(
        "the device is starved (nothing in flight, bios waiting) for at least {} of the run",
        percent(STARVED),
    )
}

/// `held-back`
pub(super) fn held_back(case: &RunCase) -> Option<RunDraft> {
    let share = case
        .value("starved.share")
        .filter(|share| *share >= STARVED)?;
    if unplug_timer(case).is_some_and(|(timer, _)| timer >= MIN_SHARE * share) {
        return None;
    }
    let iops = case.value("iops")?;
    let all = case.stretch(|_| true);
    let sums = case.device.bins.sums.get("starved.share");
    let starved = |bin: usize| {
        sums.and_then(|sums| sums.get(bin))
            .filter(|(_, ns)| *ns > 0.0)
            .map(|(over, ns)| over / ns)
    };
    let free = case.stretch(|bin| starved(bin).is_some_and(|part| part <= FREE * share));
    let held = case.stretch(|bin| starved(bin).is_some_and(|part| part > FREE * share));
    let is_known = free.ns() >= FREE_TIME * all.ns() && free.is_enough() && free.is_like(&held);
    let free_rate = free.value("iops").filter(|rate| is_known && *rate > iops);
    let mut params =
        Params::default()
            .value("share", share, Unit::Share)
            .value("iops", iops, Unit::PerSecond);
    params = match (free_rate, all.busy_rate()) {
        (Some(rate), _) => params.value("free", rate, Unit::PerSecond),
        (None, Some(rate)) => params.value("busy", rate, Unit::PerSecond),
        _ => params,
    };
    let processes = case.device.submitters.as_ref().map_or(0, |submitters| {
        let waits = |ns: u64| {
            submitters.all.starved_ns > 0 && ns as f64 >= WAITS * submitters.all.starved_ns as f64
        };
        submitters
            .top
            .iter()
            .filter(|submitter| waits(submitter.sums.starved_ns))
            .count()
    });
    Some(RunDraft {
        code: "held-back",
        params: with_text(
            params,
            "processes",
            (processes > 1).then(|| processes.to_string()),
        ),
        keys: &[
            "starved.share",
            "starved.longest",
            "starved.intervals",
            "waiting.mean",
            "depth.mean",
            "iops",
        ],
        chart: EvidenceChart::QueueDepth,
        range: case.device.starved_bin.map(|bin| case.range(bin, bin)),
        effect: Some("starved.share"),
        share: Some(share),
    })
}

pub(super) fn idle_rule() -> String {
    format!(
        "the device is idle, with no request waiting, for at least {} of the run",
        percent(IDLE),
    )
}

/// `mostly-idle`
pub(super) fn idle(case: &RunCase) -> Option<RunDraft> {
    let share = case.value("states.nobody").filter(|share| *share >= IDLE)?;
    let mut params = Params::default().value("share", share, Unit::Share).value(
        "iops",
        case.value("iops")?,
        Unit::PerSecond,
    );
    if let Some(busy) = case.stretch(|_| true).busy_rate() {
        params = params.value("busy", busy, Unit::PerSecond);
    }
    Some(RunDraft {
        code: "mostly-idle",
        params,
        keys: &["states.nobody", "depth.mean", "q2c.mean", "iops"],
        chart: EvidenceChart::QueueDepth,
        range: None,
        effect: Some("states.nobody"),
        share: Some(share),
    })
}

/// Q2G and Q2C where requests wait for their allocation rather than after it.
fn allocation(case: &RunCase) -> Option<(f64, f64)> {
    let (q2g, q2d, q2c) = (
        case.value("q2g.mean")?,
        case.value("q2d.mean")?,
        case.value("q2c.mean")?,
    );
    (q2g >= ALLOCATION * q2c && q2g >= MIN_SHARE * q2d).then_some((q2g, q2c))
}

pub(super) fn for_tags_rule() -> String {
    format!(
        "the mean Q2G is at least {} of Q2C and {} of Q2D, and bios wait while requests are in \
         flight for at least {} of the run",
        percent(ALLOCATION),
        fraction(MIN_SHARE),
        percent(BUSY),
    )
}

/// `waiting-for-tags`
pub(super) fn for_tags(case: &RunCase) -> Option<RunDraft> {
    let (q2g, q2c) = allocation(case)?;
    let busy = case
        .value("states.busy_waiting")
        .filter(|share| *share >= BUSY)?;
    let params = Params::default()
        .value("q2g", q2g, Unit::Time)
        .value("part", q2g / q2c, Unit::Share)
        .value("share", busy, Unit::Share)
        .value("depth", case.value("depth.mean")?, Unit::Requests);
    Some(RunDraft {
        code: "waiting-for-tags",
        params,
        keys: &[
            "q2g.mean",
            "q2d.mean",
            "q2c.mean",
            "states.busy_waiting",
            "depth.mean",
            "depth.max",
            "waiting.mean",
        ],
        chart: EvidenceChart::Stages,
        range: None,
        effect: Some("states.busy_waiting"),
        share: Some(busy),
    })
}

pub(super) fn before_issue_rule() -> String {
    format!(
        "the mean Q2D is at least {} of Q2C, and requests do not wait for tags",
        percent(WAITING),
    )
}

/// `waiting-before-issue`
pub(super) fn before_issue(case: &RunCase) -> Option<RunDraft> {
    let (q2d, q2c) = (case.value("q2d.mean")?, case.value("q2c.mean")?);
    if q2d < WAITING * q2c || for_tags(case).is_some() || unplug_timer(case).is_some() {
        return None;
    }
    let params = Params::default()
        .value("q2d", q2d, Unit::Time)
        .value("part", q2d / q2c, Unit::Share)
        .value("d2c", case.value("d2c.mean")?, Unit::Time);
    // Starved time has a finding of its own.
    Some(RunDraft {
        code: "waiting-before-issue",
        params,
        keys: &[
            "q2d.mean",
            "q2d.p99",
            "q2g.mean",
            "i2d.mean",
            "d2c.mean",
            "q2c.mean",
            "waiting.mean",
        ],
        chart: EvidenceChart::Stages,
        range: None,
        effect: Some("waiting.mean"),
        share: case.value("states.busy_waiting"),
    })
}

pub(super) fn stalled_rule() -> String {
    stall("the device stalls")
}

/// `stalled-at-times`
pub(super) fn stalled(case: &RunCase) -> Option<RunDraft> {
    let stalls = case.device.stalls?;
    let span = case.device.active.1.saturating_sub(case.device.active.0);
    let LongestStall {
        kind,
        from_ns,
        to_ns,
        requests,
    } = stalls.longest;
    let mut params = Params::default()
        .with("did", Param::Text(kind.verb().to_owned()))
        .value("longest", (to_ns - from_ns) as f64, Unit::Time)
        .with("requests", Param::Text(stalled_requests(requests)));
    if stalls.count > 1 {
        params = params
            .value("count", stalls.count as f64, Unit::Count)
            .value("all", stalls.ns as f64, Unit::Time);
    }
    Some(RunDraft {
        code: "stalled-at-times",
        params,
        keys: &["q2c.max", "d2c.max", "q2c.p99", "iops"],
        chart: EvidenceChart::Latency,
        range: Some((from_ns, to_ns)),
        effect: None,
        share: Some(stalls.ns as f64 / span.max(1) as f64),
    })
}

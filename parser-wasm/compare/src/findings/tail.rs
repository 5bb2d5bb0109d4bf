//! Why the slowest requests of one side were slower than those of the other.

use super::{CHANGE, Case, Draft, EvidenceChart};
use crate::sentence::Param;
use crate::threshold::{percent, points};
use seekscope_measure::tail::TailCause;
use seekscope_report::tail::label;
use seekscope_trace::quantity::Unit;

/// Minimum share of a cause in the time of the slowest requests.
const MIN_SHARE: f64 = 0.3;
/// Minimum growth of that share.
const GROWTH: f64 = 0.2;
/// Minimum number of requests in the tail of either side.
const REQUESTS: u64 = 5;

pub fn rule() -> String {
    format!(
        "the 99th percentile of Q2C (D2C without Q) is significantly longer; of the causes of the \
         time of the slowest 1%, the one whose time per request grew most makes up at least {} of \
         it, and at least {} more than on the other side",
        percent(MIN_SHARE),
        points(GROWTH),
    )
}

/// `tail-cause`
pub fn cause(case: &Case) -> Option<Draft> {
    let tail = |side: &crate::ComparisonSide| {
        side.device()
            .tail
            .clone()
            .filter(|tail| tail.requests >= REQUESTS)
    };
    let (good, bad) = (tail(case.pair.a)?, tail(case.pair.b)?);
    let key = if good.stage == "q2c" {
        "q2c.p99"
    } else {
        "d2c.p99"
    };
    let p99 = case.both(key)?;
    if good.stage != bad.stage || !case.pair.real(key) || p99.1 <= p99.0 {
        return None;
    }
    let grown = |cause: TailCause| bad.mean(cause) - good.mean(cause);
    let cause = TailCause::ALL
        .into_iter()
        .max_by(|x, y| grown(*x).total_cmp(&grown(*y)))?;
    let share = (good.share(cause), bad.share(cause));
    if cause == TailCause::Unknown || share.1 < MIN_SHARE || share.1 - share.0 < GROWTH {
        return None;
    }
    let params = case
        .params()
        .value("p99", p99.1, Unit::Time)
        .value("p99_good", p99.0, Unit::Time)
        .value("share", share.1, Unit::Share)
        .value("share_good", share.0, Unit::Share)
        .with("cause", Param::Text(label(cause).to_owned()));
    Some(Draft {
        code: "tail-cause",
        params,
        keys: &["q2c.p99", "q2c.p50", "q2c.max", "q2d.p99", "d2c.p99"],
        more: vec![("tail.share", case.of_both(share))],
        chart: EvidenceChart::Tail,
        range: None,
        part: None,
        class: CHANGE,
    })
}

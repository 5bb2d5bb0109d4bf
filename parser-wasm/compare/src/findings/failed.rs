//! Requests that fail on one side, and not or much less on the other.

use super::{CHANGE, Case, Draft, EvidenceChart, FIRST};
use crate::runs::failures::{Failures, described, range};
use crate::runs::run::ComparisonSide;
use crate::sentence::Param;
use crate::threshold::{percent, times};
use seekscope_statistics::student::binomial_tail;
use seekscope_trace::quantity::Unit;

/// Minimum growth of the share of requests that fail, where both sides have failures.
const GROWTH: f64 = 2.0;
/// Maximum probability of so many failures on the bad side if each were as likely on either.
const CHANCE: f64 = 0.01;

pub fn rule() -> String {
    format!(
        "requests failed in one run and none in the other; or the share that failed is at least \
         {} that of the other (of groups: in each run larger than in each of the other), and so \
         many would fail by chance with a probability below {} (binomial test). If all errors are \
         EAGAIN or EOPNOTSUPP, the test must hold in either case",
        times(GROWTH),
        percent(CHANCE),
    )
}

/// `failures-appeared`
pub fn appeared(case: &Case) -> Option<Draft> {
    let (good, bad) = (case.pair.a, case.pair.b);
    let (few, many) = (Failures::of_side(good)?, Failures::of_side(bad)?);
    if !grew(good, bad, &few, &many) {
        return None;
    }
    let mut params = described(case.params(), &many)
        .value("failed_good", few.failed, Unit::Count)
        .value("all_good", few.all, Unit::Count);
    if bad.runs.len() > 1 {
        let runs = format!("{} of {} runs", many.runs, bad.runs.len());
        params = params.with("runs", Param::Text(runs));
    }
    Some(Draft {
        code: "failures-appeared",
        params,
        keys: &["failed.requests", "failed.bytes", "events.C"],
        more: Vec::new(),
        chart: EvidenceChart::SeekMap,
        range: range(bad.device()),
        part: None,
        class: if many.expected { CHANGE } else { FIRST },
    })
}

fn grew(good: &ComparisonSide, bad: &ComparisonSide, few: &Failures, many: &Failures) -> bool {
    if many.failed == 0.0 {
        return false;
    }
    if few.failed == 0.0 && !many.expected {
        return true;
    }
    let apart = |a: &ComparisonSide, b: &ComparisonSide| {
        let largest = Failures::shares(a).into_iter().fold(0.0, f64::max);
        let smallest = Failures::shares(b).into_iter().fold(1.0, f64::min);
        largest < smallest
    };
    let chance = binomial_tail(
        many.failed,
        few.failed + many.failed,
        many.all / (few.all + many.all),
    );
    many.share() >= GROWTH * few.share() && chance < CHANCE && apart(good, bad)
}

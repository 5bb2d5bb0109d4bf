//! No significant difference.

use super::{CHANGE, Case, Draft, EvidenceChart, differs};
use crate::metric::Metric;
use crate::pair::Outcome;
use crate::sentence::{Param, Sentence};
use seekscope_trace::quantity::Unit;

/// Maximum number of other changes that are listed.
const NAMED: usize = 3;
/// Metrics whose change matters by itself. Between single runs only those that do not depend on the
/// machine's load.
const LISTED: [&str; 4] = ["events.P", "merges.q_per_d", "size.issued.mean", "sync"];
const LISTED_OF_GROUPS: [&str; 2] = ["i2d.mean", "q2g.mean"];

pub fn rule() -> String {
    "no other finding holds, no mechanism differs significantly, and throughput differs by no \
     more than noise"
        .to_owned()
}

/// `no-real-difference`
pub fn nothing(case: &Case, list: &[Metric]) -> Option<Draft> {
    let pair = case.pair;
    let outcome = pair.outcome();
    let is_small = matches!(outcome, Outcome::Equal | Outcome::MaybeEqual);
    if !is_small || !differs::mechanisms(pair, list).is_empty() {
        return None;
    }
    let (unit, values) = match (pair.throughput(), case.both("bps")) {
        (Some((_, rate)), _) => (Unit::Rate, rate),
        (None, Some(rate)) if pair.same_files.is_none() && rate.0.max(rate.1) > 0.0 => {
            (Unit::Rate, rate)
        }
        _ => (Unit::Time, case.both("span")?),
    };
    let groups = pair.a.runs.len() > 1 && pair.b.runs.len() > 1;
    let listed = |key: &str| LISTED.contains(&key) || groups && LISTED_OF_GROUPS.contains(&key);
    let changed = list
        .iter()
        .filter(|f| listed(&f.key) && pair.real(&f.key))
        .take(NAMED);
    let named: Vec<Sentence> = changed
        .filter_map(|metric| differs::change(pair, metric))
        .collect();
    let mut params =
        case.params()
            .value("value", values.0, unit)
            .value("value_bad", values.1, unit);
    if outcome == Outcome::MaybeEqual {
        params = params.with("unsure", Param::Flag);
    }
    if !named.is_empty() {
        params = params.with("changes", Param::Parts(Sentence::joined(named)));
    }
    Some(Draft {
        code: "no-real-difference",
        params,
        keys: &[
            "bps",
            "iops",
            "span",
            "q2c.mean",
            "d2c.mean",
            "depth.mean",
            "events.P",
            "i2d.mean",
        ],
        more: Vec::new(),
        chart: EvidenceChart::Differences,
        range: None,
        part: None,
        class: CHANGE,
    })
}

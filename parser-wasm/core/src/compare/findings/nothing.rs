//! No significant difference.

use super::{CHANGE, Case, Draft};
use crate::compare::metric::Metric;
use crate::compare::pair::Outcome;
use crate::compare::quantity::Unit;
use crate::compare::sentence::{Param, Params, Sentence};
use crate::compare::wording;

/// Maximum number of other changes that are listed.
const NAMED: usize = 3;
/// Metrics whose change matters by itself. Between single runs only those that do not depend on the
/// machine's load.
const LISTED: [&str; 4] = ["events.P", "merges.q_per_d", "size.issued.mean", "sync"];
const LISTED_OF_GROUPS: [&str; 4] = ["i2d.mean", "q2g.mean", "d2c.mean", "depth.mean"];

/// `no-real-difference`
pub fn nothing(case: &Case, list: &[Metric]) -> Option<Draft> {
    let pair = case.pair;
    if pair.outcome() != Outcome::Equal {
        return None;
    }
    let (unit, values) = match (pair.throughput(), case.both("bps")) {
        (Some((_, rate)), _) => (Unit::Rate, rate),
        (None, Some(rate)) if rate.0 > 0.0 || rate.1 > 0.0 => (Unit::Rate, rate),
        _ => (Unit::Time, case.both("span")?),
    };
    let groups = pair.a.runs.len() > 1 && pair.b.runs.len() > 1;
    let listed = |key: &str| LISTED.contains(&key) || groups && LISTED_OF_GROUPS.contains(&key);
    let changed = list
        .iter()
        .filter(|f| listed(&f.key) && pair.real(&f.key))
        .take(NAMED);
    let named = |metric: &Metric| {
        let (before, after) = pair.both(&metric.key)?;
        let by = pair
            .ratio(&metric.key)
            .map_or_else(|| Param::Text("new".to_owned()), Param::Factor);
        let params = Params::default()
            .with("label", Param::Text(metric.label.clone()))
            .value("before", before, metric.unit)
            .value("after", after, metric.unit)
            .with("by", by);
        Some(params.fill(wording::CHANGE))
    };
    let named: Vec<Sentence> = changed.filter_map(named).collect();
    let mut params =
        case.params()
            .value("value", values.0, unit)
            .value("value_bad", values.1, unit);
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
        chart: "differences",
        range: None,
        rule: "no other finding holds, and throughput differs by no more than noise",
        part: None,
        class: CHANGE,
    })
}

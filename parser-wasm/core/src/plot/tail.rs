//! Why the slowest requests in view were slow.

use super::answer::{Answer, BadQuery};
use super::query::TimeRange;
use super::view::View;
use crate::measure::histogram::Share;
use crate::measure::tail::{tails, threshold};
use crate::report::tail::{LISTED, TailSummary};
use serde::Deserialize;
use serde_json::json;

/// Parameters of `tail`.
#[derive(Clone, Debug, Deserialize)]
pub struct TailQuery {
    pub device: u32,
    /// Requests that start in it.
    pub range: TimeRange,
    /// Slower than this share of them: 0.5 to 0.9999.
    pub percentile: f64,
}

/// Answers `tail`: `tail` is absent where requests have no such time.
pub fn tail(view: View, query: &TailQuery) -> Result<Answer, BadQuery> {
    let (store, device) = (view.store, query.device as usize);
    let own = store.devices.get(device).ok_or_else(|| BadQuery(format!("device {device} does not exist")))?;
    if !(0.5..=0.9999).contains(&query.percentile) {
        return Err(BadQuery::new("the percentile must be 0.5 to 0.9999"));
    }
    let window = view.window(query.range);
    let mut thresholds = vec![None; store.devices.len()];
    thresholds[device] = threshold(store, device, window, (query.percentile * 10_000.0).round() as Share);
    let found = tails(store, window, &thresholds, LISTED);
    let summary = found.get(device).and_then(Option::as_ref).map(|tail| TailSummary::of(store, own, tail));
    Ok(Answer::json(&summary.map_or_else(|| json!({}), |summary| json!({ "tail": summary }))))
}

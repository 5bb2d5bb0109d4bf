//! Why the slowest requests in view were slow, and which request is the slowest of a cell of the
//! latency chart.

use crate::answer::BadQuery;
use crate::map::hit::RowAnswer;
use crate::query::{Filter, RequestStage, TimeRange};
use crate::select::Selection;
use crate::view::View;
use seekscope_measure::Window;
use seekscope_measure::histogram::Share;
use seekscope_measure::latency::stage;
use seekscope_measure::tail::{TAIL, Tail, tails_of, threshold};
use seekscope_report::tail::{LISTED, TailSummary};
use seekscope_trace::protocol::FloatNs;
use seekscope_trace::store::RequestRow;
use serde::{Deserialize, Serialize};

/// Parameters of `tail`.
#[derive(Clone, Debug, Deserialize)]
pub struct TailQuery {
    pub filter: Filter,
    /// Requests that start in it.
    pub range: TimeRange,
    /// Examines the requests that are slower than this share of them: 0.5 to 0.9999. Absent: all.
    pub percentile: Option<f64>,
    /// Examines only this row of the request table, in or outside of the range.
    pub row: Option<u32>,
}

/// The answer of `tail`.
#[derive(Clone, Debug, Serialize)]
pub struct TailAnswer {
    /// Absent where no such request has a latency.
    #[serde(skip_serializing_if = "Option::is_none")]
    tail: Option<TailSummary>,
}

/// Answers `tail`. The default question, the slowest percent of all requests of a device over the
/// complete time, takes the tail that the summary has computed already.
pub fn tail(view: View, query: &TailQuery) -> Result<TailAnswer, BadQuery> {
    let (store, device) = (view.store, query.filter.device as usize);
    let selection = Selection::new(view, &query.filter)?;
    let examined = store
        .devices
        .get(device)
        .ok_or_else(|| BadQuery(format!("device {device} does not exist")))?;
    let summary = |tail: Option<&Tail>| {
        let summary = tail.map(|tail| TailSummary::new(store, examined, tail));
        TailAnswer { tail: summary }
    };
    if query
        .percentile
        .is_some_and(|percentile| !(0.5..=0.9999).contains(&percentile))
    {
        return Err(BadQuery::new("the percentile must be 0.5 to 0.9999"));
    }
    let share = query
        .percentile
        .map(|percentile| (percentile * 10_000.0).round() as Share);
    let window = match query.row {
        None => view.window(query.range),
        Some(only) => {
            let start = store.requests.len().checked_sub(1).map_or(0, |last| {
                store.requests.row((only as usize).min(last)).start()
            });
            Window {
                from: start,
                to: start.saturating_add(1),
            }
        }
    };
    if query.row.is_none()
        && share == Some(TAIL)
        && selection.takes_device()
        && let Some(measured) = view.measured_whole(query.range)
    {
        return Ok(summary(measured.tails.get(device).and_then(Option::as_ref)));
    }
    let takes = |row: RequestRow| {
        query
            .row
            .map_or_else(|| selection.takes(row), |only| row.row == only as usize)
    };
    let mut thresholds = vec![None; store.devices.len()];
    thresholds[device] = view
        .full(query.filter.device)
        .and_then(|full| threshold(store, device, window, share, takes, full));
    let found = tails_of(
        store,
        window,
        &thresholds,
        takes,
        |time| view.first_completing(time),
        LISTED,
    );
    Ok(summary(found.get(device).and_then(Option::as_ref)))
}

/// Parameters of `slowest`.
#[derive(Clone, Debug, Deserialize)]
pub struct SlowestQuery {
    pub filter: Filter,
    /// Requests that start in it.
    pub range: TimeRange,
    pub stage: RequestStage,
    /// Shortest time, ns.
    pub low: FloatNs,
    /// Below this time, ns; absent: any.
    pub high: Option<FloatNs>,
}

/// Answers `slowest`: row -1 where no request is within the limits, the first of equal ones.
pub fn slowest(view: View, query: &SlowestQuery) -> Result<RowAnswer, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let name = query.stage.stage();
    let (requests, low, high) = (
        &view.store.requests,
        query.low.ceil(),
        query.high.map_or(f64::INFINITY, f64::ceil),
    );
    let mut found: Option<(u64, usize)> = None;
    requests.each(view.starting(query.range), |row| {
        let Some(ns) = stage(row, name) else { return };
        let within = (ns as f64) >= low
            && (ns as f64) < high
            && found.is_none_or(|(longest, _)| ns > longest);
        if within && selection.takes(row) {
            found = Some((ns, row.row));
        }
    });
    Ok(RowAnswer::new(found.map(|(_, row)| row)))
}

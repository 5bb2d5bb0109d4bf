//! One page of the table of requests.

use super::answer::{Answer, BadQuery};
use super::query::{Filter, MAX_POINTS, TimeRange, cells, index_of};
use super::select::{OPS, Selection};
use super::view::{View, total_latency};
use serde::{Deserialize, Serialize};

/// Parameters of `requests`.
#[derive(Clone, Debug, Deserialize)]
pub struct RequestsQuery {
    pub filter: Filter,
    /// Requests that start in it.
    pub range: TimeRange,
    /// `time`, `latency`, `size` or `lba`.
    pub sort: String,
    pub descending: bool,
    pub offset: f64,
    /// Rows per page.
    pub limit: f64,
}

#[derive(Debug, Serialize)]
struct RequestTableRow {
    row: usize,
    op: &'static str,
    rwbs: String,
    sector: u64,
    sectors: u64,
    process: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    queued: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issued: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed: Option<u64>,
}

#[derive(Debug, Serialize)]
struct RequestPage {
    total: usize,
    rows: Vec<RequestTableRow>,
}

const SORTS: [&str; 4] = ["time", "latency", "size", "lba"];

/// Answers `requests`. Equal keys are in time order; requests without a latency come last in either
/// direction.
pub fn requests(view: View, query: &RequestsQuery) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let sort = index_of(&SORTS, &query.sort)?;
    let r = &view.store.requests;
    let key = |row: usize| match sort {
        0 => Some(r.start(row)),
        1 => total_latency(r.at(row)),
        2 => Some(r.sectors(row)),
        _ => Some(r.sector(row)),
    };
    let ordered = |row: usize| match key(row) {
        None => u64::MAX,
        Some(k) if query.descending => u64::MAX - 1 - k.min(u64::MAX - 1),
        Some(k) => k.min(u64::MAX - 1),
    };
    let mut keyed: Vec<(u64, u32)> = view
        .starting(query.range)
        .filter(|&row| selection.takes(r.at(row)))
        .map(|row| (ordered(row), row as u32))
        .collect();
    let total = keyed.len();
    let from = (query.offset.clamp(
        0.0,
        MAX_POINTS as f64 * MAX_POINTS as f64 * MAX_POINTS as f64,
    ) as usize)
        .min(total);
    let to = (from + cells(query.limit)).min(total);
    if from < to {
        keyed.select_nth_unstable(from);
        keyed[from..].select_nth_unstable(to - from - 1);
        keyed[from..to].sort_unstable();
    }
    let rows = keyed[from..to]
        .iter()
        .map(|&(_, row)| describe(view, row as usize))
        .collect();
    Ok(Answer::json(&RequestPage { total, rows }))
}

fn describe(view: View, row: usize) -> RequestTableRow {
    let r = &view.store.requests;
    RequestTableRow {
        row,
        op: OPS[r.op(row) as usize],
        rwbs: r.flags(row).rwbs(r.bytes(row)),
        sector: r.sector(row),
        sectors: r.sectors(row),
        process: view.process_name(r.process(row)),
        queued: r.queued(row),
        issued: r.issued(row),
        completed: r.completed(row),
    }
}

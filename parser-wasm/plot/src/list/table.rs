//! One page of the table of requests.

use crate::answer::BadQuery;
use crate::query::{Filter, MAX_POINTS, TimeRange, cells};
use crate::select::Selection;
use crate::view::{View, total_latency};
use seekscope_trace::event::Op;
use seekscope_trace::protocol::{Ns, SectorNumber};
use seekscope_trace::store::RequestRow;
use serde::{Deserialize, Serialize};

/// Parameters of `requests`.
#[derive(Clone, Debug, Deserialize)]
pub struct RequestsQuery {
    pub filter: Filter,
    /// Requests that start in it.
    pub range: TimeRange,
    pub sort: RequestSort,
    pub descending: bool,
    pub offset: f64,
    /// Rows per page.
    pub limit: f64,
}

/// The column by which requests are sorted.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestSort {
    Time,
    Latency,
    Size,
    Lba,
}

/// A request in a table.
#[derive(Clone, Debug, Serialize)]
#[doc(alias = "RequestRow")]
pub struct RequestTableRow {
    row: usize,
    op: Op,
    rwbs: String,
    sector: SectorNumber,
    sectors: u64,
    process: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    queued: Option<Ns>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issued: Option<Ns>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed: Option<Ns>,
}

/// A page of the requests of a range.
#[derive(Clone, Debug, Serialize)]
pub struct RequestPage {
    /// Number of rows on all pages.
    total: usize,
    rows: Vec<RequestTableRow>,
}

/// Answers `requests`. Equal keys are in time order; requests without a latency come last in either
/// direction. Only the rows of the page are sorted, the others just moved before or after it: a
/// page of a million requests costs one pass.
pub fn requests(view: View, query: &RequestsQuery) -> Result<RequestPage, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let r = &view.store.requests;
    let key = |request: RequestRow| match query.sort {
        RequestSort::Time => Some(request.start()),
        RequestSort::Latency => total_latency(request),
        RequestSort::Size => Some(request.sectors()),
        RequestSort::Lba => Some(request.sector()),
    };
    let ordered = |row: usize| match key(r.row(row)) {
        None => u64::MAX,
        Some(k) if query.descending => u64::MAX - 1 - k.min(u64::MAX - 1),
        Some(k) => k.min(u64::MAX - 1),
    };
    let mut keyed: Vec<(u64, u32)> = view
        .starting(query.range)
        .filter(|&row| selection.takes(r.row(row)))
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
    Ok(RequestPage { total, rows })
}

fn describe(view: View, row: usize) -> RequestTableRow {
    let request = view.store.requests.row(row);
    RequestTableRow {
        row,
        op: request.op(),
        rwbs: request.flags().rwbs(request.bytes()),
        sector: request.sector(),
        sectors: request.sectors(),
        process: view.process_name(request.process()),
        queued: request.queued(),
        issued: request.issued(),
        completed: request.completed(),
    }
}

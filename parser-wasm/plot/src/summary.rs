//! All figures of a trace: the document of `summary --json`, and the digest for comparisons.

use super::answer::BadQuery;
use super::query::{GeometryQuery, TimeRange};
use super::view::View;
use seekscope_compare::{self as compare, Digest};
use seekscope_measure::Window;
use seekscope_report::summary::{TraceSummary, summary_of};
use serde::Deserialize;

/// Parameters of `summary` and `digest`.
#[derive(Clone, Debug, Deserialize)]
pub struct SummaryQuery {
    /// Absent: without figures of alignment.
    pub geometry: Option<GeometryQuery>,
    /// Requests that start in it; absent: the complete trace.
    pub range: Option<TimeRange>,
}

/// Answers `summary`.
pub fn summary(view: View, query: &SummaryQuery) -> Result<TraceSummary, BadQuery> {
    let geometry = query
        .geometry
        .as_ref()
        .map(GeometryQuery::geometry)
        .transpose()?;
    let window = query
        .range
        .map_or(Window::WHOLE, |range| view.window(range));
    let measured = view.measured(window, geometry);
    Ok(summary_of(view.store, window, geometry, &measured))
}

/// Answers `digest`.
pub fn digest(view: View, query: &SummaryQuery) -> Result<Digest, BadQuery> {
    let geometry = query
        .geometry
        .as_ref()
        .map(GeometryQuery::geometry)
        .transpose()?;
    let window = query
        .range
        .map_or(Window::WHOLE, |range| view.window(range));
    let measured = view.measured(window, geometry);
    Ok(compare::digest_of(
        view.store,
        window,
        geometry,
        &measured,
        &view.stalls(window),
    ))
}

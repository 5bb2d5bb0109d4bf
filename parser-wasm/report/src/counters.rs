//! Lanes in `summary --json`: the mean of each counter over the run.

use seekscope_measure::Window;
use seekscope_trace::store::Store;
use seekscope_trace::store::lanes::{Lane, LaneFigures, LaneKind, LaneSource, LaneUnit};
use serde::Serialize;

/// A file with counters, or a tracepoint with values.
#[derive(Clone, Debug, Serialize)]
#[doc(alias = "SummaryCounters")]
pub struct CountersSummary {
    #[serde(flatten)]
    pub source: LaneSource,
    /// The lanes with a sample in the window.
    pub lanes: Vec<LaneSummary>,
}

/// The values of one counter within a window.
#[derive(Clone, Debug, Serialize)]
#[doc(alias = "SummaryLane")]
pub struct LaneSummary {
    pub name: String,
    /// What the counter is of: `vda`, `CPU 0`, `machine`.
    pub of: String,
    pub meaning: String,
    pub unit: LaneUnit,
    pub kind: LaneKind,
    pub main: bool,
    #[serde(flatten)]
    pub figures: LaneFigures,
}

/// Summarises all lanes within a window, by source.
pub fn counters(store: &Store, window: Window) -> Vec<CountersSummary> {
    let ns = |time: u64| i64::try_from(time).unwrap_or(i64::MAX);
    let (from, to) = (ns(window.from), ns(window.to.min(store.span())));
    let lanes_of = |source: usize| {
        let rows = store
            .lanes
            .rows
            .iter()
            .filter(move |lane| lane.source == source);
        let summary = move |lane: &Lane| {
            Some(LaneSummary {
                name: lane.name.clone(),
                of: lane.subject.label(),
                meaning: lane.meaning.clone(),
                unit: lane.unit,
                kind: lane.kind,
                main: lane.main,
                figures: lane.figures(from, to)?,
            })
        };
        rows.filter_map(summary).collect()
    };
    let sources = store.lanes.sources.iter().enumerate();
    sources
        .map(|(i, source)| CountersSummary {
            source: source.clone(),
            lanes: lanes_of(i),
        })
        .collect()
}

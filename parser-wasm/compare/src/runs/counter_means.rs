//! What a digest has of the counters of other tools: their means over the run.

use seekscope_measure::Window;
use seekscope_report as report;
use seekscope_trace::store::Store;
use seekscope_trace::store::lanes::LaneUnit;
use serde::{Deserialize, Serialize};

/// Maximum number of counters per run.
const MAX_COUNTERS: usize = 120;

/// The mean of a counter over a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CounterMean {
    /// Name of the tool: `iostat -x`.
    pub tool: String,
    /// What it counts for: `vda`, `machine`.
    pub of: String,
    /// Name as the tool prints it: `%util`.
    pub name: String,
    pub unit: LaneUnit,
    pub mean: f64,
}

/// The main counters of a trace, without those of single CPUs.
pub fn means(store: &Store, window: Window) -> Vec<CounterMean> {
    let sources = report::counters::counters(store, window);
    let all = sources.into_iter().flat_map(|file| {
        let tool = file
            .source
            .what
            .split(':')
            .next()
            .unwrap_or_default()
            .to_owned();
        file.lanes
            .into_iter()
            .filter(|lane| lane.main && !lane.of.starts_with("CPU "))
            .map(move |lane| CounterMean {
                tool: tool.clone(),
                of: lane.of,
                name: lane.name,
                unit: lane.unit,
                mean: lane.figures.mean,
            })
    });
    all.filter(|counter| counter.mean.is_finite())
        .take(MAX_COUNTERS)
        .collect()
}

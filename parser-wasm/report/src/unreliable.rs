//! Loss intervals, and the figures that are unreliable because of them or of the clock.

use seekscope_measure::Window;
use seekscope_measure::figures::Figures;
use seekscope_trace::json::untyped;
use seekscope_trace::store::{LossEvidence, LossInterval, Store};
use serde::Serialize;

/// A time in which events of a device were lost on a CPU.
#[derive(Clone, Debug, Serialize)]
#[doc(alias = "SummaryHole")]
pub struct SummaryLoss {
    /// The device as `major,minor`.
    device: String,
    cpu: u32,
    /// The last event before, ns since the trace's first event.
    from: u64,
    /// The first event after, ns since the trace's first event.
    to: u64,
    reason: LossEvidence,
    /// Number of missing events, if the sequence numbers show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<u64>,
    /// Number of unmatched events around it, if these are the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    strays: Option<u64>,
}

/// The loss intervals of a trace, with the names of their devices.
pub fn loss_intervals(store: &Store) -> Vec<SummaryLoss> {
    let figures = |hole: &LossInterval| {
        let (lost, strays) = hole.loss.counts();
        let device = store.devices.get(hole.device as usize)?.number.to_string();
        Some(SummaryLoss {
            device,
            cpu: hole.cpu,
            from: hole.from,
            to: hole.to,
            reason: hole.loss,
            lost,
            strays,
        })
    };
    store
        .quality
        .loss_intervals
        .iter()
        .filter_map(figures)
        .collect()
}

/// Totals, states and neighbourhoods. Not `span_ns`, and not shares that a sample estimates as well
/// (`sync_share`, the suggested geometry).
const FIGURES: [&str; 14] = [
    "events",
    "bytes",
    "throughput",
    "depth",
    "waiting",
    "starved",
    "states",
    "tail",
    "sizes",
    "seek",
    "interleaving",
    "merges",
    "flush",
    "alignment",
];
/// The figures that a wrong clock makes wrong: times, and what depends on the order of the events
/// of several CPUs.
const BY_CLOCK: [&str; 8] = [
    "throughput",
    "depth",
    "waiting",
    "starved",
    "states",
    "tail",
    "seek",
    "interleaving",
];
/// Stages are listed one by one: `latency_ns.q2c`. The second object covers the complete trace,
/// whatever the window.
const BY_STAGE: [&str; 2] = ["latency_ns", "latency_bio_ns"];

/// Names of a device's figures that are wrong in a window because its events were lost, or that its
/// clock makes wrong, or that cannot be. `figures` is the device's entry of the document; what does
/// not apply is absent there and not listed.
pub fn figures(
    store: &Store,
    device: usize,
    window: Window,
    measured: &Figures,
    figures: &impl Serialize,
) -> Vec<String> {
    let losses = || {
        store
            .quality
            .loss_intervals
            .iter()
            .filter(|h| h.device as usize == device)
    };
    let by_clock = store.quality.clock.is_some() || !measured.are_plausible();
    if losses().next().is_none() && !by_clock {
        return Vec::new();
    }
    let here = losses().any(|h| h.from < window.to && h.to > window.from);
    let figures = untyped(figures);
    let wrong = |name: &str| here || by_clock && BY_CLOCK.contains(&name);
    let names = FIGURES
        .iter()
        .filter(|name| wrong(name) && figures.get(name).is_some())
        .map(|name| (*name).to_owned());
    let stages = BY_STAGE
        .iter()
        .skip(usize::from(!here && !by_clock))
        .flat_map(|name| {
            let entries = figures
                .get(name)
                .and_then(|entries| entries.as_object())
                .into_iter()
                .flatten();
            entries.map(move |(stage, _)| format!("{name}.{stage}"))
        });
    names.chain(stages).collect()
}

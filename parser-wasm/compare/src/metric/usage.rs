//! Metrics of the queue: depth, waiting, starved time, and states of the device.

use super::{Metric, MetricInput};
use seekscope_measure::depth::{Depth, STATE_NAMES, Starved, States};
use seekscope_notes::Good;
use seekscope_trace::quantity::Unit;

/// Depth, waiting, and states of the device.
pub(super) fn usage() -> Vec<Metric> {
    use Unit::{Bios, Count, Number, Requests, Share, Time};
    let share = |key: &'static str, label: &str, pick: fn(&States) -> f64| {
        let value = move |s: MetricInput| s.figures.usage.as_ref()?.states.as_ref().map(pick);
        let figure = Metric::new(key, label, Share, value);
        Metric {
            sums: Some(Box::new(move |s| {
                Some((value(s)? * s.ns as f64, s.ns as f64))
            })),
            ..figure
        }
    };
    let depth = |key, label, unit, pick: fn(&Depth) -> f64| {
        Metric::new(key, label, unit, move |s| {
            s.figures.usage.as_ref()?.depth.as_ref().map(pick)
        })
    };
    let starved = |key, label, unit, pick: fn(&Starved) -> f64| {
        Metric::new(key, label, unit, move |s| {
            s.figures.usage.as_ref()?.starved.as_ref().map(pick)
        })
        .good(Good::Less)
    };
    vec![
        depth("depth.mean", "Queue depth, mean", Requests, |d| d.mean).sampled(|s| {
            let mean = s.figures.usage.as_ref()?.depth.as_ref()?.mean;
            Some((mean * s.ns as f64, s.ns as f64))
        }),
        depth("depth.p50", "Queue depth, median", Requests, |d| {
            f64::from(d.p50)
        }),
        depth("depth.p95", "Queue depth, p95", Requests, |d| {
            f64::from(d.p95)
        }),
        depth("depth.max", "Queue depth, max", Requests, |d| {
            f64::from(d.max)
        }),
        Metric::new("waiting.mean", "Waiting, mean", Bios, |s| {
            Some(s.figures.usage.as_ref()?.waiting?.mean)
        })
        .good(Good::Less)
        .sampled(|s| {
            Some((
                s.figures.usage.as_ref()?.waiting?.mean * s.ns as f64,
                s.ns as f64,
            ))
        }),
        Metric::new("waiting.max", "Waiting, max", Number, |s| {
            Some(f64::from(s.figures.usage.as_ref()?.waiting?.max))
        })
        .good(Good::Less),
        share("starved.share", "Starved time", |s| s.starved).good(Good::Less),
        starved("starved.longest", "Longest starved interval", Time, |s| {
            s.longest_ns as f64
        }),
        starved("starved.intervals", "Starved intervals", Count, |s| {
            s.intervals as f64
        }),
        share("states.busy_waiting", &state("busy_waiting"), |s| {
            s.busy_waiting
        }),
        share("states.busy", &state("busy"), |s| s.busy),
        share("states.nobody", &state("nobody"), |s| s.nobody),
    ]
}

/// The name of a state as a heading.
fn state(key: &str) -> String {
    let name = STATE_NAMES.iter().find(|(state, _)| *state == key);
    let name = name.map_or("", |(_, name)| name);
    let (first, rest) = name.split_at(name.len().min(1));
    first.to_uppercase() + rest
}

//! Metrics of throughput, of what stands in for it, and of failures.

use super::{Metric, MetricInput};
use seekscope_measure::failed::FailedCount;
use seekscope_measure::figures::Figures;
use seekscope_measure::throughput::CompletionCounter;
use seekscope_notes::Good;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::Action;
use seekscope_trace::quantity::Unit;

const SECOND: f64 = 1e9;

fn per_second(n: u64, ns: u64) -> Option<(f64, f64)> {
    Some((n as f64 * SECOND, ns as f64))
}

pub(super) fn rates() -> Vec<Metric> {
    use Unit::{PerSecond, Rate, Time};
    vec![
        Metric::new("span", "Run time, first Q to last C", Time, |s| {
            Some(s.ns as f64)
        })
        .good(Good::Less)
        // For a given amount of work: time per byte.
        .sampled(|s| Some((s.ns as f64, moved(s)? as f64))),
        Metric::new("read_bps", "Throughput, read", Rate, |s| {
            Some(s.figures.throughput?.read_bps)
        })
        .good(Good::More)
        .sampled(|s| per_second(s.figures.counts.read_bytes, s.ns)),
        Metric::new("write_bps", "Throughput, write", Rate, |s| {
            Some(s.figures.throughput?.write_bps)
        })
        .good(Good::More)
        .sampled(|s| per_second(s.figures.counts.write_bytes, s.ns)),
        Metric::new("bps", "Throughput, read and write", Rate, |s| {
            s.figures.throughput.map(|t| t.read_bps + t.write_bps)
        })
        .good(Good::More)
        .sampled(|s| {
            per_second(
                s.figures.counts.read_bytes + s.figures.counts.write_bytes,
                s.ns,
            )
        }),
        Metric::new("iops", "Requests completed", PerSecond, |s| {
            Some(s.figures.throughput?.iops)
        })
        .good(Good::More)
        .sampled(|s| per_second(s.figures.counts.count(Action::Complete), s.ns)),
        requested("queued_bps", "Bytes queued per second", |f| f.requested[0]),
        requested("issued_bps", "Bytes issued per second", |f| f.requested[1]),
    ]
}

/// Reads and writes in bytes: as completed, else as issued, else as queued.
fn moved(s: MetricInput) -> Option<u64> {
    let counts = &s.figures.counts;
    let completed = s
        .device
        .recorded
        .is_known(Action::Complete)
        .then_some(counts.read_bytes + counts.write_bytes);
    let [queued, issued] = s
        .figures
        .requested
        .map(|moved| moved.map(|m| m.read_bytes + m.write_bytes));
    completed.or(issued).or(queued)
}

/// Stands in for throughput where a run was recorded without completions.
fn requested(key: &str, label: &str, pick: fn(&Figures) -> Option<CompletionCounter>) -> Metric {
    let sums = move |s: MetricInput| {
        per_second(pick(s.figures).map(|m| m.read_bytes + m.write_bytes)?, s.ns)
    };
    let value = move |s: MetricInput| {
        sums(s)
            .filter(|(_, ns)| *ns > 0.0)
            .map(|(bytes, ns)| bytes / ns)
    };
    let metric = Metric {
        sums: Some(Box::new(sums)),
        ..Metric::new(key, label, Unit::Rate, value)
    };
    Metric {
        substitute: true,
        ..metric.good(Good::More)
    }
}

/// Completions with an error.
pub(super) fn failures() -> Vec<Metric> {
    let count = |key, label, unit, pick: fn(FailedCount) -> u64| {
        Metric::new(key, label, unit, move |s| {
            let is_known = s.capabilities.has(Capabilities::ERRORS)
                && s.device.recorded.is_known(Action::Complete);
            is_known.then(|| pick(s.figures.failed) as f64)
        })
        .good(Good::Less)
    };
    vec![
        Metric {
            rare: true,
            ..count("failed.requests", "Failed requests", Unit::Count, |f| {
                f.requests
            })
        },
        count(
            "failed.bytes",
            "Bytes of failed requests",
            Unit::Bytes,
            |f| f.bytes,
        ),
    ]
}

//! Metrics of sizes and merges, and totals of bytes and events.

use super::{Metric, MetricInput};
use seekscope_measure::counts::EventCounts;
use seekscope_measure::figures::Figures;
use seekscope_measure::size::SizeCount;
use seekscope_report::absent::DeviceRecording;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::Action;
use seekscope_trace::quantity::Unit;

/// Bytes and number of requests with data; absent without any.
fn length_sums(sizes: &[SizeCount]) -> Option<(f64, f64)> {
    let (mut bytes, mut n) = (0.0, 0.0);
    for row in sizes.iter().filter(|row| row.sectors > 0) {
        let count = (row.reads + row.writes + row.discards) as f64;
        n += count;
        bytes += count * row.sectors as f64 * 512.0;
    }
    (n > 0.0).then_some((bytes, n))
}

pub(super) fn sizes() -> Vec<Metric> {
    let figure = |i: usize, moment: &str| {
        let sums = move |s: MetricInput| length_sums(&s.figures.sizes[i]);
        let value = move |s: MetricInput| sums(s).map(|(bytes, n)| bytes / n);
        let label = format!("Request size, mean, as {moment}");
        Metric {
            sums: Some(Box::new(sums)),
            ..Metric::new(&format!("size.{moment}.mean"), &label, Unit::Bytes, value)
        }
    };
    vec![
        figure(0, "queued"),
        figure(1, "issued"),
        figure(2, "completed"),
    ]
}

pub(super) fn merges() -> Vec<Metric> {
    let count = |key, label, pick: fn(&EventCounts) -> u64| {
        Metric::new(key, label, Unit::Count, move |s| {
            let is_known = s.capabilities.has(Capabilities::MERGES)
                && s.device.recorded.is_known(Action::Queue);
            is_known.then(|| pick(&s.figures.counts) as f64)
        })
    };
    vec![
        count("merges.back", "Back merges", |c| c.back_merges()),
        count("merges.front", "Front merges", |c| {
            c.count(Action::FrontMerge)
        }),
        count("merges.requests", "Requests merged into others", |c| {
            c.request_merges
        }),
        Metric::new(
            "merges.q_per_d",
            "Bios per issued request",
            Unit::Number,
            |s| s.figures.counts.queued_per_issued(),
        )
        .sampled(|s| {
            Some((
                s.figures.counts.data_queued as f64,
                s.figures.counts.data_issued as f64,
            ))
        }),
    ]
}

pub(super) fn totals() -> Vec<Metric> {
    let bytes = |key, label, pick: fn(&Figures) -> u64| {
        Metric::new(key, label, Unit::Bytes, move |s| {
            s.device
                .recorded
                .is_known(Action::Complete)
                .then(|| pick(s.figures) as f64)
        })
    };
    let mut list = vec![
        bytes("bytes.read", "Bytes read", |f| f.counts.read_bytes),
        bytes("bytes.write", "Bytes written", |f| f.counts.write_bytes),
        bytes("bytes.discard", "Bytes discarded", |f| {
            f.counts.discard_bytes
        }),
    ];
    use Action::{
        BackMerge, Complete, FrontMerge, GetRequest, Insert, Issue, Plug, Queue, Requeue, Split,
        Unplug, UnplugTimer,
    };
    let listed = [
        Queue,
        BackMerge,
        FrontMerge,
        GetRequest,
        Insert,
        Issue,
        Requeue,
        Complete,
        Split,
        Plug,
        Unplug,
        UnplugTimer,
    ];
    list.extend(listed.map(|action| {
        let (key, label) = (
            format!("events.{}", action.letters()),
            format!("Events {}", action.letters()),
        );
        Metric::new(&key, &label, Unit::Count, move |s| {
            let n = s.figures.counts.count(action);
            let zero = || {
                s.capabilities.has(Capabilities::needed_for(action))
                    && !DeviceRecording::new(s.device, s.capabilities).is_masked()
            };
            (n > 0 || zero()).then_some(n as f64)
        })
    }));
    list
}

//! Metrics that are a part of the requests: off a block of 4 KiB, issued out of order, completed
//! elsewhere.

use super::{Metric, MetricInput};
use seekscope_measure::access::order::RequestPart;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::quantity::Unit;

/// A metric that is a part of the requests: `parts` returns the part and all requests of the run or
/// of a bin.
fn share_of(key: &str, label: &str, parts: fn(MetricInput) -> Option<(f64, f64)>) -> Metric {
    Metric::new(key, label, Unit::Share, move |s| {
        parts(s).map(|(part, all)| part / all)
    })
    .sampled(parts)
}

fn of_requests(RequestPart { part, n }: RequestPart) -> Option<(f64, f64)> {
    (n > 0).then_some((part as f64, n as f64))
}

/// Writes off a block of 4 KiB.
pub fn off_block() -> Metric {
    share_of("writes.off4k", "Writes not aligned to 4 KiB", |s| {
        let count = s.figures.off_block;
        (count.writes > 0).then_some((count.off as f64, count.writes as f64))
    })
}

/// Requests that were issued out of the order of Q, and completed on another CPU.
pub fn order() -> [Metric; 2] {
    [
        share_of(
            "reordered.share",
            "Requests issued out of queue order",
            |s| of_requests(s.figures.reordered),
        ),
        share_of("migrated.share", "Requests completed on another CPU", |s| {
            of_requests(s.figures.migrated).filter(|_| s.capabilities.has(Capabilities::CPUS))
        }),
    ]
}

//! Metrics of flushes, forced writes and the SYNC flag.

use super::{Metric, MetricInput};
use seekscope_measure::flush::Flush;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::quantity::Unit;

pub(super) fn flushes() -> Vec<Metric> {
    let flush = |s: MetricInput| {
        s.capabilities
            .has(Capabilities::FLUSHES)
            .then_some(s.figures.flush)
    };
    let count = |key, label, pick: fn(&Flush) -> Option<u64>| {
        Metric::new(key, label, Unit::Count, move |s| {
            flush(s).as_ref().and_then(pick).map(|n| n as f64)
        })
    };
    vec![
        count("flush.preflush", "Writes with a preflush", |f| f.preflush),
        count("flush.flush", "Flush requests", |f| f.flush),
        count("flush.fua", "FUA writes", |f| f.fua),
        Metric::new("flush.busy", "Flush in flight", Unit::Share, move |s| {
            flush(s)?.busy_share
        })
        .sampled(|s| Some((s.figures.flush.busy_share? * s.ns as f64, s.ns as f64))),
        Metric::new("sync", "Sync requests", Unit::Share, |s| {
            s.figures
                .sync_share
                .filter(|_| s.capabilities.has(Capabilities::HINTS))
        })
        .sampled(|s| {
            let n = s.figures.counts.data_issued as f64;
            Some((s.figures.sync_share? * n, n))
        }),
    ]
}

//! Values of tracepoints as lanes of the trace. The tracepoints name one disk by number or by name.

use super::TraceBuilder;
use seekscope_formats::values::{PointCounter, PointDevice, ValuePoint};
use seekscope_trace::store::lanes::{
    Lane, LaneKind, LaneLimiter, LaneSample, LaneSource, LaneSubject, LaneUnit,
};
use seekscope_trace::store::{Device, Lanes};
use std::collections::{BTreeMap, BTreeSet};

/// Source, name, meaning, unit, kind, and whether it is drawn at first.
type LaneWords = (
    LaneLimiter,
    &'static str,
    &'static str,
    LaneUnit,
    LaneKind,
    bool,
);

#[expect(clippy::too_many_lines, reason = "a table: one arm per kind of lane")]
fn words(counter: PointCounter) -> LaneWords {
    use LaneKind::{Event, Gauge};
    use LaneLimiter::{Iocost, Kyber, Tags, Wbt};
    use LaneUnit::{Count, Ns, Share};
    match counter {
        PointCounter::WbtStep => (
            Wbt,
            "step",
            "steps by which writeback is throttled; below 0 it is let through",
            Count,
            Gauge,
            true,
        ),
        PointCounter::WbtInflight => (Wbt, "inflight", "writes in flight", Count, Gauge, false),
        PointCounter::WbtNormal => (
            Wbt,
            "normal",
            "writes that may be in flight",
            Count,
            Gauge,
            true,
        ),
        PointCounter::WbtBackground => (
            Wbt,
            "background",
            "background writes that may be in flight",
            Count,
            Gauge,
            false,
        ),
        PointCounter::WbtLatency => (Wbt, "latency", "latency above the target", Ns, Event, true),
        PointCounter::WbtReadMean => (
            Wbt,
            "rmean",
            "mean latency of reads in a window",
            Ns,
            Event,
            false,
        ),
        PointCounter::WbtWriteMean => (
            Wbt,
            "wmean",
            "mean latency of writes in a window",
            Ns,
            Event,
            false,
        ),
        PointCounter::KyberReadLatency => (
            Kyber,
            "read latency",
            "latency of reads by their target",
            Share,
            Event,
            true,
        ),
        PointCounter::KyberWriteLatency => (
            Kyber,
            "write latency",
            "latency of writes by their target",
            Share,
            Event,
            true,
        ),
        PointCounter::KyberOtherLatency => (
            Kyber,
            "other latency",
            "latency of other requests by their target",
            Share,
            Event,
            false,
        ),
        PointCounter::KyberReadDepth => (
            Kyber,
            "read depth",
            "reads that may be in flight",
            Count,
            Gauge,
            true,
        ),
        PointCounter::KyberWriteDepth => (
            Kyber,
            "write depth",
            "writes that may be in flight",
            Count,
            Gauge,
            true,
        ),
        PointCounter::KyberOtherDepth => (
            Kyber,
            "other depth",
            "other requests that may be in flight",
            Count,
            Gauge,
            false,
        ),
        PointCounter::KyberThrottled => (
            Kyber,
            "throttled",
            "a request was held back",
            Count,
            Event,
            true,
        ),
        PointCounter::IocostRate => (
            Iocost,
            "vrate",
            "rate by the rate of the model",
            Share,
            Gauge,
            true,
        ),
        PointCounter::IocostWait => (
            Iocost,
            "rq_wait",
            "time in which requests waited for tags",
            Share,
            Gauge,
            false,
        ),
        PointCounter::IocostBusy => (
            Iocost,
            "busy",
            "busy level of the device",
            Count,
            Gauge,
            false,
        ),
        PointCounter::IocostShortages => (
            Iocost,
            "shortages",
            "groups that wait for their share",
            Count,
            Gauge,
            false,
        ),
        PointCounter::IocostShortage => (
            Iocost,
            "shortage",
            "a group ran out of its share",
            Count,
            Event,
            true,
        ),
        PointCounter::HardwareTagWait => (
            Tags,
            "hardware tags",
            "a request waited for a hardware tag; depth of the tags",
            Count,
            Event,
            true,
        ),
        PointCounter::SchedulerTagWait => (
            Tags,
            "scheduler tags",
            "a request waited for a scheduler tag; depth of the tags",
            Count,
            Event,
            true,
        ),
    }
}

/// The limiter that a tracepoint belongs to, if its events mean that requests were held back: a
/// recording that has the tracepoint and no event of it shows that nothing was.
fn limiter_of(point: ValuePoint) -> Option<LaneLimiter> {
    match point {
        ValuePoint::WbtStep => Some(LaneLimiter::Wbt),
        ValuePoint::KyberThrottled | ValuePoint::KyberAdjust => Some(LaneLimiter::Kyber),
        ValuePoint::IocostRate => Some(LaneLimiter::Iocost),
        ValuePoint::TagWait => Some(LaneLimiter::Tags),
        _ => None,
    }
}

/// The name of the device in the trace: by its number, or by its name; a name of which the trace
/// has only a number belongs to its only device.
fn subject(device: &PointDevice, devices: &[Device]) -> String {
    let unnamed = |device: &Device| device.name == device.number.to_string();
    match device {
        PointDevice::Number(number) => devices
            .iter()
            .find(|d| d.number == *number)
            .map_or_else(|| number.to_string(), |d| d.name.clone()),
        PointDevice::Name(name) => match devices {
            [only] if unnamed(only) => only.name.clone(),
            _ => name.clone(),
        },
    }
}

impl TraceBuilder {
    /// The lanes of the values of all files.
    pub(super) fn lanes(&self) -> Lanes {
        let (devices, origin) = (&self.store().devices, self.store().origin);
        let mut rows: BTreeMap<(LaneLimiter, PointCounter, String), Vec<LaneSample>> =
            BTreeMap::new();
        let mut left_out = 0;
        let mut recorded = BTreeSet::new();
        for values in self.files.reports().map(|report| &report.values) {
            left_out += values.left_out;
            recorded.extend(values.described.iter().copied().filter_map(limiter_of));
            for value in &values.rows {
                let since_origin =
                    i64::try_from(i128::from(value.time) - i128::from(origin)).unwrap_or(i64::MAX);
                let key = (
                    words(value.counter).0,
                    value.counter,
                    subject(&value.device, devices),
                );
                rows.entry(key).or_default().push(LaneSample {
                    from: since_origin,
                    time: since_origin,
                    value: value.value,
                });
            }
        }
        let mut lanes = Lanes::default();
        for ((limiter, counter, device), mut samples) in rows {
            samples.sort_by_key(|sample| sample.time);
            if lanes
                .sources
                .last()
                .is_none_or(|source| source.limiter != Some(limiter))
            {
                let cut = if left_out > 0 {
                    ", the first of them"
                } else {
                    ""
                };
                let what = if limiter == LaneLimiter::Tags {
                    "waits for tags"
                } else {
                    limiter.point()
                };
                lanes.sources.push(LaneSource {
                    file: limiter.point().to_owned(),
                    what: format!("tracepoints of {what}{cut}"),
                    limiter: Some(limiter),
                    ..LaneSource::default()
                });
                recorded.insert(limiter);
            }
            let (_, name, meaning, unit, kind, main) = words(counter);
            lanes.rows.push(Lane {
                name: name.to_owned(),
                meaning: meaning.to_owned(),
                unit,
                kind,
                subject: LaneSubject::Device(device),
                source: lanes.sources.len() - 1,
                main,
                samples,
            });
        }
        lanes.recorded = recorded.into_iter().collect();
        lanes
    }
}

//! Values of tracepoints as lanes of the trace. The tracepoints name one disk by number or by name.

use super::TraceBuilder;
use crate::format::values::{PointCounter, PointDevice};
use crate::store::lanes::{Lane, LaneKind, LaneSample, LaneSource, LaneSubject, LaneUnit};
use crate::store::{Device, Lanes};
use std::collections::BTreeMap;

/// Source, name, meaning, unit, kind, and whether it is drawn at first.
type LaneWords = (&'static str, &'static str, &'static str, LaneUnit, LaneKind, bool);

fn words(counter: PointCounter) -> LaneWords {
    use LaneKind::{Event, Gauge};
    use LaneUnit::{Count, Ns, Share};
    match counter {
        PointCounter::WbtStep => {
            ("wbt", "step", "steps by which writeback is throttled; below 0 it is let through", Count, Gauge, true)
        }
        PointCounter::WbtInflight => ("wbt", "inflight", "writes in flight", Count, Gauge, false),
        PointCounter::WbtNormal => ("wbt", "normal", "writes that may be in flight", Count, Gauge, true),
        PointCounter::WbtBackground => ("wbt", "background", "background writes that may be in flight", Count, Gauge, false),
        PointCounter::WbtLatency => ("wbt", "latency", "latency above the target", Ns, Event, true),
        PointCounter::WbtReadMean => ("wbt", "rmean", "mean latency of reads in a window", Ns, Event, false),
        PointCounter::WbtWriteMean => ("wbt", "wmean", "mean latency of writes in a window", Ns, Event, false),
        PointCounter::KyberReadLatency => ("kyber", "read latency", "latency of reads by their target", Share, Event, true),
        PointCounter::KyberWriteLatency => ("kyber", "write latency", "latency of writes by their target", Share, Event, true),
        PointCounter::KyberOtherLatency => {
            ("kyber", "other latency", "latency of other requests by their target", Share, Event, false)
        }
        PointCounter::KyberReadDepth => ("kyber", "read depth", "reads that may be in flight", Count, Gauge, true),
        PointCounter::KyberWriteDepth => ("kyber", "write depth", "writes that may be in flight", Count, Gauge, true),
        PointCounter::KyberOtherDepth => ("kyber", "other depth", "other requests that may be in flight", Count, Gauge, false),
        PointCounter::KyberThrottled => ("kyber", "throttled", "a request was held back", Count, Event, true),
        PointCounter::IocostRate => ("iocost", "vrate", "rate by the rate of the model", Share, Gauge, true),
        PointCounter::IocostWait => ("iocost", "rq_wait", "time in which requests waited for tags", Share, Gauge, false),
        PointCounter::IocostBusy => ("iocost", "busy", "busy level of the device", Count, Gauge, false),
        PointCounter::IocostShortage => ("iocost", "shortage", "a group ran out of its share", Count, Event, true),
        PointCounter::HardwareTagWait => {
            ("block_rq_tag_wait", "hardware tags", "a request waited for a hardware tag; depth of the tags", Count, Event, true)
        }
        PointCounter::SchedulerTagWait => {
            ("block_rq_tag_wait", "scheduler tags", "a request waited for a scheduler tag; depth of the tags", Count, Event, true)
        }
    }
}

/// The name of the device in the trace: by its number, or by its name; a name of which the trace has only a number belongs to its only device.
fn subject(of: &PointDevice, devices: &[Device]) -> String {
    let unnamed = |device: &Device| device.name == device.number.to_string();
    match of {
        PointDevice::Number(number) => {
            devices.iter().find(|d| d.number == *number).map_or_else(|| number.to_string(), |d| d.name.clone())
        }
        PointDevice::Name(name) => match devices {
            [only] if unnamed(only) => only.name.clone(),
            _ => name.clone(),
        },
    }
}

impl TraceBuilder {
    /// The lanes of all values.
    pub(super) fn lanes(&self) -> Lanes {
        let (devices, origin) = (&self.store.devices, self.store.origin);
        let mut rows: BTreeMap<(&'static str, PointCounter, String), Vec<LaneSample>> = BTreeMap::new();
        let mut left_out = 0;
        for values in self.files.iter().map(|f| &f.decoder.report().values) {
            left_out += values.left_out;
            for value in &values.rows {
                let at = i64::try_from(i128::from(value.time) - i128::from(origin)).unwrap_or(i64::MAX);
                let key = (words(value.counter).0, value.counter, subject(&value.device, devices));
                rows.entry(key).or_default().push(LaneSample { from: at, at, value: value.value });
            }
        }
        let mut lanes = Lanes::default();
        for ((file, counter, device), mut samples) in rows {
            samples.sort_by_key(|sample| sample.at);
            if lanes.sources.last().is_none_or(|source| source.file != file) {
                let cut = if left_out > 0 { ", the first of them" } else { "" };
                let what = format!("tracepoints of {}{cut}", if file == "block_rq_tag_wait" { "waits for tags" } else { file });
                lanes.sources.push(LaneSource { file: file.to_owned(), what, ..LaneSource::default() });
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
        lanes
    }
}

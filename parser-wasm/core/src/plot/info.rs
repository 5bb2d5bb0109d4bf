//! What can be queried: devices, processes, CPUs, quality. Updated incrementally while a trace is being read.

use super::answer::Answer;
use super::view::placed;
use crate::event::{Action, DeviceNumber, EventDetail};
use crate::measure::process::{QueuedBios, QueuedByProcess};
use crate::report::absent::DeviceRecording;
use crate::report::drivers::SummaryDrivers;
use crate::sorting::SortShort;
use crate::store::{LossEvidence, LossInterval, Role, Store, rows};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// Ranges of conventional zones of a device.
const MOST_RANGES: usize = 1 << 10;

/// Totals over the rows so far. Each row is visited once, however often `info` is queried.
#[derive(Clone, Debug, Default)]
pub struct InfoCounter {
    events: usize,
    requests: usize,
    complete: bool,
    cpus: CpuSet,
    devices: Vec<DeviceCounter>,
    processes: QueuedByProcess,
    /// (upper device, index of the device below).
    remaps: BTreeSet<(DeviceNumber, u32)>,
}

fn hole(hole: &LossInterval) -> Json {
    let LossInterval { device, cpu, from, to, loss } = *hole;
    let (kind, n) = match loss {
        LossEvidence::SequenceGap { events } => ("lost", events),
        LossEvidence::Silence { unmatched } => ("strays", unmatched),
    };
    json!({ "device": device, "cpu": cpu, "from": from, "to": to, "reason": loss.name(), kind: n })
}

/// A set of CPUs; the first 64 are bits.
#[derive(Clone, Debug, Default)]
struct CpuSet {
    low: u64,
    high: BTreeSet<u32>,
}

impl CpuSet {
    #[inline]
    fn insert(&mut self, cpu: u32) {
        if cpu < u64::BITS {
            self.low |= 1 << cpu;
        } else {
            self.high.insert(cpu);
        }
    }

    fn list(&self) -> Vec<u32> {
        (0..u64::BITS).filter(|cpu| self.low >> cpu & 1 == 1).chain(self.high.iter().copied()).collect()
    }
}

#[derive(Clone, Copy, Debug)]
struct DeviceCounter {
    requests: u64,
    lba: (u64, u64),
    /// Rows of events: first and last of any kind, and those between which the device is active.
    events: Option<(usize, usize)>,
    first_queue: Option<usize>,
    first_issue: Option<usize>,
    last_completion: Option<usize>,
}

impl DeviceCounter {
    const NONE: DeviceCounter = DeviceCounter {
        requests: 0,
        lba: (u64::MAX, 0),
        events: None,
        first_queue: None,
        first_issue: None,
        last_completion: None,
    };
}

impl InfoCounter {
    /// Adds the rows since the last call. When the trace becomes complete, all rows are counted again, because they were sorted.
    pub fn advance(&mut self, store: &Store) {
        if self.complete != store.complete {
            *self = InfoCounter { complete: store.complete, ..InfoCounter::default() };
        }
        self.devices.resize(store.devices.len(), DeviceCounter::NONE);
        self.processes.0.resize(store.processes.len(), QueuedBios::default());
        rows::each(self.events..store.events.len(), |i| self.event(store, i));
        self.events = store.events.len();
        rows::each(self.requests..store.requests.len(), |row| self.request(store, row));
        self.requests = store.requests.len();
    }

    fn event(&mut self, store: &Store, i: usize) {
        let e = &store.events;
        self.cpus.insert(e.cpu(i));
        let action = e.action(i);
        let device = e.device(i);
        let mut tally = self.devices.get_mut(device as usize);
        if let Some(tally) = &mut tally {
            tally.events = Some((tally.events.map_or(i, |known| known.0), i));
        }
        match (action, tally) {
            (Action::Queue, tally) => {
                self.processes.add(e.process(i), e.bytes(i));
                if let Some(tally) = tally.filter(|t| t.first_queue.is_none()) {
                    tally.first_queue = Some(i);
                }
            }
            (Action::Issue, Some(tally)) => tally.first_issue = tally.first_issue.or(Some(i)),
            (Action::Complete, Some(tally)) => tally.last_completion = Some(i),
            (Action::Remap, _) => {
                if let EventDetail::Remap { from, .. } = e.detail(i) {
                    self.remaps.insert((from, device));
                }
            }
            _ => {}
        }
    }

    fn request(&mut self, store: &Store, row: usize) {
        let r = &store.requests;
        let Some(device) = self.devices.get_mut(r.device(row) as usize) else { return };
        device.requests += 1;
        if placed(r.at(row)) {
            let first = r.sector(row);
            device.lba = (device.lba.0.min(first), device.lba.1.max(first.saturating_add(r.sectors(row))));
        }
    }

    /// Devices with most events first; a stacked device comes before the first of its members.
    fn order(&self, store: &Store) -> Vec<usize> {
        let mut order: Vec<usize> = (0..store.devices.len()).collect();
        order.sort_short_by_key(|&i| std::cmp::Reverse(store.devices[i].events));
        let stacked: Vec<usize> = order.iter().copied().filter(|&i| store.devices[i].role == Role::Stacked).collect();
        for upper in stacked {
            let below = |i: &usize| self.remaps.contains(&(store.devices[upper].number, *i as u32));
            let (at, first) = (order.iter().position(|&i| i == upper), order.iter().position(below));
            if let (Some(at), Some(first)) = (at, first)
                && first < at
            {
                order.remove(at);
                order.insert(first, upper);
            }
        }
        order
    }

    /// Answers `info`. Call [`InfoCounter::advance`] before.
    pub fn info(&self, store: &Store) -> Answer {
        let mut info = json!({
            "name": store.name,
            "label": store.label,
            "format": store.format,
            "files": store.files.iter().map(|f| json!({ "name": f.name, "bytes": f.bytes, "records": f.records })).collect::<Json>(),
            "absent": store.capabilities.absent(),
            "complete": store.complete,
            "span": store.span(),
            "events": store.events.len(),
            "requests": store.requests.len(),
            "messages": store.messages.rows.len(),
            "cpus": self.cpus.list(),
            "devices": self.order(store).into_iter().map(|i| self.device(store, i)).collect::<Json>(),
            "processes": (0..store.processes.len()).map(|i| self.process(store, i)).collect::<Json>(),
            "quality": {
                "lostEvents": store.quality.lost_events,
                "truncatedBytes": store.quality.truncated_bytes,
                "unknownRecords": store.quality.unknown_records,
                "reissued": store.quality.reissued,
                "unmatched": {
                    "Q": store.quality.unmatched.q,
                    "D": store.quality.unmatched.d,
                    "C": store.quality.unmatched.c,
                },
                "holes": store.quality.loss_intervals.iter().map(hole).collect::<Json>(),
                "warnings": store.quality.warnings,
            },
        });
        if let Some(drivers) = SummaryDrivers::of(&store.quality) {
            info["quality"]["drivers"] = json!(drivers);
        }
        if !store.lanes.sources.is_empty() {
            info["laneSources"] = json!(store.lanes.sources.len());
        }
        if let Some(dropped) = store.quality.tracer_dropped {
            info["quality"]["tracerDropped"] = json!(dropped);
        }
        if let Some(window) = store.window {
            info["window"] = json!(window);
        }
        if let Some(wall) = store.wall {
            info["startedAt"] = json!(wall as f64 / 1e6);
        }
        Answer::Json(info)
    }

    fn device(&self, store: &Store, i: usize) -> Json {
        let (device, tally) = (&store.devices[i], self.devices.get(i).unwrap_or(&DeviceCounter::NONE));
        let time = |event: Option<usize>| event.map_or(0, |i| store.events.time(i));
        let first = tally.first_queue.or(tally.first_issue).or(tally.events.map(|e| e.0));
        let last = tally.last_completion.or(tally.events.map(|e| e.1));
        let (begun, ended) = (time(first), time(last));
        let lba = if tally.lba.0 < tally.lba.1 { tally.lba } else { (0, 0) };
        let recording = DeviceRecording::of(device, store.capabilities);
        // Until all is read, an action may still occur.
        let absent = if store.complete { recording.absent_charts() } else { Default::default() };
        let mut info = json!({
            "index": i,
            "dev": device.number.to_string(),
            "name": device.name,
            "role": device.role.name(),
            "recorded": device.recorded.letters(),
            "row": device.recorded.row().name(),
            "absent": absent,
            "events": device.events,
            "requests": tally.requests,
            "lba": lba,
            "active": [begun, ended.max(begun)],
        });
        if let Some(zones) = device.zones.as_ref().filter(|z| z.sectors > 0 && device.role == Role::Disk) {
            info["zones"] = json!({ "sectors": zones.sectors });
            if let Some(ranges) = &zones.conventional {
                info["zones"]["conventional"] = json!(ranges[..ranges.len().min(MOST_RANGES)]);
            }
        }
        if store.complete && recording.is_masked() {
            info["masked"] = json!(true);
        }
        info
    }

    fn process(&self, store: &Store, i: usize) -> Json {
        let process = &store.processes[i];
        let queued = self.processes.0.get(i).copied().unwrap_or_default();
        let mut info =
            json!({ "index": i, "pid": process.pid, "name": process.label(), "queued": queued.bios, "bytes": queued.bytes });
        if let Some(via) = process.via {
            info["via"] = json!(via.to_string());
        }
        info
    }
}

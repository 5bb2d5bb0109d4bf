//! What can be queried: devices, processes, CPUs, quality. Updated incrementally while a trace is
//! being read.

use super::answer::Answer;
use super::view::placed;
use crate::event::{Action, DeviceNumber};
use crate::measure::process::{QueuedBios, QueuedByProcess};
use crate::report::absent::DeviceRecording;
use crate::report::drivers::SummaryDrivers;
use crate::sorting::{SortShort, map_of};
use crate::store::{EventsByKind, KindRows, LossEvidence, LossInterval, Process, Role, Store};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// Ranges of conventional zones of a device.
const MAX_RANGES: usize = 1 << 10;

/// Totals over the rows so far. Each row is visited once, however often `info` is queried.
#[derive(Clone, Debug, Default)]
pub struct InfoCounter {
    complete: bool,
    events: EventsByKind,
    requests: usize,
    /// By device.
    requested: Vec<RequestedPlaces>,
    /// Remaps that were looked at.
    remapped: usize,
    /// (upper device, index of the device below).
    remaps: BTreeSet<(DeviceNumber, u32)>,
}

fn hole(hole: &LossInterval) -> Json {
    let LossInterval {
        device,
        cpu,
        from,
        to,
        loss,
    } = *hole;
    let (kind, n) = match loss {
        LossEvidence::SequenceGap { events } => ("lost", events),
        LossEvidence::Silence { unmatched } => ("strays", unmatched),
    };
    json!({ "device": device, "cpu": cpu, "from": from, "to": to, "reason": loss.name(), kind: n })
}

/// The requests of a device, and the range of their sectors.
#[derive(Clone, Copy, Debug)]
struct RequestedPlaces {
    requests: u64,
    lba: (u64, u64),
}

impl RequestedPlaces {
    const NONE: RequestedPlaces = RequestedPlaces {
        requests: 0,
        lba: (u64::MAX, 0),
    };
}

/// Rows of a device's events: first and last of any kind, and those between which the device is
/// active.
#[derive(Clone, Copy, Debug, Default)]
struct EventEnds {
    all: Option<(usize, usize)>,
    first_queue: Option<usize>,
    first_issue: Option<usize>,
    last_completion: Option<usize>,
}

impl EventEnds {
    fn add(&mut self, action: Action, rows: KindRows) {
        let earlier =
            |known: Option<usize>| Some(known.map_or(rows.first, |row| row.min(rows.first)));
        self.all = Some(self.all.map_or((rows.first, rows.last), |(first, last)| {
            (first.min(rows.first), last.max(rows.last))
        }));
        match action {
            Action::Queue => self.first_queue = earlier(self.first_queue),
            Action::Issue => self.first_issue = earlier(self.first_issue),
            Action::Complete => self.last_completion = self.last_completion.max(Some(rows.last)),
            _ => {}
        }
    }
}

impl InfoCounter {
    /// Adds the rows since the last call. When the trace becomes complete, all rows are counted
    /// again, because they were sorted.
    pub fn advance(&mut self, store: &Store) {
        if self.complete != store.complete {
            *self = InfoCounter {
                complete: store.complete,
                ..InfoCounter::default()
            };
        }
        self.events.advance(&store.events, store.events.len());
        for (device, from) in store.events.remap_sources(self.remapped) {
            self.remaps.insert((from, device));
            self.remapped += 1;
        }
        self.requested
            .resize(store.devices.len(), RequestedPlaces::NONE);
        store
            .requests
            .each(self.requests..store.requests.len(), |row| {
                let Some(device) = self.requested.get_mut(row.kind().device as usize) else {
                    return;
                };
                device.requests += 1;
                if placed(row) {
                    let first = row.sector();
                    device.lba = (
                        device.lba.0.min(first),
                        device.lba.1.max(first.saturating_add(row.sectors())),
                    );
                }
            });
        self.requests = store.requests.len();
    }

    fn cpus(&self, store: &Store) -> BTreeSet<u32> {
        self.events
            .each(&store.events)
            .map(|(kind, _)| kind.cpu)
            .collect()
    }

    /// By device.
    fn ends(&self, store: &Store) -> Vec<EventEnds> {
        let mut ends = vec![EventEnds::default(); store.devices.len()];
        for (kind, rows) in self.events.each(&store.events) {
            if let Some(device) = ends.get_mut(kind.device as usize) {
                device.add(kind.action, rows);
            }
        }
        ends
    }

    /// Devices with most events first; a stacked device comes before the first of its members.
    fn order(&self, store: &Store) -> Vec<usize> {
        let mut order: Vec<usize> = (0..store.devices.len()).collect();
        order.sort_short_by_key(|&i| std::cmp::Reverse(store.devices[i].events));
        let stacked: Vec<usize> = order
            .iter()
            .copied()
            .filter(|&i| store.devices[i].role == Role::Stacked)
            .collect();
        for upper in stacked {
            let below = |i: &usize| {
                self.remaps
                    .contains(&(store.devices[upper].number, *i as u32))
            };
            let (at, first) = (
                order.iter().position(|&i| i == upper),
                order.iter().position(below),
            );
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
        let ends = self.ends(store);
        let queued = QueuedByProcess::of(&store.events, &self.events, store.processes.len());
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
            "cpus": self.cpus(store),
            "devices": self.order(store).into_iter().map(|i| self.device(store, i, ends[i])).collect::<Json>(),
            "processes": store.processes.iter().zip(&queued.0).enumerate().map(process).collect::<Json>(),
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

    fn device(&self, store: &Store, i: usize, ends: EventEnds) -> Json {
        let (device, tally) = (
            &store.devices[i],
            self.requested.get(i).unwrap_or(&RequestedPlaces::NONE),
        );
        let time = |event: Option<usize>| event.map_or(0, |i| store.events.time(i));
        let first = ends
            .first_queue
            .or(ends.first_issue)
            .or(ends.all.map(|e| e.0));
        let last = ends.last_completion.or(ends.all.map(|e| e.1));
        let (begun, ended) = (time(first), time(last));
        let lba = if tally.lba.0 < tally.lba.1 {
            tally.lba
        } else {
            (0, 0)
        };
        let recording = DeviceRecording::of(device, store.capabilities);
        // Until all is read, an action may still occur.
        let absent = if store.complete {
            recording.absent_charts()
        } else {
            map_of(
                recording
                    .no_depth_yet()
                    .map(|reason| ("depth".to_owned(), reason.into())),
            )
        };
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
        if let Some(zones) = device
            .zones
            .as_ref()
            .filter(|z| z.sectors > 0 && device.role == Role::Disk)
        {
            info["zones"] = json!({ "sectors": zones.sectors });
            if let Some(ranges) = &zones.conventional {
                info["zones"]["conventional"] = json!(ranges[..ranges.len().min(MAX_RANGES)]);
            }
        }
        if store.complete && recording.is_masked() {
            info["masked"] = json!(true);
        }
        info
    }
}

fn process((i, (process, queued)): (usize, (&Process, &QueuedBios))) -> Json {
    let mut info = json!({ "index": i, "pid": process.pid, "name": process.label(), "queued": queued.bios, "bytes": queued.bytes });
    if let Some(via) = process.via {
        info["via"] = json!(via.to_string());
    }
    info
}

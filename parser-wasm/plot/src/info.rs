//! What can be queried: devices, processes, CPUs, quality. Updated incrementally while a trace is
//! being read.

use super::trace_info::{
    DeviceInfo, DeviceZones, InfoLoss, InfoQuality, ObjectInfo, ObjectInfoKind, ProcessInfo,
    TraceInfo,
};
use super::view::placed;
use seekscope_measure::process::{QueuedBios, QueuedByProcess};
use seekscope_report::absent::{ChartName, DeviceRecording};
use seekscope_report::drivers::SummaryDrivers;
use seekscope_report::summary::{SummaryFile, SummaryUnmatched, below_of, kind_of};
use seekscope_trace::event::{Action, DeviceNumber};
use seekscope_trace::sorting::{SortShort, map_of, set_of};
use seekscope_trace::store::{
    EventsByKind, FileSystem, GroupMeaning, KindRows, ObjectKind, Process, Role, Store,
    TraceQuality,
};
use std::collections::BTreeSet;

/// Maximum number of ranges of conventional zones per device; further ones are left out.
const MAX_RANGES: usize = 1 << 10;

/// Totals over the rows so far. Each row is visited once, however often `info` is queried.
#[derive(Clone, Debug, Default)]
pub struct InfoCounter {
    complete: bool,
    events: EventsByKind,
    requests: usize,
    /// Requests and their sectors, by device.
    requested: Vec<RequestedPlaces>,
    /// Number of remaps in `remaps`: the next call continues there.
    remapped: usize,
    /// Each remap as (number of the upper device, index of the device below it).
    remaps: BTreeSet<(DeviceNumber, u32)>,
}

/// The requests of a device, and the range of their sectors.
#[derive(Clone, Copy, Debug)]
struct RequestedPlaces {
    requests: u64,
    lba: (u64, u64),
}

impl RequestedPlaces {
    /// An empty range: its low end is above its high end.
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
        let earlier = |row: Option<usize>| Some(row.map_or(rows.first, |row| row.min(rows.first)));
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
        set_of(self.events.each(&store.events).map(|(kind, _)| kind.cpu))
    }

    /// The first and last events of each device.
    fn ends(&self, store: &Store) -> Vec<EventEnds> {
        let mut ends = vec![EventEnds::default(); store.devices.len()];
        for (kind, rows) in self.events.each(&store.events) {
            if let Some(device) = ends.get_mut(kind.device as usize) {
                device.add(kind.action, rows);
            }
        }
        ends
    }

    /// Indices of devices: those with most events first, but a stacked device before the first of
    /// its members.
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
            let (position, member) = (
                order.iter().position(|&i| i == upper),
                order.iter().position(below),
            );
            if let (Some(position), Some(member)) = (position, member)
                && member < position
            {
                order.remove(position);
                order.insert(member, upper);
            }
        }
        order
    }

    /// Answers `info`. Call [`InfoCounter::advance`] before.
    pub fn info(&self, store: &Store) -> TraceInfo {
        let ends = self.ends(store);
        let queued = QueuedByProcess::count(&store.events, &self.events, store.processes.len());
        let devices = self.order(store).into_iter();
        let sources = store.lanes.sources.len();
        TraceInfo {
            name: store.name.clone(),
            label: store.label.clone(),
            format: store.format.clone(),
            absent: store.capabilities.absent(),
            files: store.files.iter().map(SummaryFile::new).collect(),
            window: store.window,
            complete: store.complete,
            span: store.span(),
            started_at: store.wall.map(|wall| wall as f64 / 1e6),
            clock_at_zero: Some(store.origin as f64),
            events: store.events.len(),
            requests: store.requests.len(),
            messages: store.messages.rows.len(),
            lane_sources: Some(sources).filter(|sources| *sources > 0),
            lanes_left_out: None,
            warnings_left_out: None,
            cpus: self.cpus(store),
            devices: devices.map(|i| self.device(store, i, ends[i])).collect(),
            processes: store
                .processes
                .iter()
                .zip(&queued.0)
                .enumerate()
                .map(process)
                .collect(),
            objects: objects(store),
            writers: store.writer_groups.names.clone(),
            map: store.objects.as_deref().map(|objects| objects.map),
            quality: quality(&store.quality),
        }
    }

    fn device(&self, store: &Store, i: usize, ends: EventEnds) -> DeviceInfo {
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
        let recording = DeviceRecording::new(device, store.capabilities);
        // Until all is read, a missing action may occur later: only the depth, which needs a D
        // before it can begin, is reported as absent.
        let absent = if store.complete {
            recording.absent_charts()
        } else {
            let depth = recording.no_depth_yet();
            map_of(depth.map(|reason| (ChartName::Depth, reason.to_owned())))
        };
        let zones = device.zones.as_ref();
        let zones = zones.filter(|zones| zones.sectors > 0 && device.role == Role::Disk);
        let ranges = |ranges: &Vec<(u64, u64)>| ranges[..ranges.len().min(MAX_RANGES)].to_vec();
        DeviceInfo {
            index: i,
            dev: device.number.to_string(),
            name: device.name.clone(),
            role: device.role,
            kind: kind_of(store, i),
            file_systems: file_systems(store, i),
            below: below_of(store, i),
            recorded: Some(device.recorded.letters()),
            row: Some(device.recorded.row()),
            masked: store.complete && recording.is_masked(),
            absent: Some(absent),
            events: device.events,
            requests: tally.requests,
            lba,
            active: (begun, ended.max(begun)),
            zones: zones.map(|zones| DeviceZones {
                sectors: zones.sectors,
                conventional: zones.conventional.as_ref().map(ranges),
            }),
        }
    }
}

fn quality(quality: &TraceQuality) -> InfoQuality {
    InfoQuality {
        lost_events: quality.lost_events,
        tracer_dropped: quality.tracer_dropped,
        truncated_bytes: quality.truncated_bytes,
        unknown_records: quality.unknown_records,
        reissued: Some(quality.reissued),
        drivers: SummaryDrivers::from_quality(quality),
        unmatched: SummaryUnmatched::new(quality.unmatched),
        holes: quality.loss_intervals.iter().map(InfoLoss::new).collect(),
        warnings: quality.warnings.clone(),
    }
}
fn file_systems(store: &Store, device: usize) -> Vec<FileSystem> {
    let objects = store.objects.as_deref();
    let all = objects.map_or(&[][..], |objects| &objects.file_systems);
    let on_it = all.iter().filter(|system| system.disk as usize == device);
    on_it.cloned().collect()
}

fn objects(store: &Store) -> Vec<ObjectInfo> {
    let Some(objects) = store.objects.as_deref() else {
        return Vec::new();
    };
    let groups = &store.object_groups;
    let entry = |(index, meaning): (usize, &GroupMeaning)| ObjectInfo {
        index,
        name: groups.label(objects, index),
        kind: match meaning {
            GroupMeaning::Unknown => ObjectInfoKind::Unknown,
            GroupMeaning::OtherFiles => ObjectInfoKind::OtherFiles,
            GroupMeaning::File(_) => ObjectInfoKind::File,
            GroupMeaning::Structure(ObjectKind::Journal) => ObjectInfoKind::Journal,
            GroupMeaning::Structure(_) => ObjectInfoKind::Structure,
        },
    };
    groups.list.iter().enumerate().map(entry).collect()
}

fn process((index, (process, queued)): (usize, (&Process, &QueuedBios))) -> ProcessInfo {
    ProcessInfo {
        index,
        pid: process.pid,
        name: process.label(),
        via: process.via.map(|via| via.to_string()),
        queued: queued.bios,
        bytes: queued.bytes,
    }
}

//! All figures of a trace that a comparison needs, with bins over time, sizes, places, and what is
//! missing. Small enough to post between workers.
//!
//! A digest is the only thing that a comparison knows of a trace, and it is stored: in links, in
//! files of digests (`cli`), and in snapshots, which leave parts of it out. So each field that was
//! added later has a default, and code that reads a digest must accept that a part is missing.

use super::bins::{BinnedDevice, RunBins, bins_of};
use super::counter_means::{self, CounterMean};
use super::places::places;
use super::requested::WorkEvidence;
use super::tail::TailDigest;
use crate::metric;
use crate::metric::{Metric, MetricInput};
use seekscope_measure::access::readahead::{Readaheads, readaheads};
use seekscope_measure::arrays::members::{ArrayIo, MemberIo, array, members};
use seekscope_measure::arrays::partitions::partitions;
use seekscope_measure::arrays::suggestion::Suggestion;
use seekscope_measure::bounds::{GainBounds, gain_bounds};
use seekscope_measure::calls::CallsUsed;
use seekscope_measure::failed::FailedRequests;
use seekscope_measure::figures::Figures;
use seekscope_measure::figures::bins::DeviceBins;
use seekscope_measure::figures::requested::RequestedWork;
use seekscope_measure::layers::LayerTime;
use seekscope_measure::objects::ObjectsUsed;
use seekscope_measure::size::SizeCount;
use seekscope_measure::stacks::StacksUsed;
use seekscope_measure::stalls::{Stall, StallTotals, stalls};
use seekscope_measure::submitters::{MIN_STARVED, Submitters, submitters};
use seekscope_measure::waiting::allocation::{AllocationWaits, allocation_waits};
use seekscope_measure::waiting::held::{HeldBack, held_back};
use seekscope_measure::waiting::starved::StarvedTime;
use seekscope_measure::waiting::throttled::{ThrottledBios, throttled};
use seekscope_measure::waiting::unplug_timer::{TimerUnplugs, timer_unplugs};
use seekscope_measure::zones::zones;
use seekscope_measure::{Geometry, Span, Window};
use seekscope_report::absent::DeviceRecording;
use seekscope_report::measured::Measured;
use seekscope_report::summary::{self, SummaryProcess};
use seekscope_report::tail::TailSummary;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::outline::outlined;
use seekscope_trace::sorting::map_of;
use seekscope_trace::store::{RecordedActions, Role, Store, TimeWindow};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A trace in a comparison. Times are ns, places sectors of 512 bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Digest {
    /// Name of the trace.
    pub name: String,
    /// Number of events in the trace.
    pub events: u64,
    /// The part of the recording that was read, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<TimeWindow>,
    /// The range of the trace that was measured, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<TimeWindow>,
    pub quality: DigestQuality,
    /// Processes that queued something, most bytes first.
    pub processes: Vec<SummaryProcess>,
    /// Devices in the order of the trace.
    pub devices: Vec<DeviceDigest>,
    /// I/O of its devices on behalf of the devices above them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberIo>,
    /// Means of counters of other tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<CounterMean>,
}

/// What is known to be missing from a trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DigestQuality {
    /// Lost events, by gaps in the sequence numbers or by the tracer's log.
    pub lost_events: u64,
    /// Bytes of a record that is cut off.
    pub truncated_bytes: u64,
    /// Intervals in which events of a device were lost.
    pub holes: usize,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_none(bits: &u32) -> bool {
    *bits == 0
}

/// A device in a comparison.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceDigest {
    /// `major,minor`.
    pub dev: String,
    /// Its name where one is known, else `major,minor`.
    pub name: String,
    pub role: Role,
    /// What it does in a stack, as texts name it: `crypt`, `raid1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Times of the first Q and the last C.
    pub active: (u64, u64),
    /// Values of the metrics that apply, by key.
    pub figures: BTreeMap<String, f64>,
    /// Letters of the actions that occurred; empty in snapshots of size XS.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub recorded: String,
    /// What its format lacks, as bits of [`Capabilities`].
    #[serde(default, skip_serializing_if = "is_none")]
    pub format_lacks: u32,
    /// Requested bytes: at Q, else at D, else at C.
    pub work: RequestedWork,
    /// The bytes at D and at C; absent where these were not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issued: Option<RequestedWork>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<RequestedWork>,
    /// Sectors below which 0, 10, .. 100 % of the accessed sectors are; empty without any.
    pub places: Vec<u64>,
    /// Sizes of what was queued (Q), issued (D) and completed (C).
    pub sizes: [Vec<SizeCount>; 3],
    /// I/O of an array on its members, when a geometry is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<ArrayIo>,
    /// The geometry that its requests suggest.
    pub suggestion: Option<Suggestion>,
    /// Figures per bin of time.
    pub bins: RunBins,
    /// The bin with the longest starved interval.
    pub starved_bin: Option<usize>,
    /// What held its requests back while they waited, where tracepoints of that were recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldBack>,
    /// Why its figures are unreliable; absent if they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<EventLoss>,
    /// Bios that a limit of a control group held back; absent where no message of blk-throttle
    /// shows one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttled: Option<ThrottledBios>,
    /// What its reads and writes waited between Q and G; absent where no request has both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocation: Option<AllocationWaits>,
    /// How much was read ahead at a time; absent where nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readaheads: Option<Readaheads>,
    /// Plugs that a timer released; absent where none was, as in all kernels since 2.6.39.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unplug_timer: Option<TimerUnplugs>,
    /// When it completed nothing promptly, though requests waited; absent where it never did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalls: Option<StallTotals>,
    /// What changes would win; absent without requests and completions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<GainBounds>,
    /// Bytes by partition, most first; empty where fewer than two were used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partitions: Vec<(String, u64)>,
    /// Completions with an error; absent without any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<FailedRequests>,
    /// Present for a zoned disk whose zones are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zones: Option<ZoneCounts>,
    /// Whose requests they were; absent where no request has a process, and in digests of small
    /// snapshots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitters: Option<Submitters>,
    /// The time in this layer of a stack; absent for devices that lie on none that was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<LayerTime>,
    /// Which files and structures of file systems they were for; absent without a map of the disk,
    /// and in digests of small snapshots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objects: Option<ObjectsUsed>,
    /// By which paths through the kernel they were submitted; absent without call stacks, and in
    /// digests of small snapshots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stacks: Option<StacksUsed>,
    /// By which system calls they were made; absent where none are known, and in digests of small
    /// snapshots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<CallsUsed>,
    /// Why its slowest requests were slow; absent without requests, and in digests of small
    /// snapshots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<TailDigest>,
}

/// What happened to the sequential zones of a disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneCounts {
    /// Writes other than appends.
    pub writes: u64,
    pub appends: u64,
    /// Zones reset, opened, closed or finished.
    pub actions: u64,
    /// Writes elsewhere than where the one before in the zone ended.
    pub off_pointer: u64,
}

/// Why figures of a device are unreliable, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventLoss {
    /// Events were lost within the measured window.
    Within,
    /// Events were lost outside of the measured window only: figures of the complete trace are
    /// affected all the same.
    Elsewhere,
    /// No events were lost, but the clock steps back or the figures are impossible: times are
    /// affected, and the order of events of several CPUs.
    Clock,
}

/// The digest of `store` within `window`, with alignment when a geometry is given.
pub fn digest(store: &Store, window: Window, geometry: Option<Geometry>) -> Digest {
    digest_of(
        store,
        window,
        geometry,
        &Measured::new(store, window, geometry),
        &stalls(store, window),
    )
}

/// The digest from measures and stalls of the same window, with the same geometry.
pub fn digest_of(
    store: &Store,
    window: Window,
    geometry: Option<Geometry>,
    measured: &Measured,
    stalls: &[Stall],
) -> Digest {
    let Measured {
        events,
        figures: whole,
        failed,
        tails,
        objects,
        stacks,
        calls,
        layers,
        suggestions,
        works,
        bins,
    } = measured;
    let list = metric::all();
    let places = outlined(|| places(store, window));
    let devices = store.devices.iter().zip(whole).zip(places).enumerate().map(
        |(i, ((device, f), places))| {
            let subject = MetricInput {
                device,
                figures: f,
                capabilities: store.capabilities,
                ns: f.active.1 - f.active.0,
            };
            let values = list
                .iter()
                .filter_map(|figure| Some((figure.key.clone(), figure.value(subject)?)));
            let dev = device.number.to_string();
            DeviceDigest {
                stalls: StallTotals::of_device(stalls, &dev),
                dev,
                name: device.name.clone(),
                role: device.role,
                kind: summary::kind_of(store, i),
                active: f.active,
                figures: map_of(values.filter(|(_, value)| value.is_finite())),
                recorded: device.recorded.letters(),
                format_lacks: Capabilities::ALL.without(store.capabilities).0,
                work: works[i].into_iter().flatten().next().unwrap_or_default(),
                issued: works[i][1],
                completed: works[i][2],
                places,
                sizes: f.sizes.clone(),
                array: geometry.as_ref().and_then(|g| array(device.number, g, f)),
                suggestion: suggestions[i],
                failed: failed[i].clone(),
                held: f
                    .usage
                    .as_ref()
                    .and_then(|usage| usage.waiting)
                    .and_then(|_| outlined(|| held_back(store, i, f.active))),
                loss: loss(store, i, window, f),
                zones: outlined(|| zones(store, i as u32, window)).map(|z| ZoneCounts {
                    writes: z.writes,
                    appends: z.appends,
                    actions: z.actions,
                    off_pointer: z.off_pointer,
                }),
                objects: objects[i].clone(),
                stacks: stacks[i].clone(),
                calls: calls[i].clone(),
                layer: layers[i],
                tail: tails[i]
                    .as_ref()
                    .map(|tail| TailDigest::new(&TailSummary::new(store, device, tail))),
                ..DeviceDigest::default()
            }
        },
    );
    let mut devices: Vec<DeviceDigest> = devices.collect();
    add_bins(store, (&list, bins), &mut devices);
    add_findings(store, window, measured, &mut devices);
    Digest {
        name: store.name.clone(),
        events: store.events.len() as u64,
        window: store.window,
        range: (window != Window::WHOLE).then_some(TimeWindow {
            from: window.from,
            to: window.to,
        }),
        quality: DigestQuality {
            lost_events: store.quality.lost_events,
            truncated_bytes: store.quality.truncated_bytes,
            holes: store.quality.loss_intervals.len(),
        },
        processes: summary::processes(store, events),
        devices,
        members: outlined(|| members(store, window, geometry.as_ref())),
        context: outlined(|| counter_means::means(store, window)),
    }
}

/// Whether the starved time of a device is divided among its processes.
fn is_divided(store: &Store, figures: &Figures) -> bool {
    let states = figures.usage.as_ref().and_then(|usage| usage.states);
    store.capabilities.has(Capabilities::PROCESSES)
        && states.is_some_and(|states| states.starved >= MIN_STARVED)
}

/// The starved time of each device where it is divided among processes: what was measured with the
/// figures, else what another pass finds.
fn divided_times<'a>(
    store: &Store,
    Measured { figures, bins, .. }: &'a Measured,
) -> Vec<Option<Cow<'a, StarvedTime>>> {
    let mut measured_times: Vec<Option<&StarvedTime>> = vec![None; figures.len()];
    for bins in bins {
        measured_times[bins.cut.device] = bins.events.starved.as_ref();
    }
    let divided: Vec<bool> = figures
        .iter()
        .map(|figures| is_divided(store, figures))
        .collect();
    let missing = |device: usize| {
        (divided[device] && measured_times[device].is_none()).then_some(figures[device].active)
    };
    let ranges: Vec<Option<(u64, u64)>> = (0..figures.len()).map(missing).collect();
    let found = StarvedTime::of_devices(store, &ranges);
    let times = measured_times.into_iter().zip(found).zip(divided);
    times
        .map(|((measured, found), divided)| {
            measured
                .filter(|_| divided)
                .map(Cow::Borrowed)
                .or(found.map(Cow::Owned))
        })
        .collect()
}

/// Adds what only some findings need to the digest of each device.
fn add_findings(store: &Store, window: Window, measured: &Measured, devices: &mut [DeviceDigest]) {
    if store.capabilities.has(Capabilities::PROCESSES) {
        let starved = outlined(|| divided_times(store, measured));
        let submitters = outlined(|| submitters(store, window, &starved));
        for (device, found) in devices.iter_mut().zip(submitters) {
            device.submitters = found;
        }
    }
    let active: Vec<(u64, u64)> = devices.iter().map(|device| device.active).collect();
    let bounds = outlined(|| gain_bounds(store, window, &active));
    for (device, found) in devices.iter_mut().zip(bounds) {
        device.bounds = found;
    }
    let throttled = outlined(|| throttled(store, window, &active));
    for (device, found) in devices.iter_mut().zip(throttled) {
        device.throttled = found;
    }
    let unplugs = outlined(|| timer_unplugs(store, window, &active));
    for (device, found) in devices.iter_mut().zip(unplugs) {
        device.unplug_timer = found;
    }
    let waits = outlined(|| allocation_waits(store, window));
    for (device, found) in devices.iter_mut().zip(waits) {
        device.allocation = found;
    }
    let ahead = outlined(|| readaheads(store, window));
    for (device, found) in devices.iter_mut().zip(ahead) {
        device.readaheads = found;
    }
    let partitions = outlined(|| partitions(store, window));
    for (device, found) in devices.iter_mut().zip(partitions) {
        device.partitions = found;
    }
}

/// Adds the bins of the devices that have some.
fn add_bins(store: &Store, (list, bins): (&[Metric], &[DeviceBins]), devices: &mut [DeviceDigest]) {
    let spans = Span::of_devices(store);
    let binned: Vec<BinnedDevice> = bins
        .iter()
        .map(|bins| BinnedDevice {
            bins,
            span: &spans[bins.cut.device],
            values: &devices[bins.cut.device].figures,
        })
        .collect();
    let found = bins_of(store, &binned, list);
    for (bins, found) in bins.iter().zip(found) {
        let device = &mut devices[bins.cut.device];
        (device.bins, device.starved_bin) = (found.bins, found.starved_bin);
    }
}

/// Why the figures of a device are unreliable; absent if they are not.
fn loss(store: &Store, device: usize, window: Window, figures: &Figures) -> Option<EventLoss> {
    let holes = || {
        store
            .quality
            .loss_intervals
            .iter()
            .filter(|hole| hole.device as usize == device)
    };
    if holes().any(|hole| hole.from < window.to && hole.to > window.from) {
        Some(EventLoss::Within)
    } else if store.quality.clock.is_some() || !figures.are_plausible() {
        Some(EventLoss::Clock)
    } else {
        holes().next().map(|_| EventLoss::Elsewhere)
    }
}

impl DeviceDigest {
    /// Requested bytes of all operations.
    pub fn requested(&self) -> u64 {
        self.work.bytes()
    }

    /// Requested bytes as seen at one action; absent where that was not recorded.
    pub fn work_at(&self, evidence: WorkEvidence) -> Option<RequestedWork> {
        // Snapshots of size XS do not have the actions: the work is as queued, and completed bytes
        // are figures.
        let bytes = |key: &str| self.figures.get(key).map_or(0, |bytes| *bytes as u64);
        let unknown = self.recorded.is_empty();
        match evidence {
            WorkEvidence::Queued => (unknown || self.recorded.contains('Q')).then_some(self.work),
            WorkEvidence::Issued => self.issued,
            WorkEvidence::Completed if unknown => Some(RequestedWork {
                read: bytes("bytes.read"),
                write: bytes("bytes.write"),
                discard: bytes("bytes.discard"),
                ahead: 0,
            }),
            WorkEvidence::Completed => self.completed,
        }
    }

    fn recording(&self) -> Option<DeviceRecording> {
        (!self.recorded.is_empty()).then(|| DeviceRecording {
            recorded: RecordedActions::from_letters(&self.recorded),
            role: self.role,
            capabilities: Capabilities::ALL.without(Capabilities(self.format_lacks)),
            zoned: false,
        })
    }

    /// Why a figure is absent, if that is because of what was recorded.
    pub fn absent(&self, key: &str) -> Option<String> {
        if self.figures.contains_key(key) {
            None
        } else {
            self.recording()?.reason(key)
        }
    }

    /// Whether the device was recorded without actions that such a device normally has.
    pub fn is_masked(&self) -> bool {
        self.recording().is_some_and(DeviceRecording::is_masked)
    }

    /// Whether it is a disk, which issues requests to a driver.
    pub fn is_disk(&self) -> bool {
        self.role == Role::Disk
    }

    /// Whether it has this number or name.
    pub fn is(&self, name: &str) -> bool {
        self.dev == name || self.name == name
    }

    /// Whether lost events make a figure unreliable.
    pub fn unreliable(&self, key: &str) -> bool {
        self.figures.contains_key(key) && self.loss.is_some_and(|loss| metric::affected(key, loss))
    }

    /// The name, else the number: `vda`, `254,0`.
    pub fn label(&self) -> &str {
        if self.name.is_empty() {
            &self.dev
        } else {
            &self.name
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;
    use std::fmt::Write;

    #[test]
    fn the_devices_asked_for_most_have_bins() {
        const BINNED: usize = 16;
        let mut text = String::new();
        for (step, action) in ["Q", "D", "C"].into_iter().enumerate() {
            for dev in 0..BINNED as u32 + 4 {
                let (time, sectors) = (step as u32 * 1000 + dev, 8 + dev);
                writeln!(text, "{time} {action} {}+{sectors} W dev={dev}", dev * 100).unwrap();
            }
        }
        let devices = digest(&store(&text), Window::WHOLE, None).devices;
        let binned: Vec<bool> = devices.iter().map(|d| d.bins.width > 0).collect();
        assert_eq!(binned, [vec![false; 4], vec![true; BINNED]].concat());
        assert_eq!(
            devices.iter().map(|d| d.places[0]).collect::<Vec<_>>(),
            (0..20).map(|dev| dev * 100).collect::<Vec<u64>>()
        );
        assert!(devices.iter().all(|d| d.figures["iops"] > 0.0));
    }
}

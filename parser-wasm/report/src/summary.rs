//! Fills the document of `summary --json`, whose types are in `document.rs`.

use super::absent::DeviceRecording;
use super::counters::counters;
use super::document::{
    AlignmentSummary, BioLatency, DeviceSummary, OrderedMap, RateSource, SummaryBytes,
    SummaryClasses, SummaryMerges, SummaryQuality, SummaryRate, SummarySeek, SummarySizes,
};
pub use super::document::{
    SummaryDocument, SummaryFile, SummaryProcess, SummaryUnmatched, TraceSummary,
};
use super::drivers::SummaryDrivers;
use super::measured::Measured;
use super::tail::TailSummary;
use super::unreliable;
use seekscope_measure::arrays::members::{MemberCheck, array, members, truth};
use seekscope_measure::arrays::suggestion::{Suggestion, mapped};
use seekscope_measure::counts::EventCounts;
use seekscope_measure::figures::{Alignment, Figures};
use seekscope_measure::process::QueuedByProcess;
use seekscope_measure::size::SizeCount;
use seekscope_measure::zones::zones;
use seekscope_measure::{Geometry, Window};
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::Action;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{Device, EventsByKind, Parents, Role, Stage, Store};

/// Actions that are always listed; others only if they occur.
const LISTED: [Action; 13] = [
    Action::Queue,
    Action::GetRequest,
    Action::Insert,
    Action::Issue,
    Action::Complete,
    Action::BackMerge,
    Action::FrontMerge,
    Action::Remap,
    Action::Split,
    Action::Plug,
    Action::Unplug,
    Action::UnplugTimer,
    Action::Requeue,
];

/// The summary of a trace within `window`, with alignment if a geometry is given. Per-bio stages
/// and quality are always those of the complete trace.
pub fn summarise(store: &Store, window: Window, geometry: Option<Geometry>) -> TraceSummary {
    summary_of(
        store,
        window,
        geometry,
        &Measured::new(store, window, geometry),
    )
}

/// The same where the measures of this window, with this geometry, are known.
pub fn summary_of(
    store: &Store,
    window: Window,
    geometry: Option<Geometry>,
    measured: &Measured,
) -> TraceSummary {
    let quality = &store.quality;
    let Measured {
        events,
        figures: all,
        failed,
        tails,
        objects,
        stacks,
        calls,
        layers,
        suggestions,
        ..
    } = measured;
    let checks = member_checks(store, window, geometry, all);
    let judged = |(i, d): (usize, DeviceSummary)| DeviceSummary {
        spoiled: unreliable::figures(store, i, window, &all[i], &d),
        ..d
    };
    let devices = store
        .devices
        .iter()
        .zip(all.iter().cloned())
        .zip(suggestions.iter().copied())
        .zip(checks.into_iter().zip(mapped(store)));
    let devices = devices.enumerate().map(|(i, (((d, f), s), (t, m)))| {
        let mut figures = device(d, f, s, geometry, store.capabilities);
        if let Some(alignment) = &mut figures.alignment {
            alignment.members = t;
        }
        figures.mapped = m;
        figures.zones = zones(store, i as u32, window);
        figures.failed = failed[i].clone();
        figures.objects = objects[i].clone();
        figures.stacks = stacks[i].clone();
        figures.calls = calls[i].clone();
        figures.layer = layers[i];
        figures.kind = kind_of(store, i);
        figures.below = below_of(store, i);
        figures.tail = tails[i]
            .as_ref()
            .map(|tail| TailSummary::new(store, d, tail));
        figures
    });
    TraceSummary {
        name: store.name.clone(),
        label: store.label.clone(),
        format: store.format.clone(),
        not_in_format: store.capabilities.absent(),
        files: store.files.iter().map(SummaryFile::new).collect(),
        window: store.window,
        quality: SummaryQuality {
            lost_events: quality.lost_events,
            tracer_dropped: quality.tracer_dropped,
            truncated_bytes: quality.truncated_bytes,
            unknown_records: quality.unknown_records,
            reissued: quality.reissued,
            drivers: SummaryDrivers::from_quality(quality),
            unmatched: SummaryUnmatched::new(quality.unmatched),
            holes: unreliable::loss_intervals(store),
            clock: quality.clock,
            warnings: quality.warnings.clone(),
        },
        processes: processes(store, events),
        devices: devices.enumerate().map(judged).collect(),
        counters: counters(store, window),
    }
}

/// What a device does in a stack, as texts name it.
pub fn kind_of(store: &Store, device: usize) -> Option<String> {
    let kind = store.parents.as_deref()?.kind(device)?;
    Some(kind.to_owned())
}

/// The recorded devices on which one lies, by their index.
pub fn below_of(store: &Store, device: usize) -> Vec<u32> {
    let layers = store.parents.as_deref().map_or(&[][..], Parents::layers);
    let layer = layers.iter().find(|layer| layer.device as usize == device);
    layer.map_or_else(Vec::new, |layer| layer.below.clone())
}

/// For each array of the trace, the figures of its members.
fn member_checks(
    store: &Store,
    window: Window,
    geometry: Option<Geometry>,
    all: &[Figures],
) -> Vec<Option<MemberCheck>> {
    let below = geometry
        .map(|g| members(store, window, Some(&g)))
        .unwrap_or_default();
    let check = |(d, f): (&Device, &Figures)| match geometry {
        Some(g) if d.role == Role::Stacked => truth(&array(d.number, &g, f)?, &below),
        _ => None,
    };
    store.devices.iter().zip(all).map(check).collect()
}

/// Processes that queued bios in some events, most bios first: one entry per pid.
pub fn processes(store: &Store, events: &EventsByKind) -> Vec<SummaryProcess> {
    let queued = QueuedByProcess::count(&store.events, events, store.processes.len());
    let named = store
        .processes
        .iter()
        .zip(queued.0)
        .filter(|(_, queued)| queued.bios > 0);
    let mut list: Vec<SummaryProcess> = named
        .map(|(p, queued)| SummaryProcess {
            pid: p.pid,
            name: p.label(),
            queued: queued.bios,
            bytes: queued.bytes,
        })
        .collect();
    list.sort_short_by_key(|p| (std::cmp::Reverse(p.queued), p.pid));
    list
}

fn device(
    device: &Device,
    f: Figures,
    suggestion: Option<Suggestion>,
    geometry: Option<Geometry>,
    capabilities: Capabilities,
) -> DeviceSummary {
    let usage = f.usage;
    let [queued, issued, completed] = f.sizes;
    let counts = &f.counts;
    let recording = DeviceRecording::new(device, capabilities);
    let has = |action| device.recorded.is_known(action);
    let merges = capabilities.has(Capabilities::MERGES) && has(Action::Queue);
    let ns = f.active.1 - f.active.0;
    let [by_q, by_d] = f.requested;
    // Bytes that no completion shows: as issued, else as queued.
    let rate = by_d
        .map(|d| (RateSource::Issued, d))
        .or(by_q.map(|q| (RateSource::Queued, q)))
        .filter(|_| !has(Action::Complete));
    let hint = only_writes(recording, &queued).then_some(ONLY_WRITES);
    let bytes = SummaryBytes {
        read: counts.read_bytes,
        write: counts.write_bytes,
        discard: counts.discard_bytes,
    };
    DeviceSummary {
        dev: device.number.to_string(),
        name: device.number.is_made_up().then(|| device.name.clone()),
        role: device.role,
        kind: None,
        below: Vec::new(),
        span_ns: ns,
        events: events(counts, f.messages, recording),
        recorded: Some(device.recorded.letters()),
        row: Some(device.recorded.row()),
        masked: recording.is_masked(),
        bytes: has(Action::Complete).then_some(bytes),
        throughput: f.throughput,
        rate: rate.map(|(source, moved)| SummaryRate {
            at: source,
            rate: moved.over(ns),
        }),
        outstanding: f.outstanding,
        waiting: usage.as_ref().and_then(|u| u.waiting),
        starved: usage.as_ref().and_then(|u| u.starved),
        states: usage.as_ref().and_then(|u| u.states),
        depth: usage.and_then(|u| u.depth),
        latency_ns: OrderedMap(f.latency),
        latency_bio_ns: OrderedMap(
            Stage::ALL
                .into_iter()
                .filter_map(|stage| bio_latency(device, stage))
                .collect(),
        ),
        objects: None,
        stacks: None,
        calls: None,
        layer: None,
        tail: None,
        sizes: SummarySizes {
            queued: has(Action::Queue).then_some(queued),
            issued: (has(Action::Issue) || device.role != Role::Disk).then_some(issued),
            completed: has(Action::Complete).then_some(completed),
        },
        seek: SummarySeek {
            issued: f.seek_issued,
            queued: f.seek_queued,
            completed: f.seek_completed,
        },
        interleaving: f
            .interleaving
            .filter(|_| capabilities.has(Capabilities::PROCESSES)),
        merges: SummaryMerges {
            back: merges.then(|| counts.back_merges()),
            front: merges.then(|| counts.count(Action::FrontMerge)),
            requests: merges.then_some(counts.request_merges),
            q_per_d: counts.queued_per_issued(),
        },
        flush: capabilities.has(Capabilities::FLUSHES).then_some(f.flush),
        sync_share: f
            .sync_share
            .filter(|_| capabilities.has(Capabilities::HINTS)),
        alignment: geometry
            .zip(f.alignment)
            .filter(|_| !device.recorded.is_unseen())
            .map(|(g, a)| alignment(&g, &a)),
        geometry_suggestion: suggestion,
        mapped: Vec::new(),
        failed: None,
        zones: None,
        absent: recording.absent_figures(),
        hint,
        spoiled: Vec::new(),
    }
}

/// The hint for a recording with `-a write`: reads are missing, and with them plugs, which the
/// kernel counts as reads.
const ONLY_WRITES: &str = "only writes, and no plugs (P, U), which -a write leaves out with the \
    reads: if it was used, depth and throughput are lower bounds";

/// Whether a disk's events are those that `-a write` lets through. A complete recording of writes
/// without a plug has the same.
fn only_writes(
    DeviceRecording {
        recorded,
        role,
        capabilities,
        ..
    }: DeviceRecording,
    queued: &[SizeCount],
) -> bool {
    let complete = [
        Action::Queue,
        Action::GetRequest,
        Action::Issue,
        Action::Complete,
    ]
    .iter()
    .all(|&a| recorded.has(a));
    let plugs = recorded.has(Action::Plug) || recorded.has(Action::Unplug);
    let written =
        queued.iter().any(|row| row.writes > 0) && queued.iter().all(|row| row.reads == 0);
    role == Role::Disk
        && complete
        && !plugs
        && capabilities.has(Capabilities::PLUGS | Capabilities::PLUG_DEVICES)
        && written
}

/// Event counts, without what the format lacks. Of a masked device, no event is no evidence that
/// there was none.
fn events(
    counts: &EventCounts,
    messages: u64,
    recording: DeviceRecording,
) -> OrderedMap<&'static str, u64> {
    let capabilities = recording.capabilities;
    let zero =
        |action| !recording.is_masked() && capabilities.has(Capabilities::needed_for(action));
    let listed = LISTED
        .into_iter()
        .filter(|&a| counts.count(a) > 0 || zero(a))
        .map(|a| (a.letters(), counts.count(a)));
    let others = [
        Action::SleepRequest,
        Action::Bounce,
        Action::ZonePlug,
        Action::ZoneUnplug,
    ];
    let others = others
        .into_iter()
        .map(|a| (a.letters(), counts.count(a)))
        .filter(|(_, n)| *n > 0);
    let messages = capabilities
        .has(Capabilities::MESSAGES)
        .then_some(("m", messages));
    OrderedMap(listed.chain(others).chain(messages).collect())
}

fn bio_latency(device: &Device, stage: Stage) -> Option<(Stage, BioLatency)> {
    let tally = device.bio_stages.get(stage);
    Some((
        stage,
        BioLatency {
            n: tally.n,
            min: tally.min,
            mean: tally.mean()?,
            max: tally.max,
        },
    ))
}

fn alignment(geometry: &Geometry, a: &Alignment) -> AlignmentSummary {
    let [full_stripe, unit_aligned, inside_unit, straddles] = a.classes;
    AlignmentSummary {
        spec: geometry.to_string(),
        classes: SummaryClasses {
            full_stripe,
            unit_aligned,
            inside_unit,
            straddles,
        },
        misaligned_4k: a.misaligned_4k,
        stripes: a.covered.as_ref().map(|c| c.stripes),
        rmw: a.covered.as_ref().map(|c| c.rmw),
        members: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    fn json(text: &str, geometry: Option<&str>) -> serde_json::Value {
        let geometry = geometry.map(|g| g.parse().unwrap());
        serde_json::to_value(SummaryDocument::new(vec![summarise(
            &store(text),
            Window::WHOLE,
            geometry,
        )]))
        .unwrap()
    }

    #[test]
    fn what_does_not_apply_is_absent() {
        let document = json("10 Q 0+8 W pid=7\n30 C 0+8", None);
        assert_eq!(document["schema"], 1);
        let trace = &document["traces"][0];
        assert_eq!(
            trace["processes"],
            serde_json::json!([{ "pid": 7, "name": "pid 7", "queued": 1, "bytes": 4096 }])
        );
        let device = trace["devices"][0].as_object().unwrap();
        for absent in [
            "depth",
            "waiting",
            "starved",
            "states",
            "interleaving",
            "alignment",
            "geometry_suggestion",
        ] {
            assert!(!device.contains_key(absent), "{absent}");
        }
        assert_eq!(
            (&device["dev"], &device["role"], &device["span_ns"]),
            (&"8,0".into(), &"stacked".into(), &20.into())
        );
        assert_eq!(device["seek"], serde_json::json!({}));
        assert_eq!(
            device["latency_ns"]
                .as_object()
                .unwrap()
                .keys()
                .collect::<Vec<_>>(),
            ["q2c"]
        );
        assert_eq!(
            device["latency_bio_ns"]["q2c"],
            serde_json::json!({ "n": 1, "min": 20, "mean": 20.0, "max": 20 })
        );
        assert!(!document.to_string().contains("null"));
    }

    #[test]
    fn a_disk_with_a_geometry() {
        let document = json(
            "10 Q 0+8 RS\n20 D 0+8 RS\n30 C 0+8 RS",
            Some("unit=4KiB,level=raid5"),
        );
        let device = &document["traces"][0]["devices"][0];
        assert_eq!(device["events"]["Q"], 1);
        assert_eq!(device["events"]["m"], 0);
        assert_eq!(
            device["depth"],
            serde_json::json!({ "mean": 1.0, "p50": 1, "p95": 1, "max": 1 })
        );
        assert_eq!(
            device["merges"],
            serde_json::json!({ "back": 0, "front": 0, "requests": 0, "q_per_d": 1.0 })
        );
        assert_eq!(
            device["alignment"]["spec"],
            "unit=4KiB,disks=1,start=0s,level=raid5"
        );
        assert_eq!(
            device["alignment"]["classes"]["full_stripe"],
            serde_json::json!({ "requests": 1, "bytes": 4096 })
        );
        assert_eq!(device["throughput"]["iops"], 5e7);
    }

    #[test]
    fn what_the_format_lacks_is_absent() {
        let mut s = store("10 Q 0+8 RS\n20 D 0+8 RS\n30 C 0+8 RS");
        s.capabilities = Capabilities::ALL.without(
            Capabilities::MERGES
                | Capabilities::FLUSHES
                | Capabilities::HINTS
                | Capabilities::PROCESSES,
        );
        let document = serde_json::to_value(summarise(&s, Window::WHOLE, None)).unwrap();
        let device = &document["devices"][0];
        for absent in ["flush", "sync_share", "interleaving"] {
            assert!(device.get(absent).is_none(), "{absent}");
        }
        assert_eq!(device["merges"], serde_json::json!({ "q_per_d": 1.0 }));
        assert_eq!(device["events"].get("M"), None);
        let missing = [
            "merges (M, F)",
            "processes",
            "sync, metadata and readahead flags",
            "flushes and FUA",
        ];
        assert_eq!(document["not_in_format"], serde_json::json!(missing));
    }

    #[test]
    fn an_empty_store_is_a_document_too() {
        let document =
            serde_json::to_value(summarise(&Store::default(), Window::WHOLE, None)).unwrap();
        assert_eq!(document["devices"], serde_json::json!([]));
    }
}

//! Lost events: found where they were lost, and nowhere else; what they leave open ends with the
//! hole.

use crate::common::{File, read, recording, recordings, records};
use seekscope_core::measure::Window;
use seekscope_core::report::summary::summarise;
use seekscope_core::store::{LossEvidence, LossInterval, Store};

fn word(r: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(r[offset..offset + 4].try_into().expect("four bytes"))
}

fn time(r: &[u8]) -> u64 {
    u64::from_le_bytes(r[8..16].try_into().expect("eight bytes"))
}

fn is_event(r: &[u8]) -> bool {
    word(r, 28) & 0x0400_0000 == 0
}

/// First event and length of a recording, ns.
fn extent(files: &[File]) -> (u64, u64) {
    let times = || {
        files
            .iter()
            .flat_map(|f| records(&f.1))
            .filter(|r| is_event(r))
            .map(time)
    };
    let first = times().min().unwrap_or(0);
    (first, times().max().unwrap_or(0) - first)
}

/// A recording without the events for which `lost` says so, by file and by share of its time.
fn without(files: &[File], lost: impl Fn(usize, f64) -> bool) -> Vec<File> {
    let (first, length) = extent(files);
    let share = |r: &[u8]| (time(r) - first) as f64 / length as f64;
    let remaining = |i: usize, file: &File| {
        let records = records(&file.1)
            .into_iter()
            .filter(|r| !is_event(r) || !lost(i, share(r)));
        records.collect::<Vec<_>>().concat()
    };
    files
        .iter()
        .enumerate()
        .map(|(i, file)| (file.0.clone(), remaining(i, file)))
        .collect()
}

/// The same with sequence numbers that go on by one, as the kernel's do when a buffer is full.
fn renumbered(files: Vec<File>) -> Vec<File> {
    let number = |(name, bytes): File| {
        let (mut out, mut streams) = (Vec::new(), std::collections::HashMap::new());
        for r in records(&bytes) {
            let mut r = r.to_vec();
            if is_event(&r) {
                let n = streams.entry(word(&r, 36)).or_insert(0u32);
                *n += 1;
                r[4..8].copy_from_slice(&n.to_le_bytes());
            }
            out.extend(r);
        }
        (name, out)
    };
    files.into_iter().map(number).collect()
}

fn state_at_end(store: &Store) -> Vec<(i32, i32)> {
    (0..store.devices.len() as u32)
        .map(|d| store.state_before(d, store.events.len()))
        .collect()
}

fn silent(store: &Store) -> Vec<LossInterval> {
    store
        .quality
        .loss_intervals
        .iter()
        .filter(|h| matches!(h.loss, LossEvidence::Silence { .. }))
        .copied()
        .collect()
}

fn spoiled(store: &Store, window: Window) -> Vec<String> {
    let document = serde_json::to_value(summarise(store, window, None)).expect("a document");
    let names = |d: &serde_json::Value| d["spoiled"].as_array().cloned().unwrap_or_default();
    let names = document["devices"]
        .as_array()
        .expect("devices")
        .iter()
        .flat_map(names);
    names
        .map(|name| name.as_str().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn a_whole_recording_has_no_hole_nor_has_a_part_of_one() {
    for name in recordings().into_iter().filter(|name| name != "dropped") {
        let files = recording(&name);
        for (from, to) in [
            (0.0, 1.0),
            (0.3, 0.7),
            (0.0, 0.5),
            (0.6, 1.0),
            (0.1, 0.2),
            (0.5, 0.52),
        ] {
            let part = without(&files, |_, time| time < from || time > to);
            let bytes: Vec<(&str, &[u8])> = part
                .iter()
                .map(|f| (f.0.as_str(), f.1.as_slice()))
                .collect();
            let Ok(store) = seekscope_core::builder::TraceBuilder::read("part", &bytes) else {
                continue;
            };
            assert_eq!(
                store.quality.loss_intervals,
                [],
                "{name} from {from} to {to}"
            );
        }
    }
}

#[test]
fn what_a_stopped_tracer_lost_is_found() {
    let store = read(&recording("dropped"), 1 << 20);
    assert_eq!(store.quality.lost_events, 0, "the sequences have no gap");
    let holes = silent(&store);
    let longest: Vec<_> = holes
        .iter()
        .filter(|h| h.to - h.from > 500_000_000)
        .map(|h| (h.cpu, h.from, h.to))
        .collect();
    assert_eq!(
        longest,
        [(0, 244_555_934, 890_888_323), (1, 253_016_492, 896_328_858)]
    );
    assert!(
        store
            .quality
            .warnings
            .iter()
            .any(|w| w.code == "dropped-events"
                && w.message.contains("0.646 s on CPU 0 from 0.245 s on"))
    );
    let later = spoiled(
        &store,
        Window {
            from: 900_000_000,
            to: u64::MAX,
        },
    );
    assert!(
        !later.is_empty() && later.iter().all(|name| name.starts_with("latency_bio_ns.")),
        "{later:?}"
    );
    let names = spoiled(&store, Window::WHOLE);
    for name in [
        "depth",
        "waiting",
        "starved",
        "throughput",
        "latency_ns.q2c",
    ] {
        assert!(names.contains(&name.to_owned()), "{name}");
    }
    assert!(!names.contains(&"sync_share".to_owned()) && !names.contains(&"alignment".to_owned()));
}

#[test]
fn what_was_open_ends_with_the_hole() {
    let store = read(&recording("dropped"), 1 << 20);
    // The jobs keep 64 reads each under way. Without an end, the 114 whose completion was lost
    // would stay for ever.
    let after = store.events.find(896_328_858) + 1;
    let deepest = (after..store.events.len())
        .map(|i| store.state_before(0, i))
        .max()
        .unwrap_or_default();
    assert!(deepest.0 <= 128, "{deepest:?}");
    for i in (0..store.events.len()).step_by(97) {
        let (depth, waiting) = store.state_before(0, i);
        assert!(
            depth >= 0 && waiting >= 0,
            "{depth} {waiting} before event {i}"
        );
    }
}

#[test]
fn lost_stretches_are_found_with_and_without_their_numbers() {
    let files = recording("two-devices");
    let lost = |_: usize, time: f64| (0.4..0.5).contains(&time);
    let (_, length) = extent(&files);
    let within = |h: &LossInterval| {
        h.from as f64 <= 0.41 * length as f64 && h.to as f64 >= 0.49 * length as f64
    };
    let devices = |holes: &[LossInterval]| {
        holes
            .iter()
            .map(|h| h.device)
            .collect::<std::collections::BTreeSet<u32>>()
            .len()
    };

    let store = read(&without(&files, lost), 1 << 20);
    let holes = &store.quality.loss_intervals;
    assert!(devices(holes) == 2 && holes.iter().all(within), "{holes:?}");
    let counted = holes.iter().map(|h| {
        if let LossEvidence::SequenceGap { events } = h.loss {
            events
        } else {
            0
        }
    });
    assert_eq!(counted.sum::<u64>(), store.quality.lost_events);
    assert_eq!(state_at_end(&store), [(0, 0), (0, 0)]);

    let store = read(&renumbered(without(&files, lost)), 1 << 20);
    let holes = silent(&store);
    assert_eq!(
        (
            store.quality.lost_events,
            store.quality.loss_intervals.len()
        ),
        (0, holes.len())
    );
    assert!(
        devices(&holes) == 2 && holes.iter().all(within),
        "{holes:?}"
    );
    assert_eq!(state_at_end(&store), [(0, 0), (0, 0)]);
}

#[test]
fn many_gaps_become_few_without_losing_count() {
    let files = recording("requeue");
    let store = read(
        &without(&files, |_, time| ((time * 4000.0) as u64).is_multiple_of(3)),
        1 << 20,
    );
    let holes = &store.quality.loss_intervals;
    assert!(holes.len() <= 512 && holes.len() > 100, "{}", holes.len());
    let counted = holes.iter().map(|h| {
        if let LossEvidence::SequenceGap { events } = h.loss {
            events
        } else {
            0
        }
    });
    assert_eq!(counted.sum::<u64>(), store.quality.lost_events);
    assert!(
        holes
            .windows(2)
            .all(|w| (w[0].device, w[0].cpu) != (w[1].device, w[1].cpu) || w[0].to <= w[1].from)
    );
}

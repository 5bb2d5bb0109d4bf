//! What masks leave of recordings: each figure is that of the complete recording, or it is absent
//! with the reason.
//!
//! The masks are made from complete recordings by dropping events and numbering the rest again, as
//! a tracer with a mask does, and from recordings that were made with a mask.

use crate::common::{File, fixtures, masked, read, recording, records};
use seekscope_core::compare::digest;
use seekscope_core::compare::{CompareDocument, CompareQuery, ComparedRun, compare};
use seekscope_core::measure::{Geometry, Window};
use seekscope_core::plot::{self, Index, InfoCounter, View};
use seekscope_core::report::summary::summarise;
use seekscope_core::snapshot::{Snapshot, SnapshotQuery, pack, take, unpack};
use seekscope_core::store::Store;
use serde_json::{Value, json};
use std::io::Read;

const GEOMETRY: &str = "unit=256KiB,disks=4,level=raid5";

/// Recordings that were made with a mask.
fn recorded(name: &str) -> Store {
    let folder = fixtures().join("../masks").join(name);
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("a folder can be listed").path();
        let packed = std::fs::read(&path).expect("a recording can be read");
        let mut bytes = Vec::new();
        lzma_rust2::XzReader::new(packed.as_slice(), false)
            .read_to_end(&mut bytes)
            .expect("it decompresses");
        (
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned(),
            bytes,
        )
    };
    let files: Vec<File> = std::fs::read_dir(folder)
        .expect("the recording exists")
        .map(file)
        .collect();
    read(&files, 1 << 20)
}

fn summarised(store: &Store) -> Value {
    let geometry: Option<Geometry> = GEOMETRY.parse().ok();
    serde_json::to_value(summarise(store, Window::WHOLE, geometry)).expect("a document")
}

fn devices(document: &Value) -> &[Value] {
    document["devices"].as_array().expect("devices")
}

fn value_at<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(value, |value, name| &value[name])
}

type MaskRow = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

/// Mask, actions that a disk keeps of Q G I D C, its row, figures that equal those of the complete
/// recording, and some that are absent. `seek` is compared without its rate, which depends on the
/// run time.
const TABLE: [MaskRow; 7] = [
    (
        "C",
        "C",
        "completion",
        &["bytes", "sizes.completed"],
        &[
            "depth",
            "waiting",
            "latency_ns.d2c",
            "latency_ns.q2c",
            "processes",
            "seek.issued",
        ],
    ),
    (
        "D",
        "D",
        "issue",
        &["sizes.issued", "seek.issued", "alignment.classes"],
        &["depth", "bytes", "throughput", "latency_ns.d2c"],
    ),
    (
        "Q",
        "QGI",
        "queue",
        &["sizes.queued", "seek.queued", "merges.back", "merges.front"],
        &["depth", "bytes", "throughput", "latency_ns.q2c"],
    ),
    (
        "DC",
        "DC",
        "request",
        &[
            "bytes",
            "depth",
            "latency_ns.d2c",
            "sizes.issued",
            "sizes.completed",
            "seek.issued",
            "alignment.classes",
            "flush.flush",
            "flush.fua",
        ],
        &[
            "waiting",
            "starved",
            "states",
            "latency_ns.q2c",
            "latency_ns.q2d",
            "sizes.queued",
            "merges",
            "interleaving",
        ],
    ),
    (
        "QC",
        "QGIC",
        "bio",
        &[
            "bytes",
            "throughput",
            "sizes.queued",
            "sizes.completed",
            "seek.queued",
        ],
        &[
            "depth",
            "waiting",
            "latency_ns.d2c",
            "latency_ns.q2d",
            "flush.flush",
        ],
    ),
    (
        "QDC",
        "QGIDC",
        "request",
        &[
            "bytes",
            "throughput",
            "depth",
            "waiting",
            "starved",
            "states",
            "latency_ns",
            "latency_bio_ns",
            "sizes",
            "seek",
            "interleaving",
            "merges",
            "flush",
            "alignment",
        ],
        &[],
    ),
    ("W", "QGIDC", "request", &["bytes.write"], &[]),
];

/// Recordings of disks without requeues: without R they are reissues, see below.
const DISKS: [&str; 5] = [
    "ext4-buffered-6.12",
    "sync-fua",
    "sync-no-fua",
    "partitions-deadline-1w",
    "cgroup-ids",
];

/// Figures of bios that depend on X, which belongs to none of the masks.
const OF_SPLITS: [&str; 5] = [
    "waiting",
    "starved",
    "states",
    "latency_ns",
    "latency_bio_ns",
];

fn without_rate(mut value: Value) -> Value {
    match &mut value {
        Value::Object(map) => {
            map.remove("per_second_64k");
            map.values_mut().for_each(|v| *v = without_rate(v.take()));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {}
    }
    value
}

#[test]
fn every_figure_is_that_of_the_complete_recording_or_absent() {
    for name in DISKS {
        let files = recording(name);
        let complete = summarised(&read(&files, 1 << 20));
        let whole = &devices(&complete)[0];
        for (mask, letters, row, same, absent) in TABLE {
            if mask == "W" && whole["bytes"]["write"] == 0 {
                continue;
            }
            let document = summarised(&read(&masked(&files, mask), 1 << 20));
            let device = &devices(&document)[0];
            let found = device["recorded"].as_str().expect("letters");
            let is_recorded = |c: &char| {
                letters.contains(*c)
                    && whole["recorded"]
                        .as_str()
                        .is_some_and(|all| all.contains(*c))
            };
            assert_eq!(
                found
                    .chars()
                    .filter(|c| "QGIDC".contains(*c))
                    .collect::<String>(),
                letters.chars().filter(is_recorded).collect::<String>()
            );
            assert_eq!(
                (device["row"].as_str(), device["role"].as_str()),
                (Some(row), Some("disk")),
                "{name} {mask}"
            );
            let split = whole["recorded"]
                .as_str()
                .is_some_and(|all| all.contains('X'));
            for path in same
                .iter()
                .filter(|path| !split || !OF_SPLITS.contains(path))
            {
                assert_eq!(
                    without_rate(value_at(device, path).clone()),
                    without_rate(value_at(whole, path).clone()),
                    "{name} {mask} {path}"
                );
                assert!(!value_at(whole, path).is_null(), "{name} {path}");
            }
            for path in absent {
                assert!(device["absent"][path].is_string(), "{name} {mask} {path}");
            }
            check_reasons(device, &format!("{name} {mask}"));
            assert_eq!(
                document["quality"]["unmatched"], complete["quality"]["unmatched"],
                "{name} {mask}"
            );
            assert_eq!(document["quality"]["holes"], json!([]), "{name} {mask}");
        }
    }
}

/// Checks that a figure is either in the document or absent with a reason, and that a reason names
/// actions that did not occur.
fn check_reasons(device: &Value, context: &str) {
    let recorded = device["recorded"].as_str().expect("letters");
    for (path, reason) in device["absent"]
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(path, _)| *path != "processes")
    {
        let value = value_at(device, path);
        let empty = value.as_array().is_some_and(Vec::is_empty)
            || value.as_object().is_some_and(serde_json::Map::is_empty);
        assert!(
            value.is_null() || empty,
            "{context}: {path} is {value}, but {reason}"
        );
        let letter = reason
            .as_str()
            .and_then(|text| text.split(['(', ')']).nth(1))
            .expect("an action in the reason");
        assert!(!recorded.contains(letter), "{context}: {path}: {reason}");
    }
    for path in [
        "bytes",
        "throughput",
        "depth",
        "waiting",
        "sizes.queued",
        "sizes.issued",
        "sizes.completed",
    ] {
        assert_eq!(
            value_at(device, path).is_null(),
            device["absent"][path].is_string(),
            "{context}: {path}"
        );
    }
    assert!(
        device["events"]
            .as_object()
            .is_some_and(|events| !events.is_empty()),
        "{context}"
    );
}

#[test]
fn bios_of_a_disk_without_issues_have_their_latency() {
    for name in ["ext4-buffered-6.12", "partitions-deadline-1w"] {
        let files = recording(name);
        let (complete, document) = (
            summarised(&read(&files, 1 << 20)),
            summarised(&read(&masked(&files, "QC"), 1 << 20)),
        );
        let (bios, rows) = (
            &devices(&complete)[0]["latency_bio_ns"]["q2c"],
            &devices(&document)[0]["latency_ns"]["q2c"],
        );
        for figure in ["n", "min", "mean", "max"] {
            assert_eq!(rows[figure], bios[figure], "{name} {figure}");
        }
        assert!(
            devices(&document)[0]["outstanding"]["mean"]
                .as_f64()
                .is_some_and(|mean| mean > 0.0),
            "{name}"
        );
    }
}

#[test]
fn writes_alone_are_a_lower_bound_of_depth() {
    for name in DISKS {
        let files = recording(name);
        let depth = |document: &Value| devices(document)[0]["depth"]["max"].as_f64();
        let all = summarised(&read(&files, 1 << 20));
        if devices(&all)[0]["bytes"]["write"] == 0 {
            continue;
        }
        let writes = summarised(&read(&masked(&files, "W"), 1 << 20));
        assert!(
            depth(&writes) <= depth(&all) && depth(&writes) > Some(0.0),
            "{name}"
        );
        let hint = |document: &Value| devices(document)[0]["hint"].is_string();
        assert_eq!((hint(&writes), hint(&all)), (true, false), "{name}");
    }
}

fn run(name: &str, store: &Store) -> ComparedRun {
    ComparedRun {
        label: name.to_owned(),
        trace: digest(store, Window::WHOLE, GEOMETRY.parse().ok()),
        ..ComparedRun::default()
    }
}

fn compared(runs: Vec<ComparedRun>) -> (CompareDocument, Value) {
    let document = compare(&CompareQuery {
        runs,
        baseline: 0,
        noise: None,
    });
    let json = serde_json::to_value(&document).expect("a document");
    (document, json)
}

fn codes(json: &Value) -> Vec<&str> {
    json["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|f| f["code"].as_str())
        .collect()
}

/// Writes to a RAID 5, aligned and shifted by a partition's start: complete, completions only, and
/// one of each.
#[test]
fn completions_alone_show_the_lost_alignment() {
    let part = |name: &str, mask: Option<&str>| {
        let files = recording(name);
        read(
            &mask.map_or(files.clone(), |mask| masked(&files, mask)),
            1 << 20,
        )
    };
    let (good, bad) = ("raid5-aligned", "raid5-misaligned");
    for (a, b, evidence) in [
        (None, None, "requested"),
        (Some("C"), Some("C"), "completed"),
        (None, Some("C"), "completed"),
    ] {
        let (_, json) = compared(vec![run("good", &part(good, a)), run("bad", &part(bad, b))]);
        for code in ["alignment-lost", "rmw-cost"] {
            assert!(
                codes(&json).contains(&code),
                "{a:?} {b:?}: {:?}",
                codes(&json)
            );
        }
        assert_eq!(json["work"]["same"], true, "{}", json["work"]);
        assert!(
            json["work"]["why"]
                .as_str()
                .is_some_and(|why| why.contains(evidence)),
            "{}",
            json["work"]
        );
        let figure = |key: &str| {
            json["figures"]
                .as_array()
                .into_iter()
                .flatten()
                .find(|f| f["key"] == key)
                .cloned()
                .unwrap_or_default()
        };
        let full = figure("alignment.stripes.full");
        assert_eq!(full["values"], json!([48.0, 0.0]), "{a:?} {b:?}");
        if a != b {
            assert_eq!(
                figure("q2c.mean")["absent"],
                json!([null, "recorded without queued bios (Q)"])
            );
        }
    }
    // These runs were recorded with -a complete.
    let (_, json) = compared(vec![
        run("good", &recorded("raid5-complete-aligned")),
        run("bad", &recorded("raid5-complete-shifted")),
    ]);
    assert!(
        codes(&json).contains(&"alignment-lost") && codes(&json).contains(&"rmw-cost"),
        "{:?}",
        codes(&json)
    );
    // Bios alone show which stripes they fill, too.
    let (_, json) = compared(vec![
        run("good", &part(good, Some("Q"))),
        run("bad", &part(bad, Some("Q"))),
    ]);
    assert!(
        codes(&json).contains(&"alignment-lost") && codes(&json).contains(&"rmw-cost"),
        "{:?}",
        codes(&json)
    );
}

/// A run that takes twice as long: its times are doubled.
#[test]
fn a_slower_run_is_slower_by_what_both_recorded() {
    let files = recording("partitions-deadline-1w");
    let slow: Vec<File> = files
        .iter()
        .map(|(name, bytes)| {
            let stretched = records(bytes).into_iter().flat_map(|record| {
                let mut record = record.to_vec();
                let time = u64::from_le_bytes(record[8..16].try_into().expect("eight bytes"));
                record[8..16].copy_from_slice(&(time * 2).to_le_bytes());
                record
            });
            (name.clone(), stretched.collect())
        })
        .collect();
    for (a, b, reason) in [
        ("QDC", "QDC", ""),
        ("C", "C", ""),
        ("D", "D", "issued"),
        ("Q", "Q", "queued"),
        ("QDC", "Q", "queued"),
        ("DC", "D", "issued"),
    ] {
        let (_, json) = compared(vec![
            run("a", &read(&masked(&files, a), 1 << 20)),
            run("b", &read(&masked(&slow, b), 1 << 20)),
        ]);
        assert_eq!(json["outcome"], "slower", "{a} {b}: {}", json["verdict"]);
        assert!(
            json["verdict"]
                .as_str()
                .is_some_and(|text| text.contains(reason)),
            "{a} {b}: {}",
            json["verdict"]
        );
    }
}

#[test]
fn recordings_made_with_a_mask() {
    let lines = |name: &str| {
        let document = summarised(&recorded(name));
        let device = &devices(&document)[0];
        check_reasons(device, name);
        let classes = &device["alignment"]["classes"];
        let marks: u64 = classes
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(_, c)| c["requests"].as_u64())
            .sum();
        (
            device["row"].as_str().unwrap_or_default().to_owned(),
            marks,
            device["depth"].is_null(),
        )
    };
    assert_eq!(lines("complete"), ("completion".to_owned(), 128, true));
    assert_eq!(lines("issue"), ("issue".to_owned(), 128, true));
    assert_eq!(lines("queue"), ("queue".to_owned(), 128, true));
    assert_eq!(lines("queue+complete"), ("bio".to_owned(), 128, true));
}

/// A busy SCSI host: 73 of its issues follow an equal one. Counted as requests they stay in flight
/// for ever, and the mean depth is 18.8.
#[test]
fn repeated_issues_are_one_request() {
    let store = recorded("reissued");
    let document = summarised(&store);
    assert_eq!(
        (
            &document["quality"]["reissued"],
            &document["quality"]["unmatched"]["D"]
        ),
        (&json!(73), &json!(0))
    );
    let depth = &devices(&document)[0]["depth"];
    assert!(
        depth["mean"].as_f64().is_some_and(|mean| mean < 3.0) && depth["max"] == 8,
        "{depth}"
    );
    // This recording has 1,500 R. Without them the same happens; with them, nothing is guessed.
    let files = recording("requeue");
    assert_eq!(
        summarised(&read(&files, 1 << 20))["quality"]["reissued"],
        Value::Null
    );
}

/// A snapshot has what the page shows of completions alone: marks, alignment, reasons; and no chart
/// of what was not recorded.
#[test]
fn a_snapshot_of_completions_keeps_what_it_needs() {
    let store = recorded("raid5-complete-shifted");
    let mut counter = InfoCounter::default();
    counter.advance(&store);
    let info = seekscope_core::json::untyped(&counter.info(&store));
    let device = &info["devices"][0];
    assert_eq!(
        (&device["recorded"], &device["row"], &device["role"]),
        (&json!("C"), &json!("completion"), &json!("stacked"))
    );
    assert_eq!(
        device["absent"]["latency"],
        "recorded without queued bios (Q) and issues (D)"
    );
    assert!(
        ["depth", "life", "processes"]
            .iter()
            .all(|chart| device["absent"][chart].is_string()),
        "{device}"
    );
    assert!(
        ["seekMap", "alignment", "stripes", "sizes", "throughput"]
            .iter()
            .all(|chart| device["absent"][chart].is_null())
    );
    let geometry = json!({ "level": "raid5", "unit": 512, "dataDisks": 3, "start": 0 });
    let query = json!({
        "filters": [{ "device": 0, "geometry": geometry }],
        "ranges": [[0.0, store.span()]],
        "geometry": geometry,
        "stage": "q2c",
        "layers": ["alignment"],
        "size": "S",
    });
    let query: SnapshotQuery = serde_json::from_value(query).expect("a query");
    let index = Index::new(&store);
    let view = View {
        store: &store,
        index: &index,
    };
    let taken = take(view, &info, &query).expect("a trace has a snapshot");
    let snapshot = Snapshot {
        of: vec![0],
        traces: vec![Some(taken)],
        ..Snapshot::default()
    };
    let opened = unpack(&pack(&snapshot, 5))
        .expect("it can be read")
        .snapshot;
    assert_eq!(opened.traces, snapshot.traces);
    let trace = opened.traces[0].as_ref().expect("a trace");
    let picture = &trace.pictures[0];
    assert_eq!(
        (
            picture.map.n.as_ref().and_then(|n| n.as_u64()),
            picture.depth.is_none()
        ),
        (Some(48), true)
    );
    assert_eq!(
        picture.alignment.as_ref().map(|a| a["stripes"].clone()),
        Some(json!({ "full": 16, "partial": 96 }))
    );
    assert_eq!(
        (
            &trace.info["devices"][0]["row"],
            &trace.summary["devices"][0]["recorded"]
        ),
        (&json!("completion"), &json!("C"))
    );
    // Every query has an answer or an error, none of them a panic.
    for kind in [
        "depth",
        "starved",
        "stages",
        "facets",
        "rate",
        "bands",
        "columns",
        "events",
        "distribution",
        "life",
        "hit",
    ] {
        let ask = json!({ "filter": { "device": 0 }, "device": 0, "range": { "t0": 0, "t1": store.span() }, "n": 8, "most": 8, "gapShare": 0.1, "stage": "q2c", "row": 0, "from": 0, "limit": 100 });
        let answer = plot::answer(view, kind, &ask.to_string());
        assert!(
            !(answer.is_err() && matches!(kind, "stages" | "facets" | "rate" | "bands")),
            "{kind}"
        );
        assert!(
            !matches!(kind, "depth" | "starved") || answer.is_err(),
            "{kind}"
        );
    }
}

//! Snapshots of the samples: what is packed is read, answers what the trace answers, and is small.

use seekscope_core::compare::{CompareQuery, ComparedRun, Digest, compare};
use seekscope_core::plot::{self, Answer, AnswerValue, Index, InfoCounter, View};
use seekscope_core::results::ResultSet;
use seekscope_core::snapshot::{
    NotInSnapshot, Snapshot, SnapshotQuery, SnapshotSize, UnreadableSnapshot, from_text, pack,
    sections, take, to_text, unpack,
};
use seekscope_core::store::Store;
use seekscope_texts::TextInput;
use serde_json::{Number, Value as Json, json};
use std::io::Read;
use std::path::{Path, PathBuf};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../public/samples")
}

fn store(folder: &str) -> Store {
    let files = std::fs::read_dir(samples().join(folder))
        .expect("the sample exists")
        .map(|entry| {
            let path = entry.expect("a folder can be listed").path();
            let mut bytes = Vec::new();
            let file = std::fs::File::open(&path).expect("a sample can be read");
            flate2::read::GzDecoder::new(file)
                .read_to_end(&mut bytes)
                .expect("a sample is gzip");
            (
                path.file_stem()
                    .expect("a file has a name")
                    .to_string_lossy()
                    .into_owned(),
                bytes,
            )
        });
    let mut files: Vec<crate::common::File> = files.collect();
    files.sort();
    crate::common::read(&files, 1 << 16)
}

/// The attempt (see `SnapshotSize::detail`) that the tests take.
const STEP: usize = 6;

fn geometry(sample: &str) -> Option<Json> {
    (sample == "raid5")
        .then(|| json!({ "level": "raid5", "unit": 128, "dataDisks": 4, "start": 0 }))
}

pub struct Sample {
    stores: Vec<Store>,
    filters: Vec<Json>,
    pub snapshot: Snapshot,
}

pub fn sample(name: &str, size: SnapshotSize) -> Sample {
    shared(
        name,
        ["a", "b"].map(|run| store(&format!("{name}/{run}"))).into(),
        size,
    )
}

/// Recordings of which nothing was known when the coder was made.
pub fn recordings(size: SnapshotSize) -> Sample {
    let names = ["partitions-deadline-1w", "partitions-bfq-1w"];
    shared(
        "partitions",
        names
            .map(|name| crate::common::read(&crate::common::recording(name), 1 << 16))
            .into(),
        size,
    )
}

pub fn shared(name: &str, stores: Vec<Store>, size: SnapshotSize) -> Sample {
    let (mut filters, mut traces, mut runs) = (vec![], vec![], vec![]);
    for (store, label) in stores.iter().zip(["first", "second"]) {
        let mut tally = InfoCounter::default();
        tally.advance(store);
        let info = seekscope_core::json::untyped(&tally.info(store));
        let mut filter = json!({ "device": info["devices"][0]["index"] });
        if let Some(geometry) = geometry(name) {
            filter["geometry"] = geometry;
        }
        let query = SnapshotQuery {
            filters: vec![filter.clone()],
            ranges: vec![(0.0, store.span() as f64)],
            geometry: geometry(name),
            stage: "q2c".to_owned(),
            layers: vec![
                if geometry(name).is_some() {
                    "alignment"
                } else {
                    "op"
                }
                .to_owned(),
            ],
            slots: None,
            object_slots: None,
            names: false,
            aliases: Default::default(),
            files: false,
            file_aliases: Default::default(),
            size,
            step: if size == SnapshotSize::S { STEP } else { 0 },
        };
        let index = Index::new(store);
        let taken = take(
            View {
                store,
                index: &index,
            },
            &info,
            &query,
        )
        .expect("a trace has a snapshot");
        let digest: Digest = serde_json::from_value(taken.digest.clone()).expect("a digest");
        runs.push(ComparedRun {
            label: label.to_owned(),
            trace: digest,
            ..ComparedRun::default()
        });
        filters.push(filter);
        traces.push(Some(taken));
    }
    let document = serde_json::to_value(compare(&CompareQuery {
        runs,
        baseline: 0,
        noise: None,
    }))
    .expect("a document");
    let snapshot = Snapshot {
        document,
        of: vec![0, 1],
        traces,
        ..Snapshot::default()
    };
    Sample {
        stores,
        filters,
        snapshot,
    }
}

#[test]
fn what_is_packed_is_read() {
    let samples = ["idling", "raid5"].map(|name| (name, sample(name, SnapshotSize::S)));
    for (name, Sample { snapshot, .. }) in samples
        .into_iter()
        .chain([("partitions", recordings(SnapshotSize::S))])
    {
        if let Some(folder) = std::env::var_os("SECTIONS") {
            let path = Path::new(&folder).join(format!("{name}.json"));
            std::fs::write(
                path,
                serde_json::to_string(&sections(&snapshot, 5)).expect("JSON"),
            )
            .expect("a file can be written");
        }
        let bytes = pack(&snapshot, 5);
        println!(
            "{name}: {} bytes, {} characters",
            bytes.len(),
            to_text(&bytes).len()
        );
        assert_eq!(from_text(&to_text(&bytes)), bytes);
        let opened = unpack(&bytes).expect("it can be read");
        assert_eq!(
            (opened.problems.len(), opened.snapshot.traces.len()),
            (0, 2)
        );
        assert_eq!(opened.snapshot.traces, snapshot.traces);
        for (a, b) in sections(&snapshot, 5)
            .iter()
            .zip(sections(&opened.snapshot, 5))
        {
            let (a, b) = (a.to_string(), b.to_string());
            let difference = a
                .bytes()
                .zip(b.bytes())
                .position(|(x, y)| x != y)
                .unwrap_or(0)
                .saturating_sub(60);
            assert!(
                a == b,
                "{name}: {:.200} but {:.200}",
                &a[difference..],
                &b[difference..]
            );
        }
        assert!(pack(&opened.snapshot, 5) == bytes, "{name}");
    }
}

/// An answer as JSON, each list by its name.
fn lists(answer: Answer) -> Json {
    let Answer::Object(properties) = answer else {
        panic!("lists are properties")
    };
    let list = |value: AnswerValue| match value {
        AnswerValue::F64(list) => json!(list),
        AnswerValue::U32(list) => json!(list),
        AnswerValue::U8(list) => json!(list),
        AnswerValue::Number(n) => json!(n),
        AnswerValue::Word(word) => json!(word),
        AnswerValue::Json(json) => json,
    };
    properties
        .into_iter()
        .map(|(name, value)| (name.to_owned(), list(value)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// A query at the stored resolution has the answer of the trace, to the stored digits.
#[test]
fn a_snapshot_answers_what_the_trace_answers() {
    for name in ["osync", "raid5"] {
        let Sample {
            stores,
            filters,
            snapshot,
        } = sample(name, SnapshotSize::M);
        let opened = unpack(&pack(&snapshot, SnapshotSize::M.digits()))
            .expect("it can be read")
            .snapshot;
        for ((store, filter), trace) in stores
            .iter()
            .zip(filters)
            .zip(opened.traces.into_iter().flatten())
        {
            let picture = &trace.pictures[0];
            let (n, rows) = (256, picture.map.h);
            let layer = if geometry(name).is_some() {
                "alignment"
            } else {
                "op"
            };
            let index = Index::new(store);
            let bands = picture.map.bands.clone();
            let each = rows / bands.len();
            let ruler = |(i, (low, high)): (usize, &(Number, Number))| json!({ "lba0": low, "lba1": high, "y0": (bands.len() - 1 - i) * each, "y1": (bands.len() - i) * each });
            let rulers: Json = bands.iter().enumerate().map(ruler).collect();
            let ends = json!(picture.latency["q2c"].ends);
            let common = json!({ "filter": filter, "device": filter["device"], "range": { "t0": 0.0, "t1": store.span() }, "n": n, "geometry": geometry(name) });
            let asks = [
                ("rate", json!({})),
                ("depth", json!({})),
                ("sizes", json!({ "at": "queued" })),
                ("distribution", json!({ "stage": "q2c" })),
                (
                    "latencyGrid",
                    json!({ "stage": "q2c", "w": n, "h": 48, "low": ends["low"], "high": ends["high"] }),
                ),
                (
                    "seekMap",
                    json!({ "bands": rulers, "w": n, "h": rows, "layer": layer, "marks": -1.0 }),
                ),
                ("alignment", json!({})),
                ("stripeTime", json!({ "w": n, "h": 48 })),
            ];
            for (kind, more) in asks {
                let mut ask = common.clone();
                ask.as_object_mut()
                    .unwrap()
                    .extend(more.as_object().unwrap().clone());
                let text = ask.to_string();
                let Ok(expected) = plot::answer(
                    View {
                        store,
                        index: &index,
                    },
                    kind,
                    &text,
                ) else {
                    continue;
                };
                let answer = lists(trace.answer(kind, &text).expect(kind));
                for (key, value) in lists(expected).as_object().unwrap() {
                    assert!(
                        close(&answer[key], value),
                        "{name} {kind} {key}: {:.120} for {:.120}",
                        answer[key].to_string(),
                        value.to_string()
                    );
                }
            }
            assert_eq!(trace.answer("life", "{\"row\":1}"), Err(NotInSnapshot));
            assert_eq!(
                trace.answer(
                    "rate",
                    &json!({ "filter": { "device": 99 }, "range": common["range"], "n": 4 })
                        .to_string()
                ),
                Err(NotInSnapshot)
            );
        }
    }
}

fn close(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b))
        }
        (Json::Number(a), Json::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-5 * a.abs().max(b.abs()).max(1.0)
        }
        _ => a == b,
    }
}

/// Whatever is done to a link: what can be read is, and nothing panics.
#[test]
fn damaged_links_say_what_is_missing() {
    let bytes = pack(
        &recordings(SnapshotSize::S).snapshot,
        SnapshotSize::S.digits(),
    );
    let whole = unpack(&bytes).expect("it can be read");
    let mut some = 0;
    for cut in (0..bytes.len()).step_by(331) {
        if let Ok(opened) = unpack(&bytes[..cut]) {
            some += 1;
            assert!(!opened.problems.is_empty(), "{cut}");
            assert_eq!(opened.snapshot.head, whole.snapshot.head);
        }
    }
    assert!(some > 5, "{some} cuts leave something");
    for index in (0..bytes.len()).step_by(797) {
        let mut bytes = bytes.clone();
        bytes[index] ^= 0x10;
        if let Ok(opened) = unpack(&bytes) {
            assert!(!opened.problems.is_empty(), "{index}");
        }
    }
    let text = to_text(&bytes);
    let wrapped: String = text
        .as_bytes()
        .chunks(70)
        .map(|line| format!("> {}\n", String::from_utf8_lossy(line)))
        .collect();
    assert_eq!(from_text(&wrapped), bytes);
    assert_eq!(unpack(&[]), Err(UnreadableSnapshot::Empty));
    assert_eq!(unpack(&[4, 1, 2, 3]), Err(UnreadableSnapshot::Newer(4)));
    assert_eq!(unpack(&[3, 1, 2, 3]), Err(UnreadableSnapshot::Damaged));
    assert_eq!(unpack(&[2, 1, 2, 3]), Err(UnreadableSnapshot::Damaged));
    assert_eq!(unpack(&[200, 1, 2, 3]), Err(UnreadableSnapshot::Damaged));
}

/// The results as links and reports have them: the places of figures are of use only beside the
/// text.
fn stored(mut set: ResultSet) -> ResultSet {
    let runs = set.tables.iter_mut().flat_map(|table| &mut table.runs);
    for figure in runs.flat_map(|run| &mut run.figures) {
        figure.place = None;
    }
    set
}

/// Results of benchmarks travel without a trace, and next to traces; a snapshot without them is of
/// version 1, byte for byte.
#[test]
fn results_are_in_snapshots_of_version_2() {
    let mail = include_bytes!("../../../../../tests/tables/iostest.txt");
    let set = stored(seekscope_texts::read(&[TextInput {
        argument: None,
        path: "mail.txt",
        bytes: mail,
    }]));
    let alone = Snapshot {
        results: Some(set.clone()),
        ..Snapshot::default()
    };
    let bytes = pack(&alone, 5);
    assert_eq!(bytes[0], 2);
    let opened = unpack(&bytes).expect("it can be read");
    assert_eq!(
        (
            opened.problems.len(),
            opened.snapshot.traces.len(),
            &opened.snapshot.results
        ),
        (0, 0, &Some(set.clone()))
    );
    assert!(pack(&opened.snapshot, 5) == bytes);
    let report = stored(seekscope_texts::read(&[TextInput {
        argument: None,
        path: "a.json",
        bytes: include_bytes!("../../../../../tests/tables/fio-plus.json"),
    }]));
    let of_report = unpack(&pack(
        &Snapshot {
            results: Some(report.clone()),
            ..Snapshot::default()
        },
        5,
    ))
    .expect("it can be read");
    assert_eq!(of_report.snapshot.results, Some(report));
    let Sample {
        snapshot: without, ..
    } = recordings(SnapshotSize::S);
    let both = Snapshot {
        results: Some(set),
        ..without.clone()
    };
    let opened = unpack(&pack(&both, 5)).expect("it can be read").snapshot;
    assert_eq!((opened.traces.len(), &opened.results), (2, &both.results));
    assert_eq!(pack(&without, 5)[0], 1);
    // Neither traces nor results, and a version that is not there yet.
    assert_eq!(
        unpack(&pack(&Snapshot::default(), 5)),
        Err(UnreadableSnapshot::Damaged)
    );
    assert_eq!(
        unpack(&[&[4], &bytes[1..]].concat()),
        Err(UnreadableSnapshot::Newer(4))
    );
    // Damage: an error or a snapshot, never a crash.
    for index in (1..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[index] ^= 0x55;
        let _ = unpack(&damaged);
        let _ = unpack(&bytes[..index]);
    }
}

/// Lanes are in large snapshots and give the answers of the trace; the others contain how many were
/// left out.
#[test]
fn lanes_are_in_large_snapshots() {
    let line = |ms: u64, event: &str| format!("     a-1 [000] .....    10.{ms:03}000: {event}\n");
    let timer = |i: u64| {
        line(
            10 * i,
            &format!(
                "wbt_timer: 254:0: status=3, step={}, inflight={}",
                i % 3,
                i % 7
            ),
        )
    };
    let block = [
        "block_rq_issue: 254,0 W 4096 () 8 + 8 [a]",
        "block_rq_complete: 254,0 W () 8 + 8 [0]",
    ];
    let text = line(1, block[0]) + &(1..90).map(timer).collect::<String>() + &line(990, block[1]);
    let read = || {
        crate::common::read(
            &[("trace.txt".to_owned(), text.clone().into_bytes())],
            1 << 16,
        )
    };
    let store = read();
    assert_eq!(store.lanes.rows.len(), 2);
    let index = Index::new(&store);
    let view = View {
        store: &store,
        index: &index,
    };
    let queries = [
        ("lanes", json!({ "range": { "t0": 2e8, "t1": 6e8 } })),
        (
            "laneSeries",
            json!({ "lanes": [1, 0], "range": { "t0": 2e8, "t1": 6e8 }, "n": 10 }),
        ),
    ];
    for (size, left_out) in [
        (SnapshotSize::S, 2),
        (SnapshotSize::M, 2),
        (SnapshotSize::L, 0),
        (SnapshotSize::File, 0),
    ] {
        let mut taken = shared("lanes", vec![read()], size).snapshot;
        let trace = taken.traces.remove(0).expect("it was taken");
        assert_eq!(
            trace.info["lanesLeftOut"].as_u64().unwrap_or(0),
            left_out,
            "{size:?}"
        );
        assert_eq!(trace.info.get("laneSources").is_some(), left_out == 0);
        let bytes = pack(
            &Snapshot {
                traces: vec![Some(trace)],
                ..Snapshot::default()
            },
            size.digits(),
        );
        assert_eq!(bytes[0], 1, "readers of version 1 show all but the lanes");
        let opened = unpack(&bytes)
            .expect("it can be read")
            .snapshot
            .traces
            .remove(0)
            .expect("it is there");
        for (kind, query) in &queries {
            let stored = opened.answer(kind, &query.to_string());
            if left_out > 0 {
                assert!(stored.is_err(), "{kind}");
            } else {
                let live = plot::answer(view, kind, &query.to_string()).expect("an answer");
                assert_eq!(
                    words(&stored.expect("it is in the snapshot")),
                    words(&live),
                    "{kind}"
                );
            }
        }
    }
}

/// Zones are in large snapshots: their sizes and types in all, what happened to them in links of
/// size L and reports.
#[test]
fn marks_of_zones_are_in_large_snapshots() {
    let zoned = |run: &str| {
        let files = ["trace.blktrace.0", "trace.blktrace.1"]
            .map(|name| crate::common::zoned_file(run, name));
        crate::common::read_with_zones(
            &files,
            crate::common::zone_notes(run, &["queue.txt", "zones.txt"]),
        )
    };
    for run in ["mgmt", "append"] {
        let store = zoned(run);
        let index = Index::new(&store);
        let view = View {
            store: &store,
            index: &index,
        };
        let live = |query: &Json| {
            words(&plot::answer(view, "zones", &query.to_string()).expect("an answer"))
        };
        let end = store.span() as f64;
        let ask = |t0: f64, t1: f64, most: usize| json!({ "device": 0, "range": { "t0": t0, "t1": t1 }, "most": most });
        for size in [
            SnapshotSize::S,
            SnapshotSize::M,
            SnapshotSize::L,
            SnapshotSize::File,
        ] {
            let trace = shared("zones", vec![zoned(run)], size)
                .snapshot
                .traces
                .remove(0)
                .expect("it was taken");
            let bytes = pack(
                &Snapshot {
                    traces: vec![Some(trace)],
                    ..Snapshot::default()
                },
                size.digits(),
            );
            assert_eq!(bytes[0], 1, "readers of version 1 show all but the marks");
            let opened = unpack(&bytes)
                .expect("it can be read")
                .snapshot
                .traces
                .remove(0)
                .expect("it is there");
            assert_eq!(
                opened.info["devices"][0]["zones"]["sectors"], 32768,
                "{size:?}"
            );
            assert!(
                opened.info["devices"][0]["zones"]["conventional"].is_array(),
                "{size:?}"
            );
            let small = matches!(size, SnapshotSize::S | SnapshotSize::M);
            assert_eq!(
                opened.info["devices"][0]["absent"]["zones"].is_string(),
                small,
                "{size:?}"
            );
            let ranges = [
                ask(0.0, end, 400),
                ask(0.0, end, 3),
                ask(end / 3.0, end / 2.0, 400),
                ask(end / 3.0, end * 2.0, 0),
            ];
            for query in &ranges {
                match opened.answer("zones", &query.to_string()) {
                    Err(NotInSnapshot) => assert!(small, "{size:?} {query}"),
                    Ok(stored) => assert_eq!(words(&stored), live(query), "{run} {size:?} {query}"),
                }
            }
        }
        // A snapshot without them.
        let mut without = shared("zones", vec![zoned(run)], SnapshotSize::L)
            .snapshot
            .traces
            .remove(0)
            .expect("it was taken");
        without
            .pictures
            .iter_mut()
            .for_each(|picture| picture.zones = None);
        assert_eq!(
            without
                .answer("zones", &ask(0.0, end, 400).to_string())
                .err(),
            Some(NotInSnapshot)
        );
    }
}

/// More marks than a snapshot has room for: some of them, evenly, without appends; counts of all,
/// but only of the complete range.
#[test]
fn many_marks_of_zones() {
    let line = |us: u64, event: &str| format!("     a-1 [000] .....    10.{us:06}: {event}\n");
    // Every write is 8 sectors behind the one before: off the write pointer.
    let write = |i: u64| {
        let sector = 100_000 - 16 * i;
        let (issue, complete) = (
            format!("block_rq_issue: 254,0 W 4096 () {sector} + 8 [a]"),
            format!("block_rq_complete: 254,0 W () {sector} + 8 [0]"),
        );
        line(100 * i, &issue) + &line(100 * i + 50, &complete)
    };
    let text: String = (0..1000).map(write).collect();
    let notes = vec![seekscope_core::notes::ZoneNote {
        device: None,
        sectors: 524_288,
        conventional: None,
    }];
    let read = || {
        crate::common::read_with_zones(
            &[("trace.txt".to_owned(), text.clone().into_bytes())],
            notes.clone(),
        )
    };
    let end = read().span() as f64;
    let ask = |t0: f64, most: usize| {
        json!({ "device": 0, "range": { "t0": t0, "t1": end }, "most": most }).to_string()
    };
    let taken = |size| {
        shared("zones", vec![read()], size)
            .snapshot
            .traces
            .remove(0)
            .expect("it was taken")
    };
    let list_of = |answer: &Answer, name: &str| -> Vec<f64> {
        let Answer::Object(parts) = answer else {
            panic!("an object")
        };
        match parts.iter().find(|part| part.0 == name).map(|part| &part.1) {
            Some(AnswerValue::F64(list)) => list.clone(),
            other => panic!("{name}: {other:?}"),
        }
    };
    let link = taken(SnapshotSize::L);
    let answer = link
        .answer("zones", &ask(0.0, 400))
        .expect("it is in the snapshot");
    let times = list_of(&answer, "at");
    assert!(
        list_of(&answer, "counts")[0] > 990.0 && (50..=64).contains(&times.len()),
        "{}",
        times.len()
    );
    assert!(
        times[times.len() - 1] > 0.9 * end
            && times.windows(2).all(|pair| pair[1] - pair[0] < end / 40.0),
        "evenly"
    );
    assert_eq!(
        link.answer("zones", &ask(end / 2.0, 400)).err(),
        Some(NotInSnapshot),
        "nothing counts those of a part"
    );
    let report = taken(SnapshotSize::File);
    assert!(
        list_of(
            &report
                .answer("zones", &ask(end / 2.0, 400))
                .expect("all are stored"),
            "counts"
        )[0] > 490.0
    );
}

fn words(answer: &Answer) -> String {
    match answer {
        Answer::Json(json) => json.to_string(),
        Answer::Text(text) => text.clone(),
        Answer::Object(parts) => format!("{parts:?}"),
    }
}

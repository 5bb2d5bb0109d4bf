//! Snapshots of the samples: what is packed is read, answers what the trace answers, and is small.

mod common;

use seekscope_core::compare::{Asked, Digest, Run, compare};
use seekscope_core::plot::{self, Answer, Index, Tally, Value, View};
use seekscope_core::snapshot::{NotHeld, Shot, Size, Snapshot, Wanted, from_text, pack, sections, take, to_text, unpack};
use seekscope_core::store::Store;
use serde_json::{Value as Json, json};
use std::io::Read;
use std::path::{Path, PathBuf};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../public/samples")
}

fn store(folder: &str) -> Store {
    let files = std::fs::read_dir(samples().join(folder)).expect("the sample exists").map(|entry| {
        let path = entry.expect("a folder can be listed").path();
        let mut bytes = Vec::new();
        let file = std::fs::File::open(&path).expect("a sample can be read");
        flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).expect("a sample is gzip");
        (path.file_stem().expect("a file has a name").to_string_lossy().into_owned(), bytes)
    });
    let mut files: Vec<common::File> = files.collect();
    files.sort();
    common::read(&files, 1 << 16)
}

/// A step of the small size.
const STEP: usize = 2;

fn geometry(sample: &str) -> Option<Json> {
    (sample == "raid5").then(|| json!({ "level": "raid5", "unit": 128, "dataDisks": 4, "start": 0 }))
}

struct Sample {
    stores: Vec<Store>,
    infos: Vec<Json>,
    wanted: Vec<Wanted>,
    snapshot: Snapshot,
}

fn sample(name: &str, size: Size) -> Sample {
    let stores: Vec<Store> = ["a", "b"].map(|run| store(&format!("{name}/{run}"))).into();
    let (mut infos, mut wanted, mut traces, mut runs) = (vec![], vec![], vec![], vec![]);
    for (store, label) in stores.iter().zip(["first", "second"]) {
        let mut tally = Tally::default();
        tally.advance(store);
        let Answer::Json(info) = tally.info(store) else { panic!("info is a document") };
        let mut filter = json!({ "device": info["devices"][0]["index"] });
        if let Some(geometry) = geometry(name) {
            filter["geometry"] = geometry;
        }
        let asked = Wanted {
            filters: vec![filter],
            ranges: vec![(0.0, store.span() as f64)],
            geometry: geometry(name),
            stage: "q2c".to_owned(),
            layers: vec![if geometry(name).is_some() { "alignment" } else { "op" }.to_owned()],
            slots: None,
            names: false,
            aliases: Default::default(),
            files: false,
            size,
            step: if size == Size::S { STEP } else { 0 },
        };
        let index = Index::of(store);
        let taken = take(View { store, index: &index }, &info, &asked).expect("a trace has a snapshot");
        let digest: Digest = serde_json::from_value(taken["digest"].clone()).expect("a digest");
        runs.push(Run { label: label.to_owned(), trace: digest, ..Run::default() });
        infos.push(info);
        wanted.push(asked);
        traces.push(taken);
    }
    let document = serde_json::to_value(compare(&Asked { runs, baseline: 0 })).expect("a document");
    let snapshot = Snapshot { head: json!({ "size": "S", "title": name }), document, of: vec![0, 1], traces };
    Sample { stores, infos, wanted, snapshot }
}

#[test]
fn what_is_packed_is_read() {
    for name in ["idling", "osync", "raid5"] {
        let Sample { snapshot, .. } = sample(name, Size::S);
        if let Some(folder) = std::env::var_os("SECTIONS") {
            let path = Path::new(&folder).join(format!("{name}.json"));
            std::fs::write(path, serde_json::to_string(&sections(&snapshot, 5)).expect("JSON")).expect("a file can be written");
        }
        let bytes = pack(&snapshot, 5);
        println!("{name}: {} bytes, {} characters", bytes.len(), to_text(&bytes).len());
        assert_eq!(from_text(&to_text(&bytes)), bytes);
        let opened = unpack(&bytes).expect("it can be read");
        assert_eq!((opened.problems.len(), opened.snapshot.traces.len()), (0, 2));
        assert_eq!(opened.snapshot.traces, snapshot.traces);
        for (a, b) in sections(&snapshot, 5).iter().zip(sections(&opened.snapshot, 5)) {
            let (a, b) = (a.to_string(), b.to_string());
            let at = a.bytes().zip(b.bytes()).position(|(x, y)| x != y).unwrap_or(0).saturating_sub(60);
            assert!(a == b, "{name}: {:.200} but {:.200}", &a[at..], &b[at..]);
        }
        assert!(pack(&opened.snapshot, 5) == bytes, "{name}");
    }
}

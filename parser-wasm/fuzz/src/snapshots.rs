//! Hostile links: whatever they contain, they are read in bounded time and memory, and queried
//! without a panic.

use seekscope_core::builder::{TraceBuilder, TraceFile};
use seekscope_core::compare;
use seekscope_core::plot::{Index, InfoCounter, View};
use seekscope_core::results::ResultSet;
use seekscope_core::snapshot::{
    Snapshot, SnapshotQuery, TraceSnapshot, from_text, pack, pack_brief, take, to_text, unpack,
};
use seekscope_texts::TextInput;
use serde_json::json;

/// The target: a link, as text and as bytes. The check sums of sections keep most changed bytes
/// from being read, so the input is also taken as JSON.
///
/// # Panics
/// When what was read cannot be written again, or an answer is no object.
pub fn any(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let _ = unpack(&from_text(&text));
    let _ = unpack(data);
    if let Ok(opened) = unpack(data)
        && opened.problems.is_empty()
    {
        assert!(
            unpack(&pack(&opened.snapshot, 17)).is_ok(),
            "what was read is written again"
        );
        let brief = pack_brief(&opened.snapshot, data.len() % 16, 0);
        assert!(
            brief.is_none_or(|brief| opened.snapshot.traces.is_empty() || unpack(&brief).is_ok()),
            "also in size XS"
        );
    }
    // Results of benchmarks, as JSON for the same reason.
    if let Ok(set) = serde_json::from_slice::<ResultSet>(data) {
        let document = compare::results(&set.bounded());
        assert!(compare::tables::results::text(&document).is_ascii());
    }
    let Ok(trace) = serde_json::from_slice::<TraceSnapshot>(data) else {
        return;
    };
    let filter = trace
        .pictures
        .first()
        .map(|picture| picture.filter.clone())
        .unwrap_or_default();
    let geometry = trace.geometry.clone();
    let band = json!([{ "lba0": 0, "lba1": 4096, "y0": 0, "y1": 9 }]);
    let ask = json!({
        "filter": filter, "device": filter["device"], "range": { "t0": 1e6, "t1": 7e8 }, "n": 9, "w": 9, "h": 9, "most": 4, "at": "queued",
        "stage": "q2c", "low": 1e3, "high": 1e9, "layer": "process", "slots": [1, 0, 5], "bands": band, "geometry": geometry, "marks": 0
    });
    // Size XS restores more than is stored; the reader must survive what a hostile encoder packs.
    let alone = Snapshot {
        traces: vec![Some(trace.clone())],
        ..Snapshot::default()
    };
    let _ = pack_brief(&alone, data.len() % 16, 0).map(|brief| unpack(&brief));
    for kind in [
        "info",
        "summary",
        "digest",
        "facets",
        "rate",
        "depth",
        "starved",
        "sizes",
        "distribution",
        "latencyGrid",
        "seekMap",
        "stripeTime",
        "zones",
        "lanes",
        "laneSeries",
    ] {
        let _ = trace.answer(kind, &ask.to_string());
    }
}

/// A snapshot of a recording as bytes and as text, and a trace of it as JSON.
pub fn seeds() -> Vec<Vec<u8>> {
    let recordings = crate::seeds::below("fixtures/partitions-bfq-1w");
    let store = recordings
        .iter()
        .filter(|(path, _)| path.to_string_lossy().contains(".blktrace."))
        .find_map(|(_, bytes)| {
            let mut builder = TraceBuilder::new(
                "trace",
                "trace",
                vec![TraceFile {
                    name: "trace.blktrace.0".to_owned(),
                    ..TraceFile::default()
                }],
            );
            builder.feed(0, &bytes[..bytes.len().min(16 << 10)]);
            builder.close(0);
            builder.finish().ok()
        });
    let Some(store) = store else {
        return Vec::new();
    };
    let (mut tally, index) = (InfoCounter::default(), Index::new(&store));
    tally.advance(&store);
    let info = json!(tally.info(&store));
    let query: Option<SnapshotQuery> = serde_json::from_value(json!({
        "filters": [{ "device": 0 }], "ranges": [[0, store.span()]], "stage": "q2c", "layers": ["op", "process"], "slots": [0, 1], "size": "S", "step": 13
    }))
    .ok();
    let Some(trace) = query.and_then(|query| {
        take(
            View {
                store: &store,
                index: &index,
            },
            &info,
            &query,
        )
        .ok()
    }) else {
        return Vec::new();
    };
    let snapshot = Snapshot {
        traces: vec![Some(trace.clone())],
        ..Snapshot::default()
    };
    let packed = pack(&snapshot, 5);
    let mail =
        b"| kernel | 1 | 2 |\n|---|---|---|\n| 6.1 | 5 MB/s | 7 MB/s |\n| 6.12 | 6 MB/s | 9 \
        MB/s |\n";
    let results = seekscope_texts::read(&[TextInput {
        path: "mail.txt",
        argument: None,
        bytes: mail,
    }]);
    let with_results = pack(
        &Snapshot {
            results: Some(results.clone()),
            ..Snapshot::default()
        },
        5,
    );
    let mut zoned = json!(trace);
    zoned["pictures"][0]["zones"] = json!({
        "kind": [2, 0, 8], "at": [5, 600, 7e8], "sector": [0, 4096, 8192], "sectors": [0, 8, 8], "pointer": [null, 4088, null], "failed": [0, 1, 0],
        "counts": [1, 0, 1, 0, 0, 0, 0, 0, 1]
    });
    vec![
        zoned.to_string().into_bytes(),
        to_text(&packed).into_bytes(),
        packed,
        pack_brief(&snapshot, 8, 0).unwrap_or_default(),
        json!(trace).to_string().into_bytes(),
        with_results,
        json!(results).to_string().into_bytes(),
    ]
}

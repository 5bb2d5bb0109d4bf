//! Size XS: a comparison of two runs, or one run, in a link of 2,000 characters. The format is that
//! of all sizes, but what a reader can restore is `null`, so that readers that cannot restore it
//! must refuse the snapshot: it has a version of its own (`pack.rs`).

use super::contents::{
    CellColumns, LatencyPicture, Numbers, Picture, Snapshot, StoredDistribution, TraceSnapshot,
};
use super::decimal::rounded;
use super::size::SnapshotDetail;
use seekscope_compare::links::brief;
use seekscope_compare::links::brief::BriefComparison;
use serde_json::{Map, Number, Value as Json, json};

/// What an attempt keeps; each attempt keeps less than the one before.
#[derive(Clone, Copy, Debug)]
pub struct BriefLevel {
    columns: usize,
    rows: usize,
    comparison: BriefComparison,
    /// Charts: 3 the seek map, queue depth, throughput and percentiles; 2 without percentiles; 1
    /// the seek map and the queue depth; 0 none.
    charts: u8,
}

const fn level(
    columns: usize,
    rows: usize,
    findings: usize,
    focus: bool,
    charts: u8,
) -> BriefLevel {
    BriefLevel {
        columns,
        rows,
        comparison: BriefComparison { findings, focus },
        charts,
    }
}

/// The order in which things are left out: resolution, whose requests and when, resolution,
/// percentiles, findings, throughput, all charts.
const LEVELS: [BriefLevel; 16] = [
    level(96, 40, 20, true, 3),
    level(64, 28, 20, true, 3),
    level(48, 20, 20, true, 3),
    level(32, 16, 20, true, 3),
    level(24, 12, 20, true, 3),
    level(24, 12, 20, false, 3),
    level(20, 10, 20, false, 3),
    level(16, 8, 20, false, 3),
    level(12, 6, 20, false, 3),
    level(12, 6, 20, false, 2),
    level(12, 6, 5, false, 2),
    level(12, 6, 4, false, 2),
    level(12, 6, 3, false, 2),
    level(12, 6, 3, false, 1),
    level(12, 6, 3, false, 0),
    level(12, 6, 1, false, 0),
];

/// The level of an attempt; `None` when no smaller one is left.
pub fn level_of_attempt(step: usize) -> Option<BriefLevel> {
    LEVELS.get(step).copied()
}

impl BriefLevel {
    /// The detail with which a trace is queried, before anything is left out.
    pub fn detail(self) -> SnapshotDetail {
        let (columns, rows) = (self.columns, self.rows);
        SnapshotDetail {
            columns,
            rows,
            digits: 5,
            all: false,
            pieces: false,
            brief: true,
        }
    }
}

/// Digits of series and distributions that are only drawn.
const DRAWN: usize = 2;
const CURVE: usize = 3;
/// Points of a percentile curve that are kept.
const POINTS: [f64; 8] = [0.0, 0.24, 0.52, 0.76, 0.88, 0.96, 0.991, 0.999];

/// Leaves out what [`restore`] restores, and what the level does not keep. Traces of more than two
/// runs do not fit anyway.
pub fn shrink(snapshot: &mut Snapshot, level: BriefLevel, shown: usize) {
    brief::shrink(&mut snapshot.document, level.comparison, shown);
    blank_labels(snapshot);
    for run in &mut snapshot.head.runs {
        (run.bench, run.settings, run.device_names) = (None, None, None);
    }
    let alone = snapshot.traces.len() == 1;
    for trace in snapshot.traces.iter_mut().flatten() {
        shrink_trace(trace, alone);
        trace.pictures.truncate(usize::from(level.charts > 0));
        trace
            .pictures
            .iter_mut()
            .for_each(|picture| shrink_picture(picture, level.charts));
    }
    snapshot.results = None;
}

/// Labels of the document that are those of its traces.
fn blank_labels(
    Snapshot {
        head,
        document,
        of: trace_indices,
        ..
    }: &mut Snapshot,
) {
    let head = |run: usize| Some(json!(head.runs.get(*trace_indices.get(run)?)?.label));
    let runs = document.get_mut("runs").and_then(Json::as_array_mut);
    for (index, run) in runs.into_iter().flatten().enumerate() {
        if Some(&run["label"]) == head(index).as_ref() {
            run["label"] = Json::Null;
        }
        run["trace"] = Json::Null;
    }
    let sides = document.get_mut("sides").and_then(Json::as_array_mut);
    for side in sides.into_iter().flatten() {
        let single = side["runs"]
            .as_array()
            .filter(|runs| runs.len() == 1)
            .and_then(|runs| runs[0].as_u64());
        if single.is_some_and(|run| Some(&side["label"]) == head(run as usize).as_ref()) {
            side["label"] = Json::Null;
        }
    }
}

fn restore_labels(
    Snapshot {
        head,
        document,
        of: trace_indices,
        ..
    }: &mut Snapshot,
) {
    let label = |run: usize| {
        json!(
            trace_indices
                .get(run)
                .and_then(|&trace| head.runs.get(trace))
                .map_or("", |run| &run.label)
        )
    };
    let runs = document.get_mut("runs").and_then(Json::as_array_mut);
    for (index, run) in runs
        .into_iter()
        .flatten()
        .take(MAX_RESTORED)
        .enumerate()
        .filter(|(_, run)| run.is_object())
    {
        for (name, value) in [("label", label(index)), ("trace", json!("trace"))] {
            if run[name].is_null() {
                run[name] = value;
            }
        }
    }
    let sides = document.get_mut("sides").and_then(Json::as_array_mut);
    for side in sides
        .into_iter()
        .flatten()
        .take(MAX_RESTORED)
        .filter(|side| side.is_object() && side["label"].is_null())
    {
        side["label"] = label(side["runs"][0].as_u64().unwrap_or(u64::MAX) as usize);
    }
}

/// Fields of `info` that a reader can do without, and what they are then.
fn info_defaults() -> [(&'static str, Json); 10] {
    [
        ("absent", json!([])),
        ("complete", json!(true)),
        ("cpus", json!([])),
        ("files", json!([])),
        ("format", json!("")),
        ("label", json!("")),
        ("messages", json!(0)),
        ("name", json!("trace")),
        ("processes", json!([])),
        ("quality", quality()),
    ]
}

/// The quality of a recording without faults: it is not stored, and restored from here.
fn quality() -> Json {
    json!({
        "holes": [], "lostEvents": 0, "reissued": 0, "truncatedBytes": 0, "unknownRecords": 0,
        "unmatched": { "C": 0, "D": 0, "Q": 0 }, "warnings": [],
    })
}

/// Figures of a device that its bars show, and, of one run, its sentence. Of a comparison the
/// document has the others.
const SUMMARY: [&str; 2] = ["states", "spoiled"];
const SUMMARY_ALONE: [&str; 6] = [
    "bytes",
    "depth",
    "throughput",
    "rate",
    "starved",
    "sync_share",
];
/// Fields of a device in the summary that `info` has, too.
const OF_INFO: [&str; 6] = ["dev", "role", "row", "recorded", "masked", "absent"];
/// Limits for a list of sizes and for loss intervals.
const SIZES: usize = 4;
const HOLES: usize = 8;

fn shrink_trace(trace: &mut TraceSnapshot, alone: bool) {
    let mut left_out = 0;
    for (name, most) in [("warnings", 0), ("holes", HOLES)] {
        if let Some(list) = trace
            .info
            .get_mut("quality")
            .and_then(|quality| quality.get_mut(name)?.as_array_mut())
        {
            left_out += list.len().saturating_sub(most);
            list.truncate(most);
        }
    }
    if left_out > 0 {
        trace.info["warningsLeftOut"] = json!(left_out);
    }
    if let Some(info) = trace.info.as_object_mut() {
        for (name, default) in info_defaults() {
            let differs = name == "quality" && info.get(name) != Some(&default);
            if !differs && let Some(value) = info.get_mut(name) {
                *value = Json::Null;
            }
        }
        for name in ["startedAt", "laneSources", "lanesLeftOut"] {
            info.remove(name);
        }
        for device in info
            .get_mut("devices")
            .and_then(Json::as_array_mut)
            .into_iter()
            .flatten()
        {
            device.as_object_mut().map(|device| device.remove("zones"));
        }
    }
    let names = SUMMARY
        .iter()
        .chain(if alone { &SUMMARY_ALONE[..] } else { &[] });
    let brief = |device: &Json| {
        let mut summary: Map<String, Json> = names
            .clone()
            .filter_map(|&name| Some((name.to_owned(), device.get(name)?.clone())))
            .collect();
        if alone {
            let stage =
                |&stage: &&str| Some((stage.to_owned(), device["latency_ns"].get(stage)?.clone()));
            summary.insert(
                "latency_ns".to_owned(),
                Json::Object(["q2c", "d2c"].iter().filter_map(stage).collect()),
            );
            if device["sizes"]["issued"]
                .as_array()
                .is_some_and(|rows| rows.len() <= SIZES)
            {
                summary.insert(
                    "sizes".to_owned(),
                    json!({ "issued": device["sizes"]["issued"] }),
                );
            }
        }
        Json::Object(summary)
    };
    let devices = trace.summary["devices"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let devices: Vec<Json> = devices.iter().map(brief).collect();
    let clock = trace.summary["quality"]["clock"].clone();
    trace.summary = json!({ "devices": devices });
    if !clock.is_null() {
        trace.summary["clock"] = clock;
    }
    trace.digest = Json::Null;
}

fn shrink_picture(picture: &mut Picture, charts: u8) {
    (picture.facets, picture.stages, picture.alignment) = (Json::Null, Json::Null, None);
    (picture.starved, picture.stripe_time) = (None, None);
    (picture.zones, picture.failures) = (None, None);
    picture.sizes.clear();
    picture
        .rate
        .values_mut()
        .for_each(|series| coarse(series, DRAWN));
    for (name, series) in picture.depth.iter_mut().flatten() {
        match name.as_str() {
            // Extremes are integers and are read as figures: they stay exact.
            "min" | "max" | "waitMax" => {}
            "starved" => series.iter_mut().flatten().for_each(|share| {
                let hundredths = (share.as_f64().unwrap_or_default() * 1e2).round() / 1e2;
                *share = short_number(hundredths).unwrap_or_else(|| share.clone());
            }),
            _ => coarse(series, DRAWN),
        }
    }
    if let CellColumns::Dense(columns) = &mut picture.map.columns {
        columns.iter_mut().for_each(|column| coarse(column, DRAWN));
    }
    for LatencyPicture {
        distribution,
        columns,
        ..
    } in picture.latency.values_mut()
    {
        *columns = Default::default();
        let is_drawn = |p: &Option<Number>| {
            p.as_ref()
                .and_then(Number::as_f64)
                .is_some_and(|p| POINTS.contains(&p) || p == 1.0)
        };
        let drawn: Vec<bool> = distribution.p.iter().map(is_drawn).collect();
        for list in [&mut distribution.p, &mut distribution.ns] {
            let mut keep = drawn.iter();
            list.retain(|_| keep.next() == Some(&true));
        }
        coarse(&mut distribution.ns, CURVE);
        (distribution.low, distribution.high, distribution.counts) = Default::default();
        let StoredDistribution {
            min,
            mean,
            max,
            p50,
            p90,
            p95,
            p99,
            p999,
            ..
        } = distribution;
        for figure in [min, mean, max, p50, p90, p95, p99, p999]
            .into_iter()
            .flatten()
        {
            *figure = short_number(rounded(figure.as_f64().unwrap_or_default(), CURVE))
                .unwrap_or_else(|| figure.clone());
        }
    }
    if charts < 3 {
        picture.latency.clear();
    }
    if charts < 2 {
        picture.rate.clear();
    }
}

/// Rounds to so many digits, whole numbers too.
fn coarse(series: &mut Numbers, digits: usize) {
    for number in series.iter_mut().flatten() {
        *number = short_number(rounded(number.as_f64().unwrap_or_default(), digits))
            .unwrap_or_else(|| number.clone());
    }
}

/// The number as an integer if it is one; `None` for infinities and NaN, which JSON lacks.
fn short_number(short: f64) -> Option<Number> {
    if short.fract() == 0.0 && (0.0..9e15).contains(&short) {
        Some((short as u64).into())
    } else {
        Number::from_f64(short)
    }
}

/// Limit for the runs, sides, devices and loss intervals that are restored. Snapshots have fewer; a
/// hostile link must not have more made.
const MAX_RESTORED: usize = 64;

/// Restores what [`shrink`] left out because readers expect it.
pub fn restore(snapshot: &mut Snapshot) {
    restore_labels(snapshot);
    brief::restore(&mut snapshot.document);
    let labels: Vec<String> = snapshot
        .head
        .runs
        .iter()
        .map(|run| run.label.clone())
        .collect();
    for (index, trace) in snapshot.traces.iter_mut().enumerate() {
        if let Some(trace) = trace {
            restore_trace(trace, labels.get(index).map_or("", String::as_str));
        }
    }
}

fn restore_trace(trace: &mut TraceSnapshot, label: &str) {
    let Some(info) = trace.info.as_object_mut() else {
        return;
    };
    for (name, default) in info_defaults() {
        let value = info.entry(name).or_insert(Json::Null);
        if value.is_null() {
            *value = default;
        }
    }
    info.insert("label".to_owned(), json!(label));
    // A map has no field that a hostile link left out.
    let of_info = |name: &str| info.get(name).cloned().unwrap_or(Json::Null);
    let devices = of_info("devices");
    let infos = devices.as_array().map_or(&[][..], |devices| {
        &devices[..devices.len().min(MAX_RESTORED)]
    });
    let span = |device: &Json| {
        device["active"][1]
            .as_f64()
            .zip(device["active"][0].as_f64())
            .map_or(0.0, |(end, begin)| end - begin)
    };
    let device = |(index, device_of_info): (usize, &Json)| {
        let mut device = json!({
            "span_ns": span(device_of_info).max(0.0) as u64, "events": {}, "latency_ns": {}, "latency_bio_ns": {}, "sizes": {}, "seek": {}, "merges": {},
        });
        if let Some(fields) = device.as_object_mut() {
            fields.extend(
                OF_INFO
                    .iter()
                    .filter_map(|&name| Some((name.to_owned(), device_of_info.get(name)?.clone()))),
            );
            fields.extend(
                trace.summary["devices"][index]
                    .as_object()
                    .cloned()
                    .unwrap_or_default(),
            );
        }
        device
    };
    let summaries: Vec<Json> = infos.iter().enumerate().map(device).collect();
    let digests: Vec<Json> = infos
        .iter()
        .map(|device_of_info| json!({ "dev": device_of_info["dev"], "name": device_of_info["name"], "figures": {}, "bins": { "width": 0, "sums": {} } }))
        .collect();
    let quality = of_info("quality");
    let holes = quality["holes"]
        .as_array()
        .into_iter()
        .flatten()
        .take(MAX_RESTORED)
        .filter(|hole| hole.is_object())
        .map(|hole| {
            let mut hole = hole.clone();
            let device_of_info = infos
                .iter()
                .find(|device_of_info| device_of_info["index"] == hole["device"]);
            hole["device"] = device_of_info
                .map_or_else(|| json!(""), |device_of_info| device_of_info["dev"].clone());
            hole
        });
    let mut stored = json!({
        "lost_events": quality["lostEvents"], "truncated_bytes": quality["truncatedBytes"],
        "unknown_records": quality["unknownRecords"], "unmatched": quality["unmatched"], "warnings": [],
    });
    stored["holes"] = holes.collect();
    if let Some(clock) = trace.summary.get("clock") {
        stored["clock"] = clock.clone();
    }
    trace.summary = json!({
        "devices": summaries, "files": [], "format": of_info("format"), "label": label, "name": "trace", "processes": [], "quality": stored,
    });
    let lost = json!({ "holes": 0, "lost_events": quality["lostEvents"], "truncated_bytes": quality["truncatedBytes"] });
    trace.digest = json!({ "devices": digests, "events": of_info("events"), "name": "trace", "processes": [], "quality": lost });
}

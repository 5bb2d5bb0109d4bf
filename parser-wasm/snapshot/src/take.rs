//! Takes the snapshot of one trace: the answers to the page's queries, once, at a resolution that
//! fits the size.

use super::contents::{
    CellColumns, FilterJson, GeometryQueryJson, LatencyPicture, Numbers, Picture, SeekMap,
    StoredFailures, StoredZones, StripeTimePicture, TraceSnapshot,
};
use super::decimal::rounded;
use super::failures;
use super::lanes;
use super::names::{shorten_tails, strip_files, strip_processes};
use super::objects;
use super::size::{SnapshotDetail, SnapshotSize};
use super::zones;
use seekscope_plot::{self as plot, Answer, AnswerValue, BadQuery, View};
use seekscope_trace::json::typed;
use seekscope_trace::sorting::map_of;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value as Json, json};
use std::collections::BTreeMap;

/// The stages of the latency charts.
const STAGES: [&str; 3] = ["q2c", "d2c", "q2d"];
/// Limits of the LBA axis: the most parts and the smallest gap between them, as in the page's
/// queries.
const PARTS: usize = 6;
const GAP_SHARE: f64 = 0.02;

/// Selects what to take of a trace.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotQuery {
    /// One filter per device that is shown.
    pub filters: Vec<FilterJson>,
    /// Ranges of the pictures, ns; the complete trace first.
    pub ranges: Vec<(f64, f64)>,
    /// The geometry, as in the filters.
    #[serde(default)]
    pub geometry: Option<GeometryQueryJson>,
    /// The stage that the latency charts show.
    pub stage: String,
    /// The layers of the seek map that are shown.
    pub layers: Vec<String>,
    /// The colour slot of each process.
    #[serde(default)]
    pub slots: Option<Vec<f64>>,
    /// The colour slot of each file or structure.
    #[serde(default)]
    pub object_slots: Option<Vec<f64>>,
    #[serde(default)]
    pub names: bool,
    /// Names that replace them, the same in all traces.
    #[serde(default)]
    pub aliases: BTreeMap<String, String>,
    #[serde(default)]
    pub files: bool,
    /// Names that replace those of files on the disk, the same in all traces.
    #[serde(default)]
    pub file_aliases: BTreeMap<String, String>,
    /// How much to take.
    pub size: SnapshotSize,
    /// Number of the attempt to fit, from 0, each with less detail than the one before.
    #[serde(default)]
    pub step: usize,
}

/// Figures whose intervals are drawn in charts.
const DRAWN: [&str; 5] = ["bps", "read_bps", "write_bps", "iops", "depth.mean"];

/// The snapshot of one trace; `info` is its answer of `info`.
pub fn take(view: View, info: &Json, query: &SnapshotQuery) -> Result<TraceSnapshot, BadQuery> {
    let detail = query
        .size
        .detail(query.step)
        .ok_or_else(|| BadQuery::new("the snapshot cannot be made smaller"))?;
    let geometry = query
        .geometry
        .as_ref()
        .map_or_else(|| json!({}), |g| json!({ "geometry": g }));
    let ask = |kind: &str, ask: &Json| {
        Ok(json_of(
            plot::answer(view, kind, &ask.to_string())?,
            detail.digits,
        ))
    };
    let mut digest = ask("digest", &geometry)?;
    keep_drawn_intervals(&mut digest, detail);
    let mut pictures = Vec::new();
    for filter in &query.filters {
        // The smallest links have no room for a second range.
        for range in query
            .ranges
            .iter()
            .take(if detail.brief { 1 } else { usize::MAX })
        {
            pictures.push(picture(&ask, (query, detail), filter, *range)?);
        }
    }
    let (mut info, mut summary) = (info.clone(), ask("summary", &geometry)?);
    let (lanes, left_out) = lanes::stored(&view.store.lanes, query.size, query.files);
    shorten_tails(&mut summary, query.names);
    // Nothing in a snapshot is on the clock of the trace.
    info.as_object_mut()
        .map(|fields| fields.remove("clockAtZero"));
    // Means of counters are those of the lanes; `summary` names files.
    summary
        .as_object_mut()
        .map(|fields| fields.remove("counters"));
    if lanes.is_none() {
        for (part, key) in [(&mut info, "laneSources"), (&mut digest, "context")] {
            part.as_object_mut().map(|fields| fields.remove(key));
        }
    }
    if left_out > 0 {
        info["lanesLeftOut"] = json!(left_out);
    }
    if zones::room(query.size).is_none() {
        zones::leave_out(&mut info);
    }
    let stored_devices = stored_devices(&info, query, detail);
    for part in [&mut info, &mut summary, &mut digest] {
        if let Some(devices) = part.get_mut("devices").and_then(Json::as_array_mut) {
            devices.retain(|device| stored_devices.contains(&device["dev"]));
        }
        if !query.names {
            strip_processes(part, &query.aliases);
        }
        if !query.files {
            strip_files(part, &query.file_aliases);
        }
    }
    if !detail.all {
        objects::shorten(&mut info, &mut summary);
    }
    let SnapshotQuery {
        names,
        files,
        ref geometry,
        ..
    } = *query;
    Ok(TraceSnapshot {
        info,
        summary,
        digest,
        detail,
        geometry: geometry.clone(),
        names,
        files,
        lanes,
        pictures,
    })
}

/// Keeps the intervals of a digest that charts draw; the smallest sizes have no bins.
fn keep_drawn_intervals(digest: &mut Json, detail: SnapshotDetail) {
    for device in digest
        .get_mut("devices")
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten()
    {
        let intervals = device["bins"]["intervals"].as_object_mut();
        let drawn = intervals.map(|all| {
            map_of(
                DRAWN
                    .iter()
                    .filter_map(|&key| Some((key.to_owned(), all.remove(key)?))),
            )
        });
        let drawn: serde_json::Map<String, Json> = drawn.unwrap_or_default();
        if !detail.pieces {
            device["bins"] = json!({ "width": 0, "sums": {} });
            device.as_object_mut().map(|fields| {
                [
                    "submitters",
                    "partitions",
                    "objects",
                    "stacks",
                    "calls",
                    "tail",
                ]
                .map(|name| fields.remove(name))
            });
        }
        if drawn.is_empty() {
            device["bins"]
                .as_object_mut()
                .map(|bins| bins.remove("intervals"));
        } else {
            device["bins"]["intervals"] = Json::Object(drawn);
        }
    }
}

/// Cells of the map in which failed requests are distinguished.
const FAILURE_COLUMNS: usize = 256;
const FAILURE_ROWS: usize = 64;

/// Equal parts of the rows for each band of a map, the highest sectors on top.
fn bands_in(map: &SeekMap) -> Vec<Json> {
    let height = FAILURE_ROWS / map.bands.len().max(1);
    let band = |(i, (lba0, lba1)): (usize, &(Number, Number))| json!({ "lba0": lba0, "lba1": lba1, "y0": i * height, "y1": (i + 1) * height });
    map.bands.iter().rev().enumerate().map(band).collect()
}

/// Limit for the devices of a trace.
const DEVICES: usize = 16;

/// `dev` of the devices that are shown, and in larger sizes of the busiest others.
fn stored_devices(info: &Json, query: &SnapshotQuery, detail: SnapshotDetail) -> Vec<Json> {
    let devices = info["devices"].as_array().map_or(&[][..], Vec::as_slice);
    let shown = |device: &&Json| {
        query
            .filters
            .iter()
            .any(|filter| filter["device"] == device["index"])
    };
    let others = devices.iter().take(if detail.all { DEVICES } else { 0 });
    devices
        .iter()
        .filter(shown)
        .chain(others)
        .map(|device| device["dev"].clone())
        .collect()
}

type AskTrace<'a> = dyn Fn(&str, &Json) -> Result<Json, BadQuery> + 'a;

/// An answer as the type in which it is stored.
fn stored<T: DeserializeOwned>(answer: Json) -> Result<T, BadQuery> {
    typed(&answer).map_err(BadQuery::new)
}

/// The marks of an answer of `failures`, if there are any.
fn failure_marks(answer: Json, room: usize) -> Result<Option<StoredFailures>, BadQuery> {
    let marks = stored::<StoredFailures>(answer)?.within(room);
    Ok(Some(marks).filter(|marks| !marks.at.is_empty()))
}

fn picture(
    ask: &AskTrace,
    (query, detail): (&SnapshotQuery, SnapshotDetail),
    filter: &Json,
    (t0, t1): (f64, f64),
) -> Result<Picture, BadQuery> {
    let SnapshotDetail { columns, all, .. } = detail;
    let range = json!({ "t0": t0, "t1": t1 });
    let part = |more: Json| -> Json {
        let mut parameters =
            json!({ "filter": filter, "range": range, "device": filter["device"] });
        if let (Some(parameters), Some(more)) = (parameters.as_object_mut(), more.as_object()) {
            parameters.extend(more.clone());
        }
        parameters
    };
    let mut picture = Picture {
        filter: filter.clone(),
        range: stored(json!([t0, t1]))?,
        facets: ask("facets", &part(json!({})))?,
        rate: stored(ask("rate", &part(json!({ "n": columns })))?)?,
        stages: ask("stages", &part(json!({})))?["stages"].clone(),
        map: map(ask, (query, detail), &part)?,
        ..Picture::default()
    };
    // A device without a queue depth answers with an error.
    if let Ok(depth) = ask("depth", &part(json!({ "n": columns }))) {
        picture.depth = Some(stored(depth)?);
        let most = if all { columns } else { columns / 4 };
        picture.starved = Some(stored(ask("starved", &part(json!({ "most": most })))?)?);
    }
    // Only zoned disks have this answer.
    if let Some(room) = zones::room(query.size)
        && let Ok(marks) = ask("zones", &part(json!({ "most": zones::MAX_MARKS })))
    {
        picture.zones = Some(stored::<StoredZones>(marks)?.within(room));
    }
    if let Some(room) = failures::room(query.size) {
        let cells =
            json!({ "bands": bands_in(&picture.map), "w": FAILURE_COLUMNS, "h": FAILURE_ROWS });
        picture.failures =
            failure_marks(ask("failures", &part(cells))?, room)?.map(|marks| StoredFailures {
                took: Vec::new(),
                ..marks
            });
    }
    for moment in ["queued", "issued", "completed"] {
        picture.sizes.insert(
            moment.to_owned(),
            stored(ask("sizes", &part(json!({ "at": moment })))?)?,
        );
    }
    for stage in STAGES
        .into_iter()
        .filter(|&stage| all || stage == query.stage)
    {
        let latency = latency_picture(ask, (query, detail), &part, stage)?;
        picture.latency.insert(stage.to_owned(), latency);
    }
    if let Some(geometry) = &query.geometry {
        picture.alignment = Some(ask("alignment", &part(json!({ "geometry": geometry })))?);
        picture.stripe_time = Some(stripe_time_picture(ask, detail, &part, geometry)?);
    }
    Ok(picture)
}

/// Parameters of a question about the range and device of a picture, and these.
type WithParameters<'a> = dyn Fn(Json) -> Json + 'a;

/// Latency of a stage: its distribution, and over time.
fn latency_picture(
    ask: &AskTrace,
    (query, detail): (&SnapshotQuery, SnapshotDetail),
    part: &WithParameters,
    stage: &str,
) -> Result<LatencyPicture, BadQuery> {
    let mut distribution = ask("distribution", &part(json!({ "stage": stage })))?;
    let [low, high] =
        [&distribution["min"], &distribution["max"]].map(|v| v.as_f64().unwrap_or(1.0).max(1.0));
    let ends = json!({ "low": low, "high": high.max(low + 1.0) + 1.0 });
    let h = (detail.rows / 2).max(8);
    let mut parameters = part(json!({ "stage": stage, "w": detail.columns, "h": h }));
    parameters["low"] = ends["low"].clone();
    parameters["high"] = ends["high"].clone();
    let grid = ask("latencyGrid", &parameters)?;
    let mut failed = None;
    if let Some(room) = failures::room(query.size) {
        let axis = json!({ "stage": stage, "low": ends["low"], "high": ends["high"] });
        let cells = json!({ "latency": axis, "w": FAILURE_COLUMNS, "h": FAILURE_ROWS });
        failed = failure_marks(ask("failures", &part(cells))?, room)?;
    }
    thin(&mut distribution, detail.all);
    Ok(LatencyPicture {
        distribution: stored(distribution)?,
        ends: stored(ends)?,
        columns: in_columns(&grid["counts"], h),
        failures: failed,
    })
}

fn stripe_time_picture(
    ask: &AskTrace,
    detail: SnapshotDetail,
    part: &WithParameters,
    geometry: &impl serde::Serialize,
) -> Result<StripeTimePicture, BadQuery> {
    let h = (detail.rows / 2).max(16);
    let over = ask(
        "stripeTime",
        &part(json!({ "geometry": geometry, "w": detail.columns, "h": h })),
    )?;
    let [counts, begins, classes] =
        ["counts", "begins", "classes"].map(|name| in_columns(&over[name], h));
    let number = |name: &str| match &over[name] {
        Json::Number(number) => Some(number.clone()),
        _ => None,
    };
    Ok(StripeTimePicture {
        w: number("w"),
        h: number("h"),
        n: number("n"),
        at_start: number("atStart"),
        counts,
        begins,
        classes,
        max: number("max"),
        full: numbers(&over["full"]),
        partial: numbers(&over["partial"]),
    })
}

/// The numbers of a JSON list.
fn numbers(list: &Json) -> Numbers {
    let number = |value: &Json| match value {
        Json::Number(number) => Some(number.clone()),
        _ => None,
    };
    list.as_array().into_iter().flatten().map(number).collect()
}

/// Keeps every fourth of the hundred points of a percentile curve, without their intervals, unless
/// `all`, and the first edge of the histogram.
fn thin(distribution: &mut Json, all: bool) {
    let n = distribution["p"].as_array().map_or(0, Vec::len);
    if !all && n > 20 {
        for name in ["p", "ns"] {
            let stays = |i: usize| i.is_multiple_of(4) || i + 3 > n;
            let list = distribution[name].as_array().cloned().unwrap_or_default();
            let list: Json = list
                .into_iter()
                .enumerate()
                .filter(|(i, _)| stays(*i))
                .map(|(_, v)| v)
                .collect();
            distribution[name] = list;
        }
    }
    if !all && let Some(fields) = distribution.as_object_mut() {
        fields.retain(|name, _| !matches!(name.as_str(), "low" | "high"));
    }
    distribution["edges"] = distribution["edges"].get(0).cloned().unwrap_or_default();
}

/// Counts once, and by layer the class of each cell that is not empty.
fn map(
    ask: &AskTrace,
    (query, detail): (&SnapshotQuery, SnapshotDetail),
    part: &dyn Fn(Json) -> Json,
) -> Result<SeekMap, BadQuery> {
    let bands = ask(
        "bands",
        &part(json!({ "most": PARTS, "gapShare": GAP_SHARE })),
    )?["bands"]
        .clone();
    let parts = bands.as_array().map_or(0, Vec::len);
    if parts == 0 {
        return Ok(SeekMap {
            n: Some(0.into()),
            ..SeekMap::default()
        });
    }
    let each = (detail.rows / parts).max(4);
    let h = each * parts;
    let ruler = |(i, band): (usize, &Json)| {
        // The highest sectors are on top.
        json!({ "lba0": band[0], "lba1": band[1], "y0": (parts - 1 - i) * each, "y1": (parts - i) * each })
    };
    let rulers: Json = bands
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
        .map(ruler)
        .collect();
    let stored_slots =
        |slots: &Option<Vec<f64>>| slots.as_ref().map(|slots| numbers(&json!(slots)));
    let has_objects = query.layers.iter().any(|layer| layer == OBJECT);
    let object_slots = query.object_slots.as_ref().filter(|_| has_objects).cloned();
    let mut map = SeekMap {
        bands: stored(bands)?,
        h,
        n: Some(0.into()),
        slots: stored_slots(&query.slots),
        object_slots: stored_slots(&object_slots),
        ..SeekMap::default()
    };
    for layer in &query.layers {
        let slots = match layer.as_str() {
            OBJECT => &query.object_slots,
            _ => &query.slots,
        };
        let parameters = json!({ "bands": rulers, "w": detail.columns, "h": h, "layer": layer, "slots": slots, "marks": -1.0 });
        let grid = ask("seekMap", &part(parameters))?;
        let cells = numbers(&grid["counts"])
            .into_iter()
            .zip(numbers(&grid["cls"]));
        let classes = cells
            .filter(|(count, _)| !is_empty(count))
            .map(|(_, class)| class)
            .collect();
        map.layers.insert(layer.clone(), classes);
        map.n = stored(grid["n"].clone())?;
        map.columns = in_columns(&grid["counts"], h);
    }
    Ok(map)
}

/// The layer of files and structures, which has slots of its own.
pub const OBJECT: &str = "object";

fn is_empty(cell: &Option<Number>) -> bool {
    cell.as_ref().and_then(Number::as_u64) == Some(0)
}

/// Column by column: each column predicts the next one. A large map that is mostly empty as runs.
fn in_columns(cells: &Json, h: usize) -> CellColumns {
    let cells = numbers(cells);
    let used = cells.iter().filter(|cell| !is_empty(cell)).count();
    let columns = cells.chunks(h.max(1));
    if cells.len() < LARGE || used * 8 > cells.len() {
        return CellColumns::Dense(columns.map(<[_]>::to_vec).collect());
    }
    let runs = columns.map(|column| {
        let (mut runs, mut empty) = (Vec::new(), 0u64);
        for cell in column {
            if is_empty(cell) {
                empty += 1;
            } else {
                runs.extend([Some(empty.into()), cell.clone()]);
                empty = 0;
            }
        }
        runs
    });
    CellColumns::Runs {
        h,
        runs: runs.collect(),
    }
}

/// Cells from which on the time to code them matters: a report took 20 s instead of 2.
const LARGE: usize = 1 << 15;

/// An answer as JSON with numbers of `digits` digits; NaN becomes `null`.
fn json_of(answer: Answer, digits: usize) -> Json {
    match answer {
        document @ (Answer::Json(_) | Answer::Text(_)) => {
            shortened(document.document().unwrap_or_default(), digits)
        }
        Answer::Object(properties) => map_of::<Map<_, _>, _>(
            properties
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value_of(value, digits))),
        )
        .into(),
    }
}

fn value_of(value: AnswerValue, digits: usize) -> Json {
    match value {
        AnswerValue::Number(n) => number(n, digits),
        AnswerValue::Word(word) => word.into(),
        AnswerValue::F64(list) => list.into_iter().map(|n| number(n, digits)).collect(),
        AnswerValue::U32(list) => list.into(),
        AnswerValue::U8(list) => list.into(),
        AnswerValue::Json(json) => shortened(json, digits),
    }
}

fn number(n: f64, digits: usize) -> Json {
    let n = if n.fract() == 0.0 {
        n
    } else {
        rounded(n, digits)
    };
    if n.fract() == 0.0 && n.abs() < 9e15 {
        if n < 0.0 {
            (n as i64).into()
        } else {
            (n as u64).into()
        }
    } else {
        n.into()
    }
}

/// Rounds every number that is not an integer.
pub fn shortened(json: Json, digits: usize) -> Json {
    match json {
        Json::Number(n) if n.is_f64() => number(n.as_f64().unwrap_or(0.0), digits),
        Json::Array(list) => list.into_iter().map(|v| shortened(v, digits)).collect(),
        Json::Object(map) => {
            map_of::<Map<_, _>, _>(map.into_iter().map(|(k, v)| (k, shortened(v, digits)))).into()
        }
        other => other,
    }
}

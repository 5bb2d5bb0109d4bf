//! What a snapshot takes of one trace: what the page asks for, once, in a resolution that fits.

use super::decimal::rounded;
use super::names::{strip_files, strip_processes};
use crate::plot::{self, Answer, AnswerValue, BadQuery, View};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// Stages of the latency charts.
const STAGES: [&str; 3] = ["q2c", "d2c", "q2d"];
/// Parts of the LBA axis, and the gaps that count, as the page asks for them.
const PARTS: usize = 6;
const GAP_SHARE: f64 = 0.02;

/// What is wanted of a trace.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Wanted {
    /// What is drawn of each device, as the page filters it: `Filter` of the protocol.
    pub filters: Vec<Json>,
    /// Pictures of these ranges, ns; the whole trace first.
    pub ranges: Vec<(f64, f64)>,
    /// Of the array, as in the filters.
    #[serde(default)]
    pub geometry: Option<Json>,
    /// The latency stage that is looked at.
    pub stage: String,
    /// Colours of the seek map.
    pub layers: Vec<String>,
    /// Colour of each process.
    #[serde(default)]
    pub slots: Option<Vec<f64>>,
    /// Whether names of processes are taken.
    #[serde(default)]
    pub names: bool,
    /// What they are called otherwise: the same in all traces.
    #[serde(default)]
    pub aliases: BTreeMap<String, String>,
    /// Whether names of files are taken.
    #[serde(default)]
    pub files: bool,
    /// How much.
    pub size: Size,
    /// The so many-th try to fit, each with less than the one before.
    #[serde(default)]
    pub step: usize,
}

/// How large a snapshot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Size {
    /// Of two runs in a link of 8,000 characters.
    S,
    /// In a link that most browsers and chats take.
    M,
    /// In a link for browsers alone.
    L,
    /// In a file.
    File,
}

impl Size {
    /// How much of everything, in that try; absent when there is nothing left to leave out.
    pub fn detail(self, step: usize) -> Option<Detail> {
        let detail = |columns, rows, digits, all, pieces| Detail { columns, rows, digits, all, pieces };
        match self {
            Size::S => {
                let steps = [
                    (256, 80),
                    (208, 72),
                    (176, 64),
                    (152, 56),
                    (128, 48),
                    (112, 44),
                    (96, 40),
                    (84, 36),
                    (72, 32),
                    (60, 28),
                    (48, 24),
                    (40, 20),
                    (32, 16),
                    (24, 12),
                    (16, 8),
                ];
                steps.get(step).map(|&(columns, rows)| detail(columns, rows, 5, false, false))
            }
            Size::M => (step == 0).then(|| detail(256, 96, 6, true, false)),
            Size::L => (step == 0).then(|| detail(640, 104, 9, true, true)),
            Size::File => (step == 0).then(|| detail(1600, 104, 17, true, true)),
        }
    }

    /// Digits of numbers that are not whole.
    pub fn digits(self) -> usize {
        self.detail(0).map_or(17, |detail| detail.digits)
    }
}

/// How much of everything.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Detail {
    /// Columns of maps, bins of series.
    pub columns: usize,
    /// Rows of maps.
    pub rows: usize,
    /// Digits of numbers that are not whole.
    pub digits: usize,
    /// All stages, percentile curves and intervals, not those looked at alone.
    pub all: bool,
    /// The pieces from which a comparison works out how sure it is.
    pub pieces: bool,
}

/// One trace of a snapshot, as JSON: `{info, summary, digest, detail, names, pictures}`.
pub fn take(view: View, info: &Json, wanted: &Wanted) -> Result<Json, BadQuery> {
    let detail = wanted.size.detail(wanted.step).ok_or_else(|| BadQuery::new("it cannot be made smaller"))?;
    let digits = detail.digits;
    let geometry = wanted.geometry.as_ref().map_or_else(|| json!({}), |g| json!({ "geometry": g }));
    let ask = |kind: &str, ask: &Json| Ok(json_of(plot::answer(view, kind, &ask.to_string())?, digits));
    let mut digest = ask("digest", &geometry)?;
    if !detail.pieces
        && let Some(devices) = digest.get_mut("devices").and_then(Json::as_array_mut)
    {
        for device in devices {
            device["bins"] = json!({ "width": 0, "sums": {} });
        }
    }
    let mut pictures = Vec::new();
    for filter in &wanted.filters {
        for range in &wanted.ranges {
            pictures.push(picture(&ask, (wanted, detail), filter, *range)?);
        }
    }
    let (mut info, mut summary) = (info.clone(), ask("summary", &geometry)?);
    let kept = kept(&info, wanted, detail);
    for part in [&mut info, &mut summary, &mut digest] {
        if let Some(devices) = part.get_mut("devices").and_then(Json::as_array_mut) {
            devices.retain(|device| kept.contains(&device["dev"]));
        }
        if !wanted.names {
            strip_processes(part, &wanted.aliases);
        }
        if !wanted.files {
            strip_files(part);
        }
    }
    Ok(json!({
        "info": info,
        "summary": summary,
        "digest": digest,
        "detail": detail,
        "geometry": wanted.geometry,
        "names": wanted.names,
        "files": wanted.files,
        "pictures": pictures,
    }))
}

/// Devices of a trace at most.
const DEVICES: usize = 16;

/// Numbers of the devices that are shown, and in larger sizes of the busiest others.
fn kept(info: &Json, wanted: &Wanted, detail: Detail) -> Vec<Json> {
    let devices = info["devices"].as_array().map_or(&[][..], Vec::as_slice);
    let shown = |device: &&Json| wanted.filters.iter().any(|filter| filter["device"] == device["index"]);
    let others = devices.iter().take(if detail.all { DEVICES } else { 0 });
    devices.iter().filter(shown).chain(others).map(|device| device["dev"].clone()).collect()
}

type Ask<'a> = dyn Fn(&str, &Json) -> Result<Json, BadQuery> + 'a;

fn picture(ask: &Ask, (wanted, detail): (&Wanted, Detail), filter: &Json, (t0, t1): (f64, f64)) -> Result<Json, BadQuery> {
    let Detail { columns, rows, all, .. } = detail;
    let range = json!({ "t0": t0, "t1": t1 });
    let part = |more: Json| -> Json {
        let mut asked = json!({ "filter": filter, "range": range, "device": filter["device"] });
        if let (Some(asked), Some(more)) = (asked.as_object_mut(), more.as_object()) {
            asked.extend(more.clone());
        }
        asked
    };
    let mut picture = json!({
        "filter": filter,
        "range": [t0, t1],
        "facets": ask("facets", &part(json!({})))?,
        "rate": ask("rate", &part(json!({ "n": columns })))?,
        "stages": ask("stages", &part(json!({})))?["stages"],
        "map": map(ask, (wanted, detail), &part)?,
    });
    // What has no queue depth says so when it is asked.
    if let Ok(depth) = ask("depth", &part(json!({ "n": columns }))) {
        picture["depth"] = depth;
        let most = if all { columns } else { columns / 4 };
        picture["starved"] = ask("starved", &part(json!({ "most": most })))?;
    }
    let mut sizes = Map::new();
    for at in ["queued", "issued", "completed"] {
        sizes.insert(at.to_owned(), ask("sizes", &part(json!({ "at": at })))?);
    }
    picture["sizes"] = sizes.into();
    let stages = STAGES.into_iter().filter(|&stage| all || stage == wanted.stage);
    let mut latency = Map::new();
    for stage in stages {
        let mut distribution = ask("distribution", &part(json!({ "stage": stage })))?;
        let [low, high] = [&distribution["min"], &distribution["max"]].map(|v| v.as_f64().unwrap_or(1.0).max(1.0));
        let ends = json!({ "low": low, "high": high.max(low + 1.0) + 1.0 });
        let h = (rows / 2).max(8);
        let mut asked = part(json!({ "stage": stage, "w": columns, "h": h }));
        asked["low"] = ends["low"].clone();
        asked["high"] = ends["high"].clone();
        let grid = ask("latencyGrid", &asked)?;
        thin(&mut distribution, all);
        latency.insert(
            stage.to_owned(),
            json!({ "distribution": distribution, "ends": ends, "columns": in_columns(&grid["counts"], h) }),
        );
    }
    picture["latency"] = latency.into();
    if let Some(geometry) = &wanted.geometry {
        picture["alignment"] = ask("alignment", &part(json!({ "geometry": geometry })))?;
        let h = (rows / 2).max(16);
        let mut over = ask("stripeTime", &part(json!({ "geometry": geometry, "w": columns, "h": h })))?;
        for name in ["counts", "begins", "classes"] {
            over[name] = in_columns(&over[name], h);
        }
        picture["stripeTime"] = over;
    }
    Ok(picture)
}

/// Of a percentile curve with a hundred points every fourth, unless all are wanted; the edges follow from the first.
fn thin(distribution: &mut Json, all: bool) {
    let n = distribution["p"].as_array().map_or(0, Vec::len);
    if !all && n > 20 {
        for name in ["p", "ns"] {
            let kept = |i: usize| i.is_multiple_of(4) || i + 3 > n;
            let list = distribution[name].as_array().cloned().unwrap_or_default();
            let list: Json = list.into_iter().enumerate().filter(|(i, _)| kept(*i)).map(|(_, v)| v).collect();
            distribution[name] = list;
        }
    }
    distribution["edges"] = distribution["edges"].get(0).cloned().unwrap_or_default();
}

/// Counts once, and the class of each cell in which something is, by layer.
fn map(ask: &Ask, (wanted, detail): (&Wanted, Detail), part: &dyn Fn(Json) -> Json) -> Result<Json, BadQuery> {
    let bands = ask("bands", &part(json!({ "most": PARTS, "gapShare": GAP_SHARE })))?["bands"].clone();
    let parts = bands.as_array().map_or(0, Vec::len);
    if parts == 0 {
        return Ok(json!({ "bands": [], "h": 0, "n": 0, "columns": [], "layers": {} }));
    }
    let each = (detail.rows / parts).max(4);
    let h = each * parts;
    let ruler = |(i, band): (usize, &Json)| {
        // The highest sectors are on top.
        json!({ "lba0": band[0], "lba1": band[1], "y0": (parts - 1 - i) * each, "y1": (parts - i) * each })
    };
    let rulers: Json = bands.as_array().into_iter().flatten().enumerate().map(ruler).collect();
    let mut map = json!({ "bands": bands, "h": h, "n": 0, "columns": [], "slots": wanted.slots });
    let mut layers = Map::new();
    for layer in &wanted.layers {
        let asked = json!({ "bands": rulers, "w": detail.columns, "h": h, "layer": layer, "slots": wanted.slots, "marks": -1.0 });
        let grid = ask("seekMap", &part(asked))?;
        let cells = grid["counts"].as_array().into_iter().flatten().zip(grid["cls"].as_array().into_iter().flatten());
        let classes: Json = cells.filter(|(count, _)| count.as_u64() != Some(0)).map(|(_, cls)| cls.clone()).collect();
        layers.insert(layer.clone(), classes);
        map["n"] = grid["n"].clone();
        map["columns"] = in_columns(&grid["counts"], h);
    }
    map["layers"] = layers.into();
    Ok(map)
}

/// A list of lists: each column predicts the next. Of a map that is mostly empty, as `{h, runs}`: for each column the length of
/// every run of empty cells and the count behind it.
fn in_columns(cells: &Json, h: usize) -> Json {
    let cells = cells.as_array().map_or(&[][..], Vec::as_slice);
    let used = cells.iter().filter(|cell| cell.as_u64() != Some(0)).count();
    let columns = cells.chunks(h.max(1));
    if cells.len() < LARGE || used * 8 > cells.len() {
        return columns.map(|column| Json::from(column.to_vec())).collect();
    }
    let runs = columns.map(|column| {
        let (mut runs, mut empty) = (Vec::new(), 0u64);
        for cell in column {
            if cell.as_u64() == Some(0) {
                empty += 1;
            } else {
                runs.extend([Json::from(empty), cell.clone()]);
                empty = 0;
            }
        }
        Json::from(runs)
    });
    json!({ "h": h, "runs": runs.collect::<Vec<_>>() })
}

/// Cells from which on it matters how long they take.
const LARGE: usize = 1 << 15;

/// An answer as JSON, with so many digits; what is no number becomes `null`.
fn json_of(answer: Answer, digits: usize) -> Json {
    match answer {
        Answer::Json(json) => shortened(json, digits),
        Answer::Object(properties) => {
            properties.into_iter().map(|(name, value)| (name.to_owned(), value_of(value, digits))).collect::<Map<_, _>>().into()
        }
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
    let n = if n.fract() == 0.0 { n } else { rounded(n, digits) };
    if n.fract() == 0.0 && n.abs() < 9e15 { if n < 0.0 { (n as i64).into() } else { (n as u64).into() } } else { n.into() }
}

/// Numbers that are not whole with so many digits.
pub fn shortened(json: Json, digits: usize) -> Json {
    match json {
        Json::Number(n) if n.is_f64() => number(n.as_f64().unwrap_or(0.0), digits),
        Json::Array(list) => list.into_iter().map(|v| shortened(v, digits)).collect(),
        Json::Object(map) => map.into_iter().map(|(k, v)| (k, shortened(v, digits))).collect::<Map<_, _>>().into(),
        other => other,
    }
}

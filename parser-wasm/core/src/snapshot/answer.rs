//! The questions of the page, answered from what a snapshot holds: cut to what is asked, at the stored resolution.

use super::resample::{Axis, Rows, cells, shown, spread, weighed};
use crate::plot::{Answer, AnswerValue, latency_edges};
use serde_json::{Map, Value as Json, json};

/// A trace of a snapshot, ready to answer.
#[derive(Clone, Debug)]
pub struct Shot {
    shot: Json,
}

impl Shot {
    /// Of what [`super::take`] gave.
    pub fn new(shot: Json) -> Shot {
        Shot { shot }
    }

    /// Answers a question of the protocol. What is not held is refused.
    pub fn answer(&self, kind: &str, ask: &str) -> Result<Answer, NotHeld> {
        let ask: Json = serde_json::from_str(ask).map_err(|_| NotHeld)?;
        match kind {
            "info" => Ok(Answer::Json(self.shot["info"].clone())),
            "summary" => Ok(Answer::Json(self.summary(&ask))),
            // Figures of alignment are those of its geometry.
            "digest" if ask["geometry"] == self.shot["geometry"] => Ok(Answer::Json(self.shot["digest"].clone())),
            "hit" => Ok(Answer::Json(json!({ "row": -1 }))),
            _ => Picture::find(&self.shot["pictures"], &ask)?.answer(kind, &ask),
        }
    }
}

impl Shot {
    /// Without what speaks of another geometry.
    fn summary(&self, ask: &Json) -> Json {
        let mut summary = self.shot["summary"].clone();
        if ask["geometry"] != self.shot["geometry"] {
            for device in summary.get_mut("devices").and_then(Json::as_array_mut).into_iter().flatten() {
                device.as_object_mut().map(|device| device.remove("alignment"));
            }
        }
        summary
    }
}

/// What is asked is not in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotHeld;

/// Everything about one device, filter and range.
struct Picture<'a> {
    held: &'a Json,
    range: (f64, f64),
}

fn number(json: &Json) -> f64 {
    json.as_f64().unwrap_or(f64::NAN)
}

fn range_of(ask: &Json) -> Option<(f64, f64)> {
    Some((ask["range"]["t0"].as_f64()?, ask["range"]["t1"].as_f64()?))
}

fn count(ask: &Json, name: &str) -> usize {
    (ask[name].as_f64().unwrap_or(0.0).max(0.0) as usize).min(8192)
}

fn floats(json: &Json) -> Vec<f64> {
    json.as_array().map(|list| list.iter().map(number).collect()).unwrap_or_default()
}

/// Rows of a map at most.
const ROWS: u64 = 8192;
/// Cells of a map at most.
const CELLS: usize = 4 << 20;

/// Column by column; see `take::in_columns`.
fn columns(json: &Json) -> Vec<Vec<f64>> {
    let lists = |json: &Json| json.as_array().map(|list| list.iter().map(floats).collect::<Vec<_>>()).unwrap_or_default();
    let Some(h) = json["h"].as_u64() else { return lists(json) };
    let h = h.min(ROWS) as usize;
    let column = |runs: Vec<f64>| {
        let (mut column, mut at) = (vec![0.0; h], 0.0f64);
        for run in runs.chunks_exact(2) {
            at += run[0].max(0.0);
            if let Some(cell) = column.get_mut(at as usize) {
                *cell = run[1];
            }
            at += 1.0;
        }
        column
    };
    lists(&json["runs"]).into_iter().take(CELLS / h.max(1)).map(column).collect()
}

impl<'a> Picture<'a> {
    /// The one with the narrowest range around what is asked, of the same device and filter.
    fn find(pictures: &'a Json, ask: &Json) -> Result<Picture<'a>, NotHeld> {
        let device = if ask["filter"].is_object() { &ask["filter"]["device"] } else { &ask["device"] };
        let of = |held: &'a Json| {
            let fits = held["filter"]["device"] == *device && (!ask["filter"].is_object() || held["filter"] == ask["filter"]);
            let [t0, t1] = [&held["range"][0], &held["range"][1]].map(Json::as_f64);
            fits.then_some(Picture { held, range: (t0?, t1?) })
        };
        let list = || pictures.as_array().into_iter().flatten().filter_map(of);
        let whole = list().next().ok_or(NotHeld)?;
        let Some((t0, t1)) = range_of(ask) else { return Ok(whole) };
        // An axis of bins may reach a little further.
        let slack = (t1 - t0) * 0.02;
        let narrow = list().filter(|p| p.range.0 <= t0 + slack && p.range.1 + slack >= t1).min_by(|a, b| {
            let length = |p: &Picture| p.range.1 - p.range.0;
            length(a).total_cmp(&length(b))
        });
        Ok(narrow.unwrap_or(whole))
    }

    fn part(&self, name: &str) -> Result<&'a Json, NotHeld> {
        self.held.get(name).filter(|part| !part.is_null()).ok_or(NotHeld)
    }

    fn answer(&self, kind: &str, ask: &Json) -> Result<Answer, NotHeld> {
        match kind {
            "facets" => Ok(Answer::Json(self.part("facets")?.clone())),
            "stages" => Ok(Answer::Json(json!({ "stages": self.part("stages")? }))),
            "bands" => Ok(Answer::Json(json!({ "bands": self.part("map")?["bands"] }))),
            "sizes" => object(self.part("sizes")?.get(ask["at"].as_str().unwrap_or_default()).ok_or(NotHeld)?),
            "rate" => self.series("rate", ask),
            "depth" => self.series("depth", ask),
            "starved" => self.starved(ask),
            "seekMap" => self.seek_map(ask),
            "latencyGrid" => self.latency_grid(ask),
            "distribution" => distribution(&self.stage(ask)?["distribution"]),
            "alignment" => object(self.array("alignment", ask)?),
            "stripeTime" => self.stripe_time(ask),
            _ => Err(NotHeld),
        }
    }

    fn stage(&self, ask: &Json) -> Result<&'a Json, NotHeld> {
        self.part("latency")?.get(ask["stage"].as_str().unwrap_or_default()).ok_or(NotHeld)
    }

    /// What depends on the geometry, for that very one.
    fn array(&self, name: &str, ask: &Json) -> Result<&'a Json, NotHeld> {
        let held = self.part(name)?;
        let geometry = &self.part("alignment")?["geometry"];
        if *geometry == ask["geometry"] { Ok(held) } else { Err(NotHeld) }
    }

    fn axis(&self, ask: &Json, held: usize, n: usize) -> Axis {
        Axis::new(self.range, held, range_of(ask).unwrap_or(self.range), n)
    }

    fn series(&self, name: &str, ask: &Json) -> Result<Answer, NotHeld> {
        let series = self.part(name)?.as_object().ok_or(NotHeld)?;
        let n = count(ask, "n");
        let resample = |(name, list): (&String, &Json)| {
            let list = floats(list);
            let axis = self.axis(ask, list.len(), n);
            let values = match name.as_str() {
                "min" => axis.fold(&list, f64::min),
                "max" | "waitMax" => axis.fold(&list, f64::max),
                "mean" | "waitMean" | "starved" => weighed(&axis, &list),
                _ => spread(&axis, &list),
            };
            Some((known(name)?, AnswerValue::F64(values)))
        };
        Ok(Answer::Object(series.iter().filter_map(resample).collect()))
    }

    fn starved(&self, ask: &Json) -> Result<Answer, NotHeld> {
        let held = self.part("starved")?;
        let (t0, t1) = range_of(ask).unwrap_or(self.range);
        let all = floats(&held["intervals"]);
        let cut = all.chunks_exact(2).map(|i| [i[0].max(t0), i[1].min(t1)]).filter(|i| i[0] < i[1]);
        let most = count(ask, "most");
        let mut list: Vec<[f64; 2]> = cut.collect();
        let exact = held["exact"].as_bool().unwrap_or(false) && list.len() <= most;
        list.truncate(most);
        Ok(Answer::Object(vec![("intervals", list.concat().into()), ("exact", exact.into())]))
    }

    fn seek_map(&self, ask: &Json) -> Result<Answer, NotHeld> {
        let map = self.part("map")?;
        let (w, h, rows) = (count(ask, "w"), count(ask, "h"), map["h"].as_u64().unwrap_or(0) as usize);
        let counts = columns(&map["columns"]);
        let layer = ask["layer"].as_str().unwrap_or_default();
        // Density is in every layer.
        let classes = map["layers"].get(layer).or_else(|| if layer == "density" { Some(&Json::Null) } else { None });
        let mut classes = floats(classes.ok_or(NotHeld)?);
        if layer == "process" {
            let renamed = slots(&floats(&map["slots"]), &floats(&ask["slots"]));
            let slot = |class: f64| renamed.get(class as usize).copied().filter(|to| !to.is_nan()).unwrap_or(class);
            classes.iter_mut().for_each(|class| *class = slot(*class));
        }
        let classes = full(&counts, &classes);
        // The held rows of each asked one.
        let bands: Vec<(f64, f64)> = columns(&map["bands"]).iter().filter(|b| b.len() == 2).map(|b| (b[0], b[1])).collect();
        let each = rows / bands.len().max(1);
        let mut of_row = vec![0..0; h];
        for band in ask["bands"].as_array().into_iter().flatten() {
            let [lba0, lba1, y0, y1] = ["lba0", "lba1", "y0", "y1"].map(|name| number(&band[name]));
            let (top, bottom) = (y0.max(0.0).round(), y1.max(0.0).round().min(h as f64));
            for (y, row) in of_row.iter_mut().enumerate().take(bottom as usize).skip(top as usize) {
                let lba = |y: f64| lba1 - (lba1 - lba0) * (y - top) / (y1.round() - top).max(1.0);
                let (upper, lower) = (lba(y as f64), lba(y as f64 + 1.0));
                let middle = (upper + lower) / 2.0;
                // An asked row at the edge of a part may have its middle beside it.
                let of =
                    |b: &(f64, f64)| b.0 <= middle && middle < b.1 || lower < b.1 && b.0 < upper && (b.1 - b.0) < (upper - lower);
                let Some(part) = bands.iter().position(of) else { continue };
                let (low, high) = bands[part];
                let down = |lba: f64| (high - lba) / (high - low) * each as f64;
                let within = shown(down(upper).max(0.0), down(lower).min(each as f64), each);
                let first = (bands.len() - 1 - part) * each;
                *row = first + within.start..first + within.end;
            }
        }
        let axis = self.axis(ask, counts.len(), w);
        let (counts, cls) = cells(&axis, (&counts, &classes), &of_row, Rows::Most);
        let max = counts.iter().copied().fold(0.0, f64::max);
        Ok(Answer::Object(vec![
            ("kind", "grid".into()),
            ("w", w.into()),
            ("h", h.into()),
            ("n", number(&map["n"]).into()),
            ("counts", whole(&counts).into()),
            ("cls", cls.iter().map(|&c| c as u8).collect::<Vec<u8>>().into()),
            ("max", max.into()),
        ]))
    }

    fn latency_grid(&self, ask: &Json) -> Result<Answer, NotHeld> {
        let held = self.stage(ask)?;
        let (w, h) = (count(ask, "w"), count(ask, "h"));
        let counts = columns(&held["columns"]);
        let rows = counts.first().map_or(0, Vec::len);
        let ends = |json: &Json| (number(&json["low"]).ln(), number(&json["high"]).ln());
        let ((low, high), (from, to)) = (ends(&held["ends"]), ends(ask));
        let down = |y: usize| {
            let value = to - (to - from) * y as f64 / h.max(1) as f64;
            (high - value) / (high - low) * rows as f64
        };
        let of_row: Vec<_> = (0..h).map(|y| shown(down(y), down(y + 1), rows)).collect();
        let (found, _) = cells(&self.axis(ask, counts.len(), w), (&counts, &[]), &of_row, Rows::Sum);
        let n = number(&held["distribution"]["n"]);
        let max = found.iter().copied().fold(0.0, f64::max);
        let counts = AnswerValue::U32(whole(&found));
        Ok(Answer::Object(vec![("w", w.into()), ("h", h.into()), ("n", n.into()), ("counts", counts), ("max", max.into())]))
    }

    fn stripe_time(&self, ask: &Json) -> Result<Answer, NotHeld> {
        let held = self.array("stripeTime", ask)?;
        let (w, h) = (count(ask, "w"), count(ask, "h"));
        let rows = columns(&held["counts"]).first().map_or(0, Vec::len);
        let place = |y: usize| (y * rows) as f64 / h.max(1) as f64;
        let of_row: Vec<_> = (0..h).map(|y| shown(place(y), place(y + 1), rows)).collect();
        let [held_counts, held_begins, held_classes] = ["counts", "begins", "classes"].map(|name| columns(&held[name]));
        let axis = self.axis(ask, held_counts.len(), w);
        let list = |name: &str| {
            let held = floats(&held[name]);
            spread(&self.axis(ask, held.len(), w), &held)
        };
        let (counts, classes) = cells(&axis, (&held_counts, &held_classes), &of_row, Rows::Most);
        let (begins, _) = cells(&axis, (&held_begins, &[]), &of_row, Rows::Sum);
        let max = counts.iter().copied().fold(0.0, f64::max);
        Ok(Answer::Object(vec![
            ("w", w.into()),
            ("h", h.into()),
            ("n", number(&held["n"]).into()),
            ("atStart", number(&held["atStart"]).into()),
            ("counts", whole(&counts).into()),
            ("begins", whole(&begins).into()),
            ("classes", classes.iter().map(|&c| c as u8).collect::<Vec<u8>>().into()),
            ("max", max.into()),
            ("full", list("full").into()),
            ("partial", list("partial").into()),
        ]))
    }
}

/// The asked slot of each held one. What was one colour cannot be told apart again: that is the last slot, for all others.
fn slots(held: &[f64], asked: &[f64]) -> Vec<f64> {
    let others = held.iter().chain(asked).copied().fold(0.0, f64::max);
    let mut renamed: Vec<f64> = Vec::new();
    for (&from, &to) in held.iter().zip(asked) {
        let at = (from.max(0.0) as usize).min(255);
        if renamed.len() <= at {
            renamed.resize(at + 1, f64::NAN);
        }
        renamed[at] = if renamed[at].is_nan() || renamed[at] == to { to } else { others };
    }
    renamed
}

fn whole(list: &[f64]) -> Vec<u32> {
    list.iter().map(|&n| n as u32).collect()
}

/// Classes of all cells from those in which something is.
fn full(counts: &[Vec<f64>], classes: &[f64]) -> Vec<Vec<f64>> {
    let mut next = classes.iter().copied();
    let cell = |&count: &f64| if count > 0.0 { next.next().unwrap_or(0.0) } else { 0.0 };
    let mut cell = cell;
    counts.iter().map(|column| column.iter().map(&mut cell).collect()).collect()
}

/// Curve and histogram with the edges that follow from the first.
fn distribution(held: &Json) -> Result<Answer, NotHeld> {
    let counts = floats(&held["counts"]);
    let edges = latency_edges(held["edges"].as_u64().unwrap_or(0), counts.len());
    let mut properties = vec![("edges", AnswerValue::F64(edges)), ("counts", counts.into())];
    for name in ["n", "min", "mean", "max", "p50", "p90", "p95", "p99", "p999"] {
        properties.push((name, number(&held[name]).into()));
    }
    for name in ["p", "ns"] {
        properties.push((name, floats(&held[name]).into()));
    }
    Ok(Answer::Object(properties))
}

/// Names of lists; an answer's names are constants.
const NAMES: [&str; 22] = [
    "mean",
    "min",
    "max",
    "waitMean",
    "waitMax",
    "starved",
    "readBytes",
    "writeBytes",
    "discardBytes",
    "readIos",
    "writeIos",
    "discardIos",
    "sectors",
    "reads",
    "writes",
    "discards",
    "n",
    "misaligned4k",
    "startReads",
    "startWrites",
    "geometry",
    "classes",
];
const MORE: [&str; 2] = ["stripes", "rmw"];

fn known(name: &str) -> Option<&'static str> {
    NAMES.iter().chain(&MORE).find(|known| **known == name).copied()
}

/// Lists of numbers as such, all else as it is.
fn object(held: &Json) -> Result<Answer, NotHeld> {
    let property = |(name, value): (&String, &Json)| {
        let value = match value {
            Json::Array(_) => AnswerValue::F64(floats(value)),
            Json::Number(_) => AnswerValue::Number(number(value)),
            other => AnswerValue::Json(other.clone()),
        };
        Some((known(name)?, value))
    };
    let map: &Map<String, Json> = held.as_object().ok_or(NotHeld)?;
    Ok(Answer::Object(map.iter().filter_map(property).collect()))
}

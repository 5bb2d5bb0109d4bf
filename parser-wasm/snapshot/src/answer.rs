//! Answers the page's queries from a snapshot, resampled from the stored resolution to the queried
//! one.

use super::contents::{
    CellColumns, LatencyPicture, Numbers, Picture, Series, StoredDistribution, StoredStarvation,
    TraceSnapshot,
};
use super::resample::{ResampledAxis, RowMerge, cells, shown, spread, weighed};
use super::take::OBJECT;
use seekscope_plot::{Answer, AnswerValue, IntoAnswer, MAX_POINTS, latency_edges};
use seekscope_trace::json::read;
use serde_json::{Map, Number, Value as Json, json};

/// The error for a query whose answer is not in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotInSnapshot;

impl TraceSnapshot {
    /// Answers a query of the protocol as the trace itself would, at the resolution of the
    /// snapshot.
    pub fn answer(&self, kind: &str, query: &str) -> Result<Answer, NotInSnapshot> {
        let query: Json = read(query).map_err(|_| NotInSnapshot)?;
        match kind {
            "info" => Ok(Answer::Json(self.info.clone())),
            // The figures are those of the complete trace.
            "summary" | "digest" if self.is_part(&query) => Err(NotInSnapshot),
            "summary" => Ok(Answer::Json(self.summary_for(&query))),
            // The alignment figures are those of the stored geometry.
            "digest" if self.has_geometry(&query) => Ok(Answer::Json(self.digest.clone())),
            "lanes" | "laneSeries" => {
                let span = self.info["span"].as_u64().unwrap_or_default();
                self.lanes
                    .as_ref()
                    .and_then(|lanes| lanes.answer(kind, &query, span))
                    .ok_or(NotInSnapshot)
            }
            "hit" | "slowest" => Ok(Answer::Json(json!({ "row": -1 }))),
            _ => PictureView::find(&self.pictures, &query)?.answer(kind, &query),
        }
    }

    /// Whether the query is about a part of the trace.
    fn is_part(&self, query: &Json) -> bool {
        let span = number(&self.info["span"]);
        range_of(query).is_some_and(|(from, to)| from > 0.0 || to < span)
    }

    fn has_geometry(&self, query: &Json) -> bool {
        query["geometry"] == *self.geometry.as_ref().unwrap_or(&Json::Null)
    }

    /// The summary without the alignment if the query has another geometry than the stored one.
    fn summary_for(&self, query: &Json) -> Json {
        let mut summary = self.summary.clone();
        if !self.has_geometry(query) {
            for device in summary
                .get_mut("devices")
                .and_then(Json::as_array_mut)
                .into_iter()
                .flatten()
            {
                device
                    .as_object_mut()
                    .map(|device| device.remove("alignment"));
            }
        }
        summary
    }
}

/// The stored picture that answers a query, with its range.
struct PictureView<'a> {
    picture: &'a Picture,
    range: (f64, f64),
}

fn number(json: &Json) -> f64 {
    json.as_f64().unwrap_or(f64::NAN)
}

fn range_of(ask: &Json) -> Option<(f64, f64)> {
    Some((ask["range"]["t0"].as_f64()?, ask["range"]["t1"].as_f64()?))
}

fn count(ask: &Json, name: &str) -> usize {
    (ask[name].as_f64().unwrap_or(0.0).max(0.0) as usize).min(MAX_POINTS)
}

fn float(number: &Option<Number>) -> f64 {
    number.as_ref().and_then(Number::as_f64).unwrap_or(f64::NAN)
}

fn floats(numbers: &Numbers) -> Vec<f64> {
    numbers.iter().map(float).collect()
}

/// The numbers of a list in a query.
fn list(json: &Json) -> Vec<f64> {
    json.as_array().into_iter().flatten().map(number).collect()
}

/// Limit for the cells of a map: a hostile link must not fill the memory.
const CELLS: usize = 4 << 20;

/// The map as columns that hold every cell.
fn columns(cells: &CellColumns) -> Vec<Vec<f64>> {
    let (h, runs) = match cells {
        CellColumns::Dense(columns) => return columns.iter().map(floats).collect(),
        CellColumns::Runs { h, runs } => ((*h).min(MAX_POINTS), runs),
    };
    let column = |runs: &Numbers| {
        let (mut column, mut row) = (vec![0.0; h], 0.0f64);
        for run in floats(runs).chunks_exact(2) {
            row += run[0].max(0.0);
            if let Some(cell) = column.get_mut(row as usize) {
                *cell = run[1];
            }
            row += 1.0;
        }
        column
    };
    runs.iter().take(CELLS / h.max(1)).map(column).collect()
}

impl<'a> PictureView<'a> {
    /// The picture of the same device and filter with the narrowest range around the queried one.
    fn find(pictures: &'a [Picture], ask: &Json) -> Result<PictureView<'a>, NotInSnapshot> {
        let device = if ask["filter"].is_object() {
            &ask["filter"]["device"]
        } else {
            &ask["device"]
        };
        let view = |picture: &'a Picture| {
            let fits = picture.filter["device"] == *device
                && (!ask["filter"].is_object() || picture.filter == ask["filter"]);
            let (t0, t1) = picture.range.as_ref()?;
            fits.then_some(PictureView {
                picture,
                range: (t0.as_f64()?, t1.as_f64()?),
            })
        };
        let list = || pictures.iter().filter_map(view);
        let whole = list().next().ok_or(NotInSnapshot)?;
        let Some((t0, t1)) = range_of(ask) else {
            return Ok(whole);
        };
        // Bins of a query may reach beyond the range by a part of their width.
        let slack = (t1 - t0) * 0.02;
        let narrow = list()
            .filter(|p| p.range.0 <= t0 + slack && p.range.1 + slack >= t1)
            .min_by(|a, b| {
                let length = |p: &PictureView| p.range.1 - p.range.0;
                length(a).total_cmp(&length(b))
            });
        Ok(narrow.unwrap_or(whole))
    }

    fn answer(&self, kind: &str, query: &Json) -> Result<Answer, NotInSnapshot> {
        let Picture {
            facets,
            rate,
            stages,
            map,
            depth,
            sizes,
            alignment,
            ..
        } = self.picture;
        match kind {
            "facets" if !facets.is_null() => Ok(Answer::Json(facets.clone())),
            "stages" if !stages.is_null() => Ok(Answer::Json(json!({ "stages": stages }))),
            "bands" => Ok(Answer::Json(json!({ "bands": map.bands }))),
            "sizes" => Ok(series(
                sizes
                    .get(query["at"].as_str().unwrap_or_default())
                    .ok_or(NotInSnapshot)?,
            )),
            "rate" if !rate.is_empty() => Ok(self.resampled(rate, query)),
            "depth" => Ok(self.resampled(depth.as_ref().ok_or(NotInSnapshot)?, query)),
            "starved" => self.starved(query),
            "seekMap" => self.seek_map(query),
            "zones" => self.zones(query),
            "failures" => self.failures(query),
            "latencyGrid" => self.latency_grid(query),
            "distribution" => Ok(distribution(&self.stage(query)?.distribution)),
            "alignment" if self.has_geometry(query) => {
                object(alignment.as_ref().ok_or(NotInSnapshot)?)
            }
            "stripeTime" if self.has_geometry(query) => self.stripe_time(query),
            _ => Err(NotInSnapshot),
        }
    }

    fn zones(&self, ask: &Json) -> Result<Answer, NotInSnapshot> {
        let zones = self.picture.zones.as_ref().ok_or(NotInSnapshot)?;
        zones
            .answer(
                range_of(ask).unwrap_or(self.range),
                self.range,
                count(ask, "most"),
            )
            .map(IntoAnswer::into_answer)
            .ok_or(NotInSnapshot)
    }

    fn failures(&self, ask: &Json) -> Result<Answer, NotInSnapshot> {
        let failures = match &ask["latency"] {
            Json::Null => &self.picture.failures,
            axis => &self.stage(axis)?.failures,
        };
        failures
            .as_ref()
            .ok_or(NotInSnapshot)?
            .answer(range_of(ask).unwrap_or(self.range), self.range)
            .map(IntoAnswer::into_answer)
            .ok_or(NotInSnapshot)
    }

    fn stage(&self, query: &Json) -> Result<&'a LatencyPicture, NotInSnapshot> {
        self.picture
            .latency
            .get(query["stage"].as_str().unwrap_or_default())
            .ok_or(NotInSnapshot)
    }

    /// Whether the stored alignment is for the geometry of the query.
    fn has_geometry(&self, query: &Json) -> bool {
        self.picture
            .alignment
            .as_ref()
            .is_some_and(|alignment| alignment["geometry"] == query["geometry"])
    }

    fn axis(&self, ask: &Json, held: usize, n: usize) -> ResampledAxis {
        ResampledAxis::new(self.range, held, range_of(ask).unwrap_or(self.range), n)
    }

    fn resampled(&self, series: &Series, ask: &Json) -> Answer {
        let n = count(ask, "n");
        let resample = |(name, numbers): (&String, &Numbers)| {
            let list = floats(numbers);
            let axis = self.axis(ask, list.len(), n);
            let values = match name.as_str() {
                "min" => axis.fold(&list, f64::min),
                "max" | "waitMax" => axis.fold(&list, f64::max),
                "mean" | "waitMean" | "starved" => weighed(&axis, &list),
                _ => spread(&axis, &list),
            };
            Some((static_name(name)?, AnswerValue::F64(values)))
        };
        Answer::Object(series.iter().filter_map(resample).collect())
    }

    fn starved(&self, ask: &Json) -> Result<Answer, NotInSnapshot> {
        let StoredStarvation { intervals, exact } =
            self.picture.starved.as_ref().ok_or(NotInSnapshot)?;
        let (t0, t1) = range_of(ask).unwrap_or(self.range);
        let all = floats(intervals);
        let cut = all
            .chunks_exact(2)
            .map(|i| [i[0].max(t0), i[1].min(t1)])
            .filter(|i| i[0] < i[1]);
        let most = count(ask, "most");
        let mut list: Vec<[f64; 2]> = cut.collect();
        let exact = *exact && list.len() <= most;
        list.truncate(most);
        Ok(Answer::Object(vec![
            ("intervals", list.concat().into()),
            ("exact", exact.into()),
        ]))
    }

    fn seek_map(&self, ask: &Json) -> Result<Answer, NotInSnapshot> {
        let map = &self.picture.map;
        let (w, h) = (count(ask, "w"), count(ask, "h"));
        let counts = columns(&map.columns);
        let layer = ask["layer"].as_str().unwrap_or_default();
        // The density is the same for every layer, only the class differs.
        let mut classes = match map.layers.get(layer) {
            Some(classes) => floats(classes),
            None if layer == "density" => Vec::new(),
            None => return Err(NotInSnapshot),
        };
        let stored_slots = match layer {
            "process" => Some(&map.slots),
            OBJECT => Some(&map.object_slots),
            _ => None,
        };
        if let Some(stored_slots) = stored_slots {
            let renamed = slots(
                &stored_slots.as_ref().map(floats).unwrap_or_default(),
                &list(&ask["slots"]),
            );
            let slot = |class: f64| {
                renamed
                    .get(class as usize)
                    .copied()
                    .filter(|to| !to.is_nan())
                    .unwrap_or(class)
            };
            classes.iter_mut().for_each(|class| *class = slot(*class));
        }
        let classes = full(&counts, &classes);
        // The stored rows of each queried row.
        let end = |number: &Number| number.as_f64().unwrap_or(f64::NAN);
        let bands: Vec<(f64, f64)> = map
            .bands
            .iter()
            .map(|(low, high)| (end(low), end(high)))
            .collect();
        let each = map.h / bands.len().max(1);
        let mut of_row = vec![0..0; h];
        for band in ask["bands"].as_array().into_iter().flatten() {
            let [lba0, lba1, y0, y1] = ["lba0", "lba1", "y0", "y1"].map(|name| number(&band[name]));
            let (top, bottom) = (y0.max(0.0).round(), y1.max(0.0).round().min(h as f64));
            for (y, row) in of_row
                .iter_mut()
                .enumerate()
                .take(bottom as usize)
                .skip(top as usize)
            {
                let lba = |y: f64| lba1 - (lba1 - lba0) * (y - top) / (y1.round() - top).max(1.0);
                let (upper, lower) = (lba(y as f64), lba(y as f64 + 1.0));
                let middle = (upper + lower) / 2.0;
                // The middle of a queried row at the edge of a band may be outside of it.
                let contains_row = |b: &(f64, f64)| {
                    b.0 <= middle && middle < b.1
                        || lower < b.1 && b.0 < upper && (b.1 - b.0) < (upper - lower)
                };
                let Some(part) = bands.iter().position(contains_row) else {
                    continue;
                };
                let (low, high) = bands[part];
                let down = |lba: f64| (high - lba) / (high - low) * each as f64;
                let within = shown(down(upper).max(0.0), down(lower).min(each as f64), each);
                let first = (bands.len() - 1 - part) * each;
                *row = first + within.start..first + within.end;
            }
        }
        let axis = self.axis(ask, counts.len(), w);
        let (counts, cls) = cells(&axis, (&counts, &classes), &of_row, RowMerge::Most);
        let max = counts.iter().copied().fold(0.0, f64::max);
        Ok(Answer::Object(vec![
            ("kind", "grid".into()),
            ("w", w.into()),
            ("h", h.into()),
            ("n", float(&map.n).into()),
            ("counts", whole(&counts).into()),
            (
                "cls",
                cls.iter().map(|&c| c as u8).collect::<Vec<u8>>().into(),
            ),
            ("max", max.into()),
        ]))
    }

    fn latency_grid(&self, ask: &Json) -> Result<Answer, NotInSnapshot> {
        let held = self.stage(ask)?;
        let (w, h) = (count(ask, "w"), count(ask, "h"));
        let counts = columns(&held.columns);
        let rows = counts.first().map_or(0, Vec::len);
        if rows == 0 && float(&held.distribution.n) > 0.0 {
            return Err(NotInSnapshot);
        }
        let (low, high) = (float(&held.ends.low).ln(), float(&held.ends.high).ln());
        let (from, to) = (number(&ask["low"]).ln(), number(&ask["high"]).ln());
        let down = |y: usize| {
            let value = to - (to - from) * y as f64 / h.max(1) as f64;
            (high - value) / (high - low) * rows as f64
        };
        let of_row: Vec<_> = (0..h).map(|y| shown(down(y), down(y + 1), rows)).collect();
        let (found, _) = cells(
            &self.axis(ask, counts.len(), w),
            (&counts, &[]),
            &of_row,
            RowMerge::Sum,
        );
        let n = float(&held.distribution.n);
        let max = found.iter().copied().fold(0.0, f64::max);
        let counts = AnswerValue::U32(whole(&found));
        Ok(Answer::Object(vec![
            ("w", w.into()),
            ("h", h.into()),
            ("n", n.into()),
            ("counts", counts),
            ("max", max.into()),
        ]))
    }

    fn stripe_time(&self, ask: &Json) -> Result<Answer, NotInSnapshot> {
        let held = self.picture.stripe_time.as_ref().ok_or(NotInSnapshot)?;
        let (w, h) = (count(ask, "w"), count(ask, "h"));
        let [held_counts, held_begins, held_classes] =
            [&held.counts, &held.begins, &held.classes].map(columns);
        let rows = held_counts.first().map_or(0, Vec::len);
        let place = |y: usize| (y * rows) as f64 / h.max(1) as f64;
        let of_row: Vec<_> = (0..h)
            .map(|y| shown(place(y), place(y + 1), rows))
            .collect();
        let axis = self.axis(ask, held_counts.len(), w);
        let list = |numbers: &Numbers| {
            let held = floats(numbers);
            spread(&self.axis(ask, held.len(), w), &held)
        };
        let (counts, classes) = cells(
            &axis,
            (&held_counts, &held_classes),
            &of_row,
            RowMerge::Most,
        );
        let (begins, _) = cells(&axis, (&held_begins, &[]), &of_row, RowMerge::Sum);
        let max = counts.iter().copied().fold(0.0, f64::max);
        Ok(Answer::Object(vec![
            ("w", w.into()),
            ("h", h.into()),
            ("n", float(&held.n).into()),
            ("atStart", float(&held.at_start).into()),
            ("counts", whole(&counts).into()),
            ("begins", whole(&begins).into()),
            (
                "classes",
                classes.iter().map(|&c| c as u8).collect::<Vec<u8>>().into(),
            ),
            ("max", max.into()),
            ("full", list(&held.full).into()),
            ("partial", list(&held.partial).into()),
        ]))
    }
}

/// The queried slot of each stored one. Processes that share a stored slot cannot be separated:
/// they get the last slot, "other".
fn slots(held: &[f64], asked: &[f64]) -> Vec<f64> {
    let others = held.iter().chain(asked).copied().fold(0.0, f64::max);
    let mut renamed: Vec<f64> = Vec::new();
    for (&from, &to) in held.iter().zip(asked) {
        let slot = (from.max(0.0) as usize).min(255);
        if renamed.len() <= slot {
            renamed.resize(slot + 1, f64::NAN);
        }
        renamed[slot] = if renamed[slot].is_nan() || renamed[slot] == to {
            to
        } else {
            others
        };
    }
    renamed
}

fn whole(list: &[f64]) -> Vec<u32> {
    list.iter().map(|&n| n as u32).collect()
}

/// Classes of all cells, from those of the cells that are not empty.
fn full(counts: &[Vec<f64>], classes: &[f64]) -> Vec<Vec<f64>> {
    let mut next = classes.iter().copied();
    let cell = |&count: &f64| {
        if count > 0.0 {
            next.next().unwrap_or(0.0)
        } else {
            0.0
        }
    };
    let mut cell = cell;
    counts
        .iter()
        .map(|column| column.iter().map(&mut cell).collect())
        .collect()
}

/// Curve and histogram; the edges follow from the first one.
fn distribution(held: &StoredDistribution) -> Answer {
    let counts = floats(&held.counts);
    let first = held.edges.as_ref().and_then(Number::as_u64).unwrap_or(0);
    let edges = latency_edges(first, counts.len());
    let mut properties = vec![
        ("edges", AnswerValue::F64(edges)),
        ("counts", counts.into()),
    ];
    let StoredDistribution {
        n,
        min,
        mean,
        max,
        p50,
        p90,
        p95,
        p99,
        p999,
        ..
    } = held;
    let names = [
        "n", "min", "mean", "max", "p50", "p90", "p95", "p99", "p999",
    ];
    for (name, number) in names
        .into_iter()
        .zip([n, min, mean, max, p50, p90, p95, p99, p999])
    {
        properties.push((name, float(number).into()));
    }
    properties.extend([
        ("p", floats(&held.p).into()),
        ("ns", floats(&held.ns).into()),
    ]);
    // Small snapshots, and all that were made before there were intervals, have none.
    if !held.low.is_empty() {
        properties.extend([
            ("low", floats(&held.low).into()),
            ("high", floats(&held.high).into()),
        ]);
    }
    Answer::Object(properties)
}

/// The stored lists, not resampled.
fn series(series: &Series) -> Answer {
    let property = |(name, numbers): (&String, &Numbers)| {
        Some((static_name(name)?, AnswerValue::F64(floats(numbers))))
    };
    Answer::Object(series.iter().filter_map(property).collect())
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

fn static_name(name: &str) -> Option<&'static str> {
    NAMES
        .iter()
        .chain(&MORE)
        .find(|candidate| **candidate == name)
        .copied()
}

/// The properties of an answer: lists as arrays, all else as it is.
fn object(held: &Json) -> Result<Answer, NotInSnapshot> {
    let property = |(name, value): (&String, &Json)| {
        let value = match value {
            Json::Array(_) => AnswerValue::F64(list(value)),
            Json::Number(_) => AnswerValue::Number(number(value)),
            other => AnswerValue::Json(other.clone()),
        };
        Some((static_name(name)?, value))
    };
    let map: &Map<String, Json> = held.as_object().ok_or(NotInSnapshot)?;
    Ok(Answer::Object(map.iter().filter_map(property).collect()))
}

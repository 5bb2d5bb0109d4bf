//! What a snapshot leaves out of a comparison because it follows from the rest. Links made before a field existed get it the same way.

use super::digest::EventLoss;
use super::metric;
use super::pair::{Judging, MetricDifference, verdict};
use crate::notes::Good;
use serde::Deserialize;
use serde_json::{Value as Json, json};

/// Fields of a figure that [`complete`] restores.
const DERIVED: [&str; 3] = ["verdict", "unreliable", "application"];

/// Removes what [`complete`] restores.
pub fn slim(document: &mut Json) {
    each_comparison(document, &mut |comparison, _| {
        for figure in figures(comparison) {
            DERIVED.iter().for_each(|name| {
                figure.remove(*name);
            });
        }
    });
    document.as_object_mut().map(|d| d.remove("zero"));
}

/// Restores verdicts, unreliable figures and figures that are 0. `digest` gives the digest of a run of the document.
pub fn complete(document: &mut Json, digest: impl Fn(usize) -> Option<Json>) {
    let all = metric::all();
    let runs: Vec<Json> = document["runs"].as_array().cloned().unwrap_or_default();
    let devices: Vec<Option<Json>> = runs.iter().enumerate().map(|(at, run)| device(&digest(at)?, &run["device"])).collect();
    if devices.is_empty() {
        return;
    }
    let zero = all.iter().filter(|metric| {
        let known: Vec<f64> = devices.iter().flatten().filter_map(|d| d["figures"][&metric.key].as_f64()).collect();
        !metric.substitute && !known.is_empty() && known.iter().all(|value| *value == 0.0)
    });
    let zero: Vec<Json> = zero.map(|metric| json!({ "key": metric.key, "label": metric.label })).collect();
    let unreliable = |key: &str, run: usize| {
        devices.get(run).and_then(Option::as_ref).is_some_and(|device| {
            let loss: Option<EventLoss> = serde_json::from_value(device["loss"].clone()).ok();
            device["figures"].get(key).is_some() && loss.is_some_and(|loss| metric::affected(key, loss))
        })
    };
    each_comparison(document, &mut |comparison, sides| {
        let threshold = comparison["threshold"].as_f64().unwrap_or_default();
        let [a, b] = [&sides.baseline, &sides.other];
        for figure in figures(comparison) {
            let Ok(stored) = serde_json::from_value::<StoredFigure>(Json::Object(figure.clone())) else { continue };
            let lost: Vec<usize> = (0..devices.len()).filter(|&run| unreliable(&stored.key, run)).collect();
            let judging = Judging {
                good: stored.good,
                threshold,
                counted: false,
                unreliable: a.runs.iter().chain(&b.runs).any(|run| lost.contains(run)),
            };
            let difference = MetricDifference {
                a: stored.of(a),
                b: stored.of(b),
                ratio: stored.ratio,
                interval: stored.ci95,
                real: stored.real,
                verdict: None,
            };
            if let Some(verdict) = verdict(&difference, judging) {
                figure.insert("verdict".to_owned(), json!(verdict));
            }
            if !lost.is_empty() {
                figure.insert("unreliable".to_owned(), json!(lost));
            }
            if all.iter().all(|metric| metric.key != stored.key) {
                figure.insert("application".to_owned(), json!(true));
            }
        }
    });
    if !zero.is_empty() {
        document["zero"] = Json::Array(zero);
    }
}

/// Where events were lost, by the summary: digests of older snapshots lack it.
pub fn restore_losses(digest: &mut Json, summary: &Json) {
    let judged: Vec<(Json, EventLoss)> = summary["devices"].as_array().map_or_else(Vec::new, |devices| {
        let loss = |device: &Json| {
            let names = device["spoiled"].as_array().filter(|names| !names.is_empty())?;
            let within = names.iter().any(|name| name.as_str().is_some_and(|n| !n.starts_with("latency_bio_ns")));
            Some((device["dev"].clone(), if within { EventLoss::Within } else { EventLoss::Elsewhere }))
        };
        devices.iter().filter_map(loss).collect()
    });
    for device in digest.get_mut("devices").and_then(Json::as_array_mut).into_iter().flatten().filter(|d| d.is_object()) {
        if device.get("loss").is_none()
            && let Some((_, loss)) = judged.iter().find(|(dev, _)| *dev == device["dev"])
        {
            device["loss"] = json!(loss);
        }
    }
}

/// The device of a digest that a run compares.
fn device(digest: &Json, name: &Json) -> Option<Json> {
    digest["devices"].as_array()?.iter().find(|d| d["dev"] == *name || d["name"] == *name).cloned()
}

#[derive(Deserialize)]
struct StoredFigure {
    key: String,
    #[serde(default)]
    good: Option<Good>,
    #[serde(default)]
    values: Vec<Option<f64>>,
    #[serde(default)]
    groups: Option<Vec<Option<StoredMean>>>,
    #[serde(default)]
    ratio: Option<f64>,
    #[serde(default)]
    ci95: Option<(f64, f64)>,
    #[serde(default)]
    real: bool,
}

#[derive(Deserialize)]
struct StoredMean {
    mean: f64,
}

impl StoredFigure {
    fn of(&self, side: &StoredSide) -> Option<f64> {
        let group = self.groups.as_ref().and_then(|groups| groups.get(side.at)?.as_ref());
        group.map(|g| g.mean).or_else(|| side.runs.iter().find_map(|&run| self.values.get(run).copied().flatten()))
    }
}

struct StoredSide {
    at: usize,
    runs: Vec<usize>,
}

struct StoredSides {
    baseline: StoredSide,
    other: StoredSide,
}

fn each_comparison(document: &mut Json, visit: &mut dyn FnMut(&mut Json, &StoredSides)) {
    let sides = document["sides"].clone();
    let baseline = document["baseline"].as_u64().unwrap_or_default() as usize;
    let stored = |at: usize| {
        let runs = sides.get(at).and_then(|side| serde_json::from_value(side["runs"].clone()).ok()).unwrap_or_default();
        StoredSide { at, runs }
    };
    let other = |comparison: &Json| comparison["side"].as_u64().map_or(usize::MAX, |side| side as usize);
    if !document.is_object() {
        return;
    }
    let of = StoredSides { baseline: stored(baseline), other: stored(other(document)) };
    visit(document, &of);
    for more in document.get_mut("more").and_then(Json::as_array_mut).into_iter().flatten().filter(|m| m.is_object()) {
        let of = StoredSides { baseline: stored(baseline), other: stored(other(more)) };
        visit(more, &of);
    }
}

fn figures(comparison: &mut Json) -> impl Iterator<Item = &mut serde_json::Map<String, Json>> {
    comparison.get_mut("figures").and_then(Json::as_array_mut).into_iter().flatten().filter_map(Json::as_object_mut)
}

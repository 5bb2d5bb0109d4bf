//! What a snapshot leaves out of a comparison because it follows from the rest.

use crate::findings::restored_focus;
use crate::metric;
use crate::pair::{Judging, MetricDifference, verdict};
use crate::runs::digest::EventLoss;
use crate::statistics::discovery::CHANCE;
use seekscope_notes::Good;
use seekscope_trace::json::typed;
use serde::Deserialize;
use serde_json::{Value as Json, json};

/// Fields of a figure that [`complete`] restores.
const DERIVED: [&str; 3] = ["verdict", "unreliable", "application"];

/// Maximum number of runs of a document that are examined: more than a snapshot has.
pub const MAX_RUNS: usize = 64;

/// Field of a finding with the words about who and when.
const FOCUS: &str = "focus";

/// Removes what [`complete`] restores, the intervals of single runs (a link has those that charts
/// draw with the digests), and false discovery rates, except those that are marked.
pub fn slim(document: &mut Json) {
    each_comparison(document, &mut |comparison, _| {
        for figure in figures(comparison) {
            // Whether a difference that is not significant is noise, unsure or equal does not
            // follow from the rest.
            let keeps_verdict = match figure.get("verdict").and_then(Json::as_str) {
                Some("unsure") => true,
                Some("equal") => figure.get("ratio").is_some_and(|ratio| *ratio != 1.0),
                Some("noise") => figure.get("ci95").is_none_or(Json::is_null),
                _ => false,
            };
            let chance = figure
                .get("fdr")
                .and_then(Json::as_f64)
                .is_some_and(|rate| rate > CHANCE);
            if !chance || figure.get("real") != Some(&Json::Bool(true)) {
                figure.remove("fdr");
            }
            figure.remove("intervals");
            figure.remove("least_change");
            DERIVED
                .iter()
                .filter(|name| !keeps_verdict || **name != "verdict")
                .for_each(|name| {
                    figure.remove(*name);
                });
        }
        findings(comparison).for_each(|finding| drop(finding.remove(FOCUS)));
    });
    document.as_object_mut().map(|d| d.remove("zero"));
}

/// Restores verdicts, unreliable figures and figures that are 0. `digest` gives the digest of a run
/// of the document.
pub fn complete<'a>(document: &mut Json, digest: impl Fn(usize) -> Option<&'a Json>) {
    let all = metric::all();
    let runs = document["runs"].as_array().map_or(&[][..], Vec::as_slice);
    let devices: Vec<Option<&Json>> = runs
        .iter()
        .enumerate()
        .map(|(index, run)| device(digest(index)?, &run["device"]))
        .take(MAX_RUNS)
        .collect();
    if devices.is_empty() {
        return;
    }
    let zero = all.iter().filter(|metric| {
        let present: Vec<f64> = devices
            .iter()
            .flatten()
            .filter_map(|d| d["figures"][&metric.key].as_f64())
            .collect();
        !metric.substitute && !present.is_empty() && present.iter().all(|value| *value == 0.0)
    });
    let zero: Vec<Json> = zero
        .map(|metric| json!({ "key": metric.key, "label": metric.label }))
        .collect();
    let loss =
        |device: &Json| -> Option<EventLoss> { EventLoss::deserialize(&device["loss"]).ok() };
    let losses: Vec<Option<EventLoss>> = devices
        .iter()
        .map(|device| loss(device.as_ref()?))
        .collect();
    let unreliable = |key: &str, run: usize| {
        let affected = losses[run].is_some_and(|loss| metric::affected(key, loss));
        affected && devices[run].is_some_and(|device| device["figures"].get(key).is_some())
    };
    each_comparison(document, &mut |comparison, sides| {
        for finding in findings(comparison) {
            if let Some(words) = restored_focus(&Json::Object(finding.clone())) {
                finding.insert(FOCUS.to_owned(), words);
            }
        }
        let [a, b] = [&sides.baseline, &sides.other];
        for figure in figures(comparison) {
            let Ok(stored) = typed::<StoredFigure>(&Json::Object(figure.clone())) else {
                continue;
            };
            let lost: Vec<usize> = (0..devices.len())
                .filter(|&run| unreliable(&stored.key, run))
                .collect();
            let judging = Judging {
                good: stored.good,
                unreliable: a.runs.iter().chain(&b.runs).any(|run| lost.contains(run)),
            };
            let difference = MetricDifference {
                a: stored.value(a),
                b: stored.value(b),
                ratio: stored.ratio,
                interval: stored.ci95.map(closed),
                real: stored.real,
                p: None,
                verdict: None,
                leans: false,
            };
            // `slim` keeps the verdict of a difference that is unsure.
            if !figure.contains_key("verdict")
                && let Some(verdict) = verdict(&difference, false, judging)
            {
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

/// Restores where events were lost from the summary: digests of size XS lack it.
pub fn restore_losses(digest: &mut Json, summary: &Json) {
    let judged: Vec<(Json, EventLoss)> =
        summary["devices"]
            .as_array()
            .map_or_else(Vec::new, |devices| {
                let loss = |device: &Json| {
                    let names = device["spoiled"]
                        .as_array()
                        .filter(|names| !names.is_empty())?;
                    let within = names.iter().any(|name| {
                        name.as_str()
                            .is_some_and(|n| !n.starts_with("latency_bio_ns"))
                    });
                    Some((
                        device["dev"].clone(),
                        if within {
                            EventLoss::Within
                        } else {
                            EventLoss::Elsewhere
                        },
                    ))
                };
                devices.iter().filter_map(loss).collect()
            });
    for device in digest
        .get_mut("devices")
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten()
        .filter(|d| d.is_object())
    {
        if device.get("loss").is_none()
            && let Some((_, loss)) = judged.iter().find(|(dev, _)| *dev == device["dev"])
        {
            device["loss"] = json!(loss);
        }
    }
}

/// The device of a digest with this number or name.
fn device<'a>(digest: &'a Json, name: &Json) -> Option<&'a Json> {
    digest["devices"]
        .as_array()?
        .iter()
        .find(|d| d["dev"] == *name || d["name"] == *name)
}

/// The interval of a ratio as it is stored; its upper end is `null` where it is open.
pub type StoredInterval = (f64, Option<f64>);

/// The interval as it was before it was stored: JSON has no infinity.
pub fn closed((low, high): StoredInterval) -> (f64, f64) {
    (low, high.unwrap_or(f64::INFINITY))
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
    ci95: Option<StoredInterval>,
    #[serde(default)]
    real: bool,
}

#[derive(Deserialize)]
struct StoredMean {
    mean: f64,
}

impl StoredFigure {
    /// The mean of a group, or the value of its only run.
    fn value(&self, side: &StoredSide) -> Option<f64> {
        let group = self
            .groups
            .as_ref()
            .and_then(|groups| groups.get(side.index)?.as_ref());
        group.map(|g| g.mean).or_else(|| {
            side.runs
                .iter()
                .find_map(|&run| self.values.get(run).copied().flatten())
        })
    }
}

struct StoredSide {
    /// Index in `sides`.
    index: usize,
    runs: Vec<usize>,
}

struct StoredSides {
    baseline: StoredSide,
    other: StoredSide,
}

/// Visits the first comparison of a document and those in `more`, with their sides.
fn each_comparison(document: &mut Json, visit: &mut dyn FnMut(&mut Json, &StoredSides)) {
    let sides = document["sides"].clone();
    let baseline = document["baseline"].as_u64().unwrap_or_default() as usize;
    let stored = |index: usize| {
        let runs = sides
            .get(index)
            .and_then(|side| side["runs"].as_array())
            .map_or(&[][..], Vec::as_slice);
        let number = |run: &Json| run.as_u64().map(|run| run as usize);
        StoredSide {
            index,
            runs: runs.iter().take(MAX_RUNS).filter_map(number).collect(),
        }
    };
    let other = |comparison: &Json| {
        comparison["side"]
            .as_u64()
            .map_or(usize::MAX, |side| side as usize)
    };
    if !document.is_object() {
        return;
    }
    let first = StoredSides {
        baseline: stored(baseline),
        other: stored(other(document)),
    };
    visit(document, &first);
    for more in document
        .get_mut("more")
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten()
        .filter(|m| m.is_object())
    {
        let further = StoredSides {
            baseline: stored(baseline),
            other: stored(other(more)),
        };
        visit(more, &further);
    }
}

fn figures(comparison: &mut Json) -> impl Iterator<Item = &mut serde_json::Map<String, Json>> {
    comparison
        .get_mut("figures")
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten()
        .filter_map(Json::as_object_mut)
}

fn findings(comparison: &mut Json) -> impl Iterator<Item = &mut serde_json::Map<String, Json>> {
    comparison
        .get_mut("findings")
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten()
        .filter_map(Json::as_object_mut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_survive_being_stored() {
        let figure = |key: &str, verdict: &str, more: Json| {
            let mut all = json!({ "key": key, "good": "less", "values": [1.0, 2.0], "ratio": 2.0, "real": false, "verdict": verdict });
            all.as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            all
        };
        let figures = json!([
            // JSON has no infinity: the upper end of an open interval is null.
            figure(
                "q2c.p99",
                "worse",
                json!({ "real": true, "ci95": [1.5, null] })
            ),
            figure("q2c.p90", "unsure", json!({ "ci95": [1.1, null] })),
            figure("q2c.mean", "noise", json!({ "ci95": [0.5, 8.0] })),
            figure("q2c.p999", "noise", json!({ "needs": [3700, null] })),
            figure("q2c.max", "unsure", json!({})),
            figure(
                "d2c.max",
                "equal",
                json!({ "values": [2.0, 2.0], "ratio": 1.0 })
            ),
        ]);
        let mut document = json!({
            "runs": [{ "device": "vda" }, { "device": "vda" }], "baseline": 0, "side": 1, "threshold": 0.3, "figures": figures,
            "sides": [{ "runs": [0] }, { "runs": [1] }],
            "findings": [{
                "code": "idle-grew",
                "who": [{ "kind": "process", "name": "dd [101]", "share": 0.5, "of": "requests" }],
                "when": { "intervals": [[1000, 2000], [5000, 6000]], "share": 0.75, "of_run": 0.125 },
                "focus": [
                    "Requests by process: dd [101] ", { "name": "share", "value": 0.5, "unit": "share" }, ". ",
                    { "name": "share", "value": 0.75, "unit": "share" }, " of the effect is within ",
                    { "name": "of_run", "value": 0.125, "unit": "share" }, " of the run, most from ",
                    { "name": "from", "value": 1000.0, "unit": "ns" }, " to ", { "name": "to", "value": 2000.0, "unit": "ns" },
                    " (2 intervals in all)."
                ],
            }, { "code": "setting-changed" }],
        });
        let before = document.clone();
        slim(&mut document);
        assert!(
            document["findings"][0].get("focus").is_none(),
            "it follows from who and when"
        );
        assert!(
            document["figures"][0].get("verdict").is_none(),
            "it follows from the rest"
        );
        let digest = json!({ "devices": [{ "dev": "254,0", "name": "vda", "figures": {} }] });
        complete(&mut document, |_| Some(&digest));
        assert_eq!(document, before);
    }
}

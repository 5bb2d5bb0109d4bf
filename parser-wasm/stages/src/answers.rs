//! What the charts of the page ask about everything in view, of the first device.

use seekscope_core::store::Store;
use serde_json::{Value as Json, json};

/// Kind, name and parameters of each query.
pub fn queries(store: &Store) -> Vec<(&'static str, &'static str, Json)> {
    let range = json!({ "t0": 0, "t1": store.span() });
    let (filter, hidden) = (json!({ "device": 0 }), json!({ "device": 0, "hideOps": ["write"], "hideProcesses": [1] }));
    let bands = json!([{ "lba0": 0, "lba1": 1u64 << 31, "y0": 0, "y1": 103 }]);
    let map = |filter: &Json, layer: &str| json!({ "filter": filter, "range": range, "bands": bands, "w": 600, "h": 103, "layer": layer, "slots": [0, 1, 2, 3], "marks": 6000 });
    let with = |more: Json| {
        let mut all = json!({ "filter": filter, "range": range, "device": 0, "n": 600 });
        if let (Some(all), Some(more)) = (all.as_object_mut(), more.as_object()) {
            all.extend(more.clone());
        }
        all
    };
    vec![
        ("bands", "bands", with(json!({ "most": 6, "gapShare": 0.02 }))),
        ("seekMap", "seekMap, density", map(&filter, "density")),
        ("seekMap", "seekMap, operation", map(&filter, "op")),
        ("seekMap", "seekMap, latency", map(&filter, "latency")),
        ("seekMap", "seekMap, operation and process hidden", map(&hidden, "op")),
        ("depth", "depth", with(json!({}))),
        ("starved", "starved", with(json!({ "most": 600 }))),
        ("rate", "rate", with(json!({}))),
        ("rate", "rate, operation and process hidden", with(json!({ "filter": hidden }))),
        ("latencyGrid", "latencyGrid", with(json!({ "stage": "q2c", "w": 600, "h": 60, "low": 1000, "high": 1e8 }))),
        ("distribution", "distribution", with(json!({ "stage": "q2c" }))),
        ("stages", "stages", with(json!({}))),
        ("sizes", "sizes", with(json!({ "at": "completed" }))),
        ("facets", "facets", with(json!({}))),
        ("tail", "tail, operation and process hidden", with(json!({ "filter": hidden, "percentile": 0.99 }))),
    ]
}

/// The same query with a field that no query has: its answer is not one that was kept.
pub fn unkept(query: &Json, run: usize) -> String {
    let mut query = query.clone();
    query["run"] = json!(run);
    query.to_string()
}

//! Times the queries of the charts and lists of the page for the first device of a trace: the first
//! answer, with what is built for it, and later ones.

use seekscope_core::plot::{self, Index, View};
use seekscope_core::store::Store;
use serde_json::{Value as Json, json};
use std::hint::black_box;
use std::time::Instant;

/// Kind, name and parameters of each query.
#[expect(clippy::too_many_lines, reason = "a table: one query of each kind")]
fn queries(store: &Store) -> Vec<(&'static str, &'static str, Json)> {
    let span = store.span() as f64;
    let all = json!({ "t0": 0, "t1": span });
    let tenth = json!({ "t0": span * 0.45, "t1": span * 0.55 });
    let filter = json!({ "device": 0 });
    let hidden = json!({ "device": 0, "hideOps": ["write"], "hideProcesses": [1] });
    let slow = json!({ "device": 0, "latency": [200_000, 1e12] });
    let near = json!({ "device": 0, "lba": [0, 1u64 << 29] });
    let mut end = 1;
    store.requests.each(0..store.requests.len(), |row| {
        let placed = row.sector().checked_add(row.sectors());
        end = end.max(placed.unwrap_or(0));
    });
    let bands = json!([{ "lba0": 0, "lba1": end, "y0": 0, "y1": 103 }]);
    let part = |k: u64| json!({ "lba0": end / 3 * k, "lba1": end / 3 * (k + 1), "y0": 34 * k, "y1": 34 * (k + 1) });
    let three = json!([part(0), part(1), part(2)]);
    let map = |filter: &Json, range: &Json, layer: &str| json!({ "filter": filter, "range": range, "bands": bands, "w": 600, "h": 103, "layer": layer, "slots": [0, 1, 2, 3], "marks": 6000 });
    let with = |more: Json| {
        let mut query = json!({ "filter": filter, "range": all, "device": 0, "n": 600 });
        if let (Some(query), Some(more)) = (query.as_object_mut(), more.as_object()) {
            query.extend(more.clone());
        }
        query
    };
    let latency = |filter: &Json| {
        with(
            json!({ "filter": filter, "stage": "q2c", "w": 600, "h": 60, "low": 1000, "high": 1e8 }),
        )
    };
    let events = |filter: Json| json!({ "filter": filter, "offset": 0, "limit": 50 });
    vec![
        (
            "bands",
            "bands",
            with(json!({ "most": 6, "gapShare": 0.02 })),
        ),
        ("seekMap", "seekMap, density", map(&filter, &all, "density")),
        ("seekMap", "seekMap, operation", map(&filter, &all, "op")),
        ("seekMap", "seekMap, operation, three bands", {
            let mut query = map(&filter, &all, "op");
            query["bands"] = three;
            query
        }),
        ("seekMap", "seekMap, process", map(&filter, &all, "process")),
        ("seekMap", "seekMap, size", map(&filter, &all, "size")),
        ("seekMap", "seekMap, latency", map(&filter, &all, "latency")),
        (
            "seekMap",
            "seekMap, a tenth of the time",
            map(&filter, &tenth, "op"),
        ),
        (
            "seekMap",
            "seekMap, operation and process hidden",
            map(&hidden, &all, "op"),
        ),
        ("seekMap", "seekMap, slow ones", map(&slow, &all, "op")),
        (
            "seekMap",
            "seekMap, a part of the sectors",
            map(&near, &all, "op"),
        ),
        ("depth", "depth", with(json!({}))),
        ("starved", "starved", with(json!({ "most": 600 }))),
        ("rate", "rate", with(json!({}))),
        (
            "rate",
            "rate, operation and process hidden",
            with(json!({ "filter": hidden })),
        ),
        ("latencyGrid", "latencyGrid", latency(&filter)),
        (
            "latencyGrid",
            "latencyGrid, operation and process hidden",
            latency(&hidden),
        ),
        (
            "latencyGrid",
            "latencyGrid, a part of the sectors",
            latency(&near),
        ),
        (
            "distribution",
            "distribution",
            with(json!({ "stage": "q2c" })),
        ),
        (
            "distribution",
            "distribution, operation and process hidden",
            with(json!({ "filter": hidden, "stage": "q2c" })),
        ),
        ("stages", "stages", with(json!({}))),
        (
            "stages",
            "stages, operation and process hidden",
            with(json!({ "filter": hidden })),
        ),
        ("sizes", "sizes", with(json!({ "at": "completed" }))),
        ("facets", "facets", with(json!({}))),
        (
            "facets",
            "facets, operation and process hidden",
            with(json!({ "filter": hidden })),
        ),
        (
            "tail",
            "tail, operation and process hidden",
            with(json!({ "filter": hidden, "percentile": 0.99 })),
        ),
        (
            "tail",
            "tail, a part of the sectors",
            with(json!({ "filter": near, "percentile": 0.99 })),
        ),
        (
            "events",
            "events, an action",
            events(json!({ "actions": ["D"] })),
        ),
        (
            "events",
            "events, operation",
            events(json!({ "ops": ["write"] })),
        ),
        (
            "events",
            "events, a part of the sectors",
            events(json!({ "lba": [0, 1u64 << 21] })),
        ),
        (
            "events",
            "events, a word",
            events(json!({ "text": ["fio"] })),
        ),
    ]
}

/// Time of one answer, ms; for the event list until the filter has been applied to all of it.
fn ask(view: View, kind: &str, parameters: &Json) -> Result<f64, String> {
    let begin = Instant::now();
    let parameters = parameters.to_string();
    loop {
        let answer = plot::answer(view, kind, &parameters).map_err(|bad| bad.0)?;
        let time = begin.elapsed();
        let page = (kind == "events").then(|| black_box(answer).document().unwrap_or_default());
        if page.is_none_or(|page| page["examined"] == page["of"]) {
            return Ok(time.as_secs_f64() * 1000.0);
        }
    }
}

/// How long a query takes, ms.
pub struct AnswerTime {
    pub name: &'static str,
    /// The first query, with what is built for it.
    pub first: f64,
    /// The fastest of the later ones.
    pub again: f64,
}

/// Times all queries, each `runs` times more after the first. Kept answers would be found without
/// any work, so each query differs a little from the previous one.
pub fn time(store: &Store, runs: usize) -> Result<Vec<AnswerTime>, String> {
    let index = Index::new(store);
    let view = View {
        store,
        index: &index,
    };
    let timed = |(kind, name, query): (&'static str, &'static str, Json)| {
        // A range that begins a little earlier is another query with the same answer.
        let fresh = |run: usize| {
            let mut query = query.clone();
            if kind == "events" {
                query["filter"]["range"] = json!({ "t0": -1.0 - run as f64, "t1": 1e18 });
            } else if let Some(t0) = query["range"]["t0"].as_f64() {
                query["range"]["t0"] = json!(t0 - run as f64);
            }
            ask(view, kind, &query)
        };
        let first = fresh(0)?;
        let again = (1..=runs)
            .map(fresh)
            .collect::<Result<Vec<f64>, String>>()?;
        Ok(AnswerTime {
            name,
            first,
            again: again.into_iter().fold(f64::INFINITY, f64::min),
        })
    };
    queries(store).into_iter().map(timed).collect()
}

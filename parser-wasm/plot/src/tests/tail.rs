//! Slow requests in view, and the slowest one of a cell of the latency chart.

use super::*;

/// Four requests of 20, 40, 60 and 80 ns; the last two are writes of another process, held while
/// the second is served.
const TRACE: &str = "
    0 Q 0+8 R pid=1
    0 D 0+8 R pid=1
    20 C 0+8 R
    100 Q 100+8 R pid=1
    100 D 100+8 R pid=1
    110 Q 200+8 W pid=2
    120 Q 300+8 W pid=2
    140 C 100+8 R
    140 D 200+8 W pid=2
    160 D 300+8 W pid=2
    170 C 200+8 W
    200 C 300+8 W";

fn tail(t: &IndexedTrace, more: Json) -> Json {
    let mut query = json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": 200 } });
    query
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    t.query("tail", query).json()["tail"].clone()
}

fn view(t: &IndexedTrace) -> View<'_> {
    View {
        store: &t.store,
        index: &t.index,
    }
}

fn rows(tail: &Json) -> Vec<u64> {
    let slowest = tail["slowest"].as_array().map_or(&[][..], Vec::as_slice);
    slowest
        .iter()
        .map(|slow| slow["row"].as_u64().unwrap())
        .collect()
}

#[test]
fn a_tail_follows_range_and_filter_and_what_is_hidden_is_still_in_the_way() {
    let t = IndexedTrace::new(TRACE);
    assert_eq!(
        rows(&tail(&t, json!({}))),
        [3, 2, 1, 0],
        "without a percentile all of them"
    );
    assert_eq!(
        rows(&tail(&t, json!({ "range": { "t0": 0, "t1": 120 } }))),
        [1, 0]
    );
    let reads = tail(
        &t,
        json!({ "filter": { "device": 0, "hideOps": ["write"] }, "percentile": 0.99 }),
    );
    assert_eq!(
        (rows(&reads), &reads["requests"], &reads["percentile"]),
        (vec![1], &json!(1), &json!(0.99))
    );
    assert_eq!(
        rows(&tail(
            &t,
            json!({ "filter": { "device": 0, "latency": [30.0, 70.0] } })
        )),
        [2, 1]
    );
    let writes = json!({ "filter": { "device": 0, "hideOps": ["read"] } });
    let held = |tail: &Json, row: usize| {
        tail["slowest"]
            .as_array()
            .unwrap()
            .iter()
            .find(|s| s["row"] == row)
            .cloned()
    };
    assert_eq!(
        held(&tail(&t, writes), 2),
        held(&tail(&t, json!({})), 2),
        "the causes of a request are those without a filter"
    );
    assert_eq!(
        tail(&t, json!({ "range": { "t0": 50, "t1": 60 } })),
        Json::Null
    );
}

#[test]
fn one_request_has_the_causes_that_it_has_among_all() {
    let t = IndexedTrace::new(TRACE);
    let all = tail(&t, json!({}));
    for row in 0..4 {
        let single = tail(&t, json!({ "row": row, "range": { "t0": 0, "t1": 0 } }));
        assert_eq!(rows(&single), [row]);
        assert_eq!(
            Some(&single["slowest"][0]),
            all["slowest"]
                .as_array()
                .unwrap()
                .iter()
                .find(|slow| slow["row"] == row)
        );
    }
    assert_eq!(tail(&t, json!({ "row": 9 })), Json::Null);
    let unknown =
        json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": 1 }, "percentile": 0.1 });
    assert!(t.error("tail", unknown).contains("percentile"));
    assert!(
        t.error(
            "tail",
            json!({ "filter": { "device": 7 }, "range": { "t0": 0, "t1": 1 } })
        )
        .contains("device 7")
    );
}

#[test]
fn the_slowest_of_a_cell() {
    let t = IndexedTrace::new(TRACE);
    let slowest = |t0: f64, t1: f64, low: f64, high: Json| {
        let query = json!({
            "filter": { "device": 0 }, "range": { "t0": t0, "t1": t1 }, "stage": "q2c", "low": low, "high": high
        });
        t.query("slowest", query).number("row")
    };
    assert_eq!(slowest(0.0, 200.0, 0.0, json!(null)), 3.0);
    assert_eq!(slowest(0.0, 200.0, 30.0, json!(60.0)), 1.0, "below 60 ns");
    assert_eq!(slowest(0.0, 50.0, 0.0, json!(null)), 0.0);
    assert_eq!(slowest(0.0, 200.0, 81.0, json!(null)), -1.0);
    let hidden = json!({
        "filter": { "device": 0, "hideOps": ["write"] }, "range": { "t0": 0, "t1": 200 }, "stage": "q2c", "low": 0
    });
    assert_eq!(t.query("slowest", hidden).number("row"), 1.0);
}

#[test]
fn a_sweep_that_begins_late_finds_the_same_causes() {
    let t = IndexedTrace::new(&random_trace(20_000, 7));
    let span = t.store.span() as f64;
    for (from, to) in [(0.3, 0.31), (0.6, 0.9), (0.97, 1.0)] {
        let query = json!({ "filter": { "device": 0 }, "range": { "t0": from * span, "t1": to * span }, "percentile": 0.95 });
        let late = t.query("tail", query.clone()).json();
        assert!(late["tail"]["requests"].as_u64().unwrap() > 5);
        // Without the index it begins at the first request.
        assert!(from < 0.5 || view(&t).first_completing((from * span) as u64) >= 4096);
        assert_eq!(late, t.query_while_reading("tail", query).json());
    }
}

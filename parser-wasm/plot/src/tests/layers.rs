//! The layers of one request, on a mirror of two disks.

use super::*;
use seekscope_trace::store::{Parents, StackLayer};

/// A write of a mirror (8:9) to its disks (8:1, 8:2) with a write of its bitmap first, a flush that
/// follows, and a read of another task.
fn mirror() -> IndexedTrace {
    let mut store = store(
        "0 Q 100+8 WS pid=7 dev=9
         2 Q 8+1 WSM pid=3 dev=1
         3 D 8+1 WSM pid=3 dev=1
         5 C 8+1 WSM dev=1
         6 Q 110+8 WS pid=3 dev=1
         7 Q 110+8 WS pid=3 dev=2
         8 D 110+8 WS pid=3 dev=1
         9 D 110+8 WS pid=3 dev=2
         20 C 110+8 WS dev=1
         30 C 110+8 WS dev=2
         32 C 100+8 WS dev=9
         34 Q 500+8 R pid=9 dev=9
         36 C 500+8 R dev=9",
    );
    let number = |row: usize| {
        let device = store.requests.row(row).device();
        store.devices[device as usize].number.minor()
    };
    let is_child = |row: usize| number(row) != 9 && store.requests.row(row).sector() == 110;
    let top = (0..store.requests.len())
        .find(|&row| number(row) == 9 && store.requests.row(row).sector() == 100)
        .unwrap() as u32;
    let mut parents = Parents::with_rows(store.requests.len());
    for row in 0..store.requests.len() {
        let above = [top];
        parents.push(if is_child(row) { &above } else { &[] }, None);
    }
    let index = |minor: u32| {
        let found = (store.devices.iter()).position(|device| device.number.minor() == minor);
        found.unwrap() as u32
    };
    parents.set_layers(vec![StackLayer {
        device: index(9),
        below: vec![index(1), index(2)],
    }]);
    store.parents = Some(Box::new(parents));
    let index = Index::new(&store);
    IndexedTrace { store, index }
}

/// The rows of the mirror's write and of its copy on a disk.
fn rows(t: &IndexedTrace) -> (usize, usize) {
    let find = |sector: u64| {
        let rows = 0..t.store.requests.len();
        rows.into_iter()
            .find(|&row| t.store.requests.row(row).sector() == sector)
            .unwrap()
    };
    (find(100), find(110))
}

#[test]
fn a_request_is_answered_with_all_above_and_below() {
    let t = mirror();
    let (top, copy) = rows(&t);
    let answer = t.query("requestLayers", json!({ "row": copy })).json();
    let requests = answer["requests"].as_array().unwrap();
    let figures: Vec<Json> = requests
        .iter()
        .map(|r| json!([r["role"], r["depth"], r["queued"], r["completed"], r["pid"]]))
        .collect();
    assert_eq!(
        figures,
        [
            json!(["top", 0, 0, 32, 7]),
            json!(["member", 1, 6, 20, 3]),
            json!(["member", 1, 7, 30, 3]),
        ]
    );
    assert_eq!(requests[0]["row"], json!(top));
    assert_eq!(requests[0]["belowFrom"], json!(6));
    assert_eq!(requests[0]["belowTo"], json!(30));
    assert_eq!(requests[0]["internal"], json!(1));
    let from_top = t.query("requestLayers", json!({ "row": top })).json();
    assert_eq!(from_top, answer);
}

#[test]
fn a_trace_without_layers_has_none() {
    let t = IndexedTrace::new("0 Q 0+8 R pid=7\n 1 D 0+8 R pid=7\n 2 C 0+8 R");
    let answer = t.query("requestLayers", json!({ "row": 0 })).json();
    assert_eq!(answer, json!({ "requests": [], "leftOut": 0 }));
    assert!(t.try_query("requestLayers", &json!({ "row": 9 })).is_err());
}

#[test]
fn the_summary_has_the_time_in_the_layer_and_below_it() {
    let t = mirror();
    let answer = t.query("summary", json!({})).json();
    let devices = answer["devices"].as_array().unwrap();
    let top = devices
        .iter()
        .find(|device| device["layer"].is_object())
        .unwrap();
    assert_eq!(
        top["layer"],
        json!({
            "requests": 1, "bytes": 4096, "before_ns": 6, "below_ns": 24, "after_ns": 2,
            "layer": { "p50": 8, "p99": 8 }, "below": { "p50": 24, "p99": 24 },
        })
    );
    assert_eq!(top["below"].as_array().map(Vec::len), Some(2));
}

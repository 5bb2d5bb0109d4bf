//! Invalid parameters get an error or an empty answer: no panic, no hang, no huge allocation.

use super::*;

const TRACE: &str =
    "0 Q 0+8\n5 D 0+8\n10 C 0+8\n20 Q 18446744073709551615+8\n21 D 18446744073709551615+8";
const RANGES: [(f64, f64); 8] = [
    (0.0, 0.0),
    (10.0, 0.0),
    (-1e300, 1e300),
    (-5.0, -1.0),
    (1e18, 1e19),
    (0.0, 1e-300),
    (9.999, 10.001),
    (0.0, 20.0),
];
const SIZES: [f64; 6] = [0.0, -3.0, 0.5, 1.0, 1e9, 1e300];

fn each(t: &IndexedTrace, kind: &str, query: &Json) {
    for while_reading in [false, true] {
        let index = if while_reading {
            Index::default()
        } else {
            Index::new(&t.store)
        };
        if let Ok(Answer::Object(properties)) = answer(
            View {
                store: &t.store,
                index: &index,
            },
            kind,
            &query.to_string(),
        ) {
            for (name, value) in properties {
                let (n, sane) = match value {
                    AnswerValue::F64(v) => (v.len(), v.iter().all(|x| !x.is_infinite())),
                    AnswerValue::U32(v) => (v.len(), true),
                    _ => (0, true),
                };
                assert!(n <= 1 << 24 && sane, "{kind} {name} {query}");
            }
        }
    }
}

#[test]
fn odd_ranges_and_sizes() {
    for t in [
        IndexedTrace::new(TRACE),
        IndexedTrace::new("0 Q 0+8"),
        IndexedTrace::new("7 D - F"),
    ] {
        for (t0, t1) in RANGES {
            let range = json!({ "t0": t0, "t1": t1 });
            let filter =
                json!({ "device": 0, "lba": [t1, t0], "sectors": [t0, t1], "latency": [t1, t0] });
            for filter in [json!({ "device": 0 }), filter] {
                for n in SIZES {
                    each(&t, "depth", &json!({ "device": 0, "range": range, "n": n }));
                    each(
                        &t,
                        "starved",
                        &json!({ "device": 0, "range": range, "most": n }),
                    );
                    each(
                        &t,
                        "rate",
                        &json!({ "filter": filter, "range": range, "n": n }),
                    );
                    each(
                        &t,
                        "bands",
                        &json!({ "filter": filter, "range": range, "most": n, "gapShare": n }),
                    );
                    each(
                        &t,
                        "hit",
                        &json!({ "filter": filter, "t": t0, "lba": t1, "dt": n, "dlba": n }),
                    );
                    let play = json!({ "filter": filter, "at": t0, "step": n, "n": n, "window": t1, "layer": "op", "most": n });
                    each(&t, "playback", &play);
                    each(
                        &t,
                        "nextStep",
                        &json!({ "filter": filter, "t": t1, "by": n }),
                    );
                    each(&t, "life", &json!({ "row": n }));
                    each(
                        &t,
                        "slowest",
                        &json!({ "filter": filter, "range": range, "stage": "q2c", "low": n, "high": t1 }),
                    );
                    each(
                        &t,
                        "requests",
                        &json!({ "filter": filter, "range": range, "sort": "lba", "descending": true, "offset": n, "limit": n }),
                    );
                    each(
                        &t,
                        "columns",
                        &json!({ "filter": filter, "range": range, "from": n, "limit": n }),
                    );
                    let grid = json!({ "filter": filter, "range": range, "stage": "q2c", "w": 3, "h": n.min(20.0), "low": 1e-9, "high": n });
                    each(&t, "latencyGrid", &grid);
                    let band = json!({ "lba0": t0, "lba1": t1, "y0": n, "y1": 1e9 });
                    let map = json!({ "filter": filter, "range": range, "bands": [band], "w": n.min(20.0), "h": 9, "layer": "op", "marks": 0 });
                    each(&t, "seekMap", &map);
                }
                for (percentile, row) in [
                    (json!(null), json!(null)),
                    (json!(0.99), json!(null)),
                    (json!(null), json!(u32::MAX)),
                ] {
                    each(
                        &t,
                        "tail",
                        &json!({ "filter": filter, "range": range, "percentile": percentile, "row": row }),
                    );
                }
                for kind in ["distribution", "stages", "facets"] {
                    each(
                        &t,
                        kind,
                        &json!({ "filter": filter, "range": range, "stage": "q2c" }),
                    );
                }
                for moment in ["queued", "issued", "completed"] {
                    each(
                        &t,
                        "sizes",
                        &json!({ "filter": filter, "range": range, "at": moment }),
                    );
                }
                let geometry = json!({ "level": "raid6", "unit": 3, "dataDisks": 2, "start": 1 });
                each(
                    &t,
                    "alignment",
                    &json!({ "filter": filter, "range": range, "geometry": geometry }),
                );
                each(
                    &t,
                    "summary",
                    &json!({ "range": range, "geometry": geometry }),
                );
            }
        }
    }
}

#[test]
fn the_largest_answer_is_bounded() {
    let t = IndexedTrace::new(TRACE);
    let got = t.query(
        "depth",
        json!({ "device": 0, "range": { "t0": 0, "t1": 20 }, "n": 1e12 }),
    );
    assert_eq!(got.list("mean").len(), 8192);
}

#[test]
fn errors_have_a_reason() {
    let t = IndexedTrace::new(TRACE);
    let range = json!({ "t0": 0, "t1": 20 });
    assert_eq!(t.error("guess", json!({})), "unknown query `guess`");
    assert_eq!(
        t.error("depth", json!({ "device": 7, "range": range, "n": 1 })),
        "device 7 does not exist"
    );
    assert_eq!(
        t.error("facets", json!({ "filter": { "device": 3 } })),
        "device 3 does not exist"
    );
    assert_eq!(
        t.error("life", json!({ "row": 2 })),
        "request 2 does not exist"
    );
    assert_eq!(
        t.error("life", json!({ "row": -1 })),
        "request -1 does not exist"
    );
    let hidden = json!({ "filter": { "device": 0, "hideOps": ["erase"] } });
    assert!(t.error("facets", hidden).starts_with(
        "invalid parameters: unknown variant `erase`, expected one of `read`, `write`, \
             `discard`, `flush`"
    ));
    let hidden = json!({ "filter": { "device": 0, "hideAlignment": ["full"] } });
    assert_eq!(
        t.error("facets", hidden),
        "hiding alignment classes requires a geometry"
    );
    let stage = json!({ "filter": { "device": 0 }, "range": range, "stage": "q2m" });
    assert!(
        t.error("distribution", stage)
            .starts_with("invalid parameters: unknown variant `q2m`, expected one of `q2c`")
    );
    let axis = json!({ "filter": { "device": 0 }, "range": range, "stage": "q2c", "w": 1, "h": 1, "low": 0, "high": 9 });
    assert_eq!(
        t.error("latencyGrid", axis),
        "a logarithmic axis requires 0 < low < high"
    );
    let geometry = |unit: f64| json!({ "geometry": { "level": "raid5", "unit": unit, "dataDisks": 4, "start": 0 } });
    assert_eq!(
        t.error("summary", geometry(0.0)),
        "unit is required and must not be 0"
    );
    assert!(
        t.error("summary", geometry(0.5))
            .starts_with("the stripe unit must be a whole number")
    );
    assert!(
        t.error("summary", geometry(-1.0))
            .starts_with("the stripe unit must be a whole number")
    );
    // NaN and infinity become null on their way through JSON.
    assert!(
        t.error(
            "depth",
            json!({ "device": 0, "range": { "t0": null, "t1": 1 }, "n": 1 })
        )
        .starts_with("invalid parameters: ")
    );
    assert!(
        t.error("depth", json!("not an object"))
            .starts_with("invalid parameters: ")
    );
}

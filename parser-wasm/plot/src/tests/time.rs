//! Depth, starvation, rates, latencies over time.

use super::*;

/// d: 0 until 20, 1 until 30, 2 until 40, 1 until 60, 0 until 80, 1 until 100. w: 1 from 0, 2 from
/// 10, 1 from 20, 0 from 30, 1 from 50 (starved from 60), 0 from 80.
const TRACE: &str = "0 Q 0+8 R
    10 Q 8+8
    20 D 0+8 R
    30 D 8+8
    40 C 0+8 R
    50 Q 16+8 D
    60 C 8+8
    80 D 16+8 D
    100 C 16+8 D";

#[test]
fn depth_is_weighted_by_time() {
    let t = IndexedTrace::new(TRACE);
    let got = t.query(
        "depth",
        json!({ "device": 0, "range": { "t0": 0, "t1": 100 }, "n": 4 }),
    );
    // Bins of 25 ns: 20 at 0, 5 at 1; 5 at 1, 10 at 2, 10 at 1; 10 at 1, 15 at 0; 5 at 0, 20 at 1.
    assert_eq!(
        got.list("mean"),
        [5.0 / 25.0, 35.0 / 25.0, 10.0 / 25.0, 20.0 / 25.0]
    );
    assert_eq!(got.list("min"), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(got.list("max"), [1.0, 2.0, 1.0, 1.0]);
    // Waiting: 10 at 1, 10 at 2, 5 at 1; 5 at 1; 25 at 1; 5 at 1.
    assert_eq!(
        got.list("waitMean"),
        [35.0 / 25.0, 5.0 / 25.0, 25.0 / 25.0, 5.0 / 25.0]
    );
    assert_eq!(got.list("waitMax"), [2.0, 1.0, 1.0, 1.0]);
    assert_eq!(
        got.list("starved"),
        [20.0 / 25.0, 0.0, 15.0 / 25.0, 5.0 / 25.0]
    );
}

#[test]
fn depth_is_exact_inside_and_outside_of_the_trace() {
    let t = IndexedTrace::new(TRACE);
    let got = t.query(
        "depth",
        json!({ "device": 0, "range": { "t0": 33, "t1": 34 }, "n": 4 }),
    );
    assert_eq!(got.list("mean"), [2.0; 4]);
    let got = t.query(
        "depth",
        json!({ "device": 0, "range": { "t0": 24.5, "t1": 35.5 }, "n": 1 }),
    );
    assert_eq!(got.list("mean"), [(5.5 + 2.0 * 5.5) / 11.0]);
    // Bins of 40 ns: the first reaches from before the trace, the last ends after it.
    let got = t.query(
        "depth",
        json!({ "device": 0, "range": { "t0": -20, "t1": 140 }, "n": 4 }),
    );
    assert_eq!(got.list("mean"), [0.0, 50.0 / 40.0, 20.0 / 40.0, 0.0]);
    let got = t.query(
        "depth",
        json!({ "device": 0, "range": { "t0": 90, "t1": 110 }, "n": 1 }),
    );
    assert_eq!(got.list("mean"), [1.0]);
}

#[test]
fn depth_adds_up_at_any_zoom() {
    let t = IndexedTrace::new(&random_trace(3000, 7));
    let span = t.store.span();
    let area = |t0: f64, t1: f64, n: usize| {
        let got = t.query(
            "depth",
            json!({ "device": 0, "range": { "t0": t0, "t1": t1 }, "n": n }),
        );
        let width = (t1 - t0) / n as f64;
        let sum = |name: &str| got.list(name).iter().sum::<f64>() * width;
        [sum("mean"), sum("waitMean"), sum("starved")]
    };
    let whole = area(0.0, span as f64, 1);
    for n in [2, 7, 1000, 8192] {
        let parts = area(0.0, span as f64, n);
        for (whole, parts) in whole.iter().zip(parts) {
            assert!(
                (whole - parts).abs() <= whole * 1e-9,
                "{n}: {whole} {parts}"
            );
        }
    }
    let middle = span as f64 / 3.1;
    let (left, right) = (area(0.0, middle, 5), area(middle, span as f64, 3));
    assert!((left[0] + right[0] - whole[0]).abs() <= whole[0] * 1e-9);
    // Bins of 1 ns equal a walk over all requests.
    let got = t.query(
        "depth",
        json!({ "device": 0, "range": { "t0": 50_000, "t1": 50_400 }, "n": 400 }),
    );
    let requests = &t.store.requests;
    for (i, mean) in got.list("mean").into_iter().enumerate() {
        let time = 50_000 + i as u64;
        // Those that never complete were given up before.
        let open = |row: usize| {
            requests
                .row(row)
                .completed()
                .map_or(!requests.row(row).is_momentary(), |c| c > time)
        };
        let alive = |row: &usize| requests.row(*row).start() <= time && open(*row);
        assert_eq!(
            mean,
            (0..requests.len()).filter(alive).count() as f64,
            "{time}"
        );
    }
}

#[test]
fn starved_intervals() {
    let t = IndexedTrace::new(TRACE);
    let query = |t0: f64, t1: f64, limit: usize| {
        let got = t.query(
            "starved",
            json!({ "device": 0, "range": { "t0": t0, "t1": t1 }, "most": limit }),
        );
        (
            got.list("intervals"),
            got.property("exact") == &AnswerValue::Json(json!(true)),
        )
    };
    assert_eq!(query(0.0, 100.0, 10), (vec![0.0, 20.0, 60.0, 80.0], true));
    assert_eq!(query(0.0, 100.0, 2), (vec![0.0, 20.0, 60.0, 80.0], true));
    assert_eq!(query(0.0, 100.0, 1), (vec![0.0, 20.0], false));
    assert_eq!(query(5.5, 70.0, 10), (vec![5.5, 20.0, 60.0, 70.0], true));
    assert_eq!(query(20.0, 60.0, 10), (vec![], true));
    assert_eq!(query(70.0, 10.0, 10), (vec![], true));
}

#[test]
fn rates_go_by_completion() {
    let t = IndexedTrace::new(TRACE);
    let range = json!({ "t0": 0, "t1": 100 });
    let got = t.query(
        "rate",
        json!({ "filter": { "device": 0 }, "range": range, "n": 5 }),
    );
    // C at 40, 60 and 100: bins 2, 3, and the last, which includes the trace's end.
    assert_eq!(got.list("readBytes"), [0.0, 0.0, 4096.0, 0.0, 0.0]);
    assert_eq!(got.list("writeIos"), [0.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(got.list("discardBytes"), [0.0, 0.0, 0.0, 0.0, 4096.0]);
    let got = t.query("rate", json!({ "filter": { "device": 0, "hideOps": ["read"] }, "range": { "t0": 35, "t1": 60 }, "n": 1 }));
    assert_eq!((got.number("readIos"), got.number("writeIos")), (0.0, 0.0));
}

#[test]
fn a_bio_without_requests_has_a_rate_but_no_depth() {
    let t = IndexedTrace::new("0 Q 0+8\n10 Q 8+8\n30 C 0+8\n90 C 8+8");
    let range = json!({ "t0": 0, "t1": 90 });
    let got = t.query(
        "rate",
        json!({ "filter": { "device": 0 }, "range": range, "n": 1 }),
    );
    assert_eq!(
        (got.number("writeIos"), got.number("writeBytes")),
        (2.0, 8192.0)
    );
    assert_eq!(
        t.error("depth", json!({ "device": 0, "range": range, "n": 4 })),
        "8,0 issues no requests, so it has no queue depth"
    );
}

#[test]
fn latency_grid_is_logarithmic() {
    let t = IndexedTrace::new(
        "0 Q 0+8\n0 D 0+8\n10 C 0+8\n20 Q 8+8\n20 D 8+8\n120 C 8+8\n150 Q 16+8\n160 D 16+8",
    );
    let query = |stage: &str, low: f64, high: f64| {
        let got = t.query(
            "latencyGrid",
            json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": 200 }, "stage": stage, "w": 2, "h": 3, "low": low, "high": high }),
        );
        (got.number("n"), got.list("counts"), got.number("max"))
    };
    // 10 ns on the bottom decade, 100 on the middle one; the third has no C.
    assert_eq!(
        query("d2c", 10.0, 10_000.0),
        (2.0, vec![0.0, 1.0, 1.0, 0.0, 0.0, 0.0], 1.0)
    );
    // Beyond either end: the edge rows.
    assert_eq!(query("d2c", 20.0, 40.0).1, [1.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(query("q2d", 1.0, 1000.0).1, [0.0, 0.0, 2.0, 0.0, 1.0, 0.0]);
}

#[test]
fn latency_grid_counts_every_request_once() {
    let t = IndexedTrace::new(&random_trace(2000, 3));
    let (span, requests) = (t.store.span(), &t.store.requests);
    for h in [1, 7, 130, 8192] {
        let query = json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": span }, "stage": "d2c", "w": 100, "h": h, "low": 3, "high": 700 });
        let got = t.query("latencyGrid", query);
        let counts = got.list("counts");
        let completed = (0..requests.len())
            .filter(|&row| requests.row(row).d2c().is_some())
            .count() as f64;
        assert_eq!(
            (counts.iter().sum::<f64>(), got.number("n")),
            (completed, completed)
        );
        let edge = |k: usize| 3.0 * (700.0f64 / 3.0).powf(k as f64 / h as f64);
        let row = h / 2;
        let inside = |row_ns: f64| row_ns >= edge(h - 1 - row) && row_ns < edge(h - row) || h == 1;
        let expected = (0..requests.len())
            .filter_map(|r| requests.row(r).d2c())
            .filter(|&ns| inside(ns as f64))
            .count() as f64;
        assert_eq!(
            counts.chunks(h).map(|column| column[row]).sum::<f64>(),
            expected,
            "{h}"
        );
    }
}

#[test]
fn distribution_of_a_hundred() {
    let text: String = (0..100u64)
        .map(|i| {
            format!(
                "{0} Q {1}+8\n{0} D {1}+8\n{2} C {1}+8\n",
                i * 1000,
                i * 8,
                i * 1000 + i + 1
            )
        })
        .collect();
    let t = IndexedTrace::new(&text);
    let got = t.query(
        "distribution",
        json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": 1e9 }, "stage": "d2c" }),
    );
    let figures = [
        "n", "min", "mean", "max", "p50", "p90", "p95", "p99", "p999",
    ]
    .map(|name| got.number(name));
    assert_eq!(
        figures,
        [100.0, 1.0, 50.5, 100.0, 50.0, 90.0, 95.0, 99.0, 100.0]
    );
    let (p, ns) = (got.list("p"), got.list("ns"));
    assert!(p.is_sorted() && ns.is_sorted() && p.first() == Some(&0.0) && p.last() == Some(&1.0));
    assert_eq!((ns[0], ns[50], ns[ns.len() - 1]), (1.0, 50.0, 100.0));
    let (edges, counts) = (got.list("edges"), got.list("counts"));
    assert_eq!(
        (edges[0], counts.iter().sum::<f64>(), counts.last()),
        (1.0, 100.0, Some(&0.0))
    );
    for (w, count) in edges.windows(2).zip(&counts) {
        assert_eq!(
            *count,
            (1..=100)
                .filter(|&ns| f64::from(ns) >= w[0] && f64::from(ns) < w[1])
                .count() as f64,
            "{w:?}"
        );
    }
    let none = t.query(
        "distribution",
        json!({ "filter": { "device": 0 }, "range": { "t0": 5e9, "t1": 6e9 }, "stage": "d2c" }),
    );
    assert_eq!(
        (
            none.number("n"),
            none.list("edges").len(),
            none.list("p").len()
        ),
        (0.0, 0, 0)
    );
    assert!(none.number("mean").is_nan());
}

/// The band of a percentile by the interval of the comparison, which has its own way to the same
/// shares.
#[test]
fn a_percentile_curve_has_the_interval_of_each_point() {
    // 2,000 requests; every tenth 100 of them are slow together.
    let ns = |i: u64| 100 + i * 7919 % 500 + if i / 100 % 10 == 3 { 5_000 } else { 0 };
    let text: String = (0..2000u64)
        .map(|i| {
            format!(
                "{0} Q {1}+8\n{0} D {1}+8\n{2} C {1}+8\n",
                i * 10_000,
                i * 8,
                i * 10_000 + ns(i)
            )
        })
        .collect();
    let t = IndexedTrace::new(&text);
    let got = t.query(
        "distribution",
        json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": 1e12 }, "stage": "d2c" }),
    );
    let (p, value, low, high) = (
        got.list("p"),
        got.list("ns"),
        got.list("low"),
        got.list("high"),
    );
    assert_eq!((low.len(), high.len()), (p.len(), p.len()));
    for i in 1..p.len() {
        assert!(
            low[i].is_nan() || low[i] <= value[i] && (high[i].is_nan() || high[i] >= value[i]),
            "p{}",
            p[i]
        );
    }
    let point = |share: f64| p.iter().position(|p| (p - share).abs() < 1e-9).unwrap();
    // Whether p90 is among the slow ones is up to two bursts; the median depends on them hardly.
    let open = |end: f64| if end.is_nan() { f64::INFINITY } else { end };
    assert!(
        open(high[point(0.9)]) > 5_000.0 && low[point(0.9)] < 600.0,
        "{} {}",
        low[point(0.9)],
        high[point(0.9)]
    );
    assert!(
        high[point(0.5)] < 450.0 && low[point(0.5)] > 250.0,
        "{} {}",
        low[point(0.5)],
        high[point(0.5)]
    );
    // 2,000 requests have no p99.99.
    assert!(low[point(0.9999)].is_nan() && high[point(0.9999)].is_nan());
    let few = t.query(
        "distribution",
        json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": 50_000 }, "stage": "d2c" }),
    );
    assert!(few.list("low")[point(0.5)..].iter().all(|end| end.is_nan()));
}

#[test]
fn stages_have_mean_and_median() {
    let t = IndexedTrace::new(
        "0 Q 0+8\n1 G 0+8\n3 I 0+8\n10 D 0+8\n40 C 0+8\n50 Q 8+8\n52 D 8+8\n62 C 8+8",
    );
    let got = t
        .query(
            "stages",
            json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": 62 } }),
        )
        .json();
    assert_eq!(
        got,
        json!({ "stages": [
            { "stage": "q2c", "n": 2, "mean": 26.0, "median": 12 },
            { "stage": "d2c", "n": 2, "mean": 20.0, "median": 10 },
            { "stage": "q2d", "n": 2, "mean": 6.0, "median": 2 },
            { "stage": "q2g", "n": 1, "mean": 1.0, "median": 1 },
            { "stage": "g2i", "n": 1, "mean": 2.0, "median": 2 },
            { "stage": "i2d", "n": 1, "mean": 7.0, "median": 7 },
            { "stage": "g2d", "n": 1, "mean": 9.0, "median": 9 },
        ] })
    );
}

#[test]
fn blocks_give_the_same_as_walking() {
    let text: String = (0..40_000u64)
        .map(|i| -> String {
            let (t, pause) = (i * 10 + i / 1000 * 5000, i % 7);
            let each = |dev: u8| {
                [(t, 'Q'), (t + pause, 'D'), (t + 3 + pause, 'C')]
                    .map(|(t, a)| format!("{t} {a} {i}+1 dev={dev}\n"))
            };
            // The second disk is seldom used.
            if i % 40 == 5 {
                each(0)
                    .into_iter()
                    .zip(each(1))
                    .map(|(a, b)| a + &b)
                    .collect()
            } else {
                each(0).concat()
            }
        })
        .collect();
    let t = IndexedTrace::new(&text);
    let span = t.store.span() as f64;
    let view = View {
        store: &t.store,
        index: &t.index,
    };
    assert!(view.depth_blocks().is_some_and(|p| p.memory() > 0));
    let ranges = [
        (0.0, span, 1),
        (0.0, span, 7),
        (-9.0, span + 9.0, 1600),
        (777.7, span / 2.0, 31),
        (50_003.0, 50_017.0, 14),
    ];
    for (device, (t0, t1, n)) in [0, 1]
        .into_iter()
        .flat_map(|device| ranges.map(|range| (device, range)))
    {
        let query = json!({ "device": device, "range": { "t0": t0, "t1": t1 }, "n": n, "most": n });
        let (fast, slow) = (
            t.query("depth", query.clone()),
            t.query_while_reading("depth", query.clone()),
        );
        for name in ["mean", "min", "max", "waitMean", "waitMax", "starved"] {
            for (i, (a, b)) in fast.list(name).into_iter().zip(slow.list(name)).enumerate() {
                assert!((a - b).abs() < 1e-9, "{name} {i} of {n}: {a} {b}");
            }
        }
        assert_eq!(
            t.query("starved", query.clone()).json(),
            t.query_while_reading("starved", query).json()
        );
    }
}

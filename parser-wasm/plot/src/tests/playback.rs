//! Playback: the state at moments, and the steps from event to event.

use super::*;

/// One read, two writes, and a write that never completes.
const TRACE: &str = "0 Q 0+8 R
    10 Q 8+8
    20 D 0+8 R
    30 D 8+8
    40 C 0+8 R
    50 Q 16+16
    60 C 8+8
    80 D 16+16
    90 D 99+8
    100 C 16+16";

fn ask(first: f64, step: f64, n: usize) -> Json {
    json!({ "filter": { "device": 0 }, "at": first, "step": step, "n": n, "window": 30, "layer": "op", "most": 100 })
}

#[test]
fn a_moment_includes_what_happens_at_it() {
    let t = IndexedTrace::new(TRACE);
    for got in [
        t.query("playback", ask(0.0, 20.0, 6)),
        t.query_while_reading("playback", ask(0.0, 20.0, 6)),
    ] {
        assert_eq!(got.number("moments"), 6.0);
        assert_eq!(got.list("inFlight"), [0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
        assert_eq!(got.list("waiting"), [1.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(got.list("ios"), [0.0, 0.0, 1.0, 2.0, 2.0, 3.0]);
        assert_eq!(
            got.list("bytes"),
            [0.0, 0.0, 4096.0, 8192.0, 8192.0, 16_384.0]
        );
        // The last 30 ns: after 10 up to 40, after 30 up to 60, ...
        assert_eq!(got.list("windowIos"), [0.0, 0.0, 1.0, 2.0, 1.0, 1.0]);
        assert_eq!(
            got.list("windowBytes"),
            [0.0, 0.0, 4096.0, 8192.0, 4096.0, 8192.0]
        );
        // Starved from 0 to 20 and from 60 to 80.
        assert_eq!(got.list("starved"), [0.0, 20.0, 20.0, 20.0, 40.0, 40.0]);
        assert_eq!(
            (got.number("totalIos"), got.number("totalBytes")),
            (3.0, 16_384.0)
        );
        // In flight at one of the moments: the first at 20, the second at 40, the third at 80, the
        // last to the end.
        assert_eq!(got.list("lba"), [0.0, 8.0, 16.0, 99.0]);
        assert_eq!(got.list("issued"), [20.0, 30.0, 80.0, 90.0]);
    }
}

#[test]
fn before_the_trace_nothing_has_happened() {
    let t = IndexedTrace::new(TRACE);
    let got = t.query("playback", ask(-40.5, 20.0, 3));
    // The moments are at -41, -21 and -1.
    for list in [
        "inFlight",
        "waiting",
        "ios",
        "bytes",
        "windowIos",
        "starved",
        "lba",
    ] {
        assert!(got.list(list).iter().all(|&value| value == 0.0), "{list}");
    }
    assert_eq!(
        t.query("playback", ask(1e300, 1e300, 2)).list("ios"),
        [3.0, 3.0]
    );
}

#[test]
fn fewer_moments_where_many_requests_are_in_flight() {
    let t = IndexedTrace::new(&random_trace(500, 3));
    let with = |most: usize| {
        let mut query = ask(1000.0, 500.0, 64);
        query["most"] = json!(most);
        t.query("playback", query)
    };
    let all = with(10_000);
    assert_eq!(
        (all.number("moments"), &all.property("exact")),
        (64.0, &&AnswerValue::Json(json!(true)))
    );
    let some = with(20);
    let moments = some.number("moments") as usize;
    assert!(
        (1..64).contains(&moments) && some.list("row").len() <= 20,
        "{moments}"
    );
    assert_eq!(some.list("ios"), all.list("ios")[..moments]);
    assert_eq!(some.list("row"), all.list("row")[..some.list("row").len()]);
    let none = with(0);
    assert_eq!(
        (none.number("moments"), &none.property("exact")),
        (1.0, &&AnswerValue::Json(json!(false)))
    );
}

#[test]
fn figures_equal_those_of_the_charts() {
    let t = IndexedTrace::new(&random_trace(20_000, 11));
    let span = t.store.span();
    let sum = |filter: &Json, t0: f64, t1: f64| {
        let got = t.query(
            "rate",
            json!({ "filter": filter, "range": { "t0": t0, "t1": t1 }, "n": 1 }),
        );
        [
            got.number("readIos") + got.number("writeIos"),
            got.number("readBytes") + got.number("writeBytes"),
        ]
    };
    let filters = [
        json!({ "device": 0 }),
        json!({ "device": 0, "hideOps": ["read"] }),
        json!({ "device": 0, "hideProcesses": [2] }),
        json!({ "device": 0, "latency": [0, 600] }),
        json!({ "device": 0, "lba": [1000, 30_000_000] }),
    ];
    let mut dice = DrawnRandom(5);
    for filter in &filters {
        let (first, step, window) = (
            dice.below(span) as f64,
            1.0 + dice.below(9000) as f64,
            1.0 + dice.below(50_000) as f64,
        );
        let query = json!({ "filter": filter, "at": first, "step": step, "n": 40, "window": window, "layer": "density", "most": 9000 });
        let got = t.query("playback", query.clone());
        assert_eq!(got.0, t.query("playback", query).0, "from the kept sums");
        for k in 0..got.number("moments") as usize {
            let moment = first + step * k as f64;
            let [ios, bytes] = sum(filter, 0.0, moment + 1.0);
            assert_eq!(
                (got.list("ios")[k], got.list("bytes")[k]),
                (ios, bytes),
                "{filter} {moment}"
            );
            let [ios, bytes] = sum(filter, moment - window + 1.0, moment + 1.0);
            assert_eq!(
                (got.list("windowIos")[k], got.list("windowBytes")[k]),
                (ios, bytes),
                "{filter} {moment} {window}"
            );
            if moment >= span as f64 {
                continue;
            }
            let depth = |t0: f64, t1: f64| {
                t.query(
                    "depth",
                    json!({ "device": 0, "range": { "t0": t0, "t1": t1 }, "n": 1 }),
                )
            };
            let now = depth(moment, moment + 1.0);
            assert_eq!(
                (got.list("inFlight")[k], got.list("waiting")[k]),
                (now.number("mean"), now.number("waitMean")),
                "{moment}"
            );
            let starved = depth(0.0, moment).number("starved") * moment;
            assert!(
                (got.list("starved")[k] - starved).abs() < 1.0,
                "{moment}: {} {starved}",
                got.list("starved")[k]
            );
        }
    }
}

#[test]
fn the_requests_listed_are_those_in_flight_at_a_moment() {
    let t = IndexedTrace::new(&random_trace(3000, 5));
    let mut query = ask(50_000.0, 333.0, 50);
    query["most"] = json!(10_000);
    let got = t.query("playback", query);
    let moments: Vec<u64> = (0..50).map(|k| 50_000 + 333 * k).collect();
    let rows = &t.store.requests;
    let in_flight = |row: &usize| {
        let unknown = if rows.row(*row).kind().momentary {
            rows.row(*row).start()
        } else {
            u64::MAX
        };
        let completed = rows.row(*row).completed().unwrap_or(unknown);
        moments
            .iter()
            .any(|now| (rows.row(*row).start()..completed).contains(now))
    };
    let expected: Vec<f64> = (0..rows.len())
        .filter(in_flight)
        .map(|row| row as f64)
        .collect();
    assert!(expected.len() > 60);
    assert_eq!(got.list("row"), expected);
}

#[test]
fn steps_go_from_event_to_event() {
    let t = IndexedTrace::new(TRACE);
    let step = |from: f64, direction: f64| {
        t.query(
            "nextStep",
            json!({ "filter": { "device": 0 }, "t": from, "by": direction }),
        )
        .json()
    };
    let times = |mut from: f64, direction: f64| {
        let mut found = Vec::new();
        while let Some(t) = step(from, direction)["t"].as_f64() {
            found.push(t);
            from = t;
        }
        found
    };
    assert_eq!(
        times(-1e9, 1.0),
        [20.0, 30.0, 40.0, 60.0, 80.0, 90.0, 100.0]
    );
    assert_eq!(
        times(1e18, -1.0),
        [100.0, 90.0, 80.0, 60.0, 40.0, 30.0, 20.0]
    );
    assert_eq!(
        step(30.5, 1.0),
        json!({ "t": 40, "begun": 0, "completed": 1 })
    );
    assert_eq!(
        step(30.5, -1.0),
        json!({ "t": 20, "begun": 1, "completed": 0 })
    );
    assert_eq!(step(100.0, 1.0), json!({}));
    let reads = t
        .query(
            "nextStep",
            json!({ "filter": { "device": 0, "hideOps": ["write"] }, "t": 20, "by": 1 }),
        )
        .json();
    assert_eq!(reads["t"], 40);
    // Far apart, and of one process only.
    let far = IndexedTrace::new(
        "0 D 0+8 pid=1\n5 D 8+8 pid=2\n90000000000 C 8+8 pid=2\n90000000007 C 0+8 pid=1",
    );
    let next = |hidden: u32, from: f64, direction: f64| {
        far.query(
            "nextStep",
            json!({ "filter": { "device": 0, "hideProcesses": [hidden] }, "t": from, "by": direction }),
        )
        .json()["t"]
            .clone()
    };
    assert_eq!(
        (
            next(1, 0.0, 1.0),
            next(0, 5.0, 1.0),
            next(1, 90_000_000_000.0, -1.0)
        ),
        (
            json!(90_000_000_007u64),
            json!(90_000_000_000u64),
            json!(90_000_000_000u64 - 90_000_000_000)
        )
    );
}

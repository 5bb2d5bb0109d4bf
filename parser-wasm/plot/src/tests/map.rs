//! Seek map, bands, hit.

use super::*;

fn map_ask(range: (f64, f64), h: usize, layer: &str, marks: usize) -> Json {
    json!({
        "filter": { "device": 0 }, "range": { "t0": range.0, "t1": range.1 },
        "bands": [{ "lba0": 0, "lba1": 80, "y0": 0, "y1": h }],
        "w": 4, "h": h, "layer": layer, "marks": marks,
    })
}

const TRACE: &str = "0 Q 0+8 R
    5 D 0+8 R
    10 Q 72+8
    25 D 72+8
    30 C 0+8 R
    40 Q 8+32 WS pid=2
    50 D 8+32 WS pid=2
    60 C 72+8
    70 C 8+32 WS pid=2
    75 Q - F
    80 D - F
    100 C - F";

#[test]
fn few_requests_are_marks() {
    let got = IndexedTrace::new(TRACE).query("seekMap", map_ask((0.0, 100.0), 10, "op", 10));
    assert_eq!((got.word("kind"), got.number("n")), ("marks", 4.0));
    assert_eq!(got.list("row"), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(got.list("issued"), [5.0, 25.0, 50.0, 80.0]);
    assert_eq!(got.list("completed"), [30.0, 60.0, 70.0, 100.0]);
    assert_eq!(got.list("sectors"), [8.0, 8.0, 32.0, 0.0]);
    assert_eq!(got.list("op"), [0.0, 1.0, 1.0, 3.0]);
    let lba = got.list("lba");
    assert_eq!(lba[..3], [0.0, 72.0, 8.0]);
    assert!(lba[3].is_nan(), "a flush has no place");
}

#[test]
fn marks_are_requests_in_flight() {
    let t = IndexedTrace::new(TRACE);
    let rows = |t0: f64, t1: f64| {
        t.query("seekMap", map_ask((t0, t1), 10, "density", 10))
            .list("row")
    };
    assert_eq!(
        rows(26.0, 28.0),
        [0.0, 1.0],
        "issued before, not yet completed"
    );
    assert_eq!(rows(12.0, 14.0), [0.0, 1.0], "held from Q to D");
    assert_eq!(rows(72.0, 74.0), [] as [f64; 0]);
    for range in [(0.0, 100.0), (26.0, 28.0), (72.0, 74.0)] {
        let query = map_ask(range, 10, "density", 10);
        assert_eq!(
            t.query("seekMap", query.clone()).list("row"),
            t.query_while_reading("seekMap", query).list("row")
        );
    }
    // Out of the bands: only the flush, which has no place, is left.
    let mut query = map_ask((0.0, 100.0), 10, "density", 10);
    query["bands"] = json!([{ "lba0": 1000, "lba1": 2000, "y0": 0, "y1": 10 }]);
    assert_eq!(t.query("seekMap", query).list("row"), [3.0]);
}

#[test]
fn many_requests_are_a_grid() {
    let got = IndexedTrace::new(TRACE).query("seekMap", map_ask((0.0, 100.0), 10, "op", 0));
    assert_eq!(
        (
            got.word("kind"),
            got.number("n"),
            got.number("w"),
            got.number("h")
        ),
        ("grid", 3.0, 4.0, 10.0)
    );
    let counts = got.list("counts");
    // Columns of 25 ns, rows of 8 sectors, high LBA on top. D at 5: sector 0, bottom row. D at 25:
    // sector 72, top row.
    assert_eq!(
        counts[..10],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    );
    assert_eq!(
        counts[10..20],
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    );
    // D at 50: sectors 8 to 40 touch four rows.
    assert_eq!(
        counts[20..30],
        [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0]
    );
    assert_eq!(counts[30..], [0.0; 10]);
    let cls = got.list("cls");
    assert_eq!((cls[9], cls[10], cls[26]), (0.0, 1.0, 1.0));
}

#[test]
fn bands_share_the_rows() {
    let mut query = map_ask((0.0, 100.0), 10, "density", 0);
    query["bands"] = json!([{ "lba0": 72, "lba1": 80, "y0": 0, "y1": 4 }, { "lba0": 0, "lba1": 8, "y0": 6, "y1": 10 }]);
    let got = IndexedTrace::new(TRACE).query("seekMap", query);
    assert_eq!(got.number("n"), 2.0);
    let counts = got.list("counts");
    assert_eq!(
        counts[..10],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]
    );
    assert_eq!(
        counts[10..20],
        [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    );
}

#[test]
fn a_cell_shows_its_most_frequent_class() {
    let t = IndexedTrace::new("0 D 0+8 R\n1 D 0+8 W\n2 D 0+8 W\n3 D 0+8 D\n100 C 0+8 R");
    let got = t.query("seekMap", map_ask((0.0, 100.0), 1, "op", 0));
    assert_eq!(
        (got.list("counts")[0], got.list("cls")[0], got.number("max")),
        (4.0, 1.0, 4.0)
    );
    let mut query = map_ask((0.0, 100.0), 1, "op", 0);
    query["filter"]["hideOps"] = json!(["write"]);
    let got = t.query("seekMap", query);
    assert_eq!((got.list("counts")[0], got.list("cls")[0]), (2.0, 0.0));
}

#[test]
fn layers() {
    let t = IndexedTrace::new(
        "0 Q 0+8 R pid=3
         0 D 0+8 R pid=3
         10 D 16+9 WS pid=4
         20 D 32+3000 WFS pid=5
         30 D - FN
         40 C 16+9 WS
         200010 C 0+8 R",
    );
    let classes = |layer: &str, more: (&str, Json)| {
        let mut query = map_ask((0.0, 1e9), 10, layer, 10);
        query["bands"][0]["lba1"] = json!(10_000);
        query[more.0] = more.1;
        t.query("seekMap", query).list("cls")
    };
    let none = || ("slots", Json::Null);
    assert_eq!(classes("density", none()), [0.0; 4]);
    assert_eq!(classes("op", none()), [0.0, 1.0, 1.0, 3.0]);
    assert_eq!(classes("size", none()), [0.0, 1.0, 5.0, 0.0]);
    assert_eq!(
        classes("latency", none()),
        [1.0, 0.0, 5.0, 5.0],
        "never completed counts as longest"
    );
    assert_eq!(classes("sync", none()), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(
        classes("process", ("slots", json!([2, 0, 77]))),
        [2.0, 0.0, 5.0, 5.0]
    );
    let geometry = json!({ "device": 0, "geometry": { "level": "raid0", "unit": 8, "dataDisks": 2, "start": 0 } });
    assert_eq!(
        classes("alignment", ("filter", geometry)),
        [1.0, 3.0, 1.0, 255.0]
    );
}

#[test]
fn grid_counts_add_up() {
    let t = IndexedTrace::new(&random_trace(4000, 11));
    let span = t.store.span() as f64;
    let requests = &t.store.requests;
    let top = (0..requests.len())
        .map(|row| requests.row(row).sector() + requests.row(row).sectors())
        .max()
        .unwrap();
    for (t0, t1, w, h, layer) in [
        (0.0, span, 1600, 600, "density"),
        (0.0, span, 33, 1, "op"),
        (1000.0, span / 2.0, 7, 90, "size"),
        (span / 3.0, span, 8192, 50, "sync"),
    ] {
        let query = |h: usize| {
            let query = json!({
                "filter": { "device": 0 }, "range": { "t0": t0, "t1": t1 }, "bands": [{ "lba0": 0, "lba1": top, "y0": 0, "y1": h }],
                "w": w, "h": h, "layer": layer, "marks": 0,
            });
            t.query("seekMap", query)
        };
        let inside = |row: &usize| {
            let start = requests.row(*row).start() as f64;
            start >= t0 && (start < t1 || t1 == span)
        };
        let rows: Vec<usize> = (0..requests.len()).filter(inside).collect();
        // One pixel row: every request is in exactly one cell.
        let flat = query(1);
        assert_eq!(flat.list("counts").iter().sum::<f64>(), rows.len() as f64);
        assert_eq!(flat.number("n"), rows.len() as f64);
        // Many: in every row that it touches.
        let tall = query(h);
        let per_row = top as f64 / h as f64;
        let touched = |&row: &usize| {
            let (first, end) = (
                requests.row(row).sector() as f64,
                (requests.row(row).sector() + requests.row(row).sectors()) as f64,
            );
            (end / per_row).ceil() - (first / per_row).floor()
        };
        assert_eq!(
            tall.list("counts").iter().sum::<f64>(),
            rows.iter().map(touched).sum::<f64>()
        );
        assert_eq!(
            tall.list("counts").iter().copied().fold(0.0, f64::max),
            tall.number("max")
        );
    }
}

#[test]
fn bands_cover_all_requests() {
    let t =
        IndexedTrace::new("0 D 1000+8\n1 D 1008+8\n2 D 5000+16\n3 D 100000+1\n4 D - F\n9 C 1000+8");
    let query = |most: usize, share: f64, t0: f64| {
        let got = t.query(
            "bands",
            json!({ "filter": { "device": 0 }, "range": { "t0": t0, "t1": 9 }, "most": most, "gapShare": share }),
        );
        got.json()["bands"].clone()
    };
    assert_eq!(
        query(8, 0.01, 0.0),
        json!([[1000.0, 1016.0], [5000.0, 5016.0], [100_000.0, 100_001.0]])
    );
    assert_eq!(
        query(8, 0.1, 0.0),
        json!([[1000.0, 5016.0], [100_000.0, 100_001.0]])
    );
    assert_eq!(
        query(2, 0.01, 0.0),
        json!([[1000.0, 5016.0], [100_000.0, 100_001.0]]),
        "the widest gaps stay"
    );
    assert_eq!(query(1, 0.01, 0.0), json!([[1000.0, 100_001.0]]));
    assert_eq!(query(0, 0.01, 0.0), json!([]));
    assert_eq!(
        IndexedTrace::new("0 D - F\n9 C - F")
            .query("bands", json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": 9 }, "most": 8, "gapShare": 0.01 }))
            .json(),
        json!({ "bands": [] })
    );
}

#[test]
fn hit_prefers_marks_to_waiting_lines() {
    let t = IndexedTrace::new(TRACE);
    let hit = |time: f64, lba: f64, dt: f64, dlba: f64| {
        t.query(
            "hit",
            json!({ "filter": { "device": 0 }, "t": time, "lba": lba, "dt": dt, "dlba": dlba }),
        )
        .number("row")
    };
    assert_eq!(hit(10.0, 4.0, 1.0, 1.0), 0.0);
    assert_eq!(hit(40.0, 75.0, 1.0, 1.0), 1.0);
    assert_eq!(hit(15.0, 75.0, 1.0, 1.0), 1.0, "on the line from Q to D");
    assert_eq!(hit(45.0, 20.0, 1.0, 1.0), 2.0);
    assert_eq!(hit(95.0, 20.0, 1.0, 1.0), -1.0);
    assert_eq!(hit(71.0, 44.0, 2.0, 10.0), 2.0);
    assert_eq!(hit(71.0, 60.0, 2.0, 10.0), -1.0);
    // Between two marks the nearer one.
    assert_eq!(hit(28.0, 30.0, 5.0, 60.0), 0.0);
    assert_eq!(hit(28.0, 50.0, 5.0, 60.0), 1.0);
    let mut query = json!({ "filter": { "device": 0, "hideOps": ["read"] }, "t": 10, "lba": 4, "dt": 1, "dlba": 1 });
    assert_eq!(t.query("hit", query.clone()).number("row"), -1.0);
    query["filter"] = json!({ "device": 0, "hideOps": ["write"] });
    assert_eq!(t.query("hit", query).number("row"), 0.0);
}

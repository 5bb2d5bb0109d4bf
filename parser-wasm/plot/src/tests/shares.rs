//! Facets, filters, sizes, alignment, the table of requests, info.

use super::*;

const TRACE: &str = "0 Q 0+8 R pid=7 cpu=1
    1 D 0+8 R pid=9 cpu=0
    11 C 0+8 R
    20 Q 8+16 WS pid=8 cpu=2
    21 Q 24+8 WS pid=8 cpu=2
    22 M 24+8 WS pid=8 cpu=2
    30 D 8+24 WS pid=9
    130 C 8+24 WS
    140 Q 36+4 WFS pid=7 cpu=1
    150 D 36+4 WFS pid=7 cpu=1
    1150 C 36+4 WFS
    1160 D - FN
    1170 C - FN
    1180 Q 64+64 DM pid=8 cpu=2
    1190 D 64+64 DM pid=8";

fn filter(more: Json) -> Json {
    let mut filter = json!({ "device": 0 });
    more.as_object()
        .unwrap()
        .iter()
        .for_each(|(k, v)| filter[k] = v.clone());
    filter
}

/// Rows that a filter lets through, by way of the table.
fn rows(t: &IndexedTrace, more: Json) -> Vec<u64> {
    let query = json!({ "filter": filter(more), "range": { "t0": 0, "t1": 1190 }, "sort": "time", "descending": false, "offset": 0, "limit": 100 });
    let page = t.query("requests", query).json();
    assert_eq!(page["total"], page["rows"].as_array().unwrap().len());
    page["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["row"].as_u64().unwrap())
        .collect()
}

#[test]
fn filters() {
    let t = IndexedTrace::new(TRACE);
    assert_eq!(rows(&t, json!({})), [0, 1, 2, 3, 4]);
    assert_eq!(rows(&t, json!({ "hideOps": ["write", "flush"] })), [0, 4]);
    assert_eq!(rows(&t, json!({ "hideFlags": ["fua"] })), [0, 1, 3, 4]);
    assert_eq!(rows(&t, json!({ "hideFlags": ["sync", "meta"] })), [0, 3]);
    assert_eq!(
        rows(&t, json!({ "hideFlags": ["preflush"] })),
        [0, 1, 2, 3, 4],
        "a flush of its own is an op"
    );
    // Processes by order of appearance: 7, 9, 1, 8.
    assert_eq!(rows(&t, json!({ "hideProcesses": [0, 2] })), [1, 4]);
    assert_eq!(
        rows(&t, json!({ "hideProcesses": [4_000_000_000u64] })),
        [0, 1, 2, 3, 4]
    );
    assert_eq!(rows(&t, json!({ "hideCpus": [2, 0] })), [0, 2]);
    assert_eq!(rows(&t, json!({ "lba": [8, 36] })), [1]);
    assert_eq!(rows(&t, json!({ "lba": [39, 65] })), [2, 4]);
    assert_eq!(rows(&t, json!({ "sectors": [4, 8] })), [0, 2]);
    assert_eq!(
        rows(&t, json!({ "latency": [10, 11] })),
        [0, 3],
        "Q2C, and D2C where there is no Q"
    );
    assert_eq!(rows(&t, json!({ "latency": [0, 1e12] })), [0, 1, 2, 3]);
    let geometry = json!({ "level": "raid5", "unit": 8, "dataDisks": 2, "start": 0 });
    assert_eq!(
        rows(
            &t,
            json!({ "geometry": geometry, "hideAlignment": ["unit", "full"] })
        ),
        [2, 3]
    );
    assert_eq!(
        rows(
            &t,
            json!({ "geometry": geometry, "hideAlignment": ["inside"] })
        ),
        [0, 1, 3, 4]
    );
}

#[test]
fn facets_ignore_the_hide_lists() {
    let t = IndexedTrace::new(TRACE);
    let geometry = json!({ "level": "raid5", "unit": 8, "dataDisks": 2, "start": 0 });
    let query = json!({ "filter": filter(json!({ "hideOps": ["read"], "hideCpus": [1], "geometry": geometry })) });
    assert_eq!(
        t.query("facets", query).json(),
        json!({
            "ops": { "read": 1, "write": 2, "discard": 1, "flush": 1 },
            "flags": { "sync": 2, "fua": 1, "meta": 1, "ahead": 0, "preflush": 0, "passthrough": 0 },
            "cpus": [{ "cpu": 0, "n": 1 }, { "cpu": 1, "n": 2 }, { "cpu": 2, "n": 2 }],
            "processes": [{ "index": 0, "n": 2 }, { "index": 2, "n": 1 }, { "index": 3, "n": 2 }],
            "alignment": { "full": 1, "unit": 2, "inside": 1, "straddles": 0 },
            "misaligned4k": 1,
        })
    );
    let query = json!({ "filter": filter(json!({ "sectors": [8, 1000] })), "range": { "t0": 20, "t1": 1000 } });
    let some = t.query("facets", query).json();
    assert_eq!(
        (
            &some["ops"]["write"],
            &some["ops"]["read"],
            some.get("alignment")
        ),
        (&json!(1), &json!(0), None)
    );
}

#[test]
fn sizes_at_each_moment() {
    let t = IndexedTrace::new(TRACE);
    let query = |moment: &str, t0: f64, t1: f64, more: Json| {
        let got = t.query(
            "sizes",
            json!({ "filter": filter(more), "range": { "t0": t0, "t1": t1 }, "at": moment }),
        );
        let columns = ["reads", "writes", "discards"].map(|name| got.list(name));
        got.list("sectors")
            .into_iter()
            .enumerate()
            .map(|(i, s)| (s, [columns[0][i], columns[1][i], columns[2][i]]))
            .collect::<Vec<_>>()
    };
    let all = |moment| query(moment, 0.0, 1190.0, json!({}));
    assert_eq!(
        all("queued"),
        [
            (4.0, [0.0, 1.0, 0.0]),
            (8.0, [1.0, 1.0, 0.0]),
            (16.0, [0.0, 1.0, 0.0]),
            (64.0, [0.0, 0.0, 1.0])
        ]
    );
    assert_eq!(
        all("issued"),
        [
            (4.0, [0.0, 1.0, 0.0]),
            (8.0, [1.0, 0.0, 0.0]),
            (24.0, [0.0, 1.0, 0.0]),
            (64.0, [0.0, 0.0, 1.0])
        ]
    );
    assert_eq!(
        all("completed"),
        [
            (4.0, [0.0, 1.0, 0.0]),
            (8.0, [1.0, 0.0, 0.0]),
            (24.0, [0.0, 1.0, 0.0])
        ]
    );
    assert_eq!(
        query("completed", 12.0, 140.0, json!({})),
        [(24.0, [0.0, 1.0, 0.0])]
    );
    assert_eq!(
        query(
            "queued",
            0.0,
            100.0,
            json!({ "hideProcesses": [0], "lba": [0, 20] })
        ),
        [(16.0, [0.0, 1.0, 0.0])]
    );
    assert_eq!(
        query(
            "queued",
            0.0,
            100.0,
            json!({ "hideFlags": ["sync"], "sectors": [8, 8] })
        ),
        [(8.0, [1.0, 0.0, 0.0])]
    );
    let bios = IndexedTrace::new("0 Q 0+8\n1 C 0+8");
    let got = |moment: &str| {
        bios.query(
            "sizes",
            json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": 1 }, "at": moment }),
        )
        .list("sectors")
    };
    assert_eq!(
        (got("queued"), got("issued"), got("completed")),
        (vec![8.0], vec![], vec![8.0])
    );
}

#[test]
fn alignment_by_class_and_place() {
    let t = IndexedTrace::new(TRACE);
    let geometry = json!({ "level": "raid5", "unit": 8, "dataDisks": 2, "start": 0 });
    let got =
        t.query("alignment", json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": 1190 }, "geometry": geometry })).json();
    assert_eq!(got["geometry"], geometry);
    assert_eq!(got["n"], 4.0);
    assert_eq!(
        got["classes"]["full"],
        json!({ "requests": 1, "bytes": 64 * 512 })
    );
    assert_eq!(
        got["classes"]["unit"],
        json!({ "requests": 2, "bytes": 32 * 512 })
    );
    assert_eq!(
        got["classes"]["inside"],
        json!({ "requests": 1, "bytes": 4 * 512 })
    );
    assert_eq!(
        got["classes"]["straddles"],
        json!({ "requests": 0, "bytes": 0 })
    );
    assert_eq!(got["misaligned4k"], 1.0);
    let bins = |name: &str| {
        let list = got[name].as_array().unwrap();
        assert_eq!(list.len(), 64);
        list.iter()
            .enumerate()
            .filter(|(_, n)| n.as_f64() != Some(0.0))
            .map(|(i, n)| (i, n.as_f64().unwrap()))
            .collect::<Vec<_>>()
    };
    // A stripe of 16 sectors in 64 bins: sector 8 of the stripe is bin 32, sector 4 bin 16.
    assert_eq!(bins("startReads"), [(0, 1.0)]);
    assert_eq!(bins("startWrites"), [(16, 1.0), (32, 1.0)]);
    // Writes: [8, 32) covers half of stripe 0 and all of stripe 1; [36, 40) a part of stripe 2.
    assert_eq!(got["stripes"], json!({ "full": 1, "partial": 2 }));
    assert_eq!(got["rmw"]["writes"], 2);
}

#[test]
fn pages_of_the_table() {
    let t = IndexedTrace::new(TRACE);
    let page = |sort: &str, descending: bool, offset: usize, limit: usize| {
        let query = json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": 1190 }, "sort": sort, "descending": descending, "offset": offset, "limit": limit });
        let page = t.query("requests", query).json();
        assert_eq!(page["total"], 5);
        page["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["row"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(page("time", true, 0, 3), [4, 3, 2]);
    assert_eq!(page("time", false, 3, 9), [3, 4]);
    assert_eq!(
        page("latency", true, 0, 9),
        [2, 1, 0, 3, 4],
        "1010, 110, 11, 10, and the one without last"
    );
    assert_eq!(page("latency", false, 0, 9), [3, 0, 1, 2, 4]);
    assert_eq!(page("size", true, 1, 2), [1, 0]);
    assert_eq!(page("lba", false, 0, 2), [0, 1]);
    assert_eq!(
        (
            page("time", false, 5, 9),
            page("time", false, 99, 9),
            page("time", false, 0, 0)
        ),
        (vec![], vec![], vec![])
    );
    let query = json!({ "filter": { "device": 0 }, "range": { "t0": 0, "t1": 30 }, "sort": "time", "descending": false, "offset": 0, "limit": 9 });
    assert_eq!(
        t.query("requests", query).json(),
        json!({ "total": 1, "rows": [
            { "row": 0, "op": "read", "rwbs": "R", "sector": 0, "sectors": 8, "process": "pid 7", "queued": 0, "issued": 1, "completed": 11 },
        ] })
    );
}

#[test]
fn info_counts_what_there_is() {
    let t = IndexedTrace::new(TRACE);
    let info = t.info();
    assert_eq!(
        (
            &info["events"],
            &info["requests"],
            &info["span"],
            &info["complete"]
        ),
        (&json!(15), &json!(5), &json!(1190), &json!(true))
    );
    assert_eq!(info["cpus"], json!([0, 1, 2]));
    let device = &info["devices"][0];
    assert_eq!(
        (&device["dev"], &device["role"], &device["requests"]),
        (&json!("8,0"), &json!("disk"), &json!(5))
    );
    assert_eq!(
        (&device["lba"], &device["active"]),
        (&json!([0, 128]), &json!([0, 1170]))
    );
    assert_eq!(
        info["processes"][3],
        json!({ "index": 3, "pid": 8, "name": "pid 8", "queued": 3, "bytes": 88 * 512 })
    );
    assert_eq!(info.get("startedAt"), None);
}

#[test]
fn info_is_the_same_however_often_it_is_queried() {
    let whole = IndexedTrace::new(TRACE);
    let mut tally = InfoCounter::default();
    let lines: Vec<&str> = TRACE.lines().collect();
    for n in [3, 8, 15] {
        let mut part = store(&lines[..n].join("\n"));
        part.complete = false;
        tally.advance(&part);
        tally.advance(&part);
    }
    tally.advance(&whole.store);
    assert_eq!(
        AnswerReader(tally.info(&whole.store).into_answer()).json(),
        whole.info()
    );
}

#[test]
fn a_stacked_device_comes_before_its_members() {
    let t = IndexedTrace::new(
        "0 Q 0+8 W dev=9
         1 A 0+4 W dev=1 from=9:0
         1 A 4+4 W dev=1 from=9:4
         2 Q 0+8 W dev=1
         3 D 0+8 W dev=1
         4 C 0+8 W dev=1
         5 C 0+8 W dev=9
         6 Q 0+8 W dev=2
         7 Q 0+8 W dev=2
         8 D 0+8 W dev=2
         9 C 0+8 W dev=2
         10 D 8+8 W dev=2
         11 C 8+8 W dev=2",
    );
    let info = t.info();
    let order: Vec<_> = info["devices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| (d["dev"].as_str().unwrap(), d["index"].as_u64().unwrap()))
        .collect();
    assert_eq!(order, [("8,2", 2), ("8,9", 0), ("8,1", 1)]);
}

#[test]
fn columns_are_the_rows_of_the_table_page_by_page() {
    let t = IndexedTrace::new(TRACE);
    let page = t.query("columns", json!({ "from": 0, "limit": 2 }));
    assert_eq!(
        (page.list("row"), page.number("next")),
        (vec![0.0, 1.0], 2.0)
    );
    assert_eq!(
        (page.list("queued"), page.list("q2d"), page.list("d2c")),
        (vec![0.0, 20.0], vec![1.0, 10.0], vec![10.0, 100.0])
    );
    assert_eq!(
        (page.list("sector"), page.list("bytes"), page.list("bios")),
        (vec![0.0, 8.0], vec![4096.0, 24.0 * 512.0], vec![1.0, 2.0])
    );
    let rest = t.query("columns", json!({ "from": 2, "limit": 100 }));
    assert_eq!(
        (rest.list("row"), rest.number("next")),
        (vec![2.0, 3.0, 4.0], -1.0)
    );
    assert!(
        rest.list("queued")[1].is_nan() && rest.list("sector")[1].is_nan(),
        "a flush has no Q and no place"
    );
    assert!(
        rest.list("completed")[2].is_nan()
            && rest.list("completeCpu")[2].is_nan()
            && rest.list("q2c")[2].is_nan()
    );
    assert_eq!(
        rest.list("flags"),
        [0b11, 0, 0b100].map(f64::from),
        "sync and FUA; none; meta"
    );
    let names = rest.json()["names"].clone();
    assert_eq!(
        (&names["rwbs"], &names["op"][3]),
        (&json!(["WFS", "FN", "DM"]), &json!("flush"))
    );
}

#[test]
fn columns_of_a_filter_and_a_range() {
    let t = IndexedTrace::new(TRACE);
    let geometry = json!({ "level": "raid5", "unit": 8, "dataDisks": 2, "start": 0 });
    let writes = filter(json!({ "hideOps": ["read", "flush"], "geometry": geometry }));
    let page = t.query(
        "columns",
        json!({ "filter": writes, "range": { "t0": 30, "t1": 1190 }, "from": 0, "limit": 1 }),
    );
    assert_eq!(
        (
            page.list("row"),
            page.number("next"),
            page.list("alignment")
        ),
        (vec![1.0], 2.0, vec![2.0])
    );
    assert_eq!(
        t.query("columns", json!({ "from": 5, "limit": 9 }))
            .number("n"),
        0.0
    );
    assert_eq!(
        t.query("columns", json!({ "from": 0, "limit": 0 }))
            .number("next"),
        0.0
    );
    assert_eq!(
        t.error(
            "columns",
            json!({ "filter": { "device": 3 }, "from": 0, "limit": 1 })
        ),
        "device 3 does not exist"
    );
}

//! Marks of failed requests.

use super::*;

const TEXT: &str = "0 Q 0+8 R pid=1\n1 D 0+8 R\n2 C 0+8 R error=-5\n3 Q 800+8 W pid=2\n4 D 800+8 \
    W\n5 C 800+8 W error=-28\n6 D 16+8 R\n7 C 16+8 R\n8 Q 40+8 W pid=2\n9 C 40+8 W error=-11\n\
                    20 D - FN\n30 C - FN error=-5\n40 D 900+8 R\n50 C 900+8 R";

fn ask(filter: Json, t0: u64, t1: u64) -> Json {
    let band = json!({ "lba0": 0, "lba1": 1000, "y0": 0, "y1": 10 });
    json!({ "filter": filter, "range": { "t0": t0, "t1": t1 }, "bands": [band], "w": 50, "h": 10 })
}

#[test]
fn each_failed_completion_is_a_mark_where_it_ended() {
    let t = IndexedTrace::new(TEXT);
    let all = t.query("failures", ask(json!({ "device": 0 }), 0, 50));
    assert_eq!(all.list("at"), [2.0, 5.0, 9.0, 30.0]);
    assert_eq!(all.list("errno"), [5.0, 28.0, 11.0, 5.0]);
    assert_eq!(all.list("sector")[..3], [0.0, 800.0, 40.0]);
    assert!(all.list("sector")[3].is_nan(), "a flush has no place");
    assert_eq!((all.number("n"), all.list("count")), (4.0, vec![1.0; 4]));
    let part = t.query("failures", ask(json!({ "device": 0 }), 3, 9));
    assert_eq!(part.list("at"), [5.0]);
    // A filter hides the requests with their marks.
    let reads = t.query(
        "failures",
        ask(json!({ "device": 0, "hideOps": ["write", "flush"] }), 0, 50),
    );
    assert_eq!(reads.list("at"), [2.0]);
    let process = t.query(
        "failures",
        ask(json!({ "device": 0, "hideProcesses": [0] }), 0, 50),
    );
    assert_eq!(process.list("at"), [5.0]);
}

/// A million completions, one of which failed; and many failures in one cell.
#[test]
fn one_among_many_has_a_mark_and_many_share_one() {
    let mut text = String::new();
    for i in 0..2000u64 {
        let error = if i == 1234 { -5 } else { 0 };
        text += &format!(
            "{} D {i}+8 R\n{} C {i}+8 R error={error}\n",
            2 * i,
            2 * i + 1
        );
    }
    let cells = |text: &str| {
        let t = IndexedTrace::new(text);
        let query = json!({
            "filter": { "device": 0 }, "range": { "t0": 0, "t1": 4000 },
            "bands": [{ "lba0": 0, "lba1": 4096, "y0": 0, "y1": 4 }], "w": 4, "h": 4,
        });
        let found = t.query("failures", query);
        (found.list("at"), found.list("count"), found.number("n"))
    };
    assert_eq!(cells(&text), (vec![2469.0], vec![1.0], 1.0));
    let (times, count, n) = cells(&text.replace("error=0", "error=-5"));
    assert!(times.len() <= 16, "{}", times.len());
    assert_eq!((count.iter().sum::<f64>(), n), (2000.0, 2000.0));
}

#[test]
fn the_event_list_shows_the_failed_ones() {
    let t = IndexedTrace::new(TEXT);
    let times = |errors: Json| {
        let query = json!({ "filter": { "errors": errors }, "offset": 0, "limit": 100 });
        let rows = t.query("events", query).json()["rows"].clone();
        rows.as_array()
            .expect("rows")
            .iter()
            .map(|row| {
                (
                    row["at"].as_f64(),
                    row["failed"].as_str().map(str::to_owned),
                )
            })
            .collect::<Vec<_>>()
    };
    let row = |time: f64, words: &str| (Some(time), Some(words.to_owned()));
    assert_eq!(
        times(json!(["EIO"])),
        [row(2.0, "EIO (I/O error)"), row(30.0, "EIO (I/O error)")]
    );
    assert_eq!(
        times(json!(["28"])),
        [row(5.0, "ENOSPC (no space on the device)")]
    );
    assert_eq!(times(json!(["any"])).len(), 4);
    let query = json!({ "filter": { "errors": ["x"] }, "offset": 0, "limit": 1 });
    assert!(t.error("events", query).contains("unknown error `x`"));
}

/// A refused bio has a row at its Q among the requests, on whichever page that is, and a request
/// that failed in part has its error though the rest did not complete.
#[test]
fn refused_bios_and_failed_parts_have_rows() {
    let t = IndexedTrace::new(
        "0 Q 0+16 R pid=1\n1 D 0+16 R\n2 C 0+8 R error=-5\n3 Q 40+8 W pid=2\n4 C 40+8 W error=-11\n\
         5 Q 80+8 W pid=2\n5 D 80+8 W\n6 C 80+8 W\n7 Q 99+8 R pid=1\n8 C 99+8 R error=-11",
    );
    let pages = |limit: usize, mut query: Json| {
        let mut rows: Vec<(f64, f64, f64)> = Vec::new();
        let mut from = 0.0;
        while from >= 0.0 {
            query["from"] = json!(from);
            query["limit"] = json!(limit);
            let page = t.query("columns", query.clone());
            let (sectors, errors) = (page.list("sector"), page.list("error"));
            assert!(sectors.len() <= limit);
            rows.extend(
                (0..sectors.len()).map(|i| (sectors[i], errors[i], page.list("queued")[i])),
            );
            from = page.number("next");
        }
        rows
    };
    let all = [
        (0.0, 5.0, 0.0),
        (40.0, 11.0, 3.0),
        (80.0, 0.0, 5.0),
        (99.0, 11.0, 7.0),
    ];
    for limit in 1..6 {
        assert_eq!(pages(limit, json!({})), all, "{limit} per page");
        let part = json!({ "range": { "t0": 3, "t1": 7 } });
        assert_eq!(pages(limit, part), all[1..3], "{limit} per page");
        let writes = json!({ "filter": { "device": 0, "hideOps": ["read"] } });
        assert_eq!(pages(limit, writes), all[1..3], "{limit} per page");
    }
    let page = t.query("columns", json!({ "from": 1, "limit": 1 }));
    assert!(page.list("issued")[0].is_nan() && page.list("q2c")[0].is_nan());
    assert_eq!(
        (page.list("completed"), page.list("bytes")),
        (vec![4.0], vec![4096.0])
    );
}

/// On the axis of latency a mark is at the issue and latency of its request, whenever it completed;
/// what lacks the stage has no latency.
#[test]
fn marks_of_latency_are_at_the_issue_of_their_requests() {
    let t = IndexedTrace::new(TEXT);
    let marks = |stage: &str, t0: u64, t1: u64| {
        let latency = json!({ "stage": stage, "low": 1, "high": 100 });
        let range = json!({ "t0": t0, "t1": t1 });
        let filter = json!({ "device": 0 });
        let query =
            json!({ "filter": filter, "range": range, "latency": latency, "w": 50, "h": 10 });
        let found = t.query("failures", query);
        let or_minus_1 = |ns: &f64| if ns.is_nan() { -1.0 } else { *ns };
        let latencies: Vec<f64> = found.list("took").iter().map(or_minus_1).collect();
        (found.list("at"), latencies, found.number("n"))
    };
    // The refused bio of 9 and its error have no D; the flush completed at 30.
    let all = (vec![1.0, 4.0, 9.0, 20.0], vec![1.0, 1.0, -1.0, 10.0], 4.0);
    assert_eq!(marks("d2c", 0, 50), all);
    assert_eq!(marks("d2c", 10, 25), (vec![20.0], vec![10.0], 1.0));
    assert_eq!(marks("d2c", 25, 50), (vec![], vec![], 0.0));
    assert_eq!(marks("q2c", 0, 50).1, [2.0, 2.0, -1.0, -1.0]);
    let bad = json!({ "stage": "d2c", "low": 9, "high": 9 });
    let query = json!({
        "filter": { "device": 0 }, "range": { "t0": 0, "t1": 9 }, "latency": bad, "w": 1, "h": 1,
    });
    assert!(t.error("failures", query).contains("low < high"));
}

//! What held requests back as the reason inside a finding, from ftrace text to the document: it is
//! named where its values differ while requests wait, and only then. The recordings are made: no
//! pair of real ones has these tracepoints and differs in them.

use crate::common::read;
use crate::formats::tracefs::trace_dat;
use seekscope_core::compare::digest;
use seekscope_core::compare::{CompareQuery, ComparedRun, compare};
use seekscope_core::measure::Window;
use seekscope_core::notes::Setting;
use serde_json::{Value as Json, json};

const REQUESTS: u64 = 200;
const MS: u64 = 1_000_000;

/// A line of ftrace.
fn line(ns: u64, event: &str) -> String {
    format!(
        "     dd-680     [000] .....    {}.{:06}: {event}\n",
        10 + ns / 1_000_000_000,
        ns % 1_000_000_000 / 1000
    )
}

/// One request after another: each is queued, issued after `wait`, and done after 9 ms; `more` are
/// events with their times.
fn text(op: char, wait: u64, more: &[(u64, String)]) -> String {
    let period = wait + 9 * MS + MS / 10;
    let mut events: Vec<(u64, String)> = more.to_vec();
    for i in 0..REQUESTS {
        let (time, sector) = (i * period, 2048 + 8 * i);
        events.push((
            time,
            format!("block_bio_queue: 254,0 {op} {sector} + 8 [dd]"),
        ));
        events.push((
            time + wait,
            format!("block_rq_issue: 254,0 {op} 4096 () {sector} + 8 [dd]"),
        ));
        events.push((
            time + wait + 9 * MS,
            format!("block_rq_complete: 254,0 {op} () {sector} + 8 [0]"),
        ));
    }
    events.sort();
    events
        .into_iter()
        .map(|(time, event)| line(time, &event))
        .collect()
}

const FAST: u64 = MS / 10;
/// Requests of the slower run wait for 10 ms of 19.1.
const SLOW: u64 = 10 * MS;

fn wbt(time: u64, background: u64, inflight: u64) -> [(u64, String); 2] {
    let normal = 2 * background;
    [
        (
            time,
            format!(
                "wbt_step: 254:0: scale down: step=1, window=100000us, background={background}, \
                    normal={normal}, max=64"
            ),
        ),
        (
            time + 1000,
            format!("wbt_timer: 254:0: status=2, step=1, inflight={inflight}"),
        ),
    ]
}

fn run(label: &str, bytes: Vec<u8>, settings: &[(&str, &str)]) -> ComparedRun {
    let setting = |(key, value): &(&str, &str)| {
        let (key, value) = ((*key).to_owned(), (*value).to_owned());
        Setting {
            device: None,
            dev: None,
            key,
            value,
        }
    };
    ComparedRun {
        label: label.to_owned(),
        trace: digest(
            &read(&[("trace.txt".to_owned(), bytes)], 1 << 16),
            Window::WHOLE,
            None,
        ),
        settings: settings.iter().map(setting).collect(),
        ..ComparedRun::default()
    }
}

/// The finding about waiting, as JSON.
fn waiting(a: ComparedRun, b: ComparedRun) -> Json {
    let document = serde_json::to_value(compare(&CompareQuery {
        runs: vec![a, b],
        baseline: 0,
        noise: None,
    }))
    .expect("a document");
    let findings = document["findings"].as_array().expect("findings");
    let codes: Vec<&Json> = findings.iter().map(|finding| &finding["code"]).collect();
    for finding in findings.iter().filter(|f| {
        !matches!(
            f["code"].as_str(),
            Some("starved-while-waiting" | "scheduler-slower")
        )
    }) {
        assert!(finding.get("held").is_none(), "{finding}");
    }
    findings
        .iter()
        .find(|f| f["code"] == "starved-while-waiting")
        .unwrap_or_else(|| panic!("{codes:?}"))
        .clone()
}

/// For two texts of writes: whose requests wait, the names of the reasons, and their values.
fn reasons(fast: &[(u64, String)], slow: &[(u64, String)]) -> Json {
    let writes = |wait, more: &[(u64, String)]| text('W', wait, more).into_bytes();
    short(&waiting(
        run("old", writes(FAST, fast), &[]),
        run("new", writes(SLOW, slow), &[]),
    ))
}

fn short(finding: &Json) -> Json {
    let reasons = finding["held"].as_array().map_or(&[][..], Vec::as_slice);
    reasons
        .iter()
        .map(|r| json!([r["by"], r["name"], r["values"]]))
        .collect()
}

#[test]
fn wbt_limited_writes_on_one_side() {
    let (fast, slow) = (
        text('W', FAST, &wbt(0, 48, 1)),
        text('W', SLOW, &wbt(0, 1, 2)),
    );
    let run_of = |label, text: &str| run(label, text.as_bytes().to_vec(), &[]);
    let finding = waiting(run_of("old", &fast), run_of("new", &slow));
    assert_eq!(
        finding["held"],
        json!([
            { "by": "wbt", "name": "background", "unit": "number", "values": [48.0, 1.0] },
            { "by": "wbt", "name": "normal", "unit": "number", "values": [96.0, 2.0] },
        ])
    );
    let sentence = finding["sentence"].as_str().expect("a sentence");
    assert!(
        sentence.contains("wbt") && sentence.contains("(old: 48)"),
        "{sentence}"
    );
    // The other way round, and with the same limit.
    assert_eq!(
        short(&waiting(run_of("new", &slow), run_of("old", &fast)))[0],
        json!(["wbt", "background", [1.0, 48.0]])
    );
    assert_eq!(reasons(&wbt(0, 1, 2), &wbt(0, 1, 2)), json!([]));
    assert_eq!(
        reasons(&wbt(0, 4, 2), &wbt(0, 3, 6)),
        json!([]),
        "almost the same limit"
    );
}

#[test]
fn a_limit_that_was_not_reached_is_no_reason() {
    assert_eq!(reasons(&wbt(0, 48, 1), &wbt(0, 4, 3)), json!([]));
    // The limit was that of writeback.
    assert_eq!(
        reasons(&wbt(0, 48, 1), &wbt(0, 4, 4)),
        json!([["wbt", "background", [48.0, 4.0]]])
    );
    // wbt does not limit reads.
    let reads = |wait, more: &[(u64, String)]| text('R', wait, more).into_bytes();
    let finding = waiting(
        run("old", reads(FAST, &wbt(0, 48, 1)), &[]),
        run("new", reads(SLOW, &wbt(0, 1, 2)), &[]),
    );
    assert_eq!(short(&finding), json!([]));
}

#[test]
fn only_the_time_of_waiting_counts() {
    // 48 while requests wait, 1 between issue and completion.
    let period = SLOW + 9 * MS + MS / 10;
    let changing: Vec<_> = (0..REQUESTS)
        .flat_map(|i| {
            [
                wbt(i * period + 1000, 48, 1),
                wbt(i * period + SLOW + MS, 1, 2),
            ]
        })
        .flatten()
        .collect();
    assert_eq!(reasons(&wbt(0, 48, 1), &changing), json!([]));
    let other: Vec<_> = (0..REQUESTS)
        .flat_map(|i| {
            [
                wbt(i * period + 1000, 1, 2),
                wbt(i * period + SLOW + MS, 48, 1),
            ]
        })
        .flatten()
        .collect();
    assert_eq!(reasons(&wbt(0, 48, 1), &other)[0][1], "background");
}

#[test]
fn a_side_without_the_tracepoints_is_not_known() {
    let slow = || run("new", text('W', SLOW, &wbt(0, 1, 2)).into_bytes(), &[]);
    let fast = |settings: &[(&str, &str)]| run("old", text('W', FAST, &[]).into_bytes(), settings);
    assert_eq!(short(&waiting(fast(&[]), slow())), json!([]));
    assert_eq!(
        short(&waiting(fast(&[("wbt_lat_usec", "2000")]), slow())),
        json!([])
    );
    // Settings by which there is no such limit, or a recording that describes the tracepoints, and
    // none occurred.
    let off = waiting(fast(&[("wbt_lat_usec", "0")]), slow());
    assert_eq!(short(&off)[0], json!(["wbt", "background", [null, 1.0]]));
    let described = run("old", trace_dat(&text('W', FAST, &[]), false), &[]);
    assert_eq!(
        short(&waiting(described, slow()))[0],
        json!(["wbt", "background", [null, 1.0]])
    );
}

#[test]
fn kyber_iocost_and_waits_for_tags() {
    let each = |n: u64, event: &str| {
        (0..n)
            .map(|i| (i * 19_100_000 + MS, event.to_owned()))
            .collect::<Vec<_>>()
    };
    let latency = [(
        0,
        "kyber_latency: 254,0 WRITE I/O p90 8/4 samples=15".to_owned(),
    )];
    let throttled = each(100, "kyber_throttled: 254,0 WRITE");
    // 100 in 200 waits of 10 ms.
    assert_eq!(
        reasons(&latency, &throttled),
        json!([["kyber", "throttled", [0.0, 50.0]]])
    );
    assert_eq!(reasons(&latency, &throttled[..2]), json!([]), "too few");
    let depths = |depth: u32| vec![(0, format!("kyber_adjust: 254,0 WRITE {depth}"))];
    let both = [depths(2), throttled].concat();
    assert_eq!(
        reasons(&depths(64), &both)[1],
        json!(["kyber", "write depth", [64.0, 2.0]])
    );
    assert_eq!(
        reasons(&depths(64), &depths(2)),
        json!([]),
        "nothing was held back"
    );
    let rate = |vrate: u64, shortages: u64| {
        let rest = format!("busy=0 missed_ppm=0:0 rq_wait_pct=0 lagging=0 shortages={shortages}");
        vec![(
            0,
            format!("iocost_ioc_vrate_adj: [vda] vrate=1->{vrate} {rest}"),
        )]
    };
    assert_eq!(
        reasons(&rate(137_438, 0), &rate(68_719, 0)),
        json!([["iocost", "vrate", [1.0, 0.5]]])
    );
    assert_eq!(
        reasons(&rate(137_438, 0), &rate(137_438, 2)),
        json!([["iocost", "shortages", [0.0, 2.0]]])
    );
    assert_eq!(reasons(&rate(137_438, 0), &rate(137_438, 0)), json!([]));
    let tag = "block_rq_tag_wait: 254,0 hctx=0 starved on scheduler tags (depth=2)";
    // The faster run waited once, in 200 waits of 0.1 ms, but not while a request was waiting.
    let once = [(5 * MS, tag.to_owned())];
    assert_eq!(
        reasons(&once, &each(200, tag)),
        json!([["tags", "scheduler tags", [0.0, 100.0]]])
    );
    assert_eq!(
        reasons(&[], &each(200, tag)),
        json!([]),
        "not known of text without any"
    );
}

use super::gaps::MAX_GAPS;
use super::pace::{MIN_BIN_NS, PERCENTILE};
use super::stalled_time::{FROZEN_PERCENT, MARGIN_NS, MAX_PROCESSES};
use super::*;
use seekscope_trace::fixture::store;
use seekscope_trace::store::{LossEvidence, LossInterval};
use std::fmt::Write;

/// A request per 10 ms that takes 1 ms, except between `from` and `to`, ms, and the lines of
/// `other`, whose times are ms.
fn trace(to: u64, pauses: &[(u64, u64)], other: &str) -> Store {
    let mut lines: Vec<(u64, String)> = Vec::new();
    for n in (0..to / 10).filter(|n| {
        !pauses
            .iter()
            .any(|pause| (pause.0..pause.1).contains(&(n * 10)))
    }) {
        for (time, action) in [
            (n * 10_000, "Q"),
            (n * 10_000, "D"),
            (n * 10_000 + 1_000, "C"),
        ] {
            lines.push((time, format!("{action} {}+8 R pid=7", n * 8)));
        }
    }
    for line in other.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (time, rest) = line.split_once(' ').unwrap();
        lines.push((time.parse::<u64>().unwrap() * 1_000, rest.to_owned()));
    }
    lines.sort_by_key(|(time, _)| *time);
    let mut text = String::new();
    for (time, rest) in lines {
        writeln!(text, "{} {rest}", time * 1_000).unwrap();
    }
    store(&text)
}

fn found(store: &Store) -> Vec<(StallKind, u64, u64)> {
    let short = |stall: &Stall| {
        (
            stall.kind,
            stall.from_ns / 1_000_000,
            stall.to_ns / 1_000_000,
        )
    };
    stalls(store, Window::WHOLE).iter().map(short).collect()
}

#[test]
fn an_even_load_and_an_idle_device_do_not_stall() {
    assert_eq!(found(&trace(5_000, &[], "")), []);
    assert_eq!(found(&trace(5_000, &[(1_000, 4_000)], "")), []);
}

#[test]
fn a_device_that_completes_nothing_is_frozen() {
    let t = trace(
        5_000,
        &[(1_010, 1_600)],
        "1012 Q 90000+8 WS pid=3
        1012 D 90000+8 WS
        1015 Q 90100+8 R pid=3
        1015 D 90100+8 R
        1590 C 90000+8 WS
        1591 C 90100+8 R",
    );
    let [stall] = stalls(&t, Window::WHOLE).try_into().unwrap();
    assert_eq!(
        (stall.kind, stall.from_ns, stall.to_ns, stall.unfinished),
        (StallKind::Frozen, 1_012_000_000, 1_591_000_000, false)
    );
    assert_eq!(
        (
            stall.requests,
            stall.completed,
            stall.issued,
            stall.longest_ns
        ),
        (2, 1, Some(2), Some(578_000_000))
    );
    assert_eq!(stall.processes.len(), 1);
    assert_eq!(
        (stall.processes[0].pid, stall.processes[0].requests),
        (3, 2)
    );
    assert_eq!(stall.around_ns, (512_000_000, 2_091_000_000));
    assert_eq!(stall.quiet_ns, Some((2_091_000_000, 3_670_000_000)));
    let before = Window {
        from: 0,
        to: 1_012_000_000,
    };
    assert_eq!(stalls(&t, before), []);
}

#[test]
fn the_quiet_stretch_is_the_nearest_one_in_which_the_device_is_in_use() {
    let stall = |time: u64| {
        format!(
            "{time} Q 1+1 WS\n{time} D 1+1 WS\n{} C 1+1 WS\n",
            time + 500
        )
    };
    let pauses = [
        (6_001, 6_510),
        (13_001, 13_510),
        (20_000, 40_000),
        (43_001, 43_510),
    ];
    let lines: String = [6_002, 13_002, 43_002].map(stall).concat();
    let quiet = |t: &Store| -> Vec<Option<(u64, u64)>> {
        let ms = |(from, to): (u64, u64)| (from / 1_000_000, to / 1_000_000);
        stalls(t, Window::WHOLE)
            .iter()
            .map(|stall| stall.quiet_ns.map(ms))
            .collect()
    };
    assert_eq!(
        quiet(&trace(60_000, &pauses, &lines)),
        [
            // 4.0 to 8.5 s: the 4.5 s just before fit only from -0.5 s on.
            Some((8_502, 13_002)),
            // 11.0 to 15.5 s.
            Some((6_502, 11_002)),
            // 41.0 to 45.5 s: the device was idle just before.
            Some((8_502, 13_002)),
        ]
    );
}

#[test]
fn requests_that_all_take_long_are_one_stall() {
    let slow: String = (0..4)
        .map(|n| {
            let (from, to) = (1_010 + n * 180, 1_190 + n * 180);
            format!("{from} Q {n}+1 WS\n{from} D {n}+1 WS\n{to} C {n}+1 WS\n")
        })
        .collect();
    let t = trace(5_000, &[(1_010, 1_730)], &slow);
    assert_eq!(found(&t), [(StallKind::Slow, 1_010, 1_730)]);
}

#[test]
fn a_program_that_sends_the_next_request_late_does_not_end_a_stall() {
    let late = |idle: u64| -> String {
        let (first, second) = (1_012 + 180, 1_012 + 180 + idle);
        format!(
            "1012 Q 1+1 WS\n1012 D 1+1 WS\n{first} C 1+1 WS\n\
             {second} Q 2+1 WS\n{second} D 2+1 WS\n{} C 2+1 WS\n",
            second + 180
        )
    };
    let t = |idle| trace(5_000, &[(1_010, 1_990)], &late(idle));
    assert_eq!(found(&t(20)), [(StallKind::Slow, 1_012, 1_392)]);
    assert_eq!(found(&t(21)), []);
}

#[test]
fn one_slow_request_among_prompt_ones_is_no_stall() {
    let t = trace(5_000, &[], "1012 Q 1+1 WS\n1012 D 1+1 WS\n1900 C 1+1 WS");
    assert_eq!(found(&t), []);
}

#[test]
fn requests_that_wait_above_an_idle_device_are_held() {
    let t = trace(
        5_000,
        &[(1_010, 1_600)],
        "1012 Q 1+1 WS\n1012 G 1+1 WS\n1599 D 1+1 WS\n1600 C 1+1 WS",
    );
    // The request was prompt once it was issued; the stall ends with the next completion.
    assert_eq!(found(&t), [(StallKind::Held, 1_012, 1_600)]);
}

#[test]
fn a_slow_device_is_not_a_stalled_one() {
    let each: String = (0..20)
        .map(|n| {
            let (from, to) = (n * 400, n * 400 + 390);
            format!("{from} Q {n}+1 WS\n{from} D {n}+1 WS\n{to} C {n}+1 WS\n")
        })
        .collect();
    assert_eq!(found(&trace(0, &[], &each)), []);
}

#[test]
fn discards_and_losses_are_no_stalls() {
    let discard = "1012 Q 1+1 D\n1012 D 1+1 D\n1590 C 1+1 D";
    assert_eq!(found(&trace(5_000, &[(1_010, 1_600)], discard)), []);
    // Its completion was lost: others follow.
    let lost = "1012 Q 1+1 WS\n1012 D 1+1 WS";
    assert_eq!(found(&trace(5_000, &[(1_010, 1_600)], lost)), []);
}

#[test]
fn a_stall_may_last_to_the_end() {
    let t = trace(
        1_010,
        &[],
        "1012 Q 1+1 WS\n1012 D 1+1 WS\n2000 Q 2+1 WS\n2000 D 2+1 WS",
    );
    let [stall] = stalls(&t, Window::WHOLE).try_into().unwrap();
    assert_eq!((stall.from_ns, stall.to_ns), (1_012_000_000, 2_000_000_000));
    assert!(stall.unfinished);
}

#[test]
fn lost_events_hide_a_stall() {
    let mut t = trace(
        5_000,
        &[(1_010, 1_600)],
        "1012 Q 1+1 WS\n1012 D 1+1 WS\n1590 C 1+1 WS",
    );
    assert_eq!(found(&t).len(), 1);
    t.quality.loss_intervals.push(LossInterval {
        device: 0,
        cpu: 0,
        from: 1_200_000_000,
        to: 1_300_000_000,
        loss: LossEvidence::Silence { unmatched: 1 },
    });
    assert_eq!(found(&t), []);
}

#[test]
fn a_quiet_stretch_has_no_stall_outside_of_the_window() {
    let stall = |time: u64| {
        format!(
            "{time} Q 1+1 WS\n{time} D 1+1 WS\n{} C 1+1 WS\n",
            time + 500
        )
    };
    let lines: String = [6_002, 13_002].map(stall).concat();
    let t = trace(20_000, &[(6_001, 6_510), (13_001, 13_510)], &lines);
    let window = Window {
        from: 12_000_000_000,
        to: 14_000_000_000,
    };
    let [second] = stalls(&t, window).try_into().unwrap();
    let whole = stalls(&t, Window::WHOLE);
    assert_eq!(second, whole[1]);
    assert_eq!(second.quiet_ns, Some((6_502_000_000, 11_002_000_000)));
}

/// `long` requests wait from the begin to the end, through `pauses` of 0.4 s, between which 100
/// others complete.
fn outlasting(long: u64, pauses: u64) -> Store {
    let mut text = String::new();
    for n in 0..long {
        writeln!(text, "{n} Q {n}+1 WS\n{n} D {n}+1 WS").unwrap();
    }
    for n in 0..pauses * 100 {
        let time = 1_000_000 + n / 100 * 400_000_000 + n % 100 * 10_000;
        writeln!(text, "{time} D 90000+8 R\n{} C 90000+8 R", time + 5_000).unwrap();
    }
    for n in 0..long {
        let end = 1_000_000 + pauses * 400_000_000;
        writeln!(text, "{} C {n}+1 WS", end + n).unwrap();
    }
    store(&text)
}

#[test]
fn requests_that_outlast_very_many_pauses_are_given_up() {
    assert_eq!(stalls(&outlasting(30, 60), Window::WHOLE).len(), 60);
    // 1.8 million pairs of a request and a pause, for 63,000 requests.
    assert_eq!(stalls(&outlasting(3_000, 600), Window::WHOLE), []);
}

#[test]
fn each_kind_has_the_verb_of_its_name() {
    for kind in [StallKind::Frozen, StallKind::Slow, StallKind::Held] {
        let name = serde_json::to_value(kind).unwrap();
        assert_eq!(name, STALL_VERBS[kind as usize].0);
    }
}

#[test]
fn the_definition_in_the_documents_has_the_same_thresholds() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/measures.md");
    let document = std::fs::read_to_string(path).expect("docs/measures.md");
    let [slow, stall, idle, bin, margin] = [
        MIN_SLOW_NS,
        MIN_STALL_NS,
        MAX_IDLE_NS,
        MIN_BIN_NS,
        MARGIN_NS,
    ]
    .map(|ns| ns / 1_000_000);
    let percentile = PERCENTILE / 100;
    for words in [
        format!("less than {slow} ms from D to C"),
        format!("less than {SLOW_FACTOR} times the {percentile}th percentile of its device"),
        format!("without idle times of more than {idle} ms"),
        format!("at least {stall} ms without those idle times"),
        format!("at least {GAP_FACTOR} times the mean time between two completions"),
        format!(
            "in the device for less than {}% of the stall",
            100 - FROZEN_PERCENT
        ),
        format!("if nothing was completed for {FROZEN_PERCENT}% of it"),
        format!("the {MAX_PROCESSES} processes with the most of these requests"),
        format!("the stall with {} s before and after it", margin / 1000),
        format!("The {MAX_STALLS} longest are listed"),
        format!("in bins of more than {bin} ms"),
        format!("outlast more than {MAX_GAPS} pauses each, on average"),
    ] {
        assert!(document.contains(&words), "{words}");
    }
}

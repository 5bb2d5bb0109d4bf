use super::*;
use seekscope_trace::fixture::store;
use seekscope_trace::store::{LossEvidence, LossInterval};

/// Causes of all requests slower than `over`, where `full` are in flight at other times.
fn tail(store: &Store, over: u64, full: u32) -> Tail {
    let slow = SlowThreshold {
        stage: own_stage(store, 0).unwrap(),
        share: TAIL,
        ns: over,
        full,
    };
    tails(store, Window::WHOLE, &[Some(slow)], 20)
        .remove(0)
        .unwrap()
}

fn causes(text: &str, over: u64, full: u32) -> Vec<(&'static str, u128)> {
    let tail = tail(&store(text), over, full);
    for slow in &tail.slowest {
        assert_eq!(slow.parts.iter().sum::<u64>(), slow.ns);
    }
    let mut causes: Vec<_> = tail
        .causes()
        .into_iter()
        .map(|(cause, ns, _)| (cause, ns))
        .collect();
    causes.sort_by_key(|(cause, _)| *cause);
    causes
        .into_iter()
        .map(|(cause, ns)| (cause.code(), ns))
        .collect()
}

#[test]
fn held_while_another_process_is_served_and_while_the_own_one_is() {
    let text = "
        0 Q 0+8 WS pid=1
        0 Q 900+8 WS pid=2
        10 D 0+8 WS pid=1
        30 C 0+8 WS
        50 Q 8+8 WS pid=1
        50 D 8+8 WS pid=1
        70 C 8+8 WS
        100 D 900+8 WS pid=2
        110 C 900+8 WS
        110 Q 908+8 WS pid=2
        300 D 908+8 WS pid=2
        310 C 908+8 WS";
    // Before the first D no process is served; after the last one of pid 1 the device idles for it.
    // The last request waits for no other.
    let expected = [
        ("other-process", 90),
        ("held", 10 + 190),
        ("device", 10 + 10),
    ];
    assert_eq!(causes(text, 100, 2), expected);
    let s = store(text);
    let tail = tail(&s, 100, 2);
    assert_eq!((tail.n, tail.threshold, tail.total()), (2, 100, 310));
    let served: Vec<(u32, f64)> = tail
        .served
        .iter()
        .map(|(p, share)| (s.processes[*p as usize].pid, *share))
        .collect();
    assert_eq!(served, [(1, 1.0)]);
    assert_eq!(
        tail.slowest.iter().map(|slow| slow.ns).collect::<Vec<_>>(),
        [200, 110]
    );
}

#[test]
fn what_is_in_flight_while_a_request_waits_and_is_served() {
    let text = "
        0 Q 0+8 W pid=1
        0 D 0+8 W pid=1
        1 Q 100+8 W pid=1
        1 D 100+8 W pid=1
        2 Q 200+8 W pid=2
        12 C 0+8 W
        12 D 200+8 W pid=2
        20 Q 300+8 W pid=1
        22 C 100+8 W
        22 D 300+8 W pid=1
        40 C 300+8 W
        60 C 200+8 W";
    // Full until a request completes; then behind the earlier one, overtaken by the later one, and
    // alone.
    assert_eq!(
        causes(text, 50, 2),
        [
            ("queued", 10),
            ("ahead", 10),
            ("overtaken", 18),
            ("device", 20)
        ]
    );
    assert_eq!(tail(&store(text), 50, 2).in_flight, 1.0);
    // With room for more requests, it was held for the other process.
    assert_eq!(causes(text, 50, 4)[0], ("other-process", 10));
    // The reads are behind these writes.
    let read = text.replace("200+8 W", "200+8 R");
    assert_eq!(
        causes(&read, 50, 2),
        [("writes", 10 + 10 + 18), ("device", 20)]
    );
}

#[test]
fn allocation_plug_and_flush() {
    let text = "
        0 Q 0+8 W pid=1
        10 G 0+8 W pid=1
        10 P - N pid=1
        15 Q 8+8 W pid=1
        15 G 8+8 W pid=1
        40 U - N pid=1
        41 I 0+8 W pid=1
        41 I 8+8 W pid=1
        42 D - FN
        45 P - N pid=1
        52 C - FN
        52 D 0+8 W pid=1
        60 C 0+8 W
        60 D 8+8 W pid=1
        70 C 8+8 W";
    let expected = [
        ("allocation", 10),
        ("plugged", 30 + 25),
        // 40..42 nothing was issued yet, 52..60 the own process was served.
        ("held", 2 + 2),
        ("queued", 8),
        ("flush", 10 + 10),
        ("device", 8 + 10),
    ];
    assert_eq!(causes(text, 50, 1), expected);
}

#[test]
fn a_timer_releases_the_plug() {
    let text = "
        0 Q 0+8 R pid=7
        10 G 0+8 R pid=7
        20 P - N pid=7
        30 I 0+8 R pid=7
        3700000 UT - N pid=1
        3710000 U - N pid=50
        3720000 D 0+8 R pid=50
        9000000 C 0+8 R";
    let of_timer = [
        ("allocation", 10),
        ("plugged", 10),
        ("unplug-timer", 3_700_000 - 30),
        ("held", 10 + 20_000),
        ("device", 5_280_000),
    ];
    assert_eq!(causes(text, 50, 1), of_timer);
    // A process that sleeps releases its own plug.
    let sleeps = text.replace("UT - N pid=1", "UT - N pid=7");
    assert_eq!(causes(&sleeps, 50, 1)[2], ("held", 10 + 3_720_000 - 30));
}

#[test]
fn a_device_that_was_idle_and_events_that_were_lost() {
    let text = "
        0 Q 0+8 R
        0 D 0+8 R
        10 C 0+8 R
        200000000 Q 8+8 R
        200000005 D 8+8 R
        200000100 C 8+8 R";
    assert_eq!(causes(text, 50, 1), [("held", 5), ("after-idle", 95)]);
    let mut s = store(text);
    let loss = LossEvidence::SequenceGap { events: 1 };
    s.quality.loss_intervals = vec![LossInterval {
        device: 0,
        cpu: 0,
        from: 200_000_050,
        to: 200_000_070,
        loss,
    }];
    let tail = tail(&s, 50, 1);
    assert_eq!(
        (tail.parts[TailCause::Unknown as usize], tail.total()),
        (20, 100)
    );
}

#[test]
fn without_q_and_without_requests() {
    assert_eq!(
        causes("0 D 0+8 R\n5 D 8+8 R\n20 C 0+8 R\n40 C 8+8 R", 30, 2),
        [("ahead", 15), ("device", 20)]
    );
    assert_eq!(own_stage(&store("0 Q 0+8\n9 C 0+8"), 0), None);
    assert_eq!(
        threshold(
            &store("0 Q 0+8\n9 C 0+8"),
            0,
            Window::WHOLE,
            Some(TAIL),
            |_| true,
            1
        ),
        None
    );
    let s = store("0 Q 0+8\n1 D 0+8\n9 C 0+8\n10 Q 0+8\n11 D 0+8");
    let slow = threshold(
        &s,
        0,
        Window::WHOLE,
        Some(TAIL),
        |_| true,
        full(&s, 0).unwrap(),
    )
    .unwrap();
    assert_eq!((slow.ns, slow.full, slow.stage), (9, 1, Stage::Q2C));
    assert_eq!(
        tails(&s, Window::WHOLE, &[Some(slow)], 20)[0]
            .as_ref()
            .map(|tail| tail.n),
        Some(1)
    );
}

#[test]
fn only_the_slowest_are_listed_and_only_those_above_the_percentile_count() {
    let lines = (0..200u64).map(|i| {
        let (t, length) = (i * 1000, if i % 50 == 0 { 100 + i } else { 10 });
        format!("{t} Q {i}+8 R\n{t} D {i}+8 R\n{} C {i}+8 R\n", t + length)
    });
    let s = store(&lines.collect::<String>());
    let slow = threshold(
        &s,
        0,
        Window::WHOLE,
        Some(9_800),
        |_| true,
        full(&s, 0).unwrap(),
    )
    .unwrap();
    assert_eq!(slow.ns, 10);
    let tail = tails(&s, Window::WHOLE, &[Some(slow)], 3)
        .remove(0)
        .unwrap();
    let listed: Vec<(u64, u64)> = tail
        .slowest
        .iter()
        .map(|slow| (s.requests.row(slow.row as usize).start() / 1000, slow.ns))
        .collect();
    assert_eq!(
        (tail.n, listed),
        (4, vec![(150, 250), (100, 200), (50, 150)])
    );
    let window = Window {
        from: 100_000,
        to: u64::MAX,
    };
    assert_eq!(
        tails(&s, window, &[Some(slow)], 3)[0]
            .as_ref()
            .map(|tail| (tail.n, tail.total())),
        Some((2, 450))
    );
}

#[test]
fn where_all_take_equally_long_all_of_them_count() {
    // Eight in flight at any time, so that the state of one that ended is that of a later one.
    let lines = (0..300u64).map(|i| (i * 10, i)).flat_map(|(t, i)| {
        let sector = i * 8;
        [
            (t, format!("{t} Q {sector}+8 R\n{t} D {sector}+8 R\n")),
            (t + 75, format!("{} C {sector}+8 R\n", t + 75)),
        ]
    });
    let mut lines: Vec<(u64, String)> = lines.collect();
    lines.sort_by_key(|line| line.0);
    let s = store(&lines.into_iter().map(|line| line.1).collect::<String>());
    let tail = tail(&s, 75, 8);
    assert_eq!((tail.n, tail.total()), (300, 300 * 75));
    assert!(
        tail.slowest
            .iter()
            .all(|slow| slow.parts.iter().sum::<u64>() == 75)
    );
    assert_eq!(
        tail.in_flight,
        f64::from((0..7).sum::<u32>() + 293 * 7) / 300.0
    );
    // Behind the one before for 65 ns; the first and the last one are alone for 10.
    let mut causes: Vec<_> = tail
        .causes()
        .into_iter()
        .map(|(cause, ns, _)| (cause.code(), ns))
        .collect();
    causes.sort_unstable();
    assert_eq!(
        causes,
        [
            ("ahead", 299 * 65),
            ("device", 20),
            ("overtaken", 65 + 298 * 10)
        ]
    );
}

/// Requests of three processes, in bursts with pauses between them; some are plugged, some never
/// complete.
fn bursts(seed: u64) -> String {
    let mut state = seed;
    let mut below = |limit: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let (mut lines, mut time) = (Vec::new(), 0);
    for sector in (0..400).map(|i| i * 8) {
        time += match below(12) {
            0 => 150_000_000,
            1 | 2 => 40 + below(200),
            _ => below(12),
        };
        let pid = below(3);
        let op = match below(8) {
            0 => "FN",
            1..=3 => "R",
            _ => "W",
        };
        let mut line = |time: u64, text: String| lines.push((time, text));
        let request = match op {
            "FN" => "- FN".to_owned(),
            _ => format!("{sector}+8 {op} pid={pid}"),
        };
        let mut issued = time;
        if op != "FN" {
            line(time, format!("Q {request}"));
            line(time + 1, format!("G {request}"));
            if below(4) == 0 {
                line(time + 2, format!("P - N pid={pid}"));
                line(time + 4 + below(20), format!("U - N pid={pid}"));
            }
            issued += 3 + below(30);
            line(issued, format!("I {request}"));
            issued += below(20);
        }
        line(issued, format!("D {request}"));
        if below(40) > 0 {
            line(issued + 1 + below(60), format!("C {request}"));
        }
    }
    lines.sort_by_key(|line| line.0);
    let text = lines
        .into_iter()
        .map(|(time, line)| format!("{time} {line}\n"));
    text.collect()
}

#[test]
fn the_causes_of_a_request_do_not_depend_on_which_others_are_slow() {
    let mut slow_requests = 0;
    for seed in 0..40 {
        let mut s = store(&bursts(seed));
        let loss = LossEvidence::SequenceGap { events: 1 };
        s.quality.loss_intervals = vec![LossInterval {
            device: 0,
            cpu: 0,
            from: s.span() / 2,
            to: s.span() / 2 + 300,
            loss,
        }];
        let slowest = |over: u64| {
            let slow = SlowThreshold {
                stage: Stage::Q2C,
                share: TAIL,
                ns: over,
                full: 6,
            };
            tails(&s, Window::WHOLE, &[Some(slow)], 1_000)
                .remove(0)
                .map_or(Vec::new(), |tail| tail.slowest)
        };
        let of_all = slowest(0);
        for over in [60, 90, 110] {
            let expected: Vec<SlowRequest> = of_all
                .iter()
                .filter(|slow| slow.ns > over)
                .copied()
                .collect();
            // Where none is slower, those that are as slow count.
            if !expected.is_empty() {
                assert_eq!(slowest(over), expected, "seed {seed}, over {over}");
            }
            slow_requests += expected.len();
        }
    }
    assert!(slow_requests > 500, "{slow_requests} slow requests");
}

//! Rules about what is outside of the device and its scheduler: limits, full queues, other
//! processes; and whom findings name.

use super::*;
use seekscope_measure::stalls::{LongestStall, StallKind, StallTotals};
use seekscope_measure::submitters::{Submitter, SubmitterSums, Submitters};
use seekscope_measure::waiting::allocation::{AllocationWait, AllocationWaits};
use seekscope_measure::waiting::throttled::{ThrottleLimit, ThrottledBios};
use seekscope_measure::waiting::unplug_timer::TimerUnplugs;

#[test]
fn who_waited_and_when() {
    let starving = [
        ("starved.share", 0.3),
        ("states.busy", 0.5),
        ("states.busy_waiting", 0.1),
        ("states.nobody", 0.1),
    ];
    let mut bad = digest(&[&SLOWER[..], &starving].concat());
    let device = &mut bad.devices[0];
    let submitter = |pid: u32, name: &str, starved_ns: u64| {
        let sums = SubmitterSums {
            requests: 10,
            starved_ns,
            ..SubmitterSums::default()
        };
        Submitter {
            pid,
            name: name.to_owned(),
            sums,
        }
    };
    device.submitters = Some(Submitters {
        all: SubmitterSums {
            requests: 40,
            starved_ns: 1000,
            ..SubmitterSums::default()
        },
        top: vec![
            submitter(7, "dd", 340),
            submitter(8, "pid 8", 620),
            submitter(9, "dd", 20),
            submitter(10, "dd", 20),
        ],
    });
    device.partitions = vec![("vda2".to_owned(), 3000), ("vda1".to_owned(), 1000)];
    // Starved for all of three bins, and hardly in the others.
    let bins = (0..30)
        .map(|i| (if (6..9).contains(&i) { 1.0 } else { 0.01 }, 1.0))
        .collect();
    device.bins.sums.insert("starved.share".to_owned(), bins);
    let found = compared(digest(&[]), bad.clone()).findings.remove(0);
    assert_eq!(found.code, "starved-while-waiting");
    let who: Vec<(&str, f64)> = found
        .who
        .iter()
        .map(|share| (share.name.as_str(), share.share))
        .collect();
    assert_eq!(
        who,
        [
            ("pid 8", 0.62),
            ("dd [7]", 0.34),
            ("vda2", 0.75),
            ("vda1", 0.25)
        ]
    );
    let words = found.focus.ascii();
    let names = "Whose requests waited while the device was idle: pid 8 62%; dd [7] 34%. Bytes by \
        partition: vda2 75%; vda1 25%. ";
    assert!(
        words.starts_with(names) && words.contains("of the effect is within 10% of the run"),
        "{words}"
    );
    let when = found.when.expect("the run has bins");
    let width = bad.devices[0].bins.width;
    assert_eq!(
        (when.intervals, when.of_run),
        (vec![(6 * width, 9 * width)], 0.1)
    );
    assert!(when.share > 0.9, "{}", when.share);
    // A side without processes names nobody.
    bad.devices[0].submitters = None;
    bad.devices[0].partitions.clear();
    assert!(compared(digest(&[]), bad).findings[0].who.is_empty());
}

/// Half of the run is idle.
const IDLE: [(&str, f64); 2] = [("states.busy", 0.31), ("states.nobody", 0.59)];

fn throttled(figures: &[(&str, f64)], ns: u64) -> Digest {
    let mut d = digest(figures);
    let read = ThrottleLimit {
        bps: Some(1 << 20),
        iops: Some(250),
    };
    let groups = vec![("cgroup 42".to_owned(), 290), ("/other".to_owned(), 10)];
    let processes = vec![(7, "dd".to_owned(), 200), (8, "pid 8".to_owned(), 14)];
    d.devices[0].throttled = Some(ThrottledBios {
        bios: 300,
        ns,
        read,
        write: ThrottleLimit::default(),
        groups,
        processes,
    });
    d
}

#[test]
fn a_control_group_has_a_limit() {
    let slow = [&SLOWER[..], &IDLE].concat();
    let all = compared(digest(&[]), throttled(&slow, 9_000_000_000)).findings;
    assert_eq!(
        all.iter().map(|f| f.code).collect::<Vec<_>>(),
        ["throttled"],
        "idling is its effect"
    );
    let words = "new: a limit of a control group (blk-throttle: io.max) held bios back before Q \
        for 45% of the run (old: 0%); limit: reads 250/s; reads 1.05 MB/s.";
    assert_eq!(all[0].sentence, words);
    assert_eq!(
        all[0]
            .who
            .iter()
            .map(|who| (who.name.as_str(), who.share))
            .collect::<Vec<_>>(),
        [("cgroup 42", 0.967), ("dd [7]", 0.667)]
    );
    assert_eq!(all[0].accounts_for, Some(0.9));
    let codes = |a: Digest, b: Digest| {
        found(a, b)
            .into_iter()
            .map(|(code, _)| code)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        codes(throttled(&slow, 9_000_000_000), digest(&[])),
        ["throttled"],
        "whichever comes first"
    );
    assert_eq!(
        codes(digest(&[]), throttled(&slow, 4_000_000_000)),
        ["idle-grew"],
        "less than half of the lost time"
    );
    assert_eq!(
        codes(
            throttled(&[], 9_000_000_000),
            throttled(&slow, 9_000_000_000)
        ),
        ["idle-grew", "throttled"],
        "of the faster run it is no lost time"
    );
    assert_eq!(
        codes(digest(&[]), throttled(&[], 9_000_000_000)),
        ["throttled"],
        "messages are certain, although no time is lost"
    );
    assert_eq!(
        codes(throttled(&[], 8_000_000_000), throttled(&[], 9_000_000_000)),
        ["no-real-difference"],
        "repeats under one limit"
    );
}

#[test]
fn without_messages_the_settings_name_the_limit() {
    let with = |label, figures: &[(&str, f64)], value: &str| {
        with_settings(run(label, digest(figures)), &[("8,0/io.max", value)])
    };
    let slow = [&SLOWER[..], &IDLE].concat();
    let runs = vec![
        with("old", &[], "rbps=max riops=max"),
        with("new", &slow, "rbps=max riops=250"),
    ];
    let found = compare(&CompareQuery {
        runs,
        baseline: 0,
        noise: None,
    })
    .first
    .unwrap()
    .findings
    .remove(0);
    assert_eq!((found.code, found.settings.len()), ("idle-grew", 1));
    assert!(
        found.sentence.contains("Likely cause: io.max"),
        "{}",
        found.sentence
    );
}

/// Bios wait for a request in most of the run.
const FULL: [(&str, f64); 9] = [
    ("depth.mean", 3.9),
    ("depth.p50", 4.0),
    ("depth.p95", 5.0),
    ("q2g.mean", 2e6),
    ("q2d.mean", 2.2e6),
    ("q2c.mean", 5.2e6),
    ("states.busy", 0.1),
    ("states.busy_waiting", 0.79),
    ("sync", 1.0),
];
const DEEP: [(&str, f64); 4] = [
    ("depth.p50", 8.0),
    ("depth.p95", 8.0),
    ("q2g.mean", 2e4),
    ("sync", 1.0),
];

#[test]
fn a_queue_is_full() {
    let with = |more: &[(&str, f64)]| codes(&DEEP, &[&SLOWER[..], &FULL, more].concat());
    assert_eq!(
        with(&[]),
        ["tags-exhausted", "depth-fell", "scheduler-slower"]
    );
    let others = ["depth-fell", "scheduler-slower"];
    assert_eq!(with(&[("depth.p50", 2.0)]), others, "no ceiling");
    assert_eq!(
        with(&[("depth.p50", 8.0), ("depth.p95", 8.0)]),
        others,
        "the other run has no more"
    );
    assert_eq!(
        with(&[("q2g.mean", 2e5)]),
        others,
        "they wait for the scheduler"
    );
    assert_eq!(
        with(&[("states.busy", 0.5), ("states.busy_waiting", 0.39)]),
        others,
        "too short"
    );
    let background = [("sync", 0.0)];
    let (deep, full) = (
        [&DEEP[..], &background].concat(),
        [&SLOWER[..], &FULL, &background].concat(),
    );
    assert_eq!(
        codes(&deep, &full),
        others,
        "background writes are limited by wbt in the same place"
    );
}

/// A process with its requests, of which each takes `ms`.
fn process(pid: u32, name: &str, requests: u64, ms: u64, (read, write): (u64, u64)) -> Submitter {
    let q2c_ns = requests * ms * 1_000_000;
    let sums = SubmitterSums {
        requests,
        read,
        write,
        ended: requests,
        q2c_ns,
        d2c_ns: q2c_ns,
        ..SubmitterSums::default()
    };
    Submitter {
        pid,
        name: name.to_owned(),
        sums,
    }
}

fn with_processes(top: &[Submitter]) -> Digest {
    let mut d = digest(&[]);
    let mut all = SubmitterSums::default();
    for SubmitterSums {
        requests, d2c_ns, ..
    } in top.iter().map(|submitter| submitter.sums)
    {
        all.requests += requests;
        all.d2c_ns += d2c_ns;
    }
    d.devices[0].submitters = Some(Submitters {
        all,
        top: top.to_vec(),
    });
    d
}

#[test]
fn another_process_is_in_the_way() {
    let (data, reader) = ((1 << 20, 0), |ms| process(7, "fio", 100, ms, (1 << 20, 0)));
    let writer = |requests| process(8, "fio", requests, 20, (0, 1 << 20));
    let findings = |a: &[Submitter], b: &[Submitter]| found(with_processes(a), with_processes(b));
    let codes = |a: &[Submitter], b: &[Submitter]| {
        findings(a, b)
            .into_iter()
            .map(|(code, _)| code)
            .collect::<Vec<_>>()
    };
    let (alone, both) = (
        findings(&[reader(10)], &[reader(14), writer(300)]),
        findings(&[reader(14), writer(300)], &[reader(10)]),
    );
    let words = "new: fio [8] did 75% of the requests (81.1% of the time in the device), and is \
        not in old; requests of fio [7] took 14 ms on average next to it (old: 10 ms).";
    assert_eq!(alone, [("other-process", words.to_owned())]);
    assert_eq!(both[0].0, "other-process");
    let first = compared(
        with_processes(&[reader(10)]),
        with_processes(&[reader(14), writer(300)]),
    )
    .findings
    .remove(0);
    assert_eq!(
        first
            .who
            .iter()
            .map(|who| (who.name.as_str(), who.share))
            .collect::<Vec<_>>(),
        [("fio [8]", 0.75), ("fio [8]", 0.811), ("fio [7]", 0.25)]
    );
    assert!(first.focus.is_empty(), "the sentence names it");
    assert!(both[0].1.starts_with("old: fio [8]"), "{}", both[0].1);
    let none = ["no-real-difference"];
    assert_eq!(
        codes(&[reader(10)], &[reader(11), writer(300)]),
        none,
        "repeats differ by this"
    );
    assert_eq!(
        codes(&[reader(10)], &[reader(14), writer(5)]),
        none,
        "it did too little"
    );
    assert_eq!(
        codes(&[reader(10), writer(50)], &[reader(14), writer(300)]),
        none,
        "both have it"
    );
    assert_eq!(
        codes(&[reader(10)], &[reader(14), process(9, "fio", 50, 9, data)]),
        none,
        "which one is new is not known"
    );
    assert_eq!(
        codes(
            &[reader(10)],
            &[reader(14), process(9, "kworker/0:1", 300, 9, data)]
        ),
        none,
        "on behalf of others"
    );
    let all: Vec<Submitter> = (0..6)
        .map(|i| process(20 + i, "dd", 10, 10, data))
        .collect();
    let mut many = with_processes(&all);
    if let Some(submitters) = &mut many.devices[0].submitters {
        submitters.all.requests = 100;
    }
    let unknown = found(
        many,
        with_processes(&[all.clone(), vec![process(8, "cp", 30, 20, data)]].concat()),
    );
    assert_eq!(
        unknown[0].0, "no-real-difference",
        "it may be among those that are not known"
    );
}

#[test]
fn a_process_without_an_end_does_more_in_a_longer_run() {
    let with = |reader: u64| {
        let mut d = digest(&[]);
        d.processes.push(SummaryProcess {
            pid: 2,
            name: "fio".to_owned(),
            queued: 10,
            bytes: reader,
        });
        d
    };
    let same = |a: u64, b: u64| compared(with(a), with(b)).work.same;
    assert!(same(3 * MIB, 9 * MIB), "2.9 and 8.3% of the bytes");
    assert!(!same(MIB / 4, 9 * MIB), "a stray reader");
}

#[test]
fn a_timer_releases_plugs() {
    let with = |figures: &[(&str, f64)], ns: u64| {
        let mut d = digest(figures);
        d.devices[0].unplug_timer = Some(TimerUnplugs { count: 2000, ns });
        d
    };
    let starving = [
        ("starved.share", 0.4),
        ("states.busy", 0.4),
        ("states.nobody", 0.11),
    ];
    let slow = [&SLOWER[..], &starving].concat();
    let all = compared(digest(&[]), with(&slow, 7_000_000_000)).findings;
    assert_eq!(
        all.iter().map(|f| f.code).collect::<Vec<_>>(),
        ["unplug-timer"],
        "a starved device is its effect"
    );
    assert_eq!(
        all[0].sentence,
        "new: requests waited for the unplug timer for 35% of the run (old: 0%), 3.50 ms on \
            average: nobody released their plug (plugs: 2,000)."
    );
    let codes = |a, b| {
        found(a, b)
            .into_iter()
            .map(|(code, _)| code)
            .collect::<Vec<_>>()
    };
    let both = codes(with(&[], 7_000_000_000), with(&slow, 7_000_000_000));
    assert_eq!(both, ["starved-while-waiting"], "no more than before");
}

/// A run whose device stalled `count` times, each time for `ms`.
fn stalling(figures: &[(&str, f64)], count: u64, ms: u64) -> Digest {
    let mut d = digest(figures);
    let ns = ms * 1_000_000;
    d.devices[0].stalls = (count > 0).then_some(StallTotals {
        count,
        ns: count * ns,
        longest: LongestStall {
            kind: StallKind::Frozen,
            from_ns: 1_000_000_000,
            to_ns: 1_000_000_000 + ns,
            requests: 3,
        },
    });
    d
}

#[test]
fn a_stall_is_a_change_and_a_cause_where_it_accounts_for_the_lost_time() {
    let first = |good: Digest, bad: Digest| compared(good, bad).findings.remove(0);
    let found = first(digest(&[]), stalling(&[], 1, 950));
    assert_eq!(found.code, "stalled");
    assert_eq!(
        found.sentence,
        "new completed nothing for 950 ms with 3 requests outstanding; old did not stall."
    );
    assert_eq!(found.evidence.range, Some((1_000_000_000, 1_950_000_000)));
    assert_eq!(found.accounts_for, None, "no time is lost");
    let found = first(stalling(&[], 1, 400), stalling(&[], 3, 950));
    assert_eq!(
        found.sentence,
        "new completed nothing for 950 ms with 3 requests outstanding, the longest of 3 stalls \
         (2.85 s in all); old stalled for 400 ms at most."
    );
    let codes = |good: Digest, bad: Digest| -> Vec<&str> {
        let all = compared(good, bad).findings;
        all.into_iter().map(|finding| finding.code).collect()
    };
    let alike = codes(stalling(&[], 2, 400), stalling(&[], 3, 400));
    assert!(!alike.contains(&"stalled"), "both stall: {alike:?}");
    // SLOWER runs twice as long.
    let cause = first(digest(&[]), stalling(&SLOWER, 9, 950));
    assert_eq!(cause.code, "stalled");
    assert!(cause.accounts_for.is_some_and(|part| part > 0.8));
    let starving = [
        ("starved.share", 0.4),
        ("states.busy", 0.4),
        ("states.nobody", 0.11),
    ];
    let starved = [&SLOWER[..], &starving].concat();
    let beside = codes(digest(&[]), stalling(&starved, 1, 400));
    assert_eq!(beside, ["starved-while-waiting", "stalled"]);
}

#[test]
fn a_limit_of_writes_lets_reads_pass() {
    let with = |figures: &[(&str, f64)], reads: (u64, u64), writes: (u64, u64)| {
        let mut d = digest(figures);
        let wait = |(requests, ns)| AllocationWait { requests, ns };
        d.devices[0].allocation = Some(AllocationWaits {
            reads: wait(reads),
            writes: wait(writes),
        });
        d
    };
    let shallow = [
        &SLOWER[..],
        &[
            ("depth.mean", 2.0),
            ("starved.share", 0.3),
            ("states.busy", 0.51),
        ],
    ]
    .concat();
    let codes = |reads, writes| {
        found(with(&[], (0, 0), (0, 0)), with(&shallow, reads, writes))
            .into_iter()
            .map(|(code, _)| code)
            .collect::<Vec<_>>()
    };
    let waiting = (1600, 10_000_000_000);
    assert_eq!(
        codes((1000, 20_000_000), waiting),
        ["writes-throttled", "depth-fell"],
        "a starved device is its effect"
    );
    let tags = codes((1000, 6_000_000_000), waiting);
    assert_eq!(tags[0], "starved-while-waiting", "reads wait as long");
    let short = codes((1000, 0), (1600, 4_000_000_000));
    assert_eq!(short[0], "starved-while-waiting");
    // Without reads only writes in the background can tell.
    assert_eq!(codes((0, 0), waiting)[0], "starved-while-waiting");
    let background = [&shallow[..], &[("sync", 0.1)]].concat();
    let all = found(
        with(&[("sync", 0.1)], (0, 0), (0, 0)),
        with(&background, (0, 0), waiting),
    );
    assert_eq!(all[0].0, "writes-throttled");
}

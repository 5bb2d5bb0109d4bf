use super::*;
use crate::runs::bins::RunBins;
use crate::runs::digest::{Digest, DigestQuality, digest};
use crate::{CompareQuery, compare};
use seekscope_measure::Window;
use seekscope_notes::Setting;
use seekscope_trace::fixture::store;

const BINS: usize = 40;

/// A run of 10 s, in which nothing is held back; some figures replaced.
fn device(replaced: &[(&str, f64)]) -> DeviceDigest {
    let usual = [
        ("starved.share", 0.01),
        ("states.nobody", 0.04),
        ("states.busy_waiting", 0.05),
        ("iops", 1000.0),
        ("depth.mean", 4.0),
        ("waiting.mean", 0.1),
        ("q2c.mean", 4.2e6),
        ("q2c.p50", 4e6),
        ("d2c.mean", 4e6),
        ("q2d.mean", 2e5),
        ("q2g.mean", 1e4),
        ("size.issued.mean", 65536.0),
        ("seek.issued.sequential_share", 0.2),
        ("flush.busy", 0.0),
        ("flush.flush", 0.0),
        ("bytes.write", 1e8),
        ("writes.off4k", 0.0),
    ];
    let mut figures: BTreeMap<String, f64> = usual
        .iter()
        .chain(replaced)
        .map(|(key, value)| ((*key).to_owned(), *value))
        .collect();
    figures.insert("span".to_owned(), 1e10);
    let ns = 2.5e8;
    let sums = [
        "starved.share",
        "states.nobody",
        "states.busy_waiting",
        "iops",
        "depth.mean",
        "d2c.mean",
        "size.issued.mean",
        "waiting.mean",
    ];
    let bin = |key: &str| match key {
        "iops" => (figures[key] * ns, ns),
        "d2c.mean" | "size.issued.mean" => (figures[key] * 250.0, 250.0),
        _ => (figures[key] * ns, ns),
    };
    let sums = sums
        .iter()
        .map(|key| ((*key).to_owned(), vec![bin(key); BINS]))
        .collect();
    let bins = RunBins {
        width: ns as u64,
        sums,
        ..RunBins::default()
    };
    DeviceDigest {
        dev: "8,0".to_owned(),
        role: seekscope_trace::store::Role::Disk,
        active: (0, 10_000_000_000),
        recorded: "QGIDC".to_owned(),
        figures,
        bins,
        ..DeviceDigest::default()
    }
}

fn run(device: DeviceDigest) -> ComparedRun {
    ComparedRun {
        trace: Digest {
            devices: vec![device],
            ..Digest::default()
        },
        ..ComparedRun::default()
    }
}

fn found(device: DeviceDigest) -> Vec<(&'static str, String)> {
    let findings = explain(&run(device), 0).unwrap().findings;
    assert!(
        findings
            .iter()
            .enumerate()
            .all(|(i, f)| f.rank == i + 1 && !f.sentence.is_empty() && !f.sentence.contains('{'))
    );
    findings.into_iter().map(|f| (f.code, f.sentence)).collect()
}

fn codes(replaced: &[(&str, f64)]) -> Vec<&'static str> {
    found(device(replaced))
        .into_iter()
        .map(|(code, _)| code)
        .collect()
}

#[test]
fn a_healthy_run_says_so() {
    assert_eq!(codes(&[]), ["nothing-held-back"]);
    let masked = digest(&store("0 C 0+8 W\n10 C 8+8 W"), Window::WHOLE, None);
    let found = explain(
        &ComparedRun {
            trace: masked,
            ..ComparedRun::default()
        },
        0,
    )
    .unwrap()
    .findings;
    assert_eq!((found.len(), found[0].code), (1, "nothing-held-back"));
    assert!(
        found[0].sentence.contains("recorded without"),
        "{}",
        found[0].sentence
    );
    assert!(!found[0].sentence.contains("Nothing was held back"));
}

#[test]
fn a_failed_request_comes_first() {
    let failing = "0 Q 0+8 R pid=7\n1 D 0+8 R\n2 C 0+8 R error=-61\n3 D 0+8 R\n4 C 0+8 R";
    let findings = |text: &str| {
        let run = ComparedRun {
            trace: digest(&store(text), Window::WHOLE, None),
            ..ComparedRun::default()
        };
        explain(&run, 0).unwrap().findings
    };
    let found = findings(failing);
    assert_eq!((found[0].code, found[0].rank), ("requests-failed", 1));
    assert_eq!(
        found[0].sentence,
        "1 of 2 requests failed: 1 ENODATA (medium error); 1 read; 4 KiB in all. Whose they \
         were: pid 7 (1). Issued again: 1, of which 1 succeeded and 0 failed again."
    );
    assert!(
        found[0]
            .evidence
            .range
            .is_some_and(|(from, to)| from <= 2 && to > 2)
    );
    // What callers expect comes last.
    let expected = findings(&failing.replace("error=-61", "error=-11"));
    assert_eq!(expected.last().map(|f| f.code), Some("requests-failed"));
    assert!(expected.len() > 1);
    assert!(
        findings(&failing.replace("error=-61", ""))
            .iter()
            .all(|f| f.code != "requests-failed")
    );
}

#[test]
fn each_rule_has_its_threshold() {
    for (just, below, code) in [
        (
            vec![("starved.share", 0.05)],
            vec![("starved.share", 0.049)],
            "held-back",
        ),
        (
            vec![("states.nobody", 0.2)],
            vec![("states.nobody", 0.199)],
            "mostly-idle",
        ),
        (
            vec![("q2d.mean", 1.3e6)],
            vec![("q2d.mean", 1.2e6)],
            "waiting-before-issue",
        ),
        (
            vec![("flush.busy", 0.1)],
            vec![("flush.busy", 0.09)],
            "flushes-in-flight",
        ),
        (
            vec![("writes.off4k", 0.1)],
            vec![("writes.off4k", 0.09)],
            "writes-off-block",
        ),
    ] {
        assert_eq!(
            (codes(&just), codes(&below)),
            (vec![code], vec!["nothing-held-back"])
        );
    }
    let tags = [
        ("q2g.mean", 8e5),
        ("q2d.mean", 9e5),
        ("states.busy_waiting", 0.9),
    ];
    assert_eq!(codes(&tags), ["waiting-for-tags"]);
    assert_eq!(
        codes(&tags[..2]),
        ["nothing-held-back"],
        "rarely while others are in flight"
    );
    assert_eq!(
        codes(&[("size.issued.mean", 4096.0)]),
        ["nothing-held-back"],
        "random requests are not merged"
    );
    assert_eq!(
        codes(&[
            ("size.issued.mean", 4096.0),
            ("seek.issued.sequential_share", 0.9)
        ]),
        ["small-requests"]
    );
    let stripes = [
        ("alignment.straddles.share", 0.0),
        ("alignment.stripes.full", 80.0),
        ("alignment.stripes.partial", 20.0),
    ];
    assert_eq!(codes(&stripes), ["partial-stripes"]);
    // The largest share of the run's time comes first.
    assert_eq!(
        codes(&[("starved.share", 0.1), ("states.nobody", 0.3)]),
        ["mostly-idle", "held-back"]
    );
}

#[test]
fn what_the_device_did_while_nobody_was_held_back() {
    let mut held = device(&[("starved.share", 0.2), ("iops", 700.0)]);
    // A quarter of the run without starved time and with more requests.
    for bin in 0..10 {
        held.bins.sums.get_mut("starved.share").unwrap()[bin].0 = 0.0;
        held.bins.sums.get_mut("iops").unwrap()[bin].0 = 1000.0 * 2.5e8;
    }
    let sentence = |device: &DeviceDigest| found(device.clone()).remove(0).1;
    assert!(
        sentence(&held).contains("while nobody was held back, at 1,000"),
        "{}",
        sentence(&held)
    );
    // Of larger requests there: that is another kind of work.
    for bin in 0..10 {
        held.bins.sums.get_mut("size.issued.mean").unwrap()[bin].0 /= 2.0;
    }
    assert!(!sentence(&held).contains("nobody"), "{}", sentence(&held));
    let findings = explain(&run(held), 0).unwrap().findings;
    let when = findings[0].when.as_ref().unwrap();
    assert_eq!(
        (findings[0].share, when.intervals.len()),
        (Some(0.2), 0),
        "spread over three quarters of the run"
    );
}

#[test]
fn stretches_of_a_deeper_queue_and_of_a_slower_device() {
    let mut deep = device(&[]);
    for bin in 0..10 {
        deep.bins.sums.get_mut("depth.mean").unwrap()[bin].0 *= 2.0;
        deep.bins.sums.get_mut("iops").unwrap()[bin].0 *= 1.5;
    }
    assert_eq!(found(deep.clone())[0].0, "queue-shallow");
    for bin in 0..10 {
        deep.bins.sums.get_mut("iops").unwrap()[bin].0 /= 1.3;
    }
    assert_eq!(found(deep)[0].0, "nothing-held-back");
    let mut slow = device(&[]);
    for bin in 20..24 {
        slow.bins.sums.get_mut("d2c.mean").unwrap()[bin].0 *= 3.0;
    }
    let findings = explain(&run(slow.clone()), 0).unwrap().findings;
    assert_eq!(
        (findings[0].code, findings[0].evidence.range),
        (
            "device-slower-at-times",
            Some((5_000_000_000, 6_000_000_000))
        )
    );
    // A queue of three times the depth explains it.
    for bin in 20..24 {
        slow.bins.sums.get_mut("depth.mean").unwrap()[bin].0 *= 3.0;
    }
    assert_eq!(found(slow)[0].0, "nothing-held-back");
}

#[test]
fn the_tail_the_block_size_and_missing_events() {
    let mut slow = device(&[]);
    let shares = BTreeMap::from([
        ("other-process".to_owned(), 0.8),
        ("device".to_owned(), 0.2),
    ]);
    let tail = TailDigest {
        stage: "q2c".to_owned(),
        threshold: 13_000_000,
        requests: 9,
        ns: 2e8,
        shares,
    };
    slow.tail = Some(tail.clone());
    assert_eq!(found(slow.clone())[0].0, "slow-tail");
    slow.tail = Some(TailDigest {
        threshold: 12_000_000,
        ..tail
    });
    assert_eq!(
        found(slow)[0].0,
        "nothing-held-back",
        "three times the median"
    );
    let block = |bytes: &str| {
        let setting = Setting {
            device: None,
            dev: None,
            key: "physical_block_size".to_owned(),
            value: bytes.to_owned(),
        };
        let run = ComparedRun {
            settings: vec![setting],
            ..run(device(&[("writes.off4k", 0.5)]))
        };
        explain(&run, 0).unwrap().findings[0].code
    };
    assert_eq!(
        (block("512"), block("4096")),
        ("nothing-held-back", "writes-off-block")
    );
    let mut lost = run(device(&[("starved.share", 0.5)]));
    lost.trace.quality = DigestQuality {
        lost_events: 3,
        ..DigestQuality::default()
    };
    assert_eq!(
        explain(&lost, 0)
            .unwrap()
            .findings
            .iter()
            .map(|f| f.code)
            .collect::<Vec<_>>(),
        ["events-missing"]
    );
}

#[test]
fn only_a_single_side_is_explained_alone() {
    let runs = |n: usize| CompareQuery {
        runs: (0..n).map(|_| run(device(&[]))).collect(),
        baseline: 0,
        noise: None,
    };
    let mut repeats = runs(2);
    repeats
        .runs
        .iter_mut()
        .for_each(|run| run.group = Some("same".to_owned()));
    assert_eq!(
        [runs(1), runs(2), repeats].map(|query| compare(&query).alone.len()),
        [1, 0, 2]
    );
}

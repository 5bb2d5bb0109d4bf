//! Each rule on figures made for it: it fires, and does not fire just below its thresholds.

mod drift;
mod durable;
mod failed;
mod layout;
mod objects;
mod order;
mod others;

use crate::document::Comparison;
use crate::runs::bins::RunBins;
use crate::runs::digest::{DeviceDigest, Digest, DigestQuality};
use crate::{CompareQuery, ComparedRun, compare};
use seekscope_measure::access::readahead::Readaheads;
use seekscope_measure::figures::requested::RequestedWork;
use seekscope_measure::size::SizeCount;
use seekscope_notes::Setting;
use seekscope_report::summary::SummaryProcess;
use std::collections::BTreeMap;

const MIB: u64 = 1 << 20;

/// A disk that writes 100 MiB in 10 s, healthy: shares of states add up to 1.
const HEALTHY: [(&str, f64); 18] = [
    ("span", 1e10),
    ("bps", 1e7),
    ("write_bps", 1e7),
    ("iops", 2500.0),
    ("bytes.write", 1e8),
    ("depth.mean", 8.0),
    ("starved.share", 0.01),
    ("states.busy_waiting", 0.09),
    ("states.busy", 0.8),
    ("states.nobody", 0.1),
    ("q2c.mean", 3.2e6),
    ("q2d.mean", 2e5),
    ("d2c.mean", 3e6),
    ("seek.issued.sequential_share", 0.9),
    ("interleaving.switch_share", 0.1),
    ("size.issued.mean", 65536.0),
    ("size.queued.mean", 32768.0),
    ("merges.q_per_d", 2.0),
];

fn digest(changed: &[(&str, f64)]) -> Digest {
    let mut figures: BTreeMap<String, f64> =
        HEALTHY.iter().map(|&(k, v)| (k.to_owned(), v)).collect();
    figures.extend(changed.iter().map(|&(k, v)| (k.to_owned(), v)));
    // Steady: a bin differs from the next by a hundredth.
    let sampled = figures.iter().filter(|(key, _)| !key.starts_with("bytes."));
    let sums = sampled.map(|(key, v)| {
        (
            key.clone(),
            (0..30)
                .map(|i| (v * (1.0 + f64::from(i % 2) / 100.0), 1.0))
                .collect(),
        )
    });
    let device = DeviceDigest {
        dev: "8,0".to_owned(),
        role: seekscope_trace::store::Role::Disk,
        active: (0, figures["span"] as u64),
        bins: RunBins {
            width: figures["span"] as u64 / 30,
            sums: sums.collect(),
            ..RunBins::default()
        },
        work: RequestedWork {
            write: 100 * MIB,
            ..RequestedWork::default()
        },
        places: (0..11).map(|i| i * 20_480).collect(),
        sizes: [const { Vec::new() }; 3].map(|_: Vec<SizeCount>| {
            vec![SizeCount {
                sectors: 128,
                writes: 1600,
                ..SizeCount::default()
            }]
        }),
        figures,
        ..DeviceDigest::default()
    };
    let processes = vec![SummaryProcess {
        pid: 1,
        name: "dd".to_owned(),
        queued: 3200,
        bytes: 100 * MIB,
    }];
    Digest {
        name: "t".to_owned(),
        events: 20_000,
        processes,
        devices: vec![device],
        ..Digest::default()
    }
}

fn run(label: &str, digest: Digest) -> ComparedRun {
    ComparedRun {
        label: label.to_owned(),
        trace: digest,
        ..ComparedRun::default()
    }
}

fn compared(a: Digest, b: Digest) -> Comparison {
    compare(&CompareQuery {
        runs: vec![run("old", a), run("new", b)],
        baseline: 0,
        noise: None,
    })
    .first
    .unwrap()
}

fn found(a: Digest, b: Digest) -> Vec<(&'static str, String)> {
    compared(a, b)
        .findings
        .into_iter()
        .map(|f| (f.code, f.sentence))
        .collect()
}

fn codes(a: &[(&str, f64)], b: &[(&str, f64)]) -> Vec<&'static str> {
    found(digest(a), digest(b))
        .into_iter()
        .map(|(code, _)| code)
        .collect()
}

/// Half the throughput, so that every rule about time may speak.
const SLOWER: [(&str, f64); 4] = [
    ("span", 2e10),
    ("bps", 5e6),
    ("write_bps", 5e6),
    ("iops", 1250.0),
];

/// Codes of rules that name something: not those that stand where none does.
fn rules(a: &[(&str, f64)], b: &[(&str, f64)]) -> Vec<&'static str> {
    let mut named = codes(a, b);
    named.retain(|code| !matches!(*code, "behaves-differently" | "no-real-difference"));
    named
}

fn slower(more: &[(&str, f64)]) -> Vec<&'static str> {
    rules(&[], &[&SLOWER[..], more].concat())
}

#[test]
fn the_same_is_no_difference_and_so_is_what_repeats_often_differ_by() {
    assert_eq!(codes(&[], &[]), ["no-real-difference"]);
    assert_eq!(
        codes(&[], &[("bps", 9e6), ("span", 1.1e10)]),
        ["no-real-difference"]
    );
}

#[test]
fn what_is_certain_by_its_own_figure_is_a_finding_whatever_the_total_is() {
    let starving = [("starved.share", 0.3), ("states.busy", 0.51)];
    for rate in [1e7, 9e6, 1.1e7, 3e7] {
        let total = [("bps", rate), ("span", 1e17 / rate)];
        let starves = [&total[..], &starving].concat();
        assert_eq!(codes(&[], &starves), ["starved-while-waiting"], "{rate}");
        assert_eq!(codes(&starves, &[]), ["starved-while-waiting"], "{rate}");
    }
    // Less of the same work in flight, while as much waits for it.
    let held = [("depth.mean", 4.0), ("waiting.mean", 4.0)];
    assert_eq!(codes(&[("waiting.mean", 1.0)], &held), ["depth-fell"]);
    // A device that answers faster has less in flight, too.
    let faster = [("depth.mean", 4.0), ("d2c.mean", 1.5e6)];
    assert!(!codes(&[("waiting.mean", 0.1)], &faster).contains(&"depth-fell"));
    assert_eq!(
        codes(&[], &[("q2d.mean", 3e6), ("q2c.mean", 6e6)]),
        ["scheduler-slower"]
    );
}

#[test]
fn no_real_difference_never_stands_beside_a_mechanism_that_differs() {
    let more = [("waiting.mean", 0.6)];
    let all = found(digest(&more), digest(&[("waiting.mean", 3.0)]));
    assert_eq!(all.len(), 1);
    assert_eq!(
        all[0],
        (
            "behaves-differently",
            "The block layer behaves differently in old and new: Waiting, mean 0.600 and 3 (x5). No \
                rule names the cause."
                .to_owned()
        )
    );
    // Significant in the table, but not among so many figures.
    assert_eq!(codes(&more, &[("waiting.mean", 1.5)]), [""; 0]);
    // Too small to matter for the requests in flight.
    let few = [("waiting.mean", 0.02)];
    assert_eq!(
        codes(&few, &[("waiting.mean", 0.1)]),
        ["no-real-difference"]
    );
}

#[test]
fn equal_is_shown_and_not_assumed() {
    let verdict = |a: Digest, b: Digest| {
        let first = compared(a, b);
        (
            first.outcome.word(),
            first.verdict,
            first.ci90,
            first.more_runs,
        )
    };
    // A recording and itself.
    let (outcome, words, ..) = verdict(digest(&[]), digest(&[]));
    assert_eq!(outcome, "equal");
    assert_eq!(
        words,
        "new and old are equal to within 5%: 10 MB/s against 10 MB/s (+0%)."
    );
    // Single runs: repeats differ by more than what would matter.
    let (outcome, words, ci90, more_runs) = verdict(digest(&[]), digest(&[("bps", 1.01e7)]));
    assert_eq!(outcome, "unsure");
    let (low, high) = ci90.expect("an interval");
    assert!(low < 0.9 && high > 1.1, "{low} {high}");
    let runs = more_runs.expect("a number");
    assert!(words.contains("may be equal"), "{words}");
    assert!(
        words.ends_with(&format!("{runs} more runs of each would tell.")),
        "{words}"
    );
    let (_, words, _, _) = verdict(digest(&[]), digest(&[("bps", 9e6)]));
    assert!(
        words.starts_with("Whether new and old differ is unsure"),
        "{words}"
    );
}

#[test]
fn an_unsure_total_does_not_hide_what_differs() {
    let less = [
        ("bps", 8e6),
        ("write_bps", 8e6),
        ("iops", 2000.0),
        ("span", 1.25e10),
    ];
    let outcome = |b: &[(&str, f64)]| {
        let first = compared(digest(&[]), digest(b));
        (
            first.outcome.word(),
            first.verdict,
            first.findings.iter().map(|f| f.code).collect::<Vec<_>>(),
        )
    };
    let (unsure, words, codes) = outcome(&less);
    assert_eq!((unsure, codes.as_slice()), ("unsure", &[][..]));
    assert!(words.ends_with("more runs of each would tell."), "{words}");
    let starving = [
        ("starved.share", 0.3),
        ("states.busy", 0.5),
        ("states.busy_waiting", 0.1),
        ("states.nobody", 0.1),
    ];
    assert_eq!(
        outcome(&[&less[..], &starving].concat()).2,
        ["starved-while-waiting"]
    );
    let longer = [&less[..], &[("d2c.mean", 6e6), ("q2c.mean", 6.2e6)]].concat();
    assert_eq!(outcome(&longer).2, ["device-slower"]);
    // A deeper queue makes D2C longer by itself.
    let deeper = [&longer[..], &[("depth.mean", 16.0)]].concat();
    assert!(!outcome(&deeper).2.contains(&"device-slower"));
    assert_eq!(outcome(&SLOWER).0, "slower");
}

#[test]
fn a_device_starves() {
    let starving = [
        ("starved.share", 0.3),
        ("states.busy", 0.5),
        ("states.busy_waiting", 0.1),
        ("states.nobody", 0.1),
    ];
    assert_eq!(slower(&starving), ["starved-while-waiting"]);
    let words = found(digest(&[]), digest(&[&SLOWER[..], &starving].concat()))
        .remove(0)
        .1;
    assert_eq!(
        words,
        "new: the device was idle for 30% of the run while requests waited (old: 1%)."
    );
    // The faster run is never blamed, in whichever order they are given.
    let backwards = found(digest(&[&SLOWER[..], &starving].concat()), digest(&[])).remove(0);
    assert_eq!(
        backwards,
        (
            "starved-while-waiting",
            words
                .replace("new", "x")
                .replace("old", "new")
                .replace('x', "old")
        )
    );
    assert_eq!(
        slower(&[("starved.share", 0.049), ("states.busy", 0.751)]),
        [""; 0]
    );
}

#[test]
fn a_queue_is_not_filled() {
    assert_eq!(slower(&[("depth.mean", 4.0)]), ["depth-fell"]);
    assert_eq!(slower(&[("depth.mean", 5.7)]), [""; 0]);
    assert_eq!(
        slower(&[("depth.mean", 4.0), ("d2c.mean", 4.8e6)]),
        ["device-slower"]
    );
}

#[test]
fn requests_wait_for_the_scheduler_or_for_the_device() {
    assert_eq!(
        slower(&[("q2d.mean", 3e6), ("q2c.mean", 6e6)]),
        ["scheduler-slower"]
    );
    assert_eq!(slower(&[("q2d.mean", 9e5), ("q2c.mean", 6e6)]), [""; 0]);
    assert_eq!(
        slower(&[("d2c.mean", 6e6), ("q2c.mean", 6.2e6)]),
        ["device-slower"]
    );
    assert_eq!(slower(&[("d2c.mean", 3.6e6), ("q2c.mean", 3.8e6)]), [""; 0]);
    // As much work while busy: the queue is deeper, the device is not slower.
    let idle = [
        ("d2c.mean", 6e6),
        ("q2c.mean", 6.2e6),
        ("states.busy", 0.31),
        ("states.nobody", 0.59),
    ];
    assert_eq!(slower(&idle), ["idle-grew"]);
}

#[test]
fn requests_are_smaller_and_apart() {
    assert_eq!(
        slower(&[("size.issued.mean", 32768.0)]),
        ["requests-smaller"]
    );
    assert_eq!(rules(&[], &[("size.issued.mean", 47_000.0)]), [""; 0]);
    assert_eq!(slower(&[("merges.q_per_d", 1.0)]), ["merging-stopped"]);
    let apart = [("seek.issued.sequential_share", 0.4), ("d2c.mean", 3.4e6)];
    assert_eq!(slower(&apart), ["seeks-grew"]);
    assert_eq!(
        slower(&[("seek.issued.sequential_share", 0.4)]),
        [""; 0],
        "the device does not mind"
    );
    assert_eq!(
        slower(&[("interleaving.switch_share", 0.6), ("d2c.mean", 3.4e6)]),
        ["interleaving-grew"]
    );
    assert_eq!(
        slower(&[("interleaving.switch_share", 0.24), ("d2c.mean", 3.4e6)]),
        [""; 0]
    );
}

#[test]
fn flushes_and_forced_writes() {
    assert_eq!(
        rules(
            &[("flush.flush", 0.0)],
            &[("flush.flush", 1600.0), ("flush.busy", 0.4)]
        ),
        ["flushes-appeared"]
    );
    assert_eq!(
        rules(&[("flush.flush", 1600.0)], &[("flush.flush", 2300.0)]),
        [""; 0]
    );
    assert_eq!(
        rules(&[("flush.fua", 0.0)], &[("flush.fua", 33.0)]),
        ["fua-appeared"]
    );
    assert_eq!(
        rules(&[("flush.fua", 0.0)], &[("flush.fua", 31.0)]),
        [""; 0]
    );
    assert_eq!(rules(&[("sync", 1.0)], &[("sync", 0.7)]), ["sync-changed"]);
    assert_eq!(rules(&[("sync", 1.0)], &[("sync", 0.81)]), [""; 0]);
}

const STRIPES: [(&str, f64); 4] = [
    ("alignment.stripes.full", 100.0),
    ("alignment.stripes.partial", 0.0),
    ("alignment.straddles.share", 0.0),
    ("alignment.rmw.bytes", 0.0),
];

#[test]
fn writes_leave_the_stripe() {
    let off = [
        ("alignment.stripes.full", 50.0),
        ("alignment.stripes.partial", 50.0),
        ("alignment.straddles.share", 1.0),
        ("alignment.rmw.bytes", 4e7),
    ];
    assert_eq!(rules(&STRIPES, &off), ["alignment-lost", "rmw-cost"]);
    assert_eq!(
        rules(&STRIPES, &[&SLOWER[..], &off].concat()),
        ["alignment-lost", "rmw-cost"]
    );
    assert!(
        found(digest(&STRIPES), digest(&off))[0]
            .1
            .ends_with("although new was no slower.")
    );
    let hardly = [
        ("alignment.stripes.full", 91.0),
        ("alignment.stripes.partial", 9.0),
        ("alignment.straddles.share", 0.09),
        ("alignment.rmw.bytes", 4e6),
    ];
    assert_eq!(rules(&STRIPES, &hardly), [""; 0]);
}

#[test]
fn reads_ahead_are_smaller() {
    let reads = |figures: &[(&str, f64)]| {
        let mut d = digest(figures);
        d.devices[0].work = RequestedWork {
            read: 100 * MIB,
            ahead: 60 * MIB,
            ..RequestedWork::default()
        };
        d
    };
    let codes = |size| {
        found(
            reads(&[]),
            reads(&[&SLOWER[..], &[("size.queued.mean", size)]].concat()),
        )
    };
    assert_eq!(codes(16_384.0)[0].0, "readahead-shrank");
    assert!(
        codes(20_000.0)
            .iter()
            .all(|(code, _)| *code == "behaves-differently")
    );
    // A limit of the device cuts bios to one size.
    let ahead = |figures: &[(&str, f64)], bytes| {
        let mut d = reads(figures);
        d.devices[0].readaheads = Some(Readaheads { count: 1, bytes });
        d
    };
    let shallow = [&SLOWER[..], &[("depth.mean", 4.0)]].concat();
    let all = found(ahead(&[], 4 * MIB), ahead(&shallow, MIB));
    assert_eq!(
        all,
        [(
            "readahead-shrank",
            "new: less was read ahead at a time, 1 MiB on average (old: 4 MiB), with 4 requests in \
                flight (old: 8)."
                .to_owned()
        )]
    );
    let as_much = found(ahead(&[], 4 * MIB), ahead(&shallow, 3 * MIB));
    assert_eq!(as_much[0].0, "depth-fell");
}

#[test]
fn data_lies_elsewhere() {
    let mut moved = digest(&SLOWER);
    moved.devices[0]
        .places
        .iter_mut()
        .for_each(|p| *p += 150_000);
    assert_eq!(found(digest(&[]), moved.clone())[0].0, "placement-moved");
    moved.devices[0]
        .places
        .iter_mut()
        .for_each(|p| *p -= 50_000);
    assert_eq!(found(digest(&[]), moved), [], "less than 64 MiB");
}

#[test]
fn the_first_questions_stand_first() {
    let mut lossy = digest(&SLOWER);
    lossy.quality = DigestQuality {
        holes: 2,
        truncated_bytes: 7,
        ..DigestQuality::default()
    };
    lossy.devices[0].work.write = 50 * MIB;
    let all = found(digest(&[]), lossy);
    assert_eq!(
        all.iter().map(|f| f.0).collect::<Vec<_>>(),
        ["trace-incomplete", "not-the-same-work"]
    );
    assert_eq!(
        all[0].1,
        "Events are missing. new: events missing in 2 intervals, a file is truncated. Depth, \
            waiting and latency figures are unreliable."
    );
    assert_eq!(
        all[1].1,
        "The work differs: 100 MiB in old and 50 MiB in new, in different run times."
    );
    let mut crowd = digest(&[]);
    crowd.traces_of(&["dd", "dd", "jbd2/sda-8"]);
    assert_eq!(
        found(digest(&[]), crowd)[0].1,
        "The work differs: the number of processes is 1 in old and 2 in new."
    );
}

impl Digest {
    fn traces_of(&mut self, names: &[&str]) {
        let process = |(pid, name): (usize, &&str)| SummaryProcess {
            pid: pid as u32,
            name: (*name).to_owned(),
            queued: 9,
            bytes: MIB,
        };
        self.processes = names.iter().enumerate().map(process).collect();
    }
}

/// `device key` or `key`, and the value.
fn with_settings(run: ComparedRun, settings: &[(&str, &str)]) -> ComparedRun {
    let setting = |(place, value): &(&str, &str)| {
        let (device, key) = place
            .split_once('/')
            .map_or((None, *place), |(device, key)| {
                (Some(device.to_owned()), key)
            });
        Setting {
            device,
            dev: None,
            key: key.to_owned(),
            value: (*value).to_owned(),
        }
    };
    ComparedRun {
        settings: settings.iter().map(setting).collect(),
        ..run
    }
}

/// Code, sentence and number of settings of each finding.
fn found_with(
    old: &[(&str, &str)],
    new: &[(&str, &str)],
    figures: &[(&str, f64)],
) -> Vec<(&'static str, String, usize)> {
    let runs = vec![
        with_settings(run("old", digest(&[])), old),
        with_settings(run("new", digest(figures)), new),
    ];
    let findings = compare(&CompareQuery {
        runs,
        baseline: 0,
        noise: None,
    })
    .first
    .unwrap()
    .findings;
    findings
        .into_iter()
        .map(|f| (f.code, f.sentence, f.settings.len()))
        .collect()
}

#[test]
fn settings_that_differ_are_a_finding_and_the_likely_cause_of_what_they_can_explain() {
    let shallow = [&SLOWER[..], &[("depth.mean", 4.0)]].concat();
    let (old, new) = (
        [("8,0/nr_requests", "256"), ("fua", "1")],
        [("8,0/nr_requests", "4"), ("fua", "1")],
    );
    let all = found_with(&old, &new, &shallow);
    assert_eq!(
        all.iter().map(|f| (f.0, f.2)).collect::<Vec<_>>(),
        [("depth-fell", 1), ("setting-changed", 1)]
    );
    assert!(
        all[0]
            .1
            .ends_with(" Likely cause: nr_requests 4 (old: 256)."),
        "{}",
        all[0].1
    );
    assert_eq!(
        all[1].1,
        "Settings changed from old to new: nr_requests 256 -> 4."
    );
    // The longer queue is not what made it shallow, and no finding is made of a setting alone.
    let other_way = found_with(&new, &old, &shallow);
    assert_eq!(
        other_way.iter().map(|f| (f.0, f.2)).collect::<Vec<_>>(),
        [("depth-fell", 0), ("setting-changed", 1)]
    );
    assert_eq!(
        found_with(&old, &new, &[])
            .iter()
            .map(|f| f.0)
            .collect::<Vec<_>>(),
        ["no-real-difference", "setting-changed"]
    );
    // Equal values, whatever their spelling, and settings of one run only are no change.
    for (old, new) in [
        ([("nr_requests", "256")], [("nr_requests", "256.0")]),
        ([("nr_requests", "256")], [("fua", "1")]),
    ] {
        assert_eq!(found_with(&old, &new, &[]).len(), 1, "{old:?} {new:?}");
    }
}

#[test]
fn a_setting_of_another_disk_explains_nothing() {
    let shallow = [&SLOWER[..], &[("depth.mean", 4.0)]].concat();
    let disks = |value| [("sdy/nr_requests", value), ("sdz/nr_requests", value)];
    let all = found_with(&disks("256"), &disks("4"), &shallow);
    assert_eq!(
        all.iter().map(|f| (f.0, f.2)).collect::<Vec<_>>(),
        [("depth-fell", 0), ("setting-changed", 1)]
    );
    assert_eq!(
        all[1].1,
        "Settings changed from old to new: sdy, sdz: nr_requests 256 -> 4."
    );
}

/// Files named `trace.blktrace.*`: the trace has the number of its device only, the settings its
/// name.
#[test]
fn the_only_disk_of_the_settings_is_that_of_a_trace_without_its_name() {
    let unnamed = |figures: &[(&str, f64)]| {
        let mut d = digest(figures);
        d.devices[0].name = d.devices[0].dev.clone();
        d
    };
    let compared = |settings: &[&[(&str, &str)]; 2], figures: &[(&str, f64)]| {
        let (old, new) = (run("old", unnamed(&[])), run("new", unnamed(figures)));
        let runs = vec![
            with_settings(old, settings[0]),
            with_settings(new, settings[1]),
        ];
        let findings = compare(&CompareQuery {
            runs,
            baseline: 0,
            noise: None,
        })
        .first
        .unwrap()
        .findings;
        findings
            .into_iter()
            .map(|f| (f.code, f.settings.len()))
            .collect::<Vec<_>>()
    };
    let shallow = [&SLOWER[..], &[("depth.mean", 4.0)]].concat();
    let named = compared(
        &[&[("sda/nr_requests", "256")], &[("sdb/nr_requests", "4")]],
        &shallow,
    );
    assert_eq!(named, [("depth-fell", 1), ("setting-changed", 1)]);
    // Which of two it is is open.
    let two: [&[(&str, &str)]; 2] = [
        &[("sda/nr_requests", "256"), ("sdb/fua", "1")],
        &[("sda/nr_requests", "4"), ("sdb/fua", "1")],
    ];
    assert_eq!(
        compared(&two, &shallow),
        [("depth-fell", 0), ("setting-changed", 1)]
    );
}

#[test]
fn options_are_compared_one_by_one() {
    let mount = |options| [("sda1/mount options", options)];
    let all = found_with(&mount("rw,noatime"), &mount("rw,nobarrier,noatime"), &[]);
    assert_eq!(
        all[1].1,
        "Settings changed from old to new: sda1: mount options not set -> nobarrier."
    );
    assert_eq!(
        found_with(&mount("rw,noatime"), &mount("noatime,rw"), &[]).len(),
        1
    );
    let partitions = |list| [("8,0/partitions", list)];
    assert_eq!(
        found_with(&partitions("none"), &partitions("sda1 at 63"), &[])[1].1,
        "Settings changed from old to new: partitions none -> sda1 at 63."
    );
    // Moved ones have the finding by their own start.
    assert_eq!(
        found_with(&partitions("sda1 at 63"), &partitions("sda1 at 64"), &[]).len(),
        1
    );
}

#[test]
fn groups_are_judged_by_their_spread() {
    let group = |name: &str, rates: [f64; 3]| {
        rates.map(|rate| ComparedRun {
            group: Some(name.to_owned()),
            ..run(name, digest(&[("bps", rate), ("span", 1e17 / rate)]))
        })
    };
    let outcome = |a, b| {
        let runs = group("a", a).into_iter().chain(group("b", b)).collect();
        let first = compare(&CompareQuery {
            runs,
            baseline: 0,
            noise: None,
        })
        .first
        .unwrap();
        (
            first.outcome.word(),
            first
                .figures
                .iter()
                .find(|f| serde_json::to_value(f).unwrap()["key"] == "bps")
                .cloned()
                .unwrap(),
        )
    };
    let (near, figure) = outcome([1.00e7, 1.01e7, 0.99e7], [1.10e7, 1.11e7, 1.09e7]);
    assert_eq!(near, "faster", "a tenth, far above the spread");
    let figure = serde_json::to_value(figure).unwrap();
    assert_eq!(
        (&figure["groups"][1]["n"], &figure["groups"][1]["mean"]),
        (&3.into(), &1.1e7.into())
    );
    assert_eq!(figure["values"].as_array().unwrap().len(), 6);
    assert_eq!(
        outcome([0.7e7, 1.0e7, 1.3e7], [0.9e7, 1.2e7, 1.4e7]).0,
        "unsure",
        "within the spread"
    );
    assert_eq!(
        outcome([1.00e7, 1.01e7, 0.99e7], [1.01e7, 1.02e7, 1.00e7]).0,
        "equal",
        "three steady runs"
    );
}

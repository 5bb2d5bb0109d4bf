//! A run recorded by blktrace and as text at the same time says the same, as far as the text can
//! carry it.

use crate::common::{File, digest, fixtures, read, recording, records};
use seekscope_core::builder::TraceBuilder;
use seekscope_core::capabilities::Capabilities;
use seekscope_core::event::{Action, DeviceNumber};
use seekscope_core::measure::figures::{Figures, figures};
use seekscope_core::measure::{Window, latency::Latency};
use seekscope_core::report::blkparse_text::{MessageLines, text};
use seekscope_core::report::summary::summarise;
use seekscope_core::store::{LossEvidence, LossInterval, Stage, Store};
use std::collections::{HashMap, VecDeque};

/// Runs of which the text holds every event that blktrace recorded, with the format.
const RUNS: [(&str, &str); 5] = [
    ("ftrace-6.1", "ftrace-text"),
    ("ftrace-6.12", "ftrace-text"),
    ("trace-cmd-6.1", "trace-cmd-text"),
    ("trace-cmd-6.12", "trace-cmd-text"),
    ("perf-6.1", "perf-text"),
];

/// CPU, action, sector and bytes: what two tracers agree on of an event.
type Key = (u32, u8, u64, u32);

/// The text of a run, and blktrace's per-CPU files of it.
fn twins(name: &str) -> (File, Vec<File>) {
    let folder = fixtures().join("../texts").join(name);
    let paths = std::fs::read_dir(folder)
        .expect("the run exists")
        .map(|entry| entry.expect("a folder can be listed").path());
    let named = |path: std::path::PathBuf| {
        let name = path
            .file_name()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        (name, std::fs::read(&path).expect("a file can be read"))
    };
    let (mut texts, mut parts): (Vec<File>, Vec<File>) =
        paths.map(named).partition(|f| f.0.ends_with(".txt"));
    parts.sort();
    (texts.remove(0), parts)
}

fn load(name: &str) -> (Store, Store) {
    let (text, parts) = twins(name);
    (read(&[text], 1 << 20), read(&parts, 1 << 20))
}

fn disk(store: &Store) -> Figures {
    let [figures] = figures(store, Window::WHOLE, None)
        .try_into()
        .expect("one device");
    figures
}

/// The digest without what one of both lacks: the cause of an unplug, and writes of zeroes.
fn alike(digest: Vec<String>) -> Vec<String> {
    let unplug = |line: String| {
        line.replace(" UT ", " U ")
            .replace(" UnplugTimer", " Unplug")
    };
    let zeroes = |line: String| {
        line.replace("Flags(0x8", "Flags(0x0")
            .replace("Flags(0x9", "Flags(0x1")
    };
    // The idle tasks of all CPUs are one pid with several names.
    let idle = |line: &String| line.contains("swapper") || line.contains("<idle>");
    let mut lines: Vec<String> = digest
        .into_iter()
        .map(unplug)
        .map(zeroes)
        .filter(|line| !idle(line))
        .collect();
    // The last line holds the clocks; the text lacks the time of day.
    lines.pop();
    lines
}

/// Two tracers look at the clock at different moments. Gives the records of the one the times of
/// the other, event by event.
fn restamped(parts: &[File], text: &Store) -> Vec<File> {
    let e = &text.events;
    let code = |action: Action| {
        if action == Action::UnplugTimer {
            Action::Unplug.code()
        } else {
            action.code()
        }
    };
    let mut times: HashMap<Key, VecDeque<(usize, u64)>> = HashMap::new();
    for i in 0..e.len() {
        let key = (e.cpu(i), code(e.action(i)), e.sector(i), e.bytes(i));
        times
            .entry(key)
            .or_default()
            .push_back((i, text.origin + e.time(i)));
    }
    let word = |r: &[u8], offset: usize| {
        u32::from_le_bytes(r[offset..offset + 4].try_into().expect("four bytes"))
    };
    let mut stamp = |record: &[u8]| {
        let mut record = record.to_vec();
        let action = Action::from_code(word(&record, 28) as u16)
            .filter(|_| word(&record, 28) & 0x0400_0000 == 0);
        let Some(action) = action else {
            return (0, record);
        };
        let sector = u64::from_le_bytes(record[16..24].try_into().expect("eight bytes"));
        let key = (word(&record, 40), code(action), sector, word(&record, 24));
        let (row, time) = times
            .get_mut(&key)
            .and_then(VecDeque::pop_front)
            .expect("the text holds the event");
        record[8..16].copy_from_slice(&time.to_le_bytes());
        (row, record)
    };
    let mut file = |data: &[u8]| -> Vec<u8> {
        let mut stamped: Vec<(usize, Vec<u8>)> =
            records(data).into_iter().map(&mut stamp).collect();
        // An interrupt may come between the one tracer's look at an event and the other's.
        stamped.sort_by_key(|s| s.0);
        stamped.into_iter().flat_map(|s| s.1).collect()
    };
    let stamped = parts
        .iter()
        .map(|(name, data)| (name.clone(), file(data)))
        .collect();
    assert!(
        times.values().all(VecDeque::is_empty),
        "the text holds no other event"
    );
    stamped
}

#[test]
fn with_the_times_of_the_text_blktrace_says_the_same_to_the_last_digit() {
    for (name, format) in RUNS {
        let (text, parts) = twins(name);
        let store = read(&[text], 1 << 20);
        let twin = read(&restamped(&parts, &store), 1 << 20);
        assert_eq!(store.format, format);
        // The events, requests, stages and tasks are the same in both.
        let (wanted, got) = (alike(digest(&twin)), alike(digest(&store)));
        let odd: Vec<_> = wanted
            .iter()
            .zip(&got)
            .filter(|(a, b)| a != b)
            .take(3)
            .collect();
        assert!(
            odd.is_empty() && wanted.len() == got.len(),
            "{name}: {} {} {odd:#?}",
            wanted.len(),
            got.len()
        );
    }
}

#[test]
fn figures_of_the_twin() {
    let close = |a: f64, b: f64| (a - b).abs() <= 0.01 * b;
    for (name, _) in RUNS {
        let (text, binary) = load(name);
        let (a, b) = (disk(&text), disk(&binary));
        for action in Action::ALL {
            let count = |f: &Figures| match action {
                Action::Unplug => {
                    f.counts.count(Action::Unplug) + f.counts.count(Action::UnplugTimer)
                }
                Action::UnplugTimer => 0,
                other => f.counts.count(other),
            };
            assert_eq!(count(&a), count(&b), "{name}: {action:?}");
        }
        let bytes = |f: &Figures| {
            (
                f.counts.read_bytes,
                f.counts.write_bytes,
                f.counts.discard_bytes,
            )
        };
        assert_eq!(bytes(&a), bytes(&b), "{name}");
        assert_eq!(a.sizes, b.sizes, "{name}");
        let seek = |f: &Figures| {
            [f.seek_issued, f.seek_queued]
                .map(|s| s.map(|s| (s.n, s.mean_abs, s.median_abs, s.sequential_share)))
        };
        assert_eq!(seek(&a), seek(&b), "{name}");
        assert_eq!(
            (a.flush.preflush, a.flush.flush, a.flush.fua),
            (b.flush.preflush, b.flush.flush, b.flush.fua),
            "{name}"
        );
        assert_eq!(
            (a.interleaving, a.sync_share),
            (b.interleaving, b.sync_share),
            "{name}"
        );
        assert_eq!(text.quality.unmatched, binary.quality.unmatched, "{name}");
        assert_eq!(text.quality.warnings, [], "{name}");
        let document =
            serde_json::to_value(summarise(&text, Window::WHOLE, None)).expect("a document");
        let counts = &document["devices"][0]["events"];
        assert!(
            counts.get("UT").is_none() && counts["U"].as_u64() > Some(0),
            "{name}: {counts}"
        );
        for stage in Stage::ALL {
            let n = |store: &Store| store.devices[0].bio_stages.get(stage).n;
            assert_eq!(n(&text), n(&binary), "{name}: {stage:?}");
        }
        let d2c = |f: &Figures| -> Latency {
            f.latency
                .iter()
                .find(|l| l.0 == Stage::D2C)
                .expect("requests complete")
                .1
        };
        assert_eq!(d2c(&a).n, d2c(&b).n, "{name}");
        assert!(
            close(d2c(&a).p50 as f64, d2c(&b).p50 as f64) && close(d2c(&a).mean, d2c(&b).mean),
            "{name}"
        );
        let depth = |f: &Figures| {
            f.usage
                .as_ref()
                .and_then(|u| u.depth.clone())
                .expect("a disk has a depth")
        };
        assert_eq!(depth(&a).max, depth(&b).max, "{name}");
        assert!(
            close(depth(&a).mean, depth(&b).mean),
            "{name}: {} {}",
            depth(&a).mean,
            depth(&b).mean
        );
    }
}

/// perf's ring buffer overflowed without a word: the text holds fewer events than blktrace
/// recorded, and none that it did not.
#[test]
fn a_text_that_lost_events_says_less_and_nothing_else() {
    let (text, binary) = load("perf-6.12-lost");
    let (a, b) = (disk(&text), disk(&binary));
    assert_eq!(a.counts.count(Action::Issue), 60);
    assert_eq!(b.counts.count(Action::Issue), 318);
    let sectors = |store: &Store| -> Vec<u64> {
        (0..store.requests.len())
            .filter(|&i| store.requests.row(i).issued().is_some())
            .map(|i| store.requests.row(i).sector())
            .collect()
    };
    let recorded_sectors = sectors(&binary);
    assert!(
        sectors(&text)
            .iter()
            .all(|sector| recorded_sectors.contains(sector))
    );
}

#[test]
fn pieces_and_line_ends_do_not_matter() {
    for (name, _) in RUNS {
        let ((file, data), _) = twins(name);
        let whole = digest(&read(&[(file.clone(), data.clone())], 1 << 20));
        for piece in [1, 61, 4096, 4097] {
            assert!(
                digest(&read(&[(file.clone(), data.clone())], piece)) == whole,
                "{name} in pieces of {piece}"
            );
        }
        let windows = String::from_utf8(data)
            .expect("ASCII")
            .replace('\n', "\r\n")
            .into_bytes();
        assert!(
            digest(&read(&[(file, windows)], 61)) == whole,
            "{name} with CR LF"
        );
    }
}

/// A recording in the words of blkparse without the sequences is what the blk tracer prints with
/// blk_classic; with ftrace's prefix instead of device, CPU, time and pid it is what it prints by
/// default.
#[test]
fn the_blk_tracer_says_what_blkparse_says() {
    for name in [
        "io-errors",
        "sync-no-fua",
        "discard",
        "requeue",
        "write-zeroes",
    ] {
        let binary = read(&recording(name), 1 << 20);
        let printed = text(&binary, 0, usize::MAX, MessageLines::Plain).expect("there are events");
        let (mut classic, mut default) = (String::new(), String::from("# tracer: blk\n#\n"));
        for line in printed.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [device, cpu, _, time, pid] = words[..5] else {
                panic!("a head: {line}")
            };
            let padded = format!("{cpu:0>3}");
            let tail = words[5..].join(" ");
            classic += &format!("{device:>7} {cpu:>2} {time:>15} {pid:>5} {tail}\n");
            default += &format!(
                "{:>16}-{pid:<7} [{padded}] d..1. {time:>12}: {device} {tail}\n",
                "some task"
            );
        }
        let read_text = |text: &str| read(&[("trace".to_owned(), text.as_bytes().to_vec())], 4096);
        let (wanted, a, b) = (
            read_text(&printed),
            read_text(&classic),
            read_text(&default),
        );
        assert_eq!(
            (a.format.as_str(), b.format.as_str()),
            ("blk-tracer-text", "blk-tracer-text")
        );
        assert!(
            !a.capabilities.has(Capabilities::SEQUENCES)
                && a.capabilities.has(Capabilities::PLUG_DEVICES)
        );
        assert!(digest(&a) == digest(&wanted), "{name} with blk_classic");
        assert!(digest(&b) == digest(&wanted), "{name} by default");
    }
}

fn lines(text: &str) -> Store {
    read(
        &[("trace.txt".to_owned(), text.as_bytes().to_vec())],
        1 << 20,
    )
}

#[test]
fn plugs_belong_to_the_only_device_or_to_none() {
    let line = |time: u32, body: &str| format!("  dd-7 [000] ..... 1.{time:06}: {body}\n");
    let (plug, unplug) = ("block_plug: [dd]", "block_unplug: [dd] 2");
    let single = [
        (10, plug),
        (11, "block_bio_queue: 254,0 W 0 + 8 [dd]"),
        (12, unplug),
    ]
    .map(|(t, b)| line(t, b))
    .concat();
    let store = lines(&single);
    let events = |store: &Store| -> Vec<(&str, DeviceNumber, u64)> {
        let e = &store.events;
        (0..e.len())
            .map(|i| {
                (
                    e.action(i).letters(),
                    store.devices[e.device(i) as usize].number,
                    e.time(i),
                )
            })
            .collect()
    };
    let vda = DeviceNumber(254 << 20);
    assert_eq!(
        events(&store),
        [("P", vda, 0), ("Q", vda, 1000), ("U", vda, 2000)]
    );
    assert!(store.capabilities.has(Capabilities::PLUGS));
    let two = single
        + &[(13, "block_bio_queue: 8,0 W 0 + 8 [dd]"), (14, plug)]
            .map(|(t, b)| line(t, b))
            .concat();
    let store = lines(&two);
    assert_eq!(
        events(&store),
        [("Q", vda, 0), ("Q", DeviceNumber(8 << 20), 2000)]
    );
    assert!(!store.capabilities.has(Capabilities::PLUGS));
}

/// Only issues and completions enabled: what needs the bios is absent, and not 0, and nothing is
/// missing from the trace.
#[test]
fn issues_and_completions_alone() {
    let ((file, data), _) = twins("trace-cmd-6.12");
    let data = String::from_utf8(data).expect("ASCII");
    let is_selected = |line: &&str| {
        ["cpus=", "block_rq_issue", "block_rq_complete"]
            .iter()
            .any(|word| line.contains(word))
    };
    let few: String = data
        .lines()
        .filter(is_selected)
        .map(|line| format!("{line}\n"))
        .collect();
    let (whole, store) = (lines(&data), read(&[(file, few.into_bytes())], 1 << 20));
    assert_eq!(store.quality.warnings, []);
    let (a, b) = (disk(&store), disk(&whole));
    let d2c = |f: &Figures| f.latency.iter().find(|l| l.0 == Stage::D2C).map(|l| l.1);
    assert_eq!(d2c(&a), d2c(&b));
    let (few, all) = (a.usage.expect("a disk"), b.usage.expect("a disk"));
    assert_eq!(few.depth, all.depth);
    assert!(
        few.waiting.is_none() && few.starved.is_none() && few.states.is_none(),
        "{few:?}"
    );
    let document =
        serde_json::to_value(summarise(&store, Window::WHOLE, None)).expect("a document");
    let device = &document["devices"][0];
    for absent in ["waiting", "starved", "states", "interleaving"] {
        assert!(device.get(absent).is_none(), "{absent}: {}", device[absent]);
    }
    assert!(
        document["not_in_format"]
            .as_array()
            .is_some_and(|a| a.contains(&"queued bios (Q)".into()))
    );
}

#[test]
fn losses_and_clocks_are_warned_of() {
    let q = "  dd-7 [000] ..... 1.000001: block_bio_queue: 254,0 W 0 + 8 [dd]\n";
    let store = lines(&format!(
        "{q}CPU:0 [LOST 17 EVENTS]\n{q}CPU:0 [LOST 3 EVENTS]\n"
    ));
    let [warning] = &store.quality.warnings[..] else {
        panic!("{:?}", store.quality.warnings)
    };
    assert_eq!(
        (warning.code.as_str(), store.quality.lost_events),
        ("lost-events", 20)
    );
    assert_eq!(
        warning
            .at
            .as_ref()
            .and_then(|place| place.line)
            .map(u64::from),
        Some(2)
    );
    assert!(
        warning.message.contains("at least 20 events") && warning.message.contains("2 lines"),
        "{}",
        warning.message
    );

    // The CPU that lost them, from its last event before to its first one after.
    let event = |cpu: u32, time: u32| {
        format!("  dd-7 [{cpu:03}] ..... 1.{time:06}: block_bio_queue: 254,0 W {time} + 1 [dd]\n")
    };
    let text = [
        event(0, 1),
        event(1, 2),
        "CPU:1 [LOST 17 EVENTS]\n".to_owned(),
        event(0, 5),
        event(1, 9),
    ]
    .concat();
    let hole = LossInterval {
        device: 0,
        cpu: 1,
        from: 1000,
        to: 8000,
        loss: LossEvidence::SequenceGap { events: 17 },
    };
    assert_eq!(lines(&text).quality.loss_intervals, [hole]);

    let store = lines("  dd-7 [000] ..... 118433: block_bio_queue: 254,0 W 0 + 8 [dd]\n");
    assert_eq!(
        store
            .quality
            .warnings
            .iter()
            .map(|w| w.code.as_str())
            .collect::<Vec<_>>(),
        ["counted-time"]
    );
}

#[test]
fn texts_without_block_events_say_which_to_enable() {
    for (text, says) in [
        (
            "# tracer: nop\n#\n# entries-in-buffer/entries-written: 0/0   #P:2\n",
            "has no events",
        ),
        (
            "cpus=2\n  dd-7 [000] 1.000001: sched_switch:         dd:7 [120] R ==> x:8 [120]\n",
            "has 1 event,",
        ),
        (
            "  dd-7 [000] ..... 1.000001: block_touch_buffer: 254,0 sector=145 size=4096\n",
            "has 1 event,",
        ),
        (
            "  dd-7 [000] ..... 1.000001: block_plug: [dd]\n",
            "has no events",
        ),
    ] {
        let error = TraceBuilder::read("t", &[("t.txt", text.as_bytes())]).expect_err("no event");
        assert_eq!(error.code, "no-block-events", "{text}");
        assert!(error.message.contains(says), "{}", error.message);
        assert!(
            error.remedy.is_some_and(|r| r.contains("block_rq_issue")),
            "{error:?}"
        );
    }
}

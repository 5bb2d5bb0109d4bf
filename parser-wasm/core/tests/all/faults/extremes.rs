//! Numbers near 2^53, 2^63 and 2^64, in each field of records and in texts: no answer has one that
//! JavaScript rounds, what is left out is reported with its place, and an answer that has been
//! through JavaScript is a query.

use crate::common::{File, fed, parts_of, read, recording, records};
use seekscope_core::builder::TraceBuilder;
use seekscope_core::compare::{self, CompareQuery, ComparedRun, Digest};
use seekscope_core::json;
use seekscope_core::limits::{MAX_EXACT, MAX_SECTOR};
use seekscope_core::notes::{self, TracePaths};
use seekscope_core::plot::{self, Index, InfoCounter, IntoAnswer, View};
use seekscope_core::store::Store;
use serde_json::Value;

const EXTREMES: [u64; 11] = [
    MAX_SECTOR,
    MAX_SECTOR + 1,
    MAX_EXACT,
    MAX_EXACT + 1,
    MAX_EXACT + 2,
    1 << 62,
    i64::MAX as u64,
    1 << 63,
    u64::MAX - 1999,
    u64::MAX - 1023,
    u64::MAX,
];

/// Byte and width of the fields of a header of version 7.
const FIELDS: [(&str, usize, usize); 8] = [
    ("sequence", 4, 4),
    ("time", 8, 8),
    ("sector", 16, 8),
    ("bytes", 24, 4),
    ("pid", 32, 4),
    ("device", 36, 4),
    ("cpu", 40, 4),
    ("payload", 48 + 8, 8),
];

fn set(record: &mut [u8], (offset, width): (usize, usize), value: u64) {
    let bytes = match offset {
        48.. => value.to_be_bytes(),
        _ => value.to_le_bytes(),
    };
    if let Some(field) = record.get_mut(offset..offset + width) {
        field.copy_from_slice(&bytes[..width]);
    }
}

/// A value as JavaScript has it after it has read and written it.
fn through_javascript(value: &Value) -> String {
    match value {
        Value::Number(number) => {
            let number = number.as_f64().expect("a number");
            if number.fract() == 0.0 && number.abs() < 1e21 {
                format!("{number:.0}")
            } else {
                format!("{number:e}")
            }
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(through_javascript).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| {
                    let key = Value::String(key.clone());
                    format!("{key}:{}", through_javascript(value))
                })
                .collect();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}

/// Panics at an integer that JavaScript rounds.
fn check_integers(value: &Value, what: &str) {
    match value {
        Value::Number(number) => {
            let size = number
                .as_u64()
                .or_else(|| number.as_i64().map(i64::unsigned_abs));
            assert!(size.is_none_or(|n| n <= MAX_EXACT), "{what}: {number}");
        }
        Value::Array(items) => items.iter().for_each(|item| check_integers(item, what)),
        Value::Object(members) => members
            .iter()
            .for_each(|(key, value)| check_integers(value, &format!("{what}.{key}"))),
        _ => {}
    }
}

/// Asks for all documents of a trace, and compares it with itself by way of JavaScript.
fn check(store: &Store, what: &str) {
    let index = Index::new(store);
    let view = View {
        store,
        index: &index,
    };
    for kind in ["summary", "facets", "bands", "tail"] {
        let answer = plot::answer(view, kind, "{}")
            .ok()
            .and_then(|a| a.document());
        if let Some(document) = answer {
            check_integers(&document, &format!("{what}: {kind}"));
        }
    }
    let mut counter = InfoCounter::default();
    counter.advance(store);
    let info = counter
        .info(store)
        .into_answer()
        .document()
        .expect("an info");
    check_integers(&info, &format!("{what}: info"));
    let document = plot::answer(view, "digest", "{}")
        .ok()
        .and_then(|answer| answer.document())
        .expect("a digest");
    check_integers(&document, &format!("{what}: digest"));
    let digest = serde_json::from_str::<Digest>(&through_javascript(&document));
    let digest = digest.unwrap_or_else(|error| panic!("{what}: {error}"));
    let run = |label: &str| ComparedRun {
        label: label.to_owned(),
        trace: digest.clone(),
        ..ComparedRun::default()
    };
    let compared = compare::compare(&CompareQuery {
        runs: vec![run("one"), run("two")],
        baseline: 0,
        noise: None,
    });
    let compared = serde_json::from_str(&json::text(&compared)).expect("a document");
    check_integers(&compared, &format!("{what}: compare"));
}

fn codes(store: &Store) -> Vec<&str> {
    let warnings = &store.quality.warnings;
    warnings.iter().map(|w| w.code.as_str()).collect()
}

/// All little-endian records of version 7 of a recording with remaps, splits and unplugs.
fn whole() -> Vec<Vec<u8>> {
    let file = recording("raid5-misaligned").remove(0).1;
    let records = records(&file).into_iter().take(160);
    records.map(<[u8]>::to_vec).collect()
}

fn one_file(records: &[Vec<u8>]) -> Vec<File> {
    vec![("sda.blktrace.0".to_owned(), records.concat())]
}

#[test]
fn extremes_of_every_field_of_records() {
    let whole = whole();
    let with_payload = whole.iter().position(|r| r.len() >= 64 && r[31] & 4 == 0);
    let with_payload = with_payload.expect("a remap");
    for (name, offset, width) in FIELDS {
        for value in EXTREMES {
            for target in [Some(75), Some(whole.len() - 1), None] {
                let target = target.map(|i| if name == "payload" { with_payload } else { i });
                let mut damaged = whole.clone();
                for (i, record) in damaged.iter_mut().enumerate() {
                    if target.is_none_or(|target| i == target) {
                        set(record, (offset, width), value);
                    }
                }
                let what = format!("{name} {value} in {target:?}");
                let builder = seekscope_core::builder::TraceBuilder::read(
                    "test",
                    &[("sda.blktrace.0", &damaged.concat())],
                );
                match builder {
                    Ok(store) => check(&store, &what),
                    Err(error) => {
                        assert!(target.is_none(), "{what}: {error}");
                        assert!(error.at.is_some() || error.code == "no-events", "{what}");
                    }
                }
            }
        }
    }
}

/// The record, and nothing else, is left out; the message has its byte.
#[test]
fn a_sector_that_cannot_be_costs_its_record() {
    let whole = whole();
    let index = (60..)
        .find(|&i| whole[i][31] & 4 == 0 && whole[i][24..28] != [0; 4])
        .expect("an event with bytes");
    let mut without = whole.clone();
    without.remove(index);
    let expected = read(&one_file(&without), 1 << 20);
    let byte: usize = whole[..index].iter().map(Vec::len).sum();
    for value in EXTREMES.into_iter().filter(|value| *value > MAX_SECTOR) {
        let mut damaged = whole.clone();
        set(&mut damaged[index], (16, 8), value);
        for piece in [1, 61, 1 << 20] {
            let store = read(&one_file(&damaged), piece);
            assert_eq!(
                crate::common::digest(&store),
                crate::common::digest(&expected),
                "{value}"
            );
            let warning = store
                .quality
                .warnings
                .iter()
                .find(|w| w.code == "number-outliers");
            let place = warning
                .and_then(|w| w.at.as_ref())
                .and_then(|place| place.byte);
            assert_eq!(place, Some(byte as u64), "{value}");
        }
    }
}

/// Flushes and passthrough commands without a place have all ones there.
#[test]
fn all_ones_are_no_sector() {
    let mut whole = whole();
    let index = (60..).find(|&i| whole[i][31] & 4 == 0).expect("an event");
    // Bit 9 of the categories is passthrough.
    for (bytes, category) in [(0, 0), (4096, 2)] {
        set(&mut whole[index], (16, 8), u64::MAX);
        set(&mut whole[index], (24, 4), bytes);
        whole[index][31] |= category;
        let store = read(&one_file(&whole), 1 << 20);
        assert!(!codes(&store).contains(&"number-outliers"));
        check(&store, "no place");
    }
}

/// Sums of the largest numbers that are read.
#[test]
fn sums_of_large_numbers_do_not_overflow() {
    let mut whole = whole();
    for (i, record) in whole.iter_mut().enumerate() {
        if record[31] & 4 == 0 {
            set(record, (16, 8), if i % 2 == 0 { MAX_SECTOR } else { 0 });
            set(record, (24, 4), u64::from(u32::MAX - 511));
        }
    }
    check(&read(&one_file(&whole), 1 << 20), "large sums");
}

fn read_text(text: &str) -> Store {
    let files = [("trace.txt", text.as_bytes())];
    TraceBuilder::read("trace.txt", &files).expect("events")
}

#[test]
fn extremes_in_texts_cost_their_line() {
    let line = |time: &str, sector: u64, sectors: u64, action: &str| {
        format!("  8,0    1        1 {time}   697  {action}   W {sector} + {sectors} [dd]\n")
    };
    let good = line("0.000000001", 8, 8, "Q") + &line("0.000001001", 8, 8, "C");
    let expected = read_text(&(good.clone() + &line("0.000002001", 8, 8, "Q")))
        .events
        .len();
    for value in EXTREMES {
        for (odd, code) in [
            (line("0.000001500", value, 8, "Q"), "number-outliers"),
            (
                line(
                    &format!("{}.{:09}", value / 1_000_000_000, value % 1_000_000_000),
                    8,
                    8,
                    "Q",
                ),
                "time-outliers",
            ),
        ] {
            let text = good.clone() + &odd + &line("0.000002001", 8, 8, "Q");
            let store = read_text(&text);
            check(&store, &odd);
            let too_large = match code {
                "number-outliers" => value > MAX_SECTOR,
                // Times of blkparse's text may be up to a day before 0.
                _ => value > MAX_EXACT - 86_400 * 1_000_000_000,
            };
            assert_eq!(codes(&store).contains(&code), too_large, "{odd}");
            let left_out = usize::from(too_large);
            assert_eq!(store.events.len(), expected + 1 - left_out, "{odd}");
            let warning = store.quality.warnings.iter().find(|w| w.code == code);
            let is_absolute = value > 1 << 62 || code == "number-outliers";
            if let Some(warning) = warning.filter(|_| is_absolute) {
                let place = warning.at.as_ref().expect("a place");
                assert_eq!(place.line.map(u64::from), Some(3), "{odd}");
            }
        }
    }
}

/// A latency that wrapped, as of bcc's biosnoop.
#[test]
fn a_latency_that_wrapped_costs_its_row() {
    let text = "TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  LAT(ms)\n\
        1.774198    ThreadPoolFore 5270   nvme0n1 W 520198144  225280    0.48\n\
        1.774381    jbd2/nvme0n1p3 686    nvme0n1 W 49016129   4096      18446744073709.55\n\
        1.774981    jbd2/nvme0n1p3 686    nvme0n1 W 49016129   4096      9223372036854.00\n";
    let store = read_text(text);
    assert_eq!((store.events.len(), store.requests.len()), (2, 1));
    assert_eq!(codes(&store), ["time-outliers"]);
    check(&store, "biosnoop");
}

#[test]
fn extremes_in_notes_are_clamped_or_no_setting() {
    for value in EXTREMES {
        let log = format!("=== sda ===\n  Total:  5 events (dropped {value}),  7 KiB data\n");
        let array = format!(
            "/sys/block/md0/md/level:raid5\n/sys/block/md0/md/raid_disks:5\n\
             /sys/block/md0/md/chunk_size:{}\n",
            value / 512 * 512
        );
        let limits = format!(
            "/sys/block/sda/queue/minimum_io_size:{0}\n/sys/block/sda/queue/optimal_io_size:{0}\n\
             /sys/block/sda/queue/zoned:host-managed\n/sys/block/sda/queue/chunk_sectors:{0}\n",
            value / 512 * 512
        );
        let zones = format!(
            "start: 0x{value:x}, len 0x008000, cap 0x008000, wptr 0x0 reset:0 non-seq:0, zcond: 0(nw) [type: 1(CONVENTIONAL)]\n"
        );
        let json = format!(
            "{{\"devices\":[{{\"name\":\"md0\",\"majmin\":\"9:0\",\"md\":{{\"level\":\"raid5\",\
             \"raid_disks\":5,\"chunk_bytes\":{0}}},\"sectors\":{0},\"start\":{0},\
             \"optimal_io_size\":{0}}}]}}",
            value / 512 * 512
        );
        for text in [log, array, limits, zones, json] {
            let note = notes::read("run/note.txt", text.as_bytes());
            let trace = TracePaths {
                label: "sda".to_owned(),
                paths: vec!["run/sda.blktrace.0".to_owned()],
            };
            let assigned = notes::assign(&[trace], vec![note]);
            let document = serde_json::from_str(&json::text(&assigned)).expect("a document");
            check_integers(&document, &text);
            for array in assigned.notes.iter().flat_map(|owned| &owned.note.arrays) {
                let disks = array.disks.unwrap_or(1);
                let level = seekscope_core::measure::Level::Raid5;
                let geometry =
                    seekscope_core::measure::Geometry::new(level, array.unit_sectors, disks, 0);
                assert!(geometry.is_ok(), "{text}");
            }
            if let Some(drops) = &assigned.runs[0].dropped {
                assert_eq!(drops.events, value.min(MAX_EXACT), "{text}");
                let place = drops
                    .outliers
                    .as_ref()
                    .map(|found| (found.count, found.line));
                assert_eq!(place, (value > MAX_EXACT).then_some((1, Some(2))), "{text}");
            }
        }
    }
}

#[test]
fn counts_of_lost_events_are_clamped() {
    let line = "dd-1 [000] 1.000001: block_bio_queue: 8,0 W 8 + 8 [dd]\n";
    for value in EXTREMES {
        let lost = format!("CPU:0 [LOST {value} EVENTS]\n");
        let store = read_text(&(line.to_owned() + &lost + &lost + line));
        check(&store, &lost);
        let twice = value.saturating_mul(2);
        assert_eq!(store.quality.lost_events, twice.min(MAX_EXACT));
        // Two counts that are impossible together are damage like one that is.
        let outlier = place_of(&store, "count-outliers");
        let line = if value > MAX_EXACT { 2 } else { 3 };
        assert_eq!(outlier, (twice > MAX_EXACT).then_some(Some(line)), "{lost}");
    }
    // The count has more digits than any number.
    let store = read_text(&format!("{line}CPU:0 [LOST {}0 EVENTS]\n{line}", u64::MAX));
    assert_eq!(place_of(&store, "odd-lines"), Some(Some(2)));
}

/// The line of the first warning with a code.
fn place_of(store: &Store, code: &str) -> Option<Option<u64>> {
    let warning = store.quality.warnings.iter().find(|w| w.code == code)?;
    Some(
        warning
            .at
            .as_ref()
            .and_then(|place| place.line.map(u64::from)),
    )
}

/// blktrace's own count of dropped events, in a log beside the recording.
#[test]
fn an_impossible_count_in_a_log_is_a_warning_of_its_trace() {
    let log = |dropped: &str| {
        let text = format!("=== sda ===\n  Total:  5 events (dropped {dropped}),  7 KiB data\n");
        let trace = TracePaths {
            label: "sda".to_owned(),
            paths: vec!["run/sda.blktrace.0".to_owned()],
        };
        let note = notes::read("run/blktrace.log", text.as_bytes());
        let facts = notes::assign(&[trace], vec![note]).runs.remove(0);
        // The page passes it on as JSON.
        let drops = serde_json::to_string(&facts.dropped).expect("JSON");
        let drops = serde_json::from_str(&drops).expect("the same");
        let files = recording("raid5-misaligned");
        let builder = TraceBuilder::new("sda", "sda", parts_of(&files)).with_dropped(drops);
        fed(builder, &files, 1 << 20).0.finish().expect("events")
    };
    let digits = format!("{}99", u64::MAX);
    let store = log(&digits);
    assert_eq!(store.quality.lost_events, MAX_EXACT);
    let found = &store.quality.warnings;
    let warning = found.iter().find(|w| w.code == "count-outliers");
    let warning = warning.expect("the count cannot be");
    assert!(warning.message.contains(&digits), "{}", warning.message);
    let place = warning.at.as_ref().expect("a place");
    assert_eq!(
        (place.file.as_str(), place.line.map(u64::from)),
        ("run/blktrace.log", Some(2))
    );
    assert!(!codes(&log("17")).contains(&"count-outliers"));
}

/// The kernel's lengths have 32 bits: a longer one is damage, and not 4 GiB.
#[test]
fn a_length_that_cannot_be_costs_its_event() {
    let line = |time: u64, sectors: u64| {
        format!("dd-1 [000] 1.00000{time}: block_bio_queue: 8,0 W 8 + {sectors} [dd]\n")
    };
    let longest = u64::from(u32::MAX >> 9);
    let store = read_text(&(line(1, longest) + &line(2, longest + 1) + &line(3, 8)));
    assert_eq!(store.events.len(), 2);
    assert_eq!(place_of(&store, "odd-lines"), Some(Some(2)));
}

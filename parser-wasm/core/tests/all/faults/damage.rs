//! Damaged input gives a partial trace with warnings, or an error with a remedy; never a panic or a
//! hang.

use crate::common::{big_endian, read, recording, recordings, records, version_8};
use seekscope_core::builder::TraceBuilder;
use seekscope_core::intake::{Probe, group};
use seekscope_core::measure::Window;
use seekscope_core::report::summary::summarise;

/// A small generator of repeatable noise.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

fn codes(file: &[u8]) -> Vec<String> {
    match TraceBuilder::read("test", &[("f", file)]) {
        Ok(store) => store.quality.warnings.into_iter().map(|w| w.code).collect(),
        Err(error) => vec![error.code.to_owned()],
    }
}

#[test]
fn cut_at_every_byte_of_a_record() {
    let file = recording("requeue").remove(0).1;
    let whole = records(&file)[..200].concat();
    let count = read(&[("f".to_owned(), whole.clone())], 1 << 20)
        .events
        .len();
    let last = records(&whole).last().map_or(0, |r| r.len());
    for cut in 1..last {
        let store = read(
            &[("f".to_owned(), whole[..whole.len() - cut].to_vec())],
            4096,
        );
        assert_eq!(store.events.len(), count - 1, "cut by {cut}");
        assert_eq!(store.quality.truncated_bytes as usize, last - cut);
        let warning = &store.quality.warnings[0];
        assert_eq!(warning.code, "truncated-tail");
        let place = warning.at.as_ref().expect("a cut has a place");
        assert_eq!(
            (place.file.as_str(), place.byte),
            ("f", Some((whole.len() - last) as u64))
        );
    }
}

#[test]
fn junk_between_records_is_skipped() {
    let file = recording("requeue").remove(0).1;
    let records = records(&file);
    let clean = read(&[("f".to_owned(), file.clone())], 1 << 20)
        .events
        .len();
    for junk in [1, 3, 4, 47, 48, 1000] {
        let damaged = [
            &records[..100].concat(),
            vec![0xee; junk].as_slice(),
            &records[100..].concat(),
        ]
        .concat();
        for piece in [1, 61, 1 << 20] {
            let store = read(&[("f".to_owned(), damaged.clone())], piece);
            assert_eq!(
                store.events.len(),
                clean,
                "{junk} bytes of junk in pieces of {piece}"
            );
            assert_eq!(store.quality.warnings[0].code, "bad-record");
            assert!(
                store.quality.warnings[0]
                    .message
                    .starts_with(&format!("Skipped {junk} invalid byte"))
            );
        }
    }
}

#[test]
fn a_wrong_length_costs_one_record() {
    let file = recording("requeue").remove(0).1;
    let whole = records(&file)[..200].concat();
    let clean = read(&[("f".to_owned(), whole.clone())], 1 << 20)
        .events
        .len();
    let record = records(&whole)[..100]
        .iter()
        .map(|r| r.len())
        .sum::<usize>();
    for length in [1u16, 4, 48, 100, 1000, 20_000, u16::MAX] {
        let mut damaged = whole.clone();
        damaged[record + 46..record + 48].copy_from_slice(&length.to_le_bytes());
        // Behind the end of the file, and within it.
        for file in [damaged.clone(), [damaged, whole.repeat(10)].concat()] {
            let expected = clean * (file.len() / whole.len()) - 1;
            for piece in [1, 61, 1 << 20] {
                let store = read(&[("f".to_owned(), file.clone())], piece);
                let lost = expected.abs_diff(store.events.len());
                assert!(
                    lost <= 1,
                    "length {length} in pieces of {piece}: {lost} more events are lost"
                );
                // A length that takes in just one whole record shows in the sequences.
                let code = if length == 48 {
                    "lost-events"
                } else {
                    "bad-record"
                };
                assert!(
                    store.quality.warnings.iter().any(|w| w.code == code),
                    "length {length}: {:?}",
                    store.quality.warnings
                );
            }
        }
    }
}

#[test]
fn numbers_that_no_machine_has_stay_within_bounds() {
    let first = records(&recording("requeue").remove(0).1)
        .into_iter()
        .find(|r| r[31] & 4 == 0 && r.len() == 48)
        .map(<[u8]>::to_vec);
    let record = first.expect("a recording has events without payload");
    let many = |field: usize| {
        let mut file = Vec::new();
        for i in 0..100_000u32 {
            let mut record = record.clone();
            record[4..8].fill(0);
            record[field..field + 4].copy_from_slice(&(i * 42_949).to_le_bytes());
            file.extend(record);
        }
        let store = TraceBuilder::read("test", &[("f", &file)]).expect("some events are kept");
        (
            store.events.len(),
            store.devices.len(),
            store.processes.len(),
            store.quality.warnings[0].message.clone(),
        )
    };
    let warning_about = |what: &str| format!("The trace has more than {what}.");
    assert_eq!(
        many(36),
        (
            1024,
            1024,
            1,
            warning_about("1024 devices; 98976 events of the others were skipped")
        )
    );
    assert_eq!(
        many(40),
        (
            8192,
            1,
            1,
            warning_about("8192 CPUs; 91808 events of the others were skipped")
        )
    );
    assert_eq!(
        many(32),
        (
            100_000,
            1,
            16_385,
            warning_about("16384 tasks; 83616 events of the others are combined into one task")
        )
    );
}

#[test]
fn what_is_no_trace_says_so() {
    assert_eq!(codes(b""), ["empty-file"]);
    assert_eq!(codes(&[0x93; 3]), ["not-a-trace"]);
    assert_eq!(codes(&[0; 100_000]), ["not-a-trace"]);
    assert_eq!(
        codes(b"Dear list,\nmy disk is slow.\n"),
        ["text-not-understood"]
    );
    assert_eq!(
        codes(b"Throughput (R/W): 1187KiB/s / 23KiB/s\nEvents (trace): 187 entries\n"),
        ["summary-only"]
    );
    let mut version_9 = recording("requeue").remove(0).1;
    version_9[0] = 9;
    let only = records(&version_9)[0].to_vec();
    assert_eq!(codes(&only), ["unsupported-version"]);
    let notes: Vec<u8> = records(&recording("requeue").remove(0).1)
        .into_iter()
        .filter(|r| r[31] & 4 != 0 && r[28] < 2)
        .flatten()
        .copied()
        .collect();
    assert_eq!(codes(&notes), ["no-events"]);
}

#[test]
fn lost_events_are_counted() {
    let file = recording("partitions-deadline-1w")
        .pop()
        .expect("the last file has events")
        .1;
    let remaining: Vec<&[u8]> = records(&file)
        .into_iter()
        .enumerate()
        .filter(|(i, _)| !(500..507).contains(i) && *i != 900)
        .map(|(_, r)| r)
        .collect();
    let store = read(&[("f".to_owned(), remaining.concat())], 1 << 20);
    assert_eq!(store.quality.lost_events, 8);
    assert!(
        store
            .quality
            .warnings
            .iter()
            .any(|w| w.code == "lost-events" && w.message.contains("2 gaps"))
    );
}

#[test]
fn clocks_that_step_back_are_reported() {
    let file = recording("partitions-deadline-1w")
        .pop()
        .expect("the last file has events")
        .1;
    let whole = read(&[("f".to_owned(), file.clone())], 1 << 20);
    let mut records: Vec<Vec<u8>> = records(&file).into_iter().map(<[u8]>::to_vec).collect();
    // The last: of one between others that agree, the time is left out.
    let last = records.last_mut().expect("it has records");
    let time = u64::from_le_bytes(last[8..16].try_into().expect("eight bytes")) - 5_000_000_000;
    last[8..16].copy_from_slice(&time.to_le_bytes());
    let store = read(&[("f".to_owned(), records.concat())], 1 << 20);
    assert_eq!(store.events.len(), whole.events.len());
    let warning = &store.quality.warnings[0];
    assert_eq!(warning.code, "clock-steps");
    assert!(warning.message.contains("1 time,"), "{}", warning.message);
    for i in 1..store.events.len() {
        assert!(store.events.time(i - 1) <= store.events.time(i));
    }
}

#[test]
fn noise_never_panics() {
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    for name in recordings() {
        let mut files = recording(&name);
        files.retain(|f| !f.1.is_empty());
        for round in 0..8 {
            let mut damaged = files.clone();
            for (_, data) in &mut damaged {
                data.truncate(20_000 + noise.below(40_000));
                if round % 4 == 1 {
                    *data = big_endian(data);
                } else if round % 4 == 2 {
                    *data = version_8(data, round % 8 == 2);
                }
                for _ in 0..noise.below(200).min(data.len()) {
                    let index = noise.below(data.len());
                    match noise.below(4) {
                        0 => data[index] ^= 1 << noise.below(8),
                        1 => data[index] = 0xff,
                        2 => data[index] = noise.next() as u8,
                        _ => {
                            data.remove(index);
                        }
                    }
                }
            }
            let parts: Vec<(&str, &[u8])> = damaged
                .iter()
                .map(|f| (f.0.as_str(), f.1.as_slice()))
                .collect();
            if let Ok(store) = TraceBuilder::read("noise", &parts) {
                assert!(store.requests.len() <= 2 * store.events.len());
                let geometry = "unit=64KiB,disks=3,level=raid5".parse().ok();
                let summary = summarise(&store, Window::WHOLE, geometry);
                assert!(serde_json::to_string(&summary).is_ok());
            }
            let probes: Vec<Probe> = damaged
                .iter()
                .map(|(name, data)| Probe {
                    name: name.clone(),
                    path: name.clone(),
                    size: data.len() as u64,
                    last_modified: None,
                    head: data[..data.len().min(65_536)].to_vec(),
                    tail: data[data.len().saturating_sub(65_536)..].to_vec(),
                    ..Probe::default()
                })
                .collect();
            group(&probes);
        }
    }
}

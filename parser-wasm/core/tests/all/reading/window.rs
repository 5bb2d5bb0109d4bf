//! A time window of a recording: what reading the same events alone gives, and a trace that does
//! not fit.

use crate::common::{File, fed, parts_of, read, recording, recordings, records};
use seekscope_core::builder::TraceBuilder;
use seekscope_core::compare::{Digest, digest};
use seekscope_core::compare::{compare, mail};
use seekscope_core::error::Error;
use seekscope_core::intake::{PROBE_BYTES, Probe, estimate};
use seekscope_core::measure::Window;
use seekscope_core::report::blkparse_text::{self, MessageLines};
use seekscope_core::store::memory::{EVENT_BYTES, REQUEST_BYTES};
use seekscope_core::store::{Store, StoredRequest, TimeWindow};
use serde_json::json;

/// Reads as the merge asks for it; returns the bytes that were fed too.
fn read_part(
    files: &[File],
    piece: usize,
    window: Option<TimeWindow>,
    capacity: Option<usize>,
) -> (Result<Store, Error>, usize) {
    let builder = TraceBuilder::new("test", "test", parts_of(files))
        .with_window(window)
        .with_capacity(capacity);
    let (builder, bytes) = fed(builder, files, piece);
    (builder.finish(), bytes)
}

/// The middle of a trace: from a quarter to three quarters of its time.
fn middle(whole: &Store) -> TimeWindow {
    TimeWindow {
        from: whole.span() / 4,
        to: whole.span() / 4 * 3,
    }
}

/// The notify records of each file, and the events of a window.
fn filtered(files: &[File], window: TimeWindow, origin: u64) -> Vec<File> {
    let keeps = |r: &&[u8]| {
        let action = u32::from_le_bytes(r[28..32].try_into().expect("four bytes"));
        let time = u64::from_le_bytes(r[8..16].try_into().expect("eight bytes"));
        let message = action & 0x0400_0000 != 0 && action & 0xff == 2;
        action & 0x0400_0000 != 0 && !message || window.holds(time - origin)
    };
    files
        .iter()
        .map(|(name, bytes)| {
            (
                name.clone(),
                records(bytes)
                    .into_iter()
                    .filter(keeps)
                    .collect::<Vec<_>>()
                    .concat(),
            )
        })
        .collect()
}

fn has_steps(store: &Store) -> bool {
    store
        .quality
        .warnings
        .iter()
        .any(|w| w.code == "clock-steps")
}

/// Events and requests, with times that begin with the first event, and what is known of tasks and
/// devices.
fn rows(store: &Store) -> Vec<String> {
    let begin = store.events.time(0);
    let pid = |p: u32| store.processes[p as usize].pid;
    let e = &store.events;
    let event = |i: usize| {
        let (time, name) = (
            e.time(i) - begin,
            store.processes[e.process(i) as usize].name.as_deref(),
        );
        let what = (
            e.action(i),
            e.sector(i),
            e.bytes(i),
            e.flags(i),
            e.effect(i),
            e.cpu(i),
            e.detail(i),
        );
        format!(
            "{time} {what:?} {name:?} {}",
            store.devices[e.device(i) as usize].name
        )
    };
    let request = |i: usize| {
        let row = store.requests.stored(i);
        let (since, pid) = (|t: u64| t - begin, pid(row.process));
        let times = (
            row.queued.map(since),
            row.allocated.map(since),
            row.inserted.map(since),
            row.completed.map(since),
        );
        let start = row.start - begin;
        let rest = StoredRequest {
            start: 0,
            queued: None,
            allocated: None,
            inserted: None,
            completed: None,
            process: 0,
            ..row
        };
        format!("{start} {times:?} {pid} {rest:?}")
    };
    let events = (0..e.len())
        .map(event)
        .chain((0..store.requests.len()).map(request));
    events
        .chain((0..store.messages.rows.len()).map(|i| store.messages.text(i)))
        .collect()
}

#[test]
fn a_window_is_what_its_events_alone_give() {
    let mut tried = 0;
    for name in recordings() {
        let files = recording(&name);
        let whole = read(&files, 1 << 20);
        let window = middle(&whole);
        let by_hand = filtered(&files, window, whole.origin);
        if has_steps(&whole) || !by_hand.iter().any(|f| crate::common::has_events(&f.1)) {
            continue;
        }
        let alone = read(&by_hand, 1 << 20);
        for piece in [47, 1 << 20] {
            let part = read_part(&files, piece, Some(window), None)
                .0
                .expect("the window has events");
            assert_eq!(part.window, Some(window));
            assert_eq!(
                (part.origin, part.wall),
                (whole.origin, whole.wall),
                "{name}"
            );
            assert!(
                part.events.time(0) >= window.from && part.span() < window.to,
                "{name}"
            );
            assert!(rows(&part) == rows(&alone), "{name} in pieces of {piece}");
            let text = blkparse_text::text(&part, 0, usize::MAX, MessageLines::Plain)
                .expect("there are lines");
            let begin = part.events.time(0);
            assert!(
                text.contains(&format!(
                    " {}.{:09} ",
                    begin / 1_000_000_000,
                    begin % 1_000_000_000
                )),
                "{name}"
            );
        }
        tried += 1;
    }
    assert!(tried >= 3, "only {tried} recordings have a middle");
}

#[test]
fn events_are_those_of_the_complete_trace() {
    for name in recordings() {
        let files = recording(&name);
        let whole = read(&files, 1 << 20);
        let window = middle(&whole);
        let single = vec![(
            "all".to_owned(),
            files.iter().flat_map(|f| f.1.clone()).collect(),
        )];
        let times = |s: &Store, keeps: &dyn Fn(u64) -> bool| -> Vec<(u64, u64)> {
            (0..s.events.len())
                .map(|i| (s.events.time(i), s.events.sector(i)))
                .filter(|e| keeps(e.0))
                .collect()
        };
        let expected = times(&whole, &|t| window.holds(t));
        for files in [&files, &single] {
            match read_part(files, 1 << 20, Some(window), None).0 {
                Ok(part) => {
                    let window = part.window.expect("a window was read");
                    let expected: Vec<_> = expected
                        .iter()
                        .copied()
                        .filter(|e| window.holds(e.0))
                        .collect();
                    assert!(times(&part, &|_| true) == expected, "{name}");
                }
                Err(error) => assert!(
                    expected.is_empty() && error.code == "empty-window",
                    "{name}: {error:?}"
                ),
            }
        }
    }
}

#[test]
fn bytes_after_the_window_are_not_read() {
    let files = recording("sync-fua");
    let whole = read(&files, 1 << 20);
    let to = whole.span() / 10;
    let (part, fed) = read_part(&files, 4096, Some(TimeWindow { from: 0, to }), None);
    let part = part.expect("the window has events");
    let size: usize = files.iter().map(|f| f.1.len()).sum();
    assert!(fed < size / 2, "{fed} of {size} bytes were read");
    assert!(
        part.quality.truncated_bytes == 0
            && part
                .quality
                .warnings
                .iter()
                .all(|w| w.code != "truncated-tail")
    );
    assert!(
        part.quality
            .warnings
            .iter()
            .any(|w| w.code == "time-window")
    );
}

/// `blktrace -o -` writes a buffer of one CPU after another: the first one may have passed the
/// window long before the second one is there.
#[test]
fn a_file_with_the_buffers_of_several_cpus_is_read_to_its_end() {
    let mut tried = 0;
    for name in recordings() {
        let files = recording(&name);
        let whole = read(&files, 1 << 20);
        let window = TimeWindow {
            from: 0,
            to: whole.span() / 10,
        };
        let Ok(expected) = read_part(&files, 1 << 20, Some(window), None).0 else {
            continue;
        };
        if files.len() < 2 || has_steps(&whole) {
            continue;
        }
        let single: File = (
            "trace.blktrace.0".to_owned(),
            files.iter().flat_map(|f| f.1.clone()).collect(),
        );
        for files in [
            vec![single.clone()],
            vec![single, ("trace.blktrace.1".to_owned(), Vec::new())],
        ] {
            for piece in [47, 4096] {
                let part = read_part(&files, piece, Some(window), None)
                    .0
                    .expect("the window has events");
                assert_eq!(
                    part.events.len(),
                    expected.events.len(),
                    "{name} in pieces of {piece}"
                );
            }
        }
        tried += 1;
    }
    assert!(tried > 3, "{tried} recordings");
}

#[test]
fn what_does_not_fit_is_a_partial_result() {
    let files = recording("sync-fua");
    let whole = read(&files, 4096);
    assert!(whole.events.memory() <= whole.events.len() * EVENT_BYTES + whole.events.rare_bytes());
    assert!(
        whole.requests.memory()
            <= whole.requests.len() * REQUEST_BYTES + whole.requests.rare_bytes()
    );
    assert!(
        whole.events.rare_bytes() + whole.requests.rare_bytes()
            < 64 * whole.events.kinds().max(1000)
    );
    let capacity =
        (whole.events.len() * EVENT_BYTES + whole.requests.len() * 2 * REQUEST_BYTES) / 2;
    let (full, fed) = read_part(&files, 4096, None, Some(capacity));
    let full = full.expect("a part fits");
    let window = full.window.expect("a part was read");
    assert!(fed < files.iter().map(|f| f.1.len()).sum());
    assert!(full.events.len() > whole.events.len() / 4 && full.events.len() < whole.events.len());
    assert!((0..full.events.len()).all(|i| full.events.time(i) == whole.events.time(i)));
    assert_eq!(
        window,
        TimeWindow {
            from: 0,
            to: full.span() + 1
        }
    );
    let codes: Vec<&str> = full
        .quality
        .warnings
        .iter()
        .map(|w| w.code.as_str())
        .collect();
    assert!(
        codes.contains(&"memory-full")
            && !codes.contains(&"truncated-tail")
            && !codes.contains(&"time-window"),
        "{codes:?}"
    );
    let single = vec![(
        "all".to_owned(),
        files.iter().flat_map(|f| f.1.clone()).collect(),
    )];
    let (scattered, fed_of_one) = read_part(&single, 4096, None, Some(capacity));
    let scattered = scattered.expect("a part fits");
    assert!(fed_of_one < single[0].1.len() && scattered.events.len() < whole.events.len());
    assert_eq!(scattered.window, None);
    assert!(
        scattered
            .quality
            .warnings
            .iter()
            .any(|w| w.code == "memory-full" && w.message.contains('%'))
    );
    let (nothing, fed) = read_part(&files, 4096, None, Some(0));
    assert!(nothing.is_err_and(|error| error.code == "memory-full") && fed > 0);
}

/// Queued events that differ in their length; `kinds` of them before the first comes again.
fn lengths(events: u32, kinds: u32) -> File {
    let record = |i: u32| {
        let words: [u32; 12] = [
            0x6561_7407,
            i + 1,
            1000 * i,
            0,
            8 * i,
            0,
            512 * (i % kinds + 1),
            0x0012_0001,
            7,
            8 << 20,
            0,
            0,
        ];
        words.map(u32::to_le_bytes).concat()
    };
    (
        "trace.blktrace.0".to_owned(),
        (0..events).flat_map(record).collect(),
    )
}

#[test]
fn kinds_of_events_take_memory() {
    let (events, capacity) = (400_000, Some(64 << 20));
    let (few, _) = read_part(&[lengths(events, 100)], 1 << 16, None, capacity);
    assert!(few.is_ok_and(|store| store.events.len() == events as usize && store.window.is_none()));
    let (many, _) = read_part(&[lengths(events, events)], 1 << 16, None, capacity);
    let many = many.expect("a part fits");
    assert!(
        many.events.len() > 100_000 && many.events.len() < events as usize,
        "{} events",
        many.events.len()
    );
    assert!(
        many.quality
            .warnings
            .iter()
            .any(|w| w.code == "memory-full")
    );
}

fn probes(files: &[File]) -> Vec<Probe> {
    let probe = |(name, bytes): &File| Probe {
        name: name.clone(),
        path: name.clone(),
        size: bytes.len() as u64,
        head: bytes[..bytes.len().min(PROBE_BYTES)].to_vec(),
        tail: bytes[bytes.len().saturating_sub(PROBE_BYTES)..].to_vec(),
        ..Probe::default()
    };
    files.iter().map(probe).collect()
}

#[test]
fn events_are_estimated_from_the_ends_of_the_files() {
    for name in recordings() {
        let files = recording(&name);
        let whole = read(&files, 1 << 20);
        let found = estimate(&probes(&files), None, None);
        let events = whole.events.len() as f64;
        assert!(
            (found.events as f64 / events - 1.0).abs() < 0.25,
            "{name}: {} of {events} events",
            found.events
        );
        assert_eq!(
            found.length,
            whole
                .span()
                .max(whole.messages.rows.last().map_or(0, |m| m.time)),
            "{name}"
        );
        assert!(
            found.error.is_none() && found.window.is_none(),
            "{name} fits"
        );
    }
}

#[test]
fn what_does_not_fit_is_known_before_and_its_offer_fits() {
    let files = recording("sync-fua");
    let found = estimate(&probes(&files), None, None);
    let half = Some(found.bytes / 2);
    let refused = estimate(&probes(&files), None, half);
    assert_eq!(refused.error.expect("half does not fit").code, "too-large");
    assert!(
        refused.fits > found.events / 3 && refused.fits < found.events * 2 / 3,
        "{} of {}",
        refused.fits,
        found.events
    );
    let offer = refused.window.expect("a window fits");
    assert!(
        offer.from == 0 && offer.to > found.length / 4 && offer.to < found.length / 2,
        "{offer:?} of {}",
        found.length
    );
    assert!(estimate(&probes(&files), Some(offer), half).error.is_none());
    assert!(
        estimate(
            &probes(&files),
            Some(TimeWindow {
                from: 0,
                to: u64::MAX
            }),
            half
        )
        .error
        .is_some()
    );
}

/// Two phases: one event per ms, then ten per ms, after each other in one file of one CPU.
fn uneven() -> Vec<File> {
    let template = crate::common::records(&recording("sync-fua")[0].1)
        .into_iter()
        .find(|r| u32::from_le_bytes(r[28..32].try_into().expect("four bytes")) & 0x0400_00ff == 1)
        .expect("a bio")
        .to_vec();
    let slow = (0..40_000u64).map(|i| i * 1_000_000);
    let fast = (0..400_000u64).map(|i| 40_000_000_000 + i * 100_000);
    let record = |time: u64| {
        let mut record = template.clone();
        record[8..16].copy_from_slice(&time.to_le_bytes());
        record
    };
    vec![(
        "sda.blktrace.0".to_owned(),
        slow.chain(fast).flat_map(record).collect(),
    )]
}

/// Pieces of 8 KiB at evenly spread places.
fn with_excerpts(files: &[File], n: usize) -> Vec<Probe> {
    let mut probes = probes(files);
    for (probe, (_, bytes)) in probes.iter_mut().zip(files) {
        let place = |i: usize| bytes.len() * (i + 1) / (n + 1);
        probe.excerpts = (0..n)
            .map(|i| {
                (
                    place(i) as u64,
                    bytes[place(i)..(place(i) + 8192).min(bytes.len())].to_vec(),
                )
            })
            .collect();
    }
    probes
}

#[test]
fn excerpts_show_events_over_time_and_offer_what_fits() {
    let files = uneven();
    let found = estimate(&with_excerpts(&files, 100), None, None);
    assert_eq!(found.over_time.len(), 240);
    let [slow, fast] = [&found.over_time[..118], &found.over_time[122..]]
        .map(|s| (s.iter().min(), s.iter().max()));
    // 79.9999 s in 240 slices: 333 ms each.
    assert!(slow.0 >= Some(&325) && slow.1 <= Some(&342), "{slow:?}");
    assert!(fast.0 >= Some(&3_250) && fast.1 <= Some(&3_420), "{fast:?}");
    assert!(found.events.abs_diff(440_000) < 4_400, "{}", found.events);
    // A tenth of the memory holds all of the first half and little of the second.
    let part = estimate(&with_excerpts(&files, 100), None, Some(found.bytes / 8));
    let offer = part.window.expect("a window fits");
    assert!(
        offer.from == 0 && offer.to >= 40_000_000_000 && offer.to < 41_000_000_000,
        "{offer:?}"
    );
    let later = TimeWindow {
        from: 60_000_000_000,
        to: u64::MAX,
    };
    let part = estimate(
        &with_excerpts(&files, 100),
        Some(later),
        Some(found.bytes / 8),
    );
    let offer = part.window.expect("a window fits");
    assert!(
        offer.from == later.from && offer.to > 64_000_000_000 && offer.to < 65_500_000_000,
        "{offer:?}"
    );
    // The ends alone show nothing of what is between them.
    assert!(estimate(&probes(&files), None, None).over_time.is_empty());
}

#[test]
fn events_of_small_files_are_counted_exactly() {
    for name in recordings() {
        let files = recording(&name);
        if has_steps(&read(&files, 1 << 20)) || files.iter().any(|f| f.1.len() > 2 * PROBE_BYTES) {
            continue;
        }
        let found = estimate(&probes(&files), None, None);
        let whole = read(&files, 1 << 20);
        let events = found.over_time.iter().sum::<u64>() as f64;
        assert!(
            (events / whole.events.len() as f64 - 1.0).abs() < 0.02,
            "{name}: {events} of {}",
            whole.events.len()
        );
    }
}

#[test]
fn excerpts_that_are_no_records_change_nothing() {
    let files = uneven();
    let mut probes = with_excerpts(&files, 100);
    let expected = estimate(&probes, None, None);
    // Zeroes, text, and times that are not those of the recording.
    let bytes = probes[0].excerpts[0].1.clone();
    let wrong: Vec<u8> = bytes
        .chunks(48)
        .flat_map(|r| [&r[..8.min(r.len())], &[0xff; 40]].concat())
        .collect();
    for junk in [
        vec![0; 8192],
        b"no event in this line\n".repeat(400),
        wrong,
        Vec::new(),
    ] {
        probes[0].excerpts.push((9_000_000, junk));
    }
    probes[0].excerpts.push((u64::MAX, bytes));
    assert_eq!(estimate(&probes, None, None).over_time, expected.over_time);
}

#[test]
fn a_window_without_events_is_an_error_of_its_own() {
    let files = recording("sync-fua");
    for from in [3_600_000_000_000, u64::MAX - 1] {
        let window = TimeWindow { from, to: u64::MAX };
        let error = read_part(&files, 1 << 20, Some(window), None)
            .0
            .expect_err("nothing is there");
        assert_eq!(error.code, "empty-window");
        assert!(
            error.message.contains("test") && error.remedy.is_some(),
            "{error:?}"
        );
    }
    let no_events = vec![(
        "sda.blktrace.0".to_owned(),
        crate::common::records(&files[0].1)[0].to_vec(),
    )];
    let error = read_part(
        &no_events,
        1 << 20,
        Some(TimeWindow { from: 0, to: 1 }),
        None,
    )
    .0
    .expect_err("no file has an event");
    assert_eq!(error.code, "no-events");
}

#[test]
fn runs_whose_windows_differ_are_not_the_same_work() {
    let files = recording("sync-fua");
    let whole = read(&files, 1 << 20);
    let window = |from: u64, to: u64| Some(TimeWindow { from, to });
    let part = |window| {
        read_part(&files, 1 << 20, window, None)
            .0
            .expect("the window has events")
    };
    let first = part(window(0, whole.span() / 2));
    let compared = |a: &Store, b: &Store| {
        let digests = [a, b].map(|store| {
            serde_json::to_value(digest(store, Window::WHOLE, None)).expect("a digest is JSON")
        });
        let runs: Vec<_> = digests
            .into_iter()
            .zip(["a", "b"])
            .map(|(trace, label)| json!({ "label": label, "trace": trace }))
            .collect();
        let query = serde_json::from_value(json!({ "runs": runs })).expect("digests come back");
        (compare(&query), mail::text(&query, &compare(&query)))
    };
    let (document, text) = compared(&first, &whole);
    let work = document.first.expect("two runs").work;
    assert!(
        !work.same
            && work.why
                == format!(
                    "{} of a and all of b were read",
                    first.window.expect("a part")
                ),
        "{}",
        work.why
    );
    assert!(text.contains("only the first"), "{text}");
    let json = serde_json::to_value(&document.runs).expect("runs are JSON");
    assert_eq!(
        json[0]["window"],
        json!({ "from_ns": 0, "to_ns": whole.span() / 2 })
    );
    assert!(json[1].get("window").is_none());
    let (same, _) = compared(&first, &part(window(0, whole.span() / 2)));
    assert!(same.first.expect("two runs").work.same);
    let (complete, text) = compared(&whole, &whole);
    assert!(complete.first.expect("two runs").work.same && !text.contains("only the"));
}

/// The page compares a range of open traces as the command line compares the part that it reads.
#[test]
fn a_range_has_the_counts_of_the_same_part_read_alone() {
    let mut tried = 0;
    for name in recordings() {
        let files = recording(&name);
        let whole = read(&files, 1 << 20);
        let part = middle(&whole);
        let Ok(alone) = read_part(&files, 1 << 20, Some(part), None).0 else {
            continue;
        };
        if has_steps(&whole) {
            continue;
        }
        let TimeWindow { from, to } = part;
        let ranged = digest(&whole, Window { from, to }, None);
        let alone = digest(&alone, Window::WHOLE, None);
        assert_eq!((ranged.range, ranged.window), (Some(part), None), "{name}");
        assert_eq!((alone.range, alone.window), (None, Some(part)), "{name}");
        let counts = |digest: &Digest| {
            let of_device = |device: &str| -> Vec<String> {
                let found = digest.devices.iter().filter(|d| d.dev == device);
                let figures = found.flat_map(|d| {
                    let work = format!("{:?}", d.work);
                    let counts = d
                        .figures
                        .iter()
                        .filter(|(key, _)| key.starts_with("events.") || key.starts_with("bytes."));
                    let counts = counts.map(|(key, value)| format!("{key} {value}"));
                    counts.chain([work])
                });
                figures.collect()
            };
            let devices = alone.devices.iter();
            devices
                .map(|d| (d.dev.clone(), of_device(&d.dev)))
                .collect::<Vec<_>>()
        };
        assert_eq!(counts(&ranged), counts(&alone), "{name}");
        tried += 1;
    }
    assert!(tried >= 3, "only {tried} recordings have a middle");
}

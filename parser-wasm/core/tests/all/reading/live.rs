//! Recordings that are followed while they are written: buffers of CPUs one after another, late
//! events, quiet times, new files.

use crate::common::{File, digest, parts_of, read, recording, recordings, records};
use seekscope_core::builder::{TraceBuilder, TraceFile};
use std::collections::BTreeMap;

const BUFFER_NS: u64 = 50_000_000;
const LAG_NS: u64 = 500_000_000;

fn time(record: &[u8]) -> u64 {
    u64::from_le_bytes(record[8..16].try_into().expect("eight bytes"))
}

/// The stream that `blktrace -o -` writes: for each 50 ms the buffer of each CPU, one after
/// another.
fn stream(files: &[File]) -> Vec<Vec<u8>> {
    let mut buffers: BTreeMap<(u64, usize), Vec<u8>> = BTreeMap::new();
    for (cpu, (_, bytes)) in files.iter().enumerate() {
        // A clock that steps back does not change when something is written.
        let mut written = 0;
        for record in records(bytes) {
            written = written.max(time(record) / BUFFER_NS);
            buffers
                .entry((written, cpu))
                .or_default()
                .extend_from_slice(record);
        }
    }
    buffers.into_values().collect()
}

fn following(lag: u64) -> TraceBuilder {
    let mut builder = TraceBuilder::new("test", "test", Vec::new()).following(lag);
    builder.add_file("stream");
    builder
}

#[test]
fn what_was_followed_is_what_is_read_from_files() {
    let mut out_of_order = 0;
    for name in recordings() {
        let files = recording(&name);
        let buffers = stream(&files);
        let mut builder = following(LAG_NS);
        for buffer in &buffers {
            builder.feed(0, buffer);
        }
        builder.settle_live();
        let status = builder.live_status().expect("it is followed");
        assert_eq!((status.order.late, status.waiting), (0, 0), "{name}");
        // Ordinary reading of the same bytes waits for the end, because they are out of order.
        let bytes = buffers.concat();
        let whole = read(&[("stream".to_owned(), bytes)], 1 << 16);
        // A record is decoded when the next one is there.
        assert!(
            builder.partial().events.len() + 1 >= whole.events.len(),
            "{name}"
        );
        assert_eq!(
            digest(&builder.finish().expect("it has events")),
            digest(&whole),
            "{name}"
        );
        out_of_order += usize::from(files.len() > 1);
    }
    assert!(out_of_order > 3);
}

#[test]
fn events_are_shown_after_the_lag() {
    let buffers = stream(&recording("ext4-buffered-6.12"));
    let mut builder = following(LAG_NS);
    let mut latest = 0;
    for buffer in &buffers {
        builder.feed(0, buffer);
        let order = builder.live_status().expect("it is followed").order;
        latest = order.latest;
        // An eighth of the lag more, so that few items are not sorted often.
        assert!(
            order.emitted + LAG_NS + LAG_NS / 8 >= order.latest
                || builder.partial().events.is_empty()
        );
    }
    assert!(builder.live_status().expect("it is followed").order.emitted < latest);
    builder.settle_live();
    assert_eq!(
        builder.live_status().expect("it is followed").order.emitted,
        latest
    );
}

#[test]
fn late_events_are_counted_and_make_the_lag_longer() {
    let files = recording("ext4-buffered-6.12");
    let buffers = stream(&files);
    // The first CPU's buffers of a second arrive after all others.
    let (first, rest): (Vec<_>, Vec<_>) = buffers.iter().enumerate().partition(|(i, _)| *i == 2);
    let mut builder = following(1_000_000);
    for (_, buffer) in rest.iter().chain(&first) {
        builder.feed(0, buffer);
    }
    let status = builder.live_status().expect("it is followed");
    assert!(status.order.late > 0 && status.order.lateness > 1_000_000);
    assert_eq!(
        status.order.lag,
        status.order.lateness + status.order.lateness / 2
    );
    builder.settle_live();
    let whole = read(&files, 1 << 16).events.len() as u64;
    let late = builder.live_status().expect("it is followed").order.late;
    let (events, messages) = builder.stored();
    let all = (whole + read(&files, 1 << 16).messages.rows.len() as u64) as i64;
    // The last two items of each file may wait for what follows.
    let missing = all - (events + messages) as i64 - late as i64;
    assert!(
        (0..=2).contains(&missing),
        "{missing} of {all}, {late} late"
    );
}

#[test]
fn a_clock_that_steps_back_is_counted() {
    let (name, mut bytes) = recording("sync-fua").remove(0);
    let half = records(&bytes).len() / 2;
    let mut offset = 0;
    for (i, length) in records(&bytes)
        .iter()
        .map(|record| record.len())
        .collect::<Vec<_>>()
        .into_iter()
        .enumerate()
    {
        if i >= half {
            let earlier = time(&bytes[offset..]) - 400_000_000;
            bytes[offset + 8..offset + 16].copy_from_slice(&earlier.to_le_bytes());
        }
        offset += length;
    }
    let mut builder = following(LAG_NS);
    builder.feed(0, &bytes);
    let status = builder.live_status().expect("it is followed");
    assert!(
        status.steps > 0 && status.largest_step <= 400_000_000,
        "{name}: {status:?}"
    );
}

#[test]
fn files_that_appear_are_read_and_bytes_that_are_no_records_are_counted() {
    let files = recording("two-devices");
    let mut builder =
        TraceBuilder::new("test", "test", Vec::<TraceFile>::new()).following(u64::MAX);
    for (name, bytes) in &files {
        let number = builder.add_file(name);
        builder.feed(number, bytes);
    }
    assert_eq!(builder.live_status().expect("it is followed").skipped, 0);
    builder.feed(0, &[0x55; 100]);
    builder.feed(0, &files[0].1);
    assert!(builder.live_status().expect("it is followed").skipped > 0);
    builder.settle_live();
    assert!(builder.partial().events.len() >= read(&files, 1 << 16).events.len());
    assert_eq!(parts_of(&files).len(), files.len());
}

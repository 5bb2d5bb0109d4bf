use super::*;
use crate::event::{Action, EventDetail, Flags};
use std::time::{Duration, Instant};

fn event(time: u64, cpu: usize) -> Event {
    Event {
        time,
        sector: 0,
        bytes: 4096,
        action: Action::Queue,
        flags: Flags(0),
        pid: 1,
        device: DeviceNumber(8 << 20),
        cpu: cpu as u32,
        sequence: 0,
        error: 0,
        detail: EventDetail::None,
    }
}

/// Puts as many events in order, of one file per CPU, in pieces. Returns the times in order, and
/// how many waited at most.
fn ordered(events: u64, files: usize, piece: u64) -> (Vec<u64>, usize) {
    let mut order = Order::new(files);
    let (mut times, mut waited) = (Vec::new(), 0);
    let mut next: Vec<u64> = (0..files as u64).collect();
    while let Some(file) = order.hungry() {
        let end = (next[file] + piece * files as u64).min(events);
        for time in (next[file]..end).step_by(files) {
            order.push_event(file, &event(time, file));
        }
        next[file] += piece * files as u64;
        if next[file] >= events {
            order.close(file);
        }
        order.release(|item| times.push(item.time()));
        assert!(order.merges(), "{files} files in pieces of {piece}");
        waited = waited.max(order.waiting());
    }
    (times, waited)
}

#[test]
fn few_items_of_each_file_wait() {
    for files in [1, 2, 24, 513] {
        let piece = (1000 / files as u64).max(1);
        let (times, waited) = ordered(20_000, files, piece);
        assert!(times.len() == 20_000 && times.is_sorted(), "{files} files");
        assert!(
            waited <= files * piece as usize,
            "{waited} of {files} files"
        );
    }
}

/// 64 times as many files have the same events: only the file whose piece came is looked at, not
/// all others (64 times as long). The state of 4,096 files does not fit the caches, which alone
/// takes up to nine times as long on a busy machine.
#[test]
fn a_file_more_costs_no_event_more() {
    let fastest = |files: usize| {
        let time = |_| {
            let begin = Instant::now();
            ordered(1 << 17, files, 4);
            begin.elapsed()
        };
        (0..3).map(time).min().unwrap_or(Duration::MAX)
    };
    let (few, many) = (fastest(64), fastest(4096));
    assert!(many < few * 24, "64 files: {few:?}, 4,096 files: {many:?}");
}

/// Files one after another: the merge gives up, and the files that were behind are still the ones
/// to read first.
#[test]
fn after_giving_up_the_file_behind_is_next() {
    let mut order = Order::new(3);
    for time in 0..=PATIENCE as u64 {
        order.push_event(0, &event(10 + time, 0));
    }
    order.release(|_| unreachable!("two files may have earlier ones"));
    assert!(!order.merges());
    assert_eq!(order.hungry(), Some(1));
    order.push_event(1, &event(7, 1));
    order.release(|_| unreachable!("nothing is emitted before the end"));
    order.close(2);
    assert_eq!(order.hungry(), Some(1));
    order.close(1);
    assert_eq!(order.hungry(), Some(0));
    assert_eq!(
        order.take_stash().map(|stash| stash.len()),
        Some(PATIENCE + 2)
    );
}

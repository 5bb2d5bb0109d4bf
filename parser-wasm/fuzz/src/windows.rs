//! A time window of a file, and its estimate before it is read: 24 bytes with the window and the
//! memory, then the file.

use crate::road::{everything, noise, probe};
use crate::seeds;
use seekscope_core::builder::{TraceBuilder, TraceFile};
use seekscope_core::error::Error;
use seekscope_core::intake::estimate;
use seekscope_core::store::{Store, TimeWindow};

/// Bytes of the window and of the memory.
const HEAD: usize = 24;

/// The files of the target `blktrace`, each with one of a few windows; some with little memory.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let heads = [
        (0, 1 << 30, 0),
        (1 << 20, 1 << 33, 0),
        (1 << 30, 1, 0),
        (0, u64::MAX, 4_000),
    ];
    let with = |(i, file): (usize, Vec<u8>)| {
        let (from, to, memory): (u64, u64, u64) = heads[i % heads.len()];
        [from, to, memory]
            .into_iter()
            .flat_map(u64::to_le_bytes)
            .chain(file)
            .collect()
    };
    seeds::blktrace()
        .into_iter()
        .enumerate()
        .map(with)
        .collect()
}

/// The target: reading in pieces gives the same, and every event is in the window.
pub(crate) fn any(data: &[u8]) {
    let Some((head, file)) = data.split_at_checked(HEAD) else {
        return;
    };
    let number = |i: usize| u64::from_le_bytes(head[i..i + 8].try_into().expect("eight bytes"));
    let (from, length, memory) = (number(0), number(8), number(16));
    let window = TimeWindow {
        from,
        to: from.saturating_add(length),
    };
    let capacity = (memory > 0).then_some(memory);
    estimated(file, window, capacity);
    let noise = noise(data);
    let pieces = 1 + noise % 257;
    // Where the first event comes late, a window that begins later than it moves with what was
    // dropped before.
    let fixed = TimeWindow { from: 0, ..window };
    match (
        read(file, fixed, 1 << 20, None),
        read(file, fixed, pieces, None),
    ) {
        (Ok(whole), Ok(part)) => {
            let times = |store: &Store| {
                (0..store.events.len())
                    .map(|i| store.events.time(i))
                    .collect::<Vec<_>>()
            };
            assert_eq!(times(&whole), times(&part), "in pieces of {pieces}");
        }
        (Err(whole), Err(part)) => assert_eq!(whole, part, "in pieces of {pieces}"),
        (whole, part) => panic!(
            "in pieces of {pieces}: {:?} or {:?}",
            whole.err(),
            part.err()
        ),
    }
    if let Ok(store) = read(file, window, pieces, None) {
        inside(&store);
        everything(&store, noise);
    }
    match read(file, window, pieces, capacity) {
        Ok(store) => inside(&store),
        Err(error) => assert!(
            error.remedy.is_some_and(|remedy| remedy.len() > 10),
            "{error:?}"
        ),
    }
}

fn read(
    file: &[u8],
    window: TimeWindow,
    piece: usize,
    capacity: Option<u64>,
) -> Result<Store, Error> {
    let part = TraceFile {
        name: "trace.blktrace.0".to_owned(),
        size: file.len() as u64,
        pattern: None,
    };
    let capacity = capacity.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    let mut builder = TraceBuilder::new("fuzz", "fuzz", vec![part])
        .with_window(Some(window))
        .with_capacity(capacity);
    let mut rest = file;
    while builder.hungry().is_some() {
        let (now, later) = rest.split_at(rest.len().min(piece));
        builder.feed(0, now);
        rest = later;
        if rest.is_empty() {
            builder.close(0);
        }
    }
    builder.finish()
}

/// Every event must be in the window of the store.
fn inside(store: &Store) {
    if let Some(window) = store.window {
        assert!(
            (0..store.events.len()).all(|i| window.holds(store.events.time(i))),
            "{window:?}"
        );
    }
}

/// Estimates a file. Excerpts may claim to be from anywhere, even beyond the end of the file.
fn estimated(file: &[u8], window: TimeWindow, capacity: Option<u64>) {
    let mut probe = probe("trace.blktrace.0", file);
    let (head, tail) = (file.len() / 3, file.len() * 2 / 3);
    (probe.head, probe.tail) = (file[..head].to_vec(), file[tail..].to_vec());
    let places = [head as u64, (head + tail) as u64 / 2, window.from, u64::MAX];
    probe.excerpts = places
        .into_iter()
        .map(|offset| (offset, file[head..tail].to_vec()))
        .collect();
    for asked in [None, Some(window)] {
        let found = estimate(std::slice::from_ref(&probe), asked, capacity);
        if let Some(offer) = found.window {
            assert!(
                offer.from <= offer.to && offer.to <= found.length.max(offer.from),
                "{offer:?} of {}",
                found.length
            );
        }
        assert_eq!(found.error.is_some(), found.bytes > found.capacity);
        assert!(matches!(found.over_time.len(), 0 | 240));
    }
}

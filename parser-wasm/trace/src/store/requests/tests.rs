//! Rows come back as they were written.

use super::*;
use crate::event::Flags;

#[test]
fn rows_come_back_as_they_went_in() {
    let rows = [
        StoredRequest {
            start: 9_000_000_000_000,
            queued: Some(5),
            allocated: Some(8_999_999_999_999),
            sector: u64::MAX,
            bytes: 4096,
            ..StoredRequest::default()
        },
        StoredRequest {
            start: 10,
            queued: None,
            completed: Some(u64::MAX / 2),
            device: 300,
            bios: 1000,
            error: -5,
            bio: true,
            ..StoredRequest::default()
        },
        StoredRequest {
            start: 7,
            requeued: true,
            momentary: true,
            flags: Flags::WRITE | Flags::SYNC,
            process: 70_000,
            ..StoredRequest::default()
        },
    ];
    let mut requests = Requests::default();
    for row in &rows {
        requests.push(row);
    }
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(requests.stored(i), *row);
    }
    assert_eq!((requests.far.len(), requests.rare_bytes() > 0), (2, true));
    let mut sorted = requests.clone();
    sorted.sort_without(&FxHashSet::default());
    assert_eq!(
        (sorted.stored(0), sorted.stored(1), sorted.stored(2)),
        (rows[2], rows[1], rows[0])
    );
    requests.sort_without(&FxHashSet::from_iter([0]));
    assert_eq!(
        (requests.len(), requests.stored(0), requests.stored(1)),
        (2, rows[2], rows[1])
    );
}

#[test]
fn rows_that_do_not_fit_change_as_others() {
    let fits = StoredRequest {
        start: 1000,
        sector: 8,
        bytes: 4096,
        ..StoredRequest::default()
    };
    let mut requests = Requests::default();
    for start in [1000, 1 << 50] {
        let i = requests.push(&StoredRequest { start, ..fits });
        requests.complete(i, start + 7, 3, -5);
        requests.make_momentary(i);
        let done = StoredRequest {
            start,
            completed: Some(start + 7),
            complete_cpu: 3,
            error: -5,
            momentary: true,
            ..fits
        };
        assert_eq!(requests.stored(i), done);
        // A span of more than 4.29 s, then a short one again.
        requests.complete(i, start + (1 << 33), 4, 0);
        assert_eq!(
            (
                requests.row(i).d2c(),
                requests.row(i).error(),
                requests.row(i).complete_cpu()
            ),
            (Some(1 << 33), -5, 4)
        );
        requests.replace(i, &fits);
        assert_eq!((requests.stored(i), requests.far.len()), (fits, 0));
    }
}

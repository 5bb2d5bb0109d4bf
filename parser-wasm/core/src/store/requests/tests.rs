//! Rows come back as they were written.

use super::*;

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
        assert_eq!(requests.row(i), *row);
    }
    let sorted = requests.sorted_without(&FxHashSet::default());
    assert_eq!((sorted.row(0), sorted.row(1), sorted.row(2)), (rows[2], rows[1], rows[0]));
}

use super::*;
use seekscope_trace::fixture::store;
use seekscope_trace::store::Zones;

fn only_failed(text: &str) -> FailedRequests {
    let found = failed(&store(text), Window::WHOLE);
    found.into_iter().next().flatten().expect("failures")
}

fn count(requests: u64, bytes: u64) -> FailedCount {
    FailedCount { requests, bytes }
}

fn operations(failed: &FailedRequests) -> Vec<(&str, u64)> {
    let count_of = |row: &'_ FailedByOperation| row.count.requests;
    failed
        .by_operation
        .iter()
        .map(|row| (row.operation.as_str(), count_of(row)))
        .collect()
}

fn processes(failed: &FailedRequests) -> Vec<(u32, u64)> {
    failed
        .by_process
        .iter()
        .map(|row| (row.pid, row.count.requests))
        .collect()
}

#[test]
fn by_error_operation_and_process() {
    let found = only_failed(
        "0 Q 0+8 R pid=7
         1 D 0+8 R pid=99
         2 Q 8+8 W pid=8
         3 D 8+8 W pid=99
         4 Q 16+16 R pid=7
         5 D 16+16 R pid=99
         6 C 0+8 R error=-5
         7 C 8+8 W error=-28
         8 C 16+16 R error=-5
         9 Q 32+8 R pid=9
         10 D 32+8 R
         11 C 32+8 R",
    );
    assert_eq!(found.count, count(3, 32 * 512));
    let errors: Vec<_> = found
        .by_error
        .iter()
        .map(|row| (row.errno, row.name.as_deref(), row.count))
        .collect();
    assert_eq!(
        errors,
        [
            (5, Some("EIO"), count(2, 24 * 512)),
            (28, Some("ENOSPC"), count(1, 8 * 512))
        ]
    );
    assert_eq!(operations(&found), [("read", 2), ("write", 1)]);
    assert_eq!(processes(&found), [(7, 2), (8, 1)]);
    assert_eq!((found.never_issued, found.more_errors), (0, 0));
    assert_eq!(
        failed(&store("0 D 0+8 R\n1 C 0+8 R"), Window::WHOLE),
        [None]
    );
}

#[test]
fn only_the_failed_part_counts() {
    let text = "0 Q 0+32 R pid=7
         1 D 0+32 R
         2 C 0+8 R
         3 C 8+8 R error=-61
         4 C 16+16 R";
    let found = only_failed(text);
    assert_eq!(found.count, count(1, 8 * 512));
    assert_eq!(processes(&found), [(7, 1)]);
    let store = store(text);
    assert_eq!(
        (store.requests.len(), store.requests.row(0).error()),
        (1, -61)
    );
}

#[test]
fn a_refused_bio_was_never_issued() {
    // The device is a disk: D occurs elsewhere.
    let text = "0 Q 0+8 R pid=1
         1 D 0+8 R
         2 C 0+8 R
         3 Q 64+8 W pid=4
         4 C 64+8 W error=-11";
    let found = only_failed(text);
    assert_eq!((found.count, found.never_issued), (count(1, 8 * 512), 1));
    assert_eq!(processes(&found), [(4, 1)]);
    assert_eq!(found.by_error[0].name.as_deref(), Some("EAGAIN"));
    // On md and dm no bio is issued.
    let stacked = only_failed("3 Q 64+8 W pid=4\n4 C 64+8 W error=-11");
    assert_eq!((stacked.count.requests, stacked.never_issued), (1, 0));
    assert_eq!(processes(&stacked), [(4, 1)]);
    // This request was issued before the recording began.
    let early = only_failed("0 D 0+8 R\n1 C 0+8 R\n2 C 64+8 R error=-5");
    assert_eq!((early.count.requests, early.never_issued), (1, 0));
    assert_eq!(processes(&early), []);
}

#[test]
fn a_flush_fails_with_what_waited_for_it() {
    // The flush itself succeeds, and the bio that waited fails: block_rq_complete: WS () 0 + 0
    // [-5].
    let lost = only_failed(
        "0 Q 0+0 FWS pid=3
         1 D - FF
         2 C - FF
         3 C 0+0 WS error=-5",
    );
    assert_eq!(operations(&lost), [("flush", 1)]);
    assert_eq!((processes(&lost), lost.count.bytes), (vec![(3, 1)], 0));
    let both = only_failed(
        "0 Q 0+0 FWS pid=3
         1 D - FN
         2 C - FN error=-5
         3 C 0+0 WS error=-5",
    );
    assert_eq!(operations(&both), [("flush", 2)]);
    assert_eq!(processes(&both), [(3, 2)]);
    assert_eq!(both.retries, Some(Retries::default()));
    // The end of a write that flushes first is at its end.
    let write = only_failed(
        "0 Q 8+8 FWS pid=3
         1 D - FN
         2 C - FN
         3 D 8+8 WS
         4 C 8+8 WS
         5 C 16+0 WS error=-5",
    );
    assert_eq!(
        (operations(&write), processes(&write)),
        (vec![("flush", 1)], vec![(3, 1)])
    );
}

#[test]
fn passthrough_has_no_bytes_and_zones_are_no_flushes() {
    let found = only_failed("0 D 0+1 RP pid=5\n1 C 0+1 RP error=-121");
    assert_eq!(
        (operations(&found), found.count),
        (vec![("passthrough", 1)], count(1, 0))
    );
    let mut zoned = store("0 D 200+0 W pid=5\n1 C 200+0 W error=-109\n2 C 0+0 FW error=-5");
    zoned.devices[0].zones = Some(Zones {
        sectors: 100,
        conventional: None,
    });
    let found = failed(&zoned, Window::WHOLE).remove(0).expect("failures");
    assert_eq!(operations(&found), [("flush", 1), ("zone", 1)]);
}

#[test]
fn retries_are_of_the_same_sectors_and_operation() {
    let retries = |text: &str| {
        let r = only_failed(text).retries.expect("few failures");
        (r.issued_again, r.succeeded, r.failed_again)
    };
    let first = "0 D 0+16 R\n1 C 0+16 R error=-5\n";
    assert_eq!(retries(first), (0, 0, 0));
    assert_eq!(
        retries(&format!("{first}2 D 0+16 W\n3 C 0+16 W")),
        (0, 0, 0)
    );
    assert_eq!(
        retries(&format!("{first}2 D 16+16 R\n3 C 16+16 R")),
        (0, 0, 0)
    );
    // Issued again, and not complete within the recording.
    assert_eq!(retries(&format!("{first}2 D 0+16 R")), (1, 0, 0));
    assert_eq!(
        retries(&format!("{first}2 D 0+16 R\n3 C 0+16 R")),
        (1, 1, 0)
    );
    // If it is retried in parts, all of them must succeed.
    let half = format!("{first}2 D 0+8 R\n3 C 0+8 R\n");
    assert_eq!(retries(&half), (1, 0, 0));
    assert_eq!(retries(&format!("{half}4 D 8+64 R\n5 C 8+64 R")), (1, 1, 0));
    // The retry fails, and is issued again itself.
    let again = format!("{first}2 D 0+16 R\n3 C 0+16 R error=-5\n");
    assert_eq!(retries(&again), (1, 0, 1));
    assert_eq!(
        retries(&format!("{again}4 D 0+16 R\n5 C 0+16 R")),
        (2, 1, 1)
    );
    // What was issued before the failure is no retry.
    let other = "0 D 0+16 R\n1 D 8+8 R\n2 C 0+16 R error=-5\n3 C 8+8 R";
    assert_eq!(retries(other), (0, 0, 0));
    // Without D, a bio is a retry.
    let bios = "0 Q 0+8 R\n1 C 0+8 R error=-11\n2 Q 0+8 R\n3 C 0+8 R";
    assert_eq!(retries(bios), (1, 1, 0));
}

#[test]
fn a_window_counts_its_own_completions() {
    let s = store("0 D 0+8 R\n1 C 0+8 R error=-5\n5 D 8+8 R\n9 C 8+8 R error=-5");
    let within = |from, to| {
        let found = failed(&s, Window { from, to });
        found[0].as_ref().map(|found| found.count.requests)
    };
    assert_eq!(
        [within(0, 2), within(2, 9), within(2, 10)],
        [Some(1), None, Some(1)]
    );
}

#[test]
fn lists_are_bounded_and_say_so() {
    let mut text = String::new();
    for i in 1..=200u32 {
        let (sector, pid, error) = (i * 8, 1000 + i, 200 + i);
        text += &format!("{} Q {sector}+8 R pid={pid}\n", 3 * i);
        text += &format!(
            "{} D {sector}+8 R\n{} C {sector}+8 R error=-{error}\n",
            3 * i,
            3 * i + 1
        );
    }
    let found = only_failed(&text);
    assert_eq!(found.count, count(200, 200 * 4096));
    assert_eq!(
        (found.by_error.len(), found.more_errors),
        (MAX_LISTED, 200 - MAX_LISTED as u64)
    );
    assert_eq!(
        (found.by_process.len(), found.more_processes),
        (MAX_LISTED, 200 - MAX_LISTED as u64)
    );
    assert_eq!(found.by_error[0].name, None);
}

/// Overlapping failures without end: their product would take minutes.
#[test]
fn many_overlapping_failures_are_not_followed_forever() {
    let mut tracker = RetryTracker::default();
    for i in 0..20_000u64 {
        tracker.fail(Op::Read, i..1 << 30);
    }
    for i in 0..200_000u64 {
        tracker.succeed(Op::Read, i..i + 1);
    }
    assert_eq!(tracker.finish(), None);
}

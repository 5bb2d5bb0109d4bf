//! `failures-appeared`: counts are rare events, so it needs none on one side, or clearly fewer.

use super::*;
use seekscope_measure::failed::{FailedByError, FailedByOperation, FailedCount, FailedRequests};

fn count(requests: u64) -> FailedCount {
    FailedCount {
        requests,
        bytes: requests * 4096,
    }
}

/// A run with so many failed requests of so many, all with one error.
fn failing(failed: u64, all: u64, errno: u16) -> Digest {
    let mut digest = digest(&[
        ("failed.requests", failed as f64),
        ("failed.bytes", failed as f64 * 4096.0),
        ("events.C", all as f64),
    ]);
    let by_error = vec![FailedByError {
        errno,
        count: count(failed),
        ..FailedByError::default()
    }];
    let by_operation = vec![FailedByOperation {
        operation: "read".to_owned(),
        count: count(failed),
    }];
    digest.devices[0].failed = (failed > 0).then(|| FailedRequests {
        count: count(failed),
        by_error,
        by_operation,
        ..FailedRequests::default()
    });
    digest
}

fn run(label: &str, group: Option<&str>, trace: Digest) -> ComparedRun {
    ComparedRun {
        label: label.to_owned(),
        group: group.map(str::to_owned),
        trace,
        ..ComparedRun::default()
    }
}

fn compared(runs: Vec<ComparedRun>) -> Comparison {
    let query = CompareQuery {
        runs,
        ..CompareQuery::default()
    };
    compare(&query).first.expect("two sides")
}

fn found(a: Digest, b: Digest) -> Option<(usize, String)> {
    let comparison = compared(vec![run("a", None, a), run("b", None, b)]);
    let finding = comparison
        .findings
        .iter()
        .find(|finding| finding.code == "failures-appeared")?;
    Some((finding.rank, finding.sentence.clone()))
}

#[test]
fn none_on_one_side_and_any_on_the_other() {
    let (rank, sentence) = found(failing(0, 2500, 5), failing(1, 2500, 5)).expect("a finding");
    assert_eq!(rank, 1, "before the findings that depend on it");
    assert_eq!(
        sentence,
        "b: 1 of 2,500 requests failed (a: 0 of 2,500): 1 error 5; 1 read; 4 KiB in all."
    );
    // Whichever side is the baseline.
    let (_, sentence) = found(failing(1, 2500, 5), failing(0, 2500, 5)).expect("a finding");
    assert!(sentence.starts_with("a: 1 of 2,500"), "{sentence}");
    assert_eq!(found(failing(0, 2500, 5), failing(0, 2500, 5)), None);
    // Without the figure on one side nothing is known of it.
    let mut masked = failing(0, 2500, 5);
    masked.devices[0].figures.remove("failed.requests");
    assert_eq!(found(masked, failing(9, 2500, 5)), None);
}

#[test]
fn clearly_more_is_twice_the_share_and_no_chance() {
    let pair = |a: u64, b: u64| found(failing(a, 10_000, 5), failing(b, 10_000, 5)).is_some();
    // Binomial, one-sided: P(X >= 12 of 15) = 0.018, of 17 of 21 = 0.0036.
    assert_eq!([pair(3, 12), pair(4, 17)], [false, true]);
    // Certain, but less than twice.
    assert_eq!([pair(1000, 1990), pair(1000, 2010)], [false, true]);
    // The same share of more requests.
    assert!(found(failing(10, 10_000, 5), failing(100, 100_000, 5)).is_none());
}

#[test]
fn expected_errors_need_the_test_and_come_late() {
    let few = found(failing(0, 2500, 11), failing(6, 2500, 11));
    assert_eq!(few, None, "P(6 of 6) = 0.016");
    let (rank, _) = found(failing(0, 2500, 11), failing(7, 2500, 11)).expect("P = 0.008");
    assert_eq!(rank, 1, "nothing else is found");
}

#[test]
fn of_groups_each_run_must_be_above_each_of_the_other() {
    let group = |name: &str, counts: [u64; 3]| {
        counts
            .map(|n| run(name, Some(name), failing(n, 10_000, 5)))
            .to_vec()
    };
    let pair = |a: [u64; 3], b: [u64; 3]| {
        let comparison = compared([group("a", a), group("b", b)].concat());
        let finding = comparison
            .findings
            .into_iter()
            .find(|f| f.code == "failures-appeared");
        finding.map(|f| f.sentence)
    };
    assert_eq!(
        pair([1, 30, 2], [40, 40, 20]),
        None,
        "one run of the first had as many"
    );
    assert!(pair([1, 3, 2], [40, 40, 20]).is_some());
    let sentence = pair([0, 0, 0], [0, 7, 0]).expect("a finding");
    assert!(
        sentence.contains("7 of 30,000 requests failed in 1 of 3 runs"),
        "{sentence}"
    );
}

#[test]
fn the_table_knows_that_few_failures_are_chance() {
    let verdict = |a: u64, b: u64| {
        let runs = vec![
            run("a", None, failing(a, 10_000, 5)),
            run("b", None, failing(b, 10_000, 5)),
        ];
        let figures = serde_json::to_value(compared(runs).figures).expect("JSON");
        let all = figures.as_array().expect("a list").clone();
        all.into_iter()
            .find(|f| f["key"] == "failed.requests")
            .map(|f| f["verdict"].clone())
    };
    assert_eq!(verdict(0, 1), Some("worse".into()));
    assert_eq!(verdict(6, 9), Some("unsure".into()));
    assert_eq!(verdict(60, 120), Some("worse".into()));
    assert_eq!(verdict(9, 9), Some("equal".into()));
    assert_eq!(verdict(0, 0), None, "not in the table");
}

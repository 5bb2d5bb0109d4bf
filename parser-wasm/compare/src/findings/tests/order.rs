//! Rules about the order of requests, and where they complete. The figures are made; the stories
//! have recordings of both.

use super::*;

const SORTED: [(&str, f64); 4] = [
    ("reordered.share", 0.4),
    ("seek.issued.mean_abs", 20_000.0),
    ("seek.queued.mean_abs", 90_000.0),
    ("waiting.mean", 5.0),
];
const UNSORTED: [(&str, f64); 6] = [
    ("reordered.share", 0.1),
    ("seek.issued.mean_abs", 80_000.0),
    ("seek.queued.mean_abs", 90_000.0),
    ("waiting.mean", 0.5),
    ("d2c.mean", 6e6),
    ("q2c.mean", 6.2e6),
];

#[test]
fn an_elevator_sorts_less() {
    let against = |more: &[(&str, f64)]| rules(&SORTED, &[&SLOWER[..], &UNSORTED, more].concat());
    assert_eq!(
        against(&[]),
        ["reordering-fell"],
        "the seeks and the slower device are its effects"
    );
    let words = found(digest(&SORTED), digest(&[&SLOWER[..], &UNSORTED].concat()))
        .remove(0)
        .1;
    assert_eq!(
        words,
        "new: requests were sorted less: the device had to seek 39.1 MiB on average, 43.9 MiB in \
            the order of the queue (old: 9.77 MiB and 43.9 MiB)."
    );
    // Requests that overtake each other are not sorted by that.
    assert_eq!(against(&[("reordered.share", 0.5)]), ["reordering-fell"]);
    let sorted_before = |more: &[(&str, f64)]| {
        rules(
            &[&SORTED[..], more].concat(),
            &[&SLOWER[..], &UNSORTED].concat(),
        )
    };
    assert_eq!(
        sorted_before(&[("reordered.share", 0.09)]),
        ["device-slower"],
        "nothing was sorted"
    );
    assert_eq!(
        sorted_before(&[("seek.queued.mean_abs", 25_000.0)]),
        ["device-slower"],
        "what was queued was sorted"
    );
    assert_eq!(
        sorted_before(&[("seek.issued.mean_abs", 75_000.0)]),
        ["device-slower"],
        "out of order, not sorted"
    );
    assert_eq!(
        against(&[("seek.issued.mean_abs", 25_000.0)]),
        ["device-slower"]
    );
    assert_eq!(
        against(&[("seek.queued.mean_abs", 120_000.0)]),
        ["device-slower"],
        "the application reads elsewhere"
    );
    assert_eq!(
        against(&[("d2c.mean", 3.2e6), ("q2c.mean", 3.3e6)]),
        [""; 0],
        "the device does not mind"
    );
    let nothing_to_sort = [("depth.mean", 1.0), ("waiting.mean", 0.2)];
    assert!(!against(&nothing_to_sort).contains(&"reordering-fell"));
    // More sorting in the slower run is not its cause.
    assert_eq!(
        rules(&UNSORTED, &[&SLOWER[..], &SORTED].concat()),
        ["scheduler-slower"; 0]
    );
}

#[test]
fn requests_complete_on_another_cpu() {
    let compared = |affinity: [&str; 2], shares: [f64; 2]| {
        let notes = affinity.map(|value| [("8,0/rq_affinity", value)]);
        let side = |i: usize, label| {
            with_settings(
                run(label, digest(&[("migrated.share", shares[i])])),
                &notes[i],
            )
        };
        let runs = vec![side(0, "old"), side(1, "new")];
        let findings = compare(&CompareQuery {
            runs,
            baseline: 0,
            noise: None,
        })
        .first
        .unwrap()
        .findings;
        findings
            .into_iter()
            .map(|f| (f.code, f.settings.len()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        compared(["2", "0"], [0.0, 0.6]),
        [("completions-migrated", 1), ("setting-changed", 1)]
    );
    assert_eq!(
        compared(["2", "0"], [0.0, 0.19]),
        [("no-real-difference", 0), ("setting-changed", 1)]
    );
    // The process ran on another CPU.
    assert_eq!(
        compared(["1", "1"], [0.0, 0.9]),
        [("no-real-difference", 0)]
    );
    let group = |label: &str, share: f64| {
        let repeat = |i: u32| {
            let figures = [("migrated.share", share + f64::from(i) / 100.0)];
            ComparedRun {
                group: Some(label.to_owned()),
                ..run(label, digest(&figures))
            }
        };
        (0..4).map(repeat).collect::<Vec<_>>()
    };
    let runs = [group("old", 0.1), group("new", 0.5)].concat();
    let findings = compare(&CompareQuery {
        runs,
        baseline: 0,
        noise: None,
    })
    .first
    .unwrap()
    .findings;
    assert_eq!(findings[0].code, "completions-migrated");
}

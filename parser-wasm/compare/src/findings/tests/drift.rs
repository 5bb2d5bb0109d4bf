//! Runs that change from their first to their second half.

use super::*;

/// Throughput and depth of the second half by those of the first; bins differ by a hundredth.
fn drifting(rate: f64, depth: f64) -> Digest {
    let mut d = digest(&[]);
    for (key, factor) in [("bps", rate), ("depth.mean", depth)] {
        let bins = d.devices[0].bins.sums.get_mut(key).unwrap();
        let half = bins.len() / 2;
        bins[half..].iter_mut().for_each(|bin| bin.0 *= factor);
    }
    d
}

#[test]
fn one_run_slows_down() {
    let codes = |a: Digest, b: Digest| found(a, b).into_iter().map(|f| f.0).collect::<Vec<_>>();
    let all = compared(digest(&[]), drifting(0.5, 1.0)).findings;
    assert_eq!(
        all.iter().map(|f| f.code).collect::<Vec<_>>(),
        ["drift-within-run"]
    );
    assert_eq!(
        all[0].sentence,
        "new: throughput was 5.03 MB/s in the second half of the run and 10.0 MB/s in the first \
            (-50%; D2C 3.02 ms and 3.01 ms; 8.04 and 8.04 requests in flight). In old it changed \
            by +0.1%."
    );
    // The evidence is the slower half.
    assert_eq!(
        (all[0].evidence.run, all[0].evidence.range),
        (1, Some((4_999_999_995, 10_000_000_000)))
    );
    assert_eq!(
        compared(digest(&[]), drifting(2.0, 1.0)).findings[0]
            .evidence
            .range,
        Some((0, 4_999_999_995))
    );
    // The baseline's own is reported, too.
    let turned = compared(drifting(0.5, 1.0), digest(&[])).findings;
    assert_eq!(
        (turned[0].code, turned[0].evidence.run),
        ("drift-within-run", 0)
    );
    // Both do; less than noise; the load changed.
    assert_eq!(
        codes(drifting(0.5, 1.0), drifting(0.5, 1.0)),
        ["no-real-difference"]
    );
    assert_eq!(
        codes(digest(&[]), drifting(0.7, 1.0)),
        ["no-real-difference"]
    );
    assert_eq!(
        codes(digest(&[]), drifting(2.0, 2.0)),
        ["no-real-difference"]
    );
}

#[test]
fn all_runs_of_a_group_drift_or_it_is_chance() {
    let group = |label: &str, rates: [f64; 2]| {
        rates.map(|rate| ComparedRun {
            group: Some(label.to_owned()),
            ..run(label, drifting(rate, 1.0))
        })
    };
    let codes = |rates: [f64; 2]| {
        let runs = [group("old", [1.0, 1.0]), group("new", rates)].concat();
        let findings = compare(&CompareQuery {
            runs,
            baseline: 0,
            noise: None,
        })
        .first
        .unwrap()
        .findings;
        findings.into_iter().map(|f| f.code).collect::<Vec<_>>()
    };
    assert_eq!(
        (codes([0.5, 0.5]), codes([0.5, 1.0])),
        (vec!["drift-within-run"], vec!["no-real-difference"])
    );
}

//! Commits like good, like bad, like neither, and good and bad that cannot be told apart.

use super::*;
use crate::runs::digest::{DeviceDigest, Digest};
use seekscope_measure::figures::requested::RequestedWork;
use seekscope_trace::store::Role;

/// A run of direct reads with this throughput in MB/s and this share of starved time.
fn run(rate: f64, starved: f64) -> ComparedRun {
    let seconds = 100.0 / rate;
    let figures = [
        ("span", seconds * 1e9),
        ("bps", rate * 1e6),
        ("iops", rate * 250.0),
        ("bytes.read", 1e8),
        ("depth.mean", 4.0),
        ("q2c.mean", 1e9 / rate),
        ("q2d.mean", 5e8 / rate),
        ("d2c.mean", 5e8 / rate),
        ("starved.share", starved),
        ("states.busy_waiting", 0.2),
        ("states.busy", 0.8 - starved),
        ("states.nobody", 0.0),
    ];
    let device = DeviceDigest {
        dev: "8,0".to_owned(),
        role: Role::Disk,
        active: (0, (seconds * 1e9) as u64),
        work: RequestedWork {
            read: 100_000_000,
            ..RequestedWork::default()
        },
        figures: figures.map(|(key, value)| (key.to_owned(), value)).into(),
        ..DeviceDigest::default()
    };
    ComparedRun {
        trace: Digest {
            devices: vec![device],
            ..Digest::default()
        },
        ..ComparedRun::default()
    }
}

fn runs(rates: &[f64], starved: f64) -> Vec<ComparedRun> {
    rates.iter().map(|rate| run(*rate, starved)).collect()
}

/// 10 against 5 MB/s, which is starved time.
fn starving(commit: Vec<ComparedRun>) -> BisectQuery {
    BisectQuery {
        good: vec![runs(&[10.0, 10.1, 9.9], 0.01)],
        bad: vec![runs(&[5.0, 5.1, 4.9], 0.4)],
        runs: commit,
        ..BisectQuery::default()
    }
}

#[test]
fn without_runs_the_answer_is_what_will_decide() {
    let answer = judge(&starving(Vec::new()));
    assert_eq!((answer.problem, answer.verdict), (None, None));
    let finding = answer.finding.expect("a finding");
    assert_eq!(
        (finding.code, finding.present),
        ("starved-while-waiting", None)
    );
    let first = &answer.evidence[0];
    assert_eq!(
        (first.key.as_str(), first.of_finding),
        ("starved.share", true)
    );
    assert!(first.expected_runs.is_some_and(|runs| runs <= 2));
    assert!(first.commit.is_none() && first.error.is_none());
}

#[test]
fn a_commit_is_like_good_or_like_bad() {
    for (commit, expected) in [
        (runs(&[9.8, 10.2], 0.011), Likeness::Good),
        (runs(&[5.05, 4.95], 0.399), Likeness::Bad),
    ] {
        let answer = judge(&starving(commit));
        assert_eq!(answer.verdict, Some(expected));
        assert_eq!(answer.decided_by, Some(0));
        assert!(!answer.contradicted);
        let present = answer.finding.and_then(|finding| finding.present);
        assert_eq!(present, Some(expected == Likeness::Bad));
        let first = &answer.evidence[0];
        assert!(first.error.is_some_and(|error| error <= ERROR));
        assert_eq!(first.place, Some(BisectPlace::Near));
    }
}

#[test]
fn a_commit_halfway_is_not_decided_and_says_how_many_runs_would() {
    let halfway = runs(&[7.0, 7.1], 0.2);
    let answer = judge(&starving(halfway.clone()));
    assert_eq!((answer.verdict, answer.decided_by), (None, None));
    assert_eq!(answer.evidence[0].place, Some(BisectPlace::Between));
    // Nearer to good, but not yet certain: more of the same would decide.
    let noisy = NoiseTable {
        schema: 1,
        reads: [("bps".to_owned(), noise(0.15))].into(),
        writes: [].into(),
    };
    let query = BisectQuery {
        figure: Some("bps".to_owned()),
        noise: Some(noisy),
        max_runs: Some(30),
        ..starving(runs(&[9.0], 0.01))
    };
    let answer = judge(&query);
    assert_eq!(answer.verdict, None);
    let more = answer.evidence[0].more_runs.expect("more runs");
    let decided = runs(&vec![9.0; 1 + more], 0.01);
    let answer = judge(&BisectQuery {
        runs: decided,
        ..query
    });
    assert_eq!(answer.verdict, Some(Likeness::Good));
}

fn noise(sd: f64) -> crate::statistics::noise::FigureNoise {
    crate::statistics::noise::FigureNoise {
        pairs: 30,
        sd,
        p95: 2.0 * sd,
    }
}

#[test]
fn the_mechanism_decides_although_speed_says_the_opposite() {
    // The device became slower for another reason: throughput is bad, the finding is absent.
    let commit = runs(&[5.0, 5.1, 4.9, 5.0], 0.01);
    let answer = judge(&starving(commit.clone()));
    assert_eq!(answer.verdict, Some(Likeness::Good));
    assert!(answer.contradicted);
    // By throughput it is bad.
    let answer = judge(&BisectQuery {
        figure: Some("bps".to_owned()),
        ..starving(commit)
    });
    assert_eq!(answer.verdict, Some(Likeness::Bad));
    assert_eq!(answer.evidence[0].key, "bps");
}

#[test]
fn speed_decides_at_the_limit_what_the_finding_cannot() {
    let commit = runs(&[5.0, 5.05, 4.95, 5.0], 0.2);
    let query = starving(commit);
    assert_eq!(judge(&query).verdict, None);
    let at_limit = BisectQuery {
        last: true,
        ..query
    };
    let answer = judge(&at_limit);
    assert_eq!(answer.verdict, Some(Likeness::Bad));
    assert_eq!(answer.decided_by, Some(1));
    // Not where the finding was asked for.
    let asked = BisectQuery {
        finding: Some("starved-while-waiting".to_owned()),
        ..at_limit
    };
    assert_eq!(judge(&asked).verdict, None);
}

#[test]
fn what_lies_outside_of_both_shows_that_a_side_is_stale() {
    let place = |rates: &[f64]| {
        let query = BisectQuery {
            figure: Some("bps".to_owned()),
            ..starving(runs(rates, 0.01))
        };
        judge(&query).evidence[0].place
    };
    assert_eq!(place(&[20.0, 20.1, 19.9]), Some(BisectPlace::BeyondGood));
    assert_eq!(place(&[2.0, 2.1, 1.9]), Some(BisectPlace::BeyondBad));
    assert_eq!(place(&[10.2, 10.0]), Some(BisectPlace::Near));
}

#[test]
fn a_side_that_is_measured_again_has_the_new_level() {
    let mut query = starving(runs(&[7.0, 7.1, 6.9], 0.01));
    query.figure = Some("bps".to_owned());
    // The machine has slowed down by 30 %: what is good now was between both before.
    query.good.push(runs(&[7.0, 7.05, 6.95], 0.01));
    query.bad.push(runs(&[3.5, 3.6, 3.4], 0.4));
    let answer = judge(&query);
    assert_eq!(answer.verdict, Some(Likeness::Good));
    let first = &answer.evidence[0];
    assert_eq!(first.place, Some(BisectPlace::Near));
    assert!((first.good.value / 7e6 - 1.0).abs() < 0.01);
    assert_eq!(first.good.runs, 3);
}

#[test]
fn good_and_bad_that_cannot_be_told_apart_are_a_problem() {
    let same = BisectQuery {
        bad: vec![runs(&[10.05, 9.95, 10.0], 0.01)],
        ..starving(Vec::new())
    };
    assert_eq!(judge(&same).problem, Some(BisectProblem::NoDifference));
    let problem = |query: BisectQuery| judge(&query).problem;
    let asked = |figure: &str| BisectQuery {
        figure: Some(figure.to_owned()),
        ..starving(Vec::new())
    };
    assert_eq!(problem(asked("bps")), None);
    assert_eq!(problem(asked("no-such")), Some(BisectProblem::FigureAbsent));
    assert_eq!(
        problem(asked("depth.mean")),
        Some(BisectProblem::NoDifference)
    );
    let absent = BisectQuery {
        finding: Some("flushes-appeared".to_owned()),
        ..starving(Vec::new())
    };
    assert_eq!(problem(absent), Some(BisectProblem::FindingAbsent));
    let empty = BisectQuery {
        good: Vec::new(),
        ..starving(Vec::new())
    };
    assert_eq!(problem(empty), Some(BisectProblem::Incomparable));
    let few = BisectQuery {
        good: vec![runs(&[10.0, 10.8, 9.2, 10.4, 9.6], 0.01)],
        bad: vec![runs(&[8.2, 8.9, 7.5, 8.6, 7.8], 0.01)],
        max_runs: Some(1),
        ..starving(Vec::new())
    };
    assert_eq!(problem(few), Some(BisectProblem::TooManyRuns));
}

#[test]
fn runs_that_lack_the_figure_do_not_count() {
    let mut commit = runs(&[5.0, 5.0], 0.4);
    commit[0].trace.devices[0].figures.remove("starved.share");
    commit[1].trace.devices.clear();
    let answer = judge(&starving(commit));
    assert_eq!(answer.verdict, None);
    assert_eq!(answer.evidence[0].commit, None);
}

//! Rates of generated series, as `docs/statistics.md` has them, and single cases.

use super::series::{MadeNoise, NOISE, Seeded, made_builds};
use super::{ChangeKind, ChangeOptions, ChangePoint, MIN_BUILDS, SeriesChanges, change_points};

fn found_with(builds: &[Vec<f64>], options: ChangeOptions) -> SeriesChanges {
    let builds: Vec<&[f64]> = builds.iter().map(Vec::as_slice).collect();
    change_points(&builds, options)
}

fn found(builds: &[Vec<f64>]) -> Vec<ChangePoint> {
    found_with(builds, ChangeOptions::default()).changes
}

/// The share of series whose changes pass a test.
fn share(
    series: usize,
    seed: u64,
    make: impl Fn(&mut Seeded) -> Vec<Vec<f64>>,
    test: impl Fn(&[ChangePoint]) -> bool,
) -> f64 {
    let mut random = Seeded::new(seed);
    let options = ChangeOptions {
        floor: 1e-9,
        ..ChangeOptions::default()
    };
    let hits = (0..series).filter(|_| test(&found_with(&make(&mut random), options).changes));
    hits.count() as f64 / series as f64
}

fn two_changes(build: usize) -> f64 {
    match build {
        0..20 => 1.0,
        20..42 => 1.08,
        _ => 1.08 * 1.03,
    }
}

/// One value per build.
fn single(count: usize, value: impl Fn(usize) -> f64) -> Vec<Vec<f64>> {
    (0..count).map(|build| vec![value(build)]).collect()
}

#[test]
fn two_changes_are_found_with_intervals_that_contain_the_truth() {
    const SERIES: usize = 500;
    let mut random = Seeded::new(2);
    let (mut both, mut exact, mut places, mut ratios) = (0, 0, 0, 0);
    for _ in 0..SERIES {
        let changes = found(&made_builds(&mut random, 60, two_changes, NOISE));
        if changes.len() != 2 {
            continue;
        }
        both += 1;
        for (change, (index, ratio)) in changes.iter().zip([(20, 1.08), (42, 1.03)]) {
            let (first, last) = change.range;
            let (low, high) = change.ci95.expect("levels above the floor");
            exact += usize::from(change.index == index);
            places += usize::from(first <= index && index <= last);
            ratios += usize::from(low <= ratio && ratio <= high);
        }
    }
    let share_of_both = |count: usize| count as f64 / both as f64 / 2.0;
    assert!(f64::from(both) / SERIES as f64 > 0.99, "{both}");
    assert!(share_of_both(exact) > 0.95, "{exact}");
    assert!(share_of_both(places) > 0.97, "{places}");
    assert!(share_of_both(ratios) > 0.92, "{ratios}");
}

#[test]
fn noise_alone_is_a_change_in_at_most_five_percent() {
    let shared = MadeNoise {
        builds: 0.03,
        ..NOISE
    };
    let single = MadeNoise {
        repeats: 1,
        ..NOISE
    };
    for (name, builds, noise) in [
        ("three runs per build", 60, NOISE),
        ("one run per build", 60, single),
        ("12 builds", 12, single),
        ("200 builds", 200, NOISE),
        ("noise that runs of a build share", 60, shared),
        (
            "noise that the next build partly keeps",
            60,
            MadeNoise {
                alike: 0.3,
                ..shared
            },
        ),
    ] {
        let make = |random: &mut Seeded| made_builds(random, builds, |_| 1.0, noise);
        let alarms = share(500, 3, make, |changes| !changes.is_empty());
        assert!(alarms < 0.05, "{name}: {alarms}");
    }
}

/// Corrections for many series rely on it.
#[test]
fn p_is_no_smaller_than_chance_gives() {
    let make = |random: &mut Seeded| {
        let noise = MadeNoise {
            repeats: 1,
            ..NOISE
        };
        made_builds(random, 60, |_| 1.0, noise)
    };
    for (p, most) in [(0.01, 0.01), (0.001, 0.003)] {
        let rate = share(3000, 14, make, |changes| {
            changes.iter().any(|change| change.p < p)
        });
        assert!(rate < most, "{p}: {rate}");
    }
}

#[test]
fn heavy_tails_are_no_change() {
    let heavy = |random: &mut Seeded| {
        let squares: f64 = (0..3).map(|_| random.normal().powi(2)).sum();
        random.normal() / (squares / 3.0).sqrt()
    };
    let make = |random: &mut Seeded| -> Vec<Vec<f64>> {
        (0..60)
            .map(|_| vec![100.0 * (0.01 * heavy(random)).exp()])
            .collect()
    };
    assert!(share(500, 4, make, |changes| !changes.is_empty()) < 0.05);
}

#[test]
fn a_figure_that_is_mostly_0_does_not_change() {
    for rate in [0.05, 0.2, 0.5] {
        let make = |random: &mut Seeded| -> Vec<Vec<f64>> {
            let mut value = || {
                let is_zero = random.uniform() >= rate;
                if is_zero {
                    0.0
                } else {
                    50.0 * (1.0 + random.uniform())
                }
            };
            (0..60).map(|_| vec![value()]).collect()
        };
        let alarms = share(500, 5, make, |changes| !changes.is_empty());
        assert!(alarms < 0.05, "{rate}: {alarms}");
    }
}

#[test]
fn builds_that_stand_out_are_no_change_and_hide_none() {
    for (lone, most) in [(&[30][..], 0.03), (&[59], 0.05), (&[30, 31], 0.06)] {
        let level = |build: usize| if lone.contains(&build) { 1.3 } else { 1.0 };
        let make = |random: &mut Seeded| made_builds(random, 60, level, NOISE);
        let alarms = share(200, 6, make, |changes| !changes.is_empty());
        assert!(alarms < most, "{lone:?}: {alarms}");
    }
    let level = |build: usize| match build {
        10 => 2.0,
        35 => 0.6 * 1.08,
        0..30 => 1.0,
        _ => 1.08,
    };
    let make = |random: &mut Seeded| made_builds(random, 60, level, NOISE);
    let is_found = |changes: &[ChangePoint]| matches!(changes, [change] if change.index == 30);
    assert!(share(200, 7, make, is_found) > 0.97);
}

#[test]
fn the_last_builds_are_a_change_once_there_are_three() {
    let last = |builds: usize| {
        let level = move |build: usize| if build < 60 - builds { 1.0 } else { 1.08 };
        move |random: &mut Seeded| made_builds(random, 60, level, NOISE)
    };
    let is_found =
        |changes: &[ChangePoint]| changes.first().is_some_and(|change| change.index == 57);
    assert!(share(200, 8, last(3), is_found) > 0.9);
    assert!(share(200, 8, last(1), |changes| !changes.is_empty()) < 0.05);
}

fn ramp(build: usize) -> f64 {
    1.0 + 0.1 * build.saturating_sub(19).min(20) as f64 / 20.0
}

#[test]
fn a_gradual_change_is_one_drift_with_its_ends() {
    let make = |random: &mut Seeded| made_builds(random, 60, ramp, NOISE);
    let is_drift =
        |changes: &[ChangePoint]| matches!(changes, [change] if change.kind == ChangeKind::Drift);
    assert!(share(200, 9, make, is_drift) > 0.9);
    let changes = found(&make(&mut Seeded::new(9)));
    let (first, last) = changes[0].range;
    assert!(
        (17..25).contains(&first) && (35..43).contains(&last),
        "{changes:?}"
    );
    assert!((changes[0].ratio.expect("a ratio") - 1.1).abs() < 0.05);
}

/// Up and down again without a level between: both would claim the builds at the top.
#[test]
fn levels_never_overlap() {
    let mut random = Seeded::new(15);
    for peak in 20..40 {
        for height in [0.1, 0.3, 1.0] {
            let level =
                |build: usize| 1.0 + height * (20.0 - build.abs_diff(peak) as f64).max(0.0) / 20.0;
            let builds = made_builds(&mut random, 60, level, NOISE);
            let SeriesChanges {
                changes, levels, ..
            } = found_with(&builds, ChangeOptions::default());
            assert!(
                levels
                    .iter()
                    .all(|level| level.from <= level.to && level.value > 0.0),
                "{levels:?}"
            );
            assert!(
                levels.windows(2).all(|pair| pair[0].to < pair[1].from),
                "{levels:?}"
            );
            assert!(
                changes.iter().all(|change| change.ratio.is_some()),
                "{changes:?}"
            );
        }
    }
}

#[test]
fn a_level_of_0_has_no_ratio() {
    let mut random = Seeded::new(10);
    let mut value = |build: usize| {
        if build < 10 {
            0.0
        } else {
            40.0 + random.uniform()
        }
    };
    let builds: Vec<Vec<f64>> = (0..20).map(|build| vec![value(build)]).collect();
    let options = ChangeOptions {
        floor: 1.0,
        ..ChangeOptions::default()
    };
    let changes = found_with(&builds, options).changes;
    assert_eq!(
        (changes.len(), changes[0].index, changes[0].before),
        (1, 10, 0.0)
    );
    assert_eq!(changes[0].ratio, None);
    let below = single(20, |build| if build < 10 { 0.0 } else { 0.4 });
    assert!(found_with(&below, options).changes.is_empty());
}

#[test]
fn equal_runs_but_for_a_change() {
    let builds = single(20, |build| if build < 10 { 100.0 } else { 102.0 });
    let changes = found(&builds);
    assert_eq!(
        (changes.len(), changes[0].index, changes[0].range),
        (1, 10, (10, 10))
    );
    assert_eq!((changes[0].before, changes[0].after), (100.0, 102.0));
    assert!(found(&single(20, |_| 7.0)).is_empty());
    for options in [
        ChangeOptions {
            min_change: 0.03,
            ..ChangeOptions::default()
        },
        ChangeOptions {
            min_difference: 3.0,
            ..ChangeOptions::default()
        },
    ] {
        assert!(
            found_with(&builds, options).changes.is_empty(),
            "{options:?}"
        );
    }
}

/// The rounding of their logarithms would decide how much neighbours resemble each other.
#[test]
fn equal_runs_have_the_same_intervals_in_any_unit() {
    let described = |unit: f64| {
        let level = |build: usize| [100.0, 98.0, 131.0][build / 30];
        let changes = found(&single(90, |build| unit * level(build)));
        let values = changes.into_iter().flat_map(|change| {
            let ratio = change.ratio.zip(change.ci95);
            let (value, ci95) = ratio.expect("levels above the floor");
            [change.p, value, ci95.0, ci95.1]
        });
        values.collect::<Vec<f64>>()
    };
    let expected = described(1.0);
    assert_eq!(expected.len(), 8);
    for unit in [1e-3, 1.0 / 3.0, 7.3, 1024.0, 1e9] {
        for (found, expected) in described(unit).into_iter().zip(&expected) {
            assert!(
                (found / expected - 1.0).abs() < 1e-6,
                "{unit}: {found}, {expected}"
            );
        }
    }
}

#[test]
fn builds_without_the_figure_keep_their_place() {
    let mut builds = made_builds(&mut Seeded::new(11), 60, two_changes, NOISE);
    for (i, runs) in builds.iter_mut().enumerate() {
        match i {
            5 => *runs = vec![f64::NAN],
            41 => runs.clear(),
            i if i % 7 == 3 => runs.clear(),
            _ => {}
        }
    }
    let places: Vec<(usize, usize)> = found(&builds)
        .iter()
        .map(|change| (change.previous, change.index))
        .collect();
    assert_eq!(places, [(19, 20), (40, 42)]);
}

#[test]
fn too_few_builds_have_nothing() {
    let few = single(MIN_BUILDS - 1, |build| if build < 3 { 1.0 } else { 9.0 });
    assert_eq!(
        found_with(&few, ChangeOptions::default()),
        SeriesChanges::default()
    );
    assert_eq!(
        found_with(&[], ChangeOptions::default()),
        SeriesChanges::default()
    );
    let enough = single(MIN_BUILDS, |build| if build < 3 { 1.0 } else { 9.0 });
    assert_eq!(
        found_with(&enough, ChangeOptions::default()).levels.len(),
        2
    );
}

/// Any values of any size: nothing panics, and what is found is in its place.
#[test]
fn any_values_have_changes_in_order() {
    const EXTREMES: [f64; 9] = [
        0.0,
        -1.0,
        1e-300,
        f64::MIN_POSITIVE,
        1.0,
        1e300,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];
    let mut random = Seeded::new(16);
    for _ in 0..2000 {
        let count = (random.uniform() * 40.0) as usize;
        let mut pick = || EXTREMES[(random.uniform() * EXTREMES.len() as f64) as usize];
        let builds: Vec<Vec<f64>> = (0..count)
            .map(|build| (0..build % 4).map(|_| pick()).collect())
            .collect();
        let SeriesChanges {
            changes, levels, ..
        } = found_with(&builds, ChangeOptions::default());
        assert!(levels.len() == changes.len() + usize::from(!levels.is_empty()));
        for change in &changes {
            assert!(
                change.previous < change.index && change.index < count,
                "{change:?}"
            );
            assert!(
                change.range.0 <= change.range.1 && change.range.1 < count,
                "{change:?}"
            );
            assert!((0.0..=0.05).contains(&change.p), "{change:?}");
        }
    }
}

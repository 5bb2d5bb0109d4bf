//! A few histories of the recordings in `tests/fixtures`: writes with and without flushes.

use super::*;
use std::path::PathBuf;

fn measurement(name: &str) -> Measurement {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    Measurement::new(vec![recording::read(&fixtures.join(name)).expect(name)])
}

#[test]
fn the_commit_is_found_in_19_of_20_histories_with_fewer_runs_than_a_fixed_number() {
    let (good, bad) = (measurement("sync-fua"), measurement("sync-no-fua"));
    for conditions in CONDITIONS {
        let sum = many((&good, &bad), conditions, 40, None);
        let name = conditions.name;
        assert_eq!(sum.refused, 0, "{name}");
        assert!(sum.right_share() >= 0.95, "{name}: {}", sum.cell());
        assert!(
            sum.runs_per_step() < FIXED_RUNS as f64,
            "{name}: {}",
            sum.cell()
        );
    }
}

#[test]
fn a_history_without_a_change_is_refused() {
    let side = || measurement("sync-fua");
    let sum = many((&side(), &side()), CONDITIONS[0], 20, None);
    assert!(sum.refused >= 19, "{} of {}", sum.refused, sum.histories);
}

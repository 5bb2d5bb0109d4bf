//! Settings that differ, and which of them can explain a finding.

use super::{CHANGE, Case, Draft, EvidenceChart};
use crate::causes::{Shown, explains};
use crate::sentence::{Param, Params, Sentence};
use crate::settings::SettingChange;
use crate::wording;
use seekscope_trace::quantity::Unit;

/// Code of the finding.
pub const CODE: &str = "setting-changed";
/// Maximum number of changes in a sentence.
pub const NAMED: usize = 4;

pub fn rule() -> String {
    "the notes of both runs have a setting, with different values".to_owned()
}

/// `setting-changed`
pub fn changed(case: &Case, changes: &[SettingChange]) -> Option<Draft> {
    (!changes.is_empty()).then(|| Draft {
        code: CODE,
        params: counted(
            Params::of_sides([("base", case.pair.a), ("other", case.pair.b)]).with(
                "changes",
                Param::Text(
                    changes
                        .iter()
                        .take(NAMED)
                        .map(SettingChange::words)
                        .collect::<Vec<_>>()
                        .join("; "),
                ),
            ),
            changes,
        ),
        keys: &[],
        more: Vec::new(),
        chart: EvidenceChart::Differences,
        range: None,
        part: None,
        class: CHANGE,
    })
}

/// Adds the number of changes besides those that are named.
fn counted(params: Params, changes: &[SettingChange]) -> Params {
    let more = changes.len().saturating_sub(NAMED);
    if more > 0 {
        params.value("more", more as f64, Unit::Count)
    } else {
        params
    }
}

/// The end of a sentence: the values of the settings that can explain the finding, on the worse
/// side and on the other.
pub fn cause(case: &Case, changes: &[SettingChange]) -> Sentence {
    let words = |change: &SettingChange| {
        let (old, new) = change.shown();
        let (good, bad) = if case.swapped { (new, old) } else { (old, new) };
        case.params()
            .with("setting", Param::Text(change.label()))
            .with("value", Param::Text(bad))
            .with("value_good", Param::Text(good))
            .fill(wording::CAUSED)
    };
    let named = Sentence::joined(changes.iter().take(NAMED).map(words));
    counted(
        Params::default().with("changes", Param::Parts(named)),
        changes,
    )
    .fill(wording::CAUSE)
}

/// The changes that can explain a finding of `case`.
pub fn causes(code: &str, case: &Case, changes: &[SettingChange]) -> Vec<SettingChange> {
    let sum = |key: &str| case.both(key).map_or(0.0, |(a, b)| a + b);
    let shown = Shown {
        discards: case
            .both("bytes.discard")
            .is_some_and(|(a, b)| (a - b).abs() > 0.0),
        writes: sum("bytes.write") > sum("bytes.read"),
    };
    changes
        .iter()
        .filter(|change| explains(code, change, case.swapped, shown))
        .cloned()
        .collect()
}

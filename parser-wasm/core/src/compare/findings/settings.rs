//! Settings that differ, and which of them can explain a finding.

use super::{CHANGE, Case, Draft};
use crate::compare::causes::{Shown, explains};
use crate::compare::quantity::Unit;
use crate::compare::sentence::{Param, Params};
use crate::compare::settings::SettingChange;

/// Of the finding.
pub const CODE: &str = "setting-changed";
/// Maximum number of changes in a sentence.
pub const NAMED: usize = 4;

/// `setting-changed`
pub fn changed(case: &Case, changes: &[SettingChange]) -> Option<Draft> {
    (!changes.is_empty()).then(|| Draft {
        code: CODE,
        params: listed(Params::of_sides([("base", case.pair.a), ("other", case.pair.b)]), changes),
        keys: &[],
        more: Vec::new(),
        chart: "differences",
        range: None,
        rule: "the notes of both runs have a setting, with different values",
        part: None,
        class: CHANGE,
    })
}

/// The first changes as a parameter, and how many there are besides.
pub fn listed(params: Params, changes: &[SettingChange]) -> Params {
    let words: Vec<String> = changes.iter().take(NAMED).map(SettingChange::words).collect();
    let params = params.with("changes", Param::Text(words.join("; ")));
    let more = changes.len().saturating_sub(NAMED);
    if more > 0 { params.value("more", more as f64, Unit::Count) } else { params }
}

/// The changes that can explain a finding of `case`.
pub fn causes(code: &str, case: &Case, changes: &[SettingChange]) -> Vec<SettingChange> {
    let sum = |key: &str| case.both(key).map_or(0.0, |(a, b)| a + b);
    let shown = Shown {
        discards: case.both("bytes.discard").is_some_and(|(a, b)| (a - b).abs() > 0.0),
        writes: sum("bytes.write") > sum("bytes.read"),
    };
    changes.iter().filter(|change| explains(code, change, case.swapped, shown)).cloned().collect()
}

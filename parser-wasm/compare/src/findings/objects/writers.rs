//! Pages of files that a task dirtied which the other run does not have.

use super::{of_both, ratio};
use crate::findings::{CHANGE, Case, Draft, EvidenceChart};
use crate::sentence::Param;
use crate::threshold::percent;
use crate::work::helps;
use rustc_hash::FxHashMap;
use seekscope_measure::objects::{MIN_KNOWN, ObjectsUsed};
use seekscope_trace::quantity::Unit;
use seekscope_trace::store::ObjectKind;

/// Minimum share of the bytes written to files.
const MIN_SHARE: f64 = 0.1;
/// Minimum share of the bytes written to files whose writer is known on the side without the task.
const WRITERS_KNOWN: f64 = 0.95;

/// Bytes written to files by the names of their writers.
fn bytes_by_writer(used: &ObjectsUsed) -> (FxHashMap<&str, u64>, u64) {
    let mut bytes: FxHashMap<&str, u64> = FxHashMap::default();
    let mut all = used.rest.write;
    for file in used.top.iter().filter(|file| file.kind == ObjectKind::File) {
        all += file.sums.write;
        // Where a file is read, too, its writers are not told from its readers.
        if file.sums.read == 0 {
            for writer in &file.writers {
                *bytes.entry(&writer.names).or_default() += writer.bytes;
            }
        }
    }
    (bytes, all)
}

pub fn rule() -> String {
    format!(
        "a task wrote at least {} of the bytes written to files in one run, and none of its name \
         in the other, where the writers of at least {} of those bytes are known; the map knows \
         the owner of at least {} of the bytes",
        percent(MIN_SHARE),
        percent(WRITERS_KNOWN),
        percent(MIN_KNOWN),
    )
}

/// `written-by-others`
pub fn others(case: &Case) -> Option<Draft> {
    let (good, bad) = of_both(case)?;
    let ((before, all_good), (now, all)) = (bytes_by_writer(good), bytes_by_writer(bad));
    let named_bytes: u64 = before.values().sum();
    if ratio(named_bytes, all_good) < WRITERS_KNOWN {
        return None;
    }
    let (names, bytes) = now
        .into_iter()
        .filter(|(names, bytes)| {
            !helps(names) && !before.contains_key(names) && ratio(*bytes, all) >= MIN_SHARE
        })
        .max_by_key(|(names, bytes)| (*bytes, *names))?;
    let share = ratio(bytes, all);
    Some(Draft {
        code: "written-by-others",
        params: case
            .params()
            .with("names", Param::Text(names.to_owned()))
            .value("written", bytes as f64, Unit::Bytes)
            .value("share", share, Unit::Share),
        keys: &["bytes.write", "iops"],
        more: vec![("written.share", case.of_both((0.0, share)))],
        chart: EvidenceChart::SeekMap,
        range: None,
        part: None,
        class: CHANGE,
    })
}

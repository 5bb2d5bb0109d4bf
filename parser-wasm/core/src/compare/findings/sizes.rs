//! Requests that are smaller, and bios that are no longer merged.

use super::{CHANGE, Case, Found, TIME};
use crate::compare::quantity::Kind;

/// Most of the former size or merge ratio.
const FELL: f64 = 0.7;
/// Least bios a request of the good side, or there was nothing to merge.
const MERGED: f64 = 1.2;

/// `requests-smaller`
pub fn smaller(case: &Case) -> Option<Found> {
    let (key, at) =
        if case.both("size.issued.mean").is_some() { ("size.issued.mean", "issued") } else { ("size.queued.mean", "queued") };
    let size = case.both(key)?;
    if size.1 > FELL * size.0 || !case.pair.real(key) {
        return None;
    }
    Some(Found {
        code: "requests-smaller",
        sentence: format!("Requests were smaller as {at}: mean {}.", case.side_by_side(Kind::Bytes, size)),
        keys: &["size.issued.mean", "size.queued.mean", "merges.q_per_d", "events.D"],
        more: Vec::new(),
        chart: "request-sizes",
        range: None,
        rule: "the mean size of requests as issued (as queued, where none are issued) is at most 0.7 of the other's, by more than noise",
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

/// `merging-stopped`
pub fn merging_stopped(case: &Case) -> Option<Found> {
    let ratio = case.both("merges.q_per_d")?;
    if ratio.0 < MERGED || ratio.1 > FELL * ratio.0 || !case.pair.real("merges.q_per_d") {
        return None;
    }
    Some(Found {
        code: "merging-stopped",
        sentence: format!("Fewer bios were merged: a request held {} bios.", case.side_by_side(Kind::Number, ratio)),
        keys: &["merges.q_per_d", "merges.back", "merges.front", "size.issued.mean"],
        more: Vec::new(),
        chart: "request-sizes",
        range: None,
        rule: "bios an issued request are at most 0.7 of the other's, which are at least 1.2, by more than noise",
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

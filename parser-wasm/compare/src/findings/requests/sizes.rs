//! Requests that are smaller, and bios that are no longer merged.

use crate::findings::{CHANGE, Case, Draft, EvidenceChart, TIME};
use crate::sentence::Param;
use seekscope_trace::quantity::Unit;

/// Maximum share of the other size or merge ratio.
const FELL: f64 = 0.7;
/// Minimum bios per request of the good side: otherwise nothing was merged.
const MERGED: f64 = 1.2;

pub fn smaller_rule() -> String {
    format!(
        "the mean size of requests as issued (as queued, where none are issued; as completed, \
         where both were recorded without these) is significantly smaller, at most {FELL} of the \
         other's"
    )
}

/// `requests-smaller`
pub fn smaller(case: &Case) -> Option<Draft> {
    let key = case.first_of(&[
        "size.issued.mean",
        "size.queued.mean",
        "size.completed.mean",
    ])?;
    let moment = key.split('.').nth(1).unwrap_or_default();
    let size = case.both(key)?;
    if size.1 > FELL * size.0 || !case.pair.real(key) {
        return None;
    }
    Some(Draft {
        code: "requests-smaller",
        params: case
            .params()
            .value("size", size.1, Unit::Bytes)
            .value("size_good", size.0, Unit::Bytes)
            .with("at", Param::Text(moment.to_owned())),
        keys: if moment == "completed" {
            &["size.completed.mean", "events.C"]
        } else {
            &[
                "size.issued.mean",
                "size.queued.mean",
                "merges.q_per_d",
                "events.D",
            ]
        },
        more: Vec::new(),
        chart: EvidenceChart::RequestSizes,
        range: None,
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

pub fn merging_stopped_rule() -> String {
    format!(
        "bios per issued request are significantly fewer, at most {FELL} of the other's, which \
         are at least {MERGED}"
    )
}

/// `merging-stopped`
pub fn merging_stopped(case: &Case) -> Option<Draft> {
    let ratio = case.both("merges.q_per_d")?;
    if ratio.0 < MERGED || ratio.1 > FELL * ratio.0 || !case.pair.real("merges.q_per_d") {
        return None;
    }
    Some(Draft {
        code: "merging-stopped",
        params: case.params().value("bios", ratio.1, Unit::Bios).value(
            "bios_good",
            ratio.0,
            Unit::Bios,
        ),
        keys: &[
            "merges.q_per_d",
            "merges.back",
            "merges.front",
            "size.issued.mean",
        ],
        more: Vec::new(),
        chart: EvidenceChart::RequestSizes,
        range: None,
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

//! Requests that became sync or async.

use crate::findings::{CHANGE, Case, Draft, EvidenceChart, TIME};
use crate::threshold::points;
use seekscope_trace::quantity::Unit;

/// Minimum change of the share.
const CHANGED: f64 = 0.2;

pub fn rule() -> String {
    format!(
        "the share of sync requests differs by at least {}",
        points(CHANGED),
    )
}

/// `sync-changed`
pub fn changed(case: &Case) -> Option<Draft> {
    let sync = case.both("sync")?;
    if (sync.1 - sync.0).abs() < CHANGED {
        return None;
    }
    Some(Draft {
        code: "sync-changed",
        params: case.params().value("sync", sync.1, Unit::Share).value(
            "sync_good",
            sync.0,
            Unit::Share,
        ),
        keys: &["sync", "i2d.mean", "q2c.mean"],
        more: Vec::new(),
        chart: EvidenceChart::SeekMap,
        range: None,
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

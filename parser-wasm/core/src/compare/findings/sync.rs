//! Writes that somebody waits for, or nobody any more.

use super::{CHANGE, Case, Found, TIME};
use crate::compare::quantity::Kind;

/// Least change of the share.
const CHANGED: f64 = 0.2;

/// `sync-changed`
pub fn changed(case: &Case) -> Option<Found> {
    let sync = case.both("sync")?;
    if (sync.1 - sync.0).abs() < CHANGED {
        return None;
    }
    Some(Found {
        code: "sync-changed",
        sentence: format!("The share of requests marked sync changed: {}.", case.side_by_side(Kind::Share, sync)),
        keys: &["sync", "i2d.mean", "q2c.mean"],
        more: Vec::new(),
        chart: "seek-map",
        range: None,
        rule: "the share of sync requests differs by at least 20 points",
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

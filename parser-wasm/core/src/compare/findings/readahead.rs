//! A smaller readahead window.

use super::{Case, Draft, TIME};
use crate::compare::quantity::Unit;
use crate::compare::sentence::Param;
use crate::compare::work;

/// Maximum share of the other size of reads.
const FELL: f64 = 0.6;

/// `readahead-shrank`
pub fn shrank(case: &Case) -> Option<Draft> {
    if !work::reads_ahead(case.pair) {
        return None;
    }
    let key = case.first_of(&[
        "size.queued.mean",
        "size.issued.mean",
        "size.completed.mean",
    ])?;
    let size = case.both(key)?;
    if size.1 > FELL * size.0 {
        return None;
    }
    Some(Draft {
        code: "readahead-shrank",
        params: case
            .params()
            .with(
                "at",
                Param::Text(key.split('.').nth(1).unwrap_or_default().to_owned()),
            )
            .value("size", size.1, Unit::Bytes)
            .value("size_good", size.0, Unit::Bytes),
        keys: &[
            "size.queued.mean",
            "size.issued.mean",
            "events.Q",
            "read_bps",
            "q2c.mean",
        ],
        more: Vec::new(),
        chart: "request-sizes",
        range: None,
        rule: "most bytes are read, at least 30% of them by readahead in one of the runs, and the \
            mean bio is at most 0.6 of the other's",
        part: None,
        class: TIME,
    })
}

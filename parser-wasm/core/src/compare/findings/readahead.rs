//! A window of readahead that is smaller.

use super::{Case, Found, TIME};
use crate::compare::quantity::Kind;
use crate::compare::work;

/// Most of the former size of reads.
const FELL: f64 = 0.6;

/// `readahead-shrank`
pub fn shrank(case: &Case) -> Option<Found> {
    if !work::reads_ahead(case.pair) {
        return None;
    }
    let size = case.both("size.queued.mean")?;
    if size.1 > FELL * size.0 {
        return None;
    }
    Some(Found {
        code: "readahead-shrank",
        sentence: format!("Reads ahead were smaller: mean {} as queued.", case.side_by_side(Kind::Bytes, size)),
        keys: &["size.queued.mean", "size.issued.mean", "events.Q", "read_bps", "q2c.mean"],
        more: Vec::new(),
        chart: "request-sizes",
        range: None,
        rule: "most bytes are read, at least 30 % of them ahead in one of the runs, and the mean bio is at most 0.6 of the other's",
        part: None,
        class: TIME,
    })
}

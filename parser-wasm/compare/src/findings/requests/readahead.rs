//! A smaller readahead window.

use crate::findings::{CHANGE, Case, Draft, EvidenceChart, TIME};
use crate::runs::run::ComparisonSide;
use crate::sentence::Param;
use crate::threshold::percent;
use crate::work;
use seekscope_measure::access::readahead::Readaheads;
use seekscope_trace::quantity::Unit;

/// Maximum share of the other size of reads, or of what is read ahead at a time.
const FELL: f64 = 0.6;
/// Maximum share of the other queue depth, where only less is read ahead at a time.
const DEPTH: f64 = 0.7;

/// Bytes that are read ahead at a time, good side first, where that is what keeps the queue
/// shallow.
fn windows(case: &Case) -> Option<(f64, f64)> {
    let depth = case.both("depth.mean")?;
    let mean = |side: &ComparisonSide| {
        let all: Option<Vec<f64>> = side
            .devices()
            .iter()
            .map(|device| device.readaheads.map(Readaheads::mean))
            .collect();
        all.map(|all| all.iter().sum::<f64>() / all.len() as f64)
    };
    let (good, bad) = (mean(case.pair.a)?, mean(case.pair.b)?);
    let shallow = depth.1 <= DEPTH * depth.0 && case.pair.real("depth.mean");
    (bad <= FELL * good && shallow).then_some((good, bad))
}

pub fn rule() -> String {
    format!(
        "most bytes are read, at least {} of them by readahead in one of the runs, and the mean \
         bio is at most {FELL} of the other's; or as much less is read ahead at a time, by one \
         process in one piece, and the mean queue depth is significantly lower, at most {DEPTH} \
         of the other's",
        percent(work::AHEAD),
    )
}

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
    let params = if size.1 <= FELL * size.0 {
        let moment = key.split('.').nth(1).unwrap_or_default();
        case.params()
            .with("at", Param::Text(moment.to_owned()))
            .value("size", size.1, Unit::Bytes)
            .value("size_good", size.0, Unit::Bytes)
    } else {
        let (window, depth) = (windows(case)?, case.both("depth.mean")?);
        case.params()
            .value("window", window.1, Unit::Bytes)
            .value("window_good", window.0, Unit::Bytes)
            .value("depth", depth.1, Unit::Requests)
            .value("depth_good", depth.0, Unit::Requests)
    };
    Some(Draft {
        code: "readahead-shrank",
        params,
        keys: &[
            "size.queued.mean",
            "size.issued.mean",
            "depth.mean",
            "events.Q",
            "read_bps",
            "q2c.mean",
        ],
        more: Vec::new(),
        chart: EvidenceChart::RequestSizes,
        range: None,
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

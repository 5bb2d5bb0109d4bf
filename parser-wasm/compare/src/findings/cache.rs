//! A device that writes to its medium instead of its cache.

use super::{Case, Draft, EvidenceChart, TIME, device, flush};
use crate::runs::run::ComparisonSide;
use crate::sentence::Param;
use crate::settings::of_compared;
use crate::threshold::{most, points};
use seekscope_trace::quantity::{Unit, figure};

/// Minimum share of writes in the bytes.
const WRITTEN: f64 = 0.5;
/// Maximum fall of the share of sync requests: an application that no longer flushes waits for
/// fewer writes.
const SYNC: f64 = 0.1;

/// `write_cache` by the notes of all runs of a side.
fn mode<'a>(case: &Case<'a>, side: &ComparisonSide) -> Option<&'a str> {
    let of_run = |run: &usize| of_compared(case.runs.get(*run)?, "write_cache");
    let modes = side
        .runs
        .iter()
        .map(of_run)
        .collect::<Option<Vec<&str>>>()?;
    let first = *modes.first()?;
    modes.iter().all(|mode| *mode == first).then_some(first)
}

/// Flushes and forced writes per 100 writes of the good side; absent unless the bad side has none
/// at all.
fn flushes_gone(case: &Case) -> Option<f64> {
    let none = ["flush.flush", "flush.fua", "flush.preflush"]
        .iter()
        .all(|key| case.both(key).is_some_and(|both| both.1 == 0.0));
    let sync = case.both("sync")?;
    let good = (case.both("flush.flush")?.0 + case.both("flush.fua")?.0)
        / flush::writes_of(case).0.max(1.0);
    (none && good >= flush::MIN_FLUSHES_PER_WRITE && sync.0 - sync.1 <= SYNC)
        .then_some(good * 100.0)
}

pub fn rule() -> String {
    format!(
        "the rule of device-slower holds, {} are written, and either write_cache is write through \
         in the notes instead of write back, or there is no flush and no FUA where the other run \
         has at least {} per 100 writes, the share of sync requests fell by at most {}, and the \
         notes do not contradict",
        most(WRITTEN, "bytes"),
        figure(flush::MIN_FLUSHES_PER_WRITE * 100.0),
        points(SYNC),
    )
}

/// `write-through`
pub fn through(case: &Case) -> Option<Draft> {
    let slower = device::slower(case)?;
    let bad = case.pair.b;
    if bad.mean(|d| d.work.write as f64) < WRITTEN * bad.mean(|d| d.requested() as f64) {
        return None;
    }
    let modes = (mode(case, case.pair.a), mode(case, case.pair.b));
    let noted = modes == (Some("write back"), Some("write through"));
    let gone = flushes_gone(case);
    // Notes that show no change are right.
    if !noted && (gone.is_none() || modes.0.is_some() && modes.0 == modes.1) {
        return None;
    }
    let d2c = case.both("d2c.mean")?;
    let mut params =
        case.params()
            .value("d2c", d2c.1, Unit::Time)
            .value("d2c_good", d2c.0, Unit::Time);
    if let Some(flushes) = gone {
        params = params.value("flushes", flushes, Unit::Number);
    }
    if !noted {
        params = params.with("unsure", Param::Flag);
    }
    Some(Draft {
        code: "write-through",
        params,
        keys: &[
            "d2c.mean",
            "flush.preflush",
            "flush.flush",
            "flush.fua",
            "sync",
            "iops",
        ],
        more: Vec::new(),
        chart: EvidenceChart::Flushes,
        range: None,
        part: slower.part,
        class: TIME,
    })
}

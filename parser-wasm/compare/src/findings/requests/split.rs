//! Requests that are cut at a limit of their size.

use crate::findings::{CHANGE, Case, Draft, EvidenceChart, TIME};
use crate::runs::run::ComparisonSide;
use crate::settings::of_compared;
use crate::threshold::most;
use seekscope_trace::quantity::Unit;

/// Minimum share of the bytes: of the bad side in requests of the largest size, and in bios above
/// it; of the good side in requests above it.
const MIN_SHARE: f64 = 0.5;
/// Maximum share of the other mean size.
const FELL: f64 = 0.9;

/// Bytes that are read or written in bios (`action` 0) or issued requests (1) of some sizes.
fn bytes(side: &ComparisonSide, action: usize, has_size: impl Fn(u64) -> bool) -> f64 {
    let rows = side
        .devices()
        .iter()
        .flat_map(|device| &device.sizes[action])
        .filter(|row| has_size(row.sectors));
    rows.map(|row| (row.reads + row.writes) as f64 * row.sectors as f64 * 512.0)
        .sum()
}

/// Share of the bytes in bios or issued requests of some sizes.
fn share(side: &ComparisonSide, action: usize, has_size: impl Fn(u64) -> bool) -> f64 {
    let all = bytes(side, action, |_| true);
    if all > 0.0 {
        bytes(side, action, has_size) / all
    } else {
        0.0
    }
}

/// Size of the largest request, sectors.
fn largest(side: &ComparisonSide) -> Option<u64> {
    let rows = side.devices().iter().flat_map(|device| &device.sizes[1]);
    rows.filter(|row| row.reads + row.writes > 0)
        .map(|row| row.sectors)
        .max()
}

/// The limit by the notes of a side's runs, sectors.
fn limit(case: &Case, side: &ComparisonSide) -> Option<u64> {
    let of_run = |run: &usize| {
        of_compared(case.runs.get(*run)?, "max_sectors_kb")?
            .parse::<u64>()
            .ok()
    };
    side.runs
        .iter()
        .map(of_run)
        .collect::<Option<Vec<_>>>()?
        .into_iter()
        .max()
        .map(|kib| kib.saturating_mul(2))
}

pub fn rule() -> String {
    format!(
        "{most} are issued in requests of the largest size that occurs, which {most} of the other \
         run exceed; {most} are queued in bios above it, or it is the max_sectors_kb of the notes \
         and lower than that of the other run; and the mean size as issued is significantly \
         smaller, at most {FELL} of the other's",
        most = most(MIN_SHARE, "bytes"),
    )
}

/// `requests-split`
pub fn split(case: &Case) -> Option<Draft> {
    let (good, bad) = (case.pair.a, case.pair.b);
    let (cap, cap_good) = (largest(bad)?, largest(good)?);
    let size = case.both("size.issued.mean")?;
    if size.1 > FELL * size.0 || !case.pair.real("size.issued.mean") {
        return None;
    }
    let at_cap = share(bad, 1, |sectors| sectors == cap);
    if at_cap < MIN_SHARE || share(good, 1, |sectors| sectors > cap) < MIN_SHARE {
        return None;
    }
    // Bios that are larger than the limit show that it split them. Smaller bios that are merged up
    // to it look like an application that requests less at a time: only the notes tell.
    let larger_bios = share(bad, 0, |sectors| sectors > cap) >= MIN_SHARE;
    let limited =
        limit(case, bad) == Some(cap) && limit(case, good).is_some_and(|limit| limit > cap);
    if !larger_bios && !limited {
        return None;
    }
    let to_bytes = |sectors: u64| sectors as f64 * 512.0;
    Some(Draft {
        code: "requests-split",
        params: case
            .params()
            .value("cap", to_bytes(cap), Unit::Bytes)
            .value("share", at_cap, Unit::Share)
            .value("cap_good", to_bytes(cap_good), Unit::Bytes),
        keys: &[
            "size.issued.mean",
            "size.queued.mean",
            "events.X",
            "events.D",
            "merges.q_per_d",
        ],
        more: Vec::new(),
        chart: EvidenceChart::RequestSizes,
        range: None,
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

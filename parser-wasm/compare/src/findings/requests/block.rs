//! Writes that begin or end within a physical block of the device.

use crate::findings::{CHANGE, Case, Draft, EvidenceChart, TIME};
use crate::sentence::Param;
use crate::settings::of_compared;
use crate::threshold::{bytes, points};
use seekscope_trace::quantity::Unit;

/// Minimum growth of the share of writes that are not aligned to 4 KiB.
const GROWTH: f64 = 0.1;
/// Smallest physical block that a write can be off while it is aligned to sectors, bytes.
pub const BLOCK: f64 = 4096.0;

/// The physical block of both sides, bytes, and whether the notes have it; absent where writes off
/// 4 KiB cost nothing.
fn physical_block(case: &Case) -> Option<(f64, bool)> {
    let runs = case
        .pair
        .a
        .runs
        .iter()
        .chain(&case.pair.b.runs)
        .filter_map(|&run| case.runs.get(run));
    let sizes: Vec<f64> = runs
        .filter_map(|run| of_compared(run, "physical_block_size")?.parse().ok())
        .collect();
    let smallest = sizes.iter().copied().reduce(f64::min);
    match smallest {
        Some(bytes) => (bytes >= BLOCK).then_some((bytes, true)),
        None => Some((BLOCK, false)),
    }
}

pub fn rule() -> String {
    format!(
        "the share of writes that are not aligned to {} grew significantly (or from none), by at \
         least {}, and the device's physical blocks are not known to be smaller",
        bytes(BLOCK),
        points(GROWTH),
    )
}

/// `off-physical-block`
pub fn off(case: &Case) -> Option<Draft> {
    let off = case.both("writes.off4k")?;
    // A share that was 0 has no interval.
    let significant = case.pair.real("writes.off4k") || off.0 == 0.0;
    if off.1 - off.0 < GROWTH || !significant {
        return None;
    }
    let (block, is_known) = physical_block(case)?;
    let mut params = case
        .params()
        .value("off", off.1, Unit::Share)
        .value("off_good", off.0, Unit::Share)
        .value("block", block, Unit::Bytes);
    if !is_known {
        params = params.with("assumed", Param::Flag);
    }
    // What the device reads and writes in addition is time in the device.
    let longer =
        case.pair.real("d2c.mean") && case.both("d2c.mean").is_some_and(|(good, bad)| bad > good);
    let lost = case
        .pair
        .lost
        .filter(|_| longer)
        .map(|lost| lost.busy + lost.busy_waiting);
    Some(Draft {
        code: "off-physical-block",
        params,
        keys: &["writes.off4k", "d2c.mean", "d2c.p50", "depth.mean", "iops"],
        more: Vec::new(),
        chart: EvidenceChart::Alignment,
        range: None,
        part: lost.and_then(|ns| case.part(ns)),
        class: if case.slower { TIME } else { CHANGE },
    })
}

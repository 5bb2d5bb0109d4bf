//! Writes that are no longer aligned to the stripe, and what they cost.

use crate::findings::{CHANGE, Case, Draft, EvidenceChart, TIME};
use crate::runs::run::ComparisonSide;
use crate::sentence::Param;
use crate::threshold::{percent, points};
use seekscope_measure::arrays::members::{ExtraIo, MemberCheck};
use seekscope_trace::quantity::Unit;

/// Minimum growth of the share of partially written stripes.
const PARTIAL: f64 = 0.1;
/// Minimum growth of the share of bytes in requests that straddle a boundary.
const STRADDLES: f64 = 0.1;
/// Minimum growth of the extra I/O, as a share of the bytes written.
const EXTRA: f64 = 0.05;

/// Share of the stripes that were written partially.
fn share((partial, all): (f64, f64)) -> f64 {
    if all > 0.0 { partial / all } else { 0.0 }
}

/// Partially written stripes and all that were written, good side first.
fn stripes(case: &Case) -> Option<[(f64, f64); 2]> {
    let (full, partial) = (
        case.both("alignment.stripes.full")?,
        case.both("alignment.stripes.partial")?,
    );
    Some([
        (partial.0, full.0 + partial.0),
        (partial.1, full.1 + partial.1),
    ])
}

pub fn lost_rule() -> String {
    format!(
        "the share of partially written stripes, or of bytes in requests that straddle a \
         boundary, grew by at least {}",
        points(PARTIAL),
    )
}

/// `alignment-lost`
pub fn lost(case: &Case) -> Option<Draft> {
    let (stripes, straddles) = (stripes(case), case.both("alignment.straddles.share")?);
    let grown = stripes.map_or(0.0, |[good, bad]| share(bad) - share(good));
    if grown < PARTIAL && straddles.1 - straddles.0 < STRADDLES {
        return None;
    }
    let mut params = case
        .params()
        .value("straddles", straddles.1, Unit::Share)
        .value("straddles_good", straddles.0, Unit::Share);
    // Absent for md where completions were not recorded: they end the visits of stripes.
    if let Some([good, bad]) = stripes {
        params = params
            .value("partial", bad.0, Unit::Count)
            .value("stripes", bad.1, Unit::Count)
            .value("partial_good", good.0, Unit::Count)
            .value("stripes_good", good.1, Unit::Count);
    }
    if !case.slower {
        params = params.with("no_slower", Param::Flag);
    }
    Some(Draft {
        code: "alignment-lost",
        params,
        keys: &[
            "alignment.stripes.full",
            "alignment.stripes.partial",
            "alignment.full.share",
            "alignment.straddles.share",
            "alignment.rmw.bytes",
            "bps",
        ],
        more: Vec::new(),
        chart: EvidenceChart::Alignment,
        range: None,
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

/// What the members of the array counted on both sides, good side first.
fn counted(case: &Case) -> [Option<MemberCheck>; 2] {
    [case.pair.a, case.pair.b].map(|side| case.runs.get(*side.runs.first()?)?.truth())
}

pub fn rmw_rule() -> String {
    format!(
        "the estimated extra I/O for parity grew by at least {} of the bytes written",
        percent(EXTRA),
    )
}

/// `rmw-cost`
pub fn rmw(case: &Case) -> Option<Draft> {
    let extra = case.both("alignment.rmw.bytes")?;
    let requested = |side: &ComparisonSide| side.mean(|d| d.work.write as f64);
    let written = case
        .both("bytes.write")
        .unwrap_or_else(|| (requested(case.pair.a), requested(case.pair.b)));
    let share = |extra: f64, written: f64| if written > 0.0 { extra / written } else { 0.0 };
    let cost = (share(extra.0, written.0), share(extra.1, written.1));
    if cost.1 - cost.0 < EXTRA {
        return None;
    }
    let [good, bad] = counted(case);
    let mut params = case
        .params()
        .value("extra", extra.1, Unit::Bytes)
        .value("cost", cost.1, Unit::Share)
        .value("extra_good", extra.0, Unit::Bytes);
    if let Some(MemberCheck {
        members,
        of: disks,
        counted: ExtraIo {
            read_bytes,
            write_bytes,
            ..
        },
        ..
    }) = &bad
    {
        params = params
            .value("members", members.len() as f64, Unit::Count)
            .value("of", *disks as f64, Unit::Count)
            .value("read", *read_bytes as f64, Unit::Bytes)
            .value("write", *write_bytes as f64, Unit::Bytes);
        if let Some(truth) = &good {
            params = params.value("counted_good", truth.counted.bytes() as f64, Unit::Bytes);
        }
    }
    let counted = |read: fn(&MemberCheck) -> u64| {
        let values = (
            good.as_ref().map(|t| read(t) as f64),
            bad.as_ref().map(|t| read(t) as f64),
        );
        if case.swapped {
            (values.1, values.0)
        } else {
            values
        }
    };
    Some(Draft {
        code: "rmw-cost",
        params,
        keys: &[
            "alignment.rmw.reads",
            "alignment.rmw.writes",
            "alignment.rmw.bytes",
            "bytes.write",
        ],
        more: vec![
            (
                "members.counted.read_bytes",
                counted(|t| t.counted.read_bytes),
            ),
            (
                "members.counted.write_bytes",
                counted(|t| t.counted.write_bytes),
            ),
            ("members.estimated.bytes", counted(|t| t.estimated.bytes())),
        ],
        chart: EvidenceChart::Alignment,
        range: None,
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

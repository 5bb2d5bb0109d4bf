//! Writes that no longer meet the stripe, and what they cost.

use super::{CHANGE, Case, Found, TIME};
use crate::compare::quantity::Kind;
use crate::measure::members::{ExtraIo, MemberCheck};

/// Least growth of the share of stripes written in part.
const PARTIAL: f64 = 0.1;
/// Least growth of the share of bytes in requests that straddle a boundary.
const STRADDLES: f64 = 0.1;
/// Least growth of the extra I/O, of what was written.
const EXTRA: f64 = 0.05;

fn partial(case: &Case) -> Option<(f64, f64)> {
    let (full, part) = (case.both("alignment.stripes.full")?, case.both("alignment.stripes.partial")?);
    let share = |full: f64, part: f64| if full + part > 0.0 { part / (full + part) } else { 0.0 };
    Some((share(full.0, part.0), share(full.1, part.1)))
}

/// `alignment-lost`
pub fn lost(case: &Case) -> Option<Found> {
    let (partial, straddles) = (partial(case)?, case.both("alignment.straddles.share")?);
    if partial.1 - partial.0 < PARTIAL && straddles.1 - straddles.0 < STRADDLES {
        return None;
    }
    let although = if case.slower { "" } else { ", though it was no slower" };
    Some(Found {
        code: "alignment-lost",
        sentence: format!(
            "{} of the stripes were written only in part in {}, {} in {}; {} of the bytes straddled a unit boundary, {} there{although}.",
            Kind::Share.write(partial.1),
            case.bad(),
            Kind::Share.write(partial.0),
            case.good(),
            Kind::Share.write(straddles.1),
            Kind::Share.write(straddles.0),
        ),
        keys: &[
            "alignment.stripes.full",
            "alignment.stripes.partial",
            "alignment.full.share",
            "alignment.straddles.share",
            "alignment.rmw.bytes",
            "bps",
        ],
        more: Vec::new(),
        chart: "alignment",
        range: None,
        rule: "stripes written in part, or bytes of requests that straddle a boundary, grew by at least 10 points",
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

/// What the members counted on both sides, good side first.
fn counted(case: &Case) -> [Option<MemberCheck>; 2] {
    [case.pair.a, case.pair.b].map(|side| case.runs.get(*side.runs.first()?)?.truth())
}

/// `rmw-cost`
pub fn rmw(case: &Case) -> Option<Found> {
    let (extra, written) = (case.both("alignment.rmw.bytes")?, case.both("bytes.write")?);
    let share = |extra: f64, written: f64| if written > 0.0 { extra / written } else { 0.0 };
    let cost = (share(extra.0, written.0), share(extra.1, written.1));
    if cost.1 - cost.0 < EXTRA {
        return None;
    }
    let [good, bad] = counted(case);
    let members = bad.as_ref().map(|truth| {
        let before = good.as_ref().map(|t| format!(", {} in {}", Kind::Bytes.write(t.counted.bytes() as f64), case.good()));
        let ExtraIo { read_bytes, write_bytes, .. } = truth.counted;
        format!(
            " {} of {} members counted {} of extra reads and {} of extra writes itself{}.",
            truth.members.len(),
            truth.of,
            Kind::Bytes.write(read_bytes as f64),
            Kind::Bytes.write(write_bytes as f64),
            before.unwrap_or_default(),
        )
    });
    let counted = |of: fn(&MemberCheck) -> u64| {
        let values = (good.as_ref().map(|t| of(t) as f64), bad.as_ref().map(|t| of(t) as f64));
        if case.swapped { (values.1, values.0) } else { values }
    };
    Some(Found {
        code: "rmw-cost",
        sentence: format!(
            "Partial stripes cost the members {} of extra reads and writes in {} ({} of what was written), {} in {}.{}",
            Kind::Bytes.write(extra.1),
            case.bad(),
            Kind::Share.write(cost.1),
            Kind::Bytes.write(extra.0),
            case.good(),
            members.unwrap_or_default(),
        ),
        keys: &["alignment.rmw.reads", "alignment.rmw.writes", "alignment.rmw.bytes", "bytes.write"],
        more: vec![
            ("members.counted.read_bytes", counted(|t| t.counted.read_bytes)),
            ("members.counted.write_bytes", counted(|t| t.counted.write_bytes)),
            ("members.estimated.bytes", counted(|t| t.estimated.bytes())),
        ],
        chart: "alignment",
        range: None,
        rule: "the extra I/O for parity, estimated, grew by at least 5 % of what was written",
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

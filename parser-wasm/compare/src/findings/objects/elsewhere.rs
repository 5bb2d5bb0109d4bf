//! A file or structure that lies in another place of the disk.

use super::{MIN_SHARE, SlowerObject, noun, of_both, pairs, ratio};
use crate::findings::{Case, Draft, EvidenceChart};
use crate::sentence::Param;
use crate::threshold::{bytes, percent};
use seekscope_measure::objects::{MIN_KNOWN, ObjectUse};
use seekscope_trace::quantity::Unit;
use seekscope_trace::store::ObjectKind;

/// Minimum distance, sectors: 64 MiB.
const FAR: u64 = 131_072;

/// Sectors between two ranges that do not touch.
fn distance(x: &ObjectUse, y: &ObjectUse) -> u64 {
    let between = |end: u64, first: u64| first.saturating_sub(end);
    between(x.end, y.first).max(between(y.end, x.first))
}

pub fn rule() -> String {
    format!(
        "the requested sectors of the journal, or of a file with at least {} of the requests, are \
         at least {} away from those of the other run; the map knows the owner of at least {} of \
         the bytes",
        percent(MIN_SHARE),
        bytes(FAR as f64 * 512.0),
        percent(MIN_KNOWN),
    )
}

/// The journal, or the file with the most requests, that lies elsewhere: before, now, and what its
/// requests took longer.
fn find<'a>(case: &'a Case) -> Option<(&'a ObjectUse, &'a ObjectUse, SlowerObject)> {
    let (good, bad) = of_both(case)?;
    let (before, now) = pairs(good, bad)
        .filter(|(_, now)| {
            let is_journal = now.kind == ObjectKind::Journal;
            let is_used = ratio(now.sums.requests, bad.all.requests) >= MIN_SHARE;
            is_used && (is_journal || now.kind == ObjectKind::File)
        })
        .filter(|(before, now)| distance(before, now) >= FAR)
        .max_by_key(|(_, now)| (now.kind == ObjectKind::Journal, now.sums.requests))?;
    let slower = SlowerObject::new(case, (good, bad), (before, now));
    Some((before, now, slower))
}

/// What it is ranked by. Where nothing else was requested, the device may be slower as well.
pub fn weight(case: &Case) -> Option<f64> {
    let (_, _, slower) = find(case)?;
    slower.weight(false)
}

/// Code of the finding.
pub const CODE: &str = "placed-elsewhere";

/// `placed-elsewhere`
pub fn placed(case: &Case) -> Option<Draft> {
    let (_, bad) = of_both(case)?;
    let (before, now, slower) = find(case)?;
    let place = |object: &ObjectUse| object.first as f64 * 512.0;
    Some(Draft {
        code: CODE,
        params: case
            .params()
            .with("object", Param::Text(noun(now)))
            .value(
                "requests",
                ratio(now.sums.requests, bad.all.requests),
                Unit::Share,
            )
            .value("place", place(now), Unit::Bytes)
            .value("place_good", place(before), Unit::Bytes),
        keys: &["seek.issued.mean_abs", "d2c.mean"],
        more: vec![("object.first", case.of_both((place(before), place(now))))],
        chart: EvidenceChart::SeekMap,
        range: None,
        part: slower.part,
        class: slower.class(),
    })
}

//! A file that lies in more pieces: requests that follow each other in the file do not on the disk.

use super::{MIN_SHARE, SlowerObject, noun, of_both, pairs, ratio};
use crate::findings::{Case, Draft, EvidenceChart};
use crate::sentence::Param;
use crate::threshold::{percent, points, times};
use seekscope_measure::objects::{MIN_KNOWN, ObjectUse};
use seekscope_trace::quantity::Unit;
use seekscope_trace::store::ObjectKind;

/// Minimum growth of the number of extents.
const FACTOR: f64 = 2.0;
/// The same in extents.
const MORE: u32 = 8;
/// Minimum growth of the share of requests that follow the one before in the file, but not on the
/// disk.
const BROKEN: f64 = 0.2;
/// Maximum mean size of the requests of the file, as a share of that before, to be called smaller.
const SMALLER: f64 = 0.8;

/// Share of the requests that continue in the file without continuing on the disk.
fn broken(object: &ObjectUse) -> f64 {
    let sums = &object.sums;
    let in_file = ratio(sums.sequential_in_file, sums.following_in_file);
    (in_file - ratio(sums.sequential_on_disk, sums.following)).max(0.0)
}

fn is_fragmented(good: &ObjectUse, bad: &ObjectUse) -> bool {
    let more = good.extents.zip(bad.extents).is_some_and(|(good, bad)| {
        f64::from(bad) >= FACTOR * f64::from(good) && bad - good >= MORE
    });
    more || broken(bad) - broken(good) >= BROKEN
}

pub fn rule() -> String {
    format!(
        "a file with at least {} of the bytes lies in at least {} as many extents, and {MORE} \
         more; or the requests that continue in the file, but not on the disk, are more by {}; the \
         map knows the owner of at least {} of the bytes",
        percent(MIN_SHARE),
        times(FACTOR),
        points(BROKEN),
        percent(MIN_KNOWN),
    )
}

/// The first file in more pieces, before and now, and what its requests took longer.
fn find<'a>(case: &'a Case) -> Option<(&'a ObjectUse, &'a ObjectUse, SlowerObject)> {
    let (good, bad) = of_both(case)?;
    let (before, now) = pairs(good, bad)
        .filter(|(_, now)| now.kind == ObjectKind::File)
        .filter(|(_, now)| ratio(now.sums.bytes(), bad.all.bytes()) >= MIN_SHARE)
        .find(|(before, now)| is_fragmented(before, now))?;
    let slower = SlowerObject::new(case, (good, bad), (before, now));
    Some((before, now, slower))
}

/// Whether the pieces are in the way: requests that went on on the disk do not, or are smaller.
fn is_in_the_way(before: &ObjectUse, now: &ObjectUse) -> bool {
    let size = |object: &ObjectUse| ratio(object.sums.bytes(), object.sums.requests);
    broken(now) - broken(before) >= BROKEN || size(now) <= SMALLER * size(before)
}

/// What it is ranked by.
pub fn weight(case: &Case) -> Option<f64> {
    let (before, now, slower) = find(case)?;
    slower.weight(is_in_the_way(before, now))
}

/// Code of the finding.
pub const CODE: &str = "file-fragmented";

/// `file-fragmented`
pub fn fragmented(case: &Case) -> Option<Draft> {
    let (before, now, slower) = find(case)?;
    let on_disk = |object: &ObjectUse| ratio(object.sums.sequential_on_disk, object.sums.following);
    let mut params = case
        .params()
        .with("file", Param::Text(noun(now)))
        .value("disk", on_disk(now), Unit::Share)
        .value("disk_good", on_disk(before), Unit::Share);
    if let (Some(extents), Some(extents_good)) = (now.extents, before.extents) {
        params = params
            .value("extents", f64::from(extents), Unit::Count)
            .value("extents_good", f64::from(extents_good), Unit::Count);
    }
    Some(Draft {
        code: CODE,
        params,
        keys: &[
            "seek.issued.sequential_share",
            "d2c.mean",
            "size.issued.mean",
        ],
        more: vec![("file.broken", case.of_both((broken(before), broken(now))))],
        chart: EvidenceChart::SeekMap,
        range: None,
        part: slower.part,
        class: slower.class(),
    })
}

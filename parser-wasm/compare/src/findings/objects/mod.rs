//! Findings about files and structures of file systems. They need a map of the disk on both sides
//! that knows the owner of nearly all bytes.

pub mod elsewhere;
pub mod fragmented;
pub mod serialised;
pub mod structures;
pub mod writers;

use crate::findings::Case;
use crate::runs::digest::DeviceDigest;
use crate::runs::run::ComparisonSide;
use seekscope_measure::objects::{ObjectUse, ObjectsUsed};
use seekscope_trace::store::ObjectKind;

/// Minimum share of the bytes that an object has, to be spoken of.
pub(super) const MIN_SHARE: f64 = 0.05;

/// What was requested of the objects in the first run of each side, the good one first; absent
/// where a run has no map, or one that knows too little.
pub(super) fn of_both<'a>(case: &'a Case) -> Option<(&'a ObjectsUsed, &'a ObjectsUsed)> {
    let used = |side: &ComparisonSide<'a>| -> Option<&'a ObjectsUsed> {
        let devices: &[&'a DeviceDigest] = side.devices();
        let all_known = devices
            .iter()
            .all(|device| device.objects.as_ref().is_some_and(ObjectsUsed::is_known));
        (all_known && !devices.is_empty()).then(|| devices[0].objects.as_ref())?
    };
    Some((used(case.pair.a)?, used(case.pair.b)?))
}

/// The files and structures of both sides with the same name, the good one first.
pub(super) fn pairs<'a>(
    good: &'a ObjectsUsed,
    bad: &'a ObjectsUsed,
) -> impl Iterator<Item = (&'a ObjectUse, &'a ObjectUse)> {
    let same = |object: &'a ObjectUse| {
        let found = good
            .top
            .iter()
            .find(|other| other.kind == object.kind && other.name == object.name);
        found.map(|other| (other, object))
    };
    bad.top.iter().filter_map(same)
}

/// What an object is called in a sentence.
pub(super) fn noun(object: &ObjectUse) -> String {
    match object.kind {
        ObjectKind::File => object.name.clone(),
        _ => format!("the {}", object.name),
    }
}

/// A part of a whole; 0 of nothing.
pub(super) fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

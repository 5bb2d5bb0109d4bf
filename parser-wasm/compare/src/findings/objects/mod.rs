//! Findings about files and structures of file systems. They need a map of the disk on both sides
//! that knows the owner of nearly all bytes.

pub mod elsewhere;
pub mod fragmented;
pub mod serialised;
pub mod structures;
pub mod writers;

use crate::findings::{CHANGE, Case, TIME};
use crate::runs::digest::DeviceDigest;
use crate::runs::run::ComparisonSide;
use seekscope_measure::objects::{ObjectSums, ObjectUse, ObjectsUsed};
use seekscope_trace::store::ObjectKind;

/// Minimum share of the bytes that an object has, to be spoken of.
pub(super) const MIN_SHARE: f64 = 0.05;
/// Minimum share of the lost time of a finding about time.
pub(super) const MIN_PART: f64 = 0.05;

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

/// Minimum part of the growth of the device time that an object has, to be its cause.
const MAIN: f64 = 0.5;
/// Minimum growth of the device time per byte of an object, as a factor of that of all others: the
/// device is not slower, the object is.
const ALONE: f64 = 1.25;

/// Above any part of the lost time.
const WEIGHT_OF_CAUSE: f64 = 2.0;

/// An object of both runs whose requests took longer in the second one.
pub(super) struct SlowerObject {
    /// Upper bound of its share of the lost time; absent where its requests took no longer.
    pub part: Option<f64>,
    /// How much more device time a byte of it takes, as a factor of that of all other objects;
    /// absent where there are no others to compare with.
    beside_others: Option<f64>,
    /// Share of the growth of the device time of all objects.
    of_growth: f64,
}

impl SlowerObject {
    pub fn new(
        case: &Case,
        (good, bad): (&ObjectsUsed, &ObjectsUsed),
        (before, now): (&ObjectUse, &ObjectUse),
    ) -> SlowerObject {
        let scale = case.pair.work_ratio();
        let growth = |before: &ObjectSums, now: &ObjectSums| {
            now.d2c_ns as f64 - before.d2c_ns as f64 * scale
        };
        let grown = growth(&before.sums, &now.sums);
        let cost = |ns: u64, bytes: u64| (ns > 0 && bytes > 0).then(|| ns as f64 / bytes as f64);
        let factor = |before: &ObjectSums, now: &ObjectSums| {
            Some(cost(now.d2c_ns, now.bytes())? / cost(before.d2c_ns, before.bytes())?)
        };
        let others = |used: &ObjectsUsed, object: &ObjectUse| ObjectSums {
            read: used.all.read.saturating_sub(object.sums.read),
            write: used.all.write.saturating_sub(object.sums.write),
            d2c_ns: used.all.d2c_ns.saturating_sub(object.sums.d2c_ns),
            ..ObjectSums::default()
        };
        let beside_others = factor(&before.sums, &now.sums)
            .zip(factor(&others(good, before), &others(bad, now)))
            .map(|(object, others)| object / others);
        let of_growth = (grown / growth(&good.all, &bad.all).max(1.0)).clamp(0.0, 1.0);
        // Requests are in flight side by side, so the sum of their times is longer than the run.
        let busy = case.pair.lost.map(|lost| lost.busy + lost.busy_waiting);
        SlowerObject {
            part: busy.and_then(|busy| case.part(busy * of_growth)),
            beside_others,
            of_growth,
        }
    }

    /// Whether the growth of the device time is mostly that of this object, while a byte of the
    /// others takes no longer; `alone` where there are no others.
    pub fn is_cause(&self, alone: bool) -> bool {
        self.of_growth >= MAIN && self.beside_others.map_or(alone, |factor| factor >= ALONE)
    }

    /// What the finding is ranked by: a cause comes before what is slower because of it.
    pub fn weight(&self, alone: bool) -> Option<f64> {
        if self.is_cause(alone) {
            self.part.map(|_| WEIGHT_OF_CAUSE)
        } else {
            self.part
        }
    }

    /// The class of a finding about it.
    pub fn class(&self) -> u8 {
        match self.part {
            Some(part) if part >= MIN_PART => TIME,
            _ => CHANGE,
        }
    }
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

//! Alignment of requests to the stripes of an array.
//!
//! For a request [s, e), stripe unit u, data disks n and start o, with p = s - o and q = e - o:
//! *full stripe* if p and q are multiples of u n; *unit-aligned* if both are multiples of u;
//! *inside a unit* if it touches only one unit; else it *straddles*. Independent of these: 4
//! KiB-misaligned if s or e is not a multiple of 8 sectors, counted from the device's first sector.
//! Requests of less than a sector (flushes) have no class.

use super::geometry::Geometry;
use seekscope_trace::protocol::ByteCount;
use serde::{Deserialize, Serialize};

/// Alignment of both ends of a request. The numbers are indices of the page's list of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[doc(alias = "AlignmentClass")]
#[repr(u8)]
pub enum Class {
    /// The write covers complete stripes.
    Full = 0,
    /// The write covers complete units, but not complete stripes.
    Unit = 1,
    /// The write is a part of one unit.
    Inside = 2,
    /// Crosses a unit boundary, and at least one end is inside a unit.
    Straddles = 3,
}

impl Class {
    /// All classes, in the order of their numbers.
    pub const ALL: [Class; 4] = [Class::Full, Class::Unit, Class::Inside, Class::Straddles];
}

/// The class of a request; absent for requests of less than a sector.
#[inline]
pub fn class(geometry: &Geometry, sector: u64, sectors: u64) -> Option<Class> {
    if sectors == 0 {
        return None;
    }
    let (stripe, unit) = (geometry.stripe(), geometry.unit());
    let (_, place) = geometry.place(sector);
    let within = place % unit;
    Some(if place == 0 && sectors.is_multiple_of(stripe) {
        Class::Full
    } else if within == 0 && sectors.is_multiple_of(unit) {
        Class::Unit
    } else if within + sectors <= unit {
        Class::Inside
    } else {
        Class::Straddles
    })
}

/// Whether an end is not a multiple of 4 KiB, counted from the device's first sector.
#[inline]
pub fn misaligned_4k(sector: u64, sectors: u64) -> bool {
    sectors > 0 && !(sector | sectors).is_multiple_of(8)
}

/// Writes with data, and those of them that begin or end within a block of 4 KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OffBlockCount {
    pub writes: u64,
    pub off: u64,
}

impl OffBlockCount {
    #[inline]
    pub fn add(&mut self, sector: u64, sectors: u64) {
        self.writes += u64::from(sectors > 0);
        self.off += u64::from(misaligned_4k(sector, sectors));
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[doc(alias = "AlignmentCount")]
pub struct ClassCount {
    pub requests: u64,
    /// Bytes of complete sectors.
    pub bytes: ByteCount,
}

/// Counts requests by class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlignmentCounter {
    geometry: Geometry,
    /// The counts per [`Class`].
    pub classes: [ClassCount; 4],
    /// Number of 4 KiB-misaligned requests.
    pub misaligned_4k: u64,
}

impl AlignmentCounter {
    pub fn new(geometry: Geometry) -> AlignmentCounter {
        AlignmentCounter {
            geometry,
            classes: Default::default(),
            misaligned_4k: 0,
        }
    }

    #[inline]
    pub fn add(&mut self, sector: u64, sectors: u64) {
        if let Some(class) = class(&self.geometry, sector, sectors) {
            let count = &mut self.classes[class as usize];
            count.requests += 1;
            count.bytes += sectors * 512;
            self.misaligned_4k += u64::from(misaligned_4k(sector, sectors));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::geometry::Level;

    #[test]
    fn classes_by_hand() {
        // Units of 8 sectors, stripes of 32, from sector 3.
        let g = Geometry::new(Level::Raid5, 8, 4, 3).unwrap();
        let class_of = |sector, sectors| class(&g, sector, sectors);
        assert_eq!(class_of(3, 32), Some(Class::Full));
        assert_eq!(class_of(35, 64), Some(Class::Full));
        assert_eq!(class_of(11, 32), Some(Class::Unit));
        assert_eq!(class_of(3, 8), Some(Class::Unit));
        assert_eq!(class_of(4, 7), Some(Class::Inside));
        assert_eq!(class_of(3, 7), Some(Class::Inside));
        assert_eq!(class_of(4, 8), Some(Class::Straddles));
        assert_eq!(class_of(3, 33), Some(Class::Straddles));
        assert_eq!(class_of(2, 1), Some(Class::Inside));
        assert_eq!(class_of(2, 2), Some(Class::Straddles));
        assert_eq!(class_of(u64::MAX, 0), None);
        let one_disk = Geometry::new(Level::None, 8, 1, 0).unwrap();
        assert_eq!(class(&one_disk, 8, 8), Some(Class::Full));
    }

    #[test]
    fn four_kib_is_counted_from_the_device() {
        assert_eq!(
            [(0, 8), (8, 16), (63, 8), (64, 7), (1, 7)].map(|(s, n)| misaligned_4k(s, n)),
            [false, false, true, true, true]
        );
        let mut writes = OffBlockCount::default();
        [(0, 8), (2049, 8), (8, 4), (0, 0)]
            .into_iter()
            .for_each(|(s, n)| writes.add(s, n));
        assert_eq!(writes, OffBlockCount { writes: 3, off: 2 });
        let mut tally = AlignmentCounter::new(Geometry::new(Level::None, 8, 2, 0).unwrap());
        [(0, 16), (1, 7), (0, 0)]
            .into_iter()
            .for_each(|(s, n)| tally.add(s, n));
        assert_eq!(tally.misaligned_4k, 1);
        assert_eq!(
            tally.classes[0],
            ClassCount {
                requests: 1,
                bytes: 8192
            }
        );
        assert_eq!(
            tally.classes[2],
            ClassCount {
                requests: 1,
                bytes: 3584
            }
        );
    }
}

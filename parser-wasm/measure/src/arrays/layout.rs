//! Which disk of an array has which unit: left-symmetric, md's default for RAID 5 and 6, and RAID 0
//! in order.
//!
//! Of N disks, stripe s has its parity on disk N - 1 - s mod N and, with two parities, on the next
//! one; the data follow from there. RAID 5 with 5 disks:
//!
//! ```text
//! stripe  disk 0  disk 1  disk 2  disk 3  disk 4
//! 0       0       1       2       3       parity
//! 1       1       2       3       parity  0
//! 2       2       3       parity  0       1
//! ```

use super::geometry::{Geometry, Level};

/// Maximum number of disks with figures per disk.
const MAX_DISKS: u64 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    geometry: Geometry,
    disks: u64,
}

impl Layout {
    /// The layout of an array that starts at a stripe boundary; `None` for levels with another
    /// layout, or for too many disks.
    pub fn for_geometry(geometry: &Geometry) -> Option<Layout> {
        let disks = geometry.disks() + geometry.level().parity();
        let has_layout = matches!(geometry.level(), Level::Raid0 | Level::Raid5 | Level::Raid6);
        let whole = geometry.start().is_multiple_of(geometry.stripe());
        (has_layout && whole && disks <= MAX_DISKS).then_some(Layout {
            geometry: *geometry,
            disks,
        })
    }

    /// Number of disks, including those with parity.
    pub fn disks(&self) -> usize {
        self.disks as usize
    }

    /// Stripe counted from the first one of the array; `number` as in [`Geometry::place`].
    pub fn stripe(&self, number: u64) -> u64 {
        number.saturating_sub(1)
    }

    /// The disk of a data unit of a stripe.
    pub fn data(&self, number: u64, unit: u64) -> usize {
        let parity = self.geometry.level().parity();
        let first = if parity == 0 {
            0
        } else {
            self.first(number) + parity
        };
        ((first + unit) % self.disks) as usize
    }

    /// The disk of the `i`th parity of a stripe.
    pub fn parity(&self, number: u64, i: u64) -> usize {
        ((self.first(number) + i) % self.disks) as usize
    }

    /// The disk of a sector of the array.
    pub fn disk(&self, sector: u64) -> usize {
        let (number, place) = self.geometry.place(sector);
        self.data(number, place / self.geometry.unit())
    }

    fn first(&self, number: u64) -> u64 {
        self.disks - 1 - self.stripe(number) % self.disks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(spec: &str, stripe: u64) -> (Vec<usize>, Vec<usize>) {
        let g: Geometry = spec.parse().unwrap();
        let layout = Layout::for_geometry(&g).unwrap();
        let number = g.place(stripe * g.stripe()).0;
        let data = (0..g.disks()).map(|d| layout.data(number, d)).collect();
        (
            data,
            (0..g.level().parity())
                .map(|i| layout.parity(number, i))
                .collect(),
        )
    }

    #[test]
    fn parity_goes_round() {
        let raid5 = "unit=64KiB,disks=4,level=raid5";
        assert_eq!(row(raid5, 0), (vec![0, 1, 2, 3], vec![4]));
        assert_eq!(row(raid5, 1), (vec![4, 0, 1, 2], vec![3]));
        assert_eq!(row(raid5, 5), row(raid5, 0));
        assert_eq!(
            row("unit=64KiB,disks=2,level=raid6", 1),
            (vec![0, 1], vec![2, 3])
        );
        assert_eq!(
            row("unit=64KiB,disks=2,level=raid6", 0),
            (vec![1, 2], vec![3, 0])
        );
        assert_eq!(
            row("unit=64KiB,disks=3,level=raid0", 7),
            (vec![0, 1, 2], vec![])
        );
    }

    #[test]
    fn what_lies_otherwise_is_not_guessed() {
        let layout_of = |spec: &str| spec.parse().ok().and_then(|g| Layout::for_geometry(&g));
        assert_eq!(layout_of("unit=64KiB,disks=4,level=raid10"), None);
        assert_eq!(layout_of("unit=64KiB,disks=4"), None);
        assert_eq!(layout_of("unit=64KiB,disks=4,start=63s,level=raid5"), None);
        assert_eq!(layout_of("unit=64KiB,disks=64,level=raid5"), None);
        assert_eq!(
            layout_of("unit=64KiB,disks=4,start=512s,level=raid5").map(|l| l.disk(512)),
            Some(4)
        );
    }
}

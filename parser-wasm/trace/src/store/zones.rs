//! The zones of a zoned disk.

/// Sizes and types, in sectors of 512 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zones {
    /// Size of a zone; more than 0.
    pub sectors: u64,
    /// First and last sector of what may be written anywhere, ascending; absent if the types of
    /// zones are not known.
    pub conventional: Option<Vec<(u64, u64)>>,
}

impl Zones {
    /// Whether a sector is in a zone that may be written anywhere.
    pub fn is_conventional(&self, sector: u64) -> bool {
        let ranges = self.conventional.as_deref().unwrap_or_default();
        let after = ranges.partition_point(|range| range.0 <= sector);
        after.checked_sub(1).is_some_and(|i| sector <= ranges[i].1)
    }
}

//! Finds the range at a sector among sorted ranges. A table says for each stretch of sectors which
//! range comes first, so that a look-up touches two lines of memory, not one per step of a search.

use std::ops::Range;

/// First ranges of stretches of `1 << shift` sectors.
#[derive(Clone, Debug, Default)]
pub struct Buckets {
    origin: u64,
    shift: u32,
    firsts: Vec<u32>,
}

impl Buckets {
    /// Makes the table of `len` ranges whose ends ascend.
    pub fn new(len: usize, end: impl Fn(usize) -> u64) -> Buckets {
        let Some(last) = len.checked_sub(1) else {
            return Buckets::default();
        };
        let origin = end(0);
        let span = end(last).saturating_sub(origin);
        let mut shift = 0;
        while shift < 63 && span >> shift >= len as u64 {
            shift += 1;
        }
        let count = (span >> shift) as usize + 2;
        let mut firsts = Vec::with_capacity(count);
        let mut range = 0;
        for bucket in 0..count as u64 {
            let behind = bucket.checked_mul(1 << shift).unwrap_or(u64::MAX);
            let sector = origin.saturating_add(behind);
            while range < len && end(range) <= sector {
                range += 1;
            }
            firsts.push(range as u32);
        }
        Buckets {
            origin,
            shift,
            firsts,
        }
    }

    /// The numbers of ranges of which the first one that ends behind `sector` may be one; it is the
    /// one behind them if it is none of them.
    pub fn near(&self, sector: u64) -> Range<usize> {
        let Some(behind) = sector.checked_sub(self.origin) else {
            return 0..0;
        };
        let bucket = usize::try_from(behind >> self.shift).unwrap_or(usize::MAX);
        let last = self.firsts.last().copied().unwrap_or_default();
        let first = |bucket: usize| self.firsts.get(bucket).copied().unwrap_or(last) as usize;
        first(bucket)..first(bucket.saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ends: &[u64]) {
        let buckets = Buckets::new(ends.len(), |i| ends[i]);
        for sector in 0..ends.last().map_or(10, |end| end + 3) {
            let near = buckets.near(sector);
            let found = near.start + ends[near.clone()].partition_point(|&end| end <= sector);
            assert_eq!(
                found,
                ends.partition_point(|&end| end <= sector),
                "{sector}"
            );
        }
    }

    #[test]
    fn a_range_is_among_those_near() {
        check(&[]);
        check(&[5]);
        check(&[5, 6, 7, 8, 100, 101, 2000]);
        check(&(1..300).map(|i| i * i).collect::<Vec<_>>());
    }

    #[test]
    fn far_ends_make_no_large_table() {
        let ends = [1, 1 << 60];
        let buckets = Buckets::new(2, |i| ends[i]);
        assert!(buckets.firsts.len() <= 4);
        assert!(buckets.near(1 << 59).contains(&1) || buckets.near(1 << 59).end == 1);
        assert_eq!(buckets.near(u64::MAX), 2..2);
        assert!(Buckets::new(1, |_| u64::MAX).near(u64::MAX).end <= 1);
        assert!(Buckets::new(2, |i| [0, u64::MAX][i]).near(5).end <= 2);
    }
}

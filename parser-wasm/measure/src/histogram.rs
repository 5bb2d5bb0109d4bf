//! A log-linear histogram over all 64-bit values: 128 buckets per octave, so that a bucket is at
//! most 1/128 of its lower edge wide. Values below 256 have a bucket each. The bucket number of a
//! larger value consists of
//!
//! ```text
//! bits      meaning
//! 7 and up  octave: shift + 1, shift = floor(log2(value)) - 7
//! 0 to 6    the 7 bits of the value below its highest one
//! ```
//!
//! Quantiles are by nearest rank: the smallest sample that at least the given share of samples does
//! not exceed. From the histogram alone they are off by at most half a bucket (0.4 %). A second
//! pass over the same samples makes them exact, see [`Refine`].

use seekscope_trace::store::StageTally;

const SUB_BITS: u32 = 7;
const SUB: u64 = 1 << SUB_BITS;

/// Number of the bucket of a value, ascending.
#[inline]
pub fn bucket(value: u64) -> usize {
    if value < SUB {
        return value as usize;
    }
    let shift = value.ilog2() - SUB_BITS;
    ((u64::from(shift) + 1) << SUB_BITS | (value >> shift) & (SUB - 1)) as usize
}

/// Lower edge and width of a bucket.
fn edges(bucket: usize) -> (u64, u64) {
    let bucket = bucket as u64;
    if bucket < SUB {
        return (bucket, 1);
    }
    let shift = (bucket >> SUB_BITS) - 1;
    (((bucket & (SUB - 1)) + SUB) << shift, 1 << shift)
}

/// A share in ten-thousandths: 9_990 is the 99.9th percentile.
pub type Share = u32;

/// The nearest rank, from 1 to `n`.
fn rank(n: u64, share: Share) -> u64 {
    let rank = (u128::from(n) * u128::from(share)).div_ceil(10_000) as u64;
    rank.clamp(1, n.max(1))
}

/// Counts by bucket, and the exact count, sum, minimum and maximum.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    /// At most one sample per row of a store, whose numbers have 32 bits.
    counts: Vec<u32>,
    tally: StageTally,
    only_totals: bool,
}

/// A bucket with samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Smallest value of the bucket.
    pub low: u64,
    /// Number of different values in it.
    pub width: u64,
    /// Number of samples in it.
    pub count: u64,
}

impl Histogram {
    /// A histogram without buckets: it has no quantiles.
    pub fn of_totals() -> Histogram {
        Histogram {
            only_totals: true,
            ..Histogram::default()
        }
    }

    /// Makes room for a bucket, and no more than for its octave: there may be thousands of devices.
    #[cold]
    fn grow(&mut self, bucket: usize) {
        let len = (bucket | (SUB as usize - 1)) + 1;
        self.counts.reserve_exact(len - self.counts.len());
        self.counts.resize(len, 0);
    }

    #[inline]
    pub fn add(&mut self, value: u64) {
        let bucket = bucket(value);
        if bucket >= self.counts.len() {
            self.grow(bucket);
        }
        self.counts[bucket] += 1;
        self.tally.add(value);
    }

    /// Adds many values. Their count, extremes and sum are kept in registers meanwhile.
    #[inline]
    pub fn add_all(&mut self, values: impl Iterator<Item = u64>) {
        self.add_each(values, |_, _| {});
    }

    /// The same, and `seen` gets each value with its bucket, unless there are only totals.
    #[inline]
    pub fn add_each(
        &mut self,
        values: impl Iterator<Item = u64>,
        mut seen: impl FnMut(usize, u64),
    ) {
        let mut tally = self.tally;
        if self.only_totals {
            values.for_each(|value| tally.add(value));
            self.tally = tally;
            return;
        }
        for value in values {
            let bucket = bucket(value);
            if bucket >= self.counts.len() {
                self.grow(bucket);
            }
            self.counts[bucket] += 1;
            tally.add(value);
            seen(bucket, value);
        }
        self.tally = tally;
    }

    /// Adds many values by bucket, and their count, extremes and sum to `tally` as well.
    #[inline]
    pub fn add_all_and(&mut self, tally: &mut StageTally, values: impl Iterator<Item = u64>) {
        let before = std::mem::take(&mut self.tally);
        self.add_all(values);
        tally.add_all(&self.tally);
        self.tally.add_all(&before);
    }

    /// The exact count, minimum, sum and maximum.
    pub fn tally(&self) -> &StageTally {
        &self.tally
    }

    /// The buckets with samples, ascending.
    pub fn buckets(&self) -> impl Iterator<Item = Bucket> + '_ {
        self.counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(i, &count)| {
                let (low, width) = edges(i);
                Bucket {
                    low,
                    width,
                    count: count.into(),
                }
            })
    }

    /// The quantile to within 0.4 %; absent without samples.
    pub fn quantile(&self, share: Share) -> Option<u64> {
        self.middle(self.locate(share)?.0)
    }

    /// The bucket of a quantile; absent without samples.
    pub fn bucket_of(&self, share: Share) -> Option<usize> {
        Some(self.locate(share)?.0)
    }

    /// As [`Histogram::quantile`], for any share from 0 to 1.
    pub fn near(&self, share: f64) -> Option<u64> {
        let n = self.tally.n;
        self.middle(
            self.locate_rank(((n as f64 * share).ceil() as u64).clamp(1, n.max(1)))?
                .0,
        )
    }

    fn middle(&self, bucket: usize) -> Option<u64> {
        let (low, width) = edges(bucket);
        Some((low + width / 2).clamp(self.tally.min, self.tally.max))
    }

    /// The bucket of a quantile, and the rank within it, from 0.
    fn locate(&self, share: Share) -> Option<(usize, usize)> {
        self.locate_rank(rank(self.tally.n, share))
    }

    fn locate_rank(&self, mut rank: u64) -> Option<(usize, usize)> {
        for (bucket, count) in self
            .counts
            .iter()
            .map(|&count| u64::from(count))
            .enumerate()
        {
            if rank <= count {
                return Some((bucket, rank.saturating_sub(1) as usize)).filter(|_| count > 0);
            }
            rank -= count;
        }
        None
    }

    /// Starts the second pass, for these quantiles.
    pub fn refine(&self, shares: &[Share]) -> Refine {
        self.refine_at(shares.iter().filter_map(|&share| self.locate(share)))
    }

    /// The same for the samples of these ranks, from 1; those that are not there are left out.
    pub fn refine_ranks(&self, ranks: &[u64]) -> Refine {
        self.refine_at(ranks.iter().filter_map(|&rank| self.locate_rank(rank)))
    }

    fn refine_at(&self, places: impl Iterator<Item = (usize, usize)>) -> Refine {
        let mut refine = Refine {
            slots: vec![0; self.counts.len()],
            ..Refine::default()
        };
        for (bucket, rank) in places {
            if refine.slots[bucket] == 0 && edges(bucket).1 > 1 {
                refine.samples.push(Vec::new());
                refine.slots[bucket] = refine.samples.len() as u16;
            }
            refine.wanted.push((bucket, rank));
        }
        refine
    }
}

/// The second pass: fed with the same samples as the histogram, it keeps those in the buckets of
/// the quantiles.
#[derive(Clone, Debug, Default)]
pub struct Refine {
    /// Per bucket: 0, or 1 + index in `samples`.
    slots: Vec<u16>,
    samples: Vec<Vec<u64>>,
    wanted: Vec<(usize, usize)>,
}

impl Refine {
    #[inline]
    pub fn add(&mut self, value: u64) {
        if let Some(&slot @ 1..) = self.slots.get(bucket(value)) {
            self.samples[usize::from(slot) - 1].push(value);
        }
    }

    /// Takes many samples.
    #[inline]
    pub fn add_all(&mut self, values: impl Iterator<Item = u64>) {
        let slots = self.slots.as_slice();
        for value in values {
            if let Some(&slot @ 1..) = slots.get(bucket(value)) {
                self.samples[usize::from(slot) - 1].push(value);
            }
        }
    }

    /// Whether the histogram alone tells the quantiles.
    pub fn is_exact(&self) -> bool {
        self.samples.is_empty()
    }

    /// The exact quantiles, in the order of the shares given to [`Histogram::refine`]; empty
    /// without samples.
    pub fn finish(mut self) -> Vec<u64> {
        self.samples
            .iter_mut()
            .for_each(|values| values.sort_unstable());
        let exact = |&(bucket, rank): &(usize, usize)| {
            let low = edges(bucket).0;
            match self.slots.get(bucket) {
                Some(&slot @ 1..) => self.samples[usize::from(slot) - 1]
                    .get(rank)
                    .copied()
                    .unwrap_or(low),
                _ => low,
            }
        };
        self.wanted.iter().map(exact).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_tile_all_values() {
        for value in [
            0,
            1,
            127,
            128,
            255,
            256,
            257,
            1000,
            123_456_789,
            u64::MAX / 2,
            u64::MAX - 1,
            u64::MAX,
        ] {
            let (low, width) = edges(bucket(value));
            assert!(low <= value && value - low < width, "{value}");
            assert!(width == 1 || width * 128 <= low, "{value}");
        }
        for b in 0..bucket(u64::MAX) {
            let (low, width) = edges(b);
            assert_eq!(low + width, edges(b + 1).0);
        }
    }

    #[test]
    fn nearest_rank() {
        assert_eq!(
            (rank(1, 0), rank(1, 9_999), rank(4, 5_000), rank(5, 5_000)),
            (1, 1, 2, 3)
        );
        assert_eq!(
            (rank(1_000, 9_990), rank(1_001, 9_990), rank(0, 5_000)),
            (999, 1_000, 1)
        );
    }

    #[test]
    fn refined_quantiles_are_order_statistics() {
        let samples: Vec<u64> = (0..10_007u64)
            .map(|i| i * 2_654_435_761 % 10_007 * 1_234_567)
            .collect();
        let mut histogram = Histogram::default();
        samples.iter().for_each(|&s| histogram.add(s));
        let shares = [0, 5_000, 9_000, 9_990, 9_999, 10_000];
        let mut refine = histogram.refine(&shares);
        samples.iter().for_each(|&s| refine.add(s));
        let mut sorted = samples.clone();
        sorted.sort_unstable();
        let exact: Vec<u64> = shares
            .iter()
            .map(|&s| sorted[rank(10_007, s) as usize - 1])
            .collect();
        assert_eq!(refine.finish(), exact);
        for (&share, &exact) in shares.iter().zip(&exact) {
            let near = histogram.quantile(share).unwrap();
            assert!(
                near.abs_diff(exact) as f64 <= 0.004 * exact as f64,
                "{near} {exact}"
            );
        }
    }

    #[test]
    fn nothing_in_nothing_out() {
        let empty = Histogram::default();
        assert_eq!(empty.quantile(5_000), None);
        assert_eq!(empty.buckets().count(), 0);
        assert!(empty.refine(&[5_000]).finish().is_empty());
        let mut single = Histogram::default();
        single.add(77_777);
        assert_eq!(single.quantile(9_999), Some(77_777));
    }
}

//! The exact lower median of many values, nearly always in one pass: from the first values it is
//! known about where it will be, and those near it are kept. Where it moves away later, a second
//! pass over the same values finds it.

use super::histogram::{Histogram, Refine, Share, bucket};
use seekscope_trace::store::StageTally;
use std::ops::Range;

/// Values from which is found where the median will be.
const FIRST: usize = 8192;
/// Shares between which the median of all is expected: 8 % of the values are kept.
const NEAR: [Share; 2] = [4_600, 5_400];
const HALF: Share = 5_000;

/// Pass all values to `add_all`, and if it is not exact then, all values to `add_all_again`, in
/// pieces of any size.
#[derive(Clone, Debug, Default)]
pub struct Median {
    /// All values until there are `FIRST`, then those in the middle buckets.
    values_kept: Vec<u64>,
    /// Of the first values, while all of them are kept: a recording of hundreds of devices needs no
    /// histogram for each.
    first: StageTally,
    many: Option<ManyValues>,
}

/// What is known of more than `FIRST` values.
#[derive(Clone, Debug)]
struct ManyValues {
    histogram: Histogram,
    /// The buckets in which the median is expected.
    near: Range<usize>,
    again: Option<Refine>,
}

impl ManyValues {
    /// The values near the median are kept, if it is where it was expected.
    fn is_near(&self) -> bool {
        let found = self.histogram.bucket_of(HALF);
        found.is_some_and(|bucket| self.near.contains(&bucket)) && self.again.is_none()
    }
}

impl Median {
    /// First pass: takes values.
    #[inline]
    pub fn add_all(&mut self, values: impl Iterator<Item = u64>) {
        let values_kept = &mut self.values_kept;
        match &mut self.many {
            Some(ManyValues {
                histogram, near, ..
            }) => {
                let (from, n) = (near.start, near.len());
                histogram.add_each(values, |bucket, value| {
                    if bucket.wrapping_sub(from) < n {
                        values_kept.push(value);
                    }
                });
            }
            None => {
                let mut tally = self.first;
                values_kept.extend(values.inspect(|&value| tally.add(value)));
                self.first = tally;
                if values_kept.len() >= FIRST {
                    self.expect();
                }
            }
        }
    }

    /// Drops the values that are not near the median.
    #[cold]
    fn expect(&mut self) {
        let mut histogram = Histogram::default();
        histogram.add_all(self.values_kept.iter().copied());
        let [from, to] = NEAR.map(|share| histogram.bucket_of(share).unwrap_or_default());
        self.values_kept
            .retain(|&value| (from..=to).contains(&bucket(value)));
        self.many = Some(ManyValues {
            histogram,
            near: from..to + 1,
            again: None,
        });
    }

    /// Whether a second pass would change nothing.
    pub fn is_exact(&self) -> bool {
        self.many
            .as_ref()
            .is_none_or(|many| many.is_near() || many.histogram.refine(&[HALF]).is_exact())
    }

    /// Second pass: takes the values of the middle buckets again.
    #[inline]
    pub fn add_all_again(&mut self, values: impl Iterator<Item = u64>) {
        if let Some(ManyValues {
            histogram, again, ..
        }) = &mut self.many
        {
            again
                .get_or_insert_with(|| histogram.refine(&[HALF]))
                .add_all(values);
        }
    }

    /// The exact count, minimum, sum and maximum.
    pub fn tally(&self) -> &StageTally {
        match &self.many {
            Some(many) => many.histogram.tally(),
            None => &self.first,
        }
    }

    /// Absent without values.
    pub fn finish(mut self) -> Option<u64> {
        let Some(mut many) = self.many else {
            let middle = self.values_kept.len().checked_sub(1)? / 2;
            return Some(*self.values_kept.select_nth_unstable(middle).1);
        };
        let is_near = many.is_near();
        let again = many.again.take();
        let mut refine = again.unwrap_or_else(|| many.histogram.refine(&[HALF]));
        if is_near {
            refine.add_all(self.values_kept.iter().copied());
        }
        refine.finish().first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The median, and whether it took one pass.
    fn median(values: &[u64]) -> (Option<u64>, bool) {
        let mut median = Median::default();
        values
            .chunks(1000)
            .for_each(|some| median.add_all(some.iter().copied()));
        let once = median.is_exact();
        if !once {
            values
                .chunks(777)
                .for_each(|some| median.add_all_again(some.iter().copied()));
        }
        (median.finish(), once)
    }

    fn sorted_median(values: &[u64]) -> Option<u64> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        sorted.get(values.len().saturating_sub(1) / 2).copied()
    }

    /// A number that looks random, 0 to 2^40.
    fn mixed(i: u64) -> u64 {
        i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24
    }

    #[test]
    fn one_pass_is_enough_where_values_stay_alike() {
        for n in [0, 1, 2, 999, 8191, 8192, 8193, 50_000] {
            let values: Vec<u64> = (0..n).map(mixed).collect();
            assert_eq!(median(&values), (sorted_median(&values), true), "{n}");
        }
        assert_eq!(median(&[7; 20_000]), (Some(7), true));
    }

    #[test]
    fn a_second_pass_finds_it_where_they_change() {
        let values: Vec<u64> = (0..40_000)
            .map(|i| mixed(i) >> if i < 10_000 { 20 } else { 0 })
            .collect();
        assert_eq!(median(&values), (sorted_median(&values), false));
    }
}

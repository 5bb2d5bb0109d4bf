//! Distances between consecutive requests.
//!
//! The signed distance from the end of the previous request (one past its last sector) to the first
//! sector of this one, in the order of D, and likewise of bios in the order of Q; 0 is sequential.
//! The first request has no predecessor and gives no sample (btt uses sector 0 for it). Requests
//! without data are skipped. Mean and median are of the absolute distance; the median is the exact
//! lower one. Far seeks are those longer than 64 KiB, per second between first Q and last C.

use crate::median::Median;
use crate::{per_second, ratio};
use seekscope_trace::store::StageTally;
use serde::Serialize;

/// Seeks longer than this many sectors (64 KiB) are far.
pub const FAR: u64 = 128;

/// The end of the previous request, from which the next distance is measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeekCursor {
    end: Option<u64>,
}

impl SeekCursor {
    /// Sectors from the end of the previous request to the start of this one; absent for the first
    /// one and for requests without data.
    #[inline]
    pub fn seek(&mut self, sector: u64, sectors: u64) -> Option<i64> {
        if sectors == 0 {
            return None;
        }
        let previous = self.end.replace(sector.saturating_add(sectors))?;
        Some(if sector >= previous {
            i64::try_from(sector - previous).unwrap_or(i64::MAX)
        } else {
            i64::try_from(previous - sector).map_or(i64::MIN, |back| -back)
        })
    }
}

/// The distances of a device in sectors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Seek {
    /// Number of samples: one fewer than requests.
    pub n: u64,
    /// Mean of the absolute distance, sectors.
    pub mean_abs: f64,
    /// Median of the absolute distance, sectors.
    pub median_abs: u64,
    /// Share of samples with distance 0.
    pub sequential_share: f64,
    /// Seeks of more than 64 KiB per second.
    pub per_second_64k: f64,
}

/// The distances of some requests, without their median.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeekTotals {
    n: u64,
    sum: u128,
    sequential: u64,
    far: u64,
}

impl SeekTotals {
    /// The figures, given the length of [first Q, last C]; absent with fewer than two requests. The
    /// median is 0, not measured.
    pub fn finish(self, active_ns: u64) -> Option<Seek> {
        let SeekTotals {
            n,
            sum,
            sequential,
            far,
        } = self;
        let tally = StageTally {
            n,
            sum,
            ..StageTally::default()
        };
        Some(Seek {
            n,
            mean_abs: tally.mean()?,
            median_abs: 0,
            sequential_share: ratio(u128::from(sequential), u128::from(n)),
            per_second_64k: per_second(far, active_ns),
        })
    }
}

/// Pass all requests to `add_all`, then all requests to `add_all_again`, in pieces of any size.
#[derive(Clone, Debug, Default)]
pub struct SeekCounter {
    head: SeekCursor,
    distances: Median,
    sequential: u64,
    far: u64,
    /// The totals after the first request of the current part; absent before it.
    part: Option<SeekTotals>,
    /// The cursor of the second pass.
    again: SeekCursor,
}

impl SeekCounter {
    /// Begins a part of the requests: its first one has no predecessor in it.
    pub fn begin_part(&mut self) {
        self.part = None;
    }

    /// The totals of the part that began last.
    pub fn part(&self) -> SeekTotals {
        let Some(before) = self.part else {
            return SeekTotals::default();
        };
        let after = self.totals();
        SeekTotals {
            n: after.n - before.n,
            sum: after.sum - before.sum,
            sequential: after.sequential - before.sequential,
            far: after.far - before.far,
        }
    }

    fn totals(&self) -> SeekTotals {
        let &StageTally { n, sum, .. } = self.distances.tally();
        SeekTotals {
            n,
            sum,
            sequential: self.sequential,
            far: self.far,
        }
    }

    /// First pass: first sectors and lengths, in order.
    #[inline]
    pub fn add_all(&mut self, requests: &[(u64, u32)]) {
        let first = match self.part {
            Some(_) => 0,
            None => match requests.iter().position(|&(_, sectors)| sectors > 0) {
                Some(first) => first + 1,
                None => return,
            },
        };
        let (first, others) = requests.split_at(first);
        if !first.is_empty() {
            self.add_each(first);
            self.part = Some(self.totals());
        }
        self.add_each(others);
    }

    #[inline]
    fn add_each(&mut self, requests: &[(u64, u32)]) {
        let SeekCounter {
            head,
            distances,
            sequential,
            far,
            ..
        } = self;
        let (mut cursor, mut none, mut long) = (*head, 0, 0);
        distances.add_all(requests.iter().filter_map(|&(sector, sectors)| {
            let distance = cursor.seek(sector, sectors.into())?.unsigned_abs();
            none += u64::from(distance == 0);
            long += u64::from(distance > FAR);
            Some(distance)
        }));
        *head = cursor;
        *sequential += none;
        *far += long;
    }

    /// Second pass: finds the exact median in the buckets that the first pass chose.
    #[inline]
    pub fn add_all_again(&mut self, requests: &[(u64, u32)]) {
        let mut cursor = self.again;
        self.distances
            .add_all_again(requests.iter().filter_map(|&(sector, sectors)| {
                Some(cursor.seek(sector, sectors.into())?.unsigned_abs())
            }));
        self.again = cursor;
    }

    /// Whether the second pass would change nothing.
    pub fn is_exact(&self) -> bool {
        self.distances.is_exact()
    }

    /// The figures, given the length of [first Q, last C]; absent with fewer than two requests.
    pub fn finish(self, active_ns: u64) -> Option<Seek> {
        let &tally = self.distances.tally();
        Some(Seek {
            n: tally.n,
            mean_abs: tally.mean()?,
            median_abs: self.distances.finish().unwrap_or_default(),
            sequential_share: ratio(u128::from(self.sequential), u128::from(tally.n)),
            per_second_64k: per_second(self.far, active_ns),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeks(requests: &[(u64, u32)]) -> Option<Seek> {
        let mut seeks = SeekCounter::default();
        requests.chunks(2).for_each(|some| seeks.add_all(some));
        requests
            .chunks(3)
            .for_each(|some| seeks.add_all_again(some));
        seeks.finish(500_000_000)
    }

    #[test]
    fn distances_by_hand() {
        // 0, +92, -308, +128 past the end of the flush's neighbour, +129.
        let s = seeks(&[
            (1000, 8),
            (1008, 8),
            (1108, 8),
            (808, 8),
            (u64::MAX, 0),
            (944, 8),
            (1081, 8),
        ])
        .unwrap();
        assert_eq!(
            (s.n, s.mean_abs, s.median_abs),
            (5, (92 + 308 + 128 + 129) as f64 / 5.0, 128)
        );
        assert_eq!((s.sequential_share, s.per_second_64k), (0.2, 4.0));
    }

    #[test]
    fn a_part_counts_as_if_it_were_alone() {
        let requests = [
            (1000, 8),
            (1, 0),
            (1008, 8),
            (5, 0),
            (1108, 8),
            (808, 8),
            (944, 8),
        ];
        for from in 0..=requests.len() {
            for to in from..=requests.len() {
                let mut seeks = SeekCounter::default();
                seeks.add_all(&requests[..from]);
                seeks.begin_part();
                requests[from..to]
                    .chunks(2)
                    .for_each(|some| seeks.add_all(some));
                let part = seeks.part().finish(500_000_000);
                let mut alone = SeekCounter::default();
                alone.add_all(&requests[from..to]);
                let alone = alone.finish(500_000_000).map(|seek| Seek {
                    median_abs: 0,
                    ..seek
                });
                assert_eq!(part, alone, "{from}..{to}");
            }
        }
    }

    #[test]
    fn sign_and_ends_of_the_range() {
        let mut head = SeekCursor::default();
        let seeks: Vec<_> = [(100, 8), (50, 8), (u64::MAX, 8), (0, 8)]
            .map(|(s, n)| head.seek(s, n))
            .into();
        assert_eq!(seeks, [None, Some(-58), Some(i64::MAX), Some(i64::MIN)]);
    }

    #[test]
    fn one_request_is_no_seek() {
        assert_eq!(
            (seeks(&[]), seeks(&[(0, 8)]), seeks(&[(0, 0), (8, 0)])),
            (None, None, None)
        );
    }
}

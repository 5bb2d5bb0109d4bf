//! Exact counts of request sizes.
//!
//! One histogram each at Q, D and C, by direction. Events of less than a sector (flushes, plugs,
//! small passthrough) have no size.

use seekscope_trace::event::Op;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Sizes below this many sectors (2 MiB) are counted in an array, larger ones in a map.
const SMALL: usize = 4096;

/// Number of requests of one length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeCount {
    /// Length in sectors.
    pub sectors: u64,
    pub reads: u64,
    pub writes: u64,
    pub discards: u64,
}

/// An exact histogram of lengths.
#[derive(Clone, Debug, Default)]
pub struct SizeCounter {
    small: Vec<[u64; 3]>,
    large: BTreeMap<u64, [u64; 3]>,
}

impl SizeCounter {
    pub fn add(&mut self, sectors: u64, op: Op, n: u64) {
        if sectors == 0 {
            return;
        }
        let direction = match op {
            Op::Read => 0,
            Op::Write | Op::Flush => 1,
            Op::Discard => 2,
        };
        let i = sectors as usize;
        if i < SMALL {
            if i >= self.small.len() {
                self.small.resize(i + 1, [0; 3]);
            }
            self.small[i][direction] += n;
        } else {
            self.large.entry(sectors).or_default()[direction] += n;
        }
    }

    /// The lengths that occur, ascending.
    pub fn counts(&self) -> Vec<SizeCount> {
        let small = self.small.iter().enumerate().map(|(i, n)| (i as u64, n));
        let all = small.chain(self.large.iter().map(|(&sectors, n)| (sectors, n)));
        all.filter(|(_, n)| **n != [0; 3])
            .map(|(sectors, &[reads, writes, discards])| SizeCount {
                sectors,
                reads,
                writes,
                discards,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_and_ascending() {
        let mut sizes = SizeCounter::default();
        for (sectors, op) in [
            (8_388_607, Op::Discard),
            (8, Op::Read),
            (8, Op::Write),
            (8, Op::Write),
            (0, Op::Flush),
            (4096, Op::Read),
            (1, Op::Read),
        ] {
            sizes.add(sectors, op, 1);
        }
        let counts: Vec<_> = sizes
            .counts()
            .iter()
            .map(|c| (c.sectors, c.reads, c.writes, c.discards))
            .collect();
        assert_eq!(
            counts,
            [
                (1, 1, 0, 0),
                (8, 1, 2, 0),
                (4096, 1, 0, 0),
                (8_388_607, 0, 0, 1)
            ]
        );
        assert!(SizeCounter::default().counts().is_empty());
    }
}

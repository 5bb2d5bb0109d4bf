//! How often consecutive requests of a device are of different processes.
//!
//! Over requests in the order of D: the share of consecutive requests with different submitting
//! processes, and the mean number of consecutive requests per process. The process of a request is
//! that of its first bio; requests without a known bio (from the flush machinery) are skipped.

use crate::ratio;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interleaving {
    /// Share of requests whose process differs from that of the previous request.
    pub switch_share: f64,
    /// Mean number of consecutive requests per process.
    pub mean_run: f64,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct InterleavingCounter {
    last: Option<u32>,
    n: u64,
    switches: u64,
}

impl InterleavingCounter {
    /// Adds the process of the next request.
    #[inline]
    pub fn add(&mut self, process: u32) {
        self.n += 1;
        self.switches += u64::from(
            self.last
                .replace(process)
                .is_some_and(|last| last != process),
        );
    }

    /// The figures; absent with fewer than two requests.
    pub fn finish(&self) -> Option<Interleaving> {
        (self.n > 1).then(|| Interleaving {
            switch_share: ratio(u128::from(self.switches), u128::from(self.n - 1)),
            mean_run: ratio(u128::from(self.n), u128::from(self.switches + 1)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_by_hand() {
        let mut turns = InterleavingCounter::default();
        [1, 1, 1, 2, 2, 1].into_iter().for_each(|p| turns.add(p));
        assert_eq!(
            turns.finish(),
            Some(Interleaving {
                switch_share: 0.4,
                mean_run: 2.0
            })
        );
        let mut counter = InterleavingCounter::default();
        counter.add(3);
        assert_eq!(
            (counter.finish(), InterleavingCounter::default().finish()),
            (None, None)
        );
    }
}

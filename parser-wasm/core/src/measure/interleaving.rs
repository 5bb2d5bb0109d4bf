//! Whether processes take turns at the device.
//!
//! Over requests in the order of D: the share of neighbours whose submitting process differs, and how many requests of one process
//! follow each other in the mean. A request's process is that of its first bio; requests without a known bio (the flush
//! machinery's) are passed over.

use super::ratio;
use serde::Serialize;

/// Turns in figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interleaving {
    /// Share of requests whose process is not that of the request before.
    pub switch_share: f64,
    /// Requests in a row of one process, mean.
    pub mean_run: f64,
}

/// Counts turns.
#[derive(Clone, Copy, Debug, Default)]
pub struct InterleavingCounter {
    last: Option<u32>,
    n: u64,
    switches: u64,
}

impl InterleavingCounter {
    /// Adds the next request's process.
    #[inline]
    pub fn add(&mut self, process: u32) {
        self.n += 1;
        self.switches += u64::from(self.last.replace(process).is_some_and(|last| last != process));
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
        assert_eq!(turns.finish(), Some(Interleaving { switch_share: 0.4, mean_run: 2.0 }));
        let mut one = InterleavingCounter::default();
        one.add(3);
        assert_eq!((one.finish(), InterleavingCounter::default().finish()), (None, None));
    }
}

//! The time in which anything of a kind is in flight.

/// Adds up intervals that begin in ascending order; what overlaps counts once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BusyTime {
    pub ns: u64,
    /// The end of the last interval.
    pub until: u64,
}

impl BusyTime {
    pub fn add(&mut self, from: u64, to: u64) {
        let from = from.max(self.until);
        if to > from {
            self.ns += to - from;
            self.until = to;
        }
    }
}

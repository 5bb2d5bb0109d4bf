//! How often the drivers below the block layer were at work.

/// Counts the commands of drivers in a file, and how long they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DriverCounts {
    /// Commands of nvme, of scsi and ufs, and of mmc that were started.
    pub nvme: u64,
    pub scsi: u64,
    pub mmc: u64,
    /// Commands with start and end, and the sum and the longest of their times, ns.
    pub completed: u64,
    pub total_ns: u64,
    pub longest_ns: u64,
    /// Commands that ended with an error.
    pub failed: u64,
    /// Commands that were issued again.
    pub refused: u64,
    pub timed_out: u64,
    /// Ended without having been seen to start.
    pub unmatched: u64,
    /// Events whose command was not decoded by the tool that printed the text.
    pub undecoded: u64,
    /// The commands are the requests of the trace.
    pub requests: bool,
}

impl DriverCounts {
    /// Adds the counts of another file.
    pub fn add(&mut self, other: &DriverCounts) {
        let sums = [
            (&mut self.nvme, other.nvme),
            (&mut self.scsi, other.scsi),
            (&mut self.mmc, other.mmc),
            (&mut self.completed, other.completed),
            (&mut self.total_ns, other.total_ns),
            (&mut self.failed, other.failed),
            (&mut self.refused, other.refused),
            (&mut self.timed_out, other.timed_out),
            (&mut self.unmatched, other.unmatched),
            (&mut self.undecoded, other.undecoded),
        ];
        sums.into_iter()
            .for_each(|(sum, n)| *sum = sum.saturating_add(n));
        self.longest_ns = self.longest_ns.max(other.longest_ns);
        self.requests |= other.requests;
    }

    /// Whether there is no event of a driver.
    pub fn is_empty(&self) -> bool {
        *self == DriverCounts::default()
    }
}

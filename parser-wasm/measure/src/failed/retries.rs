//! Decides whether failed sectors were issued again.

use seekscope_trace::event::Op;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// Failures of a device that are followed at the same time.
const MAX_FOLLOWED: usize = 4096;
/// Parts of one failed range that are still missing, before it is no longer followed.
const MAX_PARTS: usize = 64;
/// Followed failures that are looked at: once, and per event of the device. A hostile recording
/// with overlapping failures would otherwise cost their product.
const BUDGET: u64 = 1 << 20;
const BUDGET_PER_EVENT: u64 = 16;

/// The fate of failed requests with data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Retries {
    /// Any of their sectors was issued again, in the same operation.
    pub issued_again: u64,
    /// Number of retried requests whose sectors all completed without an error.
    pub succeeded: u64,
    /// Number of retried requests of which some sectors failed again first.
    pub failed_again: u64,
    /// Number of requests that were not followed, because too many others had failed before.
    #[serde(skip_serializing_if = "super::is_zero")]
    pub not_followed: u64,
}

/// A failure whose sectors may be issued again.
struct Followed {
    end: u64,
    issued_again: bool,
    /// The sectors that have not completed since.
    missing: Vec<Range<u64>>,
}

/// Operation, first sector, and a number that distinguishes equal ones.
type Key = (Op, u64, u64);

/// Takes the events of a device in their order, from its first failure on.
#[derive(Default)]
pub struct RetryTracker {
    followed: BTreeMap<Key, Followed>,
    /// Sectors of the longest failure: none that begins further below overlaps.
    longest: u64,
    next: u64,
    spent: u64,
    earned: u64,
    counts: Retries,
}

impl RetryTracker {
    /// Takes sectors that are given to the device.
    pub fn issue(&mut self, op: Op, sectors: Range<u64>) {
        for key in self.overlapping(op, &sectors, false) {
            if let Some(failure) = self.followed.get_mut(&key) {
                failure.issued_again = true;
                self.counts.issued_again += 1;
            }
        }
    }

    /// Takes sectors that completed without an error.
    pub fn succeed(&mut self, op: Op, sectors: Range<u64>) {
        for key in self.overlapping(op, &sectors, true) {
            let Some(failure) = self.followed.get_mut(&key) else {
                continue;
            };
            failure.missing = without(&failure.missing, &sectors);
            self.counts.succeeded += u64::from(failure.missing.is_empty());
            if failure.missing.is_empty() || failure.missing.len() > MAX_PARTS {
                self.followed.remove(&key);
            }
        }
    }

    /// Sectors failed: those that failed before did so again.
    pub fn fail(&mut self, op: Op, sectors: Range<u64>) {
        for key in self.overlapping(op, &sectors, true) {
            self.followed.remove(&key);
            self.counts.failed_again += 1;
        }
        if self.followed.len() >= MAX_FOLLOWED || self.is_exhausted() {
            self.counts.not_followed += 1;
            return;
        }
        self.longest = self.longest.max(sectors.end - sectors.start);
        self.next += 1;
        self.followed.insert(
            (op, sectors.start, self.next),
            Followed {
                end: sectors.end,
                issued_again: false,
                missing: vec![sectors],
            },
        );
    }

    /// The counts; absent where the budget did not suffice.
    pub fn finish(self) -> Option<Retries> {
        (!self.is_exhausted()).then_some(self.counts)
    }

    fn is_exhausted(&self) -> bool {
        self.spent > BUDGET + self.earned
    }

    fn overlapping(&mut self, op: Op, sectors: &Range<u64>, issued_again: bool) -> Vec<Key> {
        self.earned += BUDGET_PER_EVENT;
        if self.followed.is_empty() || self.is_exhausted() {
            return Vec::new();
        }
        let first = (op, sectors.start.saturating_sub(self.longest), 0);
        let mut looked_at = 0;
        let found = self
            .followed
            .range(first..(op, sectors.end, 0))
            .inspect(|_| looked_at += 1)
            .filter(|(_, failure)| {
                failure.end > sectors.start && failure.issued_again == issued_again
            })
            .map(|(key, _)| *key)
            .collect();
        self.spent += looked_at;
        found
    }
}

/// The parts of some ranges outside of another one.
fn without(ranges: &[Range<u64>], cut: &Range<u64>) -> Vec<Range<u64>> {
    ranges
        .iter()
        .flat_map(|range| {
            [
                range.start..range.end.min(cut.start),
                range.start.max(cut.end)..range.end,
            ]
        })
        .filter(|range| range.start < range.end)
        .collect()
}

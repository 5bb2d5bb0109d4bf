//! The numbers that all readers of answers hold: JavaScript, JSON and tables have 53 bits. Larger
//! ones would come back rounded, or as no integers at all. They are refused or clamped where they
//! are read.

use serde::{Deserialize, Serialize};

/// The largest number that all readers of answers hold exactly: 2^53 - 1.
pub const MAX_EXACT: u64 = (1 << 53) - 1;
/// The last sector at which an event may begin: its end, at most 4 GiB later, is exact, too.
pub const MAX_SECTOR: u64 = MAX_EXACT - (u32::MAX >> 9) as u64;
/// The latest time of a trace clock, ns: 146 years. A clock that counts from 1970 reaches it in
/// 2116; what is later is usually a negative time.
pub const MAX_TIME: u64 = 1 << 62;

/// Things that a source counted, such as lost events, added up. A count beyond [`MAX_EXACT`] is
/// read as that, and noted: it is damage, which a clamped number alone would hide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportedCount {
    sum: u64,
    outliers: Option<CountOutliers>,
}

/// Counts that cannot be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountOutliers {
    /// Digits of the first one: as a number it would be rounded.
    pub first: String,
    pub count: u64,
    /// Line of the first one from 1 and its byte, where the format has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
}

/// Digits that are shown of a count.
const MAX_DIGITS: usize = 40;

impl ReportedCount {
    /// At most [`MAX_EXACT`].
    pub fn sum(&self) -> u64 {
        self.sum
    }

    pub fn outliers(&self) -> Option<&CountOutliers> {
        self.outliers.as_ref()
    }

    /// Adds a count without a place in the file.
    pub fn add(&mut self, count: u64) {
        self.add_at(count, None, None);
    }

    /// Adds a count of the line, from 1, and the byte where it is.
    pub fn add_at(&mut self, count: u64, line: Option<u64>, byte: Option<u64>) {
        let sum = self.sum.saturating_add(count);
        if sum > MAX_EXACT {
            self.note(count.to_string(), line, byte);
        }
        self.sum = sum.min(MAX_EXACT);
    }

    /// Adds a count as it is written, of any number of digits; `false` if it is no count.
    pub fn add_digits(&mut self, digits: &str, line: Option<u64>) -> bool {
        let is_count = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if !is_count {
            return false;
        }
        match digits.parse() {
            Ok(count) => self.add_at(count, line, None),
            Err(_) => {
                self.note(digits.chars().take(MAX_DIGITS).collect(), line, None);
                self.sum = MAX_EXACT;
            }
        }
        true
    }

    fn note(&mut self, first: String, line: Option<u64>, byte: Option<u64>) {
        let outliers = self.outliers.get_or_insert(CountOutliers {
            first,
            count: 0,
            line,
            byte,
        });
        outliers.count += 1;
    }

    /// Adds the counts of another part of the same file.
    pub fn merge(&mut self, other: &ReportedCount) {
        self.note_outliers(other);
        if other.outliers.is_none() && self.outliers.is_none() {
            self.add(other.sum);
        } else {
            self.sum = self.sum.saturating_add(other.sum).min(MAX_EXACT);
        }
    }

    /// Adds only the counts of another part that cannot be.
    pub fn note_outliers(&mut self, other: &ReportedCount) {
        let previous = self.outliers.take();
        self.outliers = match (previous, &other.outliers) {
            (Some(previous), Some(other)) => Some(CountOutliers {
                count: previous.count + other.count,
                ..previous
            }),
            (previous, other) => previous.or_else(|| other.clone()),
        };
    }

    /// The larger of two counts of the same things, with the outliers of both.
    #[must_use]
    pub fn max(mut self, other: &ReportedCount) -> ReportedCount {
        self.outliers = self.outliers.or_else(|| other.outliers.clone());
        self.sum = self.sum.max(other.sum);
        self
    }
}

/// A sum of counts that are each at most [`MAX_EXACT`], as "at least so many".
pub fn clamped(count: u64) -> u64 {
    count.min(MAX_EXACT)
}

/// Sectors of a stripe at most: 512 TiB. Keeps sums of sectors far from the limits of 64 bits.
const MAX_STRIPE_SECTORS: u64 = 1 << 40;
/// Data disks of a stripe at most, as in the page's form.
pub const MAX_STRIPE_DISKS: u64 = 1024;

/// Whether a stripe can have so many data disks with so many sectors each.
pub fn is_stripe(unit_sectors: u64, disks: u64) -> bool {
    disks <= MAX_STRIPE_DISKS
        && unit_sectors
            .checked_mul(disks)
            .is_some_and(|sectors| sectors <= MAX_STRIPE_SECTORS)
}

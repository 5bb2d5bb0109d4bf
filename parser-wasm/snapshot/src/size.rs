//! Sizes of a snapshot, and the detail of each.

use super::brief::{self, BriefLevel};
use serde::{Deserialize, Serialize};

/// The sizes in which a snapshot can be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SnapshotSize {
    /// Two runs in a link of 2,000 characters.
    XS,
    /// Two runs in a link of 8,000 characters.
    #[default]
    S,
    /// A link that most browsers and chats accept.
    M,
    /// A link that only browsers take: mail programs and trackers cut it.
    L,
    /// A report file.
    File,
}

impl SnapshotSize {
    /// The detail of an attempt; `None` when no smaller one is left.
    pub fn detail(self, step: usize) -> Option<SnapshotDetail> {
        let detail = |columns, rows, digits, all, pieces| SnapshotDetail {
            columns,
            rows,
            digits,
            all,
            pieces,
            brief: false,
        };
        match self {
            SnapshotSize::XS => brief::level_of_attempt(step).map(BriefLevel::detail),
            SnapshotSize::S => {
                let steps = [
                    (256, 80),
                    (208, 72),
                    (176, 64),
                    (152, 56),
                    (128, 48),
                    (112, 44),
                    (96, 40),
                    (84, 36),
                    (72, 32),
                    (60, 28),
                    (48, 24),
                    (40, 20),
                    (32, 16),
                    (24, 12),
                    (16, 8),
                ];
                steps
                    .get(step)
                    .map(|&(columns, rows)| detail(columns, rows, 5, false, false))
            }
            SnapshotSize::M => (step == 0).then(|| detail(256, 96, 6, true, false)),
            SnapshotSize::L => (step == 0).then(|| detail(640, 104, 9, true, true)),
            SnapshotSize::File => (step == 0).then(|| detail(1600, 104, 17, true, true)),
        }
    }

    /// Significant digits of numbers that are not whole.
    pub fn digits(self) -> usize {
        self.detail(0).map_or(17, |detail| detail.digits)
    }
}

/// How much a snapshot keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SnapshotDetail {
    /// Columns of maps and bins of series.
    pub columns: usize,
    /// Rows of maps.
    pub rows: usize,
    /// Significant digits of numbers that are not whole.
    pub digits: usize,
    /// Keeps all stages, percentile curves and intervals, not only those that are shown.
    pub all: bool,
    /// The bins from which a comparison computes confidence intervals; without them it cannot be
    /// repeated for another arrangement.
    pub pieces: bool,
    /// Keeps only the most important figures, findings and charts (size XS).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub brief: bool,
}

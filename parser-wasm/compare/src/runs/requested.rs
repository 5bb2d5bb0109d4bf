//! Where the bytes that were requested of a device are counted.

/// An action at which the bytes of a device are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkEvidence {
    Queued,
    Issued,
    Completed,
}

impl WorkEvidence {
    /// In the order of preference: a bio as queued is what was requested, before merges, splits and
    /// retries.
    pub const ALL: [WorkEvidence; 3] = [
        WorkEvidence::Queued,
        WorkEvidence::Issued,
        WorkEvidence::Completed,
    ];

    pub fn word(self) -> &'static str {
        match self {
            WorkEvidence::Queued => "requested",
            WorkEvidence::Issued => "issued",
            WorkEvidence::Completed => "completed",
        }
    }
}

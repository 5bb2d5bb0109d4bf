//! What a range of a lower device holds of an upper one.

/// What a range of a lower device holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpperPlace {
    /// Nothing of this upper device.
    Outside,
    /// Data of the layer itself.
    Internal,
    /// Not known.
    Unknown,
    /// The sectors of the upper device from this one on.
    Data(u64),
    /// A part of a stripe with parity.
    Stripe(StripePart),
}

/// A range within one chunk of a stripe with parity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripePart {
    /// The first sector of the upper device at the same place within the first data chunk.
    pub first: u64,
    /// Distance to the next data chunk.
    pub chunk: u64,
    /// Number of data chunks in a stripe.
    pub chunks: u64,
    /// The data that this range holds; `None` is parity.
    pub data: Option<u64>,
    /// Whether a member is missing, so that others are read in its stead.
    pub is_degraded: bool,
}

/// The beginning of a range, as long as it is of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub sectors: u64,
    pub place: UpperPlace,
}

//! The arithmetic of layers, upwards: which sectors of the upper device a range of a lower device
//! holds.

use crate::raid::{Parity, Raid10};

/// How the sectors of one lower device belong to an upper one.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// `sectors` from `lower` on are those from `upper` on. Copies are linear, too.
    Linear {
        lower: u64,
        sectors: u64,
        upper: u64,
    },
    /// Chunks of `chunk` sectors, each `count`th one on this device, which is the `index`th.
    Striped {
        lower: u64,
        sectors: u64,
        upper: u64,
        chunk: u64,
        count: u64,
        index: u64,
    },
    /// A member of RAID 10, its data from `lower` on.
    Raid10 {
        lower: u64,
        sectors: u64,
        raid: Raid10,
        slot: u64,
    },
    /// A member of RAID 4, 5 or 6, its data from `lower` on.
    Parity {
        lower: u64,
        sectors: u64,
        raid: Parity,
        slot: u64,
    },
    /// The data of a thin pool; the index of the mappings of its thin device.
    Thin { maps: usize },
    /// A device that only the layer itself reads and writes: metadata, a log.
    Internal,
    /// The layer puts copies of data at places that are not known.
    Unknown,
}

/// What a range of a lower device holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
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
    pub place: Place,
}

impl Rule {
    /// What the first sectors of a range hold; at least one sector of a range that is not empty.
    pub fn step(&self, thin: &[crate::geometry::thin::ThinMap], sector: u64, sectors: u64) -> Step {
        let all = |place| Step { sectors, place };
        match self {
            Rule::Internal => all(Place::Internal),
            Rule::Unknown => all(Place::Unknown),
            Rule::Thin { maps } => thin
                .get(*maps)
                .map_or(all(Place::Unknown), |map| map.step(sector, sectors)),
            &Rule::Linear {
                lower,
                sectors: length,
                upper,
            } => within(lower, length, sector, sectors, Place::Outside, |y, n| {
                data(upper.saturating_add(y), n)
            }),
            &Rule::Striped {
                lower,
                sectors: length,
                upper,
                chunk,
                count,
                index,
            } => within(lower, length, sector, sectors, Place::Outside, |y, n| {
                let chunk = chunk.max(1);
                let (row, offset) = (y / chunk, y % chunk);
                let place = row
                    .saturating_mul(count)
                    .saturating_add(index)
                    .saturating_mul(chunk)
                    .saturating_add(offset);
                data(upper.saturating_add(place), n.min(chunk - offset))
            }),
            Rule::Raid10 {
                lower,
                sectors: length,
                raid,
                slot,
            } => within(*lower, *length, sector, sectors, Place::Internal, |y, n| {
                raid.step(*slot, y, n)
            }),
            Rule::Parity {
                lower,
                sectors: length,
                raid,
                slot,
            } => within(*lower, *length, sector, sectors, Place::Internal, |y, n| {
                raid.step(*slot, y, n)
            }),
        }
    }
}

fn data(sector: u64, sectors: u64) -> Step {
    Step {
        sectors,
        place: Place::Data(sector),
    }
}

/// The step of a rule that covers `length` sectors from `lower` on; `before` is what lies before
/// them, and nothing lies behind.
fn within(
    lower: u64,
    length: u64,
    sector: u64,
    sectors: u64,
    before: Place,
    inside: impl Fn(u64, u64) -> Step,
) -> Step {
    match sector.checked_sub(lower) {
        None => Step {
            sectors: sectors.min(lower - sector),
            place: before,
        },
        Some(y) if y >= length => Step {
            sectors,
            place: Place::Outside,
        },
        Some(y) => inside(y, sectors.min(length - y)),
    }
}

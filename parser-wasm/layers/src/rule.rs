//! The arithmetic of layers, upwards: which sectors of the upper device a range of a lower device
//! holds.

use crate::geometry::thin::ThinMap;
use crate::place::{Step, UpperPlace};
use crate::raid::{Parity, Raid10};

/// How the sectors of one lower device belong to an upper one.
#[derive(Clone, Debug, PartialEq)]
pub enum LayerRule {
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
    /// Sectors that only the layer itself reads and writes: metadata, a log.
    Internal { sectors: u64 },
    /// The layer puts copies of data at places that are not known.
    Unknown,
}

impl LayerRule {
    /// First sector and end of what the rule says something about.
    pub fn range(&self) -> (u64, u64) {
        match self {
            LayerRule::Linear { lower, sectors, .. }
            | LayerRule::Striped { lower, sectors, .. } => (*lower, lower.saturating_add(*sectors)),
            LayerRule::Internal { sectors } => (0, *sectors),
            _ => (0, u64::MAX),
        }
    }

    /// What the first sectors of a range hold; at least one sector of a range that is not empty.
    pub fn step(&self, thin: &[ThinMap], sector: u64, sectors: u64) -> Step {
        let all = |place| Step { sectors, place };
        match self {
            &LayerRule::Internal { sectors: length } => {
                within(0, length, sector, sectors, UpperPlace::Outside, |_, n| {
                    Step {
                        sectors: n,
                        place: UpperPlace::Internal,
                    }
                })
            }
            LayerRule::Unknown => all(UpperPlace::Unknown),
            LayerRule::Thin { maps } => thin
                .get(*maps)
                .map_or(all(UpperPlace::Unknown), |map| map.step(sector, sectors)),
            &LayerRule::Linear {
                lower,
                sectors: length,
                upper,
            } => within(
                lower,
                length,
                sector,
                sectors,
                UpperPlace::Outside,
                |y, n| data(upper.saturating_add(y), n),
            ),
            &LayerRule::Striped {
                lower,
                sectors: length,
                upper,
                chunk,
                count,
                index,
            } => within(
                lower,
                length,
                sector,
                sectors,
                UpperPlace::Outside,
                |y, n| {
                    let chunk = chunk.max(1);
                    let (row, offset) = (y / chunk, y % chunk);
                    let place = row
                        .saturating_mul(count)
                        .saturating_add(index)
                        .saturating_mul(chunk)
                        .saturating_add(offset);
                    data(upper.saturating_add(place), n.min(chunk - offset))
                },
            ),
            LayerRule::Raid10 {
                lower,
                sectors: length,
                raid,
                slot,
            } => within(
                *lower,
                *length,
                sector,
                sectors,
                UpperPlace::Internal,
                |y, n| raid.step(*slot, y, n),
            ),
            LayerRule::Parity {
                lower,
                sectors: length,
                raid,
                slot,
            } => within(
                *lower,
                *length,
                sector,
                sectors,
                UpperPlace::Internal,
                |y, n| raid.step(*slot, y, n),
            ),
        }
    }
}

fn data(sector: u64, sectors: u64) -> Step {
    Step {
        sectors,
        place: UpperPlace::Data(sector),
    }
}

/// The step of a rule that covers `length` sectors from `lower` on; `before` is what lies before
/// them, and nothing lies behind.
fn within(
    lower: u64,
    length: u64,
    sector: u64,
    sectors: u64,
    before: UpperPlace,
    inside: impl Fn(u64, u64) -> Step,
) -> Step {
    match sector.checked_sub(lower) {
        None => Step {
            sectors: sectors.min(lower - sector),
            place: before,
        },
        Some(y) if y >= length => Step {
            sectors,
            place: UpperPlace::Outside,
        },
        Some(y) => inside(y, sectors.min(length - y)),
    }
}

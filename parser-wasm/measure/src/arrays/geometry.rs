//! The stripe geometry of an array, and its text form `unit=256KiB,disks=4,start=63s,level=raid5`.

use seekscope_trace::limits::{MAX_SECTOR, is_stripe};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// RAID level, as far as it affects stripes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Not known, or no RAID.
    #[default]
    None,
    /// Striped without parity.
    Raid0,
    /// One parity unit per stripe.
    Raid5,
    /// Two parity units per stripe.
    Raid6,
    /// Striped mirrors.
    Raid10,
}

impl Level {
    pub const ALL: [Level; 5] = [
        Level::None,
        Level::Raid0,
        Level::Raid5,
        Level::Raid6,
        Level::Raid10,
    ];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::Raid0 => "raid0",
            Level::Raid5 => "raid5",
            Level::Raid6 => "raid6",
            Level::Raid10 => "raid10",
        }
    }

    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Number of parity units per stripe.
    pub fn parity(self) -> u64 {
        match self {
            Level::Raid5 => 1,
            Level::Raid6 => 2,
            Level::None | Level::Raid0 | Level::Raid10 => 0,
        }
    }
}

/// Stripe geometry. Unit and disks are never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    level: Level,
    unit: u64,
    disks: u64,
    start: u64,
}

/// The reason why a geometry is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GeometryError {
    /// A part that is not `key=value`, or whose key is not unit, disks, start or level.
    UnknownPart(String),
    /// A value that cannot be parsed: key and value.
    BadValue(String, String),
    /// The unit or the number of disks is missing, or 0.
    Missing(&'static str),
    /// A stripe of too many sectors or disks, or a start that no disk has.
    TooLarge,
}

impl fmt::Display for GeometryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GeometryError::UnknownPart(part) => {
                write!(
                    f,
                    "unknown '{part}': use unit=SIZE, disks=N, start=SIZE, \
                        level=raid0|raid5|raid6|raid10|none"
                )
            }
            GeometryError::BadValue(key, value) if key == "disks" || key == "level" => {
                write!(f, "invalid {key} '{value}'")
            }
            GeometryError::BadValue(key, value) => {
                write!(
                    f,
                    "invalid {key} '{value}': use a whole number with s (sectors), KiB or MiB"
                )
            }
            GeometryError::Missing(key) => write!(f, "{key} is required and must not be 0"),
            GeometryError::TooLarge => write!(
                f,
                "the stripe is larger than 512 TiB, has more than 1024 disks, or starts beyond \
                    4 EiB"
            ),
        }
    }
}

impl std::error::Error for GeometryError {}

impl Geometry {
    /// Stripe unit and start in sectors; `disks` are those with data, without parity.
    pub fn new(level: Level, unit: u64, disks: u64, start: u64) -> Result<Geometry, GeometryError> {
        if unit == 0 {
            return Err(GeometryError::Missing("unit"));
        }
        if disks == 0 {
            return Err(GeometryError::Missing("disks"));
        }
        if !is_stripe(unit, disks) || start > MAX_SECTOR {
            return Err(GeometryError::TooLarge);
        }
        Ok(Geometry {
            level,
            unit,
            disks,
            start,
        })
    }

    pub fn level(&self) -> Level {
        self.level
    }

    /// Length of the stripe unit in sectors.
    pub fn unit(&self) -> u64 {
        self.unit
    }

    /// Number of disks with data.
    pub fn disks(&self) -> u64 {
        self.disks
    }

    /// First sector of the array or partition.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Sectors per full stripe: unit times data disks.
    pub fn stripe(&self) -> u64 {
        self.unit * self.disks
    }

    /// Stripe number of a sector, and its offset in the stripe. Stripe 0 is the one before sector 0
    /// of the device, so that sectors before `start` have a number too.
    #[inline]
    pub fn place(&self, sector: u64) -> (u64, u64) {
        let stripe = self.stripe();
        let shifted = sector.wrapping_add(stripe - self.start % stripe);
        (shifted / stripe, shifted % stripe)
    }
}

impl FromStr for Geometry {
    type Err = GeometryError;

    fn from_str(spec: &str) -> Result<Geometry, GeometryError> {
        let (mut unit, mut disks, mut start, mut level) = (0, 1, 0, Level::None);
        for part in spec
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| GeometryError::UnknownPart(part.into()))?;
            let bad = || GeometryError::BadValue(key.into(), value.into());
            match key {
                "unit" => unit = size(value).ok_or_else(bad)?,
                "start" => start = size(value).ok_or_else(bad)?,
                "disks" => disks = value.parse().map_err(|_| bad())?,
                "level" => level = Level::from_name(value).ok_or_else(bad)?,
                _ => return Err(GeometryError::UnknownPart(part.into())),
            }
        }
        Geometry::new(level, unit, disks, start)
    }
}

/// Sectors of `63s`, `256KiB`, `1MiB`; 0 needs no unit.
fn size(text: &str) -> Option<u64> {
    let (number, sectors) = [("MiB", 2048), ("KiB", 2), ("s", 1)]
        .into_iter()
        .find_map(|(suffix, sectors)| Some((text.strip_suffix(suffix)?, sectors)))
        .or((text == "0").then_some((text, 0)))?;
    if !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    number.parse::<u64>().ok()?.checked_mul(sectors)
}

impl fmt::Display for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit {
            unit if unit % 2048 == 0 => write!(f, "unit={}MiB", unit / 2048)?,
            unit if unit % 2 == 0 => write!(f, "unit={}KiB", unit / 2)?,
            unit => write!(f, "unit={unit}s")?,
        }
        write!(
            f,
            ",disks={},start={}s,level={}",
            self.disks,
            self.start,
            self.level.name()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_come_back() {
        for spec in [
            "unit=256KiB,disks=4,start=63s,level=raid5",
            "unit=1MiB,disks=1,start=0s,level=none",
            "unit=3s,disks=2,start=5s,level=raid10",
        ] {
            assert_eq!(
                spec.parse::<Geometry>().map(|g| g.to_string()).as_deref(),
                Ok(spec)
            );
        }
        let g: Geometry = "level=raid6, unit=128s".parse().unwrap();
        assert_eq!(
            (g.level(), g.unit(), g.disks(), g.start()),
            (Level::Raid6, 128, 1, 0)
        );
        assert_eq!(
            "unit=64KiB,start=0".parse::<Geometry>().map(|g| g.unit()),
            Ok(128)
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |spec: &str| spec.parse::<Geometry>().unwrap_err();
        assert_eq!(error("disks=4"), GeometryError::Missing("unit"));
        assert_eq!(error("unit=4KiB,disks=0"), GeometryError::Missing("disks"));
        assert_eq!(
            error("unit=256"),
            GeometryError::BadValue("unit".into(), "256".into())
        );
        assert_eq!(
            error("unit=+4s"),
            GeometryError::BadValue("unit".into(), "+4s".into())
        );
        assert_eq!(
            error("unit=4s,level=raid7"),
            GeometryError::BadValue("level".into(), "raid7".into())
        );
        assert_eq!(
            error("unit=4s,chunk=4s"),
            GeometryError::UnknownPart("chunk=4s".into())
        );
        assert_eq!(
            error("unit=18446744073709551615s,disks=2"),
            GeometryError::TooLarge
        );
        assert_eq!(
            error("unit=18446744073709551615MiB"),
            GeometryError::BadValue("unit".into(), "18446744073709551615MiB".into())
        );
        assert_eq!(error("unit=4s,disks=1025"), GeometryError::TooLarge);
        assert_eq!(error("").to_string(), "unit is required and must not be 0");
    }

    #[test]
    fn places_before_the_start_count_too() {
        let g = Geometry::new(Level::Raid5, 8, 2, 20).unwrap();
        assert_eq!(
            (g.place(4), g.place(19), g.place(20), g.place(36)),
            ((1, 0), (1, 15), (2, 0), (3, 0))
        );
        assert_eq!(g.place(3), (0, 15));
    }
}

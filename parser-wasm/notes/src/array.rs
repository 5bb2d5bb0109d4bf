//! The striped arrays that notes describe.

use seekscope_trace::limits::{MAX_STRIPE_DISKS, is_stripe};
use serde::Serialize;

const SECTOR: u64 = 512;
/// Minimum I/O sizes up to a page (4 KiB) do not describe stripes.
const MIN_UNIT_BYTES: u64 = 4096;

/// A RAID level that writes in stripes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ArrayLevel {
    Raid0,
    Raid5,
    Raid6,
    Raid10,
}

/// A striped array. Values that the text lacks are `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[doc(alias = "StripedArray")]
pub struct Array {
    /// The name of the array, such as `md0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<ArrayLevel>,
    /// Size of the stripe unit: what one disk has of a stripe.
    pub unit_sectors: u64,
    /// Number of disks with data, without parity and copies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disks: Option<u64>,
}

impl Array {
    /// The array of md's description; `None` for levels without stripes. `disks` counts all disks;
    /// `copies` is only used for RAID 10.
    pub fn of_md(
        device: Option<&str>,
        level: &str,
        disks: Option<u64>,
        chunk: u64,
        copies: u64,
    ) -> Option<Array> {
        let (level, parity) = match level.trim().trim_start_matches("raid") {
            "0" => (ArrayLevel::Raid0, 0),
            "5" => (ArrayLevel::Raid5, 1),
            "6" => (ArrayLevel::Raid6, 2),
            "10" => (ArrayLevel::Raid10, 0),
            _ => return None,
        };
        let share = if level == ArrayLevel::Raid10 {
            copies.max(1)
        } else {
            1
        };
        let data = disks
            .and_then(|n| n.checked_sub(parity))
            .filter(|n| n % share == 0)
            .map(|n| n / share);
        let unit_sectors = chunk / SECTOR;
        let disks = data.filter(|n| (1..=MAX_STRIPE_DISKS).contains(n));
        if chunk == 0
            || !chunk.is_multiple_of(SECTOR)
            || !is_stripe(unit_sectors, disks.unwrap_or(1))
        {
            return None;
        }
        Some(Array {
            device: device.map(str::to_owned),
            level: Some(level),
            unit_sectors,
            disks,
        })
    }

    /// The array that the minimum and optimal I/O size of a device suggest, in bytes; `None` if
    /// they do not describe stripes.
    pub fn of_limits(device: Option<&str>, least: u64, best: u64) -> Option<Array> {
        let striped = least > MIN_UNIT_BYTES
            && least.is_multiple_of(SECTOR)
            && best > least
            && best.is_multiple_of(least);
        let disks = best
            .checked_div(least)
            .filter(|n| striped && is_stripe(least / SECTOR, *n))?;
        Some(Array {
            device: device.map(str::to_owned),
            level: None,
            unit_sectors: least / SECTOR,
            disks: Some(disks),
        })
    }
}

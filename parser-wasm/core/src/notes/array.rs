//! Striped arrays as a note describes them.

use serde::Serialize;

const SECTOR: u64 = 512;
/// An optimal size that is no multiple of a unit of at least so many bytes says nothing of stripes: 4 KiB is a page.
const LEAST_UNIT: u64 = 4096;
const MOST_DISKS: u64 = 1024;

/// A striped array. What the text does not tell is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Array {
    /// `md0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// `raid0`, `raid5`, `raid6`, `raid10`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<&'static str>,
    /// What one disk holds of a stripe.
    pub unit_sectors: u64,
    /// Disks without those for parity and copies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disks: Option<u64>,
}

impl Array {
    /// As md describes it; `disks` counts all, `copies` is that of a RAID 10. Absent for levels without stripes.
    pub fn of_md(device: Option<&str>, level: &str, disks: Option<u64>, chunk: u64, copies: u64) -> Option<Array> {
        let (level, parity) = match level.trim().trim_start_matches("raid") {
            "0" => ("raid0", 0),
            "5" => ("raid5", 1),
            "6" => ("raid6", 2),
            "10" => ("raid10", 0),
            _ => return None,
        };
        let share = if level == "raid10" { copies.max(1) } else { 1 };
        let data = disks.and_then(|n| n.checked_sub(parity)).filter(|n| n % share == 0).map(|n| n / share);
        if chunk == 0 || !chunk.is_multiple_of(SECTOR) {
            return None;
        }
        Some(Array {
            device: device.map(str::to_owned),
            level: Some(level),
            unit_sectors: chunk / SECTOR,
            disks: data.filter(|n| (1..=MOST_DISKS).contains(n)),
        })
    }

    /// As a device's least and best I/O size hint at it, bytes; absent where they do not.
    pub fn of_limits(device: Option<&str>, least: u64, best: u64) -> Option<Array> {
        let striped = least > LEAST_UNIT && least.is_multiple_of(SECTOR) && best > least && best.is_multiple_of(least);
        let disks = best.checked_div(least).filter(|n| striped && *n <= MOST_DISKS)?;
        Some(Array { device: device.map(str::to_owned), level: None, unit_sectors: least / SECTOR, disks: Some(disks) })
    }
}

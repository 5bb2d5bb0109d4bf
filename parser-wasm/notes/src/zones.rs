//! `blkzone report`: one line per zone, in sectors of 512 bytes.
//!
//! ```text
//! start: 0x000008000, len 0x008000, cap 0x008000, wptr 0x000000 reset:0 non-seq:0, zcond: 0(nw) [type: 1(CONVENTIONAL)]
//! ```

use super::{Fact, Note, Setting};
use seekscope_trace::limits::MAX_SECTOR;
use seekscope_trace::sorting::SortShort;
use serde::{Deserialize, Serialize};

/// Zones that are read of a report.
const MAX_ZONES: usize = 1 << 20;

/// The zones of a disk, as notes describe them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneNote {
    /// Name of the disk; absent where the text has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Size of a zone in sectors.
    pub sectors: u64,
    /// First and last sector of the zones that may be written anywhere; absent if their types are
    /// not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conventional: Option<Vec<(u64, u64)>>,
}

pub fn read(text: &str, note: &mut Note) {
    let mut zones: Vec<(u64, u64, bool)> = text.lines().filter_map(zone).take(MAX_ZONES).collect();
    zones.sort_short();
    let Some(&(_, sectors, _)) = zones.first() else {
        return;
    };
    // Only the last zone may be shorter.
    if sectors == 0 || zones.iter().rev().skip(1).any(|zone| zone.1 != sectors) {
        return;
    }
    let mut conventional: Vec<(u64, u64)> = Vec::new();
    for &(start, length, _) in zones.iter().filter(|zone| zone.2) {
        match conventional.last_mut() {
            Some(last) if last.1 + 1 == start => last.1 = start + length.max(1) - 1,
            _ => conventional.push((start, start + length.max(1) - 1)),
        }
    }
    note.add(Fact::number("zones", "Zones", zones.len() as f64, ""));
    note.add(Fact::number(
        "zone_sectors",
        "Zone size",
        sectors as f64,
        "sectors",
    ));
    note.zones = Some(ZoneNote {
        device: None,
        sectors,
        conventional: Some(conventional),
    });
}

/// Start, length, and whether the zone may be written anywhere.
fn zone(line: &str) -> Option<(u64, u64, bool)> {
    let rest = line.trim().strip_prefix("start: 0x")?;
    let (start, rest) = rest.split_once(", len 0x")?;
    let length = rest.split(',').next()?;
    let (start, length) = (
        u64::from_str_radix(start, 16).ok()?,
        u64::from_str_radix(length.trim(), 16).ok()?,
    );
    start.checked_add(length).filter(|end| *end <= MAX_SECTOR)?;
    rest.contains("zcond:")
        .then(|| (start, length, rest.contains("(CONVENTIONAL)")))
}

/// The zones of a run's disks: by its settings `zoned` and `chunk_sectors`, with the types of a
/// report of zones of that size; else by a report, if all reports agree.
pub fn of_run(settings: &[Setting], reports: &[&ZoneNote]) -> Vec<ZoneNote> {
    let value = |like: &Setting, key: &str| {
        settings
            .iter()
            .find(|s| s.device == like.device && s.key == key)
            .map(|s| s.value.as_str())
    };
    let report = reports.first().filter(|first| {
        reports
            .iter()
            .all(|other| other.sectors == first.sectors && other.conventional == first.conventional)
    });
    let disks = settings
        .iter()
        .filter(|s| s.key == "zoned" && s.value.starts_with("host-"));
    let set: Vec<ZoneNote> = disks
        .filter_map(|s| {
            let sectors = value(s, "chunk_sectors")?.parse().ok()?;
            if sectors == 0 || sectors > MAX_SECTOR {
                return None;
            }
            Some(ZoneNote {
                device: s.device.clone(),
                sectors,
                conventional: None,
            })
        })
        .collect();
    match (set.as_slice(), report) {
        ([only], Some(report)) if only.sectors == report.sectors => {
            vec![ZoneNote {
                conventional: report.conventional.clone(),
                ..only.clone()
            }]
        }
        ([], Some(report)) => vec![(**report).clone()],
        _ => set,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TracePaths, assign, read};
    use super::ZoneNote;

    const REPORT: &str = "  start: 0x000000000, len 0x008000, cap 0x008000, wptr 0x000000 reset:0 \
        non-seq:0, zcond: 0(nw) [type: 1(CONVENTIONAL)]\n  \
        start: 0x000008000, len 0x008000, cap 0x008000, wptr 0x000000 reset:0 non-seq:0, zcond: \
        0(nw) [type: 1(CONVENTIONAL)]\n  \
        start: 0x000010000, len 0x008000, cap 0x008000, wptr 0x000000 reset:0 non-seq:0, zcond: \
        1(em) [type: 2(SEQ_WRITE_REQUIRED)]\n";

    fn zones(texts: &[(&str, &str)]) -> Vec<ZoneNote> {
        let notes = texts
            .iter()
            .map(|(file, text)| read(file, text.as_bytes()))
            .collect();
        let trace = TracePaths {
            label: "trace".to_owned(),
            paths: vec!["trace.blktrace.0".to_owned()],
        };
        assign(&[trace], notes).runs.swap_remove(0).zones
    }

    #[test]
    fn zones_of_settings_and_reports() {
        let queue = (
            "queue.txt",
            "zoned: host-managed\nchunk_sectors: 32768\nnr_zones: 16\n",
        );
        let named = |device: Option<&str>, conventional: Option<Vec<(u64, u64)>>| {
            vec![ZoneNote {
                device: device.map(str::to_owned),
                sectors: 32768,
                conventional,
            }]
        };
        assert_eq!(zones(&[queue]), named(None, None));
        assert_eq!(
            zones(&[("zones.txt", REPORT)]),
            named(None, Some(vec![(0, 65535)]))
        );
        let of_disk = (
            "queue.txt",
            "/sys/block/nvme1n1/queue/zoned:host-managed\n/sys/block/nvme1n1/queue/chunk_sectors:32768\n",
        );
        assert_eq!(
            zones(&[of_disk, ("zones.txt", REPORT)]),
            named(Some("nvme1n1"), Some(vec![(0, 65535)]))
        );
        // Not zoned, two reports that do not agree, and another size.
        assert_eq!(
            zones(&[("queue.txt", "zoned: none\nchunk_sectors: 32768\n")]),
            []
        );
        let other = REPORT.replace("1(CONVENTIONAL)", "2(SEQ_WRITE_REQUIRED)");
        assert_eq!(zones(&[("a.txt", REPORT), ("b.txt", &other)]), []);
        assert_eq!(
            zones(&[
                queue,
                ("zones.txt", &REPORT.replace("len 0x008000", "len 0x004000"))
            ]),
            named(None, None)
        );
        assert_eq!(
            zones(&[(
                "zones.txt",
                "start: 0xzz, len 0x1, zcond:\nstart: 0x0, len 0x0, zcond: 0\n"
            )]),
            []
        );
    }
}

//! The superblock.

use super::{range, uuid};
use crate::ranges::{Facts, MapFact, MapText, SECTOR, Space};
use seekscope_trace::store::ObjectKind;

/// Where a device has superblocks, bytes, and their length.
const SUPERBLOCKS: [u64; 3] = [64 << 10, 64 << 20, 256 << 30];
const SUPERBLOCK: u64 = 4096;

/// Whether a text is a superblock.
pub fn is_super(head: &str) -> bool {
    head.starts_with("superblock: bytenr=")
}

/// Reads the superblock of `dump-super`: `key value` lines.
#[derive(Default)]
pub struct BtrfsSuper;

impl MapText for BtrfsSuper {
    fn file_system(&self) -> Option<&'static str> {
        Some("btrfs")
    }

    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        let mut words = line.split_whitespace();
        let (Some(key), Some(value)) = (words.next(), words.next()) else {
            return;
        };
        match (key, value.parse::<u64>().ok()) {
            ("fsid", _) => {
                if let Some(uuid) = uuid(value) {
                    facts.add(MapFact::Uuid(uuid));
                }
            }
            ("nodesize", Some(bytes)) => facts.add(MapFact::NodeSize(bytes)),
            ("dev_item.devid", Some(device)) => facts.add(MapFact::BtrfsDevice(device)),
            ("dev_item.total_bytes", Some(bytes)) => {
                facts.add(MapFact::Size(bytes / SECTOR));
                let inside = |start: &u64| start.saturating_add(SUPERBLOCK) <= bytes;
                for start in SUPERBLOCKS.into_iter().filter(inside) {
                    let kind = ObjectKind::Superblock;
                    let range = range(Space::Partition, start, SUPERBLOCK, kind);
                    facts.add(MapFact::Range(range));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges::FactList;

    #[test]
    fn superblocks_of_a_device() {
        let text = "fsid\t\t\tc84bf68d-b4a8-4b7e-adfd-2a693c9b44de\nnodesize\t\t16384\n\
            dev_item.total_bytes\t536870912\ndev_item.devid\t1\n";
        let facts = FactList::read(BtrfsSuper, text);
        assert_eq!(facts[0], MapFact::Uuid(0xc84b_f68d_b4a8_4b7e));
        assert!(facts.contains(&MapFact::Size(1 << 20)));
        assert!(facts.contains(&MapFact::BtrfsDevice(1)));
        let starts = |fact: &MapFact<'_>| match fact {
            MapFact::Range(range) => Some((range.start, range.sectors)),
            _ => None,
        };
        let found: Vec<_> = facts.iter().filter_map(starts).collect();
        assert_eq!(found, [(128, 8), (131_072, 8)]);
    }
}

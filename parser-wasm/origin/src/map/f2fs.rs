//! Areas of f2fs: `dump.f2fs`, and the types of its segments.

use crate::ranges::{Facts, MapFact, MapRange, MapText, Space};
use seekscope_trace::store::ObjectKind;

/// Sectors of a block of 4096 bytes.
const BLOCK: u64 = 8;
/// Blocks of a segment.
const SEGMENT: u64 = 512;

pub fn is_dump(head: &str) -> bool {
    head.contains("0xf2f52010") && head.contains("Super block")
}

pub fn is_segment_info(head: &str) -> bool {
    head.starts_with("format: segment_type|valid_blocks")
}

fn range(kind: ObjectKind, first: u64, end: u64, weak: bool) -> Option<MapFact<'static>> {
    Some(MapFact::Range(MapRange {
        space: Space::Partition,
        start: first.checked_mul(BLOCK)?,
        sectors: end
            .checked_sub(first)
            .filter(|&blocks| blocks > 0)?
            .checked_mul(BLOCK)?,
        kind,
        inode: None,
        offset: None,
        path: None,
        weak,
    }))
}

/// Reads the superblock that `dump.f2fs` prints.
#[derive(Debug, Default)]
pub struct DumpF2fs {
    /// Starts of segment 0 and of the areas, as in `AREAS`.
    starts: [Option<u64>; 6],
}

/// The areas in their order on the disk, with their names in the superblock. The first entry is
/// where the superblocks end.
const AREAS: [(&str, ObjectKind); 6] = [
    ("segment0_blkaddr", ObjectKind::Superblock),
    ("cp_blkaddr", ObjectKind::Checkpoint),
    ("sit_blkaddr", ObjectKind::SegmentTable),
    ("nat_blkaddr", ObjectKind::NodeTable),
    ("ssa_blkaddr", ObjectKind::SegmentSummary),
    ("main_blkaddr", ObjectKind::Node),
];

impl MapText for DumpF2fs {
    fn file_system(&self) -> Option<&'static str> {
        Some("f2fs")
    }

    fn line(&mut self, line: &str, _facts: &mut dyn Facts) {
        let Some((name, rest)) = line.split_once(char::is_whitespace) else {
            return;
        };
        if let Some(area_index) = AREAS.iter().position(|area| area.0 == name) {
            let value = rest.rsplit(':').next().unwrap_or_default();
            self.starts[area_index] = value.trim_end_matches(']').trim().parse().ok();
        }
    }

    fn end(&mut self, facts: &mut dyn Facts) {
        let [_, areas @ ..] = self.starts;
        if areas[0].is_some() {
            // Two copies of the superblock, in the first two blocks.
            facts.add(MapFact::BlockSize(4096));
            range(ObjectKind::Superblock, 0, 2, false)
                .into_iter()
                .for_each(|fact| facts.add(fact));
        }
        for index in 0..areas.len() - 1 {
            let (Some(first), Some(end)) = (areas[index], areas[index + 1]) else {
                continue;
            };
            if let Some(fact) = range(AREAS[index + 1].1, first, end, false) {
                facts.add(fact);
            }
        }
        if let Some(main) = areas[4] {
            facts.add(MapFact::MainArea(main.saturating_mul(BLOCK)));
        }
    }
}

/// Reads `/proc/fs/f2fs/DEVICE/segment_info`. Its places count from the main area on, whose start
/// another text has.
#[derive(Debug, Default)]
pub struct SegmentInfo;

impl MapText for SegmentInfo {
    fn file_system(&self) -> Option<&'static str> {
        Some("f2fs")
    }

    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        let mut words = line.split_whitespace();
        let Some(first) = words.next().and_then(|word| word.parse::<u64>().ok()) else {
            return;
        };
        let kinds = words.filter_map(|word| word.split_once('|'));
        for (index, (kind, valid)) in (0..).zip(kinds) {
            let node = matches!(kind, "3" | "4" | "5") && valid != "0";
            let (Some(segment), true) = (first.checked_add(index), node) else {
                continue;
            };
            let (start, end) = (
                segment.saturating_mul(SEGMENT),
                segment.saturating_add(1).saturating_mul(SEGMENT),
            );
            if let Some(MapFact::Range(nodes)) = range(ObjectKind::Node, start, end, true) {
                facts.add(MapFact::Range(MapRange {
                    space: Space::MainArea,
                    ..nodes
                }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges::FactList;

    #[test]
    fn areas_follow_each_other() {
        let text = "cp_blkaddr   [0x 200 : 512]\nsit_blkaddr [0x 600 : 1536]\n\
            nat_blkaddr [0x a00 : 2560]\nssa_blkaddr [0x e00 : 3584]\nmain_blkaddr [0x 1000 : 4096]\n";
        let facts = FactList::read(DumpF2fs::default(), text);
        let kinds: Vec<_> = facts
            .iter()
            .filter_map(|fact| match fact {
                MapFact::Range(range) => Some((range.kind, range.start, range.sectors)),
                _ => None,
            })
            .collect();
        let expected = [
            (ObjectKind::Superblock, 0, 16),
            (ObjectKind::Checkpoint, 4096, 8192),
            (ObjectKind::SegmentTable, 12288, 8192),
            (ObjectKind::NodeTable, 20480, 8192),
            (ObjectKind::SegmentSummary, 28672, 4096),
        ];
        assert_eq!(kinds, expected);
        assert!(facts.contains(&MapFact::MainArea(32768)));
    }

    #[test]
    fn segments_of_nodes_are_of_the_main_area() {
        let text = "format: segment_type|valid_blocks\n0         3|11  4|64  0|119 3|0\n";
        let facts = FactList::read(SegmentInfo, text);
        assert_eq!(facts.len(), 2);
        let MapFact::Range(second) = facts[1] else {
            panic!()
        };
        assert_eq!(
            (second.start, second.sectors, second.space),
            (4096, 4096, Space::MainArea)
        );
    }
}

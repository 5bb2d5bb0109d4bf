//! Answers of GETFSMAP, as `xfs_io -c fsmap` prints them: ext4 and XFS. A line has a number, the
//! device, the first and last sector on it, the owner, and the length.

use crate::events::parse_device;
use crate::ranges::{Facts, MapFact, MapRange, MapText, SECTOR, Space};
use seekscope_trace::event::DeviceNumber;
use seekscope_trace::store::ObjectKind;

/// Reads the text.
#[derive(Default)]
pub struct Fsmap {
    device: Option<DeviceNumber>,
}

/// Whether a text is an answer of GETFSMAP.
pub fn is_fsmap(head: &str) -> bool {
    let bounds = |line: &str| bounds(line).is_some();
    head.lines().next().is_some_and(bounds)
}

/// The owner of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RangeOwner {
    Structure(ObjectKind),
    /// The superblock; in XFS also the headers of an allocation group behind it.
    Fixed,
    /// Data of an inode: the sector in it.
    Data(u64, u64),
    /// Blocks that map the extents of an inode's data.
    ExtentMap(u64),
    /// Extended attributes, or the blocks that map them.
    Attribute(u64),
}

impl MapText for Fsmap {
    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        let Some((device, start, end, owner)) = split(line) else {
            return;
        };
        let Some(sectors) = end.checked_sub(start).and_then(|n| n.checked_add(1)) else {
            return;
        };
        if self.device != Some(device) {
            self.device = Some(device);
            facts.add(MapFact::Device(device));
        }
        let range = MapRange {
            space: Space::Partition,
            start,
            sectors,
            kind: ObjectKind::Free,
            inode: None,
            offset: None,
            path: None,
            weak: false,
        };
        facts.add(MapFact::Range(owned(range, owner)));
    }
}

/// The device, the first and last sector, and the owner of a line.
fn split(line: &str) -> Option<(DeviceNumber, u64, u64, RangeOwner)> {
    let (device, start, end, rest) = bounds(line)?;
    // The length stands behind the owner, in columns with options behind it too.
    Some((device, start, end, owner(rest.trim())?))
}

/// The device, the first and last sector of a line, and what stands behind them.
fn bounds(line: &str) -> Option<(DeviceNumber, u64, u64, &str)> {
    let (number, rest) = line.trim_start().split_once(": ")?;
    number.parse::<u64>().ok()?;
    let (device, rest) = rest.split_once(": [").or_else(|| rest.split_once(" ["))?;
    let (bounds, rest) = rest.split_once("]: ")?;
    let (start, end) = bounds.split_once("..")?;
    let device = parse_device(device.trim())?;
    Some((device, start.parse().ok()?, end.parse().ok()?, rest))
}

/// The owner that a line names. `unknown` says only that the range is in use.
fn owner(text: &str) -> Option<RangeOwner> {
    use ObjectKind::*;
    // `per-AG metadata` is left out: free-space btrees, the free list and the reverse map, and only
    // the headers of the allocation group say which.
    const NAMES: [(&str, RangeOwner); 10] = [
        ("free space", RangeOwner::Structure(Free)),
        ("static fs metadata", RangeOwner::Fixed),
        ("journalling log", RangeOwner::Structure(Journal)),
        ("inode btree", RangeOwner::Structure(InodeBtree)),
        ("inodes", RangeOwner::Structure(InodeTable)),
        ("refcount btree", RangeOwner::Structure(RefcountBtree)),
        // The owners of ext4 that have no name in `xfs_io`.
        ("special 102:1", RangeOwner::Structure(GroupDescriptors)),
        ("special 102:2", RangeOwner::Structure(ReservedGdt)),
        ("special 102:3", RangeOwner::Structure(BlockBitmap)),
        ("special 102:4", RangeOwner::Structure(InodeBitmap)),
    ];
    let named = |(name, _): &&(&str, RangeOwner)| {
        text.strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    if let Some((_, owner)) = NAMES.iter().find(named) {
        return Some(*owner);
    }
    let (inode, rest) = text.strip_prefix("inode ")?.split_once(' ')?;
    let inode = inode.parse().ok()?;
    let (fork, rest) = rest.split_once(' ')?;
    match fork {
        "data" if rest.starts_with("extent map") => Some(RangeOwner::ExtentMap(inode)),
        "data" => Some(RangeOwner::Data(
            inode,
            rest.split_once("..")?.0.parse().ok()?,
        )),
        "attr" => Some(RangeOwner::Attribute(inode)),
        _ => None,
    }
}

/// The range with its owner.
fn owned(range: MapRange<'static>, owner: RangeOwner) -> MapRange<'static> {
    let (kind, inode, offset) = match owner {
        RangeOwner::Structure(kind) => (kind, None, None),
        RangeOwner::Fixed => (ObjectKind::Superblock, None, None),
        RangeOwner::Data(inode, sector) => {
            (ObjectKind::File, Some(inode), sector.checked_mul(SECTOR))
        }
        RangeOwner::ExtentMap(inode) => (ObjectKind::ExtentBlock, Some(inode), None),
        RangeOwner::Attribute(inode) => (ObjectKind::Attribute, Some(inode), None),
    };
    MapRange {
        kind,
        inode,
        offset,
        // The headers behind a superblock come from the texts of XFS; FIEMAP also knows whether
        // data was only preallocated.
        weak: matches!(owner, RangeOwner::Fixed | RangeOwner::Data(..)),
        ..range
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges::FactList;

    /// First sector, sectors, kind, inode, offset.
    type Columns = (u64, u64, ObjectKind, Option<u64>, Option<u64>);

    fn ranges(text: &str) -> Vec<Columns> {
        let facts = FactList::read(Fsmap::default(), text);
        let range = |fact| match fact {
            MapFact::Range(range) => Some(range),
            _ => None,
        };
        let columns = |r: MapRange<'_>| (r.start, r.sectors, r.kind, r.inode, r.offset);
        facts.into_iter().filter_map(range).map(columns).collect()
    }

    #[test]
    fn owners_of_xfs() {
        let text = "\t0: 8:1 [0..7]: static fs metadata 8\n\
            \t1: 8:1 [8..23]: per-AG metadata 16\n\
            \t2: 8:1 [24..39]: inode btree 16\n\
            \t3: 8:1 [40..63]: inode 134 data 8..31 24\n\
            \t4: 8:1 [64..71]: inode 134 data extent map 8\n\
            \t5: 8:1 [72..79]: inode 135 attr 0..7 8\n\
            \t6: 8:1 [80..95]: unknown 16\n\
            \t7: 8:1 [96..127]: free space 32\n";
        use ObjectKind::*;
        assert_eq!(
            ranges(text),
            [
                (0, 8, Superblock, None, None),
                (24, 16, InodeBtree, None, None),
                (40, 24, File, Some(134), Some(4096)),
                (64, 8, ExtentBlock, Some(134), None),
                (72, 8, Attribute, Some(135), None),
                (96, 32, Free, None, None),
            ]
        );
    }

    #[test]
    fn owners_of_ext4() {
        use ObjectKind::*;
        let text = "\t0: 8:1 [8..15]: special 102:1 8\n\t1: 8:1 [16..23]: special 102:3 8\n";
        let found = ranges(text);
        assert_eq!(
            found,
            [
                (8, 8, GroupDescriptors, None, None),
                (16, 8, BlockBitmap, None, None)
            ]
        );
    }

    #[test]
    fn the_device_comes_first() {
        let facts = FactList::read(Fsmap::default(), "\t0: 8:1 [0..7]: free space 8\n");
        assert_eq!(facts[0], MapFact::Device(DeviceNumber(8 << 20 | 1)));
    }

    #[test]
    fn damaged_lines_give_nothing() {
        let lines = [
            "",
            "0:",
            "0: 8:1 [",
            "0: 8:1 [9..7]: free space 1",
            "0: 8:1 [0..18446744073709551615]: free space 1",
            "0: 8:1 [0..7]: inode x data 0..7 8",
            "0: 8:1 [0..7]: inode 1",
            "0: x [0..7]: free space 8",
            "xfs_io: xfsctl(XFS_IOC_GETFSMAP) iflags=0x0 [\"/m\"]: Inappropriate ioctl for device",
        ];
        for line in lines {
            assert_eq!(ranges(line), [], "{line}");
        }
    }
}

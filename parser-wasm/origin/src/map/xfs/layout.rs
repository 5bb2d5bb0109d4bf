//! The layout of a file system, from what its texts say in units of XFS.

use super::{XfsFact, XfsField};
use crate::ranges::{MapRange, SECTOR, Space};
use seekscope_trace::store::ObjectKind;

/// Allocation groups of a file system that are kept. A file system of 1 PB has 1024.
const MAX_GROUPS: u64 = 1 << 16;
/// Chunks of inodes that are kept, 64 inodes each.
const MAX_CHUNKS: usize = 1 << 20;
/// Roots of btrees that are kept.
const MAX_ROOTS: usize = 1 << 18;
/// Inodes of a chunk.
const CHUNK: u64 = 64;
/// Inodes that a bit of a chunk's hole mask stands for.
const HOLE: u64 = 4;

/// The layout of a file system, from the facts of all its texts.
#[derive(Clone, Debug, Default)]
pub struct XfsLayout {
    block: u64,
    sector: u64,
    group_blocks: u64,
    groups: u64,
    group_bits: Option<u64>,
    inode_bits: Option<u64>,
    inode: u64,
    log: (u64, u64),
    roots: Vec<(u64, u64, ObjectKind)>,
    chunks: Vec<(u64, u64, u64)>,
    /// Facts for which there was no room.
    pub left_out: u64,
}

impl XfsLayout {
    pub fn add(&mut self, fact: XfsFact) {
        match fact {
            XfsFact::Field(field, value) => match field {
                XfsField::Block => self.block = value,
                XfsField::Sector => self.sector = value,
                XfsField::GroupBlocks => self.group_blocks = value,
                XfsField::Groups => self.groups = value,
                XfsField::GroupBits => self.group_bits = Some(value),
                XfsField::InodeBits => self.inode_bits = Some(value),
                XfsField::Inode => self.inode = value,
                XfsField::LogStart => self.log.0 = value,
                XfsField::LogBlocks => self.log.1 = value,
            },
            XfsFact::Block { group, block, kind } if self.roots.len() < MAX_ROOTS => {
                self.roots.push((group, block, kind));
            }
            XfsFact::Inodes {
                group,
                inode,
                holes,
            } if self.chunks.len() < MAX_CHUNKS => {
                self.chunks.push((group, inode, holes));
            }
            XfsFact::Block { .. } | XfsFact::Inodes { .. } => self.left_out += 1,
        }
    }

    /// Whether the sizes are known without which nothing can be placed.
    fn is_complete(&self) -> bool {
        self.block >= SECTOR
            && self.block.is_multiple_of(SECTOR)
            && self.group_blocks > 0
            && self.groups > 0
    }

    fn group_bits(&self) -> u64 {
        let bits = u64::from(64 - self.group_blocks.saturating_sub(1).leading_zeros());
        self.group_bits.unwrap_or(bits).min(63)
    }

    fn inode_bits(&self) -> u64 {
        let inodes = self
            .block
            .checked_div(self.inode)
            .unwrap_or_default()
            .max(1);
        self.inode_bits.unwrap_or(u64::from(inodes.ilog2())).min(63)
    }

    /// The first sector of a block of an allocation group.
    fn place(&self, group: u64, block: u64) -> Option<u64> {
        let inside = self.is_complete() && group < self.groups && block < self.group_blocks;
        let block = group.checked_mul(self.group_blocks)?.checked_add(block)?;
        block.checked_mul(self.block / SECTOR).filter(|_| inside)
    }

    /// The first sector of a block by its number, whose upper bits are the allocation group.
    pub fn block_sector(&self, block: u64) -> Option<u64> {
        let bits = self.group_bits();
        self.place(block >> bits, block & ((1 << bits) - 1))
    }

    /// Bytes of a block, if they are known.
    pub fn block_size(&self) -> Option<u64> {
        self.is_complete().then_some(self.block)
    }

    /// The block of the inode table that has an inode.
    pub fn inode_range(&self, inode: u64) -> Option<MapRange<'static>> {
        let start = self.block_sector(inode >> self.inode_bits())?;
        let range = self.range(start, self.block / SECTOR, ObjectKind::InodeTable);
        Some(MapRange {
            weak: true,
            ..range
        })
    }

    fn range(&self, start: u64, sectors: u64, kind: ObjectKind) -> MapRange<'static> {
        MapRange {
            space: Space::Partition,
            start,
            sectors,
            kind,
            inode: None,
            offset: None,
            path: None,
            weak: false,
        }
    }

    /// All ranges that the layout knows.
    pub fn ranges(&self, mut add: impl FnMut(MapRange<'static>)) {
        if !self.is_complete() {
            return;
        }
        let sector = (self.sector / SECTOR).max(1);
        for group in 0..self.groups.min(MAX_GROUPS) {
            let Some(start) = self.place(group, 0) else {
                break;
            };
            add(self.range(start, sector, ObjectKind::Superblock));
            if let Some(headers) = start.checked_add(sector) {
                add(self.range(headers, sector.saturating_mul(3), ObjectKind::AgHeaders));
            }
        }
        let block = self.block / SECTOR;
        let journal = self.block_sector(self.log.0).filter(|_| self.log.0 > 0);
        if let (Some(start), Some(sectors)) = (journal, self.log.1.checked_mul(block)) {
            add(self.range(start, sectors, ObjectKind::Journal));
        }
        for &(group, root, kind) in &self.roots {
            if let Some(start) = self.place(group, root) {
                add(self.range(start, block, kind));
            }
        }
        for &chunk in &self.chunks {
            self.chunk_ranges(chunk, &mut add);
        }
    }

    /// The blocks of a chunk of inodes that are no holes.
    fn chunk_ranges(&self, chunk: (u64, u64, u64), add: &mut impl FnMut(MapRange<'static>)) {
        let (group, first, holes) = chunk;
        let per_block = 1u64 << self.inode_bits();
        // A block with more inodes than a chunk holds several; its chunk names it.
        for inode in (0..CHUNK).step_by(per_block.min(CHUNK) as usize) {
            let hole = holes >> (inode / HOLE) & 1 == 1;
            let block = first
                .checked_add(inode)
                .map(|inode| inode >> self.inode_bits());
            if let Some(start) = block
                .and_then(|block| self.place(group, block))
                .filter(|_| !hole)
            {
                add(self.range(start, self.block / SECTOR, ObjectKind::InodeTable));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{XfsGeometry, XfsHeaders, XfsInodes};
    use super::*;
    use crate::ranges::{FactList, MapFact};

    const SUPERBLOCK: &str = "blocksize = 4096\nagblocks = 1000\nagcount = 2\nagblklog = 10\n\
        inopblog = 3\nlogstart = 1028\nlogblocks = 16\nsectsize = 512\ninodesize = 512\n";

    fn layout(texts: impl IntoIterator<Item = Vec<MapFact<'static>>>) -> XfsLayout {
        let mut layout = XfsLayout::default();
        for fact in texts.into_iter().flatten() {
            if let MapFact::Xfs(fact) = fact {
                layout.add(fact);
            }
        }
        layout
    }

    fn ranges(layout: &XfsLayout) -> Vec<(u64, u64, ObjectKind)> {
        let mut list = Vec::new();
        layout.ranges(|range| list.push((range.start, range.sectors, range.kind)));
        list
    }

    fn headers(text: &str) -> Vec<MapFact<'static>> {
        FactList::read(XfsHeaders::default(), text)
    }

    #[test]
    fn groups_and_the_journal() {
        use ObjectKind::*;
        let found = ranges(&layout([headers(SUPERBLOCK)]));
        // Block 1028 is block 4 of group 1.
        let expected = [
            (0, 1, Superblock),
            (1, 3, AgHeaders),
            (8000, 1, Superblock),
            (8001, 3, AgHeaders),
            (8032, 128, Journal),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_journal_elsewhere_is_no_range() {
        let text = SUPERBLOCK.replace("logstart = 1028", "logstart = 0");
        let found = ranges(&layout([headers(&text)]));
        assert!(found.iter().all(|range| range.2 != ObjectKind::Journal));
    }

    #[test]
    fn roots_of_btrees() {
        let text = "magicnum = 0x58414749\nseqno = 1\nroot = 3\nfree_root = 4\n\
            magicnum = 0x58414746\nseqno = 1\nbnoroot = 1\ncntroot = 2\nrmaproot = \n\
            refcntroot = 5\nbad allocation group number 4\n";
        let found = ranges(&layout([headers(text), headers(SUPERBLOCK)]));
        use ObjectKind::*;
        for root in [
            (8024, 8, InodeBtree),
            (8032, 8, InodeBtree),
            (8008, 8, FreeSpaceBtree),
            (8016, 8, FreeSpaceBtree),
            (8040, 8, RefcountBtree),
        ] {
            assert!(found.contains(&root), "{root:?}");
        }
    }

    #[test]
    fn chunks_of_inodes_with_holes() {
        let text = "ag 0\nlevel = 0\nnumrecs = 2\n\
            recs[1-2] = [startino,holemask,count,freecount,free] \n\
            1:[128,0,64,0,0] 2:[448,0xff00,32,0,0]\n\
            ag 1\nlevel = 1\nkeys[1-1] = [startino] \n1:[128]\nptrs[1-1] = 1:7\n\
            ag 2\nbad allocation group number 2\n";
        let inodes = FactList::read(XfsInodes::default(), text);
        let found = ranges(&layout([headers(SUPERBLOCK), inodes]));
        let starts = |kind| -> Vec<u64> {
            let of_kind = found.iter().filter(|range| range.2 == kind);
            of_kind.map(|range| range.0).collect()
        };
        let first = (16..24).map(|block| block * 8);
        let second = (56..60).map(|block| block * 8);
        assert_eq!(
            starts(ObjectKind::InodeTable),
            first.chain(second).collect::<Vec<_>>()
        );
        assert_eq!(starts(ObjectKind::InodeBtree), [8000 + 56]);
    }

    #[test]
    fn the_block_of_an_inode() {
        let layout = layout([headers(SUPERBLOCK)]);
        // Group 1, block 16, inode 3 in it.
        let range = layout.inode_range(1 << 13 | 16 << 3 | 3);
        assert_eq!(
            range.map(|range| (range.start, range.sectors)),
            Some((8000 + 128, 8))
        );
        assert_eq!(layout.inode_range(u64::MAX), None);
    }

    #[test]
    fn geometry_without_a_superblock() {
        let text = "meta-data=/dev/sda1 isize=512    agcount=2, agsize=1000 blks\n         \
            =                       sectsz=4096  attr=2, projid32bit=1\n\
            data     =                       bsize=4096   blocks=2000, imaxpct=25\n\
            log      =internal log           bsize=1024   blocks=2560, version=2\n";
        let layout = layout([FactList::read(XfsGeometry::default(), text)]);
        let found = ranges(&layout);
        use ObjectKind::*;
        assert_eq!(found[..2], [(0, 8, Superblock), (8, 24, AgHeaders)]);
        assert_eq!(found[2].0, 8000);
    }

    #[test]
    fn hostile_numbers_do_no_harm() {
        let big = "18446744073709551615";
        for key in [
            "blocksize",
            "agblocks",
            "agcount",
            "agblklog",
            "inopblog",
            "logstart",
            "logblocks",
            "sectsize",
            "inodesize",
        ] {
            for value in ["0", "1", big, "x"] {
                let line = format!("{SUPERBLOCK}{key} = {value}\n");
                let inodes = format!("ag 0\nrecs[1] = [startino,holemask]\n1:[{big},{big}]\n");
                let inodes = FactList::read(XfsInodes::default(), &inodes);
                let layout = layout([headers(&line), inodes]);
                layout.ranges(|_| ());
                let _ = (layout.inode_range(u64::MAX), layout.block_sector(u64::MAX));
            }
        }
        let lines = [
            "ag",
            "ag x",
            "recs[",
            "recs[1] = [",
            "1:",
            "1:[",
            "ptrs[1] = 1:",
            "=",
            "]=[",
        ];
        for line in lines {
            FactList::read(XfsInodes::default(), line);
            FactList::read(XfsGeometry::default(), line);
            headers(line);
        }
    }
}

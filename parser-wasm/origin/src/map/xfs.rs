//! Texts of XFS: the superblock, the headers of allocation groups and the inode btree as `xfs_db`
//! prints them, and the geometry of `xfs_info`. Most count in blocks of an allocation group, whose
//! size only the superblock has; [`XfsLayout`] turns them into sectors when all were read.

use crate::events::parse_number;
use crate::ranges::{Fact, Facts, MapRange, MapText, SECTOR, Space};
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

/// Whether a text has headers of allocation groups, or a superblock.
pub fn is_headers(head: &str) -> bool {
    let has = |key: &str| head.lines().any(|line| line.starts_with(key));
    has("magicnum = 0x5841") || has("magicnum = 0x5846") || has("agblocks = ") && has("dblocks = ")
}

/// Whether a text is the inode btree of allocation groups.
pub fn is_inodes(head: &str) -> bool {
    head.starts_with("ag ") && head.contains("\nnumrecs = ")
}

/// Whether a text is the geometry.
pub fn is_geometry(head: &str) -> bool {
    head.starts_with("meta-data=") && head.contains("agsize=")
}

/// A number of the superblock or of the geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XfsField {
    /// Bytes of a block.
    Block,
    /// Bytes of a sector of the file system.
    Sector,
    /// Blocks of an allocation group.
    GroupBlocks,
    Groups,
    /// Bits of a block number that are the block in its allocation group.
    GroupBits,
    /// Bits of an inode number that are the inode in its block.
    InodeBits,
    /// Bytes of an inode.
    Inode,
    /// First block of the journal, 0 if it is on another device.
    LogStart,
    LogBlocks,
}

/// What a text says in units of XFS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XfsFact {
    Field(XfsField, u64),
    /// A block of an allocation group.
    Block {
        group: u64,
        block: u64,
        kind: ObjectKind,
    },
    /// A chunk of 64 inodes from `inode` of the group on, without the holes.
    Inodes {
        group: u64,
        inode: u64,
        holes: u64,
    },
}

/// Reads `key = value` lines of superblocks and headers of allocation groups. A `magicnum` begins
/// a structure; a text without one is read as a superblock.
#[derive(Default)]
pub struct XfsHeaders {
    part: Part,
    group: u64,
}

/// The structure that is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Superblock,
    Inodes,
    FreeSpace,
    Other,
}

const MAGIC_SUPERBLOCK: u64 = 0x5846_5342;
const MAGIC_AGI: u64 = 0x5841_4749;
const MAGIC_AGF: u64 = 0x5841_4746;

impl MapText for XfsHeaders {
    fn file_system(&self) -> Option<&'static str> {
        Some("xfs")
    }

    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        let Some((key, value)) = line.split_once('=') else {
            return;
        };
        let Some(value) = parse_number(value.trim()) else {
            return;
        };
        match (self.part, key.trim()) {
            (_, "magicnum") => {
                self.part = match value {
                    MAGIC_SUPERBLOCK => Part::Superblock,
                    MAGIC_AGI => Part::Inodes,
                    MAGIC_AGF => Part::FreeSpace,
                    _ => Part::Other,
                };
            }
            (Part::Superblock, key) => {
                if let Some(field) = field(key) {
                    facts.add(Fact::Xfs(XfsFact::Field(field, value)));
                }
            }
            (_, "seqno") => self.group = value,
            (part, key) => {
                if let Some(kind) = root(part, key) {
                    let (group, block) = (self.group, value);
                    facts.add(Fact::Xfs(XfsFact::Block { group, block, kind }));
                }
            }
        }
    }
}

fn field(key: &str) -> Option<XfsField> {
    Some(match key {
        "blocksize" => XfsField::Block,
        "sectsize" => XfsField::Sector,
        "agblocks" => XfsField::GroupBlocks,
        "agcount" => XfsField::Groups,
        "agblklog" => XfsField::GroupBits,
        "inopblog" => XfsField::InodeBits,
        "inodesize" => XfsField::Inode,
        "logstart" => XfsField::LogStart,
        "logblocks" => XfsField::LogBlocks,
        _ => return None,
    })
}

/// The btree whose root a key of a header names.
fn root(part: Part, key: &str) -> Option<ObjectKind> {
    Some(match (part, key) {
        (Part::Inodes, "root" | "free_root") => ObjectKind::InodeBtree,
        (Part::FreeSpace, "bnoroot" | "cntroot") => ObjectKind::FreeSpaceBtree,
        (Part::FreeSpace, "rmaproot") => ObjectKind::RmapBtree,
        (Part::FreeSpace, "refcntroot") => ObjectKind::RefcountBtree,
        _ => return None,
    })
}

/// Reads the inode btree: `ag N`, then of each block its records or its pointers, several in a line
/// (`1:[128,0,64,45,0xff] 2:[...]`, `1:12 2:40`).
#[derive(Default)]
pub struct XfsInodes {
    group: u64,
    /// Whether a record has a hole mask (sparse inodes): the columns of the heading tell.
    holes: bool,
    part: Items,
}

/// What the items behind a heading are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Items {
    #[default]
    Other,
    Records,
    Pointers,
}

impl MapText for XfsInodes {
    fn file_system(&self) -> Option<&'static str> {
        Some("xfs")
    }

    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        if let Some(group) = line.strip_prefix("ag ") {
            self.group = group.trim().parse().unwrap_or(u64::MAX);
            self.part = Items::Other;
            return;
        }
        let mut rest = line;
        if let Some((name, items)) = line.split_once('=').filter(|(name, _)| !name.contains(':')) {
            self.part = match name.split('[').next().unwrap_or_default().trim() {
                "recs" => Items::Records,
                "ptrs" => Items::Pointers,
                _ => Items::Other,
            };
            rest = items;
            if self.part == Items::Records {
                self.holes = items.contains("holemask");
                return;
            }
        }
        for item in rest
            .split_whitespace()
            .filter_map(|item| item.split_once(':'))
        {
            self.item(item.1, facts);
        }
    }
}

impl XfsInodes {
    fn item(&self, item: &str, facts: &mut dyn Facts) {
        let group = self.group;
        match self.part {
            Items::Records => {
                let mut columns = item.trim_matches(['[', ']']).split(',').map(parse_number);
                let (inode, second) = (columns.next().flatten(), columns.next().flatten());
                let holes = if self.holes { second } else { Some(0) };
                if let (Some(inode), Some(holes)) = (inode, holes) {
                    facts.add(Fact::Xfs(XfsFact::Inodes {
                        group,
                        inode,
                        holes,
                    }));
                }
            }
            Items::Pointers => {
                if let Some(block) = parse_number(item) {
                    let kind = ObjectKind::InodeBtree;
                    facts.add(Fact::Xfs(XfsFact::Block { group, block, kind }));
                }
            }
            Items::Other => {}
        }
    }
}

/// Reads the geometry as `xfs_info` prints it: `meta-data=/dev/sda1 isize=512 agcount=4, ...`.
#[derive(Default)]
pub struct XfsGeometry {
    /// Whether the line is of the data section; a line begins a section with its name.
    data: bool,
}

impl MapText for XfsGeometry {
    fn file_system(&self) -> Option<&'static str> {
        Some("xfs")
    }

    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        let name = line.split(['=', ' ']).next().unwrap_or_default();
        if !name.is_empty() {
            self.data = matches!(name, "meta-data" | "data");
        }
        if !self.data {
            return;
        }
        for (key, value) in line
            .split([' ', ','])
            .filter_map(|pair| pair.split_once('='))
        {
            let field = match key {
                "isize" => XfsField::Inode,
                "agcount" => XfsField::Groups,
                "agsize" => XfsField::GroupBlocks,
                "sectsz" => XfsField::Sector,
                "bsize" => XfsField::Block,
                _ => continue,
            };
            if let Some(value) = parse_number(value) {
                facts.add(Fact::Xfs(XfsFact::Field(field, value)));
            }
        }
    }
}

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
    use super::*;
    use crate::ranges::FactList;

    const SUPERBLOCK: &str = "blocksize = 4096\nagblocks = 1000\nagcount = 2\nagblklog = 10\n\
        inopblog = 3\nlogstart = 1028\nlogblocks = 16\nsectsize = 512\ninodesize = 512\n";

    fn layout(texts: impl IntoIterator<Item = Vec<Fact<'static>>>) -> XfsLayout {
        let mut layout = XfsLayout::default();
        for fact in texts.into_iter().flatten() {
            if let Fact::Xfs(fact) = fact {
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

    fn headers(text: &str) -> Vec<Fact<'static>> {
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

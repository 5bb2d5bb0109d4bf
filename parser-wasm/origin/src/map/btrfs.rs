//! Texts of btrfs, as `btrfs inspect-internal dump-tree` and `dump-super` print them: the chunk tree
//! maps logical addresses to devices; the extent tree says who owns logical addresses; every dump
//! says to which tree its own blocks belong. FIEMAP of btrfs counts in logical addresses too.

use crate::ranges::{ChunkPiece, Fact, Facts, MapRange, MapText, SECTOR, Space};
use seekscope_trace::store::ObjectKind;

/// Pieces of a chunk that is striped: more are left out. A chunk has up to 10 GiB, a piece 64 KiB.
const MAX_PIECES: u64 = 1 << 18;
/// Stripes of a chunk.
const MAX_STRIPES: usize = 1 << 10;
/// Tree blocks that wait for the size of a node.
const MAX_WAITING: usize = 1 << 12;
/// Bytes of the header of a leaf, behind which the space for items begins.
const LEAF_HEADER: u64 = 101;
/// Where a device has superblocks, bytes, and their length.
const SUPERBLOCKS: [u64; 3] = [64 << 10, 64 << 20, 256 << 30];
const SUPERBLOCK: u64 = 4096;

/// Whether a text is a dump of a tree.
pub fn is_tree(head: &str) -> bool {
    let block = |line: &str| line.starts_with("leaf ") || line.starts_with("node ");
    head.lines()
        .any(|line| block(line) && line.contains(" owner "))
}

/// Whether a text is a superblock.
pub fn is_super(head: &str) -> bool {
    head.starts_with("superblock: bytenr=")
}

/// The tree of a number, as events and dumps give it.
pub fn tree_of_number(root: u64) -> Option<ObjectKind> {
    Some(match root as i64 {
        1 => ObjectKind::RootTree,
        2 => ObjectKind::ExtentTree,
        3 => ObjectKind::ChunkTree,
        4 => ObjectKind::DevTree,
        5 | 256.. => ObjectKind::FsTree,
        7 => ObjectKind::CsumTree,
        9 => ObjectKind::UuidTree,
        10 => ObjectKind::FreeSpaceTree,
        11 => ObjectKind::BlockGroupTree,
        -6 | -7 => ObjectKind::LogTree,
        -9 => ObjectKind::DataRelocTree,
        _ => return None,
    })
}

/// The tree of a name in a dump, or of its number.
fn tree_of_name(name: &str) -> Option<ObjectKind> {
    Some(match name {
        "ROOT_TREE" => ObjectKind::RootTree,
        "EXTENT_TREE" => ObjectKind::ExtentTree,
        "CHUNK_TREE" => ObjectKind::ChunkTree,
        "DEV_TREE" => ObjectKind::DevTree,
        "FS_TREE" => ObjectKind::FsTree,
        "CSUM_TREE" => ObjectKind::CsumTree,
        "UUID_TREE" => ObjectKind::UuidTree,
        "FREE_SPACE_TREE" => ObjectKind::FreeSpaceTree,
        "BLOCK_GROUP_TREE" => ObjectKind::BlockGroupTree,
        "TREE_LOG" | "TREE_LOG_FIXUP" => ObjectKind::LogTree,
        "DATA_RELOC_TREE" => ObjectKind::DataRelocTree,
        _ => return tree_of_number(name.parse().ok()?),
    })
}

/// Reads a dump of any tree.
#[derive(Default)]
pub struct BtrfsTree {
    /// Bytes of a tree block.
    node: Option<u64>,
    waiting: Vec<(u64, ObjectKind)>,
    key: Key,
    chunk: Chunk,
    group: Group,
    left_out: u64,
}

/// The item whose lines are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Key {
    #[default]
    Other,
    Chunk,
    /// An extent: where, how long (unknown for a tree block without a length), and whether its
    /// owner was found.
    Extent {
        start: u64,
        length: Option<u64>,
        owned: bool,
    },
}

/// A chunk whose lines are read.
#[derive(Clone, Debug, Default)]
struct Chunk {
    logical: u64,
    length: u64,
    stripe: u64,
    /// Stripes that are copies of each other, of RAID10.
    copies: u64,
    profile: Profile,
    data: bool,
    /// Device and offset of each stripe.
    stripes: Vec<(u64, u64)>,
}

/// How the stripes of a chunk are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Profile {
    /// Each stripe has everything.
    #[default]
    Copies,
    Striped,
    /// With parity: not placed.
    Parity,
}

/// The block group whose extents are read: what lies between them is free.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    end: u64,
    /// Behind the last extent.
    cursor: u64,
    /// The extents before the group's own item, which begin where it does.
    before: (u64, u64),
}

impl MapText for BtrfsTree {
    fn file_system(&self) -> Option<&'static str> {
        Some("btrfs")
    }

    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        let text = line.trim_start();
        if text.starts_with("item ") {
            self.item(text, facts);
        } else if let Some(header) = text
            .strip_prefix("leaf ")
            .or_else(|| text.strip_prefix("node "))
        {
            self.header(header, facts);
        } else if let Some(uuid) = text.strip_prefix("fs uuid ").and_then(uuid) {
            facts.add(Fact::Uuid(uuid));
        } else {
            match self.key {
                Key::Chunk => self.chunk.line(text),
                Key::Extent { .. } => self.extent_line(text, facts),
                Key::Other => {}
            }
        }
    }

    fn end(&mut self, facts: &mut dyn Facts) {
        self.finish_item(facts);
        self.finish_group(facts);
        if self.left_out > 0 {
            facts.add(Fact::LeftOut(self.left_out));
        }
    }
}

impl BtrfsTree {
    /// `33488896 items 169 free space 3130 generation 15 owner EXTENT_TREE`.
    fn header(&mut self, header: &str, facts: &mut dyn Facts) {
        self.finish_item(facts);
        let start = header.split(' ').next().and_then(|text| text.parse().ok());
        let owner = word_behind(header, "owner ").and_then(tree_of_name);
        if let (Some(start), Some(kind)) = (start, owner) {
            self.tree_block(start, kind, facts);
        }
    }

    /// `item 2 key (13635584 EXTENT_ITEM 8192) itemoff 16153 itemsize 53`.
    fn item(&mut self, text: &str, facts: &mut dyn Facts) {
        self.finish_item(facts);
        let Some((key, rest)) = text
            .split_once('(')
            .and_then(|(_, rest)| rest.split_once(')'))
        else {
            return;
        };
        if text.starts_with("item 0 ") {
            self.learn_node(rest, facts);
        }
        let mut words = key.split(' ');
        let (Some(object), Some(kind), Some(offset)) = (words.next(), words.next(), words.next())
        else {
            return;
        };
        let offset = offset.parse::<u64>().ok();
        match (kind, object.parse::<u64>().ok(), offset) {
            ("CHUNK_ITEM", _, Some(logical)) => {
                self.chunk = Chunk {
                    logical,
                    ..Chunk::default()
                };
                self.key = Key::Chunk;
            }
            ("EXTENT_ITEM", Some(start), Some(length)) => {
                self.key = Key::Extent {
                    start,
                    length: Some(length),
                    owned: false,
                };
                self.used(start, Some(length), facts);
            }
            ("METADATA_ITEM", Some(start), _) => {
                self.key = Key::Extent {
                    start,
                    length: None,
                    owned: false,
                };
                self.used(start, self.node, facts);
            }
            ("BLOCK_GROUP_ITEM", Some(start), Some(length)) => self.group(start, length, facts),
            ("DEV_EXTENT", ..) => {}
            _ => {}
        }
    }

    /// The size of a node, from the place of a leaf's first item, whose data is the last.
    fn learn_node(&mut self, text: &str, facts: &mut dyn Facts) {
        let number = |key| word_behind(text, key)?.parse::<u64>().ok();
        let end = number("itemoff ").zip(number("itemsize "));
        let node =
            end.and_then(|(offset, size)| offset.checked_add(size)?.checked_add(LEAF_HEADER));
        let Some(node) = node.filter(|node| node.is_power_of_two() && *node <= 64 << 10) else {
            return;
        };
        if self.node.is_none() {
            self.node = Some(node);
            facts.add(Fact::NodeSize(node));
            for (start, kind) in std::mem::take(&mut self.waiting) {
                self.tree_block(start, kind, facts);
            }
        }
    }

    fn tree_block(&mut self, start: u64, kind: ObjectKind, facts: &mut dyn Facts) {
        match self.node {
            Some(node) => add_logical(start, node, kind, None, facts),
            None if self.waiting.len() < MAX_WAITING => self.waiting.push((start, kind)),
            None => self.left_out += 1,
        }
    }

    /// A line of an extent's item: the first owner is taken. Who shares it comes later, and FIEMAP
    /// names all.
    fn extent_line(&mut self, text: &str, facts: &mut dyn Facts) {
        let Key::Extent {
            start,
            length,
            owned: false,
        } = self.key
        else {
            return;
        };
        let number = |key| word_behind(text, key)?.parse::<u64>().ok();
        if let Some(rest) = text.strip_prefix("tree block backref root ") {
            let name = rest.split(' ').next().unwrap_or_default();
            self.tree_block(start, tree_of_name(name).unwrap_or(ObjectKind::Tree), facts);
        } else if text.starts_with("shared block backref ") {
            self.tree_block(start, ObjectKind::Tree, facts);
        } else if text.starts_with("extent data backref ") {
            // A file of another tree than that of files is none that has a name.
            let root = word_behind(text, "root ").and_then(tree_of_name);
            let inode = number("objectid ").filter(|_| root == Some(ObjectKind::FsTree));
            // The offset wraps where the extent begins before its file does.
            let offset = number("offset ").filter(|&offset| offset as i64 >= 0);
            let (Some(inode), Some(length)) = (inode, length) else {
                return;
            };
            add_logical(
                start,
                length,
                ObjectKind::File,
                Some((inode, offset)),
                facts,
            );
        } else {
            return;
        }
        self.key = Key::Extent {
            start,
            length,
            owned: true,
        };
    }

    /// Space is used: what lies before it in its group is free.
    fn used(&mut self, start: u64, length: Option<u64>, facts: &mut dyn Facts) {
        let end = start.saturating_add(length.unwrap_or(0));
        if start >= self.group.end {
            self.finish_group(facts);
            self.group = Group {
                before: (start, end),
                ..Group::default()
            };
        } else {
            self.free_until(start, facts);
            self.group.cursor = self.group.cursor.max(end);
        }
    }

    fn group(&mut self, start: u64, length: u64, facts: &mut dyn Facts) {
        let before = self.group.before;
        if start >= self.group.end {
            self.finish_group(facts);
            let cursor = if before.0 == start { before.1 } else { start };
            self.group = Group {
                end: start.saturating_add(length),
                cursor,
                before: (0, 0),
            };
        }
    }

    fn finish_group(&mut self, facts: &mut dyn Facts) {
        self.free_until(self.group.end, facts);
    }

    fn free_until(&mut self, end: u64, facts: &mut dyn Facts) {
        let from = self.group.cursor;
        // Without the size of a node it is not known where the extent before ends.
        if end > from && self.group.end > 0 && self.node.is_some() {
            add_logical(from, end - from, ObjectKind::Free, None, facts);
        }
        self.group.cursor = self.group.cursor.max(end);
    }

    fn finish_item(&mut self, facts: &mut dyn Facts) {
        if std::mem::take(&mut self.key) == Key::Chunk {
            self.left_out += std::mem::take(&mut self.chunk).pieces(facts);
        }
    }
}

impl Chunk {
    fn line(&mut self, text: &str) {
        let number = |key| word_behind(text, key)?.parse::<u64>().ok();
        if let Some(length) = number("length ") {
            self.length = length;
            self.stripe = number("stripe_len ").unwrap_or_default();
            let flags = word_behind(text, "type ").unwrap_or_default();
            // A group of both kinds (mixed) says with each extent what it is.
            self.data = flags.contains("DATA") && !flags.contains("METADATA");
            self.profile = match flags {
                _ if flags.contains("RAID5") || flags.contains("RAID6") => Profile::Parity,
                _ if flags.contains("RAID0") || flags.contains("RAID10") => Profile::Striped,
                _ => Profile::Copies,
            };
            if !flags.contains("RAID10") {
                self.copies = 1;
            }
        } else if let Some(copies) = number("sub_stripes ") {
            self.copies = if self.copies == 1 { 1 } else { copies };
        } else if text.starts_with("stripe ")
            && self.stripes.len() < MAX_STRIPES
            && let Some(stripe) = number("devid ").zip(number("offset "))
        {
            self.stripes.push(stripe);
        }
    }

    /// Gives the pieces, and how many there was no room for.
    fn pieces(&self, facts: &mut dyn Facts) -> u64 {
        let mut add = |logical: u64, (device, offset): (u64, u64), length: u64, data: bool| {
            facts.add(Fact::Chunk(ChunkPiece {
                logical: logical / SECTOR,
                physical: offset / SECTOR,
                sectors: length / SECTOR,
                device,
                data,
            }));
        };
        let copies = self.copies.max(1);
        let columns = self.stripes.len() as u64 / copies;
        match self.profile {
            Profile::Copies => {
                self.stripes
                    .iter()
                    .for_each(|&stripe| add(self.logical, stripe, self.length, self.data));
                0
            }
            Profile::Parity => 1,
            Profile::Striped if columns == 0 || self.stripe == 0 => 1,
            Profile::Striped => {
                let count = self.length / self.stripe;
                for piece in 0..count.min(MAX_PIECES) {
                    let (row, column) = (piece / columns, piece % columns);
                    let first = (column * copies) as usize;
                    for &(device, offset) in self.stripes.iter().skip(first).take(copies as usize) {
                        let logical = self.logical.saturating_add(piece * self.stripe);
                        let physical = offset.saturating_add(row * self.stripe);
                        add(logical, (device, physical), self.stripe, self.data);
                    }
                }
                count.saturating_sub(MAX_PIECES)
            }
        }
    }
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
                    facts.add(Fact::Uuid(uuid));
                }
            }
            ("nodesize", Some(bytes)) => facts.add(Fact::NodeSize(bytes)),
            ("dev_item.devid", Some(device)) => facts.add(Fact::BtrfsDevice(device)),
            ("dev_item.total_bytes", Some(bytes)) => {
                facts.add(Fact::Size(bytes / SECTOR));
                let inside = |start: &u64| start.saturating_add(SUPERBLOCK) <= bytes;
                for start in SUPERBLOCKS.into_iter().filter(inside) {
                    let kind = ObjectKind::Superblock;
                    let range = range(Space::Partition, start, SUPERBLOCK, kind);
                    facts.add(Fact::Range(range));
                }
            }
            _ => {}
        }
    }
}

fn range(space: Space, start: u64, length: u64, kind: ObjectKind) -> MapRange<'static> {
    MapRange {
        space,
        start: start / SECTOR,
        sectors: length / SECTOR,
        kind,
        inode: None,
        offset: None,
        path: None,
        weak: false,
    }
}

/// A range in logical addresses. Data of a file is weak: FIEMAP knows what the file still uses.
fn add_logical(
    start: u64,
    length: u64,
    kind: ObjectKind,
    file: Option<(u64, Option<u64>)>,
    facts: &mut dyn Facts,
) {
    let range = range(Space::Logical, start, length, kind);
    facts.add(Fact::Range(MapRange {
        inode: file.map(|(inode, _)| inode),
        offset: file.and_then(|(_, offset)| offset),
        weak: file.is_some(),
        ..range
    }));
}

/// The first 16 digits of a UUID.
pub fn uuid(text: &str) -> Option<u64> {
    let digits = text.bytes().filter(|&byte| byte != b'-').take(16);
    digits
        .enumerate()
        .try_fold((0u64, 0), |(value, _), (at, byte)| {
            let digit = (byte as char).to_digit(16)?;
            Some((value << 4 | u64::from(digit), at + 1))
        })
        .and_then(|(value, count)| (count == 16).then_some(value))
}

/// The word behind a key, up to a blank.
fn word_behind<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let (before, rest) = text.split_once(key)?;
    let alone = before.is_empty() || before.ends_with(' ');
    rest.split(' ')
        .next()
        .filter(|word| alone && !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges::FactList;

    /// First sector, sectors, kind, inode, offset.
    type Columns = (u64, u64, ObjectKind, Option<u64>, Option<u64>);

    fn read(text: &str) -> Vec<Fact<'static>> {
        FactList::read(BtrfsTree::default(), text)
    }

    fn ranges(text: &str) -> Vec<Columns> {
        let columns = |fact| match fact {
            Fact::Range(r) => Some((r.start, r.sectors, r.kind, r.inode, r.offset)),
            _ => None,
        };
        read(text).into_iter().filter_map(columns).collect()
    }

    fn pieces(text: &str) -> Vec<(u64, u64, u64, u64)> {
        let columns = |fact| match fact {
            Fact::Chunk(p) => Some((p.logical, p.physical, p.sectors, p.device)),
            _ => None,
        };
        read(text).into_iter().filter_map(columns).collect()
    }

    fn chunk(kind: &str, sub_stripes: u64, stripes: &[(u64, u64)]) -> String {
        let mut text = format!(
            "\titem 1 key (FIRST_CHUNK_TREE CHUNK_ITEM 1048576) itemoff 1 itemsize 80\n\
             \t\tlength 262144 owner 2 stripe_len 65536 type {kind}\n\
             \t\tio_align 65536 io_width 65536 sector_size 4096\n\
             \t\tnum_stripes 2 sub_stripes {sub_stripes}\n"
        );
        for (device, offset) in stripes {
            text += &format!("\t\t\tstripe 0 devid {device} offset {offset}\n");
            text += "\t\t\tdev_uuid 5d383105-2ba6-4e40-b97d-999f21cea8e0\n";
        }
        text
    }

    #[test]
    fn chunks_with_copies() {
        let text = chunk("METADATA|DUP", 1, &[(1, 0), (1, 1 << 20)]);
        assert_eq!(pieces(&text), [(2048, 0, 512, 1), (2048, 2048, 512, 1)]);
        let data = read(&chunk("DATA|single", 1, &[(1, 0)]));
        assert!(matches!(
            data[0],
            Fact::Chunk(ChunkPiece { data: true, .. })
        ));
    }

    #[test]
    fn chunks_in_stripes() {
        let text = chunk("DATA|RAID0", 1, &[(1, 0), (2, 1 << 20)]);
        let expected = [
            (2048, 0, 128, 1),
            (2176, 2048, 128, 2),
            (2304, 128, 128, 1),
            (2432, 2176, 128, 2),
        ];
        assert_eq!(pieces(&text), expected);
        let text = chunk("DATA|RAID10", 2, &[(1, 0), (2, 0), (3, 0), (4, 0)]);
        let devices: Vec<u64> = pieces(&text).iter().map(|piece| piece.3).collect();
        assert_eq!(devices, [1, 2, 3, 4, 1, 2, 3, 4]);
        let found = read(&chunk("DATA|RAID5", 1, &[(1, 0), (2, 0), (3, 0)]));
        assert_eq!(found, [Fact::LeftOut(1)]);
    }

    #[test]
    fn owners_of_extents_and_free_space_between_them() {
        let text = "leaf 65536 items 3 free space 1 generation 15 owner EXTENT_TREE\n\
            leaf 65536 flags 0x1(WRITTEN) backref revision 1\n\
            \titem 0 key (1048576 EXTENT_ITEM 8192) itemoff 16230 itemsize 53\n\
            \t\trefs 1 gen 7 flags DATA\n\
            \t\textent data backref root FS_TREE objectid 268 offset 4096 count 1\n\
            \titem 1 key (1048576 BLOCK_GROUP_ITEM 65536) itemoff 16206 itemsize 24\n\
            \t\tblock group used 1 chunk_objectid 256 flags DATA|single\n\
            \titem 2 key (1060864 EXTENT_ITEM 4096) itemoff 16100 itemsize 53\n\
            \t\textent data backref root DATA_RELOC_TREE objectid 268 offset 0 count 1\n\
            \titem 3 key (2097152 METADATA_ITEM 0) itemoff 16100 itemsize 53\n\
            \t\trefs 1 gen 7 flags TREE_BLOCK\n\
            \t\ttree block skinny level 0\n\
            \t\ttree block backref root FS_TREE\n";
        use ObjectKind::*;
        assert_eq!(
            ranges(text),
            [
                (128, 32, ExtentTree, None, None),
                (2048, 16, File, Some(268), Some(4096)),
                (2064, 8, Free, None, None),
                (2080, 96, Free, None, None),
                (4096, 32, FsTree, None, None),
            ]
        );
        assert!(read(text).contains(&Fact::NodeSize(16384)));
    }

    #[test]
    fn numbers_of_trees() {
        assert_eq!(tree_of_number(10), Some(ObjectKind::FreeSpaceTree));
        assert_eq!(tree_of_number(257), Some(ObjectKind::FsTree));
        assert_eq!(tree_of_number(u64::MAX - 5), Some(ObjectKind::LogTree));
        assert_eq!(tree_of_number(0), None);
        assert_eq!(tree_of_name("10"), Some(ObjectKind::FreeSpaceTree));
    }

    #[test]
    fn superblocks_of_a_device() {
        let text = "fsid\t\t\tc84bf68d-b4a8-4b7e-adfd-2a693c9b44de\nnodesize\t\t16384\n\
            dev_item.total_bytes\t536870912\ndev_item.devid\t1\n";
        let facts = FactList::read(BtrfsSuper, text);
        assert_eq!(facts[0], Fact::Uuid(0xc84b_f68d_b4a8_4b7e));
        assert!(facts.contains(&Fact::Size(1 << 20)));
        assert!(facts.contains(&Fact::BtrfsDevice(1)));
        let starts = |fact: &Fact<'_>| match fact {
            Fact::Range(range) => Some((range.start, range.sectors)),
            _ => None,
        };
        let found: Vec<_> = facts.iter().filter_map(starts).collect();
        assert_eq!(found, [(128, 8), (131_072, 8)]);
    }

    #[test]
    fn hostile_texts_do_no_harm() {
        let big = "18446744073709551615";
        let text = format!(
            "leaf {big} items 1 owner FS_TREE\n\
             item 0 key ({big} EXTENT_ITEM {big}) itemoff {big} itemsize {big}\n\
             extent data backref root 5 objectid {big} offset {big} count 1\n\
             item 0 key (1 EXTENT_ITEM {big}) itemoff 16230 itemsize 53\n\
             item 1 key (1 BLOCK_GROUP_ITEM {big}) itemoff 0 itemsize 0\n\
             item 1 key (0 EXTENT_ITEM 0) itemoff 0 itemsize 0\n\
             item 1 key (0 CHUNK_ITEM {big}) itemoff 0 itemsize 0\n\
             length {big} owner 2 stripe_len 1 type DATA|RAID10\n\
             num_stripes 1 sub_stripes {big}\nstripe 0 devid {big} offset {big}\n\
             item 1 key (0 CHUNK_ITEM {big}) itemoff 0 itemsize 0\n\
             length {big} owner 2 stripe_len 1 type DATA|RAID0\n\
             num_stripes 1 sub_stripes 1\nstripe 0 devid {big} offset {big}\n"
        );
        assert!(read(&text).len() <= MAX_PIECES as usize + 16);
        for line in [
            "item",
            "item 0",
            "item 0 key (",
            "item 0 key ()",
            "leaf",
            "node x",
            "fs uuid",
        ] {
            read(line);
        }
        assert_eq!(uuid("short"), None);
        assert_eq!(uuid("gggggggggggggggg"), None);
    }
}

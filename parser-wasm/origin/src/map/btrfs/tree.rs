//! Dumps of trees.

use super::chunk::Chunk;
use super::{TOP_SUBVOLUME, inode_key, range, tree_of_name, uuid, word_behind};
use crate::ranges::{Facts, MapFact, MapRange, MapText, Space};
use seekscope_trace::store::ObjectKind;

/// Tree blocks that wait for the size of a node.
const MAX_WAITING: usize = 1 << 12;
/// Bytes of the header of a leaf, behind which the space for items begins.
const LEAF_HEADER: u64 = 101;

/// Whether a text is a dump of a tree.
pub fn is_tree(head: &str) -> bool {
    let block = |line: &str| line.starts_with("leaf ") || line.starts_with("node ");
    head.lines()
        .any(|line| block(line) && line.contains(" owner "))
}

/// Reads a dump of any tree.
#[derive(Default)]
pub struct BtrfsTree {
    /// Bytes of a tree block.
    node: Option<u64>,
    waiting: Vec<(u64, ObjectKind)>,
    key: ItemKey,
    chunk: Chunk,
    group: Group,
    left_out: u64,
}

/// The item whose lines are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ItemKey {
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
            facts.add(MapFact::Uuid(uuid));
        } else {
            match self.key {
                ItemKey::Chunk => self.chunk.line(text),
                ItemKey::Extent { .. } => self.extent_line(text, facts),
                ItemKey::Other => {}
            }
        }
    }

    fn end(&mut self, facts: &mut dyn Facts) {
        self.finish_item(facts);
        self.finish_group(facts);
        if self.left_out > 0 {
            facts.add(MapFact::LeftOut(self.left_out));
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
                self.chunk = Chunk::new(logical);
                self.key = ItemKey::Chunk;
            }
            ("EXTENT_ITEM", Some(start), Some(length)) => {
                self.key = ItemKey::Extent {
                    start,
                    length: Some(length),
                    owned: false,
                };
                self.used(start, Some(length), facts);
            }
            ("METADATA_ITEM", Some(start), _) => {
                self.key = ItemKey::Extent {
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
            facts.add(MapFact::NodeSize(node));
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
        let ItemKey::Extent {
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
            let root = word_behind(text, "root ").unwrap_or_default();
            let subvolume = match (root, tree_of_name(root)) {
                ("FS_TREE", _) => Some(TOP_SUBVOLUME),
                (number, Some(ObjectKind::FsTree)) => number.parse().ok(),
                _ => None,
            };
            let inode = subvolume
                .zip(number("objectid "))
                .map(|(subvolume, inode)| inode_key(subvolume, inode));
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
        self.key = ItemKey::Extent {
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
        if std::mem::take(&mut self.key) == ItemKey::Chunk {
            self.left_out += std::mem::take(&mut self.chunk).pieces(facts);
        }
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
    facts.add(MapFact::Range(MapRange {
        inode: file.map(|(inode, _)| inode),
        offset: file.and_then(|(_, offset)| offset),
        weak: file.is_some(),
        ..range
    }));
}

#[cfg(test)]
mod tests {
    use super::super::chunk::MAX_PIECES;
    use super::*;
    use crate::ranges::FactList;

    /// First sector, sectors, kind, inode, offset.
    type Columns = (u64, u64, ObjectKind, Option<u64>, Option<u64>);

    fn read(text: &str) -> Vec<MapFact<'static>> {
        FactList::read(BtrfsTree::default(), text)
    }

    fn ranges(text: &str) -> Vec<Columns> {
        let columns = |fact| match fact {
            MapFact::Range(r) => Some((r.start, r.sectors, r.kind, r.inode, r.offset)),
            _ => None,
        };
        read(text).into_iter().filter_map(columns).collect()
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
        assert!(read(text).contains(&MapFact::NodeSize(16384)));
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
    }
}

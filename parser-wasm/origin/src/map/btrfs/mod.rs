//! Texts of btrfs, as `btrfs inspect-internal dump-tree` and `dump-super` print them: the chunk
//! tree maps logical addresses to devices; the extent tree says who owns logical addresses; every
//! dump says to which tree its own blocks belong. FIEMAP of btrfs counts in logical addresses too.

mod chunk;
mod superblock;
mod tree;

pub use superblock::{BtrfsSuper, is_super};
pub use tree::{BtrfsTree, is_tree};

use crate::ranges::{MapRange, SECTOR, Space};
use seekscope_trace::store::ObjectKind;

/// The subvolume that a file system begins with.
pub const TOP_SUBVOLUME: u64 = 5;
/// The first inode of a subvolume: its top folder.
pub const TOP_INODE: u64 = 256;
/// Bits of an inode's number; those of its subvolume are above.
const INODE_BITS: u32 = 40;

/// A number of an inode that is of its own in the file system: subvolumes number theirs alike.
/// That of the top one stays as it is.
pub fn inode_key(subvolume: u64, inode: u64) -> u64 {
    match subvolume {
        TOP_SUBVOLUME => inode,
        _ => subvolume << INODE_BITS | plain_inode(inode),
    }
}

/// The number that an inode has in its subvolume.
pub fn plain_inode(key: u64) -> u64 {
    key & ((1 << INODE_BITS) - 1)
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

/// What stands before the hash of a UUID that a recorder has masked.
const MASKED: &str = "uuid-";

/// The first 16 digits of a UUID, or all of its hash.
pub fn uuid(text: &str) -> Option<u64> {
    let (digits, count) = match text.strip_prefix(MASKED) {
        Some(hash) => (hash, 8),
        None => (text, 16),
    };
    let digits: String = digits.chars().filter(|&c| c != '-').take(count).collect();
    let value = u64::from_str_radix(&digits, 16).ok();
    value.filter(|_| digits.len() == count)
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

    #[test]
    fn numbers_of_trees() {
        assert_eq!(tree_of_number(10), Some(ObjectKind::FreeSpaceTree));
        assert_eq!(tree_of_number(257), Some(ObjectKind::FsTree));
        assert_eq!(tree_of_number(u64::MAX - 5), Some(ObjectKind::LogTree));
        assert_eq!(tree_of_number(0), None);
        assert_eq!(tree_of_name("10"), Some(ObjectKind::FreeSpaceTree));
    }

    #[test]
    fn inodes_of_subvolumes_differ() {
        assert_eq!(inode_key(TOP_SUBVOLUME, 257), 257);
        assert_ne!(inode_key(256, 257), inode_key(257, 257));
        assert_eq!(plain_inode(inode_key(256, 257)), 257);
        assert_eq!(plain_inode(inode_key(u64::MAX, u64::MAX)), (1 << 40) - 1);
    }

    #[test]
    fn uuids_as_they_are_and_masked() {
        assert_eq!(
            uuid("01234567-89ab-cdef-0123-456789abcdef"),
            Some(0x0123_4567_89ab_cdef)
        );
        assert_eq!(uuid("uuid-0a1b2c3d"), Some(0x0a1b_2c3d));
    }

    #[test]
    fn uuids_that_are_none() {
        assert_eq!(uuid("short"), None);
        assert_eq!(uuid("gggggggggggggggg"), None);
        assert_eq!(uuid("uuid-0a1b"), None);
    }
}

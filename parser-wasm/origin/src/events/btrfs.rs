//! Events of btrfs: where the data of files goes, and to which trees new blocks belong. Addresses are
//! logical; a file system is named by its UUID.

use super::{FsEvent, Line, Unit, Volume, number};
use crate::map::btrfs::{tree_of_number, uuid};
use seekscope_trace::store::ObjectKind;

/// Gives the event of a line.
pub fn parse(line: &Line<'_>) -> Option<FsEvent> {
    let known = matches!(
        line.name,
        "btrfs_ordered_extent_add"
            | "btrfs_cow_block"
            | "btrfs_reserved_extent_free"
            | "btrfs_sync_file"
            | "btrfs_transaction_commit"
    );
    if !known {
        return None;
    }
    let (name, fields) = line.fields.split_once(": ")?;
    let volume = Volume::Uuid(uuid(name)?);
    match line.name {
        "btrfs_ordered_extent_add" => data(volume, fields),
        "btrfs_cow_block" => {
            let kind = tree_of_number(root(fields)?)?;
            let start = number(fields, "cow_buf")?;
            // The event has no length: it is that of a node.
            Some(FsEvent::TreeBlock {
                volume,
                start,
                length: 0,
                kind,
            })
        }
        "btrfs_sync_file" => Some(FsEvent::Synced {
            volume,
            inode: number(fields, "ino")?,
        }),
        "btrfs_transaction_commit" => Some(FsEvent::Committed {
            volume,
            transaction: number(fields, "gen")?,
        }),
        _ => None,
    }
}

/// An extent that is written now. Where it is compressed, a sector has no place in the file.
fn data(volume: Volume, fields: &str) -> Option<FsEvent> {
    // Other trees have files of their own: free-space caches, and data that is relocated.
    tree_of_number(root(fields)?).filter(|&kind| kind == ObjectKind::FsTree)?;
    let plain = number(fields, "compress_type").unwrap_or(0) == 0;
    let length = number(fields, "disk_len").filter(|_| !plain);
    Some(FsEvent::Mapped {
        volume,
        kind: ObjectKind::File,
        inode: number(fields, "ino")?,
        offset: if plain {
            number(fields, "file_offset")?
        } else {
            u64::MAX
        },
        start: number(fields, "start")?,
        length: length.or_else(|| number(fields, "len"))?,
        unit: Unit::Bytes,
        written: true,
    })
}

/// The number of `root=5(FS_TREE)`.
fn root(fields: &str) -> Option<u64> {
    super::value(fields, "root")?
        .split('(')
        .next()?
        .parse()
        .ok()
}

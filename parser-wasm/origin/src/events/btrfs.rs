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

#[cfg(test)]
mod tests {
    use super::*;

    const UUID: &str = "c84bf68d-b4a8-4b7e-adfd-2a693c9b44de";
    const VOLUME: Volume = Volume::Uuid(0xc84b_f68d_b4a8_4b7e);

    fn read(name: &str, fields: &str) -> Option<FsEvent> {
        let fields = format!("{UUID}: {fields}");
        parse(&Line {
            comm: "task",
            pid: 7,
            time: 0,
            name,
            fields: &fields,
        })
    }

    fn mapped(offset: u64, start: u64, length: u64) -> Option<FsEvent> {
        let (volume, kind, unit) = (VOLUME, ObjectKind::File, Unit::Bytes);
        let (inode, written) = (310, true);
        Some(FsEvent::Mapped {
            volume,
            kind,
            inode,
            offset,
            start,
            length,
            unit,
            written,
        })
    }

    #[test]
    fn data_of_files() {
        let fields = |root: &str, compressed: u32| {
            format!(
                "root={root} ino=310 file_offset=4096 start=67108864 len=131072 disk_len=8192 \
                truncated_len=18446744073709551615 bytes_left=1 flags=REGULAR \
                compress_type={compressed} refs=1"
            )
        };
        let name = "btrfs_ordered_extent_add";
        assert_eq!(
            read(name, &fields("5(FS_TREE)", 0)),
            mapped(4096, 67_108_864, 131_072)
        );
        assert_eq!(
            read(name, &fields("257(-)", 0)),
            mapped(4096, 67_108_864, 131_072)
        );
        assert_eq!(
            read(name, &fields("5(FS_TREE)", 2)),
            mapped(u64::MAX, 67_108_864, 8192)
        );
        assert_eq!(read(name, &fields("1(ROOT_TREE)", 0)), None);
        assert_eq!(
            read(name, &fields("18446744073709551607(DATA_RELOC_TREE)", 0)),
            None
        );
    }

    #[test]
    fn blocks_of_trees() {
        let fields = "root=18446744073709551610(TREE_LOG) refs=2 orig_buf=31768576 \
            (orig_level=0) cow_buf=31801344 (cow_level=0)";
        let kind = ObjectKind::LogTree;
        let event = FsEvent::TreeBlock {
            volume: VOLUME,
            start: 31_801_344,
            length: 0,
            kind,
        };
        assert_eq!(read("btrfs_cow_block", fields), Some(event));
    }

    #[test]
    fn syncs_and_commits() {
        let event = FsEvent::Synced {
            volume: VOLUME,
            inode: 310,
        };
        assert_eq!(
            read("btrfs_sync_file", "root=5(FS_TREE) ino=310 parent=256"),
            Some(event)
        );
        let event = FsEvent::Committed {
            volume: VOLUME,
            transaction: 9,
        };
        assert_eq!(
            read("btrfs_transaction_commit", "root=1(ROOT_TREE) gen=9"),
            Some(event)
        );
    }

    #[test]
    fn damaged_lines_give_nothing() {
        for name in [
            "btrfs_ordered_extent_add",
            "btrfs_cow_block",
            "btrfs_sync_file",
            "other",
        ] {
            for fields in [
                "",
                "root=",
                "root=(",
                "root=5",
                "root=5 ino=x start=1 len=1",
            ] {
                assert_eq!(read(name, fields), None, "{name} {fields}");
            }
            let line = Line {
                comm: "",
                pid: 0,
                time: 0,
                name,
                fields: "no uuid",
            };
            assert_eq!(parse(&line), None);
        }
    }
}

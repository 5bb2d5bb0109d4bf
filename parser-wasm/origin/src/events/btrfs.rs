//! Events of btrfs: where the data of files goes, and to which trees new blocks belong. Addresses
//! are logical; a file system is named by its UUID.

use super::{FsEvent, Line, PlaceUnit, VolumeName, number, value};
use crate::map::btrfs::{inode_key, tree_of_number, uuid};
use seekscope_trace::store::{NO_OFFSET, ObjectKind};

/// Gives the events of a line.
pub fn parse(line: &Line<'_>, add: &mut dyn FnMut(FsEvent)) {
    if line.name == "btrfs_ordered_extent_add" {
        if let Some((mapped, direct)) = volume(line).and_then(data) {
            add(mapped);
            direct.into_iter().for_each(add);
        }
    } else if let Some(event) = other(line) {
        add(event);
    }
}

/// The file system, and the fields behind its name.
fn volume<'a>(line: &Line<'a>) -> Option<(VolumeName, &'a str)> {
    let (name, fields) = line.fields.split_once(": ")?;
    Some((VolumeName::Uuid(uuid(name)?), fields))
}

/// An event that is not about data.
fn other(line: &Line<'_>) -> Option<FsEvent> {
    let (volume, fields) = volume(line)?;
    Some(match line.name {
        "btrfs_cow_block" => {
            let kind = tree_of_number(root(fields)?)?;
            let start = number(fields, "cow_buf")?;
            // The event has no length: it is that of a node.
            let length = 0;
            FsEvent::TreeBlock {
                volume,
                start,
                length,
                kind,
            }
        }
        "btrfs_sync_file" => {
            let inode = number(fields, "ino")?;
            FsEvent::Synced { volume, inode }
        }
        "btrfs_transaction_commit" => {
            let transaction = number(fields, "gen")?;
            FsEvent::Committed {
                volume,
                transaction,
            }
        }
        _ => return None,
    })
}

/// An extent that is written now, and the direct I/O that writes it. Where the extent is
/// compressed, a sector has no place in the file.
fn data((volume, fields): (VolumeName, &str)) -> Option<(FsEvent, Option<FsEvent>)> {
    // Other trees have files of their own: free-space caches, and data that is relocated.
    let subvolume = root(fields)?;
    tree_of_number(subvolume).filter(|&kind| kind == ObjectKind::FsTree)?;
    let inode = number(fields, "ino")?;
    let (offset, length) = (number(fields, "file_offset")?, number(fields, "len")?);
    let packed = number(fields, "compress_type").is_some_and(|kind| kind > 0);
    let mapped = FsEvent::Mapped {
        volume,
        kind: ObjectKind::File,
        inode: inode_key(subvolume, inode),
        offset: if packed { NO_OFFSET } else { offset },
        start: number(fields, "start")?,
        length: number(fields, "disk_len")
            .filter(|_| packed)
            .unwrap_or(length),
        unit: PlaceUnit::Bytes,
        written: true,
    };
    let flags = value(fields, "flags").unwrap_or_default();
    let direct = flags
        .split('|')
        .any(|flag| flag == "DIRECT")
        .then_some(FsEvent::Direct {
            volume,
            inode,
            offset,
            length,
        });
    Some((mapped, direct))
}

/// The number of `root=5(FS_TREE)`.
fn root(fields: &str) -> Option<u64> {
    value(fields, "root")?.split('(').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const UUID: &str = "c84bf68d-b4a8-4b7e-adfd-2a693c9b44de";
    const VOLUME: VolumeName = VolumeName::Uuid(0xc84b_f68d_b4a8_4b7e);

    fn read(name: &str, fields: &str) -> Vec<FsEvent> {
        let fields = format!("{UUID}: {fields}");
        let line = Line {
            comm: "task",
            pid: 7,
            time: 0,
            name,
            fields: &fields,
        };
        let mut events = Vec::new();
        parse(&line, &mut |event| events.push(event));
        events
    }

    fn mapped(offset: u64, start: u64, length: u64) -> FsEvent {
        let (volume, kind, unit) = (VOLUME, ObjectKind::File, PlaceUnit::Bytes);
        let (inode, written) = (310, true);
        FsEvent::Mapped {
            volume,
            kind,
            inode,
            offset,
            start,
            length,
            unit,
            written,
        }
    }

    #[test]
    fn data_of_files() {
        let read = |root: &str, compressed: u32, flags: &str| {
            let fields = format!(
                "root={root} ino=310 file_offset=4096 start=67108864 len=131072 disk_len=8192 \
                truncated_len=18446744073709551615 bytes_left=1 flags={flags} \
                compress_type={compressed} refs=1"
            );
            read("btrfs_ordered_extent_add", &fields)
        };
        let plain = mapped(4096, 67_108_864, 131_072);
        assert_eq!(read("5(FS_TREE)", 0, "REGULAR"), [plain]);
        let subvolume = read("257(-)", 0, "NOCOW");
        assert!(
            matches!(subvolume[..], [FsEvent::Mapped { inode, .. }] if inode == inode_key(257, 310))
        );
        assert_eq!(
            read("5(FS_TREE)", 2, "COMPRESSED"),
            [mapped(NO_OFFSET, 67_108_864, 8192)]
        );
        let direct = FsEvent::Direct {
            volume: VOLUME,
            inode: 310,
            offset: 4096,
            length: 131_072,
        };
        assert_eq!(read("5(FS_TREE)", 0, "PREALLOC|DIRECT"), [plain, direct]);
        assert_eq!(read("1(ROOT_TREE)", 0, "REGULAR"), []);
        assert_eq!(
            read("18446744073709551607(DATA_RELOC_TREE)", 0, "REGULAR"),
            []
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
        assert_eq!(read("btrfs_cow_block", fields), [event]);
    }

    #[test]
    fn syncs_and_commits() {
        let event = FsEvent::Synced {
            volume: VOLUME,
            inode: 310,
        };
        assert_eq!(
            read("btrfs_sync_file", "root=5(FS_TREE) ino=310 parent=256"),
            [event]
        );
        let event = FsEvent::Committed {
            volume: VOLUME,
            transaction: 9,
        };
        assert_eq!(
            read("btrfs_transaction_commit", "root=1(ROOT_TREE) gen=9"),
            [event]
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
                assert_eq!(read(name, fields), [], "{name} {fields}");
            }
            let line = Line {
                comm: "",
                pid: 0,
                time: 0,
                name,
                fields: "no uuid",
            };
            parse(&line, &mut |event| panic!("{event:?}"));
        }
    }
}

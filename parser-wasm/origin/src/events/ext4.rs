//! Allocations of ext4. `ext4_ext_map_blocks_exit` says where a range of a file is;
//! `ext4_allocate_blocks` also where its extent blocks are.

use super::{FsEvent, Line, Unit, Volume, device, number, value};
use seekscope_trace::store::ObjectKind;

/// Physical blocks above are no address: maps of what has no place yet.
const MAX_BLOCK: u64 = 1 << 48;

/// Reads an event of ext4.
pub fn parse(line: &Line<'_>) -> Option<FsEvent> {
    let fields = line.fields;
    let (volume, inode) = (Volume::Partition(device(fields)?), || number(fields, "ino"));
    match line.name {
        "ext4_ext_map_blocks_exit" | "ext4_ind_map_blocks_exit" => {
            let flags = fields.split(" mflags ").nth(1)?.split(' ').next()?;
            // M: mapped, U: allocated, but not written yet.
            let placed = flags.contains(['M', 'U']) && number(fields, "ret")? > 0;
            let (start, length) = (number(fields, "pblk")?, number(fields, "len")?);
            let real = placed && start > 0 && start < MAX_BLOCK && length > 0;
            real.then_some(FsEvent::Mapped {
                volume,
                kind: ObjectKind::File,
                inode: inode()?,
                offset: number(fields, "lblk")?,
                start,
                length,
                unit: Unit::Blocks,
                written: false,
            })
        }
        "ext4_allocate_blocks" => {
            // Data of regular files is marked. What is not is an extent block, unless a map of
            // the same place follows (folders, links).
            let data = value(fields, "flags").is_some_and(|flags| flags.contains("HINT_DATA"));
            Some(FsEvent::Mapped {
                volume,
                kind: if data {
                    ObjectKind::File
                } else {
                    ObjectKind::ExtentBlock
                },
                inode: inode()?,
                offset: number(fields, "lblk")?,
                start: number(fields, "block").filter(|&block| block > 0 && block < MAX_BLOCK)?,
                length: number(fields, "len")?,
                unit: Unit::Blocks,
                written: false,
            })
        }
        "ext4_free_blocks" => Some(FsEvent::Freed {
            volume,
            inode: inode()?,
            start: number(fields, "block")?,
            length: number(fields, "count")?,
            unit: Unit::Blocks,
        }),
        "ext4_unlink_enter" => Some(FsEvent::Unlinked {
            volume,
            inode: inode()?,
        }),
        "ext4_sync_file_enter" => Some(FsEvent::Synced {
            volume,
            inode: inode()?,
        }),
        "jbd2_end_commit" => Some(FsEvent::Committed {
            volume,
            transaction: number(fields, "transaction")?,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::event::DeviceNumber;

    const PARTITION: Volume = Volume::Partition(DeviceNumber(254 << 20 | 1));

    fn event(name: &str, fields: &str) -> Option<FsEvent> {
        parse(&Line {
            comm: "a",
            pid: 1,
            time: 0,
            name,
            fields,
        })
    }

    fn mapped(kind: ObjectKind, offset: u64, start: u64, length: u64) -> Option<FsEvent> {
        Some(FsEvent::Mapped {
            volume: PARTITION,
            kind,
            inode: 62,
            offset,
            start,
            length,
            unit: Unit::Blocks,
            written: false,
        })
    }

    #[test]
    fn a_map_has_a_place_only_when_mapped() {
        let name = "ext4_ext_map_blocks_exit";
        let found = event(
            name,
            "dev 254,1 ino 62 flags CREATE lblk 3 pblk 2138 len 2 mflags NM ret 2",
        );
        assert_eq!(found, mapped(ObjectKind::File, 3, 2138, 2));
        let hole = "dev 254,1 ino 62 flags  lblk 248 pblk 0 len 1 mflags  ret 0";
        assert_eq!(event(name, hole), None);
    }

    #[test]
    fn an_allocation_is_data_or_an_extent_block() {
        let data = "dev 254,1 ino 62 flags HINT_DATA|USE_RESV len 512 block 34304 lblk 0 goal 1";
        let name = "ext4_allocate_blocks";
        assert_eq!(event(name, data), mapped(ObjectKind::File, 0, 34304, 512));
        let tree = "dev 254,1 ino 62 flags  len 1 block 32833 lblk 0 goal 32768";
        assert_eq!(
            event(name, tree),
            mapped(ObjectKind::ExtentBlock, 0, 32833, 1)
        );
    }

    #[test]
    fn freed_blocks_have_a_count() {
        let fields = "dev 254,1 ino 65 mode 0100644 block 34304 count 768 flags VALIDATED";
        let freed = FsEvent::Freed {
            volume: PARTITION,
            inode: 65,
            start: 34304,
            length: 768,
            unit: Unit::Blocks,
        };
        assert_eq!(event("ext4_free_blocks", fields), Some(freed));
        assert_eq!(event("ext4_free_blocks", "dev 254,1 ino"), None);
    }
}

//! Writes of f2fs: each page that is written names its new place.

use super::{FsEvent, Line, Unit, Volume, device, number, value};
use seekscope_trace::store::ObjectKind;

/// The inodes of f2fs for its nodes and for its other metadata.
const NODE_INODE: u64 = 1;
const META_INODE: u64 = 2;
/// Blocks of f2fs are pages.
const BLOCK: u64 = 4096;
/// New addresses above are none: not allocated, or compressed.
const MAX_BLOCK: u64 = 0xffff_fff0;

/// Reads an event of f2fs.
pub fn parse(line: &Line<'_>) -> Option<FsEvent> {
    let fields = line.fields;
    let volume = Volume::Partition(device(fields)?);
    match line.name {
        "f2fs_submit_page_write" | "f2fs_submit_folio_write" => {
            let inode = number(fields, "ino")?;
            let index = number(fields, "page_index").or_else(|| number(fields, "index"))?;
            let start = number(fields, "newaddr").filter(|&block| block < MAX_BLOCK)?;
            let kind = value(fields, "type")?;
            let (kind, inode, offset) = match inode {
                META_INODE => return None,
                // The index of a page of nodes is the number of the node.
                NODE_INODE => (ObjectKind::Node, index, 0),
                _ if kind.ends_with("_DATA") => (ObjectKind::File, inode, index),
                _ => return None,
            };
            Some(FsEvent::Mapped {
                volume,
                kind,
                inode,
                offset: offset.checked_mul(BLOCK)?,
                start: start.checked_mul(BLOCK)?,
                length: BLOCK,
                unit: Unit::Bytes,
                written: true,
            })
        }
        "f2fs_unlink_enter" => Some(FsEvent::Unlinked {
            volume,
            inode: number(fields, "ino")?,
        }),
        "f2fs_sync_file_enter" => Some(FsEvent::Synced {
            volume,
            inode: number(fields, "ino")?,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::event::DeviceNumber;

    fn event(fields: &str) -> Option<(ObjectKind, u64, u64, u64)> {
        let name = "f2fs_submit_page_write";
        match parse(&Line {
            comm: "a",
            pid: 1,
            time: 0,
            name,
            fields,
        })? {
            FsEvent::Mapped {
                volume,
                kind,
                inode,
                offset,
                start,
                written: true,
                ..
            } => {
                assert_eq!(volume, Volume::Partition(DeviceNumber(254 << 20 | 65)));
                Some((kind, inode, offset, start))
            }
            _ => None,
        }
    }

    #[test]
    fn a_page_has_a_new_place() {
        let data = "dev = (254,65), ino = 59, page_index = 0x1, oldaddr = 0xffffffff, \
            newaddr = 0x1901, rw = WRITE(S), type = WARM_DATA";
        assert_eq!(event(data), Some((ObjectKind::File, 59, 4096, 0x190_1000)));
        let folio = data.replace("page_index", "index");
        assert_eq!(event(&folio), event(data));
        let node = "dev = (254,65), ino = 1, page_index = 0x3b, oldaddr = 0x1, \
            newaddr = 0x1000, rw = WRITE, type = WARM_NODE";
        assert_eq!(event(node), Some((ObjectKind::Node, 59, 0, 0x100_0000)));
    }

    #[test]
    fn other_metadata_and_no_place_are_left_out() {
        let meta = "dev = (254,65), ino = 2, page_index = 0x1, newaddr = 0x1, type = META";
        assert_eq!(event(meta), None);
        let none =
            "dev = (254,65), ino = 9, page_index = 0x1, newaddr = 0xffffffff, type = HOT_DATA";
        assert_eq!(event(none), None);
    }
}

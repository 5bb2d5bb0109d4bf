//! Writes of f2fs: each page that is written names its new place.

use super::{FsEvent, Line, PlaceUnit, VolumeName, device, number, value};
use rustc_hash::FxHashMap;
use seekscope_trace::store::ObjectKind;

/// The inodes of f2fs for its nodes and for its other metadata.
const NODE_INODE: u64 = 1;
const META_INODE: u64 = 2;
/// Blocks of f2fs are pages.
const BLOCK: u64 = 4096;
/// New addresses above are none: not allocated, or compressed.
const MAX_BLOCK: u64 = 0xffff_fff0;

/// Inodes whose type is kept; of more, hot data is of no file that is known.
const MAX_INODES: usize = 1 << 20;

/// Reads events of f2fs.
#[derive(Debug, Default)]
pub struct F2fs {
    /// Whether inodes are folders, as their last write-back or sync says.
    folders: FxHashMap<(VolumeName, u64), bool>,
}

impl F2fs {
    /// Reads an event of f2fs.
    pub fn parse(&mut self, line: &Line<'_>) -> Option<FsEvent> {
        let fields = line.fields;
        let volume = VolumeName::Partition(device(fields)?);
        let inode = number(fields, "ino")?;
        match line.name {
            "f2fs_submit_page_write" | "f2fs_submit_folio_write" => {
                self.write(fields, volume, inode)
            }
            "f2fs_writepages" => {
                if fields.contains(", DIR, ") || fields.contains(", FILE, ") {
                    self.add(volume, inode, fields.contains(", DIR, "));
                }
                None
            }
            "f2fs_sync_file_enter" => {
                const TYPE: u64 = 0o17_0000;
                const FOLDER: u64 = 0o4_0000;
                let mode = number(fields, "i_mode")?;
                self.add(volume, inode, mode & TYPE == FOLDER);
                Some(FsEvent::Synced { volume, inode })
            }
            "f2fs_unlink_enter" => Some(FsEvent::Unlinked { volume, inode }),
            _ => None,
        }
    }

    fn add(&mut self, volume: VolumeName, inode: u64, folder: bool) {
        let key = (volume, inode);
        if self.folders.len() < MAX_INODES || self.folders.contains_key(&key) {
            self.folders.insert(key, folder);
        }
    }

    fn write(&self, fields: &str, volume: VolumeName, inode: u64) -> Option<FsEvent> {
        let index = number(fields, "page_index").or_else(|| number(fields, "index"))?;
        let start = number(fields, "newaddr").filter(|&block| block < MAX_BLOCK)?;
        let start = start.checked_mul(BLOCK)?;
        let kind = value(fields, "type")?;
        let folder = self.folders.get(&(volume, inode)).copied();
        let (kind, inode, offset) = match inode {
            META_INODE => return None,
            // The index of a page of nodes is the number of the node.
            NODE_INODE => (ObjectKind::Node, index, 0),
            // Hot are folders, and small files.
            _ if kind == "HOT_DATA" && folder.is_none() => {
                return Some(FsEvent::Freed {
                    volume,
                    inode: 0,
                    start,
                    length: BLOCK,
                    unit: PlaceUnit::Bytes,
                });
            }
            _ if folder == Some(true) => (ObjectKind::Directory, inode, index),
            _ if kind.ends_with("_DATA") => (ObjectKind::File, inode, index),
            _ => return None,
        };
        Some(FsEvent::Mapped {
            volume,
            kind,
            inode,
            offset: offset.checked_mul(BLOCK)?,
            start,
            length: BLOCK,
            unit: PlaceUnit::Bytes,
            written: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::event::DeviceNumber;

    fn parse(parser: &mut F2fs, name: &str, fields: &str) -> Option<FsEvent> {
        parser.parse(&Line {
            comm: "a",
            pid: 1,
            time: 0,
            name,
            fields,
        })
    }

    fn write(parser: &mut F2fs, fields: &str) -> Option<(ObjectKind, u64, u64, u64)> {
        match parse(parser, "f2fs_submit_page_write", fields)? {
            FsEvent::Mapped {
                volume,
                kind,
                inode,
                offset,
                start,
                written: true,
                ..
            } => {
                assert_eq!(volume, VolumeName::Partition(DeviceNumber(254 << 20 | 65)));
                Some((kind, inode, offset, start))
            }
            _ => None,
        }
    }

    fn event(fields: &str) -> Option<(ObjectKind, u64, u64, u64)> {
        write(&mut F2fs::default(), fields)
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

    #[test]
    fn hot_data_is_of_a_folder_or_a_file() {
        let hot = "dev = (254,65), ino = 59, page_index = 0x0, oldaddr = 0x1, newaddr = 0x10, \
            rw = WRITE, type = HOT_DATA";
        let mut parser = F2fs::default();
        assert_eq!(write(&mut parser, hot), None);
        let synced = "dev = (254,65), ino = 59, pino = 3, i_mode = 0x81a4, i_size = 1";
        parse(&mut parser, "f2fs_sync_file_enter", synced);
        assert_eq!(write(&mut parser, hot).unwrap().0, ObjectKind::File);
        let folder = "dev = (254,65), ino = 59, DATA, DIR, nr_to_write 1, skipped 0";
        parse(&mut parser, "f2fs_writepages", folder);
        assert_eq!(write(&mut parser, hot).unwrap().0, ObjectKind::Directory);
    }
}

//! Allocations of ext4. `ext4_ext_map_blocks_exit` says where a range of a file is;
//! `ext4_allocate_blocks` also where its extent blocks are.

use super::{FsEvent, Line, PlaceUnit, VolumeName, device, number, value};
use seekscope_trace::store::ObjectKind;

/// Physical blocks above are no address: maps of what has no place yet.
const MAX_BLOCK: u64 = 1 << 48;
/// The inode of the journal.
const JOURNAL_INODE: u64 = 8;

/// Reads events of ext4.
#[derive(Debug, Default)]
pub struct Ext4 {
    /// The last allocation without the mark of a file's data: volume, inode, first block and end.
    plain: Option<(VolumeName, u64, u64, u64)>,
}

impl Ext4 {
    /// Gives the events of a line.
    pub fn parse(&mut self, line: &Line<'_>, add: &mut dyn FnMut(FsEvent)) {
        let name = line.name;
        if name == "ext4_ext_map_blocks_exit" || name == "ext4_ind_map_blocks_exit" {
            self.map(line.fields, add);
        } else if name == "ext4_allocate_blocks" {
            self.allocate(line.fields).into_iter().for_each(add);
        } else {
            other(line).into_iter().for_each(add);
        }
    }

    fn map(&mut self, fields: &str, add: &mut dyn FnMut(FsEvent)) -> Option<()> {
        let volume = VolumeName::Partition(device(fields)?);
        let inode = number(fields, "ino")?;
        let flags = fields.split(" mflags ").nth(1)?.split(' ').next()?;
        // M: mapped, U: allocated, but not written yet.
        let placed = flags.contains(['M', 'U']) && number(fields, "ret")? > 0;
        let (start, length) = (number(fields, "pblk")?, number(fields, "len")?);
        if !placed || start == 0 || start >= MAX_BLOCK || length == 0 {
            return None;
        }
        let folder = self.plain.is_some_and(|(name, owner, first, end)| {
            (name, owner) == (volume, inode) && (first..end).contains(&start)
        });
        let offset = number(fields, "lblk")?;
        add(FsEvent::Mapped {
            volume,
            kind: match inode {
                JOURNAL_INODE => ObjectKind::Journal,
                _ if folder => ObjectKind::Directory,
                _ => ObjectKind::File,
            },
            inode,
            offset,
            start,
            length,
            unit: PlaceUnit::Blocks,
            written: false,
        });
        // Delayed allocation adds flags. Without it the task that writes allocates, as with
        // journaled data, of which kernels before 6.4 have no other event.
        if fields.contains(" flags CREATE lblk ") && !folder {
            add(FsEvent::Created {
                volume,
                inode,
                offset,
                length,
            });
        }
        Some(())
    }

    fn allocate(&mut self, fields: &str) -> Option<FsEvent> {
        let volume = VolumeName::Partition(device(fields)?);
        let inode = number(fields, "ino")?;
        // Data of regular files is marked. What is not is an extent block, unless a map of the
        // same place follows: then it is data of a folder or link.
        let data = value(fields, "flags").is_some_and(|flags| flags.contains("HINT_DATA"));
        let start = number(fields, "block").filter(|&block| block > 0 && block < MAX_BLOCK)?;
        let length = number(fields, "len")?;
        self.plain = (!data).then(|| (volume, inode, start, start.saturating_add(length)));
        Some(FsEvent::Mapped {
            volume,
            kind: if data {
                ObjectKind::File
            } else {
                ObjectKind::ExtentBlock
            },
            inode,
            offset: number(fields, "lblk")?,
            start,
            length,
            unit: PlaceUnit::Blocks,
            written: false,
        })
    }
}

fn other(line: &Line<'_>) -> Option<FsEvent> {
    let fields = line.fields;
    let volume = VolumeName::Partition(device(fields)?);
    let inode = || number(fields, "ino");
    Some(match line.name {
        "ext4_free_blocks" => FsEvent::Freed {
            volume,
            // A block of the extents of a file that is freed is no sign that the file goes.
            inode: if frees_extents(fields) { 0 } else { inode()? },
            start: number(fields, "block")?,
            length: number(fields, "count")?,
            unit: PlaceUnit::Blocks,
        },
        "ext4_unlink_enter" => FsEvent::Unlinked {
            volume,
            inode: inode()?,
        },
        "ext4_sync_file_enter" => FsEvent::Synced {
            volume,
            inode: inode()?,
        },
        "jbd2_end_commit" => FsEvent::Committed {
            volume,
            transaction: number(fields, "transaction")?,
        },
        _ => return None,
    })
}

/// Whether an event frees a block of the extents of a regular file.
fn frees_extents(fields: &str) -> bool {
    let is_regular = value(fields, "mode").is_some_and(|mode| mode.starts_with("0100"));
    is_regular && value(fields, "flags").is_some_and(|flags| flags.contains("METADATA"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::event::DeviceNumber;

    const PARTITION: VolumeName = VolumeName::Partition(DeviceNumber(254 << 20 | 1));

    fn events(lines: &[(&str, &str)]) -> Vec<FsEvent> {
        let mut found = Vec::new();
        let mut parser = Ext4::default();
        for &(name, fields) in lines {
            let line = Line {
                comm: "a",
                pid: 1,
                time: 0,
                name,
                fields,
            };
            parser.parse(&line, &mut |event| found.push(event));
        }
        found
    }

    fn event(name: &str, fields: &str) -> Option<FsEvent> {
        events(&[(name, fields)]).into_iter().next()
    }

    fn mapped(kind: ObjectKind, offset: u64, start: u64, length: u64) -> Option<FsEvent> {
        Some(FsEvent::Mapped {
            volume: PARTITION,
            kind,
            inode: 62,
            offset,
            start,
            length,
            unit: PlaceUnit::Blocks,
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
        let journal = "dev 254,1 ino 8 flags  lblk 23 pblk 65559 len 1 mflags M ret 1";
        let kind = match event(name, journal) {
            Some(FsEvent::Mapped { kind, .. }) => Some(kind),
            _ => None,
        };
        assert_eq!(kind, Some(ObjectKind::Journal));
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
    fn a_block_of_extents_that_is_freed_is_no_file_that_goes() {
        let inode = |mode: &str, flags: &str| {
            let fields = format!("dev 254,1 ino 65 mode {mode} block 9 count 1 flags {flags}");
            match event("ext4_free_blocks", &fields) {
                Some(FsEvent::Freed { inode, .. }) => inode,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(inode("0100644", "METADATA|FORGET|VALIDATED"), 0);
        assert_eq!(inode("040755", "METADATA|FORGET|VALIDATED"), 65);
        assert_eq!(inode("0100644", ""), 65);
    }

    #[test]
    fn freed_blocks_have_a_count() {
        let fields = "dev 254,1 ino 65 mode 0100644 block 34304 count 768 flags VALIDATED";
        let freed = FsEvent::Freed {
            volume: PARTITION,
            inode: 65,
            start: 34304,
            length: 768,
            unit: PlaceUnit::Blocks,
        };
        assert_eq!(event("ext4_free_blocks", fields), Some(freed));
        assert_eq!(event("ext4_free_blocks", "dev 254,1 ino"), None);
    }

    #[test]
    fn a_map_of_what_was_allocated_without_the_mark_is_of_a_folder() {
        let allocated = (
            "ext4_allocate_blocks",
            "dev 254,1 ino 62 flags  len 1 block 2138 lblk 0 goal 0",
        );
        let map = "dev 254,1 ino 62 flags CREATE lblk 0 pblk 2138 len 1 mflags NM ret 1";
        let name = "ext4_ext_map_blocks_exit";
        let folder = events(&[allocated, (name, map)]);
        assert_eq!(
            folder.get(1).copied(),
            mapped(ObjectKind::Directory, 0, 2138, 1)
        );
        assert_eq!(folder.len(), 2);
        let file = events(&[(name, map)]);
        assert_eq!(file[0], mapped(ObjectKind::File, 0, 2138, 1).unwrap());
        assert!(matches!(
            file[1],
            FsEvent::Created {
                inode: 62,
                length: 1,
                ..
            }
        ));
    }
}

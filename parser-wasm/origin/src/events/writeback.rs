//! Who dirtied pages, and who writes past the page cache.

use super::{FsEvent, Line, VolumeName, device, number, parse_device, value};

/// Reads an event of write-back or of direct I/O.
pub fn parse(line: &Line<'_>) -> Option<FsEvent> {
    let fields = line.fields;
    match line.name {
        // A folio since Linux 5.18.
        "writeback_dirty_folio" | "writeback_dirty_page" => Some(FsEvent::Dirtied {
            volume: bdi(value(fields, "bdi")?)?,
            inode: number(fields, "ino")?,
            page: number(fields, "index")?,
        }),
        "writeback_dirty_inode_start" => Some(FsEvent::Touched {
            volume: bdi(value(fields, "bdi")?)?,
            inode: number(fields, "ino")?,
        }),
        "iomap_dio_rw_begin" => Some(FsEvent::Direct {
            volume: VolumeName::Partition(device(fields)?),
            inode: number(fields, "ino")?,
            offset: number(fields, "offset")?,
            length: number(fields, "length")?,
        }),
        _ => None,
    }
}

/// `254:0`, or `btrfs-1`.
fn bdi(name: &str) -> Option<VolumeName> {
    match name.strip_prefix("btrfs-") {
        Some(number) => Some(VolumeName::BtrfsBdi(number.parse().ok()?)),
        None => Some(VolumeName::Disk(parse_device(name)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::event::DeviceNumber;

    fn event(name: &str, fields: &str) -> Option<FsEvent> {
        parse(&Line {
            comm: "a",
            pid: 1,
            time: 0,
            name,
            fields,
        })
    }

    #[test]
    fn a_page_is_dirtied() {
        let disk = VolumeName::Disk(DeviceNumber(254 << 20));
        let dirtied = |volume| {
            Some(FsEvent::Dirtied {
                volume,
                inode: 64,
                page: 248,
            })
        };
        let name = "writeback_dirty_folio";
        assert_eq!(event(name, "bdi 254:0: ino=64 index=248"), dirtied(disk));
        let btrfs = dirtied(VolumeName::BtrfsBdi(5));
        assert_eq!(event(name, "bdi btrfs-5: ino=64 index=248"), btrfs);
        assert_eq!(event(name, "bdi (unknown): ino=64 index=248"), None);
    }

    #[test]
    fn direct_io_has_a_range() {
        let fields =
            "dev 254:1 ino 0x42 size 0x400000 offset 0x3c000 length 0x4000 done_before 0x0";
        let volume = VolumeName::Partition(DeviceNumber(254 << 20 | 1));
        let direct = FsEvent::Direct {
            volume,
            inode: 0x42,
            offset: 0x3c000,
            length: 0x4000,
        };
        assert_eq!(event("iomap_dio_rw_begin", fields), Some(direct));
    }
}

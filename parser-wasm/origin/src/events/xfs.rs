//! Events of iomap and XFS: where write-back puts the pages of a file, and the buffers of
//! metadata. Their inode numbers are hexadecimal.

use super::{FsEvent, Line, PlaceUnit, VolumeName, number, parse_device, parse_number, value};
use crate::spans::Spans;
use rustc_hash::FxHashMap;
use seekscope_trace::store::ObjectKind;

/// Tasks of which the folio that they write is remembered.
const MAX_TASKS: usize = 1 << 16;
/// Inodes of which the written bytes are remembered, and spans of each.
const MAX_INODES: usize = 1 << 20;
const MAX_SPANS: usize = 256;
/// Addresses from here on mean that there is none: a hole, or blocks that are allocated later.
const NO_ADDRESS: u64 = 1 << 60;
/// Bytes of a page; what is written is full pages.
const PAGE: u64 = 4096;
/// Bytes of a sector of the addresses of buffers.
const SECTOR: u64 = 512;

/// Reads events; a mapping without a place in the file is of the folio before it.
///
/// No event of write-back says that a file was deleted or cut. But where blocks are allocated for a
/// range of an inode that has been written before, the blocks it had are gone, and the inode may be
/// another file.
#[derive(Debug, Default)]
pub struct Xfs {
    tasks: FxHashMap<u32, Task>,
    /// Bytes of inodes that have blocks.
    written: FxHashMap<(VolumeName, u64), Spans>,
}

/// What a task writes back.
#[derive(Clone, Copy, Debug, Default)]
struct Task {
    folio: Option<Folio>,
    extent: Option<XfsExtent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Folio {
    volume: VolumeName,
    inode: u64,
    offset: u64,
    length: u64,
}

/// An extent of a file on the partition, bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct XfsExtent {
    volume: VolumeName,
    inode: u64,
    offset: u64,
    start: u64,
    length: u64,
}

impl Xfs {
    /// Gives the events of a line.
    pub fn parse(&mut self, line: &Line<'_>, add: &mut dyn FnMut(FsEvent)) {
        match line.name {
            "iomap_writepage" | "iomap_writeback_folio" => self.folio(line, add),
            "iomap_writepage_map" | "iomap_add_to_ioend" => self.map(line, add),
            "iomap_iter_dstmap" => {
                if let Some(extent) = extent(line.fields) {
                    add(extent.event(false));
                }
            }
            "xfs_map_blocks_alloc"
            | "xfs_map_blocks_found"
            | "xfs_iomap_alloc"
            | "xfs_iomap_found" => {
                if line.name.ends_with("_alloc") {
                    self.allocate(line.fields, add);
                }
                if let Some(event) = blocks(line.fields) {
                    add(event);
                }
            }
            "xfs_file_fsync" => {
                if let Some((volume, inode)) = file(line.fields) {
                    add(FsEvent::Synced { volume, inode });
                }
            }
            "xfs_buf_submit" => {
                if let Some(event) = buffer(line.fields) {
                    add(event);
                }
            }
            _ => {}
        }
    }

    fn folio(&mut self, line: &Line<'_>, add: &mut dyn FnMut(FsEvent)) {
        let Some(folio) = folio(line.fields) else {
            return;
        };
        if let Some(task) = self.task(line.pid) {
            task.folio = Some(folio);
        }
        let Folio {
            volume,
            inode,
            offset,
            length,
        } = folio;
        add(FsEvent::Folio {
            volume,
            inode,
            offset,
            length,
        });
    }

    /// The extent is one fact, and the pages that go there now are another.
    fn map(&mut self, line: &Line<'_>, add: &mut dyn FnMut(FsEvent)) {
        let Some(extent) = extent(line.fields) else {
            return;
        };
        let Some(task) = self.task(line.pid) else {
            return;
        };
        let position = number(line.fields, "pos");
        let written = match position.zip(number(line.fields, "dirty len")) {
            Some(range) => Some(range),
            None => {
                let same =
                    |folio: &Folio| folio.inode == extent.inode && folio.volume == extent.volume;
                task.folio
                    .filter(same)
                    .map(|folio| (folio.offset, folio.length))
            }
        };
        if task.extent.replace(extent) != Some(extent) {
            add(extent.event(false));
        }
        if let Some(part) = written.and_then(|(offset, length)| extent.part(offset, length)) {
            add(part.event(true));
            let file = (part.volume, part.inode);
            if self.written.len() < MAX_INODES || self.written.contains_key(&file) {
                let spans = self.written.entry(file).or_default();
                // Without room, a new life is told by other sources or not at all.
                if spans.count() < MAX_SPANS {
                    spans.add(part.offset, part.offset.saturating_add(part.length));
                }
            }
        }
    }

    /// Blocks are allocated where the file has none.
    fn allocate(&mut self, fields: &str, add: &mut dyn FnMut(FsEvent)) {
        let Some((volume, inode)) = file(fields).filter(|_| value(fields, "fork") == Some("data"))
        else {
            return;
        };
        let range = number(fields, "pos").zip(number(fields, "bytecount"));
        let (from, length) = range.unwrap_or_default();
        let to = from.saturating_add(length);
        let before = self.written.get(&(volume, inode));
        if before.is_some_and(|spans| spans.touches(from, to)) {
            self.written.remove(&(volume, inode));
            add(FsEvent::Unlinked { volume, inode });
        }
    }

    fn task(&mut self, pid: u32) -> Option<&mut Task> {
        let room = self.tasks.len() < MAX_TASKS;
        if !room && !self.tasks.contains_key(&pid) {
            return None;
        }
        Some(self.tasks.entry(pid).or_default())
    }
}

impl XfsExtent {
    fn event(self, written: bool) -> FsEvent {
        FsEvent::Mapped {
            volume: self.volume,
            kind: ObjectKind::File,
            inode: self.inode,
            offset: self.offset,
            start: self.start,
            length: self.length,
            unit: PlaceUnit::Bytes,
            written,
        }
    }

    /// The pages of it that a range of the file touches.
    fn part(self, offset: u64, length: u64) -> Option<XfsExtent> {
        let end = offset.checked_add(length)?.checked_next_multiple_of(PAGE)?;
        let end = end.min(self.offset.checked_add(self.length)?);
        let from = (offset / PAGE * PAGE).max(self.offset);
        let length = end.checked_sub(from).filter(|&length| length > 0)?;
        Some(XfsExtent {
            offset: from,
            start: self.start.checked_add(from - self.offset)?,
            length,
            ..self
        })
    }
}

fn file(fields: &str) -> Option<(VolumeName, u64)> {
    let device = parse_device(value(fields, "dev")?)?;
    Some((VolumeName::Partition(device), number(fields, "ino")?))
}

fn folio(fields: &str) -> Option<Folio> {
    let (volume, inode) = file(fields)?;
    let (offset, length) = (number(fields, "offset")?, number(fields, "length")?);
    Some(Folio {
        volume,
        inode,
        offset,
        length,
    })
}

/// The extent of `dev D ino I bdev D ... addr A offset O length L`; none on a realtime device,
/// which is not that of the inode.
fn extent(fields: &str) -> Option<XfsExtent> {
    let (volume, inode) = file(fields)?;
    let device = parse_device(value(fields, "bdev")?)?;
    let start = number(fields, "addr").filter(|&start| start < NO_ADDRESS)?;
    let (offset, length) = (number(fields, "offset")?, number(fields, "length")?);
    let here = volume == VolumeName::Partition(device) && length > 0;
    here.then_some(XfsExtent {
        volume,
        inode,
        offset,
        start,
        length,
    })
}

/// The blocks of `fork data startoff O startblock B fsbcount N`; a block number has the allocation
/// group in its upper bits.
fn blocks(fields: &str) -> Option<FsEvent> {
    let (volume, inode) = file(fields)?;
    let fork = value(fields, "fork")?;
    let start = number(fields, "startblock").filter(|&start| start < 1 << 51)?;
    let length = number(fields, "fsbcount").filter(|&length| length > 0)?;
    matches!(fork, "data" | "cow").then_some(FsEvent::Mapped {
        volume,
        kind: ObjectKind::File,
        inode,
        offset: number(fields, "startoff")?,
        start,
        length,
        unit: PlaceUnit::Blocks,
        written: false,
    })
}

/// The structure that a buffer has, by the operations that check it.
fn buffer(fields: &str) -> Option<FsEvent> {
    let device = parse_device(value(fields, "dev")?)?;
    let operations = value(fields, "bufops")?;
    let name = operations.split("_buf_ops").next()?.strip_prefix("xfs_")?;
    let kind = match name {
        "sb" => ObjectKind::Superblock,
        "agf" | "agi" | "agfl" => ObjectKind::AgHeaders,
        "inode" => ObjectKind::InodeTable,
        "bnobt" | "cntbt" => ObjectKind::FreeSpaceBtree,
        "inobt" | "finobt" => ObjectKind::InodeBtree,
        "rmapbt" => ObjectKind::RmapBtree,
        "refcountbt" => ObjectKind::RefcountBtree,
        "bmbt" => ObjectKind::ExtentBlock,
        "attr3_leaf" | "attr3_rmt" => ObjectKind::Attribute,
        _ if name.starts_with("dir3_") => ObjectKind::Directory,
        _ => return None,
    };
    Some(FsEvent::TreeBlock {
        volume: VolumeName::Partition(device),
        start: parse_number(value(fields, "daddr")?)?.checked_mul(SECTOR)?,
        length: parse_number(value(fields, "bbcount")?)?.checked_mul(SECTOR)?,
        kind,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::event::DeviceNumber;

    const VOLUME: VolumeName = VolumeName::Partition(DeviceNumber(8 << 20 | 1));

    fn read(lines: &[(&str, &str)]) -> Vec<FsEvent> {
        let mut parser = Xfs::default();
        let mut events = Vec::new();
        for (name, fields) in lines {
            let line = Line {
                comm: "task",
                pid: 7,
                time: 0,
                name,
                fields,
            };
            parser.parse(&line, &mut |event| events.push(event));
        }
        events
    }

    fn mapped(offset: u64, start: u64, length: u64, written: bool) -> FsEvent {
        let (volume, unit, kind) = (VOLUME, PlaceUnit::Bytes, ObjectKind::File);
        FsEvent::Mapped {
            volume,
            kind,
            inode: 0x91,
            offset,
            start,
            length,
            unit,
            written,
        }
    }

    fn folio(offset: u64, length: u64) -> FsEvent {
        FsEvent::Folio {
            volume: VOLUME,
            inode: 0x91,
            offset,
            length,
        }
    }

    #[test]
    fn a_folio_goes_to_its_part_of_an_extent() {
        let page = "dev 8:1 ino 0x91 size 0x300000 offset 0x1000 length 0x1000";
        let extent = "dev 8:1 ino 0x91 bdev 8:1 addr 0x34e000 offset 0x0 length 0x3f0000 \
            type UNWRITTEN flags DIRTY";
        let found = read(&[
            ("iomap_writepage", page),
            ("iomap_writepage_map", extent),
            ("iomap_writepage_map", extent),
        ]);
        let part = mapped(0x1000, 0x34f000, 0x1000, true);
        let whole = mapped(0, 0x34e000, 0x3f0000, false);
        assert_eq!(found, [folio(0x1000, 0x1000), whole, part, part]);
    }

    #[test]
    fn a_mapping_with_a_place_needs_no_folio() {
        let fields = "dev 8:1 ino 0x91 bdev 8:1 pos 0x2100 dirty len 0x1000 addr 0x10000 \
            offset 0x2000 length 0x8000 type MAPPED flags ";
        for name in ["iomap_writepage_map", "iomap_add_to_ioend"] {
            let found = read(&[(name, fields)]);
            let whole = mapped(0x2000, 0x10000, 0x8000, false);
            assert_eq!(found, [whole, mapped(0x2000, 0x10000, 0x2000, true)]);
        }
    }

    #[test]
    fn holes_and_other_devices_are_no_place() {
        let hole = "dev 8:1 ino 0x91 bdev 8:1 addr 0xffffffffffffffff offset 0x0 length 0x1000";
        let realtime = "dev 8:1 ino 0x91 bdev 8:2 addr 0x1000 offset 0x0 length 0x1000";
        assert_eq!(
            read(&[("iomap_iter_dstmap", hole), ("iomap_iter_dstmap", realtime)]),
            []
        );
    }

    #[test]
    fn blocks_of_forks() {
        let fields = |fork, start| {
            format!(
                "dev 8:1 ino 0x91 disize 0x0 pos 0x0 bytecount 0x1000 fork {fork} \
                startoff 0x2 startblock {start} fsbcount 0x3"
            )
        };
        let cow = read(&[("xfs_map_blocks_alloc", &fields("cow", "0x2d"))]);
        let event = FsEvent::Mapped {
            volume: VOLUME,
            kind: ObjectKind::File,
            inode: 0x91,
            offset: 2,
            start: 0x2d,
            length: 3,
            unit: PlaceUnit::Blocks,
            written: false,
        };
        assert_eq!(cow, [event]);
        assert_eq!(
            read(&[("xfs_iomap_alloc", &fields("data", "0xffffffffe0005"))]),
            []
        );
        assert_eq!(read(&[("xfs_iomap_alloc", &fields("attr", "0x2d"))]), []);
    }

    #[test]
    fn blocks_allocated_twice_are_of_a_new_life() {
        let page = "dev 8:1 ino 0x91 bdev 8:1 pos 0x1000 dirty len 0x1000 addr 0x10000 \
            offset 0x0 length 0x8000 type MAPPED flags ";
        let allocated = |position: &str, fork: &str| {
            let fields = format!(
                "dev 8:1 ino 0x91 disize 0x0 pos {position} bytecount 0x1000 fork {fork} \
                 startoff 0x0 startblock 0xffffffffe0005 fsbcount 0x1"
            );
            let events = read(&[("iomap_writepage_map", page), ("xfs_iomap_alloc", &fields)]);
            events.into_iter().skip(2).collect::<Vec<_>>()
        };
        let reborn = FsEvent::Unlinked {
            volume: VOLUME,
            inode: 0x91,
        };
        assert_eq!(allocated("0x1800", "data"), [reborn]);
        // The rest of the extent may have been given back without a cut.
        assert_eq!(allocated("0x2000", "data"), []);
        assert_eq!(allocated("0x0", "data"), []);
        assert_eq!(allocated("0x1000", "cow"), []);
    }

    #[test]
    fn buffers_say_what_they_check() {
        let fields = "dev 8:1 daddr 0x2 bbcount 0x1 hold 1 pincount 0 lock 0 flags READ|KMEM \
            bufops xfs_agi_buf_ops+0x0/0x40 [xfs] caller xfs_buf_read_map+0x129/0x2a0 [xfs]";
        let kind = ObjectKind::AgHeaders;
        let event = FsEvent::TreeBlock {
            volume: VOLUME,
            start: 1024,
            length: 512,
            kind,
        };
        assert_eq!(read(&[("xfs_buf_submit", fields)]), [event]);
    }

    #[test]
    fn fsync_names_the_file() {
        let event = FsEvent::Synced {
            volume: VOLUME,
            inode: 0x91,
        };
        assert_eq!(
            read(&[("xfs_file_fsync", "dev 8:1 ino 0x91 iflags 0x0")]),
            [event]
        );
    }

    #[test]
    fn hostile_fields_do_no_harm() {
        let big = "0xffffffffffffffff";
        let most = "0xfffffffffffffff";
        let fields = [
            String::new(),
            "dev".to_owned(),
            "dev 8:1 ino".to_owned(),
            format!("dev 8:1 ino {big} offset {big} length {big} size {big}"),
            format!("dev 8:1 ino {big} bdev 8:1 addr {most} offset {big} length {big}"),
            format!(
                "dev 8:1 ino 0x1 bdev 8:1 pos {big} dirty len {big} addr {most} offset 0x0 \
                length {big}"
            ),
            format!("dev 8:1 daddr {big} bbcount {big} bufops xfs_sb_buf_ops"),
            "dev 8:1 bufops".to_owned(),
        ];
        for name in [
            "iomap_writepage",
            "iomap_writepage_map",
            "xfs_buf_submit",
            "xfs_iomap_alloc",
        ] {
            for fields in &fields {
                read(&[("iomap_writepage", fields), (name, fields)]);
            }
        }
    }
}

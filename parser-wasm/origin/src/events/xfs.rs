//! Events of iomap and XFS: where write-back puts the pages of a file, direct I/O, and the buffers
//! of metadata. Their inode numbers are hexadecimal.

use super::{FsEvent, Line, Unit, Volume, number, parse_device, parse_number, value};
use rustc_hash::FxHashMap;
use seekscope_trace::store::ObjectKind;

/// Tasks of which the folio that they write is remembered.
const MAX_TASKS: usize = 1 << 16;
/// Addresses from here on mean that there is none: a hole, or blocks that are allocated later.
const NO_ADDRESS: u64 = 1 << 60;
/// Bytes of a page; what is written is full pages.
const PAGE: u64 = 4096;
/// Bytes of a sector of the addresses of buffers.
const SECTOR: u64 = 512;

/// Reads events; a mapping without a place in the file is of the folio before it.
#[derive(Default)]
pub struct Xfs {
    tasks: FxHashMap<u32, Task>,
}

/// What a task writes back.
#[derive(Clone, Copy, Default)]
struct Task {
    folio: Option<Folio>,
    extent: Option<Extent>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Folio {
    volume: Volume,
    inode: u64,
    offset: u64,
    length: u64,
}

/// An extent of a file on the partition, bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Extent {
    volume: Volume,
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
            "iomap_dio_rw_begin" => {
                if let Some(folio) = folio(line.fields) {
                    let Folio {
                        volume,
                        inode,
                        offset,
                        length,
                    } = folio;
                    add(FsEvent::Direct {
                        volume,
                        inode,
                        offset,
                        length,
                    });
                }
            }
            "xfs_map_blocks_alloc"
            | "xfs_map_blocks_found"
            | "xfs_iomap_alloc"
            | "xfs_iomap_found" => {
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

impl Extent {
    fn event(self, written: bool) -> FsEvent {
        FsEvent::Mapped {
            volume: self.volume,
            kind: ObjectKind::File,
            inode: self.inode,
            offset: self.offset,
            start: self.start,
            length: self.length,
            unit: Unit::Bytes,
            written,
        }
    }

    /// The pages of it that a range of the file touches.
    fn part(self, offset: u64, length: u64) -> Option<Extent> {
        let end = offset.checked_add(length)?.checked_next_multiple_of(PAGE)?;
        let end = end.min(self.offset.checked_add(self.length)?);
        let from = (offset / PAGE * PAGE).max(self.offset);
        let length = end.checked_sub(from).filter(|&length| length > 0)?;
        Some(Extent {
            offset: from,
            start: self.start.checked_add(from - self.offset)?,
            length,
            ..self
        })
    }
}

fn file(fields: &str) -> Option<(Volume, u64)> {
    let device = parse_device(value(fields, "dev")?)?;
    Some((Volume::Partition(device), number(fields, "ino")?))
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
fn extent(fields: &str) -> Option<Extent> {
    let (volume, inode) = file(fields)?;
    let device = parse_device(value(fields, "bdev")?)?;
    let start = number(fields, "addr").filter(|&start| start < NO_ADDRESS)?;
    let (offset, length) = (number(fields, "offset")?, number(fields, "length")?);
    let here = volume == Volume::Partition(device) && length > 0;
    here.then_some(Extent {
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
        unit: Unit::Blocks,
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
        volume: Volume::Partition(device),
        start: parse_number(value(fields, "daddr")?)?.checked_mul(SECTOR)?,
        length: parse_number(value(fields, "bbcount")?)?.checked_mul(SECTOR)?,
        kind,
    })
}

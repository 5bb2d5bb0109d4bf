//! Facts of texts, kept compact until the recording is complete.

use super::names::{NO_INODE, NO_PATH, Name, Names};
use crate::map::btrfs::TOP_SUBVOLUME;
use crate::map::xfs::XfsFact;
use crate::ranges::{ChunkPiece, Facts, MapFact, MapRange, Mount};
use crate::tasks::TaskTable;
use seekscope_trace::event::DeviceNumber;

/// Extents of all texts, 24 bytes each; more are left out.
const MAX_EXTENTS: usize = 24 << 20;
const MAX_INODES: usize = 16 << 20;
/// Compressed extents of a text.
const MAX_PACKED: usize = 16 << 20;
/// Longer ranges are no fact: 512 TiB.
const MAX_SECTORS: u64 = 1 << 40;
/// Mounts, partitions and chunks of a folder.
const MAX_ROWS: usize = 1 << 16;
/// Facts in units of XFS, of a text: inode chunks most of all.
const MAX_XFS: usize = 4 << 20;

/// A range of sectors and the number of its name; later, of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub start: u64,
    /// Byte in the file, or `NO_OFFSET`.
    pub offset: u64,
    pub sectors: u32,
    pub name: u32,
}

impl Extent {
    pub fn end(&self) -> u64 {
        self.start.saturating_add(u64::from(self.sectors))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MountPoint {
    /// The subvolume of a btrfs.
    pub subvolume: u64,
    pub device: DeviceNumber,
    pub point: String,
    pub kind: String,
    pub source: String,
    pub journals_data: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionSize {
    pub device: DeviceNumber,
    pub name: String,
    pub sectors: u64,
}

/// A folder of texts that were taken together.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    pub path: String,
    /// When they were taken, ns of the trace clock.
    pub clock: Option<u64>,
    pub mounts: Vec<MountPoint>,
    pub partitions: Vec<PartitionSize>,
}

/// The facts of a text.
#[derive(Clone, Debug, Default)]
pub struct TextFacts {
    pub folder: u32,
    /// The file system that it describes: `ext4`.
    pub kind: Option<&'static str>,
    pub device: Option<DeviceNumber>,
    pub mount_point: Option<String>,
    pub block_size: Option<u64>,
    pub main_area: Option<u64>,
    pub size: Option<u64>,
    pub journals_data: bool,
    pub journal_device: Option<DeviceNumber>,
    pub uuid: Option<u64>,
    /// Bytes of a tree block of btrfs.
    pub node_size: Option<u64>,
    /// The number of the partition among the devices of its btrfs.
    pub btrfs_device: Option<u64>,
    pub xfs: Vec<XfsFact>,
    pub extents: Vec<Extent>,
    /// First logical sectors of compressed extents, and their paths.
    pub packed: Vec<(u64, u32)>,
    pub chunks: Vec<ChunkPiece>,
    /// Inode, path and whether it is a folder.
    pub inodes: Vec<(u64, u32, bool)>,
}

/// All side files.
#[derive(Debug, Default)]
pub struct SideFiles {
    pub folders: Vec<Folder>,
    pub texts: Vec<TextFacts>,
    pub names: Names,
    pub tasks: TaskTable,
    extents: usize,
    inodes: usize,
    pub left_out: u64,
}

impl SideFiles {
    /// Begins a text: the facts that follow are of it.
    pub fn open(&mut self, path: &str, kind: Option<&'static str>) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let found = self
            .folders
            .iter()
            .position(|earlier| earlier.path == folder);
        let folder = found.unwrap_or_else(|| {
            let path = folder.to_owned();
            self.folders.push(Folder {
                path,
                ..Folder::default()
            });
            self.folders.len() - 1
        });
        let folder = folder as u32;
        self.texts.push(TextFacts {
            folder,
            kind,
            ..TextFacts::default()
        });
    }

    fn range(&mut self, range: MapRange<'_>, unwritten: bool) -> Option<()> {
        let path = match range.path {
            Some(path) => self.names.path_number(path)?,
            None => NO_PATH,
        };
        let name = self.names.name(Name {
            kind: range.kind,
            space: range.space,
            weak: range.weak,
            unwritten,
            inode: range.inode.unwrap_or(NO_INODE),
            path,
        })?;
        let text = self.texts.last_mut()?;
        let (mut start, mut left) = (range.start, range.sectors);
        start.checked_add(left)?;
        let mut offset = range.offset;
        if left > MAX_SECTORS {
            return None;
        }
        while left > 0 {
            if self.extents >= MAX_EXTENTS {
                return None;
            }
            let sectors = left.min(1 << 31);
            let end = offset.map(|offset| offset.checked_add(sectors * 512));
            text.extents.push(Extent {
                start,
                offset: offset.unwrap_or(seekscope_trace::store::NO_OFFSET),
                sectors: sectors as u32,
                name,
            });
            self.extents += 1;
            (start, left) = (start + sectors, left - sectors);
            offset = end.flatten();
        }
        Some(())
    }

    fn mount(&mut self, mount: Mount<'_>) -> Option<()> {
        let folder = self.texts.last()?.folder as usize;
        let mounts = &mut self.folders.get_mut(folder)?.mounts;
        if mounts.len() >= MAX_ROWS {
            return None;
        }
        let mut options = mount.options.split(',');
        let subvolume = options.find_map(|option| option.strip_prefix("subvolid="));
        let subvolume = subvolume.and_then(|number| number.parse().ok());
        mounts.push(MountPoint {
            subvolume: subvolume.unwrap_or(TOP_SUBVOLUME),
            device: mount.device,
            point: mount.point.to_owned(),
            kind: mount.kind.to_owned(),
            source: mount.source.to_owned(),
            journals_data: mount
                .options
                .split(',')
                .any(|option| option == "data=journal"),
        });
        Some(())
    }

    fn try_add(&mut self, fact: MapFact<'_>) -> Option<()> {
        match fact {
            MapFact::Range(range) => return self.range(range, false),
            MapFact::Unwritten(range) => return self.range(range, true),
            _ => {}
        }
        if let MapFact::Mount(mount) = fact {
            // A bind mount of a folder hides where the paths begin.
            let whole = mount.root == "/" || mount.kind == "btrfs";
            return if whole { self.mount(mount) } else { Some(()) };
        }
        if let MapFact::Task { pid, name } = fact {
            self.tasks.task(pid, name);
            return Some(());
        }
        let text = self.texts.last_mut()?;
        let folder = self.folders.get_mut(text.folder as usize)?;
        match fact {
            MapFact::Inode(inode) => {
                if self.inodes >= MAX_INODES {
                    return None;
                }
                let path = self.names.path_number(inode.path)?;
                text.inodes.push((inode.inode, path, inode.directory));
                self.inodes += 1;
            }
            MapFact::Chunk(chunk) if text.chunks.len() < MAX_ROWS => text.chunks.push(chunk),
            MapFact::Partition {
                device,
                name,
                sectors,
            } if folder.partitions.len() < MAX_ROWS => {
                let name = name.to_owned();
                folder.partitions.push(PartitionSize {
                    device,
                    name,
                    sectors,
                });
            }
            MapFact::Chunk(_) | MapFact::Partition { .. } => return None,
            MapFact::BlockSize(bytes) => text.block_size = Some(bytes),
            MapFact::Size(sectors) => text.size = Some(sectors),
            MapFact::JournalsData => text.journals_data = true,
            MapFact::JournalDevice(device) => text.journal_device = Some(device),
            MapFact::Device(device) => text.device = Some(device),
            MapFact::MountPoint(path) => text.mount_point = Some(path.to_owned()),
            MapFact::MainArea(start) => text.main_area = Some(start),
            MapFact::Clock(time) => folder.clock = Some(time),
            MapFact::Uuid(uuid) => text.uuid = Some(uuid),
            MapFact::NodeSize(bytes) => text.node_size = Some(bytes),
            MapFact::BtrfsDevice(number) => text.btrfs_device = Some(number),
            MapFact::Xfs(fact) if text.xfs.len() < MAX_XFS => text.xfs.push(fact),
            MapFact::Xfs(_) => return None,
            MapFact::Packed { start, path } if text.packed.len() < MAX_PACKED => {
                text.packed.push((start, self.names.path_number(path)?));
            }
            MapFact::Packed { .. } => return None,
            MapFact::LeftOut(facts) => self.left_out = self.left_out.saturating_add(facts),
            MapFact::Range(_)
            | MapFact::Unwritten(_)
            | MapFact::Mount(_)
            | MapFact::Task { .. } => {}
        }
        Some(())
    }
}

impl Facts for SideFiles {
    fn add(&mut self, fact: MapFact<'_>) {
        if self.try_add(fact).is_none() {
            self.left_out += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges::Space;
    use seekscope_trace::store::ObjectKind;

    fn range(start: u64, sectors: u64) -> MapFact<'static> {
        MapFact::Range(MapRange {
            space: Space::Partition,
            start,
            sectors,
            kind: ObjectKind::File,
            inode: Some(1),
            offset: Some(0),
            path: None,
            weak: false,
        })
    }

    #[test]
    fn ranges_of_any_length_are_kept_or_counted() {
        let mut side = SideFiles::default();
        side.open("start/fiemap.txt", None);
        side.add(range(5, 1 << 32));
        side.add(range(u64::MAX, 8));
        side.add(range(5, 1 << 41));
        side.add(range(5, 0));
        let extents = &side.texts[0].extents;
        assert_eq!(extents.len(), 2);
        assert_eq!(
            (extents[1].start, extents[1].offset),
            (5 + (1 << 31), 1 << 40)
        );
        assert_eq!(side.left_out, 2);
        assert_eq!(side.folders[0].path, "start");
    }
}

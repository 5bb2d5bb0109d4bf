//! What texts about file systems say, line by line: who owns which range.

use seekscope_trace::event::DeviceNumber;
use seekscope_trace::store::ObjectKind;

/// Bytes of a sector.
pub const SECTOR: u64 = 512;

/// The addresses in which a range is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Space {
    /// Sectors of the partition, or of the disk if the file system has no partition.
    #[default]
    Partition,
    /// Sectors of the logical addresses of btrfs, which its chunks map to those of the partition.
    Logical,
    /// Sectors from the start of the main area of f2fs on, see [`MapFact::MainArea`].
    MainArea,
    /// Blocks of the file system, whose size another text of the same folder has.
    Blocks,
}

/// A range of sectors that a text gives to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapRange<'a> {
    pub space: Space,
    /// In the unit of the space, as `sectors`.
    pub start: u64,
    pub sectors: u64,
    pub kind: ObjectKind,
    pub inode: Option<u64>,
    /// Byte in the file of the first sector, if the kind has one.
    pub offset: Option<u64>,
    pub path: Option<&'a str>,
    /// The text may be wrong about this range or say it only in general; another text about the
    /// same sectors is preferred. `unknown` of GETFSMAP is not given at all.
    pub weak: bool,
}

/// An inode with its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InodeName<'a> {
    pub inode: u64,
    pub directory: bool,
    pub path: &'a str,
}

/// A piece of a chunk of btrfs: where logical sectors are on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkPiece {
    /// First logical sector.
    pub logical: u64,
    /// First sector on the device.
    pub physical: u64,
    pub sectors: u64,
    /// The number of the device in its file system, from 1.
    pub device: u64,
    /// Whether it holds data of files; else trees.
    pub data: bool,
}

/// A mounted file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mount<'a> {
    /// Its device; btrfs has one of its own, with major number 0.
    pub device: DeviceNumber,
    /// The folder of the file system that is mounted.
    pub root: &'a str,
    pub point: &'a str,
    /// As `ext4`.
    pub kind: &'a str,
    /// As `/dev/vda1`.
    pub source: &'a str,
    /// Of the file system, not of the mount.
    pub options: &'a str,
}

/// A number of the superblock or of the geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XfsField {
    /// Bytes of a block.
    Block,
    /// Bytes of a sector of the file system.
    Sector,
    /// Blocks of an allocation group.
    GroupBlocks,
    Groups,
    /// Bits of a block number that are the block in its allocation group.
    GroupBits,
    /// Bits of an inode number that are the inode in its block.
    InodeBits,
    /// Bytes of an inode.
    Inode,
    /// First block of the journal, 0 if it is on another device.
    LogStart,
    LogBlocks,
}

/// What a text says in units of XFS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XfsFact {
    Field(XfsField, u64),
    /// A block of an allocation group.
    Block {
        group: u64,
        block: u64,
        kind: ObjectKind,
    },
    /// A chunk of 64 inodes from `inode` of the group on, without the holes.
    Inodes {
        group: u64,
        inode: u64,
        holes: u64,
    },
}

/// A fact that a text about a file system gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapFact<'a> {
    Range(MapRange<'a>),
    /// A range that is the file's, but to which nothing was written since: preallocated.
    Unwritten(MapRange<'a>),
    Inode(InodeName<'a>),
    Chunk(ChunkPiece),
    /// The block size of the file system, bytes.
    BlockSize(u64),
    /// The data of files goes through the journal, unless a mount says otherwise.
    JournalsData,
    /// The journal is a device of its own.
    JournalDevice(DeviceNumber),
    /// The length of its partition, sectors.
    Size(u64),
    /// The partition or disk of the ranges that follow.
    Device(DeviceNumber),
    /// The mount point of the file system, where the text names it.
    MountPoint(&'a str),
    /// Where the main area of f2fs starts, sectors.
    MainArea(u64),
    Mount(Mount<'a>),
    /// A block device with its length.
    Partition {
        device: DeviceNumber,
        name: &'a str,
        sectors: u64,
    },
    /// When the map was taken, ns of CLOCK_MONOTONIC.
    Clock(u64),
    Task {
        pid: u32,
        name: &'a str,
    },
    /// The first 16 hexadecimal digits of the file system's UUID, by which events of btrfs name it.
    Uuid(u64),
    /// Bytes of a tree block of btrfs.
    NodeSize(u64),
    /// The number that this partition has among the devices of its btrfs.
    BtrfsDevice(u64),
    /// In units of XFS, for [`crate::map::xfs::XfsLayout`].
    Xfs(XfsFact),
    /// An extent of btrfs from this logical sector on is compressed: its sectors have no place in
    /// the file.
    Packed {
        start: u64,
        path: &'a str,
    },
    /// Facts of the text for which there was no room.
    LeftOut(u64),
}

/// Takes the facts of a text.
pub trait Facts {
    fn add(&mut self, fact: MapFact<'_>);
}

/// Facts in a list, for tests: texts are leaked.
#[cfg(test)]
#[derive(Default)]
pub struct FactList(pub Vec<MapFact<'static>>);

#[cfg(test)]
impl FactList {
    /// The facts that `text` gives a parser.
    pub fn read(mut parser: impl MapText, text: &str) -> Vec<MapFact<'static>> {
        let mut list = FactList::default();
        text.lines().for_each(|line| parser.line(line, &mut list));
        parser.end(&mut list);
        list.0
    }
}

#[cfg(test)]
impl Facts for FactList {
    fn add(&mut self, fact: MapFact<'_>) {
        let keep = |text: &str| -> &'static str { String::leak(text.to_owned()) };
        self.0.push(match fact {
            MapFact::Range(range) => MapFact::Range(MapRange {
                path: range.path.map(keep),
                ..range
            }),
            MapFact::Unwritten(range) => MapFact::Unwritten(MapRange {
                path: range.path.map(keep),
                ..range
            }),
            MapFact::Inode(inode) => MapFact::Inode(InodeName {
                path: keep(inode.path),
                ..inode
            }),
            MapFact::MountPoint(path) => MapFact::MountPoint(keep(path)),
            MapFact::Chunk(chunk) => MapFact::Chunk(chunk),
            MapFact::BlockSize(bytes) => MapFact::BlockSize(bytes),
            MapFact::Size(sectors) => MapFact::Size(sectors),
            MapFact::JournalsData => MapFact::JournalsData,
            MapFact::JournalDevice(device) => MapFact::JournalDevice(device),
            MapFact::Device(device) => MapFact::Device(device),
            MapFact::Uuid(uuid) => MapFact::Uuid(uuid),
            MapFact::NodeSize(bytes) => MapFact::NodeSize(bytes),
            MapFact::BtrfsDevice(device) => MapFact::BtrfsDevice(device),
            MapFact::Xfs(fact) => MapFact::Xfs(fact),
            MapFact::LeftOut(facts) => MapFact::LeftOut(facts),
            MapFact::Packed { start, path } => MapFact::Packed {
                start,
                path: keep(path),
            },
            MapFact::MainArea(start) => MapFact::MainArea(start),
            MapFact::Clock(time) => MapFact::Clock(time),
            MapFact::Task { pid, name } => MapFact::Task {
                pid,
                name: keep(name),
            },
            MapFact::Partition {
                device,
                name,
                sectors,
            } => MapFact::Partition {
                device,
                name: keep(name),
                sectors,
            },
            MapFact::Mount(mount) => MapFact::Mount(Mount {
                root: keep(mount.root),
                point: keep(mount.point),
                kind: keep(mount.kind),
                source: keep(mount.source),
                options: keep(mount.options),
                ..mount
            }),
        });
    }
}

/// A parser of one kind of text. Texts can have millions of lines, so none is kept.
pub trait MapText {
    /// Reads a line without its end.
    fn line(&mut self, line: &str, facts: &mut dyn Facts);

    /// The file system that the text describes, as mounts call it: `ext4`.
    fn file_system(&self) -> Option<&'static str> {
        None
    }

    /// The text is over.
    fn end(&mut self, _facts: &mut dyn Facts) {}
}

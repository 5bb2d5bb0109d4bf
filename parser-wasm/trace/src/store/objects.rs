//! To what the sectors of requests belonged: files, structures of file systems, free space; and who
//! wrote them. Decided from side files and events of file systems, see the crate of origins.

use crate::event::DeviceNumber;
use serde::{Deserialize, Serialize};

/// The object of a part that belongs to none that is known.
pub const NO_OBJECT: u32 = u32::MAX;
/// The offset of a part that is not in a file, or whose place there is not known.
pub const NO_OFFSET: u64 = u64::MAX;
/// The writers of a part of which no task is known.
pub const NO_WRITERS: u32 = u32::MAX;

/// What a range of sectors is to its file system. The names are those of columns and filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectKind {
    File,
    Directory,
    Superblock,
    Journal,
    /// Free when the map was taken.
    Free,
    /// Of the disk, but of no partition.
    Outside,
    GroupDescriptors,
    ReservedGdt,
    BlockBitmap,
    InodeBitmap,
    InodeTable,
    ExtentBlock,
    AgHeaders,
    InodeBtree,
    FreeSpaceBtree,
    RmapBtree,
    RefcountBtree,
    FreeList,
    Attribute,
    Checkpoint,
    SegmentTable,
    NodeTable,
    SegmentSummary,
    Node,
    RootTree,
    ExtentTree,
    ChunkTree,
    DevTree,
    FsTree,
    CsumTree,
    UuidTree,
    FreeSpaceTree,
    BlockGroupTree,
    LogTree,
    DataRelocTree,
    /// A tree of btrfs of which only that it is one is known.
    Tree,
}

impl ObjectKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [ObjectKind; 36] = [
        ObjectKind::File,
        ObjectKind::Directory,
        ObjectKind::Superblock,
        ObjectKind::Journal,
        ObjectKind::Free,
        ObjectKind::Outside,
        ObjectKind::GroupDescriptors,
        ObjectKind::ReservedGdt,
        ObjectKind::BlockBitmap,
        ObjectKind::InodeBitmap,
        ObjectKind::InodeTable,
        ObjectKind::ExtentBlock,
        ObjectKind::AgHeaders,
        ObjectKind::InodeBtree,
        ObjectKind::FreeSpaceBtree,
        ObjectKind::RmapBtree,
        ObjectKind::RefcountBtree,
        ObjectKind::FreeList,
        ObjectKind::Attribute,
        ObjectKind::Checkpoint,
        ObjectKind::SegmentTable,
        ObjectKind::NodeTable,
        ObjectKind::SegmentSummary,
        ObjectKind::Node,
        ObjectKind::RootTree,
        ObjectKind::ExtentTree,
        ObjectKind::ChunkTree,
        ObjectKind::DevTree,
        ObjectKind::FsTree,
        ObjectKind::CsumTree,
        ObjectKind::UuidTree,
        ObjectKind::FreeSpaceTree,
        ObjectKind::BlockGroupTree,
        ObjectKind::LogTree,
        ObjectKind::DataRelocTree,
        ObjectKind::Tree,
    ];

    /// The name in texts, for all structures of the kind.
    pub fn label(self) -> &'static str {
        match self {
            ObjectKind::File => "files",
            ObjectKind::Directory => "directories",
            ObjectKind::Superblock => "superblocks",
            ObjectKind::Journal => "journal",
            ObjectKind::Free => "free space",
            ObjectKind::Outside => "outside of partitions",
            ObjectKind::GroupDescriptors => "group descriptors",
            ObjectKind::ReservedGdt => "reserved group descriptors",
            ObjectKind::BlockBitmap => "block bitmaps",
            ObjectKind::InodeBitmap => "inode bitmaps",
            ObjectKind::InodeTable => "inode tables",
            ObjectKind::ExtentBlock => "extent blocks",
            ObjectKind::AgHeaders => "AG headers",
            ObjectKind::InodeBtree => "inode B-trees",
            ObjectKind::FreeSpaceBtree => "free space B-trees",
            ObjectKind::RmapBtree => "reverse mapping B-trees",
            ObjectKind::RefcountBtree => "reference count B-trees",
            ObjectKind::FreeList => "free lists",
            ObjectKind::Attribute => "extended attributes",
            ObjectKind::Checkpoint => "checkpoints",
            ObjectKind::SegmentTable => "segment tables",
            ObjectKind::NodeTable => "node address tables",
            ObjectKind::SegmentSummary => "segment summaries",
            ObjectKind::Node => "nodes (inodes)",
            ObjectKind::RootTree => "root tree",
            ObjectKind::ExtentTree => "extent tree",
            ObjectKind::ChunkTree => "chunk tree",
            ObjectKind::DevTree => "device tree",
            ObjectKind::FsTree => "file system trees",
            ObjectKind::CsumTree => "checksum tree",
            ObjectKind::UuidTree => "UUID tree",
            ObjectKind::FreeSpaceTree => "free space tree",
            ObjectKind::BlockGroupTree => "block group tree",
            ObjectKind::LogTree => "log trees",
            ObjectKind::DataRelocTree => "relocation tree",
            ObjectKind::Tree => "trees",
        }
    }

    /// The name in columns and JSON documents.
    pub fn name(self) -> &'static str {
        match self {
            ObjectKind::File => "file",
            ObjectKind::Directory => "directory",
            ObjectKind::Superblock => "superblock",
            ObjectKind::Journal => "journal",
            ObjectKind::Free => "free",
            ObjectKind::Outside => "outside",
            ObjectKind::GroupDescriptors => "group-descriptors",
            ObjectKind::ReservedGdt => "reserved-gdt",
            ObjectKind::BlockBitmap => "block-bitmap",
            ObjectKind::InodeBitmap => "inode-bitmap",
            ObjectKind::InodeTable => "inode-table",
            ObjectKind::ExtentBlock => "extent-block",
            ObjectKind::AgHeaders => "ag-headers",
            ObjectKind::InodeBtree => "inode-btree",
            ObjectKind::FreeSpaceBtree => "free-space-btree",
            ObjectKind::RmapBtree => "rmap-btree",
            ObjectKind::RefcountBtree => "refcount-btree",
            ObjectKind::FreeList => "free-list",
            ObjectKind::Attribute => "attribute",
            ObjectKind::Checkpoint => "checkpoint",
            ObjectKind::SegmentTable => "segment-table",
            ObjectKind::NodeTable => "node-table",
            ObjectKind::SegmentSummary => "segment-summary",
            ObjectKind::Node => "node",
            ObjectKind::RootTree => "root-tree",
            ObjectKind::ExtentTree => "extent-tree",
            ObjectKind::ChunkTree => "chunk-tree",
            ObjectKind::DevTree => "dev-tree",
            ObjectKind::FsTree => "fs-tree",
            ObjectKind::CsumTree => "csum-tree",
            ObjectKind::UuidTree => "uuid-tree",
            ObjectKind::FreeSpaceTree => "free-space-tree",
            ObjectKind::BlockGroupTree => "block-group-tree",
            ObjectKind::LogTree => "log-tree",
            ObjectKind::DataRelocTree => "data-reloc-tree",
            ObjectKind::Tree => "tree",
        }
    }

    /// Whether it is a tree of btrfs.
    pub fn is_tree(self) -> bool {
        self >= ObjectKind::RootTree
    }
}

/// A file, or a structure of a file system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[doc(alias = "DiskObject")]
pub struct Object {
    pub kind: ObjectKind,
    /// Path as the side files have it: absolute, with the mount point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inode: Option<u64>,
    /// The partition, or the disk if the file system has no partition.
    #[serde(skip)]
    pub device: Option<DeviceNumber>,
    /// Extents of the file in the latest map.
    #[serde(skip)]
    pub extents: Option<u32>,
}

impl Object {
    /// Its path, else its inode, else what it is.
    pub fn label(&self) -> String {
        match (&self.path, self.inode) {
            (Some(path), _) => path.clone(),
            (None, Some(inode)) => format!("inode {inode}"),
            (None, None) => self.kind.label().to_owned(),
        }
    }
}

/// A task by its number and the name that it had.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TaskName {
    pub pid: u32,
    pub name: String,
}

/// A part of a request, contiguous on the disk and in its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectPart {
    pub sectors: u32,
    /// Index of [`Objects::objects`], or [`NO_OBJECT`].
    pub object: u32,
    /// Byte in the file of its first sector, or [`NO_OFFSET`].
    pub offset: u64,
    /// Index of [`Objects::task_sets`], or [`NO_WRITERS`].
    pub writers: u32,
}

/// Why the object of sectors is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownObject {
    /// No side file describes the partition or disk.
    NoMap,
    /// The maps do not say to whom the sectors belong.
    NotInMap,
    /// The sectors changed hands during the recording, and no event says when.
    Moved,
    /// The owner is known by its inode, but not its place in the file.
    NoPlace,
    /// A table of the resolver was full.
    LeftOut,
}

/// What maps of the disk there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MapFacts {
    /// There is one from the start of the recording.
    pub at_start: bool,
    /// There is one from its end.
    pub at_end: bool,
    /// Files whose extents differ between the two.
    pub moved: u32,
}

/// A file system, and on which of the recorded devices it lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSystem {
    /// Index of the recorded device.
    #[serde(skip)]
    pub disk: u32,
    /// The partition or device: `vda1`.
    pub device: String,
    /// As mounts name it: `ext4`.
    pub kind: String,
}

/// The objects of all requests of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objects {
    pub objects: Vec<Object>,
    pub tasks: Vec<TaskName>,
    /// Sets of indices of `tasks`, each ascending.
    pub task_sets: Vec<Vec<u32>>,
    /// The parts of all requests, in the order of rows and sectors.
    pub parts: Vec<ObjectPart>,
    /// For each row of requests the index of its first part; one more at the end.
    pub first_parts: Vec<u32>,
    /// Bytes whose object is not known, by reason.
    pub unknown: Vec<(UnknownObject, u64)>,
    /// Events, extents, names and parts that were left out because a table was full.
    pub left_out: u64,
    #[serde(default)]
    pub map: MapFacts,
    #[serde(skip)]
    pub file_systems: Vec<FileSystem>,
}

impl Objects {
    /// The parts of a row; empty for a row without sectors.
    pub fn parts(&self, row: usize) -> &[ObjectPart] {
        let bound = |row: usize| self.first_parts.get(row).map(|&part| part as usize);
        let (Some(from), Some(to)) = (bound(row), bound(row + 1)) else {
            return &[];
        };
        self.parts.get(from..to).unwrap_or_default()
    }

    /// The object of a part, if it is known.
    pub fn object(&self, part: &ObjectPart) -> Option<&Object> {
        self.objects.get(part.object as usize)
    }

    /// The tasks whose data a part is, or that read it.
    pub fn writers(&self, part: &ObjectPart) -> impl Iterator<Item = &TaskName> {
        let set = self.task_sets.get(part.writers as usize);
        set.into_iter()
            .flatten()
            .filter_map(|&task| self.tasks.get(task as usize))
    }

    /// Memory of the tables, bytes; texts are estimated.
    pub fn memory(&self) -> usize {
        self.parts.len() * size_of::<ObjectPart>()
            + self.first_parts.len() * size_of::<u32>()
            + self.objects.len() * (size_of::<Object>() + 32)
            + self.tasks.len() * size_of::<TaskName>()
            + self.task_sets.len() * (size_of::<Vec<u32>>() + 8)
    }
}

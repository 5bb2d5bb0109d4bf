//! Texts about file systems and disks, one module per kind. Each parser is a
//! [`MapText`](crate::ranges::MapText).

pub mod btrfs;
mod disks;
mod ext4;
mod f2fs;
mod fiemap;
mod fsmap;
mod inodes;
mod processes;
pub mod xfs;

use crate::ranges::MapText;

/// The parser of a text, by its path and its first bytes; absent if it is none of ours.
pub fn parser(path: &str, head: &[u8]) -> Option<Box<dyn MapText>> {
    let head = String::from_utf8_lossy(head);
    let head = head.as_ref();
    Some(match () {
        () if fiemap::is_filefrag(head) || fiemap::is_xfs_io(head) => {
            Box::new(fiemap::Fiemap::new(path))
        }
        () if inodes::is_inodes(head) => Box::new(inodes::InodeNames),
        () if disks::is_mountinfo(head) => Box::new(disks::MountInfo),
        () if disks::is_partitions(head) => Box::new(disks::Partitions),
        () if disks::is_clock(path, head) => Box::<disks::MapClock>::default(),
        () if processes::is_processes(path, head) => Box::new(processes::ProcessList),
        () if ext4::is_dumpe2fs(head) => Box::<ext4::Dumpe2fs>::default(),
        () if ext4::is_journal_extents(path, head) => Box::new(ext4::JournalExtents),
        () if f2fs::is_dump(head) => Box::<f2fs::DumpF2fs>::default(),
        () if f2fs::is_segment_info(head) => Box::new(f2fs::SegmentInfo),
        () if fsmap::is_fsmap(head) => Box::<fsmap::Fsmap>::default(),
        () if xfs::is_headers(head) => Box::<xfs::XfsHeaders>::default(),
        () if xfs::is_inodes(head) => Box::<xfs::XfsInodes>::default(),
        () if xfs::is_geometry(head) => Box::<xfs::XfsGeometry>::default(),
        () if btrfs::is_tree(head) => Box::<btrfs::BtrfsTree>::default(),
        () if btrfs::is_super(head) => Box::new(btrfs::BtrfsSuper),
        () => return None,
    })
}

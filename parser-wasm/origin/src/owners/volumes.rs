//! The file systems of a recording and their places on its disks.

use super::inodes::Owner;
use crate::events::VolumeName;
use crate::events::log::EventLog;
use crate::map::btrfs::plain_inode;
use crate::map::xfs::{XfsFact, XfsLayout};
use crate::ranges::{ChunkPiece, SECTOR};
use crate::side::{Folder, MountPoint, PartitionSize, SideFiles, TextFacts};
use rustc_hash::FxHashMap;
use seekscope_trace::event::DeviceNumber;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{FileSystem, Store};
use std::ops::Range;

/// File systems whose texts and events are read.
const FILE_SYSTEMS: [&str; 6] = ["ext2", "ext3", "ext4", "xfs", "f2fs", "btrfs"];
/// Stands for the file system of a device that is the journal of another one.
const JOURNAL_DEVICE: &str = "jbd2";
/// File systems of a recording.
const MAX_VOLUMES: usize = 1 << 12;
/// File systems that are listed.
const MAX_FILE_SYSTEMS: usize = 64;
/// Pieces of the chunks of a btrfs.
const MAX_PIECES: usize = 1 << 20;

/// A file system on a disk of the store.
#[derive(Clone, Debug)]
pub struct Volume {
    /// The partition, or the disk.
    pub device: DeviceNumber,
    /// The disk's index in the store.
    pub disk: u32,
    /// First sector on the disk.
    pub start: u64,
    /// Its length in sectors, if it is known.
    pub sectors: Option<u64>,
    /// As mounts name it; empty if none does.
    pub kind: String,
    /// Whether the data of files goes through the journal.
    pub journals_data: bool,
    /// Sectors of a block.
    pub block: Option<u64>,
    pub main_area: Option<u64>,
    /// Bytes of a tree block of btrfs.
    pub node_size: u64,
    pub uuid: Option<u64>,
    pub btrfs_device: u64,
    /// Where logical sectors are, ascending.
    pub chunks: Vec<ChunkPiece>,
    /// The sizes of XFS.
    pub xfs: XfsLayout,
}

impl Volume {
    /// The first sector of a block, and the sectors of a block. The numbers of XFS begin anew in
    /// each allocation group.
    pub fn block_place(&self, block: u64) -> Option<(u64, u64)> {
        if let Some(bytes) = self.xfs.block_size() {
            return Some((self.xfs.block_sector(block)?, bytes / SECTOR));
        }
        let sectors = self.block?;
        Some((block.checked_mul(sectors)?, sectors))
    }

    /// Whether all of it is the journal of another file system.
    pub fn is_journal(&self) -> bool {
        self.kind == JOURNAL_DEVICE
    }

    /// The end of its sectors on the disk.
    pub fn end(&self) -> u64 {
        self.sectors
            .map_or(u64::MAX, |sectors| self.start.saturating_add(sectors))
    }

    /// Visits the places of logical sectors: start and length there, and how far they are behind
    /// `start`.
    pub fn physical(&self, start: u64, sectors: u64, mut visit: impl FnMut(u64, u64, u64)) {
        let end = start.saturating_add(sectors);
        let first = self
            .chunks
            .partition_point(|piece| piece.logical.saturating_add(piece.sectors) <= start);
        let near = self.chunks[first..]
            .iter()
            .take_while(|piece| piece.logical < end);
        for piece in near.filter(|piece| piece.device == self.btrfs_device) {
            let from = piece.logical.max(start);
            let to = piece.logical.saturating_add(piece.sectors).min(end);
            let place = piece.physical.checked_add(from - piece.logical);
            if let (Some(place), true) = (place, from < to) {
                visit(place, to - from, from - start);
            }
        }
    }
}

#[derive(Debug, Default)]
pub struct Volumes {
    pub list: Vec<Volume>,
    by_device: FxHashMap<DeviceNumber, u32>,
    /// Of the number of a bdi, the file systems that it may mean.
    by_bdi: FxHashMap<DeviceNumber, Vec<u32>>,
    by_uuid: FxHashMap<u64, u32>,
    /// Of disks whose partitions are all placed, their partitions: start and end, ascending.
    outside: FxHashMap<u32, Vec<(u64, u64)>>,
}

impl Volumes {
    /// Finds the file systems that side files and events name, as far as the store has their disk.
    pub fn new(side: &SideFiles, log: &EventLog, store: &Store) -> Volumes {
        let mut volumes = Volumes::default();
        for folder in &side.folders {
            for mount in &folder.mounts {
                if FILE_SYSTEMS.contains(&mount.kind.as_str())
                    && let Some(device) = mount_device(folder, mount.device, &mount.source)
                {
                    volumes.add(device, &mount.kind, store);
                    if let Some(&volume) = volumes.by_device.get(&device) {
                        volumes.list[volume as usize].journals_data |= mount.journals_data;
                    }
                }
            }
        }
        for text in &side.texts {
            if let Some(device) = text.device {
                volumes.add(device, text.kind.unwrap_or_default(), store);
            }
            if let Some(device) = text.journal_device {
                volumes.add(device, JOURNAL_DEVICE, store);
            }
        }
        let named = log.subjects.iter().map(|subject| subject.volume);
        for volume in named.chain(log.files.iter().map(|file| file.0)) {
            if let VolumeName::Partition(device) = volume {
                volumes.add(device, "", store);
            }
        }
        for partition in side.folders.iter().flat_map(|folder| &folder.partitions) {
            if let Some(&volume) = volumes.by_device.get(&partition.device) {
                volumes.list[volume as usize].sectors = Some(partition.sectors);
            }
        }
        volumes
    }

    /// The file systems of a known kind, with the names of their partitions.
    pub fn file_systems(&self, folders: &[Folder], store: &Store) -> Vec<FileSystem> {
        let partitions = || folders.iter().flat_map(|folder| &folder.partitions);
        let named = |device: DeviceNumber| {
            let partition = partitions().find(|partition| partition.device == device);
            let disk = || store.devices.iter().find(|disk| disk.number == device);
            let name = partition.map(|partition| partition.name.clone());
            name.or_else(|| disk().map(|disk| disk.name.clone()))
        };
        let with_kind = self.list.iter().filter(|volume| !volume.kind.is_empty());
        with_kind
            .take(MAX_FILE_SYSTEMS)
            .map(|volume| FileSystem {
                disk: volume.disk,
                device: named(volume.device).unwrap_or_else(|| volume.device.to_string()),
                kind: volume.kind.clone(),
            })
            .collect()
    }

    fn add(&mut self, device: DeviceNumber, kind: &str, store: &Store) {
        if let Some(&volume) = self.by_device.get(&device) {
            let volume = &mut self.list[volume as usize];
            if volume.kind.is_empty() {
                kind.clone_into(&mut volume.kind);
            }
            return;
        }
        let (Some((disk, start)), true) = (place(device, store), self.list.len() < MAX_VOLUMES)
        else {
            return;
        };
        let number = self.list.len() as u32;
        let disk_number = store.devices[disk as usize].number;
        self.by_device.insert(device, number);
        for bdi in [device, disk_number] {
            let list = self.by_bdi.entry(bdi).or_default();
            if !list.contains(&number) {
                list.push(number);
            }
        }
        self.list.push(Volume {
            device,
            disk,
            start,
            sectors: None,
            kind: kind.to_owned(),
            journals_data: false,
            block: None,
            main_area: None,
            node_size: 16 << 10,
            uuid: None,
            btrfs_device: 1,
            chunks: Vec::new(),
            xfs: XfsLayout::default(),
        });
    }

    /// Takes what texts say about their file systems.
    pub fn describe(&mut self, texts: &[TextFacts], of_texts: &[Option<u32>]) {
        for (text, of_text) in texts.iter().zip(of_texts) {
            let Some(number) = *of_text else {
                continue;
            };
            let volume = &mut self.list[number as usize];
            if let Some(bytes) = text.block_size {
                volume.block = Some(bytes / SECTOR);
            }
            if let (None, Some(sectors)) = (volume.sectors, text.size) {
                volume.sectors = Some(sectors);
            }
            volume.journals_data |= text.journals_data;
            volume.main_area = text.main_area.or(volume.main_area);
            volume.node_size = text.node_size.unwrap_or(volume.node_size);
            volume.btrfs_device = text.btrfs_device.unwrap_or(volume.btrfs_device);
            if let Some(uuid) = text.uuid {
                volume.uuid = Some(uuid);
                self.by_uuid.insert(uuid, number);
            }
            for fact in &text.xfs {
                if let XfsFact::Field(..) = fact {
                    volume.xfs.add(*fact);
                }
            }
            let room = MAX_PIECES.saturating_sub(volume.chunks.len());
            volume.chunks.extend(text.chunks.iter().take(room));
        }
        for volume in &mut self.list {
            let order = |piece: &ChunkPiece| (piece.logical, piece.physical, piece.sectors);
            volume.chunks.sort_short_by_key(order);
            volume.chunks.dedup();
        }
    }

    /// Finds the disks whose partitions are all known with place and length.
    pub fn find_outside(&mut self, folders: &[Folder], store: &Store) {
        for folder in folders {
            for disk in &folder.partitions {
                let found = store
                    .devices
                    .iter()
                    .position(|device| device.number == disk.device);
                let Some(index) = found.filter(|_| !self.by_device.contains_key(&disk.device))
                else {
                    continue;
                };
                let parts = folder
                    .partitions
                    .iter()
                    .filter(|part| is_part(&disk.name, &part.name));
                let place = |part: &PartitionSize| {
                    let (on, start) = place(part.device, store)?;
                    (on as usize == index).then(|| (start, start.saturating_add(part.sectors)))
                };
                let places: Option<Vec<(u64, u64)>> = parts.map(place).collect();
                if let Some(mut places) = places.filter(|places| !places.is_empty()) {
                    places.sort_short();
                    self.outside.insert(index as u32, places);
                }
            }
        }
    }

    /// Whether sectors of a disk are in none of its partitions.
    pub fn is_outside(&self, disk: u32, sectors: Range<u64>) -> bool {
        let Some(places) = self.outside.get(&disk) else {
            return false;
        };
        places
            .iter()
            .all(|&(start, end)| sectors.end <= start || end <= sectors.start)
    }

    pub fn of_device(&self, device: DeviceNumber) -> Option<u32> {
        self.by_device.get(&device).copied()
    }

    /// The file system of a mount, if the store has its disk.
    pub fn of_mount(&self, folder: &Folder, mount: &MountPoint) -> Option<u32> {
        self.of_device(mount_device(folder, mount.device, &mount.source)?)
    }

    /// The number of an owner's inode as its file system has it.
    pub fn plain_inode(&self, owner: &Owner) -> u64 {
        match self.list.get(owner.volume as usize) {
            Some(volume) if volume.kind == "btrfs" => plain_inode(owner.inode),
            _ => owner.inode,
        }
    }

    /// The only file system of a kind, if there is one.
    pub fn only(&self, kind: Option<&str>) -> Option<u32> {
        let mut found = (0..)
            .zip(&self.list)
            .filter(|(_, volume)| !volume.is_journal())
            .filter(|(_, volume)| kind.is_none_or(|kind| volume.kind == kind));
        let first = found.next()?.0;
        found.next().is_none().then_some(first)
    }

    /// The file systems that the name in an event may mean.
    pub fn of_event(&self, name: VolumeName) -> Vec<u32> {
        match name {
            VolumeName::Partition(device) => self.of_device(device).into_iter().collect(),
            VolumeName::Disk(bdi) => self.by_bdi.get(&bdi).cloned().unwrap_or_default(),
            // The numbers count mounts, of which only one may be recorded.
            VolumeName::BtrfsBdi(_) => self.only(Some("btrfs")).into_iter().collect(),
            VolumeName::Uuid(uuid) => self
                .by_uuid
                .get(&uuid)
                .copied()
                .or_else(|| self.only(Some("btrfs")))
                .into_iter()
                .collect(),
        }
    }
}

/// Whether a name is of a partition of a disk: `sda1`, `nvme0n1p1`.
fn is_part(disk: &str, name: &str) -> bool {
    let number = name.strip_prefix(disk);
    let number = number.map(|rest| match disk.ends_with(|c: char| c.is_ascii_digit()) {
        true => rest.strip_prefix('p').unwrap_or_default(),
        false => rest,
    });
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// The block device of a mount: btrfs has a number of its own, so its source names it.
fn mount_device(folder: &Folder, device: DeviceNumber, source: &str) -> Option<DeviceNumber> {
    if device.major() > 0 {
        return Some(device);
    }
    let name = source.strip_prefix("/dev/")?;
    let partitions = &mut folder.partitions.iter();
    Some(partitions.find(|partition| partition.name == name)?.device)
}

/// The disk of the store that has a device, and its first sector there: remaps say it, else the
/// device is a disk of the store itself.
pub fn place(device: DeviceNumber, store: &Store) -> Option<(u32, u64)> {
    let mut offsets = store
        .events
        .remap_offsets()
        .filter(|remap| remap.0 == device)
        .map(|remap| remap.2.wrapping_neg());
    let disk = |number: DeviceNumber| {
        let found = store
            .devices
            .iter()
            .position(|device| device.number == number);
        found.map(|disk| disk as u32)
    };
    let Some(start) = offsets.next() else {
        return Some((disk(device)?, 0));
    };
    let mut below = store.events.remap_sources(0).filter(|s| s.1 == device);
    let lower = below.next()?.0;
    let plain = offsets.all(|other| other == start) && below.all(|source| source.0 == lower);
    // A target of several pieces (dm, md) is no partition.
    let plain = plain && start < 1 << 60;
    plain.then_some((lower, start))
}

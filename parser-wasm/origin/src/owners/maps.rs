//! The maps of all file systems before and after the recording, in sectors of their partitions.

use super::inodes::{Inodes, Owner, OwnerTable, When};
use super::layer::MapLayer;
use super::volumes::{Volume, Volumes};
use crate::map::btrfs::{TOP_INODE, TOP_SUBVOLUME, inode_key};
use crate::map::xfs::XfsLayout;
use crate::ranges::{ChunkPiece, MapRange, Space};
use crate::side::{Extent, Folder, MountPoint, NO_INODE, NO_PATH, Name, SideFiles, TextFacts};
use rustc_hash::FxHashSet;
use seekscope_trace::store::{NO_OFFSET, ObjectKind, Store};

/// All sectors of a device that is a journal; ext4 has journals of up to 40 GiB.
const WHOLE_JOURNAL: MapRange<'static> = MapRange {
    space: Space::Partition,
    start: 0,
    sectors: u32::MAX as u64,
    kind: ObjectKind::Journal,
    inode: None,
    offset: None,
    path: None,
    weak: false,
};

/// The layers of a file system.
#[derive(Debug, Default)]
pub struct Maps {
    pub start: MapLayer,
    pub end: MapLayer,
    /// Chunks of btrfs that hold trees only.
    pub trees: MapLayer,
}

/// The moment at which the texts of a folder were taken. Its name says it, or its clock.
fn moment(folder: &Folder, store: &Store) -> Option<When> {
    for word in folder.path.rsplit('/') {
        match word.to_ascii_lowercase().as_str() {
            "start" | "begin" | "before" => return Some(When::Start),
            "end" | "after" => return Some(When::End),
            _ => {}
        }
    }
    let middle = store.origin.saturating_add(store.span() / 2);
    let clock = folder.clock?;
    Some(if clock <= middle {
        When::Start
    } else {
        When::End
    })
}

/// Whether the rest of a path behind a folder's is in the folder, or the folder itself.
fn is_below(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}

/// The mount of a path, by the longest mount point that it lies in, and its folder of texts; absent
/// if no text has mounts.
fn mount_of_path<'a>(
    folders: &'a [Folder],
    folder: u32,
    path: &str,
) -> Option<Option<(&'a Folder, &'a MountPoint)>> {
    let folder_paths = folders.get(folder as usize)?;
    let folder = match folder_paths.mounts.is_empty() {
        true => folders.iter().find(|folder| !folder.mounts.is_empty())?,
        false => folder_paths,
    };
    let inside = |point: &str| point == "/" || path.strip_prefix(point).is_some_and(is_below);
    let mounts = folder.mounts.iter().filter(|mount| inside(&mount.point));
    // The last of several mounts on one point hides the others.
    let mount = mounts.max_by_key(|mount| mount.point.len());
    Some(mount.map(|mount| (folder, mount)))
}

/// The file system of a path.
fn volume_of_path(folders: &[Folder], folder: u32, volumes: &Volumes, path: &str) -> Option<u32> {
    match mount_of_path(folders, folder, path) {
        Some(mount) => mount.and_then(|(folder, mount)| volumes.of_mount(folder, mount)),
        None => volumes.only(None),
    }
}

/// The file system that a text describes as a whole.
pub fn volume_of_text(side: &SideFiles, volumes: &Volumes, text: &TextFacts) -> Option<u32> {
    if let Some(device) = text.device {
        return volumes.of_device(device);
    }
    if let Some(point) = &text.mount_point
        && let Some(volume) = volume_of_path(&side.folders, text.folder, volumes, point)
    {
        return Some(volume);
    }
    let kind = text.kind?;
    let folder = side.folders.get(text.folder as usize)?;
    let mut mounted = folder
        .mounts
        .iter()
        .filter(|mount| mount.kind == kind)
        .filter_map(|mount| volumes.of_mount(folder, mount));
    let Some(first) = mounted.next() else {
        return volumes.only(Some(kind)).or_else(|| volumes.only(None));
    };
    mounted.all(|other| other == first).then_some(first)
}

/// Ranges by priority: files, structures, what is only said in general, free space.
const PRIORITIES: usize = 4;

fn priority(kind: ObjectKind, weak: bool) -> usize {
    match kind {
        ObjectKind::Free => 3,
        _ if weak => 2,
        ObjectKind::File | ObjectKind::Directory => 0,
        _ => 1,
    }
}

/// Ranges of a file system at a moment, by priority.
type Lists = [Vec<Extent>; PRIORITIES];

/// Builds the maps of all file systems.
pub struct MapBuilder<'a> {
    side: &'a SideFiles,
    volumes: &'a Volumes,
    pub inodes: Vec<Inodes>,
    pub owners: OwnerTable,
    /// The inode of each path at the start and at the end, or `NO_INODE`.
    path_inodes: [Vec<u64>; 2],
    lists: Vec<[Lists; 2]>,
    /// Compressed extents: the file system, whether at the end, and the first logical sector.
    packed: FxHashSet<(u32, bool, u64)>,
}

impl<'a> MapBuilder<'a> {
    pub fn new(side: &'a SideFiles, volumes: &'a Volumes) -> MapBuilder<'a> {
        let count = volumes.list.len();
        let paths = || vec![NO_INODE; side.names.paths()];
        MapBuilder {
            side,
            volumes,
            inodes: vec![Inodes::default(); count],
            owners: OwnerTable::default(),
            path_inodes: [paths(), paths()],
            lists: (0..count).map(|_| Default::default()).collect(),
            packed: FxHashSet::default(),
        }
    }

    /// The texts with their moments. What was taken at no moment that is known says nothing about
    /// time; if all texts are so, they are the map at the end.
    fn moments(&self, store: &Store) -> Vec<(&'a TextFacts, When)> {
        let moments: Vec<Option<When>> = self
            .side
            .folders
            .iter()
            .map(|folder| moment(folder, store))
            .collect();
        let timeless = moments.iter().all(Option::is_none);
        let moment = |text: &TextFacts| match moments.get(text.folder as usize) {
            Some(&Some(when)) => Some(when),
            _ => timeless.then_some(When::End),
        };
        self.side
            .texts
            .iter()
            .filter_map(|text| Some((text, moment(text)?)))
            .collect()
    }

    /// Reads the inodes of all texts. Those that are gone are added before this.
    pub fn read_inodes(&mut self, store: &Store) {
        for (text, when) in self.moments(store) {
            let mut last: Option<(&str, Option<(u32, u64)>)> = None;
            // A subvolume within the last one: its number is not known.
            let mut nested: Option<&str> = None;
            for &(inode, path, folder) in &text.inodes {
                let name = self.side.names.path(path).unwrap_or_default();
                // Files of one folder are of one file system, unless one is a mount point.
                let parent = name.rsplit_once('/').map_or("", |(parent, _)| parent);
                let place = match last {
                    Some((previous, place)) if previous == parent && !folder => place,
                    _ => self.subvolume_of_path(text.folder, name),
                };
                last = (!folder).then_some((parent, place));
                let Some((volume, subvolume)) = place else {
                    continue;
                };
                let mut inode = inode;
                if self.volumes.list[volume as usize].kind == "btrfs" {
                    if folder && inode == TOP_INODE && !self.is_mount_point(text.folder, name) {
                        nested = Some(name);
                    }
                    let inside = |top: &str| name.strip_prefix(top);
                    if nested.and_then(inside).is_some_and(is_below) {
                        continue;
                    }
                    inode = inode_key(subvolume, inode);
                }
                self.inodes[volume as usize].add(when, (inode, path, folder));
                self.path_inodes[usize::from(when == When::End)][path as usize] = inode;
            }
        }
        self.inodes.iter_mut().for_each(Inodes::sort);
    }

    /// The file system of a path, and its subvolume there.
    fn subvolume_of_path(&self, folder: u32, path: &str) -> Option<(u32, u64)> {
        match mount_of_path(&self.side.folders, folder, path) {
            Some(mount) => {
                let (folder, mount) = mount?;
                Some((self.volumes.of_mount(folder, mount)?, mount.subvolume))
            }
            None => Some((self.volumes.only(None)?, TOP_SUBVOLUME)),
        }
    }

    fn is_mount_point(&self, folder: u32, path: &str) -> bool {
        let mount = mount_of_path(&self.side.folders, folder, path);
        // Without mounts, the first folder of a text is where it begins.
        mount.is_none_or(|mount| mount.is_some_and(|(_, mount)| mount.point == path))
    }

    /// Reads the ranges of all texts.
    pub fn read_ranges(&mut self, store: &Store) {
        let mut layouts: Vec<[XfsLayout; 2]> = self
            .volumes
            .list
            .iter()
            .map(|_| Default::default())
            .collect();
        for (text, when) in self.moments(store) {
            for &(start, path) in &text.packed {
                let path = self.side.names.path(path).unwrap_or_default();
                let volume = volume_of_path(&self.side.folders, text.folder, self.volumes, path);
                if let Some(volume) = volume {
                    self.packed.insert((volume, when == When::End, start));
                }
            }
        }
        for (text, when) in self.moments(store) {
            let whole = volume_of_text(self.side, self.volumes, text);
            if let Some(volume) = whole {
                let layout = &mut layouts[volume as usize][usize::from(when == When::End)];
                text.xfs.iter().for_each(|&fact| layout.add(fact));
            }
            self.read_text(text, whole, when);
        }
        let volumes = self.volumes;
        for (number, volume) in (0..).zip(&volumes.list) {
            if !volume.is_journal() {
                continue;
            }
            for when in [When::Start, When::End] {
                self.add_structure(number, &WHOLE_JOURNAL, when);
            }
        }
        for (volume, moments) in (0..).zip(&layouts) {
            for (layout, when) in moments.iter().zip([When::Start, When::End]) {
                layout.ranges(|range| self.add_structure(volume, &range, when));
                if layout.block_size().is_some() {
                    let blocks = self.inodes[volume as usize]
                        .numbers(when)
                        .filter_map(|inode| layout.inode_range(inode));
                    for range in blocks.collect::<Vec<_>>() {
                        self.add_structure(volume, &range, when);
                    }
                }
            }
        }
    }

    fn add_structure(&mut self, volume: u32, range: &MapRange<'_>, when: When) {
        let owner = Owner::structure(volume, range.kind);
        let Ok(sectors) = u32::try_from(range.sectors) else {
            return;
        };
        let name = self.owners.number(owner);
        let lists = &mut self.lists[volume as usize][usize::from(when == When::End)];
        let extent = Extent {
            start: range.start,
            sectors,
            offset: NO_OFFSET,
            name,
        };
        lists[priority(range.kind, range.weak)].push(extent);
    }

    fn read_text(&mut self, text: &TextFacts, whole: Option<u32>, when: When) {
        let mut last = None;
        for extent in &text.extents {
            let name = self.side.names.names[extent.name as usize];
            let (volume, owner) = match last {
                Some((number, found)) if number == extent.name => found,
                _ => self.owner(text, whole, name, when),
            };
            last = Some((extent.name, (volume, owner)));
            let Some(volume) = volume else {
                continue;
            };
            let place = &self.volumes.list[volume as usize];
            let list = &mut self.lists[volume as usize][usize::from(when == When::End)]
                [priority(name.kind, name.weak)];
            let mut extent = Extent {
                name: owner,
                ..*extent
            };
            let logical = name.space == Space::Logical;
            if logical
                && self
                    .packed
                    .contains(&(volume, when == When::End, extent.start))
            {
                extent.offset = NO_OFFSET;
            }
            add_extent(list, place, name.space, extent);
        }
    }

    /// The file system and the owner that a name means.
    fn owner(
        &mut self,
        text: &TextFacts,
        whole: Option<u32>,
        name: Name,
        when: When,
    ) -> (Option<u32>, u32) {
        let path = self.side.names.path(name.path);
        let named = path
            .and_then(|path| volume_of_path(&self.side.folders, text.folder, self.volumes, path));
        let Some(volume) = named.or(whole) else {
            return (None, 0);
        };
        let inode = match (name.inode, name.path) {
            (NO_INODE, NO_PATH) => NO_INODE,
            (NO_INODE, path) => self.path_inodes[usize::from(when == When::End)][path as usize],
            (inode, _) => inode,
        };
        let file = matches!(name.kind, ObjectKind::File | ObjectKind::Directory);
        if file && inode != NO_INODE {
            let inodes = &self.inodes[volume as usize];
            if inodes.find(inode, when).is_some() {
                let owner = self.owners.file(volume, inodes, inode, when);
                return (Some(volume), self.owners.unwritten(owner, name.unwritten));
            }
            // GETFSMAP does not tell folders from files.
            if name.path == NO_PATH && self.volumes.list[volume as usize].kind == "xfs" {
                return (None, 0);
            }
        }
        let owner = Owner {
            volume,
            kind: name.kind,
            path: name.path,
            inode,
            unwritten: name.unwritten,
        };
        (Some(volume), self.owners.number(owner))
    }

    /// The layers of all file systems.
    pub fn finish(mut self) -> (Vec<Maps>, Vec<Inodes>, OwnerTable) {
        let lists = std::mem::take(&mut self.lists);
        let maps = (0..).zip(lists).map(|(volume, [start, end])| Maps {
            start: MapLayer::new(start),
            end: MapLayer::new(end),
            trees: MapLayer::new([self.tree_chunks(volume)]),
        });
        let maps = maps.collect();
        (maps, self.inodes, self.owners)
    }

    fn tree_chunks(&mut self, volume: u32) -> Vec<Extent> {
        let place = &self.volumes.list[volume as usize];
        let trees = place
            .chunks
            .iter()
            .filter(|piece| piece.device == place.btrfs_device && !piece.data);
        let name = self
            .owners
            .number(Owner::structure(volume, ObjectKind::Tree));
        let extent = |piece: &ChunkPiece| {
            Some(Extent {
                start: piece.physical,
                offset: NO_OFFSET,
                sectors: u32::try_from(piece.sectors).ok()?,
                name,
            })
        };
        trees.filter_map(extent).collect()
    }
}

/// Adds an extent in sectors of the partition.
fn add_extent(list: &mut Vec<Extent>, volume: &Volume, space: Space, extent: Extent) {
    let shift = match space {
        Space::Partition => Some(0),
        Space::MainArea => volume.main_area,
        Space::Blocks => {
            let (Some(block), count) = (volume.block, u64::from(extent.sectors)) else {
                return;
            };
            let start = extent.start.checked_mul(block);
            let sectors = count.checked_mul(block).and_then(|n| u32::try_from(n).ok());
            if let (Some(start), Some(sectors)) = (start, sectors) {
                list.push(Extent {
                    start,
                    sectors,
                    ..extent
                });
            }
            return;
        }
        Space::Logical => {
            volume.physical(
                extent.start,
                extent.sectors.into(),
                |start, sectors, behind| {
                    let offset = match extent.offset {
                        NO_OFFSET => NO_OFFSET,
                        offset => offset.saturating_add(behind.saturating_mul(512)),
                    };
                    list.push(Extent {
                        start,
                        sectors: sectors as u32,
                        offset,
                        ..extent
                    });
                },
            );
            return;
        }
    };
    if let Some(start) = shift.and_then(|shift| extent.start.checked_add(shift)) {
        list.push(Extent { start, ..extent });
    }
}

//! Files and structures as people tell them apart: each file is itself, all structures of a kind
//! are one, and files with few bytes are one together. Colours, filters and tables use these.

pub mod writers;

use super::objects::{Object, ObjectKind, Objects};
use super::requests::Requests;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::Arc;

/// Maximum number of groups: a row has the number of its group in one byte.
pub const MAX_GROUPS: usize = 250;

/// What a group consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupMeaning {
    /// No source says what the sectors belong to.
    Unknown,
    /// Files that have no group of their own.
    OtherFiles,
    /// The file with this index of [`Objects::objects`].
    File(u32),
    /// All structures of a kind.
    Structure(ObjectKind),
}

/// The groups of the objects of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectGroups {
    /// The most bytes first.
    pub list: Vec<GroupMeaning>,
    /// Index in `list` of each object; the last entry is for what is unknown.
    by_object: Vec<u8>,
    /// Index in `list` of each row of requests: of its largest part.
    by_row: Arc<[u8]>,
}

impl ObjectGroups {
    pub fn new(objects: &Objects, requests: &Requests) -> ObjectGroups {
        let bytes = bytes_by_meaning(objects);
        let mut list: Vec<(GroupMeaning, u64)> = bytes.into_iter().collect();
        list.sort_unstable_by_key(|(meaning, bytes)| (Reverse(*bytes), order(*meaning)));
        let mut files = MAX_GROUPS - ObjectKind::ALL.len() - 2;
        list.retain(|(meaning, _)| match meaning {
            GroupMeaning::File(_) if files == 0 => false,
            GroupMeaning::File(_) => {
                files -= 1;
                true
            }
            _ => true,
        });
        let mut list: Vec<GroupMeaning> = list.into_iter().map(|(meaning, _)| meaning).collect();
        if files == 0 {
            list.push(GroupMeaning::OtherFiles);
        }
        let index: FxHashMap<GroupMeaning, u8> = (list.iter().enumerate())
            .map(|(i, meaning)| (*meaning, i as u8))
            .collect();
        let find = |meaning: GroupMeaning| {
            let other = || index.get(&GroupMeaning::OtherFiles);
            index.get(&meaning).or_else(other).copied().unwrap_or(0)
        };
        let by_object: Vec<u8> = (0..objects.objects.len() as u32)
            .map(|object| find(meaning(objects, object)))
            .chain([find(GroupMeaning::Unknown)])
            .collect();
        let mut groups = ObjectGroups {
            list,
            by_object,
            by_row: Arc::default(),
        };
        groups.by_row = (0..requests.len())
            .map(|row| groups.largest(objects, row))
            .collect();
        groups
    }

    /// The index in `list` of an object, or of what is unknown.
    #[inline]
    pub fn group(&self, object: u32) -> usize {
        let unknown = || self.by_object.last().copied();
        let found = self.by_object.get(object as usize).copied();
        usize::from(found.or_else(unknown).unwrap_or(0))
    }

    /// The index in `list` of each row of requests.
    pub fn rows(&self) -> Arc<[u8]> {
        Arc::clone(&self.by_row)
    }

    /// The index in `list` of a row of requests.
    #[inline]
    pub fn group_of_row(&self, row: usize) -> usize {
        usize::from(self.by_row.get(row).copied().unwrap_or(0))
    }

    /// The name of a group in texts: the path of a file, else what it is.
    pub fn label(&self, objects: &Objects, group: usize) -> String {
        match self.list.get(group) {
            Some(GroupMeaning::Structure(kind)) => kind.label().to_owned(),
            Some(GroupMeaning::OtherFiles) => "other files".to_owned(),
            Some(GroupMeaning::File(object)) => objects
                .objects
                .get(*object as usize)
                .map(Object::label)
                .unwrap_or_default(),
            Some(GroupMeaning::Unknown) | None => "unknown".to_owned(),
        }
    }

    fn largest(&self, objects: &Objects, row: usize) -> u8 {
        let parts = objects.parts(row);
        let object = match parts {
            [part] => part.object,
            _ => {
                (parts.iter().max_by_key(|part| part.sectors)).map_or(u32::MAX, |part| part.object)
            }
        };
        self.group(object) as u8
    }

    /// Memory of the tables, bytes.
    pub fn memory(&self) -> usize {
        self.by_object.len() + self.by_row.len()
    }
}

/// The object that stands for a group, if it is one.
pub fn file_of(objects: &Objects, meaning: GroupMeaning) -> Option<&Object> {
    match meaning {
        GroupMeaning::File(object) => objects.objects.get(object as usize),
        _ => None,
    }
}

fn meaning(objects: &Objects, object: u32) -> GroupMeaning {
    match objects.objects.get(object as usize) {
        None => GroupMeaning::Unknown,
        Some(found) if found.kind == ObjectKind::File => GroupMeaning::File(object),
        Some(found) => GroupMeaning::Structure(found.kind),
    }
}

fn bytes_by_meaning(objects: &Objects) -> FxHashMap<GroupMeaning, u64> {
    let mut bytes: FxHashMap<GroupMeaning, u64> = FxHashMap::default();
    // Rows without a part are those of flushes: they belong to nothing.
    bytes.insert(GroupMeaning::Unknown, 0);
    for part in &objects.parts {
        *bytes.entry(meaning(objects, part.object)).or_default() += u64::from(part.sectors) * 512;
    }
    bytes
}

/// The order of groups with equally many bytes.
fn order(meaning: GroupMeaning) -> (u8, u32) {
    match meaning {
        GroupMeaning::File(object) => (0, object),
        GroupMeaning::Structure(kind) => (1, kind as u32),
        GroupMeaning::OtherFiles => (2, 0),
        GroupMeaning::Unknown => (3, 0),
    }
}

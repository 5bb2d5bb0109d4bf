//! Files by their inodes. The number of a deleted file is used again, so a name holds for a time.

use crate::side::{NO_INODE, NO_PATH};
use rustc_hash::FxHashMap;
use seekscope_trace::store::ObjectKind;

/// When a file is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    Start,
    /// On the clock of the trace, ns.
    During(u64),
    End,
}

/// To whom sectors belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    pub volume: u32,
    pub kind: ObjectKind,
    pub path: u32,
    pub inode: u64,
    /// Whether nothing was written to these sectors of it.
    pub unwritten: bool,
}

impl Owner {
    /// A structure without a name.
    pub fn structure(volume: u32, kind: ObjectKind) -> Owner {
        Owner {
            volume,
            kind,
            path: NO_PATH,
            inode: NO_INODE,
            unwritten: false,
        }
    }

    /// Whether two owners may be one: what is unknown of one of them does not differ.
    pub fn is_same(&self, other: &Owner) -> bool {
        let path = self.path == other.path || self.path == NO_PATH || other.path == NO_PATH;
        let inode = self.inode == other.inode || self.inode == NO_INODE || other.inode == NO_INODE;
        let named = self.inode == other.inode || self.path == other.path;
        self.volume == other.volume && self.kind == other.kind && path && inode && named
    }
}

/// An inode of a map: its number, its path, and whether it is a folder.
type Row = (u64, u32, bool);

/// The inodes of a file system.
#[derive(Clone, Debug, Default)]
pub struct Inodes {
    start: Vec<Row>,
    end: Vec<Row>,
    /// First and last time at which a name or the data of an inode went.
    gone: FxHashMap<u64, (u64, u64)>,
}

impl Inodes {
    pub fn add(&mut self, when: When, row: Row) {
        match when {
            When::Start => self.start.push(row),
            _ => self.end.push(row),
        }
    }

    pub fn add_gone(&mut self, inode: u64, time: u64) {
        let gone = self.gone.entry(inode).or_insert((time, time));
        *gone = (gone.0.min(time), gone.1.max(time));
    }

    pub fn sort(&mut self) {
        for rows in [&mut self.start, &mut self.end] {
            rows.sort_unstable();
            // Another name of the same file.
            rows.dedup_by_key(|row| row.0);
        }
    }

    /// The path of an inode, and whether it is a folder; absent if no map has it then.
    pub fn find(&self, inode: u64, when: When) -> Option<(u32, bool)> {
        let row = |rows: &[Row]| {
            let found = rows.binary_search_by_key(&inode, |row| row.0);
            found.ok().map(|i| (rows[i].1, rows[i].2))
        };
        let (start, end) = (row(&self.start), row(&self.end));
        let Some(&(first, last)) = self.gone.get(&inode).filter(|_| start != end) else {
            // Renamed at most: the last name is the one that is known.
            return end.or(start);
        };
        match when {
            When::Start => start,
            When::During(time) if time <= first => start,
            When::During(time) if time <= last => None,
            _ => end,
        }
    }

    /// The inodes that a map has.
    pub fn numbers(&self, when: When) -> impl Iterator<Item = u64> {
        let rows = match when {
            When::Start => &self.start,
            _ => &self.end,
        };
        rows.iter().map(|row| row.0)
    }

    /// Whether a map has an inode.
    pub fn has(&self, inode: u64) -> bool {
        let has = |rows: &[Row]| rows.binary_search_by_key(&inode, |row| row.0).is_ok();
        has(&self.start) || has(&self.end)
    }
}

/// Owners, each once.
#[derive(Debug, Default)]
pub struct OwnerTable {
    pub list: Vec<Owner>,
    numbers: FxHashMap<Owner, u32>,
}

impl OwnerTable {
    pub fn number(&mut self, owner: Owner) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.numbers.entry(owner).or_insert(next);
        if number == next {
            self.list.push(owner);
        }
        number
    }

    /// The same owner, marked as such if nothing was written there.
    pub fn unwritten(&mut self, owner: u32, unwritten: bool) -> u32 {
        if !unwritten {
            return owner;
        }
        let owner = self.list[owner as usize];
        self.number(Owner { unwritten, ..owner })
    }

    /// The file of an inode at a time.
    pub fn file(&mut self, volume: u32, inodes: &Inodes, inode: u64, when: When) -> u32 {
        let found = inodes.find(inode, when);
        let (path, folder) = found.unwrap_or((NO_PATH, false));
        let kind = if folder {
            ObjectKind::Directory
        } else {
            ObjectKind::File
        };
        self.number(Owner {
            volume,
            kind,
            path,
            inode,
            unwritten: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inodes(start: Option<u32>, end: Option<u32>, gone: &[u64]) -> Inodes {
        let mut inodes = Inodes::default();
        start
            .into_iter()
            .for_each(|path| inodes.add(When::Start, (5, path, false)));
        end.into_iter()
            .for_each(|path| inodes.add(When::End, (5, path, false)));
        gone.iter().for_each(|&time| inodes.add_gone(5, time));
        inodes.sort();
        inodes
    }

    #[test]
    fn a_number_that_is_used_again_is_another_file() {
        let reused = inodes(Some(1), Some(2), &[100, 200]);
        let find = |inodes: &Inodes, when| inodes.find(5, when).map(|found| found.0);
        let times = [
            When::Start,
            When::During(100),
            When::During(150),
            When::During(201),
            When::End,
        ];
        let found = times.map(|when| find(&reused, when));
        assert_eq!(found, [Some(1), Some(1), None, Some(2), Some(2)]);
        let deleted = inodes(Some(1), None, &[100]);
        assert_eq!(
            times.map(|when| find(&deleted, when)),
            [Some(1), Some(1), None, None, None]
        );
        let truncated = inodes(Some(1), Some(1), &[100]);
        assert_eq!(find(&truncated, When::During(100)), Some(1));
        let renamed = inodes(Some(1), Some(2), &[]);
        assert_eq!(find(&renamed, When::Start), Some(2));
        assert!(renamed.has(5) && !renamed.has(6));
    }

    #[test]
    fn owners_are_the_same_unless_something_differs() {
        let owner = |path, inode| Owner {
            volume: 0,
            kind: ObjectKind::File,
            path,
            inode,
            unwritten: false,
        };
        assert!(owner(1, 5).is_same(&owner(NO_PATH, 5)));
        assert!(owner(1, NO_INODE).is_same(&owner(1, 5)));
        assert!(!owner(1, NO_INODE).is_same(&owner(NO_PATH, 5)));
        assert!(!owner(1, 5).is_same(&owner(2, 5)));
    }
}

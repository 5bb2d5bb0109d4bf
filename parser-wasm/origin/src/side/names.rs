//! Names of objects: kind, inode and path, each once.

use crate::ranges::Space;
use rustc_hash::{FxHashMap, FxHasher};
use seekscope_trace::store::ObjectKind;
use std::hash::{Hash, Hasher};

/// Paths of a recording; more are left out.
const MAX_PATHS: usize = 16 << 20;
const MAX_NAMES: usize = 16 << 20;

pub const NO_INODE: u64 = u64::MAX;
pub const NO_PATH: u32 = u32::MAX;

/// What a text says about ranges, apart from their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    pub kind: ObjectKind,
    pub space: Space,
    pub weak: bool,
    /// Whether nothing was written there.
    pub unwritten: bool,
    /// Or [`NO_INODE`].
    pub inode: u64,
    /// Index of a path, or [`NO_PATH`].
    pub path: u32,
}

#[derive(Debug, Default)]
pub struct Names {
    pub names: Vec<Name>,
    numbers: FxHashMap<Name, u32>,
    paths: Vec<Box<str>>,
    /// Numbers of paths by their hashes; another path with the same hash has the next one.
    path_numbers: FxHashMap<u64, u32>,
    last: Option<(Name, u32)>,
}

impl Names {
    /// The number of a name; absent if there is no room.
    pub fn name(&mut self, name: Name) -> Option<u32> {
        if let Some((last, number)) = self.last
            && last == name
        {
            return Some(number);
        }
        let next = self.names.len();
        let number = match self.numbers.get(&name) {
            Some(&number) => number,
            None if next >= MAX_NAMES => return None,
            None => {
                self.names.push(name);
                self.numbers.insert(name, next as u32);
                next as u32
            }
        };
        self.last = Some((name, number));
        Some(number)
    }

    /// The number of a path; absent if there is no room.
    pub fn path_number(&mut self, path: &str) -> Option<u32> {
        let mut hasher = FxHasher::default();
        path.hash(&mut hasher);
        let mut key = hasher.finish();
        while let Some(&number) = self.path_numbers.get(&key) {
            if &*self.paths[number as usize] == path {
                return Some(number);
            }
            key = key.wrapping_add(1);
        }
        if self.paths.len() >= MAX_PATHS {
            return None;
        }
        let number = self.paths.len() as u32;
        self.paths.push(path.into());
        self.path_numbers.insert(key, number);
        Some(number)
    }

    pub fn path(&self, number: u32) -> Option<&str> {
        self.paths.get(number as usize).map(|path| &**path)
    }

    pub fn paths(&self) -> usize {
        self.paths.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_number() {
        let mut names = Names::default();
        let first = names.path_number("/a").unwrap();
        let second = names.path_number("/b").unwrap();
        assert_ne!(first, second);
        assert_eq!(names.path_number("/a"), Some(first));
        assert_eq!(names.path(second), Some("/b"));
        assert_eq!(names.path(NO_PATH), None);
    }
}

//! Who dirtied or read the data of requests, as people tell tasks apart: by their names. Filters and
//! counts use these.

use crate::store::objects::{NO_WRITERS, ObjectPart, Objects};
use crate::store::requests::Requests;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::Arc;

/// Maximum number of groups with a name: a row has the number of its group in one byte.
const MAX_NAMED: usize = 62;
/// Tasks that a name lists.
const MAX_TASKS: usize = 3;
/// The tasks without a group of their own.
const OTHERS: &str = "other tasks";
/// No source names a task.
const UNKNOWN: &str = "unknown";

/// The groups of the writers of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriterGroups {
    /// The most sectors first; what is unknown is last. Empty without objects.
    pub names: Vec<String>,
    /// Index in `names` of each row of requests: of its largest part.
    by_row: Arc<[u8]>,
}

impl WriterGroups {
    pub fn new(objects: &Objects, requests: &Requests) -> WriterGroups {
        let names_of_sets: Vec<String> = (objects.task_sets.iter())
            .map(|set| name_of(objects, set))
            .collect();
        let mut sectors: FxHashMap<&str, u64> = FxHashMap::default();
        for part in &objects.parts {
            if let Some(name) = names_of_sets.get(part.writers as usize) {
                *sectors.entry(name).or_default() += u64::from(part.sectors);
            }
        }
        let mut ranked: Vec<(&str, u64)> = sectors.into_iter().collect();
        ranked.sort_unstable_by_key(|(name, sectors)| (Reverse(*sectors), *name));
        let has_others = ranked.len() > MAX_NAMED;
        ranked.truncate(MAX_NAMED);
        let mut names: Vec<String> = ranked
            .into_iter()
            .map(|(name, _)| name.to_owned())
            .collect();
        if has_others {
            names.push(OTHERS.to_owned());
        }
        names.push(UNKNOWN.to_owned());
        let unknown = (names.len() - 1) as u8;
        let index: FxHashMap<&str, u8> = (names.iter().enumerate())
            .map(|(i, name)| (name.as_str(), i as u8))
            .collect();
        let others = index.get(OTHERS).copied().unwrap_or(unknown);
        let groups: Vec<u8> = (names_of_sets.iter())
            .map(|name| index.get(name.as_str()).copied().unwrap_or(others))
            .collect();
        let group_of = |part: &ObjectPart| match part.writers {
            NO_WRITERS => unknown,
            set => groups.get(set as usize).copied().unwrap_or(unknown),
        };
        let by_row = (0..requests.len())
            .map(|row| {
                let largest = objects.parts(row).iter().max_by_key(|part| part.sectors);
                largest.map_or(unknown, group_of)
            })
            .collect();
        WriterGroups { names, by_row }
    }

    /// The index in `names` of each row of requests.
    pub fn rows(&self) -> Arc<[u8]> {
        Arc::clone(&self.by_row)
    }

    /// The index in `names` of a row of requests.
    #[inline]
    pub fn group_of_row(&self, row: usize) -> usize {
        usize::from(self.by_row.get(row).copied().unwrap_or(0))
    }

    /// Memory of the tables, bytes.
    pub fn memory(&self) -> usize {
        self.by_row.len() + self.names.len() * 40
    }
}

/// `fio or sync`: the different names of a set of tasks.
fn name_of(objects: &Objects, set: &[u32]) -> String {
    let tasks = set
        .iter()
        .filter_map(|&task| objects.tasks.get(task as usize));
    let mut names: Vec<&str> = tasks.map(|task| task.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() > MAX_TASKS {
        return OTHERS.to_owned();
    }
    names.join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::store;
    use crate::store::TaskName;

    #[test]
    fn tasks_of_one_name_are_one_writer() {
        let store = store(
            "0 Q 0+8 W
             1 D 0+8 W
             2 C 0+8 W
             3 Q 8+8 W
             4 D 8+8 W
             5 C 8+8 W
             6 Q 16+8 W
             7 D 16+8 W
             8 C 16+8 W",
        );
        let task = |pid: u32, name: &str| TaskName {
            pid,
            name: name.to_owned(),
        };
        let part = |writers: u32| ObjectPart {
            sectors: 8,
            object: 0,
            offset: 0,
            writers,
        };
        let objects = Objects {
            tasks: vec![task(1, "fio"), task(2, "fio"), task(3, "sync")],
            task_sets: vec![vec![0, 1], vec![0, 2]],
            parts: vec![part(0), part(1), part(NO_WRITERS)],
            first_parts: vec![0, 1, 2, 3],
            ..Objects::default()
        };
        let groups = WriterGroups::new(&objects, &store.requests);
        assert_eq!(groups.names, ["fio", "fio or sync", "unknown"]);
        assert_eq!(groups.rows().as_ref(), [0, 1, 2]);
    }
}

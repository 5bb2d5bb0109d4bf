//! Finds the traces that a text belongs to: those nearest in the folder tree, and of these the ones
//! with the longest common prefix of the name, if any.

use super::run::TracePaths;
use rustc_hash::FxHashMap;
use seekscope_trace::sorting::SortShort;
use std::collections::BTreeSet;

/// Texts times traces that one folder may have in common. Each trace lists its texts, so 20,000
/// texts above 20,000 traces would be 400 million facts; from here on, texts belong to none of
/// several traces.
const MAX_SHARED: usize = 1 << 16;

/// A folder with traces at any depth.
#[derive(Default)]
struct FolderNode {
    inside: Vec<usize>,
    /// Traces whose files are in this folder itself.
    traces: Vec<usize>,
}

/// The traces in and below a folder.
struct Below<'a> {
    traces: Vec<usize>,
    stems: FxHashMap<&'a str, Vec<usize>>,
    /// The lengths that stems have, so that a search tries only these.
    lengths: BTreeSet<usize>,
    /// What is left of [`MAX_SHARED`]: texts above very many traces would otherwise cost texts
    /// times traces.
    left: usize,
}

/// The folders of all traces, in which texts are looked up.
pub struct Owners<'a> {
    paths: &'a [TracePaths],
    folders: Vec<FolderNode>,
    names: FxHashMap<(usize, &'a str), usize>,
    below: FxHashMap<usize, Below<'a>>,
}

impl<'a> Owners<'a> {
    pub fn new(paths: &'a [TracePaths]) -> Owners<'a> {
        let mut folders = vec![FolderNode::default()];
        let mut names = FxHashMap::default();
        for (i, trace) in paths.iter().enumerate() {
            let mut folder = 0;
            for name in split(trace.paths.first().map_or("", String::as_str))
                .0
                .split('/')
            {
                folder = *names.entry((folder, name)).or_insert_with(|| {
                    let new = folders.len();
                    folders[folder].inside.push(new);
                    folders.push(FolderNode::default());
                    new
                });
            }
            folders[folder].traces.push(i);
        }
        Owners {
            paths,
            folders,
            names,
            below: FxHashMap::default(),
        }
    }

    /// The traces of a text, ascending.
    pub fn find(&mut self, text: &str) -> Vec<usize> {
        let (folder, name) = split(text);
        let mut nearest = 0;
        for part in folder.split('/') {
            match self.names.get(&(nearest, part)) {
                Some(&inside) => nearest = inside,
                None => break,
            }
        }
        let (paths, folders) = (self.paths, &self.folders);
        let below = self
            .below
            .entry(nearest)
            .or_insert_with(|| Below::collect(paths, folders, nearest));
        let is_whole = |length: usize| {
            name.is_char_boundary(length) && !name[length..].starts_with(char::is_alphanumeric)
        };
        let lengths = below.lengths.range(..=name.len()).rev();
        let alike = lengths
            .filter(|&&length| is_whole(length))
            .find_map(|&length| below.stems.get(&name[..length]));
        let found = alike.unwrap_or(&below.traces);
        if found.len() > 1 {
            let Some(left) = below.left.checked_sub(found.len()) else {
                return Vec::new();
            };
            below.left = left;
        }
        found.clone()
    }
}

impl<'a> Below<'a> {
    fn collect(paths: &'a [TracePaths], folders: &[FolderNode], folder: usize) -> Below<'a> {
        let (mut traces, mut rest): (Vec<usize>, Vec<usize>) = (Vec::new(), vec![folder]);
        while let Some(folder) = rest.pop() {
            traces.extend(&folders[folder].traces);
            rest.extend(&folders[folder].inside);
        }
        traces.sort_short();
        let mut stems: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for &i in &traces {
            for path in &paths[i].paths {
                let same = stems.entry(stem(split(path).1)).or_default();
                if same.last() != Some(&i) {
                    same.push(i);
                }
            }
        }
        // A name that is only an extension is like no other.
        stems.remove("");
        let lengths = stems.keys().map(|stem| stem.len()).collect();
        Below {
            traces,
            stems,
            lengths,
            left: MAX_SHARED,
        }
    }
}

/// Splits a path into folder and name.
pub fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// The part of a name that the files of a trace share: `sda` of `sda.blktrace.0`, `old` of
/// `old.bin`.
pub fn stem(name: &str) -> &str {
    name.rsplit_once(".blktrace")
        .or_else(|| name.rsplit_once('.'))
        .map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traces(paths: impl Iterator<Item = String>) -> Vec<TracePaths> {
        paths
            .map(|path| TracePaths {
                label: String::new(),
                paths: vec![path],
            })
            .collect()
    }

    #[test]
    fn the_nearest_folder_and_the_longest_name() {
        let paths = [
            "a/b/sda.blktrace.0",
            "a/b/sda-old.blktrace.0",
            "a/c/x.bin",
            "d/x.bin",
        ];
        let all = traces(paths.iter().map(|path| (*path).to_owned()));
        let mut owners = Owners::new(&all);
        for (text, expected) in [
            ("a/b/notes.txt", &[0, 1][..]),
            ("a/b/sda.txt", &[0]),
            ("a/b/sda-old.txt", &[1]),
            ("a/b/sdab.txt", &[0, 1]),
            ("a/b/deeper/x.txt", &[0, 1]),
            ("a/x.txt", &[2]),
            ("a/notes.txt", &[0, 1, 2]),
            ("elsewhere/x.txt", &[2, 3]),
            ("notes.txt", &[0, 1, 2, 3]),
        ] {
            assert_eq!(owners.find(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_above_very_many_traces_are_shared_up_to_a_limit() {
        let all = traces((0..1000).map(|i| format!("run{i}/trace.blktrace.0")));
        let mut owners = Owners::new(&all);
        let shared = (0..1000)
            .map(|i| owners.find(&format!("{i}.txt")).len())
            .filter(|n| *n == 1000)
            .count();
        assert_eq!(shared, MAX_SHARED / 1000);
        assert_eq!(owners.find("run7/log.txt"), [7]);
    }
}

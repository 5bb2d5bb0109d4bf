//! The evidence in the names and folders of files, and in the arguments that led to them.

use crate::file_name::stem;
use seekscope_notes::labels::{self, RunNames};
use seekscope_trace::sorting::{distinct_count, set_of};
use std::collections::BTreeSet;

/// What is known of a file besides its text.
#[derive(Clone, Debug, Default)]
pub struct FileEvidence {
    /// Its path.
    pub path: String,
    /// Number of the argument that led to it.
    pub argument: Option<usize>,
    /// The label of that argument.
    pub argument_label: String,
    pub folder: String,
    /// The parts of its name that differ from those of other files, by key.
    pub parts: Vec<(String, String)>,
}

/// The evidence of all files that have figures.
pub fn files(paths: &[(&str, Option<usize>)], used: &[usize]) -> Vec<FileEvidence> {
    let arguments: BTreeSet<usize> = set_of(used.iter().filter_map(|&file| paths[file].1));
    let two_sides = arguments.len() == 2;
    let mut found: Vec<FileEvidence> = paths
        .iter()
        .map(|(path, argument)| FileEvidence {
            path: (*path).to_owned(),
            argument: argument.filter(|_| two_sides),
            ..FileEvidence::default()
        })
        .collect();
    // If there are two sides, only what is below their paths can distinguish files.
    let roots: Vec<String> = arguments
        .iter()
        .map(|argument| {
            common_folder(
                &used
                    .iter()
                    .filter(|&&file| paths[file].1 == Some(*argument))
                    .map(|&file| paths[file].0)
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    let root_of = |file: usize| {
        paths[file]
            .1
            .and_then(|argument| arguments.iter().position(|a| *a == argument))
            .map_or("", |index| roots[index].as_str())
    };
    let is_alone = |file: usize| {
        let argument = paths[file].1;
        used.iter()
            .filter(|&&other| paths[other].1 == argument)
            .count()
            == 1
    };
    if two_sides {
        let names: Vec<String> = used
            .iter()
            .map(|&file| match is_alone(file) {
                true => paths[file].0.to_owned(),
                false => root_of(file).to_owned(),
            })
            .collect();
        for (&file, name) in used.iter().zip(shortest_labels(&names)) {
            found[file].argument_label = name;
        }
    }
    if two_sides && used.iter().all(|&file| is_alone(file)) || used.len() < 2 {
        return found;
    }
    let base = common_folder(&used.iter().map(|&file| paths[file].0).collect::<Vec<_>>());
    let inner: Vec<&str> = used
        .iter()
        .map(|&file| {
            let root = if two_sides {
                root_of(file)
            } else {
                base.as_str()
            };
            paths[file].0[root.len()..].trim_start_matches('/')
        })
        .collect();
    let names: Vec<RunNames> = inner
        .iter()
        .map(|path| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            RunNames {
                label: stem(name).to_owned(),
                folder: folder.to_owned(),
                ..RunNames::default()
            }
        })
        .collect();
    let guessed = labels::guess(&names);
    for (index, &file) in used.iter().enumerate() {
        if !two_sides {
            found[file].folder = inner[index]
                .split_once('/')
                .map_or("", |(folder, _)| folder)
                .to_owned();
        }
        for (part, value) in guessed.parts.iter().zip(&guessed.runs[index]) {
            // Words of which one file has none are names of files: `fio` next to `fio2`.
            let lacking = part.key == "workload" && guessed.parts.len() == 1;
            let value = if lacking {
                stem(inner[index]).to_owned()
            } else {
                value.clone()
            };
            found[file].parts.push((part.key.clone(), value));
        }
        // No part of `baseline.txt`, `v1.txt` and `v2.txt` is in all of them.
        let whole = stem(inner[index]).to_owned();
        found[file].parts.push(("file".to_owned(), whole));
    }
    found
}

/// The folder that contains all paths: `old` of `old/4k.txt` and `old/64k.txt`.
fn common_folder(paths: &[&str]) -> String {
    let Some(first) = paths.first() else {
        return String::new();
    };
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map_or(String::new(), |(folder, _)| folder.to_owned())
    };
    let mut common = folder(first);
    while !paths
        .iter()
        .all(|path| common.is_empty() || path.starts_with(&format!("{common}/")))
    {
        common = folder(&common);
    }
    common
}

/// The shortest ends of paths that differ: names without their common endings, with folders where
/// names are equal.
pub fn shortest_labels(paths: &[String]) -> Vec<String> {
    let distinct = |names: &[String]| {
        let unique: BTreeSet<&String> = set_of(paths.iter());
        let pairs: BTreeSet<(&String, &String)> = set_of(paths.iter().zip(names));
        distinct_count(pairs.iter().map(|(_, name)| name)) == unique.len()
    };
    for depth in 1..=8 {
        let tail = |path: &String| {
            let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
            parts[parts.len().saturating_sub(depth)..].join("/")
        };
        let names: Vec<String> = paths
            .iter()
            .map(|path| stem(&tail(path)).to_owned())
            .collect();
        if distinct(&names) {
            return names;
        }
        let names: Vec<String> = paths.iter().map(tail).collect();
        if distinct(&names) {
            return names;
        }
    }
    paths.to_vec()
}

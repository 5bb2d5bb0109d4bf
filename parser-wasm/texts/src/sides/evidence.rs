//! By what a text can tell its runs apart, for each group of comparable figures.

use crate::observation::slug;
use crate::structure::context::Context;
use crate::structure::heading::names_side;
use seekscope_core::notes::labels::{self, RunNames};
use std::collections::BTreeSet;

/// Where the label of a run comes from. The order is the order in which sources are tried.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Two paths of the command are two sides.
    Argument,
    Folder,
    Attachment,
    /// With its level.
    Heading(u8),
    /// A heading that lists properties, without the kernel among them.
    Setup(u8),
    /// What a session reveals, by its key.
    Fact(String),
    /// A column, or the columns, of a table.
    Column(String),
    /// A part of the names of files, by its key.
    Name(String),
    /// A line so far above; 0 for the nearest one that can be a title.
    Above(usize),
    /// What an output says of its complete measurement, by name.
    Output(String),
}

impl Source {
    /// In words, behind `by`.
    pub fn words(&self) -> &'static str {
        match self {
            Source::Argument => "the paths",
            Source::Folder => "the folders",
            Source::Attachment => "the attachments",
            // Blocks that nothing tells apart but the labels that a person gave them.
            Source::Heading(0) => "labels",
            Source::Heading(_) | Source::Setup(_) => "the headings",
            Source::Fact(_) => "the shell session",
            Source::Column(_) => "the table",
            Source::Name(key) if super::SEQUENCES.contains(&key.as_str()) => "their order",
            Source::Name(_) => "the file names",
            Source::Above(_) => "the lines above",
            Source::Output(_) => "what the outputs say",
        }
    }

    /// Name of the dimension that it becomes.
    pub fn dimension(&self, values: &[String]) -> String {
        match self {
            Source::Fact(key) | Source::Column(key) | Source::Name(key) if key != "workload" => {
                key.clone()
            }
            Source::Name(_) => "file".to_owned(),
            Source::Setup(_) => "setup".to_owned(),
            _ => {
                let kinds: BTreeSet<&str> = values
                    .iter()
                    .filter(|v| !v.is_empty())
                    .map(|v| kind_of(v))
                    .collect();
                match kinds.into_iter().collect::<Vec<_>>().as_slice() {
                    [kind] => (*kind).to_owned(),
                    _ => "run".to_owned(),
                }
            }
        }
    }
}

/// `kernel`, `scheduler`, ... of a label; `run` for others.
fn kind_of(label: &str) -> &'static str {
    if labels::is_kernel_form(label) {
        return "kernel";
    }
    label
        .split_whitespace()
        .find_map(labels::dimension_of)
        .unwrap_or("run")
}

/// The values of one source for all items; empty where an item has none.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub source: Source,
    pub values: Vec<String>,
}

impl Candidate {
    pub fn distinct(&self) -> usize {
        self.values
            .iter()
            .filter(|value| !value.is_empty())
            .collect::<BTreeSet<_>>()
            .len()
    }

    pub fn is_complete(&self) -> bool {
        self.values.iter().all(|value| !value.is_empty())
    }

    /// Whether each value names a side by itself: a kernel, a scheduler, before and after.
    pub fn names_sides(&self) -> bool {
        self.values
            .iter()
            .all(|value| value.is_empty() || names_side(value) || labels::is_kernel_form(value))
    }
}

/// What is known of a file besides its text.
#[derive(Clone, Debug, Default)]
pub struct FileEvidence {
    /// Its path as given.
    pub path: String,
    /// Number of the argument that led to it.
    pub argument: Option<usize>,
    /// Label of that argument.
    pub argument_label: String,
    pub folder: String,
    /// By key: parts of its name that differ from those of other files.
    pub parts: Vec<(String, String)>,
}

/// The evidence of all files that have figures.
pub fn files(paths: &[(&str, Option<usize>)], used: &[usize]) -> Vec<FileEvidence> {
    let arguments: BTreeSet<usize> = used.iter().filter_map(|&file| paths[file].1).collect();
    let two_sides = arguments.len() == 2;
    let mut found: Vec<FileEvidence> = paths
        .iter()
        .map(|(path, argument)| FileEvidence {
            path: (*path).to_owned(),
            argument: argument.filter(|_| two_sides),
            ..FileEvidence::default()
        })
        .collect();
    // Of two sides only what is below their paths can tell files apart.
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
    if two_sides {
        let names: Vec<String> = shortest_labels(
            &used
                .iter()
                .map(|&file| {
                    let root = root_of(file);
                    let alone = used
                        .iter()
                        .filter(|&&other| paths[other].1 == paths[file].1)
                        .count()
                        == 1;
                    if alone {
                        paths[file].0.to_owned()
                    } else {
                        root.to_owned()
                    }
                })
                .collect::<Vec<_>>(),
        );
        for (&file, name) in used.iter().zip(names) {
            found[file].argument_label = name;
        }
    }
    let base = common_folder(&used.iter().map(|&file| paths[file].0).collect::<Vec<_>>());
    let alone = used.iter().all(|&file| {
        used.iter()
            .filter(|&&other| paths[other].1 == paths[file].1)
            .count()
            == 1
    });
    if two_sides && alone || used.len() < 2 {
        return found;
    }
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
pub(super) fn shortest_labels(paths: &[String]) -> Vec<String> {
    let distinct = |names: &[String]| {
        let unique: BTreeSet<&String> = paths.iter().collect();
        let pairs: BTreeSet<(&String, &String)> = paths.iter().zip(names).collect();
        pairs
            .iter()
            .map(|(_, name)| name)
            .collect::<BTreeSet<_>>()
            .len()
            == unique.len()
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

/// `a` of `a.json`; the end of a version is no ending of a name.
pub fn stem(name: &str) -> &str {
    const ENDINGS: [&str; 22] = [
        "txt", "log", "out", "json", "csv", "tsv", "md", "eml", "mbox", "html", "htm", "xml",
        "res", "result", "dat", "data", "org", "raw", "rst", "gz", "xz", "mail",
    ];
    match name.rsplit_once('.') {
        Some((stem, ending)) if ENDINGS.contains(&ending) && !stem.is_empty() => stem,
        _ => name,
    }
}

/// The kernel in a list of properties, and the others.
fn kernel_in_list(label: &str) -> Option<(String, String)> {
    let items: Vec<&str> = label.split(',').map(str::trim).collect();
    let index = items
        .iter()
        .position(|item| labels::dimension_of(item) == Some("kernel"))?;
    let others: Vec<&str> = items
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != index)
        .map(|(_, item)| *item)
        .collect();
    (items.len() > 1).then(|| (items[index].to_owned(), others.join(", ")))
}

/// What surrounds an item: what stands above it, its file, and the name of its attachment.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    pub context: &'a Context,
    pub above: &'a [(usize, String)],
    pub file: &'a FileEvidence,
    pub attachment: Option<&'a str>,
}

/// All candidates of some items, in the order in which they are tried.
pub fn candidates(contexts: &[Surroundings], columns: &[Candidate]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |source: Source, value: &dyn Fn(&Surroundings) -> String| {
        let values: Vec<String> = contexts.iter().map(value).collect();
        let candidate = Candidate { source, values };
        if candidate.distinct() > 0 {
            found.push(candidate);
        }
    };
    add(Source::Argument, &|item| {
        if item.file.argument.is_some() {
            item.file.argument_label.clone()
        } else {
            String::new()
        }
    });
    add(Source::Folder, &|item| item.file.folder.clone());
    add(Source::Attachment, &|item| {
        item.attachment
            .map_or(String::new(), |name| stem(name).to_owned())
    });
    let levels: BTreeSet<u8> = contexts
        .iter()
        .flat_map(|item| item.context.headings.iter().map(|h| h.level))
        .collect();
    for level in levels {
        let label = |context: &Context| {
            let heading = context
                .headings
                .iter()
                .find(|heading| heading.level == level);
            heading.map_or(String::new(), |heading| heading.label.clone())
        };
        // `raid0, 2.6.6, 2 threads`: the kernel is compared, all else is how it was measured.
        let listed = contexts
            .iter()
            .all(|item| kernel_in_list(&label(item.context)).is_some());
        if listed {
            add(Source::Heading(level), &|item| {
                kernel_in_list(&label(item.context)).map_or(String::new(), |(kernel, _)| kernel)
            });
            add(Source::Setup(level), &|item| {
                kernel_in_list(&label(item.context)).map_or(String::new(), |(_, rest)| rest)
            });
        } else {
            add(Source::Heading(level), &|item| label(item.context));
        }
    }
    let mut keys: Vec<&str> = Vec::new();
    for fact in contexts.iter().flat_map(|item| &item.context.facts) {
        if !keys.contains(&fact.key.as_str()) {
            keys.push(&fact.key);
        }
    }
    keys.sort_by_key(|key| {
        ["kernel", "commit", "scheduler"]
            .iter()
            .position(|known| known == key)
            .unwrap_or(3)
    });
    for key in keys {
        add(Source::Fact(key.to_owned()), &|item| {
            item.context
                .facts
                .iter()
                .find(|fact| fact.key == key)
                .map_or(String::new(), |fact| fact.value.clone())
        });
    }
    let parts: Vec<String> =
        contexts
            .iter()
            .flat_map(|item| &item.file.parts)
            .fold(Vec::new(), |mut keys, (key, _)| {
                if !keys.contains(key) {
                    keys.push(key.clone());
                }
                keys
            });
    let names: Vec<Candidate> = parts
        .into_iter()
        .map(|key| Candidate {
            values: contexts
                .iter()
                .map(|item| {
                    item.file
                        .parts
                        .iter()
                        .find(|(known, _)| *known == key)
                        .map_or(String::new(), |(_, value)| value.clone())
                })
                .collect(),
            source: Source::Name(slug(&key)),
        })
        .collect();
    found.extend(columns.iter().cloned());
    found.extend(names);
    found.extend(above(contexts));
    found
}

/// Lines at the same distance above all items, and the nearest line of each.
fn above(contexts: &[Surroundings]) -> Vec<Candidate> {
    let mut distances: Vec<usize> = contexts.first().map_or(Vec::new(), |item| {
        item.above.iter().map(|(distance, _)| *distance).collect()
    });
    distances.push(0);
    distances
        .into_iter()
        .map(|distance| Candidate {
            values: contexts
                .iter()
                .map(|item| {
                    let mut lines = item.above.iter();
                    let line = lines.find(|(found, _)| distance == 0 || *found == distance);
                    line.map_or(String::new(), |(_, label)| label.clone())
                })
                .collect(),
            source: Source::Above(distance),
        })
        .filter(Candidate::is_complete)
        .collect()
}

//! The evidence by which a text can distinguish its runs, for each group of comparable figures.

mod combined;
mod commands;
mod files;

use crate::file_name::stem;
use crate::observation::slug;
use crate::structure::context::{Context, FILE, FOLDER, HOST};
use crate::structure::heading::{self, names_side};
use seekscope_notes::labels;
use std::collections::BTreeSet;

pub use files::{FileEvidence, files, shortest_labels};

/// Where the label of a run comes from. The order is that in which sources are tried.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Two paths of the command are two sides.
    Argument,
    Folder,
    Attachment,
    /// A heading of this level.
    Heading(u8),
    /// A heading that lists properties, without the kernel among them.
    Setup(u8),
    /// What a session reveals, by its key.
    Fact(String),
    /// A column, or the columns, of a table.
    Column(String),
    /// A part of the names of files, by its key.
    Name(String),
    /// The words in which the commands differ that printed the outputs.
    Command,
    /// What the commands of several programs ran: 0 for complete commands, 1 for the programs. Such
    /// outputs are of different things, and no sides.
    Test(u8),
    /// A line so far above; 0 for the nearest one that can be a title.
    Above(usize),
    /// What an output says of its complete measurement, by name.
    Output(String),
}

/// The level of whatever title is the nearest, where titles of several forms name the sides.
pub const INNERMOST: u8 = u8::MAX;

impl Source {
    /// The words behind `by`.
    pub fn words(&self) -> &'static str {
        match self {
            Source::Argument => "the paths",
            Source::Folder => "the folders",
            Source::Attachment => "the attachments",
            // Blocks that nothing tells apart but the labels that a person gave them.
            Source::Heading(0) => "labels",
            Source::Heading(_) | Source::Setup(_) => "the headings",
            Source::Fact(key) if key == FILE => "the file names",
            Source::Fact(_) => "the shell session",
            Source::Command | Source::Test(_) => "the commands",
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
            Source::Output(name) => name.clone(),
            Source::Command | Source::Test(_) => "command".to_owned(),
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
        // Kernels of these numbers are from before all that is compared here.
        return if label.starts_with(['0', '1']) {
            "version"
        } else {
            "kernel"
        };
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

    /// Whether the values differ in what was measured alone: `Random read`, `pgbench`, `4k`. Such
    /// titles divide a text by its tests, and what is compared is below or beside them.
    pub fn names_tests(&self) -> bool {
        let words: Vec<BTreeSet<String>> = self.values.iter().map(|v| heading::words(v)).collect();
        let is_shared = |word: &&String| words.iter().all(|words| words.contains(*word));
        self.distinct() > 1
            && words.iter().filter(|words| !words.is_empty()).all(|words| {
                let names: Vec<&str> = words
                    .iter()
                    .filter(|word| !is_shared(word))
                    .map(String::as_str)
                    .collect();
                let is_side = names
                    .iter()
                    .any(|word| labels::dimension_of(word).is_some());
                !is_side && names.iter().any(|word| heading::names_test(word))
            })
    }

    /// Whether each value names a side by itself: a kernel, a scheduler, before and after. Names of
    /// machines and folders may look like it: those of containers have the form of commits.
    pub fn names_sides(&self) -> bool {
        let is_place = |key: &str| key == HOST || key == FOLDER;
        let is_named = !matches!(&self.source, Source::Fact(key) if is_place(key));
        is_named
            && self
                .values
                .iter()
                .all(|value| value.is_empty() || names_side(value) || labels::is_kernel_form(value))
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

/// What is around an item: the titles above it, its file, and the name of its attachment.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    pub context: &'a Context,
    pub above: &'a [(usize, String)],
    pub file: &'a FileEvidence,
    pub attachment: Option<&'a str>,
}

/// All candidates of some items, in the order in which they are tried.
#[expect(
    clippy::too_many_lines,
    reason = "to be split: one block per kind of evidence"
)]
pub fn candidates(contexts: &[Surroundings], columns: &[Candidate]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let add = |found: &mut Vec<Candidate>, source, value: &dyn Fn(&Surroundings) -> String| {
        let values: Vec<String> = contexts.iter().map(value).collect();
        let candidate = Candidate { source, values };
        if candidate.distinct() > 0 {
            found.push(candidate);
        }
    };
    add(&mut found, Source::Argument, &|item| {
        if item.file.argument.is_some() {
            item.file.argument_label.clone()
        } else {
            String::new()
        }
    });
    add(&mut found, Source::Folder, &|item| item.file.folder.clone());
    add(&mut found, Source::Attachment, &|item| {
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
        let titles: Vec<String> = contexts.iter().map(|item| label(item.context)).collect();
        if let Some((sides, tests)) = combined::split(&titles).filter(|_| !listed) {
            found.push(Candidate {
                source: Source::Heading(level),
                values: sides,
            });
            found.push(Candidate {
                source: Source::Setup(level),
                values: tests,
            });
            continue;
        }
        if listed {
            add(&mut found, Source::Heading(level), &|item| {
                kernel_in_list(&label(item.context)).map_or(String::new(), |(kernel, _)| kernel)
            });
            add(&mut found, Source::Setup(level), &|item| {
                kernel_in_list(&label(item.context)).map_or(String::new(), |(_, rest)| rest)
            });
        } else {
            add(&mut found, Source::Heading(level), &|item| {
                label(item.context)
            });
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
            .position(|candidate| candidate == key)
            .unwrap_or(3)
    });
    for key in keys {
        add(&mut found, Source::Fact(key.to_owned()), &|item| {
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
                        .find(|(candidate, _)| *candidate == key)
                        .map_or(String::new(), |(_, value)| value.clone())
                })
                .collect(),
            source: Source::Name(slug(&key)),
        })
        .collect();
    found.extend(columns.iter().cloned());
    found.extend(names);
    let commands: Vec<Option<&str>> = contexts
        .iter()
        .map(|item| item.context.command.as_deref())
        .collect();
    found.push(Candidate {
        source: Source::Command,
        values: commands::labels(&commands),
    });
    for (index, values) in commands::tests(&commands).into_iter().flatten().enumerate() {
        let source = Source::Test(index as u8);
        found.push(Candidate { source, values });
    }
    // The titles of mails and of pages are of several forms, too: anything else is stronger.
    let divides = |candidate: &Candidate| candidate.is_complete() && candidate.distinct() > 1;
    if !found
        .iter()
        .any(|c| matches!(c.source, Source::Heading(_)) && divides(c))
    {
        add(&mut found, Source::Heading(INNERMOST), &|item| {
            let nearest = item.context.headings.last();
            nearest.map_or(String::new(), |heading| heading.label.clone())
        });
        found.retain(|c| c.source != Source::Heading(INNERMOST) || divides(c));
    }
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

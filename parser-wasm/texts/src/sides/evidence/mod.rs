//! The evidence by which a text can distinguish its runs, for each group of comparable figures.

mod candidates;
mod combined;
pub mod commands;
mod files;
mod numbered;

use crate::structure::context::{FILE, FOLDER, HOST};
use crate::structure::heading::{self, names_side};
use seekscope_notes::labels;
use seekscope_trace::sorting::{distinct_count, set_of};
use std::collections::BTreeSet;

pub use candidates::{Surroundings, candidates};
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
                let kinds: BTreeSet<&str> =
                    set_of(values.iter().filter(|v| !v.is_empty()).map(|v| kind_of(v)));
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
        distinct_count(self.values.iter().filter(|value| !value.is_empty()))
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

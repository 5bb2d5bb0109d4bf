//! What a person chose about how texts are read: the evidence of sides, labels of blocks, and
//! blocks that are left out.

use super::evidence::{Candidate, Source, shortest_labels};
use super::{Item, ReadFile};
use crate::file_name::stem;
use crate::structure::context::FILE;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// What a person chose; nothing by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[doc(alias = "TextChoices")]
pub struct Choices {
    /// The evidence of sides, as [`SideKind::name`]; tables without it are read as if nothing was
    /// chosen.
    pub sides: Option<String>,
    pub blocks: Vec<BlockChoice>,
}

/// The choices for the block that begins in a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct BlockChoice {
    /// Path of its text.
    pub file: String,
    /// Index of its first line, as shown.
    pub line: u32,
    /// The label of its side. Blocks with the same label are repeats, unless something else
    /// distinguishes them.
    pub label: Option<String>,
    pub excluded: bool,
}

/// The evidence of sides, as a person chooses it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SideKind {
    Argument,
    Folder,
    /// Names of files and attachments.
    File,
    /// Headings, and what a shell session reveals.
    Heading,
    /// A column of a table, or a dimension that an output names.
    Column(String),
}

impl SideKind {
    /// `None` for runs that only their order tells apart.
    pub fn from_source(source: &Source) -> Option<SideKind> {
        match source {
            Source::Argument => Some(SideKind::Argument),
            Source::Folder => Some(SideKind::Folder),
            Source::Name(key) if super::SEQUENCES.contains(&key.as_str()) => None,
            Source::Test(_) => None,
            Source::Attachment | Source::Name(_) => Some(SideKind::File),
            Source::Fact(key) if key == FILE => Some(SideKind::File),
            Source::Column(name) | Source::Output(name) => Some(SideKind::Column(name.clone())),
            _ => Some(SideKind::Heading),
        }
    }

    /// The name in options and links: `heading`, `column:threads`.
    pub fn name(&self) -> String {
        match self {
            SideKind::Argument => "argument".to_owned(),
            SideKind::Folder => "folder".to_owned(),
            SideKind::File => "file".to_owned(),
            SideKind::Heading => "heading".to_owned(),
            SideKind::Column(name) => format!("column:{name}"),
        }
    }

    /// The words behind `by`.
    pub fn words(&self) -> String {
        match self {
            SideKind::Argument => "the paths".to_owned(),
            SideKind::Folder => "the folders".to_owned(),
            SideKind::File => "the file names".to_owned(),
            SideKind::Heading => "the headings".to_owned(),
            SideKind::Column(name) => name.clone(),
        }
    }
}

/// Choices by the number of their block.
#[derive(Debug, Default)]
pub struct ChosenBlocks<'a> {
    labels: BTreeMap<usize, &'a str>,
    excluded: BTreeSet<usize>,
}

impl<'a> ChosenBlocks<'a> {
    /// Blocks are numbered over all files, from 1.
    pub fn new(choices: &'a Choices, files: &[ReadFile]) -> ChosenBlocks<'a> {
        let mut found = ChosenBlocks::default();
        let blocks = files
            .iter()
            .flat_map(|file| file.blocks.iter().map(move |block| (file.path, block)));
        for (index, (path, block)) in blocks.enumerate() {
            let here =
                |choice: &&BlockChoice| choice.file == path && choice.line == block.lines.start;
            let Some(choice) = choices.blocks.iter().find(here) else {
                continue;
            };
            if choice.excluded {
                found.excluded.insert(index + 1);
            }
            let label = choice.label.as_deref().map(str::trim);
            if let Some(label) = label.filter(|label| !label.is_empty()) {
                found.labels.insert(index + 1, label);
            }
        }
        found
    }

    pub fn excludes(&self, block: usize) -> bool {
        self.excluded.contains(&block)
    }

    /// Gives the blocks of some items their labels. What distinguishes figures of one side has been
    /// decided before: blocks with the same label become repeats only where nothing else differs.
    /// Columns keep their sides, or one cell would average them.
    pub(super) fn relabel(
        &self,
        side: &mut Option<Candidate>,
        items: &[Item],
        files: &[ReadFile],
    ) -> bool {
        let in_columns = matches!(
            side,
            Some(Candidate {
                source: Source::Column(_),
                ..
            })
        );
        if in_columns
            || items
                .iter()
                .all(|item| !self.labels.contains_key(&item.block))
        {
            return false;
        }
        let file_stem = |item: &Item| {
            let path = files[item.file].path;
            stem(path.rsplit('/').next().unwrap_or(path)).to_owned()
        };
        let side = side.get_or_insert_with(|| Candidate {
            source: Source::Heading(0),
            values: items.iter().map(file_stem).collect(),
        });
        for (item, value) in items.iter().zip(&mut side.values) {
            if let Some(label) = self.labels.get(&item.block) {
                *value = (*label).to_owned();
            }
        }
        true
    }
}

/// Each kind by which the sides of some items can be distinguished, with its candidate.
pub(super) fn possible<'a>(
    all: impl Iterator<Item = &'a Candidate>,
    whole: &'a [Candidate],
    overlaps: &dyn Fn(&Candidate) -> bool,
) -> Vec<(SideKind, Candidate)> {
    let mut found: Vec<(SideKind, Candidate)> = Vec::new();
    for candidate in all.chain(whole) {
        let Some(kind) = SideKind::from_source(&candidate.source) else {
            continue;
        };
        let is_listed = found.iter().any(|(other, _)| *other == kind);
        if !is_listed && candidate.distinct() > 1 && overlaps(candidate) {
            found.push((kind, candidate.clone()));
        }
    }
    found
}

/// Complete names of files and of folders as candidates, where no part of them is one.
pub(super) fn places(files: &[ReadFile], items: &[Item]) -> Vec<Candidate> {
    let path = |item: &Item| files[item.file].path.to_owned();
    let folder = |item: &Item| {
        let path = files[item.file].path;
        path.rsplit_once('/')
            .map_or("", |(folder, _)| folder)
            .to_owned()
    };
    let candidate = |source: Source, paths: Vec<String>| Candidate {
        source,
        values: shortest_labels(&paths),
    };
    vec![
        candidate(Source::Folder, items.iter().map(folder).collect()),
        candidate(
            Source::Name("file".to_owned()),
            items.iter().map(path).collect(),
        ),
    ]
}

//! Decides which figures belong to the same run, and which runs are compared. Nothing is added or
//! averaged here: figures that cannot be distinguished are repeats only if the text says so, or if
//! one section repeats an output.

mod choice;
pub mod choices;
pub mod evidence;
mod figures;
mod item_evidence;
mod items;
mod preference;
mod runs;

use crate::line::Place;
use crate::observation::{NamedValue, slug};
use crate::recognise::{self, Block};
use crate::transport::ShownText;
use choice::choose;
use choices::{Choices, ChosenBlocks, SideKind};
use evidence::{Candidate, INNERMOST, Source};
use items::{Item, families_of, items};
use runs::{idle, remove_unused, runs, title, zero};
use seekscope_notes::results::{ResultDimension, ResultSet, ResultTable, layout};
use std::collections::{BTreeMap, BTreeSet};

/// Limit for the tables of all files.
const MAX_TABLES: usize = 64;
/// Limit for the runs of a table.
pub const MAX_RUNS: usize = recognise::MAX_BLOCKS;
/// Names of the side of outputs, and of tables, that only their order tells apart.
const SEQUENCES: [&str; 2] = ["output", "table"];

/// A file with what was found in it.
pub struct ReadFile<'a> {
    pub path: &'a str,
    pub argument: Option<usize>,
    pub shown: ShownText,
    pub blocks: Vec<Block>,
}

/// The evidence that distinguished the sides of a table.
#[derive(Clone, Debug, Default)]
pub struct TableSides {
    /// `None` if there are none, or only their order distinguishes them.
    pub by: Option<SideKind>,
    /// That evidence in the words of the text, behind `by`: `the headings`, `the commands`, a
    /// column.
    pub evidence: String,
    /// All kinds of evidence that distinguish them, also those that were not taken.
    pub possible: Vec<SideKind>,
    /// Numbers of blocks, and where what names their side is.
    pub places: Vec<(usize, Place)>,
    /// The sides are those that were asked for.
    pub is_chosen: bool,
    /// A person gave labels to blocks, or left some out.
    pub is_changed: bool,
}

/// The tables of all files, and how the sides of each were distinguished.
pub fn tables(files: &[ReadFile], choices: &Choices) -> (ResultSet, Vec<TableSides>) {
    let chosen = ChosenBlocks::new(choices, files);
    let mut families: Vec<(String, Vec<Item>)> = Vec::new();
    let mut excluded: BTreeSet<String> = BTreeSet::new();
    let mut block = 0;
    for (file, read) in files.iter().enumerate() {
        for found in &read.blocks {
            block += 1;
            let items = items(file, block, found);
            for (family, item) in families_of(&items).into_iter().zip(items) {
                if chosen.excludes(block) {
                    excluded.insert(family);
                    continue;
                }
                match families.iter().position(|(other, _)| *other == family) {
                    Some(index) => families[index].1.push(item),
                    None if families.len() < MAX_TABLES => families.push((family, vec![item])),
                    None => {}
                }
            }
        }
    }
    let mut found = (ResultSet::default(), Vec::new());
    for (family, items) in families {
        let is_changed = excluded.contains(&family);
        let (table, sides) = table(files, items, choices, &chosen, is_changed);
        // A table of zeros alone says nothing.
        if !table.runs.is_empty() {
            found.0.tables.push(table);
            found.1.push(sides);
        }
    }
    found
}

#[expect(
    clippy::too_many_lines,
    reason = "to be split: steps from numbers to a table of sides"
)]
fn table(
    files: &[ReadFile],
    items: Vec<Item>,
    choices: &Choices,
    blocks: &ChosenBlocks,
    is_changed: bool,
) -> (ResultTable, TableSides) {
    let items = without_quotations(files, items);
    let used: Vec<usize> = items
        .iter()
        .map(|item| item.file)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let paths: Vec<(&str, Option<usize>)> = files
        .iter()
        .map(|file| (file.path, file.argument))
        .collect();
    let evidence = evidence::files(&paths, &used);
    let mut chosen = choose(files, &items, &evidence, choices);
    let mut sides = TableSides {
        by: chosen
            .side
            .as_ref()
            .and_then(|side| SideKind::from_source(&side.source)),
        evidence: chosen.side.as_ref().map_or(String::new(), |side| {
            match SideKind::from_source(&side.source) {
                Some(SideKind::Column(name)) => name,
                _ => side.source.words().to_owned(),
            }
        }),
        places: side_places(&items, chosen.side.as_ref()),
        possible: std::mem::take(&mut chosen.possible),
        is_chosen: chosen.is_chosen,
        is_changed,
    };
    sides.is_changed |= blocks.relabel(&mut chosen.side, &items, files);
    let mut dimensions: Vec<ResultDimension> = Vec::new();
    let mut columns: Vec<Vec<String>> = Vec::new();
    let mut common: Vec<NamedValue> = Vec::new();
    let mut evidence_words = String::new();
    if let Some(side) = &chosen.side {
        evidence_words = format!("by {}", side.source.words());
        if sides.is_changed {
            evidence_words.push_str(", changed by hand");
        } else if sides.is_chosen {
            evidence_words.push_str(", as chosen");
        }
        let name = side.source.dimension(&side.values);
        dimensions.push(ResultDimension {
            key: slug(&name),
            name,
        });
        columns.push(side.values.clone());
    }
    for candidate in &chosen.dimensions {
        let name = candidate.source.dimension(&candidate.values);
        let key = slug(&name);
        // Two headings of other levels may have the same name.
        let taken = dimensions
            .iter()
            .filter(|d| d.key == key || d.key.starts_with(&format!("{key}-")))
            .count();
        let (key, name) = if taken > 0 {
            (
                format!("{key}-{}", taken + 1),
                format!("{name} {}", taken + 1),
            )
        } else {
            (key, name)
        };
        if candidate
            .values
            .iter()
            .all(|value| Some(value) == candidate.values.first())
        {
            let value = candidate.values.first().cloned().unwrap_or_default();
            if !value.is_empty() {
                common.push(NamedValue { name, value });
            }
            continue;
        }
        dimensions.push(ResultDimension { key, name });
        columns.push(candidate.values.clone());
    }
    let runs = runs(files, &items, &columns, &dimensions);
    let zero = zero(&runs);
    let mut runs = runs;
    for run in &mut runs {
        run.figures
            .retain(|figure| !zero.iter().any(|(key, _)| *key == figure.key));
    }
    if chosen.side.is_some() && items.first().is_some_and(|item| item.tool == "table") {
        remove_unused(&mut runs);
    }
    let idle = idle(&runs, usize::from(chosen.side.is_some()));
    runs.retain(|run| {
        let filled = !run.figures.is_empty() || !run.distributions.is_empty();
        filled && !idle.contains(&run.values[usize::from(chosen.side.is_some())..])
    });
    let (rows, columns, base) = layout(&dimensions, &runs, chosen.side.is_some());
    let tool = items.first().map_or("table", |item| item.tool);
    let table = ResultTable {
        title: title(tool, &runs),
        tool: tool.to_owned(),
        files: used
            .iter()
            .map(|&file| files[file].path.to_owned())
            .collect(),
        common,
        zero: zero.into_iter().map(|(_, label)| label).collect(),
        dimensions,
        runs,
        rows,
        columns,
        base,
        left_out: Vec::new(),
        evidence: evidence_words,
    };
    (table, sides)
}

/// The places of the headings and of the lines of the session that name the side of each block.
fn side_places(items: &[Item], side: Option<&Candidate>) -> Vec<(usize, Place)> {
    let place = |item: &Item| match &side?.source {
        Source::Heading(INNERMOST) => item.context.headings.last().map(|heading| heading.place),
        Source::Heading(level) | Source::Setup(level) => {
            let mut headings = item.context.headings.iter();
            headings
                .find(|heading| heading.level == *level)
                .map(|heading| heading.place)
        }
        Source::Fact(key) => {
            let mut facts = item.context.facts.iter();
            facts.find(|fact| fact.key == *key).map(|fact| fact.place)
        }
        _ => None,
    };
    let mut found: Vec<(usize, Place)> = items
        .iter()
        .filter_map(|item| Some((item.block, place(item)?)))
        .collect();
    found.dedup();
    found
}

/// Removes figures that a mail quotes from another place of the same file.
fn without_quotations<'a>(files: &[ReadFile], items: Vec<Item<'a>>) -> Vec<Item<'a>> {
    let print = |item: &Item| {
        let figures: Vec<String> = item
            .observations
            .iter()
            .map(|o| format!("{}={}", o.metric.key, o.value))
            .collect();
        format!("{:?} {:?} {figures:?}", item.dimensions, item.repeat)
    };
    let message = |item: &Item| {
        files[item.file]
            .shown
            .parts
            .get(item.part)
            .map_or(0, |part| part.message)
    };
    let place = |item: &Item| (message(item), item.quotes);
    // Most texts quote nothing, and need no comparison of figures.
    let is_quoted = |pair: &[Item]| place(&pair[0]) != place(&pair[1]);
    if !items.windows(2).any(is_quoted) {
        return bounded(items);
    }
    let mut seen: BTreeMap<(usize, String), (u32, u32)> = BTreeMap::new();
    let mut remaining = Vec::with_capacity(items.len());
    for item in items {
        let key = (item.file, print(&item));
        let here = place(&item);
        match seen.get(&key) {
            Some(before) if *before != here => continue,
            _ => {
                seen.insert(key, here);
                remaining.push(item);
            }
        }
    }
    bounded(remaining)
}

/// At most [`MAX_RUNS`] items, with an equal share for each block: a long first output must not
/// displace those that it is compared with.
fn bounded(items: Vec<Item>) -> Vec<Item> {
    if items.len() <= MAX_RUNS {
        return items;
    }
    let blocks: BTreeSet<usize> = items.iter().map(|item| item.block).collect();
    let share = (MAX_RUNS / blocks.len()).max(1);
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut items = items;
    items.retain(|item| {
        let count = counts.entry(item.block).or_default();
        *count += 1;
        *count <= share
    });
    items.truncate(MAX_RUNS);
    items
}

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
mod quotations;
mod runs;

use crate::line::Place;
use crate::observation::{NamedValue, slug};
use crate::recognise::{self, Block};
use crate::transport::ShownText;
use choice::{Choice, choose};
use choices::{Choices, ChosenBlocks, SideKind};
use evidence::{Candidate, INNERMOST, Source};
use items::{Item, families_of, items};
use quotations::without_quotations;
use runs::{idle, remove_mixed, remove_unused, runs, title, zero};
use seekscope_notes::results::{ResultDimension, ResultRun, ResultSet, ResultTable, layout};
use seekscope_trace::sorting::set_of;
use std::collections::{BTreeMap, BTreeSet};

/// Limit for the tables of all files.
const MAX_TABLES: usize = 64;
/// Limit for the runs of a table.
pub const MAX_RUNS: usize = recognise::MAX_BLOCKS;
/// Names of the side of outputs, of tables, and of rounds of outputs, that only their order tells
/// apart.
const SEQUENCES: [&str; 3] = ["output", "table", "round"];

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
    pub kind: Option<SideKind>,
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

/// A table of items that can be compared, and how its sides were distinguished.
///
/// What distinguished the sides is noted before blocks get the labels that a person gave: these
/// replace it where the text has no sides. Columns are made afterwards, as runs have these labels.
fn table(
    files: &[ReadFile],
    items: Vec<Item>,
    choices: &Choices,
    blocks: &ChosenBlocks,
    is_changed: bool,
) -> (ResultTable, TableSides) {
    let items = bounded(without_quotations(files, items));
    let used: Vec<usize> = set_of(items.iter().map(|item| item.file))
        .into_iter()
        .collect();
    let paths: Vec<(&str, Option<usize>)> = files
        .iter()
        .map(|file| (file.path, file.argument))
        .collect();
    let evidence = evidence::files(&paths, &used);
    let mut choice = choose(files, &items, &evidence, choices);
    let mut sides = table_sides(&items, &choice, is_changed);
    sides.is_changed |= blocks.relabel(&mut choice.side, &items, files);
    let has_sides = choice.side.is_some();
    let TableColumns {
        dimensions,
        values,
        common,
    } = TableColumns::new(&choice);
    let mut runs = runs(files, &items, &values, &dimensions);
    let zero = remove_unmeasured(&mut runs, &items, has_sides);
    let (rows, columns, base) = layout(&dimensions, &runs, has_sides);
    let tool = items.first().map_or("table", |item| item.tool);
    let table = ResultTable {
        title: title(tool, &runs),
        tool: tool.to_owned(),
        files: used
            .iter()
            .map(|&file| files[file].path.to_owned())
            .collect(),
        common,
        zero,
        dimensions,
        runs,
        rows,
        columns,
        base,
        left_out: Vec::new(),
        evidence: evidence_words(choice.side.as_ref(), &sides),
    };
    (table, sides)
}

/// What distinguished the sides, as the text has it: labels of a person are not in it yet.
fn table_sides(items: &[Item], choice: &Choice, is_changed: bool) -> TableSides {
    let side = choice.side.as_ref();
    TableSides {
        kind: side.and_then(|side| SideKind::from_source(&side.source)),
        evidence: side.map_or(String::new(), |side| {
            match SideKind::from_source(&side.source) {
                Some(SideKind::Column(name)) => name,
                _ => side.source.words().to_owned(),
            }
        }),
        places: side_places(items, side),
        possible: choice.possible.clone(),
        is_chosen: choice.is_chosen,
        is_changed,
    }
}

/// Says what names the sides, and whether a person decided it. Labels by hand are told before a
/// choice of evidence, as they replace the labels that this gave.
fn evidence_words(side: Option<&Candidate>, sides: &TableSides) -> String {
    let Some(side) = side else {
        return String::new();
    };
    let mut words = format!("by {}", side.source.words());
    if sides.is_changed {
        words.push_str(", changed by hand");
    } else if sides.is_chosen {
        words.push_str(", as chosen");
    }
    words
}

/// The dimensions of a table, each with its value for every item.
#[derive(Default)]
struct TableColumns {
    /// That of the sides is the first one.
    dimensions: Vec<ResultDimension>,
    /// The values of each dimension, by item.
    values: Vec<Vec<String>>,
    /// What has the same value for all items.
    common: Vec<NamedValue>,
}

impl TableColumns {
    /// The sides come first: [`layout`] and [`remove_unused`] expect it, and it is the others that
    /// get a number behind a name that is taken. They are a dimension even if a person gave all of
    /// them the same label.
    fn new(choice: &Choice) -> TableColumns {
        let mut columns = TableColumns::default();
        if let Some(side) = &choice.side {
            let name = side.source.dimension(&side.values);
            columns.dimensions.push(ResultDimension {
                key: slug(&name),
                name,
            });
            columns.values.push(side.values.clone());
        }
        for candidate in &choice.dimensions {
            columns.add(candidate);
        }
        columns
    }

    /// Decides whether a candidate is a dimension or common to all items, and names it.
    fn add(&mut self, candidate: &Candidate) {
        let (key, name) = self.free_name(candidate.source.dimension(&candidate.values));
        let first = candidate.values.first();
        if candidate.values.iter().all(|value| Some(value) == first) {
            let value = first.cloned().unwrap_or_default();
            if !value.is_empty() {
                self.common.push(NamedValue { name, value });
            }
            return;
        }
        self.dimensions.push(ResultDimension { key, name });
        self.values.push(candidate.values.clone());
    }

    /// A key and a name that no dimension has: two headings of other levels may have the same name.
    fn free_name(&self, name: String) -> (String, String) {
        let key = slug(&name);
        let taken = self
            .dimensions
            .iter()
            .filter(|d| d.key == key || d.key.starts_with(&format!("{key}-")))
            .count();
        if taken == 0 {
            return (key, name);
        }
        let number = taken + 1;
        (format!("{key}-{number}"), format!("{name} {number}"))
    }
}

/// Removes figures and runs that measured nothing, and returns the labels of the metrics that are 0
/// in all runs.
///
/// Runs are removed last: one that has only such metrics is empty by then, and would be a row of
/// the table without a figure otherwise.
fn remove_unmeasured(runs: &mut Vec<ResultRun>, items: &[Item], has_sides: bool) -> Vec<String> {
    let zero = zero(runs);
    for run in runs.iter_mut() {
        run.figures
            .retain(|figure| !zero.iter().any(|(key, _)| *key == figure.key));
    }
    if has_sides {
        remove_mixed(runs);
    }
    if has_sides && items.first().is_some_and(|item| item.tool == "table") {
        remove_unused(runs);
    }
    let skipped = usize::from(has_sides);
    let idle = idle(runs, skipped);
    runs.retain(|run| {
        let filled = !run.figures.is_empty() || !run.distributions.is_empty();
        filled && !idle.contains(&run.values[skipped..])
    });
    zero.into_iter().map(|(_, label)| label).collect()
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

/// At most [`MAX_RUNS`] items, with an equal share for each block: a long first output must not
/// displace those that it is compared with.
fn bounded(items: Vec<Item>) -> Vec<Item> {
    if items.len() <= MAX_RUNS {
        return items;
    }
    let blocks: BTreeSet<usize> = set_of(items.iter().map(|item| item.block));
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

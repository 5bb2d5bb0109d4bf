//! Which figures belong to the same run, and which runs are compared. Nothing is added or averaged
//! here: figures that cannot be told apart are repeats only where the text says so, or where one
//! section repeats an output.

pub mod choices;
pub mod evidence;

use crate::line::Place;
use crate::observation::{LatencyDistribution, NamedValue, Observation, slug};
use crate::recognise::{Block, Content};
use crate::structure::context::Context;
use crate::transport::ShownText;
use choices::{Choices, ChosenBlocks, SideKind, places, possible};
use evidence::{Candidate, FileEvidence, Source, Surroundings, candidates};
use seekscope_core::notes::{BenchFigure, FigurePlace, labels};
use seekscope_core::results::{ResultDimension, ResultRun, ResultSet, ResultTable, layout};
use std::collections::{BTreeMap, BTreeSet};

/// Tables of all files.
const MAX_TABLES: usize = 64;
/// Runs of a table.
pub const MAX_RUNS: usize = 2000;
/// Names of the side of outputs, and of tables, that only their order tells apart.
const SEQUENCES: [&str; 2] = ["output", "table"];

/// A file with what was found in it.
pub struct ReadFile<'a> {
    pub path: &'a str,
    pub argument: Option<usize>,
    pub shown: ShownText,
    pub blocks: Vec<Block>,
}

/// Figures with the same properties, of one block.
struct Item<'a> {
    file: usize,
    /// Number of its block, over all files.
    block: usize,
    part: usize,
    quotes: u32,
    context: &'a Context,
    above: &'a [(usize, String)],
    tool: &'static str,
    dimensions: Vec<NamedValue>,
    repeat: Option<String>,
    observations: Vec<&'a Observation>,
    distributions: &'a [LatencyDistribution],
    /// What the output says of the complete measurement.
    facts: &'a [NamedValue],
    /// Name of the dimension of a table that is compared.
    side: Option<&'a str>,
}

/// How the sides of a table were told apart.
#[derive(Clone, Debug, Default)]
pub struct TableSides {
    /// `None` if there are none, or only their order tells them apart.
    pub by: Option<SideKind>,
    /// All kinds by which they can be told apart, also those that were not taken.
    pub possible: Vec<SideKind>,
    /// Numbers of blocks, and where what names their side stands.
    pub places: Vec<(usize, Place)>,
    /// The sides are those that were asked for.
    pub is_chosen: bool,
    /// A person gave labels to blocks, or left some out.
    pub is_changed: bool,
}

/// The tables of all files, and how the sides of each were told apart.
pub fn tables(files: &[ReadFile], choices: &Choices) -> (ResultSet, Vec<TableSides>) {
    let chosen = ChosenBlocks::new(choices, files);
    let mut families: Vec<(String, Vec<Item>)> = Vec::new();
    let mut excluded: BTreeSet<String> = BTreeSet::new();
    let mut block = 0;
    for (file, read) in files.iter().enumerate() {
        for found in &read.blocks {
            block += 1;
            for item in items(file, block, found) {
                let family = family(&item);
                if chosen.excludes(block) {
                    excluded.insert(family);
                    continue;
                }
                match families.iter().position(|(known, _)| *known == family) {
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

/// The items of a block: one for each set of dimensions and each repeat.
fn items<'a>(file: usize, block: usize, found: &'a Block) -> Vec<Item<'a>> {
    let mut groups: Vec<Item> = Vec::new();
    let mut known: BTreeMap<(&[NamedValue], Option<&str>), usize> = BTreeMap::new();
    let (tool, observations, side) = match &found.content {
        Content::Output(output) => (output.tool, &output.observations, output.side),
        Content::Table(table) => ("table", &table.observations, table.side.as_deref()),
    };
    for observation in observations {
        let key = (
            observation.dimensions.as_slice(),
            observation.repeat.as_deref(),
        );
        let index = *known.entry(key).or_insert_with(|| {
            groups.push(Item {
                file,
                block,
                part: found.part,
                quotes: found.quotes,
                context: &found.context,
                above: &found.above,
                tool,
                dimensions: observation.dimensions.clone(),
                repeat: observation.repeat.clone(),
                observations: Vec::new(),
                distributions: &[],
                facts: &[],
                side,
            });
            groups.len() - 1
        });
        groups[index].observations.push(observation);
    }
    if let Content::Output(output) = &found.content {
        for item in &mut groups {
            item.facts = &output.facts;
        }
        if groups.len() == output.distributions.len() {
            for (item, distribution) in groups.iter_mut().zip(output.distributions.chunks(1)) {
                item.distributions = distribution;
            }
        } else if let Some(first) = groups.first_mut() {
            first.distributions = &output.distributions;
        }
    }
    groups
}

/// Outputs of one program can be compared; tables if they have the same dimensions and metrics.
fn family(item: &Item) -> String {
    if item.tool != "table" {
        return item.tool.to_owned();
    }
    let keys: BTreeSet<String> = item.dimensions.iter().map(NamedValue::key).collect();
    let units: BTreeSet<&str> = item
        .observations
        .iter()
        .map(|o| o.metric.key.as_str())
        .collect();
    format!("table {keys:?} {units:?}")
}

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
            .and_then(|side| SideKind::of(&side.source)),
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
        evidence: evidence_words,
    };
    (table, sides)
}

/// Where the headings and the lines of the session stand that name the side of each block.
fn side_places(items: &[Item], side: Option<&Candidate>) -> Vec<(usize, Place)> {
    let place = |item: &Item| match &side?.source {
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

/// Without figures that a mail quotes from another place of the same file.
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
    let mut seen: BTreeMap<(usize, String), (u32, u32)> = BTreeMap::new();
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        let key = (item.file, print(&item));
        let here = (message(&item), item.quotes);
        match seen.get(&key) {
            Some(before) if *before != here => continue,
            _ => {
                seen.insert(key, here);
                kept.push(item);
            }
        }
    }
    bounded(kept)
}

/// At most [`MAX_RUNS`] items, of each block as many: a long first output must not displace those
/// that it is compared with.
fn bounded(items: Vec<Item>) -> Vec<Item> {
    if items.len() <= MAX_RUNS {
        return items;
    }
    let blocks: BTreeSet<usize> = items.iter().map(|item| item.block).collect();
    let share = (MAX_RUNS / blocks.len()).max(1);
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut kept = items;
    kept.retain(|item| {
        let count = counts.entry(item.block).or_default();
        *count += 1;
        *count <= share
    });
    kept.truncate(MAX_RUNS);
    kept
}

/// How the items of a table are told apart.
struct Choice {
    side: Option<Candidate>,
    dimensions: Vec<Candidate>,
    possible: Vec<SideKind>,
    is_chosen: bool,
}

fn choose(
    files: &[ReadFile],
    items: &[Item],
    evidence: &[FileEvidence],
    choices: &Choices,
) -> Choice {
    let own = own_dimensions(items);
    let contexts: Vec<Surroundings> = items
        .iter()
        .map(|item| {
            let part = files[item.file].shown.parts.get(item.part);
            let name = part.and_then(|part| part.name.as_deref());
            Surroundings {
                context: item.context,
                above: item.above,
                file: &evidence[item.file],
                attachment: name,
            }
        })
        .collect();
    let wanted = choices.sides.as_deref();
    let named = wanted.and_then(|wanted| {
        own.iter().find_map(|candidate| match &candidate.source {
            Source::Column(name) if wanted == format!("column:{name}") => Some(name.clone()),
            _ => None,
        })
    });
    let side_column = named
        .as_deref()
        .or_else(|| items.iter().find_map(|item| item.side));
    let (tabled, inner): (Vec<Candidate>, Vec<Candidate>) = own.into_iter().partition(|candidate| {
        matches!(&candidate.source, Source::Column(name) if Some(name.as_str()) == side_column)
    });
    let mut all = candidates(&contexts, &tabled);
    all.extend(facts(items));
    let (repeats, all): (Vec<Candidate>, Vec<Candidate>) = all.into_iter().partition(is_repeat);
    let varying: Vec<&Candidate> = all
        .iter()
        .filter(|candidate| candidate.distinct() > 1)
        .collect();
    let overlaps =
        |side: &Candidate| side.is_complete() && shares_figures(items, side, &inner, &tabled);
    let known = varying
        .iter()
        .copied()
        .chain(&inner)
        .filter(|c| !is_repeat(c));
    let possible = possible(known, &places(files, items), &overlaps);
    let chosen = possible
        .iter()
        .find(|(kind, _)| wanted == Some(kind.name().as_str()))
        .map(|(_, candidate)| candidate);
    let first = |matches: &dyn Fn(&Candidate) -> bool| {
        let mut fitting = varying.iter().copied();
        fitting.find(|candidate| matches(candidate) && overlaps(candidate))
    };
    let is_output = |candidate: &Candidate| matches!(candidate.source, Source::Output(_));
    let side = chosen
        .or_else(|| first(&|candidate| candidate.source == Source::Argument))
        .or_else(|| first(&|candidate| !is_output(candidate) && candidate.names_sides()))
        .or_else(|| first(&|candidate| matches!(candidate.source, Source::Column(_))))
        .or_else(|| first(&|candidate| !is_output(candidate)))
        .or_else(|| first(&|_| true))
        .cloned()
        .or_else(|| sequence(items));
    let is_chosen = chosen.is_some();
    let possible = possible.into_iter().map(|(kind, _)| kind).collect();
    let mut dimensions = inner;
    if let Some(side) = &side {
        dimensions.retain(|dimension| !follows(side, dimension));
    }
    // Columns of a table always count; of what surrounds outputs only what is needed to tell equal
    // figures apart.
    for candidate in varying {
        if side
            .as_ref()
            .is_some_and(|side| side.source == candidate.source)
        {
            continue;
        }
        let tabled = matches!(candidate.source, Source::Column(_));
        let determined = side
            .as_ref()
            .is_some_and(|side| is_function(&side.values, &candidate.values));
        if !determined && (tabled || separates(items, &side, &dimensions, &repeats, candidate)) {
            dimensions.push(candidate.clone());
        }
    }
    Choice {
        side,
        dimensions,
        possible,
        is_chosen,
    }
}

/// What outputs say of their complete measurement, by name.
fn facts(items: &[Item]) -> Vec<Candidate> {
    let mut names: Vec<&str> = Vec::new();
    for named in items.iter().flat_map(|item| item.facts) {
        if !names.contains(&named.name.as_str()) {
            names.push(&named.name);
        }
    }
    let value = |item: &Item, name: &str| {
        item.facts
            .iter()
            .find(|fact| fact.name == name)
            .map_or(String::new(), |fact| fact.value.clone())
    };
    names
        .into_iter()
        .map(|name| Candidate {
            source: Source::Output(name.to_owned()),
            values: items.iter().map(|item| value(item, name)).collect(),
        })
        .collect()
}

/// Dimensions of what was measured: figures of two devices are never compared, even where each side
/// has one of its own.
const SUBJECTS: [&str; 13] = [
    "bs",
    "device",
    "disk",
    "op",
    "operation",
    "job",
    "test",
    "command",
    "stage",
    "row",
    "rw",
    "case",
    "stressor",
];

/// Whether a dimension is a parameter that each side has once: it keeps the sides apart without
/// need, and the side tells it.
fn follows(side: &Candidate, dimension: &Candidate) -> bool {
    let subject =
        matches!(&dimension.source, Source::Column(name) if SUBJECTS.contains(&name.as_str()));
    if subject || dimension.distinct() < 2 {
        return false;
    }
    let mut values: BTreeMap<&str, &str> = BTreeMap::new();
    side.values
        .iter()
        .zip(&dimension.values)
        .all(|(side, value)| *values.entry(side).or_insert(value) == value.as_str())
}

/// The dimensions that the items have themselves.
fn own_dimensions(items: &[Item]) -> Vec<Candidate> {
    let mut names: Vec<&str> = Vec::new();
    for named in items.iter().flat_map(|item| &item.dimensions) {
        if !names.contains(&named.name.as_str()) {
            names.push(&named.name);
        }
    }
    names
        .into_iter()
        .map(|name| Candidate {
            source: Source::Column(name.to_owned()),
            values: items
                .iter()
                .map(|item| {
                    item.dimensions
                        .iter()
                        .find(|d| d.name == name)
                        .map_or(String::new(), |d| d.value.clone())
                })
                .collect(),
        })
        .collect()
}

/// Whether the values of a candidate are numbers of repeats: `run 1`, `#2`, and parts of names.
fn is_repeat(candidate: &Candidate) -> bool {
    match &candidate.source {
        Source::Name(key) => key == "repeat",
        Source::Heading(_) => {
            candidate.distinct() > 1
                && candidate
                    .values
                    .iter()
                    .all(|value| labels::repeat_of(value).is_some())
        }
        _ => false,
    }
}

/// Whether two sides have the same figure of the same thing.
fn shares_figures(
    items: &[Item],
    side: &Candidate,
    inner: &[Candidate],
    tabled: &[Candidate],
) -> bool {
    let others = inner
        .iter()
        .chain(tabled)
        .filter(|c| c.source != side.source && !follows(side, c));
    let rest: Vec<&Candidate> = others.collect();
    let mut seen: BTreeMap<(Vec<&str>, &str), BTreeSet<&str>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        let values: Vec<&str> = rest.iter().map(|c| c.values[index].as_str()).collect();
        for observation in &item.observations {
            let sides = seen
                .entry((values.clone(), &observation.metric.key))
                .or_default();
            sides.insert(&side.values[index]);
        }
    }
    seen.values().any(|sides| sides.len() > 1)
}

/// Outputs without any label, one after the other, are runs of their own.
fn sequence(items: &[Item]) -> Option<Candidate> {
    let tables = items.iter().all(|item| item.tool == "table");
    let word = SEQUENCES[usize::from(tables)];
    let blocks: Vec<usize> = items
        .iter()
        .map(|item| item.block)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let values = items
        .iter()
        .map(|item| {
            let number = blocks
                .iter()
                .position(|block| *block == item.block)
                .unwrap_or(0)
                + 1;
            format!("{word} {number}")
        })
        .collect();
    let candidate = Candidate {
        source: Source::Name(word.to_owned()),
        values,
    };
    let inner = own_dimensions(items);
    (blocks.len() > 1 && shares_figures(items, &candidate, &inner, &[])).then_some(candidate)
}

/// Whether each value of one column always stands beside the same value of the other.
fn is_function(from: &[String], to: &[String]) -> bool {
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    from.iter()
        .zip(to)
        .all(|(a, b)| *known.entry(a).or_insert(b) == b.as_str())
}

/// Whether a candidate tells figures apart that all others leave together.
fn separates(
    items: &[Item],
    side: &Option<Candidate>,
    dimensions: &[Candidate],
    repeats: &[Candidate],
    candidate: &Candidate,
) -> bool {
    let columns: Vec<&Candidate> = side.iter().chain(dimensions).chain(repeats).collect();
    /// All that tells a figure apart: dimensions, repeat, metric.
    type Identity<'a> = (Vec<&'a str>, Option<&'a str>, &'a str);
    let mut seen: BTreeMap<Identity, BTreeSet<&str>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        let values: Vec<&str> = columns.iter().map(|c| c.values[index].as_str()).collect();
        for observation in &item.observations {
            seen.entry((
                values.clone(),
                item.repeat.as_deref(),
                &observation.metric.key,
            ))
            .or_default()
            .insert(&candidate.values[index]);
        }
    }
    seen.values().any(|values| values.len() > 1)
}

/// The runs: figures of one block with the same values.
fn runs(
    files: &[ReadFile],
    items: &[Item],
    columns: &[Vec<String>],
    dimensions: &[ResultDimension],
) -> Vec<ResultRun> {
    let mut found: Vec<ResultRun> = Vec::new();
    let mut known: BTreeMap<(usize, Vec<&str>, Option<&str>), usize> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        let values: Vec<&str> = columns
            .iter()
            .map(|column| column[index].as_str())
            .collect();
        let file = &files[item.file];
        let mut figures: Vec<BenchFigure> = item
            .observations
            .iter()
            .map(|o| figure(item.tool, file, o))
            .collect();
        let slot = known
            .get(&(item.block, values.clone(), item.repeat.as_deref()))
            .copied();
        if let Some(run) = slot {
            let run: &mut ResultRun = &mut found[run];
            // A figure that the output has twice is kept once per run.
            figures.retain(|figure| run.figures.iter().all(|other| other.key != figure.key));
            run.figures.append(&mut figures);
            continue;
        }
        known.insert(
            (item.block, values.clone(), item.repeat.as_deref()),
            found.len(),
        );
        let named: Vec<String> = values
            .iter()
            .zip(dimensions)
            .filter(|(value, _)| !value.is_empty())
            .map(|(value, _)| (*value).to_owned())
            .collect();
        found.push(ResultRun {
            label: if named.is_empty() {
                evidence::stem(file.path.rsplit('/').next().unwrap_or(file.path)).to_owned()
            } else {
                named.join(" ")
            },
            file: file.path.to_owned(),
            line: figures
                .first()
                .and_then(|figure| figure.place.as_ref())
                .map(|place| place.line as usize),
            values: values.into_iter().map(str::to_owned).collect(),
            figures,
            distributions: item.distributions.to_vec(),
        });
    }
    found
}

fn figure(tool: &str, file: &ReadFile, observation: &Observation) -> BenchFigure {
    let metric = &observation.metric;
    BenchFigure {
        key: format!("bench.{tool}.{}", metric.key),
        label: if tool == "table" {
            metric.label.clone()
        } else {
            format!("{tool} {}", metric.label)
        },
        unit: metric.unit.name().to_owned(),
        good: metric.good,
        value: observation.value,
        place: figure_place(file.path, &file.shown, observation.place),
    }
}

/// Keys and labels of metrics that are 0 in all runs: the write columns of a test that reads.
fn zero(runs: &[ResultRun]) -> Vec<(String, String)> {
    let mut zero: BTreeMap<&str, (bool, &str)> = BTreeMap::new();
    for figure in runs.iter().flat_map(|run| &run.figures) {
        let known = zero.entry(&figure.key).or_insert((true, &figure.label));
        known.0 &= figure.value == 0.0;
    }
    zero.into_iter()
        .filter(|(_, (zero, _))| *zero)
        .map(|(key, (_, label))| (key.to_owned(), label.to_owned()))
        .collect()
}

/// Values of the dimensions but the first `skipped` ones for which all figures of all runs are 0: a
/// device that nobody used.
fn idle(runs: &[ResultRun], skipped: usize) -> BTreeSet<Vec<String>> {
    let mut used: BTreeMap<&[String], bool> = BTreeMap::new();
    for run in runs {
        let used = used.entry(&run.values[skipped..]).or_default();
        *used |= run.figures.iter().any(|figure| figure.value != 0.0);
    }
    // Without dimensions there is one measurement, whatever it measured.
    used.into_iter()
        .filter(|(values, used)| !used && !values.is_empty())
        .map(|(values, _)| values.to_vec())
        .collect()
}

fn title(tool: &str, runs: &[ResultRun]) -> String {
    if tool != "table" {
        return tool.to_owned();
    }
    let mut names: Vec<&str> = Vec::new();
    for figure in runs.iter().flat_map(|run| &run.figures) {
        if !names.contains(&figure.label.as_str()) && names.len() < 4 {
            names.push(&figure.label);
        }
    }
    names.join(", ")
}

/// Where a place of a reader is in the file.
fn figure_place(file: &str, shown: &ShownText, place: Place) -> Option<FigurePlace> {
    let line = shown.lines.get(place.line as usize)?;
    let units = |end: u32| {
        let end = (end as usize).min(line.text.len());
        line.text
            .get(..end)
            .map_or(end, |text| text.encode_utf16().count()) as u32
    };
    Some(FigurePlace {
        file: file.to_owned(),
        line: line.file_line + 1,
        columns: [
            line.file_column + units(place.start) + 1,
            line.file_column + units(place.end) + 1,
        ],
        shown: place.line,
    })
}

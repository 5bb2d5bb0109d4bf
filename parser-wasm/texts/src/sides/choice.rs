//! Decides how the items of a table are distinguished: which evidence names the sides, and which
//! the other dimensions.

use super::choices::{Choices, SideKind, places, possible};
use super::evidence::{Candidate, FileEvidence, Source, Surroundings, candidates};
use super::figures::{follows, is_function, is_only_disk, separates, shares_figures};
use super::{Item, ReadFile, SEQUENCES};
use crate::structure::context::FILE;
use seekscope_notes::labels::{self, RunNames};
use std::collections::BTreeSet;

/// The evidence that distinguishes the items of a table.
pub struct Choice {
    pub side: Option<Candidate>,
    pub dimensions: Vec<Candidate>,
    pub possible: Vec<SideKind>,
    pub is_chosen: bool,
}

#[expect(
    clippy::too_many_lines,
    reason = "to be split: rules whose order is the preference of readings"
)]
pub fn choose(
    files: &[ReadFile],
    items: &[Item],
    evidence: &[FileEvidence],
    choices: &Choices,
) -> Choice {
    let inner_dimensions = own_dimensions(items);
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
        inner_dimensions
            .iter()
            .find_map(|candidate| match &candidate.source {
                Source::Column(name) if wanted == format!("column:{name}") => Some(name.clone()),
                _ => None,
            })
    });
    let side_column = named
        .as_deref()
        .or_else(|| items.iter().find_map(|item| item.side));
    let (tabled, inner): (Vec<Candidate>, Vec<Candidate>) = inner_dimensions.into_iter().partition(|candidate| {
        matches!(&candidate.source, Source::Column(name) if Some(name.as_str()) == side_column)
    });
    let mut all = candidates(&contexts, &tabled);
    all.extend(facts(items));
    let has_titles = all.iter().any(is_title);
    let (repeats, all): (Vec<Candidate>, Vec<Candidate>) = all
        .into_iter()
        .partition(|candidate| is_repeat(candidate) || has_titles && is_dated(candidate));
    let varying: Vec<&Candidate> = all
        .iter()
        .filter(|candidate| candidate.distinct() > 1)
        .collect();
    let overlaps =
        |side: &Candidate| side.is_complete() && shares_figures(items, side, &inner, &tabled);
    let usable = varying
        .iter()
        .copied()
        .chain(&inner)
        .filter(|c| !is_repeat(c));
    let possible = possible(usable, &places(files, items), &overlaps);
    let chosen = possible
        .iter()
        .find(|(kind, _)| wanted == Some(kind.name().as_str()))
        .map(|(_, candidate)| candidate);
    // Titles of tests, and commands of several programs, are no sides where anything else is.
    let is_test = |candidate: &&Candidate| matches!(candidate.source, Source::Test(_));
    // Lines that are only above do not say that two outputs are repeats.
    let is_distinct = |candidate: &&Candidate| {
        !matches!(candidate.source, Source::Above(_)) || is_of_blocks(items, candidate)
    };
    let able: Vec<(&Candidate, bool)> = varying
        .iter()
        .copied()
        .filter(|candidate| !is_test(candidate) && is_distinct(candidate))
        .map(|candidate| (candidate, candidate.names_tests()))
        .collect();
    let first = |matches: &dyn Fn(&Candidate, bool) -> bool| {
        let fitting = able.iter().find(|(candidate, names_tests)| {
            matches(candidate, *names_tests) && overlaps(candidate)
        });
        fitting.map(|(candidate, _)| *candidate)
    };
    let is_output = |candidate: &Candidate| matches!(candidate.source, Source::Output(_));
    let is_above = |candidate: &Candidate| matches!(candidate.source, Source::Above(_));
    let is_column = |candidate: &Candidate| matches!(candidate.source, Source::Column(_));
    let is_titled = |c: &Candidate, names_tests: bool| !is_output(c) && !names_tests;
    // The evidence is tried from the strongest to the weakest.
    let side = chosen
        .or_else(|| first(&|c, _| c.source == Source::Argument))
        .or_else(|| first(&|c, tests| is_titled(c, tests) && c.names_sides()))
        .or_else(|| first(&|c, _| is_column(c)))
        .or_else(|| first(&|c, tests| is_titled(c, tests) && !is_above(c)))
        .or_else(|| first(&|c, _| is_output(c) && c.names_sides()))
        .or_else(|| first(&is_titled))
        .or_else(|| first(&|c, _| is_output(c)))
        .or_else(|| first(&|_, _| true))
        .or_else(|| {
            let sides = able.iter().map(|(candidate, _)| *candidate);
            sides.filter(|side| side.is_complete()).find(|side| {
                let disks: Vec<&Candidate> =
                    inner.iter().filter(|d| is_only_disk(side, d)).collect();
                let others = inner.iter().filter(|d| !is_only_disk(side, d));
                let others: Vec<Candidate> = others.cloned().collect();
                !disks.is_empty() && shares_figures(items, side, &others, &tabled)
            })
        })
        .or_else(|| {
            // Several programs that print the same are wrappers of one.
            let is_printed = items.iter().all(|item| item.tool != TIMES);
            let tests = varying.iter().copied().filter(is_test).rev();
            let mut tests = tests.filter(|test| is_printed && is_of_blocks(items, test));
            tests.find(|test| overlaps(test))
        })
        .cloned()
        .or_else(|| sequence(items))
        .or_else(|| things(items, &inner).filter(|things| overlaps(things)));
    let is_chosen = chosen.is_some();
    let possible = possible.into_iter().map(|(kind, _)| kind).collect();
    let mut dimensions = inner;
    if let Some(side) = &side {
        let is_apart = !shares_figures(items, side, &dimensions, &tabled);
        dimensions.retain(|dimension| {
            !(dimension.source == side.source
                || follows(side, dimension)
                || is_apart && is_only_disk(side, dimension))
        });
    }
    // Columns of a table always count; of what surrounds outputs only what is needed to distinguish
    // equal figures.
    // A title that only some have divides them, too.
    let is_partial = |candidate: &&Candidate| {
        let is_heading = matches!(candidate.source, Source::Heading(_));
        is_heading && candidate.distinct() == 1 && !candidate.is_complete()
    };
    let separating: Vec<&Candidate> = all
        .iter()
        .filter(|candidate| candidate.distinct() > 1 || is_partial(candidate))
        .collect();
    for candidate in separating {
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
        // Commands may differ between sides, too: then they must not keep these apart.
        let is_command = matches!(candidate.source, Source::Command | Source::Test(_));
        let keeps_sides = |side: &Candidate| {
            let others: Vec<Candidate> = dimensions.iter().chain([candidate]).cloned().collect();
            shares_figures(items, side, &others, &[])
        };
        if is_command && !side.as_ref().is_none_or(keeps_sides) {
            continue;
        }
        if !determined && (tabled || separates(items, &side, &dimensions, &repeats, candidate)) {
            dimensions.push(candidate.clone());
        }
    }
    // A table that has the sides itself is a comparison of its own, and not a repeat of another
    // one.
    let is_tabled = |side: &Candidate| matches!(side.source, Source::Column(_));
    if side.as_ref().is_some_and(is_tabled)
        && let Some(order) = sequence(items).filter(|order| order.source == table_order())
        && separates(items, &side, &dimensions, &repeats, &order)
    {
        dimensions.push(order);
    }
    Choice {
        side,
        dimensions,
        possible,
        is_chosen,
    }
}

/// What prints the times of any program: these are tests of what they ran.
const TIMES: &str = "time";

/// Whether each block has a value of its own.
fn is_of_blocks(items: &[Item], candidate: &Candidate) -> bool {
    let blocks: BTreeSet<usize> = items.iter().map(|item| item.block).collect();
    candidate.distinct() == blocks.len()
}

/// The rows of a table whose only labels are things.
fn things(items: &[Item], inner: &[Candidate]) -> Option<Candidate> {
    let name = items.first()?.things?;
    let is_same = items.iter().all(|item| item.things == Some(name));
    let mut columns = inner.iter();
    let column =
        columns.find(|column| matches!(&column.source, Source::Column(other) if other == name))?;
    (is_same && column.distinct() > 1).then(|| column.clone())
}

/// The evidence of numbers of tables.
fn table_order() -> Source {
    Source::Name(SEQUENCES[1].to_owned())
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

/// Whether a candidate is a title of each item, and divides them.
fn is_title(candidate: &Candidate) -> bool {
    let is_heading = matches!(candidate.source, Source::Heading(_));
    is_heading && candidate.distinct() > 1 && candidate.is_complete()
}

/// Whether the values are names of files that differ only in their dates: below titles, the runs of
/// several days are repeats.
fn is_dated(candidate: &Candidate) -> bool {
    if !matches!(&candidate.source, Source::Fact(key) if key == FILE) {
        return false;
    }
    let names: BTreeSet<&String> = candidate.values.iter().collect();
    let runs: Vec<RunNames> = names
        .into_iter()
        .map(|name| RunNames {
            // `2026-11-26@08:03` is a date with its time.
            label: name.replace(':', "").replace('@', "T"),
            ..RunNames::default()
        })
        .collect();
    let parts = labels::guess(&runs).parts;
    !parts.is_empty() && parts.iter().all(|part| part.key == "date")
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

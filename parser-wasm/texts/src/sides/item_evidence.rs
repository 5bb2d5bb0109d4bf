//! The evidence that the items of a table have, by the part that it can have in a reading: sides,
//! dimensions, or repeats.

use super::choices::{SideKind, places, possible};
use super::evidence::{Candidate, FileEvidence, Source, Surroundings, candidates};
use super::figures::shares_figures;
use super::{Item, ReadFile};
use crate::structure::context::FILE;
use seekscope_notes::labels::{self, RunNames};
use seekscope_trace::sorting::set_of;
use std::collections::BTreeSet;

/// The evidence of some items.
pub struct ItemEvidence<'a> {
    pub items: &'a [Item<'a>],
    /// What surrounds the items, the column of sides, and what outputs say of their measurement:
    /// the strongest first.
    pub all: Vec<Candidate>,
    /// What only numbers the repeats of a measurement: no side, and no dimension.
    pub repeats: Vec<Candidate>,
    /// The column of a table whose values are its sides; it is in `all`, too.
    pub tabled: Vec<Candidate>,
    /// The other dimensions that the items have themselves.
    pub inner: Vec<Candidate>,
}

impl<'a> ItemEvidence<'a> {
    /// Decides which part each candidate can have. `wanted` is the name of the evidence that a
    /// person chose for the sides.
    ///
    /// The column of sides is taken from the other dimensions first: the candidates that surround
    /// the items have a place for it. Repeats are removed last: dates are repeats only below
    /// titles, so all titles must be there.
    pub fn new(
        files: &[ReadFile],
        items: &'a [Item<'a>],
        file_evidence: &[FileEvidence],
        wanted: Option<&str>,
    ) -> ItemEvidence<'a> {
        let (tabled, inner) = split_columns(items, wanted);
        let mut all = candidates(&surroundings(files, items, file_evidence), &tabled);
        all.extend(facts(items));
        let has_titles = all.iter().any(is_title);
        let (repeats, all) = all
            .into_iter()
            .partition(|candidate| is_repeat(candidate) || has_titles && is_dated(candidate));
        ItemEvidence {
            items,
            all,
            repeats,
            tabled,
            inner,
        }
    }

    /// The candidates that divide the items, the strongest first.
    pub fn varying(&self) -> impl DoubleEndedIterator<Item = &Candidate> {
        let varying = |candidate: &&Candidate| candidate.distinct() > 1;
        self.all.iter().filter(varying)
    }

    /// Whether a candidate can name the sides: each item has a value, and two values have the same
    /// figure.
    pub fn overlaps(&self, side: &Candidate) -> bool {
        side.is_complete() && shares_figures(self.items, side, &self.inner, &self.tabled)
    }

    /// Each kind of evidence that a person may choose for the sides, with the candidate that it
    /// then takes. The first of a kind is taken, so the complete names of files are last: they are
    /// for what no part of a name distinguishes.
    pub fn possible_sides(&self, files: &[ReadFile]) -> Vec<(SideKind, Candidate)> {
        let usable = self.varying().chain(&self.inner).filter(|c| !is_repeat(c));
        let places = places(files, self.items);
        possible(usable, &places, &|side| self.overlaps(side))
    }
}

/// What is around each item.
fn surroundings<'a>(
    files: &'a [ReadFile],
    items: &'a [Item],
    file_evidence: &'a [FileEvidence],
) -> Vec<Surroundings<'a>> {
    items
        .iter()
        .map(|item| {
            let part = files[item.file].shown.parts.get(item.part);
            let name = part.and_then(|part| part.name.as_deref());
            Surroundings {
                context: item.context,
                above: item.above,
                file: &file_evidence[item.file],
                attachment: name,
            }
        })
        .collect()
}

/// Decides which column has the sides, and takes it from the other dimensions of the items. A
/// column that a person chose comes before the one that its table compares.
fn split_columns(items: &[Item], wanted: Option<&str>) -> (Vec<Candidate>, Vec<Candidate>) {
    let columns = own_dimensions(items);
    let named = wanted.and_then(|wanted| {
        columns
            .iter()
            .find_map(|candidate| match &candidate.source {
                Source::Column(name) if wanted == format!("column:{name}") => Some(name.clone()),
                _ => None,
            })
    });
    let side_column = named
        .as_deref()
        .or_else(|| items.iter().find_map(|item| item.side));
    columns.into_iter().partition(|candidate| {
        matches!(&candidate.source, Source::Column(name) if Some(name.as_str()) == side_column)
    })
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
pub fn own_dimensions(items: &[Item]) -> Vec<Candidate> {
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
    let names: BTreeSet<&String> = set_of(candidate.values.iter());
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

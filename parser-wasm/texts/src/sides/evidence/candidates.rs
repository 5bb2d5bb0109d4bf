//! The candidates that surround some items, one function per kind of evidence.

use super::{Candidate, FileEvidence, INNERMOST, Source, combined, commands, numbered};
use crate::file_name::stem;
use crate::observation::slug;
use crate::structure::context::Context;
use seekscope_notes::labels;
use seekscope_trace::sorting::{SortShort, set_of};
use std::collections::BTreeSet;

/// What is around an item: the titles above it, its file, and the name of its attachment.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    pub context: &'a Context,
    pub above: &'a [(usize, String)],
    pub file: &'a FileEvidence,
    pub attachment: Option<&'a str>,
}

/// All candidates of some items, in the order in which they are tried.
///
/// The order is a preference: of two candidates of the same strength the first one names the
/// sides, and the other one becomes a dimension only if figures need it. In another order, a run
/// whose title names it would be called by its file or its command. `columns` are those of the
/// sides of a table.
pub fn candidates(contexts: &[Surroundings], columns: &[Candidate]) -> Vec<Candidate> {
    let mut found = file_candidates(contexts);
    found.extend(heading_candidates(contexts));
    found.extend(session_candidates(contexts));
    found.extend(columns.iter().cloned());
    found.extend(name_candidates(contexts));
    found.extend(command_candidates(contexts));
    if !found
        .iter()
        .any(|candidate| matches!(candidate.source, Source::Heading(_)) && divides(candidate))
    {
        found.extend(nearest_headings(contexts));
    }
    found.extend(lines_above(contexts));
    found
}

/// The values of a source for all items; `None` if no item has one.
fn candidate(
    contexts: &[Surroundings],
    source: Source,
    value: impl Fn(&Surroundings) -> String,
) -> Option<Candidate> {
    let values: Vec<String> = contexts.iter().map(value).collect();
    let candidate = Candidate { source, values };
    (candidate.distinct() > 0).then_some(candidate)
}

/// Whether each item has a value, and not all the same.
fn divides(candidate: &Candidate) -> bool {
    candidate.is_complete() && candidate.distinct() > 1
}

/// Where the files are: the paths that a person gave before the folders below them, and these
/// before the names of attachments.
fn file_candidates(contexts: &[Surroundings]) -> Vec<Candidate> {
    let argument = candidate(contexts, Source::Argument, |item| {
        if item.file.argument.is_some() {
            item.file.argument_label.clone()
        } else {
            String::new()
        }
    });
    let folder = candidate(contexts, Source::Folder, |item| item.file.folder.clone());
    let attachment = candidate(contexts, Source::Attachment, |item| {
        item.attachment
            .map_or(String::new(), |name| stem(name).to_owned())
    });
    [argument, folder, attachment]
        .into_iter()
        .flatten()
        .collect()
}

/// The titles of each level, the outermost first.
fn heading_candidates(contexts: &[Surroundings]) -> Vec<Candidate> {
    let levels: BTreeSet<u8> = set_of(
        contexts
            .iter()
            .flat_map(|item| item.context.headings.iter().map(|h| h.level)),
    );
    levels
        .into_iter()
        .flat_map(|level| titles_of_level(contexts, level))
        .collect()
}

/// Decides whether the titles of a level name the sides alone, or a setup besides; the side comes
/// before its setup.
///
/// A list of properties is looked for before a title of a side and a test. `raid0, 2.6.6, 2
/// threads` has the form of both, and its setup would lose its commas.
fn titles_of_level(contexts: &[Surroundings], level: u8) -> Vec<Candidate> {
    let label = |item: &Surroundings| {
        let mut headings = item.context.headings.iter();
        let heading = headings.find(|heading| heading.level == level);
        heading.map_or(String::new(), |heading| heading.label.clone())
    };
    let titles: Vec<String> = contexts.iter().map(label).collect();
    let (sides, setups) = kernels_in_lists(&titles)
        .or_else(|| numbered::sides(&titles).map(|sides| (sides, Vec::new())))
        .or_else(|| combined::split(&titles))
        .unwrap_or_else(|| (titles, Vec::new()));
    [
        Candidate {
            source: Source::Heading(level),
            values: sides,
        },
        Candidate {
            source: Source::Setup(level),
            values: setups,
        },
    ]
    .into_iter()
    .filter(|candidate| candidate.distinct() > 0)
    .collect()
}

/// The kernels and the other properties of titles that are lists with a kernel: this is compared,
/// and all else is how it was measured. `None` if one title is no such list.
fn kernels_in_lists(titles: &[String]) -> Option<(Vec<String>, Vec<String>)> {
    titles.iter().map(|title| kernel_in_list(title)).collect()
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

/// What sessions reveal, by key: first what is compared most often, then all else as it was met.
fn session_candidates(contexts: &[Surroundings]) -> Vec<Candidate> {
    let mut keys: Vec<&str> = Vec::new();
    for fact in contexts.iter().flat_map(|item| &item.context.facts) {
        if !keys.contains(&fact.key.as_str()) {
            keys.push(&fact.key);
        }
    }
    keys.sort_short_by_key(|key| {
        ["kernel", "commit", "scheduler"]
            .iter()
            .position(|candidate| candidate == key)
            .unwrap_or(3)
    });
    keys.into_iter()
        .filter_map(|key| {
            let mut found = candidate(contexts, Source::Fact(key.to_owned()), |item| {
                item.context
                    .facts
                    .iter()
                    .find(|fact| fact.key == key)
                    .map_or(String::new(), |fact| fact.value.clone())
            })?;
            found.values = numbered::sides(&found.values).unwrap_or(found.values);
            Some(found)
        })
        .collect()
}

/// The parts of the names of files, in the order of the names.
fn name_candidates(contexts: &[Surroundings]) -> Vec<Candidate> {
    let mut keys: Vec<&str> = Vec::new();
    for (key, _) in contexts.iter().flat_map(|item| &item.file.parts) {
        if !keys.contains(&key.as_str()) {
            keys.push(key);
        }
    }
    keys.into_iter()
        .map(|key| Candidate {
            values: contexts
                .iter()
                .map(|item| {
                    item.file
                        .parts
                        .iter()
                        .find(|(candidate, _)| candidate == key)
                        .map_or(String::new(), |(_, value)| value.clone())
                })
                .collect(),
            source: Source::Name(slug(key)),
        })
        .collect()
}

/// The words in which the commands of one program differ, then what the commands of several
/// programs ran.
fn command_candidates(contexts: &[Surroundings]) -> Vec<Candidate> {
    let commands: Vec<Option<&str>> = contexts
        .iter()
        .map(|item| item.context.command.as_deref())
        .collect();
    let mut found = vec![Candidate {
        source: Source::Command,
        values: commands::labels(&commands),
    }];
    for (index, values) in commands::tests(&commands).into_iter().flatten().enumerate() {
        let source = Source::Test(index as u8);
        found.push(Candidate { source, values });
    }
    found
}

/// The nearest title of each item, of whatever form it is; `None` if these do not divide the items.
/// The titles of mails and of pages are of several forms, too, so anything else is stronger: this
/// is asked last, and only if the titles of no level divide the items.
fn nearest_headings(contexts: &[Surroundings]) -> Option<Candidate> {
    candidate(contexts, Source::Heading(INNERMOST), |item| {
        let nearest = item.context.headings.last();
        nearest.map_or(String::new(), |heading| heading.label.clone())
    })
    .filter(divides)
}

/// Lines at the same distance above all items, and the nearest line of each.
fn lines_above(contexts: &[Surroundings]) -> Vec<Candidate> {
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
        .map(|mut candidate| {
            let sides = numbered::sides(&candidate.values);
            candidate.values = sides.unwrap_or(candidate.values);
            candidate
        })
        .collect()
}

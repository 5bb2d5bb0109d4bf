//! Decides how the items of a table are distinguished: which evidence names the sides, and which
//! the other dimensions.

use super::choices::{Choices, SideKind};
use super::evidence::{Candidate, FileEvidence, Source};
use super::figures::{follows, is_function, is_only_disk, separates, shares_figures};
use super::item_evidence::ItemEvidence;
use super::preference::{preferred_side, sequence};
use super::{Item, ReadFile, SEQUENCES};

/// The evidence that distinguishes the items of a table.
pub struct Choice {
    pub side: Option<Candidate>,
    pub dimensions: Vec<Candidate>,
    pub possible: Vec<SideKind>,
    pub is_chosen: bool,
}

/// Decides the sides of some items, then their dimensions: what the sides tell already is no
/// dimension, so these depend on them.
pub fn choose(
    files: &[ReadFile],
    items: &[Item],
    file_evidence: &[FileEvidence],
    choices: &Choices,
) -> Choice {
    let wanted = choices.sides.as_deref();
    let evidence = ItemEvidence::new(files, items, file_evidence, wanted);
    let possible = evidence.possible_sides(files);
    let chosen = possible
        .iter()
        .find(|(kind, _)| wanted == Some(kind.name().as_str()))
        .map(|(_, candidate)| candidate.clone());
    let is_chosen = chosen.is_some();
    let side = chosen.or_else(|| preferred_side(&evidence));
    Choice {
        dimensions: dimensions(&evidence, &side),
        side,
        possible: possible.into_iter().map(|(kind, _)| kind).collect(),
        is_chosen,
    }
}

/// Decides the dimensions beside the sides. Each step sees the dimensions of the steps before it:
/// what is around outputs is added only where their own dimensions leave figures together, and the
/// order of tables only where all others do. Another order would add dimensions that are not
/// needed, and these keep figures apart that can be compared.
fn dimensions(evidence: &ItemEvidence, side: &Option<Candidate>) -> Vec<Candidate> {
    let mut dimensions = inner_dimensions(evidence, side.as_ref());
    for candidate in &evidence.all {
        let divides = candidate.distinct() > 1 || is_partial_title(candidate);
        if divides && is_needed(evidence, side, &dimensions, candidate) {
            dimensions.push(candidate.clone());
        }
    }
    // A table that has the sides itself is a comparison of its own, and not a repeat of another
    // one.
    let is_tabled = |side: &Candidate| matches!(side.source, Source::Column(_));
    if side.as_ref().is_some_and(is_tabled)
        && let Some(order) = sequence(evidence.items).filter(|order| order.source == table_order())
        && separates(evidence.items, side, &dimensions, &evidence.repeats, &order)
    {
        dimensions.push(order);
    }
    dimensions
}

/// Decides which dimensions of the items themselves remain beside the sides: not the sides again,
/// not a parameter that each side has once, and not the name of its only disk where the sides share
/// no figure. Whether they share one is decided before anything is removed: else it would depend on
/// the order of the columns.
fn inner_dimensions(evidence: &ItemEvidence, side: Option<&Candidate>) -> Vec<Candidate> {
    let mut dimensions = evidence.inner.clone();
    if let Some(side) = side {
        let is_apart = !shares_figures(evidence.items, side, &dimensions, &evidence.tabled);
        dimensions.retain(|dimension| {
            !(dimension.source == side.source
                || follows(side, dimension)
                || is_apart && is_only_disk(side, dimension))
        });
    }
    dimensions
}

/// Whether only some items have a title, and all of these the same: it divides them from the
/// others.
fn is_partial_title(candidate: &Candidate) -> bool {
    let is_heading = matches!(candidate.source, Source::Heading(_));
    is_heading && candidate.distinct() == 1 && !candidate.is_complete()
}

/// Whether a candidate becomes a dimension beside `dimensions`. Columns of a table always do,
/// unless the sides tell their values; what surrounds outputs does only if it is needed to
/// distinguish equal figures. Commands may differ between sides, too: then they must not keep these
/// apart.
fn is_needed(
    evidence: &ItemEvidence,
    side: &Option<Candidate>,
    dimensions: &[Candidate],
    candidate: &Candidate,
) -> bool {
    let items = evidence.items;
    if let Some(side) = side {
        if side.source == candidate.source {
            return false;
        }
        if matches!(candidate.source, Source::Command | Source::Test(_)) {
            let others: Vec<Candidate> = dimensions.iter().chain([candidate]).cloned().collect();
            if !shares_figures(items, side, &others, &[]) {
                return false;
            }
        }
        if is_function(&side.values, &candidate.values) {
            return false;
        }
    }
    matches!(candidate.source, Source::Column(_))
        || separates(items, side, dimensions, &evidence.repeats, candidate)
}

/// The evidence of numbers of tables.
fn table_order() -> Source {
    Source::Name(SEQUENCES[1].to_owned())
}

//! Which figures of the items of a table evidence keeps together, and which it keeps apart.

use super::Item;
use super::evidence::{Candidate, Source};
use std::collections::{BTreeMap, BTreeSet};

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
pub fn follows(side: &Candidate, dimension: &Candidate) -> bool {
    let subject =
        matches!(&dimension.source, Source::Column(name) if SUBJECTS.contains(&name.as_str()));
    !subject && is_parameter(side, dimension)
}

/// Whether a dimension is the name of the disk that each side has, and no other one: that of a
/// guest is called otherwise than that of its host.
pub fn is_only_disk(side: &Candidate, dimension: &Candidate) -> bool {
    let is_disk = matches!(&dimension.source, Source::Column(name) if name == "device");
    let is_named = side.source == Source::Argument || side.names_sides();
    is_disk && is_named && is_parameter(side, dimension)
}

fn is_parameter(side: &Candidate, dimension: &Candidate) -> bool {
    if dimension.distinct() < 2 {
        return false;
    }
    let mut values: BTreeMap<&str, &str> = BTreeMap::new();
    side.values
        .iter()
        .zip(&dimension.values)
        .all(|(side, value)| *values.entry(side).or_insert(value) == value.as_str())
}

/// Whether two sides have the same figure of the same thing.
pub fn shares_figures(
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

/// Whether each value of one column is always beside the same value of the other.
pub fn is_function(from: &[String], to: &[String]) -> bool {
    let mut images: BTreeMap<&str, &str> = BTreeMap::new();
    from.iter()
        .zip(to)
        .all(|(a, b)| *images.entry(a).or_insert(b) == b.as_str())
}

/// Whether a candidate distinguishes figures that all others leave together.
pub fn separates(
    items: &[Item],
    side: &Option<Candidate>,
    dimensions: &[Candidate],
    repeats: &[Candidate],
    candidate: &Candidate,
) -> bool {
    let columns: Vec<&Candidate> = side.iter().chain(dimensions).chain(repeats).collect();
    /// Everything that distinguishes a figure: dimensions, repeat, metric.
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

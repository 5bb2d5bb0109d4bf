//! Figures that a mail has once more because it quotes them.

use super::ReadFile;
use super::items::Item;
use crate::observation::Observation;
use crate::structure::heading;
use std::collections::BTreeMap;

/// Digits of a figure that two measurements do not have by chance.
const MIN_DIGITS: usize = 5;

/// Sides with the same figures that are remembered: each figure is compared with all of them.
const MAX_SIDES: usize = 16;

/// Figures of the text before.
struct Seen<'a> {
    /// Their message, and the levels of their quotation.
    place: (u32, u32),
    block: usize,
    side: Option<&'a str>,
}

/// Removes figures that a mail quotes from another place of the same file. Figures below the name
/// of another side are measured by chance with the same result.
pub fn without_quotations<'a>(files: &[ReadFile], items: Vec<Item<'a>>) -> Vec<Item<'a>> {
    let message = |item: &Item| {
        let part = files[item.file].shown.parts.get(item.part);
        part.map_or(0, |part| part.message)
    };
    let place = |item: &Item| (message(item), item.quotes);
    // Most texts quote nothing, and need no comparison of figures.
    let is_quoted = |pair: &[Item]| place(&pair[0]) != place(&pair[1]) || pair[1].quotes > 0;
    if !items.windows(2).any(is_quoted) {
        return items;
    }
    let mut seen: BTreeMap<(usize, String), Vec<Seen>> = BTreeMap::new();
    let mut remaining = Vec::with_capacity(items.len());
    for item in items {
        let here = place(&item);
        let side = side_of(&item);
        let before = seen.entry((item.file, print(&item))).or_default();
        let is_same = |other: &Seen| {
            let is_elsewhere = other.place != here;
            let is_again = item.quotes > 0 && other.block != item.block && is_precise(&item);
            let is_other_side = side.is_some() && other.side.is_some() && side != other.side;
            (is_elsewhere || is_again) && !is_other_side
        };
        if before.iter().any(is_same) {
            continue;
        }
        if before.len() < MAX_SIDES && before.iter().all(|other| other.side != side) {
            before.push(Seen {
                place: here,
                block: item.block,
                side,
            });
        }
        remaining.push(item);
    }
    remaining
}

/// The figures of an item with what they are of.
fn print(item: &Item) -> String {
    let figures: Vec<String> = item
        .observations
        .iter()
        .map(|o| format!("{}={}", o.metric.key, o.value))
        .collect();
    format!("{:?} {:?} {figures:?}", item.dimensions, item.repeat)
}

/// The title of an item that names a side.
fn side_of<'a>(item: &Item<'a>) -> Option<&'a str> {
    let mut labels = item.context.headings.iter().map(|h| h.label.as_str());
    labels.rfind(|label| heading::kind(label) == heading::TitleKind::Side)
}

/// Whether all figures have so many digits that another measurement has others.
fn is_precise(item: &Item) -> bool {
    let digits = |o: &Observation| {
        let shown = format!("{}", o.value);
        let digits: String = shown.chars().filter(char::is_ascii_digit).collect();
        digits.trim_matches('0').len()
    };
    item.observations.iter().all(|o| digits(o) >= MIN_DIGITS)
}

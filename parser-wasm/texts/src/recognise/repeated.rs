//! Titles that a text has more than once: of two titles one above the other, that one is below the
//! other whose name returns below another one, too.

use crate::line::Line;
use crate::structure::heading;
use std::collections::BTreeMap;

/// Limit for the titles that are counted; a text of 64 MiB may have millions.
const MAX_TITLES: usize = 4096;

pub struct RepeatedTitles {
    /// Whether each title is there again.
    titles: BTreeMap<String, bool>,
}

impl RepeatedTitles {
    pub fn new(lines: &[Line]) -> RepeatedTitles {
        let mut titles: BTreeMap<String, bool> = BTreeMap::new();
        for (index, line) in lines.iter().enumerate() {
            let next = lines.get(index + 1).map_or("", Line::text);
            let Some((_, label)) = heading::titled(line.text(), next) else {
                continue;
            };
            if let Some(is_repeated) = titles.get_mut(label) {
                *is_repeated = true;
            } else if titles.len() < MAX_TITLES {
                titles.insert(label.to_owned(), false);
            }
        }
        titles.retain(|_, is_repeated| *is_repeated);
        RepeatedTitles { titles }
    }

    pub fn contains(&self, label: &str) -> bool {
        self.titles.contains_key(label)
    }
}

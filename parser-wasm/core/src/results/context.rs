//! The lines above a table: what it was measured with.

use super::lines::MailLine;
use super::table::NamedValue;
use crate::notes::bench::slug;
use crate::notes::labels::dimension_of;

/// Lines read above a table.
const LINES: usize = 6;
/// Words of a title; longer lines are prose.
const WORDS: usize = 10;

/// Dimensions by the lines above the line `at`, down to `floor`: `Kernel=2.6.34 iosched=cfq`, `With
/// NOOP`, `2 drives, raid0, 2.6.6`. `own` are those of the table itself, which come first.
pub fn above(lines: &[MailLine], floor: usize, at: usize, own: &[String]) -> Vec<NamedValue> {
    let mut found: Vec<NamedValue> = Vec::new();
    let (mut blank, mut titled) = (false, false);
    for line in lines[floor..at].iter().rev().take(LINES) {
        if line.is_blank() {
            if blank {
                break;
            }
            blank = true;
            continue;
        }
        if line.is_rule() || line.text.trim_start().starts_with(['#', '$']) {
            continue;
        }
        let pairs: Vec<NamedValue> = line
            .words()
            .iter()
            .filter_map(|word| assigned(word))
            .collect();
        if pairs.is_empty() {
            // A title; what is above it belongs to something else.
            if !titled && is_title(line) {
                found.splice(0..0, title(line.text, own));
            }
            if !line.text.trim_end().ends_with(':') || titled {
                break;
            }
            titled = true;
        } else {
            found.splice(0..0, pairs);
        }
    }
    let mut seen: Vec<String> = own.to_vec();
    found.retain(|named| {
        let key = named.key();
        let new = !key.is_empty() && !seen.contains(&key);
        seen.push(key);
        new
    });
    found
}

fn assigned(word: &str) -> Option<NamedValue> {
    let (name, value) = word.trim_matches([',', ';']).split_once('=')?;
    let fits = (1..=20).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !value.is_empty();
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        && !value.contains('=');
    (fits && plain).then(|| {
        NamedValue::new(
            if name.eq_ignore_ascii_case("kernel") {
                "kernel"
            } else {
                name
            },
            value,
        )
    })
}

fn is_title(line: &MailLine) -> bool {
    let text = line.text.trim();
    line.words().len() <= WORDS && !text.ends_with(['.', ',', '?', '!', ';']) && line.pipes() == 0
}

fn title(text: &str, own: &[String]) -> Vec<NamedValue> {
    let items: Vec<&str> = text
        .trim()
        .trim_end_matches(':')
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .collect();
    let mut found: Vec<NamedValue> = Vec::new();
    let mut setup: Vec<&str> = Vec::new();
    for item in &items {
        let mut known = false;
        for word in item.split_whitespace() {
            let word = word.trim_matches(['(', ')', '"', '\'']);
            if let Some(name @ ("kernel" | "scheduler")) = dimension_of(word) {
                found.push(NamedValue::new(name, word));
                known = true;
            }
        }
        // `2 threads` above a table with the column `threads`.
        let counted = item.split_whitespace().last().is_some_and(|word| {
            let stem = |key: &str| slug(key).trim_end_matches('s').to_owned();
            own.iter().any(|key| stem(key) == stem(word))
        });
        if !known && !counted {
            setup.push(item);
        }
    }
    // Without a number it is a sentence.
    if items.len() > 1
        && setup
            .iter()
            .any(|item| item.contains(|c: char| c.is_ascii_digit()))
    {
        found.push(NamedValue::new("setup", &setup.join(", ")));
    }
    found
}

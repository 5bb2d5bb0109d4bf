//! Describes in a sentence how texts were read.

use crate::quantity::NUMBER_WORDS;
use crate::sides::TableSides;
use seekscope_notes::results::{JOINT, ResultTable};
use seekscope_trace::quantity::Unit;

/// Sides, and tables, that a sentence names.
const MAX_NAMED: usize = 3;

/// How many numbers some blocks have.
#[derive(Clone, Copy, Default)]
pub struct Count {
    pub all: usize,
    pub unused: usize,
}

impl Count {
    fn words(self) -> String {
        let Count { all, unused } = self;
        match (all, unused) {
            (_, 0) => "all numbers used".to_owned(),
            (1, _) => "the number is not used".to_owned(),
            _ => format!("{unused} of {all} numbers not used"),
        }
    }
}

/// The parts of the sentence about a table.
pub struct Described {
    tool: String,
    /// `two runs, by the headings 'BFQ' and 'mq-deadline'`.
    runs: String,
    /// The one that others are compared with first.
    pub sides: Vec<String>,
}

impl Described {
    pub fn new(table: &ResultTable, sides: &TableSides) -> Described {
        let labels = labels(table);
        let runs = table.runs.len();
        let hand = match (sides.is_changed, sides.is_chosen) {
            (true, _) => ", changed by hand",
            (false, true) => ", as chosen",
            (false, false) => "",
        };
        let runs = if labels.is_empty() {
            match runs {
                1 => "one run".to_owned(),
                _ => format!("{} runs, none of which is compared", number(runs)),
            }
        } else {
            let what = if labels.len() == runs { "run" } else { "side" };
            let plural = if labels.len() == 1 { "" } else { "s" };
            let count = format!("{} {what}{plural}", number(labels.len()));
            let evidence = match &sides.kind {
                Some(_) => format!("by {} {}", sides.evidence, quoted(&labels)),
                // Outputs one below the other, and blocks with labels of a person.
                None => quoted(&labels),
            };
            format!("{count}, {evidence}")
        };
        let runs = format!("{runs}{hand}");
        Described {
            tool: table.tool.clone(),
            runs,
            sides: labels,
        }
    }

    pub fn sentence(&self, count: Count) -> String {
        format!("Read as {}; {}.", self.runs, count.words())
    }
}

/// A sentence about all tables.
pub fn sentence(tables: &[Described], count: Count) -> String {
    match tables {
        [] => String::new(),
        [table] => table.sentence(count),
        _ => {
            let mut parts: Vec<String> = tables
                .iter()
                .take(MAX_NAMED)
                .map(|table| format!("{} as {}", table.tool, table.runs))
                .collect();
            if tables.len() > MAX_NAMED {
                parts.push(format!("and {} more", tables.len() - MAX_NAMED));
            }
            let tables = number(tables.len());
            format!(
                "Read as {tables} tables: {}; {}.",
                parts.join("; "),
                count.words()
            )
        }
    }
}

/// A sentence about what was not read: parts of texts, with the bytes that were read of each, and
/// other texts completely.
pub fn unread(cut: &[(&str, usize)], omitted: usize) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    match cut {
        [] => {}
        [(path, bytes)] => parts.push(format!(
            "Only the first {} of {path} were read.",
            Unit::Bytes.write(*bytes as f64)
        )),
        [(path, bytes), ..] => parts.push(format!(
            "Only the first {} were read of each of {} texts, {path} among them.",
            Unit::Bytes.write(*bytes as f64),
            number(cut.len())
        )),
    }
    match omitted {
        0 => {}
        1 => parts.push("One more text was not read: there are too many.".to_owned()),
        _ => parts.push(format!(
            "{omitted} more texts were not read: there are too many."
        )),
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// The labels of the sides, the base first; none where nothing is compared.
fn labels(table: &ResultTable) -> Vec<String> {
    if table.evidence.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<String> = Vec::new();
    for run in &table.runs {
        let label = run.values.first().map_or("", String::as_str);
        if found.iter().all(|earlier| earlier != label) {
            found.push(label.to_owned());
        }
    }
    let base = table.base.as_ref().and_then(|base| {
        let key = base.key.split(JOINT).next()?;
        found.iter().position(|label| label == key)
    });
    if let Some(base) = base {
        found[..=base].rotate_right(1);
    }
    found
}

fn number(count: usize) -> String {
    match count
        .checked_sub(1)
        .and_then(|index| NUMBER_WORDS.get(index))
    {
        Some(word) => (*word).to_owned(),
        None => count.to_string(),
    }
}

fn quoted(labels: &[String]) -> String {
    let mut named: Vec<String> = labels
        .iter()
        .take(MAX_NAMED)
        .map(|label| format!("'{label}'"))
        .collect();
    if labels.len() > MAX_NAMED {
        named.push(format!("{} more", labels.len() - MAX_NAMED));
    }
    match named.as_slice() {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => named.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_read_is_said() {
        let said = |cut: &[(&str, usize)], omitted| unread(cut, omitted).unwrap_or_default();
        assert_eq!(said(&[], 0), "");
        assert_eq!(
            said(&[("a.txt", 8 << 20)], 0),
            "Only the first 8 MiB of a.txt were read."
        );
        assert_eq!(
            said(&[("a.txt", 8 << 20), ("b.txt", 8 << 20)], 3),
            "Only the first 8 MiB were read of each of two texts, a.txt among them. \
                3 more texts were not read: there are too many."
        );
    }
}

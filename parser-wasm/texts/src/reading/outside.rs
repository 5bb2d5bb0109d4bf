//! Lines with a rate that are in no block: a person who wrote them meant them as results.

use super::ReadingWarning;
use crate::quantity::{number_length, scale_of};
use crate::sides::ReadFile;
use crate::tables::words;

/// Words of a line; longer ones are prose, which may be about any rate.
const MAX_WORDS: usize = 8;
/// Bytes of the line that a message quotes.
const MAX_QUOTED: usize = 60;
const CODE: &str = "rate-outside";

/// A warning about the lines of a text with tables that have a rate and were not read.
pub fn warning(file: &ReadFile) -> Option<ReadingWarning> {
    let ends = file.blocks.iter().map(|block| block.lines.end);
    let last = ends.max()?;
    let mut covered = vec![false; file.shown.lines.len()];
    for block in &file.blocks {
        let lines = block.lines.start as usize..(block.lines.end as usize).min(covered.len());
        covered[lines].fill(true);
    }
    let lines = file.shown.lines.iter().zip(&covered);
    // What is behind all results is what the author says of them.
    let lines = lines.take(last as usize).filter(|(_, covered)| !**covered);
    let mut found = lines
        .map(|(line, _)| line)
        .filter(|line| has_rate(&line.text));
    let first = found.next()?;
    let others = found.count();
    let quoted = first.text.trim();
    let shown = match quoted.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}\u{2026}", &quoted[..end]),
        None => quoted.to_owned(),
    };
    let more = match others {
        0 => String::new(),
        1 => ", and one more line has one".to_owned(),
        count => format!(", and {count} more lines have one"),
    };
    Some(ReadingWarning {
        code: CODE,
        file: file.path.to_owned(),
        line: first.file_line + 1,
        message: format!(
            "A rate is in no table: `{shown}`{more}. If it is a result, write its name and a colon \
             in front of it."
        ),
    })
}

/// Whether a short line, which is no quotation, has a number of bytes or operations per second.
fn has_rate(text: &str) -> bool {
    let text = text.trim();
    let may_have = text.contains("/s") || text.contains("IOPS");
    if !may_have || text.starts_with('>') || text.split_whitespace().count() > MAX_WORDS {
        return false;
    }
    let mut parts = text.split_whitespace().peekable();
    while let Some(word) = parts.next() {
        let word = word.trim_start_matches(['(', '[', '=']);
        let length = number_length(word);
        let unit = match &word[length..] {
            _ if length == 0 => continue,
            "" | "k" | "K" | "M" => parts.peek().copied().unwrap_or(""),
            unit => unit,
        };
        let unit = unit.trim_end_matches([',', ';', '.', ')', ']']);
        let is_link = words::is_link_speed(unit);
        if !is_link && scale_of(unit).is_some_and(|scale| scale.unit.is_rate()) {
            return true;
        }
    }
    false
}

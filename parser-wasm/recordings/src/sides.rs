//! Names of recordings as those of outputs of a benchmark.
//!
//! People introduce a recording in a mail as they introduce any other output, so its name is found
//! by what finds the sides of results: the text is read as if each recording were an output
//! of `pveperf`, a program that nobody compares traces with, with a figure of its own by which it is
//! known again.

use crate::section::LineKind;
use crate::{find, name};
use seekscope_formats::text::TextLines;
use seekscope_formats::text::lines::LinePosition;
use seekscope_notes::labels;
use seekscope_texts::recognise;
use seekscope_texts::sides::{ReadFile, tables};
use seekscope_texts::transport::{self, Part, ShownLine, ShownText};
use std::convert::Infallible;

/// Key of the figure by which an output is known again.
const RATE: &str = "bench.pveperf.fsyncs";
/// Rate in the output that stands for the first recording: no disk has so many.
const FIRST_RATE: usize = 700_000_001;

/// Bytes of a text whose recordings are named: mails are much smaller.
const MAX_TEXT_BYTES: usize = 16 << 20;

/// The names of the recordings in a text, where something tells them apart; `None` of those that
/// have none. Empty if it has no two recordings, is no text, or is too large.
pub fn names(path: &str, bytes: &[u8]) -> Vec<Option<String>> {
    let text = Some(bytes).filter(|bytes| bytes.len() <= MAX_TEXT_BYTES);
    let Some(shown) = text.and_then(transport::read) else {
        return Vec::new();
    };
    let plain = shown.plain();
    let read = |offset: u64, length: usize| -> Result<Vec<u8>, Infallible> {
        let rest = &plain.as_bytes()[(offset as usize).min(plain.len())..];
        Ok(rest[..length.min(rest.len())].to_vec())
    };
    let Ok(found) = find(plain.len() as u64, None, read);
    let begins: Vec<u64> = found
        .iter()
        .map(|recording| recording.bytes.start)
        .collect();
    let mut names = vec![None; found.len()];
    if found.is_empty() {
        return names;
    }
    let text = without_events(&shown, &begins);
    let blocks = recognise::blocks(path, &text);
    let file = ReadFile {
        path,
        argument: None,
        shown: text,
        blocks,
    };
    let (set, sides) = tables(&[file], &Default::default());
    for (table, _) in set
        .tables
        .iter()
        .zip(sides)
        .filter(|(_, sides)| sides.kind.is_some())
    {
        for run in &table.runs {
            let rate = run.figures.iter().find(|figure| figure.key == RATE);
            let index = rate.and_then(|rate| (rate.value as usize).checked_sub(FIRST_RATE));
            // A number says less than the file or the line that it comes from.
            let has_letters = run.label.contains(char::is_alphabetic);
            let name = index.and_then(|index| names.get_mut(index));
            if let Some(name) = name.filter(|_| has_letters || labels::is_kernel_form(&run.label)) {
                *name = name::as_part_of_path(&run.label);
            }
        }
    }
    names
}

/// The text with an output in place of the events of each recording. `begins`: the bytes at which
/// these begin in the plain text, with what is above them.
fn without_events(shown: &ShownText, begins: &[u64]) -> ShownText {
    let mut decoder = TextLines::new(None);
    let mut text = ShownText::default();
    let mut byte = 0;
    // Number of recordings that began so far, and whether their last one has had an event.
    let (mut count, mut has_events) = (0, false);
    let mut kept = Vec::with_capacity(shown.lines.len());
    for (number, line) in shown.lines.iter().enumerate() {
        while begins.get(count).is_some_and(|begin| *begin <= byte) {
            count += 1;
            has_events = false;
        }
        let position = LinePosition {
            byte,
            line: number as u64 + 1,
            ended: true,
        };
        let kind = decoder.line(line.text.as_bytes(), position);
        byte += line.text.len() as u64 + 1;
        let is_above = matches!(kind, LineKind::Blank | LineKind::Text) && !has_events;
        let is_first = matches!(kind, LineKind::Event(_)) && !has_events && count > 0;
        has_events |= is_first;
        if is_above {
            text.lines.push(line.clone());
        } else if is_first {
            let rate = FIRST_RATE + count - 1;
            for output in ["REGEX/SECOND: 3123451", &format!("FSYNCS/SECOND: {rate}")] {
                text.lines.push(ShownLine {
                    text: output.into(),
                    ..line.clone()
                });
            }
        }
        kept.push(text.lines.len());
    }
    let kept_until = |line: usize| line.checked_sub(1).map_or(0, |last| kept[last]);
    text.parts = shown
        .parts
        .iter()
        .map(|part| Part {
            lines: kept_until(part.lines.start)..kept_until(part.lines.end),
            ..part.clone()
        })
        .collect();
    text
}

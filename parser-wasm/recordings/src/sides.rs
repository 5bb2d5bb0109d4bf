//! Names of recordings as those of outputs of a benchmark.
//!
//! People introduce a recording in a mail as they introduce any other output, so its name is found
//! by what finds the sides of results: the text is read as if each recording were an output of
//! `pveperf`, which no mail about traces has, with a figure by which it is recognised.

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

/// Lines above a recording among which its name is looked for: all lines of a mail of megabytes
/// would take a minute.
const MAX_ABOVE: usize = 200;

/// The names of the recordings in a text, where something tells them apart; `None` of those that
/// have none. Empty if it has no two recordings, or is no text.
pub fn names(path: &str, bytes: &[u8]) -> Vec<Option<String>> {
    let Some(shown) = transport::read(bytes) else {
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

/// What becomes of a line of the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineUse {
    Dropped,
    Kept,
    /// It is the first event of the recording with this index.
    Output(usize),
}

/// The text with an output in place of the events of each recording. `begins`: the bytes at which
/// these begin in the plain text, with what is above them.
fn without_events(shown: &ShownText, begins: &[u64]) -> ShownText {
    let mut text = ShownText::default();
    // Number of lines of the new text in front of each line.
    let mut counts = Vec::with_capacity(shown.lines.len() + 1);
    for (line, line_use) in shown.lines.iter().zip(line_uses(shown, begins)) {
        counts.push(text.lines.len());
        match line_use {
            LineUse::Dropped => {}
            LineUse::Kept => text.lines.push(line.clone()),
            LineUse::Output(index) => {
                let rate = FIRST_RATE + index;
                for output in ["REGEX/SECOND: 3123451", &format!("FSYNCS/SECOND: {rate}")] {
                    text.lines.push(ShownLine {
                        text: output.into(),
                        ..line.clone()
                    });
                }
            }
        }
    }
    counts.push(text.lines.len());
    text.parts = shown
        .parts
        .iter()
        .map(|part| Part {
            lines: counts[part.lines.start]..counts[part.lines.end],
            ..part.clone()
        })
        .collect();
    text
}

/// Of each line what becomes of it: kept are some lines above each recording.
fn line_uses(shown: &ShownText, begins: &[u64]) -> Vec<LineUse> {
    let mut decoder = TextLines::new(None);
    let mut byte = 0;
    // Number of recordings that began so far, and whether the last one has had an event.
    let (mut count, mut has_events) = (0, false);
    let mut uses = Vec::with_capacity(shown.lines.len());
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
        uses.push(match kind {
            LineKind::Blank | LineKind::Text if !has_events => LineUse::Kept,
            LineKind::Event(_) if !has_events && count > 0 => LineUse::Output(count - 1),
            _ => LineUse::Dropped,
        });
        has_events |= matches!(uses.last(), Some(LineUse::Output(_)));
    }
    let mut room = 0;
    for line_use in uses.iter_mut().rev() {
        match line_use {
            LineUse::Output(_) => room = MAX_ABOVE,
            LineUse::Kept if room == 0 => *line_use = LineUse::Dropped,
            LineUse::Kept => room -= 1,
            LineUse::Dropped => {}
        }
    }
    uses
}

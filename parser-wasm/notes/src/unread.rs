//! Decides which notes may hold outputs of benchmarks. Only these are given to the reader of texts,
//! which is a module of its own: most recordings have none, and are opened without it.

use super::owners::split;
use super::{Note, NoteKind};
use rustc_hash::FxHashSet;
use seekscope_trace::sorting::SortShort;
use serde::Serialize;

/// Bytes of all notes that are searched for outputs, the shortest notes first: the reader of texts
/// takes four seconds per MiB of the worst texts, and outputs are short beside logs.
pub const MAX_SEARCHED_BYTES: usize = 2 << 20;

/// The part of a note that may hold outputs of benchmarks.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Unread {
    #[default]
    Nothing,
    All {
        bytes: usize,
    },
    /// The text without the rows of counters.
    Rest(String),
}

/// A note for the reader of texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnreadNote<'a> {
    pub index: usize,
    /// The text to read, if it is not all of the note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a str>,
}

/// Whether a text may hold outputs: any that is not known, and one with facts of the machine if it
/// also states a rate, as all benchmarks do. A text that is taken in vain costs time only.
pub fn is_likely(text: &str, is_known: bool) -> bool {
    match is_known {
        true => states_rate(text),
        false => text.contains(|c: char| c.is_ascii_digit()),
    }
}

/// `MB/s`, `kB/sec`, `op/s)`, `IOPS`; not `/sys/block`, nor `riops=max` of a control group.
fn states_rate(text: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let per_second = text.match_indices("/s").any(|(index, mark)| {
        let rest = &text[index + mark.len()..];
        let behind = rest.strip_prefix("ec").unwrap_or(rest);
        is_letter(text[..index].chars().next_back()) && !is_letter(behind.chars().next())
    });
    let is_word = |(index, word): (usize, &str)| {
        let behind = &text[index + word.len()..];
        !is_letter(text[..index].chars().next_back()) && !is_letter(behind.chars().next())
    };
    per_second || text.match_indices("IOPS").any(is_word) || text.match_indices("iops").any(is_word)
}

/// The notes that may hold outputs of benchmarks, as far as [`MAX_SEARCHED_BYTES`] reach. In a
/// folder of `seekscope-record` only the output of the command is one: the other files describe the
/// machine.
pub fn unread_notes(notes: &[Note]) -> Vec<UnreadNote<'_>> {
    let manifests = notes.iter().filter(|note| note.kind == NoteKind::Manifest);
    let folders: FxHashSet<&str> = manifests.clone().map(|note| split(&note.file).0).collect();
    let outputs: FxHashSet<String> = manifests
        .flat_map(|note| {
            let folder = split(&note.file).0;
            let path = move |item: &String| joined(folder, item);
            note.command_outputs.iter().map(path)
        })
        .collect();
    let is_of_recorder = |file: &str| {
        let mut folder = split(file).0;
        while !folders.contains(folder) {
            if folder.is_empty() {
                return false;
            }
            folder = split(folder).0;
        }
        true
    };
    let is_output = |file: &str| {
        let name = file.strip_suffix(".txt").unwrap_or(file);
        outputs.contains(name.strip_suffix("-err").unwrap_or(name))
    };
    let mut found = Vec::new();
    for (index, note) in notes.iter().enumerate() {
        let (bytes, text) = match &note.unread {
            Unread::Nothing => continue,
            Unread::All { bytes } => (*bytes, None),
            Unread::Rest(text) => (text.len(), Some(text.as_str())),
        };
        if !is_of_recorder(&note.file) || is_output(&note.file) {
            found.push((bytes, UnreadNote { index, text }));
        }
    }
    searched(found)
}

/// The shortest notes that take at most [`MAX_SEARCHED_BYTES`] together, in the order of the notes.
fn searched(mut notes: Vec<(usize, UnreadNote<'_>)>) -> Vec<UnreadNote<'_>> {
    notes.sort_short_by(|(a, _), (b, _)| a.cmp(b));
    let mut left = MAX_SEARCHED_BYTES;
    let mut found: Vec<UnreadNote> = (notes.into_iter())
        .map_while(|(bytes, note)| {
            left = left.checked_sub(bytes)?;
            Some(note)
        })
        .collect();
    found.sort_short_by(|a, b| a.index.cmp(&b.index));
    found
}

fn joined(folder: &str, item: &str) -> String {
    match folder {
        "" => item.to_owned(),
        _ => format!("{folder}/{item}"),
    }
}

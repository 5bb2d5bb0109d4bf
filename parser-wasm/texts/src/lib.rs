//! Reads what people write about measurements: mails, tables and outputs of benchmarks.
//!
//! A pipeline of five stages. [`transport`] makes the lines that a person sees of the bytes,
//! [`structure`] finds what surrounds blocks, [`recognise`] lets [`readers`] and [`tables`] take
//! what they understand, [`sides`] decides what is compared with what, and the tables of
//! `seekscope_notes::results` are the result. No figure is without its line.

mod columns;
pub mod file_name;
pub mod json;
pub mod line;
pub mod nearest;
pub mod notes;
pub mod observation;
pub mod problems;
pub mod quantity;
pub mod readers;
pub mod reading;
pub mod recognise;
pub mod sides;
pub mod structure;
pub mod tables;
pub mod transport;

use reading::Reading;
use seekscope_notes::results::ResultSet;
use sides::ReadFile;
use sides::choices::Choices;

seekscope_trace::protocol_types![Choices, Reading, ResultSet];

/// A text that may contain results.
#[derive(Clone, Copy, Debug)]
pub struct TextInput<'a> {
    pub path: &'a str,
    /// Number of the argument of the command that led to it.
    pub argument: Option<usize>,
    pub bytes: &'a [u8],
}

/// Reads all results in some texts, in tables of runs that can be compared.
pub fn read(inputs: &[TextInput]) -> ResultSet {
    read_with(inputs, &Choices::default()).0
}

/// The same as a person wants it read, and how it was read.
pub fn read_with(inputs: &[TextInput], choices: &Choices) -> (ResultSet, Reading) {
    let files: Vec<ReadFile> = inputs
        .iter()
        .map(|input| {
            let shown = transport::read(input.bytes).unwrap_or_default();
            let blocks = recognise::blocks(input.path, &shown);
            ReadFile {
                path: input.path,
                argument: input.argument,
                shown,
                blocks,
            }
        })
        .collect();
    let (set, sides) = sides::tables(&files, choices);
    let reading = Reading::new(&files, &set, &sides, choices);
    (set, reading)
}

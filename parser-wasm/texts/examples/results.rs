//! Prints the tables of some files and folders as JSON, with their cells and how they were read:
//! for the corpus of tests.

use seekscope_notes::results::Arrangement;
use seekscope_texts::sides::choices::Choices;
use seekscope_texts::{TextInput, read_with};
use std::path::Path;

fn add(path: &Path, argument: usize, found: &mut Vec<(String, usize, Vec<u8>)>) {
    if path.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(path)
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path())
            .collect();
        entries.sort();
        for entry in entries {
            add(&entry, argument, found);
        }
    } else if let Ok(bytes) = std::fs::read(path) {
        found.push((path.to_string_lossy().into_owned(), argument, bytes));
    }
}

fn main() {
    let mut files = Vec::new();
    for (index, argument) in std::env::args().skip(1).enumerate() {
        add(Path::new(&argument), index, &mut files);
    }
    let inputs: Vec<TextInput> = files
        .iter()
        .map(|(path, argument, bytes)| TextInput {
            path,
            argument: Some(*argument),
            bytes,
        })
        .collect();
    let (set, reading) = read_with(&inputs, &Choices::default());
    let tables: Vec<serde_json::Value> = set
        .tables
        .iter()
        .map(|table| {
            let mut value = serde_json::to_value(table).unwrap_or_default();
            let cells = serde_json::to_value(Arrangement::new(table)).unwrap_or_default();
            if let (Some(value), Some(cells)) = (value.as_object_mut(), cells.as_object()) {
                value.extend(cells.clone());
            }
            value
        })
        .collect();
    let printed = serde_json::json!({
        "results": { "tables": tables },
        "sentence": reading.sentence,
        "warnings": reading.warnings,
    });
    println!("{printed}");
}

//! Texts of `tests/reports-not`, which are no results: none of them gives a table. A false reading
//! is worse than a refusal.

use seekscope_texts::{TextInput, read};
use std::fs;
use std::path::Path;

const MARK: &str = "=====8<===== ";
/// Texts that the folder has at least.
const MIN_TEXTS: usize = 200;

/// Name and text of all parts of all files.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reports-not");
    let mut found: Vec<(String, String)> = Vec::new();
    for entry in fs::read_dir(root).expect("the texts").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != "txt") {
            continue;
        }
        for line in fs::read_to_string(path).expect("a file").lines() {
            match line.strip_prefix(MARK) {
                Some(name) => found.push((name.to_owned(), String::new())),
                None => {
                    let (_, text) = found.last_mut().expect("a file begins with a mark");
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    found
}

/// The same text as another machine would print it: the last digit of each number is another one.
fn with_other_numbers(text: &str) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let last = letters.peek().is_none_or(|next| !next.is_ascii_digit());
        match letter.to_digit(10).filter(|_| last) {
            Some(digit) => changed.push(char::from_digit(digit % 9 + 1, 10).unwrap_or('1')),
            None => changed.push(letter),
        }
    }
    changed
}

fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
    format!("On Friday the tester wrote:\n{}\n", lines.join("\n"))
}

/// What is read of files that are the sides of a comparison.
fn titles(files: &[&str]) -> Vec<String> {
    let inputs: Vec<TextInput> = files
        .iter()
        .zip(["old.txt", "new.txt"])
        .enumerate()
        .map(|(index, (text, path))| TextInput {
            path,
            argument: Some(index),
            bytes: text.as_bytes(),
        })
        .collect();
    let tables = read(&inputs).tables;
    tables.into_iter().map(|table| table.title).collect()
}

#[test]
fn texts_that_are_no_results_give_no_table() {
    let texts = texts();
    assert!(texts.len() >= MIN_TEXTS, "{} texts", texts.len());
    let mut read = Vec::new();
    for (name, text) in &texts {
        let other = with_other_numbers(text);
        let sections = format!("Before:\n\n{text}\nAfter:\n\n{other}");
        for (form, files) in [
            ("alone", vec![text.as_str()]),
            ("two files", vec![text, &other]),
            ("two sections", vec![&sections]),
            ("quoted", vec![&quoted(text)]),
        ] {
            let found = titles(&files);
            if !found.is_empty() {
                read.push(format!("{name}, {form}: {found:?}"));
            }
        }
    }
    assert!(read.is_empty(), "{}", read.join("\n"));
}

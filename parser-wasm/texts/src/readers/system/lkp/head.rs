//! Reads the lines above the rows: parameters of the test, commits, names of columns.

use super::row::is_failures;
use crate::observation::NamedValue;
use crate::recognise::Cursor;

/// Limit for the commits of a table.
const MAX_COMMITS: usize = 12;
/// Lines above the rows, beyond those of commits.
const MAX_LINES: usize = 24;

#[derive(Default)]
pub struct Head {
    /// Offset of the first row.
    pub end: usize,
    /// The commits as they are above the columns.
    pub commits: Vec<String>,
    /// The parameters of the test, by name.
    pub parameters: Vec<NamedValue>,
    /// The subjects of the commits.
    pub subjects: Vec<NamedValue>,
}

impl Head {
    pub fn read(cursor: Cursor) -> Option<Head> {
        let first = cursor.text(0).trim_end();
        let begins = is_double_rule(first)
            || is_parameter_names(first)
            || is_commit_title(first)
            || columns(first).is_some() && is_dashes(cursor.text(1))
            || is_rule_of_columns(first);
        if !begins || is_double_rule(first) && is_double_rule(cursor.text(1)) {
            return None;
        }
        let mut head = Head::default();
        let mut listed: Vec<&str> = Vec::new();
        let (mut offset, mut changes) = (0, 0);
        while offset < MAX_LINES + MAX_COMMITS {
            let text = cursor.line(offset)?.text().trim_end();
            if text.contains("%change") && text.contains("%stddev") {
                changes = text.matches("%change").count();
                break;
            }
            let next = cursor.text(offset + 1);
            if is_parameter_names(text) {
                head.parameters = parameters(text, next);
                offset += usize::from(!text.contains(": "));
            } else if is_commit_title(text) {
                while let Some((commit, subject)) = commit_line(cursor.text(offset + 1)) {
                    if listed.len() >= MAX_COMMITS {
                        return None;
                    }
                    listed.push(commit);
                    if !subject.is_empty() {
                        head.subjects.push(NamedValue::new(commit, subject));
                    }
                    offset += 1;
                }
            } else if let Some(found) = columns(text).filter(|_| is_dashes(next)) {
                head.commits = found;
            } else if !text.is_empty()
                && !is_double_rule(text)
                && !is_dashes(text)
                && !is_rule_of_columns(text)
                && !is_failures(text)
            {
                return None;
            }
            offset += 1;
        }
        if changes == 0 {
            return None;
        }
        if head.commits.is_empty() {
            head.commits = listed.iter().map(|commit| (*commit).to_owned()).collect();
        }
        // If a table begins at its columns, nothing shows which commits they are.
        if head.commits.is_empty() {
            head.commits = (0..=changes).map(|n| format!("commit {}", n + 1)).collect();
        }
        offset += 1;
        while is_rule_of_columns(cursor.text(offset)) {
            offset += 1;
        }
        head.end = offset;
        (head.commits.len() == changes + 1).then_some(head)
    }
}

/// Whether a line is a rule over the complete table: `=====...`.
fn is_double_rule(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|b| b == b'=')
}

/// Whether a line is a rule over columns: `---------------- ---------------------------`.
pub fn is_dashes(text: &str) -> bool {
    let text = text.trim();
    text.len() >= 8 && text.bytes().all(|b| matches!(b, b'-' | b' '))
}

/// Lines between the names of columns and the rows: `|  |`, `\ | \`, `fail:runs`, `%stddev`.
pub fn is_rule_of_columns(text: &str) -> bool {
    let mut words = text.split_whitespace().peekable();
    words.peek().is_some()
        && words.all(|word| {
            matches!(
                word,
                "|" | "\\" | "%stddev" | "%change" | "change" | "fail:runs" | "%reproduction"
            )
        })
}

/// `compiler/disk/fs/testcase:`, and the older form with its values in the same line.
fn is_parameter_names(text: &str) -> bool {
    let Some((names, _)) = text.split_once(':') else {
        return false;
    };
    let plain = |name: &str| {
        !name.is_empty()
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
    };
    let is_test_name =
        |name: &str| matches!(name, "testcase" | "tbox_group" | "testbox" | "testparams");
    names.contains('/') && names.split('/').all(plain) && names.split('/').any(is_test_name)
}

fn parameters(text: &str, next: &str) -> Vec<NamedValue> {
    let Some((names, rest)) = text.split_once(':') else {
        return Vec::new();
    };
    let values = if rest.trim().is_empty() { next } else { rest }.trim();
    let names: Vec<&str> = names.split('/').collect();
    let parts: Vec<&str> = values.split('/').collect();
    if names.len() != parts.len() {
        return vec![NamedValue::new("setup", values)];
    }
    names
        .iter()
        .zip(parts)
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| NamedValue::new(name, value))
        .collect()
}

fn is_commit_title(text: &str) -> bool {
    text.trim() == "commit:"
}

/// `  4eb559dd15 ("Merge tag block-6.1")`, `  v4.8-rc1`: the commit and its subject.
fn commit_line(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let (commit, rest) = text.split_once(' ').unwrap_or((text, ""));
    let rest = rest.trim();
    let framed = rest.is_empty() || rest.starts_with('(');
    let subject = rest.trim_matches(['(', ')', '"']);
    (is_commit(commit) && framed).then_some((commit, subject))
}

/// A hash, a tag, or what the table calls its sides.
fn is_commit(word: &str) -> bool {
    let hash = word.len() >= 7 && word.bytes().all(|b| b.is_ascii_hexdigit());
    let tag = word.starts_with('v') && word[1..].starts_with(|c: char| c.is_ascii_digit());
    hash || tag || matches!(word, "base" | "parent" | "head" | "patched")
}

/// The commits above the columns; `(base)` may be behind one.
pub fn columns(text: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !matches!(*word, "(base)" | "(head)"))
        .take(MAX_COMMITS + 1)
        .collect();
    let valid = (2..=MAX_COMMITS).contains(&words.len()) && words.iter().all(|w| is_commit(w));
    valid.then(|| words.iter().map(|word| (*word).to_owned()).collect())
}

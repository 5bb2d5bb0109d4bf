//! A type name has one meaning in the workspace.

use super::sources::{ENGINE, sources};
use std::collections::BTreeMap;

/// Names that several files may define, with the reason.
const ALLOWED: [(&str, &str); 0] = [];

#[test]
fn no_type_name_is_defined_twice() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let folders = ENGINE.iter().chain(&["unpack", "wasm"]);
    let folders: Vec<String> = folders.map(|name| format!("{name}/src")).collect();
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    for source in sources(&folders) {
        for name in source.code.lines().filter_map(defined) {
            found
                .entry(name.to_owned())
                .or_default()
                .push(source.path.clone());
        }
    }
    assert!(found.len() > 300, "only {} types found", found.len());
    let twice: BTreeMap<_, _> = found
        .into_iter()
        .filter(|(_, paths)| paths.len() > 1)
        .collect();
    let unexpected: BTreeMap<_, _> = twice
        .iter()
        .filter(|(name, _)| ALLOWED.iter().all(|a| a.0 != **name))
        .collect();
    assert!(unexpected.is_empty(), "defined twice: {unexpected:#?}");
    for (name, reason) in ALLOWED {
        assert!(
            twice.contains_key(name),
            "{name} is unique now: remove it from the list ({reason})"
        );
    }
}

/// The name of the type that a line defines. Indented `type` lines belong to an implementation.
fn defined(line: &str) -> Option<&str> {
    let indented = line.starts_with(' ');
    let line = line.trim_start();
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let (keyword, rest) = line.split_once(' ')?;
    let defines = matches!(keyword, "struct" | "enum" | "trait" | "union")
        || (keyword == "type" && !indented);
    let end = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    (defines && rest.starts_with(char::is_uppercase)).then(|| &rest[..end])
}

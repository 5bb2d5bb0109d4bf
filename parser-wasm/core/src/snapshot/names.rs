//! Removes process and file names from `info`, `summary` and `digest`.

use crate::compare::helps;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Replaces process names by their alias, else by `pid 1`. Kernel threads keep their names: a comparison recognizes them by name.
pub fn strip_processes(part: &mut Json, aliases: &BTreeMap<String, String>) {
    let is_named = |p: &&mut Json| !p["name"].as_str().is_some_and(helps);
    for process in list(part, "processes").filter(is_named) {
        let alias = process["name"].as_str().and_then(|name| aliases.get(name)).cloned();
        let pid = process["pid"].as_u64().unwrap_or_default();
        process["name"] = json!(alias.unwrap_or_else(|| format!("pid {pid}")));
    }
}

/// Replaces file names by numbers.
pub fn strip_files(part: &mut Json) {
    // A label is guessed from file and folder names.
    for name in ["name", "label"] {
        if part.get(name).is_some() {
            part[name] = json!("trace");
        }
    }
    for (i, file) in list(part, "files").enumerate() {
        file["name"] = json!(format!("file {}", i + 1));
    }
    if let Some(quality) = part.get_mut("quality") {
        for warning in list(quality, "warnings") {
            if let Some(warning) = warning.as_object_mut() {
                warning.remove("at");
            }
        }
    }
}

fn list<'a>(part: &'a mut Json, name: &str) -> impl Iterator<Item = &'a mut Json> {
    part.get_mut(name).and_then(Json::as_array_mut).into_iter().flatten()
}

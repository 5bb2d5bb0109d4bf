//! Takes names of processes and files out of what a trace says of itself: `info`, `summary` or `digest`.

use serde_json::{Value as Json, json};

/// Processes become `pid 1`.
pub fn strip_processes(part: &mut Json) {
    for process in list(part, "processes") {
        let pid = process["pid"].as_u64().unwrap_or_default();
        process["name"] = json!(format!("pid {pid}"));
    }
}

/// Files are counted.
pub fn strip_files(part: &mut Json) {
    if part.get("name").is_some() {
        part["name"] = json!("trace");
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

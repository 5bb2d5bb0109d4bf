//! Removes process and file names from `info`, `summary`, `digest` and findings.

use seekscope_compare::{GROUP_ALIAS, helps};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Replaces process names by their alias, else by `pid 1`. Kernel threads keep their names: a
/// comparison recognizes them by name.
pub fn strip_processes(part: &mut Json, aliases: &BTreeMap<String, String>) {
    let strip = |pid: &Json, name: &mut Json| {
        if !name.as_str().is_some_and(helps) {
            let alias = name.as_str().and_then(|name| aliases.get(name)).cloned();
            *name =
                json!(alias.unwrap_or_else(|| format!("pid {}", pid.as_u64().unwrap_or_default())));
        }
    };
    if let Some(info) = part.as_object_mut() {
        info.remove("writers");
    }
    for process in list(part, "processes") {
        let pid = process["pid"].clone();
        strip(&pid, &mut process["name"]);
    }
    for device in list(part, "devices") {
        if let Some(submitters) = device.get_mut("submitters") {
            for submitter in list(submitters, "top") {
                let pid = submitter["pid"].clone();
                strip(&pid, &mut submitter["name"]);
            }
        }
        if let Some(objects) = device.get_mut("objects") {
            for object in list(objects, "top").filter_map(Json::as_object_mut) {
                object.remove("writers");
            }
        }
        if let Some(failed) = device.get_mut("failed") {
            for process in list(failed, "by_process") {
                let pid = process["pid"].clone();
                strip(&pid, &mut process["name"]);
            }
        }
        if let Some(tail) = device.get_mut("tail") {
            for (list_of, name) in [("slowest", "process"), ("served", "name")] {
                for entry in list(tail, list_of).filter(|entry| entry.get(name).is_some()) {
                    let pid = entry["pid"].clone();
                    strip(&pid, &mut entry[name]);
                }
            }
        }
        if let Some(throttled) = device.get_mut("throttled") {
            // Each entry is thread id, name and number of bios.
            for process in list(throttled, "processes").filter_map(Json::as_array_mut) {
                if let [pid, name, ..] = process.as_mut_slice() {
                    strip(pid, name);
                }
            }
            // The paths of groups are names; their ids stay.
            list(throttled, "groups")
                .filter(|group| is_path(&group[0]))
                .for_each(|group| group[0] = json!(GROUP_ALIAS));
        }
    }
}

fn is_path(name: &Json) -> bool {
    name.as_str().is_some_and(|name| name.starts_with('/'))
}

/// Replaces process names in the findings of a comparison. `processes` are those of the digest of a
/// run, without names; absent where names are kept.
pub fn strip_findings<'a>(comparison: &mut Json, processes: &dyn Fn(usize) -> Option<&'a Json>) {
    for finding in list(comparison, "findings") {
        let Some(processes) = finding["evidence"]["run"]
            .as_u64()
            .and_then(|run| processes(run as usize))
        else {
            continue;
        };
        let mut replaced: Vec<(String, String)> = Vec::new();
        strip_objects(finding);
        for who in list(finding, "who") {
            if is_path(&who["name"]) {
                who["name"] = json!(GROUP_ALIAS);
            }
            if who["kind"] == "process"
                && let Some((old, pid)) = who["name"].as_str().and_then(with_pid)
            {
                let has_pid = |process: &&Json| process["pid"] == pid;
                let alias = processes
                    .as_array()
                    .and_then(|all| all.iter().find(has_pid))
                    .and_then(|process| process["name"].as_str());
                let plain = format!("pid {pid}");
                let new = alias
                    .filter(|alias| *alias != plain)
                    .map_or_else(|| plain.clone(), |alias| format!("{alias} [{pid}]"));
                replaced.push((old.to_owned(), new.clone()));
                who["name"] = json!(new);
            }
        }
        let replace = |text: &mut Json| {
            if let Some(old) = text.as_str() {
                *text = json!(
                    replaced
                        .iter()
                        .fold(old.to_owned(), |text, (old, new)| text.replace(old, new))
                );
            }
        };
        if !replaced.is_empty() {
            finding.get_mut("sentence").map(replace);
            for sentence in SENTENCES {
                list(finding, sentence).for_each(replace);
            }
        }
    }
}

/// Removes the names of files, and of the tasks that wrote them, from a finding.
fn strip_objects(finding: &mut Json) {
    let names_objects = |share: &Json| share["of"] == "objects" || share["of"] == "writers";
    if list(finding, "who").any(|share| names_objects(share)) {
        if let Some(who) = finding.get_mut("who").and_then(Json::as_array_mut) {
            who.retain(|share| !names_objects(share));
        }
        // Its words are made anew from what is left.
        finding.as_object_mut().map(|fields| fields.remove("focus"));
    }
    let is_foreign = finding["code"] == "written-by-others";
    let strip = |text: &mut Json| {
        if let Some(old) = text.as_str() {
            *text = json!(without_names(old, is_foreign));
        }
    };
    if OBJECT_FINDINGS.iter().any(|code| finding["code"] == *code) {
        finding.get_mut("sentence").map(strip);
        // `focus` is gone where it named objects; a slash in what is left begins no path.
        for sentence in ["parts", "effect"] {
            list(finding, sentence).for_each(strip);
        }
    }
}

/// The sentences of a finding in parts. Whoever adds one adds it here: it may have names.
const SENTENCES: [&str; 3] = ["parts", "effect", "focus"];

/// The findings whose sentences name a file, or a task that wrote one.
const OBJECT_FINDINGS: [&str; 4] = [
    "file-fragmented",
    "placed-elsewhere",
    "written-by-others",
    "same-file-serialised",
];
/// What stands behind a file or a task in these sentences.
const BEHIND: [&str; 4] = [" lies in", ", which has", " wrote ", ", but only"];

/// A text of such a sentence with `a file` or `a task` in place of the name.
fn without_names(text: &str, is_foreign: bool) -> String {
    let end = BEHIND.iter().filter_map(|behind| text.find(behind)).min();
    let end = end.unwrap_or(text.len());
    let begin = match is_foreign {
        true => text[..end].rfind(": ").map(|colon| colon + 2),
        false => text[..end].find('/'),
    };
    match begin {
        Some(begin) if is_foreign && end < text.len() => {
            format!("{}a task{}", &text[..begin], &text[end..])
        }
        Some(begin) if !is_foreign => format!("{}a file{}", &text[..begin], &text[end..]),
        _ => text.to_owned(),
    }
}

/// Splits `dd [101]` into the name and the thread id.
fn with_pid(name: &str) -> Option<(&str, u64)> {
    let pid = name.strip_suffix(']')?.rsplit_once(" [")?.1.parse().ok()?;
    Some((name, pid))
}

/// Leaves out the requests of tails, whose rows a snapshot does not have, and, unless they are
/// included, process names.
pub fn shorten_tails(summary: &mut Json, names: bool) {
    for device in list(summary, "devices").filter_map(Json::as_object_mut) {
        let Some(tail) = device.get_mut("tail").and_then(Json::as_object_mut) else {
            continue;
        };
        tail.insert("slowest".to_owned(), json!([]));
        if !names {
            tail.remove("served");
        }
    }
}

/// Replaces the names of files by their alias, else by numbers after those of the aliases.
pub fn strip_files(part: &mut Json, aliases: &BTreeMap<String, String>) {
    let strip = |i: usize, object: &mut Json| {
        if object["kind"] == "file" {
            let alias = object["name"]
                .as_str()
                .and_then(|name| aliases.get(name))
                .cloned();
            let number = aliases.len() + i + 1;
            object["name"] = json!(alias.unwrap_or_else(|| format!("file {number}")));
        }
    };
    // A label is guessed from file and folder names.
    for name in ["name", "label"] {
        if part.get(name).is_some() {
            part[name] = json!("trace");
        }
    }
    for (i, file) in list(part, "files").enumerate() {
        file["name"] = json!(format!("file {}", i + 1));
    }
    for objects in list(part, "devices").filter_map(|device| device.get_mut("objects")) {
        for (i, object) in list(objects, "top").enumerate() {
            strip(i, object);
        }
    }
    for (i, object) in list(part, "objects").enumerate() {
        strip(i, object);
    }
    if let Some(quality) = part.get_mut("quality") {
        for warning in list(quality, "warnings") {
            if let Some(warning) = warning.as_object_mut() {
                warning.remove("at");
            }
        }
    }
}

pub fn list<'a>(part: &'a mut Json, name: &str) -> impl Iterator<Item = &'a mut Json> {
    part.get_mut(name)
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_process_name_is_left() {
        let aliases = BTreeMap::from([("secret".to_owned(), "task 1".to_owned())]);
        let mut digest = json!({
            "processes": [{ "pid": 7, "name": "secret" }, { "pid": 8, "name": "other secret" }, { "pid": 9, "name": "kworker/0:1" }],
            "devices": [{
                "tail": {
                    "slowest": [{ "pid": 7, "process": "secret" }, { "ns": 1 }],
                    "served": [{ "pid": 8, "name": "other secret" }],
                },
                "failed": { "by_process": [{ "pid": 8, "name": "other secret", "requests": 1 }] },
                "submitters": { "top": [{ "pid": 7, "name": "secret" }, { "pid": 8, "name": "other secret" }] },
                "throttled": { "groups": [["/secret.slice", 3], ["cgroup 42", 1]], "processes": [[7, "secret", 4]] },
            }],
        });
        strip_processes(&mut digest, &aliases);
        assert!(!digest.to_string().contains("secret"), "{digest}");
        assert_eq!(
            digest["devices"][0]["throttled"]["groups"],
            json!([["cgroup", 3], ["cgroup 42", 1]])
        );
        let mut document = json!({ "findings": [{
            "sentence": "B: secret [7] did 70% of the requests; kworker/0:1 [9]",
            "parts": [{ "side": 1 }, ": secret [7] did", { "value": 0.7 }],
            "effect": [{ "side": 1 }, ": secret [7] did"],
            "focus": ["secret [7]"],
            "evidence": { "run": 1 },
            "who": [
                { "kind": "process", "name": "secret [7]" },
                { "kind": "process", "name": "other secret [8]" },
                { "kind": "process", "name": "kworker/0:1 [9]" },
                { "kind": "cgroup", "name": "/secret.slice" },
                { "kind": "partition", "name": "vda1" },
            ],
        }] });
        let unchanged = document.clone();
        strip_findings(&mut document, &|_| None);
        assert_eq!(document, unchanged, "names are included");
        strip_findings(&mut document, &|run| {
            (run == 1).then_some(&digest["processes"])
        });
        assert!(!document.to_string().contains("secret"), "{document}");
        assert_eq!(
            document["findings"][0]["sentence"],
            "B: task 1 [7] did 70% of the requests; kworker/0:1 [9]"
        );
        assert_eq!(document["findings"][0]["who"][1]["name"], "pid 8");
    }

    #[test]
    fn a_file_has_the_same_alias_everywhere() {
        let file = |name: &str| json!({ "kind": "file", "name": name });
        let aliases = BTreeMap::from([("/secret/a".to_owned(), "file 7".to_owned())]);
        let journal = json!({ "kind": "journal", "name": "journal" });
        let mut digest =
            json!({ "devices": [{ "objects": { "top": [journal, file("/secret/a")] } }] });
        let mut info = json!({ "objects": [file("/secret/a"), file("/secret/b")] });
        strip_files(&mut digest, &aliases);
        strip_files(&mut info, &aliases);
        assert_eq!(
            digest["devices"][0]["objects"]["top"],
            json!([journal, file("file 7")])
        );
        assert_eq!(info["objects"], json!([file("file 7"), file("file 3")]));
    }

    #[test]
    fn findings_name_no_files_and_no_tasks_that_wrote_them() {
        let finding = |code: &str, sentence: &str| {
            let who = json!([
                { "kind": "object", "name": "/secret/a b.db", "of": "objects" },
                { "kind": "process", "name": "secret | secret2", "of": "writers" },
            ]);
            let (parts, focus) = (json!([{ "side": 1 }, sentence]), json!(["secret"]));
            json!({ "code": code, "sentence": format!("B{sentence}"), "parts": parts,
                "effect": parts, "focus": focus, "evidence": { "run": 1 }, "who": who })
        };
        let mut document = json!({ "findings": [
            finding("file-fragmented", ": /secret/a b.db lies in 9 extents"),
            finding("placed-elsewhere", ": /secret/a b.db, which has 5% of"),
            finding("placed-elsewhere", ": the journal, which has 5% of"),
            finding("written-by-others", ": secret wrote 4 MiB"),
            finding("same-file-serialised", ": 4 processes use /secret/a b.db, but only 1"),
        ] });
        let processes = json!([]);
        strip_findings(&mut document, &|_| Some(&processes));
        assert!(!document.to_string().contains("secret"), "{document}");
        let sentence = |i: usize| document["findings"][i]["sentence"].as_str().unwrap();
        assert_eq!(sentence(0), "B: a file lies in 9 extents");
        assert_eq!(sentence(2), "B: the journal, which has 5% of");
        assert_eq!(sentence(3), "B: a task wrote 4 MiB");
        let focus = json!(["at 1.20 MB/s, between 1 s and 2 s"]);
        let mut document = json!({ "findings": [{ "code": "file-fragmented", "focus": focus,
            "evidence": { "run": 1 } }] });
        strip_findings(&mut document, &|_| Some(&processes));
        assert_eq!(document["findings"][0]["focus"], focus);
    }
}

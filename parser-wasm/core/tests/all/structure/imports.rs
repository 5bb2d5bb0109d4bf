//! The table of modules that each top-level module of the crate may use. Test code is exempt.

use super::sources::{Source, sources};
use std::collections::{BTreeMap, BTreeSet};

/// Module, the modules that it uses, and the reason for uses that are not evident. A module uses
/// only modules above it, so there is no circle.
const TABLE: [(&str, &[&str], &str); 31] = [
    ("calendar", &[], ""),
    ("kinds", &[], ""),
    ("errno", &[], ""),
    ("event", &[], ""),
    ("capabilities", &["event"], ""),
    ("driver_counts", &[], ""),
    ("limits", &[], "numbers that answers can have"),
    ("json", &[], ""),
    ("names", &[], ""),
    ("quantity", &[], ""),
    ("remedy", &[], "advice that errors and comparisons give"),
    ("protocol", &[], "names for the declarations in TypeScript"),
    ("sorting", &[], ""),
    (
        "format",
        &[
            "calendar",
            "capabilities",
            "driver_counts",
            "event",
            "kinds",
            "limits",
            "sorting",
        ],
        "headers that occur again are decoded once",
    ),
    ("order", &["event", "kinds"], ""),
    (
        "store",
        &[
            "capabilities",
            "driver_counts",
            "event",
            "kinds",
            "limits",
            "protocol",
            "sorting",
        ],
        "",
    ),
    (
        "error",
        &["format", "limits", "quantity", "remedy", "store"],
        "a problem becomes a warning of the store; formats have problems of their own",
    ),
    ("bounds", &["error", "event", "format", "limits"], ""),
    ("replay", &["event", "order", "store"], ""),
    ("plugs", &["event", "store"], ""),
    (
        "lifecycle",
        &["event", "order", "replay", "sorting", "store"],
        "order reports the sequence gaps; btt's samples need a replay",
    ),
    (
        "counters",
        &["calendar", "sorting", "store"],
        "counters of other tools become lanes of the store",
    ),
    (
        "notes",
        &["counters", "limits", "names", "protocol", "sorting"],
        "a label such as `trace` or `sda` does not identify a run",
    ),
    (
        "results",
        &["notes", "sorting"],
        "a figure of a benchmark is the same next to a trace and without one",
    ),
    (
        "intake",
        &[
            "counters", "error", "event", "format", "json", "names", "protocol", "sorting", "store",
        ],
        "whether a trace fits depends on what its rows take",
    ),
    (
        "builder",
        &[
            "bounds",
            "capabilities",
            "driver_counts",
            "error",
            "event",
            "format",
            "lifecycle",
            "limits",
            "names",
            "notes",
            "order",
            "plugs",
            "replay",
            "sorting",
            "store",
        ],
        "TraceBuilder connects the stops of the road; a note may report dropped events",
    ),
    (
        "measure",
        &["errno", "event", "limits", "protocol", "sorting", "store"],
        "failed requests are counted by error",
    ),
    (
        "report",
        &[
            "capabilities",
            "driver_counts",
            "event",
            "json",
            "lifecycle",
            "measure",
            "sorting",
            "store",
        ],
        "btt's tables need every sample of the stage times",
    ),
    (
        "compare",
        &[
            "capabilities",
            "errno",
            "event",
            "json",
            "measure",
            "notes",
            "protocol",
            "quantity",
            "remedy",
            "report",
            "results",
            "sorting",
            "store",
        ],
        "benchmarks in notes and without a trace give figures too",
    ),
    (
        "plot",
        &[
            "capabilities",
            "compare",
            "errno",
            "event",
            "json",
            "measure",
            "protocol",
            "report",
            "sorting",
            "store",
        ],
        "a trace's digest is one of its queries",
    ),
    (
        "snapshot",
        &["compare", "json", "plot", "results", "sorting", "store"],
        "lanes travel as samples",
    ),
];

#[test]
fn modules_use_only_what_the_table_lists() {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources(&["core/src"]) {
        let Some(module) = source.module() else {
            continue;
        };
        found
            .entry(module.to_owned())
            .or_default()
            .extend(uses(&source));
    }
    for (i, (module, allowed, _)) in TABLE.iter().enumerate() {
        let used = found
            .remove(*module)
            .unwrap_or_else(|| panic!("the table lists {module}, which does not exist"));
        let used: Vec<&str> = used.iter().map(String::as_str).collect();
        assert_eq!(used, *allowed, "modules used by {module}");
        let above: Vec<&str> = TABLE[..i].iter().map(|row| row.0).collect();
        assert!(
            allowed.iter().all(|name| above.contains(name)),
            "{module} must be below all that it uses"
        );
    }
    assert!(found.is_empty(), "not in the table: {:?}", found.keys());
}

/// Other top-level modules that a file names: after `crate::`, or after enough `super::` to leave
/// its own module.
fn uses(source: &Source) -> Vec<String> {
    let depth = source.depth();
    let mut names = Vec::new();
    for (index, _) in source.code.match_indices("crate::") {
        if !source.code[..index].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            names.push(&source.code[index + "crate::".len()..]);
        }
    }
    for (index, _) in source.code.match_indices("super::") {
        let inner = source.code[..index].ends_with("super::");
        let rest = source.code[index..].trim_start_matches("super::");
        let count = (source.code.len() - index - rest.len()) / "super::".len();
        if !inner && count >= depth {
            names.push(rest);
        }
    }
    let own_module = source.module();
    let names = names.into_iter().map(|rest| {
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        assert!(
            end > 0,
            "{}: one path per `use`, without braces after `crate::`",
            source.path
        );
        rest[..end].to_owned()
    });
    names
        .filter(|name| Some(name.as_str()) != own_module)
        .collect()
}

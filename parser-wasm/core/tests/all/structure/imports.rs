//! Rules about imports that the compiler does not check: it refuses circles of crates, but not of the
//! modules in one, and accepts any new dependency. Test code is exempt.

use super::sources::{Source, sources};
use std::collections::BTreeSet;

/// Crates of several modules, each below all that it uses.
const ORDER: [(&str, &[&str]); 2] = [
    (
        "trace",
        &[
            "calendar",
            "driver_counts",
            "errno",
            "event",
            "json",
            "kinds",
            "limits",
            "mail",
            "names",
            "outline",
            "protocol",
            "quantity",
            "remedy",
            "sorting",
            "capabilities",
            "order",
            "store",
            "plugs",
            "replay",
            "lifecycle",
        ],
    ),
    ("reading", &["bounds", "builder", "intake", "beside"]),
];

#[test]
fn modules_use_only_those_above_them() {
    for (name, order) in ORDER {
        let mut found = BTreeSet::new();
        for source in sources(&[&format!("{name}/src")]) {
            let Some(module) = source.module() else {
                continue;
            };
            let place = order.iter().position(|above| *above == module);
            let place = place.unwrap_or_else(|| panic!("{name}: {module} is not in the order"));
            found.insert(place);
            for used in uses(&source) {
                assert!(
                    order[..place].contains(&used.as_str()),
                    "{}: {module} must be below {used}",
                    source.path
                );
            }
        }
        assert_eq!(
            found.len(),
            order.len(),
            "{name}: modules that do not exist"
        );
    }
}

/// Modules of `seekscope-trace` that come after the formats on the way of a recording.
const AFTER_FORMATS: [&str; 5] = ["order", "store", "plugs", "replay", "lifecycle"];

#[test]
fn formats_end_at_events() {
    let formats = sources(&["formats/src"]);
    assert!(
        formats
            .iter()
            .any(|file| file.code.contains("seekscope_trace::event"))
    );
    for file in formats {
        for module in AFTER_FORMATS {
            let path = format!("seekscope_trace::{module}");
            assert!(!file.code.contains(&path), "{} uses {module}", file.path);
        }
    }
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

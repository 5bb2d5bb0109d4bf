//! No circle of files: a file that needs another one is not needed by it, however long the way.
//!
//! A `mod.rs` and the files of its folder are one thing here: it lists them, and they may use what
//! it declares. A name that a module re-exports counts as one of the file that declares it.

use super::sources::{ENGINE, Source, sources};
use std::collections::{BTreeMap, BTreeSet};

/// Circles that stay, by crate, with the reason.
const CIRCLES: [(&str, &[&str], &str); 18] = [
    (
        "formats",
        &["blktrace", "broken_bin"],
        "a broken record is told by the layout that it pretends to have",
    ),
    (
        "formats",
        &["decoder", "perfetto"],
        "the decoder of a file holds what is read as one, by the means of the others",
    ),
    (
        "formats",
        &["driver/embedded", "driver/text"],
        "an event may have the text of another one in it",
    ),
    (
        "formats",
        &["text/tables/csv", "text/tables/published"],
        "layouts of rows are one type, and each has its parser",
    ),
    (
        "formats",
        &["trace_dat/file", "trace_dat/recover"],
        "what is recovered of a damaged file is a file",
    ),
    (
        "trace",
        &["lifecycle/bios", "lifecycle/sector_table"],
        "the table of bios is tested for what a bio is",
    ),
    (
        "trace",
        &[
            "store/requests/packed_request",
            "store/requests/stored_request",
        ],
        "two forms of one row, each made of the other",
    ),
    (
        "notes",
        &["labels/date", "labels/token"],
        "a date is several tokens, and one of them",
    ),
    (
        "notes",
        &["manifest", "owners", "run"],
        "a manifest names the files of runs, and is one of their notes",
    ),
    (
        "reading",
        &["intake/distinct", "intake/group", "intake/sorter"],
        "a group is made by the sorter, and named so that it differs from the others",
    ),
    (
        "compare",
        &["findings/focus", "findings/waiting/other_process"],
        "the process beside which others wait is the focus of its finding",
    ),
    (
        "plot",
        &[
            "kept",
            "list/event_filter",
            "list/lists",
            "list/matches",
            "select",
            "series/moments",
            "series/totals",
            "view",
        ],
        "the index of a trace keeps answers that are made from its view",
    ),
    (
        "snapshot",
        &["brief", "contents", "size"],
        "a size says what of the contents is left out, and XS has a form of its own",
    ),
    (
        "texts",
        &["problems", "readers", "recognise", "tables"],
        "recognise asks the readers, and declares what they return",
    ),
    (
        "texts",
        &[
            "readers/fio/clones",
            "readers/fio/invocation",
            "readers/fio/sums",
        ],
        "an output of fio is one of several that were printed at once",
    ),
    (
        "texts",
        &["tables/aligned", "tables/grid"],
        "a table without borders becomes a grid",
    ),
    (
        "texts",
        &[
            "tables/benchmark",
            "tables/column",
            "tables/compared",
            "tables/figures",
            "tables/labels",
            "tables/roles",
            "tables/spread",
            "tables/units",
        ],
        "the role of a column depends on its figures, and they on the roles",
    ),
    (
        "unpack",
        &["kind", "meter", "problem", "tar"],
        "a tar is told by the checksum of its header",
    ),
];

#[test]
fn files_that_use_each_other_are_listed_with_a_reason() {
    let mut found: BTreeSet<(String, Vec<String>)> = BTreeSet::new();
    for name in ENGINE.iter().chain(&["texts", "unpack", "wasm"]) {
        let files = sources(&[&format!("{name}/src")]);
        let uses = Uses::new(&files);
        let circles = circles(&uses.edges()).into_iter();
        found.extend(circles.map(|circle| ((*name).to_owned(), circle)));
    }
    let listed: BTreeSet<(String, Vec<String>)> = CIRCLES
        .iter()
        .map(|(name, files, _)| {
            let files = files.iter().map(|file| (*file).to_owned()).collect();
            ((*name).to_owned(), files)
        })
        .collect();
    let unexpected: Vec<_> = found.difference(&listed).collect();
    assert!(unexpected.is_empty(), "new circles: {unexpected:#?}");
    let stale: Vec<_> = listed.difference(&found).collect();
    assert!(stale.is_empty(), "no circles any more: {stale:#?}");
}

#[test]
fn a_circle_is_found_behind_a_re_export() {
    let source = |path: &str, code: &str| Source {
        path: format!("trace/src/{path}.rs"),
        code: code.to_owned(),
    };
    let files = [
        source("lib", "pub mod a;\npub mod b;\n"),
        source("a/mod", "mod one;\npub use one::One;\n"),
        source(
            "a/one",
            "use crate::b::{Two, Three as Other};\npub struct One;\n",
        ),
        source("b", "pub fn two() -> crate::a::One {}\n"),
        source("c", "use crate::b;\n"),
    ];
    assert_eq!(circles(&Uses::new(&files).edges()), [["a/one", "b"]]);
    let open = [source("a", "use super::b::Two;\n"), source("b", "")];
    assert_eq!(circles(&Uses::new(&open).edges()), [[""; 0]; 0]);
}

/// A module or a name in one, from the root of the crate.
type Path = Vec<String>;

/// What the files of a crate name.
struct Uses {
    /// Paths that each file names, by the path of its module.
    paths: BTreeMap<Path, Vec<Path>>,
    /// What each re-exported name stands for.
    re_exports: BTreeMap<Path, Path>,
}

impl Uses {
    fn new(files: &[Source]) -> Uses {
        let modules: BTreeMap<Path, &Source> =
            files.iter().map(|file| (file.modules(), file)).collect();
        let mut uses = Uses {
            paths: BTreeMap::new(),
            re_exports: BTreeMap::new(),
        };
        for (module, file) in &modules {
            let mut paths = Vec::new();
            let (imports, rest) = imports(&file.code);
            for (is_public, path, name) in imports {
                let Some(full) = absolute(&path, module, &modules) else {
                    continue;
                };
                if is_public {
                    let exported = module.iter().cloned().chain([name]).collect();
                    uses.re_exports.insert(exported, full.clone());
                }
                paths.push(full);
            }
            let inline = paths_in(&rest).into_iter();
            paths.extend(inline.filter_map(|path| absolute(&path, module, &modules)));
            uses.paths.insert(module.clone(), paths);
        }
        uses
    }

    /// The file that declares what a path names.
    fn declaring(&self, path: &[String]) -> Option<&Path> {
        for end in (0..=path.len()).rev() {
            if let Some((module, _)) = self.paths.get_key_value(&path[..end]) {
                return Some(module);
            }
            if let Some(target) = self.re_exports.get(&path[..end])
                && target.as_slice() != path
            {
                return self.declaring(target);
            }
        }
        None
    }

    /// Files that each file uses, without the `mod.rs` above it and the files below it.
    fn edges(&self) -> BTreeMap<String, BTreeSet<String>> {
        let edges = self.paths.iter().map(|(module, paths)| {
            let used = paths
                .iter()
                .filter_map(|path| self.declaring(path))
                .filter(|used| !module.starts_with(used) && !used.starts_with(module))
                .map(|used| used.join("/"));
            (module.join("/"), used.collect())
        });
        edges.collect()
    }
}

/// The path from the root of the crate; absent for those of other crates.
fn absolute(path: &[String], module: &Path, modules: &BTreeMap<Path, &Source>) -> Option<Path> {
    let supers = path.iter().take_while(|part| *part == "super").count();
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([module, &path[1..]].concat()),
        "super" => Some(
            [
                module.get(..module.len().checked_sub(supers)?)?,
                &path[supers..],
            ]
            .concat(),
        ),
        first => {
            let child = [module.as_slice(), &[first.to_owned()]].concat();
            let is_child = modules.contains_key(&child);
            is_child.then(|| [module.as_slice(), path].concat())
        }
    }
}

/// Imported paths, whether they are exported again, and their names; and the code without imports.
fn imports(code: &str) -> (Vec<(bool, Path, String)>, String) {
    let (mut found, mut rest) = (Vec::new(), String::new());
    let mut statement: Option<(bool, String)> = None;
    for line in code.lines() {
        if statement.is_none() {
            let (visibility, tree) = match line.trim_start().split_once("use ") {
                Some(parts) if parts.0.is_empty() || parts.0.starts_with("pub") => parts,
                _ => {
                    rest += line;
                    rest.push('\n');
                    continue;
                }
            };
            statement = Some((!visibility.is_empty(), tree.to_owned()));
        } else if let Some((_, tree)) = &mut statement {
            *tree += line;
        }
        if let Some((is_public, tree)) = statement.take_if(|(_, tree)| tree.contains(';')) {
            let tree: String = tree.split(';').take(1).collect();
            leaves(&tree, &[], &mut |path, name| {
                found.push((is_public, path, name))
            });
        }
    }
    (found, rest)
}

/// Calls with each path of a tree such as `a::{b, c::{self, d as e}}`, and the name it has here.
fn leaves(tree: &str, prefix: &[String], found: &mut dyn FnMut(Path, String)) {
    let tree = tree.trim();
    let Some((head, body)) = tree.split_once('{') else {
        let (path, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
        let parts = path.split("::").map(|part| part.trim().to_owned());
        let mut path: Path = prefix.iter().cloned().chain(parts).collect();
        path.retain(|part| !part.is_empty());
        if path.len() > 1 && path.last().is_some_and(|part| part == "self") {
            path.pop();
        }
        let name = match alias.trim() {
            "" => path.last().cloned().unwrap_or_default(),
            alias => alias.to_owned(),
        };
        return found(path, name);
    };
    let parts = head.split("::").map(|part| part.trim().to_owned());
    let mut inner: Path = prefix.iter().cloned().chain(parts).collect();
    inner.retain(|part| !part.is_empty());
    let body = body.rsplit_once('}').map_or(body, |(body, _)| body);
    let (mut depth, mut start) = (0_usize, 0);
    for (index, letter) in body.char_indices().chain([(body.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = &body[start..index];
                if !part.trim().is_empty() {
                    leaves(part, &inner, found);
                }
                start = index + 1;
            }
            _ => {}
        }
    }
}

/// Paths in code that begin with `crate`, `self` or `super`.
fn paths_in(code: &str) -> Vec<Path> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = code.split(|c: char| !is_part(c));
    let paths = words.filter(|word| {
        let first = word.split("::").next().unwrap_or("");
        word.contains("::") && matches!(first, "crate" | "self" | "super")
    });
    let parts = |word: &str| {
        let parts = word.split("::").map(|part| part.trim_matches(':'));
        let parts = parts.filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    paths.map(parts).collect()
}

/// Sets of files that reach each other, sorted.
fn circles(edges: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = edges
        .keys()
        .map(|file| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![file.as_str()]);
            while let Some(next) = open.pop() {
                let used = edges.get(next).into_iter().flatten();
                open.extend(used.map(String::as_str).filter(|used| seen.insert(*used)));
            }
            (file.as_str(), seen)
        })
        .collect();
    let mut found: BTreeSet<Vec<String>> = BTreeSet::new();
    for (file, files) in reached
        .iter()
        .filter(|(file, files)| files.contains(**file))
    {
        let circle = files.iter().filter(|other| reached[**other].contains(file));
        found.insert(circle.map(|other| (*other).to_owned()).collect());
    }
    found.into_iter().collect()
}

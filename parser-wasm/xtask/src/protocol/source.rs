//! The types in the sources of the crates: what is declared where, and what a name means in a file.

use super::declared::{
    AnswerObject, Declaration, Declared, Labels, Queries, WordEnum, matched_words, returned,
    word_arms,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use syn::{Attribute, Item, Token, Type, UseTree};

/// A file with its imports.
pub struct Source {
    /// `report/src/document.rs`.
    pub path: String,
    /// `report`, `document`.
    modules: Vec<String>,
    /// What each imported name stands for: `Derive` for `serde`, `Serialize`.
    imports: BTreeMap<String, Vec<String>>,
}

/// All files.
#[derive(Default)]
pub struct Sources {
    pub files: Vec<Source>,
    declarations: BTreeMap<String, Vec<Declaration>>,
    /// What types are called in TypeScript, if not as in Rust: path of the file and name in Rust.
    aliases: BTreeMap<String, (usize, String)>,
    /// Words of enums that are written by a method, by its file and its name: variant and word.
    pub words: BTreeMap<(usize, String), Vec<(String, String)>>,
    /// Words of types that are all that a function matches, by the name of the type.
    pub matched: BTreeMap<String, Vec<String>>,
    /// Bodies of `labels!`.
    pub labels: Vec<Labels>,
    /// Bodies of `queries!`.
    pub queries: Vec<(usize, Queries)>,
    /// Bodies of `protocol_types!`.
    pub exported: Vec<(usize, Type)>,
    /// Types that functions of the WASM modules return, as TypeScript, with their file.
    pub returned: Vec<(usize, String)>,
}

/// Files without any of these have no type that crosses. They are not parsed, which halves the
/// time.
const MARKS: [&str; 10] = [
    "Serialize",
    "Deserialize",
    "pub type ",
    "serialize_as_word!",
    "answer_object!",
    "wasm_bindgen",
    "queries!",
    "protocol_types!",
    "words_of_match!",
    "labels!",
];

impl Sources {
    /// Reads the sources of crates.
    pub fn read(workspace: &Path, crates: &[&str]) -> Result<Sources, String> {
        let mut sources = Sources::default();
        for name in crates {
            sources.folder(workspace, &format!("{name}/src"))?;
        }
        Ok(sources)
    }

    fn folder(&mut self, workspace: &Path, folder: &str) -> Result<(), String> {
        let failed = |error| format!("{folder}: {error}");
        let mut entries: Vec<_> = fs::read_dir(workspace.join(folder))
            .map_err(failed)?
            .collect::<Result<_, _>>()
            .map_err(failed)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                self.folder(workspace, &path)?;
            } else if path.ends_with(".rs") {
                let text = fs::read_to_string(entry.path()).map_err(|e| format!("{path}: {e}"))?;
                if MARKS.iter().any(|mark| text.contains(mark)) {
                    self.file(&path, &text)?;
                }
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &str, text: &str) -> Result<(), String> {
        let failed = |error| format!("{path}: {error}");
        let number = self.files.len();
        let modules = path.trim_end_matches(".rs").split('/');
        let mut source = Source {
            path: path.to_owned(),
            modules: modules
                .filter(|part| !matches!(*part, "src" | "mod" | "lib"))
                .map(str::to_owned)
                .collect(),
            imports: BTreeMap::new(),
        };
        let mut methods: Vec<syn::ItemImpl> = Vec::new();
        let mut words: Vec<WordEnum> = Vec::new();
        let mut matched: Vec<WordEnum> = Vec::new();
        let mut functions: Vec<syn::ItemFn> = Vec::new();
        for item in syn::parse_file(text).map_err(failed)?.items {
            match item {
                Item::Use(item) => import(&mut source.imports, &mut Vec::new(), &item.tree),
                Item::Struct(item) => {
                    self.declare(item.ident.to_string(), number, Declared::Struct(item));
                }
                Item::Enum(item) => {
                    self.declare(item.ident.to_string(), number, Declared::Enum(item));
                }
                Item::Type(item) => {
                    self.declare(item.ident.to_string(), number, Declared::Alias(item));
                }
                Item::Impl(item) => {
                    for member in &item.items {
                        if let syn::ImplItem::Fn(method) = member {
                            self.returns(number, &method.attrs);
                        }
                    }
                    methods.push(item);
                }
                Item::Fn(item) => {
                    self.returns(number, &item.attrs);
                    functions.push(item);
                }
                Item::Macro(item) => {
                    let name = item.mac.path.segments.last().map(|s| s.ident.to_string());
                    match name.as_deref() {
                        Some("answer_object") => {
                            let object: AnswerObject = item.mac.parse_body().map_err(failed)?;
                            let name = object.name.to_string();
                            self.declare(name, number, Declared::Answer(object));
                        }
                        Some("queries") => {
                            let queries = item.mac.parse_body().map_err(failed)?;
                            self.queries.push((number, queries));
                        }
                        Some("serialize_as_word") => {
                            words.push(item.mac.parse_body().map_err(failed)?);
                        }
                        Some("words_of_match") => {
                            matched.push(item.mac.parse_body().map_err(failed)?);
                        }
                        Some("labels") => {
                            self.labels.push(item.mac.parse_body().map_err(failed)?);
                        }
                        Some("protocol_types") => {
                            let types = item.mac.parse_body_with(
                                syn::punctuated::Punctuated::<Type, Token![,]>::parse_terminated,
                            );
                            let types = types.map_err(failed)?.into_iter();
                            self.exported.extend(types.map(|name| (number, name)));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        for WordEnum(name, method) in words {
            let arms = word_arms(&methods, &name, &method)
                .ok_or_else(|| format!("{path}: {name}::{method} is not a match to texts"))?;
            self.words.insert((number, name.to_string()), arms);
        }
        for WordEnum(name, function) in matched {
            let list = matched_words(&functions, &function)
                .ok_or_else(|| format!("{path}: {function} is not a match of texts"))?;
            self.matched.insert(name.to_string(), list);
        }
        self.files.push(source);
        Ok(())
    }

    fn returns(&mut self, source: usize, attributes: &[Attribute]) {
        let types = returned(attributes).into_iter();
        self.returned.extend(types.map(|name| (source, name)));
    }

    fn declare(&mut self, name: String, source: usize, item: Declared) {
        if let Some(alias) = item.alias() {
            self.aliases.insert(alias, (source, name.clone()));
        }
        let list = self.declarations.entry(name).or_default();
        list.push(Declaration { source, item });
    }

    /// What a path of a type means in a file; `None` for types of other crates.
    pub fn find(&self, source: usize, path: &[String]) -> Result<Option<&Declaration>, String> {
        let (file, full) = (&self.files[source], self.full_path(source, path));
        let (Some(name), modules) = (full.last(), &full[..full.len() - 1]) else {
            return Ok(None);
        };
        let Some(candidates) = self.declarations.get(name) else {
            return Ok(None);
        };
        if let [only] = candidates.as_slice() {
            return Ok(Some(only));
        }
        // A name without a path is of the file itself; else the one whose path has most in common.
        let own_crate = file.modules.first().map_or("", String::as_str);
        let modules: Vec<&str> = modules
            .iter()
            .map(|module| match module.as_str() {
                "crate" => own_crate,
                name => name.strip_prefix("seekscope_").unwrap_or(name),
            })
            .collect();
        let score = |candidate: &Declaration| {
            let declared_in = &self.files[candidate.source].modules;
            let common = modules
                .iter()
                .filter(|module| declared_in.iter().any(|part| part == *module))
                .count();
            let (here, crate_root) = (candidate.source == source, declared_in.first());
            let same_crate = crate_root == file.modules.first();
            // `seekscope_core::snapshot::Snapshot` is of the crate `snapshot`: core re-exports it.
            let named_crate = crate_root.is_some_and(|root| modules.contains(&root.as_str()));
            common * 4
                + 2 * usize::from(named_crate)
                + usize::from(same_crate)
                + 100 * usize::from(here && modules.is_empty())
        };
        let best = candidates.iter().map(score).max().unwrap_or_default();
        let mut found = candidates.iter().filter(|c| score(c) == best);
        match (found.next(), found.next()) {
            (Some(only), None) => Ok(Some(only)),
            _ => Err(format!("{}: `{name}` has several meanings", file.path)),
        }
    }

    /// What a name of TypeScript means.
    pub fn find_named(&self, source: usize, name: &str) -> Result<Option<&Declaration>, String> {
        match self.aliases.get(name) {
            Some((source, target)) => self.find(*source, std::slice::from_ref(target)),
            None => self.find(source, &[name.to_owned()]),
        }
    }

    /// A path with what its first name was imported from.
    pub fn full_path(&self, source: usize, path: &[String]) -> Vec<String> {
        let imports = &self.files[source].imports;
        match path.split_first() {
            Some((first, rest)) => match imports.get(first) {
                Some(imported) => imported.iter().chain(rest).cloned().collect(),
                None => path.to_vec(),
            },
            None => Vec::new(),
        }
    }

    /// Whether a name in a file stands for one of `serde`.
    pub fn is_serde(&self, source: usize, name: &str, trait_name: &str) -> bool {
        self.files[source]
            .imports
            .get(name)
            .map_or(name == trait_name, |path| {
                path.iter().map(String::as_str).eq(["serde", trait_name])
                    || path
                        .iter()
                        .map(String::as_str)
                        .eq(["serde", "ser", trait_name])
            })
    }
}

fn import(into: &mut BTreeMap<String, Vec<String>>, path: &mut Vec<String>, tree: &UseTree) {
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            import(into, path, &part.tree);
            path.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            if let Some(last) = path.last() {
                into.insert(last.clone(), path.clone());
            }
        }
        UseTree::Name(name) => {
            let full = path.iter().cloned().chain([name.ident.to_string()]);
            into.insert(name.ident.to_string(), full.collect());
        }
        UseTree::Rename(name) => {
            let full = path.iter().cloned().chain([name.ident.to_string()]);
            into.insert(name.rename.to_string(), full.collect());
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                import(into, path, tree);
            }
        }
        UseTree::Glob(_) => {}
    }
}

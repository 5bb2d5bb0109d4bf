//! Declarations of TypeScript for types of Rust, as serde writes and reads them.

use super::attributes::{SerdeAttributes, documentation};
use super::declared::{Declaration, Declared};
use super::shapes::word_list;
use super::source::Sources;
use std::collections::{BTreeMap, BTreeSet};
use syn::{GenericArgument, PathArguments, Type};

/// Aliases whose name says more than their type, and what they are in TypeScript.
const ALIASES: [(&str, &str); 6] = [
    ("Ns", "Ns"),
    ("FloatNs", "Ns"),
    ("SectorNumber", "Sector"),
    ("FloatSector", "Sector"),
    ("ByteCount", "Bytes"),
    ("OpenEnd", "number | null"),
];
/// Types of TypeScript that stand by themselves, and where.
const IMPORTED: [(&str, &str); 3] = [
    ("Bytes", "../../lib/units"),
    ("Ns", "../../lib/units"),
    ("Sector", "../../lib/units"),
];
/// Endings of aliases of `serde_json::Value` and what they hold, with `{}` for the type before it.
const HELD: [(&str, &str); 4] = [
    ("ListJson", "readonly {}[]"),
    ("ListOrNull", "readonly {}[] | null"),
    ("Json", "{}"),
    ("OrNull", "{} | null"),
];

/// Collects the declarations of all types that are reached.
pub struct Declarations<'a> {
    pub(super) sources: &'a Sources,
    /// By name: the file and the declaration; an empty one is being made.
    declared: BTreeMap<String, (usize, String)>,
    imported: BTreeSet<&'static (&'static str, &'static str)>,
}

/// Where a type stands: of an answer, lists of numbers are typed arrays.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    Json,
    Answer,
}

impl<'a> Declarations<'a> {
    pub fn new(sources: &'a Sources) -> Declarations<'a> {
        Declarations {
            sources,
            declared: BTreeMap::new(),
            imported: BTreeSet::new(),
        }
    }

    /// The module, with `more` behind the declarations.
    pub fn module(&self, more: &str) -> String {
        let imports = self
            .imported
            .iter()
            .map(|(name, file)| format!("import type {{ {name} }} from '{file}'\n"));
        let imports: String = imports.collect();
        let all: Vec<&str> = self
            .declared
            .values()
            .map(|(_, text)| text.as_str())
            .collect();
        format!("{imports}\n{}\n{more}", all.join("\n"))
    }

    /// Declares what a text of TypeScript names.
    pub fn named(&mut self, source: usize, text: &str) -> Result<BTreeSet<String>, String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let names = words.filter(|word| word.starts_with(char::is_uppercase));
        let names: BTreeSet<String> = names.map(str::to_owned).collect();
        for name in &names {
            let found = self.sources.find_named(source, name)?;
            let missing = || format!("{}: no type `{name}`", self.sources.files[source].path);
            self.declare_found(found.ok_or_else(missing)?)?;
        }
        Ok(names)
    }

    /// A type of JSON, in the file in which it stands.
    pub fn json(&mut self, source: usize, ty: &Type) -> Result<String, String> {
        self.ty(source, ty, Place::Json)
    }

    pub(super) fn ty(&mut self, source: usize, ty: &Type, place: Place) -> Result<String, String> {
        match ty {
            Type::Reference(reference) => self.ty(source, &reference.elem, place),
            Type::Paren(inner) => self.ty(source, &inner.elem, place),
            Type::Slice(slice) => self.list(source, &slice.elem),
            Type::Tuple(tuple) => {
                let parts: Result<Vec<String>, String> = tuple
                    .elems
                    .iter()
                    .map(|part| self.json(source, part))
                    .collect();
                Ok(format!("readonly [{}]", parts?.join(", ")))
            }
            Type::Array(array) => match &array.len {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Int(length),
                    ..
                }) => {
                    let length = length.base10_parse::<usize>().map_err(|e| e.to_string())?;
                    let item = self.json(source, &array.elem)?;
                    Ok(format!("readonly [{}]", vec![item; length].join(", ")))
                }
                _ => self.list(source, &array.elem),
            },
            Type::Path(path) => self.path(source, path, place),
            _ => Err(format!(
                "{}: a type that JSON does not have",
                self.sources.files[source].path
            )),
        }
    }

    fn list(&mut self, source: usize, item: &Type) -> Result<String, String> {
        let item = self.json(source, item)?;
        Ok(if item.contains(" | ") || item.starts_with("readonly") {
            format!("readonly ({item})[]")
        } else {
            format!("readonly {item}[]")
        })
    }

    fn path(
        &mut self,
        source: usize,
        path: &syn::TypePath,
        place: Place,
    ) -> Result<String, String> {
        let segments = &path.path.segments;
        let names: Vec<String> = segments.iter().map(|s| s.ident.to_string()).collect();
        let name = names.last().map(String::as_str).unwrap_or_default();
        let arguments = segments.last().map(|s| type_arguments(&s.arguments));
        let arguments = arguments.unwrap_or_default();
        if let Some((_, named)) = ALIASES.iter().find(|(alias, _)| *alias == name) {
            self.imported
                .extend(IMPORTED.iter().filter(|(name, _)| name == named));
            return Ok((*named).to_owned());
        }
        match (name, arguments.as_slice()) {
            ("bool", _) => Ok("boolean".into()),
            (
                "NonZeroU64" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16"
                | "i32" | "i64" | "isize" | "f32" | "f64",
                _,
            ) => Ok("number".into()),
            ("String" | "str" | "char", _) => Ok("string".into()),
            ("Option", [inner]) => Ok(format!("{} | null", self.ty(source, inner, place)?)),
            ("Box" | "Rc" | "Arc" | "Cow" | "Document", [inner]) => self.json(source, inner),
            ("Vec", [inner]) if place == Place::Answer => match primitive(inner).as_deref() {
                Some("f64") => Ok("Float64Array".into()),
                Some("u32") => Ok("Uint32Array".into()),
                Some("u8") => Ok("Uint8Array".into()),
                _ => Err("a list of an answer is of f64, u32 or u8".into()),
            },
            ("Vec" | "VecDeque" | "BTreeSet", [inner]) => self.list(source, inner),
            ("BTreeMap" | "HashMap" | "OrderedMap", [key, value]) => {
                let (key, value) = (self.json(source, key)?, self.json(source, value)?);
                Ok(match key.as_str() {
                    "string" | "number" => format!("Readonly<Record<string, {value}>>"),
                    _ => format!("Readonly<Partial<Record<{key}, {value}>>>"),
                })
            }
            _ => self.declare(source, &names)?.ok_or(()).or_else(|()| {
                match self.foreign(source, &names).as_deref() {
                    Some("Value") => Ok("unknown".into()),
                    Some("Number") => Ok("number".into()),
                    Some("Map") => Ok("Readonly<Record<string, unknown>>".into()),
                    _ => Err(format!(
                        "{}: no type `{}`",
                        self.sources.files[source].path,
                        names.join("::")
                    )),
                }
            }),
        }
    }

    /// The name of a type of `serde_json`.
    fn foreign(&self, source: usize, names: &[String]) -> Option<String> {
        let full = self.sources.full_path(source, names);
        match full.as_slice() {
            [serde_json, name] if serde_json == "serde_json" => Some(name.clone()),
            _ => None,
        }
    }

    /// Declares a type and what it contains; returns its name. `None`: it is of another crate.
    fn declare(&mut self, source: usize, path: &[String]) -> Result<Option<String>, String> {
        let sources = self.sources;
        let Some(found) = sources.find(source, path)? else {
            return Ok(None);
        };
        if let (Declared::Alias(item), Some(name)) = (&found.item, path.last())
            && let Some((held, form)) = held_by(name)
            && self.json(found.source, &item.ty)? == "unknown"
        {
            let held_type = sources.find(found.source, &[held.to_owned()])?;
            let missing = || format!("no type `{held}` for `{name}`");
            let held = self.declare_found(held_type.ok_or_else(missing)?)?;
            return Ok(Some(form.replace("{}", &held)));
        }
        self.declare_found(found).map(Some)
    }

    fn declare_found(&mut self, found: &'a Declaration) -> Result<String, String> {
        let (sources, declared_name) = (self.sources, found.item.name());
        if let Declared::Struct(item) = &found.item {
            let serde = SerdeAttributes::of(&item.attrs)?;
            if let Some(other) = serde.value("into").or(serde.value("from")) {
                let other_type = sources.find(found.source, &[other.to_owned()])?;
                let missing = || format!("no type `{other}`");
                return self.declare_found(other_type.ok_or_else(missing)?);
            }
        }
        if let Some((file, _)) = self.declared.get(&declared_name) {
            return if *file == found.source {
                Ok(declared_name)
            } else {
                let files = [*file, found.source].map(|file| sources.files[file].path.as_str());
                Err(format!(
                    "`{declared_name}` of {} and of {}: rename one",
                    files[0], files[1]
                ))
            };
        }
        self.declared
            .insert(declared_name.clone(), (found.source, String::new()));
        let text = match &found.item {
            Declared::Struct(item) => self.structure(found.source, item, &declared_name),
            Declared::Enum(item) => self.enumeration(found.source, item, &declared_name),
            Declared::Answer(item) => self.answer(found.source, item, &declared_name),
            Declared::Alias(item) if sources.matched.contains_key(&declared_name) => {
                let words = sources.matched[&declared_name].iter();
                let list: Vec<_> = words.map(|word| (word.clone(), &[][..])).collect();
                Ok(word_list(
                    &documentation(&item.attrs, ""),
                    &declared_name,
                    &list,
                ))
            }
            Declared::Alias(item) => {
                let ty = self.json(found.source, &item.ty);
                ty.map(|ty| {
                    format!(
                        "{}export type {declared_name} = {ty}\n",
                        documentation(&item.attrs, "")
                    )
                })
            }
        };
        let text = text.map_err(|error| {
            let place = format!("{}: {declared_name}: ", sources.files[found.source].path);
            format!("{place}{}", error.trim_start_matches(&place))
        })?;
        self.declared
            .insert(declared_name.clone(), (found.source, text));
        Ok(declared_name)
    }
}

/// The type before an ending of [`HELD`], and what of it is held.
fn held_by(name: &str) -> Option<(&str, &'static str)> {
    HELD.iter()
        .find_map(|(ending, form)| Some((name.strip_suffix(ending)?, *form)))
}

fn type_arguments(arguments: &PathArguments) -> Vec<&Type> {
    match arguments {
        PathArguments::AngleBracketed(list) => list
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// What is in an `Option`.
pub fn option_argument(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let arguments = type_arguments(&last.arguments);
            arguments
                .first()
                .copied()
                .filter(|_| last.ident == "Option")
        }
        _ => None,
    }
}

/// The name of a type without a path.
pub fn primitive(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

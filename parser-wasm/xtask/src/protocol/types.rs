//! The types of Rust that are reached, as serde writes and reads them.

use super::attributes::{SerdeAttributes, documentation};
use super::declared::{Declaration, Declared};
use super::model::{Body, Definition, Docs, Element, Quantity, Shape, Word};
use super::source::Sources;
use std::collections::{BTreeMap, BTreeSet};
use syn::{GenericArgument, PathArguments, Type};

/// Aliases that say the unit.
const QUANTITIES: [Quantity; 5] = [
    quantity("Ns", "Ns", true, "ns"),
    quantity("FloatNs", "Ns", false, "ns"),
    quantity("SectorNumber", "Sector", true, "sectors of 512 bytes"),
    quantity("FloatSector", "Sector", false, "sectors of 512 bytes"),
    quantity("ByteCount", "Bytes", true, "bytes"),
];

const fn quantity(
    alias: &'static str,
    name: &'static str,
    integer: bool,
    unit: &'static str,
) -> Quantity {
    Quantity {
        alias,
        name,
        integer,
        unit,
    }
}

/// Collects the definitions of all types that are reached.
pub struct Types<'a> {
    pub(super) sources: &'a Sources,
    /// By name: the file and the definition; `None`: it is being made.
    defined: BTreeMap<String, (usize, Option<Definition>)>,
    quantities: BTreeSet<&'static str>,
}

/// Where a type stands: of an answer, lists of numbers are typed arrays.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    Json,
    Answer,
}

impl<'a> Types<'a> {
    pub fn new(sources: &'a Sources) -> Types<'a> {
        Types {
            sources,
            defined: BTreeMap::new(),
            quantities: BTreeSet::new(),
        }
    }

    /// All definitions, by name.
    pub fn definitions(&self) -> impl Iterator<Item = &Definition> {
        self.defined
            .values()
            .filter_map(|(_, definition)| definition.as_ref())
    }

    pub fn definition(&self, name: &str) -> Option<&Definition> {
        self.defined.get(name)?.1.as_ref()
    }

    /// Types of quantities that occur.
    pub fn quantities(&self) -> impl Iterator<Item = &'static str> {
        self.quantities.iter().copied()
    }

    /// Defines what a text of TypeScript names.
    pub fn named(&mut self, source: usize, text: &str) -> Result<BTreeSet<String>, String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let names = words.filter(|word| word.starts_with(char::is_uppercase));
        let names: BTreeSet<String> = names.map(str::to_owned).collect();
        for name in &names {
            let found = self.sources.find_named(source, name)?;
            let missing = || format!("{}: no type `{name}`", self.sources.files[source].path);
            self.define_found(found.ok_or_else(missing)?)?;
        }
        Ok(names)
    }

    /// A type of JSON, in the file in which it stands.
    pub fn json(&mut self, source: usize, ty: &Type) -> Result<Shape, String> {
        self.ty(source, ty, Place::Json)
    }

    pub(super) fn ty(&mut self, source: usize, ty: &Type, place: Place) -> Result<Shape, String> {
        match ty {
            Type::Reference(reference) => self.ty(source, &reference.elem, place),
            Type::Paren(inner) => self.ty(source, &inner.elem, place),
            Type::Slice(slice) => self.list(source, &slice.elem),
            Type::Tuple(tuple) => {
                let parts: Result<Vec<Shape>, String> = tuple
                    .elems
                    .iter()
                    .map(|part| self.json(source, part))
                    .collect();
                Ok(Shape::Tuple(parts?))
            }
            Type::Array(array) => match &array.len {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Int(length),
                    ..
                }) => {
                    let length = length.base10_parse::<usize>().map_err(|e| e.to_string())?;
                    let parts: Result<Vec<Shape>, String> = (0..length)
                        .map(|_| self.json(source, &array.elem))
                        .collect();
                    Ok(Shape::Tuple(parts?))
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

    fn list(&mut self, source: usize, item: &Type) -> Result<Shape, String> {
        Ok(Shape::List(self.json(source, item)?.into()))
    }

    fn path(&mut self, source: usize, path: &syn::TypePath, place: Place) -> Result<Shape, String> {
        let segments = &path.path.segments;
        let names: Vec<String> = segments.iter().map(|s| s.ident.to_string()).collect();
        let name = names.last().map(String::as_str).unwrap_or_default();
        let arguments = segments.last().map(|s| type_arguments(&s.arguments));
        let arguments = arguments.unwrap_or_default();
        if let Some(quantity) = QUANTITIES.iter().find(|quantity| quantity.alias == name) {
            self.quantities.insert(quantity.name);
            return Ok(Shape::Quantity(quantity));
        }
        match (name, arguments.as_slice()) {
            ("OpenEnd", _) => Ok(Shape::Nullable(Shape::Number.into())),
            ("bool", _) => Ok(Shape::Boolean),
            ("f32" | "f64", _) if place == Place::Answer => Ok(Shape::Float),
            ("f32" | "f64", _) => Ok(Shape::Number),
            ("NonZeroU64" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize", _) => {
                Ok(Shape::Natural)
            }
            ("i8" | "i16" | "i32" | "i64" | "isize", _) => Ok(Shape::Integer),
            ("String" | "str" | "char", _) => Ok(Shape::String),
            ("Option", [inner]) => Ok(Shape::Nullable(self.ty(source, inner, place)?.into())),
            ("Box" | "Rc" | "Arc" | "Cow" | "Document", [inner]) => self.json(source, inner),
            ("Vec", [inner]) if place == Place::Answer => match primitive(inner).as_deref() {
                Some("f64") => Ok(Shape::Buffer(Element::Float64)),
                Some("u32") => Ok(Shape::Buffer(Element::Uint32)),
                Some("u8") => Ok(Shape::Buffer(Element::Uint8)),
                _ => Err("a list of an answer is of f64, u32 or u8".into()),
            },
            ("Vec" | "VecDeque" | "BTreeSet", [inner]) => self.list(source, inner),
            ("BTreeMap" | "HashMap" | "OrderedMap", [key, value]) => {
                let (key, value) = (self.json(source, key)?, self.json(source, value)?);
                Ok(Shape::Map(key.into(), value.into()))
            }
            _ => self.define(source, &names)?.ok_or(()).or_else(|()| {
                match self.foreign(source, &names).as_deref() {
                    Some("Value") => Ok(Shape::Unknown),
                    Some("Number") => Ok(Shape::Number),
                    Some("Map") => Ok(Shape::Map(Shape::String.into(), Shape::Unknown.into())),
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

    /// Defines a type and what it contains. `None`: it is of another crate.
    fn define(&mut self, source: usize, path: &[String]) -> Result<Option<Shape>, String> {
        let sources = self.sources;
        let Some(found) = sources.find(source, path)? else {
            return Ok(None);
        };
        if let (Declared::Alias(item), Some(name)) = (&found.item, path.last())
            && let Some((held, list, nullable)) = held_by(name)
            && self.json(found.source, &item.ty)? == Shape::Unknown
        {
            let held_type = sources.find(found.source, &[held.to_owned()])?;
            let missing = || format!("no type `{held}` for `{name}`");
            let mut held = self.define_found(held_type.ok_or_else(missing)?)?;
            if list {
                held = Shape::List(held.into());
            }
            if nullable {
                held = Shape::Nullable(held.into());
            }
            return Ok(Some(held));
        }
        self.define_found(found).map(Some)
    }

    fn define_found(&mut self, found: &'a Declaration) -> Result<Shape, String> {
        let (sources, name) = (self.sources, found.item.name());
        if let Declared::Struct(item) = &found.item {
            let serde = SerdeAttributes::parse(&item.attrs)?;
            if let Some(other) = serde.value("into").or(serde.value("from")) {
                let other_type = sources.find(found.source, &[other.to_owned()])?;
                let missing = || format!("no type `{other}`");
                return self.define_found(other_type.ok_or_else(missing)?);
            }
        }
        if let Some((file, _)) = self.defined.get(&name) {
            return if *file == found.source {
                Ok(Shape::Named(name))
            } else {
                let files = [*file, found.source].map(|file| sources.files[file].path.as_str());
                Err(format!(
                    "`{name}` of {} and of {}: rename one",
                    files[0], files[1]
                ))
            };
        }
        self.defined.insert(name.clone(), (found.source, None));
        let body = match &found.item {
            Declared::Struct(item) => self.structure(found.source, item),
            Declared::Enum(item) => self.enumeration(found.source, item),
            Declared::Answer(item) => self.answer(found.source, item),
            Declared::Alias(_) if sources.matched.contains_key(&name) => {
                let words = sources.matched[&name].iter().map(|word| Word {
                    docs: Docs::default(),
                    word: word.clone(),
                });
                Ok(Body::Words(words.collect()))
            }
            Declared::Alias(item) => self.json(found.source, &item.ty).map(Body::Alias),
        };
        let body = body.map_err(|error| {
            let place = format!("{}: {name}: ", sources.files[found.source].path);
            format!("{place}{}", error.trim_start_matches(&place))
        })?;
        let definition = Definition {
            docs: documentation(found.item.attributes()),
            name: name.clone(),
            body,
        };
        self.defined
            .insert(name.clone(), (found.source, Some(definition)));
        Ok(Shape::Named(name))
    }
}

/// The type before the ending of an alias of `serde_json::Value`, whether it holds a list of it, and
/// whether it may be `null`.
fn held_by(name: &str) -> Option<(&str, bool, bool)> {
    [
        ("ListJson", true, false),
        ("ListOrNull", true, true),
        ("Json", false, false),
        ("OrNull", false, true),
    ]
    .into_iter()
    .find_map(|(ending, list, nullable)| Some((name.strip_suffix(ending)?, list, nullable)))
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

//! Attributes of serde and documentation. An attribute that is not understood here is an error: it
//! may change the JSON.

use super::model::Docs;
use std::collections::BTreeMap;
use syn::{Attribute, Expr, Lit, LitStr, Token};

/// Arguments of `#[serde(...)]`; those without a value have an empty one.
pub struct SerdeAttributes(BTreeMap<String, String>);

/// All that is understood. `bound` and `alias` change nothing of what is written.
const KNOWN: [&str; 18] = [
    "rename",
    "rename_all",
    "rename_all_fields",
    "tag",
    "content",
    "untagged",
    "transparent",
    "default",
    "flatten",
    "skip",
    "skip_serializing",
    "skip_serializing_if",
    "skip_deserializing",
    "from",
    "into",
    "serialize_with",
    "bound",
    "alias",
];

impl SerdeAttributes {
    /// Of a container, a variant or a field.
    pub fn parse(attributes: &[Attribute]) -> Result<SerdeAttributes, String> {
        let mut found = BTreeMap::new();
        for attribute in attributes.iter().filter(|a| a.path().is_ident("serde")) {
            let read = attribute.parse_nested_meta(|meta| {
                let name = meta.path.require_ident()?.to_string();
                if !KNOWN.contains(&name.as_str()) {
                    return Err(meta.error("the generator of the protocol does not know it"));
                }
                let value = if meta.input.peek(Token![=]) {
                    meta.value()?.parse::<LitStr>()?.value()
                } else {
                    String::new()
                };
                found.insert(name, value);
                Ok(())
            });
            read.map_err(|error| format!("attribute of serde: {error}"))?;
        }
        Ok(SerdeAttributes(found))
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The name in JSON of a field; `style` is `rename_all` of what it is in.
    pub fn field_name(&self, name: &str, style: Option<&str>) -> Result<String, String> {
        let name = name.trim_start_matches("r#");
        match (self.value("rename"), style) {
            (Some(renamed), _) => Ok(renamed.to_owned()),
            (None, None | Some("snake_case")) => Ok(name.to_owned()),
            (None, Some(style)) => renamed(&name.split('_').collect::<Vec<_>>(), style),
        }
    }

    /// The name in JSON of a variant.
    pub fn variant_name(&self, name: &str, style: Option<&str>) -> Result<String, String> {
        match (self.value("rename"), style) {
            (Some(renamed), _) => Ok(renamed.to_owned()),
            (None, None) => Ok(name.to_owned()),
            (None, Some(style)) => renamed(&camel_words(name), style),
        }
    }
}

/// `MaybeSlower`: `Maybe`, `Slower`.
fn camel_words(name: &str) -> Vec<&str> {
    let starts = name.char_indices().filter(|(_, c)| c.is_uppercase());
    let starts: Vec<usize> = starts
        .map(|(offset, _)| offset)
        .chain([name.len()])
        .collect();
    starts
        .windows(2)
        .map(|ends| &name[ends[0]..ends[1]])
        .collect()
}

fn renamed(words: &[&str], style: &str) -> Result<String, String> {
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let capital = |word: &String| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_uppercase().chain(letters).collect()
        })
    };
    Ok(match style {
        "lowercase" => lower.concat(),
        "UPPERCASE" => lower.concat().to_uppercase(),
        "snake_case" => lower.join("_"),
        "kebab-case" => lower.join("-"),
        "PascalCase" => lower.iter().map(capital).collect(),
        "camelCase" => {
            let rest = lower.iter().skip(1).map(capital);
            lower.iter().take(1).cloned().chain(rest).collect()
        }
        _ => return Err(format!("rename_all = \"{style}\" is not known")),
    })
}

/// The documentation.
pub fn documentation(attributes: &[Attribute]) -> Docs {
    let lines = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
                Expr::Lit(literal) => match &literal.lit {
                    Lit::Str(text) => {
                        Some(text.value().trim().replace("[`", "`").replace("`]", "`"))
                    }
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        });
    Docs(lines.collect())
}

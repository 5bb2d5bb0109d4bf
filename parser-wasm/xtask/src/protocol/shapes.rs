//! Interfaces and unions for structs and enums, as serde writes and reads them.

use super::attributes::{SerdeAttributes, documentation};
use super::declared::AnswerObject;
use super::typescript::{Declarations, Place, option_argument, primitive};
use syn::{Attribute, Fields};

/// How serde treats a type.
#[derive(Clone, Copy)]
struct Derives {
    serialize: bool,
    deserialize: bool,
}

impl Declarations<'_> {
    fn derives(&self, source: usize, attributes: &[Attribute]) -> Derives {
        let mut names = Vec::new();
        for attribute in attributes.iter().filter(|a| a.path().is_ident("derive")) {
            let _ = attribute.parse_nested_meta(|meta| {
                names.extend(meta.path.segments.last().map(|s| s.ident.to_string()));
                Ok(())
            });
        }
        let has = |name| {
            names
                .iter()
                .any(|derived| self.sources.is_serde(source, derived, name))
        };
        Derives {
            serialize: has("Serialize"),
            deserialize: has("Deserialize"),
        }
    }

    pub(super) fn structure(
        &mut self,
        source: usize,
        item: &syn::ItemStruct,
        name: &str,
    ) -> Result<String, String> {
        let (serde, derives) = (
            SerdeAttributes::of(&item.attrs)?,
            self.derives(source, &item.attrs),
        );
        if !derives.serialize && !derives.deserialize {
            return Err("it derives neither Serialize nor Deserialize".into());
        }
        if item.generics.type_params().next().is_some() {
            return Err("it is generic".into());
        }
        let docs = documentation(&item.attrs, "");
        match &item.fields {
            Fields::Unit => Err("it has no fields".into()),
            Fields::Unnamed(fields) => {
                let parts: Result<Vec<String>, String> = fields
                    .unnamed
                    .iter()
                    .map(|part| self.json(source, &part.ty))
                    .collect();
                let parts = parts?;
                let ty = match parts.as_slice() {
                    [only] => only.clone(),
                    _ => format!("readonly [{}]", parts.join(", ")),
                };
                Ok(format!("{docs}export type {name} = {ty}\n"))
            }
            Fields::Named(_) if serde.has("transparent") => {
                Err("transparent with a named field".into())
            }
            Fields::Named(fields) => {
                let (lines, parents) = self.fields(source, fields, &serde, derives, "  ")?;
                let extends = if parents.is_empty() {
                    String::new()
                } else {
                    format!(" extends {}", parents.join(", "))
                };
                Ok(format!(
                    "{docs}export interface {name}{extends} {{\n{lines}}}\n"
                ))
            }
        }
    }

    /// Lines of fields, and the types that are flattened into them.
    fn fields(
        &mut self,
        source: usize,
        fields: &syn::FieldsNamed,
        container: &SerdeAttributes,
        derives: Derives,
        indent: &str,
    ) -> Result<(String, Vec<String>), String> {
        let (mut lines, mut parents) = (String::new(), Vec::new());
        for field in &fields.named {
            let serde = SerdeAttributes::of(&field.attrs)?;
            if serde.has("skip") || serde.has("skip_serializing") && derives.serialize {
                continue;
            }
            let inner = option_argument(&field.ty);
            if serde.has("flatten") {
                let ty = self.json(source, inner.unwrap_or(&field.ty))?;
                parents.push(if inner.is_some() {
                    format!("Partial<{ty}>")
                } else {
                    ty
                });
                continue;
            }
            let name = field
                .ident
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default();
            let key = serde.field_name(&name, container.value("rename_all"))?;
            let skipped = serde
                .value("skip_serializing_if")
                .filter(|_| derives.serialize);
            let default = serde.has("default") || container.has("default");
            let optional = skipped.is_some() || !derives.serialize && (default || inner.is_some());
            let ty = match skipped {
                Some(test) if primitive(&field.ty).as_deref() == Some("bool") => match test {
                    _ if derives.deserialize => "boolean".into(),
                    "is_false" | "Not::not" | "std::ops::Not::not" => "true".into(),
                    _ => return Err(format!("what `{test}` leaves out is not known")),
                },
                _ if serde.has("serialize_with") => match serde.value("serialize_with") {
                    Some("digits") => "string".into(),
                    other => return Err(format!("what {other:?} writes is not known")),
                },
                _ => self.json(source, inner.filter(|_| optional).unwrap_or(&field.ty))?,
            };
            lines += &documentation(&field.attrs, indent);
            lines += &format!(
                "{indent}readonly {}{}: {ty}\n",
                property(&key),
                if optional { "?" } else { "" }
            );
        }
        Ok((lines, parents))
    }

    pub(super) fn answer(
        &mut self,
        source: usize,
        item: &AnswerObject,
        name: &str,
    ) -> Result<String, String> {
        let mut lines = String::new();
        for (docs, key, ty) in &item.fields {
            let inner = option_argument(ty);
            let text = self.ty(source, inner.unwrap_or(ty), Place::Answer)?;
            let optional = if inner.is_some() { "?" } else { "" };
            lines += &documentation(docs, "  ");
            lines += &format!("  readonly {}{optional}: {text}\n", property(key));
        }
        let docs = documentation(&item.attributes, "");
        Ok(format!("{docs}export interface {name} {{\n{lines}}}\n"))
    }

    pub(super) fn enumeration(
        &mut self,
        source: usize,
        item: &syn::ItemEnum,
        name: &str,
    ) -> Result<String, String> {
        let docs = documentation(&item.attrs, "");
        if let Some(words) = self.sources.words.get(&(source, item.ident.to_string())) {
            let mut list: Vec<(String, &[Attribute])> = Vec::new();
            for variant in &item.variants {
                let word = words
                    .iter()
                    .find(|(with_word, _)| variant.ident == with_word);
                let (_, word) = word.ok_or_else(|| format!("{} has no word", variant.ident))?;
                if list.iter().all(|(listed, _)| listed != word) {
                    list.push((word.clone(), &variant.attrs));
                }
            }
            return Ok(word_list(&docs, name, &list));
        }
        let (serde, derives) = (
            SerdeAttributes::of(&item.attrs)?,
            self.derives(source, &item.attrs),
        );
        // Answer objects are no documents: an enum of some is one of them.
        let is_answer = !derives.serialize && !derives.deserialize;
        let is_untagged = is_answer || serde.has("untagged");
        let style = serde.value("rename_all");
        let mut words: Vec<(String, &[Attribute])> = Vec::new();
        let mut shapes = String::new();
        for variant in &item.variants {
            let attributes = SerdeAttributes::of(&variant.attrs)?;
            if attributes.has("skip") {
                continue;
            }
            let word = attributes.variant_name(&variant.ident.to_string(), style)?;
            let is_untagged = is_untagged || attributes.has("untagged");
            if matches!(variant.fields, Fields::Unit) && !serde.has("tag") && !is_untagged {
                words.push((word, &variant.attrs));
                continue;
            }
            if is_answer
                && !matches!(&variant.fields, Fields::Unnamed(one) if one.unnamed.len() == 1)
            {
                return Err("it derives neither Serialize nor Deserialize".into());
            }
            let content = self.variant(source, variant, &attributes, derives)?;
            let shape = if let Some(tag) = serde.value("tag") {
                let tag = format!("readonly {}: '{word}'", property(tag));
                match content {
                    None => format!("{{ {tag} }}"),
                    Some(content) => format!("({{ {tag} }} & {content})"),
                }
            } else if is_untagged {
                match content.as_deref() {
                    None => "null".into(),
                    // TypeScript would forget the words beside a plain `string`.
                    Some("string") if !words.is_empty() => "(string & {})".into(),
                    Some(content) => content.to_owned(),
                }
            } else {
                let content = content.unwrap_or_default();
                format!("{{ readonly {}: {content} }}", property(&word))
            };
            shapes += &format!("{}  | {shape}\n", documentation(&variant.attrs, "  "));
        }
        if shapes.is_empty() {
            return Ok(word_list(&docs, name, &words));
        }
        for (word, attributes) in words {
            shapes += &format!("{}  | '{word}'\n", documentation(attributes, "  "));
        }
        Ok(format!("{docs}export type {name} =\n{shapes}"))
    }

    /// What a variant holds; `None`: nothing.
    fn variant(
        &mut self,
        source: usize,
        variant: &syn::Variant,
        serde: &SerdeAttributes,
        derives: Derives,
    ) -> Result<Option<String>, String> {
        match &variant.fields {
            Fields::Unit => Ok(None),
            Fields::Unnamed(fields) => {
                let parts: Result<Vec<String>, String> = fields
                    .unnamed
                    .iter()
                    .map(|part| self.json(source, &part.ty))
                    .collect();
                let parts = parts?;
                Ok(Some(match parts.as_slice() {
                    [only] => only.clone(),
                    _ => format!("readonly [{}]", parts.join(", ")),
                }))
            }
            Fields::Named(fields) => {
                let (lines, parents) = self.fields(source, fields, serde, derives, "      ")?;
                let object = format!("{{\n{lines}    }}");
                Ok(Some([vec![object], parents].concat().join(" & ")))
            }
        }
    }
}

/// A union of words, and their list in order.
pub fn word_list(docs: &str, name: &str, words: &[(String, &[Attribute])]) -> String {
    let list: String = words
        .iter()
        .map(|(word, attributes)| format!("{}  '{word}',\n", documentation(attributes, "  ")))
        .collect();
    let constant = constant_name(name);
    format!(
        "{docs}export type {name} = (typeof {constant})[number]\n\
        export const {constant} = [\n{list}] as const\n"
    )
}

/// `RowMeaning`: `ROW_MEANINGS`; `AlignmentClass`: `ALIGNMENT_CLASSES`.
fn constant_name(name: &str) -> String {
    let mut constant = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !constant.is_empty() {
            constant.push('_');
        }
        constant.extend(letter.to_uppercase());
    }
    constant + if name.ends_with('s') { "ES" } else { "S" }
}

/// A name of a property, quoted where it has to be.
pub fn property(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain && !name.starts_with(|c: char| c.is_numeric()) {
        name.to_owned()
    } else {
        format!("'{name}'")
    }
}

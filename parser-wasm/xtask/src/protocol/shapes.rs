//! Objects and unions of structs and enums, as serde writes and reads them.

use super::attributes::{SerdeAttributes, documentation};
use super::declared::AnswerObject;
use super::model::{Alternative, Body, Content, Field, Object, Parent, Shape, Word};
use super::types::{Place, Types, option_argument, primitive};
use syn::{Attribute, Fields};

/// How serde treats a type.
#[derive(Clone, Copy)]
struct Derives {
    serialize: bool,
    deserialize: bool,
}

impl Types<'_> {
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
    ) -> Result<Body, String> {
        let (serde, derives) = (
            SerdeAttributes::parse(&item.attrs)?,
            self.derives(source, &item.attrs),
        );
        if !derives.serialize && !derives.deserialize {
            return Err("it derives neither Serialize nor Deserialize".into());
        }
        if item.generics.type_params().next().is_some() {
            return Err("it is generic".into());
        }
        match &item.fields {
            Fields::Unit => Err("it has no fields".into()),
            Fields::Unnamed(fields) => self.unnamed(source, fields).map(Body::Alias),
            Fields::Named(_) if serde.has("transparent") => {
                Err("transparent with a named field".into())
            }
            Fields::Named(fields) => self
                .fields(source, fields, &serde, derives)
                .map(Body::Object),
        }
    }

    fn unnamed(&mut self, source: usize, fields: &syn::FieldsUnnamed) -> Result<Shape, String> {
        let parts: Result<Vec<Shape>, String> = fields
            .unnamed
            .iter()
            .map(|part| self.json(source, &part.ty))
            .collect();
        let mut parts = parts?;
        Ok(if parts.len() == 1 {
            parts.remove(0)
        } else {
            Shape::Tuple(parts)
        })
    }

    fn fields(
        &mut self,
        source: usize,
        fields: &syn::FieldsNamed,
        container: &SerdeAttributes,
        derives: Derives,
    ) -> Result<Object, String> {
        let mut object = Object::default();
        for field in &fields.named {
            let serde = SerdeAttributes::parse(&field.attrs)?;
            if serde.has("skip") || serde.has("skip_serializing") && derives.serialize {
                continue;
            }
            let inner = option_argument(&field.ty);
            if serde.has("flatten") {
                object.parents.push(Parent {
                    shape: self.json(source, inner.unwrap_or(&field.ty))?,
                    partial: inner.is_some(),
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
            let shape = match skipped {
                Some(test) if primitive(&field.ty).as_deref() == Some("bool") => match test {
                    _ if derives.deserialize => Shape::Boolean,
                    "is_false" | "Not::not" | "std::ops::Not::not" => Shape::True,
                    _ => return Err(format!("what `{test}` leaves out is not known")),
                },
                _ if serde.has("serialize_with") => match serde.value("serialize_with") {
                    Some("digits") => Shape::String,
                    other => return Err(format!("what {other:?} writes is not known")),
                },
                _ => self.json(source, inner.filter(|_| optional).unwrap_or(&field.ty))?,
            };
            object.fields.push(Field {
                docs: documentation(&field.attrs),
                key,
                optional,
                shape,
            });
        }
        Ok(object)
    }

    pub(super) fn answer(&mut self, source: usize, item: &AnswerObject) -> Result<Body, String> {
        let mut object = Object::default();
        for (docs, key, ty) in &item.fields {
            let inner = option_argument(ty);
            object.fields.push(Field {
                docs: documentation(docs),
                key: key.clone(),
                optional: inner.is_some(),
                shape: self.ty(source, inner.unwrap_or(ty), Place::Answer)?,
            });
        }
        Ok(Body::Object(object))
    }

    pub(super) fn enumeration(
        &mut self,
        source: usize,
        item: &syn::ItemEnum,
    ) -> Result<Body, String> {
        if let Some(words) = self.sources.words.get(&(source, item.ident.to_string())) {
            let mut list: Vec<Word> = Vec::new();
            for variant in &item.variants {
                let word = words
                    .iter()
                    .find(|(with_word, _)| variant.ident == with_word);
                let (_, word) = word.ok_or_else(|| format!("{} has no word", variant.ident))?;
                if list.iter().all(|listed| listed.word != *word) {
                    list.push(Word {
                        docs: documentation(&variant.attrs),
                        word: word.clone(),
                    });
                }
            }
            return Ok(Body::Words(list));
        }
        let (serde, derives) = (
            SerdeAttributes::parse(&item.attrs)?,
            self.derives(source, &item.attrs),
        );
        // Answer objects are no documents: an enum of some is one of them.
        let is_answer = !derives.serialize && !derives.deserialize;
        let is_untagged = is_answer || serde.has("untagged");
        let style = serde.value("rename_all");
        let (mut words, mut alternatives) = (Vec::new(), Vec::new());
        for variant in &item.variants {
            let attributes = SerdeAttributes::parse(&variant.attrs)?;
            if attributes.has("skip") {
                continue;
            }
            let word = attributes.variant_name(&variant.ident.to_string(), style)?;
            let is_untagged = is_untagged || attributes.has("untagged");
            let docs = documentation(&variant.attrs);
            if matches!(variant.fields, Fields::Unit) && !serde.has("tag") && !is_untagged {
                words.push(Word { docs, word });
                continue;
            }
            if is_answer
                && !matches!(&variant.fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1)
            {
                return Err("it derives neither Serialize nor Deserialize".into());
            }
            let content = match &variant.fields {
                Fields::Unit => Content::Nothing,
                Fields::Unnamed(fields) => Content::Shape(self.unnamed(source, fields)?),
                Fields::Named(fields) => {
                    Content::Object(self.fields(source, fields, &attributes, derives)?)
                }
            };
            let alternative = if let Some(tag) = serde.value("tag") {
                let tag = tag.to_owned();
                Alternative::Tagged { tag, word, content }
            } else if is_untagged {
                Alternative::Plain(content)
            } else {
                Alternative::Keyed { word, content }
            };
            alternatives.push((docs, alternative));
        }
        Ok(if alternatives.is_empty() {
            Body::Words(words)
        } else {
            Body::Union(alternatives, words)
        })
    }
}

//! Declarations of TypeScript.

use super::model::{
    Alternative, Body, Content, Definition, Docs, Element, Field, Object, Shape, Word,
};

/// Where the types of quantities stand.
pub const UNITS: &str = "../../lib/units";

pub fn declaration(definition: &Definition) -> String {
    let Definition { docs, name, body } = definition;
    let docs = comment(docs, "");
    match body {
        Body::Object(object) => {
            let parents = parents(object);
            let extends = if parents.is_empty() {
                String::new()
            } else {
                format!(" extends {}", parents.join(", "))
            };
            let lines = fields(&object.fields, "  ");
            format!("{docs}export interface {name}{extends} {{\n{lines}}}\n")
        }
        Body::Alias(aliased) => format!("{docs}export type {name} = {}\n", write_shape(aliased)),
        Body::Words(words) => word_list(&docs, name, words),
        Body::Union(alternatives, words) => {
            let mut shapes = String::new();
            for (docs, alternative) in alternatives {
                let text = self::alternative(alternative, !words.is_empty());
                shapes += &format!("{}  | {text}\n", comment(docs, "  "));
            }
            for Word { docs, word } in words {
                shapes += &format!("{}  | '{word}'\n", comment(docs, "  "));
            }
            format!("{docs}export type {name} =\n{shapes}")
        }
    }
}

fn alternative(alternative: &Alternative, beside_words: bool) -> String {
    match alternative {
        Alternative::Tagged { tag, word, content } => {
            let tag = format!("readonly {}: '{word}'", property(tag));
            match content {
                Content::Nothing => format!("{{ {tag} }}"),
                _ => format!("({{ {tag} }} & {})", self::content(content)),
            }
        }
        Alternative::Keyed { word, content } => {
            format!(
                "{{ readonly {}: {} }}",
                property(word),
                self::content(content)
            )
        }
        // TypeScript would forget the words beside a plain `string`.
        Alternative::Plain(Content::Shape(Shape::String)) if beside_words => "(string & {})".into(),
        Alternative::Plain(content) => self::content(content),
    }
}

fn content(content: &Content) -> String {
    match content {
        Content::Nothing => "null".into(),
        Content::Shape(held) => write_shape(held),
        Content::Object(object) => {
            let declared = format!("{{\n{}    }}", fields(&object.fields, "      "));
            [vec![declared], parents(object)].concat().join(" & ")
        }
    }
}

fn parents(object: &Object) -> Vec<String> {
    let text = object.parents.iter().map(|parent| {
        let text = write_shape(&parent.shape);
        if parent.partial {
            format!("Partial<{text}>")
        } else {
            text
        }
    });
    text.collect()
}

fn fields(fields: &[Field], indent: &str) -> String {
    let lines = fields.iter().map(|field| {
        format!(
            "{}{indent}readonly {}{}: {}\n",
            comment(&field.docs, indent),
            property(&field.key),
            if field.optional { "?" } else { "" },
            write_shape(&field.shape)
        )
    });
    lines.collect()
}

/// A type in TypeScript.
pub fn write_shape(shape: &Shape) -> String {
    match shape {
        Shape::Boolean => "boolean".into(),
        Shape::True => "true".into(),
        Shape::Number | Shape::Float | Shape::Integer | Shape::Natural => "number".into(),
        Shape::Quantity(quantity) => quantity.name.into(),
        Shape::String => "string".into(),
        Shape::Unknown => "unknown".into(),
        Shape::Named(name) => name.clone(),
        Shape::Nullable(inner) => format!("{} | null", write_shape(inner)),
        Shape::List(item) => {
            let item = write_shape(item);
            if item.contains(" | ") || item.starts_with("readonly") {
                format!("readonly ({item})[]")
            } else {
                format!("readonly {item}[]")
            }
        }
        Shape::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(write_shape).collect();
            format!("readonly [{}]", parts.join(", "))
        }
        Shape::Buffer(Element::Float64) => "Float64Array".into(),
        Shape::Buffer(Element::Uint32) => "Uint32Array".into(),
        Shape::Buffer(Element::Uint8) => "Uint8Array".into(),
        Shape::Map(key, value) => match write_shape(key).as_str() {
            "string" | "number" => format!("Readonly<Record<string, {}>>", write_shape(value)),
            key => format!("Readonly<Partial<Record<{key}, {}>>>", write_shape(value)),
        },
    }
}

/// A union of words, and their list in order.
fn word_list(docs: &str, name: &str, words: &[Word]) -> String {
    let list: String = words
        .iter()
        .map(|Word { docs, word }| format!("{}  '{word}',\n", comment(docs, "  ")))
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

/// Documentation as a TSDoc comment, indented; empty if there is none.
pub fn comment(Docs(lines): &Docs, indent: &str) -> String {
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let lines = lines.iter().map(|line| {
                let text = format!("{indent} * {line}");
                format!("{}\n", text.trim_end())
            });
            format!("{indent}/**\n{}{indent} */\n", lines.collect::<String>())
        }
    }
}

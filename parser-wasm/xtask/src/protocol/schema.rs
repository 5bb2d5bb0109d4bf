//! JSON Schemas (draft 2020-12) of the same types. Objects take no other fields: a schema that
//! accepts what is misspelt would be of no use.

use super::model::{
    Alternative, Body, Content, Definition, Docs, Element, Field, Object, Parent, Shape, Word,
};
use super::types::Types;

/// The schema of a definition.
pub fn schema(types: &Types, definition: &Definition) -> Result<String, String> {
    let keywords = match &definition.body {
        Body::Object(object) => self::object(types, object, None)?,
        Body::Alias(aliased) => write_shape(aliased),
        Body::Words(words) => keyword("anyOf", &list(words.iter().map(word))),
        Body::Union(alternatives, words) => {
            let mut all = Vec::new();
            for (docs, alternative) in alternatives {
                let keywords = self::alternative(types, alternative)?;
                all.push(described(docs, keywords));
            }
            all.extend(words.iter().map(word));
            keyword("anyOf", &list(all))
        }
    };
    Ok(described(&definition.docs, keywords))
}

/// A schema with its description in front.
pub fn described(docs: &Docs, keywords: String) -> String {
    let text = docs.0.join(" ");
    if text.is_empty() {
        return format!("{{{keywords}}}");
    }
    let description = keyword("description", &quoted(text.trim()));
    if keywords.is_empty() {
        format!("{{{description}}}")
    } else {
        format!("{{{description},{keywords}}}")
    }
}

fn word(Word { docs, word }: &Word) -> String {
    described(docs, keyword("const", &quoted(word)))
}

fn alternative(types: &Types, alternative: &Alternative) -> Result<String, String> {
    match alternative {
        Alternative::Tagged { tag, word, content } => {
            let tag = Some((tag.as_str(), word.as_str()));
            match content {
                Content::Nothing => object(types, &Object::default(), tag),
                Content::Object(held) => object(types, held, tag),
                Content::Shape(Shape::Named(name)) => object(types, fields_of(types, name)?, tag),
                Content::Shape(_) => Err(format!("`{word}` is tagged, and holds no object")),
            }
        }
        Alternative::Keyed { word, content } => {
            let properties = format!("{}:{{{}}}", quoted(word), self::content(types, content)?);
            Ok(closed(&properties, &[quoted(word)]))
        }
        Alternative::Plain(content) => self::content(types, content),
    }
}

fn content(types: &Types, content: &Content) -> Result<String, String> {
    match content {
        Content::Nothing => Ok(typed("null")),
        Content::Shape(held) => Ok(write_shape(held)),
        Content::Object(held) => object(types, held, None),
    }
}

/// The object that a name stands for.
fn fields_of<'a>(types: &'a Types, name: &str) -> Result<&'a Object, String> {
    match types.definition(name).map(|definition| &definition.body) {
        Some(Body::Object(object)) => Ok(object),
        Some(Body::Alias(Shape::Named(name))) => fields_of(types, name),
        _ => Err(format!(
            "`{name}` is flattened or tagged, and is no object with fields"
        )),
    }
}

/// An object with the fields of its parents. `tag`: a field with a word.
fn object(types: &Types, object: &Object, tag: Option<(&str, &str)>) -> Result<String, String> {
    let (mut properties, mut required) = (Vec::new(), Vec::new());
    if let Some((tag, word)) = tag {
        properties.push(format!("{}:{{\"const\":{}}}", quoted(tag), quoted(word)));
        required.push(quoted(tag));
    }
    collect(types, object, false, &mut properties, &mut required)?;
    Ok(closed(&properties.join(","), &required))
}

fn collect(
    types: &Types,
    object: &Object,
    partial: bool,
    properties: &mut Vec<String>,
    required: &mut Vec<String>,
) -> Result<(), String> {
    for Parent {
        shape,
        partial: absent,
    } in &object.parents
    {
        let Shape::Named(name) = shape else {
            return Err("a flattened field is no object with fields".into());
        };
        let parent = fields_of(types, name)?;
        collect(types, parent, partial || *absent, properties, required)?;
    }
    for field in &object.fields {
        let schema = described(&with_unit(field), write_shape(&field.shape));
        properties.push(format!("{}:{schema}", quoted(&field.key)));
        if !field.optional && !partial {
            required.push(quoted(&field.key));
        }
    }
    Ok(())
}

/// Endings of names of fields, and the unit that they stand for.
const UNITS: [(&str, &str); 5] = [
    ("ns", "ns"),
    ("bps", "bytes per second"),
    ("bytes", "bytes"),
    ("share", "a share, 0 to 1"),
    ("sectors", "sectors of 512 bytes"),
];

/// The documentation of a field, with the unit that its type or its name says.
fn with_unit(field: &Field) -> Docs {
    let mut lines = field.docs.0.clone();
    let of_name = || {
        let ending = field.key.rsplit('_').next()?;
        let (_, unit) = UNITS.iter().find(|(name, _)| *name == ending)?;
        Some(*unit)
    };
    let text = lines.join(" ").to_lowercase();
    let says = |word: &str| {
        text.split(|c: char| !c.is_alphabetic())
            .any(|said| said == word)
    };
    if let Some(unit) = unit_of(&field.shape).or_else(of_name)
        && !unit
            .split(' ')
            .filter(|word| *word != "a")
            .any(|word| says(word.trim_end_matches(',')))
    {
        lines.push(format!("Unit: {unit}."));
    }
    Docs(lines)
}

fn unit_of(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Quantity(quantity) => Some(quantity.unit),
        Shape::Nullable(inner) | Shape::List(inner) => unit_of(inner),
        Shape::Tuple(parts) => parts.first().and_then(unit_of),
        _ => None,
    }
}

/// An object without other properties.
fn closed(properties: &str, required: &[String]) -> String {
    let mut keywords = vec![
        typed("object"),
        keyword("properties", &format!("{{{properties}}}")),
    ];
    if !required.is_empty() {
        keywords.push(keyword("required", &list(required.iter().cloned())));
    }
    keywords.push(keyword("additionalProperties", "false"));
    keywords.join(",")
}

/// The keywords of a type.
pub fn write_shape(shape: &Shape) -> String {
    match shape {
        Shape::Boolean => typed("boolean"),
        Shape::True => keyword("const", "true"),
        Shape::Number => typed("number"),
        Shape::Float => keyword("type", "[\"number\",\"null\"]"),
        Shape::Integer => typed("integer"),
        Shape::Natural => natural(),
        Shape::Quantity(quantity) if quantity.integer => natural(),
        Shape::Quantity(_) => typed("number"),
        Shape::String => typed("string"),
        Shape::Unknown => String::new(),
        Shape::Named(name) => keyword("$ref", &quoted(&format!("#/$defs/{name}"))),
        Shape::Nullable(inner) => {
            let inner = format!("{{{}}}", write_shape(inner));
            keyword("anyOf", &list([inner, format!("{{{}}}", typed("null"))]))
        }
        Shape::List(item) => array(&write_shape(item)),
        Shape::Tuple(parts) if parts.is_empty() => format!("{},\"maxItems\":0", typed("array")),
        Shape::Tuple(parts) => {
            let count = parts.len();
            let parts = list(
                parts
                    .iter()
                    .map(|part| format!("{{{}}}", write_shape(part))),
            );
            let parts = keyword("prefixItems", &parts);
            format!(
                "{},{parts},\"items\":false,\"minItems\":{count}",
                typed("array")
            )
        }
        Shape::Buffer(Element::Float64) => array(&write_shape(&Shape::Float)),
        Shape::Buffer(Element::Uint32 | Element::Uint8) => array(&natural()),
        Shape::Map(key, value) => {
            let values = keyword(
                "additionalProperties",
                &format!("{{{}}}", write_shape(value)),
            );
            match **key {
                Shape::Named(_) => {
                    let names = keyword("propertyNames", &format!("{{{}}}", write_shape(key)));
                    format!("{},{names},{values}", typed("object"))
                }
                _ => format!("{},{values}", typed("object")),
            }
        }
    }
}

fn natural() -> String {
    format!("{},\"minimum\":0", typed("integer"))
}

fn array(items: &str) -> String {
    format!("{},\"items\":{{{items}}}", typed("array"))
}

fn typed(name: &str) -> String {
    keyword("type", &quoted(name))
}

fn keyword(name: &str, value: &str) -> String {
    format!("{}:{value}", quoted(name))
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// A text as JSON has it.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            control if control < ' ' => quoted += &format!("\\u{:04x}", control as u32),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

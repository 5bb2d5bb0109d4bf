//! JSON values as Rust types, and back; and whether a text is JSON.

mod objects;

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use std::io::{self, Write};

/// Reads a document. Its structs are objects; arrays of their members are refused.
pub fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = objects::read(&mut reader)?;
    reader.end()?;
    Ok(value)
}

// Both through text: readers and writers of values beside those of text would make the module a
// tenth larger.

pub fn typed<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    read(&value.to_string())
}

/// `Null` for what cannot be written as JSON.
pub fn untyped(document: &impl Serialize) -> Value {
    read(&text(document)).unwrap_or_default()
}

/// The largest integer that JavaScript, which rounds it, gives back as one of 63 bits.
const MAX_RETURNING: u64 = (1 << 63) - 1024;

/// A document as JSON; empty for what cannot be written as such. What is read has no number that
/// is too large, but a sum of very many large ones may be: it is the largest that comes back.
pub fn text(document: &impl Serialize) -> String {
    let mut bytes = Vec::with_capacity(1 << 10);
    let mut serializer = Serializer::with_formatter(&mut bytes, ReturningIntegers);
    match document.serialize(&mut serializer) {
        Ok(()) => String::from_utf8(bytes).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

struct ReturningIntegers;

impl Formatter for ReturningIntegers {
    fn write_u64<W: ?Sized + Write>(&mut self, writer: &mut W, value: u64) -> io::Result<()> {
        CompactFormatter.write_u64(writer, value.min(MAX_RETURNING))
    }

    fn write_i64<W: ?Sized + Write>(&mut self, writer: &mut W, value: i64) -> io::Result<()> {
        const MAX_EXACT_INTEGER: i64 = MAX_RETURNING as i64;
        CompactFormatter.write_i64(writer, value.clamp(-MAX_EXACT_INTEGER, MAX_EXACT_INTEGER))
    }
}

/// Whether a text, of which this may be the beginning, is JSON. A bracket alone shows nothing:
/// shell prompts, kernel logs and job files begin with one, too.
pub fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    if !text.starts_with(['{', '[']) {
        return false;
    }
    for value in serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>() {
        match value {
            Ok(_) => {}
            // Broken further on: a key shows what it was meant to be.
            Err(error) => return error.is_eof() || starts_with_key(text),
        }
    }
    true
}

/// `{"key":`, also as the first element of an array.
fn starts_with_key(text: &str) -> bool {
    let element = text.strip_prefix('[').map_or(text, str::trim_start);
    let key = element
        .strip_prefix('{')
        .and_then(|inside| inside.trim_start().strip_prefix('"'));
    key.and_then(|key| key.split_once('"'))
        .is_some_and(|(_, behind)| behind.trim_start().starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::{is_json, read};
    use serde::Deserialize;
    use serde_json::{Value, json};
    use std::collections::BTreeMap;

    #[derive(Debug, Deserialize, PartialEq, PartialOrd, Eq, Ord)]
    #[serde(rename_all = "camelCase")]
    enum Kind {
        FirstOne,
        Other(u8),
        Pair { first: i8 },
    }

    #[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
    struct Number(u32);

    #[derive(Debug, Deserialize, PartialEq)]
    struct Part {
        number: Number,
        text: Option<String>,
        #[serde(default)]
        parts: Vec<Part>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Whole {
        by_number: BTreeMap<i64, Part>,
        by_id: BTreeMap<Number, bool>,
        by_kind: BTreeMap<Kind, (f64, char)>,
        kinds: Vec<Kind>,
        any: Value,
    }

    #[test]
    fn what_serde_json_reads_is_read_the_same() {
        let text = r#" {
            "by_number": {
                "-3": { "number": 1, "text": "a\n", "parts": [{ "number": 2, "x": [] }] }
            },
            "by_id": { "7": true },
            "by\u005fkind": { "firstOne": [1.5, "c"] },
            "kinds": ["firstOne", { "other": 4 }, { "pair": { "first": -1 } }],
            "any": { "a": [1, -2, 3.5, null, { "b": "c" }] }
        } "#;
        let whole: Whole = read(text).expect("a document");
        assert_eq!(whole, serde_json::from_str(text).expect("a document"));
        assert_eq!(whole.any["a"][4], json!({ "b": "c" }));
        assert_eq!(whole.by_number[&-3].parts[0].number, Number(2));
    }

    #[test]
    fn what_is_no_document_is_refused() {
        for (text, error) in [
            (
                "[1, null, []]",
                "invalid type: sequence, expected struct Part",
            ),
            ("{\"number\": 1, \"number\": 2}", "duplicate field `number`"),
            ("{\"text\": \"a\"}", "missing field `number`"),
            ("{\"number\": 1} {}", "trailing characters"),
            ("{\"number\": 1", "EOF while parsing"),
            (
                "{\"number\": -1}",
                "invalid value: integer `-1`, expected u32",
            ),
        ] {
            let found = read::<Part>(text).expect_err(text).to_string();
            assert!(found.starts_with(error), "{found}");
        }
        assert!(read::<Whole>("{\"x\": 1}").is_err());
        assert!(read::<BTreeMap<u8, u8>>("{\"256\": 1}").is_err());
        assert!(read::<Value>(&"[".repeat(200)).is_err());
    }

    #[test]
    fn json_is_told_by_its_content_not_by_its_first_letter() {
        for text in [
            "{}",
            "[1, 2]",
            "[{\"a\": 1}, {\"b\"",
            "{\"a\": 1}\n{\"a\": 2}\n",
            "{ \"a\" : nan }",
            " [\n{\n  \"a\": 0.1.2}]",
        ] {
            assert!(is_json(text), "{text}");
        }
        for text in [
            "[root@host ~]# btt -i x",
            "[    0.000000] Linux version 6.1",
            "[    0.000000]\n[    0.000001] b",
            "[global]\nioengine=libaio\n",
            "[13:49:59.9] host block_rq_issue: { cpu_id = 0 }",
            "{ printf(\"%d\", 1); }",
            "[1] https://example.org",
            "plain",
        ] {
            assert!(!is_json(text), "{text}");
        }
    }
}

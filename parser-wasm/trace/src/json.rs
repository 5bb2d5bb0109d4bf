//! JSON values as Rust types, and back; and whether a text is JSON.

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use std::io::{self, Write};

// Both through text: readers and writers of values beside those of text would make the module a
// tenth larger.

pub fn typed<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    serde_json::from_str(&value.to_string())
}

/// `Null` for what cannot be written as JSON.
pub fn untyped(document: &impl Serialize) -> Value {
    serde_json::from_str(&text(document)).unwrap_or_default()
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
    use super::is_json;

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

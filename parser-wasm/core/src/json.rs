//! JSON values as Rust types, and back.

use serde::Serialize;
use serde::de::DeserializeOwned;
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

//! JSON values as Rust types, and back.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

// Both through text: readers and writers of values beside those of text would make the module a
// tenth larger.

pub fn typed<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    serde_json::from_str(&value.to_string())
}

/// `Null` for what cannot be written as JSON.
pub fn untyped(document: &impl Serialize) -> Value {
    serde_json::to_string(document)
        .and_then(|text| serde_json::from_str(&text))
        .unwrap_or_default()
}

//! Answers and errors as JavaScript values.

use crate::js::{self, Float64Array, Object, Uint8Array, Uint32Array};
use seekscope_core::error::{Error, Problem};
use seekscope_core::json;
use seekscope_core::plot::{Answer, AnswerValue, BadQuery};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

/// A document as a JavaScript value, by way of JSON text.
pub fn document(document: &impl Serialize) -> JsValue {
    parsed(&json::text(document))
}

fn parsed(text: &str) -> JsValue {
    js::parse_json(text).unwrap_or(JsValue::UNDEFINED)
}

/// Reads a query from JSON. Throws.
pub fn read<T: DeserializeOwned>(query: &str) -> Result<T, JsValue> {
    json::read(query).map_err(|e| bad_query(BadQuery::new(e)))
}

/// The value to throw for an error.
pub fn error(error: &Error) -> JsValue {
    document(error)
}

/// The value to throw for an invalid query.
pub fn bad_query(BadQuery(what): BadQuery) -> JsValue {
    error(&Problem::BadQuery { what }.into())
}

/// An answer as an object that owns its arrays.
pub fn answer(answer: Answer) -> JsValue {
    match answer {
        Answer::Json(json) => document(&json),
        Answer::Text(text) => parsed(&text),
        Answer::Object(properties) => {
            let object = Object::new();
            for (name, value) in properties {
                object.set(name, &property(value));
            }
            object.into()
        }
    }
}

fn property(value: AnswerValue) -> JsValue {
    match value {
        AnswerValue::Number(n) => JsValue::from_f64(n),
        AnswerValue::Word(word) => JsValue::from_str(word),
        AnswerValue::F64(v) => Float64Array::new(&v).into(),
        AnswerValue::U32(v) => Uint32Array::new(&v).into(),
        AnswerValue::U8(v) => Uint8Array::new(&v).into(),
        AnswerValue::Json(json) => document(&json),
    }
}

//! Answers and errors as JavaScript values.

use js_sys::{Array, Float64Array, JSON, Object, Uint8Array, Uint32Array};
use seekscope_core::error::{Error, Problem};
use seekscope_core::plot::{Answer, AnswerValue, BadQuery};
use serde::Serialize;
use wasm_bindgen::JsValue;

/// Any document, converted through JSON.
pub fn document(document: &impl Serialize) -> JsValue {
    let text = serde_json::to_string(document).unwrap_or_default();
    JSON::parse(&text).unwrap_or(JsValue::UNDEFINED)
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
        Answer::Object(properties) => {
            let entries = Array::new();
            for (name, value) in properties {
                entries.push(&Array::of2(&JsValue::from_str(name), &property(value)));
            }
            Object::from_entries(&entries).map_or(JsValue::UNDEFINED, JsValue::from)
        }
    }
}

fn property(value: AnswerValue) -> JsValue {
    match value {
        AnswerValue::Number(n) => JsValue::from_f64(n),
        AnswerValue::Word(word) => JsValue::from_str(word),
        AnswerValue::F64(v) => Float64Array::from(v.as_slice()).into(),
        AnswerValue::U32(v) => Uint32Array::from(v.as_slice()).into(),
        AnswerValue::U8(v) => Uint8Array::from(v.as_slice()).into(),
        AnswerValue::Json(json) => document(&json),
    }
}

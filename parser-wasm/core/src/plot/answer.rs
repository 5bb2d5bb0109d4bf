//! Answers as named values: JavaScript receives one object with numbers, typed arrays and plain
//! JSON.

use crate::json;
use serde::Serialize;
use serde_json::Value as Json;
use std::fmt;

/// A property of an answer object.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerValue {
    /// A number.
    Number(f64),
    /// A string constant.
    Word(&'static str),
    /// Becomes a `Float64Array`.
    F64(Vec<f64>),
    /// Becomes a `Uint32Array`.
    U32(Vec<u32>),
    /// Becomes a `Uint8Array`.
    U8(Vec<u8>),
    /// Anything small.
    Json(Json),
}

impl From<f64> for AnswerValue {
    fn from(v: f64) -> AnswerValue {
        AnswerValue::Number(v)
    }
}

impl From<usize> for AnswerValue {
    fn from(v: usize) -> AnswerValue {
        AnswerValue::Number(v as f64)
    }
}

impl From<u64> for AnswerValue {
    fn from(v: u64) -> AnswerValue {
        AnswerValue::Number(v as f64)
    }
}

impl From<u32> for AnswerValue {
    fn from(v: u32) -> AnswerValue {
        AnswerValue::Number(f64::from(v))
    }
}

impl From<bool> for AnswerValue {
    fn from(v: bool) -> AnswerValue {
        AnswerValue::Json(Json::Bool(v))
    }
}

impl From<&'static str> for AnswerValue {
    fn from(v: &'static str) -> AnswerValue {
        AnswerValue::Word(v)
    }
}

impl From<Vec<f64>> for AnswerValue {
    fn from(v: Vec<f64>) -> AnswerValue {
        AnswerValue::F64(v)
    }
}

impl From<Vec<u32>> for AnswerValue {
    fn from(v: Vec<u32>) -> AnswerValue {
        AnswerValue::U32(v)
    }
}

impl From<Vec<u8>> for AnswerValue {
    fn from(v: Vec<u8>) -> AnswerValue {
        AnswerValue::U8(v)
    }
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Properties of an object, which may be large arrays.
    Object(Vec<(&'static str, AnswerValue)>),
    /// A document without large arrays.
    Json(Json),
    /// The same, as JSON.
    Text(String),
}

impl Answer {
    /// Any document. Values that cannot be written as JSON become `null`; none of the documents
    /// here contains one.
    pub fn json(document: &impl Serialize) -> Answer {
        Answer::Text(json::text(document))
    }

    /// The document; absent for properties.
    pub fn document(self) -> Option<Json> {
        match self {
            Answer::Json(json) => Some(json),
            Answer::Text(text) => serde_json::from_str(&text).ok(),
            Answer::Object(_) => None,
        }
    }
}

/// Why a query has no answer, as a clause: `device 7 does not exist`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadQuery(pub String);

impl BadQuery {
    /// The reason, from anything printable.
    pub fn new(what: impl fmt::Display) -> BadQuery {
        BadQuery(what.to_string())
    }
}

//! Answers as named values: what JavaScript sees as one object with numbers, typed arrays and plain JSON.

use serde::Serialize;
use serde_json::Value as Json;
use std::fmt;

/// One property of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A constant word.
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

impl From<f64> for Value {
    fn from(v: f64) -> Value {
        Value::Number(v)
    }
}

impl From<usize> for Value {
    fn from(v: usize) -> Value {
        Value::Number(v as f64)
    }
}

impl From<u64> for Value {
    fn from(v: u64) -> Value {
        Value::Number(v as f64)
    }
}

impl From<u32> for Value {
    fn from(v: u32) -> Value {
        Value::Number(f64::from(v))
    }
}

impl From<bool> for Value {
    fn from(v: bool) -> Value {
        Value::Json(Json::Bool(v))
    }
}

impl From<&'static str> for Value {
    fn from(v: &'static str) -> Value {
        Value::Word(v)
    }
}

impl From<Vec<f64>> for Value {
    fn from(v: Vec<f64>) -> Value {
        Value::F64(v)
    }
}

impl From<Vec<u32>> for Value {
    fn from(v: Vec<u32>) -> Value {
        Value::U32(v)
    }
}

impl From<Vec<u8>> for Value {
    fn from(v: Vec<u8>) -> Value {
        Value::U8(v)
    }
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Properties of an object, some of them large.
    Object(Vec<(&'static str, Value)>),
    /// A document without large arrays.
    Json(Json),
}

impl Answer {
    /// Any document. What cannot be written as JSON becomes `null`; none of the documents here can fail.
    pub fn json(document: &impl Serialize) -> Answer {
        Answer::Json(serde_json::to_value(document).unwrap_or(Json::Null))
    }
}

/// A question that has no answer, and why, as a clause: `there is no device 7`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadQuery(pub String);

impl BadQuery {
    /// From anything printable.
    pub fn new(what: impl fmt::Display) -> BadQuery {
        BadQuery(what.to_string())
    }
}

//! Answers as named values: what JavaScript sees as one object with numbers, typed arrays and plain JSON.

use serde::Serialize;
use serde_json::Value as Json;
use std::fmt;

/// One property of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerValue {
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

/// A whole answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Properties of an object, some of them large.
    Object(Vec<(&'static str, AnswerValue)>),
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

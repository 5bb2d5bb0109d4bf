//! Answers as named values: JavaScript receives one object with numbers, typed arrays and plain
//! JSON. Large lists cross as typed arrays, because JSON would write and parse each number as text.

use seekscope_trace::json;
use serde::Serialize;
use serde_json::Value as Json;
use std::fmt;

/// A property of an answer object.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerValue {
    Number(f64),
    /// A string that is one of a few constants, as the kind of an answer.
    Word(&'static str),
    /// Becomes a `Float64Array`.
    F64(Vec<f64>),
    /// Becomes a `Uint32Array`.
    U32(Vec<u32>),
    /// Becomes a `Uint8Array`.
    U8(Vec<u8>),
    /// A document; small, because it crosses as text.
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

/// The answer to a query, before it crosses to JavaScript.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Properties of an object, which may be large arrays.
    Object(Vec<(&'static str, AnswerValue)>),
    /// A document without large arrays.
    Json(Json),
    /// The same, already written as JSON text, which JavaScript parses.
    Text(String),
}

impl Answer {
    /// The answer for a document. Values that cannot be written as JSON become `null`; none of the
    /// documents here contains one.
    pub fn json(document: &impl Serialize) -> Answer {
        Answer::Text(json::text(document))
    }

    /// The document of an answer; absent for an object of properties.
    pub fn document(self) -> Option<Json> {
        match self {
            Answer::Json(json) => Some(json),
            Answer::Text(text) => json::read(&text).ok(),
            Answer::Object(_) => None,
        }
    }
}

/// Implemented by whatever a query may return: an object with arrays, or any document.
pub trait IntoAnswer {
    fn into_answer(self) -> Answer;
}

impl<T: Serialize> IntoAnswer for T {
    fn into_answer(self) -> Answer {
        Answer::json(&self)
    }
}

/// A property of an answer object that crosses as a document instead of a typed array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document<T>(pub T);

/// A value of an answer object; `None` adds no property.
pub trait AnswerField {
    fn add(self, name: &'static str, properties: &mut Vec<(&'static str, AnswerValue)>);
}

impl<T: Into<AnswerValue>> AnswerField for T {
    fn add(self, name: &'static str, properties: &mut Vec<(&'static str, AnswerValue)>) {
        properties.push((name, self.into()));
    }
}

impl<T: Into<AnswerValue>> AnswerField for Option<T> {
    fn add(self, name: &'static str, properties: &mut Vec<(&'static str, AnswerValue)>) {
        properties.extend(self.map(|value| (name, value.into())));
    }
}

impl<T: Serialize> From<Document<T>> for AnswerValue {
    fn from(Document(document): Document<T>) -> AnswerValue {
        AnswerValue::Json(json::untyped(&document))
    }
}

/// Declares an answer object: a struct whose fields become properties, with the name behind `as`
/// where it is another one in JavaScript. Lists of f64, u32 and u8 become typed arrays.
macro_rules! answer_object {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($(#[$doc:meta])* $field:ident $(as $key:literal)? : $type:ty),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[$doc])* pub $field: $type),*
        }

        impl $crate::answer::IntoAnswer for $name {
            fn into_answer(self) -> $crate::Answer {
                let mut properties = Vec::new();
                $(
                    let name = [$($key,)? stringify!($field)][0];
                    $crate::answer::AnswerField::add(self.$field, name, &mut properties);
                )*
                $crate::Answer::Object(properties)
            }
        }
    };
}
pub(crate) use answer_object;

/// Why a query has no answer, as a clause: `device 7 does not exist`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadQuery(pub String);

impl BadQuery {
    pub fn new(reason: impl fmt::Display) -> BadQuery {
        BadQuery(reason.to_string())
    }
}

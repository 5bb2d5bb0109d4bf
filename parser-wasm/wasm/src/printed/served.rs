//! What `serve` prints and answers.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The line that `serve` prints once it answers.
#[derive(Serialize)]
pub struct ServedStart {
    /// Version of the document: 1.
    pub schema: u32,
    /// Address with the token: GET lists traces and queries, POST asks one.
    pub url: String,
    pub traces: Vec<ServedTrace>,
}

/// A trace that is loaded.
#[derive(Serialize)]
pub struct ServedTrace {
    /// Its number, from 0: `trace` of a query.
    pub trace: usize,
    /// As in `summary`.
    pub label: String,
    /// The path of its first file.
    pub path: String,
}

/// The answer to GET: what can be asked.
#[derive(Serialize)]
pub struct ServedIndex {
    /// Version of the document: 1.
    pub schema: u32,
    pub traces: Vec<ServedTrace>,
    /// By `kind`: what is asked and answered.
    pub queries: Map<String, Value>,
    /// The schemas that those of the queries refer to.
    #[serde(rename = "$defs")]
    pub definitions: Map<String, Value>,
}

/// The body of a POST.
#[derive(Deserialize)]
pub struct ServedQuery {
    /// The number of the trace; the first one without it.
    #[serde(default)]
    pub trace: usize,
    /// The name of the query.
    pub kind: String,
    /// Its parameters; those that are absent have their defaults.
    #[serde(default)]
    pub query: Map<String, Value>,
}

/// The answer to a request that is refused.
#[derive(Serialize)]
pub struct ServedProblem {
    pub error: ServedError,
}

/// Why a request was refused.
#[derive(Serialize)]
pub struct ServedError {
    /// Stable, for scripts.
    pub code: String,
    /// One sentence that says what is wrong, and what to do.
    pub message: String,
}

//! Text files next to traces.

use crate::value;
use seekscope_core::notes::labels::{self, RunNames};
use seekscope_core::notes::{self, Note, TracePaths};
use seekscope_core::plot::BadQuery;
use serde::Deserialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[derive(Deserialize)]
struct ReadNotesQuery {
    traces: Vec<TracePaths>,
    files: Vec<String>,
}

/// What the text files next to traces say, and of which traces. `query` is JSON: `{traces: [{label, paths}], files}`, paths of the traces' files
/// and of the texts; `heads` are the texts' first bytes, up to a MiB. Returns `{notes, runs}`: a note of each text, with the
/// indices of its traces, and a label of each trace, with what the notes agree on. Throws.
#[wasm_bindgen(js_name = readNotes)]
pub fn read_notes(query: &str, heads: Vec<js_sys::Uint8Array>) -> Result<JsValue, JsValue> {
    let ReadNotesQuery { traces, files } = serde_json::from_str(query).map_err(|e| value::bad_query(BadQuery::new(e)))?;
    let read: Vec<Note> = files.iter().zip(heads).map(|(file, head)| notes::read(file, &head.to_vec())).collect();
    Ok(value::document(&notes::assign(&traces, read)))
}

/// Splits the labels of all runs into dimensions. `query` is JSON: an array of `{label, folder, kernel?, scheduler?, workload?, writers?, jobs?}`.
/// Returns `{parts: [{key, name}], runs: [[value]], groups: [{label, runs}]}`. Throws.
#[wasm_bindgen(js_name = guessLabels)]
pub fn guess_labels(query: &str) -> Result<JsValue, JsValue> {
    let runs: Vec<RunNames> = serde_json::from_str(query).map_err(|e| value::bad_query(BadQuery::new(e)))?;
    Ok(value::document(&labels::guess(&runs)))
}

//! Text files next to traces.

use crate::js::Uint8Array;
use crate::value;
use seekscope_core::compare::{self, ResultsDocument};
use seekscope_core::notes::labels::{self, RunNames};
use seekscope_core::notes::{self, Note, TracePaths};
use seekscope_core::plot::BadQuery;
use seekscope_core::results::{self, ResultLayout, ResultSet, ResultTable, ResultText};
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
pub fn read_notes(query: &str, heads: Vec<Uint8Array>) -> Result<JsValue, JsValue> {
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

/// Tables and reports of benchmarks in texts without a trace. `query` is JSON: an array of paths; `heads` are the texts' first bytes, up to 8 MiB.
/// Returns `{absent, tables}`, without tables if there are none. Throws.
#[wasm_bindgen(js_name = readResults)]
pub fn read_results(query: &str, heads: Vec<Uint8Array>) -> Result<JsValue, JsValue> {
    let files: Vec<String> = serde_json::from_str(query).map_err(|e| value::bad_query(BadQuery::new(e)))?;
    let bytes: Vec<Vec<u8>> = heads.iter().map(Uint8Array::to_vec).collect();
    let texts: Vec<ResultText> = files.iter().zip(&bytes).map(|(file, bytes)| ResultText { file, bytes }).collect();
    Ok(value::document(&compare::results(&results::read(&texts))))
}

/// Tables that were read before, and how one of them is laid out.
#[derive(Deserialize)]
struct ResultsQuery {
    tables: Vec<ResultTable>,
    layout: Option<ResultLayout>,
}

fn arranged(query: &str) -> Result<ResultsDocument, JsValue> {
    let ResultsQuery { tables, layout } = serde_json::from_str(query).map_err(|e| value::bad_query(BadQuery::new(e)))?;
    let set = ResultSet { tables }.bounded();
    Ok(compare::results(&layout.iter().fold(set, ResultSet::laid_out)))
}

/// The same tables, one of them laid out anew. `query` is JSON: `{tables, layout?: {table, rows?, columns?, base?, noBase?}}`, tables of a document
/// of `readResults`. Throws.
#[wasm_bindgen(js_name = arrangeResults)]
pub fn arrange_results(query: &str) -> Result<JsValue, JsValue> {
    Ok(value::document(&arranged(query)?))
}

/// The same as text: ASCII, 72 columns. Throws.
#[wasm_bindgen(js_name = resultsText)]
pub fn results_text(query: &str) -> Result<String, JsValue> {
    Ok(compare::results::text(&arranged(query)?))
}

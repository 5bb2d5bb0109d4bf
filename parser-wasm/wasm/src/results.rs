//! Tables of results without a trace.

use seekscope_core::compare::{self, ResultsDocument};
use seekscope_core::results::{ResultLayout, ResultSet, ResultTable};
use seekscope_javascript::value;
use serde::Deserialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Tables that were read from texts, and how one of them is laid out.
#[derive(Deserialize)]
pub struct ResultsQuery {
    tables: Vec<ResultTable>,
    layout: Option<ResultLayout>,
}

fn arranged(query: &str) -> Result<ResultsDocument, JsValue> {
    let ResultsQuery { tables, layout } = value::read(query)?;
    let set = ResultSet { tables }.bounded();
    Ok(compare::results(
        &layout.iter().fold(set, ResultSet::laid_out),
    ))
}

/// The matrices of tables, one of them laid out anew. `query` is JSON: `{tables, layout?: {table,
/// rows?, columns?, base?, noBase?}}`, tables as `TextReader` returns them. Returns `{absent,
/// tables}`. Throws.
#[wasm_bindgen(js_name = arrangeResults, unchecked_return_type = "ResultsDocument")]
pub fn arrange_results(query: &str) -> Result<JsValue, JsValue> {
    Ok(value::document(&arranged(query)?))
}

/// The matrices of tables as text: ASCII, 72 columns. Throws.
#[wasm_bindgen(js_name = resultsText)]
pub fn results_text(query: &str) -> Result<String, JsValue> {
    Ok(compare::tables::results::text(&arranged(query)?))
}

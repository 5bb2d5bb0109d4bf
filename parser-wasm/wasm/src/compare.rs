//! Comparisons of runs.

use crate::value;
use seekscope_core::compare::{self, CompareQuery, MatrixQuery, mail};
use seekscope_core::plot::BadQuery;
use serde::Deserialize;
use serde::de::IgnoredAny;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

fn parsed(query: &str) -> Result<CompareQuery, JsValue> {
    serde_json::from_str(query).map_err(|e| value::bad_query(BadQuery::new(e)))
}

/// Distinguishes a query for the cells of a matrix from one for runs.
#[derive(Deserialize)]
struct CompareShape {
    cells: Option<IgnoredAny>,
}

/// Compares runs. `query` is JSON: `{runs: [{label, kernel?, group?, device?, trace: digest, bench?}], baseline?}`, digests as
/// answers to `digest`. Returns the document of `compare --json`. With `{runs, cells: [[run]], pairs: [[base, cell]], columns: [[cell]], known?}`
/// it compares cells of runs, and returns `{figures, thresholds}`. Throws.
#[wasm_bindgen]
pub fn compare(query: &str) -> Result<JsValue, JsValue> {
    let invalid = |e| value::bad_query(BadQuery::new(e));
    let shape: CompareShape = serde_json::from_str(query).map_err(invalid)?;
    if shape.cells.is_some() {
        let query: MatrixQuery = serde_json::from_str(query).map_err(invalid)?;
        return Ok(value::document(&compare::matrix(&query)));
    }
    Ok(value::document(&compare::compare(&parsed(query)?)))
}

/// The comparison of runs as plain text: ASCII, 72 columns. Throws.
#[wasm_bindgen(js_name = compareText)]
pub fn compare_text(query: &str) -> Result<String, JsValue> {
    let query = parsed(query)?;
    Ok(mail::text(&query, &compare::compare(&query)))
}

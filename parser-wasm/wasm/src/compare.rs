//! Runs beside each other.

use crate::value;
use seekscope_core::compare::{self, Asked};
use seekscope_core::plot::BadQuery;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Compares runs. `ask` is JSON: `{runs: [{label, group?, device?, traces: [digest]}], baseline?}`, digests as traces answer them.
/// Answers the document of `compare --json`. Throws.
#[wasm_bindgen]
pub fn compare(ask: &str) -> Result<JsValue, JsValue> {
    let asked: Asked = serde_json::from_str(ask).map_err(|e| value::bad_query(BadQuery::new(e)))?;
    Ok(value::document(&compare::compare(&asked)))
}

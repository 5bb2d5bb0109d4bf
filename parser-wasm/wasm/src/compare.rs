//! Runs beside each other.

use crate::value;
use seekscope_core::compare::{self, Asked, mail};
use seekscope_core::plot::BadQuery;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

fn asked(ask: &str) -> Result<Asked, JsValue> {
    serde_json::from_str(ask).map_err(|e| value::bad_query(BadQuery::new(e)))
}

/// Compares runs. `ask` is JSON: `{runs: [{label, kernel?, group?, device?, trace: digest, bench?}], baseline?}`, digests as traces
/// answer them. Answers the document of `compare --json`. Throws.
#[wasm_bindgen]
pub fn compare(ask: &str) -> Result<JsValue, JsValue> {
    Ok(value::document(&compare::compare(&asked(ask)?)))
}

/// The same as text to send: ASCII, 72 columns. Throws.
#[wasm_bindgen(js_name = compareText)]
pub fn compare_text(ask: &str) -> Result<String, JsValue> {
    let asked = asked(ask)?;
    Ok(mail::text(&asked, &compare::compare(&asked)))
}

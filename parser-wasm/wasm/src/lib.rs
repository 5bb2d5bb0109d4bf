//! Seekscope's engine for JavaScript.

use wasm_bindgen::prelude::wasm_bindgen;

/// Version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

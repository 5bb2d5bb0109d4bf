//! The engine may come in parts: `xtask` moves functions that the first picture of a trace does not
//! enter into modules of their own. A function that is not there yet calls `loadPart`.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(raw_module = "../partLoader.mjs")]
extern "C" {
    /// Instantiates a part by its number, from 1, unless that has happened. Throws.
    #[wasm_bindgen(js_name = loadPart)]
    fn load_part(part: usize);
}

/// Instantiates a part before a function of it is called. Throws.
#[wasm_bindgen(js_name = preparePart)]
pub fn prepare_part(part: usize) {
    load_part(part);
}

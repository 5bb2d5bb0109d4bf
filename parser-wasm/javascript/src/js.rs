//! The few things of JavaScript that are used here. `js-sys` would bind the whole language, which
//! takes longer to compile than this crate.

use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Uint8Array, typescript_type = "Uint8Array")]
    pub type Uint8Array;
    /// A copy outside of the module's memory.
    #[wasm_bindgen(constructor)]
    pub fn new(values: &[u8]) -> Uint8Array;
    /// A copy in the module's memory.
    #[wasm_bindgen(method, js_name = slice)]
    pub fn to_vec(this: &Uint8Array) -> Vec<u8>;

    pub type Uint32Array;
    #[wasm_bindgen(constructor)]
    pub fn new(values: &[u32]) -> Uint32Array;

    pub type Float64Array;
    #[wasm_bindgen(constructor)]
    pub fn new(values: &[f64]) -> Float64Array;

    pub type Object;
    #[wasm_bindgen(constructor)]
    pub fn new() -> Object;
    #[wasm_bindgen(method, indexing_setter)]
    pub fn set(this: &Object, name: &str, value: &JsValue);

    #[wasm_bindgen(js_namespace = JSON, js_name = parse, catch)]
    pub fn parse_json(text: &str) -> Result<JsValue, JsValue>;
}

//! The reader of texts for JavaScript, in a module of its own: it is loaded only when a text
//! arrives that is not a trace. `web/engine` calls it in a worker and in Node, and lets the
//! engine compare the tables that it returns. All data are copied in and out.

use seekscope_texts::TextInput;
use wasm_bindgen::prelude::wasm_bindgen;

struct Text {
    path: String,
    argument: Option<usize>,
    bytes: Vec<u8>,
}

/// Takes the texts of one call one after another, then reads them together.
#[wasm_bindgen(js_name = TextReader)]
#[derive(Default)]
pub struct JsTextReader {
    texts: Vec<Text>,
}

#[wasm_bindgen(js_class = TextReader)]
impl JsTextReader {
    #[wasm_bindgen(constructor)]
    pub fn new() -> JsTextReader {
        JsTextReader::default()
    }

    /// Adds a text: its path, its bytes, and the index of the argument of the command that led to
    /// it: two arguments are two sides.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>, argument: Option<usize>) {
        self.texts.push(Text {
            path: path.to_owned(),
            argument,
            bytes,
        });
    }

    /// The results in all texts as JSON, a query of the engine's `arrangeResults`: `{tables}`,
    /// without tables if there are none.
    pub fn read(&self) -> String {
        let inputs: Vec<TextInput> = self
            .texts
            .iter()
            .map(|text| TextInput {
                path: &text.path,
                argument: text.argument,
                bytes: &text.bytes,
            })
            .collect();
        let set = seekscope_texts::read(&inputs);
        serde_json::to_string(&set).expect("tables have string keys")
    }
}

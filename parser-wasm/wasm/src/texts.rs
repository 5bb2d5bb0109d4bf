//! The reader of texts that are no traces. `web/engine` calls it in a worker and in Node, and lets
//! `arrange_results` compare the tables that it returns.

use seekscope_core::json;
use seekscope_texts::TextInput;
use seekscope_texts::nearest;
use seekscope_texts::reading::Reading;
use seekscope_texts::sides::choices::Choices;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// The lines that a person sees of a mail, a page or a text in another charset, in UTF-8; absent
/// for bytes that are no text.
#[wasm_bindgen(js_name = plainText)]
pub fn plain_text(bytes: &[u8]) -> Option<Vec<u8>> {
    Some(
        seekscope_texts::transport::read(bytes)?
            .plain()
            .into_bytes(),
    )
}

struct Text {
    path: String,
    /// Index of the argument of the command line that led to it.
    argument: Option<usize>,
    bytes: Vec<u8>,
    /// Whether `bytes` are only the begin of the file.
    is_cut: bool,
}

/// Takes the texts of one call one after another, then reads them together.
#[wasm_bindgen(js_name = TextReader)]
#[derive(Default)]
pub struct JsTextReader {
    texts: Vec<Text>,
    reading: Reading,
}

#[wasm_bindgen(js_class = TextReader)]
impl JsTextReader {
    #[wasm_bindgen(constructor)]
    pub fn new() -> JsTextReader {
        JsTextReader::default()
    }

    /// Adds a text: its path, its bytes or those at its begin, the size of its file, and the index
    /// of the argument of the command that led to it: two arguments are two sides.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>, size: f64, argument: Option<usize>) {
        self.texts.push(Text {
            is_cut: size > bytes.len() as f64,
            path: path.to_owned(),
            argument,
            bytes,
        });
    }

    /// Reads all texts, with choices as JSON: `{sides, blocks}`, both optional. `omitted` is how
    /// many texts there are besides. Returns `{tables}` as JSON, a query of the engine's
    /// `arrangeResults`, without tables if there are none; how the texts were read is in `reading`.
    /// Throws if the choices are none.
    pub fn read(&mut self, choices: &str, omitted: usize) -> Result<String, JsError> {
        let choices: Choices = json::read(choices)?;
        let inputs: Vec<TextInput> = self
            .texts
            .iter()
            .map(|text| TextInput {
                path: &text.path,
                argument: text.argument,
                bytes: &text.bytes,
            })
            .collect();
        let (set, reading) = seekscope_texts::read_with(&inputs, &choices);
        self.reading = reading;
        let cut = self.texts.iter().filter(|text| text.is_cut);
        let cut: Vec<(&str, usize)> = cut
            .map(|text| (text.path.as_str(), text.bytes.len()))
            .collect();
        self.reading.add_unread(&cut, omitted);
        Ok(serde_json::to_string(&set)?)
    }

    /// How the texts were read, as JSON.
    pub fn reading(&self) -> Result<String, JsError> {
        Ok(serde_json::to_string(&self.reading)?)
    }
}

/// The outputs of benchmarks in the text at a path that belongs to traces, as JSON for the engine's
/// `NoteReader`; counters and totals are none.
#[wasm_bindgen(js_name = noteOutputs)]
pub fn note_outputs(path: &str, bytes: &[u8]) -> Result<String, JsError> {
    let outputs = seekscope_texts::notes::outputs(path, bytes);
    Ok(serde_json::to_string(&outputs)?)
}

/// Why a text without a trace and without results is refused, as an error in JSON: what it
/// resembles most, and what it lacks. Absent for bytes that are no text and, unless a reason is
/// `needed`, for a text that resembles nothing. `bytes` may be its beginning; of the `size` of its
/// file so many bytes were `searched` for results.
#[wasm_bindgen(js_name = refusalOfText)]
pub fn refusal(path: &str, bytes: &[u8], size: f64, searched: f64, needed: bool) -> Option<String> {
    let (size, searched) = (size as u64, searched as u64);
    let error = nearest::refusal_of_part(path, bytes, size, searched, needed)?;
    Some(serde_json::to_string(&error).expect("errors have string keys"))
}

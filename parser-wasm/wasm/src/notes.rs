//! Text files next to traces.

use seekscope_core::notes::labels::{self, RunNames};
use seekscope_core::notes::{self, Note, NoteOutputs, TracePaths};
use seekscope_javascript::value;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Reads the text files next to traces, one after another.
#[wasm_bindgen(js_name = NoteReader)]
#[derive(Default)]
pub struct JsNoteReader {
    notes: Vec<Note>,
}

#[wasm_bindgen(js_class = NoteReader)]
impl JsNoteReader {
    #[wasm_bindgen(constructor)]
    pub fn new() -> JsNoteReader {
        JsNoteReader::default()
    }

    /// Reads the next text: its path and first bytes, up to a MiB.
    pub fn add(&mut self, path: &str, head: &[u8]) {
        self.notes.push(notes::read(path, head));
    }

    /// The texts that may hold outputs of benchmarks, which another module reads: `[{index,
    /// text?}]`, with the text to read where it is not all of the file.
    #[wasm_bindgen(unchecked_return_type = "readonly UnreadNote[]")]
    pub fn unread(&self) -> JsValue {
        value::document(&notes::unread_notes(&self.notes))
    }

    /// Takes the outputs that `noteOutputs` of the reader of texts found in a text. Throws.
    #[wasm_bindgen(js_name = addOutputs)]
    pub fn add_outputs(&mut self, index: usize, outputs: &str) -> Result<(), JsValue> {
        let outputs: NoteOutputs = value::read(outputs)?;
        if let Some(note) = self.notes.get_mut(index) {
            note.add_outputs(outputs);
        }
        Ok(())
    }

    /// What the texts say, and of which traces. `traces` is JSON: `[{label, paths}]`, paths of
    /// their files. Returns `{notes, runs}`: a note of each text, with the indices of its traces,
    /// and a label of each trace, with what the notes agree on. Throws.
    #[wasm_bindgen(unchecked_return_type = "NotesOfTraces")]
    pub fn assign(&mut self, traces: &str) -> Result<JsValue, JsValue> {
        let traces: Vec<TracePaths> = value::read(traces)?;
        Ok(value::document(&notes::assign(
            &traces,
            std::mem::take(&mut self.notes),
        )))
    }
}

/// Splits the labels of all runs into dimensions. `query` is JSON: an array of `{label, folder,
/// kernel?, scheduler?, workload?, writers?, jobs?}`. Returns `{parts: [{key, name}], runs:
/// [[value]], groups: [{label, runs}]}`. Throws.
#[wasm_bindgen(js_name = guessLabels, unchecked_return_type = "GuessedLabels")]
pub fn guess_labels(query: &str) -> Result<JsValue, JsValue> {
    let runs: Vec<RunNames> = value::read(query)?;
    Ok(value::document(&labels::guess(&runs)))
}

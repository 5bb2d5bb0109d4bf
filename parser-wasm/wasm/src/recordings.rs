//! Texts with several recordings: where these are, and their names.

use crate::unpack::Port;
use seekscope_core::format::blktrace;
use seekscope_core::format::is_text;
use seekscope_core::format::text::blkparse::pattern::Pattern;
use seekscope_core::format::text::may_have_recordings;
use seekscope_javascript::value;
use seekscope_recordings as recordings;
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Whether a file that begins so (512 bytes) may be a text.
#[wasm_bindgen(js_name = mayBeText)]
pub fn may_be_text(head: &[u8]) -> bool {
    blktrace::magic(head).is_none() && (is_text(head) || recordings::is_encoded(head))
}

/// Whether a text that begins so (64 KiB) is read as `plainText` of the reader of texts shows it.
#[wasm_bindgen(js_name = isEncodedText)]
pub fn is_encoded_text(head: &[u8]) -> bool {
    recordings::is_encoded(head)
}

/// Whether a text, or its begin, has lines of a trace.
#[wasm_bindgen(js_name = hasEvents)]
pub fn has_events(head: &[u8]) -> bool {
    may_have_recordings(head, true, None)
}

/// A recording in a text.
#[derive(Serialize)]
struct FoundRecording {
    /// Its path: that of the text, as if that were a folder, and its name.
    path: String,
    /// Bytes of the text, with what stands above the recording.
    begin: u64,
    end: u64,
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** A recording in a text: its path, as if the text were a folder, and its bytes. */
export interface FoundRecording {
  readonly path: string;
  readonly begin: number;
  readonly end: number;
}";

/// The recordings in the text at `path`, of `size` bytes; none if it does not have several. Throws
/// what `port` throws.
#[wasm_bindgen(js_name = findRecordings, unchecked_return_type = "readonly FoundRecording[]")]
pub fn find_recordings(
    path: &str,
    size: f64,
    pattern: Option<String>,
    port: &Port,
) -> Result<JsValue, JsValue> {
    let pattern = pattern.and_then(|pattern| Pattern::new(&pattern).ok());
    let read =
        |offset: u64, length: usize| port.read(offset as f64, length).map(|bytes| bytes.to_vec());
    let found = recordings::find(size as u64, pattern.as_ref(), read)?;
    let found: Vec<FoundRecording> = found
        .iter()
        .enumerate()
        .map(|(index, recording)| FoundRecording {
            path: recording.path(path, index),
            begin: recording.bytes.start,
            end: recording.bytes.end,
        })
        .collect();
    Ok(value::document(&found))
}

/// Better paths of the recordings that `findRecordings` found, by what finds the sides of results:
/// one or `null` for each. `bytes`: the text before it was decoded.
#[wasm_bindgen(js_name = nameRecordings, unchecked_return_type = "readonly (string | null)[]")]
pub fn name_recordings(path: &str, bytes: &[u8]) -> JsValue {
    let below = |name: String| format!("{path}/{name}");
    let names = recordings::names(path, bytes).into_iter();
    value::document(&names.map(|name| name.map(below)).collect::<Vec<_>>())
}

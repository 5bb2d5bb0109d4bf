//! Texts with several recordings, passed on as a file per recording.

use crate::unpack::Port;
use seekscope_core::format::blktrace;
use seekscope_core::format::is_text;
use seekscope_core::format::text::blkparse::pattern::Pattern;
use seekscope_core::format::text::may_have_recordings;
use seekscope_javascript::js::Uint8Array;
use seekscope_recordings as recordings;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Maximum number of bytes that are passed on at once.
const PIECE: usize = 1 << 20;

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

/// Passes on the recordings in the text at `path`, of `size` bytes, as files; returns whether it
/// has several. Throws what `port` throws.
#[wasm_bindgen(js_name = splitRecordings)]
pub fn split_recordings(
    path: &str,
    size: f64,
    pattern: Option<String>,
    port: &Port,
) -> Result<bool, JsValue> {
    let pattern = pattern.and_then(|pattern| Pattern::new(&pattern).ok());
    let read =
        |offset: u64, length: usize| port.read(offset as f64, length).map(|bytes| bytes.to_vec());
    let found = recordings::find(size as u64, pattern.as_ref(), read)?;
    for (index, recording) in found.iter().enumerate() {
        port.begin(&recording.path(path, index))?;
        let mut offset = recording.bytes.start;
        while offset < recording.bytes.end {
            let rest = recording.bytes.end - offset;
            let bytes = port.read(offset as f64, PIECE.min(rest as usize))?.to_vec();
            if bytes.is_empty() {
                break;
            }
            offset += bytes.len() as u64;
            port.bytes(Uint8Array::new(&bytes), offset as f64)?;
        }
        port.end()?;
    }
    Ok(!found.is_empty())
}

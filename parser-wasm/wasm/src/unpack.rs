//! Archives and compressed files, read from and passed to JavaScript in pieces.

use seekscope_core::store::quality::Warning;
use seekscope_javascript::js::Uint8Array;
use seekscope_javascript::value;
use seekscope_unpack::{self as boxes, FileSink, Limits};
use std::io::{self, Read};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Bytes read from JavaScript per call.
const AHEAD: usize = 1 << 20;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** Source of bytes and receiver of files. What it throws ends unpacking and is thrown by \
`unpack`. */
export interface UnpackPort {
  /** Bytes of the archive; fewer than `length` only at its end. */
  read(offset: number, length: number): Uint8Array;
  /** Starts a file; its path starts with that of the archive, as with that of a folder. */
  begin(path: string): void;
  /** Its next bytes; `taken`: bytes of the archive that were read so far. */
  bytes(bytes: Uint8Array, taken: number): void;
  /** The file is complete, or as complete as the damaged archive allows. Discard a file that does \
  not end. */
  end(): void;
}";

#[wasm_bindgen]
extern "C" {
    /// Source of bytes and receiver of files.
    #[wasm_bindgen(typescript_type = "UnpackPort")]
    pub type Port;

    #[wasm_bindgen(structural, method, catch)]
    pub(crate) fn read(this: &Port, offset: f64, length: usize) -> Result<Uint8Array, JsValue>;
    #[wasm_bindgen(structural, method, catch)]
    pub(crate) fn begin(this: &Port, path: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(structural, method, catch)]
    pub(crate) fn bytes(this: &Port, bytes: Uint8Array, taken: f64) -> Result<(), JsValue>;
    #[wasm_bindgen(structural, method, catch)]
    pub(crate) fn end(this: &Port) -> Result<(), JsValue>;
}

/// Format of the container that starts with `head` (512 bytes): `gzip`, `tar`, ...; `undefined` for
/// everything else.
#[wasm_bindgen]
pub fn container(head: &[u8]) -> Option<String> {
    boxes::sniff(head).map(|kind| kind.word().to_owned())
}

/// Unpacks the container at `path`, of `size` bytes, and those in it. Returns what is wrong with
/// it, as `Warning[]`.
#[wasm_bindgen(unchecked_return_type = "readonly Warning[]")]
pub fn unpack(path: &str, size: f64, port: &Port, limited: bool) -> Result<JsValue, JsValue> {
    let mut thrown = (None, None);
    let input = JsInput {
        port,
        offset: 0,
        buffer: Vec::new(),
        from: 0,
        thrown: &mut thrown.0,
    };
    let mut output = JsOutput {
        port,
        thrown: &mut thrown.1,
    };
    let limits = if limited {
        Limits::default()
    } else {
        Limits::none()
    };
    match boxes::unpack(path, size as u64, input, &mut output, limits) {
        Ok(problems) => Ok(value::document(
            &problems.iter().map(Warning::from).collect::<Vec<_>>(),
        )),
        Err(error) => Err(thrown
            .0
            .or(thrown.1)
            .unwrap_or_else(|| JsValue::from_str(&error.to_string()))),
    }
}

struct JsInput<'a> {
    port: &'a Port,
    offset: u64,
    buffer: Vec<u8>,
    from: usize,
    thrown: &'a mut Option<JsValue>,
}

impl Read for JsInput<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.from == self.buffer.len() {
            let bytes = self
                .port
                .read(self.offset as f64, AHEAD)
                .map_err(|error| keep(self.thrown, error))?;
            self.buffer = bytes.to_vec();
            self.from = 0;
            self.offset += self.buffer.len() as u64;
        }
        let n = into.len().min(self.buffer.len() - self.from);
        into[..n].copy_from_slice(&self.buffer[self.from..self.from + n]);
        self.from += n;
        Ok(n)
    }
}

struct JsOutput<'a> {
    port: &'a Port,
    thrown: &'a mut Option<JsValue>,
}

impl FileSink for JsOutput<'_> {
    fn begin(&mut self, path: &str) -> io::Result<()> {
        self.port
            .begin(path)
            .map_err(|error| keep(self.thrown, error))
    }

    fn bytes(&mut self, bytes: &[u8], taken: u64) -> io::Result<()> {
        self.port
            .bytes(Uint8Array::new(bytes), taken as f64)
            .map_err(|error| keep(self.thrown, error))
    }

    fn end(&mut self) -> io::Result<()> {
        self.port.end().map_err(|error| keep(self.thrown, error))
    }
}

/// Keeps what JavaScript threw, to throw it again: an error of `io` cannot carry it.
fn keep(thrown: &mut Option<JsValue>, error: JsValue) -> io::Error {
    *thrown = Some(error);
    io::Error::other("thrown in JavaScript")
}

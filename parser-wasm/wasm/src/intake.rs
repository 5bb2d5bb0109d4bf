//! Groups files into traces.

use seekscope_core::error::Error;
use seekscope_core::intake::{self, FileSorter, Probe, TraceGroup};
use seekscope_core::json;
use seekscope_core::plot::BadQuery;
use seekscope_core::store::TimeWindow;
use seekscope_javascript::js::Uint8Array;
use seekscope_javascript::value;
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Sorts files into traces. It examines one file after another, and keeps what it found in them
/// instead of their bytes.
#[wasm_bindgen(js_name = FileSorter)]
#[derive(Default)]
pub struct JsFileSorter {
    sorter: FileSorter,
}

#[wasm_bindgen(js_class = FileSorter)]
impl JsFileSorter {
    #[wasm_bindgen(constructor)]
    pub fn new() -> JsFileSorter {
        JsFileSorter::default()
    }

    /// Examines the next file. `probe` is JSON: `{name, path, size, lastModified?, pattern?}`;
    /// `head` and `tail` are its first and last bytes. Throws.
    pub fn add(&mut self, probe: &str, head: Vec<u8>, tail: Vec<u8>) -> Result<(), JsValue> {
        let probe: Probe = value::read(probe)?;
        self.sorter.add(Probe {
            head,
            tail,
            ..probe
        });
        Ok(())
    }

    /// Returns `{traces: [{name, label, parts}], rejected: [{index, error}], notes}`, files by
    /// their index.
    #[wasm_bindgen(unchecked_return_type = "SortedFiles")]
    pub fn group(&self) -> JsValue {
        let grouping = self.sorter.group();
        let rejected = grouping.rejected.into_iter();
        value::document(&SortedFiles {
            traces: grouping.traces,
            rejected: rejected
                .map(|(index, error)| RejectedFile { index, error })
                .collect(),
            notes: grouping.notes,
        })
    }
}

/// Files sorted by their first and last bytes. Numbers are indices of the files.
#[derive(Serialize)]
struct SortedFiles {
    traces: Vec<TraceGroup>,
    /// Files that are neither part of a trace nor text next to one, with the reason.
    rejected: Vec<RejectedFile>,
    /// Texts next to the traces.
    notes: Vec<usize>,
}

/// A file that is no trace, and why.
#[derive(Serialize)]
struct RejectedFile {
    index: usize,
    error: Error,
}

/// How large the trace of these files is, and whether it, or a window `{from_ns?, to_ns?}` of it,
/// fits into `capacity` bytes (absent: what a WebAssembly memory holds). `probes` is JSON: `[{name,
/// path, size, pattern?}]`; `heads` and `tails` are the first and last bytes of each file; `places`
/// is JSON, `[[file, byte]]`, one for each of `excerpts` from inside of the files. Returns
/// `{events, bytes, fits, capacity, length, overTime?, window?, error?}`. Throws.
#[wasm_bindgen(unchecked_return_type = "TraceEstimate")]
pub fn estimate(
    probes: &str,
    heads: Vec<Uint8Array>,
    tails: Vec<Uint8Array>,
    window: Option<String>,
    capacity: Option<f64>,
    places: &str,
    excerpts: Vec<Uint8Array>,
) -> Result<JsValue, JsValue> {
    let mut probes = read_probes(probes, heads, tails)?;
    let places: Vec<(usize, u64)> = value::read(places)?;
    for ((file, offset), bytes) in places.into_iter().zip(excerpts) {
        if let Some(probe) = probes.get_mut(file) {
            probe.excerpts.push((offset, bytes.to_vec()));
        }
    }
    let window: Option<TimeWindow> = window
        .map(|window| json::read(&window))
        .transpose()
        .map_err(|e| value::bad_query(BadQuery::new(e)))?;
    let capacity = capacity.map(|bytes| bytes as u64);
    Ok(value::document(&intake::estimate(
        &probes, window, capacity,
    )))
}

fn read_probes(
    probes: &str,
    heads: Vec<Uint8Array>,
    tails: Vec<Uint8Array>,
) -> Result<Vec<Probe>, JsValue> {
    let mut probes: Vec<Probe> = value::read(probes)?;
    for ((probe, head), tail) in probes.iter_mut().zip(heads).zip(tails) {
        probe.head = head.to_vec();
        probe.tail = tail.to_vec();
    }
    Ok(probes)
}

/// Finds where a recording is cut into sections, see [`intake::CutFinder`].
#[wasm_bindgen(js_name = CutFinder)]
pub struct CutSearch {
    finder: intake::CutFinder,
}

#[wasm_bindgen(js_class = CutFinder)]
impl CutSearch {
    /// Begins the search in files of these sizes, bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(sizes: &[f64]) -> CutSearch {
        CutSearch {
            finder: intake::CutFinder::new(sizes.iter().map(|&bytes| bytes as u64).collect()),
        }
    }

    /// `[file, byte]` of each excerpt that is needed next, one after another; empty when all cuts
    /// are found.
    pub fn wanted(&mut self) -> Vec<f64> {
        self.finder
            .wanted()
            .into_iter()
            .flat_map(|(file, offset)| [file as f64, offset as f64])
            .collect()
    }

    /// Takes the excerpt that was wanted: up to `cutExcerptBytes()`.
    pub fn take(&mut self, file: usize, offset: f64, bytes: &[u8]) {
        self.finder.take(file, offset as u64, bytes.to_vec());
    }

    /// `{origin, sections: [{time, before, begin}]}`: the time of the first item, and of each
    /// section after the first where it begins in each file, and from where on that is read to know
    /// what is in flight. Those that were found so far, from a number on; `null` if there are none.
    #[wasm_bindgen(unchecked_return_type = "Cuts | null")]
    pub fn cuts(&self, from: usize) -> JsValue {
        value::document(&self.finder.cuts(from))
    }
}

/// Bytes of the excerpts that [`CutSearch`] takes.
#[wasm_bindgen(js_name = cutExcerptBytes)]
pub fn cut_excerpt_bytes() -> usize {
    intake::EXCERPT
}

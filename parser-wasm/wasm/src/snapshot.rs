//! Snapshots for JavaScript: packed from the answers of traces, unpacked from a link, and queried
//! like traces.

use seekscope_core::compare::{self, ResultsDocument};
use seekscope_core::error::Problem;
use seekscope_core::plot::BadQuery;
use seekscope_core::snapshot::{
    self, CompareDocumentOrNull, OpenedSnapshot, Snapshot, SnapshotDetail, SnapshotHead,
    SnapshotSize, TraceInfoJson, TraceSnapshot, UnreadableSnapshot,
};
use seekscope_javascript::value;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Parameters of [`pack_snapshot`]. In size XS `step` is the number of the attempt, each of which
/// leaves out more, and `finding` the rank of the finding that is shown.
#[derive(Deserialize)]
pub struct PackSnapshotParams {
    snapshot: Snapshot,
    size: SnapshotSize,
    #[serde(default)]
    step: usize,
    #[serde(default)]
    finding: usize,
}

/// Packs a snapshot as text for a URL. `query` is JSON: `{snapshot: {head, document?, of, traces,
/// results?: {tables}}, size, step?, finding?}`, traces as they answered `snapshot`. Throws.
#[wasm_bindgen(js_name = packSnapshot)]
pub fn pack_snapshot(query: &str) -> Result<String, JsValue> {
    let PackSnapshotParams {
        snapshot,
        size,
        step,
        finding,
    } = value::read(query)?;
    // Results without a trace are not made smaller: their page sees whether they fit.
    if size == SnapshotSize::XS && !snapshot.traces.is_empty() {
        let packed = snapshot::pack_brief(&snapshot, step, finding);
        return packed
            .map(|packed| snapshot::to_text(&packed))
            .ok_or_else(|| value::bad_query(BadQuery::new("it cannot be made smaller")));
    }
    Ok(snapshot::to_text(&snapshot::pack(&snapshot, size.digits())))
}

fn unpack(text: &str) -> Result<OpenedSnapshot, JsValue> {
    snapshot::unpack(&snapshot::from_text(text)).map_err(|unreadable| {
        let problem = match unreadable {
            UnreadableSnapshot::Newer(version) => Problem::LinkNewer { version },
            UnreadableSnapshot::Damaged | UnreadableSnapshot::Empty => Problem::LinkDamaged,
        };
        value::error(&problem.into())
    })
}

fn answer(trace: Option<&TraceSnapshot>, kind: &str, query: &str) -> Result<JsValue, JsValue> {
    let answer = trace
        .ok_or(snapshot::NotInSnapshot)
        .and_then(|trace| trace.answer(kind, query));
    answer
        .map(value::answer)
        .map_err(|_| value::error(&Problem::NotInSnapshot.into()))
}

/// The contents of a snapshot: `{snapshot, problems}`, as far as they are undamaged. Throws when
/// nothing can be read.
#[wasm_bindgen(js_name = openSnapshot, unchecked_return_type = "SnapshotContents")]
pub fn open_snapshot(text: &str) -> Result<JsValue, JsValue> {
    Ok(value::document(&unpack(text)?))
}

/// What the page needs of a trace besides answers; the rest stays in the engine.
#[derive(Serialize)]
struct TraceOutline<'a> {
    info: &'a TraceInfoJson,
    detail: SnapshotDetail,
    /// Index of the first shown device.
    device: Option<u64>,
    /// Names of the stored layers of the seek map.
    layers: Vec<&'a String>,
}

impl<'a> TraceOutline<'a> {
    fn new(trace: &'a TraceSnapshot) -> TraceOutline<'a> {
        let picture = trace.pictures.first();
        TraceOutline {
            info: &trace.info,
            detail: trace.detail,
            device: picture.and_then(|picture| picture.filter["device"].as_u64()),
            layers: picture
                .into_iter()
                .flat_map(|picture| picture.map.layers.keys())
                .collect(),
        }
    }
}

/// What the page needs of a snapshot besides answers, as far as it could be read.
#[derive(Serialize)]
struct SnapshotOutline<'a> {
    head: &'a SnapshotHead,
    document: &'a CompareDocumentOrNull,
    /// `null` for a trace that could not be read.
    traces: Vec<Option<TraceOutline<'a>>>,
    /// What is missing, in words.
    problems: &'a [String],
    results: Option<ResultsDocument>,
}

/// An unpacked snapshot that stays in the engine.
#[wasm_bindgen(js_name = OpenedSnapshot)]
pub struct JsSnapshot {
    opened: OpenedSnapshot,
}

#[wasm_bindgen(js_class = OpenedSnapshot)]
impl JsSnapshot {
    /// Opens a snapshot. Throws when nothing can be read.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> Result<JsSnapshot, JsValue> {
        Ok(JsSnapshot {
            opened: unpack(text)?,
        })
    }

    /// `{head, document, traces, problems, results}`; `null` for a trace that could not be read.
    #[wasm_bindgen(unchecked_return_type = "SnapshotOutline")]
    pub fn outline(&self) -> JsValue {
        let OpenedSnapshot {
            snapshot:
                Snapshot {
                    head,
                    document,
                    traces,
                    results,
                    ..
                },
            problems,
        } = &self.opened;
        let traces = traces.iter();
        value::document(&SnapshotOutline {
            head,
            document,
            traces: traces
                .map(|trace| trace.as_ref().map(TraceOutline::new))
                .collect(),
            problems,
            results: results.as_ref().map(compare::results),
        })
    }

    /// The answer of a trace, by its index. Throws `not-in-snapshot`.
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn query(&self, trace: usize, kind: &str, query: &str) -> Result<JsValue, JsValue> {
        answer(
            self.opened
                .snapshot
                .traces
                .get(trace)
                .and_then(Option::as_ref),
            kind,
            query,
        )
    }
}

/// One trace of a snapshot, from JSON: a run of a table of digests.
#[wasm_bindgen(js_name = Shot)]
pub struct JsTraceSnapshot {
    trace: TraceSnapshot,
}

#[wasm_bindgen(js_class = Shot)]
impl JsTraceSnapshot {
    /// `trace`: as an element of `traces` of `openSnapshot`. Throws.
    #[wasm_bindgen(constructor)]
    pub fn new(trace: &str) -> Result<JsTraceSnapshot, JsValue> {
        let trace = value::read(trace)?;
        Ok(JsTraceSnapshot { trace })
    }

    /// Answers a query. Throws `not-in-snapshot`.
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn query(&self, kind: &str, query: &str) -> Result<JsValue, JsValue> {
        answer(Some(&self.trace), kind, query)
    }
}

//! Snapshots: packed from the answers of traces, read from a link, queried like a trace.

use crate::value;
use seekscope_core::error::Problem;
use seekscope_core::plot::BadQuery;
use seekscope_core::snapshot::{self, Shot, Size, Snapshot, Unreadable};
use serde::Deserialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[derive(Deserialize)]
struct PackSnapshotParams {
    snapshot: Snapshot,
    size: Size,
}

/// Packs a snapshot into text for an address. `query` is JSON: `{snapshot: {head, document?, of, traces}, size}`, traces
/// as answers to `snapshot`. Throws.
#[wasm_bindgen(js_name = packSnapshot)]
pub fn pack_snapshot(query: &str) -> Result<String, JsValue> {
    let PackSnapshotParams { snapshot, size } = serde_json::from_str(query).map_err(|e| value::bad_query(BadQuery::new(e)))?;
    Ok(snapshot::to_text(&snapshot::pack(&snapshot, size.digits())))
}

/// Unpacks it: `{snapshot, problems}`, as much as is intact. Throws if nothing is.
#[wasm_bindgen(js_name = openSnapshot)]
pub fn open_snapshot(text: &str) -> Result<JsValue, JsValue> {
    let opened = snapshot::unpack(&snapshot::from_text(text)).map_err(|unreadable| {
        let problem = match unreadable {
            Unreadable::Newer(version) => Problem::LinkNewer { version },
            Unreadable::Damaged | Unreadable::Empty => Problem::LinkDamaged,
        };
        value::error(&problem.into())
    })?;
    Ok(value::document(&opened))
}

/// A trace of a snapshot.
#[wasm_bindgen(js_name = Shot)]
pub struct JsTraceSnapshot {
    shot: Shot,
}

#[wasm_bindgen(js_class = Shot)]
impl JsTraceSnapshot {
    /// `shot` is JSON, one of the traces of an opened snapshot. Throws.
    #[wasm_bindgen(constructor)]
    pub fn new(shot: &str) -> Result<JsTraceSnapshot, JsValue> {
        let shot = serde_json::from_str(shot).map_err(|e| value::bad_query(BadQuery::new(e)))?;
        Ok(JsTraceSnapshot { shot: Shot::new(shot) })
    }

    /// Answers a query of the protocol. Throws `not-in-snapshot` if the snapshot lacks the answer.
    pub fn query(&self, kind: &str, query: &str) -> Result<JsValue, JsValue> {
        self.shot.answer(kind, query).map(value::answer).map_err(|_| value::error(&Problem::NotInSnapshot.into()))
    }
}

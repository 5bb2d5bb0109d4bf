//! Snapshots: made of what traces gave, read from a link, asked like a trace.

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

/// Writes a snapshot as text that stands in an address. `ask` is JSON: `{snapshot: {head, document?, of, traces}, size}`, traces
/// as they answered `snapshot`. Throws.
#[wasm_bindgen(js_name = packSnapshot)]
pub fn pack_snapshot(ask: &str) -> Result<String, JsValue> {
    let PackSnapshotParams { snapshot, size } = serde_json::from_str(ask).map_err(|e| value::bad_query(BadQuery::new(e)))?;
    Ok(snapshot::to_text(&snapshot::pack(&snapshot, size.digits())))
}

/// Reads it: `{snapshot, problems}`, as much as is whole. Throws when nothing is.
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

    /// Answers a question of the protocol. Throws `not-in-snapshot` for what is not held.
    pub fn query(&self, kind: &str, ask: &str) -> Result<JsValue, JsValue> {
        self.shot.answer(kind, ask).map(value::answer).map_err(|_| value::error(&Problem::NotInSnapshot.into()))
    }
}

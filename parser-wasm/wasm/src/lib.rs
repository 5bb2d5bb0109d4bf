//! Seekscope's engine for JavaScript. `web/engine` calls it in a worker and in Node. A trace takes
//! bytes, then answers queries. All data are copied in and out; nothing points into WASM memory.
//! Errors are thrown as `{code, message, at?, remedy?}`. Measures and rules about traces belong in
//! `core`.

mod intake;
mod notes;
mod recordings;
mod trace;
mod unpack;

use seekscope_core::error::Error;
use seekscope_core::intake::Probe;
use seekscope_core::notes::TracePaths;
use seekscope_core::notes::labels::RunNames;
use seekscope_core::snapshot::SnapshotQuery;

seekscope_core::protocol_types![
    Error,
    Probe,
    TracePaths,
    RunNames,
    SnapshotQuery,
    trace::OpenTraceParams,
];

pub use intake::{JsFileSorter, estimate};
pub use notes::{JsNoteReader, guess_labels};
pub use recordings::{has_events, is_encoded_text, may_be_text, split_recordings};
pub use trace::Trace;
pub use unpack::{container, unpack};

//! Seekscope's engine for JavaScript: the only crate that depends on JavaScript. `web/engine` calls
//! it in a worker and in Node. A trace takes bytes, then answers queries. All data are copied in
//! and out; nothing points into WASM memory. Errors are thrown as `{code, message, at?, remedy?}`.
//! Measures and rules about traces belong in `core`.

mod compare;
mod intake;
mod js;
mod notes;
mod recordings;
mod snapshot;
mod trace;
mod unpack;
mod value;

use seekscope_core::compare::{CompareQuery, MatrixQuery};
use seekscope_core::error::Error;
use seekscope_core::intake::Probe;
use seekscope_core::notes::TracePaths;
use seekscope_core::notes::labels::RunNames;
use seekscope_core::snapshot::{SnapshotQuery, TraceSnapshot};

seekscope_core::protocol_types![
    CompareQuery,
    MatrixQuery,
    Error,
    Probe,
    TracePaths,
    RunNames,
    SnapshotQuery,
    TraceSnapshot,
    compare::TextOptions,
    notes::ResultsQuery,
    snapshot::PackSnapshotParams,
    trace::OpenTraceParams,
];

pub use compare::{compare, compare_matrix, compare_text, measure_noise};
pub use intake::{JsFileSorter, estimate};
pub use notes::{JsNoteReader, guess_labels};
pub use recordings::{has_events, is_encoded_text, may_be_text, split_recordings};
pub use snapshot::{JsSnapshot, JsTraceSnapshot, open_snapshot, pack_snapshot};
pub use trace::Trace;
pub use unpack::{container, unpack};

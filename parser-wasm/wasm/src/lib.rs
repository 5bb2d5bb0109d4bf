//! Seekscope's engine for JavaScript. `web/engine` calls it in a worker and in Node. A trace takes
//! bytes, then answers queries. All data are copied in and out; nothing points into WASM memory.
//! Errors are thrown as `{code, message, at?, remedy?}`. Measures and rules about traces belong in
//! `core`.

mod compare;
mod intake;
mod notes;
mod parts;
pub mod printed;
mod recordings;
mod results;
mod snapshot;
mod texts;
mod trace;
mod unpack;

use seekscope_core::compare::bisect::BisectQuery;
use seekscope_core::compare::{CompareQuery, MatrixQuery};
use seekscope_core::error::Error;
use seekscope_core::intake::Probe;
use seekscope_core::notes::TracePaths;
use seekscope_core::notes::labels::RunNames;
use seekscope_core::snapshot::{SnapshotQuery, TraceSnapshot};

seekscope_core::protocol_types![
    Error,
    Probe,
    TracePaths,
    RunNames,
    SnapshotQuery,
    CompareQuery,
    BisectQuery,
    MatrixQuery,
    TraceSnapshot,
    compare::TextOptions,
    results::ResultsQuery,
    snapshot::PackSnapshotParams,
    trace::OpenTraceParams,
];

pub use compare::{compare, compare_matrix, compare_text, judge_commit, measure_noise};
pub use intake::{JsFileSorter, estimate};
pub use notes::{JsNoteReader, guess_labels};
pub use parts::prepare_part;
pub use recordings::{find_recordings, has_events, is_encoded_text, may_be_text, name_recordings};
pub use results::{arrange_results, results_text};
pub use snapshot::{JsSnapshot, JsTraceSnapshot, open_snapshot, pack_snapshot};
pub use texts::{JsTextReader, note_outputs, plain_text, refusal};
pub use trace::Trace;
pub use unpack::{container, unpack};

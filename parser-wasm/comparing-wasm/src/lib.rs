//! Comparisons, snapshots and tables of results for JavaScript, in a module of its own: the first
//! picture of a trace does not wait for them. `web/engine` calls it in workers and in Node. Errors
//! are thrown as `{code, message, at?, remedy?}`.

mod compare;
mod results;
mod snapshot;

use seekscope_core::compare::{CompareQuery, MatrixQuery};
use seekscope_core::snapshot::TraceSnapshot;

seekscope_core::protocol_types![
    CompareQuery,
    MatrixQuery,
    TraceSnapshot,
    compare::TextOptions,
    results::ResultsQuery,
    snapshot::PackSnapshotParams,
];

pub use compare::{compare, compare_matrix, compare_text, measure_noise};
pub use results::{arrange_results, results_text};
pub use snapshot::{JsSnapshot, JsTraceSnapshot, open_snapshot, pack_snapshot};

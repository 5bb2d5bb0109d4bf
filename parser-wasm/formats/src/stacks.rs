//! Call stacks of block events in binary traces: of perf.data recorded with `-g`, and of trace.dat
//! recorded with the option stacktrace. Frames are addresses; a trace.dat has the symbols of its
//! kernel, a perf.data says where the kernel and its modules are.

pub use crate::tep::{KernelMapping, StackSink, StackedEvent};
use crate::{perf_data, trace_dat};

/// Whether a file that begins like this is a binary trace that may have stacks. Of a trace.dat only
/// its samples say whether it has some.
pub fn may_have_stacks(head: &[u8]) -> bool {
    trace_dat::is_one(head) || has_stacks(head)
}

/// Whether a file that begins like this is a binary trace with stacks.
pub fn has_stacks(head: &[u8]) -> bool {
    perf_data::is_one(head) && perf_data::may_have_stacks(head)
}

/// Gives the stacks of a complete file.
pub fn read_stacks(data: &[u8], sink: &mut dyn StackSink) {
    if trace_dat::is_one(data) {
        trace_dat::read_stacks(data, sink);
    } else if perf_data::is_one(data) {
        perf_data::read_stacks(data, sink);
    }
}

//! A part of a recording: the events of a time window. Those outside are dropped when they are in
//! order, before they cost memory.

use super::TraceBuilder;
use super::pipeline::Pipeline;
use seekscope_error::Problem;
use seekscope_trace::store::TimeWindow;

impl TraceBuilder {
    /// Reads only the events from `from` up to `to`, in ns since the first event of the recording.
    /// Times, names of tasks and the wall clock stay those of the recording. Files that blktrace
    /// wrote for one CPU each are not read beyond the window; what has buffers of several CPUs, as
    /// from `blktrace -o -`, may have earlier events anywhere.
    #[must_use]
    pub fn with_window(mut self, window: Option<TimeWindow>) -> TraceBuilder {
        self.pipeline.assembly.store.window = window;
        self
    }

    /// Reads no more than fits into so many bytes; the default is what a WebAssembly memory holds.
    #[must_use]
    pub fn with_capacity(mut self, bytes: Option<usize>) -> TraceBuilder {
        self.pipeline.room.set_limit(bytes);
        self
    }

    /// Whether what is left of the files is not read.
    pub(super) fn stopped(&self) -> bool {
        let Pipeline {
            order,
            assembly,
            room,
            ..
        } = &self.pipeline;
        let cpu_of = |file: usize| self.files.get(file).and_then(|file| file.cpu);
        room.is_full() || assembly.passed && order.are_of_cpus(cpu_of)
    }

    /// Says that only a part was read, and which.
    pub(super) fn part_problem(&self) -> Option<Problem> {
        let (store, room) = (self.store(), &self.pipeline.room);
        let events = store.events.len() as u64;
        if !room.is_full() {
            return store
                .window
                .map(|window| Problem::TimeWindow { window, events });
        }
        let (taken, size) = self.files.progress();
        Some(Problem::MemoryFull {
            window: store.window.filter(|_| room.is_full_in_order()),
            taken,
            size,
            events,
        })
    }
}

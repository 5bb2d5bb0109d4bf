//! By which paths through the kernel requests were submitted and issued: call stacks of the events
//! of the block layer, in text of ftrace (option `stacktrace`) and of `perf script`.
//!
//! In: the bytes of such texts, and the store of a trace. Out: [`CallStacks`] of its requests. No
//! I/O. Tables are bounded; what finds no room is counted. A stack is the path through the kernel:
//! frames of programs differ with each start of them, and are left out.
#![forbid(unsafe_code)]

mod event;
mod frame;
mod join;
mod symbols;
#[cfg(test)]
mod tests;
mod text;
mod tree;

use join::Recorded;
use seekscope_trace::store::{CallStacks, Store};
use text::StackTextReader;

/// Reads texts with call stacks, in any order.
#[derive(Default)]
pub struct StacksReader {
    text: StackTextReader,
    recorded: Recorded,
}

impl StacksReader {
    /// Whether a file has call stacks of events of the block layer, or the addresses of functions,
    /// by its first bytes.
    pub fn recognise(head: &[u8]) -> bool {
        text::has_stacks(head) || symbols::is_kallsyms(head)
    }

    /// Begins a file; it ends with [`StacksReader::close`] or the next file.
    pub fn open(&mut self) {
        self.close();
        self.text.open();
    }

    /// The next bytes of the file.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.text.feed(bytes, &mut self.recorded);
    }

    /// Ends the file.
    pub fn close(&mut self) {
        self.text.close(&mut self.recorded);
    }

    /// The stacks of the requests of a complete store; `None` where no stack belongs to one.
    pub fn finish(mut self, store: &Store) -> Option<CallStacks> {
        self.close();
        self.recorded.finish(store)
    }
}

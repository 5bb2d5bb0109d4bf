//! By which paths through the kernel requests were submitted and issued: call stacks of the events
//! of the block layer, in text of ftrace (option `stacktrace`) and of `perf script`, in trace.dat
//! and in perf.data.
//!
//! In: the bytes of such files, and the store of a trace. Out: [`CallStacks`] of its requests. No
//! I/O. Tables are bounded; what finds no room is counted. A stack is the path through the kernel:
//! frames of programs differ with each start of them, and are left out.
#![forbid(unsafe_code)]

mod binary;
mod clock;
mod event;
mod frame;
mod join;
mod mappings;
mod symbols;
#[cfg(test)]
mod tests;
mod text;
mod tree;

use binary::BinaryStacks;
use join::Recorded;
use seekscope_formats::stacks::{has_stacks, may_have_stacks, read_stacks};
use seekscope_trace::store::{CallStacks, Store};
use text::StackTextReader;

/// Reads files with call stacks, in any order.
#[derive(Default)]
pub struct StacksReader {
    text: StackTextReader,
    recorded: Recorded,
}

impl StacksReader {
    /// Whether a text has call stacks of events of the block layer, or the addresses of functions,
    /// by its first bytes.
    pub fn recognise(head: &[u8]) -> bool {
        text::has_stacks(head) || symbols::is_kallsyms(head)
    }

    /// Whether a file is a binary trace with call stacks of events of the block layer.
    pub fn has_binary_stacks(head: &[u8]) -> bool {
        has_stacks(head)
    }

    /// Whether a file is a binary trace that may have call stacks: they are read when it is
    /// complete.
    pub fn may_have_binary_stacks(head: &[u8]) -> bool {
        may_have_stacks(head)
    }

    /// Takes a complete binary trace.
    pub fn read_binary(&mut self, data: &[u8]) {
        self.close();
        self.recorded.open();
        read_stacks(data, &mut BinaryStacks::new(&mut self.recorded));
    }

    /// Begins a file; it ends with [`StacksReader::close`] or the next file.
    pub fn open(&mut self) {
        self.close();
        self.recorded.open();
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

//! To what requests belong: files and structures of file systems, and the tasks that wrote them.
//! Sources are texts beside a recording (maps of file systems, taken before and after it) and
//! events of the file systems in ftrace text. What they cannot decide is unknown, never guessed.
//!
//! No I/O: [`OriginReader`] is fed with the bytes of files, then gives [`Objects`] of a store.
#![forbid(unsafe_code)]

pub mod events;
pub mod map;
mod owners;
pub mod ranges;
pub mod side;
mod spans;
pub mod tasks;
#[cfg(test)]
mod tests;

use events::log::EventLog;
use seekscope_formats::other::may_have_other_events;
use seekscope_trace::store::{Calls, Objects, Store};
use side::{SideFiles, TextReader, read_samples};

/// Reads side files of recordings, in any order.
#[derive(Default)]
pub struct OriginReader {
    text: TextReader,
    side: SideFiles,
    log: EventLog,
    has_files: bool,
}

impl OriginReader {
    pub fn new() -> OriginReader {
        OriginReader::default()
    }

    /// Whether a text is one of ours, by its path (with its folders: `start/fiemap.txt`) and its
    /// first bytes, unpacked.
    pub fn recognise(path: &str, head: &[u8]) -> bool {
        TextReader::recognise(path, head)
    }

    /// Whether a file that is one of ours has events, and is no map of a disk.
    pub fn has_events(path: &str, head: &[u8]) -> bool {
        TextReader::has_events(path, head)
    }

    /// Begins a file; it ends with [`OriginReader::close`] or the next file.
    pub fn open(&mut self, path: &str) {
        self.close();
        self.has_files = true;
        self.text.open(path);
    }

    /// The next bytes of the file.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.text.feed(bytes, &mut self.side, &mut self.log);
    }

    /// Ends the file.
    pub fn close(&mut self) {
        self.text.close(&mut self.side, &mut self.log);
    }

    /// Takes a complete binary trace, if it is one that may have events of file systems.
    pub fn read_binary(&mut self, data: &[u8]) {
        self.close();
        if may_have_other_events(data) {
            self.has_files = true;
            read_samples(data, &mut self.side, &mut self.log);
        }
    }

    /// The objects of the requests of a complete store.
    pub fn finish(self, store: &Store) -> Objects {
        self.finish_all(store).0
    }

    /// The objects and the calls of the requests of a complete store; no calls where no event is
    /// about any.
    pub fn finish_all(mut self, store: &Store) -> (Objects, Option<Calls>) {
        self.close();
        // A binary trace mostly has events of the block layer only.
        if self.log.lines == 0 && self.has_files && !self.text.has_texts {
            return Default::default();
        }
        let calls = std::mem::take(&mut self.log.calls);
        let calls = (!calls.is_empty()).then(|| calls.resolve(store));
        (owners::resolve(self.side, self.log, store), calls)
    }
}

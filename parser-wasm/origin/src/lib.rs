//! To what requests belong: files and structures of file systems, and the tasks that wrote them.
//! Sources are texts beside a recording (maps of file systems, taken before and after it) and
//! events of the file systems in ftrace text. What they cannot decide is unknown, never guessed.
//!
//! No I/O: [`OriginReader`] is fed with the bytes of files, then gives [`Objects`] of a store.
#![forbid(unsafe_code)]

pub mod events;
pub mod map;
pub mod ranges;
pub mod tasks;

use seekscope_trace::store::{Objects, Store};

/// Reads side files of recordings, in any order.
#[derive(Default)]
pub struct OriginReader {}

impl OriginReader {
    /// Bytes of the head that are enough to recognise a file.
    pub const HEAD: usize = 4096;

    pub fn new() -> OriginReader {
        OriginReader::default()
    }

    /// Whether a file is one of ours, by its path (with its folders: `start/fiemap.txt`) and its
    /// first bytes, unpacked.
    pub fn recognise(path: &str, head: &[u8]) -> bool {
        map::parser(path, head).is_some()
    }

    /// Begins a file; it ends with [`OriginReader::close`] or the next file.
    pub fn open(&mut self, _path: &str) {}

    /// The next bytes of the file.
    pub fn feed(&mut self, _bytes: &[u8]) {}

    /// Ends the file.
    pub fn close(&mut self) {}

    /// The objects of the requests of a complete store.
    pub fn finish(self, _store: &Store) -> Objects {
        Objects::default()
    }
}

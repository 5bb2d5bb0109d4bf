//! Which request of an upper device caused a request of a lower one, in stacks of device mapper, md
//! and bcache.
//!
//! In: texts that describe the layers, and the store of a trace. Out: the parents of its requests.
//! No I/O. What is ambiguous has no parent and is counted.
#![forbid(unsafe_code)]

mod candidates;
mod flight;
pub mod geometry;
mod inherit;
mod learn;
mod place;
mod raid;
mod rule;
mod stack;
mod sweep;

use geometry::Texts;
use seekscope_trace::store::{Objects, Parents, Store};
use stack::Stack;
use sweep::ParentSweep;

/// Reads the texts beside a trace.
#[derive(Clone, Debug, Default)]
pub struct LayersReader {
    texts: Texts,
}

impl LayersReader {
    /// Bytes of the head that are enough to recognise a file.
    pub const HEAD: usize = 4096;

    pub fn new() -> LayersReader {
        LayersReader::default()
    }

    /// Whether a file describes layers, by its path and its first bytes.
    pub fn recognise(path: &str, head: &[u8]) -> bool {
        geometry::recognise(path, &head[..head.len().min(LayersReader::HEAD)])
    }

    /// Begins a file; it ends with [`LayersReader::close`] or the next file.
    pub fn open(&mut self, path: &str) {
        self.texts.open(path);
    }

    /// Takes the next bytes of the file.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.texts.feed(bytes);
    }

    /// Ends the file.
    pub fn close(&mut self) {
        self.texts.close();
    }

    /// The layers of a complete store, with the parents of its requests.
    pub fn finish(mut self, store: &Store) -> Layers {
        self.texts.close();
        let stack = Stack::new(self.texts, store);
        let parents = ParentSweep::new(store, &stack).run();
        Layers { stack, parents }
    }
}

/// The layers of a trace.
#[derive(Clone, Debug)]
pub struct Layers {
    stack: Stack,
    pub parents: Parents,
}

impl Layers {
    /// Gives the requests of lower devices the files and structures of their parents.
    pub fn inherit(&self, store: &Store, objects: &mut Objects) {
        inherit::inherit(&self.stack, store, &self.parents, objects);
    }
}

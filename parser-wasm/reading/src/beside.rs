//! Files next to a trace that are read for it: counters of other tools, maps of its disks, and
//! events of its file systems. They may arrive before and after the trace is read.

use seekscope_counters::CountersBeside;
use seekscope_origin::OriginReader;
use seekscope_trace::store::{ObjectGroups, Store};

/// The files next to a trace, as far as they were read.
#[derive(Default)]
pub struct FilesBeside {
    counters: CountersBeside,
    origin: OriginReader,
    /// Whether a file says to whom sectors belong.
    has_origin: bool,
}

impl FilesBeside {
    /// Begins a file with its first bytes: of counters they are all that is read, up to 16 MiB.
    /// `true` if it wants the rest, too, in [`FilesBeside::feed`].
    pub fn add(&mut self, path: &str, head: &[u8]) -> bool {
        self.counters.add(path, head);
        let has_origin = OriginReader::recognise(path, head);
        if has_origin {
            self.has_origin = true;
            self.origin.open(path);
            self.origin.feed(head);
        }
        has_origin
    }

    /// The next bytes of the file that was added last.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.origin.feed(bytes);
    }

    /// Ends the file that was added last.
    pub fn close(&mut self) {
        self.origin.close();
    }

    /// Adds what the files say to a complete trace.
    pub fn finish(&mut self, store: &mut Store) {
        self.counters.finish(store);
        self.find_objects(store);
    }

    /// Adds what the files say once more, after further files.
    pub fn place(&self, store: &mut Store) {
        self.counters.place(store);
        self.find_objects(store);
    }

    fn find_objects(&self, store: &mut Store) {
        if self.has_origin {
            let objects = self.origin.clone().finish(store);
            store.object_groups = ObjectGroups::new(&objects, &store.requests);
            store.objects = Some(Box::new(objects));
        }
    }
}

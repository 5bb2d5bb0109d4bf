//! Files next to a trace that are read for it: counters of other tools, maps of its disks, events
//! of its file systems, and call stacks. They may arrive before and after the trace is read.

use seekscope_counters::CountersBeside;
use seekscope_formats::MAX_HELD_BYTES;
use seekscope_formats::other::may_have_other_events;
use seekscope_layers::{Layers, LayersReader};
use seekscope_origin::OriginReader;
use seekscope_stacks::StacksReader;
use seekscope_trace::store::{ObjectGroups, Store, WriterGroups};

/// Which readers take a file.
#[derive(Clone, Copy, Default)]
struct BesideReads {
    origin: bool,
    layers: bool,
    stacks: bool,
    binary: bool,
}

impl BesideReads {
    fn any(self) -> bool {
        self.origin || self.layers || self.stacks || self.binary
    }
}

/// The files next to a trace, as far as they were read.
#[derive(Default)]
pub struct FilesBeside {
    counters: CountersBeside,
    origin: OriginReader,
    layers: LayersReader,
    stacks: StacksReader,
    /// Whether a file says to whom sectors belong.
    has_origin: bool,
    /// Who reads the file that was added last.
    reads: BesideReads,
    /// The bytes of a binary trace, which is read when it is complete; `None` if it is too large.
    held: Option<Vec<u8>>,
}

impl FilesBeside {
    /// Begins a file with its first bytes: of counters they are all that is read, up to 16 MiB.
    /// `true` if it wants the rest, too, in [`FilesBeside::feed`].
    pub fn add(&mut self, path: &str, head: &[u8]) -> bool {
        self.counters.add(path, head);
        self.begin(path, head)
    }

    /// Begins a file of the trace itself: it may have events of file systems, and call stacks,
    /// between those of the block layer. As [`FilesBeside::add`] otherwise.
    pub fn add_trace(&mut self, path: &str, head: &[u8]) -> bool {
        let has_more = may_have_other_events(head)
            || OriginReader::recognise(path, head)
            || StacksReader::recognise(head);
        has_more && self.begin(path, head)
    }

    fn begin(&mut self, path: &str, head: &[u8]) -> bool {
        self.reads = BesideReads {
            origin: OriginReader::recognise(path, head),
            layers: LayersReader::recognise(path, head),
            stacks: StacksReader::recognise(head),
            binary: may_have_other_events(head),
        };
        self.held = self.reads.binary.then(Vec::new);
        self.has_origin |= self.reads.binary;
        if self.reads.origin {
            self.has_origin = true;
            self.origin.open(path);
        }
        if self.reads.layers {
            self.layers.open(path);
        }
        if self.reads.stacks {
            self.stacks.open();
        }
        self.feed(head);
        self.reads.any()
    }

    /// The next bytes of the file that was added last.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.reads.origin {
            self.origin.feed(bytes);
        }
        if self.reads.layers {
            self.layers.feed(bytes);
        }
        if self.reads.stacks {
            self.stacks.feed(bytes);
        }
        if let Some(held) = &mut self.held {
            if (held.len() + bytes.len()) as u64 <= MAX_HELD_BYTES {
                held.extend_from_slice(bytes);
            } else {
                // It is none that could be read as a trace, either.
                self.held = None;
            }
        }
    }

    /// Ends the file that was added last.
    pub fn close(&mut self) {
        self.origin.close();
        self.layers.close();
        self.stacks.close();
        if let Some(data) = self.held.take() {
            self.origin.read_binary(&data);
            self.stacks.read_binary(&data);
        }
        self.reads = BesideReads::default();
    }

    /// Adds what the files say to a complete trace.
    pub fn finish(&mut self, store: &mut Store) {
        self.counters.finish(store);
        let layers = self.find_layers(store);
        self.find_objects(store, layers.as_ref());
        store.parents = layers.map(|layers| Box::new(layers.parents));
        store.stacks = std::mem::take(&mut self.stacks).finish(store).map(Box::new);
    }

    /// Forgets all files: they are added again, with further ones, to a trace that is complete.
    pub fn restart(&mut self) {
        self.counters.clear();
        self.origin = OriginReader::new();
        self.layers = LayersReader::new();
        self.stacks = StacksReader::default();
        self.has_origin = false;
        self.held = None;
    }

    /// Adds what the files say to a trace that was complete before.
    pub fn place(&mut self, store: &mut Store) {
        self.counters.place(store);
        let layers = self.find_layers(store);
        self.find_objects(store, layers.as_ref());
        store.parents = layers.map(|layers| Box::new(layers.parents));
        store.stacks = std::mem::take(&mut self.stacks).finish(store).map(Box::new);
    }

    /// A device cannot lie on another one of the same recording if it is alone.
    fn find_layers(&mut self, store: &Store) -> Option<Layers> {
        (store.devices.len() > 1).then(|| std::mem::take(&mut self.layers).finish(store))
    }

    fn find_objects(&mut self, store: &mut Store, layers: Option<&Layers>) {
        if self.has_origin {
            let (mut objects, calls) = std::mem::take(&mut self.origin).finish_all(store);
            store.calls = calls.filter(|calls| !calls.calls.is_empty()).map(Box::new);
            if let Some(layers) = layers {
                layers.inherit(store, &mut objects);
            }
            // Events without a map may say nothing of any request.
            let has_some = !objects.objects.is_empty();
            store.object_groups = match has_some {
                true => ObjectGroups::new(&objects, &store.requests),
                false => ObjectGroups::default(),
            };
            store.writer_groups = match has_some {
                true => WriterGroups::new(&objects, &store.requests),
                false => WriterGroups::default(),
            };
            store.objects = has_some.then(|| Box::new(objects));
        }
    }
}

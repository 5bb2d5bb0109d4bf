//! Texts beside a recording that say what its sectors belong to: whatever they hold, each request
//! has parts that cover its sectors, and parents that are requests of other devices. Several files
//! are one input, each behind a line `@@ path`.

use crate::{road, seeds};
use seekscope_core::beside::FilesBeside;
use seekscope_core::builder::TraceBuilder;
use seekscope_core::measure::Window;
use seekscope_core::measure::layers::layer_times;
use seekscope_core::measure::objects::objects_used;
use seekscope_core::measure::stacks::stacks_used;
use seekscope_core::store::Store;
use std::sync::OnceLock;

/// Stands before the path of each file, at the begin of a line.
const FILE: &str = "\n@@ ";

fn recorded() -> &'static Store {
    static RECORDED: OnceLock<Store> = OnceLock::new();
    RECORDED.get_or_init(|| {
        let files = seeds::below("fixtures/dm-remap");
        let names = files.iter().map(|(path, bytes)| {
            let name = path.file_name().and_then(|name| name.to_str());
            (name.unwrap_or_default(), bytes.as_slice())
        });
        let files: Vec<(&str, &[u8])> = names.collect();
        TraceBuilder::read("dm", &files).expect("a fixture is a trace")
    })
}

fn place(data: &[u8], piece: usize) -> Store {
    let mut store = recorded().clone();
    let mut beside = FilesBeside::default();
    let text = String::from_utf8_lossy(data);
    for file in text.split(FILE).skip(1) {
        let (path, content) = file.split_once('\n').unwrap_or((file, ""));
        let bytes = content.as_bytes();
        let (head, rest) = bytes.split_at(bytes.len().min(piece));
        if beside.add(path, head) {
            rest.chunks(piece).for_each(|bytes| beside.feed(bytes));
            beside.close();
        }
    }
    beside.finish(&mut store);
    store
}

/// A binary trace, which may have events of the layers above, too.
///
/// # Panics
/// When pieces of another size give another answer, or a promise of [`road::one_file`] is broken.
pub fn binary(data: &[u8]) {
    road::one_file(data);
    let place = |piece: usize| {
        let mut store = recorded().clone();
        let mut beside = FilesBeside::default();
        let (head, rest) = data.split_at(data.len().min(piece));
        if beside.add_trace("trace.dat", head) {
            rest.chunks(piece).for_each(|bytes| beside.feed(bytes));
            beside.close();
        }
        beside.finish(&mut store);
        store
    };
    let (store, pieces) = (place(1 << 20), place(4096));
    assert_eq!(store.objects, pieces.objects);
    assert_eq!(store.calls, pieces.calls);
    assert_eq!(store.stacks, pieces.stacks);
    let _ = stacks_used(&store, Window::WHOLE);
}

/// # Panics
/// When the parts of a request do not cover it, a parent is no request of another device, or pieces
/// of another size give another answer.
pub fn any(data: &[u8]) {
    let store = place(data, 1 << 20);
    let pieces = place(data, 4096);
    assert_eq!(store.objects, pieces.objects);
    assert_eq!(store.stacks, pieces.stacks);
    assert_eq!(store.calls, pieces.calls);
    let requests = &store.requests;
    for row in 0..requests.len() {
        let request = requests.row(row);
        if let Some(objects) = &store.objects {
            let sectors: u64 = objects
                .parts(row)
                .iter()
                .map(|p| u64::from(p.sectors))
                .sum();
            assert!(sectors == 0 || sectors == request.sectors(), "row {row}");
        }
        if let Some(parents) = &store.parents {
            for &parent in parents.direct(row) {
                let above = requests.row(parent as usize);
                assert!(above.device() != request.device(), "row {row}");
            }
        }
    }
    let _ = objects_used(&store, Window::WHOLE);
    let _ = stacks_used(&store, Window::WHOLE);
    let _ = layer_times(&store, Window::WHOLE);
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let files = seeds::below("origin/seeds");
    files.into_iter().map(|(_, bytes)| bytes).collect()
}

//! Requests by the functions through which they were submitted.

use super::*;
use seekscope_trace::store::{CallStacks, NO_FRAME, RequestStacks, StackEvent, StackFrame};

/// Three requests: by `fsync`, by the journal, and without a stack.
fn traced() -> IndexedTrace {
    let mut store = store(
        "0 Q 100+8 WS pid=7
         1 D 100+8 WS pid=7
         2 C 100+8 WS
         3 Q 200+8 WS pid=7
         4 D 200+8 WS pid=7
         5 C 200+8 WS
         6 Q 300+8 R pid=7
         7 D 300+8 R pid=7
         8 C 300+8 R",
    );
    let frames = [(NO_FRAME, 0), (0, 1), (1, 2), (0, 2)];
    let rows = [2, 3, NO_FRAME].map(|submitted| RequestStacks {
        submitted,
        event: StackEvent::Queue,
        issued: NO_FRAME,
    });
    store.stacks = Some(Box::new(CallStacks {
        functions: ["entry", "fsync", "submit_bio"].map(str::to_owned).to_vec(),
        frames: frames
            .map(|(parent, function)| StackFrame { parent, function })
            .to_vec(),
        rows: rows.to_vec(),
        ..CallStacks::default()
    }));
    let index = Index::new(&store);
    IndexedTrace { store, index }
}

fn requests(t: &IndexedTrace, functions: &[&str]) -> Json {
    let filter = json!({ "device": 0, "functions": functions });
    let facets = t.query("facets", json!({ "filter": filter })).json();
    json!([facets["ops"]["read"], facets["ops"]["write"]])
}

#[test]
fn a_filter_by_functions_takes_the_paths_that_begin_with_them() {
    let t = traced();
    assert_eq!(requests(&t, &[]), json!([1, 2]));
    assert_eq!(requests(&t, &["entry"]), json!([0, 2]));
    assert_eq!(requests(&t, &["entry", "fsync"]), json!([0, 1]));
    assert_eq!(
        requests(&t, &["entry", "fsync", "submit_bio"]),
        json!([0, 1])
    );
    assert_eq!(requests(&t, &["entry", "submit_bio"]), json!([0, 1]));
    assert_eq!(requests(&t, &["fsync"]), json!([0, 0]));
    assert_eq!(
        requests(&t, &["entry", "fsync", "submit_bio", "more"]),
        json!([0, 0])
    );
}

#[test]
fn without_stacks_it_takes_nothing() {
    let mut t = traced();
    t.store.stacks = None;
    assert_eq!(requests(&t, &["entry"]), json!([0, 0]));
}

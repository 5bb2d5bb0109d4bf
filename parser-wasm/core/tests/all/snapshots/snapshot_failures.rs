//! Large snapshots have the marks of failed requests, on both axes; small ones say that they lack
//! them.

use super::snapshot::shared;
use crate::common::{read, recording};
use seekscope_core::plot::{self, Answer, AnswerValue, Index, View};
use seekscope_core::snapshot::{NotInSnapshot, Snapshot, SnapshotSize, pack, unpack};
use serde_json::json;

fn list(answer: &Answer, name: &str) -> Vec<u64> {
    let Answer::Object(values) = answer else {
        panic!("marks are columns")
    };
    match values.iter().find(|(key, _)| *key == name) {
        Some((_, AnswerValue::F64(list))) => list.iter().map(|&ns| ns.round() as u64).collect(),
        Some((_, AnswerValue::U32(list))) => list.iter().map(|&n| u64::from(n)).collect(),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn marks_of_failures_are_in_large_snapshots() {
    let store = read(&recording("io-errors"), 1 << 16);
    let index = Index::new(&store);
    let view = View {
        store: &store,
        index: &index,
    };
    let end = store.span() as f64;
    let latency = json!({ "stage": "q2c", "low": 1e3, "high": 1e9 });
    let bands = json!([{ "lba0": 0, "lba1": 1u64 << 40, "y0": 0, "y1": 64 }]);
    let range = json!({ "t0": 0, "t1": end });
    let filter = json!({ "device": 0 });
    let asks = [
        json!({ "filter": filter, "range": range, "latency": latency, "w": 2048, "h": 64 }),
        json!({ "filter": filter, "range": range, "bands": bands, "w": 2048, "h": 64 }),
    ];
    for size in [SnapshotSize::M, SnapshotSize::L, SnapshotSize::File] {
        let read_again = read(&recording("io-errors"), 1 << 16);
        let taken = shared("io-errors", vec![read_again], size).snapshot;
        let packed = pack(
            &Snapshot {
                traces: taken.traces,
                ..Snapshot::default()
            },
            size.digits(),
        );
        let mut opened = unpack(&packed).expect("it can be read").snapshot;
        let link = opened.traces.remove(0).expect("it is there");
        for ask in &asks {
            let answer = link.answer("failures", &ask.to_string());
            if size == SnapshotSize::M {
                assert_eq!(answer.err(), Some(NotInSnapshot));
                continue;
            }
            let (stored, live) = (
                answer.expect("marks"),
                plot::answer(view, "failures", &ask.to_string()).expect("marks"),
            );
            assert_eq!(list(&stored, "count").iter().sum::<u64>(), 6, "{size:?}");
            let is_latency = !ask["latency"].is_null();
            for name in ["at", "errno"] {
                let exact = list(&live, name);
                let all = list(&stored, name);
                assert!(all.iter().all(|value| exact.contains(value)), "{name}");
            }
            if is_latency {
                let exact = list(&live, "took");
                assert!(
                    list(&stored, "took")
                        .iter()
                        .all(|took| exact.contains(took))
                );
            }
        }
    }
}

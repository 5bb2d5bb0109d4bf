//! Marks and names of what happens to zones.

use super::*;
use seekscope_trace::store::Zones;

/// Zones of 100 sectors, the first one conventional.
fn zoned(text: &str) -> IndexedTrace {
    let mut store = store(text);
    store.devices[0].zones = Some(Zones {
        sectors: 100,
        conventional: Some(vec![(0, 99)]),
    });
    let index = Index::new(&store);
    IndexedTrace { store, index }
}

const TEXT: &str = "0 Q 200+8 W\n1 D 200+8 W\n2 C 200+8 W\n3 D 250+8 W\n4 C 250+8 W\n5 D 300+0 \
    W\n6 C 300+0 W\n7 D 0+0 W\n8 C 0+0 W\n9 D 5+8 W\n10 C 5+8 W\n\
                    11 D 208+8 W\n12 C 208+8 W\n13 D 200+8 W\n14 C 200+8 W";

fn ask(t0: u64, t1: u64, limit: usize) -> Json {
    json!({ "device": 0, "range": { "t0": t0, "t1": t1 }, "most": limit })
}

#[test]
fn marks_are_what_is_no_write_in_order() {
    let t = zoned(TEXT);
    let whole = t.query("zones", ask(0, 14, 100));
    // Off the pointer, an action that is not named, the reset of all, after it a write that is not
    // at the start of its zone, and one to the start of a zone that is not empty.
    assert_eq!(whole.list("kind"), [0.0, 7.0, 3.0, 0.0, 8.0]);
    assert_eq!(whole.list("at"), [3.0, 5.0, 7.0, 11.0, 13.0]);
    assert_eq!(whole.list("sector"), [250.0, 300.0, 0.0, 208.0, 200.0]);
    assert_eq!(whole.list("pointer")[0], 208.0);
    assert_eq!(whole.list("pointer")[3], 200.0);
    assert_eq!(
        whole.list("counts"),
        [2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0]
    );
    let part = t.query("zones", ask(4, 8, 100));
    assert_eq!(part.list("kind"), [7.0, 3.0]);
    let few = t.query("zones", ask(0, 14, 1));
    assert_eq!(few.list("kind"), [0.0]);
    assert_eq!(few.property("exact"), &AnswerValue::Json(json!(false)));
    assert!(
        IndexedTrace::new(TEXT)
            .error("zones", ask(0, 14, 1))
            .contains("not known")
    );
    assert!(
        t.error(
            "zones",
            json!({ "device": 9, "range": { "t0": 0, "t1": 1 }, "most": 1 })
        )
        .contains("device 9")
    );
}

#[test]
fn events_and_lives_name_what_they_do() {
    let t = zoned(TEXT);
    assert_eq!(
        t.info()["devices"][0]["zones"],
        json!({ "sectors": 100, "conventional": [[0, 99]] })
    );
    let rows = t
        .query("events", json!({ "filter": {}, "offset": 0, "limit": 100 }))
        .json()["rows"]
        .clone();
    let named: Vec<(u64, &str)> = rows
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| Some((row["at"].as_u64()?, row["zone"].as_str()?)))
        .collect();
    assert_eq!(
        named,
        [
            (5, "action"),
            (6, "action"),
            (7, "reset-all"),
            (8, "reset-all")
        ]
    );
    let zone = |row: usize| t.query("life", json!({ "row": row })).json()["zone"].clone();
    assert_eq!(
        zone(1),
        json!({ "number": 2, "conventional": false, "kind": "off-pointer", "pointer": 208 })
    );
    assert_eq!(
        zone(2),
        json!({ "number": 3, "conventional": false, "kind": "action" })
    );
    assert_eq!(zone(4), json!({ "number": 0, "conventional": true }));
    assert_eq!(
        IndexedTrace::new(TEXT)
            .query("life", json!({ "row": 1 }))
            .json()
            .get("zone"),
        None
    );
}

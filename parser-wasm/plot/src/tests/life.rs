//! The life of one request.

use super::*;

#[test]
fn a_life_from_q_to_c() {
    let t = IndexedTrace::new(
        "0 Q 0+8 WS pid=7 cpu=1
         1 G 0+8 WS pid=7 cpu=1
         2 Q 8+8 WS pid=8 cpu=1
         3 M 8+8 WS pid=8 cpu=1
         4 P - N pid=7
         5 I 0+8 WS pid=7 cpu=1
         6 Q 100+8 R pid=9
         7 D 100+8 R pid=9
         8 C 100+8 R
         9 Q 4+2 R pid=9
         10 Q 108+8 R pid=9
         11 D 108+8 R pid=9
         12 Q 116+8 W pid=7
         13 D 116+8 W pid=7
         20 D 0+16 WS pid=3 cpu=2
         50 C 0+16 WS pid=0 cpu=0
         60 C 108+8 R
         70 C 116+8 W",
    );
    let geometry = json!({ "level": "raid5", "unit": 8, "dataDisks": 2, "start": 0 });
    let life = t
        .query("life", json!({ "row": 3, "geometry": geometry }))
        .json();
    let plain = [
        "dev",
        "op",
        "rwbs",
        "sector",
        "sectors",
        "pid",
        "process",
        "submitCpu",
        "completeCpu",
        "queued",
        "allocated",
        "inserted",
        "issued",
        "completed",
        "alignment",
    ];
    assert_eq!(
        plain.map(|name| life[name].clone()),
        [
            json!("8,0"),
            json!("write"),
            json!("WS"),
            json!(0),
            json!(16),
            json!(7),
            json!("pid 7"),
            json!(1),
            json!(0),
            json!(0),
            json!(1),
            json!(5),
            json!(20),
            json!(50),
            json!("full"),
        ]
    );
    let events: Vec<_> = life["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| (e["at"].as_u64().unwrap(), e["action"].as_str().unwrap()))
        .collect();
    assert_eq!(
        events,
        [
            (0, "Q"),
            (1, "G"),
            (2, "Q"),
            (3, "M"),
            (5, "I"),
            (20, "D"),
            (50, "C")
        ]
    );
    assert_eq!(
        life["bios"],
        json!([
            { "sector": 0, "sectors": 8, "queuedAt": 0, "pid": 7, "process": "pid 7", "joined": "first" },
            { "sector": 8, "sectors": 8, "queuedAt": 2, "pid": 8, "process": "pid 8", "joined": "back-merge" },
        ])
    );
    assert_eq!(
        life["overtaken"],
        json!([{ "process": "pid 9", "n": 2 }, { "process": "pid 7", "n": 1 }])
    );
    // Q2C: 50 here; 2, 50 and 58 of the others.
    assert_eq!(
        (&life["rank"], life.get("error"), life.get("via")),
        (&json!(2), None, None)
    );
    assert_eq!(t.query("life", json!({ "row": 2 })).json()["rank"], 1);
}

#[test]
fn how_bios_join() {
    let t = IndexedTrace::new(
        "0 Q 16+8
         1 G 16+8
         2 Q 8+8
         3 F 8+8
         4 Q 24+8
         5 G 24+8
         6 M 24+8 WQ
         7 Q 0+64
         8 X 0+8 split=8
         20 D 0+32
         30 C 0+32",
    );
    let life = t.query("life", json!({ "row": 0 })).json();
    let joined: Vec<_> = life["bios"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| (b["sector"].as_u64().unwrap(), b["joined"].as_str().unwrap()))
        .collect();
    assert_eq!(
        joined,
        [
            (16, "first"),
            (8, "front-merge"),
            (24, "request-merge"),
            (0, "split")
        ]
    );
}

#[test]
fn lives_of_a_flush_a_bio_and_an_incomplete_request() {
    let t = IndexedTrace::new("0 Q 0+8 FWS\n1 D - FN\n5 C - FN\n6 D 0+8 WS");
    let flush = t.query("life", json!({ "row": 0 })).json();
    assert_eq!(
        (&flush["op"], &flush["sectors"], flush.get("alignment")),
        (&json!("flush"), &json!(0), None)
    );
    assert_eq!(flush["events"].as_array().unwrap().len(), 2);
    let write = t.query("life", json!({ "row": 1 })).json();
    assert_eq!(
        (
            write.get("completed"),
            write.get("completeCpu"),
            &write["queued"]
        ),
        (None, None, &json!(0))
    );
    let bio = IndexedTrace::new("3 Q 0+8\n9 C 0+8")
        .query("life", json!({ "row": 0 }))
        .json();
    assert_eq!(
        (
            bio.get("issued"),
            &bio["queued"],
            &bio["completed"],
            &bio["overtaken"]
        ),
        (None, &json!(3), &json!(9), &json!([]))
    );
    assert_eq!(bio["bios"].as_array().unwrap().len(), 1);
}

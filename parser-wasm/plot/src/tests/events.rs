use super::*;
use seekscope_trace::event::{Action, Event, EventDetail, Flags};
use seekscope_trace::fixture;
use seekscope_trace::store::{Effect, Message};

const TEMPLATE: Event = Event {
    time: 0,
    sector: 0,
    bytes: 4096,
    action: Action::Queue,
    flags: Flags::READ,
    pid: 1,
    device: seekscope_trace::event::DeviceNumber(8 << 20),
    cpu: 0,
    sequence: 0,
    error: 0,
    detail: EventDetail::None,
};

const DRAWN: &str = "
    0 A 1000+8 RS pid=7 from=1:40
    10 Q 1000+8 RS pid=7
    20 G 1000+8 RS pid=7
    25 P - N pid=7
    30 Q 5000+16 W pid=8 cpu=1
    40 U - N pid=7
    50 D 1000+8 RS pid=7
    60 D 5000+16 W pid=8 cpu=1
    70 C 1000+8 RS pid=9 cpu=1
    70 C 5000+16 W pid=9 cpu=1
    80 Q 1000+8 R dev=2 pid=8";

fn indexed() -> IndexedTrace {
    let mut store = fixture::store(DRAWN);
    for (pid, name) in [(7, "dd"), (8, "kworker/0:1H")] {
        store
            .processes
            .iter_mut()
            .filter(|p| p.pid == pid)
            .for_each(|p| p.name = Some(name.to_owned()));
    }
    store.messages.text = b"bfq dispatch".to_vec();
    store.messages.rows.push(Message {
        time: 45,
        cpu: 1,
        device: 0,
        pid: 8,
        cgroup: None,
        text: (0, 12),
    });
    let index = Index::new(&store);
    IndexedTrace { store, index }
}

/// Entries, as numbers, that a filter takes. The message is entry 6.
fn taken(filter: Json) -> Vec<u64> {
    let got = indexed()
        .query(
            "events",
            json!({ "filter": filter, "offset": 0, "limit": 100 }),
        )
        .json();
    let rows = got["rows"].as_array().unwrap();
    assert_eq!(got["total"], rows.len());
    assert_eq!((&got["examined"], &got["of"]), (&json!(12), &json!(12)));
    rows.iter().map(|r| r["entry"].as_u64().unwrap()).collect()
}

#[test]
fn filters_match_by_each_property() {
    assert_eq!(taken(json!({})), (0..12).collect::<Vec<u64>>());
    assert_eq!(taken(json!({ "actions": ["D", "C"] })), [7, 8, 9, 10]);
    assert_eq!(taken(json!({ "actions": ["m"] })), [6]);
    assert_eq!(taken(json!({ "ops": ["write"] })), [4, 8, 10]);
    assert_eq!(taken(json!({ "hideOps": ["read"] })), [3, 4, 5, 6, 8, 10]);
    assert_eq!(
        taken(json!({ "hideFlags": ["sync"], "actions": ["Q"] })),
        [4, 11]
    );
    assert_eq!(taken(json!({ "devices": [1] })), [11]);
    assert_eq!(taken(json!({ "devices": [] })), [] as [u64; 0]);
    assert_eq!(taken(json!({ "processes": [1] })), [4, 6, 8, 11]);
    assert_eq!(taken(json!({ "hideProcesses": [0, 1] })), [9, 10]);
    assert_eq!(taken(json!({ "cpus": [1] })), [4, 6, 8, 9, 10]);
    assert_eq!(
        taken(json!({ "hideCpus": [1], "actions": ["Q", "m"] })),
        [1, 11]
    );
    assert_eq!(
        taken(json!({ "range": { "t0": 25.0, "t1": 50.0 } })),
        [3, 4, 5, 6]
    );
    assert_eq!(taken(json!({ "lba": [1007, 5000] })), [0, 1, 2, 7, 9, 11]);
    assert_eq!(taken(json!({ "lba": [5015, 5016] })), [4, 8, 10]);
    assert_eq!(taken(json!({ "lba": [1008, 5000] })), [] as [u64; 0]);
}

#[test]
fn text_matches_the_printed_line() {
    // A completion and a remap do not print a name.
    assert_eq!(taken(json!({ "text": ["DD"] })), [1, 2, 3, 5, 7]);
    assert_eq!(taken(json!({ "text": ["kworker/0"] })), [4, 8, 11]);
    assert_eq!(taken(json!({ "text": ["rs"] })), [0, 1, 2, 7, 9]);
    assert_eq!(taken(json!({ "text": ["<- (8,1) 40"] })), [0]);
    assert_eq!(taken(json!({ "text": ["5000 + 16"] })), [4, 8, 10]);
    assert_eq!(taken(json!({ "text": ["bfq"] })), [6]);
    assert_eq!(taken(json!({ "text": ["dd", "q"] })), [1]);
    assert_eq!(taken(json!({ "text": ["nowhere"] })), [] as [u64; 0]);
}

#[test]
fn rows_and_text_equal_blkparse() {
    let page = json!({ "filter": { "actions": ["Q", "m", "C"] }, "offset": 1, "limit": 3 });
    let got = indexed().query("events", page.clone()).json();
    assert_eq!(got["total"], 6);
    let first = json!({ "entry": 4, "at": 30, "dev": "8,0", "cpu": 1, "pid": 8, "action": "Q", "rwbs": "W", "tail": "5000 + 16 [kworker/0:1H]" });
    assert_eq!(got["rows"][0], first);
    let text = indexed().query("eventText", page).json()["text"]
        .as_str()
        .unwrap()
        .to_owned();
    let wanted = "  8,0    1     0.000000030     8  Q   W 5000 + 16 [kworker/0:1H]\n  8,0    1     \
        0.000000045     8  m   N bfq dispatch\n  \
                  8,0    1     0.000000070     9  C  RS 1000 + 8 [0]\n";
    assert_eq!(text, wanted);
}

#[test]
fn a_time_has_a_row() {
    let indexed = indexed();
    let line = |filter: Json, time: f64, sector: Json| {
        indexed
            .query(
                "findEvent",
                json!({ "filter": filter, "time": time, "sector": sector }),
            )
            .json()["at"]
            .as_u64()
    };
    assert_eq!(line(json!({}), 0.0, Json::Null), Some(0));
    assert_eq!(line(json!({}), 41.0, Json::Null), Some(6));
    assert_eq!(line(json!({}), 70.0, Json::Null), Some(9));
    assert_eq!(line(json!({}), 70.0, json!(5000)), Some(10));
    assert_eq!(line(json!({}), 81.0, Json::Null), Some(12));
    assert_eq!(line(json!({ "actions": ["D"] }), 55.0, Json::Null), Some(1));
    assert_eq!(line(json!({ "actions": ["D"] }), 61.0, Json::Null), Some(2));
}

#[test]
fn an_event_has_a_request() {
    let indexed = indexed();
    let row = |entry: usize| {
        indexed
            .query("eventRequest", json!({ "entry": entry }))
            .number("row")
    };
    let requests: Vec<f64> = (0..12).map(row).collect();
    let none = -1.0;
    assert_eq!(
        requests,
        [
            0.0, 0.0, 0.0, none, 1.0, none, none, 0.0, 1.0, 0.0, 1.0, 2.0
        ]
    );
    assert_eq!(row(99), none);
}

#[test]
fn many_events_are_counted_in_pieces() {
    let n = 300_000usize;
    let mut indexed = IndexedTrace::new("0 Q 0+8 W");
    for i in 1..n {
        let flags = if i.is_multiple_of(7) {
            Flags::WRITE
        } else {
            Flags::READ
        };
        let event = Event {
            time: i as u64,
            sector: i as u64 * 8,
            flags,
            ..TEMPLATE
        };
        indexed
            .store
            .events
            .push_event(i as u64, &event, 0, 0, Effect::default());
    }
    let find = |word: &str, offset: usize| {
        let query =
            json!({ "filter": { "ops": ["write"], "text": [word] }, "offset": offset, "limit": 2 });
        loop {
            let got = indexed.query("events", query.clone()).json();
            if got["examined"] == got["of"] {
                return got;
            }
            assert!(got["examined"].as_u64().unwrap() < n as u64);
        }
    };
    let got = find(" + 8", 40_000);
    assert_eq!(got["total"], n.div_ceil(7));
    assert_eq!(
        (&got["rows"][0]["entry"], &got["rows"][1]["at"]),
        (&json!(280_000), &json!(280_007))
    );
    let found = indexed
        .query(
            "findEvent",
            json!({ "filter": { "ops": ["write"], "text": [" + 8"] }, "time": 280_001 }),
        )
        .json();
    assert_eq!(found["at"], 40_001);
    assert!(indexed.index.memory() < 300_000);
}

#[test]
fn invalid_filters_are_errors() {
    for filter in [
        json!({ "actions": ["?"] }),
        json!({ "ops": ["steal"] }),
        json!({ "hideFlags": ["x"] }),
    ] {
        assert!(
            indexed()
                .try_query(
                    "events",
                    &json!({ "filter": filter, "offset": 0, "limit": 1 })
                )
                .is_err()
        );
    }
    assert_eq!(
        indexed()
            .query(
                "events",
                json!({ "filter": {}, "offset": 1e300, "limit": 1e300 })
            )
            .json()["rows"],
        json!([])
    );
}

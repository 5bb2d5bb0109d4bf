//! What is answered from indices (kinds of requests, blocks of events, kept answers) equals what a
//! scan of all rows answers.

use super::*;

impl DrawnRandom {
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    /// Takes each item with a chance of `percent`.
    fn some<T: Copy>(&mut self, items: &[T], percent: u64) -> Vec<T> {
        items
            .iter()
            .copied()
            .filter(|_| self.below(100) < percent)
            .collect()
    }
}

/// Requests of two disks in flight at the same time, of all operations, some passthrough, some
/// without G, some that never complete.
fn trace(dice: &mut DrawnRandom, requests: u64) -> String {
    let mut events: Vec<(u64, u64, String)> = Vec::new();
    let mut time = 0;
    for i in 0..requests {
        let (dev, pid, cpu) = (dice.below(2), 10 + dice.below(5), dice.below(4));
        let rwbs = dice.pick(&["R", "R", "W", "WS", "WFS", "RA", "RM", "D", "FN"]);
        // A third of the requests of each block are anywhere on the disk.
        let slot = if i % 3 == 0 { dice.below(requests) } else { i };
        let place = if rwbs == "FN" {
            "-".to_owned()
        } else {
            format!("{}+{}", 1000 * slot + dice.below(900), 1 + dice.below(40))
        };
        let (issued, done) = (time + dice.below(400), time + 500 + dice.below(5_000));
        let mut add = |time: u64, action: &str| {
            events.push((
                time,
                i,
                format!("{time} {action} {place} {rwbs} dev={dev} pid={pid} cpu={cpu}"),
            ))
        };
        add(time, "Q");
        if i % 3 > 0 {
            add(time + (issued - time) / 2, "G");
        }
        add(issued, "D");
        if i % 97 > 0 {
            add(done, "C");
        }
        time += dice.below(300);
    }
    events.sort_by_key(|event| (event.0, event.1));
    events.into_iter().map(|(_, _, line)| line + "\n").collect()
}

fn filter(dice: &mut DrawnRandom, processes: u64) -> Json {
    let mut filter = json!({
        "device": dice.below(2),
        "hideOps": dice.some(&["read", "write", "discard", "flush"], 20),
        "hideFlags": dice.some(&["sync", "fua", "meta", "ahead", "preflush"], 10),
    });
    if dice.below(3) == 0 {
        filter["hideProcesses"] = json!([dice.below(processes)]);
        filter["hideCpus"] = json!(dice.some(&[0, 1, 2, 3], 30));
    }
    match dice.below(8) {
        0 => filter["lba"] = json!([1_000_000, 1_000_000 + dice.below(3_000_000)]),
        1 => filter["sectors"] = json!([8, 20]),
        2 => filter["latency"] = json!([0, 2_000 + dice.below(4_000)]),
        3 => {
            filter["geometry"] = json!({ "level": "raid5", "unit": 8, "dataDisks": 2, "start": 0 });
            filter["hideAlignment"] =
                json!(dice.some(&["full", "unit", "inside", "straddles"], 40));
        }
        _ => {}
    }
    filter
}

fn play(dice: &mut DrawnRandom, filter: &Json, span: f64) -> Json {
    let (first, step) = (
        dice.below(1000) as f64 / 1000.0 * span,
        1 + dice.below(5_000),
    );
    json!({ "filter": filter, "at": first, "step": step, "n": 20, "window": dice.below(40_000), "layer": "size", "most": 5_000 })
}

fn queries(dice: &mut DrawnRandom, filter: &Json, span: f64) -> Vec<(&'static str, Json)> {
    let (a, b) = (
        dice.below(1000) as f64 / 1000.0 * span,
        dice.below(1000) as f64 / 1000.0 * span,
    );
    let range = match dice.below(3) {
        0 => json!({ "t0": 0.0, "t1": span }),
        1 => json!({ "t0": a.min(b), "t1": a.max(b) }),
        _ => json!({ "t0": a, "t1": a + span / 50.0 }),
    };
    let layer = dice.pick(&["density", "op", "process", "size", "latency", "sync"]);
    let bands = json!([{ "lba0": 0, "lba1": 3_000_000, "y0": 20, "y1": 50 }, { "lba0": 3_500_000, "lba1": 9_000_000, "y0": 0, "y1": 18 }]);
    let map = |marks: u64| {
        json!({
            "filter": filter, "range": range, "bands": bands, "w": 70, "h": 50, "layer": layer, "slots": [0, 1, 2, 3, 4, 5], "marks": marks,
        })
    };
    let with = |more: Json| {
        let mut all = json!({ "filter": filter, "range": range });
        all.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        all
    };
    let stage = dice.pick(&["q2c", "d2c", "q2d"]);
    vec![
        ("facets", with(json!({}))),
        (
            "bands",
            with(json!({ "most": 6, "gapShare": dice.pick(&[0.0, 0.0001, 0.02, 0.3]) })),
        ),
        ("seekMap", map(0)),
        ("seekMap", map(300)),
        ("rate", with(json!({ "n": dice.pick(&[1, 7, 300, 5000]) }))),
        (
            "latencyGrid",
            with(json!({ "stage": stage, "w": 40, "h": 20, "low": 10, "high": 100_000 })),
        ),
        ("distribution", with(json!({ "stage": stage }))),
        ("stages", with(json!({}))),
        ("playback", play(dice, filter, span)),
        (
            "nextStep",
            json!({ "filter": filter, "t": a, "by": dice.pick(&[-1, 1]) }),
        ),
        (
            "sizes",
            with(json!({ "at": dice.pick(&["queued", "issued", "completed"]) })),
        ),
    ]
}

#[test]
fn indices_answer_as_a_scan_does() {
    let mut dice = DrawnRandom(7);
    let t = IndexedTrace::new(&trace(&mut dice, 9_000));
    assert!(
        t.store.requests.len() > 2 * 4096
            && t.store.devices.len() == 2
            && t.store.processes.len() >= 5
    );
    let (span, processes) = (t.store.span() as f64, t.store.processes.len() as u64);
    let mut taken = 0;
    for _ in 0..16 {
        let filter = filter(&mut dice, processes);
        for (kind, query) in queries(&mut dice, &filter, span) {
            // NaN is not equal to itself.
            let [indexed, again, scanned] = [
                t.query(kind, query.clone()),
                t.query(kind, query.clone()),
                t.query_while_reading(kind, query.clone()),
            ]
            .map(|answer| format!("{:?}", answer.0));
            assert!(indexed == scanned, "{kind} {query}\n{indexed}\n{scanned}");
            assert!(indexed == again, "{kind} {query}");
            taken += usize::from(kind == "rate" && indexed.contains("512.0"));
        }
    }
    assert!(taken > 2, "filters that include nothing would test nothing");
}

#[test]
fn what_the_summary_has_measured_is_what_queries_find() {
    let mut dice = DrawnRandom(3);
    let text = trace(&mut dice, 3_000);
    let (t, summarised) = (IndexedTrace::new(&text), IndexedTrace::new(&text));
    summarised.query("summary", json!({}));
    let range = json!({ "t0": 0, "t1": t.store.span() });
    let asked = |kind: &str, filter: Json, more: Json| {
        let mut query = json!({ "filter": filter, "range": range });
        query
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let found = t.query(kind, query.clone()).0;
        let measured = summarised.query(kind, query.clone()).0;
        let (found, measured) = (format!("{found:?}"), format!("{measured:?}"));
        assert_eq!(measured, found, "{kind} {query}");
        found
    };
    for device in [0, 1] {
        let filter = json!({ "device": device });
        let tail = asked("tail", filter.clone(), json!({ "percentile": 0.99 }));
        assert!(tail.contains("requests"), "{tail}");
        asked("tail", filter.clone(), json!({ "percentile": 0.95 }));
        let stages = asked("stages", filter.clone(), json!({}));
        assert!(stages.contains("q2c") && stages.contains("g2d"), "{stages}");
        for at in ["queued", "issued", "completed"] {
            let filters = [
                filter.clone(),
                json!({ "device": device, "hideOps": ["write"], "hideCpus": [1] }),
                json!({ "device": device, "hideProcesses": [1], "hideFlags": ["sync"] }),
            ];
            let [all, some, others] =
                filters.map(|filter| asked("sizes", filter, json!({ "at": at })));
            assert!(all != some && some != others, "{all}");
        }
    }
}

//! What loops over the rows of included kinds answer equals what plain loops over all rows do.

use super::*;
use crate::map::band_rows::BandScale;
use crate::query::{Band, Filter, TimeRange, parse};
use crate::select::Selection;
use crate::view::total_latency;
use seekscope_trace::event::{Action, Flags, Op};

/// Requests of two disks, some of them long. `processes` decides how many kinds there are, and
/// `far` whether some are at sectors that do not fit into a row.
fn trace(dice: &mut DrawnRandom, requests: u64, processes: u64, far: bool) -> String {
    let mut events: Vec<(u64, u64, String)> = Vec::new();
    for i in 0..requests {
        let rwbs = ["R", "W", "WS", "D", "RA", "FN"][dice.below(6) as usize];
        let sector = dice.below(1_000_000) + if far && i % 50 == 0 { 1 << 41 } else { 0 };
        let sectors = if dice.below(9) == 0 {
            1 + dice.below(50_000)
        } else {
            1 + dice.below(8)
        };
        let place = if rwbs == "FN" {
            "-".to_owned()
        } else {
            format!("{sector}+{sectors}")
        };
        let (dev, pid, cpu) = (dice.below(2), 10 + dice.below(processes), dice.below(3));
        let (queued, issued) = (i * 100, i * 100 + dice.below(90));
        let mut add = |time: u64, action: &str| {
            let line = format!("{time} {action} {place} {rwbs} dev={dev} pid={pid} cpu={cpu}\n");
            events.push((time, i, line));
        };
        add(queued, "Q");
        add(issued, "D");
        if i % 31 > 0 {
            add(issued + 1 + dice.below(3_000), "C");
        }
    }
    events.sort();
    events.into_iter().map(|(_, _, line)| line).collect()
}

/// Each kind of restriction in turn.
fn filter(dice: &mut DrawnRandom, turn: usize) -> Json {
    let mut filter = json!({ "device": dice.below(2) });
    match turn % 8 {
        0 => {}
        1 => filter["hideProcesses"] = json!([dice.below(4), dice.below(4)]),
        2 => filter["hideOps"] = json!(["write"]),
        3 => filter["hideCpus"] = json!([1]),
        4 => filter["lba"] = json!([dice.below(500_000), 700_000]),
        5 => filter["latency"] = json!([dice.below(900), 2_500]),
        6 => filter["sectors"] = json!([3, 9_000]),
        _ => filter["hideFlags"] = json!(["sync", "ahead"]),
    }
    filter
}

fn range(dice: &mut DrawnRandom, turn: usize, span: f64) -> (f64, f64) {
    let mut time = || dice.below(1_000) as f64 / 1_000.0 * span;
    match turn % 3 {
        0 => (0.0, span),
        1 => {
            let (a, b) = (time(), time());
            (a.min(b), a.max(b) + 1.5)
        }
        _ => {
            let t0 = time();
            (t0, t0 + span / 20.0)
        }
    }
}

/// The traces whose rows take other ways: of few kinds, of too many for a list, and with rows that
/// do not fit.
fn each_trace(check: impl Fn(&IndexedTrace, &mut DrawnRandom)) {
    for (processes, far) in [(4, false), (100_000, false), (4, true)] {
        let mut dice = DrawnRandom(11);
        let t = IndexedTrace::new(&trace(&mut dice, 9_000, processes, far));
        let sectors = (0..t.store.requests.len()).map(|i| t.store.requests.row(i).sector());
        let is_far = sectors.filter(|sector| *sector != u64::MAX).max() >= Some(1 << 40);
        assert_eq!(is_far, far);
        assert_eq!(t.store.requests.kinds() > 4096, processes > 4);
        check(&t, &mut dice);
    }
}

/// The cells of a grid: its number of requests, and the requests of each class in each cell.
fn plain_grid(t: &IndexedTrace, query: &Json, layer: &str) -> (f64, Vec<[u32; 6]>) {
    let view = View {
        store: &t.store,
        index: &t.index,
    };
    let filter: Filter = parse(&query["filter"].to_string()).unwrap();
    let range: TimeRange = parse(&query["range"].to_string()).unwrap();
    let bands: Vec<Band> = parse(&query["bands"].to_string()).unwrap();
    let (w, h) = (
        query["w"].as_u64().unwrap() as usize,
        query["h"].as_u64().unwrap() as usize,
    );
    let selection = Selection::new(view, &filter).unwrap();
    let (mut n, mut cells) = (0.0, vec![[0; 6]; w * h]);
    for i in 0..t.store.requests.len() {
        let row = t.store.requests.row(i);
        let is_taken = selection.takes_kind(row.kind()) && selection.takes_row(row);
        if !is_taken || row.op() == Op::Flush || !view.starting(range).contains(&i) {
            continue;
        }
        let edge = |k: usize| (range.t0 + range.length() * k as f64 / w as f64).ceil() as u64;
        let x = (1..w).take_while(|&k| edge(k) <= row.start()).count();
        let kib = row.bytes().div_ceil(1024);
        let class = match layer {
            "op" => row.op() as usize,
            "size" => [4, 16, 64, 256, 1024].iter().filter(|k| kib > **k).count(),
            _ => total_latency(row).map_or(5, |ns| usize::from(ns > 100_000)),
        };
        let touched = bands.iter().filter_map(|band| {
            BandScale::new(band, h).and_then(|scale| scale.rows(row.sector(), row.sectors()))
        });
        let touched: Vec<(usize, usize)> = touched.collect();
        n += f64::from(u8::from(!touched.is_empty()));
        for (top, bottom) in touched {
            (top..=bottom).for_each(|y| cells[x * h + y][class] += 1);
        }
    }
    (n, cells)
}

#[test]
fn a_grid_is_what_a_loop_over_all_requests_draws() {
    each_trace(|t, dice| {
        let span = t.store.span() as f64;
        let mut largest = 0;
        for turn in 0..48 {
            let layer = ["op", "size", "latency"][turn % 3];
            let (t0, t1) = range(dice, turn / 3, span);
            // Bands that share rows and sectors, and others.
            let (low, high) = (dice.below(400_000), 500_000 + dice.below(700_000));
            let bands = json!([
                { "lba0": low, "lba1": high, "y0": 12, "y1": 40 },
                { "lba0": high - 90_000, "lba1": 2_000_000, "y0": 3, "y1": 13 },
                { "lba0": 1u64 << 41, "lba1": (1u64 << 41) + 900_000, "y0": 0, "y1": 3 },
            ]);
            let query = json!({
                "filter": filter(dice, turn), "range": { "t0": t0, "t1": t1 }, "bands": bands,
                "w": 1 + dice.below(60), "h": 40, "layer": layer, "marks": 0,
            });
            let (n, cells) = plain_grid(t, &query, layer);
            let got = t.query("seekMap", query.clone());
            if got.word("kind") == "marks" {
                assert_eq!(n, 0.0, "{query}");
                continue;
            }
            assert_eq!(got.number("n"), n, "{query}");
            let counts = cells.iter().map(|cell| f64::from(cell.iter().sum::<u32>()));
            assert_eq!(got.list("counts"), counts.collect::<Vec<f64>>(), "{query}");
            let class = |cell: &[u32; 6]| {
                let most = cell.iter().max().unwrap();
                cell.iter().position(|n| n == most).unwrap() as f64
            };
            let classes: Vec<f64> = cells.iter().map(class).collect();
            assert_eq!(got.list("cls"), classes, "{query}");
            largest = largest.max(n as u64);
        }
        assert!(
            largest > 2_000,
            "filters that include nothing would test nothing"
        );
    });
}

/// Completed reads per bin.
fn plain_rate(t: &IndexedTrace, query: &Json) -> Vec<f64> {
    let view = View {
        store: &t.store,
        index: &t.index,
    };
    let filter: Filter = parse(&query["filter"].to_string()).unwrap();
    let range: TimeRange = parse(&query["range"].to_string()).unwrap();
    let selection = Selection::new(view, &filter).unwrap();
    let mut reads = vec![0.0; query["n"].as_u64().unwrap() as usize];
    let per_ns = reads.len() as f64 / range.length();
    let last = reads.len() - 1;
    let mut add = |time: u64, op: Op, bytes: u32, flags: Flags| {
        if view.holds(range, time) && op == Op::Read && bytes > 0 && !flags.has(Flags::PC) {
            reads[(((time as f64 - range.t0) * per_ns) as usize).min(last)] += 1.0;
        }
    };
    if selection.fits_events() {
        t.store.events.pieces(0..t.store.events.len(), |piece| {
            for event in piece {
                let kind = event.kind();
                if kind.action == Action::Complete
                    && selection.takes_event_kind(kind, t.store.events.process(event.row))
                    && selection.takes_event(event)
                {
                    add(
                        event.time(),
                        kind.flags.op(kind.bytes),
                        kind.bytes,
                        kind.flags,
                    );
                }
            }
        });
    } else {
        for i in 0..t.store.requests.len() {
            let row = t.store.requests.row(i);
            if let Some(time) = row.completed()
                && selection.takes_kind(row.kind())
                && selection.takes_row(row)
            {
                add(time, row.op(), row.bytes(), row.flags());
            }
        }
    }
    reads
}

#[test]
fn a_rate_is_what_a_loop_over_all_rows_counts() {
    each_trace(|t, dice| {
        let span = t.store.span() as f64;
        let mut largest = 0.0;
        for turn in 0..48 {
            let (t0, t1) = range(dice, turn / 8, span);
            let query = json!({
                "filter": filter(dice, turn), "range": { "t0": t0, "t1": t1 },
                "n": 1 + dice.below(500),
            });
            let reads = plain_rate(t, &query);
            assert_eq!(
                t.query("rate", query.clone()).list("readIos"),
                reads,
                "{query}"
            );
            largest = f64::max(largest, reads.iter().sum());
        }
        assert!(
            largest > 500.0,
            "filters that include nothing would test nothing"
        );
    });
}

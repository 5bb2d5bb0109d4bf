//! Pictures of real recordings say what the summary says, and lose nothing at any zoom.

use crate::common::{read, recording, recordings};
use seekscope_core::measure::arrays::cost::Rmw;
use seekscope_core::measure::figures::figures;
use seekscope_core::measure::size::SizeCount;
use seekscope_core::measure::{Geometry, Window};
use seekscope_core::plot::{Answer, AnswerValue, Index, View, answer};
use seekscope_core::store::{Role, Store};
use serde_json::{Value as Json, json};

struct Asked<'a>(View<'a>);

impl Asked<'_> {
    fn ask(&self, kind: &str, ask: &Json) -> Answer {
        answer(self.0, kind, &ask.to_string()).unwrap_or_else(|e| panic!("{kind} {ask}: {}", e.0))
    }

    /// Some lists of numbers of an answer.
    fn lists<const N: usize>(&self, kind: &str, names: [&str; N], ask: &Json) -> [Vec<f64>; N] {
        let Answer::Object(properties) = self.ask(kind, ask) else {
            panic!("{kind} is a document")
        };
        names.map(
            |name| match properties.iter().find(|p| p.0 == name).map(|p| &p.1) {
                Some(AnswerValue::Number(n)) => vec![*n],
                Some(AnswerValue::F64(v)) => v.clone(),
                Some(AnswerValue::U32(v)) => v.iter().map(|&n| f64::from(n)).collect(),
                other => panic!("{kind} {name}: {other:?}"),
            },
        )
    }

    fn json(&self, kind: &str, ask: &Json) -> Json {
        self.ask(kind, ask)
            .document()
            .unwrap_or_else(|| panic!("{kind} is no document"))
    }
}

/// Calls `check` with every device of every recording.
fn every_device(check: impl Fn(&str, &Asked, &Store, u32)) {
    for name in recordings() {
        let store = read(&recording(&name), 1 << 20);
        let index = Index::new(&store);
        let asked = Asked(View {
            store: &store,
            index: &index,
        });
        for device in 0..store.devices.len() as u32 {
            check(
                &format!("{name} {}", store.devices[device as usize].name),
                &asked,
                &store,
                device,
            );
        }
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

#[test]
fn depth_and_starvation() {
    every_device(|name, asked, store, device| {
        let Some(usage) = figures(store, Window::WHOLE, None)[device as usize]
            .usage
            .clone()
        else {
            return;
        };
        let (Some(depth), Some(starved)) = (usage.depth, usage.starved) else {
            return;
        };
        let span = store.span();
        let names = ["mean", "max", "waitMax", "starved"];
        for n in [1, 10, 999] {
            let ask = json!({ "device": device, "range": { "t0": 0, "t1": span }, "n": n });
            let [mean, max, wait_max, share] = asked.lists("depth", names, &ask);
            let most = |list: &[f64]| list.iter().copied().fold(0.0, f64::max);
            assert_eq!(most(&max), f64::from(depth.max), "{name}");
            assert_eq!(
                most(&wait_max),
                f64::from(usage.waiting.map_or(0, |w| w.max)),
                "{name}"
            );
            let width = span as f64 / f64::from(n);
            let total = share.iter().sum::<f64>() * width;
            assert!(
                (total - starved.total_ns as f64).abs() <= 1e-6 * span as f64,
                "{name}: {total} {}",
                starved.total_ns
            );
            assert!(
                mean.iter().all(|&m| m >= 0.0 && m <= f64::from(depth.max)),
                "{name}"
            );
        }
        let ask = json!({ "device": device, "range": { "t0": 0, "t1": span }, "most": 8192 });
        let [intervals] = asked.lists("starved", ["intervals"], &ask);
        assert_eq!(
            intervals.len() as u64,
            2 * starved.intervals.min(8192),
            "{name}"
        );
        if starved.intervals <= 8192 {
            assert_eq!(
                intervals.chunks(2).map(|i| i[1] - i[0]).sum::<f64>(),
                starved.total_ns as f64,
                "{name}"
            );
        }
    });
}

#[test]
fn latencies_sizes_and_bytes() {
    every_device(|name, asked, store, device| {
        let expected = figures(store, Window::WHOLE, None).swap_remove(device as usize);
        let ask = |more: Json| {
            let mut ask =
                json!({ "filter": { "device": device }, "range": { "t0": 0, "t1": store.span() } });
            more.as_object()
                .into_iter()
                .flatten()
                .for_each(|(k, v)| ask[k] = v.clone());
            ask
        };
        for (stage, latency) in &expected.latency {
            let names = [
                "n", "min", "mean", "p50", "p90", "p95", "p99", "p999", "max",
            ];
            let got = asked
                .lists(
                    "distribution",
                    names,
                    &ask(json!({ "stage": stage.name() })),
                )
                .map(|list| list[0]);
            let l = latency;
            let figures =
                [l.n, l.min, 0, l.p50, l.p90, l.p95, l.p99, l.p999, l.max].map(|n| n as f64);
            for (i, (got, want)) in got.into_iter().zip(figures).enumerate() {
                assert_eq!(
                    got,
                    if i == 2 { l.mean } else { want },
                    "{name} {} {}",
                    stage.name(),
                    names[i]
                );
            }
        }
        let stages = asked.json("stages", &ask(json!({})))["stages"].clone();
        assert_eq!(
            stages.as_array().map(Vec::len),
            Some(expected.latency.len()),
            "{name}"
        );
        for (moment, sizes) in ["queued", "issued", "completed"]
            .into_iter()
            .zip(&expected.sizes)
        {
            let names = ["sectors", "reads", "writes", "discards"];
            let got = asked.lists("sizes", names, &ask(json!({ "at": moment })));
            let column = |value: fn(&SizeCount) -> u64| {
                sizes.iter().map(|s| value(s) as f64).collect::<Vec<_>>()
            };
            let want = [
                column(|s| s.sectors),
                column(|s| s.reads),
                column(|s| s.writes),
                column(|s| s.discards),
            ];
            assert_eq!(got, want, "{name} {moment}");
        }
        let got = asked
            .lists(
                "rate",
                ["readBytes", "writeBytes", "discardBytes"],
                &ask(json!({ "n": 77 })),
            )
            .map(|list| list.iter().sum::<f64>());
        let c = &expected.counts;
        assert_eq!(
            got,
            [c.read_bytes, c.write_bytes, c.discard_bytes].map(|n| n as f64),
            "{name}"
        );
    });
}

#[test]
fn alignment_classes() {
    let spec: Geometry = "unit=256KiB,disks=4,level=raid5"
        .parse()
        .expect("a good spec");
    let geometry = json!({ "level": "raid5", "unit": 512, "dataDisks": 4, "start": 0 });
    every_device(|name, asked, store, device| {
        let alignment = figures(store, Window::WHOLE, Some(spec))
            .swap_remove(device as usize)
            .alignment
            .expect("a geometry was given");
        let stripes = alignment.covered.as_ref().expect("completions").stripes;
        let range = json!({ "t0": 0, "t1": store.span() });
        let filter = json!({ "device": device, "geometry": geometry });
        let ask = json!({ "filter": filter, "range": range, "geometry": geometry });
        let Answer::Object(properties) = asked.ask("alignment", &ask) else {
            panic!("{name}")
        };
        let document = |name: &str| match properties.iter().find(|p| p.0 == name).map(|p| &p.1) {
            Some(AnswerValue::Json(json)) => json.clone(),
            other => panic!("{other:?}"),
        };
        let facets = asked.json("facets", &ask)["alignment"].clone();
        for (class, class_figures) in ["full", "unit", "inside", "straddles"]
            .into_iter()
            .zip(alignment.classes)
        {
            assert_eq!(
                document("classes")[class],
                json!({ "requests": class_figures.requests, "bytes": class_figures.bytes }),
                "{name} {class}"
            );
            assert_eq!(
                facets[class],
                json!(class_figures.requests),
                "{name} {class}"
            );
        }
        assert_eq!(
            document("stripes"),
            json!({ "full": stripes.full, "partial": stripes.partial }),
            "{name}"
        );
        let Rmw {
            reads,
            writes,
            extra_bytes,
            told,
            ..
        } = alignment.covered.clone().expect("completions").rmw;
        assert_eq!(
            document("rmw"),
            json!({ "reads": reads, "writes": writes, "extraBytes": extra_bytes, "told": told }),
            "{name}"
        );
    });
}

#[test]
fn stripes_over_time_add_up() {
    let spec: Geometry = "unit=256KiB,disks=4,level=raid5"
        .parse()
        .expect("a good spec");
    let geometry = json!({ "level": "raid5", "unit": 512, "dataDisks": 4, "start": 0 });
    every_device(|name, asked, store, device| {
        let expected = figures(store, Window::WHOLE, Some(spec))
            .swap_remove(device as usize)
            .alignment
            .expect("a geometry was given");
        let range = json!({ "t0": 0, "t1": store.span() + 1 });
        let filter = json!({ "device": device });
        let ask =
            json!({ "filter": filter, "range": range, "geometry": geometry, "w": 77, "h": 32 });
        let Answer::Object(properties) = asked.ask("stripeTime", &ask) else {
            panic!("{name}")
        };
        let sum = |name: &str| match properties.iter().find(|p| p.0 == name).map(|p| &p.1) {
            Some(AnswerValue::F64(list)) => list.iter().sum::<f64>() as u64,
            Some(AnswerValue::U32(list)) => list.iter().map(|&n| u64::from(n)).sum(),
            other => panic!("{other:?}"),
        };
        let r = &store.requests;
        let with_data = (0..r.len())
            .filter(|&i| r.row(i).device() == device && r.row(i).sectors() > 0)
            .count() as u64;
        assert_eq!(sum("begins"), with_data, "{name}");
        assert!(sum("counts") >= with_data, "{name}");
        let stripes = expected.covered.as_ref().expect("completions").stripes;
        assert_eq!(
            (sum("full"), sum("partial")),
            (stripes.full, stripes.partial),
            "{name}"
        );
    });
}

#[test]
fn maps_facets_and_table_agree_on_how_many() {
    every_device(|name, asked, store, device| {
        let span = store.span() as f64;
        let r = &store.requests;
        let rows: Vec<usize> = (0..r.len())
            .filter(|&row| r.row(row).device() == device)
            .collect();
        let high = rows
            .iter()
            .filter(|&&row| r.row(row).sector() != u64::MAX)
            .map(|&row| r.row(row).sector() + r.row(row).sectors() + 1)
            .max()
            .unwrap_or(1);
        for parts in [1, 3, 50] {
            let (mut cells, mut placed, mut total) = (0.0, 0, 0);
            for k in 0..parts {
                let edge = |k: i32| (span * f64::from(k) / f64::from(parts)).floor();
                let range = json!({ "t0": edge(k), "t1": edge(k + 1) });
                let filter = json!({ "device": device });
                let map = json!({
                    "filter": filter, "range": range, "bands": [{ "lba0": 0, "lba1": high, "y0": 0, "y1": 1 }],
                    "w": 97, "h": 1, "layer": "op", "marks": 0,
                });
                let table = json!({ "filter": filter, "range": range, "sort": "time", "descending": false, "offset": 0, "limit": 1 });
                let facets = asked.json("facets", &json!({ "filter": filter, "range": range }));
                let count = |op: &str| facets["ops"][op].as_u64().unwrap_or(0);
                placed += count("read") + count("write") + count("discard");
                total += asked.json("requests", &table)["total"]
                    .as_u64()
                    .unwrap_or(0);
                if let Answer::Object(properties) = asked.ask("seekMap", &map)
                    && let Some((_, AnswerValue::U32(counts))) =
                        properties.iter().find(|p| p.0 == "counts")
                {
                    cells += counts.iter().map(|&n| f64::from(n)).sum::<f64>();
                }
            }
            assert_eq!(total, rows.len() as u64, "{name} in {parts}");
            assert!(
                near(cells, placed as f64),
                "{name} in {parts}: {cells} {placed}"
            );
        }
    });
}

#[test]
fn every_request_has_a_life() {
    every_device(|name, asked, store, device| {
        let r = &store.requests;
        let mut ranks = Vec::new();
        for row in (0..r.len())
            .filter(|&row| r.row(row).device() == device)
            .step_by(7)
        {
            let life = asked.json("life", &json!({ "row": row }));
            let actions: Vec<&str> = life["events"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|e| e["action"].as_str())
                .collect();
            if store.devices[device as usize].role == Role::Disk {
                assert!(actions.contains(&"D"), "{name} {row}: {actions:?}");
            }
            if r.row(row).completed().is_some() {
                assert!(actions.contains(&"C"), "{name} {row}: {actions:?}");
            }
            if r.row(row).bios() > 0 && r.row(row).sectors() > 0 {
                let bios = life["bios"].as_array().map_or(0, Vec::len);
                assert!(bios >= 1, "{name} {row}: {actions:?}");
            }
            ranks.push(life["rank"].as_u64().unwrap_or(0));
        }
        assert!(
            ranks
                .iter()
                .all(|&rank| rank >= 1 && rank <= r.len() as u64),
            "{name}"
        );
    });
}

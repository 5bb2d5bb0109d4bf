//! Size XS: the verdict, ten figures and the findings come back as they were printed, in a link of
//! 2,000 characters.

use super::snapshot::{Sample, recordings, sample};
use seekscope_core::snapshot::{
    Snapshot, SnapshotHead, SnapshotRun, SnapshotSize, pack_brief, to_text, unpack,
};
use serde_json::{Value as Json, json};

fn samples() -> Vec<(&'static str, Snapshot)> {
    let brief_sample = |(name, Sample { mut snapshot, .. }): (&'static str, Sample)| {
        let run = |label: &str| SnapshotRun {
            label: label.to_owned(),
            ..SnapshotRun::default()
        };
        snapshot.head = SnapshotHead {
            size: SnapshotSize::XS,
            runs: vec![run("first"), run("second")],
        };
        (name, snapshot)
    };
    let samples = ["idling", "osync", "raid5"].map(|name| (name, sample(name, SnapshotSize::XS)));
    samples
        .into_iter()
        .chain([("partitions", recordings(SnapshotSize::XS))])
        .map(brief_sample)
        .collect()
}

/// Steps from the most detailed to the smallest one.
const STEPS: [usize; 4] = [0, 5, 10, 15];

fn steps(snapshot: &Snapshot) -> Vec<Vec<u8>> {
    assert!(pack_brief(snapshot, 16, 0).is_none(), "there are no more");
    STEPS
        .iter()
        .filter_map(|&step| pack_brief(snapshot, step, 0))
        .collect()
}

/// A number to four digits: it may have been rounded before.
fn digits(value: &Json) -> Option<String> {
    value.as_f64().map(|value| format!("{value:.2e}"))
}

#[test]
fn every_step_is_read_with_the_verdict_figures_and_findings() {
    for (name, snapshot) in samples() {
        let all = steps(&snapshot);
        assert_eq!(all.len(), STEPS.len());
        assert!(to_text(all.last().expect("a step")).len() < 1500, "{name}");
        for (step, bytes) in all.iter().enumerate() {
            assert_eq!(bytes[0], 3);
            let opened = unpack(bytes).expect("it can be read");
            assert_eq!(opened.problems, Vec::<String>::new());
            let (was, now) = (&snapshot.document, &opened.snapshot.document);
            for field in ["verdict", "outcome", "side", "baseline", "sides", "runs"] {
                assert_eq!(was[field], now[field], "{name} {step} {field}");
            }
            assert_eq!(was["work"]["why"], now["work"]["why"]);
            let [was_figures, figures] =
                [was, now].map(|document| document["figures"].as_array().expect("figures"));
            assert_eq!(figures.len(), was_figures.len().min(10));
            for figure in figures {
                let whole = was_figures
                    .iter()
                    .find(|whole| whole["key"] == figure["key"])
                    .expect("it was there");
                for field in ["label", "unit", "good", "real", "verdict"] {
                    assert_eq!(
                        whole.get(field),
                        figure.get(field),
                        "{name} {step} {} {field}",
                        whole["key"]
                    );
                }
                assert_eq!(
                    digits(&whole["ratio"]),
                    digits(&figure["ratio"]),
                    "{name} {step} {}",
                    whole["key"]
                );
                for (a, b) in whole["values"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .zip(figure["values"].as_array().expect("values"))
                {
                    assert_eq!(digits(a), digits(b), "{name} {step} {}", whole["key"]);
                }
            }
            let [was_findings, findings] =
                [was, now].map(|document| document["findings"].as_array().expect("findings"));
            assert!(findings.len() >= was_findings.len().min(1));
            for (a, b) in was_findings.iter().zip(findings) {
                for field in ["code", "rank", "sentence"] {
                    assert_eq!(a[field], b[field], "{name} {step}");
                }
            }
            let left = |index: usize| now["left_out"][index].as_u64().unwrap_or(0) as usize;
            assert_eq!(
                [figures.len() + left(0), findings.len() + left(1)],
                [was_figures.len(), was_findings.len()]
            );
        }
    }
}

#[test]
fn charts_have_what_is_stored_and_say_what_is_not() {
    for (name, snapshot) in samples() {
        let first = unpack(&pack_brief(&snapshot, 0, 0).expect("a step"))
            .expect("it can be read")
            .snapshot;
        let trace = first.traces[0].as_ref().expect("a trace");
        let device = &trace.pictures[0].filter;
        let ask = json!({ "filter": device, "device": device["device"], "range": { "t0": 0, "t1": trace.info["span"] }, "n": 8, "w": 8, "h": 8,
            "stage": "q2c", "low": 1e3, "high": 1e9, "at": "issued", "layer": trace.pictures[0].map.layers.keys().next(),
            "bands": [{ "lba0": 0, "lba1": 1u64 << 40, "y0": 0, "y1": 8 }], "most": 4 });
        let answered = |kind: &str| trace.answer(kind, &ask.to_string()).is_ok();
        for kind in [
            "info",
            "summary",
            "rate",
            "seekMap",
            "distribution",
            "bands",
        ] {
            assert!(answered(kind), "{name} {kind}");
        }
        for kind in [
            "facets",
            "stages",
            "sizes",
            "starved",
            "latencyGrid",
            "stripeTime",
        ] {
            assert!(!answered(kind), "{name} {kind}");
        }
        let mut part = ask.clone();
        part["range"]["t0"] = json!(1);
        for kind in ["summary", "digest"] {
            assert!(
                trace.answer(kind, &part.to_string()).is_err(),
                "{name} {kind}"
            );
        }
        let last = unpack(&pack_brief(&snapshot, 15, 0).expect("a step"))
            .expect("it can be read")
            .snapshot;
        assert!(
            last.traces
                .iter()
                .flatten()
                .all(|trace| trace.pictures.is_empty()
                    && trace.info["devices"][0]["dev"].is_string())
        );
    }
}

/// The finding that the page shows is kept, with its rank, whatever else is left out.
#[test]
fn the_shown_finding_is_kept() {
    let (_, mut snapshot) = samples().remove(0);
    let first = snapshot.document["findings"][0].clone();
    let ranked = |rank: usize| {
        let mut finding = first.clone();
        finding["rank"] = json!(rank);
        finding["parts"] = json!([format!("finding {rank}")]);
        finding["sentence"] = json!(format!("finding {rank}"));
        finding
    };
    let shown = 5;
    let findings: Vec<Json> = (1..=shown).map(ranked).collect();
    snapshot.document["findings"] = json!(findings);
    let opened = unpack(&pack_brief(&snapshot, 15, shown).expect("a step"))
        .expect("it can be read")
        .snapshot
        .document;
    let listed: Vec<&Json> = opened["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .collect();
    assert_eq!(
        listed
            .iter()
            .map(|f| f["rank"].as_u64())
            .collect::<Vec<_>>(),
        [Some(1), Some(shown as u64)]
    );
    assert_eq!(listed[1]["sentence"], findings[shown - 1]["sentence"]);
}

#[test]
fn damage_is_an_error_or_a_named_loss() {
    let (_, snapshot) = samples().remove(0);
    let bytes = pack_brief(&snapshot, 8, 0).expect("a step");
    let whole = unpack(&bytes).expect("it can be read").snapshot;
    let mut some = 0;
    for cut in (0..bytes.len()).step_by(37) {
        if let Ok(opened) = unpack(&bytes[..cut]) {
            some += 1;
            assert!(!opened.problems.is_empty(), "{cut}");
            assert_eq!(
                opened.snapshot.document["findings"],
                whole.document["findings"]
            );
        }
        let mut flipped = bytes.clone();
        flipped[cut] ^= 0x10;
        if let Ok(opened) = unpack(&flipped) {
            // Another version in the first byte reads what the sections have.
            assert!(cut == 0 || !opened.problems.is_empty(), "{cut}");
        }
    }
    assert!(some > 5, "the document comes first: {some}");
}

/// The size of what is restored is bounded: a text of 60,000 bytes that thousands of sentences name
/// does not become gigabytes.
#[test]
fn restored_texts_are_bounded() {
    let finding = json!({ "parts": vec![json!({ "side": 0 }); 400], "sentence": null });
    let document = json!({ "sides": [{ "label": "a".repeat(60_000), "runs": [0] }], "findings": vec![finding; 100], "figures": [] });
    let snapshot = Snapshot {
        document,
        traces: vec![None],
        of: vec![0],
        ..Snapshot::default()
    };
    let opened = unpack(&pack_brief(&snapshot, 0, 0).expect("a step"))
        .expect("it can be read")
        .snapshot;
    assert!(
        opened.document.to_string().len() < 20 << 20,
        "{}",
        opened.document.to_string().len()
    );
    assert!(
        opened.document["findings"]
            .as_array()
            .is_some_and(|findings| findings.len() <= 64)
    );
}

/// A hostile encoder leaves out what ours always writes, or writes something else: none of it stops
/// the reader.
#[test]
fn fields_that_are_missing_or_of_another_kind_do_not_stop_the_reader() {
    let (_, snapshot) = samples().remove(0);
    let whole = snapshot.traces[0].clone().expect("a trace");
    let fields: Vec<String> = whole
        .info
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    let opens = |info: Json, summary: Json| {
        let mut hostile = whole.clone();
        (hostile.info, hostile.summary) = (info, summary);
        let snapshot = Snapshot {
            traces: vec![Some(hostile)],
            ..Snapshot::default()
        };
        pack_brief(&snapshot, 8, 0).is_some_and(|bytes| unpack(&bytes).is_ok())
    };
    assert!(opens(whole.info.clone(), whole.summary.clone()));
    for field in &fields {
        for other in [
            None,
            Some(json!(5)),
            Some(json!([[]])),
            Some(json!({ "a": 1 })),
            Some(Json::Null),
        ] {
            let mut info = whole.info.clone();
            let map = info.as_object_mut().expect("an object");
            map.remove(field);
            map.extend(other.map(|other| (field.clone(), other)));
            opens(info, whole.summary.clone());
        }
    }
    for other in [json!(5), json!([]), json!({}), Json::Null] {
        opens(other.clone(), whole.summary.clone());
        opens(whole.info.clone(), other);
    }
}

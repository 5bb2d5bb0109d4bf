//! Settings of real recordings: a finding where they differ, none where they are equal, and a
//! likely cause where one can be.

use crate::common::{read, recording};
use seekscope_core::compare::digest;
use seekscope_core::compare::{CompareQuery, ComparedRun, compare};
use seekscope_core::measure::{Geometry, Window};
use seekscope_core::notes::{self, TracePaths, assign};
use serde_json::Value as Json;
use std::path::Path;

/// A recording with the description that was made with it.
fn run(name: &str, geometry: Option<Geometry>) -> ComparedRun {
    let store = read(&recording(name), 1 << 20);
    ComparedRun {
        label: name.to_owned(),
        trace: digest(&store, Window::WHOLE, geometry),
        settings: settings(name),
        ..ComparedRun::default()
    }
}

fn settings(name: &str) -> Vec<notes::Setting> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../tests/notes/settings/{name}.json"));
    let text = std::fs::read(&path).expect("the description exists");
    let traces = [TracePaths {
        label: name.to_owned(),
        paths: vec!["trace.blktrace.0".to_owned()],
    }];
    assign(&traces, vec![notes::read("meta.json", &text)])
        .runs
        .remove(0)
        .settings
}

/// The code and the words about settings of each finding.
fn findings(a: ComparedRun, b: ComparedRun) -> Vec<(String, Vec<String>)> {
    let document = serde_json::to_value(compare(&CompareQuery {
        runs: vec![a, b],
        baseline: 0,
        noise: None,
    }))
    .expect("a document");
    let words = |setting: &Json| {
        let devices = setting["devices"].as_array().map_or(String::new(), |all| {
            format!(
                "{} ",
                all.iter()
                    .filter_map(Json::as_str)
                    .collect::<Vec<_>>()
                    .join(" ")
            )
        });
        let value = |index: usize| setting["values"][index].as_str().unwrap_or("-").to_owned();
        format!(
            "{devices}{} {} {}",
            setting["name"].as_str().unwrap_or_default(),
            value(0),
            value(1)
        )
    };
    let code_and_words = |finding: &Json| {
        let settings = finding["settings"]
            .as_array()
            .map_or(Vec::new(), |all| all.iter().map(words).collect());
        (
            finding["code"].as_str().unwrap_or_default().to_owned(),
            settings,
        )
    };
    document["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(code_and_words)
        .collect()
}

fn changed(a: ComparedRun, b: ComparedRun) -> Option<Vec<String>> {
    findings(a, b)
        .into_iter()
        .find(|(code, _)| code == "setting-changed")
        .map(|(_, settings)| settings)
}

#[test]
fn pairs_with_the_same_settings_have_no_finding_of_them() {
    assert_eq!(
        changed(
            run("ext4-buffered-6.1", None),
            run("ext4-buffered-6.12", None)
        ),
        None
    );
    assert_eq!(changed(run("sync-fua", None), run("sync-fua", None)), None);
}

#[test]
fn another_scheduler() {
    let settings = changed(
        run("partitions-bfq-1w", None),
        run("partitions-deadline-1w", None),
    )
    .expect("they differ");
    assert_eq!(
        settings,
        ["scheduler bfq mq-deadline"],
        "tunables of only one of them are not compared"
    );
}

/// The disks have other names; what is compared is the disk of each run.
#[test]
fn another_kind_of_disk() {
    let settings = changed(run("sync-fua", None), run("sync-no-fua", None)).expect("they differ");
    assert_eq!(
        settings,
        [
            "fua 1 0",
            "discard_max_bytes 1073741824 2147483136",
            "write_zeroes_max_bytes 33554432 2147483136"
        ]
    );
}

#[test]
fn the_start_of_a_partition_explains_lost_alignment() {
    let geometry: Geometry = "unit=256KiB,disks=4,level=raid5"
        .parse()
        .expect("a good spec");
    let all = findings(
        run("raid5-aligned", Some(geometry)),
        run("raid5-misaligned", Some(geometry)),
    );
    let words_of = |code: &str| all.iter().find(|f| f.0 == code).map(|f| f.1.clone());
    let partition = "partitions none md0p1 at 63".to_owned();
    for code in ["alignment-lost", "rmw-cost", "setting-changed"] {
        assert_eq!(
            words_of(code),
            Some(vec![partition.clone()]),
            "{code}: {all:?}"
        );
    }
}

#[test]
fn two_values_of_one_tunable() {
    let (a, b) = (settings("idling-a"), settings("idling-b"));
    let mut first = run("partitions-bfq-1w", None);
    let mut other = run("partitions-bfq-1w", None);
    (first.settings, other.settings) = (a, b);
    assert_eq!(
        changed(first, other),
        Some(vec![
            "slice_idle 0 8".to_owned(),
            "slice_idle_us 0 8000".to_owned()
        ])
    );
}

use super::*;

const NONE: [Vec<usize>; 0] = [];

pub(super) fn named(labels: &[&str]) -> Vec<RunNames> {
    labels
        .iter()
        .map(|label| RunNames {
            label: (*label).to_owned(),
            ..RunNames::default()
        })
        .collect()
}

/// `key=value` of each run, without what it has not.
fn parts(labels: &Labels) -> Vec<String> {
    let words = |values: &Vec<String>| {
        let named = labels
            .parts
            .iter()
            .zip(values)
            .filter(|(_, v)| !v.is_empty());
        named
            .map(|(part, value)| format!("{}={value}", part.key))
            .collect::<Vec<_>>()
            .join(" ")
    };
    labels.runs.iter().map(words).collect()
}

fn guessed(labels: &[&str]) -> Vec<String> {
    parts(&guess(&named(labels)))
}

#[test]
fn schedulers_and_writers() {
    let labels = guess(&named(&[
        "bfq-idle8-ll0-4w",
        "bfq-idle0-1w",
        "mq-deadline-4w",
        "none-2w",
    ]));
    assert_eq!(
        parts(&labels),
        [
            "scheduler=bfq idle=idle8 ll=ll0 writers=4",
            "scheduler=bfq idle=idle0 writers=1",
            "scheduler=mq-deadline writers=4",
            "scheduler=none writers=2"
        ]
    );
    let names: Vec<&str> = labels.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["scheduler", "idle", "low_latency", "writers"]);
    assert_eq!(labels.groups, []);
}

#[test]
fn kernels() {
    assert_eq!(
        guessed(&["ext4dd-2.6.35+-trace", "ext4dd-2.6.34-trace"]),
        ["kernel=2.6.35+", "kernel=2.6.34"]
    );
    assert_eq!(
        guessed(&["2.6.18-186", "2.6.18-193"]),
        ["kernel=2.6.18-186", "kernel=2.6.18-193"]
    );
    assert_eq!(
        guessed(&["6.1.0-47-amd64", "6.12.113+deb12-amd64"]),
        ["kernel=6.1.0-47-amd64", "kernel=6.12.113+deb12-amd64"]
    );
    assert_eq!(
        guessed(&["v5.10-rc3", "linux-5.4"]),
        ["kernel=5.10-rc3", "workload=linux kernel=5.4"]
            .map(|s| s.replace("workload=linux kernel=5.4", "kernel=5.4 workload=linux"))
    );
    assert_eq!(
        guessed(&["bfq, slice_idle 0", "bfq, slice_idle 8 ms"]),
        ["slice_idle=0", "slice_idle=8"]
    );
    assert_eq!(
        guessed(&["1.5GB", "2.5GB"]),
        ["workload=1.5GB", "workload=2.5GB"]
    );
}

#[test]
fn repeats_make_groups() {
    let labels = guess(&named(&[
        "k6.1-run1",
        "k6.1-run2",
        "k6.1-run3",
        "k6.12-run1",
        "k6.12-run2",
        "k6.12-run3",
    ]));
    assert_eq!(parts(&labels)[4], "kernel=6.12 repeat=2");
    assert_eq!(
        labels.groups,
        [
            RepeatGroup {
                label: "6.1".to_owned(),
                runs: vec![0, 1, 2]
            },
            RepeatGroup {
                label: "6.12".to_owned(),
                runs: vec![3, 4, 5]
            }
        ]
    );
    let runs = |labels: &[&str]| {
        guess(&named(labels))
            .groups
            .into_iter()
            .map(|g| g.runs)
            .collect::<Vec<_>>()
    };
    assert_eq!(runs(&["old-r1", "old-r2", "new-r1"]), [vec![0, 1], vec![2]]);
    assert_eq!(
        runs(&["old run 1", "old run 2", "new run 1"]),
        [vec![0, 1], vec![2]]
    );
    assert_eq!(
        runs(&["6.1-1", "6.1-2", "6.12-1", "6.12-2"]),
        [vec![0, 1], vec![2, 3]]
    );
    // All runs are of one group, so there is nothing to compare it with.
    assert_eq!(runs(&["run1", "run2"]), NONE);
    // A number that intake added to make equal names distinct is not a repeat, and not every number
    // is one.
    assert_eq!(runs(&["trace", "trace (2)"]), NONE);
    assert_eq!(runs(&["before", "after"]), NONE);
}

#[test]
fn endings_of_archives_are_not_a_dimension() {
    let run = |name: &str| RunNames {
        folder: format!("{name}.tar.gz"),
        label: name.to_owned(),
        ..RunNames::default()
    };
    let names = ["bfq-idle0-1w", "bfq-idle8-2w", "mq-deadline-1w"];
    assert_eq!(
        parts(&guess(&names.map(run))),
        [
            "scheduler=bfq idle=idle0 writers=1",
            "scheduler=bfq idle=idle8 writers=2",
            "scheduler=mq-deadline writers=1"
        ]
    );
}

#[test]
fn words_that_differ_are_the_workload() {
    assert_eq!(
        guessed(&["raw-aligned", "raw-misaligned"]),
        ["workload=aligned", "workload=misaligned"]
    );
    assert_eq!(
        guessed(&[
            "ext4-scsi-direct-dsync",
            "ext4-virtio-direct",
            "xfs-virtio-osync"
        ]),
        [
            "filesystem=ext4 device=scsi workload=direct-dsync",
            "filesystem=ext4 device=virtio workload=direct",
            "filesystem=xfs device=virtio workload=osync"
        ]
    );
    assert_eq!(guessed(&["ra128", "ra4096"]), ["ra=ra128", "ra=ra4096"]);
    assert_eq!(
        guessed(&["before", "after"]),
        ["workload=before", "workload=after"]
    );
    assert_eq!(guessed(&["same", "same"]), ["", ""]);
    assert_eq!(guessed(&["alone-4w"]), [""]);
    assert_eq!(guessed(&[]), [""; 0]);
}

#[test]
fn folders_tell_too() {
    let run = |folder: &str, label: &str| RunNames {
        folder: folder.to_owned(),
        label: label.to_owned(),
        ..RunNames::default()
    };
    let runs = [
        run("tests/2.6.18-186/1dd", "1dd"),
        run("tests/2.6.18-186/4dds", "4dds"),
        run("tests/2.6.18-193/4dds", "4dds (2)"),
    ];
    assert_eq!(
        parts(&guess(&runs))[..2],
        ["kernel=2.6.18-186 writers=1", "kernel=2.6.18-186 writers=4"]
    );
}

#[test]
fn texts_fill_what_names_do_not_say() {
    let run = |label: &str, kernel: &str, scheduler: &str, workload: &str, writers: u32| RunNames {
        label: label.to_owned(),
        kernel: Some(kernel.to_owned()),
        scheduler: Some(scheduler.to_owned()),
        workload: Some(workload.to_owned()),
        writers: Some(writers),
        ..RunNames::default()
    };
    let runs = [
        run("trace", "6.1.0", "bfq", "seq", 1),
        run("trace (2)", "6.12.0", "bfq", "rand", 4),
    ];
    assert_eq!(
        parts(&guess(&runs)),
        [
            "kernel=6.1.0 workload=seq writers=1",
            "kernel=6.12.0 workload=rand writers=4"
        ]
    );
    // Names are shorter, and the reader's own.
    let runs = [
        run("k6.1", "6.1.0-47", "bfq", "x", 1),
        run("k6.12", "6.12.113", "bfq", "x", 1),
    ];
    assert_eq!(parts(&guess(&runs)), ["kernel=6.1", "kernel=6.12"]);
    // When only some names contain the value, all runs take it from their texts.
    let runs = [
        run("k6.1", "6.1.0-47", "bfq", "x", 1),
        run("new", "6.12.113", "bfq", "x", 1),
    ];
    assert_eq!(
        parts(&guess(&runs)),
        ["kernel=6.1.0-47", "kernel=6.12.113 workload=new"]
    );
}

#[test]
fn hostile_names_are_only_names() {
    for name in [
        "-",
        "////",
        "\u{1F980}7w",
        "1.",
        ".1",
        "k",
        "rc",
        "w",
        "99999999999999999999999w",
        &"a-".repeat(1000),
        "6.1--",
        "(((",
        "\u{0}",
    ] {
        let labels = guess(&named(&[name, "other"]));
        assert!(
            labels
                .runs
                .iter()
                .all(|run| run.len() == labels.parts.len()),
            "{name:?}"
        );
    }
}

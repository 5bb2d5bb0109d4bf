use super::*;

const NONE: [Vec<usize>; 0] = [];

fn named(labels: &[&str]) -> Vec<RunNames> {
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
    let one = |values: &Vec<String>| {
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
    labels.runs.iter().map(one).collect()
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
    // All of one: nothing to set them against.
    assert_eq!(runs(&["run1", "run2"]), NONE);
    // A number that intake added to make equal names distinct is not a repeat, and not every number
    // is one.
    assert_eq!(runs(&["trace", "trace (2)"]), NONE);
    assert_eq!(runs(&["before", "after"]), NONE);
}

/// Runs by group, for names that are lists of words.
fn groups_of(names: &str) -> String {
    let names: Vec<&str> = names.split(", ").collect();
    let groups = guess(&named(&names)).groups;
    let group = |group: &RepeatGroup| format!("{} ({})", group.label, group.runs.len());
    groups.iter().map(group).collect::<Vec<_>>().join(", ")
}

#[test]
fn repeats_have_names_in_any_common_style() {
    for (names, groups) in [
        (
            "nr64/r1, nr64/r2, nr64/r3, nr4/r1, nr4/r2, nr4/r3",
            "nr64 (3), nr4 (3)",
        ),
        (
            "nr64-1, nr64-2, nr64-3, nr4-1, nr4-2, nr4-3",
            "nr64 (3), nr4 (3)",
        ),
        ("nr64_1, nr64_2, nr4_1, nr4_2", "nr64 (2), nr4 (2)"),
        ("nr64.1, nr64.2, nr4.1, nr4.2", "nr64 (2), nr4 (2)"),
        ("nr64 #1, nr64 #2, nr64 #3, nr4 #1", "nr64 (3), nr4 (1)"),
        ("nr64 (1), nr64 (2), nr4 (1), nr4 (2)", "nr64 (2), nr4 (2)"),
        ("nr64 run 1, nr64 run 2, nr4 run 1", "nr64 (2), nr4 (1)"),
        ("nr64/1, nr64/2, nr4/1, nr4/2", "nr64 (2), nr4 (2)"),
        ("6.1-01, 6.1-02, 6.12-01, 6.12-02", "6.1 (2), 6.12 (2)"),
        (
            "6.1 r1, 6.1 r2, 6.1 r4, 6.12 r1, 6.12 r2",
            "6.1 (3), 6.12 (2)",
        ),
        ("6.1-r0, 6.1-r1, 6.12-r0, 6.12-r1", "6.1 (2), 6.12 (2)"),
        (
            "k6.1-run1, k6.1-run3, k6.12-run1, k6.12-run2",
            "6.1 (2), 6.12 (2)",
        ),
        ("run1/old, run2/old, run1/new, run2/new", "old (2), new (2)"),
        (
            "bfq_rep1, bfq_rep2, none_rep1, none_rep2",
            "bfq (2), none (2)",
        ),
        (
            "bfq iteration 1, bfq iteration 2, none iteration 1",
            "bfq (2), none (1)",
        ),
        ("bfq-Run-1, bfq-Run-2, none-Run-1", "bfq (2), none (1)"),
        ("bfq1, bfq2, bfq3, none1, none2, none3", "bfq (3), none (3)"),
        ("before1, before2, after1, after2", "before (2), after (2)"),
        (
            "before-1, before-2, after-1, after-2",
            "before (2), after (2)",
        ),
        ("old, old-2, old-3, new, new-2", "old (3), new (2)"),
        ("old, old-r2, new, new-r2", "old (2), new (2)"),
        (
            "6.1-20261101, 6.1-20261102, 6.12-20261103",
            "6.1 (2), 6.12 (1)",
        ),
        (
            "6.1-2026-11-01, 6.1-2026-11-02, 6.12-2026-11-03",
            "6.1 (2), 6.12 (1)",
        ),
        (
            "old-20261101T101500Z, old-20261101T102500Z, new-20261102T091500Z",
            "old (2), new (1)",
        ),
        (
            "old_20261101_101500, old_20261101_102500, new_20261102_091500",
            "old (2), new (1)",
        ),
        (
            "old-20261101-r1, old-20261101-r2, new-20261102-r1",
            "old (2), new (1)",
        ),
        (
            "20261101-r1, 20261101-r2, 20261115-r1, 20261115-r2",
            "20261101 (2), 20261115 (2)",
        ),
        (
            "4k-qd1-r1, 4k-qd1-r2, 4k-qd32-r1, 4k-qd32-r2",
            "qd1 (2), qd32 (2)",
        ),
        (
            "a.tar.gz/nr64-1, b.tar.gz/nr64-1, a.tar.gz/nr64-2",
            "a (2), b (1)",
        ),
    ] {
        assert_eq!(groups_of(names), groups, "{names}");
    }
}

#[test]
fn what_may_be_a_parameter_is_not_a_repeat() {
    for names in [
        // Versions.
        "6.1.1, 6.1.2, 6.12.1, 6.12.2",
        "6.1.0-1, 6.1.0-2, 6.12.0-1, 6.12.0-2",
        "old-v1, old-v2, new-v1, new-v2",
        "ext4-rc1, ext4-rc2, xfs-rc1, xfs-rc2",
        "xfs-next-20261101, xfs-next-20261102, ext4-next-20261101",
        "ext2, ext3, ext4, xfs",
        // Parameters, with their number or before it.
        "bfq-nr64, bfq-nr4, none-nr64, none-nr4",
        "bfq-threads8, bfq-threads16, none-threads8, none-threads16",
        "bfq-1w, bfq-2w, none-1w, none-2w",
        "bfq-qd1, bfq-qd2, none-qd1, none-qd2",
        "bfq qd 1, bfq qd 2, none qd 1, none qd 2",
        "bfq-4k, bfq-8k, none-4k, none-8k",
        "bfq-jobs-1, bfq-jobs-2, none-jobs-1, none-jobs-2",
        "bfq idle=0, bfq idle=1, none idle=0, none idle=1",
        "bfq-1, bfq-2, bfq-4, none-1, none-2, none-4",
        "bfq-4, bfq-64, none-4, none-64",
        "bfq-0, bfq-8, none-0, none-8",
        "bfq0, bfq8, none",
        "old-patch-1, old-patch-2, new-patch-1, new-patch-2",
        "old-test1, old-test2, new-test1, new-test2",
        "old-phase1, old-phase2, new-phase1, new-phase2",
        // Devices.
        "old-sda, old-sdb, new-sda, new-sdb",
        "old/sda, old/sdb, new/sda, new/sdb",
        "old-sda1, old-sda2, new-sda1, new-sda2",
        "old-sda-1, old-sda-2, new-sda-1, new-sda-2",
        "old-nvme0n1, old-nvme1n1, new-nvme0n1, new-nvme1n1",
        "old-md0, old-md1, new-md0, new-md1",
        "old disk 1, old disk 2, new disk 1, new disk 2",
        "xfs-r5, xfs-r10, ext4-r5, ext4-r10",
        "xfs-r0, xfs-r1, xfs-r5, ext4-r0, ext4-r1, ext4-r5",
        // Letters may name variants.
        "4k-a, 4k-b, 8k-a, 8k-b",
        // Only one measurement, and no repeat at all.
        "old-r1, old-r2, old-r3",
        "old-1, new-1",
        "old-r1, new-r1",
        "1, 2, 3, 4",
        "trace, trace (2), other, other (2)",
        "6.1-20261101, 6.12-20261102",
    ] {
        assert_eq!(groups_of(names), "", "{names}");
    }
}

#[test]
fn repeats_whose_texts_differ_are_none() {
    let setting = |value: &str| Setting {
        device: Some("vda".to_owned()),
        dev: None,
        key: "nr_requests".to_owned(),
        value: value.to_owned(),
    };
    let mut runs = named(&["a-r1", "a-r2", "b-r1", "b-r2"]);
    for run in &mut runs {
        run.settings = vec![setting("64")];
        run.kernel = Some("6.1".to_owned());
    }
    assert_eq!(guess(&runs).groups.len(), 2);
    let with = |change: &dyn Fn(&mut RunNames)| {
        let mut runs = runs.clone();
        change(&mut runs[1]);
        guess(&runs).groups
    };
    assert_eq!(with(&|run| run.settings = vec![setting("4")]), []);
    let together = |groups: Vec<RepeatGroup>| {
        groups
            .iter()
            .any(|g| g.runs.contains(&0) && g.runs.contains(&1))
    };
    assert!(!together(with(&|run| run.kernel = Some("6.12".to_owned()))));
    assert!(!together(with(&|run| run.jobs = Some(2))));
    assert!(together(with(&|_| ())));
    // Texts that are missing say nothing against it.
    assert_eq!(with(&|run| run.settings = Vec::new()).len(), 2);
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

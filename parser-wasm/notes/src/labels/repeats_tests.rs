use super::tests::named;
use super::*;

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

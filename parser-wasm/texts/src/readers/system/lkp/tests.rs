use super::*;
use crate::observation::Good;
use crate::readers::system::samples::{read_with, values};

const HEAD: &str = "\
=========================================================================================
compiler/disk/fs/testcase:
  gcc-9/1SSD/btrfs/fsmark

commit: 
  4eb559dd15 (\"Merge tag block-6.1\")
  ada76f94c5 (\"block: split bios earlier\")
  0c3d5a1e9b (\"block: revert the split\")

";
const TABLE: &str = "\
4eb559dd15671cca ada76f94c5b32c1828955d70f69 0c3d5a1e9b7f4e21aa0f3ce2d11 
---------------- --------------------------- --------------------------- 
       fail:runs  %reproduction    fail:runs  %reproduction    fail:runs
           |             |             |             |             |    
         %stddev     %change         %stddev     %change         %stddev
             \\          |                \\          |                \\  
    812.40 \u{b1}  1%      -19.4%     655.20 \u{b1}  2%       -0.3%     809.90        fsmark.files_per_sec
 2.177e+09 \u{b1}12%    +4166.0%  9.287e+10            -0.4%    5401100 +-  2%  cpuidle..time
           :4           25%           1:4            0%            :4   kmsg.unable_to_read
      0.52 \u{b1}  3%        +1.2       1.71            +0.0       0.52        perf-profile.calltrace.cycles-pp.bio

      3.00             0.0%       3.00          +100.0%       6.00        fsmark.time.elapsed_time
";

#[test]
fn the_commits_are_the_sides() {
    let output = read_with(read, &format!("{HEAD}{TABLE}\nDisclaimer:\n"), None).expect("lkp");
    assert_eq!(output.end, 21);
    assert_eq!(output.side, Some("commit"));
    assert_eq!(
        values(&output, "fsmark.files_per_sec"),
        [
            ("4eb559dd15671cca", "", 812.4),
            ("ada76f94c5b32c1828955d70f69", "", 655.2),
            ("0c3d5a1e9b7f4e21aa0f3ce2d11", "", 809.9)
        ]
    );
    assert_eq!(values(&output, "cpuidle..time")[1].2, 9.287e10);
    let deviations: Vec<f64> = output.deviations.iter().map(|(_, sd)| *sd).collect();
    let shares = [
        0.01 * 812.4,
        0.02 * 655.2,
        0.12 * 2.177e9,
        0.02 * 5_401_100.0,
        0.03 * 0.52,
    ];
    assert_eq!(deviations.len(), shares.len());
    for (found, expected) in deviations.iter().zip(shares) {
        assert!(
            (found - expected).abs() < 1e-9 * expected,
            "{found} {expected}"
        );
    }
    let (place, _) = output.deviations[1];
    let of_second = &output.observations[1];
    assert_eq!((of_second.place, of_second.value), (place, 655.2));
    assert_eq!(values(&output, "fsmark.time.elapsed_time")[2].2, 6.0);
    let value_of = |key: &str| {
        let found = output.observations.iter().find(|o| o.metric.key == key);
        found.expect(key)
    };
    assert_eq!(
        value_of("fsmark.files_per_sec").metric.good,
        Some(Good::More)
    );
    assert_eq!(
        value_of("fsmark.time.elapsed_time").metric.good,
        Some(Good::Less)
    );
    assert_eq!(value_of("cpuidle..time").metric.good, None);
    let profile = value_of("perf-profile.calltrace.cycles-pp.bio");
    assert_eq!(
        profile.dimensions.last(),
        Some(&NamedValue::new("rows", "profile"))
    );
    assert_eq!(profile.dimensions[2], NamedValue::new("disk", "1SSD"));
    assert_eq!(
        output.facts[0],
        NamedValue::new("4eb559dd15", "Merge tag block-6.1")
    );
}

#[test]
fn a_table_may_begin_at_its_columns() {
    let output = read_with(read, TABLE, None).expect("lkp");
    assert_eq!(values(&output, "fsmark.files_per_sec").len(), 3);
    let columns = TABLE.find("         %stddev").expect("columns");
    let output = read_with(read, &TABLE[columns..], None).expect("lkp");
    assert_eq!(
        values(&output, "fsmark.files_per_sec")[1],
        ("commit 2", "", 655.2)
    );
}

#[test]
fn older_tables() {
    let text = "\
testbox/testcase/testparams: lkp-st02/dd-write/11HDD-RAID5-cfq-xfs-10dd

v4.8-rc1 68a9f5e7007c1afa2cf6830b69
---------------- --------------------------
         %stddev     %change         %stddev
             \\          |                \\
    484435 \u{b1}  0%     -13.3%     420004 \u{b1}  0%  aim7.jobs-per-min
";
    let output = read_with(read, text, None).expect("lkp");
    assert_eq!(
        values(&output, "aim7.jobs-per-min"),
        [
            ("v4.8-rc1", "", 484_435.0),
            ("68a9f5e7007c1afa2cf6830b69", "", 420_004.0)
        ]
    );
    let dimensions = &output.observations[0].dimensions;
    assert_eq!(dimensions[2], NamedValue::new("testcase", "dd-write"));
}

#[test]
fn what_is_no_table_is_none() {
    let rule = "=".repeat(60);
    for text in [
        "commit: ada76f94c5 (\"block: x\")".to_owned(),
        format!("{rule}\nhello"),
        format!("{rule}\n{rule}\n"),
        HEAD.to_owned(),
        "commit:\n  4eb559dd15\n".repeat(40),
        TABLE.replace("%change", "change"),
        TABLE.replacen("4eb559dd15671cca", "", 1),
        String::new(),
    ] {
        assert!(read_with(read, &text, None).is_none(), "{text}");
    }
    // A row without one of its values is left out.
    let cut = TABLE.replacen("655.20 \u{b1}  2%", "", 1);
    let output = read_with(read, &cut, None).expect("lkp");
    assert_eq!(values(&output, "fsmark.files_per_sec"), []);
    assert_eq!(values(&output, "cpuidle..time").len(), 3);
    let broken = TABLE.replace("  fsmark.files", "\nfsmark.files");
    let output = read_with(read, &broken, None).expect("lkp");
    assert_eq!(values(&output, "fsmark.files_per_sec").len(), 3);
    assert_eq!(values(&output, "fsmark.time.elapsed_time").len(), 3);
}

#[test]
fn failures_above_the_names_of_columns_keep_the_commits() {
    let failed = "           :4           25%           1:4     dmesg.WARNING\n";
    let table = TABLE.replacen("         %stddev", &format!("{failed}         %stddev"), 1);
    let output = read_with(read, &format!("{HEAD}{table}"), None).expect("lkp");
    let found = values(&output, "fsmark.files_per_sec");
    assert_eq!(found[0], ("4eb559dd15671cca", "", 812.4));
}

use super::*;
use crate::readers::system::samples::{read_at, read_with, values};

const TEXT: &str = "\
5.4.0:
before:
   8       0 sda 100 3 9912 41 811 22 19912 311 0 411 352
   8      16 sdb 1000 21 1600 40 50 212 801 20 3 121 60
$ ./run-test
after:
   8       0 sda 1864 3 9912 41 811 22 19912 311 0 411 352
   8      16 sdb 1100 21 3200 240 50 212 801 20 0 121 60
5.10.0:
   8      16 sdb 1000 21 1600 40 50 212 801 20 0 121 60
$ ./run-test
   8      16 sdb 1200 21 3200 240 50 212 801 20 0 121 60
";

#[test]
fn before_and_after_of_one_section() {
    let found: Vec<Output> = [2, 6, 9, 11]
        .into_iter()
        .map(|start| read_at(read, TEXT, start, None).expect("diskstats"))
        .collect();
    assert_eq!(found[0].observations, []);
    assert_eq!(values(&found[1], "read.count"), [("sdb", "", 100.0)]);
    assert_eq!(values(&found[1], "read.latency"), [("sdb", "", 2e6)]);
    assert_eq!(values(&found[1], "read.bytes"), [("sdb", "", 819_200.0)]);
    assert_eq!(found[2].observations, []);
    assert_eq!(values(&found[3], "read.count"), [("sdb", "", 200.0)]);
    assert_eq!(
        found.iter().map(|o| o.end).collect::<Vec<_>>(),
        [4, 8, 10, 12]
    );
}

#[test]
fn one_snapshot_and_many() {
    let line = |reads: u32| {
        format!(
            "   8  16 sdb {reads} 0 {} 40 5 2 8 20 0 121 60\n",
            reads * 8
        )
    };
    let output = read_with(read, &line(7), None).expect("a snapshot");
    assert_eq!(values(&output, "read.count"), [("sdb", "", 7.0)]);
    let text = format!("10:11:12\n{}10:11:13\n{}\n{}", line(7), line(9), line(10));
    let output = read_at(read, &text, 1, None).expect("a loop");
    assert_eq!(
        values(&output, "read.count"),
        [("sdb", "1", 2.0), ("sdb", "2", 1.0)]
    );
    let output = read_with(read, &format!("{}{}", line(9), line(7)), None).expect("two boots");
    assert_eq!(output.observations, []);
}

#[test]
fn vmstat_of_disks() {
    let heading = "\
disk- ------------reads------------ ------------writes----------- -----IO------
       total merged sectors      ms  total merged sectors      ms    cur    sec
";
    let text = format!(
        "{heading}loop0      0      0       0       0      0      0       0       0      0      0\n\
         sda    100     21  160192    4011   5011    212   80176    2011      0     12\n\
         $ ./run-test\n{heading}\
         sda    150     21  160292    4111   5011    212   80176    2011      0     12\n"
    );
    let output = read_with(read, &text, None).expect("before");
    assert_eq!((output.end, output.observations.len()), (4, 0));
    let output = read_at(read, &text, 5, None).expect("after");
    assert_eq!(values(&output, "read.count"), [("sda", "", 50.0)]);
    assert_eq!(values(&output, "read.latency"), [("sda", "", 2e6)]);
    for text in [
        "disk-space",
        "8 16 sdb 1 2 3",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14",
        heading,
    ] {
        assert!(read_with(read, text, None).is_none(), "{text}");
    }
}

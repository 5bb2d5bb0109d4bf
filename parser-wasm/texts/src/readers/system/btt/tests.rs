use super::*;
use crate::readers::system::samples::{read_with, values};

const TEXT: &str = "\
==================== All Devices ====================

            ALL           MIN           AVG           MAX           N
--------------- ------------- ------------- ------------- -----------

Q2Q               0.000017070   0.003789980   0.035408298        2635
Q2G               0.000007431   0.000029907   0.004624959        1977
D2C               0.000481840   0.001507654   0.013246449        2636

==================== Device Overhead ====================

       DEV |       Q2G       G2I       Q2M       I2D       D2C
---------- | --------- --------- --------- --------- ---------
 (  8,  0) |   0.9110%  35.0314%   0.1410%   0.4800%  61.2360%
---------- | --------- --------- --------- --------- ---------
   Overall |   0.9110%  35.0314%   0.1410%   0.4800%  61.2360%

==================== Device Merge Information ====================

       DEV |       #Q       #D   Ratio |   BLKmin   BLKavg   BLKmax    Total
---------- | -------- -------- ------- | -------- -------- -------- --------
 (  8,  0) |     2636     1977     1.3 |        8       10       16    21088
 (  8, 16) |       36       36     1.0 |        8        8       16      288
---------- | -------- -------- ------- | -------- -------- -------- --------
     TOTAL |     2672     2013     1.3 |        8       10       16    21376

==================== Device Q2Q Seek Information ====================

       DEV |          NSEEKS            MEAN          MEDIAN | MODE           
---------- | --------------- --------------- --------------- | ---------------
 (  8,  0) |            2636        258182.0               0 | 0(1318) 8(3)
                                                             ...(12 more)
---------- | --------------- --------------- --------------- | ---------------
   Overall |          NSEEKS            MEAN          MEDIAN | MODE           
   Average |            2636        258182.0               0 | 0(1318)

==================== Plug Information ====================

       DEV |    # Plugs # Timer Us  | % Time Q Plugged
---------- | ---------- ----------  | ----------------
 (  8,  0) |       1318(        12) |   0.394277171%

       DEV |    IOs/Unp   IOs/Unp(to)
---------- | ----------   ----------
 (  8,  0) |        1.5          0.0
---------- | ----------   ----------
   Overall |    IOs/Unp   IOs/Unp(to)
   Average |        1.5          0.0

==================== Active Requests At Q Information ====================

       DEV |  Avg Reqs @ Q
---------- | -------------
 (  8,  0) |           0.2

==================== I/O Active Period Information ====================

       DEV |     # Live      Avg. Act     Avg. !Act % Live
---------- | ---------- ------------- ------------- ------
 (  8,  0) |       1977   0.001718482   0.003338017  34.00
---------- | ---------- ------------- ------------- ------
 Total Sys |       1977   0.001718482   0.003338017  34.00

# Total System
#     Total System : q activity
  0.000000495   0.0
1153.063728161   0.4

";

#[test]
fn all_tables_are_read() {
    let text = format!("{TEXT}It is slow.");
    let output = read_with(read, &text, None).expect("btt");
    assert_eq!(output.end, TEXT.lines().count() - 1);
    let values_of = |key| values(&output, key);
    assert_eq!(values_of("q2g.mean"), [("", "", 29_907.0)]);
    assert_eq!(values_of("d2c.max"), [("", "", 13_246_449.0)]);
    assert_eq!(values_of("q2q.count"), [("", "", 2635.0)]);
    assert_eq!(values_of("overhead.g2i").len(), 1);
    assert_eq!(
        values_of("merges.dispatched"),
        [
            ("(8,0)", "", 1977.0),
            ("(8,16)", "", 36.0),
            ("", "", 2013.0)
        ]
    );
    assert_eq!(values_of("q2q_seeks.mean"), [("", "", 258_182.0 * 512.0)]);
    assert_eq!(values_of("timer_unplugs"), [("", "", 12.0)]);
    assert_eq!(values_of("unplugged"), [("", "", 1.5)]);
    assert_eq!(values_of("active_at_q"), [("", "", 0.2)]);
    assert_eq!(values_of("active.count"), [("", "", 1977.0)]);
    let good = |key: &str| {
        let found = output.observations.iter().find(|o| o.metric.key == key);
        found.and_then(|o| o.metric.good)
    };
    assert_eq!(good("q2q.mean"), None);
    assert!(good("d2c.mean").is_some());
}

#[test]
fn a_second_begin_is_a_second_output() {
    let output = read_with(read, &format!("{TEXT}{TEXT}"), None).expect("btt");
    assert_eq!(output.end, TEXT.lines().count() - 1);
    let cut = TEXT.split_once("\n\n").expect("a blank line").1;
    let output = read_with(read, cut, None).expect("without the first title");
    assert_eq!(values(&output, "q2g.count"), [("", "", 1977.0)]);
    let end = cut.find("\n\n====").expect("a second table");
    let output = read_with(read, &format!("{0}\n{0}", &cut[..end]), None).expect("btt");
    assert_eq!(output.end, 6);
}

/// Programs that align Markdown take the rows of a table apart, and leave others as they are.
#[test]
fn bars_around_rows_shift_no_figures() {
    let changed = TEXT
        .replace(" (  8,  0) |   0.9110%", "| (  8,  0) | 0.9110%")
        .replace("   Overall |   0.9110%", "| Overall   | 0.9110%")
        .replace("61.2360%", "61.2360% |");
    let output = read_with(read, &changed, None).expect("btt");
    let plain = read_with(read, TEXT, None).expect("btt");
    for key in [
        "overhead.q2g",
        "overhead.g2i",
        "overhead.d2c",
        "active_at_q",
    ] {
        assert_eq!(values(&output, key), values(&plain, key), "{key}");
    }
    assert_eq!(values(&output, "overhead.q2g"), [("", "", 0.009_11)]);
    // Numbers in front of the shares: nothing says which is which.
    let shifted = TEXT.replace("0.9110% ", "8 0.9110% ");
    let output = read_with(read, &shifted, None).expect("btt");
    assert!(values(&output, "overhead.q2g").is_empty());
}

#[test]
fn a_command_with_a_bar_is_no_row() {
    let end = TEXT.find("---------- | ---------- ---").expect("a rule");
    let text = format!("{}[adb@host /data]$ btt -i sdb.bin|more\n", &TEXT[..end]);
    let output = read_with(read, &text, None).expect("btt");
    assert_eq!(output.end, text.lines().count() - 1);
    let text = "\
==================== Active Requests At Q Information ====================

       DEV |  Avg Reqs @ Q
---------- | -------------
 (  8, 16) |           0.2
[adb@host /data]$ btt -i sdb.bin|more
";
    let output = read_with(read, text, None).expect("btt");
    assert_eq!(output.end, 5);
    assert_eq!(values(&output, "active_at_q"), [("", "", 0.2)]);
}

#[test]
fn processes_and_devices_of_a() {
    let text = "\
==================== Per Process ====================

            Q2C           MIN           AVG           MAX           N
--------------- ------------- ------------- ------------- -----------
kworker/u4 1      0.000004000   0.000005000   0.000006000           2
fio               0.000001000   0.000002000   0.000003000          12

==================== Per Device ====================

            Q2C           MIN           AVG           MAX           N
--------------- ------------- ------------- ------------- -----------
(  8, 16)         0.000001000   0.000002000   0.000003000          12
";
    let output = read_with(read, text, None).expect("btt -A");
    assert_eq!(
        values(&output, "q2c.mean"),
        [
            ("kworker/u4 1", "", 5000.0),
            ("fio", "", 2000.0),
            ("(8,16)", "", 2000.0)
        ]
    );
    for text in ["==== bfq ====", "== All Devices", "ALL MIN AVG MAX", ""] {
        assert!(read_with(read, text, None).is_none(), "{text}");
    }
}

use super::*;
use crate::readers::system::samples::{read_at, read_with, values};

const NEW: &str = "\
Linux 6.1 (box) \t11/26/26 \t_x86_64_\t(2 CPU)

Device            r/s     rkB/s r_await     w/s     wkB/s w_await  aqu-sz  %util
sda            528.90   7994.46    0.22  474.67  12147.86    0.20    0.22   4.42

Device            r/s     rkB/s r_await     w/s     wkB/s w_await  aqu-sz  %util
sda           12752.00 102156.00    0.10    0.00      0.00    0.00    2.58  82.80

Device            r/s     rkB/s r_await     w/s     wkB/s w_await  aqu-sz  %util
sda           12794.00 102352.00    0.12    2.00     16.00    0.50    2.62  76.40
sdb               1.00      4.00    0.10    0.00      0.00    0.00    0.00   0.10

Thanks.
";

#[test]
fn intervals_are_repeats_and_the_first_report_is_left_out() {
    let output = read_with(read, NEW, None).expect("iostat");
    assert_eq!(output.end, 11);
    assert_eq!(
        values(&output, "read.iops"),
        [
            ("sda", "1", 12_752.0),
            ("sda", "2", 12_794.0),
            ("sdb", "2", 1.0)
        ]
    );
    assert_eq!(values(&output, "write.await"), [("sda", "2", 5e5)]);
    assert_eq!(values(&output, "write.bw")[1], ("sda", "2", 16_384.0));
    assert_eq!(output.facts, [NamedValue::new("kernel", "6.1")]);
}

#[test]
fn without_a_report_since_boot_all_count() {
    for (text, command) in [
        (NEW.to_owned(), Some("iostat -xyz 1 3")),
        (NEW.replacen("\n\n", "\n\n\n", 1), None),
        (
            NEW[NEW.find("Device").expect("a heading")..].to_owned(),
            None,
        ),
    ] {
        let output = read_with(read, &text, command).expect("iostat");
        assert_eq!(values(&output, "read.iops").len(), 4, "{text}");
    }
    let spaced = NEW.replace("\n\n", "\n\n\n");
    for (text, command) in [(NEW, Some("sudo iostat -x 1 3")), (&spaced, None)] {
        let output = read_with(read, text, command).expect("iostat");
        assert_eq!(values(&output, "read.iops").len(), 3, "{text}");
    }
}

#[test]
fn rows_without_headings_between_them_are_reports() {
    let text = "\
Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgqu-sz   await  %util
sda               0.00     0.00    0.00  158.00     0.00 80896.00    74.35  417.71  85.40
sdb               0.00     0.00    0.00   10.00     0.00   512.00     0.35    7.71   5.40
sda               0.00     2.00    0.00  161.00     0.00 82432.00    53.34  219.03  82.90
sdb               0.00     0.00    0.00   12.00     0.00   640.00     0.35    7.71   5.40
";
    let output = read_with(read, text, None).expect("iostat");
    assert_eq!(
        values(&output, "write.iops"),
        [
            ("sda", "1", 158.0),
            ("sda", "2", 161.0),
            ("sdb", "1", 10.0),
            ("sdb", "2", 12.0)
        ]
    );
}

#[test]
fn human_groups_are_one_report() {
    let text = "\
Linux 6.18.44 (vm) \t11/26/26 \t_x86_64_\t(2 CPU)

avg-cpu:  %user   %nice %system %iowait  %steal   %idle
          25.2%   53.1%    6.5%    0.3%    0.2%   14.8%

     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device
   27.51    567.7k     7.17  20.7%    0.54    20.6k vda

     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz Device
   31.93      5.5M    68.62  68.2%    3.22   177.0k vda

     f/s f_await  aqu-sz  %util Device
    2.64    0.05    0.12   1.8% vda
";
    let output = read_with(read, text, None).expect("iostat");
    assert_eq!(
        values(&output, "write.bw"),
        [("vda", "", 5.5 * 1_048_576.0)]
    );
    assert_eq!(values(&output, "read.size"), [("vda", "", 20.6 * 1024.0)]);
    assert_eq!(values(&output, "util"), [("vda", "", 1.8 / 100.0)]);
    assert_eq!(output.end, 13);
}

#[test]
fn commas_long_names_and_broken_rows() {
    let text = "\
Device:         rrqm/s   wrqm/s     r/s     w/s    rMB/s    wMB/s avgrq-sz
avgqu-sz   await  svctm  %util
sdb                 6,12    26,60   611,66    88,67  9611,08  1406,93    31,47
    5,54     7,67     1,36    94,95
mpath-with-a-long-name
                    0,00     0,00     1,50     0,00     0,25     0,00    16,00     0,10     2,00     1,00     0,50
";
    let output = read_with(read, text, None).expect("iostat");
    assert_eq!(output.end, 6);
    assert_eq!(
        values(&output, "await"),
        [("sdb", "", 7.67e6), ("mpath-with-a-long-name", "", 2e6)]
    );
    assert_eq!(values(&output, "size")[0].2, 31.47 * 512.0);
}

#[test]
fn cut_rows_keep_what_is_below_its_column() {
    let text = "\
Device             tps    kB_read/s    kB_wrtn/s
sda              10.00        20.00        30.00
sdb              10.00                     30.00
sdc              10.00        2
sdd              10.00        20.00        30.00   40.00
sde              10.00        20.00        30.00  <- here
";
    let output = read_with(read, text, None).expect("iostat");
    let devices = |key| values(&output, key).iter().map(|v| v.0).collect::<Vec<_>>();
    assert_eq!(devices("iops"), ["sda", "sdb", "sdc", "sde"]);
    assert_eq!(devices("read.bw"), ["sda", "sde"]);
    assert_eq!(devices("write.bw"), ["sda", "sdb", "sde"]);
}

#[test]
fn unknown_columns_are_neutral_and_other_columns_another_output() {
    let text = "\
Device             tps    kB_read/s    frobs
sda              10.00        20.00     3.00
Device            r/s     rkB/s  %util
sda              10.00    20.00   1.00
";
    let output = read_with(read, text, None).expect("iostat");
    assert_eq!(output.end, 2);
    let found = output.observations.iter().find(|o| o.metric.key == "frobs");
    assert_eq!(found.map(|o| (o.value, o.metric.good)), Some((3.0, None)));
}

#[test]
fn only_counters_of_cpus_are_no_results() {
    let text = "\
Linux 6.1 (box) \t11/26/26 \t_x86_64_\t(2 CPU)

avg-cpu:  %user   %nice %system %iowait  %steal   %idle
          25.20   53.10    6.50    0.30    0.20   14.80
";
    let output = read_with(read, text, None).expect("iostat -c");
    assert_eq!((output.end, output.observations.len()), (4, 0));
    for text in [
        "Device names change.",
        "Device: sda",
        "avg",
        "Linux 6.1 (box) 11/26/26",
    ] {
        assert!(read_with(read, text, None).is_none(), "{text}");
    }
}

#[test]
fn rows_below_titles_have_the_heading_above_them() {
    let text = "\
Device            r/s     rkB/s    r_await  %util

good:
nvme0n1        100.00    400.00       0.42  88.20

bad:
nvme0n1         50.00    200.00       1.92  99.80
";
    let iops = |start| {
        let output = read_at(read, text, start, None).expect("iostat");
        values(&output, "read.iops")
            .iter()
            .map(|v| v.2)
            .collect::<Vec<_>>()
    };
    assert_eq!((iops(3), iops(6)), (vec![100.0], vec![50.0]));
    // Another text between them, and another number of columns.
    let other = text.replace("bad:", "This is another disk.");
    assert!(read_at(read, &other, 6, None).is_none());
    let longer = text.replace("99.80", "99.80 1.00");
    assert!(read_at(read, &longer, 6, None).is_none());
}

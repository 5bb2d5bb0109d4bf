use super::*;
use crate::readers::benchmarks::collect::testing::{assert_has, figures, outputs};

const HEADING: &str = "\
                                                              random    random     bkwd    record    stride                                    
              kB  reclen    write  rewrite    read    reread    read     write     read   rewrite      read   fwrite frewrite    fread  freread
";

#[test]
fn rows_have_the_operations_above_them() {
    let text = format!(
        "\tIozone: Performance Test of File I/O\n\tAuto Mode\n\tOutput is in kBytes/sec\n{HEADING}\
         \x20         102400       4    31182    43652    44117    45061    14739    38569\n\
         \x20         102400      16    75483    95571                       53479    89288\n\n\
         iozone test complete.\n"
    );
    let found = figures(read, &text);
    assert_has(
        &found,
        &[
            "size=102400 reclen=4 op=write rate 31930370",
            "size=102400 reclen=4 op=random write rate 39494660",
            "size=102400 reclen=16 op=random read rate 54762500",
        ],
    );
    assert_eq!(found.len(), 10);
    assert_eq!(outputs(read, &format!("{text}\n{text}")).len(), 2);
}

#[test]
fn old_versions_and_other_units_are_read() {
    let text = "\
                                                            random  random    bkwd   record   stride
              KB  reclen   write rewrite    read    reread    read   write    read  rewrite     read   fwrite frewrite   fread  freread
              64       4  122098  496105  1562436  2467108 1363961  566551 1103068   811143  1033216   412423  516498  1452528  1734015
";
    let found = figures(read, text);
    assert_has(
        &found,
        &[
            "size=64 reclen=4 op=write rate 125028400",
            "size=64 reclen=4 op=reread rate 2526319000",
            "size=64 reclen=4 op=freread rate 1775631000",
        ],
    );
    let squeezed =
        "kB reclen write rewrite read reread\n102400 4 100 200 300 400\n102400 8 1 2 3\n";
    assert_eq!(figures(read, squeezed).len(), 4);
    let squeezed: String = format!("{HEADING}1048576 4 101223 155012 201233 210022 21004 33450\n")
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n")
        .collect();
    let found = figures(read, &squeezed);
    assert_has(
        &found,
        &["size=1048576 reclen=4 op=random write rate 34252800"],
    );
    let ops = format!(
        "\tIozone: Performance Test of File I/O\n\tOPS Mode. Output is in operations per second.\n\
         {HEADING}\x20         102400       4    31182    43652\n"
    );
    assert_has(
        &figures(read, &ops),
        &["size=102400 reclen=4 op=write ops 31182"],
    );
}

#[test]
fn throughput_is_read_by_operation() {
    let text = "\tThroughput test with 8 processes\n\
        \tEach process writes a 524288 kByte file in 64 kByte records\n\n\
        \tChildren see throughput for  8 initial writers  =  212331.25 kB/sec\n\
        \tParent sees throughput for  8 initial writers   =  205961.25 kB/sec\n\
        \tMin throughput per process                      =   25479.75 kB/sec \n\
        \tAvg throughput per process                      =   26541.50 kB/sec\n\
        \tMin xfer                                        =  521288.00 kB\n\n\
        \tChildren see throughput for  8 re-readers       =  522313.75 KB/sec\n";
    assert_eq!(
        figures(read, text),
        [
            "op=write threads=8 rate 217427200",
            "op=write threads=8 rate.parent 210904300",
            "op=write threads=8 rate.min 26091260",
            "op=write threads=8 rate.mean 27178500",
            "op=reread threads=8 rate 534849300",
        ]
    );
    assert_eq!(outputs(read, &format!("{text}\n{text}")).len(), 2);
}

#[test]
fn reports_for_spreadsheets_are_read() {
    let text = "Excel output is below:\n\n\"Writer report\"\n        \"4\"  \"8\"\n\
        \"64\"   122098  201122\n\"128\"   0  150111\n\n\"Re-Reader report\"\n        \"4\"  \"8\"\n\
        \"64\"   222098  301122\n";
    assert_eq!(
        figures(read, text),
        [
            "size=64 reclen=4 op=write rate 125028400",
            "size=64 reclen=8 op=write rate 205948900",
            "size=128 reclen=8 op=write rate 153713700",
            "size=64 reclen=4 op=reread rate 227428400",
            "size=64 reclen=8 op=reread rate 308348900",
        ]
    );
    let throughput = "\"Throughput report Y-axis is type of test X-axis is number of processes\"\n\
        \"Record size = 64 kBytes \"\n\"Output is in kBytes/sec\"\n\n\
        \"  Initial write \"  212331.25 \n\n\"        Rewrite \"  201112.50 \n";
    assert_eq!(
        figures(read, throughput),
        ["op=write rate 217427200", "op=rewrite rate 205939200"]
    );
}

/// Such a line was read again and again.
#[test]
fn a_heading_without_figures_ends() {
    for line in [
        "Children see throughput for x",
        "Throughput test with 4 processes",
        "\"Writer report\"",
    ] {
        let text = format!("Iozone: Performance Test of File I/O\n{line}\n{line}\n");
        assert!(figures(read, &text).is_empty(), "{line}");
    }
}

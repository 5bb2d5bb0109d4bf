//! Tables that people write as outlines, as lines of names and figures, or turned around.

mod shown;

use shown::{assert_has, figures};

#[test]
fn outlines_are_tables() {
    let rows = [
        "kernel=5.4 test=randread IOPS 101000",
        "kernel=5.10 test=randwrite IOPS 41000",
    ];
    let by_test = "Results in IOPS:\n\n* randread\n  - 5.4: 101k\n  - 5.10: 97k\n\
        * randwrite\n  - 5.4: 55k\n  - 5.10: 41k\n";
    let by_kernel = "All in IOPS\n\n5.4:\n\n  randread: 101k\n  randwrite: 55k\n\n\
        5.10:\n\n  randread: 97k\n  randwrite: 41k\n";
    for text in [by_test, by_kernel] {
        assert_has(text, 4, &rows);
    }
    assert_has(
        "untar:\n  3.10: 41.2s\n  4.4: 38.8s\nsync:\n  3.10: 12.1s\n  4.4: 22.9s\n",
        4,
        &["kernel=4.4 test=sync time 22900000000"],
    );
    assert_has(
        "vanilla (MB/s):\n  seq read: 512.5\n  seq write: 401.2\n\n\
            patched (MB/s):\n  seq read: 431.1\n  seq write: 398.7\n\n\
            change:\n  seq read: -15.9%\n  seq write: -0.6%\n",
        4,
        &[
            "run=vanilla test=seq read throughput 512500000",
            "run=patched test=seq write throughput 398700000",
        ],
    );
}

#[test]
fn items_of_an_outline_may_be_metrics() {
    let record = |kernel: &str, bs: &str, iops: u32| {
        format!("* {kernel}\n  - bs: {bs}\n  - IOPS: {iops}\n  - lat (us): 310\n")
    };
    let text = [
        record("6.1", "4k", 24_707),
        record("6.1", "64k", 7801),
        record("6.10", "4k", 27_441),
        record("6.10", "64k", 7609),
    ]
    .concat();
    assert_has(
        &text,
        8,
        &[
            "kernel=6.1 bs=64k IOPS 7801",
            "kernel=6.10 bs=4k lat 310000",
        ],
    );
}

#[test]
fn settings_in_outlines_are_no_figures() {
    for text in [
        "global:\n  threads: 4\n  delay: 100\n\njob1:\n  threads: 8\n  delay: 200\n",
        "Before you start:\n  time: 10\n  rate: 200\n\nAfter that:\n  notes: none\n  colour: red\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}

#[test]
fn figures_behind_their_names_are_rows() {
    assert_has(
        "4k: IOPS 24707, lat avg (ms) 1.29\n16k: IOPS 17801, lat avg (ms) 1.79\n",
        4,
        &["test=16k IOPS 17801", "test=4k lat avg 1290000"],
    );
    for text in [
        "MB/s:\nseq read: old 524.5, new 441.4, change -15.9%\n\
            seq write: old 410.8, new 408.2, change -0.6%\n",
        "seq read: old MB/s 524.5, new MB/s 441.4\nseq write: old MB/s 410.8, new MB/s 408.2\n",
    ] {
        assert_has(
            text,
            4,
            &[
                "run=old test=seq read throughput 524500000",
                "run=new test=seq write throughput 408200000",
            ],
        );
    }
}

#[test]
fn parameters_below_headings_are_headings() {
    let aligned = "kernel    5.15    5.15    6.1     6.1\nbs        4k      64k     4k      64k\n\
        IOPS      24707   7801    21441   7302\nlat (ms)  1.29    4.1     1.49    4.38\n";
    let framed = "| kernel | 5.15 | 5.15 | 6.1 | 6.1 |\n|---|---|---|---|---|\n\
        | bs | 4k | 64k | 4k | 64k |\n| IOPS | 24707 | 7801 | 21441 | 7302 |\n\
        | lat (ms) | 1.29 | 4.1 | 1.49 | 4.38 |\n";
    for text in [aligned, framed] {
        assert_has(
            text,
            8,
            &[
                "kernel=5.15 bs=64k IOPS 7801",
                "kernel=6.1 bs=4k lat 1490000",
            ],
        );
    }
}

#[test]
fn labels_of_rows_may_have_a_side_an_operation_and_a_unit() {
    let text = "| threads | 1 | 4 |\n|---|---|---|\n| before read (MB/s) | 101 | 181 |\n\
        | before write (MB/s) | 55 | 78 |\n| after read (MB/s) | 97 | 175 |\n\
        | after write (MB/s) | 54 | 79 |\n";
    assert_has(
        text,
        8,
        &[
            "run=before threads=4 op=read throughput 181000000",
            "run=after threads=1 op=write throughput 54000000",
        ],
    );
}

#[test]
fn dots_lead_to_figures() {
    let text =
        "              5.15   6.1\nread (MB/s)......  512   431\nwrite (MB/s).....  401   398\n";
    assert_has(text, 4, &["kernel=6.1 test=write throughput 398000000"]);
}

#[test]
fn records_are_rows() {
    let record = |kernel: &str, bs: &str, iops: u32| {
        format!("- kernel: {kernel}\n  bs: {bs}\n  iops: {iops}\n")
    };
    let text = [
        record("6.1", "4k", 24_707),
        record("6.1", "64k", 7801),
        record("6.10", "4k", 27_441),
        record("6.10", "64k", 7609),
    ]
    .concat();
    assert_has(&text, 4, &["kernel=6.10 bs=64k IOPS 7609"]);
    assert_has(
        "op: seq read, 5.4: 512.5 MB/s, 5.10: 431.1 MB/s\n\
            op: seq write, 5.4: 401.2 MB/s, 5.10: 398.7 MB/s\n",
        4,
        &[
            "kernel=5.4 op=seq read throughput 512500000",
            "kernel=5.10 op=seq write throughput 398700000",
        ],
    );
}

#[test]
fn lines_between_headings_and_rows_are_understood() {
    let rows = [
        "kernel=5.4 bs=4k bw 101500000",
        "kernel=5.10 bs=64k lat 4500000",
    ];
    let body = "5.4     4k   101.5   1.25\n5.4     64k  311.5   4.25\n\
        5.10    4k   97.5    1.5\n5.10    64k  290.5   4.5\n";
    let with_units = format!("kernel  bs   bw      lat\n             (MB/s)  (ms)\n{body}");
    let apart = format!("kernel  bs   bw MB/s  lat ms\n\n{body}");
    let again = body.replace("5.10    4k", "kernel  bs   bw MB/s  lat ms\n5.10    4k");
    let again = format!("kernel  bs   bw MB/s  lat ms\n{again}");
    for text in [with_units, apart, again] {
        assert_has(&text, 8, &rows);
    }
    let sides = "bs   bw MB/s  lat ms\n5.4\n4k   101.5    1.25\n64k  311.5    4.25\n\
        5.10\n4k   97.5     1.5\n64k  290.5    4.5\n";
    assert_has(sides, 8, &["kernel=5.4 bs=4k bw 101500000"]);
    let commented = "# kernel bs iops\n5.4 4k 24707\n5.4 64k 7801\n5.10 4k 27441\n5.10 64k 7609\n";
    assert_has(commented, 4, &["kernel=5.10 bs=4k IOPS 27441"]);
}

#[test]
fn columns_beside_figures_are_no_sides() {
    let text = "   host  kernel  bs   MByte/s  runs\n0  box1  6.1     4k   101.5    5\n\
        1  box1  6.1     64k  511.5    5\n2  box1  6.10    4k   112.5    5\n\
        3  box1  6.10    64k  498.5    5\n";
    assert_has(text, 4, &["kernel=6.10 bs=64k throughput 498500000"]);
}

#[test]
fn units_are_spelled_in_many_ways() {
    for unit in ["MByte/s", "MB per second", "megabytes/s", "Mbytes/sec"] {
        let text = format!(
            "| kernel | seqread {unit} | LAT (MS) |\n|---|---|---|\n\
                | 5.4 | 512.5 ✅ | 1.25 |\n| 5.10 | ca. 431.5 | 1.5 |\n"
        );
        assert_has(&text, 4, &["kernel=5.10 throughput 431500000"]);
    }
}

#[test]
fn statistics_may_have_slashes_between_them() {
    let rows = [
        "kernel=5.10 IOPS 24700",
        "kernel=5.10 p50 latency 80000",
        "kernel=6.1 p99 latency 310000",
    ];
    let text = "5.10: 24.7k IOPS, p50/p95/p99 80/120/210 us\n\
        6.1: 20.7k IOPS, p50/p95/p99 90/160/310 us\n";
    assert_has(text, 8, &rows);
    let pairs = "5.10: iops=24700, p50/p99 = 80/210 us\n6.1: iops=20700, p50/p99 = 90/310 us\n";
    assert_has(pairs, 6, &rows);
    for other in [
        "5.10: p50/p99 = 80/120/210 us\n6.1: p50/p99 = 90/160/310 us\n",
        "5.10: real/user = 80/120 us\n6.1: real/user = 90/160 us\n",
        "5.10: p50/p99 80/120\n6.1: p50/p99 90/160\n",
    ] {
        assert!(figures(other).is_empty(), "{other}");
    }
}

#[test]
fn statistics_and_latencies_follow_in_a_row() {
    let statistics =
        "vanilla: min 510, avg 512, max 515 MB/s\npatched: min 601, avg 612, max 620 MB/s\n";
    assert_has(
        statistics,
        6,
        &[
            "run=vanilla avg throughput 512000000",
            "run=patched max throughput 620000000",
        ],
    );
    assert_has(
        "6.1.55: 310k IOPS @ 98us\n6.1.56: 250k IOPS @ 121us\n",
        4,
        &["kernel=6.1.56 IOPS 250000", "kernel=6.1.56 latency 121000"],
    );
    assert!(figures("6.1: 4 drives @ 7200 rpm\n6.6: 4 drives @ 5400 rpm\n").is_empty());
}

#[test]
fn counts_and_sides_stand_in_front_of_rates() {
    let counts = "5.10:\n1 thread 120 MB/s\n4 threads 412 MB/s\n\n\
        6.1:\n1 thread 98 MB/s\n4 threads 350 MB/s\n";
    assert_has(
        counts,
        4,
        &["kernel=6.1 test=4 threads throughput 350000000"],
    );
    for label in ["4k", "bs=4k"] {
        let text = format!(
            "{label}   5.10: 88 MB/s   6.1: 81 MB/s\nall   5.10: 512 MB/s   6.1: 480 MB/s\n"
        );
        let row = format!("run=6.1 test={label} throughput 81000000");
        assert_has(&text, 4, &[&row, "run=5.10 test=all throughput 512000000"]);
    }
}

//! Tables as people lay them out: titles between rows, units below, statistics beside figures.

mod shown;

use shown::{assert_has, figures};

#[test]
fn titles_between_rows_are_metrics_of_the_rows_below() {
    let marked = "| Workload | Kernel 6.1 | Kernel 6.6 |\n|---|---|---|\n| **IOPS** | | |\n\
        | randread | 101k | 120k |\n| randwrite | 81k | 85k |\n| **Latency (us)** | | |\n\
        | randread | 310 | 250 |\n| randwrite | 390 | 380 |\n";
    assert_has(
        marked,
        8,
        &[
            "kernel=Kernel 6.6 Workload=randread IOPS 120000",
            "kernel=Kernel 6.1 Workload=randwrite Latency 390000",
        ],
    );
    let indented = "                 6.1      6.6\nIOPS\n  randread       101k     120k\n  \
        randwrite      81k      85k\nLatency (us)\n  randread       310      250\n  \
        randwrite      390      380\n";
    assert_has(
        indented,
        8,
        &[
            "kernel=6.6 test=randread IOPS 120000",
            "kernel=6.1 test=randwrite Latency 390000",
        ],
    );
    let setups = "| test | old MB/s | new MB/s |\n|---|---|---|\n| ext4 | | |\n\
        | read | 512 | 530 |\n| xfs | | |\n| read | 501 | 540 |\n";
    assert_has(setups, 4, &["run=new filesystem=xfs throughput 540000000"]);
    // Without a unit these are no results, and `**xfs**` is no heading of the rows below it.
    let unknown = "| Workload | 6.1 | 6.6 |\n|---|---|---|\n| **ext4** | | |\n| one | 101 | 120 |\n\
        | **xfs** | | |\n| one | 310 | 250 |\n| two | 390 | 380 |\n";
    assert!(figures(unknown).is_empty(), "{:#?}", figures(unknown));
    // A row that lost its figures is no title: no other row is below one.
    let failed = "| test | old MB/s | new MB/s |\n|---|---|---|\n| read | 512 | 530 |\n\
        | trim | | |\n| write | 401 | 402 |\n";
    assert_has(failed, 4, &["run=new test=write throughput 402000000"]);
}

#[test]
fn a_remark_below_a_table_may_begin_with_a_block_size() {
    let depths = "            QD1     QD8     QD32\nbase        10.1k   60.2k   101k\n\
        patched     10.2k   65.3k   120k\n4k random read IOPS\n";
    assert_has(depths, 6, &["test=patched QD=8 IOPS 65300"]);
    let operations = "            read    write\nbase        10.1k   60.2k\n\
        patched     10.2k   65.3k\n4k random IOPS\n";
    assert_has(operations, 4, &["test=base op=write IOPS 60200"]);
}

#[test]
fn columns_of_iostat_have_its_units() {
    let text = "| scheduler | r/s | rkB/s | wMB/s | await | %util |\n|---|---|---|---|---|---|\n\
        | cfq | 50 | 2000 | 4 | 30.5 | 95 |\n| deadline | 60 | 2400 | 8 | 20.5 | 90 |\n";
    assert_has(
        text,
        10,
        &[
            "scheduler=cfq rkB/s 2048000",
            "scheduler=deadline wMB/s 8388608",
            "scheduler=cfq await 30500000",
            "scheduler=deadline %util 0.9",
        ],
    );
}

#[test]
fn a_caption_says_that_times_are_latencies() {
    let corner = "Latency (usec)   base    patched\navg              102.5   98.5\n\
        p99              310     250\n";
    assert_has(corner, 4, &["run=base test=avg latency 102500"]);
    let above = "fsync latency (ms)\n            min     avg     max\n\
        ext4        0.5     3.5     98.5\nxfs         0.25    2.5     55.5\n";
    assert_has(above, 6, &["filesystem=ext4 latency avg 3500000"]);
    let list = "fsync latency (ms)\next4     3.5\nf2fs     0.5\n";
    assert_has(list, 2, &["filesystem=f2fs latency 500000"]);
    let plain = "All values in ms:\next4     3.5\nf2fs     0.5\n";
    assert_has(plain, 2, &["filesystem=f2fs time 500000"]);
}

#[test]
fn a_heading_may_name_the_spread_behind_its_figures() {
    let text = "Kernel        read MB/s (stdev)     write MB/s (stdev)\n\
        6.1           512.5 (3.1)           402.5 (5.1)\n\
        6.6           310.5 (4.2)           401.5 (4.4)\n";
    assert_has(
        text,
        4,
        &[
            "kernel=6.1 op=read throughput 512500000",
            "kernel=6.6 op=write throughput 401500000",
        ],
    );
}

#[test]
fn metrics_over_several_sides_have_their_own_units() {
    let units = "                       bandwidth (MiB/s)         latency p99 (ms)\n\
        \x20                    none    bfq    kyber      none    bfq    kyber\n\
        randread             395     301    390        1.5     3.5    1.25\n\
        randwrite            316     250    310        1.5     4.5    1.5\n";
    assert_has(
        units,
        12,
        &[
            "scheduler=none test=randread bandwidth 414187520",
            "scheduler=bfq test=randwrite latency p99 4500000",
        ],
    );
    let cells = "               Throughput          Latency\n\
        \x20          Before   After      Before   After\n\
        4 KiB      101MB/s  120MB/s    310us    250us\n\
        64 KiB     402MB/s  455MB/s    810us    690us\n";
    assert_has(
        cells,
        8,
        &[
            "run=Before test=4 KiB Throughput 101000000",
            "run=After test=64 KiB Latency 690000",
        ],
    );
    // Units of two metrics in a line are those of none of the figures.
    let lost = "bandwidth (MiB/s)   latency (ms)\n\n         old    new\nread     395    301\n\
        write    316    250\n";
    let found = figures(lost);
    let is_known = |line: &String| line.contains("latency") || line.contains("throughput");
    assert!(!found.iter().any(is_known), "{found:#?}");
}

#[test]
fn a_caption_with_numbers_names_the_unit() {
    assert_has(
        "Mean of 5 runs, 4k random write, in kIOPS:\n\nmainline: 101.5\npatched:  120.5 (+18.7%)\n",
        2,
        &["run=mainline IOPS 101500", "run=patched IOPS 120500"],
    );
    assert_has(
        "            before    after\n1 thread    1.25M     1.35M\n4 threads   4.10M     5.30M\n\n\
         IOPS, randread of 512 bytes\n",
        4,
        &["run=after test=4 threads IOPS 5300000"],
    );
}

#[test]
fn names_and_values_need_no_label() {
    assert_has(
        "[before]\nbw=101MiB/s iops=25.9k\n\n[after]\nbw=120MiB/s iops=30.7k\n",
        4,
        &["run=before bw 105906176", "run=after IOPS 30700"],
    );
    for settings in ["rate=100MB/s rate_iops=1000\n", "bw=101MiB/s mode=fast\n"] {
        assert!(figures(settings).is_empty(), "{settings}");
    }
    assert_has(
        "unpatched 1.25 GB/s\npatched   1.5 GB/s\n",
        2,
        &[
            "run=unpatched throughput 1250000000",
            "run=patched throughput 1500000000",
        ],
    );
    let sold = "The old 512 MB/s\n";
    assert!(figures(sold).is_empty());
}

#[test]
fn rows_of_scripts_need_no_headings() {
    assert_has(
        "ext4    read    512.5 MB/s    101 ms\next4    write   402.5 MB/s    131 ms\n\
         xfs     read    502.5 MB/s    103 ms\nxfs     write   422.5 MB/s    121 ms\n",
        8,
        &[
            "filesystem=ext4 op=read throughput 512500000",
            "filesystem=xfs op=write latency 121000000",
        ],
    );
    assert_has(
        "6.1    sda    512 MB/s\n6.1    sdb    510 MB/s\n6.6    sda    402 MB/s\n\
         6.6    sdb    401 MB/s\n",
        4,
        &["kernel=6.6 test 2=sda throughput 402000000"],
    );
    for text in [
        "sda    WD Red      180 MB/s\nsdb    Samsung     540 MB/s\n",
        "ext4    read    512 MB/s    501 MB/s\nxfs     read    502 MB/s    499 MB/s\n",
        "ext4    read    101 ms\nxfs     read    103 ms\n",
    ] {
        assert!(figures(text).is_empty(), "{text}: {:#?}", figures(text));
    }
}

#[test]
fn a_heading_may_name_two_metrics() {
    assert_has(
        "| kernel | IOPS/lat |\n|---|---|\n| 6.1 | 101k/310us |\n| 6.6 | 120k/250us |\n",
        4,
        &["kernel=6.1 IOPS 101000", "kernel=6.6 lat 250000"],
    );
    assert_has(
        "| kernel | IOPS / p99 (us) | BW |\n|---|---|---|\n| 6.1 | 101k / 310 | 395 MB/s |\n\
         | 6.6 | 120k / 250 | 469 MB/s |\n",
        6,
        &["kernel=6.1 p99 310000", "kernel=6.6 BW 469000000"],
    );
    let single = "| kernel | IOPS/lat |\n|---|---|\n| 6.1 | 101k/310us |\n| 6.6 | 120k |\n";
    assert!(!figures(single).iter().any(|line| line.contains("lat ")));
}

#[test]
fn tabs_between_columns_may_be_several() {
    let text = "\t\t\tbase\tpatched\nIOPS\t\t\t10101\t12121\nlat avg (usec)\t\t98.5\t81.5\n\
        lat p99 (usec)\t\t310\t290\n";
    assert_has(
        text,
        6,
        &["run=base lat avg 98500", "run=patched lat p99 290000"],
    );
    // An empty cell is one where all rows have as many tabs.
    let cells = "test\tbase MB/s\tpatched MB/s\nread\t512\t530\nwrite\t\t401\n";
    assert_has(cells, 3, &["run=patched test=write throughput 401000000"]);
}

#[test]
fn figures_are_no_headings_below_a_metric() {
    let text = "   base patched\nIOPS        10101 12121\nlat avg (usec)  98.5 81.5\n\
        context switches  1234567 1034567\n";
    let found = figures(text);
    assert!(
        found.iter().all(|line| !line.contains("run=10101")),
        "{found:#?}"
    );
    let threads = "IOPS     1      8      65536\nold      101k   102k   103k\n\
        new      101k   112k   123k\n";
    assert_has(threads, 6, &["test=new run=65536 IOPS 123000"]);
}

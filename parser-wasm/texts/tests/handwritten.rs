//! Tables, lists and lines as people write them: each figure has its side and its unit, and what is
//! no figure of the text is not read.

mod shown;

use shown::{assert_has, figures};

#[test]
fn columns_below_a_caption_are_no_labels() {
    let text = "Throughput [MB/s]\nthreads   4.4    4.9    4.14\n1         101    103    99\n\
        8         402    399    350\n";
    assert_has(
        text,
        6,
        &[
            "kernel=4.4 threads=1 throughput 101000000",
            "kernel=4.14 threads=8 throughput 350000000",
        ],
    );
    // The corner names two dimensions.
    let crossed = "6.1 (kIOPS)\nbs\\qd    1      8      32\n4k       11     88     240\n\
        16k      9      60     130\n";
    assert!(figures(crossed).iter().all(|line| !line.contains("4k 11")));
    // A row that was wrapped is not the end of the next one.
    let wrapped = "               v6.7      v6.8\n4k read    812.1 MiB/s 799.5 MiB/s\n\
        4k write   402.5 MiB/s 351.5\nMiB/s\n64k read   2900.5 MiB/s 2898.5 MiB/s\n";
    assert!(figures(wrapped).iter().all(|line| !line.contains("64k")));
}

#[test]
fn a_list_of_sides_has_no_headings() {
    let text = "Write throughput (MB/s)\next4     201\nf2fs     180\n\n\
        fsync latency (ms)\next4     3.1\nf2fs     0.9\n";
    assert_has(
        text,
        4,
        &[
            "filesystem=ext4 throughput 201000000",
            "filesystem=f2fs latency 900000",
        ],
    );
}

#[test]
fn spreads_below_figures_are_no_headings() {
    let text = "            base       patched\nseqread     512.1      530.5\n            \
        (3.1)      (2.9)\nseqwrite    401.1      433.3\n            (2.2)      (9.1)\n\
        MB/s (stddev)\n";
    assert_has(
        text,
        4,
        &[
            "run=base test=seqread throughput 512100000",
            "run=patched test=seqwrite throughput 433300000",
        ],
    );
}

#[test]
fn rows_of_ratios_are_no_sides() {
    let text = "            read    write\nbefore      512     401     MB/s\n\
        after       510     322     MB/s\nratio       0.99    0.80\n";
    let found = figures(text);
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(
        found.iter().all(|line| !line.contains("ratio")),
        "{found:#?}"
    );
}

#[test]
fn bounds_of_latencies_are_no_unit_of_counts() {
    for label in ["0-1 ms", "< 1 ms", "1 ms", "0 - 1 ms"] {
        let text = format!(
            "latency bucket   base    patched\n{label:<16} 90112   90333\n\
             2-4 ms           120     901\n"
        );
        assert!(figures(&text).is_empty(), "{label}");
        let table = format!(
            "| latency | before | after |\n|---|---|---|\n| {label} | 90112 | 90333 |\n\
             | >2 ms | 12 | 901 |\n"
        );
        assert!(figures(&table).is_empty(), "{label}");
    }
    // The column of a kernel has a unit.
    let kernels = "test      6.1 ms   6.6 ms\nread      1.5      2.5\nwrite     3.5      4.5\n";
    assert_eq!(figures(kernels).len(), 4);
}

#[test]
fn a_command_may_time_several_programs() {
    let times = |real: &str| format!("real 0m{real}s\nuser 0m0.5s\nsys 0m1.5s\n\n");
    let session = |name: &str| {
        let output = format!("{}{}", times("14.5"), times("2.5"));
        format!("{name}:\n$ time cp -a a /mnt; time sync\n\n{output}")
    };
    let text = format!("{}{}", session("ext4"), session("btrfs"));
    assert_has(
        &text,
        12,
        &[
            "filesystem=ext4 command=cp -a a /mnt time real time 14500000000",
            "filesystem=btrfs command=sync time real time 2500000000",
        ],
    );
}

#[test]
fn settings_of_the_kernel_are_not_measured() {
    let text = "wbt_lat_usec: 2000 -> 75000\nread_lat_nsec: 2000000 -> 4000000\n";
    assert!(figures(text).is_empty());
    assert_eq!(figures("read lat (us): 200 -> 750\n").len(), 2);
}

#[test]
fn the_first_column_beside_sides_is_a_parameter() {
    let text = "time      base (MB/s)   patched (MB/s)\n10 s      512           520\n\
        60 s      402           512\n600 s     180           510\n";
    assert_has(
        text,
        6,
        &[
            "run=base time=10 s throughput 512000000",
            "run=patched time=600 s throughput 510000000",
        ],
    );
    // A time that does not rise is a result.
    let result = "time      base (MB/s)   patched (MB/s)\n60 s      512           520\n\
        10 s      402           512\n";
    assert!(
        figures(result)
            .iter()
            .any(|line| line.ends_with("time 60000000000"))
    );
}

#[test]
fn a_label_that_is_named_once_holds_for_the_rows_below() {
    let text = "Test       Kernel    MB/s    p99 (ms)\n\
        seqread    6.1       512     1.5\n           \
        6.6       510     1.25\nseqwrite   6.1       402     3.5\n           \
        6.6       377     9.5\n";
    assert_has(
        text,
        8,
        &[
            "kernel=6.6 Test=seqread throughput 510000000",
            "kernel=6.6 Test=seqwrite p99 9500000",
        ],
    );
    // Lines without a label may be anything.
    let spreads = "Test         6.1       6.6\nseqread      512 MB/s  530 MB/s\n             \
        3.1       2.9\nseqwrite     401 MB/s  433 MB/s\n";
    assert!(figures(spreads).iter().all(|line| !line.contains("row=")));
}

#[test]
fn depths_over_columns_are_no_sides() {
    let text = "4k random read IOPS\n\n            QD1      QD4      QD16\n\
        libaio      9.8k     38.1k    140k\nio_uring    10.4k    41.0k    151k\n";
    assert_has(text, 6, &["test=io_uring QD=16 IOPS 151000"]);
}

#[test]
fn a_remark_behind_a_rate_is_no_part_of_it() {
    let text = "5.10.100: 1203 MB/s (good)\n5.11.0: 1201 MB/s (good)\n5.12-rc1: 812 MB/s (bad)\n";
    assert_has(text, 3, &["kernel=5.12-rc1 throughput 812000000"]);
    // What is in brackets may be more than a remark.
    for text in [
        "base: 512 MB/s (write)\nnew: 301 MB/s (write)\n",
        "read: 512 MB/s (cached)\nread: 301 MB/s (direct)\n",
        "5.10: 120 MB/s (was 130 MB/s)\n5.11: 110 MB/s (was 140 MB/s)\n",
    ] {
        assert!(
            figures(text).iter().all(|line| !line.contains("(")),
            "{text}"
        );
    }
}

#[test]
fn sides_stand_in_front_of_their_figures_in_a_line() {
    for text in [
        "bs=4k old: 120 MB/s new: 130 MB/s\nbs=64k old: 702 MB/s new: 701 MB/s\n",
        "bs=4k:  old 120 MB/s   new 130 MB/s\nbs=64k: old 702 MB/s   new 701 MB/s\n",
        "bs=4k: old = 120 MB/s; new = 130 MB/s\nbs=64k: old = 702 MB/s; new = 701 MB/s\n",
    ] {
        assert_has(
            text,
            4,
            &[
                "run=old test=bs=4k throughput 120000000",
                "run=new test=bs=64k throughput 701000000",
            ],
        );
    }
    assert_has(
        "bw: before 120 MB/s after 130 MB/s\niops: before 30100 after 32500\n",
        4,
        &["run=after bw 130000000", "run=before IOPS 30100"],
    );
    for text in [
        "the old 120 MB/s disk and the new one\n",
        "after 120 s the old 130 MB/s are back\n",
        "old: 120 new: 130\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}

#[test]
fn rows_of_frames_may_be_cut_behind_the_label() {
    let text = "| workload       | v6.7 MB/s | v6.8 MB/s |\n|--|--|--|\n| seq read       |\n\
        2901 | 2899 |\n| rand write     |\n402 | 351 |\n";
    assert_has(
        text,
        4,
        &[
            "kernel=v6.7 run=seq read throughput 2901000000",
            "kernel=v6.8 run=rand write throughput 351000000",
        ],
    );
}

#[test]
fn a_sentence_below_a_table_names_its_unit() {
    let table = "jobs     6.1      6.6\n1        1203k    1288k\n4        4711k    4999k\n\n";
    for statement in [
        "Values are IOPS. Nothing else changed.",
        "All numbers are IOPS.",
        "(IOPS, mean of five runs)",
        "(numbers in IOPS, 16 threads)",
    ] {
        let text = format!("{table}{statement}\n");
        assert_eq!(figures(&text).len(), 4, "{text}");
    }
    for sentence in ["The disk has 4 queues.", "All jobs ran in parallel."] {
        assert!(
            figures(&format!("{table}{sentence}\n")).is_empty(),
            "{sentence}"
        );
    }
}

#[test]
fn thousands_per_second_are_no_bytes() {
    let text = "| test | before | after |\n|---|---|---|\n| create | 12.5k/s | 18.5k/s |\n";
    assert!(
        figures(text)
            .iter()
            .all(|line| !line.contains("throughput"))
    );
    let files = "| test | before (files/s) | after (files/s) |\n|---|---|---|\n\
        | create | 12.5k/s | 18.5k/s |\n| unlink | 30k/s | 31k/s |\n";
    assert_has(files, 4, &["run=after test=create files/s 18500"]);
}

#[test]
fn a_label_may_say_from_where_to_where() {
    assert_has(
        "- seq read: from 1.25 GB/s to 950 MB/s\n- rand read: from 320k to 250k IOPS\n",
        4,
        &["run=before throughput 1250000000", "run=after IOPS 250000"],
    );
    for text in [
        "timeout: from 30 s to 60 s\n",
        "distance: from 12 km to 15 km\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}

#[test]
fn names_without_colons_stand_before_pairs() {
    for text in [
        "baseline iops=120k bw=470MB/s\npatched iops=130k bw=480MB/s\n",
        "baseline: iops=120k bw=470MB/s\npatched:  iops=130k bw=480MB/s\n",
    ] {
        assert_has(
            text,
            4,
            &["run=baseline IOPS 120000", "run=patched bw 480000000"],
        );
    }
}

#[test]
fn tables_of_transfers_are_no_rows() {
    let text = "[ ID] Interval           Transfer     Bitrate         Retr\n\
        [  5]   0.00-10.00  sec  10.9 GBytes  9.38 Gbits/sec    0             sender\n";
    assert!(figures(&format!("6.1:\n{text}6.6:\n{text}")).is_empty());
}

#[test]
fn a_title_says_what_the_times_of_sides_are() {
    assert_has(
        "p99 latency\n  none: 850 us\n  bfq: 1.5 ms\np99.9 latency\n  none: 2100 us\n  bfq: 7 ms\n",
        4,
        &[
            "scheduler=bfq p99 latency 1500000",
            "scheduler=none p99.9 latency 2100000",
        ],
    );
    for text in [
        "Timeouts\n  none: 5 ms\n  bfq: 10 ms\n",
        "Delay target\n  none: 5 ms\n  bfq: 10 ms\n",
        "Latency\n  link: 5 ms\n  reset: 10 ms\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}

#[test]
fn labels_may_be_operations_and_sides() {
    let text = "                 MB/s     usec\nread-base        512      120\n\
        read-patched     530      118\nwrite-base       401      300\n\
        write-patched    433      280\n";
    assert_has(
        text,
        8,
        &[
            "run=base op=read throughput 512000000",
            "run=patched op=write time 280000",
        ],
    );
}

#[test]
fn parameters_in_both_directions_are_no_sides() {
    let block = |kernel: &str, last: u32| {
        format!(
            "{kernel} (kIOPS)\nbs\\qd    1      8\n4k       11     88\n16k      9      {last}\n\n"
        )
    };
    let text = format!("{}{}", block("6.1", 60), block("6.6", 58));
    let found = figures(&text);
    assert_eq!(found.len(), 8, "{found:#?}");
    let is_of = |kernel: &str| {
        found
            .iter()
            .filter(|line| line.starts_with(&format!("run={kernel}")))
            .count()
    };
    assert_eq!((is_of("6.1"), is_of("6.6")), (4, 4), "{found:#?}");
}

#[test]
fn sizes_over_columns_rise_with_their_units() {
    let text = "Write rates in MB/s.\n\nfs       64MB     256MB     1GB\n\
        ext3     88.5     91.5      60.5\next4     92.5     95.5      88.5\n";
    let found = figures(text);
    assert_eq!(found.len(), 6, "{found:#?}");
    assert!(
        found
            .iter()
            .any(|line| line.contains("ext4") && line.ends_with("throughput 88500000"))
    );
}

#[test]
fn a_title_of_a_test_is_no_rate() {
    assert!(figures("4k random read IOPS\n").is_empty());
    assert_eq!(figures("120k read IOPS, 40k write IOPS\n").len(), 2);
}

#[test]
fn a_title_below_a_table_is_that_of_the_next_one() {
    let block = |title: &str, unit: f64| {
        format!(
            "{title}\nthreads   4.4    4.9\n1         {}    103\n8         402    399\n",
            unit
        )
    };
    let text = format!(
        "{}{}",
        block("Throughput [MB/s]", 101.0),
        block("Latency [ms]", 1.5)
    );
    assert_has(
        &text,
        8,
        &[
            "kernel=4.4 threads=1 throughput 101000000",
            "kernel=4.4 threads=1 latency 1500000",
        ],
    );
    let caption = "Random write [MiB/s]\nbs     5.4     5.10    5.15\n4k     88.5    91.5    70.5\n\
        16k    301.5   310.5   250.5\n";
    assert_has(caption, 6, &["kernel=5.10 bs=16k throughput 325582848"]);
}

#[test]
fn an_attribution_is_no_line_of_headings() {
    let text =
        "On Monday, a tester wrote:\n> old: 120 MB/s, 30.5 kIOPS\n> new: 130 MB/s, 32.5 kIOPS\n";
    assert_has(
        text,
        4,
        &["run=old throughput 120000000", "run=new IOPS 32500"],
    );
}

/// Archives and trackers keep one of several blanks.
#[test]
fn columns_keep_their_sides_where_blanks_are_lost() {
    assert_has(
        "test before after\nrandread 120.5k 131.0k (+9.1%)\nmixed 70/30 97.5k 103.5k (+5.9%)\n\
         IOPS, higher is better\n",
        4,
        &[
            "run=after test=randread IOPS 131000",
            "run=before test=mixed 70/30 IOPS 97500",
        ],
    );
    assert_has(
        "6.1 6.6\nIOPS lat(us) IOPS lat(us)\njobs=1 11200 88 10900 91\njobs=4 43100 92 40200 99\n",
        8,
        &[
            "kernel=6.1 test=jobs=4 IOPS 43100",
            "kernel=6.6 test=jobs=1 lat 91000",
        ],
    );
    assert_has(
        "base patched\nworkload GB/s %sys GB/s %sys\nread 6.5 22.5 6.25 18.5\n\
         write 4.5 31.5 5.5 25.5\n",
        8,
        &["run=patched run 2=read throughput 6250000000"],
    );
    assert_has(
        "op delta old new\nread -2.0% 512 502 MB/s\nwrite -8.1% 401 369 MB/s\n",
        4,
        &["run=old op=read throughput 512000000"],
    );
    assert_has(
        "seq. write, MB/s\next4 xfs btrfs\n6.1 812 901 622\n6.6 809 788 630\n",
        6,
        &["kernel=6.6 filesystem=xfs throughput 788000000"],
    );
    for text in [
        "Throughput [MB/s]\nthreads 4.4 4.9 4.14\n1 101 103 99\n8 402 399 350\n",
        "clat percentiles (usec) base patched\n50.00th 24 25\n99.00th 60 66\n99.90th 120 180\n",
        "cold cache warm cache\n6.1 find / 12.1s 1.1s\n6.6 find / 19.9s 1.1s\n",
    ] {
        let found = figures(text);
        let is_label = |line: &&String| {
            line.contains("1 101") || line.contains("=24 ") || line.contains("=warm")
        };
        assert!(!found.iter().any(|line| is_label(&line)), "{found:#?}");
    }
}

#[test]
fn a_unit_in_the_corner_is_above_the_labels_where_blanks_are_lost() {
    let text = "Results of the same job, three minutes each:\n\nMB/s before after\n\
        seq read 512.5 431.5\nrand write 55.5 41.5\n";
    assert_has(
        text,
        4,
        &[
            "run=before test=seq read throughput 512500000",
            "run=after test=rand write throughput 41500000",
        ],
    );
    let repeats = "MB/s 5.10 5.15\nrun 1 211.5 188.5\nrun 2 214.5 190.5\n";
    assert!(
        figures(repeats)
            .iter()
            .all(|line| !line.ends_with(" 1000000"))
    );
}

#[test]
fn rows_of_another_table_are_no_caption() {
    let text = "base patched\nIOPS 1.25M 1.5M (+9.9%)\nsys% 41.5 38.5\n\n\
        Signed-off-by: A B <a@example.org>\n---\n block/blk-mq.c | 12 ++++++------\n";
    assert_has(text, 4, &["run=patched IOPS 1500000"]);
}

#[test]
fn metrics_over_sides_have_their_own_units() {
    let aligned = "        MB/s            usec\n      old   new      old   new\n\
        4k    88    92       120   118\n64k   702   701      310   309\n";
    assert_has(
        aligned,
        8,
        &[
            "run=old test=4k throughput 88000000",
            "run=new test=64k time 309000",
        ],
    );
    let kernels = "            throughput MB/s     latency ms\n            \
        6.1      6.6        6.1      6.6\n\
        4k          88       92         1.5      1.25\n\
        64k         702      701        3.5      3.25\n";
    assert_has(
        kernels,
        8,
        &[
            "kernel=6.1 test=64k throughput 702000000",
            "kernel=6.6 test=4k latency 1250000",
        ],
    );
    let markdown = "| | IOPS | | CPU% | |\n|---|---|---|---|---|\n| | old | new | old | new |\n\
        | QD1 | 11200 | 11900 | 4.5 | 3.5 |\n| QD32 | 245000 | 251000 | 61.5 | 55.5 |\n";
    let found = figures(markdown);
    let rates = found.iter().filter(|line| line.contains("IOPS"));
    assert_eq!(rates.count(), 4, "{found:#?}");
    assert!(
        found.contains(&"run=new test=QD32 IOPS 251000".to_owned()),
        "{found:#?}"
    );
    let counts = "             IOPS            errors\n          old    new      old    new\n\
        QD1       11200  11900    4      3\nQD32      245000 251000   61     55\n";
    let found = figures(counts);
    let rates = found.iter().filter(|line| line.contains("IOPS"));
    assert_eq!(rates.count(), 4, "{found:#?}");
}

#[test]
fn metrics_without_units_have_the_sides_above_them() {
    let text = "           old            new\n        BW     lat     BW     lat\n\
        4k      88     120     92     118\n64k     702    310     701    309\n";
    assert_has(
        text,
        8,
        &["run=old test=4k BW 88", "run=new test=64k lat 309"],
    );
}

#[test]
fn rows_may_name_each_of_their_cells() {
    let named = "sched=none rw=randread bs=4k iops=312k lat_avg=102us\n\
        sched=bfq rw=randread bs=4k iops=112k lat_avg=302us\n";
    assert_has(
        named,
        4,
        &["sched=none IOPS 312000", "sched=bfq lat_avg 302000"],
    );
    let quoted = "level=info msg=\"run done\" kernel=5.10 iops=307000 lat_us=103\n\
        level=info msg=\"run done\" kernel=5.15 iops=230000 lat_us=138\n";
    assert_has(quoted, 4, &["kernel=5.15 lat 138000"]);
    let with_commas = "- kernel: 5.10, bw: 1200 MiB/s, p99: 210 us\n\
        - kernel: 5.15, bw: 900 MiB/s, p99: 410 us\n";
    assert_has(with_commas, 4, &["kernel=5.15 p99 410000"]);
    let labelled = "before: qd=1, iops=12.3k, lat=81us\nbefore: qd=32, iops=123k, lat=260us\n\
        after: qd=1, iops=11.3k, lat=88us\nafter: qd=32, iops=103k, lat=310us\n";
    assert_has(labelled, 8, &["test=after qd=32 lat 310000"]);
    let alone = "Before:\nrw=randread bw=1200MB/s iops=307k\n\n\
        After:\nrw=randread bw=900MB/s iops=230k\n";
    assert_has(alone, 4, &["run=After bw 900000000"]);
    // Limits and settings are no results.
    for other in [
        "qos: rate=100MB/s, burst=10MB, latency=10ms\nqos: rate=200MB/s, burst=20MB, latency=5ms\n",
        "bs=4k rw=randread iodepth=32 numjobs=4\nbs=8k rw=randread iodepth=32 numjobs=4\n",
    ] {
        assert_eq!(figures(other), Vec::<String>::new());
    }
}

#[test]
fn a_title_says_what_several_figures_behind_a_side_are() {
    let runs = "untar time (s), 3 runs:\n\n6.4        12.31  12.40  12.29\n\
        6.5-rc1    14.90  15.01  14.88\n";
    assert_has(
        runs,
        6,
        &[
            "kernel=6.4 time 12310000000",
            "kernel=6.5-rc1 time 14880000000",
        ],
    );
    let spelled = "Throughput in MB/s, three runs each:\n\nvanilla: 512.3, 511.9, 512.8\n\
        patched: 601.2, 600.4, 602.3\n";
    assert_has(spelled, 6, &["run=patched throughput 602300000"]);
    let operations = "fio 4k randrw, IOPS read/write:\n\n5.4.0:  312k/311k\n5.15.0: 250k/249k\n";
    assert_has(
        operations,
        4,
        &[
            "kernel=5.4.0 op=write IOPS 311000",
            "kernel=5.15.0 op=read IOPS 250000",
        ],
    );
    // Three figures of four runs, or three means, are of three things, and without a word they may
    // be anything.
    for title in [
        "MB/s, four runs:",
        "MB/s, mean of three runs:",
        "Throughput in MB/s:",
    ] {
        let other = format!("{title}\n\n6.4: 512.3 411.9 312.8\n6.5: 601.2 500.4 402.3\n");
        assert_eq!(figures(&other), Vec::<String>::new(), "{title}");
    }
}

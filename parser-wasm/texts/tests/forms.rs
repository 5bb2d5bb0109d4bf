//! Forms in which people put figures beside sides, operations and units.

mod shown;

use shown::{assert_has, figures};

#[test]
fn identifiers_name_their_units() {
    let text = "$ cat results-5.15.csv\nbs,rw,bw_mbs,iops\n4k,randread,1210.5,309880\n\
        4k,randwrite,812.1,207897\n$ cat results-6.1.csv\nbs,rw,bw_mbs,iops\n\
        4k,randread,1198.7,306867\n4k,randwrite,598.4,153190\n";
    assert_has(
        text,
        8,
        &[
            "file=results-5.15.csv rw=randread bw 1210500000",
            "file=results-6.1.csv rw=randwrite bw 598400000",
            "file=results-6.1.csv rw=randwrite IOPS 153190",
        ],
    );
    let table = "kernel   write_mib_s   runtime_s   fsync/s\n\
        5.15     1024          12.5        310\n\
        6.1      512           25.0        155\n";
    assert_has(
        table,
        6,
        &[
            "kernel=6.1 throughput 536870912",
            "kernel=6.1 runtime 25000000000",
            "kernel=6.1 fsync/s 155",
        ],
    );
}

/// The headings of a table say nothing of another one: its `iops` was the unit of `amount`.
#[test]
fn rows_of_another_table_are_no_title() {
    let text = "$ cat a-5.15.csv\nbs,rw,amount,iops\n4k,randread,12.5,309880\n\
        $ cat a-6.1.csv\nbs,rw,amount,iops\n4k,randread,11.5,306867\n";
    assert_has(
        text,
        4,
        &["file=a-5.15.csv amount 12.5", "file=a-6.1.csv amount 11.5"],
    );
}

#[test]
fn an_operation_may_be_in_front_of_its_rate() {
    for text in [
        "kernel 6.1\n----------\nseqwrite 1805 MB/s\nseqread  2103 MB/s\n\n\
            kernel 6.6\n----------\nseqwrite 1455 MB/s\nseqread  2101 MB/s\n",
        "kernel 6.1:\nseqwrite 1805 MB/s\nseqread 2103 MB/s\n\
            kernel 6.6:\nseqwrite 1455 MB/s\nseqread 2101 MB/s\n",
    ] {
        assert_has(
            text,
            4,
            &[
                "kernel=kernel 6.1 op=seqwrite throughput 1805000000",
                "kernel=kernel 6.6 op=seqread throughput 2101000000",
            ],
        );
    }
    // Of several words, none is lost, however many blanks are behind them.
    let words = "ext4, 6.4:\n  seq write 812 MB/s\n  4k rand read  190 MB/s\n\
        ext4, 6.5:\n  seq write 610 MB/s\n  4k rand read  189 MB/s\n";
    assert_has(
        words,
        4,
        &[
            "run=ext4, 6.4 op=seq write throughput 812000000",
            "run=ext4, 6.5 op=4k rand read throughput 189000000",
        ],
    );
    // A size in front of the operation is part of the label, and no number of IOPS.
    let sizes = "Without the series:\n  4k QD1:   read 11.2 kIOPS, write 10.1 kIOPS\n\
        With the series:\n  4k QD1:   read 11.3 kIOPS, write 10.2 kIOPS\n";
    assert_has(
        sizes,
        4,
        &[
            "run=Without the series op=read IOPS 11200",
            "run=With the series op=write IOPS 10200",
        ],
    );
    assert_eq!(
        figures("read 1805 MB/s max\nwrite 100 MB\n"),
        Vec::<String>::new()
    );
}

#[test]
fn a_short_name_may_be_in_front_of_its_rate() {
    assert_has(
        "6.4:\n  foo write 812 MB/s\n  untar 2.1k files/s\n\
         6.5:\n  foo write 610 MB/s\n  untar 1.9k files/s\n",
        4,
        &["kernel=6.4 throughput 812000000", "kernel=6.5 files/s 1900"],
    );
    assert_has(
        "6.4:\n  min 812 MB/s\n  max 950 MB/s\n6.5:\n  min 610 MB/s\n  max 940 MB/s\n",
        4,
        &[
            "kernel=6.4 min throughput 812000000",
            "kernel=6.5 max throughput 940000000",
        ],
    );
    assert_has(
        "6.4:\nThroughput 120 MB/s\nIOPS 30720\nlat 1.25 ms\n\
         6.5:\nThroughput 100 MB/s\nIOPS 25600\nlat 1.5 ms\n",
        6,
        &[
            "kernel=6.4 Throughput 120000000",
            "kernel=6.4 IOPS 30720",
            "kernel=6.5 lat 1500000",
        ],
    );
    assert_has(
        "kernel-6.4: 512 MB/s\nkernel-6.5-rc1: 480 MB/s\n",
        2,
        &["kernel=kernel-6.5-rc1 throughput 480000000"],
    );
    assert_has(
        "bfq   - read 120 MB/s, write 80 MB/s\nkyber - read 210 MB/s, write 180 MB/s\n",
        4,
        &["scheduler=kyber op=write throughput 180000000"],
    );
    assert_has(
        "6.4:\n  bs=4k 120 MB/s\n  bs=1M 400 MB/s\n6.5:\n  bs=4k 119 MB/s\n  bs=1M 310 MB/s\n",
        4,
        &["kernel=6.5 test=bs=1M throughput 310000000"],
    );
    // Sentences, the speeds of links, and what there is only once.
    for text in [
        "port1 6.0 Gb/s\nport2 3.0 Gb/s\n",
        "it was 812 MB/s\nabout 610 MB/s\n",
        "The disk can do more.\n  untar 610 MB/s\nThat is all.\n",
    ] {
        assert_eq!(figures(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_rate_is_called_by_what_it_counts() {
    for (unit, name) in [
        ("files/s", "files/s"),
        ("file/sec", "files/s"),
        ("tps", "tps"),
        ("kop/s", "ops/s"),
        ("I/Os/s", "IOPS"),
    ] {
        let text = format!("base: 100 {unit}\npatched: 120 {unit}\n");
        let found = figures(&text);
        assert!(
            found[0].starts_with(&format!("run=base {name} ")),
            "{found:?}"
        );
    }
    // A figure without a unit counts the same as the one beside it.
    assert_has(
        "create: base 512 files/s, patched 530\n",
        2,
        &["run=patched files/s 530"],
    );
}

#[test]
fn a_heading_in_brackets_may_name_two_metrics() {
    let text = "numjobs | 5.10 (IOPS / lat) | 5.15 (IOPS / lat)\n--------|------|------\n\
        1       | 12.1k / 82us      | 12.0k / 83us\n16      | 150k / 106us      | 98k / 163us\n";
    assert_has(
        text,
        8,
        &[
            "kernel=5.10 numjobs=1 IOPS 12100",
            "kernel=5.15 numjobs=16 lat 163000",
        ],
    );
}

#[test]
fn figures_of_a_side_may_have_their_names_in_front_or_behind() {
    let text = "* kernel 3.10.0-1160: 1,812 IOPS avg, 17.6 ms avg latency\n\
        * kernel 4.18.0-305: 1,102 IOPS avg, 29.0 ms avg latency\n";
    assert_has(
        text,
        4,
        &[
            "kernel=kernel 3.10.0-1160 avg IOPS 1812",
            "kernel=kernel 4.18.0-305 avg latency 29000000",
        ],
    );
    let front = "Before patch:  avg lat 120.5 usec, stdev 12.1, IOPS 8.2k\n\
        After patch:   avg lat 98.2 usec, stdev 9.9, IOPS 10.1k\n";
    assert_has(
        front,
        4,
        &[
            "run=Before patch avg lat 120500",
            "run=After patch IOPS 10100",
        ],
    );
}

#[test]
fn titles_say_what_is_measured() {
    let duration =
        "On an HDD (WD Red 4TB) copying a 10 GB file takes:\n- 4.19: 92 s\n- 5.10: 141 s\n";
    assert_has(duration, 2, &["kernel=5.10 time 141000000000"]);
    // Without a title, it may be anything.
    assert_eq!(
        figures("- 4.19: 92 s\n- 5.10: 141 s\n"),
        Vec::<String>::new()
    );
    let latency = "Average completion latency (usec) by queue depth\n\n\
        QD      stock   patched\n1       82.1    82.0\n8       121.9   95.0\n";
    assert_has(latency, 4, &["run=patched QD=8 latency 95000"]);
    let counted = "fs_mark, 16 threads, files/sec:\n\nrun   6.4    6.5\n 1   41230  32110\n\
        \x202   40987  31876\n";
    assert_has(counted, 4, &["kernel=6.5 files/sec 31876"]);
}

#[test]
fn statistics_beside_percentiles_are_figures_of_their_own() {
    let rows = "           6.1        6.6\nmin       12us       12us\np50       85us       86us\n\
        p99      210us      980us\np99.9    1.2ms      9.8ms\nmax     14.1ms     31.0ms\n";
    assert_has(
        rows,
        10,
        &["kernel=6.6 p99 980000", "kernel=6.6 max 31000000"],
    );
    let columns = "Latency in usec\n\n           avg     95%     99%     max\n\
        none       120     310     512     9123\nbfq        135     290     401     4120\n";
    assert_has(columns, 8, &["scheduler=bfq run=99% latency 401000"]);
}

#[test]
fn commits_and_joined_titles_name_sides() {
    let commits = "HEAD:    1.21 GiB/s\nHEAD~1:  1.55 GiB/s\n";
    assert_has(commits, 2, &["run=HEAD~1 throughput 1664299827.2"]);
    let joined = "On 6.1 I get\n  read: IOPS=120k, BW=469MiB/s\nand on 6.6\n\
        \x20 read: IOPS=98.1k, BW=383MiB/s\n";
    assert_has(joined, 4, &["kernel=6.6 fio read IOPS 98100"]);
}

#[test]
fn a_side_in_brackets_may_be_in_front_of_an_output() {
    let text = "[5.10] read: IOPS=312k, BW=1219MiB/s (1278MB/s)(71.4GiB/60001msec)\n\
        [5.15] read: IOPS=241k, BW=941MiB/s (987MB/s)(55.2GiB/60001msec)\n";
    assert_has(text, 4, &["run=5.10 IOPS 312000", "run=5.15 IOPS 241000"]);
}

#[test]
fn the_unit_of_several_figures_may_be_behind_the_last() {
    let statistics = "v5.10: min=1201 avg=1250 max=1301 MB/s\n\
        v5.15: min= 901 avg= 950 max=1002 MB/s\n";
    assert_has(
        statistics,
        6,
        &[
            "kernel=v5.10 avg throughput 1250000000",
            "kernel=v5.15 min throughput 901000000",
        ],
    );
    let repeats = "Without the patch: 312k/311k/309k IOPS (3 runs)\n\
        With the patch: 401k/399k/405k IOPS (3 runs)\n";
    assert_has(
        repeats,
        6,
        &[
            "run=Without the patch IOPS 312000",
            "run=With the patch IOPS 405000",
        ],
    );
    // Of two, nobody knows whether they are reads and writes.
    assert_eq!(
        figures("old: 312k/311k IOPS\nnew: 401k/399k IOPS\n"),
        Vec::<String>::new()
    );
}

#[test]
fn a_dash_may_be_between_a_side_and_its_time() {
    assert_has(
        "Cloning linux.git takes:\n* 6.1 - 12.3 sec\n* 6.6 - 19.8 sec\n\
         * 6.6 with nobarrier - 12.5 sec\n",
        3,
        &[
            "run=6.1 time 12300000000",
            "run=6.6 with nobarrier time 12500000000",
        ],
    );
    for text in [
        "* Test - 5 min\n* Host - 7 min\n",
        "* timeout - 30 s\n* retries - 5 s\n",
    ] {
        assert_eq!(figures(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn names_and_figures_may_follow_each_other_without_commas() {
    let text = "[vanilla] seq: 812.5 MB/s, lat avg 4.5ms p99 12.5ms\n\
        [patched] seq: 930.5 MB/s, lat avg 4.25ms p99 9.5ms\n";
    assert_has(
        text,
        6,
        &[
            "run=[vanilla] seq lat avg 4500000",
            "run=[patched] seq p99 9500000",
        ],
    );
}

#[test]
fn numbered_patches_are_sides() {
    let text = "MiB/s    read   write\nbase     1210   812\npatch1   1215   640\n\
        patch2   1208   810\n";
    assert_has(text, 6, &["test=patch1 op=write throughput 671088640"]);
}

#[test]
fn figures_below_a_side_need_no_label() {
    let text = "6.8.0:\n  IOPS=1214k, BW=4742MiB/s, lat avg=210us, p99=412us\n\
        6.9.0-rc1:\n  IOPS=853k, BW=3332MiB/s, lat avg=299us, p99=781us\n";
    assert_has(
        text,
        8,
        &[
            "kernel=6.8.0 IOPS 1214000",
            "kernel=6.9.0-rc1 lat avg 299000",
        ],
    );
    let operations = "5.15:\nWRITE: 512 MB/s, READ: 1210 MB/s\n\
        6.1:\nWRITE: 380 MB/s, READ: 1208 MB/s\n";
    assert_has(operations, 4, &["kernel=6.1 op=WRITE throughput 380000000"]);
    let machines = "VM1 (5.15.0-1045-azure): 18,212 IOPS\nVM2 (6.2.0-1012-azure):  11,020 IOPS\n";
    assert_has(machines, 2, &["run=VM2 (6.2.0-1012-azure) IOPS 11020"]);
    let named = "2.6.36:      Throughput 712.5 MB/sec\n2.6.37-rc3:  Throughput 401.5 MB/sec\n";
    assert_has(named, 2, &["kernel=2.6.37-rc3 Throughput 401500000"]);
    let tests = "5.4:   Sequential Output: 412 MB/s   Rewrite: 201 MB/s\n\
        5.10:  Sequential Output: 298 MB/s   Rewrite: 150 MB/s\n";
    assert_has(
        tests,
        4,
        &["run=5.10 test=Sequential Output throughput 298000000"],
    );
}

#[test]
fn a_kernel_and_another_setup_may_be_one_label() {
    let rows = "                p50    p99\n  5.4 ext4      1.2    4.5\n\
        \x20 5.4 xfs       1.1    3.5\n  5.10 ext4     1.3   22.0\n  5.10 xfs      1.1    3.5\n";
    let table = format!("fsync latency (ms)\n\n{rows}");
    assert_has(&table, 8, &["kernel=5.10 filesystem=ext4 p99 22000000"]);
    let list = "bfq 5.4: 512 MB/s\nnone 5.4: 530 MB/s\nbfq 6.1: 402 MB/s\nnone 6.1: 528 MB/s\n";
    assert_has(list, 4, &["kernel=6.1 scheduler=bfq throughput 402000000"]);
    // Of one setup, only the kernel is compared.
    let one = "5.4 ext4: 512 MB/s\n6.1 ext4: 402 MB/s\n";
    assert_has(one, 2, &[]);
}

#[test]
fn a_commit_and_its_parent_are_sides() {
    let text = "4e5cc99e1e48^ : 312k iops, clat p99 420 us\n\
        4e5cc99e1e48  : 214k iops, clat p99 910 us\n";
    assert_has(text, 4, &["run=4e5cc99e1e48^ IOPS 312000"]);
}

#[test]
fn versions_of_distributions_are_sides() {
    let text = "Ubuntu 20.04: 5230 IOPS\nUbuntu 22.04: 1840 IOPS\n";
    assert_has(text, 2, &["run=Ubuntu 22.04 IOPS 1840"]);
    let long = "AlmaLinux 8: 5230 IOPS\nRocky Linux 9.3: 1840 IOPS\n";
    assert_has(long, 2, &["run=Rocky Linux 9.3 IOPS 1840"]);
    let commands = "RHEL 7.9: dd bs=1M oflag=direct  ->  1.5 GB/s\n\
        RHEL 8.8: dd bs=1M oflag=direct  ->  420 MB/s\n";
    assert_has(commands, 2, &["run=RHEL 7.9 throughput 1500000000"]);
}

#[test]
fn distributions_may_be_sides_of_a_sentence() {
    let text = "We get 185k IOPS on RHEL 8 (4.18.0-372) but only 122k IOPS on RHEL 9 with \
        the same job.\n";
    assert_has(text, 2, &["run=RHEL 8 (4.18.0-372) IOPS 185000"]);
}

#[test]
fn a_kernel_and_what_is_added_to_it_is_a_side() {
    let text = "                      IOPS     lat (us)\n  6.7-rc3             7.25M    568\n\
        \x20 6.7-rc3 + series    9.75M    414\n";
    assert_has(text, 4, &["test=6.7-rc3 + series IOPS 9750000"]);
}

#[test]
fn statistics_of_a_latency_need_no_label() {
    let text = "Before:\n  avg 1.25 ms, p99 2.5 ms, max 18 ms\n\
        After:\n  avg 0.5 ms, p99 1.0 ms, max 17 ms\n";
    assert_has(text, 6, &["run=After avg latency 500000"]);
    // Limits of a policy.
    assert_has("read p95 2.5 ms, write p95 5 ms\n", 0, &[]);
}

#[test]
fn a_longer_title_may_say_that_figures_are_times() {
    let text = "I measured the time needed to delete a directory with 2 million files:\n\n\
        \x20 ext4, 5.4   : 1m12s\n  ext4, 6.1   : 1m10s\n\
        \x20 xfs,  5.4   : 2m41s\n  xfs,  6.1   : 58s\n";
    assert_has(text, 4, &["kernel=6.1 filesystem=xfs time 58000000000"]);
    let cost = "fsync() cost per call, 4 KB append:\n\n  v4.19            231 us\n\
        \x20 v4.20-rc1       1903 us   <--- regression\n";
    assert_has(cost, 2, &["kernel=v4.20-rc1 time 1903000"]);
}

#[test]
fn a_title_may_say_how_often_each_side_was_measured() {
    let times = "Time to write 10 GiB, three tries each:\n\n\
        4.14.336:  21.5s  21.25s  21.0s\n4.19.304:  29.5s, 30.5s, 30.0s\n";
    assert_has(times, 6, &["kernel=4.14.336 time 21250000000"]);
    let rates = "Throughput in MB/s, three tries each:\n\n\
        4.14.336:  212  215  211\n4.19.304:  159  154  151\n";
    assert_has(rates, 6, &["kernel=4.19.304 throughput 151000000"]);
    // A figure more or less than the title says is none of them.
    let others = "Time to write 10 GiB, three tries each:\n\n\
        4.14.336:  21.5s  21.25s\n4.19.304:  29.5s  30.5s\n";
    assert_has(others, 0, &[]);
}

#[test]
fn a_title_may_name_its_metric_first() {
    let text = "IOPS for 8 threads of 4k O_DIRECT random writes to one file (ext4):\n\n\
        without dioread_nolock:   14203\nwith dioread_nolock:      91822\n";
    assert_has(text, 2, &["run=with dioread_nolock IOPS 91822"]);
}

#[test]
fn kernels_are_compared_on_each_file_system_and_scheduler() {
    let text = "MB/s      bfq   mq-deadline  none\n6.1       412   530          541\n\
        6.6       380   529          540\n";
    assert_has(text, 6, &["kernel=6.6 scheduler=bfq throughput 380000000"]);
}

#[test]
fn marks_of_forums_are_left_out() {
    let text = "[QUOTE=\"a tester, post: 418821\"]\nWhich mode of the cache?\n[/QUOTE]\n\n[LIST]\n\
        [*][B]cache=none[/B]: 412 IOPS, 2.4 ms average\n\
        [*][B]cache=unsafe[/B]: 18200 IOPS, 0.05 ms average\n[/LIST]\n";
    assert_has(
        text,
        4,
        &[
            "run=cache=none IOPS 412",
            "run=cache=unsafe average latency 50000",
        ],
    );
}

#[test]
fn what_a_figure_was_is_in_brackets() {
    let text = "Sequential read now 1487 MB/s (was 1462 MB/s)\n\
        Random write now 197 MB/s (was 121 MB/s)\n";
    assert_has(
        text,
        4,
        &[
            "run=before test=Sequential read throughput 1462000000",
            "run=after test=Random write throughput 197000000",
        ],
    );
}

#[test]
fn a_title_names_the_sides_of_arrows() {
    let rows = "\n\n  * randread: 24.7k -> 21.0k IOPS\n  * randwrite: 19.8k -> 17.6k IOPS\n";
    for title in [
        "Results, 5.10 -> 6.1:",
        "5.10 vs 6.1",
        "IOPS on 5.10 vs. 6.1:",
    ] {
        assert_has(
            &format!("{title}{rows}"),
            4,
            &[
                "run=5.10 test=randread IOPS 24700",
                "run=6.1 test=randwrite IOPS 17600",
            ],
        );
    }
    assert_has(
        &format!("Parent (9f1b2c7) -> e42e3e1:{rows}"),
        4,
        &["run=9f1b2c7 test=randread IOPS 24700"],
    );
    assert_has(
        &format!("Slow -> slower:{rows}"),
        4,
        &["run=after test=randread IOPS 21000"],
    );
}

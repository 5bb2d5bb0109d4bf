//! What stands around figures in texts of people: frames of titles, columns of operations,
//! properties of disks, deviations.

mod shown;

use shown::{assert_has, figures};

#[test]
fn a_side_in_a_frame_is_a_title() {
    for (open, close) in [
        ("| *", "* |\n"),
        ("|| ", " ||\n"),
        ("+--+\n| ", " |\n+--+\n\n"),
    ] {
        let table = |name: &str, rates: [u32; 2]| {
            format!(
                "{open}{name}{close}|test|MB/s|IOPS|\n|---|---|---|\n\
                 |read|{}|131000|\n|write|{}|102000|\n\n",
                rates[0], rates[1]
            )
        };
        let text = table("6.1.55", [500, 400]) + &table("6.6.8", [450, 90]);
        assert_has(
            &text,
            8,
            &[
                "kernel=6.1.55 test=read throughput 500000000",
                "kernel=6.6.8 test=write throughput 90000000",
            ],
        );
    }
    let jira = "|| test || | 6.1.55 | || | 6.6.8 | ||\n| read | 512 MB/s | 480 MB/s |\n\
        | write | 402 MB/s | 377 MB/s |\n";
    assert_has(jira, 4, &["kernel=6.6.8 test=read throughput 480000000"]);
}

#[test]
fn columns_of_reads_and_writes_are_no_sides() {
    for text in [
        "| test | rbps | wbps |\n|---|---|---|\n| randrw | 512 MB/s | 402 MB/s |\n\
         | mixed | 480 MB/s | 377 MB/s |\n",
        "test       rbps | wbps\nrandrw     512 MB/s | 402 MB/s\nmixed      480 MB/s | 377 MB/s\n",
    ] {
        assert_has(
            text,
            4,
            &["test=randrw rbps 512000000", "test=mixed wbps 377000000"],
        );
    }
    assert_has(
        "       rbps | wbps\n6.1     512M | 402M\n6.6     480M | 377M\n",
        4,
        &["kernel=6.1 rbps 512000000", "kernel=6.6 wbps 377000000"],
    );
    assert_has(
        "        r/s     wMB/s\n6.1     101k    80\n6.6     95k     75\n",
        4,
        &["kernel=6.1 r/s 101000", "kernel=6.6 wMB/s 78643200"],
    );
    let limits = "8:0 rbps=1048576 wbps=2097152 riops=120 wiops=120\n\
        8:16 rbps=1048576 wbps=2097152 riops=120 wiops=120\n";
    assert!(figures(limits).is_empty());
}

#[test]
fn data_sheets_are_no_results() {
    for text in [
        "| | 256GB | 1TB |\n|---|---|---|\n| Sequential read (MB/s) | 3100 | 3500 |\n\
         | Random read (IOPS) | 250k | 500k |\n| Interface | PCIe 3.0 x4 | PCIe 3.0 x4 |\n\
         | MTBF | 1.5M hours | 1.5M hours |\n",
        "Interface            SATA 6 Gb/s  SATA 6 Gb/s\nCache                64 MB        64 MB\n\
         Transfer rate        150 MB/s     180 MB/s\nRotational speed     5400 rpm     5900 rpm\n",
        "Sequential Read: up to 550 MB/s\nRandom Read: 98k IOPS\nRandom Write: 90k IOPS\n\
         Endurance: 300 TBW\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
    let models = "disk       read MB/s   write MB/s\nmodel A    512         402\n\
        model B    480         377\n";
    assert_eq!(figures(models).len(), 4);
    let machine = "Interface: nvme0n1\nCapacity: 1 TB\nread before: 512 MB/s\n\
        read after: 480 MB/s\n";
    assert_eq!(figures(machine).len(), 2);
}

#[test]
fn causes_of_waiting_are_no_results() {
    let text = "Cause                          Maximum       Average\n\
        fsync() on a file              248.3 msec    14.4 msec\n\
        Writing a page to disk         98.1 msec     12.0 msec\n";
    assert!(figures(text).is_empty());
    let results = "cause\tMB/s\tIOPS\nmerges-off\t1.811\t442.1\nreadahead\t26.18\t6391\n";
    assert_eq!(figures(results).len(), 4);
}

#[test]
fn lines_of_a_patch_are_before_it_and_after_it() {
    let text = "@@ -1,3 +1,3 @@\n-  read: IOPS=103k, BW=402MiB/s (422MB/s)(4096MiB/10173msec)\n\
        -    clat (usec): min=60, max=9012, avg=298.5, stdev=80.5\n\
        +  read: IOPS=93k, BW=362MiB/s (380MB/s)(4096MiB/11273msec)\n\
        +    clat (usec): min=60, max=9012, avg=318.5, stdev=80.5\n";
    let found = figures(text);
    assert_eq!(found.len(), 12, "{found:#?}");
    for figure in [
        "run=before fio read IOPS 103000",
        "run=after fio read IOPS 93000",
        "run=after fio read clat mean 318500",
    ] {
        assert!(found.iter().any(|line| line == figure), "{found:#?}");
    }
    let labelled =
        format!("- baseline\n{}", &text[16..]).replacen("+  read", "+ patched\n+  read", 1);
    let found = figures(&labelled);
    assert_eq!(found.len(), 12, "{found:#?}");
    let figure = "run=patched fio read clat mean 318500".to_owned();
    assert!(found.contains(&figure), "{found:#?}");
    assert_has(
        "Before:\n- seq read: 512 MB/s\nAfter:\n+ seq read: 530 MB/s\n",
        2,
        &["run=Before throughput 512000000"],
    );
    // Items of a list that are of two tests.
    let list = "- read: IOPS=103k, BW=402MiB/s\n+ write: IOPS=93k, BW=362MiB/s\n";
    assert!(
        figures(list)
            .iter()
            .all(|line| !line.contains("run=before"))
    );
}

#[test]
fn a_figure_may_say_what_it_was() {
    assert_has(
        "seq read: 512 MB/s (was 640)\nseq write: 402 MB/s (was 410 MB/s)\n",
        4,
        &[
            "run=before test=seq read throughput 640000000",
            "run=after test=seq write throughput 402000000",
        ],
    );
}

#[test]
fn cells_may_have_two_metrics() {
    let table = "| test | 6.1 | 6.6 |\n|---|---|---|\n\
        | randread | 101k IOPS / 512 MB/s | 95k IOPS / 371 MB/s |\n\
        | randwrite | 80k IOPS / 312 MB/s | 75k IOPS / 293 MB/s |\n";
    let aligned = "test         6.1                     6.6\n\
        randread     101k IOPS / 512 MB/s    95k IOPS / 371 MB/s\n\
        randwrite    80k IOPS / 312 MB/s     75k IOPS / 293 MB/s\n";
    for text in [table, aligned] {
        assert_has(
            text,
            8,
            &[
                "kernel=6.1 test=randread IOPS 101000",
                "kernel=6.6 test=randwrite throughput 293000000",
            ],
        );
    }
    let latencies = table.replace(" / ", " @ ").replace(" MB/s", " us");
    assert_has(&latencies, 8, &["kernel=6.1 test=randread latency 512000"]);
    // Of two rates, nobody knows which is which.
    let plain = table.replace("k IOPS / ", "/").replace(" MB/s", "");
    assert!(figures(&plain).is_empty());
    let sides = "| test | before/after MB/s |\n|---|---|\n| 4k | 512/530 |\n| 64k | 402/410 |\n";
    assert_has(
        sides,
        4,
        &[
            "run=before test=4k throughput 512000000",
            "run=after test=64k throughput 410000000",
        ],
    );
}

#[test]
fn a_deviation_is_no_figure() {
    assert_has(
        "6.1: mean 512.5 MB/s, stddev 4.5\n6.6: mean 480.5 MB/s, stddev 5.5\n",
        2,
        &["kernel=6.6 mean throughput 480500000"],
    );
}

#[test]
fn the_first_row_may_lack_cells() {
    assert_has(
        "             6.1         6.6         6.8         6.9\nrandread     512 MB/s    480 MB/s\n\
         randwrite    402 MB/s    377 MB/s    370 MB/s    366 MB/s\n",
        6,
        &[
            "kernel=6.6 test=randread throughput 480000000",
            "kernel=6.9 test=randwrite throughput 366000000",
        ],
    );
    assert_has(
        "             before      after\n4k read      101k IOPS\n\
         4k write     80k IOPS    75k IOPS\n",
        3,
        &[
            "run=before test=4k read IOPS 101000",
            "run=after test=4k write IOPS 75000",
        ],
    );
}

#[test]
fn operations_may_stand_in_front_of_rates() {
    assert_has(
        "- v5.10: randread 412k IOPS, randwrite 305k IOPS\n\
         - v5.15: randread 398k IOPS, randwrite 301k IOPS\n",
        4,
        &[
            "kernel=v5.10 op=randread IOPS 412000",
            "kernel=v5.15 op=randwrite IOPS 301000",
        ],
    );
}

#[test]
fn a_remark_below_a_rule_names_the_unit() {
    let table = "============  ========  ========\nworkload      6.1       6.6\n\
        ============  ========  ========\nrandread      101k      98k\n\
        randwrite     80k       78k\n============  ========  ========\n\n";
    for remark in ["All numbers are IOPS.", "IOPS, mean of five runs"] {
        let found = figures(&format!("{table}{remark}\n"));
        assert_eq!(found.len(), 4, "{found:#?}");
        assert!(
            found.iter().all(|line| line.contains(" IOPS ")),
            "{found:#?}"
        );
    }
}

#[test]
fn a_statistic_beside_a_percentile_is_a_latency() {
    assert_has(
        "6.1: avg 310 us, p99 1200 us, max 12 ms\n6.6: avg 330 us, p99 1500 us, max 9 ms\n",
        6,
        &[
            "kernel=6.1 avg latency 310000",
            "kernel=6.6 p99 1500000",
            "kernel=6.6 max latency 9000000",
        ],
    );
    let text = "6.1: avg 310 us, max 12 ms\n6.6: avg 330 us, max 9 ms\n";
    assert!(figures(text).is_empty());
    assert_eq!(figures(&format!("Latency:\n{text}")).len(), 4);
}

#[test]
fn parameters_and_verdicts_stand_around_figures() {
    assert_has(
        "before:\nfio randwrite, bs=4k, iodepth=32: 210k IOPS\n\
         after:\nfio randwrite, bs=4k, iodepth=32: 251k IOPS\n",
        2,
        &["run=before IOPS 210000", "run=after IOPS 251000"],
    );
    assert_has(
        "5.4.0: 498 MB/s\n5.8.0: 501 MB/s <- good\n5.11.0: 211 MB/s  <-- bad\n",
        3,
        &[
            "kernel=5.8.0 throughput 501000000",
            "kernel=5.11.0 throughput 211000000",
        ],
    );
    assert_has(
        "Before: IOPS=1012K, After: IOPS=1203K\n",
        2,
        &["run=Before IOPS 1012000", "run=After IOPS 1203000"],
    );
}

#[test]
fn numbered_runs_are_repeats() {
    for text in [
        "base: run1: 512 MB/s run2: 520 MB/s\npatched: run1: 530 MB/s run2: 535 MB/s\n",
        "base:\n  run 1: 512 MB/s\n  run 2: 520 MB/s\n\
         patched:\n  run 1: 530 MB/s\n  run 2: 535 MB/s\n",
    ] {
        assert_has(
            text,
            4,
            &[
                "run=base throughput 512000000",
                "run=base throughput 520000000",
                "run=patched throughput 535000000",
            ],
        );
    }
    assert_has(
        "run 1: 512 MB/s, run 2: 520 MB/s\n",
        2,
        &["throughput 512000000", "throughput 520000000"],
    );
}

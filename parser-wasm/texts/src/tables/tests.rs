//! Roles of columns that only their neighbours decide.

use crate::{TextInput, read};

#[test]
fn a_unit_of_sizes_beside_a_rate_is_the_size_of_blocks() {
    let set = read(&[TextInput {
        path: "mail.txt",
        argument: None,
        bytes: b"threads, KB, MB/s\n1, 4, 23.5\n2, 4, 19.25\n",
    }]);
    let [table] = set.tables.as_slice() else {
        panic!("{} tables", set.tables.len());
    };
    assert_eq!(
        (
            table.common[0].name.as_str(),
            table.common[0].value.as_str()
        ),
        ("KB", "4")
    );
    let values: Vec<Vec<f64>> = table
        .runs
        .iter()
        .map(|run| run.figures.iter().map(|figure| figure.value).collect())
        .collect();
    assert_eq!(values, [[23.5e6], [19.25e6]]);
}

/// `kernel=5.10 test=read throughput 12062000` for each figure of a text.
fn figures(text: &str) -> Vec<String> {
    let set = read(&[TextInput {
        path: "mail.txt",
        argument: None,
        bytes: text.as_bytes(),
    }]);
    let mut found = Vec::new();
    for table in &set.tables {
        for run in &table.runs {
            let named = table.dimensions.iter().zip(&run.values);
            let named: Vec<String> = named.map(|(d, v)| format!("{}={v}", d.name)).collect();
            for figure in &run.figures {
                found.push(format!(
                    "{} {} {}",
                    named.join(" "),
                    figure.label,
                    figure.value
                ));
            }
        }
    }
    found
}

#[test]
fn a_table_may_have_one_blank_between_its_columns() {
    let text = "test before (MB/s) after (MB/s)\nseq read 512.3 431.1\nrand read 61.2 88.4\n";
    assert_eq!(
        figures(text),
        [
            "run=before test=seq read throughput 512299999.99999994",
            "run=after test=seq read throughput 431100000",
            "run=before test=rand read throughput 61200000",
            "run=after test=rand read throughput 88400000"
        ]
    );
    let text = "MB/s 5.10 5.15\nrun 1 211.2 188.1\nrun 2 214.9 190.2\n";
    assert_eq!(figures(text).len(), 4);
}

#[test]
fn a_corner_may_name_the_columns() {
    let text = "kernel      5.10   6.1\nread  12 MB/s    13 MB/s\nwrite  4 MB/s   5 MB/s\n";
    assert_eq!(
        figures(text),
        [
            "kernel=5.10 test=read throughput 12000000",
            "kernel=6.1 test=read throughput 13000000",
            "kernel=5.10 test=write throughput 4000000",
            "kernel=6.1 test=write throughput 5000000",
        ]
    );
}

#[test]
fn rows_of_statistics_are_read_without_a_unit() {
    let text = "Old:\n\n     1 thread  2 threads\navg: 12.062    12.138\nstd: 0.56791   0.9351\n\n\
        New:\n\n     1 thread* 2 threads\navg: 12.8575   9.864\nstd: 0.55265   0.29846\n";
    assert_eq!(
        figures(text),
        [
            "run=Old threads=1 avg 12.062",
            "run=Old threads=2 avg 12.138",
            "run=New threads=1 avg 12.8575",
            "run=New threads=2 avg 9.864",
        ]
    );
    // Statistics of something else.
    let people = "      height  weight\navg: 175.2    71.5\nstd: 8.1   9.35\n";
    assert!(figures(people).is_empty());
    let measured = "      5.10   6.1\navg  12 MB/s  13 MB/s\nmin  4 MB/s  5 MB/s\n";
    assert_eq!(figures(measured).len(), 4);
}

#[test]
fn rows_of_events_are_no_results() {
    let events = [
        "TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  LAT(ms)\n\
         0.000000    dd             12     sda     R 3870         4096    1.25\n\
         0.100000    dd             12     sda     R 3878         4096    1.75\n",
        "TIME(s)     DISK    T BYTES  LAT(ms)\n\
         0.000000    sda     R 4096    1.25\n0.100000    sda     W 4096    1.75\n",
        "TIME,D,BYTES,LAT(ms)\n0.5,R,4096,1.25\n0.6,WS,4096,1.75\n",
        "test,latency (ms)\nread,1718091776138654.71\nwrite,1718091776138654.75\n",
    ];
    for text in events {
        assert!(figures(text).is_empty(), "{text}");
    }
    assert_eq!(
        figures("test,latency (ms)\nread,1.25\nwrite,1.75\n").len(),
        2
    );
}

#[test]
fn lists_of_sides_are_compared_with_the_unit_above_them() {
    let expected = [
        "kernel=5.10 throughput 512000000",
        "kernel=6.1 throughput 431000000",
    ];
    for text in [
        "Results (MB/s):\n  5.10: 512\n  6.1: 431\n",
        "- 5.10: 512 MB/s\n- 6.1: 431 MB/s\n",
        "5.10 = 512 MB/s\n6.1 = 431 MB/s\n",
        "Throughput, MB/s:\n\n5.10   512\n6.1    431\n",
    ] {
        assert_eq!(figures(text), expected, "{text}");
    }
    assert_eq!(
        figures("Time to untar (s):\n\next4   75.5\nxfs    61.5\n"),
        [
            "filesystem=ext4 time 75500000000",
            "filesystem=xfs time 61500000000"
        ]
    );
    assert_eq!(
        figures("randread: 25.6k -> 20.5k IOPS\n"),
        ["run=before IOPS 25600", "run=after IOPS 20500"]
    );
    // A list of anything below a title with a unit.
    for text in [
        "Timeouts (s):\n  link: 5\n  reset: 10\n",
        "Timeouts (s):\n  none: 5\n  bfq: 10\n",
        "Retry interval, ms:\nold: 5\nnew: 6\n",
        "scsi 0: 6.0 Gb/s\nscsi 1: 3.0 Gb/s\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}

#[test]
fn units_stand_below_behind_and_within_headings() {
    let below =
        "         1 thread   4 threads\n5.15     112.5      312.5\n6.1      105.5      295.5\n";
    for remark in ["(MB/s)\n", "\n(all in MB/s)\n"] {
        let found = figures(&format!("{below}{remark}"));
        assert_eq!(found[0], "kernel=5.15 threads=1 throughput 112500000");
        assert_eq!(found.len(), 4);
    }
    let behind = "              before         after\nread     512.5 (4.1)   531.5 (3.2)   MB/s\n\
        write    412.5 (4.1)   431.5 (3.2)   MB/s\n";
    assert_eq!(
        figures(behind)[1],
        "run=after test=read throughput 531500000"
    );
    let within = "| jobs | IOPS (6.1) | IOPS (6.6) | p99 us (6.1) | p99 us (6.6) |\n|-|-|-|-|-|\n\
        | 1 | 25600 | 20500 | 900 | 1200 |\n| 8 | 125600 | 120500 | 1900 | 2200 |\n";
    assert!(figures(within).contains(&"kernel=6.6 jobs=8 p99 2200000".to_owned()));
    assert!(figures(within).contains(&"kernel=6.1 jobs=1 IOPS 25600".to_owned()));
}

#[test]
fn a_unit_behind_the_first_row_is_that_of_the_rows_below_it() {
    let head = "            base   patched\n";
    let once = format!("{head}read         512     520  MB/s\nwrite        301     330\n");
    assert_eq!(
        figures(&once),
        [
            "run=base test=read throughput 512000000",
            "run=patched test=read throughput 520000000",
            "run=base test=write throughput 301000000",
            "run=patched test=write throughput 330000000",
        ]
    );
    // What is no operation may have another unit.
    for label in ["latency     ", "write errors"] {
        let rates = figures(&format!(
            "{head}read         512     520  MB/s\n{label}  301     330\n"
        ));
        let is_rate = |figure: &String| figure.contains("throughput 301000000");
        assert!(!rates.iter().any(is_rate), "{rates:?}");
    }
    let thousands =
        format!("{head}read        12.5    13.5  kop/s\nwrite       10.5    11.5  kop/s\n");
    assert_eq!(figures(&thousands)[0], "run=base test=read kop/s 12500");
}

#[test]
fn a_line_has_the_figures_of_several_sides() {
    for text in [
        "read: base 512 MB/s, patched 530 MB/s\nwrite: base 301 MB/s, patched 330 MB/s\n",
        "read: base=512MB/s, patched=530\nwrite: base=301MB/s, patched=330\n",
        "read: base 512, patched 530 MB/s\nwrite: base 301, patched 330 MB/s\n",
    ] {
        assert_eq!(
            figures(text),
            [
                "run=base test=read throughput 512000000",
                "run=patched test=read throughput 530000000",
                "run=base test=write throughput 301000000",
                "run=patched test=write throughput 330000000",
            ],
            "{text}"
        );
    }
    let arrow = figures("read: 512 -> 431MB/s\nwrite: 25.5k -> 20.5k IOPS\n");
    assert_eq!(arrow[0], "run=before throughput 512000000", "{arrow:?}");
    assert_eq!(arrow[2], "run=before IOPS 25500", "{arrow:?}");
    // Sizes of blocks and operations are no sides, and these are no figures.
    for text in [
        "read: 4k 512 MB/s, 8k 600 MB/s\nwrite: 4k 412 MB/s, 8k 500 MB/s\n",
        "kernel: old 4.4.0, new 5.10.1\nfruit: old 1 apple, new 2 pears\n",
    ] {
        assert!(figures(text).is_empty(), "{:?}", figures(text));
    }
}

#[test]
fn a_line_has_the_repeats_of_a_side() {
    for text in [
        "base: 1,203 1,199 1,210 MB/s\npatched: 1,303 1,299 1,310 MB/s\n",
        "base: 1203, 1199, 1210 MB/s\npatched: 1303, 1299, 1310 MB/s\n",
    ] {
        let found = figures(text);
        assert_eq!(found.len(), 6, "{found:?}");
        assert!(
            found[1].starts_with("run=base ") && found[1].ends_with(" 1199000000"),
            "{found:?}"
        );
        assert!(found[5].starts_with("run=patched ") && found[5].ends_with(" 1310000000"));
    }
    // Percentiles and sizes are no repeats.
    for text in [
        "latency: 1.2 3.4 5.6 ms\nsize: 4 8 16 KB\n",
        "old: 4 8 16 KB\nnew: 4 8 16 KB\n",
    ] {
        assert!(figures(text).is_empty(), "{:?}", figures(text));
    }
}

#[test]
fn a_line_has_the_rates_of_several_operations() {
    let text = "4.14: 120k read IOPS, 40k write IOPS\n4.19: 100k read IOPS, 38k write IOPS\n";
    let found = figures(text);
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(
        found.contains(&"kernel=4.14 op=read IOPS 120000".to_owned()),
        "{found:?}"
    );
    assert!(
        found.contains(&"kernel=4.19 op=write IOPS 38000".to_owned()),
        "{found:?}"
    );
}

#[test]
fn a_row_may_have_no_change() {
    let head = "MB/s\n\n            base   patched   diff vs base\n";
    let rows = [
        "read         512       520\n",
        "write        301       330      +9.6%\n",
        "randread     120       131      +9.2%\n",
    ];
    for order in [[0, 1, 2], [1, 0, 2], [1, 2, 0]] {
        let text: String = order.iter().map(|&row| rows[row]).collect();
        let found = figures(&format!("{head}{text}"));
        assert_eq!(found.len(), 6, "{found:?}");
        assert!(found.contains(&"run=base test=read throughput 512000000".to_owned()));
        assert!(found.contains(&"run=patched test=write throughput 330000000".to_owned()));
    }
}

#[test]
fn a_label_ends_before_a_figure_with_its_spread() {
    let text = "IOPS\n\n            base            patched\n\
        read 12.5k ( +- 1.2%)  13.5k ( +- 0.9%)\nwrite 8.5k ( +- 1.2%)  9.5k ( +- 0.9%)\n";
    assert_eq!(
        figures(text),
        [
            "run=base test=read IOPS 12500",
            "run=patched test=read IOPS 13500",
            "run=base test=write IOPS 8500",
            "run=patched test=write IOPS 9500",
        ]
    );
}

#[test]
fn headings_of_markdown_go_on_below_the_rule() {
    let text = "| | randread | | randwrite | |\n|---|---|---|---|---|\n| | 6.1 | 6.2 | 6.1 | 6.2 |\n\
        | 4k IOPS | 25600 | 20480 | 12800 | 10240 |\n| 64k IOPS | 5600 | 5480 | 2800 | 2240 |\n";
    let found = figures(text);
    assert_eq!(found.len(), 8, "{found:?}");
    let has = |kernel: &str, op: &str, value: &str| {
        found.iter().any(|figure| {
            let named = figure.contains(&format!("kernel={kernel} "));
            named && figure.contains(op) && figure.contains("4k") && figure.ends_with(value)
        })
    };
    assert!(
        has("6.1", "randread", " 25600") && has("6.2", "randread", " 20480"),
        "{found:?}"
    );
    assert!(
        has("6.1", "randwrite", " 12800") && has("6.2", "randwrite", " 10240"),
        "{found:?}"
    );
}

#[test]
fn figures_in_a_line_are_told_apart_by_their_metrics() {
    let count = |text: &str| {
        let set = read(&[TextInput {
            path: "mail.txt",
            argument: None,
            bytes: text.as_bytes(),
        }]);
        let runs = set.tables.iter().flat_map(|table| &table.runs);
        runs.map(|run| run.figures.len()).sum::<usize>()
    };
    assert_eq!(
        count("before: IOPS=12k, BW=48MiB/s\nafter: IOPS=14k, BW=55MiB/s\n"),
        4
    );
    // Nothing says what the second rate is of.
    assert_eq!(
        count("before: 512 MB/s, 480 MB/s\nafter: 431 MB/s, 402 MB/s\n"),
        0
    );
}

#[test]
fn changes_behind_the_last_heading_are_no_figures() {
    let read = "kernel=5.10 test=read throughput 12000000";
    let expected = [read, "kernel=6.1 test=read throughput 13000000"];
    for text in [
        "test   5.10      6.1\nread   12 MB/s   13 MB/s   +8%\nwrite  12 MB/s   13 MB/s   +8%\n",
        "       5.10      6.1\nread   12 MB/s   13 MB/s   8.3%\nwrite  12 MB/s   13 MB/s   8.3%\n",
        "test   5.10      6.1\nread   12 MB/s   13 MB/s   1.08x\n\
                  write  12 MB/s   13 MB/s   1.08x\n",
    ] {
        let found = figures(text);
        assert_eq!(found.len(), 4, "{text}{found:?}");
        assert!(
            expected
                .iter()
                .all(|figure| found.iter().any(|f| f == figure)),
            "{found:?}"
        );
    }
    let units = "size   old     new\n4KiB   101.5   103.5  MB/s  (+2.0%)\n\
                  64KiB  812.5   809.5  MB/s  (-0.4%)\n";
    let found = figures(units);
    assert!(
        found
            .iter()
            .any(|figure| figure.contains("old") && figure.ends_with(" 101500000")),
        "{found:?}"
    );
    let spread = "IOPS\n        vanilla           patched\n\
                  read    12.4k ( +- 1.2%)   13k ( +- 0.8%)   +9.4%\n\
                  write   2k ( +- 1.2%)      3k ( +- 0.8%)    +50%\n";
    assert_eq!(
        figures(spread),
        [
            "run=vanilla test=read IOPS 12400",
            "run=patched test=read IOPS 13000",
            "run=vanilla test=write IOPS 2000",
            "run=patched test=write IOPS 3000",
        ]
    );
}

#[test]
fn probabilities_and_deviations_are_no_sides() {
    for heading in ["p-value", "+-%", "\u{b1}%", "P value"] {
        let text = format!(
            "MB/s\n\njobs   base   {heading}   patched   {heading}\n\
                  1      100    0.1       120       0.2\n\
             2      200    0.1       220       0.2\n"
        );
        let found = figures(&text);
        assert_eq!(found.len(), 4, "{heading}: {found:?}");
    }
}

#[test]
fn a_speed_up_is_a_change() {
    let text = "size   old (s)   new (s)   speed-up\n1 GB   2.1       1.9       10.5 %\n\
                10 GB  21.5      18.8      14.4 %\n";
    let found = figures(text);
    assert!(
        found.iter().all(|figure| figure.contains(" time ")),
        "{found:?}"
    );
}

#[test]
fn commas_are_those_of_the_table() {
    let text = "kernel;MB/s;ms\n5.10;1.234,56;0,812\n6.1;987,10;1,012\n";
    let found = figures(text);
    for figure in [
        "throughput 1234560000",
        "throughput 987100000",
        "time 812000",
        "time 1012000",
    ] {
        assert!(
            found.iter().any(|found| found.ends_with(figure)),
            "{figure} {found:?}"
        );
    }
    let points = "| IOPS | 5.10 | 6.1 |\n|---|---|---|\n| read | 1.234.567 | 1.300.000 |\n\
                  | write | 234.567 | 245.000 |\n";
    let found = figures(points);
    for figure in ["IOPS 1234567", "IOPS 234567", "IOPS 245000"] {
        assert!(
            found.iter().any(|found| found.ends_with(figure)),
            "{figure} {found:?}"
        );
    }
    // Nothing shows what the separators of these are.
    let found = figures("| IOPS | 5.10 | 6.1 |\n|---|---|---|\n| read | 234.567 | 1,500 |\n");
    for figure in ["IOPS 234.567", "IOPS 1500"] {
        assert!(
            found.iter().any(|found| found.ends_with(figure)),
            "{figure} {found:?}"
        );
    }
}

#[test]
fn a_multiple_behind_the_unit_belongs_to_it() {
    for heading in ["IOPS (k)", "read IOPS [K]", "ops/s (in thousands)"] {
        let found = figures(&format!(
            "| kernel | {heading} |\n|---|---|\n| 5.10 | 12.5 |\n| 6.1 | 13 |\n"
        ));
        assert!(
            found.iter().any(|figure| figure.ends_with(" 12500")),
            "{found:?}"
        );
    }
    let found =
        figures("IOPS (k) and depth\n\nQD      1      4\n6.1   12.5   44.5\n6.2   13.5   45.5\n");
    assert!(
        found.iter().any(|figure| figure.ends_with(" 12500")),
        "{found:?}"
    );
    let sides = "|   | 5.10 | 5.10 | 6.1 | 6.1 |\n\
                  | jobs | IOPS (k) | lat (us) | IOPS (k) | lat (us) |\n\
                 |---|---|---|---|---|\n| 1 | 12.5 | 81 | 13 | 77 |\n| 8 | 95 | 83 | 101 | 79 |\n";
    let found = figures(sides);
    assert!(
        found.contains(&"kernel=5.10 jobs=1 IOPS 12500".to_owned()),
        "{found:?}"
    );
}

#[test]
fn bounds_ranges_and_clocks_are_left_out() {
    let text = "| test | 5.15 | 6.1 |\n|---|---|---|\n| write | ~500 MB/s | ~350 MB/s |\n\
                | read | >1.1 GB/s | 900 MB/s |\n| both | 40-45 MB/s | 30-35 MB/s |\n";
    assert_eq!(
        figures(text),
        [
            "kernel=5.15 test=write throughput 500000000",
            "kernel=6.1 test=write throughput 350000000",
            "kernel=6.1 test=read throughput 900000000",
        ]
    );
    let clocks =
        "          5.4       5.10\nresync    2:11:05   3:02:44\nfsck      12m3s     15m44s\n";
    assert_eq!(
        figures(clocks),
        [
            "kernel=5.4 time 723000000000",
            "kernel=5.10 time 944000000000",
        ]
    );
}

#[test]
fn modes_of_caches_are_no_operations() {
    let text = "         none        writeback\nread     12 IOPS     13 IOPS\n\
                  write    2 IOPS      3 IOPS\n";
    assert_eq!(
        figures(text),
        [
            "run=none test=read IOPS 12",
            "run=writeback test=read IOPS 13",
            "run=none test=write IOPS 2",
            "run=writeback test=write IOPS 3",
        ]
    );
}

#[test]
fn releases_below_headings_are_no_figures() {
    let text = "stripe cache, MB/s\n\
                  \n       chunk 64k      chunk 512k\n       5.15    6.1    5.15   6.1\n\
                256    212     201    312    290\n1024   312     299    412    377\n";
    let found = figures(text);
    assert_eq!(found.len(), 8, "{found:?}");
    assert!(
        !found.iter().any(|figure| figure.ends_with(" 6100000")),
        "{found:?}"
    );
}

#[test]
fn a_corner_may_name_the_numbers_over_the_columns() {
    let text = "IOPS\n\njobs      1      8\nv6.2   101k   690k\nv6.3    99k   702k\n";
    let found = figures(text);
    assert!(
        found.contains(&"kernel=v6.3 jobs=8 IOPS 702000".to_owned()),
        "{found:?}"
    );
}

#[test]
fn names_of_labels_may_be_in_the_second_line_of_headings() {
    let text = "|   |   | read |   | write |   |\n|---|---|---|---|---|---|\n\
                | kernel | bs | IOPS | lat (ms) | IOPS | lat (ms) |\n\
                | 5.10 | 4k | 12001 | 2.5 | 4012 | 7.5 |\n| 6.1 | 4k | 13001 | 2 | 4112 | 7 |\n";
    let found = figures(text);
    assert!(
        found.contains(&"kernel=6.1 op=write IOPS 4112".to_owned()),
        "{found:?}"
    );
}

#[test]
fn items_may_have_the_names_of_their_figures_beside_them() {
    let text = "- before: 1.5M IOPS, 83.5us average latency\n- after: 1.6M IOPS, p99 79 us\n";
    assert_eq!(
        figures(text),
        [
            " IOPS 1500000",
            " average latency 83500",
            " IOPS 1600000",
            " p99 79000",
        ]
    );
    let text = "6.0:  bw=812MB/s iops=208k lat=153us\n6.1:  bw=912MB/s iops=233k lat=136us\n";
    let found = figures(text);
    assert_eq!(found.len(), 6, "{found:?}");
    assert!(
        found.contains(&"kernel=6.1 lat 136000".to_owned()),
        "{found:?}"
    );
}

#[test]
fn headings_without_cells_of_their_own_are_over_several_columns() {
    for rule in ["", "|------|---------|---------|---------|---------|\n"] {
        let text = format!(
            "IOPS\n\n|      |     jobs 1        |      jobs 4       |\n\
             | bs   |   old   |   new   |   old   |   new   |\n{rule}\
             | 4k   |   120   |   130   |   410   |   450   |\n\
             | 16k  |   100   |   105   |   360   |   370   |\n"
        );
        let found = figures(&text);
        assert_eq!(found.len(), 8, "{found:?}");
        for parts in [
            ["bs=4k", "old", "jobs 4", " 410"],
            ["bs=16k", "new", "jobs 1", " 105"],
        ] {
            let has_all = |figure: &String| parts.iter().all(|part| figure.contains(part));
            assert!(found.iter().any(has_all), "{parts:?} {found:?}");
        }
    }
}

#[test]
fn bars_may_divide_groups_of_columns() {
    let text = "Latency (us)\n\
                  \n     |     6.1       |     6.2\n pct |  hdd     ssd  |  hdd     ssd\n\
                -----+---------------+-------------\n p50 |  8192    82   |  8100    80\n\
                 p99 |  21000   140  |  19000   120\n";
    let found = figures(text);
    assert_eq!(found.len(), 8, "{found:?}");
    for parts in [
        ["p50", "hdd", "6.1", " 8192000"],
        ["p99", "ssd", "6.2", " 120000"],
    ] {
        let has_all = |figure: &String| parts.iter().all(|part| figure.contains(part));
        assert!(found.iter().any(has_all), "{parts:?} {found:?}");
    }
}

#[test]
fn statistics_may_be_below_sides() {
    let text = "IOPS\n\n            before             after\n\
                  test      mean    stddev    mean    stddev   diff\n\
                read      100k    1k        110k    2k       +10%\n\
                write     81k     2k        80k     2k       -1%\n";
    let found = figures(text);
    for figure in [
        "run=before test=read IOPS mean 100000",
        "run=after test=write IOPS mean 80000",
    ] {
        assert!(found.contains(&figure.to_owned()), "{found:?}");
    }
}

#[test]
fn headings_that_repeat_below_groups_belong_to_them() {
    let text = "                  master               patched\n\
                \x20        tps       latency avg  tps      latency avg\n\
                read     812       0.5 ms       831      0.25 ms\n\
                simple-u 412       1.5 ms       441      1.25 ms\n";
    let found = figures(text);
    for figure in [
        "run=master test=simple-u tps 412",
        "run=patched test=read latency avg 250000",
    ] {
        assert!(found.contains(&figure.to_owned()), "{found:?}");
    }
    assert_eq!(found.len(), 8);
}

#[test]
fn releases_below_a_lone_heading_are_no_row() {
    let text = "IOPS\n         5.15    6.1     6.1\n                         +fix\n\
                sda      101k    81k     102k\n";
    let found = figures(text);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_title_above_bars_is_no_heading() {
    let text = "latency per bs [us]\n\
                bs     |  base  | patch  | diff\n-------|--------|--------|------\n\
                4K     |   81.5 |   79.5 | -2.0\n64K    |  121.5 |  119.5 | -2.0\n";
    assert_eq!(
        figures(text),
        [
            "run=base bs=4K latency 81500",
            "run=patch bs=4K latency 79500",
            "run=base bs=64K latency 121500",
            "run=patch bs=64K latency 119500",
        ]
    );
}

#[test]
fn percentiles_beside_statistics_have_the_side_above_them() {
    let text = "               Base             Patched\n\
                \x20            mean    p99      mean    p99\n\
                randread     101us   210us    99us    201us\n\
                randwrite     31us   512us    30us    312us\n";
    let found = figures(text);
    assert!(
        found.contains(&"run=Patched test=randread p99 201000".to_owned()),
        "{found:?}"
    );
}

#[test]
fn names_of_patches_are_sides() {
    let text = "Elapsed (s)      mainline   +patch1   +patch1,2\n\
                mkfs                 12.5      11.5        10.5\n\
                fsstress            312.5     290.5       280.5\n";
    let found = figures(text);
    for figure in [
        "run=mainline test=mkfs time 12500000000",
        "run=+patch1 test=mkfs time 11500000000",
    ] {
        assert!(found.contains(&figure.to_owned()), "{found:?}");
    }
}

#[test]
fn columns_about_sides_are_no_sides() {
    for heading in ["5.10/5.4", "n", "winner", "x faster", "t-test"] {
        let text = format!(
            "MB/s\n\n| disks | 5.4 | 5.10 | {heading} |\n|---|---|---|---|\n\
             | 1 | 201 | 199 | 0.9 |\n| 2 | 401 | 312 | 0.8 |\n"
        );
        assert_eq!(
            figures(&text),
            [
                "kernel=5.4 disks=1 throughput 201000000",
                "kernel=5.10 disks=1 throughput 199000000",
                "kernel=5.4 disks=2 throughput 401000000",
                "kernel=5.10 disks=2 throughput 312000000",
            ],
            "{heading}"
        );
    }
}

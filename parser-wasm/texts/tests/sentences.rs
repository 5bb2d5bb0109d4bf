//! Sentences that compare figures, in one line and in several.

mod shown;

use shown::{assert_has, figures};

#[test]
fn a_sentence_says_what_changed() {
    assert_has(
        "Since then the random write throughput dropped from 1450 MB/s to 910.\n",
        2,
        &[
            "run=before random write throughput 1450000000",
            "run=after random write throughput 910000000",
        ],
    );
    assert_has(
        "bw went from 2.5GB/s to 1.5GB/s, iops fell from 512k to 410k.\n",
        4,
        &["run=before bw 2500000000", "run=after IOPS 410000"],
    );
    assert_has(
        "Random read IOPS dropped from 312k to 250k when we went from 6.1 to 6.6. Is it known?\n",
        2,
        &["run=6.1 IOPS 312000", "run=6.6 IOPS 250000"],
    );
    for text in [
        "throughput dropped from 1450 MB/s to 910 IOPS\n",
        "IOPS dropped from 312k to 250k when the load went from 6.1 to 16.6\n",
        "IOPS went from 6.1 to 6.6\n",
        "The limit of the throughput went from 1450 MB/s to 910 MB/s\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}

#[test]
fn a_sentence_names_sides_in_front_of_their_rates() {
    assert_has(
        "The old kernel reaches 1203 MB/s, the new one 1010 MB/s.\n",
        2,
        &[
            "run=old throughput 1203000000",
            "run=new throughput 1010000000",
        ],
    );
    assert_has(
        "With 5.10 I measured 512 MB/s while 5.15 only gives 310 MB/s. It is the same disk.\n",
        2,
        &[
            "run=5.10 throughput 512000000",
            "run=5.15 throughput 310000000",
        ],
    );
    for text in [
        "The old 500 MB/s disk was replaced, the new 3500 MB/s one is fine.\n",
        "The new disk is rated at 3500 MB/s, the old one at 550 MB/s.\n",
        "Copying took 12 minutes on the old kernel at 138 MB/s, on the new one 90 MB/s.\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}

#[test]
fn a_sentence_may_be_behind_others_in_a_long_line() {
    let paragraph = "We upgraded our database servers last week, and since then the jobs of the \
        night take much longer. The disks are four SSDs behind a controller. On 5.4 sequential \
        reads reach 1450 MB/s, on 5.15 only 910 MB/s. Nothing else was changed.\n";
    assert_has(
        paragraph,
        2,
        &[
            "run=5.4 throughput 1450000000",
            "run=5.15 throughput 910000000",
        ],
    );
    assert!(
        figures("The rated speed is 3500 MB/s. I expect 3000 MB/s from 6.1. Is it slow?\n")
            .is_empty()
    );
}

#[test]
fn a_sentence_may_be_wrapped_anywhere() {
    let sentence = "Since the update of our machines the random write throughput dropped from \
        1450 MB/s to 910 MB/s, and nothing else was changed.";
    let positions = sentence.match_indices(' ').map(|(at, _)| at);
    for at in positions.filter(|at| (45..80).contains(at)) {
        let text = format!("{}\n{}\n", &sentence[..at], &sentence[at + 1..]);
        assert_has(
            &text,
            2,
            &[
                "run=before random write throughput 1450000000",
                "run=after random write throughput 910000000",
            ],
        );
    }
    assert_has(
        "On the machine with the two disks throughput went from 950 MB/s to 1.1\nGB/s.\n",
        2,
        &["run=after throughput 1100000000"],
    );
    assert_has(
        "The backup takes much longer. With the old kernel I get 512 MB/s, and with\n\
         the new one it is 480 MB/s. Is that known?\n",
        2,
        &[
            "run=old throughput 512000000",
            "run=new throughput 480000000",
        ],
    );
    assert_has(
        "Sequential reads dropped from 512 MB/s to 480 MB/s and sequential writes\n\
         dropped from 431 MB/s to 402 MB/s.\n",
        4,
        &[
            "run=before op=Sequential reads throughput 512000000",
            "run=after op=sequential writes throughput 402000000",
        ],
    );
    // The end of the sentence is not in the text.
    let text = "On the machine with the two disks throughput went from 950 MB/s to 1.1\n\nThanks\n";
    assert!(figures(text).is_empty());
}

#[test]
fn a_change_may_be_what_somebody_does() {
    assert_has(
        "This patch improves random read IOPS from 101k to 120k, and reduces p99 latency from \
         12ms to 3ms.\n",
        4,
        &["run=after IOPS 120000", "run=before p99 latency 12000000"],
    );
    assert_has(
        "Reads dropped by 6% from 512 MB/s to 480 MB/s.\n\
         Writes dropped to 377 MB/s from 402 MB/s.\n",
        4,
        &[
            "run=before op=Reads throughput 512000000",
            "run=after op=Writes throughput 377000000",
        ],
    );
    assert_has(
        "Reads dropped from 512 MB/s to 480 MB/s and writes dropped from 402 MB/s to 377 MB/s.\n",
        4,
        &[
            "run=before op=Reads throughput 512000000",
            "run=after op=writes throughput 377000000",
        ],
    );
    assert_has(
        "IOPS went from 80k to 101k, which is not bad.\n",
        2,
        &["run=after IOPS 101000"],
    );
    assert_has(
        "seq read goes from 1.25 GB/s to 950 MB/s\n",
        2,
        &["run=before throughput 1250000000"],
    );
    assert_has(
        "On my laptop sequential reads went from 1450 MB/s \u{2192} 910 MB/s after the upgrade.\n",
        2,
        &["run=after throughput 910000000"],
    );
    assert_has(
        "read throughput went from 512 MB/s on 5.10 to 480 MB/s on 6.1\n",
        2,
        &[
            "run=5.10 read throughput 512000000",
            "run=6.1 read throughput 480000000",
        ],
    );
    assert_has(
        "Throughput dropped from 1.25 GB/s down to 870 MB/s for sequential reads and from \
         410 MB/s to 395 MB/s for writes.\n",
        4,
        &[
            "run=before op=sequential reads Throughput 1250000000",
            "run=after op=writes Throughput 395000000",
        ],
    );
    for text in [
        "Throughput dropped from 1.25 GB/s to 870 MB/s and from 410 MB/s to 395 MB/s.\n",
        "Two threads went from 429 MB/s to 81 MB/s.\n",
        "The price of reads dropped from 512 USD to 480 USD.\n",
        "I expect that the throughput will increase from 512 MB/s to 1 GB/s.\n",
        "A larger queue could improve IOPS from 100k to 120k.\n",
        "Read and write throughput dropped from 512 MB/s to 480 MB/s.\n",
        "The throughput did not drop from 512 MB/s to 480 MB/s.\n",
        "I cut the bandwidth in the config from 100 MB/s to 50 MB/s.\n",
        "IOPS went from 80k to 90k to 101k.\n",
        "IOPS went from 80k to 101k and back to 79k.\n",
        "The rates of reads range from 512 MB/s to 480 MB/s.\n",
        "read throughput went from 512 MB/s on 5.10 to 480 MB/s on the same disk\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}

#[test]
fn a_side_may_be_behind_its_figure() {
    for text in [
        "512 MB/s with 5.10, 480 MB/s with 6.1\n",
        "I get 512 MB/s on kernel 5.10 and 480 MB/s on 6.1 with the same disk.\n",
        "512 MB/s (5.10), 480 MB/s (6.1)\n",
        "512 MB/s (5.10)\n480 MB/s (6.1)\n",
        "512 MB/s with 5.10\n480 MB/s with 6.1\n",
    ] {
        assert_has(
            text,
            2,
            &[
                "run=5.10 throughput 512000000",
                "run=6.1 throughput 480000000",
            ],
        );
    }
    assert_has(
        "seq read: 512 MB/s (5.10), 480 MB/s (6.1)\nseq write: 402 MB/s (5.10), 377 MB/s (6.1)\n",
        4,
        &["run=6.1 test=seq write throughput 377000000"],
    );
    assert_has(
        "It is a regression of 10% that everybody sees: 412k IOPS before, 371k IOPS after.\n",
        2,
        &["run=before IOPS 412000"],
    );
    assert_has(
        "I measured 512 MB/s without the patch and 530 MB/s with the patch.\n",
        2,
        &["run=with the patch throughput 530000000"],
    );
    assert_has(
        "ext4 gets 512 MB/s and xfs gets 530 MB/s.\n",
        2,
        &["run=ext4 throughput 512000000"],
    );
    for text in [
        "With 5.10 on the old disk I get 512 MB/s, with 6.1 480 MB/s.\n",
        "I got 512 MB/s with 5.10 and with 6.1 480 MB/s.\n",
        "More than 512 MB/s on ext4 and 480 MB/s on xfs are throttled.\n",
        "none of the disks reaches 512 MB/s, and bfq gives 480 MB/s.\n",
        "It wrote 512 MB/s before it crashed, and 480 MB/s after that it hung.\n",
        // No release is the time of a copy.
        "It took 3.2 seconds at 512 MB/s, and 4.1 seconds at 480 MB/s.\n",
        // Reads are not compared with writes.
        "5.10 reads at 512 MB/s and 6.1 writes at 480 MB/s.\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}

#[test]
fn a_rate_may_have_another_one_in_brackets() {
    for text in [
        "6.1: 101k IOPS (395 MB/s)\n6.6: 95k IOPS (371 MB/s)\n",
        "With 6.1 I get 101k IOPS (395 MB/s), with 6.6 95k IOPS (371 MB/s).\n",
        "| kernel | randread |\n|---|---|\n| 6.1 | 101k IOPS (395 MB/s) |\n\
         | 6.6 | 95k IOPS (371 MB/s) |\n",
    ] {
        let found = figures(text);
        assert_eq!(found.len(), 4, "{found:#?}");
        for (side, figure) in [("6.1", "throughput 395000000"), ("6.6", "IOPS 95000")] {
            let mut lines = found.iter();
            let is_found = lines.any(|line| line.contains(side) && line.ends_with(figure));
            assert!(is_found, "{side} {figure}: {found:#?}");
        }
    }
    assert_has(
        "randread: 101k IOPS (395 MB/s) -> 95k IOPS (371 MB/s)\n",
        4,
        &["run=after throughput 371000000"],
    );
    // How long it took is no second figure, and the same rate in other bytes is none.
    let text = "6.1: 512 MB/s (9.3 s)\n6.6: 480 MB/s (457.8 MiB/s)\n";
    assert_eq!(figures(text).len(), 2);
}

#[test]
fn a_sentence_with_another_change_that_is_not_understood_is_not_read() {
    for text in [
        "Reads dropped from 429 MB/s to 81 MB/s on\n14 drives, and from 541 MB/s with\n28.\n",
        "Reads dropped from 429 MB/s to 81 MB/s on\n14 drives, and from 541 MB/s to 99 with 28.\n",
        "Reads dropped from 429 MB/s to 81 MB/s, from 541 MB/s with more drives.\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
    let complete = "Reads dropped from 429 MB/s to 81 MB/s on\n14 drives.\n";
    assert_has(
        complete,
        2,
        &[
            "run=before throughput 429000000",
            "run=after throughput 81000000",
        ],
    );
}

#[test]
fn two_sentences_may_be_about_one_side_each() {
    let both = [
        "run=old throughput 512000000",
        "run=new throughput 310000000",
    ];
    assert_has(
        "With the old kernel I get 512 MB/s. The new kernel only gives 310 MB/s.\n",
        2,
        &both,
    );
    assert_has(
        "The disk is the same. With the old kernel fio gives 512 MB/s in a sequential\n\
         read. With the new kernel fio gives only 310 MB/s. That is much less.\n",
        2,
        &both,
    );
    assert_has(
        "With bfq I get 101k IOPS (395 MiB/s). With none I get 120k IOPS (469 MiB/s).\n",
        4,
        &["run=bfq IOPS 101000", "run=none throughput 491782144"],
    );
    for text in [
        "On 6.1 fio reports 512 MB/s. On 6.6 dd reports 310 MB/s.\n",
        "With the old kernel I get 512 MB/s. The new kernel should give 620 MB/s.\n",
        "With the old kernel I get 512 MB/s. The new kernel gets 12k IOPS.\n",
        "With the old kernel reads get 512 MB/s. With the new kernel writes get 310 MB/s.\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}

#[test]
fn figures_may_be_in_the_order_of_their_sides() {
    assert_has(
        "The throughput before and after the patch is 512 MB/s and 620 MB/s, respectively.\n",
        2,
        &[
            "run=before throughput 512000000",
            "run=after throughput 620000000",
        ],
    );
    assert_has(
        "I measured 512 MB/s and 310 MB/s on 5.10 and 5.15 respectively.\n",
        2,
        &[
            "run=5.10 throughput 512000000",
            "run=5.15 throughput 310000000",
        ],
    );
    let crossed = "Reads and writes get 512 MB/s and 310 MB/s on 5.10 and 5.15, respectively.\n";
    assert!(figures(crossed).is_empty());
}

#[test]
fn with_it_stands_for_the_other_side() {
    assert_has(
        "Without the patch I get 310 MB/s, with it I get 520 MB/s.\n",
        2,
        &[
            "run=Without the patch throughput 310000000",
            "run=with the patch throughput 520000000",
        ],
    );
    let unknown = "With it the disk gets 310 MB/s, on 6.1 it gets 520 MB/s.\n";
    assert!(figures(unknown).is_empty());
}

#[test]
fn sides_may_be_labels_of_sentences_in_one_line() {
    assert_has(
        "Old kernel: 512 MB/s, 310 us. New kernel: 400 MB/s, 402 us.\n",
        4,
        &[
            "run=Old kernel throughput 512000000",
            "run=Old kernel latency 310000",
            "run=New kernel latency 402000",
        ],
    );
    assert_has(
        "6.1: 512 MB/s read, 402 MB/s write. 6.6: 310 MB/s read, 401 MB/s write.\n",
        4,
        &["run=6.6 op=write throughput 401000000"],
    );
    assert_has(
        "before: 512 MB/s, 310 us\nafter: 400 MB/s, 402 us\n",
        4,
        &["run=after latency 402000"],
    );
    // Seconds are those of the whole run.
    assert_has(
        "before: 512 MB/s, 12.3 s\nafter: 400 MB/s, 15.1 s\n",
        4,
        &["run=after time 15100000000"],
    );
    assert_has(
        "Before the upgrade: 512 MB/s. After: 310 MB/s.\n",
        2,
        &[
            "run=Before throughput 512000000",
            "run=After throughput 310000000",
        ],
    );
    let other = "Model: 512 MB/s. Cache: 400 MB/s.\n";
    assert!(figures(other).is_empty(), "{:#?}", figures(other));
}

#[test]
fn two_figures_may_have_the_names_of_their_sides_behind_them() {
    assert_has(
        "read: 10.5k vs 12.5k IOPS (6.1 vs 6.6)\nwrite: 9.5k vs 11.5k IOPS (6.1 vs 6.6)\n",
        4,
        &[
            "run=6.1 test=read IOPS 10500",
            "run=6.6 test=write IOPS 11500",
        ],
    );
    // Words that name no sides are a remark.
    assert_has(
        "read: 10.5k vs 12.5k IOPS (first vs last)\nwrite: 9.5k vs 11.5k IOPS (first vs last)\n",
        4,
        &["run=before test=read IOPS 10500"],
    );
}

#[test]
fn a_figure_may_be_counted_for_a_part() {
    assert_has(
        "Before: 5.1M IOPS per core\nAfter:  5.4M IOPS per core\n",
        2,
        &["run=Before IOPS per core 5100000"],
    );
}

#[test]
fn a_sentence_may_say_how_long_each_side_took() {
    assert_has(
        "Copying the same tree: 6.1 took 41s, 6.6 took 58s.\n",
        2,
        &["run=6.1 time 41000000000", "run=6.6 time 58000000000"],
    );
    assert_has(
        "The same build took 41.2 s on 6.1 and 58.9 s on 6.6.\n",
        2,
        &["run=6.1 time 41200000000", "run=6.6 time 58900000000"],
    );
    for text in [
        "6.1 was released 41 s before 6.6 took 58 s.\n",
        "It took 41 s until 6.1 booted, and 58 s to log in.\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}

#[test]
fn a_rate_may_have_its_latency_behind_it() {
    for text in [
        "5.10 gets 812 MB/s at 3.2 ms average latency, 5.15 gets 640 MB/s at 4.5 ms.\n",
        "812 MB/s with an average latency of 3.2 ms on 5.10, 640 MB/s at 4.5 ms on 5.15.\n",
    ] {
        assert_has(
            text,
            4,
            &[
                "run=5.10 throughput 812000000",
                "run=5.10 average latency 3200000",
                "run=5.15 average latency 4500000",
            ],
        );
    }
    // Of one side, and of two kinds.
    for text in [
        "5.10 gets 812 MB/s at 3.2 ms average latency, 5.15 gets 640 MB/s.\n",
        "5.10 gets 812 MB/s at 3.2 ms mean latency, 5.15 gets 640 MB/s at 4.5 ms p99 latency.\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}

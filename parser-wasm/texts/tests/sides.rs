//! By what outputs in one text are distinguished: what each pair of compared runs is called.

use seekscope_notes::results::{Arrangement, ResultSet, ResultTable};
use seekscope_texts::{TextInput, read};

fn read_text(text: &str) -> ResultSet {
    read(&[TextInput {
        path: "mail.txt",
        argument: None,
        bytes: text.as_bytes(),
    }])
}

fn label(table: &ResultTable, cell: &[usize]) -> Option<String> {
    let run = cell.first()?;
    Some(table.runs[*run].values.join(" / "))
}

/// `old < new` for each pair of filled cells of all tables.
fn pairs(text: &str) -> Vec<String> {
    pairs_of(&read_text(text))
}

fn pairs_of(set: &ResultSet) -> Vec<String> {
    let mut found = Vec::new();
    for table in &set.tables {
        let arranged = Arrangement::new(table);
        for (base, other) in &arranged.pairs {
            let base = label(table, &arranged.cells[*base]);
            let other = label(table, &arranged.cells[*other]);
            if let (Some(base), Some(other)) = (base, other) {
                found.push(format!("{base} < {other}"));
            }
        }
    }
    found
}

fn dd(seconds: u32) -> String {
    let rate = f64::from(1000 / seconds);
    format!("1000000000 bytes (1.0 GB, 954 MiB) copied, {seconds} s, {rate} MB/s\n")
}

#[test]
fn titles_of_tests_are_no_sides() {
    let text = format!(
        "## Sequential write with dd\n\n### Ceph\n{}\n### Local\n{}\n## Benchmark of the cache\n\n### Ceph\n{}",
        dd(10),
        dd(5),
        dd(4)
    );
    assert_eq!(
        pairs(&text),
        ["Ceph / Sequential write with dd < Local / Sequential write with dd"]
    );
}

#[test]
fn prompts_name_hosts_and_commands_are_labels_by_what_differs() {
    let hosts = format!(
        "[me@box1 /data]$ dd if=/dev/sdb of=/dev/null\n{}\n[me@box2 /data]$ dd if=/dev/sdb of=/dev/null\n{}",
        dd(10),
        dd(5)
    );
    assert_eq!(pairs(&hosts), ["box1 < box2"]);
    let commands = format!(
        "box:/data # dd if=/dev/zero of=a oflag=direct\n{}\nbox:/data # dd if=/dev/zero of=a oflag=dsync\n{}",
        dd(10),
        dd(5)
    );
    assert_eq!(pairs(&commands), ["oflag=direct < oflag=dsync"]);
    let titled = format!(
        "## Ceph\n\nbox # dd if=/dev/sdb of=/dev/null\n{}\n## Local\n\nbox # dd if=/dev/sda of=/dev/null\n{}",
        dd(10),
        dd(5)
    );
    assert_eq!(pairs(&titled), ["Ceph < Local"]);
}

fn time(seconds: u32) -> String {
    format!("real\t0m{seconds}.000s\nuser\t0m1.000s\nsys\t0m0.500s\n")
}

#[test]
fn captions_of_sides_and_of_tests_nest_in_the_order_of_the_text() {
    let [a, b, c, d] = [10, 5, 4, 2].map(dd);
    let expected = |pairs: &[String]| {
        assert_eq!(
            pairs,
            [
                "Before / write < After / write",
                "Before / read < After / read"
            ]
        );
    };
    expected(&pairs(&format!(
        "Before:\n\nwrite:\n{a}\nread:\n{b}\nAfter:\n\nwrite:\n{c}\nread:\n{d}"
    )));
    expected(&pairs(&format!(
        "write:\n\nBefore:\n{a}\nAfter:\n{b}\nread:\n\nBefore:\n{c}\nAfter:\n{d}"
    )));
    // Below a caption that is neither.
    let flat = pairs(&format!("Results:\n\n5.10:\n{a}\n6.1:\n{b}"));
    assert_eq!(flat, ["5.10 < 6.1"]);
}

#[test]
fn commands_of_several_programs_are_other_tests() {
    let text = format!(
        "Old kernel:\n$ time cp -a src dst\n{}$ time rm -rf dst\n{}\nNew kernel:\n$ time cp -a src dst2\n{}$ time rm -rf dst2\n{}",
        time(20),
        time(10),
        time(15),
        time(8)
    );
    assert_eq!(
        pairs(&text),
        [
            "Old kernel / cp < New kernel / cp",
            "Old kernel / rm < New kernel / rm"
        ]
    );
    let pasted = "before: real 1m15.300s user 0m5.000s sys 0m9.200s\n\
        after:  real 1m1.200s user 0m5.100s sys 0m9.000s\n";
    assert_eq!(pairs(pasted), ["before < after"]);
}

#[test]
fn the_only_disk_of_a_named_side_may_have_another_name() {
    let disk = |device: &str, rate: &str| {
        format!(
            "\n/dev/{device}:\n Timing buffered disk reads: {rate} MB in  2.00 seconds = {rate} MB/sec\n"
        )
    };
    let [sda, vda, vdb] = [disk("sda", "300"), disk("vda", "200"), disk("vdb", "100")];
    assert_eq!(
        pairs(&format!("Host:\n{sda}\nGuest:\n{vda}")),
        ["Host < Guest"]
    );
    // With two disks it is not known which one is meant, and names of disks alone are no sides.
    assert!(pairs(&format!("Host:\n{sda}\nGuest:\n{vda}{vdb}")).is_empty());
    assert!(pairs(&format!("{sda}{vda}")).is_empty());
}

#[test]
fn titles_of_trackers_and_sentences_name_sides() {
    let [a, b] = [10, 5].map(dd);
    for (front, back) in [
        ("{code:title=before}\n", "{code}\n\n{code:title=after}\n"),
        (
            "h3. before\n{noformat}\n",
            "{noformat}\n\nh3. after\n{noformat}\n",
        ),
        (
            "* before\n#+BEGIN_SRC\n",
            "#+END_SRC\n* after\n#+BEGIN_SRC\n",
        ),
        (
            "<details><summary>before</summary>\n\n```\n",
            "```\n</details>\n<details><summary>after</summary>\n\n```\n",
        ),
    ] {
        assert_eq!(
            pairs(&format!("{front}{a}{back}{b}")),
            ["before < after"],
            "{front}"
        );
    }
    let spoken = format!(
        "And this is what the very same machine gives me with the old kernel (5.4.0-150-generic):\n\n{a}\n\
         And this is what the very same machine gives me with the new kernel (5.15.0-88-generic):\n\n{b}"
    );
    assert_eq!(pairs(&spoken), ["5.4.0-150-generic < 5.15.0-88-generic"]);
    let properties =
        format!("Kernel: 5.4.0\nDisk: ABC\n\n{a}\n- **Kernel**: 5.15.0\n- Disk: ABC\n\n{b}");
    assert_eq!(pairs(&properties), ["5.4.0 < 5.15.0"]);
}

#[test]
fn sizes_in_names_of_files_are_no_sides() {
    let files = [
        ("old-4k.txt", 10),
        ("new-4k.txt", 5),
        ("old-64k.txt", 4),
        ("new-64k.txt", 2),
    ];
    let texts: Vec<String> = files.iter().map(|(_, seconds)| dd(*seconds)).collect();
    let inputs: Vec<TextInput> = files
        .iter()
        .zip(&texts)
        .map(|((path, _), text)| TextInput {
            path,
            argument: None,
            bytes: text.as_bytes(),
        })
        .collect();
    assert_eq!(
        pairs_of(&read(&inputs)),
        ["old / 4k < new / 4k", "old / 64k < new / 64k"]
    );
}

#[test]
fn heads_of_outputs_end_the_output_before() {
    let iozone = |rate: u32| {
        format!(
            "        Record Size 64 kB\n        Output is in kBytes/sec\n        \
             Time Resolution = 0.000001 seconds.\n              kB  reclen    write  rewrite\n         \
             1048576      64   {rate}   215000\n\niozone test complete.\n"
        )
    };
    let text = format!(
        "nfs v3\n\n{}\nnfs v4\n\n{}",
        iozone(200_000),
        iozone(150_000)
    );
    assert_eq!(
        pairs(&text),
        [
            "nfs v3 / write < nfs v4 / write",
            "nfs v3 / rewrite < nfs v4 / rewrite"
        ]
    );
    let filebench = "ext4: 12.346: IO Summary: 800000 ops 13333.5 ops/s 1212/2424 rd/wr 300.5mb/s 1.5ms/op\n\
        xfs: 12.346: IO Summary: 700000 ops 11666.5 ops/s 1212/2424 rd/wr 260.5mb/s 1.7ms/op\n";
    assert_eq!(pairs(filebench), ["ext4 < xfs"]);
}

#[test]
fn comments_and_silent_commands_name_sides() {
    let [a, b] = [10, 5].map(dd);
    for (front, back) in [("#6.1\n", "#6.2\n"), ("// 6.1\n", "// 6.2\n")] {
        assert_eq!(pairs(&format!("{front}{a}{back}{b}")), ["6.1 < 6.2"]);
    }
    let command = "$ dd if=/dev/sda of=/dev/null\n";
    let text = format!(
        "$ tuned-adm profile latency\n{command}{a}$ tuned-adm profile powersave\n{command}{b}"
    );
    assert_eq!(pairs(&text), ["profile latency < profile powersave"]);
    let set = |value: u32| format!("# echo {value} > /sys/block/sda/queue/max_sectors_kb\n");
    let text = format!("{}{command}{a}{}{command}{b}", set(192), set(512));
    assert_eq!(pairs(&text), ["192 < 512"]);
}

#[test]
fn nothing_is_averaged_below_bare_titles_and_combined_ones() {
    let [a, b, c, d] = [10, 5, 4, 2].map(dd);
    let expected = ["5.4 / write < 6.1 / write", "5.4 / read < 6.1 / read"];
    for text in [
        format!(
            "- 5.4\n  - write\n    {a}  - read\n    {b}- 6.1\n  - write\n    {c}  - read\n    {d}"
        ),
        format!("5.4\nwrite:\n{a}read:\n{b}6.1\nwrite:\n{c}read:\n{d}"),
        format!("## 5.4 write\n{a}## 5.4 read\n{b}## 6.1 write\n{c}## 6.1 read\n{d}"),
    ] {
        assert_eq!(pairs(&text), expected, "{text}");
    }
    let numbered = format!("Test 1: write\n5.4: {a}6.1: {b}\nTest 2: read\n5.4: {c}6.1: {d}");
    assert_eq!(pairs(&numbered), expected);
    let combined =
        format!("Write on 5.4:\n{a}Write on 6.1:\n{b}Read on 5.4:\n{c}Read on 6.1:\n{d}");
    assert_eq!(pairs(&combined), expected);
}

#[test]
fn words_that_point_to_an_output_are_no_part_of_its_title() {
    let [old, new] = [dd(10), dd(5)];
    let quoted = format!(
        "On Tue, Mar 4, 2025, A Tester wrote:\n> I bisected it. This is 6.6:\n>\n> {old}>\n\
         > and this is 6.7-rc1:\n>\n> {new}"
    );
    assert_eq!(pairs(&quoted), ["6.6 < 6.7-rc1"]);
    let said = format!("A Tester wrote:\n\n{old}\nWith the patch:\n\n{new}");
    assert_eq!(pairs(&said), ["output 1 < output 2"]);
}

#[test]
fn a_quotation_is_no_other_measurement() {
    let output = "1048576000 bytes (1.0 GB, 1000 MiB) copied, 5.01234 s, 209 MB/s\n";
    let runs = |text: &str| -> Vec<f64> {
        let set = read_text(text);
        let runs = set.tables.iter().flat_map(|table| &table.runs);
        runs.map(|run| run.figures[0].value.round()).collect()
    };
    let command = "$ dd if=/dev/sda of=/dev/null bs=1M count=1000";
    let parallel = format!("{command} &\n{output}> {output}");
    assert_eq!(runs(&parallel), [209_198_897.0]);
    let quoted = format!("> {command}\n> {output}");
    assert_eq!(
        runs(&format!("{quoted}\nWhy?\n\n{quoted}\nSure?\n")).len(),
        1
    );
    // Two measurements may take the same time, and those of two kernels, too.
    let again = quoted.replace("5.01234", "5.0");
    assert_eq!(
        runs(&format!("{again}> {}", output.replace("5.01234", "5.0"))).len(),
        2
    );
    let kernels = format!("> 5.10:\n> {output}\n6.1:\n{output}");
    assert_eq!(pairs(&kernels), ["5.10 < 6.1"]);
}

#[test]
fn what_was_changed_is_compared_with_what_was_not() {
    let titled = format!("With the patch:\n{}\nWithout the patch:\n{}", dd(5), dd(10));
    assert_eq!(pairs(&titled), ["Without the patch < With the patch"]);
    let columns = "            patched   vanilla\nread        120k      101k\nIOPS\n";
    assert_eq!(pairs(columns), ["vanilla < patched"]);
    let kernels = "            6.6 patched   6.6\nread        120k          101k\nIOPS\n";
    assert_eq!(pairs(kernels), ["6.6 < 6.6 patched"]);
    // Nothing says which of these is there first.
    let named = format!("With zstd:\n{}\nWith lz4:\n{}", dd(5), dd(10));
    assert_eq!(pairs(&named), ["With zstd < With lz4"]);
}

#[test]
fn lines_of_a_patch_are_no_titles() {
    let patch = "diff --git a/block/blk-mq.c b/block/blk-mq.c\nindex 1a2b3c4d..5d6e7f8a 100644\n\
        --- a/block/blk-mq.c\n+++ b/block/blk-mq.c\n@@ -10,3 +10,4 @@ static void start(void)\n \
        int x;\n+\tint y;\n \n int z;\n";
    let text = format!("Before:\n{}\nAfter:\n\n{patch}\n{}", dd(10), dd(5));
    assert_eq!(pairs(&text), ["Before < After"]);
    let lines =
        "--- a/block/blk-mq.c\n+++ b/block/blk-mq.c\n@@ -10 +10 @@\n-int bfq;\n+int none;\n";
    let text = format!("Before:\n{}\nAfter:\n\n{lines}{}", dd(10), dd(5));
    assert_eq!(pairs(&text), ["Before < After"]);
}

#[test]
fn a_loop_that_uses_no_variable_repeats_its_command() {
    let runs = [dd(10), dd(5), dd(8)].concat();
    let session = |list: &str, file: &str| {
        format!("$ for i in {list}; do dd if=/dev/sda of={file}; done\n{runs}")
    };
    assert!(pairs(&session("1 2 3", "/dev/null")).is_empty());
    assert!(pairs(&session("$(seq 3)", "/dev/null")).is_empty());
    let others = ["output 1 < output 2", "output 1 < output 3"];
    assert_eq!(pairs(&session("a b c", "$i")), others);
}

#[test]
fn settings_that_were_measured_again_are_rounds() {
    let line = |clients: u32, rate: u32| {
        format!(
            "Throughput {rate} MB/sec  {clients} clients  {clients} procs  max_latency=1.5 ms\n"
        )
    };
    let round = |rate: u32| [line(1, rate), line(8, rate * 3)].concat();
    let expected = ["round 1 / 1 < round 2 / 1", "round 1 / 8 < round 2 / 8"];
    assert_eq!(pairs(&format!("{}\n{}", round(210), round(190))), expected);
    // Without a second round of each setting, nothing says which outputs belong together.
    let three = format!("{}\n{}", round(210), line(1, 190));
    assert!(!pairs(&three).iter().any(|pair| pair.contains("round")));
}

#[test]
fn settings_in_a_row_are_a_title() {
    let block = |rate: u32| format!("Maximum IOPS={rate}K\nMaximum IOPS={}K\n\n", rate + 1);
    let text = format!(
        "Out of two runs, here are the results:\n\n-git, RETPOLINE=n, mitigations=off\n{}\
         for-6.1/block, RETPOLINE=n, mitigations=off\n{}",
        block(10101),
        block(11101)
    );
    assert_eq!(
        pairs(&text),
        ["-git, RETPOLINE=n, mitigations=off < for-6.1/block, RETPOLINE=n, mitigations=off"]
    );
}

#[test]
fn means_below_numbered_runs_are_no_runs() {
    let block = |rate: u32| {
        format!(
            "run1: {rate} MB/s\nrun2: {} MB/s\navg: {rate}.5 MB/s\n\n",
            rate + 1
        )
    };
    let text = format!("Baseline:\n{}Patched:\n{}", block(101), block(121));
    assert_eq!(pairs(&text), ["Baseline < Patched"]);
    let set = read_text(&text);
    let figures = set.tables[0].runs.iter().flat_map(|run| &run.figures);
    let values: Vec<f64> = figures.map(|figure| figure.value).collect();
    assert_eq!(values, [101e6, 102e6, 121e6, 122e6]);
}

#[test]
fn numbered_tests_are_no_sides() {
    let block = |title: &str, rates: [u32; 2]| {
        format!("{title}:\n 6.1:\n{} 6.6:\n{}", dd(rates[0]), dd(rates[1]))
    };
    for titles in [
        ["Test 1, direct=1", "Test 2, direct=0"],
        ["Test #1", "Test #2"],
    ] {
        let text = block(titles[0], [5, 10]) + &block(titles[1], [4, 8]);
        let expected = titles.map(|title| format!("6.1 / {title} < 6.6 / {title}"));
        assert_eq!(pairs(&text), expected);
    }
    let kernels = format!("Control:\n{}Test:\n{}", dd(5), dd(10));
    assert_eq!(pairs(&kernels), ["Control < Test"]);
}

#[test]
fn items_of_an_outline_and_stated_properties_name_sides() {
    let (old, new) = (dd(2), dd(4));
    for (text, expected) in [
        (
            format!("* HDD, ext4\n\n** dl-original\n{old}\n\n** dl-patched\n{new}\n"),
            "dl-original < dl-patched",
        ),
        (
            format!(
                "The cache was\ndropped. The kernel is 5.4.0.\n\n{old}\n\n\
                 The kernel is 5.10.0.\n\n{new}\n"
            ),
            "5.4.0 < 5.10.0",
        ),
        (
            format!(
                "With \u{201c}barriers\u{201d}:\n\n{old}\n\nWith \u{201c}nobarrier\u{201d}:\n\n{new}\n"
            ),
            "With \u{201c}barriers\u{201d} < With \u{201c}nobarrier\u{201d}",
        ),
        (
            format!("1. **barriers**\n\n{old}\n\n2. **nobarrier**\n\n{new}\n"),
            "barriers < nobarrier",
        ),
    ] {
        assert_eq!(pairs(&text), [expected], "{text}");
    }
}

#[test]
fn a_list_of_figures_is_no_heading() {
    let measured = "IOPS: [1101.5, 681.5, 881.5]\nIOPS mean 888.2 stddev 210.1\n\
        IOPS min 681.5 max 1101.5\n";
    let set = read_text(&format!("before:\n{measured}\nafter:\n{measured}"));
    assert_eq!(set.tables, []);
}

#[test]
fn numbers_of_a_count_are_repeats() {
    let (old, new) = (dd(2), dd(4));
    let twice = |output: &str| format!("Start 1 of 2...\n{output}\nStart 2 of 2...\n{output}\n");
    let text = format!("6.1:\n{}\n6.12:\n{}\n", twice(&old), twice(&new));
    assert_eq!(pairs(&text), ["6.1 < 6.12"]);
}

#[test]
fn an_item_names_the_items_below_it() {
    let text = "* 32 processes read at random\n\
        ** the bandwidth is improved from 461KB/s to 472KB/s\n\
        * 32 processes read in order\n\
        ** the bandwidth is reduced from 28095KB/s to 24396KB/s\n";
    assert_eq!(
        pairs(text),
        [
            "before / 32 processes read at random < after / 32 processes read at random",
            "before / 32 processes read in order < after / 32 processes read in order"
        ]
    );
}

/// 5.4 is before 5.15, though it is the larger number; threads are ordered by their number.
#[test]
fn releases_are_in_the_order_of_the_text_and_counts_by_size() {
    let set = read_text("5.4:  1200 MB/s\n5.15: 800 MB/s\n");
    assert_eq!(
        Arrangement::new(&set.tables[0]).row_values,
        [["5.4"], ["5.15"]]
    );
    let text = "threads, 5.4 MB/s, 5.15 MB/s\n16, 512.5, 431.5\n4, 402.5, 380.5\n8, 480.5, 401.5\n";
    let set = read_text(text);
    let arranged = Arrangement::new(&set.tables[0]);
    assert_eq!(arranged.row_values, [["5.4"], ["5.15"]]);
    assert_eq!(arranged.column_values, [["4"], ["8"], ["16"]]);
}

#[test]
fn settings_and_modes_of_caches_are_sides() {
    let pair = ["read_ahead_kb=128 < read_ahead_kb=4096"];
    for text in [
        "read_ahead_kb=128: 812 MB/s\nread_ahead_kb=4096: 1210 MB/s\n",
        "read_ahead_kb=128   812 MB/s\nread_ahead_kb=4096   1210 MB/s\n",
        "| setting | seq read MB/s |\n|---|---|\n| read_ahead_kb=128 | 812 |\n\
            | read_ahead_kb=4096 | 1210 |\n",
    ] {
        assert_eq!(pairs(text), pair, "{text}");
    }
    let latency = "wbt_lat_usec=75000: 312 MB/s\nwbt_lat_usec=0: 398 MB/s\n";
    assert_eq!(pairs(latency), ["wbt_lat_usec=75000 < wbt_lat_usec=0"]);
    let caches = "writeback: 1.2 GB/s\nwritethrough: 312 MB/s\nnone: 290 MB/s\n";
    assert_eq!(
        pairs(caches),
        ["writeback < writethrough", "writeback < none"]
    );
    let settings = "read_ahead_kb=128\nnr_requests=64\nnomerges=0\nfifo_batch=16\n";
    assert!(pairs(settings).is_empty());
}

#[test]
fn the_unit_of_a_list_may_be_below_it() {
    let text = "ext4: 512\nxfs: 612\nbtrfs: 412\n\nAll in MB/s.\n";
    assert_eq!(pairs(text), ["ext4 < xfs", "ext4 < btrfs"]);
    assert!(pairs("ext4: 512\nxfs: 612\n\nThe disk is new.\n").is_empty());
}

#[test]
fn kernels_are_named_in_more_ways() {
    for text in [
        "5.10 kernel: ~512 MB/s\n6.1 kernel: ~388 MB/s\n",
        "Test 1 (5.10): 512 MB/s\nTest 2 (6.1): 388 MB/s\n",
        "With kernel 5.10 we get around 512 MB/s, after upgrading to 6.1 only 388 MB/s.\n",
        "On the raw device (bs=1M, iodepth=16, 60 seconds) I get 512 MB/s on 5.15, but since 6.1 \
            it is only 388 MB/s.\n",
        "With 6.1 I get 388 MB/s for 64k reads, but it was 512 MB/s on 5.15.\n",
        "- *compress=lzo:* 1.52 GB/s, 141 s\n- *compress=no:* 0.39 GB/s, 551 s\n",
        "* **6.1:** 512 MB/s\n* **6.6:** 480 MB/s\n",
        "compress=lzo: 1.52 GB/s, 141 s\ncompress=zstd:9: 0.39 GB/s, 551 s\n",
        "With read_ahead_kb=128 I get 812 MB/s, with read_ahead_kb=4096 1210 MB/s.\n",
    ] {
        assert_eq!(pairs(text).len(), 1, "{text}");
    }
    assert!(pairs("Port (3.0): 112 MB/s\nPort (2.0): 31 MB/s\n").is_empty());
}

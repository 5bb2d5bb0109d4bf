use super::{refusal, refusal_of_part};

/// What a text looks like, and the byte that shows it.
fn looks_like(text: &str) -> (String, u64) {
    let error = refusal("t.txt", text.as_bytes(), text.len() as u64, true).expect("a text");
    assert_eq!(error.code, "text-not-understood");
    let line = error
        .at
        .and_then(|place| place.line)
        .map_or(0, std::num::NonZeroU64::get);
    let what = error
        .message
        .split_once("It looks like ")
        .map_or("nothing", |(_, what)| {
            what.split(',').next().unwrap_or_default()
        });
    (what.to_owned(), line)
}

#[test]
fn a_text_is_refused_for_what_it_resembles_most() {
    let texts = [
        (
            "On 6.12 I get\n\n> sda 12.00 0.50 48.0 2.00 0.00 1.20\n> sdb 0 0 0 0 0 0\n",
            "output of iostat",
            3,
        ),
        (
            "It varies:\n\n  5.1, stock: 3310.20-3705.11 iops\n  5.2 / 5.1 tuned: 1200-2100.5 iops\n",
            "labels with ranges of figures",
            3,
        ),
        (
            "Device r/s w/s rkB/s wkB/s %util\n\nno rows came\n",
            "output of iostat",
            1,
        ),
        ("64+0 records in\n64+0 records out\n", "output of dd", 1),
        (
            "[global]\nioengine=libaio\nrw=randread\n[a]\nbs=4k\n",
            "a job file of fio",
            2,
        ),
        (
            "t: (g=0): rw=randread, bs=(R) 4096B-4096B, ioengine=psync, iodepth=1\nfio-3.33\n",
            "output of fio",
            1,
        ),
        (
            "[    0.000000] Linux version 6.1.0\n[    1.411000] nvme0: 16/0/0 queues\n\
             [    3.981000] EXT4-fs mounted\n",
            "a kernel log (dmesg)",
            1,
        ),
        (
            "[13:49:59.912] host block_rq_issue: { cpu_id = 0 }, { dev = 8388608 }\n",
            "text of babeltrace (LTTng)",
            1,
        ),
        (
            "fio-1 [000] ..... 1.000001: nvme_setup_cmd: nvme0: qid=1\n",
            "text of ftrace",
            1,
        ),
        (
            "8,0 Q 2048 WS\n8,0 C 2048 WS\n",
            "events that blkparse printed in a format of its own",
            1,
        ),
        (
            "{'ts': '2023', 'val_type': 'frobs', 'data': [{'interval-start': 0}]}\n",
            "a histogram of biolatency (-j)",
            1,
        ),
        (
            "[2, 4) 12 |@@@@ |\n[4, 8) 2 |@ |\n",
            "a histogram of bpftrace or bcc",
            1,
        ),
        (
            "05:16:13 CPU %usr %nice %sys %iowait\n05:16:14 all 50.79 1.06 3.17 0.00\n",
            "output of mpstat",
            1,
        ),
        (
            "#include <stdio.h>\nint main(void)\n{\n  int x = 4096;\n  return 12;\n}\n",
            "source code",
            1,
        ),
        (
            "CONFIG_HZ=250\nCONFIG_NR_CPUS=512\nCONFIG_X=y\n",
            "a kernel configuration",
            1,
        ),
        (
            "package before after\nkernel 5.10 5.15\nfio 3.28 3.33\nxfs 6.1 6.2\n",
            "a list of versions",
            2,
        ),
        (
            "| disk | price |\n| --- | --- |\n| A | 129.90 |\n| B | 219.90 |\n",
            "a table",
            3,
        ),
        (
            "Reads dropped from 429 MB/s to 81 MB/s on\nthe new kernel.\n",
            "measurements in sentences",
            1,
        ),
        ("{\"disks\": [1], \"when\": 2}", "JSON with `disks`", 1),
        (
            "Hello,\n\nit is slower than before, see 3 of 8 hosts.\n",
            "nothing",
            1,
        ),
    ];
    for (text, what, line) in texts {
        assert_eq!(looks_like(text), (what.to_owned(), line), "{text}");
    }
}

#[test]
fn formats_of_blkparse_are_known_by_the_words_of_an_event() {
    for text in [
        "    0.000119410, 592, fio, D,   W, 8, 16, 8192\n",
        "D\tWS\t4096\t310144\t0.000119410\n",
        "8 0 W D 8 16 0.000119410\n",
        " ======== time:0.000119410 pid:592 action:Q rbws:WS blocks:8 size:4096 \n",
    ] {
        let expected = "events that blkparse printed in a format of its own";
        assert_eq!(looks_like(text), (expected.to_owned(), 1), "{text}");
    }
    for text in [
        "0.119410, 592, D, fio, W, 8\n",
        "0.000119410 592 W 8 16 8192\n",
    ] {
        assert!(!looks_like(text).0.contains("blkparse"), "{text}");
    }
}

#[test]
fn the_reason_is_never_only_about_traces() {
    for text in [
        "nothing here\n",
        "[root@host ~]# ls\n",
        "{\"a\": 1}\n",
        "1 2 3\n4 5 6\n",
    ] {
        let error = refusal("t.txt", text.as_bytes(), text.len() as u64, true).expect("a text");
        assert!(error.message.contains("no table of results"), "{text}");
        assert!(error.remedy.is_some(), "{text}");
    }
    let prompt = refusal("t.txt", b"[root@host ~]# ls\n", 18, true).expect("a text");
    assert!(!prompt.message.contains("JSON"));
}

#[test]
fn no_reason_is_given_for_what_is_no_text_or_resembles_nothing() {
    assert!(refusal("p.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", 16, true).is_none());
    assert!(refusal("t.txt", b"hello\n", 6, false).is_none());
    let utf16 = b"\xff\xfe8\0,\x000\0 \0Q\0\n\0";
    assert!(refusal("t.txt", utf16, 14, false).is_none());
}

#[test]
fn a_text_that_was_not_searched_completely_says_so() {
    let said = |searched| {
        let size = 20 << 20;
        let error = refusal_of_part("t.txt", b"hello\n", size, searched, true).expect("a text");
        error.message
    };
    assert!(said(8 << 20).contains("no table of results in its first 8 MiB."));
    assert!(said(20 << 20).contains("no table of results. "));
}

#[test]
fn the_place_is_that_of_the_file() {
    let text = "a\nbb\n64+0 records in\n";
    let error = refusal("t.txt", text.as_bytes(), text.len() as u64, true).expect("a text");
    let place = error.at.expect("a place");
    assert_eq!(
        (place.line.map(|line| line.get()), place.byte),
        (Some(3), Some(5))
    );
    assert!(
        error
            .message
            .contains("Line 3 is \u{201c}64+0 records in\u{201d}")
    );
}

//! Texts with several recordings, as people post them, and made ones of the same kinds.

use seekscope_recordings::{MAX_RECORDINGS, Recording, find, is_encoded};

fn found(text: &str) -> Vec<Recording> {
    let bytes = text.as_bytes();
    let read = |offset: u64, length: usize| {
        let rest = &bytes[(offset as usize).min(bytes.len())..];
        Ok::<_, ()>(rest[..rest.len().min(length)].to_vec())
    };
    find(bytes.len() as u64, None, read).expect("reading does not fail")
}

fn names(text: &str) -> Vec<String> {
    let name = |recording: Recording| recording.name.unwrap_or_default();
    found(text).into_iter().map(name).collect()
}

fn field(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/field/");
    let bytes = std::fs::read(format!("{folder}{name}")).expect("the text exists");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Requests of two CPUs, from a time in us and a sequence number on.
fn blkparse(cpus: &[u32], first_us: u64, number: u64, latency: u64) -> String {
    let mut text = String::new();
    for i in 0..10u64 {
        for (c, cpu) in cpus.iter().enumerate() {
            let issued_us = first_us + 10_000 * i + 100 * c as u64;
            let (sector, n) = (8 * i, number + 2 * i);
            text += &format!(
                "  8,16 {cpu:3} {n:8} {:5}.{:06}000 812  D  WS {sector} + 8 [Web Content]\n",
                issued_us / 1_000_000,
                issued_us % 1_000_000
            );
            let completed_us = issued_us + latency;
            text += &format!(
                "  8,16 {cpu:3} {:8} {:5}.{:06}000   0  C  WS {sector} + 8 [0]\n",
                n + 1,
                completed_us / 1_000_000,
                completed_us % 1_000_000
            );
        }
    }
    text
}

fn totals(cpus: &[u32]) -> String {
    let counters = " Reads Queued:           0,        0KiB\t Writes Queued:          10,       40KiB\n \
                    Read Dispatches:        0,        0KiB\t Write Dispatches:       10,       40KiB\n";
    let per_cpu: String = cpus
        .iter()
        .map(|cpu| format!("CPU{cpu} (sdb):\n{counters}"))
        .collect();
    format!(
        "{per_cpu}\nTotal (sdb):\n{counters}\nThroughput (R/W): 0KiB/s / 400KiB/s\n\
         Events (sdb): 40 entries\nSkips: 0 forward (0 -   0.0%)\n"
    )
}

fn ftrace(cpus: &[u32], first_us: u64) -> String {
    let mut text = String::new();
    for i in 0..10u64 {
        for cpu in cpus {
            let time_us = first_us + 5000 * i;
            text += &format!(
                "              dd-77    [{cpu:03}] ..... {:5}.{:06}: block_rq_issue: 8,0 W 4096 () {} + 8 [dd]\n",
                time_us / 1_000_000,
                time_us % 1_000_000,
                8 * i
            );
        }
    }
    text
}

fn biosnoop(first: f64) -> String {
    let mut text = "TIME(s)  COMM  PID  DISK  T  SECTOR  BYTES  LAT(ms)\n".to_owned();
    for i in 0..5 {
        text += &format!(
            "{:.6} my app 41 sda R {} 4096 0.25\n",
            first + f64::from(i),
            8 * i
        );
    }
    text
}

#[test]
fn posted_texts() {
    assert_eq!(
        names(&field("recordings/blkparse-two.txt")),
        ["6.1", "6.12"]
    );
    assert_eq!(
        names(&field("recordings/mail-five-schedulers.txt")),
        ["kyber", "bfq", "mq-deadline", "none", "split"]
    );
    assert_eq!(
        names(&field("recordings/mail-4.4-against-5.4.txt")),
        ["5.4.0-1068-aws", "4.4.0-1137-aws"]
    );
    assert_eq!(
        names(&field("recordings/mail-cfq-192-512.txt")),
        ["hdtrace.cfq.192", "hdtrace.cfq.512"]
    );
    assert_eq!(
        names(&field("recordings/issue-two-devices.md")),
        ["", "This is output from ext4. Scheduler also noop"]
    );
    // The second excerpt is a filter of the first.
    assert_eq!(names(&field("recordings/blog-excerpts.md")), ["", ""]);
}

#[test]
fn one_recording_stays_one() {
    let quiet = blkparse(&[0, 3], 5_000_000, 1, 400);
    let lines: Vec<&str> = quiet.lines().collect();
    let of_cpu = |cpu: &str| {
        let lines = lines
            .iter()
            .filter(|line| line.split_whitespace().nth(1) == Some(cpu));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let mut by_sector = lines.clone();
    by_sector.sort_by_key(|line| line.split_whitespace().nth(7).map(str::to_owned));
    let (begin, end) = quiet.split_at(quiet.len() / 2);
    let cut = begin.rfind('\n').expect("lines") + 1;
    for (what, text) in [
        ("plain", quiet.clone()),
        ("with totals", quiet.clone() + &totals(&[0, 3])),
        ("per CPU", of_cpu("0") + &of_cpu("3")),
        ("sorted by sector", by_sector.join("\n")),
        (
            "cut in the middle",
            format!(
                "{}(a lot of the same)\n......\n{}{end}",
                &begin[..cut],
                &begin[cut..]
            ),
        ),
        (
            "with a sentence",
            format!(
                "{}Then the flush begins.\n{}{end}",
                &begin[..cut],
                &begin[cut..]
            ),
        ),
        (
            "pasted twice",
            format!("{quiet}\nYou wrote:\n{}", quiet.replace("  8,16", "> 8,16")),
        ),
        (
            "ftrace per CPU",
            format!(
                "# tracer: nop\n{}# tracer: nop\n{}",
                ftrace(&[0], 900),
                ftrace(&[1], 800)
            ),
        ),
        ("biosnoop", biosnoop(3.0)),
        ("prose", "On 6.1:\nfast\nOn 6.12:\nslow\n".to_owned()),
    ] {
        assert_eq!(found(&text), [], "{what}\n{text}");
    }
    for name in [
        "kernel-4.4.txt",
        "kernel-5.4.txt",
        "live.txt",
        "completions.txt",
    ] {
        assert_eq!(
            found(&field(&format!("negative-times/{name}"))),
            [],
            "{name}"
        );
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table: one mail per case")]
fn several_recordings_are_told_apart() {
    let (a, b) = (blkparse(&[0, 3], 0, 1, 400), blkparse(&[0, 3], 0, 1, 900));
    let later = blkparse(&[0, 3], 80_000_000, 5000, 900);
    let other_cpu = blkparse(&[5], 0, 1, 700);
    let others_first = other_cpu.clone() + &blkparse(&[3], 20_000, 1, 700);
    let (sums, none) = (totals(&[0, 3]), ["", ""]);
    let quote =
        |text: &str| -> String { text.lines().map(|line| format!("> > {line}\n")).collect() };
    for (what, text, expected) in [
        ("cat a b", a.clone() + &b, &none[..]),
        ("closing figures", format!("{a}{sums}{b}{sums}"), &none),
        (
            "figures and later times",
            format!("{a}{sums}{later}{sums}"),
            &none,
        ),
        (
            "figures, other CPUs",
            format!("{a}{sums}{other_cpu}"),
            &none,
        ),
        ("another CPU first", a.clone() + &others_first, &none),
        (
            "headings",
            format!("Before:\n{a}\nAfter:\n{b}"),
            &["Before", "After"],
        ),
        (
            "kernels, one boot later",
            format!("## 6.1\n{a}\n## 6.12-rc3\n{later}"),
            &["6.1", "6.12-rc3"],
        ),
        (
            "frames",
            format!("=== none ===\n{a}=== bfq ===\n{b}"),
            &["none", "bfq"],
        ),
        (
            "files",
            format!("# cat run/old.txt > /tmp/o.txt\n{a}$ blkparse sdb > new.txt\n{b}"),
            &["o.txt", "new.txt"],
        ),
        (
            "folders have no file name",
            format!("# cat run/ > /tmp/\n{a}$ blkparse sdb > new/\n{b}"),
            &none,
        ),
        (
            "uname",
            format!(
                "Linux box 5.15.0-91-generic #101 SMP\n{a}Linux box 6.8.0-31-generic #31 SMP\n{b}"
            ),
            &["5.15.0-91-generic", "6.8.0-31-generic"],
        ),
        (
            "three",
            format!("A:\n{a}B:\n{b}C:\n{}", blkparse(&[0, 3], 0, 1, 77)),
            &["A", "B", "C"],
        ),
        (
            "quoted",
            quote(&format!("On 6.1:\n{a}\nOn 6.12:\n{b}")),
            &["6.1", "6.12"],
        ),
        (
            "CRLF",
            format!("On 6.1:\n{a}\nOn 6.12:\n{b}").replace('\n', "\r\n"),
            &["6.1", "6.12"],
        ),
        (
            "tabs",
            format!("On 6.1:\n{a}\nOn 6.12:\n{b}").replace("   ", "\t"),
            &["6.1", "6.12"],
        ),
        (
            "ftrace",
            ftrace(&[0, 1], 9_000_000) + &ftrace(&[0, 1], 2_000_000),
            &none,
        ),
        (
            "ftrace headings",
            format!(
                "# tracer: nop\n{}# tracer: nop\n{}",
                ftrace(&[0], 100),
                ftrace(&[0], 900_000)
            ),
            &none,
        ),
        ("biosnoop", biosnoop(0.0) + &biosnoop(9.0), &none),
        (
            "biosnoop under titles",
            format!("6.1:\n{}6.6:\n{}", biosnoop(0.0), biosnoop(0.5)),
            &["6.1", "6.6"],
        ),
    ] {
        assert_eq!(names(&text), expected, "{what}\n{text}");
        // All bytes of events are in one of them, once.
        let events = |text: &str| text.lines().filter(|line| line.contains(" + 8 [")).count();
        let parts = found(&text);
        let part = |recording: &Recording| {
            &text[recording.bytes.start as usize..recording.bytes.end as usize]
        };
        let is_named = |recording: &Recording| recording.name.as_deref() != Some("");
        assert!(parts.iter().all(is_named), "{what}");
        let sum: usize = parts.iter().map(|recording| events(part(recording))).sum();
        assert_eq!(sum, events(&text), "{what}");
    }
}

#[test]
fn the_number_of_recordings_is_bounded() {
    let text = |count: usize| -> String {
        (0..count)
            .map(|i| blkparse(&[0], 0, 1, 10 + i as u64))
            .collect()
    };
    assert_eq!(found(&text(MAX_RECORDINGS)).len(), MAX_RECORDINGS);
    assert_eq!(found(&text(3 * MAX_RECORDINGS)), []);
}

#[test]
fn large_texts_are_sampled() {
    let long = |latency: u64| -> String {
        (0..2000)
            .map(|i| blkparse(&[0, 1], 110_000 * i, 1 + 20 * i, latency))
            .collect()
    };
    let text = long(100);
    assert!(text.len() > 4 << 20);
    let mut bytes = 0;
    let count = |offset: u64, length: usize| {
        bytes += length;
        let rest = &text.as_bytes()[(offset as usize).min(text.len())..];
        Ok::<_, ()>(rest[..rest.len().min(length)].to_vec())
    };
    assert_eq!(find(text.len() as u64, None, count), Ok(Vec::new()));
    assert!(bytes < text.len() / 2, "{bytes}");
    assert_eq!(found(&(text + &long(300))).len(), 2);
}

/// The names of two recordings by what introduces them, each put below its introduction.
fn introduced(name: impl Fn(&str, &str) -> String, sides: [&str; 2]) -> Vec<Option<String>> {
    let (a, b) = (blkparse(&[0, 3], 0, 1, 400), blkparse(&[0, 3], 0, 1, 900));
    let [first, second] = [name(sides[0], &a), name(sides[1], &b)];
    let text = format!("Hi,\n\nI compared two kernels.\n\n{first}{second}Any idea?\n\nJane\n");
    seekscope_recordings::names("mail.txt", text.as_bytes())
}

#[test]
fn introductions_of_outputs_name_recordings() {
    type Introduction = fn(&str, &str) -> String;
    let indented = |text: &str| text.replace("  8,16", "      8,16");
    let forms: [(&str, Introduction); 16] = [
        ("frame", |name, events| {
            format!("--- {name} ---\n{events}\n")
        }),
        ("long frame", |name, events| {
            format!("------------ {name} ------------\n{events}")
        }),
        ("code", |name, events| {
            format!("`{name}`\n\n```\n{events}```\n\n")
        }),
        ("sentence", |name, events| {
            format!("Here is what I get with {name}.\n\n{events}\n")
        }),
        ("fence of a tracker", |name, events| {
            format!("h3. {name}\n{{code}}\n{events}{{code}}\n\n")
        }),
        ("begin and end", |name, events| {
            format!("----- start of {name} -----\n{events}----- end of {name} -----\n")
        }),
        ("arrow", |name, events| format!("---> {name}\n{events}")),
        ("number", |name, events| format!("1) {name}\n\n{events}\n")),
        ("bullet", |name, events| format!("* {name}\n\n{events}\n")),
        ("property", |name, events| {
            format!("Kernel: {name}\n{events}\n")
        }),
        ("host", |name, events| {
            format!("root@{name}:~# blkparse -i sda\n{events}\n")
        }),
        ("folder", |name, events| {
            format!("$ cat {name}/trace.txt\n{events}\n")
        }),
        ("quotation marks", |name, events| {
            format!("\u{201c}{name}\u{201d}:\n{events}\n")
        }),
        ("word behind", |name, events| {
            format!("{name} =>\n{events}\n")
        }),
        ("file", |name, events| {
            format!("Attachment: {name}.txt\n\n{events}\n")
        }),
        ("title", |name, events| format!("{name}\n====\n{events}\n")),
    ];
    for (what, form) in forms {
        for sides in [
            ["before", "after"],
            ["5.4.0", "5.10.0"],
            ["without-patch", "with-patch"],
        ] {
            let names = introduced(form, sides);
            let begins = |(name, side): (&Option<String>, &str)| {
                name.as_ref().is_some_and(|name| {
                    name.strip_prefix(side)
                        .is_some_and(|end| ["", ".txt", "-trace.txt"].contains(&end))
                })
            };
            assert!(
                names.len() == 2 && names.iter().zip(sides).all(begins),
                "{what}, {sides:?}: {names:?}"
            );
            let names = introduced(|name, events| indented(&form(name, events)), sides);
            assert_eq!(names.len(), 2, "{what}, indented");
        }
    }
}

#[test]
fn outputs_beside_recordings_do_not_change_their_names() {
    let dd = "104857600 bytes (105 MB, 100 MiB) copied, 2.5 s, 41.9 MB/s\n";
    let form = |name: &str, events: &str| format!("On {name}:\n{dd}\n{events}\n");
    let expected = [Some("6.1".to_owned()), Some("6.12".to_owned())];
    assert_eq!(introduced(form, ["6.1", "6.12"]), expected);
}

#[test]
fn pages_and_attachments() {
    let (a, b) = (blkparse(&[0, 3], 0, 1, 400), blkparse(&[0, 3], 0, 1, 900));
    let page = format!(
        "<!DOCTYPE html>\n<html><body><h2>6.1</h2><pre>{a}</pre>\
         <h2>6.12</h2><pre>{b}</pre></body></html>"
    );
    let part =
        |name: &str, text: &str| format!("--xx\nContent-Type: text/plain; name={name}\n\n{text}\n");
    let mail = format!(
        "From: a@example.org\nSubject: slow\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed; boundary=xx\n\n--xx\n\nSee below.\n{}{}--xx--\n",
        part("6.1.txt", &a),
        part("6.12.txt", &b)
    );
    for text in [page, mail] {
        assert!(is_encoded(text.as_bytes()));
        let names = seekscope_recordings::names("text", text.as_bytes());
        let names: Vec<&str> = names
            .iter()
            .flatten()
            .map(|n| n.trim_end_matches(".txt"))
            .collect();
        assert_eq!(names, ["6.1", "6.12"], "{text}");
    }
}

/// A budget of time: of a long text only lines near the recordings are read for their names. All
/// of them would take a minute here.
#[test]
fn names_of_recordings_far_below_their_begin() {
    let prose: String = (0..40_000)
        .map(|i| format!("=== x === {i}.042 MB/s {i}\n"))
        .collect();
    let start = std::time::Instant::now();
    let form = |name: &str, events: &str| format!("--- {name} ---\n{events}\n{prose}\n");
    assert_eq!(
        introduced(form, ["6.1", "6.12"]),
        [Some("6.1".to_owned()), Some("6.12".to_owned())]
    );
    assert!(start.elapsed().as_secs() < 15, "{:?}", start.elapsed());
}

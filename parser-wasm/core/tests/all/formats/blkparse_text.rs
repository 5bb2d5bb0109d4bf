//! A recording printed as text and read back says what the recording says, as far as the text can
//! carry it.

use crate::common::{File, digest, read, recording, recordings};
use seekscope_core::builder::{TraceBuilder, TraceFile};
use seekscope_core::capabilities::Capabilities;
use seekscope_core::event::{Action, EventDetail, Flags};
use seekscope_core::report::blkparse_text::{MessageLines, text};
use seekscope_core::store::Store;

/// A recording as blkparse prints it.
fn printed(store: &Store) -> String {
    text(store, 0, usize::MAX, MessageLines::Plain).expect("there are events")
}

fn as_file(text: &str) -> Vec<File> {
    vec![("trace.txt".to_owned(), text.as_bytes().to_vec())]
}

/// All events in words, without what a printed line leaves out.
fn events(store: &Store) -> Vec<String> {
    let e = &store.events;
    let first = store
        .messages
        .rows
        .iter()
        .filter(|m| m.cgroup.is_none())
        .map(|m| m.time)
        .chain([e.time(0)])
        .min()
        .unwrap_or(0);
    let mut lines = Vec::new();
    e.sequences(0..e.len(), |i, sequence| {
        let (action, mut flags) = (e.action(i), e.flags(i));
        let pc = flags.has(Flags::PC);
        let placeless = pc
            || e.sectors(i) == 0
                && !matches!(
                    action,
                    Action::Complete | Action::Requeue | Action::Remap | Action::Split
                );
        if action == Action::Complete {
            flags = Flags(flags.0 & !Flags::FS.0);
        }
        let detail = match e.detail(i) {
            EventDetail::Command { len, .. } => format!("command of {}", len > 0),
            other => format!("{other:?}"),
        };
        lines.push(format!(
            "{} {} {} {} {:?} {:?} {} {} {} {detail} {} {sequence}",
            e.time(i) - first,
            if placeless { 0 } else { e.sector(i) },
            if pc { 0 } else { e.sectors(i) },
            action.letters(),
            flags,
            e.effect(i),
            e.cpu(i),
            store.processes[e.process(i) as usize].pid,
            store.devices[e.device(i) as usize].number,
            e.error(i),
        ));
    });
    lines
}

fn assert_same(wanted: &[String], got: &[String], what: &str) {
    let odd: Vec<_> = wanted
        .iter()
        .zip(got)
        .filter(|(a, b)| a != b)
        .take(3)
        .collect();
    assert!(
        odd.is_empty() && wanted.len() == got.len(),
        "{what}: {} {} {odd:#?}",
        wanted.len(),
        got.len()
    );
}

#[test]
fn every_recording_comes_back() {
    for name in recordings() {
        let binary = read(&recording(&name), 1 << 20);
        let store = read(&as_file(&printed(&binary)), 1 << 20);
        assert_eq!(store.format, "blkparse-text");
        let (wanted, got) = (events(&binary), events(&store));
        assert_same(&wanted, &got, &name);
        assert_eq!(
            store.quality.lost_events, binary.quality.lost_events,
            "{name}"
        );
        assert_eq!(store.quality.unmatched, binary.quality.unmatched, "{name}");
        assert_eq!(store.requests.len(), binary.requests.len(), "{name}");
        let lines = |store: &Store| {
            printed(store)
                .lines()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_same(&lines(&binary), &lines(&store), &name);
    }
}

#[test]
fn pieces_line_ends_and_quotes_do_not_matter() {
    for name in ["io-errors", "dm-remap", "passthrough"] {
        let text = printed(&read(&recording(name), 1 << 20));
        let whole = digest(&read(&as_file(&text), 1 << 20));
        for piece in [1, 61, 4096, 4097] {
            assert!(
                digest(&read(&as_file(&text), piece)) == whole,
                "{name} in pieces of {piece}"
            );
        }
        let as_windows = text.replace('\n', "\r\n");
        assert!(
            digest(&read(&as_file(&as_windows), 61)) == whole,
            "{name} with CR LF"
        );
        let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
        let mail = format!("Hello,\n\nthis is what I see:\n{quoted}");
        assert!(
            digest(&read(&as_file(&mail), 61)) == whole,
            "{name} in a mail"
        );
    }
}

/// What blkparse prints with `-f` and this format, for every event of a store.
fn formatted(store: &Store, line: impl Fn(&Line<'_>) -> String) -> String {
    let e = &store.events;
    let mut text = String::new();
    e.sequences(0..e.len(), |i, sequence| {
        let process = &store.processes[e.process(i) as usize];
        text += &line(&Line {
            store,
            i,
            sequence,
            pid: process.pid,
            name: process.name.as_deref().unwrap_or("(null)"),
        });
        text.push('\n');
    });
    text
}

struct Line<'a> {
    store: &'a Store,
    i: usize,
    sequence: u32,
    pid: u32,
    name: &'a str,
}

fn read_as(text: &str, pattern: &str) -> Result<Store, seekscope_core::error::Error> {
    let part = TraceFile {
        name: "trace.txt".to_owned(),
        size: text.len() as u64,
        pattern: Some(pattern.to_owned()),
    };
    let mut builder = TraceBuilder::new("test", "test", vec![part]);
    for piece in text.as_bytes().chunks(997) {
        builder.feed(0, piece);
    }
    builder.finish()
}

#[test]
fn formats_of_ones_own_come_back() {
    for name in ["io-errors", "partitions-deadline-1w", "ext4-buffered-6.12"] {
        let binary = read(&recording(name), 1 << 20);
        let whole = formatted(&binary, |l| {
            let e = &l.store.events;
            let (t, i) = (e.time(l.i), l.i);
            format!(
                "{} #{}/{:<4} at {:5}.{:09}: {:>2} {:<3} from {} for {}; {} ({}) {} {}",
                l.store.devices[e.device(i) as usize].number,
                e.cpu(i),
                l.sequence,
                t / 1_000_000_000,
                t % 1_000_000_000,
                e.action(i).letters(),
                e.flags(i).rwbs(e.bytes(i)),
                e.sector(i),
                e.bytes(i),
                l.pid,
                l.name,
                e.error(i) as u16,
                match e.detail(i) {
                    EventDetail::Unplug(n) | EventDetail::Split(n) => n,
                    _ => 0,
                }
            )
        });
        let pattern = r"%D #%c/%-4s at %5T.%9t: %2a %-3d from %S for %N; %p (%C) %e %U\n";
        let store = read_as(&whole, pattern).expect("the format has all fields");
        let without_remaps = |s: &Store| {
            events(s)
                .into_iter()
                .filter(|l| !l.contains(" A "))
                .collect::<Vec<_>>()
        };
        assert_same(&without_remaps(&binary), &without_remaps(&store), name);
        assert!(
            store.capabilities.has(Capabilities::SEQUENCES)
                && !store.capabilities.has(Capabilities::REMAPS)
        );
        assert!(
            store.quality.warnings.is_empty(),
            "{:?}",
            store.quality.warnings
        );
    }
}

/// A time may be printed in one word, in two, or without anything between its parts.
#[test]
fn seconds_and_nanoseconds_are_told_apart() {
    for (pattern, separator) in [
        ("%T.%t", "."),
        ("%T %t", " "),
        (r"%T\t%t", "\t"),
        ("%T%t", ""),
    ] {
        let pattern = format!(r"{pattern} %a %d %S %n\n");
        let line = |seconds: u64, ns: u64, action: char| {
            format!("{seconds}{separator}{ns:09} {action} W 8 8\n")
        };
        for begin in [0, 1_500_000_000] {
            let text = line(begin, 119_410, 'D') + &line(begin + 1, 219_410, 'C');
            let store = read_as(&text, &pattern).expect("the format has all fields");
            let times = (store.events.len(), store.span());
            assert_eq!(times, (2, 1_000_100_000), "{pattern}: {text}");
        }
    }
}

#[test]
fn the_format_may_stand_in_the_command_above_the_lines() {
    let lines = " 0,0.000100000,WS,D,1000,8\n 0,0.000300000,WS,C,1000,8\n";
    for command in [
        "$ sudo blkparse -i LOG.blktrace.0 -f \"%2c,%T.%t,%d,%a,%S,%n\\n\"",
        "> # blktrace -d /dev/sda -o - | blkparse -f '%2c,%T.%t,%d,%a,%S,%n\\n' -i - > log",
        "blkparse --format-spec=\"%c,%T.%t,%d,%a,%S,%n\\n\" sda",
    ] {
        let store = read(&as_file(&format!("Slow:\n{command}\n{lines}")), 1 << 20);
        assert_eq!(
            (store.events.len(), store.span()),
            (2, 200_000),
            "{command}"
        );
    }
    // What takes long to read is not taken from a file.
    let many = "%c ".repeat(10_000);
    for slow in [many.as_str(), "%C %P ", "%C%C"] {
        let command = format!("blkparse -f \"{slow}%a %d %T.%t %S %n\"\n");
        let text = command + &"1 ".repeat(30_000) + "\n";
        assert!(
            TraceBuilder::read("t", &[("trace.txt", text.as_bytes())]).is_err(),
            "{}",
            &slow[..4]
        );
    }
    // The default format, under a command that prints something else to a file.
    let text = "blkparse -i sda -f \"%S %n %a %d %T.%t\\n\" -o x\n\
        8,0 3 1 0.000000000 697 Q W 8 + 8 [dd]\n";
    assert_eq!(read(&as_file(text), 1 << 20).events.len(), 1);
}

#[test]
fn a_format_that_tells_too_little_says_what_it_lacks() {
    let error = read_as("Q 1000 8\n", r"%a %S %n\n").expect_err("there is no time");
    assert_eq!(error.code, "bad-format-string");
    assert!(
        error
            .message
            .contains("%d (operation), %T.%t (seconds and nanoseconds)"),
        "{}",
        error.message
    );
    let error = read_as("hello\n", "%a %d %T.%t %S %n").expect_err("it is another text");
    assert_eq!(
        (
            error.code,
            error.at.and_then(|place| place.line).map(u64::from)
        ),
        ("text-not-understood", Some(1))
    );
}

/// What the lines print when they are read and printed again; the first time becomes 0.
fn again(text: &str) -> Vec<String> {
    printed(&read(&as_file(text), 1 << 20))
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn lines_of_all_shapes() {
    let lines = [
        "  8,0    3        1     0.000000000   697  G   W 223490 + 8 [kjournald]",
        "259,1048575 128  4294967 12345.000000001 4194304  Q FWFSM 281474976710000 + 8388607 [a \
            [b] (c) 1]",
        "  8,0    3        2 12345.000000002     0  C   W 223490 + 8 [65531]",
        "  8,0    3        3 12345.000000003     0  C  FN 0 [0]",
        "  8,0    3        4 12345.000000004   697  A  WS 223553 + 8 <- (8,1) 223490",
        "  8,0    3        5 12345.000000005   697  X   W 223490 / 223494 [kjournald]",
        "  8,0    3        6 12345.000000006   697 UT   N [kjournald] 3",
        "  8,0    3        7 12345.000000007   700  P   N [(null)]",
        "  8,0    3        8 12345.000000008   701  D   R 36 (12 00 00 00 24 00 ..) [scsi_id]",
        "  8,0    3        9 12345.000000009     0  C   R [65415]",
        "  8,0    3       10 12345.000000010   697  Q  DS 223490 + 8 [kjournald]",
        "  8,0    3       11 12345.000000011   697  Q FWS [kjournald]",
        "  8,0    3        0 12345.000000012     0  m   N cfq700S  arm_idle: 8 [x]",
        "  8,0    3       12 12345.000000013     0  R  RA 1 + 8 [0]",
        "  8,0    3       13 12345.000000014   697  F RAM 1 + 8 [kjournald]",
    ];
    let got = again(&lines.map(|l| format!("{l}\n")).concat());
    assert_same(&lines.map(str::to_owned), &got, "lines");
}

#[test]
fn other_ways_of_printing_the_same() {
    let plain = |text: &str| again(text).first().cloned();
    let wanted =
        Some("  8,0    3        1     0.000000000   697  D   W 8 + 8 [kjournald]".to_owned());
    assert_eq!(
        plain("8,0 3 1 5.5 697 D W 8 + 8 ( 1500) [kjournald]"),
        wanted
    );
    assert_eq!(
        plain("  8,0    3        1     0.000000000   697 1a2b,3   D   W 8 + 8 [kjournald]  "),
        wanted
    );
    assert_eq!(
        plain(">> 8,0 3 1 0.1 697\tD W 8 + 8 [kjournald]\r\n"),
        wanted
    );
    let barrier = plain("  8,0    3        1     0.000000000   697  D  WB 8 + 8 [kjournald]");
    assert_eq!(
        barrier.as_deref(),
        Some("  8,0    3        1     0.000000000   697  D  FW 8 + 8 [kjournald]")
    );
    let message = "  8,0    3        0     0.000000001     7 1a2b,3  m   N bfq idle";
    let store = read(
        &as_file(&format!("8,0 3 1 0.0 697 P N [dd]\n{message}\n")),
        7,
    );
    assert_eq!(
        (
            store.messages.rows[0].cgroup,
            store.messages.text(0).as_str()
        ),
        (Some(0x3_0000_1a2b), "bfq idle")
    );
}

/// A remap names the disk, and a partition's bio the partition; one device counts both.
#[test]
fn remaps_in_front_of_all_other_lines_have_the_device_that_counts_on() {
    let text = "\
        259,6 0 200 0.000000000 9 A WS 2048 + 8 <- (259,9) 0\n\
        259,6 0 201 0.000000100 9 A WS 2048 + 8 <- (259,9) 0\n\
        259,9 0 202 0.000000200 9 Q WS 2048 + 8 [dd]\n\
        259,6 0 203 0.000000300 9 A WS 2056 + 8 <- (259,9) 8\n\
        259,9 0 204 0.000000400 9 Q WS 2056 + 8 [dd]\n";
    for (text, count) in [(text.to_owned(), 1), (text.replace("0 200 ", "1 200 "), 2)] {
        let store = read(&as_file(&text), 1 << 20);
        assert_eq!(store.events.len(), 5, "{text}");
        assert_eq!(store.devices.len(), count, "{text}");
    }
}

#[test]
fn what_is_no_event_is_counted_with_its_place() {
    let good = "  8,0    3        1     0.000000000   697  Q   W 8 + 8 [dd]\n";
    let text = format!(
        "Subject: slow disk\n{good}segmentation fault\n\n{good}  8,0    3        1     \
            0.000000000   697  Q   W 8 + 8 [d\ndd (697)\n Reads Queued:           0,        0KiB\t \
            Writes Queued:           2,        8KiB\nCPU3 (sda):\n\n{}",
        "  8,0    3        3     0.00000"
    );
    let store = read(&as_file(&text), 5);
    assert_eq!(store.events.len(), 2);
    let warnings: Vec<_> = store
        .quality
        .warnings
        .iter()
        .map(|w| {
            (
                w.code.as_str(),
                w.at.as_ref().and_then(|place| place.line).map(u64::from),
            )
        })
        .collect();
    assert_eq!(warnings, [("odd-lines", Some(3)), ("cut-line", Some(11))]);
    assert!(
        store.quality.warnings[0].message.contains("2 lines")
            && store.quality.warnings[0]
                .message
                .contains("“segmentation fault”")
    );
    assert_eq!(store.quality.truncated_bytes, 31);
}

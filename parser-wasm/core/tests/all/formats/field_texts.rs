//! Texts with the layouts that people post: live sessions with negative times, lines that a mailer,
//! a pager or a filter changed. `tests/field` has them.

use crate::common::fixtures;
use seekscope_core::builder::TraceBuilder;
use seekscope_core::capabilities::Capabilities;
use seekscope_core::error::Error;
use seekscope_core::store::Store;

fn field(name: &str) -> Vec<u8> {
    let path = fixtures().join("../field").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read(bytes: &[u8]) -> Result<Store, Error> {
    TraceBuilder::read("trace.txt", &[("trace.txt", bytes)])
}

fn store(bytes: &[u8]) -> Store {
    read(bytes).expect("events")
}

fn codes(store: &Store) -> Vec<&str> {
    store
        .quality
        .warnings
        .iter()
        .map(|w| w.code.as_str())
        .collect()
}

/// Time, action, sector and CPU of all events, and the names of tasks.
type Seen = (Vec<(u64, &'static str, u64, u32)>, Vec<String>);

fn seen(store: &Store) -> Seen {
    let events = &store.events;
    let event = |i| {
        let action = events.action(i).letters();
        (events.time(i), action, events.sector(i), events.cpu(i))
    };
    let mut names: Vec<String> = store
        .processes
        .iter()
        .filter_map(|process| process.name.clone())
        .collect();
    names.sort();
    ((0..events.len()).map(event).collect(), names)
}

/// A made text of blkparse: requests of two CPUs and tasks, from a time on.
fn blkparse(first: i64) -> String {
    let printed = |ns: i64| {
        let unsigned = ns as u64;
        let (seconds, rest) = (unsigned / 1_000_000_000, unsigned % 1_000_000_000);
        format!("{:5}.{rest:09}", seconds as u32)
    };
    let mut text = String::new();
    for i in 0..12i64 {
        let (cpu, start, sector) = (i % 2, first + i * 1_000_000, 4096 + 8 * i);
        let task = if cpu == 0 {
            "Web Content"
        } else {
            "kworker/u16:3-events"
        };
        for (step, action) in ["Q", "G", "D"].iter().enumerate() {
            text += &format!(
                "259,3 {cpu:4} {:8} {} {:5}  {action}  WS {sector} + 8 [{task}]\n",
                4 * (i / 2) + step as i64 + 1,
                printed(start + 1000 * step as i64),
                700 + cpu
            );
        }
        let (number, time) = (4 * (i / 2) + 4, printed(start + 400_000));
        text += &format!("259,3 {cpu:4} {number:8} {time}     0  C  WS {sector} + 8 [0]\n");
    }
    text
}

/// The same events as ftrace prints them.
fn ftrace() -> String {
    let mut text = String::from("# tracer: nop\n#\n");
    for i in 0..8u64 {
        let (time, sector) = (5_000_000 + 1000 * i, 64 * i);
        let (seconds, us) = (time / 1_000_000, time % 1_000_000);
        let task = if i % 2 == 0 { "my task: 1" } else { "dd" };
        text += &format!(
            "{task:>16}-{:<5} [00{}] ..... {seconds:5}.{us:06}: block_rq_issue: 8,16 WS 4096 () \
             {sector} + 8 [{task}]\n",
            90 + i % 2,
            i % 2
        );
        text += &format!(
            "          <idle>-0     [00{}] d.s1. {seconds:5}.{:06}: block_rq_complete: 8,16 WS () \
             {sector} + 8 [0]\n",
            i % 2,
            us + 300
        );
    }
    text
}

fn biosnoop() -> String {
    let mut text =
        String::from("TIME(s)     COMM           PID    DISK      T SECTOR     BYTES  LAT(ms)\n");
    for i in 0..6 {
        let task = if i % 2 == 0 {
            "Web Content"
        } else {
            "jbd2/sdb1-8"
        };
        text += &format!(
            "{:<11} {task:<14} {:<6} sdb       W {:<10} 4096      {:.2}\n",
            format!("{}.{:06}", i, 1000 * i),
            300 + i % 2,
            800 * i,
            0.25 + f64::from(i)
        );
    }
    text
}

/// Breaks lines longer than `width` at a blank, as mailers do, and quotes them.
fn wrapped(text: &str, mark: &str, width: usize) -> String {
    let mut all = String::new();
    for line in text.lines() {
        let mut rest = line;
        while rest.trim_start().len() > width
            && let Some(blank) = rest[..width]
                .rfind(' ')
                .filter(|blank| !rest[..*blank].trim().is_empty())
        {
            all += &format!("{mark}{}\n", rest[..blank].trim_end());
            rest = rest[blank..].trim_start();
        }
        all += &format!("{mark}{rest}\n");
    }
    all
}

/// CPU and flags in one column, as `trace-cmd report -l` prints them.
fn latency_columns(text: &str) -> String {
    let flags = [("..... ", "....."), ("d.s1. ", "d.s1.")];
    let join = |text: String, cpu: u32| {
        flags.iter().fold(text, |text, (spaced, flags)| {
            text.replace(&format!("[00{cpu}] {spaced}"), &format!("   {cpu}{flags} "))
        })
    };
    join(join(text.to_owned(), 0), 1)
}

#[test]
fn lines_that_a_mailer_or_filter_changed_are_the_same_events() {
    for (kind, text) in [
        ("blkparse", blkparse(0)),
        ("ftrace", ftrace()),
        ("biosnoop", biosnoop()),
    ] {
        let plain = store(text.as_bytes());
        let each = |change: &dyn Fn(usize, &str) -> String| {
            let lines = text.lines().enumerate();
            lines
                .map(|(i, line)| change(i, line) + "\n")
                .collect::<String>()
        };
        // Headings have no remarks.
        let remarked = |remark: &str| {
            each(&|_, l| match l.contains("WS") || l.contains("sdb ") {
                true => format!("{l}{remark}"),
                false => l.to_owned(),
            })
        };
        let changed = [
            ("arrow", remarked("   <--- 10 ms later!")),
            ("comment", remarked(" # issued")),
            ("in brackets", remarked("  (dispatched)")),
            ("UTF-8 arrow", remarked("   \u{2190} here")),
            ("comment marks", each(&|_, l| format!("#  {l}"))),
            ("code", each(&|_, l| format!("`{l}`"))),
            ("emphasis", each(&|_, l| format!("    *{}*\n", l.trim()))),
            ("steps", each(&|i, l| format!("{}. `{l}`", i + 1))),
            ("quoted", each(&|_, l| format!("> > {l}"))),
            ("initials", each(&|_, l| format!("JA> {l}"))),
            ("grep -n", each(&|i, l| format!("{}:{l}", i + 1))),
            ("grep -H", each(&|_, l| format!("trace.txt:{l}"))),
            (
                "grep -Hn",
                each(&|i, l| format!("run/trace.txt:{}:{l}", i + 7)),
            ),
            ("cat -n", each(&|i, l| format!("{:6}\t{l}", i + 1))),
            (
                "syslog",
                each(&|_, l| format!("Jan 12 10:00:01 host blkparse[123]: {l}")),
            ),
            ("ts", each(&|_, l| format!("Nov 26 10:43:15 {l}"))),
            (
                "journal",
                each(&|_, l| format!("2026-01-12T10:00:01+0000 host x[1]: {l}")),
            ),
            ("list", each(&|_, l| format!("* {l}"))),
            ("bar", each(&|_, l| format!("| {l}"))),
            ("bars", each(&|_, l| format!("| {l} |"))),
            ("br", each(&|_, l| format!("{l}<br>"))),
            ("no-break spaces", text.replace(' ', "\u{a0}")),
            (
                "colours",
                text.replace("WS", "\u{1b}[01;31m\u{1b}[KWS\u{1b}[m\u{1b}[K"),
            ),
            ("CRLF", text.replace('\n', "\r\n")),
            ("wrapped", wrapped(&text, "", 72)),
            ("wrapped and quoted", wrapped(&text, "> ", 70)),
            ("wrapped twice", wrapped(&text, "> > ", 44)),
            ("trace-cmd -l", latency_columns(&text)),
        ];
        for (what, changed) in changed {
            // A task may be named `*dd`.
            if (kind, what) == ("ftrace", "emphasis") {
                continue;
            }
            let found = store(changed.as_bytes());
            let words = (kind, what);
            assert_eq!(seen(&found), seen(&plain), "{words:?}\n{changed}");
            assert_eq!(codes(&found), codes(&plain), "{words:?}");
        }
    }
}

#[test]
fn what_looks_like_an_event_is_still_no_event() {
    let text = blkparse(0).replacen(
        '\n',
        "\n8,0    0       99     0.5 is when it stopped\nnext\n",
        1,
    );
    let found = store(text.as_bytes());
    assert_eq!(seen(&found), seen(&store(blkparse(0).as_bytes())));
    let odd = found
        .quality
        .warnings
        .iter()
        .find(|w| w.code == "odd-lines");
    assert_eq!(
        odd.and_then(|w| w.at.as_ref()?.line).map(|l| l.get()),
        Some(2)
    );
    assert!(odd.is_some_and(|w| w.message.contains("2 lines")));
}

#[test]
fn a_begun_line_at_the_end_is_reported() {
    let text = blkparse(0);
    let cut = &text[..text.len() - 8];
    assert!(codes(&store(cut.as_bytes())).contains(&"cut-line"), "{cut}");
    let begun = format!("{cut}\n");
    assert!(
        codes(&store(begun.as_bytes())).contains(&"odd-lines"),
        "{begun}"
    );
}

#[test]
fn posted_lines_are_read() {
    for (name, events, requests) in [
        ("A-br.txt", 20, 4),
        ("A-nbsp.txt", 20, 4),
        ("awk-prefix.txt", 23, 0),
        ("ctrl-c.txt", 40, 8),
        ("grepcolor.txt", 20, 4),
        ("grepn.txt", 20, 0),
        ("star.txt", 20, 4),
        ("syslog.txt", 20, 4),
        ("wrapped.txt", 20, 4),
        ("wrapped2.txt", 20, 4),
    ] {
        let store = store(&field(&format!("changed-lines/{name}")));
        assert_eq!(store.events.len(), events, "{name}");
        let completed = (0..store.events.len())
            .filter(|&i| store.events.action(i).letters() == "C")
            .count();
        assert_eq!(completed, requests, "{name}");
        if requests > 0 {
            assert_eq!(codes(&store), [""; 0], "{name}");
        }
    }
}

/// The same events, with columns that a tool leaves out or a person deletes: they lack names and
/// nothing else.
#[test]
fn events_without_their_tasks_are_events() {
    let nameless = |text: &str, changed: &str| {
        let (plain, found) = (store(text.as_bytes()), store(changed.as_bytes()));
        assert_eq!(seen(&found).0, seen(&plain).0, "{changed}");
        assert_eq!(codes(&found), codes(&plain), "{changed}");
        seen(&found).1
    };
    let each = |text: &str, change: &dyn Fn(&str) -> String| -> String {
        text.lines().map(|line| change(line) + "\n").collect()
    };
    let (text, events) = (blkparse(0), ftrace());
    let end_deleted = |line: &str| match line.rsplit_once(" [") {
        Some((rest, name)) if !name.starts_with("0]") => rest.to_owned(),
        _ => line.to_owned(),
    };
    let cut = each(&text, &end_deleted);
    assert_eq!(nameless(&text, &cut), [""; 0]);
    let in_text = format!("See:\n{cut}That is all.\n");
    let found = store(in_text.as_bytes());
    assert_eq!(seen(&found).0, seen(&store(text.as_bytes())).0);
    assert_eq!(codes(&found), ["odd-lines"]);
    // The prefix has the name.
    assert_eq!(
        nameless(&events, &each(&events, &end_deleted)),
        ["<idle>", "dd", "my task: 1"]
    );
    let without_pids = ["-90   ", "-91   ", "-0    "]
        .iter()
        .fold(events.replace("my task: 1", "Web Content"), |text, pid| {
            text.replace(pid, " ")
        });
    assert_eq!(nameless(&events, &without_pids), [""; 0]);
    // What a kernel with `tp_printk` writes to its log: time and event.
    let logged = each(&events, &|line| {
        let words: Vec<&str> = line.split("1. ").flat_map(|l| l.split("..... ")).collect();
        match words[1..].concat().split_once(": ") {
            Some((time, event)) => format!("[{:>12}] {event}", time.trim()),
            None => String::new(),
        }
    });
    let lacks = |text: &str| {
        let capabilities = store(text.as_bytes()).capabilities;
        [Capabilities::CPUS, Capabilities::PROCESSES].map(|column| !capabilities.has(column))
    };
    assert_eq!(lacks(&events), [false, false]);
    assert_eq!(lacks(&without_pids), [false, true]);
    assert_eq!(lacks(&logged), [true, true]);
    let times = |seen: Seen| -> Vec<_> { seen.0.iter().map(|e| (e.0, e.1, e.2)).collect() };
    assert_eq!(
        times(seen(&store(logged.as_bytes()))),
        times(seen(&store(events.as_bytes())))
    );
}

/// Commands of drivers are longer than events of the block layer.
#[test]
fn events_of_drivers_are_joined_from_many_lines() {
    let text = "  kworker/1:1H-34  [001] .....   5113.734166: mmc_request_start: mmc1: start \
        struct mmc_request[0000000005d331e4]: cmd_opcode=18 cmd_arg=0x0 cmd_flags=0xb5 cmd_retries=0 \
        stop_opcode=12 stop_arg=0x0 stop_flags=0x95 stop_retries=0 sbc_opcode=23 sbc_arg=0x8 \
        sbc_flags=0x15 sbc_retires=0 blocks=8 block_size=512 blk_addr=64 data_flags=0x200 tag=26 \
        can_retune=1 doing_retune=0 retune_now=0 need_retune=0 hold_retune=1 retune_period=0\n  \
        kworker/0:1-25  [000] .....  5113.735860: mmc_request_done: mmc1: end struct \
        mmc_request[0000000005d331e4]: cmd_opcode=18 cmd_err=0 cmd_resp=0x900 0x900 0x900 0x900 \
        cmd_retries=0 stop_opcode=12 stop_err=0 stop_resp=0x0 0x0 0x0 0x0 stop_retries=0 \
        sbc_opcode=23 sbc_err=0 sbc_resp=0x900 0x900 0x900 0x900 sbc_retries=0 bytes_xfered=4096 \
        data_err=0 tag=26 can_retune=1 doing_retune=0 retune_now=0 need_retune=0 hold_retune=1 \
        retune_period=0\n";
    let (plain, joined) = (
        store(text.as_bytes()),
        store(wrapped(text, "> ", 74).as_bytes()),
    );
    assert_eq!(plain.requests.len(), 1);
    assert_eq!(seen(&joined), seen(&plain));
}

#[test]
fn negative_times_are_before_the_first_event() {
    // All times are shifted alike, so the run is the same wherever 0 is.
    let plain = store(blkparse(0).as_bytes());
    for first in [-1, -4_400_000, -20_000_000_000, -80_000_000_000_000] {
        let text = blkparse(first);
        assert!(text.contains(" 1266"), "{text}");
        let found = store(text.as_bytes());
        assert_eq!(seen(&found), seen(&plain), "{first}");
        assert_eq!(codes(&found), codes(&plain), "{first}");
        // A live session prints such events in the middle of the text and out of order.
        let (begin, end): (Vec<&str>, Vec<&str>) = text.lines().partition(|l| l.contains("4096 +"));
        let late = [end, begin].concat().join("\n") + "\n";
        assert_eq!(seen(&store(late.as_bytes())), seen(&plain), "{late}");
    }
    // Neither a clock that counts from 1970 nor a long recording is negative.
    for first in [
        1_266_000_000_000_000_000,
        1_266_874_890_000_000_000,
        4_000_000_000,
    ] {
        assert_eq!(
            seen(&store(blkparse(first).as_bytes())),
            seen(&plain),
            "{first}"
        );
    }
}

#[test]
fn live_sessions_have_their_true_times() {
    let span = |name: &str| {
        let store = store(&field(&format!("negative-times/{name}")));
        assert_eq!(codes(&store), [""; 0], "{name}");
        (store.events.len(), store.requests.len(), store.span())
    };
    assert_eq!(span("kernel-5.4.txt"), (30, 5, 391_614));
    assert_eq!(span("kernel-4.4.txt"), (18, 3, 212_050));
    assert_eq!(span("live.txt"), (600, 200, 139_400_000));
    assert_eq!(span("completions.txt").0, 16);
}

#[test]
fn rows_without_headings_are_those_of_biosnoop() {
    let text = biosnoop();
    let (_, rows) = text.split_once('\n').expect("headings");
    assert_eq!(seen(&store(rows.as_bytes())), seen(&store(text.as_bytes())));
    let posted = store(&field("no-headings/biosnoop-grep.txt"));
    assert_eq!((posted.requests.len(), codes(&posted).len()), (5, 0));
    // Two rows are too few, and lists with other columns are none of it.
    for text in [
        rows.lines().take(2).collect::<Vec<_>>().join("\n"),
        "0.5 dd 7 sdb R 8 4096 12\n".repeat(5),
        "0.5 dd 7 sdb R 8 4097 0.12\n".repeat(5),
        "12:00 dd 7 sdb R 8 4096 0.12\n".repeat(5),
        "0.5 7 sdb R 8 4096 0.12\n".repeat(5),
    ] {
        assert!(read(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn published_traces_have_their_units() {
    let found = |name: &str| {
        let store = store(&field(&format!("published/{name}")));
        assert_eq!(codes(&store), [""; 0], "{name}");
        let bytes: u64 = (0..store.events.len())
            .filter(|&i| matches!(store.events.action(i).letters(), "Q" | "D"))
            .map(|i| u64::from(store.events.bytes(i)))
            .sum();
        (
            store.format.clone(),
            store.events.len(),
            bytes,
            store.span(),
        )
    };
    assert_eq!(
        found("iolog3.log"),
        ("fio-iolog".to_owned(), 4, 53_248, 123_000)
    );
    assert_eq!(found("spc.spc"), ("spc".to_owned(), 4, 13_312, 26_214_000));
    assert_eq!(
        found("systor17.csv"),
        ("systor-csv".to_owned(), 6, 20_480, 1_000_419_957)
    );
    assert_eq!(
        found("tencent.csv"),
        ("tencent-csv".to_owned(), 3, 266_240, 1_000_000_000)
    );
    let error = read(&field("published/iolog2.log")).expect_err("no times");
    assert_eq!(error.code, "missing-columns");
}

#[test]
fn commands_of_mmc_and_ufs_are_the_requests() {
    let mmc = store(&field("drivers/mmc.txt"));
    assert_eq!((mmc.requests.len(), codes(&mmc).len()), (1, 0));
    let (events, names) = seen(&mmc);
    assert_eq!(
        events,
        [(0, "D", 0x48_0dc0, 0), (268_231_000, "C", 0x48_0dc0, 0)]
    );
    assert_eq!(mmc.events.bytes(0), 4096);
    assert!(names.contains(&"mmcqd/0".to_owned()), "{names:?}");
    // A command that transfers nothing is none, and an error of one is its own.
    let switch = "    kworker/0:1H-90    [000] .... {}: mmc_request_{}: mmc0: {} struct mmc_request[c1]: \
        cmd_opcode=6 cmd_arg=0x3b90101 cmd_err=0 blocks=0 block_size=0 data_flags=0x0 bytes_xfered=0\n";
    let text = String::from_utf8(field("drivers/mmc.txt")).expect("a text");
    let failed = text.replace("data_err=0", "data_err=-84")
        + &switch
            .replacen("{}", "1385.0", 1)
            .replacen("{}", "start", 1)
            .replace("{}", "start")
        + &switch
            .replacen("{}", "1385.1", 1)
            .replacen("{}", "done", 1)
            .replace("{}", "end");
    let failed = store(failed.as_bytes());
    assert_eq!(failed.events.len(), 2);
    assert_eq!(failed.quality.drivers.failed, 1);

    let ufs = store(&field("drivers/ufs.txt"));
    let places: Vec<(u64, u32)> = (0..ufs.events.len())
        .map(|i| (ufs.events.sector(i), ufs.events.bytes(i)))
        .collect();
    // LBA 1085538 is no place of 4 KiB in sectors: it counts blocks.
    assert_eq!(
        places,
        [
            (8 * 1_085_538, 524_288),
            (8 * 1_081_728, 524_288),
            (8 * 7_058_430, 4096),
            (8 * 7_058_430, 4096)
        ]
    );
    let line = |lba: u64, step: &str, time: u64| {
        format!(
            "  dd-7 [001] ..... 5.{time:06}: ufshcd_command: {step}: 1d84000.ufshc: tag: 3, DB: 0x1, \
             size: 8192, IS: 0, LBA: {lba}, opcode: 0x28 (READ_10)\n"
        )
    };
    let sectors = line(4096, "send", 0) + &line(4096, "complete", 300);
    let old = store(sectors.as_bytes());
    assert_eq!(
        (old.events.sector(0), old.events.bytes(0), old.span()),
        (4096, 8192, 300_000)
    );
}

#[test]
fn closing_figures_that_do_not_match_are_reported() {
    let figures = |writes: u32, completed: u32| {
        format!(
            "\nTotal (sdb):\n Reads Queued:           0,        0KiB\t Writes Queued:          {writes},       48KiB\n \
             Read Dispatches:        0,        0KiB\t Write Dispatches:       12,       48KiB\n \
             Reads Completed:        0,        0KiB\t Writes Completed:       {completed},       48KiB\n\n\
             Throughput (R/W): 0KiB/s / 400KiB/s\nEvents (sdb): 48 entries\n"
        )
    };
    let whole = blkparse(0);
    assert_eq!(
        codes(&store((whole.clone() + &figures(12, 12)).as_bytes())),
        [""; 0]
    );
    for (writes, completed, words) in [
        (13, 12, "13 writes queued"),
        (12, 1234, "1234 writes completed"),
    ] {
        let text = whole.clone() + &figures(writes, completed);
        let found = store(text.as_bytes());
        assert_eq!(codes(&found), ["totals-differ"]);
        let warning = &found.quality.warnings[0];
        assert!(
            warning.message.contains(words) && warning.message.contains("has 12"),
            "{warning:?}"
        );
        assert_eq!(
            warning
                .at
                .as_ref()
                .and_then(|place| place.line)
                .map(|line| line.get()),
            Some(51)
        );
        let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
        assert_eq!(codes(&store(quoted.as_bytes())), ["totals-differ"]);
    }
}

#[test]
fn a_format_of_its_own_is_named_though_there_are_closing_figures() {
    for name in ["custom-with-totals.txt", "discard-percent-U.txt"] {
        let error = read(&field(&format!("custom-format/{name}"))).expect_err("no format");
        assert_eq!(error.code, "text-not-understood", "{name}");
        assert!(
            error
                .remedy
                .is_some_and(|remedy| remedy.contains("--format-string"))
        );
        assert_eq!(
            error.at.and_then(|place| place.line).map(|line| line.get()),
            Some(1)
        );
    }
    let figures = "CPU0 (sda):\n Reads Queued:  1,  4KiB\t Writes Queued:  2,  8KiB\n\n\
                   Throughput (R/W): 0KiB/s / 1KiB/s\nEvents (sda): 3 entries\n";
    for prose in [
        "",
        "We saw a D state of 3 tasks for 20 s, then W rose to 7.\n",
    ] {
        let error = read((prose.repeat(4) + figures).as_bytes()).expect_err("no events");
        assert_eq!(error.code, "summary-only", "{prose}");
    }
    let text = field("custom-format/custom-with-totals.txt");
    let file = seekscope_core::builder::TraceFile {
        name: "trace.txt".to_owned(),
        pattern: Some("%T.%t %D %c %a %d %S %n %p %C\\n".to_owned()),
        ..Default::default()
    };
    let mut builder = TraceBuilder::new("trace", "trace", vec![file]);
    builder.feed(0, &text);
    let store = builder.finish().expect("events");
    assert_eq!((store.events.len(), store.requests.len()), (20, 4));
}
